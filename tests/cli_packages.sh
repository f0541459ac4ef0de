# What make deb makes, where Debian's tools are: it unpacks to programs that compute README's first plan, and has manuals, completions, headers and guide.
. tests/expect.sh
build=$(dirname "$VOUCH")
make=${MAKE:-make}
if command -v dpkg-gencontrol > /dev/null; then
    if $make -s BUILD="$build" DEB="$dir/deb" DEB_OUT="$dir" DEB_FLAGS="-Zgzip -z1" deb > "$dir/log" 2>&1; then echo "ok deb"; else echo "not ok deb: $(tail -n 3 "$dir/log")"; fi
    dpkg-deb -x "$dir"/vouch_*.deb "$dir/root"
    LD_LIBRARY_PATH="$dir/root/usr/lib" expect deb_first_plan 0 "verified: maximum regret" sh "$dir/deb/debian/tests/first-plan" "$dir/root"
    expect deb_depends 0 libgmp10 dpkg-deb -f "$dir"/vouch_*.deb Depends
    for file in include/vouch/vouch.h lib/libvouch.so lib/pkgconfig/vouch.pc share/man/man1/vouch-plan.1.gz share/bash-completion/completions/vouch \
        share/zsh/vendor-completions/_vouch share/doc/vouch/index.html share/doc/vouch/copyright share/doc/vouch/changelog.gz; do
        if [ -s "$dir/root/usr/$file" ]; then echo "ok deb_$file"; else echo "not ok deb_$file: it is not there"; fi
    done
    if (dpkg-deb -e "$dir"/vouch_*.deb "$dir/meta" && cd "$dir/root" && md5sum --quiet -c "$dir/meta/md5sums" > "$dir/log" 2>&1); then echo "ok deb_sums"; else echo "not ok deb_sums: $(head -n 3 "$dir/log")"; fi
    if [ -n "$(part "" 1)" ] && command -v lintian > /dev/null; then expect deb_lintian 0 "" lintian --allow-root --fail-on error "$dir"/vouch_*.deb; fi
else
    echo "dpkg-gencontrol is not there: no package is built"
fi
# The workflow of continuous integration makes targets that exist.
for target in $(sed -n 's/^ *- run: make //p' .github/workflows/check.yml); do
    expect "workflow_$target" 0 "" grep "^\.PHONY:.* $target " Makefile
done
finish

#!/bin/sh
# make deb: build.sh FOLDER VERSION SONAME OUT [FLAG..]: FOLDER/root holds what `make install` has put there; it becomes the package OUT/vouch_VERSION_ARCH.deb.
# FOLDER/debian is what autopkgtest reads: autopkgtest OUT/*.deb FOLDER -- null. The same input gives the same bytes.
folder=$1 version=$2 soname=$3 out=$4
shift 4
set -e
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$folder/root debian=$folder/debian meta=$folder/root/DEBIAN
doc=$root/usr/share/doc/vouch man=$root/usr/share/man/man1
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date -u -d "$(sed -n "s/^## $version (\(.*\))/\1/p" "$source/src/CHANGES.md")" +%s)}
export SOURCE_DATE_EPOCH
rm -f "$root/usr/bin/vouch-mpi" # it needs MPI
# As Debian's policy wants them: stripped, manual pages compressed, zsh's functions where its zsh looks.
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root"/usr/bin/vouch "$root"/usr/bin/vouch-check "$root/usr/lib/libvouch.so.$version"
strip --strip-debug "$root/usr/lib/libvouch.a"
chmod 644 "$root/usr/lib/libvouch.so.$version"
gzip -9n "$man"/*.1
ln -s vouch-lp.1.gz "$man/vouch-glpsol.1.gz"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
mkdir -p "$debian/tests" "$meta"
sed "s/@MAINTAINER@/${DEBFULLNAME:-vouch developers} <${DEBEMAIL:-developers@vouch.invalid}>/" "$source/src/debian/control" > "$debian/control"
cp "$source/src/debian/first-plan" "$debian/tests/"
printf 'Tests: first-plan\nDepends: @\n' > "$debian/tests/control"
{
    printf 'vouch (%s) unstable; urgency=medium\n\n  * Version %s; CHANGES.md.gz lists the changes.\n\n -- ' "$version" "$version"
    printf '%s  %s\n' "$(sed -n 's/^Maintainer: //p' "$debian/control")" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
} > "$debian/changelog"
gzip -9nc "$debian/changelog" > "$doc/changelog.gz"
gzip -9nc "$source/src/CHANGES.md" > "$doc/CHANGES.md.gz"
{
    printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\nFiles: *\n'
    sed -n 's/^Copyright (c) /Copyright: /p' "$source/LICENSE"
    printf 'Comment: the programs and the library contain OpenBLAS, LAPACKE, GMP and zlib,\n whose terms the files copyright.* beside this one have.\nLicense: Expat\n'
    sed -n '/^Permission/,$ { s/^$/./; s/^/ /; p; }' "$source/LICENSE"
} > "$doc/copyright"
for package in libopenblas-serial-dev liblapacke-dev libgmp-dev zlib1g-dev; do
    [ ! -f "/usr/share/doc/$package/copyright" ] || cp -L "/usr/share/doc/$package/copyright" "$doc/copyright.${package%-dev}"
done
printf '%s %s vouch (>= %s)\n' "${soname%%.so.*}" "${soname#*.so.}" "$version" > "$meta/shlibs"
echo 'activate-noawait ldconfig' > "$meta/triggers"
cd "$folder"
dpkg-shlibdeps -xvouch root/usr/bin/vouch root/usr/bin/vouch-check "root/usr/lib/libvouch.so.$version"
dpkg-gencontrol -pvouch -Proot "-v$version" > /dev/null
(cd root && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums)
find root -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group "$@" --build root "$out"

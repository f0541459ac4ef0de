# make install into a directory of its own: the C example of the guide against the installed library, manual pages, completion.
build=$(dirname "$VOUCH")
root=$(mktemp -d)
if ${MAKE:-make} -s BUILD="$build" PREFIX="$root/usr" install > "$root/log" 2>&1; then echo "ok install"; else echo "not ok install: $(tail -n 3 "$root/log")"; fi
# Position-independent, with canaries, and nothing of the linker's tables left to write to. A build that asks for no hardening says so.
check_elf() {
    case $(readelf -hW "$1") in *"Type:"*"DYN "*) ;; *) echo "not ok hardened_$2: at a fixed address" && return ;; esac
    case $(readelf -lW "$1") in *GNU_RELRO*) ;; *) echo "not ok hardened_$2: no RELRO" && return ;; esac
    case $(readelf -dW "$1") in *BIND_NOW* | *"FLAGS_1"*NOW*) ;; *) echo "not ok hardened_$2: not BIND_NOW" && return ;; esac
    case $(readelf -sW --dyn-syms "$1") in *__stack_chk_fail*) ;; *) echo "not ok hardened_$2: no stack protector" && return ;; esac
    case $(readelf -lW "$1" | grep GNU_STACK) in *RWE*) echo "not ok hardened_$2: an executable stack" && return ;; esac
    [ "$fortified" = no ] || case $(readelf -sW --dyn-syms "$1") in *_chk@* | *_chk\ *) ;; *) echo "not ok hardened_$2: no _FORTIFY_SOURCE" && return ;; esac
    echo "ok hardened_$2"
}
hardening=$(${MAKE:-make} -s BUILD="$build" ask-HARDEN) fortified=yes
case $hardening in *FORTIFY*) ;; *) fortified=no ;; esac
grep -q -e __asan_init -e __gcov "$build/libvouch.so" && fortified=no
if [ -z "$hardening" ]; then echo "HARDEN= is given: the build is not looked at"
elif command -v readelf > /dev/null; then
    check_elf "$build/vouch" program && check_elf "$build/vouch-check" checker && check_elf "$build/libvouch.so" library
fi
cp bench/examples/plan.c "$root/example.c"
if "$root/usr/bin/vouch-glpsol" --lp tests/data/lp/knapsack.lp 2>&1 | grep -q 'objective   29.5' && [ ! -e "$root/usr/bin/glpsol" ]
then echo "ok glpsol_by_its_link"; else echo "not ok glpsol_by_its_link"; fi
flags=
grep -q __asan_init "$build/libvouch.so" && flags=-fsanitize=address,undefined
# shellcheck disable=SC2046,SC2086
if ${CC:-cc} -Wall -Wextra -Werror $flags "$root/example.c" $(PKG_CONFIG_PATH=$root/usr/lib/pkgconfig pkg-config --cflags --libs vouch) -o "$root/example" 2> "$root/log"
then echo "ok example_compiles"; else echo "not ok example_compiles: $(head -n 3 "$root/log")"; fi
"$VOUCH" generate twin-states -T 5 -o "$root/twin.json"
export LD_LIBRARY_PATH="$root/usr/lib"
"$root/example" "$root/twin.json" "$root/policy.json" > "$root/out"
says() { if grep -q "$2" "$root/out"; then echo "ok example_$1"; else echo "not ok example_$1: $(head -n 3 "$root/out")"; fi; }
says plans '^maximum regret 3, bound 3$'
says walks '^t = 0, A, 9 environments: a'
says follows '^the promise was kept$'
if "$VOUCH" evaluate "$root/twin.json" "$root/policy.json" > /dev/null; then echo "ok example_saves"; else echo "not ok example_saves"; fi
if "$root/example" README.md "$root/none.json" 2>&1 | grep -q '^README.md:1: '; then echo "ok example_refuses"; else echo "not ok example_refuses"; fi
for command in $("$VOUCH" --manual list); do
    page=$root/usr/share/man/man1/vouch-$command.1
    if grep -q '^\.SH OPTIONS' "$page" && grep -qF "vouch\\-$command" "$page"; then echo "ok manual_$command"; else echo "not ok manual_$command"; fi
done
if command -v bash > /dev/null; then
    reply=$(bash -c ". '$root/usr/share/bash-completion/completions/vouch'; COMP_WORDS=(vouch plan --eng); COMP_CWORD=2; _vouch; echo \"\${COMPREPLY[*]}\";
        COMP_WORDS=(vouch plan --engine ''); COMP_CWORD=3; _vouch; echo \"\${COMPREPLY[*]}\"; COMP_WORDS=(vouch ev); COMP_CWORD=1; _vouch; echo \"\${COMPREPLY[*]}\"" | tr '\n' '/')
    kinds=$(bash -c ". '$root/usr/share/bash-completion/completions/vouch'; COMP_WORDS=(vouch plan --commit ''); COMP_CWORD=3; _vouch; echo \"\${COMPREPLY[*]}\"; COMP_WORDS=(vouch ccil --objective ''); _vouch; echo \"\${COMPREPLY[*]}\"")
    if [ "$kinds" = "at: by: stay: avoid:
regret weighted max-min" ]; then echo "ok completion_words"; else echo "not ok completion_words: $kinds"; fi
    lists=$(bash -c ". '$root/usr/share/bash-completion/completions/vouch'; COMP_WORDS=(vouch sweep maze.json -m milp-ccl,hi); COMP_CWORD=4; _vouch; echo \"\${COMPREPLY[*]}\";
        COMP_WORDS=(vouch help sw); COMP_CWORD=2; _vouch; echo \"\${COMPREPLY[*]}\"; COMP_WORDS=(vouch plan --method h); COMP_CWORD=3; _vouch; echo \"\${COMPREPLY[*]}\";
        COMP_WORDS=(vouch generate t-); COMP_CWORD=2; _vouch; echo \"\${COMPREPLY[*]}\"" | tr '\n' '/')
    if [ "$lists" = "milp-ccl,history/sweep/history/t-maze/" ]; then echo "ok completion_lists"; else echo "not ok completion_lists: $lists"; fi
    if [ "$reply" = "--engine/auto policy lp/evaluate/" ]; then echo "ok completion"; else echo "not ok completion: $reply"; fi
fi
# zsh takes bash's function; fish has lines of its own.
zsh=$root/usr/share/zsh/site-functions/_vouch fish=$root/usr/share/fish/vendor_completions.d/vouch.fish
if [ "$(head -n 1 "$zsh")" = "#compdef vouch" ] && { ! command -v zsh > /dev/null || zsh -n "$zsh"; }; then echo "ok completion_zsh"; else echo "not ok completion_zsh"; fi
if grep -q "seen_subcommand_from plan' -s L -l lookahead -x" "$fish" && ! grep -qv '^complete -c vouch \|^#' "$fish" &&
    { ! command -v fish > /dev/null || fish -n "$fish"; }; then echo "ok completion_fish"; else echo "not ok completion_fish"; fi
# Where neither dpkg nor apt-get is, the same is found out by compiling; what is missing is named and nothing is installed.
mkdir "$root/bin"
for tool in sh make cc gcc ccache as ld objcopy mkdir touch id cat sed grep; do
    at=$(command -v $tool) && ln -s "$at" "$root/bin/$tool"
done
make=${MAKE:-make}
if PATH=$root/bin MAKEFLAGS= $make -s BUILD="$root/b" deps-run > "$root/log" 2>&1 && [ ! -s "$root/log" ]; then echo "ok build_without_dpkg"; else echo "not ok build_without_dpkg: $(tail -n 3 "$root/log")"; fi
if ! PATH=$root/bin $make -s BUILD="$root/c" LDLIBS=-lnothing deps-run > "$root/log" 2>&1 && grep -q 'apt-get install build-essential' "$root/log" &&
    grep -q 'lnothing' "$root/log"; then echo "ok what_is_missing"; else echo "not ok what_is_missing: $(tail -n 3 "$root/log")"; fi
# The guide is there, and the report links to it.
if "$root/usr/bin/vouch" reproduce short-horizon -q -o "$root/report.html" > /dev/null 2> "$root/log" &&
    page=$(sed -n 's#.*<a href="file://\([^"]*sweeps.html\)">sweeps</a>.*#\1#p' "$root/report.html") && grep -q 'vary' "$page" &&
    grep -q 'href="promises.html"' "$root/usr/share/doc/vouch/index.html"; then echo "ok report_links_to_guide"; else echo "not ok report_links_to_guide: $(cat "$root/log")"; fi
# The references have every public function and every public name.
if ${PYTHON:-/usr/bin/python3} -c 'import ast; ast.unparse' 2> /dev/null; then
    doc=$root/usr/share/doc/vouch
    sed -n 's/^VOUCH_API .*[ *]\(vouch_[a-z_0-9]*\)(.*/<a id="\1">/p' include/vouch/*.h > "$root/names"
    sed -n '/^__all__/,/^]/p' src/python/vouch/__init__.py | grep -o '"[A-Za-z_]*"' | grep -v '"read"' | sed 's/.*/<a id=&>/' > "$root/python"
    lack() { while read -r name; do grep -qF "$name" "$2" || echo "$name"; done < "$1"; }
    missing=$(lack "$root/names" "$doc/c-reference.html"; lack "$root/python" "$doc/python-reference.html")
    if [ "$(wc -l < "$root/names")" -gt 100 ] && [ -z "$missing" ] && grep -q 'href="c-reference.html"' "$doc/index.html"; then echo "ok references"; else echo "not ok references: $missing"; fi
fi
$make -s BUILD="$build" PREFIX="$root/usr" uninstall > "$root/log" 2>&1
left=$(find "$root/usr" ! -type d)
if [ -z "$left" ] && [ -d "$root/usr/bin" ]; then echo "ok uninstall"; else echo "not ok uninstall: $left"; fi
rm -rf "$root"
echo "done"

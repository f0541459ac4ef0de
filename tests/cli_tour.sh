#!/bin/sh
# src/TOUR.md is true: its files are written, its commands run, and each prints what the page says.
. tests/expect.sh
tour=$PWD/src/TOUR.md
case $VOUCH in /*) program=$VOUCH ;; *) program=$PWD/$VOUCH ;; esac
mkdir "$dir/bin" && ln -s "$program" "$dir/bin/vouch" && ln -s "$program-check" "$dir/bin/vouch-check"
PATH=$dir/bin:$PATH
mkdir "$dir/tour" && cd "$dir/tour" || exit 1
# ```KIND NAME begins a file; in ```console "$ cat NAME" shows one that is taken from there
awk '/^```console$/ { console = 1; next }
     /^```[a-z]+ [a-z.]+$/ { file = $2; next }
     /^```$/ { if (cat) close(cat); console = 0; file = cat = ""; next }
     file { print > file }
     console && /^\$ / { cat = /^\$ cat [a-z.]+$/ ? $3 : ""; if (!cat) { n++; print substr($0, 3) > ("command" n); printf "" > ("wanted" n) } next }
     console && cat { print > cat }
     console && !cat { print > ("wanted" n) }
     END { print n > "count" }' "$tour"
n=$(cat count)
for i in $(seq "$n"); do
    sh "command$i" > got 2>&1
    if cmp -s got "wanted$i"; then echo "ok tour_$i"; else echo "not ok tour_$i: $(cat "command$i")"; diff "wanted$i" got | head -n 20; fi
done
if [ "$n" -ge 20 ]; then echo "ok tour_count"; else echo "not ok tour_count: $n commands"; fi
cd "$OLDPWD" || exit 1
# every file and function that the page names exists
for name in $(grep -o '`[a-z]*/[a-z_/]*\.[ch]`' "$tour" | tr -d '`' | sort -u); do
    [ -e "src/$name" ] || echo "not ok tour_file: $name"
done
for name in $(grep -o '`[a-z_]*`' "$tour" | tr -d '`' | sort -u); do
    grep -rqw -- "$name" src --include='*.c' || echo "not ok tour_name: $name"
done
finish

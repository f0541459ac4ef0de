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
# every step but the exercises answers the three questions, and which line: files with functions that they define
awk -v src=src '
    function ask(what, found) { print (found ? "ok" : "not ok") " tour_" section "_" what }
    function check(    word, i, n, part, file, named, known, line) {
        n = split(text, part, "`")
        for (i = 2; i <= n; i += 2) {
            word = part[i]
            if (word ~ /\.c$/) {
                if (file && !named) print "not ok tour_" section ": no function of " file
                file = word; named = 0; known = ""
                while ((getline line < (src "/" file)) > 0) if (line ~ /^[a-z].*\(/) known = known " " line
                close(src "/" file)
                if (known == "") print "not ok tour_" section ": no file " file
            } else {
                named = 1
                if (known !~ ("[ *]" word "\\(")) print "not ok tour_" section ": " word " is not defined in " file
            }
        }
        ask("line", file && named)
    }
    function finish() { if (section) { ask("why", why); ask("valid", valid); check() } }
    /^## [0-9]+\. / { finish(); section = $2 + 0; if (/Exercises/) section = 0; why = valid = 0; text = ""; inline = 0; next }
    /^```/ { code = !code; next }
    code { next }
    /^$/ { inline = 0 }
    /\*\*Why / { why = 1 }
    /\*\*Valid\?\*\*/ { valid = 1 }
    /\*\*Which line\?\*\*/ { inline = 1; sub(/.*\*\*Which line\?\*\*/, "") }
    inline { text = text " " $0 }
    END { if (section) finish() }' "$tour" > "$dir/answers"
cat "$dir/answers"
if [ "$(grep -c '^ok' "$dir/answers")" -ge 30 ]; then echo "ok tour_answers"; else echo "not ok tour_answers: fewer than ten steps are answered"; fi
for name in $(grep -o '`[a-z_]*`' "$tour" | tr -d '`' | sort -u); do
    grep -rqw -- "$name" src --include='*.c' || echo "not ok tour_name: $name"
done
finish

#!/bin/sh
# make layers, fifth part: what the linker sees. An object that asks for a symbol of another room follows an arrow of tests/layers.sh; the public
# vouch_ symbols are for all. Files of one room that need each other in a circle are those listed here, and no more. Only where objects are
# built ($1, else build/obj): of files whose objects are there. Of the C library's functions that go by the host's locale none is called outside
# base/text.c; the program, which runs in the C locale, may print.
cd "$(dirname "$0")/.." || exit 1
objects=${1-build/obj}
[ -d "$objects" ] && command -v nm > /dev/null || { echo "links: not checked, nothing is built"; exit 0; }
arrows=$(sed -n '/^allowed()/,/^}/p; /^also()/,/^}/p' tests/layers.sh | sed -n 's/^ *\([a-z/]*\)) echo \([a-z/ ]*\) ;;.*/\1 \2/p' | tr '\n' ';')
# Most files of a circle, by room; 1 where nothing is said.
circles='check 4;cli 4;exact 2;io 6;la 2;mdp 7;plan 13'
# Objects of files that are no longer there stay behind.
find "$objects" -name '*.o' | sort | while read -r object; do
    file=${object#"$objects"/}
    [ -e "src/${file%.o}.c" ] && [ "$file" != link/mpi.o ] && echo "$object"
done | tr '\n' '\0' | xargs -0 nm -A -g | awk -v root="$objects/" -v arrows="$arrows" -v circles="$circles" '
function room(f) { sub(/\/[^\/]*$/, "", f); return f }
# The number of the circle that f is in: of all files that it reaches and that reach it (Tarjan).
function visit(f,    i, n, to, t) {
    low[f] = index_of[f] = ++met; stack[++height] = f; on[f] = 1
    n = split(uses[f], to, " ")
    for (i = 1; i <= n; i++) {
        t = to[i]
        if (!index_of[t]) { visit(t); if (low[t] < low[f]) low[f] = low[t] }
        else if (on[t] && index_of[t] < low[f]) low[f] = index_of[t]
    }
    if (low[f] == index_of[f]) {
        n = 0; text = ""
        do { t = stack[height--]; on[t] = 0; n++; text = text " " t } while (t != f)
        if (n > 1 && n > most[room(f)]) { print "circle of " n " files in src/" room(f) "/:" text; bad++ }
    }
}
BEGIN {
    readers = "^(v?[fs]?scanf|strto(d|f|ld)|atof|strn?casecmp|strerror(_r|_l)?|perror|__ctype_[a-z_]*|is(alnum|alpha|digit|space|print|punct|upper|lower)|to(upper|lower)|localeconv|strcoll|strxfrm|alphasort|strftime)$"
    n = split(arrows, line, ";")
    for (i = 1; i <= n; i++) { k = split(line[i], word, " "); for (j = 2; j <= k; j++) ok[word[1] " " word[j]] = 1 }
    n = split(circles, line, ";")
    for (i = 1; i <= n; i++) { split(line[i], word, " "); most[word[1]] = word[2] }
}
{
    split($0, part, ":"); f = substr(part[1], length(root) + 1); sub(/\.o$/, "", f); files[f] = 1
    tower = f ~ /^check\// ? "check " : ""
    called = $NF; sub(/@.*/, "", called); sub(/^__isoc(99|23)_/, "", called); if (called ~ /_chk$/) { sub(/^__/, "", called); sub(/_chk$/, "", called) }
    if (called == "abort") contracts[f] = 1 # names come in order: it prints why (base/check.h)
    if (f != "base/text" && !tower && $(NF - 1) == "U" && !(called == "fprintf" && contracts[f]) &&
        called ~ (f ~ /^cli\// ? readers : readers "|^v?(f|d|s|sn|as)?printf$")) { print "src/" f ".c: " called " goes by the locale; base/text.h does not"; bad++ }
    if ($(NF - 1) ~ /^[Uw]$/) wants[f] = wants[f] " " tower $NF; else home[tower $NF] = f
}
END {
    for (f in wants) {
        n = split(wants[f], s, " ")
        for (i = 1; i <= n; i++) {
            name = f ~ /^check\// ? "check " s[++i] : s[i]
            to = home[name]
            if (to == "" || to == f) continue
            if (room(to) == room(f)) { if (!seen[f " " to]++) uses[f] = uses[f] " " to; continue }
            if (room(to) == room(f) "/watch" || name ~ /^vouch_/) continue
            if (!ok[room(f) " " room(to)]) { print "src/" f ".c: " room(f) "/ must not call " room(to) "/ (" name ")"; bad++ }
        }
    }
    for (f in files) if (!index_of[f]) visit(f)
    if (!bad) print "links: what objects ask of other rooms follows an arrow, no circle has grown, and nothing goes by the locale"
    exit bad > 0
}'

#!/bin/sh
# make layers, fourth part: src/ARCHITECTURE.md, .github/CONTRIBUTING.md and src/CHANGES.md say what is so.
#   every file and directory in `backquotes` exists, and every name beside one (lower_case, or CAPITALS) stands in a file named in the same paragraph or
#   row, or in the paragraph before the table; links lead somewhere;
#   the rooms and what they may include are those of tests/layers.sh; the stages those of plan/schedule.c, in their order; the ends of a node those
#   of vouch/mip.h; src/CHANGES.md tells of this version, and which words of --without have become which.
cd "$(dirname "$0")/.." || exit 1
bad=0
fault() { echo "$1"; bad=1; }
# Where a file or a directory of a page stands; nothing: nowhere.
place() {
    for at in "$1" "src/$1" "include/$1"; do
        [ -e "$at" ] && echo "$at" && return
    done
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# One line for each paragraph or row: its words in backquotes; a row and a step have those of the paragraph before them behind a bar.
words() {
    awk '
    function flush() { if (text != "") { print quoted(text) "|"; before = quoted(text) } text = "" }
    function quoted(s,    out, n, part, i) { n = split(s, part, "`"); for (i = 2; i <= n; i += 2) out = out " {" part[i] "}"; return out }
    /^```/ { flush(); fence = !fence; next }
    fence { next }
    /^(\||[0-9]+\. |- )/ { flush(); print quoted($0) "|" before; next }
    /^$/ || /^#/ { flush(); if (/^#/) before = ""; next }
    { text = text " " $0 }
    END { flush() }' "$1" | tr -d '(),'
}
# The words between braces, one a line, blanks within a word as they are.
each() { grep -o '{[^}]*}' | tr -d '{}'; }

check_page() {
    page=$1
    [ -e "$page" ] || return
    words "$page" > "$work/words"
    while IFS='|' read -r here before; do
        files=
        for word in $(printf '%s %s' "$here" "$before" | each | grep -E '^[A-Za-z_.0-9/]*/[A-Za-z_.0-9/]*$|^Makefile$'); do
            at=$(place "$word")
            if [ -z "$at" ]; then fault "$page: there is no $word"; elif [ -f "$at" ]; then files="$files $at"; fi
        done
        for name in $(printf '%s' "$here" | each | grep -E '^[a-z0-9]+(_[a-z0-9]+)+$|^[A-Z][A-Z0-9_]{3,}$'); do
            # shellcheck disable=SC2086
            if [ -n "$files" ]; then grep -qw -- "$name" $files || fault "$page: $name does not stand in$files"
            else grep -rqw -- "$name" src include || fault "$page: $name stands nowhere"; fi
        done
    done < "$work/words"
    grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http' | while read -r link; do
        [ -e "$(dirname "$page")/$link" ] || echo "$page: there is no $link"
    done > "$work/links"
    if [ -s "$work/links" ]; then cat "$work/links"; bad=1; fi
}
check_page src/ARCHITECTURE.md
check_page .github/CONTRIBUTING.md

same() { # what, wanted, found
    [ -s "$work/wanted" ] || fault "src/ARCHITECTURE.md: nothing to compare $1 with"
    diff "$work/wanted" "$work/found" > "$work/diff" || { echo "src/ARCHITECTURE.md: $1 (<: the code, >: the page)"; cat "$work/diff"; bad=1; }
}
page=src/ARCHITECTURE.md
sed -n '/^allowed()/,/^}/p; /^also()/,/^}/p' tests/layers.sh | sed -n 's/^ *\([a-z/]*\)) echo \([a-z/ ]*\) ;;.*/\1 \2/p' |
    awk '{ for (i = 2; i <= NF; i++) if ($i != $1) print $1, $i; if (NF == 2 && $1 == $2) print $1 }' | sort > "$work/wanted"
sed -n '/^## Rooms/,/^## The way/p' $page | sed -n 's/^| `\([a-z/]*\)` | \([a-z/ ]*\)|.*/\1 \2/p' |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i; if (NF == 1) print $1 }' | sort > "$work/found"
same "rooms and arrows"
sed -n '/STAGES\[\]/,/;/p' src/plan/schedule.c | tr -d '\n' | sed 's/.*= *{//; s/}.*//' | tr -d ' ' | tr ',' '\n' > "$work/wanted"
echo >> "$work/wanted"
sed -n '/^| stage |/,/^$/p' $page | sed -n 's/^| `\([a-z_]*\)` |.*/\1/p' > "$work/found"
same "stages of the search"
sed -n '/enum vouch_node_end/,/}/p' include/vouch/mip.h | sed -n 's/^ *\(VOUCH_NODE_[A-Z]*\).*/\1/p' > "$work/wanted"
sed -n 's/^| `\(VOUCH_NODE_[A-Z]*\)` |.*/\1/p' $page > "$work/found"
same "ends of a node"
# The words that --without had in a version before are told.
sed -n 's/.*\.word = "\([a-z-]*\)", \.was = "\([a-z-]*\)".*/`\2` is now `\1`/p' include/vouch/search.h > "$work/wanted"
tr '\n' ' ' < src/CHANGES.md | tr -s ' ' > "$work/changes"
while read -r told; do grep -qF "$told" "$work/changes" || fault "src/CHANGES.md: it does not say that $told"; done < "$work/wanted"
grep -q "^## $(sed -n 's/^#define VOUCH_VERSION "\(.*\)"/\1/p' include/vouch/status.h) (" src/CHANGES.md || fault "src/CHANGES.md: nothing is said of this version"
[ $bad = 0 ] && echo "pages: what ARCHITECTURE.md, CONTRIBUTING.md and CHANGES.md say is so"
exit $bad

#!/bin/sh
# make layers, second part: sizes and names in src/, read from code as clang-format leaves it (a function ends with a brace in column 0).
#   no function above 80 lines and at most 10 above 60; at most 20 functions with more than 6 parameters;
#   no two structs of one name; no two files that include each other, directly or by others.
# With -v it lists what counts towards the two quotas; with --count it only says how many points are open, and succeeds.
cd "$(dirname "$0")/.." || exit 1
files=$(find src include -name '*.[ch]' | sort)
awk -v verbose="$([ "$1" = -v ] && echo 1)" -v count_only="$([ "$1" = --count ] && echo 1)" '
function fault(text) { if (!count_only) print text; bad++ }
# depth-first: a file met again on the way down closes a circle
function visit(f,    i, n, to, step) {
    colour[f] = 1; way[++depth] = f
    n = split(uses[f], to, " ")
    for (i = 1; i <= n; i++) {
        if (colour[to[i]] == 1) {
            text = to[i]
            for (step = depth; way[step] != to[i]; step--) text = way[step] " " text
            fault("include circle: " to[i] " " text)
        } else if (!colour[to[i]]) visit(to[i])
    }
    colour[f] = 2; depth--
}
FNR == 1 { file = FILENAME; unit = file; sub(/\.[ch]$/, "", unit); units[unit] = 1; open = 0; name = ""; comment = 0 }
/^#include "/ {
    split($0, part, "\"")
    other = "src/" part[2]; sub(/\.h$/, "", other)
    if (other != unit) uses[unit] = uses[unit] " " other
}
/^\/\*/ && !/\*\// { comment = 1 }
comment { if (/\*\//) comment = 0; next }
/^typedef (struct|union|enum)/ { intype = 1 }
intype && (/^}/ || /;$/ && /^typedef/) {
    type = $0; sub(/;.*/, "", type); sub(/.*[ }*]/, "", type); intype = /^typedef/ && /{$/
    if ($0 ~ /{/ && $0 ~ /^typedef/ || $0 ~ /^}/) { if (type in at && at[type] != file) fault("two types " type ": " at[type] " and " file); at[type] = file; intype = 0 }
    next
}
/^(struct|enum|union) [a-z_0-9]+ {$/ { if (($2 in tag) && tag[$2] != file) fault("two structs " $2 ": " tag[$2] " and " file); tag[$2] = file }
file ~ /\.c$/ && /^[a-zA-Z_].*\(/ && !/^(typedef|#|else)/ && !/;[ \t]*$/ && !/ = / { head = ""; begin = FNR; gather = 1 }
gather { head = head " " $0; if (/{/) { gather = 0; open = 1 } else if (/;$/) gather = 0 }
open && (/^}/ || (begin == FNR && /}$/) || (head ~ /}$/ && FNR == begin + split(head, unused, "\n"))) {
    open = 0
    name = head; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name)
    size = FNR - begin + 1
    if (size > 80) fault(file ": " name " has " size " lines")
    if (size > 60) { longs++; if (verbose) print "long: " file " " name " " size }
    arguments = head; sub(/^[^(]*\(/, "", arguments); sub(/\) *{.*/, "", arguments)
    while (gsub(/\([^()]*\)/, "", arguments));
    count = gsub(/,/, ",", arguments) + 1
    if (count > 6) { wide++; if (verbose) print "wide: " file " " name " " count }
}
END {
    for (u in units) if (!colour[u]) visit(u)
    if (longs > 10) fault(longs " functions above 60 lines")
    if (wide > 20) fault(wide " functions with more than 6 parameters")
    if (!bad) print "house: sizes, names and includes as agreed; " longs + 0 " functions above 60 lines, " wide + 0 " with more than 6 parameters\ndone"
    else if (count_only) print "house: " bad " points open, listed by tests/house.sh"
    exit bad && !count_only
}' $files

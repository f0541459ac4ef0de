#!/bin/sh
# make layers, third part: src/GLOSSARY.md and src/THEORY.md are about files that exist, and the names beside a file stand in it.
cd "$(dirname "$0")/.." || exit 1
bad=0
place() { case $1 in vouch/*) echo "include/$1" ;; *) echo "src/$1" ;; esac; }
fault() { echo "$1"; bad=1; }
for file in $(grep -o '`[a-z_/]*\.[ch]`' src/GLOSSARY.md src/THEORY.md | sed 's/.*:`\(.*\)`/\1/' | sort -u); do
    [ -e "$(place "$file")" ] || fault "GLOSSARY.md, THEORY.md: there is no $file"
done
grep '^| .*`' src/GLOSSARY.md > /dev/null || fault "GLOSSARY.md: no entries"
rows=$(mktemp) || exit 1
trap 'rm -f "$rows"' EXIT
# symbol | names | literature | files, with \| inside a symbol put away
sed -n 's/\\|/!/g; /^| .*`/p' src/GLOSSARY.md | awk -F'|' '{ gsub(/[`,]/, " ", $3); gsub(/`/, " ", $5); print $3 "|" $5 }' > "$rows"
while IFS='|' read -r names files; do
    where=
    for file in $files; do where="$where $(place "$file")"; done
    for name in $names; do
        # shellcheck disable=SC2086
        grep -qw -- "$name" $where 2> /dev/null || fault "GLOSSARY.md: $name does not stand in$where"
    done
done < "$rows"
[ $bad = 0 ] && echo "glossary: every file exists and holds the names beside it"
exit $bad

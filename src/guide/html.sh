#!/bin/sh
# make guide: html.sh VOUCH FOLDER writes README.md and src/guide/*.md as HTML pages, and the manual pages beside them.
vouch=$1 folder=$2
cd "$(dirname "$0")/../.." || exit 1
set -e
mkdir -p "$folder"
plain() { echo '<pre>'; sed 's/&/\&amp;/g; s/</\&lt;/g; s#\[\([^]]*\)\](\([a-z/-]*\.md\))#<a href="\2">\1</a>#g'; echo '</pre>'; }
if command -v cmark-gfm > /dev/null; then markdown() { cmark-gfm -e table "$1"; }
elif command -v pandoc > /dev/null; then markdown() { pandoc -f gfm -t html "$1"; }
else markdown() { plain < "$1"; }; fi
if command -v mandoc > /dev/null; then manual() { mandoc -T html; }
elif groff -man -T html < /dev/null > /dev/null 2>&1; then manual() { groff -man -T html 2> /dev/null; }
elif groff -man -T utf8 < /dev/null > /dev/null 2>&1; then manual() { sed '/^\.TH/a .ad l' | groff -man -T utf8 -rHY=0 -P-cbu 2> /dev/null | plain; } # Debian's groff-base
else manual() { plain; }; fi

# page NAME TITLE: HTML on standard input becomes a whole page. Links to pages of the guide lead to their HTML; those
# to other files become words, since the files are not there.
page() {
    {
        printf '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>%s</title>\n' "$2"
        printf '<style>\nbody { max-width: 56em; margin: 2em auto; padding: 0 1em; font-family: sans-serif; line-height: 1.5; }\n'
        printf 'pre { overflow-x: auto; background: #f3f5f8; padding: 0.7em; }\nimg { max-width: 100%%; }\ntable { border-collapse: collapse; display: block; overflow-x: auto; }\n'
        printf 'h2, h3 { overflow-wrap: anywhere; }\np:has(img) { overflow-x: auto; }\n@media (max-width: 40em) { img { max-width: none; width: 40em; } }\n'
        printf 'a.permalink { color: inherit; text-decoration: none; }\n'
        printf 'th, td { border: 1px solid #ccd; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }\n</style>\n</head>\n<body>\n'
        printf '<p><a href="README.html">README</a> - <a href="index.html">guide</a> - <a href="vouch.1.html">manual pages</a>%s</p>\n' "$references"
        sed -e "${references:+s#href=\"[^\"]*/tutorial\.ipynb\"#href=\"tutorial.html\"#}" -e 's#href="\(src/guide/\)\{0,1\}\([a-z-]*\)\.md"#href="\2.html"#g; s#src="src/guide/#src="#g
            s#<a href="[^"]*/[^":]*">\([^<]*\)</a>#\1#g'
        printf '</body>\n</html>\n'
    } > "$folder/$1.html"
}
# Written from the headers, the docstrings and the notebook, where Python (3.9) is there.
references=
if "${PYTHON:-python3}" -c 'import ast; ast.unparse' 2> /dev/null; then
    references=' - <a href="c-reference.html">C</a> - <a href="python-reference.html">Python</a> - <a href="tutorial.html">tutorial</a>'
    generate() { "${PYTHON:-python3}" src/guide/reference.py "$3" "$4" | page "$1" "$2"; }
    generate c-reference 'C reference' c include/vouch
    generate python-reference 'Python reference' python src/python/vouch
    generate tutorial Tutorial notebook bench/examples/tutorial.ipynb
fi
markdown README.md | page README vouch
for source in src/guide/*.md; do
    name=$(basename "$source" .md)
    markdown "$source" | page "$name" "$(sed -n '1s/^# //p' "$source")"
done
cp src/guide/*.svg "$folder"
"$vouch" --manual | manual | sed 's#<b>vouch-\([a-z]*\)</b>(1)#<a href="vouch-\1.1.html">vouch-\1</a>(1)#g
    s#^\( *\)vouch-\([a-z]*\)(1)#\1<a href="vouch-\2.1.html">vouch-\2</a>(1)#' | page vouch.1 'vouch(1)'
for command in $("$vouch" --manual list); do "$vouch" --manual "$command" | manual | page "vouch-$command.1" "vouch-$command(1)"; done
echo "$folder/index.html"

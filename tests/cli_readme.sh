# README.md and the pages of src/guide are true: every command of theirs runs, in the order of its page, in a copy of bench/examples, and prints what
# the page shows ("..": any lines; seconds may differ); files that they show are those of bench/examples; links lead somewhere; the pictures are what
# the commands draw. Under the sanitizers README.md alone.
. tests/expect.sh
python=${PYTHON:-/usr/bin/python3}
pages=src/guide/*.md
[ -z "${VOUCH_FEW:-}" ] || pages=
# shellcheck disable=SC2086
judge readme "$python" tests/judge_pages.py "$VOUCH" "$dir" README.md $pages
minutes=$(awk '{ all += $2 } END { printf "%.0f", 1.1 * all / 60 / 2 }' tests/data/seconds) # as tests/run.sh --announce
if grep -q "make check .*: $minutes minutes on 2 processors" README.md; then echo "ok readme_minutes"; else echo "not ok readme_minutes: $minutes"; fi
finish

# For the shell tests: a folder of their own in $dir, and expect NAME STATUS TEXT COMMAND..: exit status and a text ("" for any) on either output.
# Every test ends with `finish`, which prints the closing line "done": without it the test counts as failed, for it has stopped half-way.
# Tools of the shell read numbers and order lines as in C; vouch does in any locale (tests/cli_locale.sh).
export LC_ALL=C
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
expect() {
    name=$1 status=$2 want=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    code=$?
    if [ $code = "$status" ] && { [ -z "$want" ] || grep -qF -- "$want" "$dir/out"; }; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted $status and \"$want\", got: $(head -c 400 "$dir/out")"; fi
}
# near NAME STATUS TEXT COMMAND..: the same, where numbers of the text may be off: 0.5~1e-9 stands for any number within 1e-9 of 0.5.
near() {
    name=$1 status=$2 want=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    code=$?
    if [ $code = "$status" ] && awk -v want="$want" '
        function fits(want, is, w) {
            if (split(want, w, "~") < 2) return want == is
            if (substr(w[2], length(w[2])) ~ /[,;]/ && substr(is, length(is)) != substr(w[2], length(w[2]))) return 0
            sub(/[,;]$/, "", is)
            if (is !~ /^[-+]?[0-9]*[.]?[0-9]+(e[-+]?[0-9]+)?$/) return 0
            return is - w[1] <= w[2] + 0 && w[1] - is <= w[2] + 0
        }
        BEGIN { words = split(want, word, " ") }
        { for (at = 0; at + words <= NF; at++) { for (k = 1; k <= words && fits(word[k], $(at + k)); k++); if (k > words) found = 1 } }
        END { exit !found }' "$dir/out"; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted $status and about \"$want\", got: $(head -c 400 "$dir/out")"; fi
}
# comma_locale: makes a locale with a decimal comma and other letters (i is not the small I) in the folder, as $LOCPATH and $locale. It fails
# where localedef or its sources (Debian: locales) are not there.
comma_locale() {
    locale=tr_TR.ISO-8859-9
    export LOCPATH="$dir/locales"
    mkdir -p "$LOCPATH" && localedef -c -i tr_TR -f ISO-8859-9 "$LOCPATH/$locale" > /dev/null 2>&1 || echo "localedef has no tr_TR: no other locale is tried"
    [ -d "$LOCPATH/$locale" ]
}
# interrupt TEXT COMMAND..: SIGINT once the text stands on standard error, however long that takes; output in $dir/out, exit status in $code.
interrupt() {
    want=$1 tries=0
    shift
    : > "$dir/progress"
    "$@" > "$dir/out" 2> "$dir/progress" &
    process=$!
    while ! grep -q "$want" "$dir/progress" && kill -0 $process 2> /dev/null && [ $tries -lt 6000 ]; do tries=$((tries + 1)); sleep 0.05; done
    kill -INT $process
    wait $process
    code=$?
}
# part SOME ALL [FEW]: how much of what takes long: make check-long (VOUCH_LONG=1) all, make asan (VOUCH_FEW=1) few.
part() { if [ -n "${VOUCH_LONG:-}" ]; then echo "$2"; elif [ -n "${VOUCH_FEW:-}" ]; then echo "${3:-$1}"; else echo "$1"; fi; }
# judge NAME COMMAND..: a program that prints lines ok and not ok itself; one that dies has failed.
judge() {
    name=$1
    shift
    "$@" || echo "not ok $name: exit $?"
}
# Changes to the test's folder: $vouch, $tests and $data are paths that hold there.
enter() {
    vouch=$(cd "$(dirname "$VOUCH")" && pwd)/$(basename "$VOUCH")
    tests=$(cd tests && pwd)
    data=$tests/data python=${PYTHON:-/usr/bin/python3}
    cd "$dir" || exit 1
}
finish() { echo "done"; }

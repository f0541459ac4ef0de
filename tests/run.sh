#!/bin/sh
# Runs the given test programs (cmocka) and shell tests tests/cli_*.sh (or those in $SHELL_TESTS), and closes with "N passed, N failed".
# A shell test prints lines "ok NAME" / "not ok NAME" and at its end "done"; a program of cmocka says how many tests it ran. What stops before that,
# or runs no test, has failed.
# What is allocated and not set is not 0 (glibc).
export MALLOC_PERTURB_=${MALLOC_PERTURB_-85}
passed=0 failed=0 log=$BUILD/tests/log
mkdir -p "$log"
count() { # NAME PASSED FAILED ENDED: adds up, shows the log of what failed
    p=$2 f=$3
    if [ "$f" -eq 0 ] && { [ "$4" = no ] || [ "$p" -eq 0 ]; }; then f=1 && echo "$1 stopped before its end"; fi
    passed=$((passed + p)) failed=$((failed + f))
    printf '%-32s %4d passed %4d failed\n' "$1" "$p" "$f"
    [ "$f" -eq 0 ] || cat "$log/$1"
}
for test in "$@"; do
    name=$(basename "$test")
    ended=no
    CMOCKA_MESSAGE_OUTPUT=stdout "$test" > "$log/$name" 2>&1 && grep -q 'test(s) run\.$' "$log/$name" && ended=yes
    count "$name" "$(grep -c '^\[       OK \]' "$log/$name")" "$(grep -c '^\[  FAILED  \] [a-zA-Z_0-9]*$' "$log/$name")" $ended
done
for test in ${SHELL_TESTS-tests/cli_*.sh}; do
    [ -e "$test" ] || continue
    name=$(basename "$test")
    ended=no
    VOUCH=$BUILD/vouch sh "$test" > "$log/$name" 2>&1 && [ "$(tail -n 1 "$log/$name")" = "done" ] && ended=yes
    count "$name" "$(grep -c '^ok ' "$log/$name")" "$(grep -c '^not ok ' "$log/$name")" $ended
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

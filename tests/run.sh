#!/bin/sh
# Runs the given test programs (cmocka) and shell tests tests/cli_*.sh, and closes with "N passed, N failed".
# A shell test prints lines "ok NAME" / "not ok NAME".
passed=0 failed=0 log=$BUILD/tests/log
mkdir -p "$log"
for test in "$@"; do
    name=$(basename "$test")
    CMOCKA_MESSAGE_OUTPUT=stdout "$test" > "$log/$name" 2>&1
    code=$?
    p=$(grep -c '^\[       OK \]' "$log/$name")
    f=$(grep -c '^\[  FAILED  \] [a-zA-Z_0-9]*$' "$log/$name")
    if [ $code -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f))
    printf '%-32s %4d passed %4d failed\n' "$name" "$p" "$f"
    [ "$f" -eq 0 ] || { cat "$log/$name"; }
done
for test in tests/cli_*.sh; do
    [ -e "$test" ] || continue
    name=$(basename "$test")
    VOUCH=$BUILD/vouch sh "$test" > "$log/$name" 2>&1
    code=$?
    p=$(grep -c '^ok ' "$log/$name")
    f=$(grep -c '^not ok ' "$log/$name")
    if [ $code -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
    passed=$((passed + p)) failed=$((failed + f))
    printf '%-32s %4d passed %4d failed\n' "$name" "$p" "$f"
    [ "$f" -eq 0 ] || cat "$log/$name"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

#!/bin/sh
# Every command, and vouch-check, on three models and programs, where one allocation is refused: tests/scarce.py. VOUCH_TEST_SCARCE=N refuses N
# allocations of each run, one after the other; 0: every one; -N: the first N and all call stacks (tests/scarce.py).
PYTHON=${PYTHON:-python3}
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
# shellcheck disable=SC2086
${CC:-cc} -std=c11 -O1 -fPIC -shared -o "$dir/scarce.so" tests/scarce.c || exit 1
$PYTHON tests/scarce.py "$VOUCH" "${VOUCH%vouch}vouch-check" "$dir/scarce.so" "$dir/runs" "${VOUCH_TEST_SCARCE:-4}" && echo done

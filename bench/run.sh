#!/bin/sh
# make bench: plans against the exported programs (LIMIT seconds each, default 30), growth, what the parts of the search are worth, and exact CCL.
build=$1
python=${PYTHON:-/usr/bin/python3}
export OPENBLAS_NUM_THREADS=1
"$python" bench/plan.py "$build/vouch" bench/plan.list --limit "${LIMIT:-30}" --csv "$build/plan.csv" || exit 1
echo
"$python" bench/growth.py "$build/vouch" bench/growth.list --csv "$build/growth.csv" --svg "$build/growth.svg" || exit 1
echo
"$python" bench/parts.py "$build/vouch" bench/hard.list
status=$?
echo
"$python" bench/exact.py "$build/vouch" bench/exact.list --csv "$build/exact.csv" --svg "$build/exact.svg" || exit 1
exit $status

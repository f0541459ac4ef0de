#!/bin/sh
# make bench: the measurements of this folder. LIMIT: seconds a program and solver (default 30).
build=$1
python=${PYTHON:-/usr/bin/python3}
export OPENBLAS_NUM_THREADS=1
"$python" bench/plan.py "$build/vouch" bench/plan.list --limit "${LIMIT:-30}" --csv "$build/plan.csv"

#!/bin/sh
# make bench: with LP=FOLDER its linear programs against glpsol, clp and cbc (REFERENCE=F.tsv: known optima); with MIP=FOLDER its
# integer programs against glpsol with cuts and cbc (MIP_REFERENCE=F.tsv), each with a performance profile; always the dense inverse against sparse factors, plans against the exported programs (LIMIT seconds each, default 30), growth, what the parts of the search are worth, and exact CCL.
build=$1
python=${PYTHON:-/usr/bin/python3}
export OPENBLAS_NUM_THREADS=1
if [ -n "${LP:-}" ]; then
    "$python" bench/lp.py "$build/vouch" "$LP" ${REFERENCE:+--tsv "$REFERENCE"} --csv "$build/lp.csv" --svg "$build/lp.svg" || exit 1
    echo
fi
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Iinclude -o "$build/factor" bench/factor.c "$build/libvouch.a" $(${MAKE:-make} -s ask-LDLIBS) &&
    "$build/factor" || exit 1
echo
if [ -n "${MIP:-}" ]; then
    "$python" bench/mip.py "$build/vouch" "$MIP" ${MIP_REFERENCE:+--tsv "$MIP_REFERENCE"} --csv "$build/mip.csv" --svg "$build/mip.svg" || exit 1
    echo
fi
"$python" bench/plan.py "$build/vouch" bench/plan.list --limit "${LIMIT:-30}" --csv "$build/plan.csv" || exit 1
echo
"$python" bench/growth.py "$build/vouch" bench/growth.list --csv "$build/growth.csv" --svg "$build/growth.svg" || exit 1
echo
"$python" bench/parts.py "$build/vouch" --draws 5
status=$?
echo
"$python" bench/exact.py "$build/vouch" bench/exact.list --csv "$build/exact.csv" --svg "$build/exact.svg" || exit 1
exit $status

#!/bin/sh
# The kernel of BLAS, which OpenBLAS chooses by the processor, does not show in what is small: plans of every method, and linear programs.
# Only where OpenBLAS is of the kind that asks OPENBLAS_CORETYPE, and nobody has set it: who has knows why.
. tests/expect.sh
kernel() { OPENBLAS_CORETYPE=$1 "$VOUCH" --version; }
if [ -n "$OPENBLAS_CORETYPE" ] || ! kernel Prescott | grep -q Prescott || ! kernel Haswell | grep -q Haswell ||
   ! grep -q ' avx2 ' /proc/cpuinfo 2> /dev/null; then
    echo "ok skipped: one kernel of BLAS only: $("$VOUCH" --version)"
    finish
    exit 0
fi
# same NAME ARGUMENTS..: standard output but for the seconds, under both
same() {
    name=$1
    shift
    for core in Prescott Haswell; do
        OPENBLAS_CORETYPE=$core "$VOUCH" "$@" 2> /dev/null | sed 's/[0-9.]* s$//; /^seconds /d' > "$dir/$core"
    done
    [ -s "$dir/Prescott" ] || echo "not ok $name: nothing printed"
    expect "$name" 0 "" cmp "$dir/Prescott" "$dir/Haswell"
}
for seed in 1 2 3 4 5 6; do
    "$VOUCH" generate random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed $seed -o "$dir/m.json" 2> "$dir/log"
    for method in milp-ccl greedy history mdps-best exact-ccl; do same "$method-$seed" plan "$dir/m.json" -L 1 --method $method; done
    same "lp-$seed" plan "$dir/m.json" -L 1 --engine lp
done
for program in tests/data/lp/*.lp tests/data/lp/*.mps; do
    [ -e "$program" ] && same "$(basename "$program")" lp "$program"
done
finish

#!/bin/sh
# vouch lp --proof: files in the format VIPR that a checker of its own accepts, and refutes when they are changed.
. tests/expect.sh
python=${PYTHON:-/usr/bin/python3}
data=tests/data/lp
proved() { # name optimum arguments..
    name=$1 optimum=$2
    shift 2
    "$VOUCH" lp "$@" --proof "$dir/$name.vipr" -q > "$dir/$name.log" 2>&1
    if command -v "$python" > /dev/null; then expect "$name" 0 "verified" "$python" tests/check_vipr.py "$dir/$name.vipr" "$optimum"; fi
}
# The constant of the objective has no place in the format: claims are without it.
cat > "$dir/lp.lp" <<'EOF'
max
 obj: 3 x + 2 y - 4 z + 7
st
 c1: x + y + w <= 10
 c2: x - y >= -2
 c3: 0.1 x + 0.3 y + 0.1 z = 1.2
bounds
 x <= 5
 -3 <= w <= 4
end
EOF
proved lp 59/3 "$dir/lp.lp"
sed 's/^end/generals\n x y\nend/' "$dir/lp.lp" > "$dir/mip.lp"
proved mip 15 "$dir/mip.lp"
proved relaxation 59/3 "$dir/mip.lp" --nomip
printf 'min x\nst\n c1: x >= 5\n c2: x <= 3\nend\n' > "$dir/inf.lp"
proved infeasible infeasible "$dir/inf.lp"
printf 'min x + y\nst\n c1: 2 x - 2 y = 1\nbounds\n x <= 5\n y <= 5\ngenerals\n x y\nend\n' > "$dir/parity.lp"
proved parity infeasible "$dir/parity.lp"
proved diet 1.927421875 $data/diet.lp
proved knapsack 27.5 $data/knapsack.lp
awk 'BEGIN { x = 7; printf "max\n obj:"
    for (j = 0; j < 18; j++) { x = (x * 16807) % 2147483647; printf " + %.1f x%d", 50.5 + x % 20, j; if (j % 9 == 8) print "" }
    print "\nst"
    for (i = 0; i < 3; i++) { printf " c%d:", i
        for (j = 0; j < 18; j++) { x = (x * 16807) % 2147483647; printf " + %d x%d", 45 + x % 10, j; if (j % 9 == 8) print "" }
        print " <= 447" }
    print "binaries"; for (j = 0; j < 18; j++) print " x" j; print "end" }' > "$dir/tenths.lp"
"$VOUCH" lp "$dir/tenths.lp" --proof "$dir/tenths.vipr" --json -q > "$dir/tenths.json"
expect says_proved 0 '"proof":{"status":"proved","nodes":' cat "$dir/tenths.json"
proved tenths "$(sed 's/.*"objective":\([^,]*\).*/\1/' "$dir/tenths.json")" "$dir/tenths.lp"
# Integer columns with bounds in between: a branch empties a column's range, which holds under that assumption only.
k=0
while [ $k -lt 12 ]; do
    k=$((k + 1))
    awk -v seed=$k 'function draw(n) { x = (x * 16807) % 2147483647; return int(x / 64) % n }
    BEGIN { x = 7919 * seed; for (i = 0; i < 9; i++) draw(2); printf "min\n obj:"
        for (j = 0; j < 5; j++) printf " + %d x%d", 1 + draw(9), j
        print "\nst"
        for (i = 0; i < 4; i++) { printf " c%d:", i; for (j = 0; j < 5; j++) printf " %+d x%d", draw(15) - 7, j; printf " %s %d.7\n", draw(2) ? ">=" : "<=", draw(30) - 6 }
        print "bounds"; for (j = 0; j < 5; j++) printf " %.1f <= x%d <= %.1f\n", draw(40) / 10, j, 4.3 + draw(20) / 10
        print "generals x0 x1 x2 x3 x4\nend" }' > "$dir/between.lp"
    "$VOUCH" lp "$dir/between.lp" --json -q > "$dir/between.json"
    optimum=$(sed 's/.*"status":"infeasible".*/infeasible/;s/.*"objective":\([^,]*\),"bound.*/\1/' "$dir/between.json")
    proved "between_$k" "$optimum" "$dir/between.lp"
done
# Fixed charges, switches of several units, demands: implied bounds (B), tighter rows and cuts (C) with their disjunctions (S), a tree (A).
awk 'function draw(n) { x = (x * 16807) % 2147483647; return int(x / 64) % n }
    BEGIN { x = 4711; print "min"; printf " obj: 0.5 z"
        for (j = 0; j < 14; j++) { printf " + %d y%d + %.1f x%d", 20 + draw(30), j, 1 + draw(20) / 10, j; if (j % 4 == 3) print "" }
        print "\nst"
        for (i = 0; i < 4; i++) { printf " d%d: %d z", i, i < 1; for (j = 0; j < 14; j++) if ((j + i) % 3) printf " + x%d", j; printf " >= %d.5\n", 40 + draw(40) }
        for (j = 0; j < 14; j++) printf " u%d: x%d - %d y%d <= 0\n", j, j, 9 + draw(20), j
        printf " k: "; for (j = 0; j < 14; j++) printf " + %d y%d", 3 + draw(9), j; print " + 2 w >= 31"
        print " w: 3 w + z <= 20"
        print "bounds"; for (j = 0; j < 14; j++) print " y" j " <= 2"
        print "generals w"; for (j = 0; j < 14; j++) print " y" j; print "end" }' > "$dir/charges.lp"
"$VOUCH" lp "$dir/charges.lp" --json -q > "$dir/charges.json"
proved charges "$(sed 's/.*"objective":\([^,]*\),"bound.*/\1/' "$dir/charges.json")" "$dir/charges.lp"
for kind in A B C S; do expect "charges_have_$kind" 0 "" grep -q "^$kind[0-9]* [GL]" "$dir/charges.vipr"; done
# What is proved is the optimum, also where the answer was allowed a gap.
expect within_a_gap 0 "proved: optimum 29.5" "$VOUCH" lp $data/knapsack.lp --mipgap 5 --no-heuristics --no-cuts --nopresol --proof "$dir/gap.vipr"
# What cannot be proved leaves no file.
printf 'max x + y\nst\n c1: x - y <= 3\nend\n' > "$dir/unbounded.lp"
expect unbounded 3 "not proved: the format VIPR cannot state unboundedness" "$VOUCH" lp "$dir/unbounded.lp" --proof "$dir/never.vipr"
printf 'max x + y\nst\n c1: x + y <= 1.000000003\nbinaries\n x y\nend\n' > "$dir/sets.lp"
sed 's/^binaries/sos\n s: S1:: x:1 y:2\nbinaries/;/^ x y$/d;/^binaries/d' "$dir/sets.lp" > "$dir/sos.lp"
expect sets 3 "not proved: SOS1 sets" "$VOUCH" lp "$dir/sos.lp" --proof "$dir/never.vipr"
begin='max x + y + z\nst\n c: x + y + z <= 5\n'
bounds='bounds\n x <= 3\n y <= 3\n 1 <= z <= 3\n'
printf "$begin${bounds}sos\n s: S2:: x:1 y:2 z:3\nend\n" > "$dir/sos2.lp"
printf "$begin d: b = 1 -> x <= 2\n${bounds}binaries\n b\nend\n" > "$dir/indicator.lp"
printf "$begin${bounds}semi-continuous\n z\nend\n" > "$dir/semi.lp"
for rewritten in sos2 indicator semi; do
    expect $rewritten 3 "not proved: indicators, SOS2 sets and semicontinuous columns have no place" "$VOUCH" lp "$dir/$rewritten.lp" --proof "$dir/never.vipr"
done
printf 'max 3 x + 5 y\nst\n c1: 3 x + 5 y <= 7.99999999\nbinaries\n x y\nend\n' > "$dir/hair.lp"
proved_or_not() { "$VOUCH" lp "$dir/hair.lp" --proof "$dir/hair.vipr" -q > "$dir/hair.log"; if [ -e "$dir/hair.vipr" ]; then "$python" tests/check_vipr.py "$dir/hair.vipr"; else grep "not proved" "$dir/hair.log"; fi; }
expect within_tolerances_only 0 "" proved_or_not
expect nothing_written 1 "" test -e "$dir/never.vipr"
# Changed by a hand, a file is refuted.
if command -v "$python" > /dev/null; then
    k=0
    claim=$(sed -n 's/^RTP range \([^ ]*\).*/\1/p' "$dir/charges.vipr")
    while read -r change; do
        k=$((k + 1))
        sed "$change" "$dir/charges.vipr" > "$dir/changed.vipr"
        if cmp -s "$dir/charges.vipr" "$dir/changed.vipr"; then echo "not ok change_$k: nothing to change"; else
            expect "change_$k" 2 "refuted" "$python" tests/check_vipr.py "$dir/changed.vipr"; fi
    done <<EOF
s|^RTP range .*|RTP range 14 14|
s|^RTP range .*|RTP range 1$claim 1$claim|
s/^\\(A[0-9]* L \\)\\([0-9]*\\)/\\11\\2/
s/^\\(S[0-9]* L \\)\\(-*\\)\\([0-9]\\)/\\1\\21\\3/
s/^\\(C[0-9]* L \\)\\(-*\\)\\([0-9]\\)/\\1-9\\3/
s|^\\(B[0-9]* L \\)[0-9/]*|\\10|
s|^\\(D[0-9]* G \\)[0-9/]* OBJ|\\199999 OBJ|
s/^DER [0-9]*/DER 1/
/^C.*uns/d
/^D.*uns/d
s/^INT [0-9]*/INT 0/
\$d
EOF
fi
# where nothing is proved there is no file, not even an older one
echo older > "$dir/older.vipr"
printf 'max x + y\nst\n c1: x - y <= 1\nend\n' > "$dir/ray.lp"
expect older_removed 3 "nothing is proved: an older file $dir/older.vipr is removed" "$VOUCH" lp "$dir/ray.lp" --proof "$dir/older.vipr"
expect older_gone 1 "" test -e "$dir/older.vipr"
finish

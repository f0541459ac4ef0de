#!/bin/sh
# vouch lp --exact, --xcheck: verdicts and optima in rational arithmetic.
. tests/expect.sh
data=tests/data/lp
cat > "$dir/thirds.lp" <<'EOF'
max
 obj: x + y
st
 c1: 3 x + y <= 1
 c2: x + 3 y <= 1.1
end
EOF
expect fraction 0 "fraction    21/40" "$VOUCH" lp "$dir/thirds.lp" --exact
expect glpsols_words 0 "OPTIMAL SOLUTION FOUND" "$VOUCH" lp "$dir/thirds.lp" --xcheck
expect basis_was_right 0 "pivots      0 after the basis in doubles" "$VOUCH" lp "$dir/thirds.lp" --xcheck
expect json 0 '"exact":{"status":"optimal","objective":"21/40","pivots":0}' "$VOUCH" lp "$dir/thirds.lp" --exact --json
expect not_asked_for 1 "" sh -c '"$0" lp "$1" --json | grep exact' "$VOUCH" "$dir/thirds.lp"
# Decimals are what they were written as: doubles miss 0.3 by a hair, and tolerances would forgive 1e-12.
printf 'min x\nst\n c1: 0.1 x + 0.2 y = 0.3\nbounds\n x = 1\n y = 1\nend\n' > "$dir/tenths.lp"
expect decimals 0 "fraction    1" "$VOUCH" lp "$dir/tenths.lp" --exact
printf 'min x\nst\n c1: x + y >= 2.000000000001\nbounds\n x <= 1\n y <= 1\nend\n' > "$dir/hair.lp"
expect a_hair 2 "PROBLEM HAS NO FEASIBLE SOLUTION" "$VOUCH" lp "$dir/hair.lp" --exact
# What hangs on the rounding of the data says so: as written the first row misses by 4e-17.
printf 'max z\nst\n c1: 0.1 x >= 0.30000000000000004\n c2: z - w <= 1\nbounds\n x <= 3\nend\n' > "$dir/rounding.lp"
expect rounding_is_told 2 "reason      true within the rounding of the data to doubles" "$VOUCH" lp "$dir/rounding.lp"
expect rounding_exactly 2 "NO FEASIBLE SOLUTION" "$VOUCH" lp "$dir/rounding.lp" --exact
# Of a drawn program: c2 lowers the cost of a ray by 3e-16, which doubles take for 3e-15 more.
cat > "$dir/thin.lp" <<'EOF'
min
 2.39 c1 + 0.68 c2 + 8.3 c3 - 0.1 c4 - 24.83 c5
st
 r1: -0.57 c1 + 1.02 c2 - 2.44 c3 - 1.36 c4 + 8.63 c5 <= 0
 r2: -2.97 c1 - 1.9 c2 - 0.99 c3 - 2.61 c4 + 22.520000000001 c5 >= -3
 r3: -0.62 c1 - c2 - 0.74 c3 + 2.63 c4 - 2.55 c5 = -2
 r4: 0.63 c1 + 1.72 c2 + 2.66 c3 - 0.21 c4 - 10.02 c5 = -1
end
EOF
expect thin_ray 2 "reason      true of the numbers as written" "$VOUCH" lp "$dir/thin.lp"
expect thin_ray_exactly 2 "PROBLEM HAS UNBOUNDED SOLUTION" "$VOUCH" lp "$dir/thin.lp" --exact
printf 'max x + y\nst\n c1: x - y <= 3\nend\n' > "$dir/unbounded.lp"
expect unbounded 2 "PROBLEM HAS UNBOUNDED SOLUTION" "$VOUCH" lp "$dir/unbounded.lp" --xcheck --nopresol
expect integers 0 "--proof proves the optimum in rational arithmetic" "$VOUCH" lp $data/knapsack.lp --exact
expect relaxation 0 "OPTIMAL SOLUTION FOUND" "$VOUCH" lp $data/knapsack.lp --nomip --exact
# A limit reaches into the arithmetic: a dense system of 160 rows with entries of 15 digits.
awk 'BEGIN { x = 7; n = 160; print "min\n obj: x0\nst"
    for (i = 0; i < n; i++) { printf " c%d:", i
        for (j = 0; j < n; j++) { x = (x * 16807) % 2147483647; y = (x * 16807) % 2147483647; printf " + 0.%d%d x%d", 1000000 + x % 8999999, 1000000 + y % 8999999, j; x = y; if (j % 8 == 7) print "" }
        printf " = %d\n", 1 + i % 7 }
    print "bounds"; for (j = 0; j < n; j++) print " x" j " free"; print "end" }' > "$dir/dense.lp"
expect limit 3 "TIME LIMIT EXCEEDED" "$VOUCH" lp "$dir/dense.lp" --exact --tmlim 0.06 -q
finish

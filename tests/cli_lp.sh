#!/bin/sh
# vouch lp: exit statuses, options, files; reports compared line by line with glpsol's.
. tests/expect.sh
data=tests/data/lp
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1"; printf 'expected: %s\ngot: %s\n' "$3" "$2"; fi; }
runs() { # name expected-status arguments..
    name=$1 want=$2
    shift 2
    "$VOUCH" lp "$@" > "$dir/out" 2> "$dir/err"
    ok "$name" $? "$want"
}
json() { sed 's/.*"'"$1"'":\([^,}]*\).*/\1/' "$dir/out"; }

runs lp_solved 0 $data/diet.lp --json
ok lp_status "$(json status)" '"optimal"'
runs mip_solved 0 $data/knapsack.lp --json
ok mip_objective "$(json objective)" 29.5

expect sos2 0 "objective   2.5" "$VOUCH" lp $data/sos2.lp
# A member that its bounds hold 1e-6 below 0, and whose choice of 0 attains the bound.
printf 'max\n obj: 2 y\nst\n c2: y - x <= 2\nbounds\n -1e-6 <= z <= inf\nsos\n s1: S1:: x:1 y:2 z:3\nend\n' > "$dir/sos1.lp"
expect sos1_within_tolerance 0 "bound       4" "$VOUCH" lp "$dir/sos1.lp"
expect indicator 0 "objective   10" "$VOUCH" lp $data/indicator.lp
expect semicontinuous 0 "objective   7" "$VOUCH" lp $data/semicontinuous.mps
sed 's/x <= 5/x <= 5\n a <= 1\n b <= 1\n c <= 1\n d <= 1/' $data/sos2.lp > "$dir/sos2.lp"
expect sos2_without_proof 3 "not proved: indicators, SOS2 sets" "$VOUCH" lp "$dir/sos2.lp" --proof "$dir/sos2.vipr"
printf 'min x\nst\n c1: x >= 5\n' > "$dir/no_end.lp"
expect no_end_is_told 0 "no_end.lp:4: the file ends without" "$VOUCH" lp "$dir/no_end.lp"
printf 'end\nbounds\n x >= 7\n' >> "$dir/no_end.lp"
expect text_behind_end_is_told 0 'no_end.lp:5: the text after "end" is ignored' "$VOUCH" lp "$dir/no_end.lp"
printf 'max: 3x + 2y;\nc1: x + y <= 4;\n' > "$dir/other.lp"
expect format_of_lp_solve 1 "this is lp_solve's format" "$VOUCH" lp "$dir/other.lp"
printf 'max: 3x + 2y;\nc1: x + y <= 4;\n' > "$dir/other"
expect format_of_lp_solve_as_input 1 "this is lp_solve's format" sh -c '"$0" lp - < "$1"' "$VOUCH" "$dir/other"

printf 'min x\nst\n c1: x >= 5\n c2: x <= 3\nend\n' > "$dir/inf.lp"
runs infeasible 2 "$dir/inf.lp"
runs infeasible_writes_basis 2 "$dir/inf.lp" --basis-out "$dir/inf.bas"
runs infeasible_starts_from_basis 2 "$dir/inf.lp" --basis-in "$dir/inf.bas"
printf 'max x + y\nst\n c1: x - y <= 3\nend\n' > "$dir/unb.lp"
runs unbounded 2 "$dir/unb.lp" --json
ok unbounded_status "$(json status)" '"unbounded"'
printf 'min x\nst\n c1: x >= 5\n c2: x <= 3\ngeneral\n x\nend\n' > "$dir/infi.lp"
runs infeasible_integer 2 "$dir/infi.lp"
printf 'max x\nst\n c1: x - y <= 3\ngeneral\n x\nend\n' > "$dir/unbi.lp"
runs unbounded_integer 2 "$dir/unbi.lp" --json
ok unbounded_integer_status "$(json status)" '"unbounded"'
printf 'min x + y\nst\n c1: 2 x - 2 y = 1\ngeneral\n x y\nend\n' > "$dir/parity.lp"
sed 's/general/bounds\n x <= 50\n y <= 50\ngeneral/' "$dir/parity.lp" > "$dir/parity2.lp"
runs no_integer_point 2 "$dir/parity2.lp"

printf 'min x st\n' > "$dir/bad.lp"
runs bad_file 1 "$dir/bad.lp" -o "$dir/never"
ok bad_file_message "$(cat "$dir/err")" "$dir/bad.lp:1: \"st\" after the objective, expected \"subject to\""
ok nothing_written "$(ls "$dir/never" 2>/dev/null)" ""
runs missing_file 1 "$dir/absent.mps"
head -c 100000 /dev/urandom > "$dir/random.mps"
runs random_bytes 1 "$dir/random.mps"
: > "$dir/empty.mps"
runs empty_file 1 "$dir/empty.mps"
runs contradicting_options 1 $data/diet.lp --min --max

runs converts 0 $data/knapsack.lp --check --wfreemps "$dir/k.mps.gz" --wlp "$dir/k.lp"
ok check_does_not_solve "$(cat "$dir/out")" ""
runs reads_converted_mps 0 "$dir/k.mps.gz" --json
ok converted_mps_objective "$(json objective)" 29.5
runs reads_converted_lp 0 "$dir/k.lp" --json
ok converted_lp_objective "$(json objective)" 29.5

runs writes_basis 0 $data/diet.lp --basis-out "$dir/diet.bas"
runs starts_from_basis 0 $data/diet.lp --basis-in "$dir/diet.bas" --json
ok no_iterations_from_optimal_basis "$(json iterations)" 0
runs maximises 0 $data/diet.lp --max --json
runs relaxation 0 $data/knapsack.lp --nomip --json
runs writes_tree 0 $data/knapsack.lp --log-tree "$dir/tree.jsonl"
ok tree_starts_at_root "$(head -n 1 "$dir/tree.jsonl" | cut -c 1-28)" '{"id":1,"parent":0,"depth":0'

# Something that takes long: limits and the interrupt leave the best point and its bound.
awk 'BEGIN { x = 7; printf "max\n obj:"
    for (j = 0; j < 90; j++) { x = (x * 16807) % 2147483647; printf " + %d x%d", 500 + x % 20, j; if (j % 9 == 8) print "" }
    print "\nst"
    for (i = 0; i < 12; i++) { printf " c%d:", i
        for (j = 0; j < 90; j++) { x = (x * 16807) % 2147483647; printf " + %d x%d", 450 + x % 100, j; if (j % 9 == 8) print "" }
        print " <= 22321" }
    print "binaries"; for (j = 0; j < 90; j++) print " x" j; print "end" }' > "$dir/long.lp"
# A limit that a busy machine does not already pass while the file is read.
runs time_limit 3 "$dir/long.lp" --time-limit 2 --json -q
ok time_limit_status "$(json status)" '"limit"'
runs node_limit 3 "$dir/long.lp" --node-limit 5 --json -q -w "$dir/long.sol"
ok node_limit_has_bound "$(json bound | grep -c '[0-9]')" 1
ok best_point_is_written "$(grep -c '^s mip 12 90 f' "$dir/long.sol")" 1
interrupt "node [0-9]*, depth" "$VOUCH" lp "$dir/long.lp" --json -w "$dir/int.sol"
ok interrupt_exit $code 130
ok interrupt_status "$(json status)" '"interrupted"'
ok interrupt_writes "$(grep -c '^s mip 12 90 f' "$dir/int.sol")" 1

# Errors in the last digits are the machine's business.
plain() { sed -e '/err = /d' -e 's/-0$/0/' "$1"; }
if command -v glpsol > /dev/null; then
    glpsol --lp $data/diet.lp -o "$dir/g.out" -w "$dir/g.sol" > /dev/null
    runs report 0 $data/diet.lp -o "$dir/v.out" -w "$dir/v.sol"
    ok report_equals_glpsol "$(plain "$dir/v.out")" "$(plain "$dir/g.out")"
    for f in g v; do awk '{for (i = 1; i <= NF; i++) printf "%s%s", ($i ~ /^-?[0-9.]+(e-?[0-9]+)?$/) ? sprintf("%.9g", $i + 0) : $i, i < NF ? " " : "\n"}' "$dir/$f.sol" > "$dir/$f.plain"; done
    ok plain_equals_glpsol "$(cat "$dir/v.plain")" "$(cat "$dir/g.plain")"
    glpsol --lp $data/knapsack_no_constant.lp -o "$dir/g.out" -w "$dir/g.sol" > /dev/null
    runs mip_report 0 $data/knapsack_no_constant.lp -o "$dir/v.out" -w "$dir/v.sol"
    ok mip_report_equals_glpsol "$(plain "$dir/v.out")" "$(plain "$dir/g.out")"
    ok mip_plain_equals_glpsol "$(plain "$dir/v.sol")" "$(plain "$dir/g.sol")"
fi
judge judge_mip "${PYTHON:-/usr/bin/python3}" tests/judge_mip.py "$VOUCH" -n "${VOUCH_TEST_JUDGED:-$(part 28 140 14)}"
finish

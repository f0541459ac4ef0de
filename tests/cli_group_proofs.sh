# Proofs of several policies: written, verified in all three arithmetics, and refused where a line is forged.
. tests/expect.sh
CHECK=${BUILD:-build}/vouch-check

seed=0
for promises in own all; do for L in 0 1 2; do for k in 1 2 3; do
    seed=$((seed + 1))
    name=$promises.$L.$k
    "$VOUCH" generate random --states 3 --actions 2 --environments 4 -T 3 -p 0.2 --seed $seed -o "$dir/m.json"
    "$VOUCH" plan "$dir/m.json" --policies $k --promises $promises -L $L --proof "$dir/p.vproof" > "$dir/log" 2>&1
    expect written.$name 0 "verified by vouch-check" cat "$dir/log"
    for how in --exact --interval; do expect verified$how.$name 0 "verified: " "$CHECK" $how "$dir/m.json" "$dir/p.vproof"; done
    "$VOUCH" plan "$dir/m.json" --policies $k --promises $promises -L $L --threads 3 --proof "$dir/q.vproof" > "$dir/log" 2>&1
    expect threads.$name 0 "" cmp "$dir/p.vproof" "$dir/q.vproof"
done; done; done
"$VOUCH" plan "$dir/m.json" --policies 2 --method history --prove > "$dir/log" 2>&1
expect history 0 "verified: maximum regret of each" cat "$dir/log"

# ---- nothing keeps the promises, whatever the groups
"$VOUCH" generate random --states 3 --actions 2 --environments 3 -T 3 -p 0.1 --seed 5 -o "$dir/no.json"
expect none 2 "verified: no such number of policies of the class keeps the promises" "$VOUCH" plan "$dir/no.json" -p 1 --policies 2 --prove
expect greedy 2 "verified: no such number of policies of the class keeps the promises" "$VOUCH" plan "$dir/no.json" -p 1 --policies 2 --method greedy --prove

# ---- forged
"$VOUCH" generate random-dense --environments 5 --states 3 --actions 3 -T 3 -o "$dir/m.json"
"$VOUCH" plan "$dir/m.json" --policies 2 --proof "$dir/p.vproof" > "$dir/log" 2>&1
expect honest 0 "verified: " "$CHECK" "$dir/m.json" "$dir/p.vproof"
forge() { # name, what is said, what is done to the lines
    sed "$3" "$dir/p.vproof" > "$dir/f.vproof"
    lines=$(wc -l < "$dir/f.vproof")
    sed -i "s/^complete .*/complete $lines/" "$dir/f.vproof"
    expect "forged_$1" 2 "$2" "$CHECK" "$dir/m.json" "$dir/f.vproof"
}
value=$(sed -n 's/^claim groups \([^ ]*\) .*/\1/p' "$dir/p.vproof")
use=$(sed -n 's/^use //p' "$dir/p.vproof" | head -1)
forge bound "some groups may be better than the bound claimed" "s/^claim groups .*/claim groups $value $value/"
forge above "the policies are better than the bound claimed allows" 's/^claim groups \([^ ]*\) .*/claim groups \1 1e3/'
forge value "regrets more than is claimed" 's/^claim groups [^ ]* .*/claim groups 0 0/'
forge more_policies "some groups may be better than the bound claimed" 's/^groups 2/groups 4/'
forge fewer_policies "2 groups; expected 1 to 1" 's/^groups 2/groups 1/'
forge twice "is in 2 groups" "s/^use .*/use $use/"
forge nowhere "is in 0 groups" "/^use $use\$/d"
forge no_groups "0 groups; expected 1 to 2" "/^use /d"
forge tolerance "parts have different tolerances" '0,/^plan /s/^\(plan [^ ]* [^ ]* [^ ]* [^ ]*\) [^ ]*/\1 1e-10/'
forge all_apart "promises of all environments need all of them" 's/^groups 2 own apart/groups 2 all apart/'
forge part_bound "refuted: line" 's/^claim regret \([^ ]*\) .*/claim regret \1 \1/'
forge claim_twice "a second claim" 's/^claim groups .*/&\n&/'
forge no_claim "nothing is claimed" '/^claim groups/d'
forge no_end "refuted: line" '0,/^end$/{/^end$/d}'
forge other_set "refuted: line" '0,/^part /s/^part .*/part 0,1,2,3,4/'
finish

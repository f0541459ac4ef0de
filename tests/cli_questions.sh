# What is asked of a model besides one plan: rewards that are not observed.
. tests/expect.sh
field() { "$PYTHON" -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$@"; }

# ---- rewards unseen
# Environments differ in rewards alone: what is observed tells nothing then, and looking does not help.
"$VOUCH" generate twin-states -T 5 -o "$dir/seen.json"
"$VOUCH" generate twin-states -T 5 --observe states -o "$dir/unseen.json"
expect written 0 '"observe": "states"' cat "$dir/unseen.json"
near seen 0 "maximum regret 3~1e-6" "$VOUCH" plan "$dir/seen.json" -L 1
near unseen 0 "maximum regret 6~1e-6" "$VOUCH" plan "$dir/unseen.json" -L 1
near unseen_by_option 0 "maximum regret 6~1e-6" "$VOUCH" plan "$dir/seen.json" -L 1 --observe states
near seen_by_option 0 "maximum regret 3~1e-6" "$VOUCH" plan "$dir/unseen.json" -L 1 --observe rewards
"$VOUCH" convert "$dir/seen.json" --observe states -o "$dir/converted.json" > "$dir/log"
near converted 0 "maximum regret 6~1e-6" "$VOUCH" plan "$dir/converted.json" -L 1
"$VOUCH" convert "$dir/unseen.json" -o "$dir/unseen.csv" > "$dir/log"
expect said 0 "--observe states" cat "$dir/log"
near again 0 "maximum regret 6~1e-6" "$VOUCH" plan "$dir/unseen.csv" --commit 0 -T 5 -p 1 -L 1 --observe states
expect no_pomdp 1 "which this model does not observe" "$VOUCH" convert "$dir/unseen.json" -o "$dir/unseen.pomdp"
expect proved 0 "verified: maximum regret" "$VOUCH" plan "$dir/unseen.json" -L 1 --prove --proof "$dir/unseen.vproof"
"$VOUCH" plan "$dir/seen.json" -L 1 --proof "$dir/seen.vproof" > "$dir/log" 2>&1
# A proof about blind policies shows nothing of those that see: the head of the one, the body of the other.
for of in seen unseen; do sed 2q "$dir/$of.vproof" > "$dir/head"; other=$([ $of = seen ] && echo unseen || echo seen)
    { cat "$dir/head"; sed 1,2d "$dir/$other.vproof"; } > "$dir/forged.vproof"
    expect forged_$of 2 "refuted" "$(dirname "$VOUCH")/vouch-check" "$dir/$of.json" "$dir/forged.vproof"
done
for seed in 2 3 4 5 6 7 8 9; do
    "$VOUCH" generate random --states 4 --actions 2 --environments 3 -T 3 -p 0.1 --seed $seed --observe states -o "$dir/r.json"
    for L in 1 3; do "$VOUCH" plan "$dir/r.json" -L $L --prove > "$dir/log" 2>&1; expect proved_$seed.$L 0 "verified: " cat "$dir/log"; done
done
expect proof_option 1 "vouch convert --observe writes it" "$VOUCH" plan "$dir/seen.json" --observe states --prove
expect bad_word 1 '--observe: expected rewards or states, found "all"' "$VOUCH" plan "$dir/seen.json" --observe all
sed 's/"observe": "states"/"observe": "none"/' "$dir/unseen.json" > "$dir/bad.json"
expect bad_field 1 'bad.json:6' "$VOUCH" plan "$dir/bad.json"
printf '{"state":"A"}\n{"state":"A"}\n' > "$dir/happened"
expect act 0 '"done":true' sh -c '"$0" act "$1" -L 1 -T 2 -p 0 < "$2"' "$VOUCH" "$dir/unseen.json" "$dir/happened"
expect ccil 0 "" "$VOUCH" ccil "$dir/unseen.json" -L 1
expect sweep 0 "" "$VOUCH" sweep twin-states --vary L=0:1 -T 4 --observe states
finish

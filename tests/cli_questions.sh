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
expect proof_option 1 "vouch convert --observe writes them" "$VOUCH" plan "$dir/seen.json" --observe states --prove
expect bad_word 1 '--observe: expected rewards or states, found "all"' "$VOUCH" plan "$dir/seen.json" --observe all
sed 's/"observe": "states"/"observe": "none"/' "$dir/unseen.json" > "$dir/bad.json"
expect bad_field 1 'bad.json:6' "$VOUCH" plan "$dir/bad.json"
printf '{"state":"A"}\n{"state":"A"}\n' > "$dir/happened"
expect act 0 '"done":true' sh -c '"$0" act "$1" -L 1 -T 2 -p 0 < "$2"' "$VOUCH" "$dir/unseen.json" "$dir/happened"
expect ccil 0 "" "$VOUCH" ccil "$dir/unseen.json" -L 1
expect sweep 0 "" "$VOUCH" sweep twin-states --vary L=0:1 -T 4 --observe states

# ---- several policies
cat > "$dir/family.json" <<'END'
{ "vouch": 1, "name": "family", "states": ["A", "B"], "actions": ["x", "y", "z"], "initial": "A", "horizon": 2, "observe": "states",
  "commitment": { "states": ["A", "B"], "probability": 0 },
  "transitions": [["A", "x", "A", 1], ["A", "y", "B", 1], ["A", "z", "A", 1], ["B", "x", "A", 1], ["B", "y", "B", 1], ["B", "z", "B", 1]],
  "environments": [ { "name": "n=1,m=1", "rewards": [["A", "x", 4]] }, { "name": "n=1,m=2", "rewards": [["A", "x", 4], ["A", "z", 1]] },
    { "name": "n=2,m=1", "rewards": [["A", "z", 3], ["B", "x", 1]] } ] }
END
near one_policy 0 "maximum regret 4~1e-6 (proved" "$VOUCH" plan "$dir/family.json" --policies 1 -L 2
expect two_policies 0 "maximum regret  0  (proved optimal, bound 0)" "$VOUCH" plan "$dir/family.json" --policies 2 --promises all -L 2 -o "$dir/two.json"
expect in_common 0 "n=1,m=1 n=1,m=2  n=1" "$VOUCH" plan "$dir/family.json" --policies 2 --promises all -L 2
expect file 0 '"policies": [' cat "$dir/two.json"
expect evaluated 0 "maximum regret of each environment's own policy  0" "$VOUCH" evaluate "$dir/family.json" "$dir/two.json"
expect evaluated_json 0 '"kept": true' "$VOUCH" evaluate "$dir/family.json" "$dir/two.json" --json
expect shown 0 "z" "$VOUCH" show "$dir/family.json" "$dir/two.json" --environment n=2,m=1
expect shown_groups 0 "policy 0, for n=1,m=1, n=1,m=2 (n=1)
milp-ccl" "$VOUCH" show "$dir/family.json" "$dir/two.json"
expect shown_second 0 "policy 1, for n=2,m=1" "$VOUCH" show "$dir/family.json" "$dir/two.json"
expect which_drawn 1 "2 policies; expected --environment NAME" "$VOUCH" show "$dir/family.json" "$dir/two.json" --words
expect simulated 0 "6" "$VOUCH" simulate "$dir/family.json" "$dir/two.json" --environment n=2,m=1 --episodes 10
expect which 1 "2 policies; expected --environment NAME" "$VOUCH" simulate "$dir/family.json" "$dir/two.json"
expect no_such 1 'there is no environment "k9"' "$VOUCH" show "$dir/family.json" "$dir/two.json" --environment k9
"$VOUCH" plan "$dir/family.json" --policies 2 --promises all -L 2 --json > "$dir/a"
expect json 0 "True" field "$dir/a" 'd["status"] == "optimal" and [g["environments"] for g in d["groups"]] == [["n=1,m=1", "n=1,m=2"], ["n=2,m=1"]] and d["groups"][1]["policy"] == 1'
for promises in own all; do for k in 1 2 3; do
    "$VOUCH" generate random --states 4 --actions 2 --environments 4 -T 3 -p 0.1 --seed $k -o "$dir/r.json"
    "$VOUCH" plan "$dir/r.json" --policies $k --promises $promises -L 1 --threads 1 -o "$dir/p1.json" > "$dir/log" 2>&1
    "$VOUCH" plan "$dir/r.json" --policies $k --promises $promises -L 1 --threads 3 -o "$dir/p3.json" > "$dir/log" 2>&1
    expect threads_$promises.$k 0 "" cmp "$dir/p1.json" "$dir/p3.json"
    expect kept_$promises.$k 0 "maximum regret of each" "$VOUCH" evaluate "$dir/r.json" "$dir/p1.json"
done; done
"$VOUCH" plan "$dir/r.json" --policies 2 --node-limit 1 --json > "$dir/a"
expect limited 0 "True" field "$dir/a" 'd["status"] in ("feasible", "limit", "optimal") and d["bound"] >= 0'
for L in 0 1; do
    "$VOUCH" plan "$dir/r.json" --policies 2 -L $L -o "$dir/own$L.json" > "$dir/log"
    expect own_evaluated_$L 0 "$(grep '^maximum' "$dir/log" | sed 's/maximum regret *//; s/ .*//')" "$VOUCH" evaluate "$dir/r.json" "$dir/own$L.json"
    expect own_simulated_$L 0 "k2" "$VOUCH" simulate "$dir/r.json" "$dir/own$L.json" --environment k2 --episodes 10
done
expect knows_own 0 '"promises": "own", "knowledge": "own"' cat "$dir/own0.json"
expect knows_all 0 '"promises": "own", "knowledge": "all"' cat "$dir/own1.json"
sed 's/"promises": "own"/"promises": "all"/' "$dir/own0.json" > "$dir/bad.json"
expect knows_too_little 1 'the promises of all environments are kept' "$VOUCH" evaluate "$dir/r.json" "$dir/bad.json"
expect no_policies 1 "--policies" "$VOUCH" plan "$dir/r.json" --policies 0
expect idle_promises 1 "--policies" "$VOUCH" plan "$dir/r.json" --promises all
expect no_start 1 "one plan; --policies makes several" "$VOUCH" plan "$dir/r.json" --policies 2 --stats
"$VOUCH" plan "$dir/family.json" --policies 2 -o "$dir/own.json" > "$dir/log"
sed 's/"n=2,m=1"/"n=1,m=1"/' "$dir/own.json" > "$dir/bad.json"
expect twice 1 'is in two groups' "$VOUCH" evaluate "$dir/family.json" "$dir/bad.json"
sed 's/"policy": 1 }/"policy": 2 }/' "$dir/two.json" > "$dir/bad.json"
expect no_number 1 'bad.json:5' "$VOUCH" evaluate "$dir/family.json" "$dir/bad.json"

# How the regret falls with more policies: the figures of plan, in order, drawn.
"$VOUCH" sweep "$dir/family.json" --vary policies=1:3 -T 2 --plot "$dir/k.svg" --csv "$dir/k.csv" > "$dir/log"
expect swept 0 "True" "$PYTHON" -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print([(int(r["policies"]), float(r["max_regret"]), r["status"]) for r in rows] == [(1, 4, "optimal"), (2, 0, "optimal"), (3, 0, "optimal")])' "$dir/k.csv"
expect swept_picture 0 "policies" cat "$dir/k.svg"
expect swept_example 0 "optimal" "$VOUCH" sweep t-maze --vary policies=1,2 --promises all
expect swept_none 1 "0 is not a value of policies" "$VOUCH" sweep t-maze --vary policies=0:2
expect swept_again 1 "cannot plan for groups" "$VOUCH" sweep t-maze --vary policies=1:2 --method milp-ccil
expect swept_promises 1 "--vary policies" "$VOUCH" sweep t-maze --vary L=0:1 --promises all
"$VOUCH" sweep "$dir/family.json" --vary policies=1:3 -T 2 --csv "$dir/k2.csv" --workers 2 > "$dir/log"
"$VOUCH" sweep "$dir/family.json" --vary policies=1:3 -T 2 --csv "$dir/k3.csv" --workers 1 > "$dir/log"
expect swept_workers 0 "" cmp "$dir/k2.csv" "$dir/k3.csv"

# ---- promises on average
sed 's/"observe": "states",/"prior": { "n=1,m=1": 1, "n=1,m=2": 2, "n=2,m=1": 1 },/; s/\["A", "B"\], "probability": 0/["B"], "probability": 0.7, "over": "prior"/' "$dir/family.json" > "$dir/mean.json"
near mean 0 "maximum regret 4~1e-6 (proved" "$VOUCH" plan "$dir/mean.json" -L 1 -o "$dir/mean.policy"
expect says 0 "on average over the prior 0.25, 0.5, 0.25; U* ignores it" "$VOUCH" plan "$dir/mean.json" -L 1
expect kept_on_average 0 "every promise is kept, those on average over the prior" "$VOUCH" evaluate "$dir/mean.json" "$dir/mean.policy"
expect mean_json 0 '"averages": { "commitment": 0.75 }' "$VOUCH" evaluate "$dir/mean.json" "$dir/mean.policy" --json
expect broken_on_average 2 "NOT kept" "$VOUCH" evaluate "$dir/mean.json" "$dir/mean.policy" --prior 0,1,1
expect uniform 0 "over the prior 0.3333, 0.3333, 0.3333" "$VOUCH" plan "$dir/mean.json" -L 1 --prior 5,5,5
near prior_weighs 0 "weighted value 3.75~1e-6" "$VOUCH" plan "$dir/mean.json" -L 1 --objective weighted
expect prior_length 1 "--prior: 2 numbers for 3 environments" "$VOUCH" plan "$dir/mean.json" --prior 1,2
expect prior_longer 1 "--prior: 4 numbers for 3 environments" "$VOUCH" plan "$dir/mean.json" --prior 1,2,3,4
expect prior_negative 1 "expected nonnegative numbers" "$VOUCH" plan "$dir/mean.json" --prior 1,2,-1
expect prior_no_number 1 "expected nonnegative numbers" "$VOUCH" plan "$dir/mean.json" --prior 1,,2
expect prior_zero 1 "0 in every environment" "$VOUCH" plan "$dir/mean.json" --prior 0,0,0
sed 's/"n=1,m=2": 2/"n=1,m=2": -2/' "$dir/mean.json" > "$dir/bad.json"
expect file_negative 1 'bad.json:1: prior.n=1,m=2: a prior must not be negative, found -2' "$VOUCH" plan "$dir/bad.json"
sed 's/"n=1,m=2": 2, "n=2,m=1": 1/"n=1,m=2": 0/; s/"n=1,m=1": 1,/"n=1,m=1": 0,/' "$dir/mean.json" > "$dir/bad.json"
expect file_missing 1 'the environment "n=2,m=1" is not named' "$VOUCH" plan "$dir/bad.json"
sed 's/"n=1,m=1": 1, "n=1,m=2": 2, "n=2,m=1": 1 }/"n=1,m=1": 0, "n=1,m=2": 0, "n=2,m=1": 0 }/' "$dir/mean.json" > "$dir/bad.json"
expect file_zero 1 'the prior is 0 in every environment' "$VOUCH" plan "$dir/bad.json"
sed 's/"over": "prior"/"over": "all"/' "$dir/mean.json" > "$dir/bad.json"
expect over_what 1 'expected "prior", found "all"' "$VOUCH" plan "$dir/bad.json"
"$VOUCH" convert "$dir/mean.json" -o "$dir/again.json" > "$dir/log"
"$VOUCH" plan "$dir/mean.json" -L 1 -o "$dir/a" > "$dir/log"; "$VOUCH" plan "$dir/again.json" -L 1 -o "$dir/b" > "$dir/log"
expect converted 0 "" cmp "$dir/a" "$dir/b"
expect exported 0 "average_j0" sh -c '"$0" export "$1" -L 1 --form paper -o "$2" && cat "$2"' "$VOUCH" "$dir/mean.json" "$dir/a.mps"
near export_optimum 0 "objective 4~1e-6" "$VOUCH" lp "$dir/a.mps"
for of in "ccil" "ccil --guarded" "ccil --inner exact-ccl"; do
    near mean_$(echo "$of" | tr -d ' ') 0 "on average 7.5" "$VOUCH" $of "$dir/mean.json" -L 1
done
expect mean_again 0 "the mean over the posterior" "$VOUCH" ccil --help
printf '{"reward":4,"state":"A"}\n{"reward":0,"state":"B"}\n' > "$dir/happened"
expect mean_act 0 '"done":true,"kept":true' sh -c '"$0" act "$1" -L 1 < "$2"' "$VOUCH" "$dir/mean.json" "$dir/happened"
expect mean_simulated 0 "on average, commitment       300" "$VOUCH" simulate "$dir/mean.json" "$dir/mean.policy" --episodes 100
expect mean_sampled 0 "on average, commitment" "$VOUCH" ccil "$dir/mean.json" -L 1 --episodes 100
"$VOUCH" simulate "$dir/mean.json" "$dir/mean.policy" --episodes 100 --json > "$dir/a"
expect mean_samples 0 "True" field "$dir/a" 'd["averages"]["commitment"]["kept"] == 0.75'
expect mean_most 0 "largest mean over the prior" "$VOUCH" plan "$dir/mean.json" --max-commitment -L 1
"$VOUCH" plan "$dir/mean.json" --frontier --points 5 -L 1 --json > "$dir/a"
expect mean_frontier 0 "True" field "$dir/a" '[round(p["max_regret"], 6) for p in d["frontier"]] == sorted(round(p["max_regret"], 6) for p in d["frontier"])'
"$VOUCH" plan "$dir/mean.json" --frontier --plot "$dir/mean.svg" -L 1 > "$dir/log"
expect mean_picture 0 "<svg" cat "$dir/mean.svg"
"$VOUCH" ccil "$dir/mean.json" -L 1 --json > "$dir/a"
expect mean_again_json 0 "True" field "$dir/a" 'd["averages"] == {"commitment": 0.75}'
expect mean_swept 0 "0.75" "$VOUCH" sweep "$dir/mean.json" --vary L=1 -T 2
for seed in 2 3; do
    "$VOUCH" generate random --states 4 --actions 2 --environments 3 -T 4 -p 0.1 --seed $seed -o "$dir/r.json"
    sed 's/"probability": 0.1[0-9]*/"probability": 0.3, "over": "prior"/; s/"horizon"/"prior": { "k1": 1, "k2": 2, "k3": 0.1 }, &/' "$dir/r.json" > "$dir/m.json"
    for method in milp-ccl history; do for threads in 1 3; do
        "$VOUCH" plan "$dir/m.json" -L 1 --method $method --threads $threads -o "$dir/p$threads.json" > "$dir/log"
    done; expect mean_threads_$seed.$method 0 "" cmp "$dir/p1.json" "$dir/p3.json"; done
    for workers in 1 3; do "$VOUCH" ccil "$dir/m.json" -L 1 --workers $workers > "$dir/w$workers"; done
    expect mean_workers_$seed 0 "" cmp "$dir/w1" "$dir/w3"
    for workers in 1 2; do "$VOUCH" plan "$dir/m.json" -L 1 --workers $workers -o "$dir/w$workers" > "$dir/log"; done
    expect mean_plan_workers_$seed 0 "" cmp "$dir/w1" "$dir/w2"
done
# Proofs: of each method, beside a promise made in every environment, and that the mean cannot be kept.
for method in milp-ccl history exact-ccl; do expect mean_proved_$method 0 "on average" "$VOUCH" plan "$dir/mean.json" --method $method --prove; done
expect mean_baseline 3 "the policy does not keep its promises" "$VOUCH" plan "$dir/mean.json" --method mdps-best --prove
expect mean_verified 0 "on average
verified: maximum regret <= 6, >= 5.99999" "$VOUCH" plan "$dir/mean.json" -L 0 --tie-break none --prove
sed 's/"commitment": { "states": \["B"\], "probability": 0.7, "over": "prior" }/"commitments": [ { "name": "b", "kind": "by", "states": ["B"], "time": 1, "probability": 0.6, "over": "prior" }, { "name": "a", "kind": "at", "states": ["A"], "probability": 0.1 } ]/' "$dir/mean.json" > "$dir/two.json"
"$VOUCH" convert "$dir/two.json" --joined -o "$dir/joined.json" > "$dir/log"
expect mean_joined 0 '"over": "prior"' cat "$dir/joined.json"
expect mean_joined_proved 0 "verified: maximum regret" "$VOUCH" plan "$dir/joined.json" -L 1 --prove
for seed in 2 3 4 5 6; do
    "$VOUCH" generate random --states 4 --actions 2 --environments 3 -T 3 -p 0.1 --seed $seed -o "$dir/r.json"
    sed "s/\"probability\": 0.1[0-9]*/\"probability\": 0.$seed, \"over\": \"prior\"/; s/\"horizon\"/\"prior\": { \"k1\": $((seed % 3)), \"k2\": 2, \"k3\": 0.1 }, &/" "$dir/r.json" > "$dir/m.json"
    for L in 0 2; do
        "$VOUCH" plan "$dir/m.json" -L $L --proof "$dir/m.vproof" > "$dir/log" 2>&1
        expect mean_random_$seed.$L 0 "on average
verified: " cat "$dir/log"
        # in doubles what can be kept for sure comes to more than 1
        for of in --exact --interval; do expect mean_random_$seed.$L$of 0 "verified: " "$(dirname "$VOUCH")/vouch-check" $of "$dir/m.json" "$dir/m.vproof"; done
    done
done
expect no_groups 1 "needs one policy for all environments, not several" "$VOUCH" plan "$dir/mean.json" --policies 2
finish

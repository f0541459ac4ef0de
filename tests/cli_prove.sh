# Proofs as they are written: what vouch writes vouch-check verifies.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
# sets of pairs that two programs merge at other places: the same size shows a little less to one of them
"$VOUCH" generate t-maze --size 6,4,1,3 -T 15 -p 0.1 --slip 0.7 -o "$dir/maze.json" 2> "$dir/log"
"$VOUCH" plan "$dir/maze.json" -L 4 --tie-break none --proof "$dir/maze.vproof" > "$dir/log"
expect pairs_merged 0 "verified: maximum regret <= 0.7037499423" "$CHECK" "$dir/maze.json" "$dir/maze.vproof"
# large multipliers of the cap of the total regret
"$VOUCH" generate random --states 7 --actions 3 --environments 3 -T 6 -p 0.3 --branching 3 --seed 39062 -o "$dir/cap.json" 2> "$dir/log"
expect cap 0 "verified: total regret <= 14.0290273166, >= 14.029027" "$VOUCH" plan "$dir/cap.json" -L 1 --prove
# policies that miss a promise by exactly 1e-9 stay out where dominated options are left out
"$VOUCH" generate t-maze --size 4,3,1,4 -T 13 -p 0.1 --slip 0.9 -o "$dir/border.json" 2> "$dir/log"
expect border 0 "verified: maximum regret <= 1.8999809970" "$VOUCH" plan "$dir/border.json" -L 4 --tie-break none --prove
# long rationals do not tell whether an environment alone can keep its promise: nothing of it is needed to prove that none does
"$VOUCH" generate machine-repair --environments 13 -T 7 --concentration 1 -p 0.9 --seed 68836 -o "$dir/long.json" 2> "$dir/log"
expect long_numbers 2 "verified: no policy of the class keeps the promise in every environment" "$VOUCH" plan "$dir/long.json" -L 0 --prove
# the families of both: what is written is verified
bad=0
for i in $(seq 0 "$(part 4 15 1)"); do
    p=0.$((1 + 2 * (i % 5))) slip=0.$((5 + 2 * (i % 3)))
    "$VOUCH" generate t-maze --size $((3 + i % 3)),$((1 + i % 4)),1,$((2 + i % 2)) -T $((8 + i % 5)) -p $p --slip $slip -o "$dir/family.json" 2> "$dir/log"
    "$VOUCH" plan "$dir/family.json" -L $((i % 5)) --tie-break none --proof "$dir/family.vproof" > "$dir/log" 2> "$dir/said"
    grep -q "verified by vouch-check" "$dir/said" || { bad=$((bad + 1)); echo "# maze $i"; cat "$dir/said"; }
    "$VOUCH" generate random --states 6 --actions 3 --environments 3 -T 5 -p 0.3 --branching 3 --seed $((39062 + i)) -o "$dir/family.json" 2> "$dir/log"
    "$VOUCH" plan "$dir/family.json" -L $((i % 3)) --proof "$dir/family.vproof" > "$dir/log" 2> "$dir/said"
    grep -q "verified by vouch-check" "$dir/said" || { bad=$((bad + 1)); echo "# random $i"; cat "$dir/said"; }
done
expect families 0 "0 not verified" echo "$bad not verified"
# proofs of an earlier format are not taken for what their lines mean now
sed 's/^vouch-proof 2/vouch-proof 1/' "$dir/maze.vproof" > "$dir/old.vproof"
expect old_format 1 "a proof of version 1" "$CHECK" "$dir/maze.json" "$dir/old.vproof"
sed 's/^vouch-proof 2/vouch-proof 4/' "$dir/maze.vproof" > "$dir/new.vproof"
expect new_format 1 "a proof of a later version" "$CHECK" "$dir/maze.json" "$dir/new.vproof"
# sets that show too little are made finer until they show what the line says, or (-) that nothing is left
awk '$1 == "pairs" { $4 = 2 } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_finer 0 "verified: maximum regret <= 0.7037499423" "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
awk '$1 == "pairs" { $4 = 2; $5 = "" } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_as_they_are 2 "the tree proves less than the bound claimed" "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
awk '$1 == "pairs" { $4 = 2; $5 = "x" } 1' "$dir/maze.vproof" > "$dir/coarse.vproof"
expect pairs_no_number 2 '"x" is no number' "$CHECK" "$dir/maze.json" "$dir/coarse.vproof"
# --proof says what vouch-check says of the file, and --json too
plan=$dir/cap.json
proof=$dir/cap.vproof
json() { # FIELD of "proof" in $dir/json
    "${PYTHON:-/usr/bin/python3}" -c 'import json, sys; print(json.load(open(sys.argv[1]))["proof"].get(sys.argv[2]))' "$dir/json" "$1"
}
told() { # NAME FILE CHECKED REASON OPTIONS..: what stands in --json
    name=$1 file=$2 checked=$3 reason=$4
    shift 4
    "$VOUCH" plan "$plan" "$@" --json > "$dir/json" 2> "$dir/log"
    got="$(json file) $(json checked) $(json reason)"
    if [ "$got" = "$file $checked $reason" ]; then echo "ok $name"; else echo "not ok $name: $got"; fi
}
limit="the limit of its work is reached (--work-limit)"
expect verified 0 "$proof: written, and verified by vouch-check" "$VOUCH" plan "$plan" -L 0 --proof "$proof"
told verified_json "$proof" verified None -L 0 --proof "$proof"
expect skipped 0 "$proof: written, not checked: $limit" "$VOUCH" plan "$plan" -L 0 --proof "$proof" --check-limit 1000
told skipped_json "$proof" skipped "$limit" -L 0 --proof "$proof" --check-limit 1000
expect skipped_prove 3 "proof: not checked: $limit" "$VOUCH" plan "$plan" -L 0 --prove --check-limit 1000
expect idle 1 "--check-limit has no effect without --proof or --prove" "$VOUCH" plan "$plan" --check-limit 1000
expect work_limit 3 "$limit" "$CHECK" --work-limit 1000 "$plan" "$proof"
expect work_enough 0 "verified: " "$CHECK" --work-limit 1000000000 "$plan" "$proof"
expect work_number 1 "--work-limit -1: expected a number" "$CHECK" --work-limit -1 "$plan" "$proof"
# vouch-check is looked for beside the program, then on the PATH; what it refuses is no proof, whoever it is
mkdir "$dir/alone" "$dir/path" && cp "$VOUCH" "$dir/alone/vouch"
expect missing 0 "$proof: written, not checked: vouch-check was not found" env PATH="$dir/none" "$dir/alone/vouch" plan "$plan" -L 0 --proof "$proof"
printf '#!/bin/sh\necho "refuted: line 3: no"\nexit 2\n' > "$dir/path/vouch-check"
chmod +x "$dir/path/vouch-check"
expect refuted 4 "which is a fault of this program: refuted: line 3: no" env PATH="$dir/path:$PATH" "$dir/alone/vouch" plan "$plan" -L 0 --proof "$proof"
expect refuted_gone 1 "" test -e "$proof"
expect refuted_kept 0 "vouch-proof 2" head -n 1 "$proof.refuted"
expect refuted_model 0 "" cmp "$plan" "$proof.refuted.json"
(cd "$dir/path" && PATH="$dir/path:$PATH" "$dir/alone/vouch" plan "$plan" -L 0 --prove --json > "$dir/json" 2> "$dir/log")
expect refuted_json 0 "refuted refuted: line 3: no" echo "$(json checked) $(json reason)"
expect refuted_here 0 "" cmp "$plan" "$dir/path/vouch-proof.refuted.json"
printf '#!/bin/sh\nkill -9 $$\n' > "$dir/path/vouch-check"
expect killed 0 "written, not checked: vouch-check was killed" env PATH="$dir/path:$PATH" "$dir/alone/vouch" plan "$plan" -L 0 --proof "$proof"
# where nothing is proved there is no file, not even an older one
"$VOUCH" generate random --states 4 --actions 4 --environments 3 -T 5 -p 0.5 --branching 3 --seed 86044 -o "$dir/broken.json" 2> "$dir/log"
plan=$dir/broken.json
expect broken 3 "no proof: the policy does not keep its promises; an older file $proof is removed" "$VOUCH" plan "$plan" --method mdps-best --proof "$proof"
expect broken_gone 1 "" test -e "$proof"
told broken_json None none "the policy does not keep its promises" --method mdps-best --proof "$proof"
expect broken_prove 3 "no proof: the policy does not keep its promises" "$VOUCH" plan "$plan" --method mdps-best --prove
expect kept 0 "written, and verified" "$VOUCH" plan "$plan" --method greedy --proof "$proof"
"$VOUCH" generate random --states 5 --actions 2 --environments 3 -T 7 -p 0.4 --branching 3 --seed 888855 -o "$dir/unfound.json" 2> "$dir/log"
expect nothing 3 "no proof: no policy was found, and infeasibility was not proved; an older file $proof is removed" "$VOUCH" plan "$dir/unfound.json" --method exact-ccl --certify --node-limit 3 --proof "$proof"
expect nothing_gone 1 "" test -e "$proof"
expect wrong_keeps 1 "" sh -c 'echo older > "$2"; "$1" plan "$3" --method nonsense --proof "$2"' sh "$VOUCH" "$proof" "$plan"
expect wrong_kept 0 "older" cat "$proof"
"$VOUCH" generate machine-repair --environments 2 -T 3 -o "$dir/repair.json" 2> "$dir/log"
expect largest_needless 3 "no proof: none is needed, as no probability exceeds 1; an older file $proof is removed" "$VOUCH" plan "$dir/repair.json" --max-commitment --proof "$proof"
# U* rises steeply where p is out of reach by less than counts, and what it is below p says nothing of that
cat > "$dir/steep.json" <<'END'
{ "vouch": 1, "states": 4, "actions": 2, "initial": "s0", "horizon": 3,
  "commitments": [
    { "name": "j0", "kind": "at", "states": { "k0": ["s0", "s1", "s2"] }, "probability": { "k0": 1 } },
    { "name": "j1", "kind": "at", "states": { "k0": ["s1", "s2", "s3"] }, "probability": { "k0": 0.99999999900000003 } } ],
  "environments": [
    { "name": "k0", "transitions": [["s0", "a0", "s0", 1.8666220359686538e-14], ["s0", "a0", "s2", 0.99999999999998135], ["s0", "a1", "s2", 4.7898236785917735e-11], ["s0", "a1", "s3", 0.99999999995210176], ["s1", "a0", "s1", 3.8513261912273182e-10], ["s1", "a0", "s3", 0.99999999961486741], ["s1", "a1", "s0", 3.7535705712370943e-09], ["s1", "a1", "s2", 0.99999999624642943], ["s2", "a0", "s1", 0.99999999999810274], ["s2", "a0", "s2", 1.8972400625559285e-12], ["s2", "a1", "s0", 2.6556270433359426e-13], ["s2", "a1", "s2", 0.99999999999973443], ["s3", "a0", "s3", 1], ["s3", "a1", "s0", 1e-13], ["s3", "a1", "s1", 0.99999999999989997]],
      "rewards": [["s0", "a0", "s0", 1.25], ["s0", "a0", "s2", 1.25], ["s0", "a1", "s2", 2.25], ["s0", "a1", "s3", 2.25], ["s1", "a0", "s1", 0.75], ["s1", "a0", "s3", 0.75], ["s1", "a1", "s0", 2.25], ["s1", "a1", "s2", 2.25], ["s2", "a0", "s1", 0], ["s2", "a0", "s2", 0], ["s2", "a1", "s0", -0.25], ["s2", "a1", "s2", -0.25], ["s3", "a0", "s3", 0.5], ["s3", "a1", "s0", 0], ["s3", "a1", "s1", 0]] } ] }
END
expect steep 0 "verified: maximum regret <= 0.4666128" "$VOUCH" plan "$dir/steep.json" -L 3 --prove
# a promise at which failures are rare has a price of 30 000: what --interval adds to likelihoods then shows
cat > "$dir/priced.json" <<'END'
{ "vouch": 1, "states": 3, "actions": 2, "initial": "s0", "horizon": 3,
  "commitments": [
    { "name": "j0", "kind": "at", "states": { "k0": ["s0", "s2"], "k1": ["s0", "s2"] }, "probability": { "k0": 1, "k1": 1 } },
    { "name": "j1", "kind": "at", "states": { "k0": ["s0", "s1", "s2"], "k1": ["s0", "s1", "s2"] }, "probability": { "k0": 1, "k1": 1 } } ],
  "environments": [
    { "name": "k0", "transitions": [["s0", "a0", "s0", 2.7755442732830313e-11], ["s0", "a0", "s1", 0.99999999997224454], ["s0", "a1", "s0", 1], ["s1", "a0", "s0", 9.9849687738142171e-11], ["s1", "a0", "s2", 0.99999999990015032], ["s1", "a1", "s0", 0.99999899999999997], ["s1", "a1", "s2", 9.9999999999999995e-07], ["s2", "a0", "s1", 0.125], ["s2", "a0", "s2", 0.875], ["s2", "a1", "s2", 1]],
      "rewards": [["s0", "a0", "s0", 2], ["s0", "a0", "s1", 2], ["s0", "a1", "s0", 0], ["s1", "a0", "s0", -0.5], ["s1", "a0", "s2", -0.5], ["s1", "a1", "s0", -0.25], ["s1", "a1", "s2", -0.25], ["s2", "a0", "s1", 1.25], ["s2", "a0", "s2", 1.25], ["s2", "a1", "s2", 0.75]] },
    { "name": "k1", "transitions": [["s0", "a0", "s0", 2.7755442732830313e-11], ["s0", "a0", "s1", 0.99999999997224454], ["s0", "a1", "s0", 0.99999999999989997], ["s0", "a1", "s2", 1e-13], ["s1", "a0", "s0", 9.9849687738142171e-11], ["s1", "a0", "s2", 0.99999999990015032], ["s1", "a1", "s1", 8.7529416513767562e-14], ["s1", "a1", "s2", 0.99999999999991251], ["s2", "a0", "s1", 1], ["s2", "a1", "s0", 0.625], ["s2", "a1", "s1", 0.375]],
      "rewards": [["s0", "a0", "s0", 0.5], ["s0", "a0", "s1", 0.5], ["s0", "a1", "s0", 2.25], ["s0", "a1", "s2", 2.25], ["s1", "a0", "s0", 1], ["s1", "a0", "s2", 1], ["s1", "a1", "s1", 0], ["s1", "a1", "s2", 0], ["s2", "a0", "s1", 2.5], ["s2", "a1", "s0", 1], ["s2", "a1", "s1", 1]] } ] }
END
expect priced 0 "written, and verified" "$VOUCH" plan "$dir/priced.json" --method exact-ccl --proof "$proof"
expect priced_interval 0 "verified: maximum regret <= 1.49999999997" "$CHECK" --interval "$dir/priced.json" "$proof"
finish

# vouch plan --proof and vouch-check: proofs of small models are verified, what has been made false of them is not, and what is no proof or no model is said to be none.
. tests/expect.sh
CHECK=${CHECK:-$(dirname "$VOUCH")/vouch-check}
cat > "$dir/two.json" <<'END'
{ "vouch": 1, "name": "two", "states": ["s"], "actions": ["left", "right"], "initial": "s", "horizon": 1,
  "commitment": { "states": ["s"], "probability": 1 },
  "transitions": [["s", "left", "s", 1], ["s", "right", "s", 1]],
  "environments": [ { "rewards": [["s", "left", 1]] }, { "rewards": [["s", "right", 1]] } ] }
END
sed 's/\["s", "left", "s", 1\]/["s", "left", "s", 0.5], ["s", "left", "t", 0.5]/; s/\["s", "right", "s", 1\]/["s", "right", "s", 0.25], ["s", "right", "t", 0.75]/; s/"states": \["s"\], "actions"/"states": ["s", "t"], "actions"/' "$dir/two.json" > "$dir/half.json"
# the example of src/check/FORMAT.md, between its ``` lines
awk '/^```/ { inside = !inside; next } inside' src/check/FORMAT.md > "$dir/two.vproof"
expect example 0 "verified: maximum regret <= 1, >= 1; every promise kept exactly" "$CHECK" "$dir/two.json" "$dir/two.vproof"
sed 's/^complete 13/complete 14/' "$dir/two.vproof" > "$dir/counted.vproof"
expect lines_counted 2 "line 13: lines are missing" "$CHECK" "$dir/two.json" "$dir/counted.vproof"
expect own_proof 0 "" "$VOUCH" plan "$dir/two.json" --proof "$dir/two.vproof.gz"
expect gzip 0 "verified: maximum regret <= 1, >= 0.99999999" "$CHECK" "$dir/two.json" "$dir/two.vproof.gz"
expect stochastic 0 "verified: maximum regret <= 0.5, >= 0.49999999" "$VOUCH" plan "$dir/two.json" --method exact-ccl --prove
"$VOUCH" generate random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7 -o "$dir/boxes.json" 2> "$dir/log"
# what is proved lies within the gap at which a search ends, 1e-4 of it; a search that was stopped has come as far as its first boxes
near boxes 0 "verified: maximum regret <= 1.4524017366~1e-8, >= 1.45233~7.5e-5; every promise" "$VOUCH" plan "$dir/boxes.json" --method exact-ccl --certify -L 0 --prove
near boxes_left 3 "not proved: of the maximum regret the proof shows 1.452401737~1e-8 at most and 1.44~1.5e-2" "$VOUCH" plan "$dir/boxes.json" --method exact-ccl --certify -L 0 --node-limit 5 --prove
expect largest 0 "verified: no policy of the class keeps the promise in every environment" "$VOUCH" plan "$dir/half.json" --max-commitment --prove
expect largest_is_all 0 "no proof: none is needed" "$VOUCH" plan "$dir/two.json" --max-commitment --prove
expect baseline 0 "verified: maximum regret <= 1, >= 0" "$VOUCH" plan "$dir/two.json" --method mdps-best --prove
expect prove 0 "verified: maximum regret <= 1" "$VOUCH" plan "$dir/two.json" --prove
expect total 0 "verified: total regret <= 1, >= 0.99999999" "$VOUCH" plan "$dir/two.json" --prove
# a tree about two of three environments, which do not tell two actions apart that the third does
sed 's/"right"\], "initial"/"right", "third"], "initial"/; s/\["s", "right", "s", 1\]/&, ["s", "third", "s", 1]/; s/{ "rewards": \[\["s", "right", 1\]\] }/{ "rewards": [["s", "right", 1], ["s", "third", 1]] }, { "rewards": [["s", "third", 5]] }/' "$dir/two.json" > "$dir/three.json"
few() { # ENVIRONMENTS
    "$VOUCH" plan "$dir/three.json" --tie-break none --proof "$dir/own.vproof" > "$dir/log"
    sed -n 2p "$dir/own.vproof" > "$dir/model.line"
    printf 'vouch-proof 2\n%s\nplan milp-ccl 0 1 1 1e-09\ntree regret 2 %s\nnode 0 0 0 - *\nbranch 1 0\nchild 2 1 0\nchild 3 1 1\nleaf 2 1=1 ;\npairs 3 0 64\ndo 0 2\nclaim regret 1 1\ncomplete 13\n' "$(cat "$dir/model.line")" "$1" > "$dir/three.vproof"
}
few 0,1
expect few 0 "verified: maximum regret <= 1, >= 1; every promise kept exactly" "$CHECK" "$dir/three.json" "$dir/three.vproof"
few 0,1,2
expect few_but_all 2 "case 1 has an option without a child" "$CHECK" "$dir/three.json" "$dir/three.vproof"
few 0,2
expect few_but_the_multiplier 2 "line 9: the tree is not about environment 1" "$CHECK" "$dir/three.json" "$dir/three.vproof"
few 1
expect few_but_the_pairs 2 "line 10: the tree is not about environment 0" "$CHECK" "$dir/three.json" "$dir/three.vproof"
few ,
expect few_but_none 2 "line 4: no environment" "$CHECK" "$dir/three.json" "$dir/three.vproof"
few 0,1
sed -i 's/milp-ccl 0/milp-ccl 1/' "$dir/three.vproof"
expect few_after_knowledge 2 "line 4: a tree of few environments is one of milp-ccl and L = 0" "$CHECK" "$dir/three.json" "$dir/three.vproof"
sed -i 's/milp-ccl 1/milp-ccl 0/; s/^leaf.*/vectors 2/' "$dir/three.vproof"
expect few_but_vectors 2 "line 9: vectors are of all environments" "$CHECK" "$dir/three.json" "$dir/three.vproof"
# an option that another one is nowhere worse than needs no child; one that is better in some environment does, and a few words are said of environments first
sed 's/{ "rewards": \[\["s", "right", 1\], \["s", "third", 1\]\] }, .*/{ "rewards": [["s", "right", 1], ["s", "third", 0.5]] } ] }/' "$dir/three.json" > "$dir/worse.json"
sed 's/"third", 0.5/"third", 1.5/' "$dir/worse.json" > "$dir/better.json"
drop() { # MODEL WORDS
    "$VOUCH" plan "$1" --tie-break none --proof "$dir/own.vproof" > "$dir/log"
    sed -n 2p "$dir/own.vproof" > "$dir/model.line"
    printf 'vouch-proof 2\n%s\nplan milp-ccl 0 1 1 1e-09\ntree regret 2 %s\nnode 0 0 0 - *\nbranch 1 0\nchild 2 1 0\nchild 3 1 1\nleaf 2 1=1 ;\npairs 3 0 64\ndo 0 0\nclaim regret 1.5 1\ncomplete 13\n' "$(cat "$dir/model.line")" "$2" > "$dir/worse.vproof"
}
drop "$dir/worse.json" '* drop'
expect dropped 0 "verified: maximum regret <= 1, >= 1; every promise kept exactly" "$CHECK" "$dir/worse.json" "$dir/worse.vproof"
drop "$dir/worse.json" '*'
expect not_dropped 2 "case 1 has an option without a child" "$CHECK" "$dir/worse.json" "$dir/worse.vproof"
drop "$dir/better.json" '* drop'
expect dropped_but_better 2 "case 1 has an option without a child" "$CHECK" "$dir/better.json" "$dir/worse.vproof"
drop "$dir/worse.json" '* dropp'
expect dropped_misspelt 2 'line 4: expected "drop"' "$CHECK" "$dir/worse.json" "$dir/worse.vproof"
# what leads to a node where nothing is left in one environment may be done where the other comes alone: at the cross k2 must not go on, k1 may and loses nothing
cat > "$dir/apart.json" <<'END'
{ "vouch": 1, "states": ["start", "cross", "home", "good", "bad"], "actions": ["a", "b"], "initial": "start", "horizon": 3,
  "commitment": { "states": ["home"], "probability": 0 },
  "transitions": [["cross", "b", "home", 1], ["home", "a", "home", 1], ["good", "a", "home", 1], ["bad", "a", "home", 1]],
  "rewards": [["good", "a", 1], ["bad", "a", -10]],
  "environments": [
    { "transitions": [["start", "a", "cross", 1], ["start", "b", "home", 1], ["cross", "a", "good", 1]] },
    { "transitions": [["start", "a", "home", 1], ["start", "b", "cross", 1], ["cross", "a", "bad", 1]] }] }
END
"$VOUCH" plan "$dir/apart.json" --tie-break none --proof "$dir/own.vproof" > "$dir/log"
expect apart 0 "verified: maximum regret <= 0, >= 0" "$CHECK" "$dir/apart.json" "$dir/own.vproof"
{
    sed -n 1,3p "$dir/own.vproof"
    printf 'tree regret 4 * drop\nnode 0 0 0 - *\nnode 1 1 1 0\nnode 2 2 4 0\nnode 3 1 2 0\nnode 4 2 2 0\ngive 1 1 1=1 ; ; 2=0\nleaf 1 0=1 ;\n'
    printf 'do 0 0\ndo 1 1\ndo 3 0\ndo 4 0\nclaim regret 1 1\ncomplete 17\n'
} > "$dir/false.vproof"
expect apart_not_dropped 2 "line 18: the tree proves less than the bound claimed" "$CHECK" "$dir/apart.json" "$dir/false.vproof"
"$VOUCH" generate random --states 4 --actions 3 --environments 5 -T 5 -p 0.20 --branching 2 --seed 989112 -o "$dir/apart.json" 2> "$dir/log"
expect apart_drawn 0 "verified: maximum regret <= 3.38169007615" "$VOUCH" plan "$dir/apart.json" -L 1 --tie-break none --prove
"$VOUCH" generate machine-repair --environments 30 --concentration 1 -T 8 -o "$dir/repair.json" 2> "$dir/log"
expect few_of_thirty 0 "verified: maximum regret <= 4.96792242835, >= 4.967922378" "$VOUCH" plan "$dir/repair.json" --tie-break none --proof "$dir/repair.vproof" --prove
expect few_of_thirty_named 0 "" grep -q '^tree regret [0-9]* [0-9]*,' "$dir/repair.vproof"
"$VOUCH" convert "$dir/two.json" -o "$dir/two.csv" 2> "$dir/log"
expect other_format 1 "vouch convert $dir/two.csv --commit 0 -T 1 -p 1 -o model.json" "$VOUCH" plan "$dir/two.csv" -T 1 -p 1 --commit 0 --proof "$dir/no.vproof"
expect other_format_joined 1 " --joined -o model.json" "$VOUCH" plan bench/examples/ferry.prism --const current=0 -T 3 --commit "by:port>=1" --proof "$dir/no.vproof"
expect no_file 1 "vouch-check: " "$CHECK" "$dir/none.json" "$dir/two.vproof"
expect no_model 1 "the first file is a proof; the model comes first" "$CHECK" "$dir/two.vproof" "$dir/two.vproof"
expect no_proof 2 'refuted: line 1: expected "vouch-proof"' "$CHECK" "$dir/two.json" "$dir/two.json"
expect usage 1 "vouch-check: expected MODEL.json PROOF.vproof" "$CHECK" "$dir/two.json"
printf 5 > "$dir/five.json"
"$CHECK" "$dir/five.json" "$dir/two.vproof" 2> "$dir/log"
expect no_object 0 "" grep -qx "vouch-check: the model is no JSON object (vouch convert writes one)" "$dir/log"
# numbers of any length; a decimal that no double holds
sed 's/"probability": 1/"probability": 0.'"$(printf '%010000d' 1)"'/' "$dir/two.json" > "$dir/long.json"
expect long_number 2 "another model" "$CHECK" "$dir/long.json" "$dir/two.vproof"
sed 's/"probability": 1/"probability": 1e99999999999/' "$dir/two.json" > "$dir/huge.json"
expect huge_number 1 "vouch-check: expected a number" "$CHECK" "$dir/huge.json" "$dir/two.vproof"
sed 's/"left", 1\]\] }/"left", 123456789012345678901234567890]] }/' "$dir/two.json" > "$dir/whole.json"
expect huge_whole_number 2 "the model has changed since" "$CHECK" "$dir/whole.json" "$dir/two.vproof"
# 0.1 + 0.2 is 0.3 in the file, if not in doubles: kept exactly
cat > "$dir/exactly.json" <<'END'
{ "vouch": 1, "states": 2, "actions": 2, "initial": "s0", "horizon": 1, "commitment": { "states": ["s1"], "probability": 0.3 },
  "environments": [ { "transitions": [["s0","a0","s1",0.1],["s0","a0","s1",0.2],["s0","a0","s0",0.7],["s0","a1","s0",1],["s1","a0","s1",1]], "rewards": [["s0","a1",1]] } ] }
END
expect exactly 0 "every promise kept exactly" "$VOUCH" plan "$dir/exactly.json" --prove
# what is certain stays certain however .1 + .2 + .7 is rounded
sed 's/"states": \["s1"\], "probability": 0.3/"states": ["s0", "s1"], "probability": 1/; s/\["s0","a1","s0",1\]/["s0","a1","s0",0.9],["s0","a1","s1",0.1]/; s/\["s1","a0","s1",1\]/["s1","a0","s1",0.3],["s1","a0","s0",0.7]/; s/"horizon": 1/"horizon": 3/' "$dir/exactly.json" > "$dir/certain.json"
"$VOUCH" plan "$dir/certain.json" --proof "$dir/certain.vproof" > "$dir/log"
expect certain 0 "every promise kept exactly" "$CHECK" --interval "$dir/certain.json" "$dir/certain.vproof"
# rewards whose differences are as small as the rounding of their sizes, and two that are just about one observation
for much in 100000000.000003 100000000.000008; do # the nearest double is less, or more
    sed 's/"left", 1\]\]/"left", '$much'], ["s", "right", 100000000]]/; s/"right", 1\]\]/"right", '$much'], ["s", "left", 100000000]]/' "$dir/two.json" > "$dir/offset.json"
    expect "offset_$much" 0 "every promise kept exactly" "$VOUCH" plan "$dir/offset.json" --prove
done
sed 's/"left", 1\]/"left", 9999999.98]/; s/"right", 1\]/"left", 9999999.99]/; s/"horizon": 1/"horizon": 2/' "$dir/two.json" > "$dir/near.json"
expect near 0 "verified: maximum regret <= 0" "$VOUCH" plan "$dir/near.json" -L 1 --prove
judge proofs "${PYTHON:-/usr/bin/python3}" tests/judge_proof.py "$VOUCH" "$CHECK" "$dir" "${MUTANTS:-$(part 6 12 2)}"
expect broken_named 0 "all named" "${PYTHON:-/usr/bin/python3}" bench/broken.py --named
judge mutants "${PYTHON:-/usr/bin/python3}" tests/judge_mutants.py "$VOUCH" "$CHECK" "$dir" "${MUTANTS:-$(part 25 60 15)}"
# nodes whose bound by pairs is that of a node above, by another environment: their own lines show less
"$VOUCH" generate t-maze --size 3,2,2,3 -T 11 -p 0.08 -o "$dir/maze.json" 2> "$dir/log"
near pairs_from_above 0 "verified: maximum regret <= 0.613409792~1e-9, >= 0.61340978~1e-8;" "$VOUCH" plan "$dir/maze.json" -L 0 --tie-break none --prove
# with a proof as fast as without one: sets of pairs cost what they cost, and are as fine
"$VOUCH" generate random --states 6 --actions 3 --environments 2 -T 6 -p 0.4 --branching 3 --seed 104858 --shared-transitions -o "$dir/priced.json" 2> "$dir/log"
expect pairs_priced 0 "nodes 17, " "$VOUCH" plan "$dir/priced.json" -L 2 --tie-break none --node-limit 100 --prove
"$VOUCH" generate random --states 6 --actions 2 --environments 4 -T 6 -p 0.2 --branching 3 --seed 317712 -o "$dir/fine.json" 2> "$dir/log"
expect pairs_fine 0 "nodes 7, " "$VOUCH" plan "$dir/fine.json" -L 3 --tie-break none --node-limit 100 --prove
# pairs of several successors united: in their order, or what is left of them shows less
"$VOUCH" generate random -T 8 -p 0.2 --seed 7 -o "$dir/united.json" 2> "$dir/log"
expect pairs_united 0 "verified: maximum regret <= 3.4" "$VOUCH" plan "$dir/united.json" -L 0 --prove
# numbers of more digits than are carried along are rounded, outwards: the only policy regrets no more than what rounding leaves
cat > "$dir/digits.json" <<'END'
{ "vouch": 1, "states": ["G", "B"], "actions": ["x"], "initial": "G", "horizon": 100, "commitment": { "states": ["G", "B"], "probability": 1 },
"transitions": [["G", "x", "G", 0.98765432109876543], ["G", "x", "B", 0.01234567890123457], ["B", "x", "B", 1]],
"rewards": [["G", "x", 1]], "environments": [ { "name": "e" } ] }
END
"$VOUCH" plan "$dir/digits.json" -L 0 --tie-break none --proof "$dir/digits.vproof" > "$dir/log" 2>&1
for claimed in "0 refuted" "1e-100 refuted" "1e-70 verified"; do
    sed "s/^claim regret .*/claim regret ${claimed% *} 0/" "$dir/digits.vproof" > "$dir/claimed.vproof"
    for of in "" --exact; do
        expect "digits_${claimed% *}$of" "$([ "${claimed#* }" = verified ] && echo 0 || echo 2)" "${claimed#* }: " "$CHECK" $of "$dir/digits.json" "$dir/claimed.vproof"
    done
done
# a limit: what is shown until then is what is claimed
"$VOUCH" generate random --states 10 --actions 3 --environments 6 -T 8 --seed 3 -p 0.3 -o "$dir/long.json" 2> "$dir/log"
expect limit 3 "not proved: of the maximum regret the proof shows" "$VOUCH" plan "$dir/long.json" -L 0 --node-limit 30 --prove
# what the proof is said to show is what it claims: a rare failure that pays much makes that another figure than the plan's
cat > "$dir/steep.json" <<'END'
{ "vouch": 1, "name": "steep", "states": ["A", "F"], "actions": ["safe", "some", "more"], "initial": "A", "horizon": 2,
  "commitment": { "states": ["A"], "probability": 0.999999999999 },
  "transitions": [["A", "safe", "A", 1], ["A", "some", "A", 0.9999999999995], ["A", "some", "F", 5e-13],
                  ["A", "more", "A", 0.99999999999], ["A", "more", "F", 1e-11], ["F", "safe", "F", 1]],
  "environments": [ { "rewards": [["A", "some", 1e12], ["A", "more", 3e12]] }, { "rewards": [["A", "some", 1], ["A", "more", 2]] } ] }
END
said_as_claimed() { # OPTIONS of a plan that is not proved optimal
    "$VOUCH" plan "$dir/steep.json" "$@" --proof "$dir/steep.vproof" > "$dir/log" 2>&1
    awk -v proof="$dir/steep.vproof" '
        BEGIN { while ((getline line < proof) > 0) if (split(line, w, " ") > 2 && w[1] == "claim" && w[2] != "total") break }
        /^not proved: of the/ { for (i = 3; i <= NF; i++) if ($i == "at") figure[$(i + 1)] = $(i - 1) + 0 }
        function off(x, y) { return (x > y ? x - y : y - x) > 1e-8 * (y > 1 ? y : y < -1 ? -y : 1) }
        END { regret = w[2] == "regret"
              exit off(figure["most"], w[regret ? 3 : 4]) || off(figure["least"], w[regret ? 4 : 3]) || figure["most"] == "" }' "$dir/log"
}
for options in "-L 0" "-L 2 --tie-break none"; do # in as many digits as that takes
    expect "steep $options" 0 "proved optimal" "$VOUCH" plan "$dir/steep.json" $options --prove
done
for options in "--method history" "--method exact-ccl" "--method history --objective max-min" \
    "--method exact-ccl --objective weighted"; do
    expect "said_as_claimed $options" 0 "" said_as_claimed $options
done
finish

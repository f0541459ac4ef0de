# Probabilities known within limits: "within", [low, high] in JSON; what is refused, and that copies, products and files keep them. Worst
# probabilities of policies, also against enumeration.
. tests/expect.sh
cat > "$dir/i.json" <<'END'
{ "vouch": 1, "states": ["A", "B", "C"], "actions": ["x","y"], "initial": "A", "horizon": 3, "within": 0.05,
  "commitments": [ {"name": "home", "kind": "by", "states": ["B"], "time": 2, "probability": 0.3}, {"name": "end", "kind": "at", "states": ["C"], "probability": 0.1} ],
  "transitions": [["A","x","B",[0.2,0.5]],["A","x","C",[0.4,0.9]],["A","y","A",1],["B","x","B",0.5],["B","x","A",0.5],["B","y","C",1],["C","x","A",[0,0.4]],["C","x","B",[0.3,0.6]],["C","x","C",[0.1,1]]],
  "rewards": [["A","y",1],["B","x",0.5]],
  "environments": [{"name":"k1"},{"name":"k2","transitions":[["A","x","B",[0.1,0.3]],["A","x","C",0.8]]}] }
END

# ---- files
"$VOUCH" convert "$dir/i.json" -o "$dir/j.json" > "$dir/log"
expect kept 0 '["C", "x", "B", [0.3, 0.6]]' cat "$dir/j.json"
expect own_row 0 '["A", "x", "C", 0.8]' cat "$dir/j.json"
expect eps_kept 0 '"within": 0.05,' cat "$dir/j.json"
"$VOUCH" convert "$dir/j.json" -o "$dir/k.json" > "$dir/log"
expect same_again 0 "" cmp "$dir/j.json" "$dir/k.json"
"$VOUCH" convert "$dir/i.json" --joined -o "$dir/joined.json" > "$dir/log"
expect product 0 '["C", "x", "B [home kept] @2", [0.3, 0.6]]' cat "$dir/joined.json"
sed 's/"initial": "A"/"initial": {"A": 0.5, "B": 0.5}/' "$dir/i.json" > "$dir/starts.json"
expect not_joined 1 'a joined model begins with a step to its initial states, which "within" would apply to' "$VOUCH" convert "$dir/starts.json" --joined -o "$dir/x.json"
expect not_csv 1 "a model with limits of probabilities is written as JSON" "$VOUCH" convert "$dir/i.json" -o "$dir/i.csv"

# ---- what is refused
wrong() {
    sed "$3" "$dir/i.json" > "$dir/wrong.json"
    expect "$1" 1 "$2" "$VOUCH" convert "$dir/wrong.json" -o "$dir/x.json"
}
wrong low_sum 'wrong.json:3: transitions[0]: environment "k1", state "A", action "x": the lower limits of the probabilities sum to 1.1; expected at most 1' 's/\[0.4,0.9\]/[0.9,0.95]/'
wrong high_sum 'state "A", action "x": the upper limits of the probabilities sum to 0.8; expected at least 1' 's/\[0.4,0.9\]/[0.1,0.3]/'
wrong order 'transitions[1][3]: the lower limit 0.9 is above the upper limit 0.3' 's/\[0.4,0.9\]/[0.9,0.3]/'
wrong one 'transitions[1][3]: expected a probability, or its limits [low, high]' 's/\[0.4,0.9\]/[0.9]/'
wrong far "transitions[1][3][1]: a probability must lie between 0 and 1, found 1.5" 's/\[0.4,0.9\]/[0.9,1.5]/'
wrong eps 'within: a probability must lie between 0 and 1, found 1.5' 's/0.05/1.5/'

# ---- other formats: limits of synchronised updates are multiplied, those of a renamed module are its own
cat > "$dir/two.prism" <<'END'
mdp
const double low = 0.8;
module m
 x : [0..1];
 [go] x=0 -> [low,0.9]:(x'=1) + [1-0.9,1-low]:true;
 [go] x=1 -> true;
endmodule
module n = m [x=y] endmodule
END
cat > "$dir/chain.prism" <<'END'
dtmc
module m
 x : [0..2];
 [] x=0 -> [0.5,0.7]:(x'=1) + [0.3,0.5]:(x'=2);
 [] x=0 -> (x'=2);
 [] x>0 -> true;
endmodule
END
printf '@type: MDP\n@value_type: double-interval\n@nr_states\n3\n@model\nstate 0 init\n action a\n  1 : [0.3, 0.6]\n  2 : [1/5,0.9]\nstate 1 goal\n action a\n  1 : [1, 1]\nstate 2\n action a\n  2 : 0.75\n  1 : [0.25, 0.25]\n' > "$dir/i.drn"
printf '3 3 5\n0 0 1 [0.3,0.6] a\n0 0 2 [0.2,0.9] a\n1 0 1 1 a\n2 0 2 0.75 a\n2 0 1 [0.25,0.25] a\n' > "$dir/i.tra"
printf '0="init" 1="goal"\n0: 0\n1: 1\n' > "$dir/i.lab"
"$VOUCH" convert "$dir/two.prism" --commit 'at:x=1&y=1>=0.5' -T 1 -o "$dir/two.json" > "$dir/log" 2>&1
expect noted 0 "their nominal row is low + c (high - low)" cat "$dir/log"
expect product_limits 0 '"x=1,y=1", [0.6400000000000001, 0.81]' cat "$dir/two.json"
near product_worst 0 "the largest commitment: -p 0.64~1e-12" "$VOUCH" plan "$dir/two.prism" --commit 'at:x=1&y=1>=0' -T 1 --max-commitment
near equally_likely 0 "the largest commitment: -p 0.25~1e-12" "$VOUCH" plan "$dir/chain.prism" --commit 'at:x=1>=0' -T 1 --max-commitment
"$VOUCH" convert "$dir/two.json" -o "$dir/drn/" > "$dir/log" 2>&1
expect drn_type 0 "@value_type: double-interval" cat "$dir/drn/k1.drn"
"$VOUCH" convert "$dir/drn/" --commit 'at:x=1&y=1>=0.5' -T 1 -o "$dir/again.json" > "$dir/log" 2>&1
expect drn_again 0 "" sh -c 'for f in two again; do grep "\"go\", " "$0/$f.json" > "$0/$f.rows"; done; cmp "$0/two.rows" "$0/again.rows"' "$dir"
for file in i.drn i.tra; do near "worst_$file" 0 "the largest commitment: -p 0.475~1e-12" "$VOUCH" plan "$dir/$file" -T 2 --commit 'at:goal>=0' --max-commitment; done
# a nature that helps: 1 less the worst of the opposite
"$VOUCH" plan "$dir/i.drn" -T 2 --commit 'at:goal>=0.4' -o "$dir/p.json" > "$dir/log" 2>&1
near helping 0 '"worst_probability": { "!goal": 0.3~1e-12 }' "$VOUCH" evaluate "$dir/i.drn" "$dir/p.json" -T 2 --commit 'at:!goal>=0' --json
faulty() {
    sed "s/\[0.3,0.6\]/$2/" "$dir/i.tra" > "$dir/w.tra"
    sed "s/\[0.3, 0.6\]/$2/" "$dir/i.drn" > "$dir/w.drn"
    sed "s/\[low,0.9\]/$2/" "$dir/two.prism" > "$dir/w.prism"
    expect "faulty_tra_$1" 1 "w.tra$3" "$VOUCH" plan "$dir/w.tra" -T 2
    expect "faulty_drn_$1" 1 "w.drn$4" "$VOUCH" plan "$dir/w.drn" -T 2
    expect "faulty_prism_$1" 1 "w.prism:5:$5" "$VOUCH" plan "$dir/w.prism" -T 2
}
faulty one '[0.3]' ':2: expected a probability, or its limits [low,high], found "[0.3]"' ':8: expected limits of a probability as [low, high], found "[0.3]"' '18: expected ","'
faulty order '[0.6,0.3]' ':2: the lower limit 0.6 is above the upper limit 0.3' ':8: the lower limit 0.6 is above the upper limit 0.3' '19: the lower limit 0.6 is above the upper limit 0.3'
faulty word '[0.6,q]' ':2: expected a probability, or its limits [low,high], found "q"' ':8: expected a number, found "q"' '19: there is no constant, variable or formula "q"'
faulty far '[0.9,1.2]' ':2: a probability must lie between 0 and 1' ':8: a probability must lie between 0 and 1, found 1.2' '19: a probability must lie between 0 and 1, found 1.2'
faulty low '[0.95,1]' ': environment "w", state "0", action "a": the lower limits of the probabilities sum to 1.15; expected at most 1' ': environment "w", state "0", action "a": the lower limits' '2: the lower limits of the probabilities sum to 1.05; expected at most 1'
faulty high '[0,0.05]' ': environment "w", state "0", action "a": the upper limits of the probabilities sum to 0.95; expected at least 1' ': environment "w", state "0", action "a": the upper limits' '2: the upper limits of the probabilities sum to 0.25; expected at least 1'

# ---- worst probabilities
sed 's/"within": 0.05,//; s/\[0.2,0.5\]/0.3/; s/\[0.4,0.9\]/0.7/; s/\[0,0.4\]/0.2/; s/\[0.3,0.6\]/0.4/; s/\[0.1,1\]/0.4/; s/\[0.1,0.3\]/0.2/' "$dir/i.json" > "$dir/plain.json"
"$VOUCH" plan "$dir/plain.json" -L 1 -o "$dir/p.json" > "$dir/log"
near worst 2 "k1 1.848897~1e-6 0.6690625~1e-6 1.179835~1e-6 0.618125~1e-6 0.1244141~1e-6 0.3625~1e-9 0.001125~1e-9 not kept" "$VOUCH" evaluate "$dir/i.json" "$dir/p.json"
expect worst_names 2 "home        end  worst home  worst end" "$VOUCH" evaluate "$dir/i.json" "$dir/p.json"
near limits_alone 2 '"worst_probability": { "home": 0.44~1e-9, "end": 0.005~1e-9 } },' "$VOUCH" evaluate "$dir/i.json" "$dir/p.json" --within 0 --json
expect kept_at_worst 0 "the commitment is kept in every environment under the worst error" "$VOUCH" evaluate "$dir/i.json" "$dir/p.json" -p home=0.36 -p end=0.001
"$VOUCH" plan "$dir/plain.json" -L 2 -o "$dir/p.json" > "$dir/log"
"$VOUCH" evaluate "$dir/plain.json" "$dir/p.json" > "$dir/plain.txt"
expect without 0 "the commitment is kept in every environment" cat "$dir/plain.txt"
expect without_column 1 "" grep worst "$dir/plain.txt"
expect with 2 "under the worst error" "$VOUCH" evaluate "$dir/plain.json" "$dir/p.json" --within 0.1
expect too_much 1 "--within" "$VOUCH" evaluate "$dir/plain.json" "$dir/p.json" --within 1.1
"$VOUCH" evaluate "$dir/plain.json" "$dir/p.json" --within 0.1 -o "$dir/again.json" > "$dir/log"
expect policy_file 0 '"worst_probability": { "home"' cat "$dir/again.json"
expect policy_file_read 0 "kept in every environment" "$VOUCH" evaluate "$dir/plain.json" "$dir/again.json"
"$VOUCH" generate random --environments 3 --states 5 -T 4 -p 0.3 --seed 4 -o "$dir/three.json" > "$dir/log"
"$VOUCH" plan "$dir/three.json" --policies 2 -o "$dir/two.json" > "$dir/log" 2>&1
expect group 2 "not kept" "$VOUCH" evaluate "$dir/three.json" "$dir/two.json" --within 0.1
expect group_exact 0 "worst" "$VOUCH" evaluate "$dir/three.json" "$dir/two.json" --within 1e-15

# ---- plans
"$VOUCH" generate t-maze -o "$dir/maze.json" > "$dir/log"
near maze 0 "maximum regret 0.782528~1e-6 (proved optimal, bound" "$VOUCH" plan "$dir/maze.json" --within .05
near maze_worst 0 "k2 2.734886~1e-6 2.141184~1e-6 0.5937024~1e-6 0.7006208~1e-6 0.6141577~1e-6" "$VOUCH" plan "$dir/maze.json" --within .05 -o "$dir/p.json"
expect maze_kept 0 "kept in every environment under the worst error" "$VOUCH" evaluate "$dir/maze.json" "$dir/p.json" --within .05
near nominal_kept 0 "maximum regret 0.776128~1e-6 (proved optimal, bound" "$VOUCH" plan "$dir/maze.json" --within .01
expect impossible 2 "infeasible (proved): the commitment cannot be kept with probability 0.999 under the worst error" "$VOUCH" plan "$dir/maze.json" --within .05 -p .999
near largest 0 "with milp-ccl, L = 0 0.9986572265~1e-9" "$VOUCH" plan "$dir/maze.json" --within .05 --max-commitment
expect limit 3 "not proved optimal" "$VOUCH" plan "$dir/maze.json" --within .05 --node-limit 1
expect proved 0 "verified: maximum regret <= 0.782528000003, >= 0.78252799" "$VOUCH" plan "$dir/maze.json" --within .05 --prove
expect proved_ahead 0 "verified: maximum regret" "$VOUCH" plan "$dir/maze.json" -L 1 --within .08 --prove
expect proved_nominal 0 "verified: maximum regret <= 0.776128" "$VOUCH" plan "$dir/maze.json" --within .01 --prove
expect proved_impossible 2 "verified: no policy of the class keeps the promise" "$VOUCH" plan "$dir/maze.json" -L 2 --within .05 -p .999 --prove
expect proved_largest 0 "no policy of this class keeps p = " "$VOUCH" plan "$dir/maze.json" --within .05 --max-commitment --prove
sed 's/"kind": "by"/"kind": "at"/; s/"time": 2, //' "$dir/plain.json" > "$dir/at.json"
"$VOUCH" convert "$dir/at.json" -p home=.2 -p end=.1 -o "$dir/both.json" > "$dir/log"
expect proved_both 0 "verified: maximum regret" "$VOUCH" plan "$dir/both.json" -L 1 --within .05 --prove
sed 's/"horizon"/"prior": {"k1": 0.5, "k2": 0.5}, "horizon"/; s/"name": "end",/"name": "end", "over": "prior",/' "$dir/both.json" > "$dir/mean.json"
expect proved_joined 1 "vouch convert --joined writes such a model" "$VOUCH" plan "$dir/plain.json" --within .9 --prove
# A proof without a bound has no tree; its policy's nodes come after those of the natures.
cat > "$dir/free.json" <<'END'
{ "vouch": 1, "states": ["s0", "s1"], "actions": ["a0", "a1"], "horizon": 3, "initial": "s0", "commitment": { "states": ["s1"], "probability": 0.0625 },
  "within": 0.25, "environments": [
  { "name": "k0", "rewards": [["s1", "a0", 1]],
    "transitions": [["s0", "a0", "s1", 0.5], ["s0", "a0", "s0", 0.5], ["s0", "a1", "s0", 1], ["s1", "a0", "s1", 1], ["s1", "a1", "s0", 0.25], ["s1", "a1", "s1", 0.75]] },
  { "name": "k1", "rewards": [["s0", "a0", 2], ["s0", "a1", 2]],
    "transitions": [["s0", "a0", "s0", 0.875], ["s0", "a0", "s1", 0.125], ["s0", "a1", "s0", 0.5], ["s0", "a1", "s1", 0.5], ["s1", "a0", "s1", 1], ["s1", "a1", "s1", 0.75], ["s1", "a1", "s0", 0.25]] }] }
END
expect proved_nothing 3 "verified: weighted value >= 4" "$VOUCH" plan "$dir/free.json" -L 3 --objective weighted --node-limit 1 --prove
expect proofs_of_each 1 "of promises that every environment keeps" "$VOUCH" plan "$dir/mean.json" -L 1 --within .05 --prove
for words in "--method history" "--method exact-ccl" "--log-tree $dir/t" "--workers 2"; do
    expect "refused$words" 1 "under the error of probabilities" "$VOUCH" plan "$dir/maze.json" --within .05 $words
done

# ---- other commands
"$VOUCH" plan "$dir/maze.json" --within .05 -o "$dir/p.json" > "$dir/log"
near simulated 0 "k2 100000 2.141~0.3 0.0045~0.001 0.6141577~0.006" "$VOUCH" simulate "$dir/maze.json" "$dir/p.json" --within .05 --episodes 100000
expect lost 0 "lost at worst" "$VOUCH" show "$dir/maze.json" "$dir/p.json" --within .05
"$VOUCH" show "$dir/maze.json" "$dir/p.json" > "$dir/plain.txt"
expect lost_nothing 1 "" grep lost "$dir/plain.txt"
near swept 0 "milp-ccl 0 10 0.6 0.06 optimal 0.782528~1e-6 1.38135~1e-5 0.782528~1e-6 0.600341~1e-6" "$VOUCH" sweep "$dir/maze.json" --vary within=0:.1:.02 --plot "$dir/w.svg"
expect picture 0 "within" cat "$dir/w.svg"
near frontier 0 "0.1997314~1e-6 1.957734~1e-5 1.957734~1e-5" "$VOUCH" plan "$dir/maze.json" --within .05 --frontier --points 6
sed 's/"horizon"/"within": 0.05, "horizon"/' "$dir/maze.json" > "$dir/off.json"
expect ccil 1 "replanning keeps no promises under the error of probabilities" "$VOUCH" ccil "$dir/off.json" -L 1
expect act 1 "replanning keeps no promises under the error of probabilities" "$VOUCH" act "$dir/off.json" -L 1
expect groups 1 "groups keep no promises under the error of probabilities" "$VOUCH" plan "$dir/off.json" --policies 2
expect watch 1 "a page replays one" "$VOUCH" watch "$dir/off.json" -o "$dir/x.html"
expect cell 3 "replanning keeps no promises under the error of probabilities" "$VOUCH" sweep "$dir/off.json" --vary L=1 -m milp-ccil

expect enumerated 0 " 0 wrong" "$PYTHON" tests/judge_within.py "$VOUCH" "$(part 12 600)"
finish

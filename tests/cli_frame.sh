# The command line itself: help, versions, wrong options, generators, and evaluate against plan.
. tests/expect.sh
expect no_command 1 "Usage: vouch COMMAND" "$VOUCH"
expect help 0 "Commands:" "$VOUCH" --help
expect version 0 "vouch " "$VOUCH" --version
expect unknown_command 1 'there is no command "plam"' "$VOUCH" plam
expect command_help 0 "Usage: vouch plan MODEL [options]" "$VOUCH" plan --help
expect unknown_option 1 "unknown option --foo" "$VOUCH" plan --foo x
expect unknown_letter 1 "unknown option -Z" "$VOUCH" plan -Z x
expect no_value 1 "-L: a value is missing" "$VOUCH" plan x -L
expect no_operand 1 "something is missing: expected MODEL" "$VOUCH" plan
expect two_operands 1 "too many arguments: expected MODEL" "$VOUCH" plan a b
expect not_a_number 1 '-L: "x" is not a whole number of at least 0' "$VOUCH" plan a -L x
expect no_range 1 '--probability: "1.5" is not a number between 0 and 1' "$VOUCH" plan a -p 1.5
expect nan 1 '--probability: "nan" is not a number between 0 and 1' "$VOUCH" plan a -p nan
expect horizon_zero 1 '-T: "0" is not a whole number of at least 1' "$VOUCH" plan a -T 0
expect word 1 '--method: "best" is not one of milp-ccl|' "$VOUCH" plan a --method best
expect seed 1 '--seed: "-3" is not a whole number' "$VOUCH" plan a --seed -3

expect twin 0 "" "$VOUCH" generate twin-states -T 5 -o "$dir/twin.json"
expect maze 0 "" "$VOUCH" generate t-maze -o "$dir/maze.json.gz"
expect maze_size 1 '--size: expected four whole numbers h,u,d,K, found "3,2"' "$VOUCH" generate t-maze --size 3,2
expect maze_slippery 1 "5 environments need as many cells before the junction, the corridor has 3" "$VOUCH" generate t-maze --size 3,2,2,5
expect random 0 '"name": "random-5"' "$VOUCH" generate random --seed 5
expect random_many 0 '"states": 30000' "$VOUCH" generate random --states 30000 --environments 1
expect random_none 1 "no model was found" "$VOUCH" generate random --states 300 -T 1 -p 1 --actions 1 --environments 4 --branching 30
expect generate_what 1 'there is no model "maze"' "$VOUCH" generate maze
expect generate_nowhere 1 "cannot create" "$VOUCH" generate twin-states -o /nonexistent/x.json

expect plan_greedy 0 "maximum regret  3" "$VOUCH" plan "$dir/twin.json" --method greedy -o "$dir/policy.json"
expect evaluate 0 "the commitment is kept in every environment" "$VOUCH" evaluate "$dir/twin.json" "$dir/policy.json" -o "$dir/again.json"
if cmp -s "$dir/policy.json" "$dir/again.json"; then echo "ok evaluate_same_bytes"; else echo "not ok evaluate_same_bytes: $(diff "$dir/policy.json" "$dir/again.json" | head -n 4)"; fi
expect plan_json 0 '"max_regret": 3' "$VOUCH" plan "$dir/twin.json" --method greedy --json
if "$VOUCH" plan "$dir/twin.json" --method greedy --json 2> /dev/null | "${PYTHON:-python3}" -c 'import json,sys; d=json.load(sys.stdin); assert len(d["environments"])==9 and {"status","bound","total_regret","nodes","iterations","seconds"} <= set(d)'
then echo "ok json_object"; else echo "not ok json_object"; fi
expect evaluate_other_model 1 "environments: the policy is for 9 environments, the model has 2" "$VOUCH" evaluate "$dir/maze.json.gz" "$dir/policy.json" -T 5
expect evaluate_other_horizon 1 "T: the policy is for the horizon 5, the model's is 4" "$VOUCH" evaluate "$dir/twin.json" "$dir/policy.json" -T 4
expect lookahead_range 1 "L is 6; expected 0 .. 5 (the horizon)" "$VOUCH" plan "$dir/twin.json" -L 6
expect infeasible_alone 2 "too small" "$VOUCH" plan "$dir/maze.json.gz" -p 0.99999
if "$VOUCH" plan "$dir/maze.json.gz" -p 0.99999 -o "$dir/none.json" > /dev/null; [ $? = 2 ] && grep -q '"status": "infeasible"' "$dir/none.json"; then echo "ok infeasible_file"; else echo "not ok infeasible_file"; fi
expect write_nowhere 1 "cannot create" "$VOUCH" plan "$dir/twin.json" --method greedy -o "$dir/no/policy.json"
sed 's/"east": 1/"west": 1/; s/"a1": 1/"a2": 1/' "$dir/policy.json" > "$dir/changed.json"
"$VOUCH" evaluate "$dir/twin.json" "$dir/changed.json" > "$dir/out" 2>&1
code=$?
if [ $code = 0 ] || [ $code = 1 ] || [ $code = 2 ]; then echo "ok evaluate_changed"; else echo "not ok evaluate_changed: exit $code"; fi

# Limits and interrupts leave the best policy so far, labelled so.
"$VOUCH" generate t-maze --size 8,4,4,6 -T 24 -p 0.3 -o "$dir/hard.json"
expect time_limit 3 "" "$VOUCH" plan "$dir/hard.json" -L 1 --time-limit 0.01
expect node_limit 3 "not proved optimal, bound" "$VOUCH" plan "$dir/hard.json" -L 1 --node-limit 30 -o "$dir/hard.policy"
expect node_limit_policy 0 "is kept in every environment" "$VOUCH" evaluate "$dir/hard.json" "$dir/hard.policy"
grep -q '"status": "feasible"' "$dir/hard.policy" && echo "ok node_limit_label" || echo "not ok node_limit_label"
interrupt "regret [0-9]" "$VOUCH" plan "$dir/hard.json" -L 1 -o "$dir/cut.policy"
if [ $code = 130 ] && grep -q "not proved optimal" "$dir/out"; then echo "ok interrupt"; else echo "not ok interrupt: exit $code, $(head -c 300 "$dir/out")"; fi
expect interrupt_policy 0 "is kept in every environment" "$VOUCH" evaluate "$dir/hard.json" "$dir/cut.policy"
finish

# vouch ccil, simulate and act: figures, agents that play, faults. VOUCH_ACT_RUNS: runs in each environment (default 60, few 24);
# VOUCH_ACT_FAULTS: runs with faults (default 28, few 10).
. tests/expect.sh
python=${PYTHON:-python3}
"$VOUCH" generate t-maze -o "$dir/maze.json"
"$VOUCH" generate twin-states -T 7 -o "$dir/twin.json"
expect ccil_maze 0 "maximum regret  0.609728  (exact; every plan proved optimal)" "$VOUCH" ccil "$dir/maze.json" -L 1
expect ccil_twin 0 "maximum regret  5  (exact" "$VOUCH" ccil "$dir/twin.json"
expect ccil_guarded 0 "maximum regret  0.609728" "$VOUCH" ccil "$dir/maze.json" -L 2 --guarded
expect ccil_no_ties 0 "maximum regret" "$VOUCH" ccil "$dir/twin.json" --tie-break none
expect ccil_exact_inner 0 "maximum regret" "$VOUCH" ccil "$dir/maze.json" -L 3 --inner exact-ccl --restarts 4
expect ccil_range 1 "L is 11; expected 1 .. 10 (the horizon)" "$VOUCH" ccil "$dir/maze.json" -L 11
expect ccil_zero 1 '-L: "0" is not a whole number of at least 1' "$VOUCH" ccil "$dir/maze.json" -L 0
expect ccil_budget 3 "have no plan of their own" "$VOUCH" ccil "$dir/maze.json" --program-limit 5
expect ccil_infeasible 2 "infeasible (proved)" "$VOUCH" ccil "$dir/maze.json" -p 0.99999
expect ccil_episodes 0 "95 % low" "$VOUCH" ccil "$dir/maze.json" --episodes 500
if "$VOUCH" ccil "$dir/maze.json" --json 2> /dev/null | "$python" -c 'import json,sys; d=json.load(sys.stdin); assert len(d["environments"])==2 and {"status","first_bound","total_regret","nodes","iterations","seconds","programs"} <= set(d) and "bound" not in d'
then echo "ok ccil_json"; else echo "not ok ccil_json"; fi
"$VOUCH" ccil "$dir/maze.json" --episodes 3000 --json | sed 's/"seconds": [^,]*//' > "$dir/one"
"$VOUCH" ccil "$dir/maze.json" --episodes 3000 --json --threads 3 | sed 's/"seconds": [^,]*//' > "$dir/three"
if cmp -s "$dir/one" "$dir/three"; then echo "ok ccil_threads"; else echo "not ok ccil_threads: $(diff "$dir/one" "$dir/three" | head -n 4)"; fi

"$VOUCH" plan "$dir/maze.json" -L 3 -o "$dir/policy.json" > /dev/null
"$VOUCH" plan "$dir/twin.json" --method history -o "$dir/history.json" > /dev/null
expect simulate 0 "95 % low" "$VOUCH" simulate "$dir/maze.json" "$dir/policy.json" --episodes 2000
expect simulate_history 0 "95 % low" "$VOUCH" simulate "$dir/twin.json" "$dir/history.json" --episodes 2000
expect simulate_other 1 "model: the policy is for another model, \"twin-states\" of horizon 7" "$VOUCH" simulate "$dir/maze.json" "$dir/history.json"

expect act_infeasible 2 "the commitment cannot be kept" "$VOUCH" act "$dir/maze.json" -p 0.99999
expect act_no_input 1 "the input ended with no observation at time 0" "$VOUCH" act "$dir/maze.json" < /dev/null
printf '{"reward":0,"sta' > "$dir/half"
expect act_half_line 1 "the input ended within a line at time 0" "$VOUCH" act "$dir/maze.json" < "$dir/half"
printf '{"reward":7,"state":"x1"}\n' > "$dir/impossible"
expect act_impossible 1 '{"error":"no environment still possible leads from state' "$VOUCH" act "$dir/maze.json" < "$dir/impossible"
head -c 100000 /dev/urandom > "$dir/noise"
expect act_noise 1 '{"error":' "$VOUCH" act "$dir/maze.json" < "$dir/noise"
yes '{"reward":0,"state":"x1"}' | head -n 100000 | "$VOUCH" act "$dir/maze.json" 2> /dev/null | head -n 1 > /dev/null
echo "ok act_broken_pipe"
mkdir "$dir/path"
ln -s "$(cd "$(dirname "$VOUCH")" && pwd)/$(basename "$VOUCH")" "$dir/path/vouch"
expect act_agent_path 0 "environment 0: 2 runs, mean reward" env PATH="$dir/path:$PATH" "$python" bench/examples/agent.py "$dir/maze.json" --runs 2 -p 0.5 --time-limit 600
expect act_agent_options 1 "--threads: 5000 is too large" "$python" bench/examples/agent.py "$dir/maze.json" --vouch "$VOUCH" --runs 1 --threads 5000
expect act_agent 0 "environment 1: 3 runs, mean reward" "$python" bench/examples/agent.py "$dir/maze.json" --vouch "$VOUCH" --runs 3
# Frequencies of many runs against the exact evaluation; with faults every decision as without them.
expect act_play 0 " runs with faults, 0 wrong" "$python" tests/play.py "$dir/maze.json" --vouch "$VOUCH" --runs "${VOUCH_ACT_RUNS:-$(part 60 60 24)}" --faults "${VOUCH_ACT_FAULTS:-$(part 28 28 10)}"
if ${CC:-cc} -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra bench/examples/agent.c -o "$dir/agent" 2> "$dir/out"; then
    for k in 1 2; do expect "act_c_agent_$k" 0 '"done":true' "$dir/agent" "$VOUCH" "$dir/maze.json" $k; done
else echo "not ok act_c_agent: $(head -c 400 "$dir/out")"; fi
finish

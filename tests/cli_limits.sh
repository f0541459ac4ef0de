# What is too large for memory or for numbers: a message, and with --json the object all the same; long horizons need no deep stack.
. tests/expect.sh
PYTHON=${PYTHON:-python3}
# json NAME CONDITION: of the object d on the standard output of the last command
json() { if "$PYTHON" -c 'import json,sys; d=json.load(open(sys.argv[1])); assert eval(sys.argv[2]), d' "$dir/json" "$2" 2> "$dir/why"; then echo "ok $1"; else echo "not ok $1: $(tail -1 "$dir/why")"; fi }
# run NAME STATUS TEXT COMMAND..: standard output to $dir/json, TEXT is on standard error
run() {
    name=$1 status=$2 want=$3
    shift 3
    "$@" > "$dir/json" 2> "$dir/err"
    code=$?
    if [ $code = "$status" ] && { [ -z "$want" ] || grep -qF -- "$want" "$dir/err"; }; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted $status and \"$want\", got: $(head -c 300 "$dir/err")"; fi
}
"$VOUCH" generate twin-states -T 2147483647 -o "$dir/long.json" 2> /dev/null
for method in milp-ccl exact-ccl history greedy mdps-best; do
    run horizon_$method 3 "too large: a horizon of 2147483647 steps" "$VOUCH" plan "$dir/long.json" -m $method --json
    json horizon_${method}_json 'd["status"] == "limit" and d["bound"] == 0 and d["max_regret"] is None and len(d["environments"]) == 9'
done
run horizon_ccil 3 "too large: a horizon of" "$VOUCH" ccil "$dir/long.json" -L 1 --json
json horizon_ccil_json 'd["status"] == "limit" and d["max_regret"] is None and len(d["environments"]) == 9'
run horizon_ccil_whole 3 "too large: a horizon of" "$VOUCH" ccil "$dir/long.json" -L 2147483647
run horizon_act 3 "too large: a horizon of" "$VOUCH" act "$dir/long.json" -L 1
run horizon_export 3 "too large: a horizon of" "$VOUCH" export "$dir/long.json" -L 1 --form compact -o "$dir/x.mps"
run horizon_most 3 "too large: a horizon of" "$VOUCH" plan "$dir/long.json" --max-commitment
run horizon_frontier 3 "too large: a horizon of" "$VOUCH" plan "$dir/long.json" --frontier
run horizon_random 3 "too large: a horizon of" "$VOUCH" generate random --states 3 --actions 2 --environments 2 -T 2147483647 -p 0.5 -o "$dir/x.json"
# A history plan with too many knowledge states: a Markov policy, and nothing proved.
"$VOUCH" generate random --states 50 --actions 6 --environments 12 -T 40 -p 0.1 --seed 3 -o "$dir/wide.json" 2> /dev/null
run history_too_large 3 "" "$VOUCH" plan "$dir/wide.json" -m history --node-limit 2 --json
json history_too_large_json 'd["status"] == "feasible" and -1e-6 < d["bound"] < d["max_regret"]'
# CCIL may do better than its first plan, whose bound is therefore none on what is reported.
"$VOUCH" generate twin-states -T 5 -o "$dir/twin.json" 2> /dev/null
run ccil 0 "" "$VOUCH" ccil "$dir/twin.json" -L 1 --json
json ccil_bound '"bound" not in d and d["first_bound"] <= d["first_max_regret"] + 1e-9'
cat > "$dir/rich.json" <<'J'
{ "vouch": 1, "name": "rich", "states": ["a"], "actions": ["x"], "initial": "a", "horizon": 4, "commitment": { "states": ["a"], "probability": 0.5 },
  "transitions": [["a", "x", "a", 1]],
  "rewards": [["a", "x", 1e308]],
  "environments": [ { "name": "k1" } ] }
J
for method in milp-ccl exact-ccl history greedy mdps-best; do
    run reward_$method 1 'rich.json:3: rewards[0][2]: the reward 1e+308 is too large' "$VOUCH" plan "$dir/rich.json" -m $method
done
printf 'idstatefrom,idaction,idoutcome,idstateto,probability,reward\n0,0,0,0,1,-1e299\n' > "$dir/rich.csv"
run reward_csv 1 "the reward -1e+299 is too large" "$VOUCH" plan "$dir/rich.csv" --commit 0 -T 3 -p 0.5
# Depth: with a stack of 256 KiB.
cat > "$dir/line.json" <<'J'
{ "vouch": 1, "name": "line", "states": ["a", "b"], "actions": ["x", "y"], "initial": "a", "horizon": 20000, "commitment": { "states": ["a", "b"], "probability": 1 },
  "transitions": [["a", "x", "a", 1], ["b", "y", "b", 1], ["b", "x", "b", 0.5], ["b", "x", "a", 0.5]],
  "rewards": [["a", "x", 1]],
  "environments": [ { "name": "k1" }, { "name": "k2" } ] }
J
shallow() { (ulimit -s 256 && "$@"); }
expect deep_plan 0 "proved optimal" shallow "$VOUCH" plan "$dir/line.json" -L 0 -o "$dir/line.policy"
expect deep_vectors 0 "proved optimal" shallow "$VOUCH" plan "$dir/line.json" -L 1
expect deep_tree 0 "t=20000 a" shallow "$VOUCH" show "$dir/line.json" "$dir/line.policy" --tree
expect deep_evaluate 0 "kept in every environment" shallow "$VOUCH" evaluate "$dir/line.json" "$dir/line.policy"
# Memory: a limit as any other; the amount is read as written.
run memory_limit 3 "the memory limit is reached" "$VOUCH" plan "$dir/wide.json" -L 3 --memory-limit 12M --node-limit 20 --json
json memory_limit_json 'd["status"] in ("limit", "feasible")'
"$VOUCH" generate random --states 500 --actions 6 --environments 12 -T 2 -p 0.1 --seed 3 -o "$dir/wider.json" 2> /dev/null
run memory_reading 3 "the limit is 1 MB; --memory-limit SIZE sets another" "$VOUCH" plan "$dir/wider.json" --memory-limit 1M
for size in 1X M -1M 10 nan 1e300 1MM; do run "memory_$size" 1 "is not a size" "$VOUCH" plan "$dir/wide.json" --memory-limit=$size; done
run memory_none 0 "" "$VOUCH" plan "$dir/wider.json" -m greedy --memory-limit 0
rm -rf "$dir"
echo done

# Policies as decision trees: exact, smaller, in every form.
. tests/expect.sh
judge rules "${PYTHON:-python3}" tests/judge_rules.py "$VOUCH" "$dir" "$(part 7 1400 0)"
"$VOUCH" generate t-maze -o "$dir/maze.json"
"$VOUCH" plan "$dir/maze.json" -L 3 -q -o "$dir/maze.policy" > /dev/null
expect title 0 "rules, exact at all" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules
expect apart 0 "a smaller policy of 10 steps, 2 rules" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules 2
expect joined 0 "maximum regret" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules=2
expect first 0 "a smaller policy" "$VOUCH" show --rules 2 "$dir/maze.json" "$dir/maze.policy"
expect dot 0 "digraph rules" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules --dot
expect markdown 0 "" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules -o "$dir/rules.md"
expect markdown_text 0 '`: `' cat "$dir/rules.md"
expect written 0 "a smaller policy" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules 2 -o "$dir/small.policy"
expect read 0 "maximum regret" "$VOUCH" evaluate "$dir/maze.json" "$dir/small.policy" -p 0
expect no_number 1 'expected a number of rules' "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules=few
expect none 1 'expected a number of rules' "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules 0
expect no_words 1 "--rules goes with --svg, --dot or --json" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --rules --words
expect no_model 1 "the model is missing" "$VOUCH" show "$dir/maze.policy" --rules
# A graph that is too high becomes rules.
expect high 0 "drawn as rules" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg --height 400
expect high_rules 0 "exact at all" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg --height 400
expect low 0 "edge width" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg
# Rules of nodes that the policy does not reach are allowed, those of other models are not, and reached nodes need one.
"$VOUCH" plan "$dir/maze.json" -L 3 --method greedy -q -o "$dir/greedy.policy" > /dev/null
judge edited "${PYTHON:-python3}" - "$dir" "$VOUCH" <<'END'
import json, subprocess, sys
place, vouch = sys.argv[1:]
given, other = (json.load(open(f"{place}/{name}.policy")) for name in ("maze", "greedy"))
node = lambda rule: {k: v for k, v in rule.items() if k != "do"}
extra = [r for r in other["rules"] if r["time"] < 3 and node(r) not in [node(g) for g in given["rules"]]]

def evaluate(rules):
    json.dump({**given, "rules": rules}, open(f"{place}/edited.policy", "w"))
    done = subprocess.run([vouch, "evaluate", f"{place}/maze.json", f"{place}/edited.policy", "--json"], capture_output=True, text=True)
    return json.loads(done.stdout)["environments"] if done.returncode == 0 else done.stderr

plain, early = evaluate(given["rules"]), [r for r in given["rules"] if r["time"] == 1]
for name, good in {"more": extra and evaluate(given["rules"] + extra) == plain,
                   "last": evaluate(extra + given["rules"][::-1]) == plain,
                   "lost": "no rule for time 1" in evaluate([r for r in given["rules"] if r is not early[0]]),
                   "foreign": "no policy node of this model" in evaluate(given["rules"] + [{**early[0], "time": 0}])}.items():
    print("ok" if good else "not ok", "edited_" + name)
END
# A policy of few nodes, where the knowledge states of all policies are too many: K = 81 codes, T = 7.
awk 'BEGIN { print "mdp const int p; const int q; const int r; const int s; module code right : [0..4] init 0;"
    for (i = 0; i < 81; i++) { a = i % 3; b = int(i / 3) % 3; c = int(i / 9) % 3; d = int(i / 27)
        print "[g" a b c d "] right<4 -> (right\047=(p=" a "?1:0)+(q=" b "?1:0)+(r=" c "?1:0)+(s=" d "?1:0));" }
    print "[done] right=4 -> true; endmodule rewards right=4 : 0; endrewards label \"found\" = right=4;" }' > "$dir/code.prism"
guess="$dir/code.prism --const p=0:2 --const q=0:2 --const r=0:2 --const s=0:2 --commit found -T 7 -p 1"
"$VOUCH" plan $guess -L 7 -q -o "$dir/code.policy" > /dev/null
expect code 0 "the commitment is kept in every environment" "$VOUCH" evaluate $guess "$dir/code.policy"
expect code_rules 0 "NOT every promise is kept: 0 in p=" "$VOUCH" show $guess "$dir/code.policy" --rules 9
finish

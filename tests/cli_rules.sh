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
finish

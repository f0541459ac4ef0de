# Probabilities known within limits: "within", [low, high] in JSON; what is refused, and that copies, products and files keep them.
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
expect not_csv 1 "a model with limits of probabilities is written as JSON" "$VOUCH" convert "$dir/i.json" -o "$dir/i.csv"
expect told 0 "the error of its probabilities is ignored" "$VOUCH" plan "$dir/i.json" -L 1 -o "$dir/p.json"

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
finish

# vouch tree, and what else was long not run: bases of HiGHS, the end of an episode of act, samples as JSON, the largest whole numbers.
. tests/expect.sh
python=${PYTHON:-python3}
cat > "$dir/log.jsonl" <<'END'
{"id":1,"parent":0,"depth":0,"branch":null,"bound":1.5,"incumbent":null,"end":"branched"}
{"id":2,"parent":1,"depth":1,"branch":"x in [0, 0]","bound":2.5,"incumbent":4,"end":"integer"}
{"id":3,"parent":1,"depth":1,"branch":"x in [1, 1]","bound":2,"incumbent":4,"end":"branched"}
{"id":4,"parent":3,"depth":2,"branch":"y <= 0","bound":null,"incumbent":4,"end":"infeasible"}
{"id":5,"parent":3,"depth":2,"branch":"y >= 1","bound":5,"incumbent":3,"end":"bound"}
{"id":6,"parent":1,"depth":1,"branch":"x in [2, 2]","bound":2.25,"incumbent":3,"end":"limit"}
END
expect summary 0 "6 nodes" "$VOUCH" tree "$dir/log.jsonl"
expect summary_line 0 "branched        2            0               1          1.5" "$VOUCH" tree "$dir/log.jsonl"
expect json 0 '{ "nodes": 6, "branched": 2, "bound": 1, "infeasible": 1, "integer": 1, "limit": 1 }' "$VOUCH" tree "$dir/log.jsonl" --json
expect svg 0 "" "$VOUCH" tree "$dir/log.jsonl" --svg -o "$dir/tree.svg"
if [ "$(grep -c '<title>node ' "$dir/tree.svg")" = 6 ] && [ "$(grep -c '^<line ' "$dir/tree.svg")" = 5 ]; then echo "ok svg_parts"; else echo "not ok svg_parts"; fi
# colours are not needed: each end has a shape of its own
if [ "$(grep -o ' d="[^"]*" fill="[^"]*"' "$dir/tree.svg" | sort -u | wc -l)" = 5 ] && [ "$(grep -o ' d="[^"]*"' "$dir/tree.svg" | sort -u | wc -l)" = 5 ]; then echo "ok svg_shapes"; else echo "not ok svg_shapes"; fi
sed '3s/"id":3/"id":2/' "$dir/log.jsonl" > "$dir/twice.jsonl"
expect ended_twice 1 "node 2 ended twice" "$VOUCH" tree "$dir/twice.jsonl"
sed '5s/"depth":2/"depth":1/' "$dir/log.jsonl" > "$dir/deep.jsonl"
expect not_deeper 1 "node 5 is not deeper than its parent 3" "$VOUCH" tree "$dir/deep.jsonl"
sed '2s/integer/solved/' "$dir/log.jsonl" > "$dir/word.jsonl"
expect wrong_end 1 "word.jsonl:2: [1].end: expected branched, bound" "$VOUCH" tree "$dir/word.jsonl"
: > "$dir/empty.jsonl"
expect no_node 1 "empty.jsonl:1: no node" "$VOUCH" tree "$dir/empty.jsonl"

# Bases of the HiGHS kind: from the optimal one no step is made, and it comes back in MPS form as the same basis.
printf 'Maximize\n obj: x + 2 y\nSubject To\n c1: x + y <= 4\n c2: x + 3 y <= 6\nBounds\n x <= 3.5\nEnd\n' > "$dir/small.lp"
printf 'HiGHS_basis_file v2\nValid\n# Columns 2\nx 1\ny 1\n# Rows 2\nc1 2\nc2 2\n' > "$dir/good.bas"
expect highs_optimal 0 '"objective":5,"bound":5,"iterations":0,' "$VOUCH" lp "$dir/small.lp" --nopresol --json --basis-in "$dir/good.bas" --basis-out "$dir/mps.bas"
expect highs_as_mps 0 " XU x c1" cat "$dir/mps.bas"
expect mps_optimal 0 '"objective":5,"bound":5,"iterations":0,' "$VOUCH" lp "$dir/small.lp" --nopresol --json --basis-in "$dir/mps.bas"
printf 'HiGHS_basis_file v2\nValid\n# Columns 2\nx 2\ny 0\n# Rows 2\nc1 1\nc2 1\n' > "$dir/start.bas"
expect highs_other 0 '"objective":5,"bound":5,"iterations":2,' "$VOUCH" lp "$dir/small.lp" --nopresol --json --basis-in "$dir/start.bas"
sed 's/^c2 2/c3 2/' "$dir/good.bas" > "$dir/name.bas"
expect highs_name 1 'name.bas:8: "c3", expected the name of a row' "$VOUCH" lp "$dir/small.lp" --basis-in "$dir/name.bas"
sed 's/^y 1/y 7/' "$dir/good.bas" > "$dir/digit.bas"
expect highs_digit 1 'expected a name and a status from 0 to 4' "$VOUCH" lp "$dir/small.lp" --basis-in "$dir/digit.bas"
head -n 5 "$dir/good.bas" > "$dir/cut.bas"
expect highs_cut 1 "the file ends in the middle" "$VOUCH" lp "$dir/small.lp" --basis-in "$dir/cut.bas"

# act ends by saying whether the promise was kept; both ends of the same plan.
cat > "$dir/coin.json" <<'END'
{ "vouch": 1, "states": ["s", "good", "bad"], "actions": ["go"], "initial": "s", "horizon": 1, "commitment": {"states": ["good"], "probability": 0.5},
  "transitions": [["s", "go", "good", 0.5], ["s", "go", "bad", 0.5]], "rewards": [], "environments": [{"name": "k1"}] }
END
printf '{"reward":0,"state":"good"}\n' > "$dir/good"
printf '{"reward":0,"state":"bad"}\n' > "$dir/bad"
expect act_kept 0 '{"time":1,"done":true,"kept":true}' "$VOUCH" act "$dir/coin.json" -L 1 < "$dir/good"
expect act_not_kept 0 '{"time":1,"done":true,"kept":false}' "$VOUCH" act "$dir/coin.json" -L 1 < "$dir/bad"
"$VOUCH" plan "$dir/coin.json" -o "$dir/policy.json" > /dev/null
"$VOUCH" simulate "$dir/coin.json" "$dir/policy.json" --episodes 4000 --json > "$dir/sample.json"
"$python" - "$dir/sample.json" > "$dir/out" 2>&1 <<'END' && echo "ok simulate_json" || echo "not ok simulate_json: $(cat "$dir/out")"
import json, sys
d = json.load(open(sys.argv[1]))
assert list(d) == ["environments", "sense"] and len(d["environments"]) == 1, d
e = d["environments"][0]
assert e["name"] == "k1" and e["episodes"] == 4000, e
low, high = e["kept_low"], e["kept_high"]
assert e["mean"] == 0 and e["half_width"] == 0 and low < e["kept"] < high and low < 0.5 < high and high - low < 0.05, e
END

# Whole numbers of PRISM are those of 64 bits and no more.
prism() { # NAME STATUS TEXT CONSTANT-EXPRESSION UPPER
    printf 'mdp\nconst int big = %s;\nmodule m\n x : [0..%s] init 0;\n [a] big>=2147483647 & x<1 -> (x'"'"'=x+1);\n [b] x=1 -> true;\nendmodule\nlabel "end" = x=1;\n' "$4" "$5" > "$dir/big.prism"
    expect "$1" "$2" "$3" "$VOUCH" convert "$dir/big.prism" --commit end -T 2 -p 1 -o "$dir/big.json"
}
prism prism_largest 0 "2 states" 9223372036854775807 1
prism prism_beyond 1 "the whole number is larger than 9223372036854775807" 9223372036854775808 1
prism prism_sum 0 "2 states" 9223372036854775806+1 1
prism prism_sum_beyond 1 "the result is too large for a whole number" 9223372036854775807+1 1
prism prism_least 1 "" -2147483647-1 1
prism prism_range 0 "2 states" 2147483647 2147483647
"$VOUCH" generate t-maze -o "$dir/titled.json"
"$VOUCH" plan "$dir/titled.json" -L 1 --log-tree "$dir/titled.jsonl" -q > /dev/null
expect tree_title 0 "search tree: " "$VOUCH" tree "$dir/titled.jsonl" --svg
expect tree_decisions 0 'paint-order="stroke">t=' "$VOUCH" tree "$dir/titled.jsonl" --svg
finish

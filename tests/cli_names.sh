# Names with newlines, quotation marks, control characters and the like: every file written is still of its kind, or refused before it is begun.
. tests/expect.sh
python=${PYTHON:-python3}
cat > "$dir/odd.json" <<'END'
{ "vouch": 1, "name": "odd \"model\"\n@type: DTMC", "states": ["=1+2", "a\n\t1 : 1\n", "x=0,y=1", "<b>&\"\u0007\\"], "actions": ["-go\n", "@\"up\", <now>"],
  "initial": "=1+2", "horizon": 2, "commitment": {"states": ["a\n\t1 : 1\n"], "probability": 0},
  "transitions": [["=1+2", "-go\n", "a\n\t1 : 1\n", 0.5], ["=1+2", "-go\n", "x=0,y=1", 0.5], ["=1+2", "@\"up\", <now>", "<b>&\"\u0007\\", 1],
                  ["a\n\t1 : 1\n", "-go\n", "a\n\t1 : 1\n", 1], ["x=0,y=1", "-go\n", "x=0,y=1", 1], ["<b>&\"\u0007\\", "-go\n", "x=0,y=1", 1]],
  "rewards": [["=1+2", "-go\n", 1]], "environments": [{"name": "+k\r1"}, {"name": "k]]>2", "rewards": [["=1+2", "@\"up\", <now>", 2]]}] }
END
"$VOUCH" plan "$dir/odd.json" -L 1 -o "$dir/policy.json" --log-tree "$dir/tree.jsonl" > "$dir/out"
expect table_stays_a_table 0 "" awk 'NR > 3 && /kept$/ { exit 1 }' "$dir/out"
is_xml() { "$python" -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$1" > "$dir/out" 2>&1 && echo "ok $2" || echo "not ok $2: $(tail -n 1 "$dir/out")"; }
is_json() { "$python" -c 'import sys, json; [json.loads(l) for l in (open(sys.argv[1]) if sys.argv[2] == "lines" else [open(sys.argv[1]).read()])]' "$1" "$3" > "$dir/out" 2>&1 && echo "ok $2" || echo "not ok $2: $(tail -n 1 "$dir/out")"; }
"$VOUCH" show "$dir/odd.json" "$dir/policy.json" --svg -o "$dir/policy.svg"
is_xml "$dir/policy.svg" policy_svg
"$VOUCH" tree "$dir/tree.jsonl" --svg -o "$dir/tree.svg"
is_xml "$dir/tree.svg" tree_svg
is_json "$dir/tree.jsonl" tree_log lines
"$VOUCH" show "$dir/odd.json" "$dir/policy.json" --storm -o "$dir/storm.json"
is_json "$dir/storm.json" storm whole
"$VOUCH" show "$dir/odd.json" "$dir/policy.json" --json > "$dir/show.json"
is_json "$dir/show.json" show_json whole
# CSV: as many fields in every record, and no field that a spreadsheet works out
"$VOUCH" show "$dir/odd.json" "$dir/policy.json" --csv -o "$dir/policy.csv"
"$python" - "$dir/policy.csv" > "$dir/out" 2>&1 <<'END' && echo "ok policy_csv" || echo "not ok policy_csv: $(tail -n 1 "$dir/out")"
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert len({len(row) for row in rows}) == 1 and len(rows) > 2, rows
def number(x):
    try: return float(x) == float(x)
    except ValueError: return False
assert not [x for row in rows for x in row if x[:1] in "=+-@\t\r" and x and not number(x)], rows
assert any(row[1] == "'=1+2" for row in rows), rows
END
# Graphviz: outside quotation marks nothing but what the program wrote
"$VOUCH" show "$dir/odd.json" "$dir/policy.json" --dot -o "$dir/dot"
if "$python" -c 'import re,sys; t=open(sys.argv[1]).read(); assert not re.search(r"[\x00-\x09\x0b-\x1f]", t); left=re.sub(r"\"(\\.|[^\"\\\n])*\"", "", t); assert "\"" not in left and all(re.fullmatch(r"[\w {}\[\];=,.>-]*", l) for l in left.split("\n")), left' "$dir/dot" > "$dir/out" 2>&1
then echo "ok dot_show"; else echo "not ok dot_show: $(tail -n 3 "$dir/out")"; fi
# DRN: refused before anything is written; states that would not come back are numbered
expect drn_action 1 "has a name that a DRN file cannot hold" "$VOUCH" convert "$dir/odd.json" -o "$dir/drn/"
if [ -e "$dir/drn" ]; then echo "not ok drn_nothing_written"; else echo "ok drn_nothing_written"; fi
sed 's/-go\\n/-go/g; s/@\\"up\\", <now>/[up] now/g' "$dir/odd.json" > "$dir/states.json"
expect drn_states 0 "4 states" "$VOUCH" convert "$dir/states.json" -o "$dir/drn/"
expect drn_back 0 "4 states, 2 actions, 2 environments" "$VOUCH" convert "$dir/drn" --commit commit -T 2 -p 0 -o "$dir/back.json"
expect drn_action_back 0 '"[up] now"' cat "$dir/back.json"
value() { "$VOUCH" plan "$1" -L 1 --json | sed -n 's/.*"max_regret": \([^,]*\),.*/\1/p'; }
if [ "$(value "$dir/odd.json")" = "$(value "$dir/back.json")" ] && [ -n "$(value "$dir/back.json")" ]; then echo "ok drn_same_regret"; else echo "not ok drn_same_regret"; fi
"$VOUCH" convert "$dir/odd.json" -o "$dir/again.json" > /dev/null
"$VOUCH" convert "$dir/again.json" -o "$dir/twice.json" > /dev/null
if cmp -s "$dir/again.json" "$dir/twice.json"; then echo "ok json_again"; else echo "not ok json_again"; fi
finish

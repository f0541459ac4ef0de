#!/bin/sh
# vouch watch: pages are whole, hold the record as JSON, load nothing, let no name become markup, and are the same every time; the solve is that of plan and lp.
. tests/expect.sh
python=${PYTHON:-python3}
ok() { if [ "$2" = "$3" ]; then echo "ok $1"; else echo "not ok $1: expected $3, got $2"; fi; }
# page PAGE EXPRESSION: value of a Python expression over the record r
page() {
    "$python" - "$1" "$2" <<'END'
import json, re, sys
text = open(sys.argv[1], encoding="utf-8").read()
r = json.loads(re.search(r'<script type="application/json" id="record">(.*?)</script>', text, re.S).group(1))
def count(what): return sum(e["e"] == what for e in r["events"])
print(eval(sys.argv[2]))
END
}
# A page in a browser of a few lines, for its script: every step is shown, keys and touches are taken, and nothing is thrown.
cat > "$dir/browser.js" <<'END'
"use strict";
const fs = require("fs"), page = fs.readFileSync(process.argv[2], "utf8"), scripts = [...page.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
const canvas = () => new Proxy({}, { get: (_, name) => words => name === "measureText" ? { width: 7 * words.length } : undefined, set: () => true });
class Element {
  constructor(tag) { Object.assign(this, { tagName: tag.toUpperCase(), children: [], style: {}, fields: {}, listeners: {}, clientWidth: 600, scrollWidth: 700, parentNode: null }); }
  append(...children) { for (const c of children) { this.children.push(c); if (c instanceof Element) c.parentNode = this; } }
  get lastChild() { return this.children[this.children.length - 1]; }
  get firstChild() { return this.children[0]; }
  replaceChildren(...children) { this.children = []; this.append(...children); }
  setAttribute(name, value) { this.fields[name] = value; if (name === "value" || name === "max" || name === "type") this[name] = value; }
  addEventListener(name, act) { this.listeners[name] = act; }
  find(tag) { return this.children.flatMap(c => c instanceof Element ? [...c.tagName === tag.toUpperCase() ? [c] : [], ...c.find(tag)] : []); }
  querySelectorAll(tag) { return this.find(tag); }
  querySelector(tag) { return this.find(tag)[0] || null; }
  getContext() { return canvas(); }
  getBoundingClientRect() { return { left: 0, top: 0, width: 600, height: 300 }; }
}
const root = new Element("main"), keys = {};
root.textContent = "";
const document = { documentElement: root, createElement: t => new Element(t), createElementNS: (_, t) => new Element(t), addEventListener: (n, act) => { keys[n] = act; },
  getElementById: id => id === "record" ? { textContent: scripts.find(s => s[1].includes('id="record"'))[2] } : root };
const window = { devicePixelRatio: 1, innerWidth: 1280, scrollY: 0, scrollTo() {}, addEventListener() {}, matchMedia: () => ({ matches: false, addEventListener() {} }) };
const use = `
  const first = record.steps[state.step], second = record.steps.some(s => s.tree && s.tree.goal === "total"), told = record.steps.some(s => s.tree && s.tree.goal === "maximum");
  if (record.kind === "plan" && record.method !== "ccil" && told && (first.tree.goal !== "maximum" || !missing(record.value) && record.method === "milp-ccl" &&
    Math.abs(regret(first.tree, first.best) - record.value) > 1e-5)) throw new Error("Error: the page opens on another search");
  if (second) console.log("opens on the first of two searches");
  const align = () => {
    const noise = root.find("td").map(d => d.children[0]).find(c => /[0-9]e-1[3-9]$/.test(c));
    if (noise) throw new Error("Error: only rounding keeps this from 0: " + noise);
    for (const t of root.find("table")) {
    if (t.fields.class !== "tight tighter") throw new Error("Error: a table wider than its panel is not made smaller");
    const rows = t.find("tr").map(r => r.children.map(c => /words/.test(c.fields.class || "")));
    for (const r of rows) if (r.some((w, j) => w !== rows[0][j])) throw new Error("Error: a column is not aligned: " + t.find("th").map(h => h.children.join()));
  } };
  const spaced = () => {
    const places = root.find("svg").filter(v => /mixture/.test(v.fields["aria-label"])).flatMap(v => v.find("text")).map(t => t.fields.x + "," + t.fields.y);
    if (new Set(places).size < places.length) throw new Error("Error: two names of states in one place");
  };
  for (let i = 0; i <= LAST; i++) { go(i); align(); spaced(); }
  for (const key of ["Home", "ArrowRight", "End", "ArrowLeft"]) keys.keydown({ key, target: root, preventDefault() {} });
  const tree = root.querySelector("canvas");
  if (tree) tree.listeners.click({ clientX: 300, clientY: 14 });
  for (const b of root.find("button")) if (b.listeners.click && b.fields.title !== "play or pause") b.listeners.click();
  console.log(LAST + 1, root.find("section").length);`;
new Function("document", "window", "getComputedStyle", "root", "keys", "Path2D", scripts[scripts.length - 1][2] + use)(document, window, () => ({ getPropertyValue: () => "#000" }), root, keys, class { addPath() {} });
END
watch() { # NAME STATUS ARGUMENTS..: a page $dir/page.html, made twice
    name=$1 status=$2
    shift 2
    expect "$name" "$status" "" "$VOUCH" watch "$@" -o "$dir/page.html"
    "$VOUCH" watch "$@" -o "$dir/again.html" > /dev/null 2>&1
    if cmp -s "$dir/page.html" "$dir/again.html"; then echo "ok ${name}_again"; else echo "not ok ${name}_again: another page"; fi
    command -v node > /dev/null || return
    if node "$dir/browser.js" "$dir/page.html" > "$dir/shown" 2>&1 && ! grep -q ' 0$' "$dir/shown"; then echo "ok ${name}_script"; else echo "not ok ${name}_script: $(grep -m 1 Error "$dir/shown")"; fi
}

"$VOUCH" generate twin-states -T 9 -o "$dir/twin.json"
"$VOUCH" generate t-maze --size 4,2,2,3 -o "$dir/maze.json"
watch twin 0 "$dir/twin.json" -L 1
ok twin_status "$(page "$dir/page.html" 'r["status"], abs(r["value"] - 8) < 1e-9, r["figures"][0]["kept"]')" "('optimal', True, 1)"
watch maze 0 "$dir/maze.json" -L 1 --gap 1e-6
nodes=$("$VOUCH" plan "$dir/maze.json" -L 1 --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["nodes"])')
ok maze_nodes "$(page "$dir/page.html" 'r["nodes"]')" "$nodes"
ok maze_recorded "$(page "$dir/page.html" 'count("node")')" "$nodes"
ok maze_root "$(page "$dir/page.html" 'count("mixture") > 0 and count("pairs") > 0 and count("column") > 0 and len(r["moves"]) > 0')" True
ok nothing_loaded "$(grep -cE '(src|href)=|@import|url\(|fetch\(|XMLHttp' "$dir/page.html")" 0
expect summary 0 "page.html: optimal, 0.68064" "$VOUCH" watch "$dir/maze.json" -L 1 -o "$dir/page.html"
expect json 0 '"status":"optimal"' "$VOUCH" watch "$dir/maze.json" -L 1 --json -o "$dir/page.html"
watch infeasible 0 "$dir/maze.json" -p 1
ok infeasible_status "$(page "$dir/page.html" 'r["status"]')" infeasible
printf 'mdp\nconst int wet;\nmodule m\n x : [0..2] init 0;\n y : [0..1] init 0;\n fuel : [0..3] init 3;\n [east] x<2 & fuel>0 -> 0.9-0.2*wet : (x\047=x+1) & (fuel\047=fuel-1) + 0.1+0.2*wet : (y\047=1) & (fuel\047=fuel-1);\n [stay] true -> 0.5 : true + 0.5 : (fuel\047=max(0,fuel-1));\nendmodule\nrewards "r" [stay] y=1 : 1; endrewards\n' > "$dir/cells.prism"
"$VOUCH" convert "$dir/cells.prism" --const wet=0:1 --commit 'x=2' -p 0.5 -T 5 -o "$dir/cells.json" > /dev/null
watch cells 0 "$dir/cells.json" -L 1
ok cells_named "$(page "$dir/page.html" 'len(r["states"]) > len({s[:7] for s in r["states"]})')" True
watch limited 0 "$dir/maze.json" -p 0.9 --without pareto,fixing --node-limit 40
ok limited_status "$(page "$dir/page.html" 'r["status"]')" feasible

# other methods: column generation, descents and boxes, plans made again
watch history 0 "$dir/maze.json" --method history
ok history_columns "$(page "$dir/page.html" 'count("column") > 5 and count("mixture") == 1 and [e["kind"] for e in r["events"] if e["e"] == "tree"] == ["history"]')" True
ok history_bound "$(page "$dir/page.html" 'max(e["bound"] for e in r["events"] if e["e"] in ("column", "mixture")) <= r["value"] + 1e-9')" True
"$VOUCH" generate t-maze -o "$dir/easy.json"
expect no_regret 0 "optimal, 0 (bound 0)" "$VOUCH" watch "$dir/easy.json" --method history -o "$dir/page.html"
watch exact 0 "$dir/maze.json" --method exact-ccl --restarts 4
ok exact_boxes "$(page "$dir/page.html" 'count("descent") >= 4 and all("least" in e or "most" in e for e in r["events"][max(i for i, e in enumerate(r["events"]) if e["e"] == "tree"):] if e["e"] == "node" and e["up"] > 0) and count("node") > 3')" True
"$VOUCH" generate twin-states -T 7 -o "$dir/short.json"
watch ccil 0 "$dir/short.json" --ccil
ok ccil_value "$(page "$dir/page.html" 'round(r["value"], 9), count("segment") == count("planned") == r["plans"] > 20')" "(5.0, True)"
ok ccil_exits "$(page "$dir/page.html" 'all(next(s for s in r["events"] if s["e"] == "segment" and s["id"] == c)["time"] > 0 for e in r["events"] if e["e"] == "planned" for c, p in e.get("exits", []) if c >= 0)')" True
expect no_search 1 "greedy does not search, so there is nothing to watch" "$VOUCH" watch "$dir/maze.json" --method greedy -o "$dir/none.html"

# the programs of --engine lp, by themselves: their optima are the least maximum regrets
watch compact 0 "$dir/short.json" -L 1 --engine lp --presolve
ok compact_program "$(page "$dir/page.html" 'r["kind"], abs(r["value"] - 6) < 1e-6, count("node") == r["nodes"], "compact program of short.json with L = 1" in r["about"]')" "('mip', True, True, True)"
watch linear_history 0 "$dir/short.json" --engine lp --method history
ok history_program "$(page "$dir/page.html" 'r["kind"], count("pivot") > 10, r["about"][:11]')" "('lp', True, 'The history')"
ok history_value "$(page "$dir/page.html" 'r["value"] < 1e9')" True
expect no_engine 1 "--engine lp is for one plan of milp-ccl or history" "$VOUCH" watch "$dir/short.json" --engine lp --ccil -o "$dir/none.html"

# a name that would end the script, if it could
cat > "$dir/name.json" <<'END'
{ "vouch": 1, "name": "</script><script>alert(1)</script>", "states": ["<b>", "\"&'"], "actions": ["<!--", "x"], "initial": "<b>", "horizon": 2,
  "commitment": { "states": ["<b>"], "probability": 0.5 }, "transitions": [["<b>", "<!--", "\"&'", 1.0], ["<b>", "x", "<b>", 1.0], ["\"&'", "x", "<b>", 1.0]],
  "rewards": [["\"&'", "x", 1]], "environments": [ { "name": "</title>" , "transitions": [], "rewards": [] } ] }
END
watch names 0 "$dir/name.json"
ok names_kept "$(page "$dir/page.html" 'r["name"] == "</script><script>alert(1)</script>" and r["states"][0] == "<b>"')" True
ok no_markup "$(grep -c 'alert(1)</script>' "$dir/page.html")" 0

printf 'max\n obj: 3 x + 2 y\nst\n c1: x + y <= 4\n c2: x + 3 y <= 6\n c3: 2 x + y <= 7\nend\n' > "$dir/two.lp"
watch linear 0 "$dir/two.lp" --primal
ok linear_path "$(page "$dir/page.html" '[e["x"] for e in r["events"] if e["e"] in ("start", "pivot")]')" "[[0, 0], [3.5, 0], [3, 1]]"
ok linear_pivots "$(page "$dir/page.html" 'count("pivot") == r["iterations"] and count("basis") >= count("pivot")')" True
printf 'max\n obj: 5 x + 4 y\nst\n c1: 6 x + 4 y <= 23\n c2: x + 2 y <= 6\ngeneral\n x y\nend\n' > "$dir/int.lp"
watch integer 0 "$dir/int.lp"
ok integer_cut "$(page "$dir/page.html" '[(e["col"], e["value"], float(e["upper"])) for e in r["events"] if e["e"] == "cut"]')" "[([0, 1], [1, 1], 4.0)]"
ok integer_pivots "$(page "$dir/page.html" 'r["events"][0]["e"], count("pivot") > 2, [e["m"] for e in r["events"] if e["e"] == "start"][-1]')" "('start', True, 3)"
watch tree 0 "$dir/int.lp" --no-cuts --no-heuristics
ok tree_nodes "$(page "$dir/page.html" 'count("node") == r["nodes"] > 1')" True
watch relaxed 0 "$dir/int.lp" --nomip
ok relaxed_kind "$(page "$dir/page.html" 'r["kind"]')" lp
mv "$dir/two.lp" "$dir/two.txt"
expect program 0 "optimal, 11" "$VOUCH" watch "$dir/two.txt" --lp -o "$dir/page.html"

rm -f "$dir/none.html"
expect no_output 1 "-o PAGE.html is missing" "$VOUCH" watch "$dir/twin.json"
expect no_model 1 "" "$VOUCH" watch "$dir/absent.json" -o "$dir/none.html"
expect no_part 1 "not a part of the search" "$VOUCH" watch "$dir/twin.json" --without sense -o "$dir/none.html"
expect part_gone 0 "the search no longer has stagnation-restart" "$VOUCH" plan "$dir/twin.json" --without stagnation-restart
ok nothing_written "$(ls "$dir/none.html" 2> /dev/null)" ""
expect no_folder 1 "" "$VOUCH" watch "$dir/twin.json" -o "$dir/absent/page.html"

# logs explain their columns once, say what happened and give a hint; --stats is one line of JSON beside an answer that stays the same
"$VOUCH" plan "$dir/maze.json" -L 1 --json > "$dir/plain" 2> /dev/null
"$VOUCH" plan "$dir/maze.json" -L 1 --json -v --stats > "$dir/told" 2> "$dir/log"
same() { sed 's/"seconds": *[0-9.e-]*//' "$1"; }
ok same_answer "$(same "$dir/told")" "$(same "$dir/plain")"
ok plan_legend "$(grep -c '^    nodes  *open  *best' "$dir/log")" 1
ok plan_happened "$(grep -c -e '^what happened: [1-9][0-9]* nodes' -e '^bounds: ' -e '^time: ' -e '^hint: ' "$dir/log")" 4
ok plan_stats "$(tail -n 1 "$dir/log" | "$python" -c 'import json, sys; d = json.load(sys.stdin); print(d["kernels"]["induction"]["calls"] > 0, sum(d["counts"][c] for c in d["counts"] if c in ("divided", "by_bound", "by_pairs", "unseen", "empty", "solved", "unfinished")))')" "True $nodes"
"$VOUCH" lp tests/data/lp/diet.lp -v --stats > "$dir/told" 2> "$dir/log"
ok lp_legend "$(grep -c '^    pivots  method' "$dir/log")" 1
ok lp_happened "$(grep -c -e '^what happened: pivots: [1-9]' -e '^time: ' -e '^hint: ' "$dir/log")" 3
ok lp_stats "$(tail -n 1 "$dir/log" | "$python" -c 'import json, sys; d = json.load(sys.stdin); print(d["kernels"]["update"]["calls"] == d["counts"].get("primal_pivots", 0) + d["counts"].get("dual_pivots", 0) > 0)')" True
"$VOUCH" lp "$dir/int.lp" -v > "$dir/told" 2> "$dir/log"
ok mip_legend "$(grep -c '^    nodes  *open  *best' "$dir/log")" 1
ok mip_happened "$(grep -c -e '^what happened: ' -e '^hint: ' "$dir/log")" 2

# each environment alone keeps the promise, no policy in both
cat > "$dir/joint.json" <<'END'
{ "vouch": 1, "name": "guess", "states": ["start", "good", "bad"], "actions": ["left", "right"], "initial": "start", "horizon": 2,
  "commitment": { "states": ["good"], "probability": 0.9 },
  "transitions": [["good", "left", "good", 1], ["good", "right", "good", 1], ["bad", "left", "bad", 1], ["bad", "right", "bad", 1]], "rewards": [["start", "left", 1]],
  "environments": [ { "transitions": [["start", "left", "good", 1], ["start", "right", "bad", 1]] },
                    { "transitions": [["start", "left", "bad", 1], ["start", "right", "good", 1]] } ] }
END
"$VOUCH" plan "$dir/joint.json" -v --without reach > "$dir/told" 2> "$dir/log"
ok infeasible_legend "$(grep -c '^    nodes  *open  *best' "$dir/log")" 1
ok infeasible_happened "$(grep -c -e '^what happened: ' -e '^hint: --max-commitment' "$dir/log")" 2
"$VOUCH" plan "$dir/maze.json" -p 1 -v > "$dir/told" 2> "$dir/log"
ok hopeless_happened "$(grep -c '^what happened: no search was needed: in one environment no policy' "$dir/log")" 1
"$VOUCH" plan "$dir/maze.json" --method history -v --stats > "$dir/told" 2> "$dir/log"
ok history_happened "$(grep -c -e '^column generation: bound ' -e '^what happened: column generation took [1-9]' "$dir/log")" 2
"$VOUCH" plan "$dir/maze.json" --method exact-ccl --restarts 2 -v --stats > "$dir/told" 2> "$dir/log"
ok exact_happened "$(grep -c -e '^what happened: .* descents of local search' -e '^hint: ' "$dir/log")" 2
ok exact_stats "$(tail -n 1 "$dir/log" | "$python" -c 'import json, sys; k = json.load(sys.stdin)["kernels"]; print(all(k[n]["calls"] > 0 for n in ("space", "induction", "master", "descent")))')" True
"$VOUCH" ccil "$dir/short.json" --json > "$dir/plain" 2> /dev/null
"$VOUCH" ccil "$dir/short.json" --json --stats > "$dir/told" 2> "$dir/log"
ok same_ccil "$(same "$dir/told")" "$(same "$dir/plain")"
ok ccil_stats "$(tail -n 1 "$dir/log" | "$python" -c 'import json, sys; print(json.load(sys.stdin)["kernels"]["segments"]["calls"] > 20)')" True

"$VOUCH" ccil "$dir/short.json" --json -v > "$dir/told" 2> "$dir/log"
ok same_ccil_told "$(same "$dir/told")" "$(same "$dir/plain")"
ok ccil_happened "$(grep -c -e '^what happened: [1-9][0-9]* plans were made, ' -e '^replanning: t = 0: 1 plan, [1-9]' -e '^in all: [1-9][0-9]* nodes: ' -e '^bounds: ' -e '^time: ' -e '^hint: ' "$dir/log")" 6
# plans and nodes of the times add up
ok ccil_stages "$(grep -e '^what happened' -e '^replanning' -e '^in all' "$dir/log" | "$python" -c 'import re, sys; a, b, c = sys.stdin; print(sum(map(int, re.findall(r"(\d+) plans?\b", b))) == int(re.search(r"\d+", a)[0]), sum(map(int, re.findall(r"(\d+) nodes?\b", b))) == int(re.search(r"\d+", c)[0]))')" "True True"
"$VOUCH" ccil "$dir/short.json" --inner exact-ccl --restarts 1 --program-limit 3 -v > "$dir/told" 2> "$dir/log"
ok ccil_exact_happened "$(grep -c -e '^in all: .* descents of local search' -e '^hint: a larger --program-limit' "$dir/log")" 2
"$VOUCH" ccil "$dir/maze.json" -p 1 -v > "$dir/told" 2> "$dir/log"
ok ccil_hopeless "$(grep -c '^hint: vouch plan --max-commitment' "$dir/log")" 1

# the script is one: where there is an interpreter, it parses
if command -v node > /dev/null; then
    cat src/cli/watch/record.js src/cli/watch/draw.js src/cli/watch/tree.js src/cli/watch/plan.js src/cli/watch/program.js src/cli/watch/page.js > "$dir/all.js"
    expect script_parses 0 "" node --check "$dir/all.js"
fi
finish

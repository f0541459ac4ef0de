# Showing policies in every way, and converting between formats.
. tests/expect.sh
PYTHON=${PYTHON:-python3}
cat > "$dir/walk.prism" <<'P'
mdp
const int wet;
module walker
    x : [0..2] init 0;
    y : [0..1] init 0;
    [east]  true -> (x=wet ? 0.5 : 1) : (x'=min(x+1,2)) + (x=wet ? 0.5 : 0) : true;
    [north] true -> (y'=1);
    [south] true -> (y'=0);
endmodule
rewards "sun" y=1 : 1; endrewards
label "home" = x=2 & y=0;
P
set -- --const wet=0:1 --commit home --reward sun -T 5 -p 0.5
expect plan_prism 0 "maximum regret" "$VOUCH" plan "$dir/walk.prism" "$@" -L 2 -o "$dir/p.json"
expect evaluate_prism 0 "is kept in every environment" "$VOUCH" evaluate "$dir/walk.prism" "$dir/p.json" "$@"
expect table_alone 0 "x=0,y=0" "$VOUCH" show "$dir/p.json"
expect table 0 "wet=0" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@"
expect table_after 0 "after step 2 it depends on the state, but learns nothing more about the environment; @ names the state at step 2" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@"
expect table_reach 0 "columns of environments: probability of being there" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@"
expect tree_after 0 "after step 2 it depends on the state, but learns nothing more about the environment; @ names the state at step 2" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --tree
expect words_after 0 "after step 2 it depends on the state, but learns nothing more" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --words
expect tree 0 "t=5" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --tree
expect csv 0 "time,state,knowledge,action,probability,reach wet=0,reach wet=1" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --csv
expect csv_alone 0 '0,"x=0,y=0",all,' "$VOUCH" show "$dir/p.json" --csv
expect dot_title 0 "labelloc=t" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --dot
expect dot 0 "digraph policy" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --dot
expect svg 0 "</svg>" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --svg --height 1000000
expect grid 0 "</svg>" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --grid
# A grid draws the steps that may come, and no others: those of the model and of the policy's actions, a coin as two arrows.
cat > "$dir/coin.json" <<'P'
{ "vouch_policy": 1, "L": 0, "T": 5, "environments": [{ "name": "wet=0" }, { "name": "wet=1" }], "rules": [
P
for t in 0 1 2 3 4; do for x in 0 1 2; do for y in 0 1; do
    echo "{ \"time\": $t, \"state\": \"x=$x,y=$y\", \"boundary\": { \"time\": 0, \"state\": \"x=0,y=0\", \"environments\": [0, 1] }, \"do\": { \"east\": 0.5, \"$([ $y = 0 ] && echo north || echo south)\": 0.5 } },"
done; done; done | sed '$s/,$/ ] }/' >> "$dir/coin.json"
"$VOUCH" show "$dir/walk.prism" "$dir/coin.json" "$@" --grid -o "$dir/coin.svg"
judge grid_steps "$PYTHON" - "$dir/coin.svg" <<'END'
import re, sys, xml.dom.minidom
wrong, moves = [], [g for g in xml.dom.minidom.parse(sys.argv[1]).getElementsByTagName("g") if g.hasAttribute("stroke")]
for g in moves:
    x, y = map(int, re.match(r"x=(\d),y=(\d)", g.getElementsByTagName("title")[0].firstChild.data).groups())
    drawn = sorted(e.getAttribute("data-step") for tag in ("line", "circle") for e in g.getElementsByTagName(tag))
    want = sorted([f"0,{1 - 2 * y}"] + (["1,0", "0,0"] if x < 2 else ["0,0"]))
    if drawn != want: wrong.append((x, y, drawn, want))
    for line in g.getElementsByTagName("line"):
        dx, dy = map(int, line.getAttribute("data-step").split(","))
        a, b, c, d = (float(line.getAttribute(n)) for n in ("x1", "y1", "x2", "y2"))
        if abs((c - a) * -dy - (d - b) * dx) > 0.2 or (c - a) * dx - (d - b) * dy <= 0: wrong.append(("direction", dx, dy))
print("ok grid_steps" if moves and not wrong else f"not ok grid_steps: {len(moves)} {wrong[:2]}")
END
expect two_ways 1 "only one of" "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --grid --svg
expect needs_model 1 "the model is missing" "$VOUCH" show "$dir/p.json" --svg --height 1000000
expect no_policy 1 "is a model: vouch plan" "$VOUCH" show tests/data/fuzz/fuzz_model_json/lookahead.json
for way in svg grid; do
    if "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --$way | "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)'
    then echo "ok ${way}_is_xml"; else echo "not ok ${way}_is_xml"; fi
done
for way in json storm; do
    if "$VOUCH" show "$dir/walk.prism" "$dir/p.json" "$@" --$way | "$PYTHON" -c 'import sys, json; json.load(sys.stdin)'
    then echo "ok ${way}_is_json"; else echo "not ok ${way}_is_json"; fi
done

"$VOUCH" convert bench/examples/ferry.prism --const current=0:2 --commit port -T 8 -p 0.9 -o "$dir/ferry.json" > /dev/null
"$VOUCH" plan "$dir/ferry.json" -L 2 -q -o "$dir/ferry.policy" > /dev/null

# Pictures stay within the width of a page, in bands where there are many steps.
"$VOUCH" generate twin-states -T 31 -o "$dir/twin.json"
"$VOUCH" plan "$dir/twin.json" --method greedy -q -o "$dir/twin.policy" > /dev/null
if "$VOUCH" show "$dir/twin.json" "$dir/twin.policy" --svg --height 1000000 | "$PYTHON" -c 'import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.stdin)
number = lambda e, *names: [float(e.getAttribute(n)) for n in names]
boxes = [number(e, "x", "y", "width", "height") for e in d.getElementsByTagName("rect") if e.getAttribute("rx")]
assert number(d.documentElement, "width")[0] <= 1280 and len({b[1] for b in boxes}) > 3
for i, (x, y, w, h) in enumerate(boxes):
    assert x + w <= 1280 and all(x + w <= u or u + a <= x or y + h <= v or v + b <= y for u, v, a, b in boxes[:i])'
then echo "ok svg_bands"; else echo "not ok svg_bands"; fi

# The policy picture: lanes by what is known, runs in one box, the line at L, and how much was left out.
"$VOUCH" generate t-maze -o "$dir/maze.json"
"$VOUCH" plan "$dir/maze.json" -L 3 -q -o "$dir/maze.policy" > /dev/null
"$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg --height 1000000 -o "$dir/lanes.svg"
"$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg --height 1000000 --least-probability 0.2 -o "$dir/likely.svg"
"$VOUCH" generate t-maze --size 6,3,3,5 -T 16 -o "$dir/many.json"
"$VOUCH" plan "$dir/many.json" --method greedy -o "$dir/many.policy" > "$dir/log"
expect many_places 0 "drawn as rules" "$VOUCH" show "$dir/many.json" "$dir/many.policy" --svg -o "$dir/many.svg"
expect fewer_places 0 "" "$VOUCH" show "$dir/many.json" "$dir/many.policy" --svg --height 1000000 --least-probability 0.05 -o "$dir/many.svg"
expect said_once 1 "" grep -q "places in the picture" "$dir/out"
"$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --json > "$dir/nodes.json"
judge lanes "$PYTHON" - "$dir" <<'END'
import json, re, sys, xml.dom.minidom
place = sys.argv[1]
def read(name):
    d = xml.dom.minidom.parse(f"{place}/{name}.svg")
    words = lambda e: "".join(c.data for c in e.childNodes)
    number = lambda e, *names: [float(e.getAttribute(n)) for n in names]
    boxes = [(number(g.getElementsByTagName("rect")[0], "x", "y", "width", "height"), [words(t) for t in g.getElementsByTagName("text")],
              words(g.getElementsByTagName("title")[0]), g.getElementsByTagName("rect")[0].getAttribute("stroke-width")) for g in d.getElementsByTagName("g")]
    lanes = [number(r, "y", "height") for r in d.getElementsByTagName("rect") if r.getAttribute("fill") == "#f1f4f8"]
    texts = [(words(t), *number(t, "x", "y")) for t in d.getElementsByTagName("text") if t.parentNode.tagName == "svg"]
    return boxes, lanes, texts, d
def check(name, passed): print("ok" if passed else "not ok", "lanes_" + name)
boxes, lanes, texts, d = read("lanes")
check("title", texts[0][0] == "t-maze: a policy of 10 steps, L = 3")
named = {text: next((i for i, (y, h) in enumerate(lanes) if y <= at <= y + h), None) for text, x, at in texts}
check("names", [named.get(n) for n in ("all", "k2", "all, as known at step 3", "k2, as known at step 3")] == [0, 1, 2, 3])
inside = lambda box, lane: lanes[lane][0] <= box[1] and box[1] + box[3] <= sum(lanes[lane])
at = lambda time, *said: [b for b in boxes if b[2].startswith(f"t = {time}") and all(any(w in line for line in b[1]) for w in said)]
check("root", len(at(0)) == 1 and inside(at(0)[0][0], 0) and "t = 0 to 1," in at(0)[0][2] and at(0, "x0 .. x1", "east, 2 steps") != [])
check("second", all(inside(b[0], 1) for b in at(2, "x1")) and at(2, "x1") != [])  # who is still in x1 after two steps slipped: that is k2
check("behind", all(inside(b[0], 3) for b in at(3, "@x1")) and all(inside(b[0], 2) for b in at(3, "@x3")) and at(3, "@x1") != [] and at(3, "@x3") != [])
check("end", {(b[1][0], b[1][1], b[3]) for b in boxes if "t = 10," in b[2]} == {("c", "promise kept", "3")} | {(s, "not kept", "1") for s in ("s", "r", "x1")})
dashed = [p.getAttribute("d") for p in d.getElementsByTagName("path") if p.getAttribute("stroke-dasharray")]
left = {time: min(b[0][0] for b in at(time)) for time in (2, 3)}
check("boundary", len(dashed) == 1 and left[2] < float(re.match(r"M(\S+)", dashed[0])[1]) < left[3])
check("legend", any("edge width: probability" in t for t, x, y in texts) and any("thick frame" in t for t, x, y in texts))
nodes = json.load(open(f"{place}/nodes.json"))
few, _, texts, _ = read("likely")
count = re.search(r"; (\d+) of (\d+) places left out, each less likely than 0.2", texts[0][0])
check("left_out", count and 0 < int(count[1]) < int(count[2]) and len(few) < len(boxes))
END
"$VOUCH" convert "$dir/walk.prism" --const wet=0:1 --commit 'at:x=1>=0.1' --commit 'avoid:x=0 & y=1>=0.1' -T 5 -o "$dir/walk.json" > /dev/null
"$VOUCH" plan "$dir/walk.json" -q -o "$dir/walk.policy" > /dev/null
# Two moves in one cell differ in what promises remember, which has a number, too.
expect grid_memory 0 "still possible, in brackets the memory of promises:" "$VOUCH" show --grid "$dir/walk.json" "$dir/walk.policy" --width 4000
expect grid_memory_number 0 ">2 all [x=0 &amp; y=1 broken]<" "$VOUCH" show --grid "$dir/walk.json" "$dir/walk.policy" --width 4000
# A mark of a cell is true of every state in it, or lists the states it is true of.
cat > "$dir/cells.prism" <<'P'
mdp
const int wet;
module walker
    x : [0..2] init 0;
    y : [0..2] init 0;
    fuel : [0..3] init 3;
    [east]  x<2 & fuel>0 -> 0.9-0.2*wet : (x'=x+1) & (fuel'=fuel-1) + 0.1+0.2*wet : (y'=min(y+1,2)) & (fuel'=fuel-1);
    [north] y<2 & fuel>0 -> (y'=y+1) & (fuel'=fuel-1);
    [stay]  true -> true;
endmodule
P
judge grid_marks "$PYTHON" - "$dir" "$VOUCH" "$(part 14 1400 7)" <<'END'
import json, random, re, subprocess, sys, xml.dom.minidom
DIR, VOUCH, DRAWS = *sys.argv[1:3], int(sys.argv[3])
METHODS = "-L 0", "-L 1", "-L 3", "--method history", "--method exact-ccl -L 1 --node-limit 30", "--method greedy -L 2", "--method mdps-best"
at = lambda name: tuple(int(re.search(v + r"=(\d+)", name)[1]) for v in "xy")
vouch = lambda *line: subprocess.run([VOUCH, *line], capture_output=True).returncode

def marks(commits, method):
    """The marks seen and wrong ones of a policy's grid; nothing if no policy is found."""
    model, policy, picture = (f"{DIR}/cells.{end}" for end in ("json", "policy", "svg"))
    assert vouch("convert", f"{DIR}/cells.prism", "--const", "wet=0:1", *(w for c in commits for w in ("--commit", c)), "-T", "5", "-o", model) == 0, commits
    if vouch("plan", model, "-q", "-o", policy, *method.split()) not in (0, 3): return set(), []
    assert vouch("show", model, policy, "--grid", "-o", picture) == 0, commits
    data, sets, wrong, seen = json.load(open(model)), {"goal": set(), "avoid": set()}, [], set()
    for c in data.get("commitments") or [data["commitment"]]: sets["avoid" if c.get("kind") == "avoid" else "goal"] |= set(c["states"])
    for g in xml.dom.minidom.parse(picture).getElementsByTagName("g"):
        if g.getAttribute("class") != "mark": continue
        cell, kind = tuple(map(int, g.getAttribute("data-cell").split(","))), g.getAttribute("data-mark")
        title, full = g.getElementsByTagName("title")[0].firstChild.data, g.getAttribute("data-of") == "all"
        here = {s for s in data["states"] if at(s) == cell}
        seen.add((kind, full))
        if full != (g.getAttribute("stroke-dasharray") == ""): wrong.append(("dashes", cell))
        if full and not here <= sets[kind]: wrong.append(("all", cell, kind))
        listed = {s.split(" [")[0] for s in title.partition(": ")[2].split("; ")}
        if not full and not (listed and listed == sets[kind] & here): wrong.append(("some", cell, title))
    return seen, wrong

r, atoms = random.Random(3), ["x=2", "x<2", "y>0", "y=2", "fuel=0", "fuel<2", "x+y=2"]
draws = [["home:at:x=2@5>=0.3", "dry:avoid:(fuel=0 & x<2) | (x=2 & y=2)>=0.1"]] + \
    [[f"c{i}:{r.choice(['at', 'by', 'stay', 'avoid'])}:{r.choice(atoms)} {r.choice('&|')} {r.choice(atoms)}>=0.01" for i in range(r.randint(1, 3))] for _ in range(DRAWS - 1)]
found = [marks(d, METHODS[i % 7]) for i, d in enumerate(draws)]
wrong, seen = [w for _, ws in found for w in ws], set().union(*(s for s, _ in found))
print("ok grid_marks" if not wrong and len(seen) == 4 and sum(bool(s) for s, _ in found) > DRAWS / 3 else f"not ok grid_marks: {seen} {wrong[:3]} {[len(s) for s, _ in found]}")
END
# Moves of one cell and time have different numbers or letters, which the legend explains; rare ones are left out where the page is small.
cat > "$dir/cart.prism" <<'P'
mdp
const int wet;
module cart
    x : [0..2] init 0;
    y : [0..1] init 0;
    load : [0..2] init 0;
    [east]  x<2 -> 0.8-0.3*wet : (x'=x+1) + 0.2+0.3*wet : true;
    [north] y<1 -> (y'=y+1);
    [fill]  true -> 0.5 : (load'=min(load+1,2)) + 0.5 : true;
endmodule
rewards load=2 & x=2 : 1; load=1 & y=1 : 0.5; endrewards
P
"$VOUCH" convert "$dir/cart.prism" --const wet=0:1 --commit x=2 -p 0.3 -T 7 -o "$dir/cart.json" > /dev/null
"$VOUCH" plan "$dir/cart.json" -q -o "$dir/cart.policy" > /dev/null
"$VOUCH" show "$dir/cart.json" "$dir/cart.policy" --grid -o "$dir/letters.svg"
"$VOUCH" show "$dir/cart.json" "$dir/cart.policy" --grid --width 400 --height 400 -o "$dir/low.svg"
judge grid_letters "$PYTHON" - "$dir" <<'END'
import collections, re, sys, xml.dom.minidom
read = lambda name: xml.dom.minidom.parse(f"{sys.argv[1]}/{name}.svg")
words = lambda e: "".join(c.data for c in e.childNodes if c.nodeType == c.TEXT_NODE)
moves = lambda d: [g for g in d.getElementsByTagName("g") if g.hasAttribute("stroke")]
d, places = read("letters"), collections.Counter()
legend = " ".join(words(t) for t in d.getElementsByTagName("text")).partition("Letters: values of load:")[2]
means = dict(re.findall(r"(\w) (\d+)", legend))
for g in moves(d):
    title, labels = words(g.getElementsByTagName("title")[0]), [words(t) for t in g.getElementsByTagName("text")]
    assert means[labels[1]] == re.search(r"load=(\d+)", title)[1], (labels, title, means)
    places[re.match(r"x=\d+,y=\d+", title)[0]] += 1
low = read("low").documentElement
print("ok grid_letters" if len(means) == 3 and max(places.values()) > 7 else f"not ok grid_letters: {legend}, {places}")
print("ok grid_low" if float(low.getAttribute("height")) <= 400 and 0 < len(moves(low)) < len(moves(d)) else "not ok grid_low")
END
expect grid_less 0 "left out: --height draws more" "$VOUCH" show --grid "$dir/cart.json" "$dir/cart.policy" --width 320 --height 320
expect grid_rare 0 "moves left out, each less likely than 0.1" "$VOUCH" show --grid "$dir/cart.json" "$dir/cart.policy" --least-probability 0.1 --width 4000
expect grid_pair 0 "by y and x" "$VOUCH" show "$dir/walk.json" "$dir/walk.policy" --grid y,x
expect grid_crossed 0 "cross: to be avoided" "$VOUCH" show --grid "$dir/walk.json" "$dir/walk.policy"
expect grid_equals 0 "by y and x" "$VOUCH" show --grid=y,x "$dir/walk.json" "$dir/walk.policy"
expect grid_none 1 "the states have no variables fx and fy" "$VOUCH" show --grid fx,fy "$dir/walk.json" "$dir/walk.policy"
expect grid_half 1 "expected two names of variables, X,Y" "$VOUCH" show --grid=fx "$dir/walk.json" "$dir/walk.policy"
# Pictures that can be read on a telephone: no wider than asked for, nothing cut off at the right; each colour of a grid has its number.
sed 's/"k1"/"the first of all environments"/; s/"k2"/"the second one, which is the last"/' "$dir/maze.json" > "$dir/named.json"
"$VOUCH" plan "$dir/named.json" -L 2 -q -o "$dir/named.policy" > /dev/null
sed 's/0\.\.2\] init/0..11] init/; s/min(x+1,2)/min(x+1,11)/; s/x=2/x=11/' "$dir/walk.prism" > "$dir/long.prism"
"$VOUCH" convert "$dir/long.prism" --const wet=0:2 --commit 'x=1' -T 3 -p 0.1 -o "$dir/long.json" > /dev/null
"$VOUCH" plan "$dir/long.json" --method history -q -o "$dir/long.policy" > /dev/null
for width in 400 1264; do
    "$VOUCH" show "$dir/long.json" "$dir/long.policy" --grid --width $width -o "$dir/grid-long$width.svg"
    "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --svg --height 1000000 --width $width -o "$dir/wide$width.svg"
    "$VOUCH" show "$dir/named.json" "$dir/named.policy" --svg --height 1000000 --width $width -o "$dir/named$width.svg"
    "$VOUCH" show "$dir/walk.json" "$dir/walk.policy" --grid --width $width -o "$dir/grid$width.svg"
done
judge widths "$PYTHON" - "$dir" <<'END'
import re, sys, xml.dom.minidom
def check(name, passed): print("ok" if passed else "not ok", name)
words = lambda e: "".join(c.data for c in e.childNodes if c.nodeType == c.TEXT_NODE)
for kind in ("wide", "named", "grid-long", "grid"):
    for width in (400, 1264):
        d = xml.dom.minidom.parse(f"{sys.argv[1]}/{kind}{width}.svg").documentElement
        size = lambda t: float(t.getAttribute("font-size") or (t.parentNode.getAttribute("font-size") if t.parentNode is not d else 0) or 11) * 0.6
        texts = [(float(t.getAttribute("x")), words(t), size(t)) for t in d.getElementsByTagName("text")]
        check(f"width_{kind}_{width}", float(d.getAttribute("width")) <= width and all(x + len(w) * s <= width for x, w, s in texts if s > 6))
        check(f"legend_{kind}_{width}", "largest:" in texts[-4][1] if "grid" not in kind else any(re.match("1 (all|w=)", w) for x, w, s in texts))
    moves = [g for g in d.getElementsByTagName("g") if g.hasAttribute("stroke")]
    numbers = {(g.getAttribute("stroke"), words(g.getElementsByTagName("text")[0])) for g in moves}
    if "grid" in kind: check(kind + "_numbers", moves and len(numbers) == len({c for c, n in numbers}) == len({n for c, n in numbers}))
    told = {m[1] for x, w, s in texts if (m := re.match(r"(\d) \S", w))}
    if "grid" in kind: check(kind + "_told", told == {n for c, n in numbers})
END
expect weighs 0 "w: likelihood of the observations in each environment" "$VOUCH" show "$dir/long.json" "$dir/long.policy" --svg --height 1000000
expect weighs_grid 0 "w: likelihood of the observations in each environment" "$VOUCH" show "$dir/long.json" "$dir/long.policy" --grid --width 4000
expect remembers 0 "in brackets: memory of promises" "$VOUCH" show "$dir/walk.json" "$dir/walk.policy" --svg --height 1000000
# Every box says what is done there, in each band; nothing stands outside its box, and text is cut only where the box is as wide as it may be.
"$VOUCH" generate machine-repair --environments 3 -T 6 -o "$dir/repair.json"
"$VOUCH" plan "$dir/repair.json" --method history -q -o "$dir/repair.policy" > /dev/null
"$VOUCH" plan "$dir/twin.json" -T 7 -L 2 -q -o "$dir/twin2.policy" > /dev/null
boxes() { # NAME MODEL POLICY OPTIONS..
    name=$1 model=$2 policy=$3
    shift 3
    for width in 320 400 777 1264; do "$VOUCH" show "$model" "$policy" "$@" --svg --height 1000000 --width $width -o "$dir/boxes-$name-$width.svg"; done
}
boxes ferry "$dir/ferry.json" "$dir/ferry.policy"
boxes twin "$dir/twin.json" "$dir/twin2.policy" -T 7
boxes maze "$dir/maze.json" "$dir/maze.policy"
boxes named "$dir/named.json" "$dir/named.policy"
boxes repair "$dir/repair.json" "$dir/repair.policy"
for seed in 1 2 3 4 5 6; do
    "$VOUCH" generate random --states 3 --actions 3 --environments 2 -T 4 -p 0 --branching 2 --seed $seed -o "$dir/random.json"
    "$VOUCH" plan "$dir/random.json" -L $((seed % 3)) -q -o "$dir/random.policy" > /dev/null
    boxes random$seed "$dir/random.json" "$dir/random.policy"
done
judge boxes "$PYTHON" - "$dir" <<'END'
import glob, re, sys, xml.dom.minidom
words = lambda e: "".join(c.data for c in e.childNodes if c.nodeType == c.TEXT_NODE)
number = lambda e, *names: [float(e.getAttribute(n)) for n in names]
LETTER, PAD, LONGEST, count = 7, 6, 26, 0
for path in sorted(glob.glob(sys.argv[1] + "/boxes-*.svg")):
    page, wrong = int(re.search(r"-(\d+)\.svg", path)[1]), set()
    d = xml.dom.minidom.parse(path).documentElement
    if number(d, "width")[0] > page: wrong.add("wider than asked for")
    most = (page - 32 - 44) // 2  # half of the page: two boxes go beside each other
    for g in d.getElementsByTagName("g"):
        x, y, w, h = number(g.getElementsByTagName("rect")[0], "x", "y", "width", "height")
        texts, title = g.getElementsByTagName("text"), words(g.getElementsByTagName("title")[0])
        done = [words(t) for t in texts if t.getAttribute("fill") == "#14508c"]
        if len(done) != (g.getElementsByTagName("rect")[0].getAttribute("fill") == "white"): wrong.add("no action in " + title)
        count += len(done)
        for t in texts:
            left, at = number(t, "x", "y")
            if left + LETTER * len(words(t)) + PAD > x + w + 1e-6 or left < x or not y < at < y + h: wrong.add("outside its box: " + words(t))
            cut = words(t).endswith("..")
            if words(t) == ".." or cut and len(words(t)) < LONGEST and w < most: wrong.add("cut: " + words(t) + " of " + title)
    print("ok" if not wrong else "not ok", "boxes_" + path.rsplit("boxes-")[1][:-4], *sorted(wrong)[:3])
print("ok boxes_drawn" if count > 300 else "not ok boxes_drawn %d" % count)
END
expect width_idle 1 "--width has no effect without --svg or --grid" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --width 400

# A corner that is either left or right: each environment alone can be entered for certain, both together cannot.
cat > "$dir/door.prism" <<'P'
mdp
const int door;
module guess
    x : [0..2] init 0;
    [left]  x=0 -> (x'=door=0 ? 1 : 2);
    [right] x=0 -> (x'=door=1 ? 1 : 2);
    [left]  x>0 -> true;
    [right] x>0 -> true;
endmodule
label "in" = x=1;
P
"$VOUCH" generate t-maze -o "$dir/maze.json"
set -- "$dir/door.prism" --const door=0:1 --commit in -T 1
expect joint 2 "jointly infeasible: each environment alone allows p = 1, but no policy of this class keeps it in all of door=0, door=1 (a smallest such set)" "$VOUCH" plan "$@" -p 1
expect largest 0 "the largest commitment: -p 0" "$VOUCH" plan "$@" -p 1 --max-commitment
expect largest_history 0 "the largest commitment: -p 0.5" "$VOUCH" plan "$@" -p 1 --max-commitment --method history
if "$VOUCH" plan "$@" -p 1 --max-commitment --json | "$PYTHON" -c 'import sys, json; d = json.load(sys.stdin); assert d["conflict"] == ["door=0", "door=1"] and abs(d["any_policy"]["reached"] - 0.5) < 1e-6 and d["smallest"]'
then echo "ok largest_json"; else echo "not ok largest_json"; fi
expect frontier_unproved 3 "feasible" "$VOUCH" plan "$dir/maze.json" --method greedy --frontier --points 3 --plot "$dir/f2.svg"
expect frontier_picture 0 "U, U*: in the environment where they are least" "$VOUCH" plan "$dir/maze.json" -L 1 --frontier --points 5 --plot "$dir/f3.svg"
judge frontier "$PYTHON" tests/judge_frontier.py "$VOUCH" "$dir" 8
if "$PYTHON" - "$dir/f3.svg" <<'END'
# The legend stands below its plot, and letters keep 9 pixels on a picture of 400.
import sys, xml.dom.minidom
d = xml.dom.minidom.parse(sys.argv[1]).documentElement
wide, high, size = (float(d.getAttribute(a)) for a in ("width", "height", "font-size"))
texts = [("".join(c.data for c in t.childNodes), float(t.getAttribute("y") or 0)) for t in d.getElementsByTagName("text")]
label = max(y for w, y in texts if w.startswith("commitment probability"))
assert size * 400 / wide >= 9 and all(y <= high for w, y in texts) and all(y > label for w, y in texts if w.startswith("U"))
END
then echo "ok plot_legend"; else echo "not ok plot_legend"; fi
if "$VOUCH" plan "$dir/maze.json" -L 1 --frontier --points 5 | grep -q ' -[0-9]'; then echo "not ok frontier_below_zero"; else echo "ok frontier_below_zero"; fi
if grep -q "down to the proved bound" "$dir/f2.svg"; then echo "ok frontier_bound"; else echo "not ok frontier_bound"; fi
expect frontier 0 "optimal" "$VOUCH" plan "$@" -p 0 --frontier --points 3 --method history --plot "$dir/f.svg"
if "$PYTHON" -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$dir/f.svg"; then echo "ok frontier_plot"; else echo "not ok frontier_plot"; fi
set -- --const wet=0:1 --commit home --reward sun -T 5 -p 0.5

# Starting from a policy.
expect start_same 0 "maximum regret" "$VOUCH" plan "$dir/walk.prism" "$@" -L 2 --start "$dir/p.json"
"$VOUCH" plan "$dir/walk.prism" "$@" -L 0 -o "$dir/p0.json" > /dev/null
expect start_markov 0 "maximum regret" "$VOUCH" plan "$dir/walk.prism" "$@" -L 2 --start "$dir/p0.json"
expect start_other_L 1 "the starting policy has L = 2; expected L = 1 or L = 0" "$VOUCH" plan "$dir/walk.prism" "$@" -L 1 --start "$dir/p.json"
expect start_breaks 1 "the policy does not keep the commitment: probability" "$VOUCH" plan "$dir/walk.prism" "$@" -p 0.9999 -L 2 --start "$dir/p.json"
expect start_method 1 "--start is not for --method history" "$VOUCH" plan "$dir/walk.prism" "$@" --method history --start "$dir/p.json"

# The same model in every format has the same plan.
"$VOUCH" convert "$dir/walk.prism" "$@" -o "$dir/walk.json" > /dev/null
"$VOUCH" convert "$dir/walk.json" -o "$dir/walk.csv.gz" > /dev/null
"$VOUCH" convert "$dir/walk.json" -o "$dir/walk/" > /dev/null
regret() { "$VOUCH" plan "$@" -L 2 2> /dev/null | sed -n 's/^maximum regret  \([^ ]*\) .*/\1/p'; }
want=$(regret "$dir/walk.json")
goal=$("$PYTHON" -c 'import json,sys; m=json.load(open(sys.argv[1])); s=m["states"]; s=s if isinstance(s, list) else ["s%d" % i for i in range(s)]; print(s.index("x=2,y=0"))' "$dir/walk.json")
[ -n "$want" ] && [ "$want" = "$(regret "$dir/walk.prism" "$@")" ] && echo "ok same_prism" || echo "not ok same_prism"
[ -n "$want" ] && [ "$want" = "$(regret "$dir/walk" --commit commit -T 5 -p 0.5)" ] && echo "ok same_drn" || echo "not ok same_drn"
[ -n "$want" ] && [ "$want" = "$(regret "$dir/walk.csv.gz" --commit "$goal" -T 5 -p 0.5)" ] && echo "ok same_csv" || echo "not ok same_csv"
"$VOUCH" convert "$dir/walk.json" -o "$dir/again.json" > /dev/null
cmp -s "$dir/walk.json" "$dir/again.json" && echo "ok json_again" || echo "not ok json_again"
# In words: what differs is told, what does not is folded; numbers refer to what was told.
"$VOUCH" generate t-maze -o "$dir/maze.json"
"$VOUCH" plan "$dir/maze.json" -L 3 -o "$dir/maze.policy" > /dev/null
expect words 0 "From x0: east, 2 steps, and then [1]" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --words
grep -q '^      - if in x3 (probability 0.8): north, 6 steps, to the end$' "$dir/out" && grep -q ': as in \[3\]$' "$dir/out" && echo "ok words_folded" || echo "not ok words_folded"
expect words_model 1 "the model is missing" "$VOUCH" show "$dir/maze.policy" --words

# The induced chains say what evaluate says: DRN by propagation here, PRISM read again as a process without choices.
expect induced_directory 1 "give a directory" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --induced drn
expect induced_drn 0 "" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --induced drn -o "$dir/chains/"
"$VOUCH" evaluate "$dir/maze.json" "$dir/maze.policy" --json > "$dir/figures.json"
# The model's labels are those of its states; one that holds nowhere is that of a state which nothing leads to, since DRN has no other place for it.
cat > "$dir/signs.prism" <<'P'
mdp
const int way;
module m
  x : [0..4] init 0;
  [go] x=0 -> 0.5 : (x'=1) + 0.5 : (x'=2+way);
  [on] x>0 -> true;
endmodule
label "home" = x=4;
label "near" = x>0;
label "commit" = x=1;
P
"$VOUCH" plan "$dir/signs.prism" --const way=0:1 --commit home -T 2 -p 0 -q -o "$dir/signs.policy" > /dev/null
"$VOUCH" show "$dir/signs.prism" --const way=0:1 --commit home -T 2 -p 0 "$dir/signs.policy" --induced drn -o "$dir/signs/"
"$VOUCH" show "$dir/signs.prism" --const way=0:1 --commit home -T 2 -p 0 "$dir/signs.policy" --induced prism -o "$dir/signs.pm"
judge induced_labels "$PYTHON" - "$dir" <<'END'
import re, sys
def check(name, passed): print("ok" if passed else "not ok", "induced_" + name)
for k in (0, 1):
    text = open(f"{sys.argv[1]}/signs/way={k}.drn").read()
    labels = {int(n): set(words.split()) for n, words in re.findall(r"^state (\d+) \[[^\]]*\](.*)$", text, re.M)}
    steps = {int(n): {int(to) for to in re.findall(r"\t\t(\d+) :", rest)} for n, rest in re.findall(r"^state (\d+) .*\n((?:\t.*\n)*)", text, re.M)}
    there = {0}
    while not (after := there | {to for n in there for to in steps[n]}) <= there: there = after
    lonely = [n for n in labels if labels[n] & {"commit", "home"} and n not in there and all(n not in steps[i] for i in steps if i != n)]
    check(f"count_{k}", len(labels) == int(re.search(r"@nr_states\n(\d+)", text)[1]) == int(re.search(r"@nr_choices\n(\d+)", text)[1]))
    check(f"everywhere_{k}", {l for n in labels for l in labels[n]} == {"init", "commit", "home", "near"})
    check(f"lonely_{k}", len(lonely) == 1 and labels[lonely[0]] == {"commit", "home"})
    ends = [n for n in there if steps[n] == {n}]
    check(f"ends_{k}", all("near" in labels[n] for n in ends) and not any("commit" in labels[n] for n in ends))
text = open(sys.argv[1] + "/signs.pm").read()
check("prism", sorted(re.findall(r'^label "(\w+)" =', text, re.M)) == ["commit", "home", "near"])
END
"$PYTHON" - "$dir" <<'END'
import json, re, sys
figures = json.load(open(sys.argv[1] + "/figures.json"))["environments"]
for k, wanted in enumerate(figures):
    reward, kept, steps = {}, {}, {}
    for line in open(f"{sys.argv[1]}/chains/k{k + 1}.drn"):
        if m := re.match(r"state (\d+) \[(\S+)\](.*)", line):
            at = int(m[1])
            reward[at], kept[at], steps[at] = float(m[2]), "commit" in m[3], []
        elif m := re.match(r"\t\t(\d+) : (\S+)", line):
            steps[at].append((int(m[1]), float(m[2])))
    mass, value = {0: 1.0}, 0.0
    for _ in range(10):
        after = {}
        for s, p in mass.items():
            value += p * reward[s]
            for to, q in steps[s]: after[to] = after.get(to, 0) + p * q
        mass = after
    there = sum(p for s, p in mass.items() if kept[s])
    same = abs(value - wanted["value"]) < 1e-12 and abs(there - wanted["commitment_probability"]) < 1e-12
    print(f"{'ok' if same else 'not ok'} induced_drn_{k}: {value} {there} {wanted}")
END
expect induced_prism 0 "" "$VOUCH" show "$dir/maze.json" "$dir/maze.policy" --induced prism -o "$dir/chain.prism"
sed 's/^dtmc$/mdp/' "$dir/chain.prism" > "$dir/chain_mdp.prism"
"$VOUCH" plan "$dir/chain_mdp.prism" --const environment=0:1 --commit commit -T 10 -p 0.6 -o "$dir/chain.policy" > "$dir/out"
want=$("$VOUCH" evaluate "$dir/maze.json" "$dir/maze.policy" | sed -n 's/^  k[12]  *[0-9.]*  *\([0-9.]*\)  *[0-9.]*  *\([0-9.]*\).*/\1 \2/p')
got=$(sed -n 's/^  environment=[01]  *[0-9.]*  *\([0-9.]*\)  *[0-9.]*  *\([0-9.]*\).*/\1 \2/p' "$dir/out")
[ -n "$want" ] && [ "$want" = "$got" ] && echo "ok induced_prism_figures" || echo "not ok induced_prism_figures: $want, $got"

# A history policy that follows plans: evaluated, shown in every way, played.
"$VOUCH" generate adaptive --environments 3 -T 2 --seed 2 -o "$dir/adaptive.json"
cp tests/data/plans.json "$dir/plans.json"
expect plans_evaluate 0 "maximum regret" "$VOUCH" evaluate "$dir/adaptive.json" "$dir/plans.json"
expect plans_alone 0 "a0 0.25 (plan 0), a0 0.375 (plan 1), a1 0.375 (plan 1)" "$VOUCH" show "$dir/plans.json"
expect plans_table 0 "plan 1" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json"
expect plans_tree 0 "[plan 0]" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --tree
expect plans_csv 0 "1,bad,plan 1,a0,1," "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --csv
expect plans_words 0 "draw one of a0 0.25 (plan 0)" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --words
expect plans_dot 0 "plan 1" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --dot
expect plans_legend 0 "(plan 1): the policy follows plan 1 from there on" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --svg --height 1000000
expect plans_svg 0 "using the whole history" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --svg --height 1000000
expect plans_storm 0 '"prob": 0.375' "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --storm
expect plans_induced 0 "dtmc" "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --induced prism
expect plans_json 0 '"do": { "a0": 0.625, "a1": 0.375 }, "follow": { "0": 0.25, "1": 0.75 }' "$VOUCH" show "$dir/adaptive.json" "$dir/plans.json" --json
expect plans_simulate 0 "95 % low" "$VOUCH" simulate "$dir/adaptive.json" "$dir/plans.json" --episodes 1000
expect plans_start 1 "the starting policy looks at the whole history" "$VOUCH" plan "$dir/adaptive.json" --start "$dir/plans.json"
sed 's/{ "time": 1, "state": "bad", "do": { "a0": 1 } }/{ "time": 1, "state": "good", "do": { "a1": 1 } }/; /"time": 1, "state": "good", "do": { "a1": 1 } },/d' "$dir/plans.json" > "$dir/lost.json"
expect plans_lost 1 'no rule for time 1, state "bad", which the policy reaches' "$VOUCH" evaluate "$dir/adaptive.json" "$dir/lost.json"
expect plans_lost_simulate 1 'no rule for time 1, state "bad", which the policy reaches' "$VOUCH" simulate "$dir/adaptive.json" "$dir/lost.json"
expect plans_lost_show 1 'no rule for time 1, state "bad", which the policy reaches' "$VOUCH" show "$dir/adaptive.json" "$dir/lost.json" --dot
"$VOUCH" generate twin-states -T 3 -o "$dir/class.json" > /dev/null
"$VOUCH" plan "$dir/class.json" -L 1 -q -o "$dir/class.policy" > /dev/null
expect class 0 "milp-ccl, L = 1: least maximum regret of deterministic policies that use 1 observation" "$VOUCH" show "$dir/class.json" "$dir/class.policy"
expect class_without_model 0 "milp-ccl, L = 1: least maximum regret of" "$VOUCH" show "$dir/class.policy"
# Long names in narrow boxes: variables are shortened, and values stay, also where a box is about several steps.
sed 's/walker/m/; s/\bx\b/position_from_the_west/g; s/\by\b/y_position_from_the_south/g' "$dir/walk.prism" > "$dir/long.prism"
set -- --const wet=0:1 --commit home --reward sun -T 5 -p 0.5
"$VOUCH" plan "$dir/long.prism" "$@" -L 2 -q -o "$dir/long.policy" > /dev/null
for width in 360 400 700 1280 2000; do "$VOUCH" show "$dir/long.prism" "$dir/long.policy" "$@" -q --svg --height 1000000 --width $width > "$dir/long$width.svg"; done
judge shortened "$PYTHON" - "$dir"/long*.svg <<'END'
import re, sys
cut = 0
for path in sys.argv[1:]:
    boxes = re.findall(r"<title>(t = .*?)</title>.*?bold\">(.*?)</text>", open(path).read(), re.S)
    for title, shown in boxes:
        full = re.search(r"position_from_the_west=[^;]*", title)[0]
        assert re.findall("=[0-9]+", shown) == re.findall("=[0-9]+", full), (path, full, shown)
        assert len(shown) < len(full) or shown == full, (full, shown)
        cut += shown != full
    print(f"ok shortened {path.split('/')[-1]}" if boxes else f"not ok shortened {path}: no box")
print("ok shortened some" if cut > 20 else f"not ok shortened: {cut}")
END
finish

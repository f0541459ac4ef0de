"""Reads the rules that vouch show --rules --json writes as a person would, by their words alone, and follows them for every rule of the policy file.

    judge_rules.py VOUCH DIR MODELS

MODELS: number of random models; 0: a few models alone. Graphs are read, too: no two boxes of one column have the same state and different actions, but no condition.
No line is shared with vouch: conditions are parsed from their text. Prints ok and not ok."""
import json
import re
import subprocess
import sys
import xml.dom.minidom

VOUCH, DIR, MODELS = *sys.argv[1:3], int(sys.argv[3])


def run(*arguments, status=0):
    done = subprocess.run([VOUCH, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == status or status is None, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return done.stdout


def variables(name):
    """The variables of a name, and the memory of promises behind it."""
    name, _, memory = name.partition(" [")
    pairs = [part.split("=", 1) for part in name.split(",")]
    return {p[0]: p[1] for p in pairs if len(p) == 2} if all(len(p) == 2 for p in pairs) else {}, "[" + memory if memory else ""


def members(text):
    ranges = [re.fullmatch(r"(-?\d+) to (-?\d+)", part) or part for part in re.split(", | or ", text)]
    return [n for r in ranges for n in ([r] if isinstance(r, str) else range(int(r[1]), int(r[2]) + 1))]


class Facts:
    """What is true of a rule of a policy file."""

    def __init__(self, rule, policy, first):
        names = [e["name"] for e in policy["environments"]]
        at, self.names = rule.get("boundary"), names
        weights = rule.get("likelihood")
        possible = [k for k, w in enumerate(weights) if w > 0] if weights else at["environments"] if at else rule.get("environments", range(len(names)))
        self.possible = {names[k] for k in possible}
        own, memory = variables(rule["state"])
        self.value = {"t": rule["time"], "state": rule["state"].partition(" [")[0], "memory": memory or "none", **own}
        if at and 0 < policy["L"] < policy["T"]:
            step = f" at step {policy['L'] + first}"
            self.value.update({k + step: v for k, v in {**variables(at["state"])[0], "state": at["state"]}.items()})
        for k, w in enumerate(weights or ()):
            self.value[f"w({names[k]})"] = w
        of = [variables(name)[0] for name in sorted(self.possible)]
        for v in of[0] if of and all(o.keys() == of[0].keys() for o in of) else ():
            try:
                numbers = [float(o[v]) for o in of]
                self.value[f"least possible {v}"], self.value[f"largest possible {v}"] = min(numbers), max(numbers)
            except ValueError:
                pass
        count, words = len(self.possible), " ".join(n for n in names if n in self.possible)
        self.value["possible"] = "all" if count == len(names) else words

    def number(self, name):
        for sign in (" + ", " - "):
            a, found, b = name.partition(sign)
            if found:
                return self.number(a) + (self.number(b) if sign == " + " else -self.number(b))
        return float(self.value[name])

    def is_true(self, test):
        for end, wanted in ((" ruled out", False), (" possible", True)):
            if test.endswith(end) and test[:-len(end)] in self.names:
                return (test[:-len(end)] in self.possible) is wanted
        m = re.match(r"(.*?) (<=|>) (\S+)$", test)
        if m:
            return (self.number(m[1]) <= float(m[3]) + 1e-9) is (m[2] == "<=")
        m = re.match(r"(\w+ [-+] \w+) (=|is not) (\S+)$", test)
        if m:
            return (abs(self.number(m[1]) - float(m[3])) <= 1e-9) is (m[2] == "=")
        for sign, wanted in ((" is not ", False), (" = ", True), (" is ", True)):
            name, found, right = test.partition(sign)
            if found and name in self.value:
                have, whole, right = self.value[name], right, [right] if sign == " = " else members(right)
                try:
                    same = any(abs(float(have) - float(r)) <= 1e-9 for r in right)
                except ValueError:
                    same = str(have) in [whole, *right]
                return same is wanted
        raise AssertionError(f"what does \"{test}\" ask?")


def follow(tree, facts):
    while "test" in tree:
        yes = facts.is_true(tree["test"])
        assert facts.is_true(tree["otherwise"]) is not yes, f"{tree['test']} and {tree['otherwise']}"
        tree = tree["yes"] if yes else tree["no"]
    return tree["do"]


def leaves(tree):
    return leaves(tree["yes"]) + leaves(tree["no"]) if "test" in tree else 1


def check_policy(model, path, rules, first):
    policy = json.load(open(path))
    assert leaves(rules["tree"]) == rules["rules"] and rules["places"] == len([r for r in policy["rules"] if r["time"] >= 0])
    for rule in policy["rules"]:
        if rule["time"] < 0:
            continue
        said, done = follow(rules["tree"], Facts(rule, policy, first)), {a: p for a, p in rule["do"].items() if p >= 1e-9}
        assert any(do.keys() == done.keys() and all(abs(done[a] - p) < 1e-8 for a, p in do.items()) for do in said[:1] + (said[1:] if not rules["exact"] else [])), \
            f"{model}: {rule}: the rules say {said}"


def check_picture(model, path, width, most=1600):
    text = run("show", model, path, "--rules", "--svg", "--width", width, "--height", most)
    page = xml.dom.minidom.parseString(text).documentElement
    wide, high = (float(page.getAttribute(n)) for n in ("width", "height"))
    assert wide <= width and high <= most, f"{model}: {wide} x {high}"
    lines = {}
    for t in page.getElementsByTagName("text"):
        x, y, letters = float(t.getAttribute("x")), float(t.getAttribute("y")), len("".join(c.data for c in t.childNodes))
        size = 8.5 if t.getAttribute("font-size") == "14" else 6.7
        left = x - letters * size if t.getAttribute("text-anchor") == "end" else x
        assert left >= 0 and left + letters * size <= wide + 1 and y <= high, f"{model}: text beyond the edge at {x}, {y}"
        lines.setdefault(y, []).append((left, left + letters * size))
    for spans in lines.values():
        spans.sort()
        assert all(a[1] <= b[0] + 1 for a, b in zip(spans, spans[1:])), f"{model}: text over text"


def check_graph(model, path, *options):
    """In each column the boxes of a state with different actions have different conditions, as they are written."""
    page = xml.dom.minidom.parseString(run("show", model, path, "--svg", "--height", 1000000, *options))
    said = {}
    for g in page.getElementsByTagName("g"):
        title = g.getElementsByTagName("title")[0].firstChild.data
        lines = {float(t.getAttribute("y")): t.firstChild.data for t in g.getElementsByTagName("text")}
        top = float(g.getElementsByTagName("rect")[0].getAttribute("y"))
        state, condition, action = (lines.get(top + 6 + 15 * i - 4, "") for i in (1, 2, 3))
        times = re.match(r"t = (-?\d+)(?: to (-?\d+))?", title)
        if "rare place" not in state and " .. " not in state:
            for t in range(int(times[1]), int(times[2] or times[1]) + 1):
                said.setdefault((t, state), set()).add((condition, re.sub(r",? ?\d+ steps", "", action)))
    for (t, state), boxes in said.items():
        if len({a for _, a in boxes}) > 1:
            assert all(c for c, _ in boxes), f"{model}: t = {t}, {state}: {boxes}"
            assert len({c for c, _ in boxes}) == len(boxes), f"{model}: t = {t}, {state}: one condition, two actions: {boxes}"
    return sum(len({a for _, a in boxes}) > 1 for boxes in said.values())


def check_promises(few, found):
    """The least probability of each promise, as evaluate has it."""
    for promise in few["promises"]:
        kept = {e["name"]: e.get("commitments", {"commitment": e["commitment_probability"]})[promise["name"]] for e in found["environments"]}
        assert abs(kept[promise["environment"]] - promise["probability"]) < 1e-9 and min(kept.values()) >= promise["probability"] - 1e-9, f"{promise} {kept}"


def check(name, model, *plan, first=0):
    path, small = f"{DIR}/rules.policy", f"{DIR}/smaller.policy"
    try:
        with open(path, "w") as out:
            out.write("{}")
        run("plan", model, "-q", "-o", path, *plan, status=None)
        if not json.load(open(path)).get("rules"):
            return 0  # none was found
        rules = json.loads(run("show", model, path, "--rules", "--json"))
        check_policy(model, path, rules, first)
        check_picture(model, path, 1264)
        check_picture(model, path, 400, 400)
        split = check_graph(model, path)
        check_graph(model, path, "--least-probability", 0.2)
        for count in (2,):
            if count >= rules["rules"]:
                continue
            few = json.loads(run("show", model, path, "--rules", count, "--json"))
            assert few["rules"] <= count and not few["exact"]
            run("show", model, path, "--rules", count, "-o", small)
            check_policy(model, small, few, first)
            found = json.loads(run("evaluate", model, small, "--json", status=None))
            check_promises(few, found)
            assert abs(found["max_regret"] - few["max_regret"]) < 1e-9 and found["kept"] is few["kept"], f"{found['max_regret']} {few['max_regret']}"
        print("ok", name)
        return split
    except (AssertionError, KeyError) as error:
        print("not ok", f"{name}:", repr(error)[:600])
    return 0


def generate(kind, *arguments):
    path = f"{DIR}/{kind}.json"
    run("generate", kind, *arguments, "-o", path)
    return path


with open(f"{DIR}/field.prism", "w") as out:
    out.write("""mdp
const int wind;
const double gust;
module drone
    x : [0..3] init 0;
    photo : bool init false;
    [east]  x<3 -> 1-gust : (x'=x+1) + gust : (x'=wind=0 ? x : min(3,x+1+wind));
    [west]  x>0 -> 1-gust : (x'=x-1) + gust : true;
    [shoot] x=3 & !photo -> 0.8 : (photo'=true) + 0.2 : true;
    [rest]  true -> true;
endmodule
label "home" = x=0;
rewards "value" [shoot] true : 8; [east] true : -0.5; [west] true : -0.5; endrewards
""")
field = f"{DIR}/field.json"
run("convert", f"{DIR}/field.prism", "--const", "wind=0:1", "--const", "gust=0.1,0.4", "--commit", "home", "-p", "0.6", "-T", "8", "--reward", "value", "-o", field)
started, remembering = f"{DIR}/started.json", f"{DIR}/remembering.json"
run("convert", f"{DIR}/field.prism", "--const", "wind=0:1", "--const", "gust=0.1,0.4", "--commit", "home", "-p", "0.2", "-T", "6", "--reward", "value", "--initial", "x=0,photo=false",
    "--initial", "x=2,photo=false", "-o", started)
run("convert", f"{DIR}/field.prism", "--const", "wind=0:1", "--const", "gust=0.1,0.4", "--commit", "by:x=3@4>=0.3", "--commit", "at:x<2@6>=0.2", "-T", "6", "--reward", "value", "-o", remembering)
for lookahead in (0, 1, 3) if MODELS else (1,):
    check(f"field_{lookahead}", field, "-L", lookahead)
check("started_history", started, "--method", "history", first=-1)
check("maze", generate("t-maze"), "-L", 3)
if MODELS == 0:
    sys.exit()
check("field_history", field, "--method", "history")
check("field_coins", field, "--method", "exact-ccl", "-L", 1, "--node-limit", 30)
check("started", started, "-L", 1, first=-1)
check("remembering", remembering, "-L", 1)
check("remembering_history", remembering, "--method", "history")
check("maze_greedy", generate("t-maze"), "--method", "greedy", "-L", 1)
check("twins", generate("twin-states", "-T", 5), "-L", 2)
check("machine", generate("machine-repair", "-T", 10, "-p", 0.3), "-L", 1, "--node-limit", 500)
check("corridor", generate("corridor"), "--method", "history")
for name, *words in (("ferry.prism", "--const", "current=0,3", "--commit", "port", "-p", 0.9, "-T", 8), ("errand.prism", "--const", "n=0:2", "--prop", "bench/examples/errand.props", "-T", 8),
                     ("grid.prism", "--const", "OBSTACLE=2:4", "--commit", "target", "-p", 0.5, "-T", 9), ("twin.json",), ("family", "-T", 5), ("models.csv", "-T", 6), ("sketch.templ", "-T", 5), ("listen.pomdp", "-T", 5))[0 if MODELS > 100 else 7:]:
    converted = f"{DIR}/example.json"
    run("convert", f"bench/examples/{name}", *words, "-o", converted)
    for method in (("-L", 0), ("-L", 2), ("--method", "history")):
        check(f"{name}{''.join(map(str, method))}", converted, *method, "--node-limit", 100)
METHODS = (("-L", 0), ("-L", 1), ("-L", 3), ("--method", "history"), ("--method", "exact-ccl", "-L", 1), ("--method", "greedy", "-L", 2), ("--method", "mdps-best", "-L", 2))
found = 0
for seed in range(MODELS):
    model = generate("random", "--states", 4 + seed % 3, "--actions", 3, "--environments", 2 + seed % 4, "-T", 5, "-p", 0.2, "--seed", seed)
    method = METHODS[seed % len(METHODS)]
    found += check(f"random_{seed}", model, *method, *(("--node-limit", 60) if "greedy" not in method and "mdps-best" not in method else ()))
print("ok" if found > MODELS / 2 else "not ok", f"columns_with_conditions: {found}")

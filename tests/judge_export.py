"""What a policy is worth by the files that `vouch export` writes of models with several promises: python3 tests/judge_export.py VOUCH FOLDER

A model is drawn up here, planned for by exact CCL, and the policy found is followed three ways that share no code with vouch: along the histories of the
model as it is given, with each promise judged by its definition; through the bilinear program, whose nodes are told apart by the probabilities of its
flow rows; and through the POMDP. Values and probabilities must be those of vouch evaluate, and the policy must satisfy every row of the program.
"""
import json
import os
import re
import subprocess
import sys

MODEL = {
    "vouch": 1, "name": "three", "states": ["A", "P", "W"], "actions": ["go", "stay", "run"], "initial": {"A": 0.45, "P": 0.55}, "horizon": 4,
    "commitments": [{"name": "fetch", "kind": "by", "states": ["P"], "time": 3, "probability": {"k1": 0.55, "k2": 0.5}},
                    {"name": "dry", "kind": "avoid", "states": ["W"], "from": 1, "to": 2, "probability": 0.2},
                    {"name": "home", "kind": "at", "states": ["A"], "time": 4, "probability": 0.3}],
    "transitions": [["A", "go", "P", 0.48], ["A", "go", "W", 0.52], ["A", "stay", "A", 0.9], ["A", "stay", "P", 0.1], ["P", "stay", "A", 0.7],
                    ["P", "stay", "P", 0.3], ["P", "go", "W", 1], ["P", "run", "A", 0.35], ["P", "run", "W", 0.65], ["W", "go", "A", 0.8], ["W", "go", "W", 0.2]],
    "rewards": [["A", "stay", 1], ["W", "go", "A", 2]],
    "environments": [{"name": "k1"}, {"name": "k2", "rewards": [["W", "go", 3], ["P", "run", 1.5]],
                                      "transitions": [["A", "go", "P", 0.27], ["A", "go", "W", 0.73], ["P", "run", "A", 0.41], ["P", "run", "W", 0.59]]}]}
vouch, folder = sys.argv[1:]


def run(*arguments):
    done = subprocess.run([vouch, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else sys.exit("not ok export_judge: %s: %s" % (" ".join(arguments), done.stderr))


def check(name, wrong):
    print("ok " + name if not wrong else "not ok %s: %s" % (name, wrong))


def near(a, b):
    return abs(a - b) <= 1e-9


# ---- the model as it is given: a node is (time, state, what is decided), None the fictitious one before the first state
class Model:
    def __init__(self, given):
        self.given, self.T, self.promises = given, given["horizon"], given["commitments"]
        self.spread = isinstance(given["initial"], dict)

    def rows(self, k, table, s, a):
        own = [r for r in self.given["environments"][k].get(table, []) if r[:2] == [s, a]]
        return own or [r for r in self.given[table] if r[:2] == [s, a]]

    def decided(self, before, t, s):
        """What is decided at time t in s, as a policy file names it."""
        out = {}
        for p in self.promises:
            name, inside = p["name"], s in p["states"]
            first, last = (p.get("from", 0), p.get("to", self.T)) if p["kind"] in ("stay", "avoid") else (p.get("time", self.T), p.get("time", self.T))
            if name in before:
                out[name] = before[name]
            elif p["kind"] == "at" and t == last < self.T:
                out[name] = "kept" if inside else "broken"
            elif p["kind"] == "by" and inside and t <= last:
                out[name] = "kept"
            elif p["kind"] == "by" and t == last < self.T:
                out[name] = "broken"
            elif p["kind"] in ("stay", "avoid") and first <= t <= last and inside == (p["kind"] == "avoid"):
                out[name] = "broken"
            elif p["kind"] in ("stay", "avoid") and t == last < self.T:
                out[name] = "kept"
        return out

    def kept(self, p, s, decided):
        if p["name"] in decided:
            return decided[p["name"]] == "kept"
        return s in p["states"] if p["kind"] == "at" else p["kind"] != "by"

    def node(self, t, s, before=()):
        return t, s, tuple(sorted(self.decided(dict(before), t, s).items()))

    def first(self):
        return [(self.node(0, s), p) for s, p in self.given["initial"].items()] if self.spread else [(self.node(0, self.given["initial"]), 1)]

    def follow(self, k, node, a):
        """Successors of an action: node, probability, reward."""
        t, s, decided = node
        for _, _, to, p in self.rows(k, "transitions", s, a):
            yield self.node(t + 1, to, decided), p, sum(r[-1] for r in self.rows(k, "rewards", s, a) if len(r) == 3 or r[2] == to)


def named(text):
    """State and what is decided of `A [fetch kept, dry broken]`."""
    state, _, rest = text.partition(" [")
    return state, tuple(sorted(tuple(x.split()) for x in rest.rstrip("]").split(", ") if x))


def rules_of(policy):
    return {(r["time"], *named(r["state"])): r["do"] for r in policy["rules"]}


def by_definition(m, rules, k):
    mass, value = dict(m.first()), 0
    for _ in range(m.T):
        then = {}
        for node, reach in mass.items():
            for a, chance in rules[node].items():
                for to, p, r in m.follow(k, node, a):
                    value += reach * chance * p * r
                    then[to] = then.get(to, 0) + reach * chance * p
        mass = then
    return value, [sum(x for (_, s, d), x in mass.items() if m.kept(p, s, dict(d))) for p in m.promises]


# ---- the bilinear program
def read_lp(path):
    """{row: (terms, sense, right side)} and the objective's terms; a term is a tuple of one or two columns, with its factor."""
    text = open(path).read()
    body = text[text.index("minimize") + 8:text.index("bounds")]
    rows, objective = {}, None
    for name, formula in re.findall(r"(\w+):((?:(?!\w+:)[^:])*)", body.replace("subject to", " ")):
        split = re.split(r"(<=|>=|=)", formula)
        left, products = split[0], {}
        terms = {}
        for bracket in re.findall(r"\[(.*?)\]", left, re.S):
            for sign, factor, x, y in re.findall(r"([-+]?)\s*((?:[\d.]+(?:e[-+]?\d+)?)?)\s*([a-z]\w*) \* (\w+)", bracket):
                products[x, y] = (-1 if sign == "-" else 1) * float(factor or 1)
        left = re.sub(r"\+\s*\[.*?\]", "", left, flags=re.S)
        for sign, factor, x in re.findall(r"([-+]?)\s*((?:[\d.]+(?:e[-+]?\d+)?)?)\s*([a-zA-Z]\w*)", left):
            terms[(x,)] = (-1 if sign == "-" else 1) * float(factor or 1)
        terms.update(products)
        if len(split) == 1:
            objective = terms
        else:
            rows[name] = terms, split[1], float(split[2])
    return rows, objective


def point_of(m, rows, rules):
    """Columns y and pi of the policy: the nodes of the program are met from the root on."""
    K, J, actions = len(m.given["environments"]), len(m.promises), m.given["actions"]
    arcs, offered = {}, {}
    for name, (terms, _, _) in rows.items():
        flow = re.fullmatch(r"flow_n(\d+)_k(\d+)", name)
        for (column, *_), factor in terms.items() if flow else ():
            n, a, k = map(int, re.fullmatch(r"y_n(\d+)_a(\d+)_k(\d+)", column).groups())
            offered.setdefault(n, set()).add(a)
            if int(flow[1]) != n and k % J == 0:
                arcs.setdefault((n, a), {}).setdefault(int(flow[1]), [0] * K)[k // J] = -factor
    meaning, waiting = {0: None if m.spread else m.first()[0][0]}, [0]
    while waiting:
        n = waiting.pop()
        for a in offered[n]:
            found = {}
            for k in range(K):
                for to, p, *_ in m.first() if meaning[n] is None else m.follow(k, meaning[n], actions[a]):
                    found.setdefault(to, [0] * K)[k] = p
            for child, factors in arcs.get((n, a), {}).items():
                alike = [to for to, p in found.items() if all(map(near, p, factors))]
                assert len(alike) == 1, (n, a, child, factors, found)
                assert meaning.setdefault(child, alike[0]) == alike[0], child
                waiting.append(child)
    x, inflow = {}, {(0, k): 1 for k in range(K * J)}
    for n in sorted(offered):
        do = {len(actions): 1} if meaning[n] is None else {actions.index(a): p for a, p in rules.get(meaning[n], {}).items()} or {min(offered[n]): 1}
        assert set(do) <= offered[n], (n, do)
        for a in offered[n]:
            x["pi_n%d_a%d" % (n, a)] = do.get(a, 0)
            for k in range(K * J):
                y = x["y_n%d_a%d_k%d" % (n, a, k)] = inflow.get((n, k), 0) * do.get(a, 0)
                for child, factors in arcs.get((n, a), {}).items():
                    inflow[child, k] = inflow.get((child, k), 0) + y * factors[k // J]
    return x


def activity(terms, x):
    return sum(f * (x[t[0]] if len(t) == 1 else x[t[0]] * x[t[1]]) for t, f in terms.items() if t != ("z",))


def judge_bilinear(m, model, rules, want, optimal, options, name):
    path = os.path.join(folder, "judged.lp")
    run("export", model, "--form", "bilinear", "--format", "lp", *options, "-o", path)
    rows, objective = read_lp(path)
    x, J, wrong = point_of(m, rows, rules), len(m.promises), []
    x["z"] = max(o - v for o, (v, _) in zip(optimal, want)) if not options else min(v for v, _ in want)
    products = 0
    for row, (terms, sense, right) in rows.items():
        kind, k = row.split("_")[0], int(row.rsplit("k", 1)[-1]) if "_k" in row else 0
        total, own = activity(terms, x) + terms.get(("z",), 0) * x["z"], activity(terms, x)
        products += sum(len(t) == 2 for t in terms)
        if not (total >= right - 1e-9 if sense == ">=" else near(total, right)):
            wrong.append("row %s: %g %s %g" % (row, total, sense, right))
        if kind == "regret" and not (near(own, want[k // J][0]) and near(right, optimal[k // J])):
            wrong.append("%s: value %g, wanted %g" % (row, own, want[k // J][0]))
        if kind == "value" and not near(own, want[k // J][0]):
            wrong.append("%s: value %g, wanted %g" % (row, own, want[k // J][0]))
        if kind == "commitment" and not near(own, want[k // J][1][k % J]):
            wrong.append("%s: %g, wanted %g" % (row, own, want[k // J][1][k % J]))
    asked = {"weighted": -sum(w * v for w, (v, _) in zip((3, 1), want)), "max-min": -x["z"]}.get(options[1] if options else "", x["z"])
    found = activity(objective, x) + objective.get(("z",), 0) * x["z"]
    if not near(found, asked):
        wrong.append("objective %g, wanted %g" % (found, asked))
    if products == 0 or sum(row.startswith("commitment") for row in rows) != J * len(want):
        wrong.append("no products, or not a row for each promise")
    check(name, "; ".join(wrong[:4]))


# ---- the POMDP
def judge_pomdp(m, model, rules, want, name):
    path = os.path.join(folder, "judged.pomdp")
    run("export", model, "--form", "pomdp", "-o", path)
    text = open(path).read()
    actions = [a for _, a in re.findall(r"^# action (\d+): (.*)$", text, re.M)]
    arrivals = [named(s) for _, s in re.findall(r"^# arrival (\d+): .*state (.*)$", text, re.M)]
    moves = {}
    for a, s, to, p in re.findall(r"^T: (\d+) : (\d+) : (\d+) (\S+)$", text, re.M):
        moves.setdefault((int(a), int(s)), {})[int(to)] = float(p)
    paid = {int(to): float(r) for to, r in re.findall(r"^R: \* : \* : (\d+) : \* (\S+)$", text, re.M)}
    start = [float(p) for p in re.search(r"^start: (.*)$", text, re.M)[1].split()]
    lines, wrong = len(re.findall("^[TR]:", text, re.M)), []
    if lines != len(paid) + sum(map(len, moves.values())):
        wrong.append("a line that is not understood")
    n = len(arrivals)
    for k, (value, kept) in enumerate(want):
        mass, earned = {s: p * len(want) for s, p in enumerate(start) if p > 0 and s // n == k}, 0
        if not near(sum(mass.values()), 1):
            wrong.append("environment %d is not as likely as the others" % k)
        for t in range(-1 if m.spread else 0, m.T):
            then = {}
            for s, reach in mass.items():
                for a, chance in ({actions[-1]: 1} if t < 0 else rules[(t, *arrivals[s % n])]).items():
                    for to, p in moves[actions.index(a), s].items():
                        earned += reach * chance * p * paid.get(to, 0)
                        then[to] = then.get(to, 0) + reach * chance * p
            mass = then
        found = [sum(x for s, x in mass.items() if m.kept(p, arrivals[s % n][0], dict(arrivals[s % n][1]))) for p in m.promises]
        if not near(earned, value) or not all(map(near, found, kept)):
            wrong.append("environment %d: %g and %s, wanted %g and %s" % (k, earned, found, value, kept))
    check(name, "; ".join(wrong[:4]))


def main():
    single = dict(MODEL, initial="A", commitments=[dict(MODEL["commitments"][1], kind="stay", states=["A", "P"])])
    for name, given in (("three", MODEL), ("stay", single)):
        model, policy = os.path.join(folder, "judged.json"), os.path.join(folder, "judged-policy.json")
        json.dump(given, open(model, "w"))
        run("plan", model, "--method", "exact-ccl", "-q", "-o", policy)
        m, rules = Model(given), rules_of(json.load(open(policy)))
        said = json.loads(run("evaluate", model, policy, "--json"))["environments"]
        want = [by_definition(m, rules, k) for k in range(len(said))]
        wrong = [e["name"] for e, (value, kept) in zip(said, want)
                 if not near(e["value"], value) or not all(near(e["commitments"][p["name"]], x) for p, x in zip(m.promises, kept))]
        check("export_evaluate_" + name, wrong)
        optimal = [e["optimal_value"] for e in said]
        for options in ((), ("--objective", "weighted", "--weights", "3,1"), ("--objective", "max-min")):
            judge_bilinear(m, model, rules, want, optimal, options, "_".join(("export_bilinear", name, *options[1:2])))
        judge_pomdp(m, model, rules, want, "export_pomdp_" + name)


main()

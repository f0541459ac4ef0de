"""Models whose probabilities are known within limits, by enumeration, on random models of a few states: the worst probabilities of policies, as
their files say, over every way in which nature picks a vertex of its row after each history; and plans, over all policies of their class.

    judge_within.py VOUCH N [SEED]      prints what differs, and counts
"""
from __future__ import annotations

import itertools
import json
import math
import os
import random
import subprocess
import sys
import tempfile

POLICIES = 3000  # of a class; of more none is judged
MOST = 6000  # ways of nature; of more a sample is tried, none of which may be worse


def run(*words: str) -> tuple[int, dict]:
    done = subprocess.run(words, capture_output=True, text=True)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else {"error": done.stderr}


def draw(r: random.Random) -> dict:
    T = r.choice([2, 3])
    states, actions = ["s0", "s1", "s2"], ["a", "b"]
    paid = {(s, a): r.randint(0, 9) for s in states for a in actions}
    mode = r.choice(["within", "limits", "both"])
    environments = []
    for k in range(2):
        rows, rewards = [], []
        for s in states:
            for a in actions:
                support = sorted(r.sample(states, r.choice([1, 2, 2, 2] if T > 2 else [1, 2, 2, 3])))
                parts = [r.randint(1, 9) for _ in support]
                for x, part in zip(support, parts):
                    q = part / sum(parts)
                    wide = mode != "within" and r.random() < .7 and len(support) > 1
                    rows.append([s, a, x, [round(max(0, q - r.choice([.02, .1, .3])), 3), round(min(1, q + r.choice([.05, .1, .2])), 3)] if wide else q])
                rewards.append([s, a, paid[s, a] + (k and r.random() < .3)])
        environments.append({"name": f"k{k}", "transitions": rows, "rewards": rewards})
    promises = []
    for j in range(r.choice([1, 1, 2])):
        kind = r.choice(["at", "by", "stay", "avoid"])
        p = {"name": f"p{j}", "kind": kind, "states": r.sample(states, 1 if kind in ("at", "by", "avoid") else 2), "probability": r.choice([0, .05, .2])}
        if kind in ("at", "by") and r.random() < .7:
            p["time"] = r.randint(1, T)
        elif kind in ("at", "by"):
            pass
        else:
            p["from"] = r.randint(0, 1)
            p["to"] = r.randint(p["from"], T)
        if r.random() < .2:
            p["over"] = "prior"
        promises.append(p)
    m = {"vouch": 1, "states": states, "actions": actions, "initial": "s0", "horizon": T, "observe": r.choice(["states", "rewards"]),
         "prior": {"k0": .25, "k1": .75} if r.random() < .7 else None, "commitments": promises, "environments": environments}
    if mode != "limits":
        m["within"] = r.choice([.02, .05, .2])
    if not m["prior"] and not any("over" in p for p in promises):
        del m["prior"]
    else:
        m["prior"] = m["prior"] or {"k0": .5, "k1": .5}
    if r.random() < .2:
        m["initial"] = {"s0": .5, "s1": .5}
    return m


class Rows:
    """Of one environment: limits without and with the error, the nominal row, vertices."""

    def __init__(self, m: dict, k: int):
        self.limits: dict = {}
        self.reward = {(s, a): x for s, a, x in m["environments"][k]["rewards"]}
        for s, a, x, q in m["environments"][k]["transitions"]:
            self.limits.setdefault((s, a), {})[x] = tuple(q) if isinstance(q, list) else (q, q)
        self.nominal, self.vertex = {}, {}
        for cell, row in self.limits.items():
            low, high = sum(q[0] for q in row.values()), sum(q[1] for q in row.values())
            c = (1 - low) / (high - low) if high - low > 1e-9 else 0
            self.nominal[cell] = {x: q[0] + c * (q[1] - q[0]) for x, q in row.items()}
            eps = m.get("within", 0) if len(row) > 1 else 0
            self.vertex[cell] = vertices({x: (max(0, q[0] - eps), min(1, q[1] + eps)) for x, q in row.items()})


def vertices(row: dict) -> list:
    found = {}
    for pivot in row:
        others = [x for x in row if x != pivot]
        for ends in itertools.product((0, 1), repeat=len(others)):
            q = {x: row[x][end] for x, end in zip(others, ends)}
            q[pivot] = 1 - sum(q.values())
            if row[pivot][0] - 1e-12 <= q[pivot] <= row[pivot][1] + 1e-12:
                found[tuple(round(q[x], 10) for x in row)] = q
    return list(found.values())


def kept(p: dict, path: tuple, T: int) -> bool:
    at = [s in p["states"] for s in path]
    if p["kind"] == "at":
        return at[p.get("time", T)]
    if p["kind"] == "by":
        return any(at[:p.get("time", T) + 1])
    window = at[p["from"]:p["to"] + 1]
    return all(window) if p["kind"] == "stay" else not any(window)


def memory(m: dict, path: tuple) -> str:
    """As in the names of states: promises decided on the way."""
    words, T, t = [], m["horizon"], len(path) - 1
    for p in m["commitments"]:
        end = p.get("time", p.get("to", T))
        if p["kind"] == "at" and end == T:
            continue
        state = ""
        for i in range(t + 1):
            inside = (path[i] in p["states"]) != (p["kind"] == "avoid")
            if state:
                break
            if p["kind"] == "at":
                state = "" if i < end else "kept" if inside else "broken"
            elif p["kind"] == "by":
                state = "kept" if inside else "broken" if i >= end and end < T else ""
            elif i >= p["from"]:
                state = "broken" if not inside else "kept" if i >= end and end < T else ""
        if state:
            words.append(f"{p['name']} {state}")
    return f" [{', '.join(words)}]" if words else ""


class Follower:
    """A policy file: the distribution of actions after a history (states, actions) in environment k."""

    def __init__(self, m: dict, policy: dict, rows: list):
        self.m, self.L, self.rows = m, policy["L"], rows
        self.offset = isinstance(m["initial"], dict)
        self.rules: dict = {}
        for rule in policy["rules"]:
            self.rules.setdefault((rule["time"], rule["state"]), []).append(rule)

    def same(self, k: int, l: int, s: str, a: str, x: str) -> bool:
        return self.rows[l].nominal[s, a].get(x, 0) > 0 and (self.m["observe"] == "states" or self.rows[l].reward[s, a] == self.rows[k].reward[s, a])

    def actions(self, k: int, path: tuple, taken: tuple) -> dict:
        t, kappa, boundary, like = len(path) - 1, [0, 1], None, [1.0, 1.0]
        for i in range(t + 1):
            if i == self.L - self.offset:
                boundary = path[i] + memory(self.m, path[:i + 1]), list(kappa)
            if i < t:
                s, a, x = path[i], taken[i], path[i + 1]
                if i < self.L - self.offset:
                    kappa = [l for l in kappa if self.same(k, l, s, a, x)]
                like = [like[l] * (self.rows[l].nominal[s, a].get(x, 0) if self.same(k, l, s, a, x) else 0) for l in (0, 1)]
        like = [x / max(like) for x in like]
        for rule in self.rules.get((t, path[-1] + memory(self.m, path)), []):
            if "likelihood" in rule:
                good = max(abs(x - y) for x, y in zip(rule["likelihood"], like)) < 1e-6
            elif "boundary" in rule:
                good = self.L == 0 or boundary is None or (rule["boundary"]["state"], rule["boundary"]["environments"]) == boundary
            else:
                good = rule["environments"] == kappa
            if good:
                return rule["do"]
        raise LookupError(f"no rule at {t} {path} {taken} {kappa} {boundary}")


def tree(follower: Follower, k: int, first: str, T: int) -> tuple[list, list]:
    """Points at which nature picks, (path, taken with the last action), and complete paths with the product of the policy's coins."""
    points, ends, waiting = [], [], [((first,), (), 1.0)]
    while waiting:
        path, taken, coin = waiting.pop()
        if len(path) == T + 1:
            ends.append((path, taken, coin))
            continue
        for a, p in follower.actions(k, path, taken).items():
            points.append((path, taken + (a,)))
            waiting += [(path + (x,), taken + (a,), coin * p) for x in follower.rows[k].nominal[path[-1], a]]
    return points, ends


def probability(ends: list, pick: dict, p: dict, T: int) -> float:
    return math.fsum(coin * math.prod(pick[path[:i + 1], taken[:i + 1]].get(path[i + 1], 0) for i in range(T)) for path, taken, coin in ends if kept(p, path, T))


def judge(m: dict, policy: dict, result: dict, r: random.Random, count: dict) -> list:
    T, rows, wrong = m["horizon"], [Rows(m, k) for k in (0, 1)], []
    follower = Follower(m, policy, rows)
    starts = m["initial"] if isinstance(m["initial"], dict) else {m["initial"]: 1}
    mean = [0.0] * len(m["commitments"])
    for k in (0, 1):
        for j, p in enumerate(m["commitments"]):
            nominal = worst = 0.0
            whole = True
            for s, weight in starts.items():
                points, ends = tree(follower, k, s, T)
                nominal += weight * probability(ends, {(path, taken): rows[k].nominal[path[-1], taken[-1]] for path, taken in points}, p, T)
                choices = [rows[k].vertex[path[-1], taken[-1]] for path, taken in points]
                ways = itertools.product(*choices)
                if math.prod(map(len, choices)) > MOST:
                    whole, ways = False, ([r.choice(c) for c in choices] for _ in range(500))
                worst += weight * min(probability(ends, dict(zip(points, way)), p, T) for way in ways)
            said = result["environments"][k]
            if abs(said["commitments"][p["name"]] - nominal) > 1e-9:
                wrong.append(f"nominal {said['commitments'][p['name']]} {nominal}")
            told = said["worst_probability"][p["name"]]
            if (abs(told - worst) if whole else told - worst) > 1e-9:
                wrong.append(f"worst {told} {worst} whole {whole}")
            count["whole" if whole else "sampled"] += 1
            count["bent"] += nominal - told > 1e-6
            mean[j] += m["prior"][f"k{k}"] * told if "prior" in m else 0
    low = any(mean[j] < p["probability"] - 2.0**-40 if "over" in p else min(e["worst_probability"][p["name"]] for e in result["environments"]) < p["probability"] - 2.0**-40
              for j, p in enumerate(m["commitments"]))
    if low == result["kept"]:
        wrong.append(f"kept {result['kept']}")
    for j, p in enumerate(m["commitments"]):
        if "over" in p and abs(result["worst_averages"][p["name"]] - mean[j]) > 1e-9:
            wrong.append(f"average {result['worst_averages']} {mean}")
    return wrong


class Histories:
    """All histories in one environment. A node is what a policy of lookahead L knows."""

    def __init__(self, m: dict, L: int, k: int, rows: list, judge: Follower):
        self.m, self.L, self.k, self.rows, self.judge, self.nodes = m, L, k, rows, judge, {}
        starts = m["initial"] if isinstance(m["initial"], dict) else {m["initial"]: 1}
        self.roots = [(p, self.grow((s,), (), (0, 1), None)) for s, p in starts.items()]

    def grow(self, path: tuple, taken: tuple, kappa: tuple, boundary: object) -> dict:
        m, t, L = self.m, len(path) - 1, self.L - self.judge.offset
        here = path[-1] + memory(m, path)
        if t == max(L, 0):
            boundary = here if L >= 0 else None, kappa if self.L else None
        node = (t, here, boundary if t >= L else kappa)
        if t == m["horizon"]:
            return {"kept": [kept(p, path, t) for p in m["commitments"]]}
        children, own = {}, self.rows[self.k]
        for a in m["actions"]:
            below = []
            for x in own.nominal[path[-1], a]:
                known = tuple(l for l in kappa if self.judge.same(self.k, l, path[-1], a, x)) if t < L else kappa
                below.append(self.grow(path + (x,), taken + (a,), known, boundary))
            row = own.nominal[path[-1], a]
            vertices = [[q[x] for x in row] for q in own.vertex[path[-1], a]]
            children[a] = (below, list(row.values()), vertices, own.reward[path[-1], a])
        return {"node": node, "children": children}


def earned(h: dict, policy: dict) -> float:
    if "kept" in h:
        return 0
    below, nominal, _, reward = h["children"][policy[h["node"]]]
    return reward + sum(q * earned(c, policy) for q, c in zip(nominal, below))


def at_worst(h: dict, policy: dict, j: int) -> float:
    if "kept" in h:
        return h["kept"][j]
    below, _, vertex, _ = h["children"][policy[h["node"]]]
    value = [at_worst(c, policy, j) for c in below]
    return min(sum(q * v for q, v in zip(row, value)) for row in vertex)


def worst_of(m: dict, trees: list, policy: dict, j: int) -> float:
    worst = [sum(w * at_worst(h, policy, j) for w, h in tree.roots) for tree in trees]
    return m["prior"]["k0"] * worst[0] + m["prior"]["k1"] * worst[1] if "over" in m["commitments"][j] else min(worst)


def keeps(m: dict, trees: list, policy: dict) -> bool:
    return all(worst_of(m, trees, policy, j) >= p["probability"] - 2.0**-40 for j, p in enumerate(m["commitments"]))


class TooMany(Exception):
    pass


def least(m: dict, trees: list, value: object) -> float:
    """Least value(policy) over all deterministic policies that keep their promises at worst; inf: there is none."""
    best, seen = math.inf, 0

    def go(layer: list, policy: dict) -> None:
        nonlocal best, seen
        nodes = sorted({h["node"] for h in layer if "node" in h}, key=str)
        if not nodes:
            seen += 1
            if seen > POLICIES:
                raise TooMany
            new = value(policy)
            if new < best - 1e-9 and keeps(m, trees, policy):
                best = new
            return
        for actions in itertools.product(m["actions"], repeat=len(nodes)):
            chosen = {**policy, **dict(zip(nodes, actions))}
            go([c for h in layer for c in h["children"][chosen[h["node"]]][0]], chosen)

    go([h for tree in trees for _, h in tree.roots], {})
    return best


def judge_largest(vouch: str, model: str, m: dict, L: int, count: dict) -> list:
    rows = [Rows(m, k) for k in (0, 1)]
    trees = [Histories(m, L, k, rows, Follower(m, {"L": L, "rules": []}, rows)) for k in (0, 1)]
    free = {**m, "commitments": [{**m["commitments"][0], "probability": 0}]}
    status, answer = run(vouch, "plan", model, "-L", str(L), "--max-commitment", "--json", "-q")
    try:
        most = -least(free, trees, lambda policy: -worst_of(m, trees, policy, 0))
    except TooMany:
        return []
    count["largest"] += 1
    return [] if status == 0 and abs(answer["this_class"]["reached"] - most) < 1.1e-6 and answer["this_class"]["bound"] >= most - 1e-7 else [f"largest: {status} {answer}, enumeration {most}"]


def judge_plan(m: dict, L: int, objective: str, sign: int, status: int, plan: dict, least_total: bool, count: dict) -> list:
    rows = [Rows(m, k) for k in (0, 1)]
    follower = Follower(m, {"L": L, "rules": []}, rows)
    trees = [Histories(m, L, k, rows, follower) for k in (0, 1)]

    def regrets(policy: dict) -> list:
        return [sign * (e["optimal_value"] - sum(w * earned(h, policy) for w, h in tree.roots)) for e, tree in zip(plan["environments"], trees)]

    def value(policy: dict) -> float:
        U = [sign * sum(w * earned(h, policy) for w, h in tree.roots) for tree in trees]
        if objective == "weighted":
            prior = m.get("prior", {"k0": 1, "k1": 1})
            return -prior["k0"] * U[0] - prior["k1"] * U[1]
        return -min(U) if objective == "max-min" else max(regrets(policy))

    if status == 2:  # no U*
        plan["environments"] = [{"optimal_value": 0}] * 2
    try:
        best = least(m, trees, value)
    except TooMany:
        count["skipped"] += 1
        return []
    count["planned"] += 1
    count["impossible"] += best == math.inf
    if status == 2 or best == math.inf:
        return [] if status == 2 and best == math.inf else [f"infeasible: status {status}, enumeration {best}"]
    found = plan["max_regret"] if objective == "regret" else -sign * plan["value"]
    bound = plan["bound"] if objective == "regret" else -sign * plan["bound"]
    wrong = [] if status == 0 and abs(found - best) < 3e-6 else [f"status {status}, value {found}, enumeration {best}"]
    wrong += [f"bound {bound} above {best}"] if bound > best + 2e-6 else []
    if least_total:
        count["totals"] += 1
        total = least(m, trees, lambda policy: sum(regrets(policy)) if max(regrets(policy)) <= best + 2e-6 else math.inf)
        wrong += [f"total regret {plan['total_regret']}, enumeration {total}"] if plan["total_regret"] > total + 5e-6 else []
    return wrong


def plain(m: dict) -> dict:
    """The model of the nominal rows."""
    m = json.loads(json.dumps(m))
    m.pop("within", None)
    for k in (0, 1):
        nominal = Rows(m, k).nominal
        m["environments"][k]["transitions"] = [[s, a, x, q] for (s, a), row in nominal.items() for x, q in row.items()]
    return m


def judge_policies(vouch: str, names: tuple, m: dict, number: int, r: random.Random, count: dict) -> None:
    model, policy, nominal = names
    for words in (["-L", "0"], ["-L", "1"], ["-L", "2"], ["--method", "history"]):
        status, plan = run(vouch, "plan", nominal, *words, "-o", policy, "--json", "-q")
        if status != 0:  # infeasible
            count["wrong"] += status != 2
            continue
        status, result = run(vouch, "evaluate", model, policy, "--json", "-q")
        with open(policy) as f:
            read = json.load(f)
        if any("follow" in rule for rule in read["rules"]) or "error" in result:
            print(number, words, "not judged", result.get("error"))
            continue
        wrong = judge(m, read, result, r, count)
        wrong += [f"exit {status}"] if (status == 0) != result["kept"] or status not in (0, 2) else []
        count["policies"] += 1
        count["unkept"] += status == 2
        count["wrong"] += bool(wrong)
        for each in wrong:
            print(number, words, each)


def judge_plans(vouch: str, names: tuple, m: dict, number: int, r: random.Random, count: dict) -> None:
    model, policy, _ = names
    if len(m["commitments"]) == 1:
        wrong = judge_largest(vouch, model, m, r.choice([0, 1]), count)
        count["wrong"] += bool(wrong)
        for each in wrong:
            print(number, each)
    for L in (0, 1, 2):
        objective = r.choice(["regret"] * 4 + ["weighted", "max-min"])
        costs = ["--minimise"] if r.random() < .2 else []
        ask = [model, "-L", str(L), "--objective", objective, *costs]
        status, plan = run(vouch, "plan", *ask, "-o", policy, "--json", "-q")
        words = subprocess.run([vouch, "plan", *ask], capture_output=True, text=True).stdout if objective == "regret" else ""
        told = "proved least for that maximum" in words
        wrong = judge_plan(m, L, objective, -1 if costs else 1, status, plan, told, count) if status in (0, 2, 3) else [f"status {status} {plan}"]
        if m["initial"] == "s0" and all(p["kind"] == "at" and "over" not in p and "time" not in p for p in m["commitments"]):
            done = subprocess.run([vouch, "plan", *ask, "--prove"], capture_output=True, text=True)
            count["proofs"] += 1
            wrong += [] if done.returncode == status and "verified:" in done.stdout else [f"proof: {done.stderr}"]
        if status in (0, 3):
            wrong += [] if run(vouch, "evaluate", model, policy, *costs, "--json", "-q")[0] == 0 else ["evaluate finds the promises broken"]
        count["wrong"] += bool(wrong)
        for each in wrong:
            print(number, "plan", L, objective, each)


def main() -> None:
    vouch, N, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    count = dict.fromkeys("models policies whole sampled bent unkept planned totals proofs largest impossible skipped wrong".split(), 0)
    with tempfile.TemporaryDirectory() as folder:
        names = tuple(os.path.join(folder, name) for name in ("m.json", "p.json", "n.json"))
        for number in range(seed, seed + N):
            r = random.Random(number)
            m = draw(r)
            for name, what in ((names[0], m), (names[2], plain(m))):
                with open(name, "w") as f:
                    json.dump(what, f)
            count["models"] += 1
            judge_policies(vouch, names, m, number, r, count)
            for p in m["commitments"]:  # of which few are kept
                p["probability"] = r.choice([p["probability"], .1, .2, .3, .4, .5])
            with open(names[0], "w") as f:
                json.dump(m, f)
            judge_plans(vouch, names, m, number, r, count)
    print(", ".join(f"{n} {what}" for what, n in count.items()))


main()

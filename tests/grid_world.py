"""Small models of every feature, and what is true of them: the judge's own side of tests/judge_grid.py, written from the definitions.

Probabilities are multiples of 1/8 and rewards of 1/4, so that sums are exact in doubles. Deterministic policies of L updates are listed one by one;
policies that remember everything and toss coins are a linear program over histories, solved by scipy.
"""
import numpy as np
from scipy.optimize import linprog

OPEN, KEPT, BROKEN = 0, 1, 2
SLACK = 1e-9
MOST = 3000  # policies in a list


class TooMany(Exception):
    pass


class World:
    """P, R [K][S][A]: {successor: probability or reward}; promises: dicts of kind, sets [K], to, from (windows), p [K], average. within: the error of
    probabilities; then Pr of deterministic policies is that of the worst reply, which knows the policy node."""

    def __init__(self, r, features):
        f = features
        self.K = 1 if "one environment" in f else 2 if "twins" in f or r.random() < .6 else 3
        self.T = r.choice([1, 2, 2, 3])
        self.S = 2 if self.T == 3 or "initial" in f else r.choice([2, 3])
        self.A, self.unseen, self.odd = 2, "unseen" in f, "odd names" in f
        self.actions = [range(1 if "few actions" in f and s == 1 else self.A) for s in range(self.S)]
        shared = r.random() < .3
        self.P = [[[self.chances(r, "certain" in f) for _ in range(self.A)] for _ in range(self.S)] for _ in range(self.K)]
        if shared: self.P = [self.P[0]] * self.K
        self.R = [[[self.rewards(r, self.P[k][s][a], "landing" in f) for a in range(self.A)] for s in range(self.S)] for k in range(self.K)]
        if "flat" in f:  # nothing that is done changes what is paid
            paid = r.choice([0, 1, -2, .5])
            self.R = [[[dict.fromkeys(x, paid) for x in row] for row in rows] for rows in self.P]
        if "twins" in f: self.P[1:], self.R[1:] = [self.P[0]], [self.R[0]]
        self.initial = {s: 1 / 4 if s else 1 - (self.S - 1) / 4 for s in range(self.S)} if "initial" in f else None
        self.prior = [r.choice([1, 1, 2, 0]) for _ in range(self.K)] if "average" in f or "prior" in f else None
        if self.prior and sum(self.prior) == 0: self.prior[0] = 1
        self.L = 0
        self.within = r.choice([1 / 32, 1 / 16, 1 / 4]) if "within" in f else 0
        self.promise(r, f)

    def chances(self, r, certain):
        x = r.randrange(self.S)
        y = (x + 1) % self.S
        p = 1 if certain else r.choice([1, 1, .5, .75, .25, .875])
        return {x: 1.0} if p == 1 else {x: p, y: 1 - p}

    @staticmethod
    def rewards(r, successors, landing):
        flat = r.choice([0, 0, 1, 2, -1, .5, 3])
        return {x: r.choice([0, 1, 2, -.5]) if landing else flat for x in successors}

    def promise(self, r, f):
        count = 3 if "three promises" in f else 2 if "two promises" in f else 1
        kinds = [k for k in ("by", "stay", "avoid") if k in f]
        self.promises = []
        for j in range(max(count, len(kinds))):
            kind = kinds[j] if j < len(kinds) else "at"
            one = [s for s in range(self.S) if r.random() < .6] or [r.randrange(self.S)]
            sets = [one] * self.K
            if "own sets" in f: sets = [sorted(r.sample(range(self.S), r.randint(1, self.S))) for _ in range(self.K)]
            to = self.T if (kind == "at" and "early" not in f) or r.random() < .3 else r.randint(1, self.T)
            low = r.randint(0, to) if kind in ("stay", "avoid") and r.random() < .5 else 0
            self.promises.append({"kind": kind, "sets": sets, "to": to, "from": low, "average": "average" in f and j == 0})
        # What some policy, Markov as all classes have it, keeps; or what it does not, or less.
        found = self.vectors(0)
        u, pr = r.choice(found)
        for j, q in enumerate(self.promises):
            if q["average"]:
                q["p"] = [self.mean(pr[j])] * self.K
            else:
                q["p"] = list(pr[j]) if "own probabilities" in f else [min(pr[j])] * self.K
            if "impossible" in f and j == 0: q["p"] = [min(1, p + 1 / 16) for p in q["p"]]
            elif "edge" not in f and r.random() < .7: q["p"] = [max(0, p - r.choice([.03125, .25, .0625]) if p > 0 else 0) for p in q["p"]]
            if "own probabilities" not in f or q["average"]: q["p"] = [q["p"][0]] * self.K

    # ---- the file ----

    def json(self):
        state, action = self.state, self.action
        rows, pay, environments = [], [], []
        for k in range(self.K):
            e = {"name": self.environment(k), "transitions": [], "rewards": []}
            for s in range(self.S):
                for a in self.actions[s]:
                    e["transitions"] += [[state(s), action(a), state(x), p] for x, p in self.P[k][s][a].items()]
                    values = self.R[k][s][a]
                    if len(set(values.values())) == 1:
                        e["rewards"].append([state(s), action(a), next(iter(values.values()))])
                    else:
                        e["rewards"] += [[state(s), action(a), state(x), v] for x, v in values.items()]
            environments.append(e)
        model = {"vouch": 1, "name": "grid", "states": [state(s) for s in range(self.S)], "actions": [action(a) for a in range(self.A)], "horizon": self.T}
        model["initial"] = {state(s): p for s, p in self.initial.items()} if self.initial else state(0)
        plain = self.promises[0]
        if len(self.promises) == 1 and plain["kind"] == "at" and plain["to"] == self.T and not plain["average"] and self.same(plain):
            model["commitment"] = {"states": [state(s) for s in plain["sets"][0]], "probability": plain["p"][0]}
        else:
            model["commitments"] = [self.promise_json(j, state) for j in range(len(self.promises))]
        if self.prior: model["prior"] = {self.environment(k): self.prior[k] for k in range(self.K)}
        if self.unseen: model["observe"] = "states"
        if self.within: model["within"] = self.within
        return {**model, "transitions": rows, "rewards": pay, "environments": environments}

    def state(self, s):
        return "%d \"\u00e9\" <b>, a\\b & c|d%s" % (s, " [c0 kept]" * s) if self.odd else "s%d" % s

    def action(self, a):
        return ["go; to", "\u2192 {x}"][a] if self.odd else "a%d" % a

    def environment(self, k):
        return "k=%d, \"x/y\" <%d>" % (k, k) if self.odd else "k%d" % k

    def same(self, q):
        return all(x == q["sets"][0] for x in q["sets"]) and len(set(q["p"])) == 1

    def promise_json(self, j, state):
        q = self.promises[j]
        by_environment = lambda values: values[0] if all(v == values[0] for v in values) else {self.environment(k): v for k, v in enumerate(values)}
        out = {"name": "c%d" % j, "kind": q["kind"], "states": by_environment([[state(s) for s in x] for x in q["sets"]]), "probability": by_environment(q["p"])}
        out.update({"time": q["to"]} if q["kind"] in ("at", "by") else {"from": q["from"], "to": q["to"]})
        if q["average"]: out["over"] = "prior"
        return out

    # ---- what promises remember ----

    def remember(self, before, t, s):
        after = []
        for (j, q), old in zip(((j, q) for q in self.promises for j in range(self.K)), before):
            inside = (s in q["sets"][j]) != (q["kind"] == "avoid")
            if q["kind"] == "at": new = OPEN if t < q["to"] else KEPT if inside else BROKEN
            elif q["kind"] == "by": new = KEPT if inside and t <= q["to"] else OPEN if t < q["to"] else BROKEN
            else: new = OPEN if t < q["from"] else BROKEN if not inside else KEPT if t >= q["to"] else OPEN
            after.append(new if old == OPEN else old)
        return tuple(after)

    def begin(self):
        """[(state, memory, probability)] at time 0."""
        blank = (OPEN,) * (self.K * len(self.promises))
        return [(s, self.remember(blank, 0, s), p) for s, p in (self.initial or {0: 1.0}).items()]

    # ---- deterministic policies of L updates ----

    def step(self, node, a, k):
        """[(successor node, probability, reward)]; node: (updates made, time, state, memory, known, boundary)."""
        made, t, s, memory, known, boundary = node
        moves = [(x, m, p, 0) for x, m, p in self.begin()] if t < 0 else None
        if moves is None:
            moves = [(x, self.remember(memory, t + 1, x), p, self.R[k][s][a][x]) for x, p in self.P[k][s][a].items()]
        out = []
        for x, m, p, reward in moves:
            knows = known
            if made < self.L and t >= 0:
                knows = frozenset(e for e in known if x in self.P[e][s][a] and (self.unseen or self.R[e][s][a][x] == reward))
            at = boundary if made > self.L else (s, memory, known) if made == self.L else None
            out.append(((made + 1, t + 1, x, m, knows, at), p, reward))
        return out

    def root(self):
        everything = frozenset(range(self.K))
        if self.initial: return (0, -1, -1, (), everything, None)
        (s, memory, _), = self.begin()
        return (0, 0, s, memory, everything, None)

    def vectors(self, L):
        """[(U [K], Pr [promises][K])] of all deterministic policies of L updates."""
        if not hasattr(self, "known"): self.known = {}
        if (L, self.within) in self.known: return self.known[L, self.within]
        self.L, found, cache, choice = L, set(), {}, {}
        leaves = 0

        def worst(node, j, k, known):
            if node[1] == self.T: return float(self.holds(node[3], j, k))
            if node not in known:
                row = [(worst(x, j, k, known), p) for x, p, _ in cache[node, choice[node], k]]
                off = self.within if node[1] >= 0 and len(row) == 2 and row[0][0] != row[1][0] else 0
                low, high = sorted(row)[0], sorted(row)[-1]
                known[node] = high[0] + min(1, low[1] + off) * (low[0] - high[0]) if off else sum(v * p for v, p in row)
            return known[node]

        def decide(layer, i, following, u):
            nonlocal leaves
            nodes = list(layer)
            if i == len(nodes):
                if not following or next(iter(following))[1] == self.T:
                    leaves += 1
                    if leaves > MOST: raise TooMany
                    every = range(self.K)
                    return found.add((u, tuple(tuple(worst(self.root(), j, k, {}) for k in every) for j in range(len(self.promises))) if self.within else self.kept_by(following)))
                return decide(following, 0, {}, u)
            node = nodes[i]
            for a in range(1) if node[1] < 0 else self.actions[node[2]]:
                onward, value, choice[node] = dict(following), list(u), a
                for k, mass in enumerate(layer[node]):
                    if mass == 0: continue
                    key = (node, a, k)
                    if key not in cache: cache[key] = self.step(node, a, k)
                    for x, p, reward in cache[key]:
                        value[k] += mass * p * reward
                        masses = list(onward.get(x, (0.0,) * self.K))
                        masses[k] += mass * p
                        onward[x] = tuple(masses)
                decide(layer, i + 1, onward, tuple(value))

        decide({self.root(): (1.0,) * self.K}, 0, {}, (0.0,) * self.K)
        self.known[L, self.within] = list(found)
        return self.known[L, self.within]

    def kept_by(self, layer):
        pr = [[0.0] * self.K for _ in self.promises]
        for node, masses in layer.items():
            for j, q in enumerate(self.promises):
                for k in range(self.K):
                    pr[j][k] += masses[k] * self.holds(node[3], j, k)
        return tuple(map(tuple, pr))

    def holds(self, memory, j, k):
        value = memory[j * self.K + k]
        return value == KEPT or (value == OPEN and self.promises[j]["kind"] in ("stay", "avoid"))

    def mean(self, pr):
        weight = self.prior or [1] * self.K
        return sum(w * x for w, x in zip(weight, pr)) / sum(weight)

    def short(self, pr, of=None, but=None):
        """By how much the promises are broken in the environments `of`, promise `but` apart; means count in all."""
        most = 0
        for j, q in enumerate(self.promises):
            if j == but: continue
            if q["average"]: most = max(most, q["p"][0] - self.mean(pr[j]))
            else: most = max([most] + [q["p"][k] - pr[j][k] for k in range(self.K) if of is None or k in of])
        return most

    # ---- all policies ----

    def histories(self):
        """Rows of the flow, U [K][columns], Pr [promises][K][columns] of plans by history."""
        if hasattr(self, "program"): return self.program
        self.L = 10 ** 6
        columns, rows, right, U, Pr = 0, [], [], [{} for _ in range(self.K)], [[{} for _ in range(self.K)] for _ in self.promises]
        level = [(self.root(), None, (1.0,) * self.K)]
        while level:
            following = []
            for node, parent, chance in level:
                actions = range(1) if node[1] < 0 else self.actions[node[2]]
                row = {columns + a: 1 for a in actions}
                if parent is not None: row[parent] = -1
                rows.append(row)
                right.append(1 if parent is None else 0)
                for a in actions:
                    seen = {}
                    for k in range(self.K):
                        if chance[k] == 0: continue
                        for x, p, reward in self.step(node, a, k):
                            U[k][columns + a] = U[k].get(columns + a, 0) + chance[k] * p * reward
                            key = (x[2], None if self.unseen or node[1] < 0 else reward)
                            entry = seen.setdefault(key, [x, [0.0] * self.K])
                            entry[1][k] += chance[k] * p
                    for x, masses in seen.values():
                        if x[1] < self.T:
                            following.append((x, columns + a, tuple(masses)))
                        else:
                            for j in range(len(self.promises)):
                                for k in range(self.K):
                                    if self.holds(x[3], j, k): Pr[j][k][columns + a] = Pr[j][k].get(columns + a, 0) + masses[k]
                columns += len(actions)
            level = following
        if columns > 4 * MOST: raise TooMany
        dense = lambda entries: np.array([entries.get(c, 0.0) for c in range(columns)])
        flow = np.array([dense(row) for row in rows])
        self.program = flow, np.array(right), [dense(u) for u in U], [[dense(x) for x in pr] for pr in Pr]
        return self.program

    def best(self, goal, of=None, but=None):
        """The most z, as `goal` has it: rows z <= .. of (U, Pr), while the promises of `of` are kept, promise `but` apart; None: no policy keeps them."""
        flow, right, U, Pr = self.histories()
        A, b = [], []
        for j, q in enumerate(self.promises):
            if j == but: continue
            if q["average"]:
                if of is None:
                    A.append(-np.append(sum(w * x for w, x in zip(self.prior, Pr[j])) / sum(self.prior), 0))
                    b.append(-q["p"][0])
            else:
                for k in range(self.K):
                    if of is None or k in of:
                        A.append(-np.append(Pr[j][k], 0))
                        b.append(-q["p"][k])
        for entries, constant in goal(U, Pr):  # z - entries <= constant
            A.append(np.append(-entries, 1))
            b.append(constant)
        cost = np.zeros(flow.shape[1] + 1)
        cost[-1] = -1
        done = linprog(cost, A_ub=np.array(A), b_ub=np.array(b), A_eq=np.hstack([flow, np.zeros((len(flow), 1))]), b_eq=right,
                       bounds=[(0, None)] * flow.shape[1] + [(None, None)], method="highs")
        return -done.fun if done.status == 0 else None

    def alone(self, k, promised=None):
        """U*(k): the most of environment k under its own promises, those on average apart."""
        return self.best(lambda U, Pr: [(U[k], 0)], of=[k])

    def worth(self, u, optimal, objective, weights, of=None):
        """What is maximised, of a policy's U."""
        of = range(self.K) if of is None else of
        if objective == "regret": return -max(optimal[k] - u[k] for k in of)
        if objective == "weighted": return sum(w * x for w, x in zip(weights, u))
        return min(u)

    def goal(self, optimal, objective, weights, of=None):
        of = range(self.K) if of is None else of
        if objective == "regret": return lambda U, Pr: [(U[k], -optimal[k]) for k in of]
        if objective == "weighted": return lambda U, Pr: [(sum(w * u for w, u in zip(weights, U)), 0)]
        return lambda U, Pr: [(u, 0) for u in U]

"""Truth about a small model in rationals, for judge_scales.py: all deterministic policies of a class, U*, and the least regret of histories.

A model has `states`, `actions`, `T`, `start`, `promises` (kind, set of states, begin, end) and for each environment k
`prob[k][s, a]` a list of (successor, Fraction) and `reward[k][s, a]` a dict by successor. Its states are joined with the memory of its
promises, as src/mdp/model.h defines it, so that a joined state is (state, memory) and time belongs to every policy node.
"""
from fractions import Fraction
from itertools import product
from math import lcm

OPEN, KEPT, BROKEN = 0, 1, 2
ROUNDING = Fraction(1, 2**53)


class TooLarge(Exception):
    """More policies than the caller wants to enumerate."""


def keep(horizon):
    """A promise p is kept by probabilities of at least p - keep."""
    return Fraction(1, 2**40) + (horizon + 2) * ROUNDING


def remember(model, promise, before, t, s):
    kind, members, begin, end = promise
    if before != OPEN or (kind == 'at' and (end == model.T or t < end)):
        return before
    inside = (s in members) != (kind == 'avoid')
    if kind == 'at':
        return KEPT if inside else BROKEN
    if kind == 'by':
        return KEPT if inside else BROKEN if t >= end and end < model.T else OPEN
    if t < begin:
        return OPEN
    return BROKEN if not inside else KEPT if t >= end and end < model.T else OPEN


def is_kept(model, promise, state):
    s, memory = state[0], state[1][model.promises.index(promise)]
    kind, members, begin, end = promise
    if kind == 'at' and end == model.T:
        return s in members
    return memory == KEPT or (memory == OPEN and kind in ('stay', 'avoid'))


class Joined:
    """The joined model: first state, and the outcomes of an action at a time."""

    def __init__(self, model):
        self.model, self.K, self.T, self.J = model, len(model.prob), model.T, len(model.promises)
        self.first = self.arrive(None, 0, model.start)
        self.seen = {pair: self.observations(pair) for pair in model.prob[0]}
        self.memo = {}

    def arrive(self, before, t, s):
        memory = before[1] if before else (OPEN,) * self.J
        return s, tuple(remember(self.model, p, m, t, s) for p, m in zip(self.model.promises, memory))

    def observations(self, pair):
        """seen[successor][k]: rewards of one number are one observation; None where k has no such successor."""
        seen = {}
        for successor in {n for k in range(self.K) for n, _ in self.model.prob[k][pair]}:
            paid = sorted((float(self.model.reward[k][pair][successor]), k) for k in range(self.K) if successor in self.model.reward[k][pair])
            number, of = 0, [None] * self.K
            for i, (reward, k) in enumerate(paid):
                last = paid[i - 1][0] if i else reward
                if self.model.observe == 'rewards' and abs(reward - last) > 1e-9 * max(abs(reward), abs(last)):
                    number += 1
                of[k] = number
            seen[successor] = of
        return seen

    def actions(self, state):
        return self.model.actions_of[state[0]]

    def outcomes(self, t, state, a):
        """By environment: the expected reward, and a list of (joined successor, probability, observation)."""
        key = t, state, a
        if key not in self.memo:
            pair, found = (state[0], a), []
            for k in range(self.K):
                paid = sum(p * self.model.reward[k][pair][n] for n, p in self.model.prob[k][pair])
                found.append((paid, [(self.arrive(state, t + 1, n), p, (n, self.seen[pair][n][k])) for n, p in self.model.prob[k][pair]]))
            self.memo[key] = found
        return self.memo[key]

    def kept(self, state):
        return [1 if is_kept(self.model, p, state) else 0 for p in self.model.promises]


# ---- all deterministic policies of L updates ----

class Policies:
    """The distinct (U, Pr) of deterministic L-updates policies, in Fractions. Histories that led to the same reach of the same nodes have one future."""

    def __init__(self, joined, lookahead, most):
        self.j, self.L, self.left = joined, lookahead, most
        everyone = frozenset(range(joined.K))
        self.root = (joined.first, everyone)
        if most == 0:  # nodes alone are wanted
            return
        layer = {((self.root, (Fraction(1),) * joined.K),): {(Fraction(0),) * joined.K}}
        for t in range(joined.T):
            layer = self.step(t, layer)
        self.values = sorted({(u, self.probabilities(at)) for at, values in layer.items() for u in values})

    def probabilities(self, at):
        """By promise, by environment."""
        total = [[Fraction(0)] * self.j.K for _ in range(self.j.J)]
        for (state, _), reach in at:
            for promise, kept in enumerate(self.j.kept(state)):
                for k in range(self.j.K) if kept else ():
                    total[promise][k] += reach[k]
        return tuple(map(tuple, total))

    def follow(self, t, node, reach, a):
        """What action a pays in each environment, and the nodes that follow with their reach."""
        state, known = node
        outcome = self.j.outcomes(t, state, a)
        pays, mass, consistent, nodes = [Fraction(0)] * self.j.K, {}, {}, {}
        for k in range(self.j.K):
            pays[k] = reach[k] * outcome[k][0]
            for successor, p, seen in outcome[k][1] if reach[k] else ():
                mass.setdefault((successor, seen), [Fraction(0)] * self.j.K)[k] += reach[k] * p
            if t < self.L and k in known:
                for successor, _, seen in outcome[k][1]:
                    consistent.setdefault((successor, seen), set()).add(k)
        for key, y in mass.items():  # a node after time L is that at L, and the state
            after = (key[0], frozenset(consistent[key]) if t < self.L else known if t > self.L else node)
            nodes[after] = [x + z for x, z in zip(nodes[after], y)] if after in nodes else y
        return pays, nodes

    def options(self, t, node, reach):
        """Of each action that differs from the ones before."""
        found = {}
        for a in self.j.actions(node[0]):
            pays, nodes = self.follow(t, node, reach, a)
            found[tuple(pays), frozenset((n, tuple(m)) for n, m in nodes.items())] = None
        return list(found)

    def step(self, t, layer):
        following = {}
        for at, values in layer.items():
            for chosen in product(*(self.options(t, node, reach) for node, reach in at)):
                gain, nodes = [Fraction(0)] * self.j.K, {}
                for pays, follow in chosen:
                    gain = [x + y for x, y in zip(gain, pays)]
                    for node, mass in follow:
                        nodes[node] = tuple(x + y for x, y in zip(nodes[node], mass)) if node in nodes else mass
                target = following.setdefault(frozenset(nodes.items()), set())
                before = len(target)
                for u in values:
                    target.add(tuple(x + y for x, y in zip(u, gain)))
                self.left -= 1 + len(target) - before
                if self.left < 0:
                    raise TooLarge
        return following


    def value(self, rule):
        """(U, Pr) of a policy with coins, rule(t, node) its probabilities by action."""
        U, layer = [Fraction(0)] * self.j.K, {self.root: [Fraction(1)] * self.j.K}
        for t in range(self.j.T):
            following = {}
            for node, reach in layer.items():
                for a, share in rule(t, node).items():
                    pays, nodes = self.follow(t, node, [share * x for x in reach], a)
                    U = [x + y for x, y in zip(U, pays)]
                    for after, mass in nodes.items():
                        following[after] = [x + y for x, y in zip(following[after], mass)] if after in following else mass
            layer = following
        return tuple(U), self.probabilities(layer.items())


# ---- linear programs over policies, whose columns one induction makes ----

def maximise(rows, columns, oracle):
    """max of cost x over rows x = side, x >= 0: rows are sides >= 0, columns (cost, entries), oracle(duals, whether costs count) the column of largest gain.
    Revised simplex in Fractions with a lexicographic ratio test. The optimum; None if there is none."""
    m = len(rows)
    inverse = [[Fraction(i == j) for j in range(m)] for i in range(m)]
    x, basis = list(rows), [(None, None)] * m  # None: artificial

    def duals(phase):
        cost = [(-1 if c[1] is None else 0) if phase == 1 else (0 if c[1] is None else c[0]) for c in basis]
        return [sum(cost[i] * inverse[i][j] for i in range(m) if cost[i]) for j in range(m)]

    for phase in (1, 2):
        while True:
            y = duals(phase)
            best, entering = Fraction(0), None
            offered = oracle(y, phase == 2)
            for cost, entries in columns + ([offered] if offered else []):
                gain = (cost if phase == 2 else 0) - sum(a * b for a, b in zip(y, entries))
                if gain > best:
                    best, entering = gain, (cost, entries)
            if entering is None:
                break
            d = [sum(inverse[i][j] * entering[1][j] for j in range(m) if entering[1][j]) for i in range(m)]
            forced = [i for i in range(m) if phase == 2 and basis[i][1] is None and d[i]]
            rising = [i for i in range(m) if d[i] > 0]
            assert forced or rising, 'unbounded'
            r = forced[0] if forced else min(rising, key=lambda i: (x[i] / d[i], [v / d[i] for v in inverse[i]]))
            x[r] /= d[r]
            inverse[r] = [v / d[r] for v in inverse[r]]
            for i in range(m):
                if i != r and d[i]:
                    x[i] -= d[i] * x[r]
                    inverse[i] = [v - d[i] * w for v, w in zip(inverse[i], inverse[r])]
            basis[r] = entering
        if phase == 1 and any(x[i] for i in range(m) if basis[i][1] is None):
            return None
    return sum(x[i] * basis[i][0] for i in range(m) if basis[i][1] is not None)


class Alone:
    """Environment k by itself."""

    def __init__(self, joined, k):
        self.j, self.k = joined, k
        self.layers = [[joined.first]]
        for t in range(joined.T):
            self.layers.append(list({n: None for s in self.layers[-1] for a in joined.actions(s) for n, _, _ in joined.outcomes(t, s, a)[k][1]}))
        self.optima = {}

    def best(self, reward_weight, weights, rank=()):
        """(U, Pr ..) of a policy of the largest reward_weight U + weights Pr, and of those of the largest `rank`, weights of (U, Pr ..)."""
        def score(v):
            return (reward_weight * v[0] + sum(w * p for w, p in zip(weights, v[1:])), sum(w * x for w, x in zip(rank, v)))

        value = {s: (Fraction(0), *map(Fraction, self.j.kept(s))) for s in self.layers[self.j.T]}
        for t in reversed(range(self.j.T)):
            now = {}
            for s in self.layers[t]:
                for a in self.j.actions(s):
                    paid, outcomes = self.j.outcomes(t, s, a)[self.k]
                    v = [paid] + [Fraction(0)] * self.j.J
                    for n, p, _ in outcomes:
                        v = [x + p * y for x, y in zip(v, value[n])]
                    if s not in now or score(v) > score(now[s]):
                        now[s] = tuple(v)
            value = now
        return value[self.j.first]

    def most(self, promise=0):
        """The largest Pr of a promise."""
        return self.best(0, [int(i == promise) for i in range(self.j.J)])[1 + promise]

    def optimum(self, thresholds):
        """Largest U of policies with coins whose Pr are at least the thresholds; None: there is none."""
        thresholds = tuple(thresholds)
        if thresholds not in self.optima:
            self.optima[thresholds] = self.hull(thresholds[0]) if self.j.J == 1 else self.program(thresholds)
        return self.optima[thresholds]

    def hull(self, p):
        """The upper hull of all (Pr, U) at p: its edge between a policy below p and one that keeps p."""
        low = self.best(1, [0], (0, 1))
        if low[1] >= p:
            return low[0]
        high = self.best(0, [1], (1, 0))
        if high[1] < p:
            return None
        while True:
            mu = (low[0] - high[0]) / (high[1] - low[1])
            new = self.best(1, [mu])
            if new[0] + mu * new[1] <= low[0] + mu * low[1]:
                return low[0] + mu * (low[1] - p)
            low, high = (new, high) if new[1] < p else (low, new)

    def program(self, thresholds):
        rows = [max(t, Fraction(0)) for t in thresholds] + [Fraction(1)]
        slack = [(Fraction(0), [Fraction(-int(i == j)) for j in range(len(rows))]) for i in range(self.j.J)]

        def price(y, rewarded):
            v = self.best(int(rewarded), [-x for x in y[:-1]])
            return v[0], list(v[1:]) + [Fraction(1)]
        return maximise(rows, slack, price)


class Histories:
    """All policies of the whole history, with coins: by likelihood classes."""

    def __init__(self, joined, most):
        self.j = joined
        self.left = most
        self.layers = [{(joined.first, (Fraction(1),) * joined.K): None}]
        for t in range(joined.T):
            self.layers.append({})
            for state, w in self.layers[t]:
                for a in joined.actions(state):
                    for after, _ in self.after(t, state, w, a):
                        self.layers[t + 1][after] = None
            self.left -= len(self.layers[t + 1])
            if self.left < 0:
                raise TooLarge

    def after(self, t, state, w, a):
        """((state, likelihoods), by environment the probability) of each observation."""
        follow = {}
        for k, (_, outcomes) in enumerate(self.j.outcomes(t, state, a)):
            for n, p, seen in outcomes if w[k] else ():
                follow.setdefault((n, seen), [Fraction(0)] * self.j.K)[k] += p
        found = []
        for (n, _), p in follow.items():
            y = [x * q for x, q in zip(w, p)]
            top = max(y)
            found.append(((n, tuple(v / top for v in y)), p))
        return found

    def value(self, choose):
        """By environment (U, Pr ..) at the start; choose(t, state, w, options) the vector taken, options {action: vector}."""
        K, J = self.j.K, self.j.J
        value = {c: [(Fraction(0), *map(Fraction, self.j.kept(c[0])))] * K for c in self.layers[self.j.T]}
        for t in reversed(range(self.j.T)):
            now = {}
            for state, w in self.layers[t]:
                options = {}
                for a in self.j.actions(state):
                    outcome = self.j.outcomes(t, state, a)
                    v = [[outcome[k][0]] + [Fraction(0)] * J for k in range(K)]
                    for after, p in self.after(t, state, w, a):
                        for k in range(K):
                            if p[k]:
                                v[k] = [x + p[k] * y for x, y in zip(v[k], value[after][k])]
                    options[a] = v
                now[state, w] = choose(t, state, w, options)
            value = now
        return value[self.j.first, (Fraction(1),) * K]

    def priced(self, of_reward, of_promise):
        """of_reward [K], of_promise [J][K]."""
        def choose(_t, _state, w, options):
            return max(options.values(), key=lambda v: sum(w[k] * (of_reward[k] * v[k][0] + sum(of_promise[j][k] * v[k][1 + j] for j in range(self.j.J)))
                                                           for k in range(self.j.K) if w[k]))
        return self.value(choose)

    def optimum(self, thresholds, optima=None, weights=None):
        """Least maximum of optima - U (max-min: optima 0, the negative of the least value), or largest weighted value; thresholds [J][K]. None: infeasible."""
        K, J = self.j.K, self.j.J
        of_regret = 0 if weights else K
        rows = [max(thresholds[j][k], Fraction(0)) for j in range(J) for k in range(K)] + list(optima[:of_regret] if optima else []) + [Fraction(1)]
        sign = [-1 if r < 0 else 1 for r in rows]

        def unit(i, value=1):
            return [Fraction(value * sign[i] * int(i == r)) for r in range(len(rows))]
        slack = [(Fraction(0), unit(i, -1)) for i in range(len(rows) - 1)]
        if of_regret:  # sum a U + z - s = U*
            z = [Fraction(sign[r]) if J * K <= r < len(rows) - 1 else Fraction(0) for r in range(len(rows))]
            slack += [(Fraction(-1), z), (Fraction(1), [-v for v in z])]

        def price(y, rewarded):
            y = [a * s for a, s in zip(y, sign)]
            of_reward = [(weights[k] if rewarded else 0) if weights else -y[J * K + k] for k in range(K)]
            v = self.priced(of_reward, [[-y[j * K + k] for k in range(K)] for j in range(J)])
            entries = [v[k][1 + j] for j in range(J) for k in range(K)] + ([v[k][0] for k in range(K)] if of_regret else []) + [Fraction(1)]
            return (sum(w * v[k][0] for k, w in enumerate(weights)) if weights else Fraction(0)), [a * s for a, s in zip(entries, sign)]
        found = maximise([r * s for r, s in zip(rows, sign)], slack, price)
        return None if found is None else found if weights else -found

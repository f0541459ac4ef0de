"""tests/judge_mutants.py VOUCH CHECK FOLDER [MUTANTS [SEED]]: proofs whose claim has become false or unsupported are refuted.

Proofs of small models are changed in one place: a digit of a claim, a line, a sign, a multiplier, a leaf dropped, a decision swapped. Whether what is left supports the claim
is decided here, by recursion over histories in doubles, with nothing of vouch or of its checker; what is off by less than CLEAR is not asked.
"""
import itertools
import json
import os
import random
import subprocess
import sys

from proof_models import generate

VOUCH, CHECK, FOLDER = sys.argv[1:4]
MUTANTS = int(sys.argv[4]) if len(sys.argv) > 4 else 60
DRAW = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
SHAPES = [('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', 0),
          ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed 17', 1),
          ('random --states 5 --actions 3 --environments 2 -T 3 -p 0.4 --seed 3', 0),
          ('random --states 5 --actions 3 --environments 3 -T 4 -p 0.4 --seed 4 --shared-transitions', 2),
          ('random --states 4 --actions 3 --environments 3 -T 4 -p 0.2 --branching 3 --seed 8', 0),
          ('random --states 3 --actions 2 --environments 3 -T 4 -p 0 --seed 8', 0),  # leaves by multipliers only
          ('random --states 3 --actions 3 --environments 3 -T 4 -p 0 --seed 9', 0),
          ('t-maze --size 3,2,2,2 -T 6 -p 0.5', 1), ('lookahead', 1), ('twin-states -T 4', 1),
          ('random --states 3 --actions 3 --environments 2 -T 4 -p 0.3 --branching 2 --seed 4', 1), ('t-maze --size 3,1,1,2 -T 6 -p 0.3 --slip 0.5', 0),  # dominated options
          ('random --states 3 --actions 2 --environments 9 -T 3 -p 0 --branching 2 --seed 3', 0),  # trees about few of the environments
          ('random --states 3 --actions 3 --environments 11 -T 3 -p 0.1 --branching 2 --seed 1', 0),
          ('random --states 5 --actions 3 --environments 2 -T 3 -p 0.2 --branching 2 --seed 552999 + promises', 1),
          ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.1 --branching 2 --seed 11 + promises', 1),
          ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.1 --branching 2 --seed 14 + promises', 1)]
BOXES = [('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', 0),
         ('random --states 3 --actions 3 --environments 3 -T 3 -p 0.3 --branching 2 --seed 19', 0),
         ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed 14 + promises', 0),
         ('random-dense --states 4 --actions 2 --environments 2 -T 3 --seed 3', 0),  # walks
         ('random-dense --states 3 --actions 2 --environments 3 -T 4 --seed 1', 0)]  # of corners that mix options
CLEAR = 1e-6


class Model:
    def __init__(self, path):
        m = json.load(open(path))
        names = [['%s%d' % (what[0], i) for i in range(m[what])] if isinstance(m[what], int) else m[what] for what in ('states', 'actions')]
        s_of, a_of = ({name: i for i, name in enumerate(n)} for n in names)
        self.T, self.s0, self.actions = m['horizon'], s_of[m['initial']], len(names[1])
        promises = m.get('commitments') or [m['commitment']]
        self.phi = [{s_of[s] for s in c['states']} for c in promises]
        self.p = [c['probability'] for c in promises]
        self.J = len(promises)
        self.P = []  # of each environment: (s, a) -> {next: (probability, reward)}
        for e in m['environments']:
            own = e.get('transitions', [])
            rows = [(s_of[s], a_of[a], s_of[n], p) for s, a, n, p in own]
            rows += [(s_of[s], a_of[a], s_of[n], p) for s, a, n, p in m.get('transitions', []) if not any(o[:2] == [s, a] for o in own)]
            own = e.get('rewards', [])
            pay = own + [r for r in m.get('rewards', []) if not any(o[:2] == r[:2] for o in own)]
            law = {}
            for s, a, n, p in rows:
                if p > 0:
                    law.setdefault((s, a), {})[n] = law.get((s, a), {}).get(n, (0,))[0] + p, 0
            for (s, a), after in law.items():
                total = sum(p for p, _ in after.values())
                for n in after:
                    r = sum(row[-1] for row in pay if s_of[row[0]] == s and a_of[row[1]] == a and (len(row) == 3 or s_of[row[2]] == n))
                    after[n] = after[n][0] / total, r
            self.P.append(law)
        self.K = len(self.P)

    def steps(self, place, a):
        """Successors of a place (t, s, environments or the place at L): (next place, environments that come along)."""
        t, s, kappa, L = place
        here = kappa if t <= L else kappa[2]
        groups = {}
        for k in here:
            for n, (_, r) in self.P[k].get((s, a), {}).items():
                groups.setdefault((n, round(r, 6) if t < L else None), set()).add(k)
        for (n, _), group in groups.items():
            if t + 1 <= L:
                yield (t + 1, n, frozenset(group), L), group
            else:
                yield (t + 1, n, kappa if t > L else place, L), group

    def available(self, s):
        return [a for a in range(self.actions) if (s, a) in self.P[0]]

    def twins(self, place, a, b, of=None):
        """of: the environments of a tree."""
        here = place[2] if place[0] <= place[3] else place[2][2]
        same = all(self.P[k].get((place[1], a)) == self.P[k].get((place[1], b)) for k in here if not of or k in of)
        return same

    def options(self, place):
        free = self.available(place[1])
        return [a for a in free if not any(b < a and self.twins(place, b, a) for b in free)]

    def mix(self, place, worth, ends):
        """The most of the worths, action -> worth, that probabilities between the ends, (place, action) -> least and most, make, summing to 1."""
        left = 1 - sum(ends.get((place, a), (0, 1))[0] for a in worth)
        value = sum(ends.get((place, a), (0, 1))[0] * x for a, x in worth.items())
        for a in sorted(worth, key=lambda a: -worth[a]):
            low, high = ends.get((place, a), (0, 1))
            more = min(left, high - low)
            left, value = left - more, value + more * worth[a]
        return value

    def boxed(self, place, w, weight, price, ends, charge):
        """As most, of probabilities between the ends, less charge, (place, action) -> [k], each time an action is used."""
        t, s = place[:2]
        if t == self.T:
            return sum(price[k * self.J + j] * w[k] for k in w for j in range(self.J) if s in self.phi[j])
        worth = {}
        for a in self.options(place):
            worth[a] = sum(w[k] * (sum(weight[k] * p * r for p, r in self.P[k][s, a].values()) - charge.get((place, a), {}).get(k, 0)) for k in w)
            for after, group in self.steps(place, a):
                then = {k: w[k] * self.P[k][s, a][after[1]][0] for k in w if k in group}
                if then:
                    worth[a] += self.boxed(after, then, weight, price, ends, charge)
        return self.mix(place, worth, ends)

    def corners(self, place, ends):
        """The corners of the probabilities between the ends: action -> probability."""
        free = self.options(place)
        if not any((place, a) in ends for a in free):
            return [{a: 1} for a in free]
        found = []
        for loose in free:
            for sides in itertools.product((0, 1), repeat=len(free) - 1):
                x = {a: ends.get((place, a), (0, 1))[side] for a, side in zip([a for a in free if a != loose], sides)}
                x[loose] = 1 - sum(x.values())
                low, high = ends.get((place, loose), (0, 1))
                if low - 1e-9 <= x[loose] <= high + 1e-9:
                    found.append(x)
        return found

    def led(self, place, w, x, weight, charge):
        """What a step earns that uses actions with the probabilities x, and successors with their likelihoods, added up."""
        earned, later = 0, {}
        for a, share in x.items():
            earned += share * sum(w[k] * (sum(weight[k] * p * r for p, r in self.P[k][place[1], a].values()) - charge.get((place, a), {}).get(k, 0)) for k in w)
            for after, group in self.steps(place, a):
                there = later.setdefault(after, {})
                for k in group & set(w):
                    there[k] = there.get(k, 0) + share * w[k] * self.P[k][place[1], a][after[1]][0]
        return earned, {after: there for after, there in later.items() if any(there.values())}

    def mixed(self, place, w, weight, price, ends, charge, ahead):
        """As boxed, but what comes together behind a corner is added up. After `ahead` steps each environment goes on alone."""
        if ahead == 0 or place[0] == self.T:
            return sum(w[k] * self.boxed(place, {k: 1.0}, weight, price, ends, charge) for k in w)
        best = float('-inf')
        for x in self.corners(place, ends):
            worth, later = self.led(place, w, x, weight, charge)
            best = max(best, worth + sum(self.mixed(after, there, weight, price, ends, charge, ahead - 1) for after, there in later.items()))
        return best

    def walked(self, root, weight, price, ends, charge, known, ahead):
        """As mixed, but what comes together at places is added up as long as the policy of those before them is known."""
        total, now = 0, {root: {k: 1.0 for k in range(self.K)}}
        while now:
            later = {}
            for place, w in now.items():
                if place not in known:
                    total += self.mixed(place, w, weight, price, ends, charge, ahead)
                    continue
                earned, after = self.led(place, w, {a: ends[place, a][1] for a in self.options(place)}, weight, charge)
                total += earned
                for to, there in after.items():
                    sums = later.setdefault(to, {})
                    for k in there:
                        sums[k] = sums.get(k, 0) + there[k]
            now = later
        return total

    def reach(self, root, to, k, sign, ends):
        """The largest (sign 1) or least (-1) probability of coming to a place in environment k, times sign."""
        if root == to:
            return sign
        if root[0] >= to[0]:
            return 0
        worth = {a: sum(self.P[k][root[1], a][after[1]][0] * self.reach(after, to, k, sign, ends) for after, group in self.steps(root, a) if k in group)
                 for a in self.options(root)}
        return self.mix(root, worth, ends)

    def back(self, root, place, ends, charge):
        """The most that a policy is charged at a place: at a vertex of what probabilities there may be."""
        here = place[2] if place[0] <= place[3] else place[2][2]
        best, often = float('-inf'), {k: [-self.reach(root, place, k, -1, ends), self.reach(root, place, k, 1, ends)] for k in here}
        for x in self.corners(place, ends):
            slope = {k: sum(x[a] * charge.get((place, a), {}).get(k, 0) for a in x) for k in here}
            best = max(best, sum(slope[k] * often[k][slope[k] > 0] for k in here))
        return best

    def most(self, place, w, weight, price, allowed):
        """The largest sum of weight_k U(k) and price_kj Pr_j(k) over what may be done from a place on, with likelihoods w."""
        t, s = place[:2]
        if t == self.T:
            return sum(price[k * self.J + j] * w[k] for k in w for j in range(self.J) if s in self.phi[j])
        best = float('-inf')
        for a in self.available(s):
            if place in allowed and a not in allowed[place]:
                continue
            value = sum(weight[k] * w[k] * p * r for k in w for p, r in self.P[k][s, a].values())
            for after, group in self.steps(place, a):
                then = {k: w[k] * self.P[k][s, a][after[1]][0] for k in w if k in group}
                if then:
                    value += self.most(after, then, weight, price, allowed)
            best = max(best, value)
        return best

    def drop(self, root, allowed, of):
        """allowed, place -> actions, without those that another one of the place is never worse than in any environment that may be there."""
        layers, left, ends = [{root: set(root[2])}], {}, {}
        for t in range(self.T):
            layers.append({})
            for place in layers[t]:
                for a in self.available(place[1]):
                    for after, group in self.steps(place, a):
                        layers[-1].setdefault(after, set()).update(group & layers[t][place])
        for place, here in layers[self.T].items():
            ends[place] = {k: [(0, 0)] + [(place[1] in phi,) * 2 for phi in self.phi] for k in here}
        for t in reversed(range(self.T)):
            for place, here in layers[t].items():
                gain = {}
                for a in allowed.get(place, self.options(place)):
                    then = [(after, group & here) for after, group in self.steps(place, a)]
                    if any(group & (of or group) and not ends[after] for after, group in then):
                        continue
                    gain[a] = {k: [(sum(p * r for p, r in self.P[k][place[1], a].values()),) * 2] + [(0, 0)] * self.J for k in here if not of or k in of}
                    for after, group in then:
                        for k in group & set(gain[a]):
                            p = self.P[k][place[1], a][after[1]][0]
                            gain[a][k] = [(x[0] + p * y[0], x[1] + p * y[1]) for x, y in zip(gain[a][k], ends[after][k])]
                for a in sorted(gain):
                    if any(o != a and all(x[0] >= y[1] - 1e-12 for k in gain[a] for j, (x, y) in enumerate(zip(gain[o][k], gain[a][k])) if j == 0 or self.p[j - 1] > 0) for o in gain):
                        del gain[a]
                left[place] = set(gain)
                ends[place] = {k: [(min(gain[a][k][j][0] for a in gain), max(gain[a][k][j][1] for a in gain)) for j in range(self.J + 1)]
                               for k in here if gain and (not of or k in of)}
        return left

    def worth(self, rules, k):
        """U(k) and all Pr_j(k) of rules (place -> action -> probability)."""
        def go(place):
            t, s = place[:2]
            if t == self.T:
                return 0, [s in phi for phi in self.phi]
            if place not in rules:
                return None
            u, q = 0, [0] * self.J
            for a, x in rules[place].items():
                for after, group in self.steps(place, a):
                    if k in group:
                        p, r = self.P[k][s, a][after[1]]
                        then = go(after)
                        if then is None:
                            return None
                        u, q = u + x * p * (r + then[0]), [y + x * p * z for y, z in zip(q, then[1])]
            return u, q
        return go


class Proof:
    """What a proof says, read again after each change."""

    def __init__(self, model, lines):
        self.m, self.nodes, self.rules, self.given, self.cases, self.of, self.fixed = model, [], {}, {}, {1: (None, None, None)}, None, {}
        for line in lines:
            w = line.split(' ')
            if w[0] == 'plan':
                self.L, self.deterministic = int(w[2]), w[1] == 'milp-ccl'
            elif w[0] == 'tree':
                self.of = set(map(int, w[3].split(','))) if w[1] == 'regret' and len(w) > 3 and w[3] != '*' else None
                self.drops = w[-1] == 'drop'
            elif w[0] == 'node':
                at = frozenset(range(model.K)) if w[5:] == ['*'] else frozenset(map(int, w[5].split(','))) if w[4] == '-' else self.nodes[int(w[4])]
                self.nodes.append((int(w[2]), int(w[3]), at, self.L))
            elif w[0] == 'do':
                self.rules[self.nodes[int(w[1])]] = {int(a): float(x or 1) for a, _, x in (each.partition('=') for each in w[2:])}
            elif w[0] == 'branch':
                self.cases[int(w[1])] += (self.nodes[int(w[2])],)
            elif w[0] == 'child':
                self.cases[int(w[1])] = int(w[2]), self.cases[int(w[2])][3], int(w[3])
            elif w[0] == 'part':
                for which in ((0.0, float(w[4])), (float(w[4]), 1.0)):
                    self.cases[len(self.cases) + 1] = int(w[1]), (self.nodes[int(w[2])], int(w[3])), which
            elif w[0] == 'weigh':
                self.fixed[int(w[1])] = w[2:]
            elif w[0] == 'corners':
                place = self.nodes[int(w[2])]
                for point in ' '.join(w[3:]).split(';'):
                    self.cases[len(self.cases) + 1] = int(w[1]), place, {**dict.fromkeys(self.m.options(place), 0.0), **{int(a): float(x) for a, x in (each.split('=') for each in point.split())}}
            elif w[0] == 'give':
                self.given[int(w[1])] = [tuple(map(int, o.split('='))) for o in line.split(';')[-1].split()]
            elif w[0] == 'claim':
                self.value, self.bound = map(float, w[2:4])

    def cases_until(self, lines, i):
        return Proof(self.m, lines[:i]).cases

    def bound_of(self, line, optimum):
        """What a leaf shows."""
        words = line.split(' ')
        above = int(words[1])
        while above and above not in self.fixed:
            above = self.cases[above][0]
        parts = ' '.join(self.fixed[above] if above else words[3 if words[0] == 'walk' else 2:]).split(';')
        l, m = ({int(x.split('=')[0]): float(x.split('=')[1]) for x in part.split()} for part in parts[:2])
        weight, price = [l.get(k, 0) for k in range(self.m.K)], [m.get(r, 0) for r in range(self.m.K * self.m.J)]
        allowed, case = {}, int(words[1])
        constant = sum(w * u for w, u in zip(weight, optimum)) + sum(x * (self.m.p[r % self.m.J] - 1e-9) for r, x in enumerate(price))
        root, equal = (0, self.m.s0, frozenset(range(self.m.K)), self.L), {k: 1.0 for k in range(self.m.K)}
        if not self.deterministic:
            ends, charge, known = {}, {}, set()
            while self.cases[case][0]:
                case, option, limits = self.cases[case][:3]
                known |= {option} if isinstance(limits, dict) else set()
                for one, (low, high) in {(option, a): (x, x) for a, x in limits.items()}.items() if isinstance(limits, dict) else [(option, limits)]:
                    ends[one] = max(ends.get(one, (0, 1))[0], low), min(ends.get(one, (0, 1))[1], high)
            for part in parts[2:]:
                n, a = part.split()[:2]
                charge[self.nodes[int(n)], int(a)] = {int(x.split('=')[0]): float(x.split('=')[1]) for x in part.split()[2:]}
            if words[0] == 'walk':
                most = self.m.walked(root, weight, price, ends, charge, known, int(words[2]))
            else:
                most = self.m.boxed(root, equal, weight, price, ends, charge)
            return constant - most - sum(self.m.back(root, place, ends, charge) for place in {place for place, _ in charge})
        while case:
            parent, place, action = self.cases[case][:3]
            for n, a in self.given.get(case, []):
                place_of = self.nodes[n]
                left = allowed.setdefault(place_of, set(self.m.available(place_of[1])))
                left -= {b for b in left if self.m.twins(place_of, a, b, self.of)}
            if place:
                allowed[place] = allowed.get(place, set(self.m.available(place[1]))) & {b for b in self.m.available(place[1]) if self.m.twins(place, action, b, self.of)}
            case = parent
        return constant - self.m.most(root, equal, weight, price, self.m.drop(root, allowed, self.of) if self.drops else allowed)

    def uncovered(self):
        """Has a case that is parted an option without a child, where nothing is dropped?"""
        for case, (_, _, _, *on) in self.cases.items():
            gone = [(on[0], a) for parent, _, a, *_ in self.cases.values() if on and parent == case]
            while on and case:
                gone += [(self.nodes[n], a) for n, a in self.given.get(case, [])]
                case = self.cases[case][0]
            if on and any(not any(place == on[0] and self.m.twins(place, a, b, self.of) for place, b in gone) for a in self.m.options(on[0])):
                return True
        return False

    def policy_holds(self, optimum):
        root = (0, self.m.s0, frozenset(range(self.m.K)), self.L)
        for k in range(self.m.K):
            found = self.m.worth(self.rules, k)(root)
            if found is None or any(q < p - 1e-9 - CLEAR for q, p in zip(found[1], self.m.p)) or optimum[k] - found[0] > self.value + CLEAR:
                return False
        return True


def numbered(lines):
    return lines[:-1] + ['complete %d' % len(lines)]


def places(lines, *words):
    return [i for i, line in enumerate(lines) if line.split(' ')[0] in words]


def change(lines, kind, model, optimum):
    """A changed proof that does not support its claim, or None."""
    lines = list(lines)
    at = {'digit': places(lines, 'claim'), 'line': places(lines, 'node', 'branch', 'child', 'part', 'leaf', 'pairs', 'vectors', 'empty', 'weigh', 'corners', 'walk'), 'sign': places(lines, 'leaf', 'give', 'weigh'), 'corner': places(lines, 'corners'),
          'multiplier': places(lines, 'leaf'), 'leaf': places(lines, 'leaf', 'walk', 'pairs', 'vectors', 'empty'), 'decision': places(lines, 'child', 'do'), 'part': places(lines, 'part'), 'few': places(lines, 'tree'), 'drop': places(lines, 'tree')}[kind]
    if not at:
        return None
    i = DRAW.choice(at)
    words = lines[i].split(' ')
    before = Proof(model, lines)
    if kind in ('line', 'leaf'):
        return numbered(lines[:i] + lines[i + 1:])
    if kind == 'few':  # the tree is not about an environment that its lines speak of
        named = {int(w.split('=')[0]) for line in lines if line.startswith('leaf ') for w in line.split(';')[0].split()[2:]}
        if not before.of or not named:
            return None
        lines[i] = ' '.join(words[:3] + [','.join(map(str, (before.of | set(range(model.K)) if DRAW.random() < .5 else before.of) - {DRAW.choice(sorted(named))}))] + words[4:])
        return lines
    if kind == 'drop':  # nothing is left out
        if words[-1] != 'drop' or 'vectors 1' in lines:
            return None
        lines[i] = ' '.join(words[:-1])
        after = Proof(model, lines)
        less = any(after.bound_of(line, optimum) < before.bound - CLEAR for line in lines if line.startswith('leaf '))
        return lines if less or after.uncovered() else None
    if kind == 'digit':
        which = DRAW.choice([2, 3])
        digits = [j for j, c in enumerate(words[which]) if c.isdigit()]
        j = DRAW.choice(digits)
        words[which] = words[which][:j] + DRAW.choice('0123456789') + words[which][j + 1:]
        lines[i] = ' '.join(words)
        after = Proof(model, lines)
        return lines if after.value < before.value - CLEAR or after.bound > before.value + CLEAR else None
    if kind == 'sign':
        ends = [j for j, w in enumerate(words) if w == ';'] + [len(words)] * 2  # prices may have any sign
        signed = [j for j, w in enumerate(words[:ends[1]]) if '=' in w and ';' in words[j:] + ([';'] if words[0] in ('leaf', 'weigh') else [])]
        if not signed:
            return None
        j = DRAW.choice(signed)
        words[j] = words[j].replace('=', '=-')
        lines[i] = ' '.join(words)
        return lines
    if kind == 'multiplier':
        numbers = [j for j, w in enumerate(words) if '=' in w]
        if not numbers:
            return None
        j = DRAW.choice(numbers)
        k, x = words[j].split('=')
        if j > words.index(';'):
            words[j] = '%s=%.12g' % (k, float(x) * DRAW.choice([0, .5, .9, 1.1, 2]))
        else:  # environments change their roles; the sum stays 1
            words[2:words.index(';')] = ['%d=%s' % ((int(w.split('=')[0]) + 1) % model.K, w.split('=')[1]) for w in words[2:words.index(';')]]
        lines[i] = ' '.join(words)
        return lines if Proof(model, lines).bound_of(lines[i], optimum) < before.bound - CLEAR else None
    if kind == 'corner':  # one is left out, or moved
        points = ' '.join(words[3:]).split(' ; ')
        which = DRAW.randrange(len(points))
        if DRAW.random() < .5:
            points[which] = ' '.join('%s=%.17g' % (a, .9 * float(x)) for a, x in (each.split('=') for each in points[which].split()))
        else:
            del points[which]
        lines[i] = ' '.join(words[:3] + [' ; '.join(points)]).rstrip()
        return lines
    if kind == 'part':
        words[4] = '%.17g' % min(1, float(words[4]) * DRAW.choice([0.5, 0.8, 1.25, 2]))
        lines[i] = ' '.join(words)
        after = Proof(model, lines)
        below = {len(before.cases_until(lines, i)) + 1, len(before.cases_until(lines, i)) + 2}
        for case, (parent, *_) in sorted(after.cases.items()):
            below |= {case} if parent in below else set()
        return lines if any(int(line.split(' ')[1]) in below and after.bound_of(line, optimum) < before.bound - CLEAR
                            for line in lines if line.startswith(('leaf ', 'walk '))) else None
    if words[0] == 'child':
        others = [a for a in model.available(before.cases[int(words[1])][1][1])
                  if a != int(words[3]) and not model.twins(before.cases[int(words[1])][1], a, int(words[3]), before.of)]
        if not others:
            return None
        lines[i] = ' '.join(words[:3] + [str(DRAW.choice(others))])
        return lines  # one option has two children and another one none, or one that was given up
    if not before.deterministic:
        return None
    lines[i] = ' '.join(words[:2] + [str(DRAW.choice(model.available(before.nodes[int(words[1])][1])))])
    return None if Proof(model, lines).policy_holds(optimum) else lines


def main():
    kinds = ['digit', 'line', 'sign', 'multiplier', 'leaf', 'decision', 'part', 'corner', 'few', 'drop']
    count, tries, bad, proofs = dict.fromkeys(kinds, 0), 0, [], []
    model_path, path = os.path.join(FOLDER, 'mutant.json'), os.path.join(FOLDER, 'mutant.vproof')
    for boxes, (words, lookahead) in [(False, shape) for shape in SHAPES] + [(True, shape) for shape in BOXES]:
        generate(VOUCH, words, model_path)
        how = ['--method', 'exact-ccl', '--certify'] if boxes else ['--tie-break', 'none']
        out = subprocess.run([VOUCH, 'plan', model_path, '-L', str(lookahead), '--json', *how, '--proof', path], stdout=subprocess.PIPE, check=True)
        optimum = [e['optimal_value'] for e in json.loads(out.stdout)['environments']]
        lines = open(path).read().strip('\n').split('\n')
        model = Model(model_path)
        proof = Proof(model, lines)
        honest = proof.policy_holds(optimum) and all(proof.bound_of(lines[i], optimum) >= proof.bound - CLEAR for i in places(lines, 'leaf', 'walk'))
        print('ok mutants_judge' if honest else 'not ok mutants_judge: %s' % words)
        if honest and not proof.deterministic:  # the checker shows what is shown here, no more and no less
            least, claim = min(proof.bound_of(lines[i], optimum) for i in places(lines, 'leaf', 'walk')), places(lines, 'claim')[0]
            for off, want in ((-CLEAR, 0), (CLEAR, 2)):
                open(path, 'w').write('\n'.join(lines[:claim] + ['%s %.12g' % (lines[claim].rsplit(' ', 1)[0], least + off)] + lines[claim + 1:]) + '\n')
                done = subprocess.run([CHECK, model_path, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                print('ok boxes_exactly_%d' % want if done.returncode == want else 'not ok boxes_exactly_%d: %s %s' % (want, words, done.stdout.decode()))
        if honest:
            proofs.append((words, open(model_path).read(), model, lines, optimum))
    while sum(count.values()) < MUTANTS and tries < 20 * MUTANTS:
        tries += 1
        kind = min(kinds, key=count.get) if DRAW.random() < .5 else DRAW.choice(kinds)
        words, text, model, lines, optimum = DRAW.choice([of for of in proofs if (kind not in ('part', 'corner') or places(of[3], {'part': 'part', 'corner': 'corners'}[kind])) and (kind != 'few' or Proof(of[2], of[3]).of) and (kind != 'drop' or Proof(of[2], of[3]).drops)])
        changed = change(lines, kind, model, optimum)
        if not changed or changed == lines:
            continue
        count[kind] += 1
        open(model_path, 'w').write(text)
        open(path, 'w').write('\n'.join(changed) + '\n')
        for arithmetic in [[], ['--interval']]:
            done = subprocess.run([CHECK, *arithmetic, model_path, path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            said = done.stdout.decode(errors='replace').strip()
            if done.returncode != 2 or not said.startswith('refuted: line '):
                bad.append('%s of %s: exit %d %s' % (kind, words, done.returncode, said))
                os.rename(path, os.path.join(FOLDER, 'mutant%d.bad' % len(bad)))
                open(path, 'w').write('\n'.join(changed) + '\n')
    print('not ok mutants: ' + '; '.join(bad[:5]) if bad else 'ok mutants_refuted_%d' % sum(count.values()))
    print('ok mutants_of_every_kind' if all(count.values()) else 'not ok mutants_of_every_kind: %s' % count)
    print("#", count)


main()

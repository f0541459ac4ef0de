"""Small models for judge_scales.py whose rewards differ in size, by family. Every number is kept as its text, which is read exactly."""
import json
from fractions import Fraction

SPLITS = [('0.5', '0.5'), ('0.1', '0.9'), ('0.2', '0.8'), ('0.25', '0.75'), ('0.37', '0.63'), ('0.01', '0.99'), ('0.2', '0.3', '0.5'), ('0.125', '0.125', '0.75')]


def plain(x):
    """A finite decimal of a Fraction; None where there is none."""
    digits, scaled = 0, x
    while scaled.denominator != 1 and digits < 60:
        digits, scaled = digits + 1, scaled * 10
    if scaled.denominator != 1:
        return None
    text = str(abs(scaled.numerator)).rjust(digits + 1, '0')
    return ('-' if x < 0 else '') + (text[:-digits] + '.' + text[-digits:] if digits else text)


class Model:
    def __init__(self, S, A, K, T):
        self.A, self.K, self.T, self.start, self.observe = A, K, T, 0, 'rewards'
        self.states = ['s%d' % i for i in range(S)]
        self.actions_of = [[] for _ in range(S)]
        self.says = [{} for _ in range(K)]  # (s, a): [(successor, text)]
        self.pays = [{} for _ in range(K)]  # (s, a) or (s, a, successor): text
        self.promises, self.p = [], []  # (kind, set, begin, end); [J][K] texts

    def add_state(self):
        self.states.append('s%d' % len(self.states))
        self.actions_of.append([])
        return len(self.states) - 1

    def add_action(self, s, outcomes, pays, a=None):
        """outcomes: [K] lists; pays: [K] texts. The number of the action."""
        a = len(self.actions_of[s]) if a is None else a
        self.actions_of[s].append(a)
        self.A = max(self.A, a + 1)
        for k in range(self.K):
            self.says[k][s, a], self.pays[k][s, a] = outcomes[k], pays[k]
        return a

    def pairs(self):
        return [(s, a) for s, actions in enumerate(self.actions_of) for a in actions]

    def finish(self):
        """The numbers that the texts stand for: distributions are divided by their sum."""
        self.prob, self.reward = [{} for _ in range(self.K)], [{} for _ in range(self.K)]
        for k in range(self.K):
            for s, a in self.pairs():
                p = {}
                for n, text in self.says[k][s, a]:
                    p[n] = p.get(n, 0) + Fraction(text)
                total = sum(p.values())
                self.prob[k][s, a] = [(n, x / total) for n, x in p.items() if x]
                self.reward[k][s, a] = {n: sum(Fraction(self.pays[k].get(at, '0')) for at in ((s, a), (s, a, n))) for n, x in p.items() if x}
        return self

    def json(self):
        out = ['{"vouch": 1, "name": "scales", "states": %s, "actions": %d, "initial": "s%d", "horizon": %d, "observe": "%s",'
               % (json.dumps(self.states), self.A, self.start, self.T, self.observe)]
        promises = []
        for j, (kind, members, begin, end) in enumerate(self.promises):
            p = self.p[j][0] if len(set(self.p[j])) == 1 else '{%s}' % ', '.join('"k%d": %s' % kp for kp in enumerate(self.p[j]))
            when = '"time": %d' % end if kind in ('at', 'by') else '"from": %d, "to": %d' % (begin, end)
            promises.append('{"name": "c%d", "kind": "%s", "states": %s, %s, "probability": %s}'
                            % (j, kind, json.dumps([self.states[s] for s in sorted(members)]), when, p))
        out.append(' "commitments": [%s],\n "environments": [' % ', '.join(promises))
        for k in range(self.K):
            moves = ', '.join('["s%d", "a%d", "s%d", %s]' % (s, a, n, text) for (s, a), row in self.says[k].items() for n, text in row)
            pays = ', '.join('[%s, %s]' % (', '.join('"%s%d"' % (c, i) for c, i in zip('sas', at)), text) for at, text in self.pays[k].items())
            out.append('  {"name": "k%d", "transitions": [%s], "rewards": [%s]}%s' % (k, moves, pays, ',' if k + 1 < self.K else ''))
        return '\n'.join(out) + ']}\n'


def ordinary(r):
    digits = r.choice([0, 0, 1, 1, 2, 3])
    value = Fraction(r.randint(-3 if r.random() < .3 else 0, 10)) if digits == 0 else Fraction(r.randint(-10**digits if r.random() < .3 else 0, 10**digits), 10**digits)
    return plain(value)


def wide(r, low=-12, high=30, sign=None):
    sign = r.choice('+-') if sign is None else sign
    return sign.strip('+') + '%.*e' % (r.choice([0, 0, 1, 2, 5, 15]), r.uniform(1, 9.99) * 10.0**r.uniform(low, high))


def huge(r, sign=None):
    return wide(r, r.choice([4, 4, 8, 12, 20]), 30, sign) if r.random() < .7 else (r.choice('+-') if sign is None else sign).strip('+') + '1e%d' % r.randint(4, 30)


def outcomes(r, targets):
    split = ('1',) if r.random() < .4 or len(targets) < 2 else r.choice([p for p in SPLITS if len(p) <= len(targets)])
    return list(zip(r.sample(targets, len(split)), split))


def base(r, horizon=None, least=1):
    """A random model with ordinary rewards."""
    m = Model(r.choice([2, 2, 3, 3, 4]), 0, r.choice([least, 2, 2, 3]), horizon or r.choice([1, 2, 2, 3, 3, 4]))
    S = len(m.states)
    own, paid_apart = r.choice([0, 0, .5, 1]), r.choice([.5, 1, 1])
    m.observe = 'states' if r.random() < .2 else 'rewards'
    for s in range(S):
        for _ in range(r.choice([1, 2, 2, 3]) if s else 2):
            first, pays = outcomes(r, list(range(S))), ordinary(r)
            m.add_action(s, [outcomes(r, list(range(S))) if k and r.random() < own else first for k in range(m.K)],
                         [ordinary(r) if k and r.random() < paid_apart else pays for k in range(m.K)])
    if r.random() < .2:
        k, (s, a) = r.randrange(m.K), r.choice(m.pairs())
        m.pays[k][s, a, r.choice(m.says[k][s, a])[0]] = ordinary(r)
    return m


def some(r, K):
    """Environments that a family changes: all or one."""
    return list(range(K)) if r.random() < .5 else [r.randrange(K)]


def wide_all(r):
    m = base(r)
    for k in range(m.K):
        for at in m.pays[k]:
            m.pays[k][at] = wide(r)
    if r.random() < .4:  # shared by the environments, but for some
        for at in list(m.pays[0]):
            for k in range(1, m.K):
                if at in m.pays[k] and r.random() < .6:
                    m.pays[k][at] = m.pays[0][at]
    return m


def wide_one(r):
    m = base(r, least=2)
    for at in m.pays[k := r.randrange(m.K)]:
        m.pays[k][at] = wide(r)
    return m


def wide_mixed(r):
    m = base(r)
    for k in range(m.K):
        for at in m.pays[k]:
            if r.random() < .35:
                m.pays[k][at] = wide(r)
    return m


def grafted(r, m, reached_in):
    """A new state with huge rewards: environments `reached_in` may come to it, where they are paid ordinary ones."""
    S = len(m.states)
    x = m.add_state()
    of = [k for k in some(r, m.K) if k not in reached_in] or [k for k in range(m.K) if k not in reached_in]
    for _ in range(r.choice([1, 2])):
        sign = r.choice('+-')
        m.add_action(x, [outcomes(r, list(range(S + 1)))] * m.K, [huge(r, sign) if k in of else ordinary(r) for k in range(m.K)])
    for k in reached_in:
        for s, a in r.sample(m.pairs(), 2):
            n, text = m.says[k][s, a][0]
            m.says[k][s, a] = [(x, text)] + m.says[k][s, a][1:]
    return m


def unreached(r):
    return grafted(r, base(r), [])


def unreached_in_one(r):
    m = base(r, least=2)
    lost = r.randrange(m.K)
    return grafted(r, m, [k for k in range(m.K) if k != lost])


def reached_after(r):
    """A chain that ends in a state of huge rewards at the horizon at the earliest."""
    m = base(r, r.choice([1, 2, 3, 4]))
    x = m.add_state()
    m.add_action(x, [[(x, '1')]] * m.K, [huge(r) if k in (of := some(r, m.K)) else '0' for k in range(m.K)])
    after = x
    for _ in range(m.T - 1):
        s = m.add_state()
        m.add_action(s, [[(after, '1')]] * m.K, [ordinary(r)] * m.K)
        after = s
    a = m.add_action(0, [[(after, '1')]] * m.K, [ordinary(r) for _ in range(m.K)])
    return m


def never_taken(r):
    m = base(r)
    for s in r.sample(range(len(m.states)), r.choice([1, 1, 2])):
        of = some(r, m.K) if r.random() < .5 else range(m.K)
        like = r.choice(m.actions_of[s])
        where = [m.says[k][s, like] for k in range(m.K)] if r.random() < .6 else [outcomes(r, list(range(len(m.states))))] * m.K
        price = huge(r, '-')
        m.add_action(s, where, [price if k in of else ordinary(r) for k in range(m.K)])
    return m


def rarely_reached(r):
    m = base(r)
    x = m.add_state()
    of, price, digits = some(r, m.K), huge(r, r.choice('--+')), r.randint(6, 12)
    m.add_action(x, [[(r.randrange(len(m.states)), '1')]] * m.K, [price if k in of else '0' for k in range(m.K)])
    rare, rest = '1e-%d' % digits, plain(1 - Fraction(1, 10**digits))
    for s, a in m.pairs()[:-1]:
        if r.random() < .4:
            n = r.randrange(len(m.states) - 1)
            for k in range(m.K):
                m.says[k][s, a] = [(n, rest), (x, rare)]
    return m


def forced(r):
    """The promise is kept by p without, and in full with an action of a huge price."""
    m = base(r)
    goal = m.add_state()
    m.add_action(goal, [[(goal, '1')]] * m.K, [ordinary(r)] * m.K)
    p = Fraction(r.choice(['0.9', '0.5', '0.99', '0.75']))
    over = Fraction(r.choice(['1e-3', '1e-6', '1e-9', '1e-11', '1e-12', '5e-13', '0.05']))
    of, price, S = some(r, m.K), huge(r, '-'), len(m.states) - 1
    m.add_action(0, [[(goal, plain(p)), (r.randrange(S), plain(1 - p))]] * m.K, [ordinary(r) for _ in range(m.K)])
    m.add_action(0, [[(goal, '1')]] * m.K, [price if k in of else ordinary(r) for k in range(m.K)])
    m.promises, m.p = [('at', frozenset([goal]), 0, m.T)], [[plain(min(p + over, Fraction(1)))] * m.K]
    return m


def never_taken_in_one(r):
    m = base(r, least=2)
    k, (s, a) = r.randrange(m.K), r.choice([pair for pair in m.pairs() if len(m.actions_of[pair[0]]) > 1])
    m.pays[k][s, a] = huge(r, '-')
    return m


def shared(r, where):
    """A constant more on the rewards of some pairs, exactly."""
    m = base(r, least=2 if where == 'one' else 1)
    constant = Fraction(r.choice(['', '-']) + '1e%d' % r.choice([4, 6, 9, 11, 12, 14, 15, 16, 20, 30]))
    pairs, of = m.pairs(), range(m.K)
    if where == 'state':
        s = r.randrange(len(m.states))
        pairs = [pair for pair in pairs if pair[0] == s]
    elif where == 'first':
        m.start = m.add_state()
        for a in range(2):
            m.add_action(m.start, [outcomes(r, list(range(m.start)))] * m.K, [ordinary(r) for _ in range(m.K)])
        pairs = [pair for pair in m.pairs() if pair[0] == m.start]
    elif where == 'one':
        of = [r.randrange(m.K)]
    for k in of:
        for at in pairs:
            m.pays[k][at] = plain(Fraction(m.pays[k][at]) + constant)
    return m


def forbidden(r):
    """Who takes the bonus is lost to the promise, which is to be kept for certain."""
    m = base(r)
    x = m.add_state()
    m.add_action(x, [[(x, '1')]] * m.K, [ordinary(r)] * m.K)
    of = some(r, m.K)
    for s in r.sample(range(x), r.choice([1, 1, 2])):
        m.add_action(s, [[(x, '1')]] * m.K, [huge(r, '+') if k in of else '0' for k in range(m.K)])
    p = r.choice(['1', '1', '1', '0.999', '0.9'])
    m.promises = [('avoid', frozenset([x]), 0, m.T) if r.random() < .5 else ('at', frozenset(range(x)), 0, m.T)]
    m.p = [[p] * m.K]
    return m


def long_horizon(r):
    """Decisions in the first steps, then states without any, up to T = 500; with huge rewards of one of the kinds above."""
    m = Model(0, 0, r.choice([1, 2, 2, 3]), r.choice([5, 10, 20, 50, 100, 200, 500]))
    ends = r.choice([2, 3])
    layers = [1] + [2] * r.choice([0, 1, 1, 2])
    starts = [sum(layers[:i]) for i in range(len(layers) + 1)]
    for _ in range(starts[-1] + ends):
        m.add_state()
    own = r.choice([0, .5])
    for i, width in enumerate(layers):
        targets = list(range(starts[i + 1], starts[i + 1] + (layers[i + 1] if i + 1 < len(layers) else ends)))
        for s in range(starts[i], starts[i] + width):
            for _ in range(r.choice([2, 3])):
                first = outcomes(r, targets)
                m.add_action(s, [outcomes(r, targets) if k and r.random() < own else first for k in range(m.K)], [ordinary(r) for _ in range(m.K)])
    for s in range(starts[-1], starts[-1] + ends):
        pays = r.choice(['0', ordinary(r), '0.001'])
        m.add_action(s, [[(s, '1')]] * m.K, [ordinary(r) if r.random() < .2 else pays for _ in range(m.K)])
    of, kind, end = some(r, m.K), r.choice(['action', 'action', 'state', 'end', 'first']), starts[-1] + r.randrange(ends)
    if kind == 'action':
        price = huge(r, '-')
        m.add_action(r.randrange(starts[-1]), [[(end, '1')]] * m.K, [price if k in of else ordinary(r) for k in range(m.K)])
    elif kind == 'state':
        x = m.add_state()
        m.add_action(x, [[(end, '1')]] * m.K, [huge(r) if k in of else '0' for k in range(m.K)])
    elif kind == 'end':
        for k in of:
            m.pays[k][end, 0] = huge(r)
    else:
        constant = Fraction('1e%d' % r.randint(4, 16))
        for k in of:
            for a in m.actions_of[0]:
                m.pays[k][0, a] = plain(Fraction(m.pays[k][0, a]) + constant)
    return m


FAMILIES = {
    'wide': wide_all, 'wide-in-one': wide_one, 'wide-mixed': wide_mixed,
    'unreached': unreached, 'unreached-in-one': unreached_in_one, 'reached-after': reached_after,
    'never-taken': never_taken, 'rarely-reached': rarely_reached, 'forced': forced, 'never-taken-in-one': never_taken_in_one,
    'shared': lambda r: shared(r, 'all'), 'shared-state': lambda r: shared(r, 'state'), 'shared-first': lambda r: shared(r, 'first'),
    'shared-in-one': lambda r: shared(r, 'one'),
    'forbidden': forbidden, 'long': long_horizon}


CONTROL = {'ordinary': base}  # with --family


def promise(r, m):
    """One promise, whose probability comes later."""
    S, kind = len(m.states), r.choice(['at'] * 4 + ['by', 'stay', 'avoid'])
    members = frozenset(r.sample(range(S), r.randint(1, S - 1)))
    end = m.T if m.T > 4 or r.random() < .6 else r.randint(1, m.T)
    begin = 0 if kind in ('at', 'by') or m.T > 4 else r.randint(0, min(1, end))
    return kind, members, begin, end


def edge(r, attained):
    """A probability to promise, at the edge of one that a policy attains: text."""
    exact = r.choice(attained) if attained else Fraction(0)
    way = r.choice(['0', '0', '1', 'exact', 'exact', 'above', 'below', 'within', 'free', 'free'])
    if way == 'free' or plain(exact) is None:
        return r.choice(['0.1', '0.25', '0.3', '0.5', '0.6', '0.75', '0.9'])
    shift = {'above': '1e-12', 'below': '-1e-12', 'within': '5e-13'}.get(way, '0')
    return way if way in '01' else plain(min(max(exact + Fraction(shift), Fraction(0)), Fraction(1)))

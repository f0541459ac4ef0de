"""Random mixed-integer programs of the kinds people write: switched rows, networks, lot sizes, schedules, assignments, routes, parities, knapsacks.

FAMILIES maps a name to a function of (random.Random, size) that makes a Program of about `size` columns. Every number is a decimal of few digits, so that
Program is exact when its numbers are read as the shortest decimals of their doubles. judge_mip.py judges vouch by them.
"""
import math
import random

INF = math.inf


class Program:
    """min or max cost x, rows lo <= a x <= up, columns in [lower, upper], some integer; rows that an indicator switches on."""

    def __init__(self, maximize=False):
        self.maximize, self.cost, self.lower, self.upper, self.integer, self.rows, self.switched = maximize, [], [], [], [], [], []

    def column(self, cost=0.0, lower=0.0, upper=INF, integer=False):
        for values, v in ((self.cost, float(cost)), (self.lower, float(lower)), (self.upper, float(upper)), (self.integer, integer)):
            values.append(v)
        return len(self.cost) - 1

    def binary(self, cost=0.0):
        return self.column(cost, 0, 1, True)

    def row(self, terms, lo=-INF, up=INF):
        """terms: pairs (column, coefficient)."""
        summed = {}
        for j, v in terms:
            summed[j] = summed.get(j, 0) + v
        self.rows.append(({j: float(v) for j, v in summed.items() if v}, float(lo), float(up)))

    def indicator(self, z, value, terms, lo=-INF, up=INF):
        """The row holds where z = value. Its columns are bounded."""
        self.switched.append((z, value, {j: float(v) for j, v in terms}, float(lo), float(up)))

    def plain_rows(self):
        """All rows, those of indicators by the least M that the columns' bounds allow; exact in the numbers at hand."""
        rows = list(self.rows)
        for z, value, terms, lo, up in self.switched:
            most = sum(max(v * self.lower[j], v * self.upper[j]) for j, v in terms.items())
            least = sum(min(v * self.lower[j], v * self.upper[j]) for j, v in terms.items())
            for side, end, sign in ((up, most, 1), (lo, least, -1)):
                if math.isinf(side) or sign * (end - side) <= 0:
                    continue
                m = end - side  # a x <= up + m (1 - z), or up + m z
                row = dict(terms)
                row[z] = row.get(z, 0) + (m if value else -m)
                rows.append((row, -INF, side + (m if value else 0)) if sign > 0 else (row, side + (m if value else 0), INF))
        return rows

    def write(self, path, name="drawn"):
        with open(path, "w", encoding="ascii") as f:
            f.write(f"\\ {name}\n{'maximize' if self.maximize else 'minimize'}\n obj: {terms_of(dict(enumerate(self.cost)), True)}\nsubject to\n")
            for i, (terms, lo, up) in enumerate(self.rows):
                write_row(f, f"r{i}", "", terms, lo, up)
            for i, (z, value, terms, lo, up) in enumerate(self.switched):
                for side, low, high in (("l", lo, INF), ("u", -INF, up)) if lo != up else (("e", lo, up),):
                    if low > -INF or high < INF:
                        write_row(f, f"s{i}{side}", f"x{z} = {value} -> ", terms, low, high)
            f.write("bounds\n")
            for j, (lo, up) in enumerate(zip(self.lower, self.upper)):
                f.write(f" {number(lo)} <= x{j} <= {number(up)}\n")
            f.write("generals\n" + "".join(f" x{j}\n" for j, whole in enumerate(self.integer) if whole) + "end\n")


def number(x):
    return repr(float(x)) if math.isfinite(x) else "1e30" if x > 0 else "-1e30"


def terms_of(terms, zeros=False):
    words = [f"{v:+.17g} x{j}" for j, v in terms.items() if v or zeros] or ["0 x0"]
    return "\n  ".join(" ".join(words[k:k + 8]) for k in range(0, len(words), 8))


def write_row(f, name, before, terms, lo, up):
    if lo == up:
        f.write(f" {name}: {before}{terms_of(terms)} = {number(lo)}\n")
    elif math.isinf(lo) or math.isinf(up):
        f.write(f" {name}: {before}{terms_of(terms)} {'<=' if math.isinf(lo) else '>='} {number(up if math.isinf(lo) else lo)}\n")
    else:
        f.write(f" {name}: {number(lo)} <= {terms_of(terms)} <= {number(up)}\n")


def pick(r, *values):
    return r.choice(values)


# ---- switches ----------------------------------------------------------------------------------------------------


def switches(r, size):
    """Binaries that switch rows on, as indicators or by a big M that is tight, loose or huge; enough of them have to be on. Mostly around a hidden point."""
    p = Program(r.random() < .3)
    inner, binaries = max(2, size // 3), max(2, size - size // 3)
    m, anchored = pick(r, "indicator", "tight", 100.0, 1e4, 1e6), r.random() < .85
    x = [p.column(r.randint(-9, 9), 0 if r.random() < .7 else -r.randint(1, 9), r.randint(4, 30), r.random() < .3) for _ in range(inner)]
    z = [p.binary(r.randint(-12, 25)) for _ in range(binaries)]
    hidden = [r.randint(int(p.lower[j]), int(p.upper[j])) for j in x + z]
    for i in range(binaries):
        terms = [(j, float(r.choice([-3, -2, -1, 1, 2, 3, 5]))) for j in r.sample(x, r.randint(1, min(3, inner)))]
        most, there = sum(max(v * p.lower[j], v * p.upper[j]) for j, v in terms), sum(v * hidden[j] for j, v in terms)
        side, value, kind = float(r.randint(-4, 20)), r.randint(0, 1), pick(r, "up", "up", "up", "low", "both")
        kind, value = (kind, value) if m == "indicator" else ("up", 0)
        if anchored and hidden[z[i]] == value:
            side = max(side, there) if kind == "up" else min(side, there) if kind == "low" else there
        if m == "indicator":
            p.indicator(z[i], value, terms, *{"up": (-INF, side), "low": (min(side, most), INF), "both": (side, side)}[kind])
        else:
            big = max(most - side, 0) if m == "tight" else m
            p.row(terms + [(z[i], -big)], up=side)
    for _ in range(max(1, size // 12)):
        group = r.sample(z, r.randint(2, min(8, binaries)))
        on = sum(hidden[j] for j in group)
        lo, up = (r.randint(1, len(group) - 1), INF) if r.random() < .7 else (1, 1)
        p.row([(j, 1) for j in group], *((min(lo, on), max(up, on)) if anchored else (lo, up)))
    if r.random() < .6:
        terms = [(j, r.randint(1, 4)) for j in x]
        lo = r.randint(1, 3 * inner)
        p.row(terms, min(lo, sum(v * hidden[j] for j, v in terms)) if anchored else lo, INF)
    return p


def semicontinuous(r, size):
    """x is 0 or between l and u; sums of them are asked for; some are chosen by the piece of a cost that falls or rises."""
    p = Program()
    groups = max(2, size // 4)
    rows = [[] for _ in range(max(1, groups // 3))]
    for _ in range(groups):
        l, u = r.randint(1, 8), r.randint(9, 25)
        x, z = p.column(r.randint(1, 9) / 2, 0, u), p.binary(r.randint(0, 30))
        p.row([(x, 1), (z, -l)], 0)
        p.row([(x, 1), (z, -u)], up=0)
        y, w = p.column(r.randint(1, 5), 0, 10), p.binary(r.randint(0, 9))  # a second piece, open only where the first is full
        p.row([(x, 1), (w, -u)], 0)
        p.row([(y, 1), (w, -10)], up=0)
        for _ in range(r.randint(1, 2)):
            r.choice(rows).extend([(x, r.randint(1, 3)), (y, r.randint(1, 3))])
    for terms in rows:
        if terms:
            need = r.randint(5, 10 * len(terms))
            p.row(terms, need, need + r.randint(0, 4) if r.random() < .3 else INF)
    return p


# ---- networks and lot sizes --------------------------------------------------------------------------------------


def network(r, size):
    """Fixed charges or whole modules on arcs, one or more commodities; edges may share a switch both ways."""
    p = Program()
    commodities = pick(r, 1, 1, 2, 3)
    modules, both = r.random() < .35, r.random() < .3
    nodes = max(3, round(math.sqrt(size / (1 + commodities)) + 1))
    arcs = [(r.randrange(v), v) for v in range(1, nodes)]
    while len(arcs) * (1 + commodities) < size:
        a, b = r.sample(range(nodes), 2)
        arcs.append((a, b))
    demand = [[0] * nodes for _ in range(commodities)]
    for c in range(commodities):
        root = 0 if commodities == 1 or r.random() < .7 else r.randrange(nodes)
        for v in range(nodes):
            if v != root and r.random() < .6:
                d = r.randint(1, 12)
                demand[c][v] += d
                demand[c][root] -= d
    total = sum(sum(d for d in row if d > 0) for row in demand)
    balance = [[[] for _ in range(nodes)] for _ in range(commodities)]
    for a, b in arcs:
        capacity = r.choice([r.randint(3, 15), r.randint(8, 30), max(total, 1)])
        z = p.column(r.randint(3, 60), 0, r.randint(1, 4) if modules else 1, True)
        flows = []
        for c in range(commodities):
            flows.append(p.column(r.randint(0, 6), 0, INF if r.random() < .8 else capacity))
            balance[c][a].append((flows[-1], -1))
            balance[c][b].append((flows[-1], 1))
            if both:
                flows.append(p.column(r.randint(0, 6)))
                balance[c][b].append((flows[-1], -1))
                balance[c][a].append((flows[-1], 1))
        p.row([(f, 1) for f in flows] + [(z, -capacity)], up=0)
        if r.random() < .15 and commodities > 1:  # disaggregated
            for c, f in enumerate(flows[:commodities]):
                p.row([(f, 1), (z, -max(1, sum(d for d in demand[c] if d > 0)))], up=0)
    exact = r.random() < .7
    for c in range(commodities):
        for v in range(nodes):
            if balance[c][v] and (exact or demand[c][v] > 0):
                p.row(balance[c][v], demand[c][v], demand[c][v] if exact else INF)
            elif balance[c][v]:
                p.row(balance[c][v], demand[c][v])
    return p


def lot_sizes(r, size):
    """Items made in periods: stock, set-ups, capacities; some with set-up times, backlog, start-ups or least lots."""
    p = Program()
    items = pick(r, 1, 1, 2, 3)
    backlog, startup, least = (r.random() < .3 for _ in range(3))
    per = 3 + backlog + startup
    periods = max(3, size // (items * per))
    demand = [[r.randint(0, 12) if r.random() < .8 else 0 for _ in range(periods)] for _ in range(items)]
    rate = sum(map(sum, demand)) / periods
    capacity = [max(1, round(rate * r.uniform(1.0, 2.2))) for _ in range(periods)]
    use = [[] for _ in range(periods)]
    for i in range(items):
        stock = late = on = None
        rest = sum(demand[i])
        for t in range(periods):
            x, z = p.column(r.randint(0, 4)), p.binary(r.randint(5, 60))
            now = p.column(r.randint(1, 3), 0, INF if r.random() < .85 else r.randint(5, 20))
            terms = [(x, 1), (now, -1)] + ([(stock, 1)] if stock is not None else [])
            if backlog:
                later = p.column(r.randint(2, 9)) if t < periods - 1 else p.column(0, 0, 0)
                terms += [(later, 1)] + ([(late, -1)] if late is not None else [])
                late = later
            p.row(terms, demand[i][t], demand[i][t])
            most = rest if backlog else sum(demand[i][t:])
            p.row([(x, 1), (z, -(max(1, min(most, capacity[t])) if r.random() < .7 else 1000))], up=0)
            if least:
                p.row([(x, 1), (z, -r.randint(1, 5))], 0)
            if startup:
                s = p.binary(r.randint(1, 40))
                p.row([(s, 1), (z, -1)] + ([(on, 1)] if on is not None else []), 0)
            use[t] += [(x, 1), (z, r.choice([0, 0, r.randint(1, 4)]))]
            stock, on = now, z
    if items > 1 or r.random() < .5:
        for t in range(periods):
            p.row(use[t], up=capacity[t] + 4 * items)
    return p


def commitment(r, size):
    """Units that run or rest: least output, ramps, least time on, start-up cost; demand in each period."""
    p = Program()
    units = pick(r, 2, 3, 4)
    periods = max(2, size // (3 * units))
    made = [[] for _ in range(periods)]
    up = [[] for _ in range(periods)]
    for _ in range(units):
        lo, hi = r.randint(2, 8), r.randint(10, 25)
        cost, ramp, on_for = r.randint(1, 9), r.randint(4, 20), r.randint(1, 3)
        before = None
        starts = []
        for t in range(periods):
            x, z, s = p.column(cost), p.binary(r.randint(1, 15)), p.binary(r.randint(5, 30))
            p.row([(x, 1), (z, -hi)], up=0)
            p.row([(x, 1), (z, -lo)], 0)
            starts.append(s)
            if before:
                p.row([(z, 1), (before[1], -1), (s, -1)], up=0)
                p.row([(x, 1), (before[0], -1), (s, -hi)], up=ramp)
                p.row([(before[0], 1), (x, -1), (z, ramp - hi)], up=ramp if ramp > hi else hi)
            else:
                p.row([(z, 1), (s, -1)], up=0)
            p.row([(u, 1) for u in starts[max(0, t - on_for + 1):]] + [(z, -1)], up=0)
            made[t].append((x, 1))
            up[t].append((z, hi))
            before = x, z
    for t in range(periods):
        need = r.randint(3, 12 * units)
        p.row(made[t], need, need if r.random() < .6 else INF)
        p.row(up[t], need + r.randint(0, 5))
    return p


# ---- schedules and routes ----------------------------------------------------------------------------------------


def schedule(r, size):
    """Jobs on machines, one at a time: start times, an order for each pair of a machine by big M; latest end, weighted ends or tardiness, or windows."""
    p = Program()
    machines = pick(r, 1, 1, 2)
    jobs = 2
    while jobs * (jobs + 1) // 2 * machines + jobs + 1 < size:
        jobs += 1
    length = [[r.randint(1, 9) for _ in range(machines)] for _ in range(jobs)]
    horizon = sum(map(sum, length)) + 10
    big = horizon if r.random() < .6 else r.choice([1000, 10000])
    kind = pick(r, "makespan", "ends", "tardiness", "windows")
    whole = r.random() < .3
    switched = r.random() < .3
    end = p.column(1, 0, horizon) if kind == "makespan" else None
    start = []
    for i in range(jobs):
        release = r.randint(0, 8) if r.random() < .5 else 0
        due = release + sum(length[i]) + r.randint(0, max(1, horizon // 2))
        start.append([p.column(0 if kind == "makespan" else r.randint(1, 4) if kind == "ends" else 0, release if k == 0 else 0,
                               max(due - length[i][k], release) if kind == "windows" and k == machines - 1 else horizon, whole) for k in range(machines)])
        for k in range(machines - 1):
            p.row([(start[i][k + 1], 1), (start[i][k], -1)], length[i][k])
        last = start[i][machines - 1], length[i][machines - 1]
        if kind == "makespan":
            p.row([(end, 1), (last[0], -1)], last[1])
        if kind == "tardiness":
            late = p.column(r.randint(1, 9), 0, 2 * horizon)
            p.row([(late, 1), (last[0], -1)], last[1] - due)
    for k in range(machines):
        for a in range(jobs):
            for b in range(a):
                z = p.binary()
                for first, second, value in ((a, b, 1), (b, a, 0)):
                    gap = length[first][k] + (r.randint(0, 3) if r.random() < .3 else 0)
                    terms = [(start[second][k], 1), (start[first][k], -1)]
                    if switched:
                        p.indicator(z, value, terms, gap)
                    else:
                        m = big + gap
                        p.row(terms + [(z, -m if value else m)], gap - m if value else gap)
    if kind == "windows":
        for row in start:
            p.cost[row[-1]] = float(r.randint(-3, 6))
    return p


def slots(r, size):
    """Jobs in slots of time: each starts once, a resource is shared over each job's length."""
    p = Program()
    jobs = max(2, round(math.sqrt(size / 1.6)))
    horizon = max(3, size // jobs)
    use = [[] for _ in range(horizon)]
    for _ in range(jobs):
        length, need, weight = r.randint(1, max(1, horizon // 3)), r.randint(1, 5), r.randint(1, 9)
        x = [p.binary(weight * t + r.randint(0, 2)) for t in range(horizon - length + 1)]
        p.row([(j, 1) for j in x], 1, 1)
        for t, j in enumerate(x):
            for u in range(t, t + length):
                use[u].append((j, need))
    room = r.randint(5, 9)
    for terms in use:
        if terms:
            p.row(terms, up=room)
    return p


def route(r, size):
    """A tour with times (big M over arcs), windows, perhaps several vehicles from one depot."""
    p = Program()
    stops = max(3, round(math.sqrt(size)))
    place = [(r.randint(0, 20), r.randint(0, 20)) for _ in range(stops)]
    span = 200
    time = [p.column(0, 0, span) for _ in range(stops)]
    p.upper[time[0]] = 0.0
    enter, leave = [[] for _ in range(stops)], [[] for _ in range(stops)]
    for a in range(stops):
        for b in range(stops):
            if a == b or (a and b and r.random() < .15):
                continue
            away = abs(place[a][0] - place[b][0]) + abs(place[a][1] - place[b][1]) + 1
            z = p.binary(away + r.randint(0, 3))
            leave[a].append((z, 1))
            enter[b].append((z, 1))
            if b:
                m = span + away
                p.row([(time[b], 1), (time[a], -1), (z, -m)], away - m)
    for v in range(1, stops):
        p.row(enter[v], 1, 1)
        p.row(leave[v], 1, 1)
        if r.random() < .4:
            early = r.randint(0, 60)
            p.lower[time[v]], p.upper[time[v]] = float(early), float(early + r.randint(10, 100))
    fleet = r.randint(1, 2)
    p.row(leave[0], *((fleet, fleet) if r.random() < .7 else (1, 3)))
    p.row([(j, 1) for j, _ in leave[0]] + [(j, -1) for j, _ in enter[0]], 0, 0)
    return p


# ---- choices -----------------------------------------------------------------------------------------------------


def assignment(r, size):
    """Generalised assignment, located facilities or packed bins, with strong or weak rows."""
    p = Program()
    kind = pick(r, "agents", "facilities", "bins")
    agents = max(2, round(math.sqrt(size / 2)))
    tasks = max(2, size // agents - 1)
    load = [[r.randint(2, 20) for _ in range(tasks)] for _ in range(agents)]
    if kind == "bins":
        load = [load[0]] * agents
    room = [max(20, round(sum(load[a]) / agents * r.uniform(.9, 1.5))) for a in range(agents)]
    if kind == "bins":
        room = [max(room[0], max(load[0]))] * agents
    opened = [p.binary(1 if kind == "bins" else r.randint(10, 90)) for _ in range(agents)] if kind != "agents" else None
    share = kind == "facilities" and r.random() < .5
    x = [[p.column(0 if kind == "bins" else r.randint(1, 40), 0, 1, not share) for _ in range(tasks)] for _ in range(agents)]
    for t in range(tasks):
        p.row([(x[a][t], 1) for a in range(agents)], 1, 1)
    for a in range(agents):
        p.row([(x[a][t], load[a][t]) for t in range(tasks)] + ([(opened[a], -room[a])] if opened else []), up=0 if opened else room[a])
        if opened and r.random() < .4:
            for t in range(tasks):
                p.row([(x[a][t], 1), (opened[a], -1)], up=0)
    return p


def sets(r, size):
    """Cover, packing or exact partition by sets, with side rows of weights."""
    kind = pick(r, "cover", "packing", "partition")
    p = Program(kind == "packing")
    m = max(3, size // 3)
    columns = [p.binary(r.randint(1, 20)) for _ in range(size)]
    rows = [[] for _ in range(m)]
    for j in columns:
        for i in r.sample(range(m), r.randint(1, min(m, 4))):
            rows[i].append((j, 1))
    hidden = set()
    free = set(range(m))
    for j in r.sample(columns, size):
        mine = {i for i in range(m) if (j, 1) in rows[i]}
        if mine <= free:
            hidden.add(j)
            free -= mine
    for i, terms in enumerate(rows):
        if not terms or (kind == "partition" and i in free and r.random() < .9):
            continue
        p.row(terms, *{"cover": (1, INF), "packing": (-INF, r.choice([1, 1, 2])), "partition": (1, 1)}[kind])
    if r.random() < .5:
        weight = [(j, r.randint(1, 15)) for j in columns]
        total = sum(w for j, w in weight if j in hidden)
        p.row(weight, up=max(total, 5) + r.randint(-3, 10))
    return p


def parities(r, size):
    """Equalities of whole numbers with 2 y as a slack: lamps that switches toggle; some contradict each other."""
    p = Program()
    n = max(4, size // 2)
    x = [p.binary(1 + r.randint(0, 3)) for _ in range(n)]
    point = [r.randint(0, 1) for _ in x]
    side = max(2, round(math.sqrt(n)))
    for i in range(n):
        near = {i, i + 1, i - 1, i + side, i - side} if r.random() < .7 else set(r.sample(range(n), min(n, 4)))
        terms = [j for j in near if 0 <= j < n]
        y = p.column(0, 0, (len(terms) + 1) // 2 if r.random() < .7 else INF, True)
        right = sum(point[j] for j in terms) % 2 if r.random() < .97 else r.randint(0, 1)
        p.row([(x[j], 1) for j in terms] + [(y, -2)], right, right)
    return p


def knapsacks(r, size):
    """Rows of whole weights: binaries or counts, continuous slacks at a price, equalities, multiples."""
    p = Program(True)
    m = pick(r, 1, 2, 3, 5)
    x = [p.column(r.randint(5, 60), 0, 1 if r.random() < .6 else r.randint(2, 9), True) for _ in range(size - m)]
    kind = pick(r, "upper", "upper", "mixed", "multiple", "equality")
    for i in range(m):
        weights = [(j, r.randint(5, 90)) for j in x if r.random() < .8] or [(x[0], 1)]
        total = int(sum(w * p.upper[j] for j, w in weights))
        b = round(total * r.uniform(.2, .7))
        slack = [(p.column(-r.randint(1, 3), 0, INF if r.random() < .5 else r.randint(5, 40)), -1)] if kind == "mixed" else []
        if kind == "multiple":
            z = p.column(-r.randint(10, 200), 0, 9, True)
            p.row(weights + [(z, -max(1, total // 8))], up=r.choice([0, 0, r.randint(1, 20)]))
        elif kind == "equality" and i == 0:
            point = sum(w * r.randint(0, int(p.upper[j])) for j, w in weights)
            p.row(weights, point, point)
        else:
            p.row(weights + slack, up=b)
    return p


def cutting(r, size):
    """Counts of patterns that meet demands at least cost; general integers, whole set-ups of patterns."""
    p = Program()
    kinds = max(2, size // 4)
    patterns = max(kinds, size // 2)
    demand = [r.randint(3, 40) for _ in range(kinds)]
    rows = [[] for _ in range(kinds)]
    for k in range(patterns):
        x = p.column(1 if r.random() < .7 else r.choice([.9, 1.25, 1.5]), 0, max(demand), True)
        own = {k % kinds: r.randint(1, 5)}
        for i in r.sample(range(kinds), r.randint(0, min(2, kinds))):
            own[i] = r.randint(1, 4)
        for i, v in own.items():
            rows[i].append((x, v))
        if len(p.cost) < size and r.random() < .8:
            z = p.binary(r.randint(1, 8))
            p.row([(x, 1), (z, -max(demand))], up=0)
    for i, terms in enumerate(rows):
        p.row(terms, demand[i], demand[i] + r.randint(2, 8) if r.random() < .2 else INF)
    return p


def mixed(r, size):
    """Anything: sparse rows of whole numbers around a hidden point, continuous and integer columns, equations."""
    p = Program(r.random() < .3)
    density, decimals = r.uniform(.1, .5), r.random() < .3
    point = []
    for _ in range(size):
        lo, up = -r.randint(0, 3), r.randint(1, 12)
        p.column(r.randint(-20, 20) + (r.randint(0, 9) / 10 if decimals else 0), lo, up, r.random() < .6)
        point.append(r.randint(lo, up))
    for _ in range(max(2, size // 3)):
        terms = [(j, r.randint(-9, 20)) for j in range(size) if r.random() < density]
        mid = sum(v * point[j] for j, v in terms)
        if terms:
            p.row(terms, mid - r.randint(0, 6) if r.random() < .8 else -INF, mid + r.randint(0, 6) + (.5 if decimals else 0))
    return p


FAMILIES = {f.__name__: f for f in (switches, semicontinuous, network, lot_sizes, commitment, schedule, slots, route, assignment, sets, parities, knapsacks, cutting, mixed)}


def draw(seed, index, size=None, family=None):
    """(family, Program) of case `index`; size None: 10 to 60 columns; family None: each in turn."""
    r = random.Random(f"{seed}/{index}")
    family = family or list(FAMILIES)[index % len(FAMILIES)]
    return family, FAMILIES[family](r, size or r.randint(10, 60))

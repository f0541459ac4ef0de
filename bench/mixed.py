#!/usr/bin/env python3
"""Mixed-integer programs of twenty structures in two sizes each, drawn by seed, and the race on them (bench/mip.py, with HiGHS).

usage: mixed.py VOUCH [--seed N] [--only FAMILY,..] [--sizes 1,2] [--folder DIR] [options of mip.py, such as --limit 20 --cpu --peers cbc,highs]

Writes FAMILY-SIZE.mps into the folder (default: beside VOUCH, mixed). Processor seconds decide with --cpu. The same numbers give the same files.
"""
import argparse
import os
import random
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
import mip


class Program:
    """min cost'x over rows of a sense (L, G, E) and right side, integers marked; columns are named by their place."""

    def __init__(self):
        self.rows, self.columns = [], []

    def row(self, sense, side, entries):
        """entries: (column, value), of columns that are there."""
        for j, value in entries:
            if value:
                self.columns[j][3].append((len(self.rows), value))
        self.rows.append((sense, side))

    def column(self, cost, upper=1, integer=True):
        self.columns.append((cost, upper, integer, []))
        return len(self.columns) - 1

    def write(self, path, name):
        lines = [f"NAME {name} FREE", "ROWS", " N cost"] + [f" {sense} r{i}" for i, (sense, _) in enumerate(self.rows)] + ["COLUMNS"]
        marked = False
        for j, (cost, _, integer, entries) in enumerate(self.columns):
            if integer != marked:
                lines.append(f" M{j} 'MARKER' 'INT{'ORG' if integer else 'END'}'")
                marked = integer
            lines += [f" x{j} cost {cost:.9g}"] + [f" x{j} r{i} {value:.9g}" for i, value in entries]
        lines += [" Mend 'MARKER' 'INTEND'"] if marked else []
        lines += ["RHS"] + [f" rhs r{i} {side:.9g}" for i, (_, side) in enumerate(self.rows) if side] + ["BOUNDS"]
        lines += [f" UP b x{j} {upper:.9g}" for j, (_, upper, _, _) in enumerate(self.columns) if upper is not None]
        with open(path, "w") as out:
            out.write("\n".join(lines + ["ENDATA", ""]))


def continuous(p, cost, upper=None):
    return p.column(cost, upper, False)


def lots(draw, items, periods, shared):
    """Stock at the end of each period, production only where set up; with a shared capacity where asked for."""
    p, use = Program(), [[] for _ in range(periods)]
    for _ in range(items):
        stock, setup, hold = None, draw.randint(50, 400), draw.randint(1, 4)
        need = [draw.randint(0, 60) * (draw.random() < .8) for _ in range(periods)]
        for t in range(periods):
            made, on, left = continuous(p, draw.randint(0, 2)), p.column(setup), continuous(p, hold)
            p.row("E", need[t], [(made, 1), (left, -1)] + ([(stock, 1)] if stock is not None else []))
            p.row("L", 0, [(made, 1), (on, -sum(need[t:]) or -1)])
            use[t] += [(made, 1), (on, 8)]
            stock = left
    for t in range(periods) if shared else ():
        p.row("L", 48 * items, use[t])
    return p


def lot_single(draw, size):
    return lots(draw, 8 * size, 12 * size, False)


def lot_shared(draw, size):
    return lots(draw, 3 + 3 * size, 8 + 4 * size, True)


def sack(draw, n, value):
    p, weight = Program(), [draw.randint(1, 1000) for _ in range(n)]
    for w in weight:
        p.column(-value(w))
    p.row("L", sum(weight) // 2, list(enumerate(weight)))
    return p


def sack_free(draw, size):
    return sack(draw, 10000 if size == 1 else 100000, lambda w: draw.randint(1, 1000))


def sack_weak(draw, size):
    return sack(draw, 1000 if size == 1 else 40000, lambda w: max(1, w + draw.randint(-100, 100)))


def sack_strong(draw, size):
    return sack(draw, 100 if size == 1 else 10000, lambda w: w + 100)


def sack_many(draw, size):
    """Five or ten capacities."""
    p, n, m = Program(), 30 + 20 * size, 5 * size
    weight = [[draw.randint(10, 1000) for _ in range(n)] for _ in range(m)]
    for j in range(n):
        p.column(-sum(weight[i][j] for i in range(m)) // m - draw.randint(0, 500))
    for i in range(m):
        p.row("L", sum(weight[i]) // 2, list(enumerate(weight[i])))
    return p


def network(draw, size):
    """Fixed charges on the arcs of a drawn network with one source."""
    nodes, p = 10 + 10 * size, Program()
    balance = [[] for _ in range(nodes)]
    need = [0] + [draw.randint(1, 20) for _ in range(nodes - 1)]
    for a in range(nodes):
        for b in draw.sample([v for v in range(nodes) if v != a], 3) + ([a + 1] if a + 1 < nodes else []):
            flow, on = continuous(p, draw.randint(1, 5)), p.column(draw.randint(20, 100))
            balance[a].append((flow, -1))
            balance[b].append((flow, 1))
            p.row("L", 0, [(flow, 1), (on, -sum(need))])
    for v in range(1, nodes):
        p.row("E", need[v], balance[v])
    return p


def sites(draw, customers, places, capacity):
    p, spot = Program(), [(draw.random(), draw.random()) for _ in range(customers + places)]
    far = lambda i, k: ((spot[i][0] - spot[customers + k][0]) ** 2 + (spot[i][1] - spot[customers + k][1]) ** 2) ** .5
    need = [draw.randint(5, 35) for _ in range(customers)]
    is_open = [p.column(draw.randint(200, 500)) for _ in range(places)]
    share = [[continuous(p, round(far(i, k) * need[i] * 10)) for k in range(places)] for i in range(customers)]
    for i in range(customers):
        p.row("E", 1, [(j, 1) for j in share[i]])
        for k in range(places):
            p.row("L", 0, [(share[i][k], 1), (is_open[k], -1)])
    for k in range(places) if capacity else ():
        p.row("L", 0, [(share[i][k], need[i]) for i in range(customers)] + [(is_open[k], -3 * sum(need) // places)])
    return p


def sites_free(draw, size):
    return sites(draw, 30 * size, 15 * size, False)


def sites_bounded(draw, size):
    return sites(draw, 20 * size, 10 * size, True)


def assignment(draw, size):
    """With side rows on time and money."""
    n, p = 8 + 7 * size, Program()
    x = [[p.column(draw.randint(1, 100)) for _ in range(n)] for _ in range(n)]
    for i in range(n):
        p.row("E", 1, [(j, 1) for j in x[i]])
        p.row("E", 1, [(x[k][i], 1) for k in range(n)])
    for _ in range(3 * size):
        p.row("L", 35 * n, [(j, draw.randint(1, 100)) for r in x for j in r])
    return p


def agents(draw, size):
    """Generalised assignment."""
    m, n, p = 3 + 2 * size, 15 * (1 + size), Program()
    need = [[draw.randint(5, 25) for _ in range(n)] for _ in range(m)]
    x = [[p.column(draw.randint(10, 50)) for _ in range(n)] for _ in range(m)]
    for i in range(n):
        p.row("E", 1, [(x[k][i], 1) for k in range(m)])
    for k in range(m):
        p.row("L", int(.85 * sum(need[k]) / m), list(zip(x[k], need[k])))
    return p


def cover(draw, size):
    m, n, p = 50 * size, 400 * size, Program()
    for _ in range(n):
        p.column(draw.randint(1, 100))
    for _ in range(m):
        p.row("G", 1, [(j, 1) for j in draw.sample(range(n), n // 20)])
    return p


def partition(draw, size):
    """Crews: runs of legs, with singletons so dear that they are a last resort."""
    legs, p, of = 30 * size, Program(), [[] for _ in range(30 * size)]
    for leg in range(legs):
        of[leg].append((p.column(1000), 1))
    for _ in range(600 * size):
        chosen = draw.sample(range(legs), draw.randint(3, 7))
        j = p.column(sum(draw.randint(20, 60) for _ in chosen))
        for leg in chosen:
            of[leg].append((j, 1))
    for leg in range(legs):
        p.row("E", 1, of[leg])
    return p


def independent(draw, size):
    """Stable sets of greatest weight, by edges."""
    n, p = 40 + 20 * size, Program()
    for _ in range(n):
        p.column(-draw.randint(1, 30))
    for a in range(n):
        for b in range(a + 1, n):
            if draw.random() < .2:
                p.row("L", 1, [(a, 1), (b, 1)])
    return p


def machine(draw, size):
    """One machine, weighted starts after releases, by big M."""
    n, p = 4 + 2 * size, Program()
    time, release = [draw.randint(2, 20) for _ in range(n)], [draw.randint(0, 40) for _ in range(n)]
    big = max(release) + sum(time)
    start = [continuous(p, draw.randint(1, 9)) for _ in range(n)]
    for a in range(n):
        p.row("G", release[a], [(start[a], 1)])
        for b in range(a + 1, n):
            y = p.column(0)
            p.row("G", time[a] - big, [(start[b], 1), (start[a], -1), (y, -big)])
            p.row("G", time[b], [(start[a], 1), (start[b], -1), (y, big)])
    return p


def shop(draw, size):
    """Jobs on machines in drawn orders, least makespan, by big M."""
    jobs, machines, p = 3 + size, 3, Program()
    end, users = continuous(p, 1), [[] for _ in range(machines)]
    big = 0
    plans = []
    for _ in range(jobs):
        order = draw.sample(range(machines), machines)
        plans.append([(k, draw.randint(1, 20), continuous(p, 0)) for k in order])
        big += sum(t for _, t, _ in plans[-1])
    for plan in plans:
        for (_, t, a), (_, _, b) in zip(plan, plan[1:]):
            p.row("G", t, [(b, 1), (a, -1)])
        p.row("G", plan[-1][1], [(end, 1), (plan[-1][2], -1)])
        for k, t, a in plan:
            users[k].append((t, a))
    for group in users:
        for at, (t, a) in enumerate(group):
            for u, b in group[at + 1:]:
                y = p.column(0)
                p.row("G", t - big, [(b, 1), (a, -1), (y, -big)])
                p.row("G", u, [(a, 1), (b, -1), (y, big)])
    return p


def bins(draw, size):
    n, p = 8 + 4 * size, Program()
    weight, most = [draw.randint(20, 60) for _ in range(n)], 100
    on = [p.column(1) for _ in range(n // 2 + 1)]
    x = [[p.column(0) for _ in on] for _ in range(n)]
    for i in range(n):
        p.row("E", 1, [(j, 1) for j in x[i]])
    for k, y in enumerate(on):
        p.row("L", 0, [(x[i][k], weight[i]) for i in range(n)] + [(y, -most)])
    return p


def patterns(draw, size):
    """Cutting stock over drawn patterns, general integers."""
    kinds, p, of = 6 * size, Program(), [[] for _ in range(6 * size)]
    length = [draw.randint(12, 50) for _ in range(kinds)]
    for kind in range(kinds):
        of[kind].append((p.column(1, 100), 100 // length[kind]))
    for _ in range(60 * size):
        left, held = 100, {}
        for kind in draw.sample(range(kinds), kinds):
            held[kind] = draw.randint(0, left // length[kind])
            left -= held[kind] * length[kind]
        j = p.column(1, 100)
        for kind, count in held.items():
            of[kind].append((j, count))
    for kind in range(kinds):
        p.row("G", draw.randint(10, 60), of[kind])
    return p


def units(draw, size):
    """Power stations switched on and off, with start costs."""
    n, hours, p = 4 * size, 12 * size, Program()
    made = [[] for _ in range(hours)]
    for _ in range(n):
        most, price, start, idle = draw.randint(50, 200), draw.randint(10, 40), draw.randint(200, 900), draw.randint(50, 300)
        before = None
        for t in range(hours):
            x, on, up = continuous(p, price), p.column(idle), p.column(start)
            p.row("L", 0, [(x, 1), (on, -most)])
            p.row("G", 0, [(x, 1), (on, -most // 3)])
            p.row("L", 0, [(on, 1), (up, -1)] + ([(before, -1)] if before is not None else []))
            made[t].append((x, 1))
            before = on
    for t in range(hours):
        p.row("G", draw.randint(30, 75) * n, made[t])
    return p


def split(draw, size):
    """Market split: equalities with a slack that is paid for."""
    m, n, p = 1 + size, 10 * size + 5, Program()
    for _ in range(n):
        p.column(0)
    weight = [[draw.randint(0, 99) for _ in range(n)] for _ in range(m)]
    for i in range(m):
        less, more = continuous(p, 1), continuous(p, 1)
        p.row("E", sum(weight[i]) // 2, list(enumerate(weight[i])) + [(less, 1), (more, -1)])
    return p


FAMILIES = (lot_single, lot_shared, sack_free, sack_weak, sack_strong, sack_many, network, sites_free, sites_bounded, assignment, agents,
            cover, partition, independent, machine, shop, bins, patterns, units, split)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vouch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(f.__name__ for f in FAMILIES))
    parser.add_argument("--sizes", default="1,2")
    parser.add_argument("--folder")
    o, rest = parser.parse_known_args()
    folder = o.folder or os.path.join(os.path.dirname(o.vouch), "mixed")
    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        if old.endswith(".mps"):
            os.remove(os.path.join(folder, old))
    for family in FAMILIES:
        for size in map(int, o.sizes.split(",")) if family.__name__ in o.only.split(",") else ():
            name = f"{family.__name__}-{size}"
            family(random.Random(f"{name} {o.seed}"), size).write(os.path.join(folder, name + ".mps"), name)
    sys.argv[1:] = [o.vouch, folder, "--peers", "cbc,glpsol,highs", *rest]
    return mip.main()


if __name__ == "__main__":
    sys.exit(main())

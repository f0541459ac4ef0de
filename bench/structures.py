#!/usr/bin/env python3
"""Linear programs of structures that simplex methods are slow on, drawn by size and seed, and the race on them (bench/lp.py).

usage: structures.py VOUCH [--rows M,M,..] [--seed N] [--only FAMILY,..] [--folder DIR] [options of lp.py, such as --runs 3 --cpu]

Writes FAMILY-M.mps, of about M rows, into the folder (default: beside VOUCH, structures), and lets vouch, glpsol, clp and cbc solve
them in turn; times, growth exponents and a performance profile (profile.svg in the folder) come from lp.py. All have a finite optimum
by construction. The same numbers give the same files.

sparse       3 % entries of both signs, whose bases fill in
qap          the linearisation of a quadratic assignment problem by Adams and Johnson (1994)
commodities  multicommodity flow on a grid with shared capacities
staircase    periods, each coupled to the next
covering     relaxed set covering, four columns a row
transport    dense transportation
dense        a quarter of the rows, all entries
"""
import argparse
import os
import random
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
import lp


class Program:
    """min cost'x, rows of a sense (G, L, E) and right side, 0 <= x <= upper."""

    def __init__(self):
        self.rows, self.columns = [], []

    def row(self, sense, side):
        self.rows.append((sense, side))
        return len(self.rows) - 1

    def column(self, cost, entries, upper=None):
        self.columns.append((cost, entries, upper))

    def write(self, path, name):
        lines = [f"NAME {name}", "ROWS", " N cost"] + [f" {sense} r{i}" for i, (sense, _) in enumerate(self.rows)] + ["COLUMNS"]
        for j, (cost, entries, _) in enumerate(self.columns):
            lines += [f" x{j} cost {cost:.6g}"] + [f" x{j} r{i} {value:.6g}" for i, value in entries]
        lines += ["RHS"] + [f" rhs r{i} {side:.9g}" for i, (_, side) in enumerate(self.rows) if side]
        lines += ["BOUNDS"] + [f" UP b x{j} {upper:.9g}" for j, (_, _, upper) in enumerate(self.columns) if upper is not None]
        with open(path, "w") as out:
            out.write("\n".join(lines + ["ENDATA", ""]))


def with_known_optimum(draw, columns, m):
    """Rows >= that a drawn point keeps, costs that drawn multipliers price from below: columns are lists of (row, value)."""
    p, activity, y = Program(), [0.0] * m, [draw.random() * (draw.random() < 0.5) for _ in range(m)]
    for entries in columns:
        x = draw.random() * (draw.random() < 0.5)
        for i, value in entries:
            activity[i] += value * x
    for i in range(m):
        p.row("G", round(activity[i] - draw.random() * (y[i] == 0), 6) - 1e-6)
    for entries in columns:
        p.column(sum(y[i] * value for i, value in entries) + draw.random() * (draw.random() < 0.7), entries)
    return p


def entry(draw):
    return round(draw.choice((-1, 1)) * draw.uniform(0.1, 9), 4)


def sparse(draw, m):
    return with_known_optimum(draw, [[(i, entry(draw)) for i in sorted(draw.sample(range(m), max(2, 3 * m // 100)))] for _ in range(3 * m // 2)], m)


def dense(draw, m):
    return with_known_optimum(draw, [[(i, entry(draw)) for i in range(m // 4)] for _ in range(m // 2)], m // 4)


def staircase(draw, m):
    height, columns = 20, []
    for first in range(0, m, height):
        rows = range(first, min(first + height, m))
        after = range(first + height, min(first + 2 * height, m))
        for _ in range(2 * len(rows)):
            own = draw.sample(rows, min(6, len(rows))) + draw.sample(after, min(3, len(after)))
            columns.append([(i, entry(draw)) for i in sorted(own)])
    return with_known_optimum(draw, columns, m)


def covering(draw, m):
    p = Program()
    for _ in range(m):
        p.row("G", 1)
    for j in range(4 * m):
        members = set(draw.sample(range(m), min(m, draw.randint(4, 12)))) | ({j} if j < m else set())
        p.column(draw.randint(1, 9) + len(members), [(i, 1) for i in sorted(members)])
    return p


def transport(draw, m):
    p, sources = Program(), m // 3
    demand = [draw.randint(1, 20) for _ in range(m - sources)]
    for _ in range(sources):
        p.row("L", sum(demand) // sources + 10)
    for d in demand:
        p.row("G", d)
    for i in range(sources):
        for j in range(m - sources):
            p.column(draw.randint(10, 200), [(i, 1), (sources + j, 1)])
    return p


def commodities(draw, m):
    """A grid of `width` nodes a side; each commodity has a row a node, each arc a row; a dear bypass keeps it feasible."""
    width = 3
    while 8 * (width + 1) * width <= m:
        width += 1
    arcs = [(a, b) for a in range(width * width) for b in (a + 1, a + width)
            if b < width * width and (b == a + width or b % width)]
    arcs += [(b, a) for a, b in arcs]
    p, count = Program(), max(1, (m - len(arcs)) // (width * width))
    capacity = [p.row("L", draw.randint(2, 6) * count // 4 + 1) for _ in arcs]
    for _ in range(count):
        start, end, amount = *draw.sample(range(width * width), 2), draw.randint(1, 6)
        node = [p.row("E", amount if v == end else -amount if v == start else 0) for v in range(width * width)]
        for (a, b), full in zip(arcs, capacity):
            p.column(draw.randint(1, 30), [(full, 1), (node[a], -1), (node[b], 1)])
        p.column(1000, [(node[start], -1), (node[end], 1)])
    return p


def qap(draw, m):
    """x[i,j], facility i at place j, and y[i,j,k,l] = x[i,j] x[k,l] for i < k:  sum over l of y[i,j,k,l] = x[i,j], and over k."""
    n = 3
    while 2 * (n + 1) + 2 * (n + 1) ** 2 * n <= m:
        n += 1
    flow, far = [[[draw.randint(0, 9) for _ in range(n)] for _ in range(n)] for _ in range(2)]
    p, cells = Program(), [(i, j) for i in range(n) for j in range(n)]
    assigned = [p.row("E", 1) for _ in range(2 * n)]
    by_facility = {(i, j, k): p.row("E", 0) for i, j in cells for k in range(n) if k != i}
    by_place = {(i, j, q): p.row("E", 0) for i, j in cells for q in range(n) if q != j}
    for i, j in cells:
        own = [(by_facility[i, j, k], -1) for k in range(n) if k != i] + [(by_place[i, j, q], -1) for q in range(n) if q != j]
        p.column(draw.randint(0, 9), [(assigned[i], 1), (assigned[n + j], 1)] + own)
    for i, j in cells:
        for k, q in cells:
            if i < k and j != q:
                p.column(flow[i][k] * far[j][q] + flow[k][i] * far[q][j],
                         [(by_facility[i, j, k], 1), (by_facility[k, q, i], 1), (by_place[i, j, q], 1), (by_place[k, q, j], 1)])
    return p


FAMILIES = (sparse, qap, commodities, staircase, covering, transport, dense)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vouch")
    parser.add_argument("--rows", default="200,400,800")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default=",".join(f.__name__ for f in FAMILIES))
    parser.add_argument("--folder")
    o, rest = parser.parse_known_args()
    folder = o.folder or os.path.join(os.path.dirname(o.vouch), "structures")
    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        if old.endswith(".mps"):
            os.remove(os.path.join(folder, old))
    for family in FAMILIES:
        for m in map(int, o.rows.split(",")) if family.__name__ in o.only.split(",") else ():
            name = f"{family.__name__}-{m}"
            family(random.Random(f"{name} {o.seed}"), m).write(os.path.join(folder, name + ".mps"), name)
    sys.argv[1:] = [o.vouch, folder, "--svg", os.path.join(folder, "profile.svg"), *rest]
    return lp.main()


if __name__ == "__main__":
    sys.exit(main())

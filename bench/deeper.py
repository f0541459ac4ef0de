#!/usr/bin/env python3
"""bench/deeper.py VOUCH [--limit SECONDS] [--only WORD] [--models N]

Is a deeper plan ever worse? Sixty models: machine repair, adaptive management, random and random dense models, t-mazes, and grids with
one hidden obstacle up to an 8 x 8 where two moves of three slip, as in FrozenLake. Each is planned with L = 0 in a third of the
processor time, then with L > 0 in the whole. A policy for L = 0 is an L-updates policy for every L, so with L > 0 the largest regret
must be no larger. A row for each model whose deeper plan is worse, or has no policy where L = 0 has one; then the counts. Exit status 1
if one is worse.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left beside the sources
from binding import measured

WALL = 4  # seconds of the wall for one of the processor
MOVES = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}


def generated():
    for seed in range(1, 7):
        yield "repair", 1, ["machine-repair", "--environments", str(4 * seed), "-T", "8", "--seed", str(seed)]
        yield "repair promised", 1 + seed % 2, ["machine-repair", "--environments", str(3 + seed), "-T", "7", "-p", ".5", "--seed", str(seed)]
        yield "adaptive", 1 + seed % 3, ["adaptive", "--environments", str(4 + 6 * seed), "--actions", "3", "-T", "12", "--seed", str(seed)]
        yield "random", 1 + seed % 3, ["random", "--states", str(10 + 40 * seed), "--actions", "3", "--environments", "4", "-T", "8", "-p", ".2", "--seed", str(seed)]
        yield "dense", 1, ["random-dense", "--states", "4", "--actions", "3", "--environments", str(2 + seed), "-T", "5", "--seed", str(seed)]
        yield "dense promised", 1, ["random-dense", "--states", "6", "--actions", "2", "--environments", "3", "-T", "4", "-p", ".3", "--seed", str(seed)]
        yield "t-maze", 1 + seed % 4, ["t-maze", "--size", "%d,%d,2,3" % (3 + seed % 3, 1 + seed % 3), "-T", str(12 + seed), "-p", ".3", "--slip", ".8"]


def write_grid(path, n, obstacles, slip, horizon, probability):
    """An n x n grid: from the first cell to the last; each environment has one hole, which cannot be left. A move slips to both sides."""
    name = ["c%d_%d" % (x, y) for y in range(n) for x in range(n)]
    to = lambda s, d: min(max(s % n + d[0], 0), n - 1) + n * min(max(s // n + d[1], 0), n - 1)
    environments = []
    for hole in obstacles:
        rows = []
        for s in range(n * n):
            for a, (dx, dy) in MOVES.items():
                paths = [((dx, dy), 1 - slip), ((dy, dx), slip / 2), ((-dy, -dx), slip / 2)]
                if s == hole or s == n * n - 1:
                    rows.append([name[s], a, name[s], 1])
                    continue
                where = {}
                for d, p in paths:
                    where[to(s, d)] = where.get(to(s, d), 0) + p
                rows += [[name[s], a, name[t], p] for t, p in where.items() if p > 0]
        environments.append({"name": "hole_%s" % name[hole], "transitions": rows, "rewards": [[name[s], a, .1] for s in range(n * n) for a in MOVES if s // n == n - 1]})
    promise = {"name": "there", "kind": "at", "states": [name[-1]], "time": horizon, "probability": probability}
    with open(path, "w") as file:
        json.dump({"vouch": 1, "name": "grid-%d" % n, "states": name, "actions": list(MOVES), "initial": name[0], "horizon": horizon,
                   "commitments": [promise], "environments": environments}, file)


def grids():
    """(name, L, arguments of write_grid)"""
    for i in range(18):
        n = 4 + i % 5
        holes = [n * (n // 2) + (i * 7 + 3 * k) % n for k in range(2 + i % 4)]
        yield "grid %d" % n, 1 + i % 3, (n, list(dict.fromkeys(holes)), (0, .1, 2 / 3)[i % 3], 2 * n + 4, (.8, .6, .05)[i % 3])


def models(vouch, path, most):
    kinds = [(kind, L, line) for kind, L, line in generated()] + [(kind, L, shape) for kind, L, shape in grids()]
    for kind, L, what in kinds[::max(1, len(kinds) // most)] if most < len(kinds) else kinds:
        if isinstance(what, tuple):
            write_grid(path, *what)
        else:
            subprocess.run([vouch, "generate", *what, "-o", path, "-q"], check=True, stderr=subprocess.DEVNULL)
        yield kind, L


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--limit", type=float, default=6, help="processor seconds with L > 0")
    arguments.add_argument("--models", type=int, default=60)
    arguments.add_argument("--only", default="")
    a = arguments.parse_args()
    counts = {"better": 0, "equal": 0, "worse": 0, "no policy for either": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.json")
        for kind, L in models(a.vouch, path, a.models):
            if a.only not in kind:
                continue
            def planned(L, limit):  # of seconds of the wall there is a limit, too: without any, L = 0 is not searched beside L > 0
                return measured([a.vouch, "plan", path, "-L", str(L), "--time-limit", str(WALL * limit), "--tie-break", "none", "-q", "--json"], limit)[0]
            flat, deep = planned(0, a.limit / 3), planned(L, a.limit)
            zero, more = flat["max_regret"], deep["max_regret"]
            if more is None and zero is None:
                what = "no policy for either"
            elif more is None or (zero is not None and more > zero + 1e-6 * (1 + abs(zero))):
                what = "worse"
            else:
                what = "better" if zero is None or more < zero - 1e-6 * (1 + abs(zero)) else "equal"
            counts[what] += 1
            if what == "worse":
                print("%-16s L = %d: %s, of L = 0: %s" % (kind, L, more, zero), flush=True)
    print("%d models: %s" % (sum(counts.values()), ", ".join("%d %s" % (n, what) for what, n in counts.items())))
    return 1 if counts["worse"] else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Linear programs of a million rows or columns, simple enough that every solver should end in seconds: time and memory beside peers.

usage: million.py VOUCH [--size N] [--only KIND,..] [--folder DIR] [--peers glpsol,clp,cbc] [--limit SECONDS]

Writes KIND-N.mps (free MPS, N about the number of rows; default a million) into the folder (default: beside VOUCH, million) and runs each
solver on it once. Prints processor seconds of the whole process, reading included, and the peak of memory. All have a finite optimum, and
values are functions of the place: the same size gives the same files.

mean       the deviations of N observations from their mean, all columns free (GLPK's example huge.mod)
arrow      a diagonal with one dense row and one dense column
ladder     x[i+1] >= x[i] + d[i], a chain of inequalities
inventory  stock[t+1] = stock[t] + made[t] - demand[t], bounded
knapsack   one row, N columns
parallel   one row, N columns that are multiples of each other, at many costs
bounds     rows of one entry, and empty ones
one        rows of one entry, all of one column
arcs       transport, a thousandth of N sources and a thousand sinks
equal      N equalities of three entries that fix what follows, one after the other
"""
import argparse
import math
import os
import re
import resource
import subprocess
import sys
import threading


def draw(i, most):
    """Whole number in 1 .. most, a function of i."""
    x = (i * 2654435761 + 40503) & 0xffffffff
    x = ((x ^ (x >> 15)) * 2246822519) & 0xffffffff
    return (x ^ (x >> 13)) % most + 1


def mps(rows, columns, sides, bounds):
    """rows: (sense, name); columns: (name, cost, entries); sides: (row, value); bounds: (kind, column, value or None)."""
    yield "NAME million FREE\nROWS\n N cost\n"
    for sense, name in rows:
        yield f" {sense} {name}\n"
    yield "COLUMNS\n"
    for name, cost, entries in columns:
        if cost:
            yield f" {name} cost {cost}\n"
        for row, value in entries:
            yield f" {name} {row} {value}\n"
    yield "RHS\n"
    for row, value in sides:
        yield f" b {row} {value}\n"
    yield "BOUNDS\n"
    for kind, name, value in bounds:
        yield f" {kind} d {name} {value}\n" if value is not None else f" {kind} d {name}\n"
    yield "ENDATA\n"


def mean(n):
    return mps([("E", f"r{z}") for z in range(n)] + [("E", "sum")],
               [("mean", 0, [(f"r{z}", 1) for z in range(n)])] + [(f"e{z}", 0, [(f"r{z}", 1), ("sum", 1)]) for z in range(n)],
               [(f"r{z}", z + 1) for z in range(n)], [("FR", "mean", None)] + [("FR", f"e{z}", None) for z in range(n)])


def arrow(n):
    return mps([("G", f"r{i}") for i in range(n)] + [("L", "all")],
               [("x", n // 3, [(f"r{i}", 1) for i in range(n)])] + [(f"y{i}", draw(i, 9), [(f"r{i}", 1), ("all", 1)]) for i in range(n)],
               [(f"r{i}", draw(i, 1000)) for i in range(n)] + [("all", 300 * n)], [])


def ladder(n):
    return mps([("G", f"r{i}") for i in range(n)],
               ((f"x{i}", draw(i, 5), [(f"r{j}", v) for j, v in ((i - 1, 1), (i, -1)) if 0 <= j < n]) for i in range(n + 1)),
               [(f"r{i}", draw(i, 9) - 5) for i in range(n)], [])


def inventory(n):
    made = [(f"m{t}", draw(t, 20), [(f"r{t}", 1)]) for t in range(n)]
    stock = [(f"s{t}", 1, [(f"r{t}", -1)] + ([(f"r{t + 1}", 1)] if t + 1 < n else [])) for t in range(n)]
    return mps([("E", f"r{t}") for t in range(n)], made + stock, [(f"r{t}", draw(t, 30)) for t in range(n)],
               [("UP", f"m{t}", 40) for t in range(n)] + [("UP", f"s{t}", 500) for t in range(n)])


def knapsack(n):
    return mps([("L", "all")], ((f"x{j}", -draw(j, 1000), [("all", draw(j + n, 100))]) for j in range(n)), [("all", 10 * n)],
               (("UP", f"x{j}", 1) for j in range(n)))


def parallel(n):
    return mps([("L", "all"), ("G", "least")],
               ((f"x{j}", 2 * draw(j, n) - n, [("all", draw(j + n, 9)), ("least", 2 * draw(j + n, 9))]) for j in range(n)),
               [("all", 10 * n), ("least", n)], (("UP", f"x{j}", draw(j, 5)) for j in range(n)))


def bounds(n):
    return mps([("G" if i % 3 else "L", f"r{i}") for i in range(n)],
               ((f"x{i}", 1, [(f"r{i}", 1 + i % 4)] if i % 2 else []) for i in range(n)), [(f"r{i}", i % 50 if i % 2 else 0) for i in range(n)], [])


def one(n):
    return mps([("G", f"r{i}") for i in range(n)], [("x", 1, [(f"r{i}", 1 + i % 4) for i in range(n)]), ("y", 1, [("r0", 1)])],
               [(f"r{i}", i) for i in range(n)], [])


def arcs(n):
    sources, sinks = max(n // 1000, 1), min(n, 1000)
    need = [draw(j, 20) for j in range(sinks)]
    full = sum(need) // sources + 10
    return mps([("L", f"s{i}") for i in range(sources)] + [("G", f"t{j}") for j in range(sinks)],
               ((f"x{i}_{j}", 10 + draw(i * sinks + j, 190), [(f"s{i}", 1), (f"t{j}", 1)]) for i in range(sources) for j in range(sinks)),
               [(f"s{i}", full) for i in range(sources)] + [(f"t{j}", need[j]) for j in range(sinks)], [])


def equal(n):
    def entries(j):
        return [(f"r{i}", v) for i, v in ((j, 2), (j + 1, 1), (j + 2, -1)) if i < n]
    return mps([("E", f"r{i}") for i in range(n)], ((f"x{j}", draw(j, 9), entries(j)) for j in range(n)),
               ((f"r{i}", draw(i, 7)) for i in range(n)), (("FR", f"x{j}", None) for j in range(n)))


KINDS = (mean, arrow, ladder, inventory, knapsack, parallel, bounds, one, arcs, equal)
PEERS = {"glpsol": lambda f: ["glpsol", "--freemps", f, "-o", "/dev/stderr"], "clp": lambda f: ["clp", f, "-solve"],
         "cbc": lambda f: ["cbc", f, "-solve", "-quit"]}
OBJECTIVE = {"glpsol": r"Objective: +cost = (\S+)", "clp": r"Optimal (?:- )?objective (?:value )?(\S+)",
             "cbc": r"Optimal (?:- )?objective (?:value )?(\S+)", "vouch": r"objective +(\S+)"}


def run(command, limit):
    """Output, processor seconds, megabytes at the peak."""
    bounded = lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=bounded)
    out = []
    reader = threading.Thread(target=lambda: out.append(child.stdout.read()))
    reader.start()
    _, _, used = os.wait4(child.pid, 0)
    reader.join()
    return out[0], used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def last(pattern, text):
    found = re.findall(pattern, text)
    try:
        return float(found[-1])
    except (IndexError, ValueError):
        return math.nan


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("vouch")
    parser.add_argument("--size", type=int, default=1000000)
    parser.add_argument("--only", default=",".join(k.__name__ for k in KINDS))
    parser.add_argument("--folder")
    parser.add_argument("--peers", default="glpsol,clp")
    parser.add_argument("--limit", type=int, default=60)
    o = parser.parse_args()
    folder = o.folder or os.path.join(os.path.dirname(o.vouch), "million")
    os.makedirs(folder, exist_ok=True)
    solvers = {"vouch": lambda f: [o.vouch, "lp", "--freemps", f], **{p: PEERS[p] for p in o.peers.split(",") if p}}
    wrong = 0
    for kind in [k for k in KINDS if k.__name__ in o.only.split(",")]:
        path = os.path.join(folder, f"{kind.__name__}-{o.size}.mps")
        if not os.path.exists(path):
            with open(path, "w") as out:
                out.writelines(kind(o.size))
        values = {}
        for name, command in solvers.items():
            text, seconds, megabytes = run(command(path), o.limit)
            values[name] = last(OBJECTIVE[name], text)
            print(f"{kind.__name__:10} {name:7} {seconds:8.2f} s {megabytes:8.0f} MB  {values[name]:.9g}", flush=True)
        known = [v for name, v in values.items() if name != "vouch" and not math.isnan(v)]
        ours = values["vouch"]
        if known and not math.isnan(ours) and min(abs(ours - v) for v in known) > 1e-6 * (1 + abs(ours)):
            wrong += 1
            print(f"{kind.__name__}: not the optimum")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())

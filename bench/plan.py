"""bench/plan.py VOUCH LIST [--limit SECONDS] [--csv FILE] [--peers glpsol,cbc,highs]

Times vouch on each line of LIST (model parameters of `vouch generate`, then L) and peers on the exported paper form, one after the other on
one core: whole-process seconds, the smallest of three where a run is below a second. What is timed of vouch:

    policy    vouch plan --tie-break none: the same question the programs ask, by the search over policies
    tie-break vouch plan, as it is by default: the least total regret as well
    compact   vouch plan --engine lp --tie-break none: the compact form by our MILP solver
    paper     vouch lp on the exported paper form

What does not prove the optimum within the limit is shown as "-"; all proved optima are compared with each other.
"""
import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import time

import milp


def timed(command, limit, pattern):
    """Whole-process seconds and what the pattern found; (None, None) when it was not proved in time."""
    best, value = None, None
    for _ in range(3):
        start = time.perf_counter()
        try:
            out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit + 5, text=True).stdout
        except subprocess.TimeoutExpired:
            return None, None
        seconds = time.perf_counter() - start
        found = re.search(pattern, out, re.S)
        if not found:
            return None, None
        value = float(found.group(1))
        best = seconds if best is None else min(best, seconds)
        if seconds >= 1:
            break
    return best, value


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=30)
    arguments.add_argument("--csv")
    arguments.add_argument("--peers", default="glpsol,cbc")
    arguments.add_argument("--engines", default="policy,tie-break,compact,paper")
    a = arguments.parse_args()
    peers = [p for p in a.peers.split(",") if p]
    engines = a.engines.split(",")
    records, wrong = [], 0
    with tempfile.TemporaryDirectory() as folder:
        model, paper, compact = (os.path.join(folder, name) for name in ("m.json", "paper.mps", "compact.mps"))
        head = ["model", "L", "paper rows x cols", "compact", "regret"]
        for e in engines:
            head += [e + " s", "nodes", "iterations"]
        head += [p + " s" for p in peers]
        table = [head]
        for line in open(a.list):
            line = line.split("#")[0].split()
            if not line:
                continue
            L = line.pop()
            subprocess.run([a.vouch, "generate", *line, "-o", model], check=True)
            sizes = []
            for form, path in (("paper", paper), ("compact", compact)):
                out = subprocess.run([a.vouch, "export", model, "-L", L, "--form", form, "-o", path, "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
                size = json.loads(out)
                sizes.append("%d x %d" % (size["rows"], size["columns"]))
            record = {"model": " ".join(line), "L": L, "paper": sizes[0], "compact": sizes[1]}
            cells, values = [], []
            for engine in engines:
                command = [a.vouch, "plan", model, "-L", L, "--json", "--time-limit", str(a.limit)]
                command += {"policy": ["--engine", "policy", "--tie-break", "none"], "compact": ["--engine", "lp", "--tie-break", "none"]}.get(engine, [])
                pattern = r'"status": "optimal".*?"max_regret": ([-0-9.e]+)'
                if engine == "paper":
                    command = [a.vouch, "lp", paper, "--json", "--tmlim", str(int(a.limit))]
                    pattern = r'"status":"optimal","objective":([-0-9.e]+)'
                seconds, value = timed(command, a.limit, pattern)
                text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout if seconds is not None else ""
                result = json.loads(text) if text else {"nodes": "-", "iterations": "-"}
                cells += ["-" if seconds is None else "%.3f" % seconds, result["nodes"], result["iterations"]]
                record[engine] = seconds
                values.append(value)
            for peer in peers:
                if peer == "glpsol":
                    command = ["glpsol", "--freemps", paper, "--tmlim", str(int(a.limit))]
                    pattern = r"mip =\s+([-0-9.e+]+) >=\s+tree is empty(?!.*TIME LIMIT)"
                elif peer == "glpsol-cuts":
                    command = ["glpsol", "--freemps", paper, "--tmlim", str(int(a.limit)), "--cuts", "--pcost"]
                    pattern = r"mip =\s+([-0-9.e+]+) >=\s+tree is empty(?!.*TIME LIMIT)"
                elif peer == "cbc":
                    command = ["cbc", paper, "ratio", "0", "allow", "1e-6", "sec", str(int(a.limit)), "solve"]
                    pattern = r"Optimal solution found\s.*?Objective value:\s+([-0-9.e+]+)"
                else:
                    command = [sys.executable, milp.__file__, paper, str(a.limit)]
                    pattern = r"optimal ([-0-9.e+]+)"
                seconds, value = timed(command, a.limit, pattern)
                cells.append("-" if seconds is None else "%.3f" % seconds)
                record[peer] = seconds
                values.append(value)
            proved = [v for v in values if v is not None]
            agree = all(abs(v - proved[0]) <= 2e-6 * max(1, abs(v)) for v in proved)
            wrong += not agree
            regret = "%.7g" % proved[0] if proved else "-"
            table.append([" ".join(line), L, sizes[0], sizes[1], regret if agree else "DIFFER", *map(str, cells)])
            records.append(record)
            print(".", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    for row in table:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))))
    base = engines[0]
    for other in engines[1:] + peers:
        ratios = [min(r[other] or a.limit, a.limit) / r[base] for r in records if r[base]]
        if ratios:
            open_ = sum(r[other] is None for r in records)
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print("%s against %s: %.1f times the seconds (geometric mean, %d of %d not proved in %g s counted as that)" % (other, base, mean, open_, len(records), a.limit))
    if a.csv:
        with open(a.csv, "w") as f:
            names = ["model", "L", "paper", "compact", *engines, *peers]
            f.write(",".join(names) + "\n")
            for r in records:
                f.write(",".join('"%s"' % r[n] if isinstance(r[n], str) else "" if r[n] is None else "%.4f" % r[n] for n in names) + "\n")
    sys.exit(1 if wrong else 0)


main()

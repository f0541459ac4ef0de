#!/usr/bin/env python3
"""Mixed-integer programs: vouch, glpsol with all its cuts, cbc and, where asked for, HiGHS on every MPS file of a folder, in turn, whole-process seconds.

usage: mip.py VOUCH FOLDER [--tsv REFERENCE] [--limit SECONDS] [--only NAME,..] [--peers NAME,..] [--cpu] [--csv OUT] [--svg OUT]

--cpu counts processor seconds (user and system) instead of those of the wall: for a machine that is shared. --svg draws the performance
profile, as lp.py does.

What does not prove its optimum within the limit (60 s) counts as the limit in the shifted geometric means (shift 1 s). A REFERENCE has
lines name<TAB>optimum. Exits 1 when vouch calls a wrong value optimal (further than 1e-6, relative, from the reference), ends without an
answer other than by the limit, or leaves open what a peer solves.
"""
import argparse
import math
import os
import re
import subprocess
import sys
import tempfile

import lp
import milp

SHIFT = 1.0
TOLERANCE = 1e-6


def timed(command, out, limit):
    """Seconds and output; out None: the command bounds itself. With --cpu the kernel ends what passes the limit."""
    written = ["-w", out] if out else []
    if not lp.cpu:
        return lp.run([*command, *written, *(["--tmlim", str(limit)] if out else [])], limit + 30)
    return lp.run([*command, *written], limit)


def points(path):
    """The words of the line that holds the objective; nothing was written by a solver that was ended."""
    if not os.path.exists(path):
        return []
    with open(path) as text:
        return [line.split() for line in text if line.startswith("s mip")]


def by_vouch(binary, path, limit):
    """Seconds, outcome, and the objective when there is one."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        out = os.path.join(folder, "solution")
        seconds, text = timed([binary, "lp", path], out, limit)
        outcome = re.search(r"status\s+(.*)", text)
        objective = [float(words[5]) for words in points(out)]
    word = outcome.group(1).strip() if outcome else "limit" if text == "limit" or seconds > 0.95 * limit else "failed"
    return seconds, word, objective[0] if objective else math.nan


def by_glpsol(path, limit):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        out = os.path.join(folder, "solution")
        seconds, text = timed(["glpsol", "--freemps", path, "--gomory", "--mir", "--cover", "--clique", "--pcost"], out, limit)
        solution = points(out)
    proved = "INTEGER OPTIMAL SOLUTION FOUND" in text and "TIME LIMIT" not in text
    return seconds, "optimal" if proved else "limit", float(solution[0][5]) if proved and solution else math.nan


def by_cbc(path, limit):
    seconds, text = timed(["cbc", path, "-sec", str(limit), "-solve", "-quit"], None, limit)
    proved = "Result - Optimal solution found" in text
    return seconds, "optimal" if proved else "limit", lp.number(r"Objective value:\s+(\S+)", text) if proved else math.nan


def by_highs(path, limit):
    """The call that solves alone (bench/milp.py), of the free MPS file that vouch makes of the program."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        plain = os.path.join(folder, "plain.mps")
        subprocess.run([binary, "lp", path, "--check", "--wfreemps", plain], stdout=subprocess.DEVNULL, check=True)
        outcome, value, seconds = milp.highs(plain, limit)
    return seconds, outcome or "limit", value if outcome == "optimal" else math.nan


PEERS = {"glpsol": by_glpsol, "cbc": by_cbc, "highs": by_highs}


def shifted_mean(values):
    return math.exp(sum(math.log(v + SHIFT) for v in values) / len(values)) - SHIFT


PROVED = ("optimal", "infeasible")
binary = ""  # of vouch, which also writes files for peers


def parse():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("folder")
    for name in ("tsv", "csv", "svg", "only"):
        arguments.add_argument("--" + name)
    arguments.add_argument("--limit", type=int, default=60)
    arguments.add_argument("--peers", default="glpsol,cbc")
    arguments.add_argument("--cpu", action="store_true")
    return arguments.parse_args()


def is_wrong(outcome, error, peers, limit_reached):
    """Of one problem; error: NaN where nothing is known to compare with."""
    if outcome in PROVED:
        return error > TOLERANCE or any(p in PROVED and p != outcome for p in peers)
    return any(p in PROVED for p in peers) or not limit_reached


def main():
    global binary
    a = parse()
    binary = a.vouch
    lp.cpu = a.cpu
    reference = {}
    if a.tsv:
        for line in open(a.tsv):
            part = line.split("\t")
            if part[0] != "name":
                reference[part[0]] = float(part[1])
    peers = [s for s in PEERS if s in a.peers.split(",")]
    solvers, rows, bad = ["vouch", *peers], {}, 0
    lines = ["problem," + ",".join(solvers) + ",objective,outcome"]
    print(f"{'problem':<19}" + "".join(f"{s:>10}" for s in solvers) + f"{'objective':>22}{'error':>10}  outcome")
    for name in sorted(f for f in os.listdir(a.folder) if ".mps" in f):
        path, short = os.path.join(a.folder, name), name.split(".")[0]
        if a.only and short not in a.only.split(","):
            continue
        seconds, outcome, objective = by_vouch(a.vouch, path, a.limit)
        found = {s: PEERS[s](path, a.limit) for s in peers}
        expected = reference.get(short, next((f[2] for f in found.values() if not math.isnan(f[2])), math.nan))
        error = abs(objective - expected) / max(1, abs(expected)) if outcome == "optimal" else math.nan
        wrong = is_wrong(outcome, error, [f[1] for f in found.values()], "limit" in outcome)
        bad += wrong
        row = rows[short] = {"vouch": seconds if outcome in PROVED else math.inf,
                             **{s: f[0] if f[1] in PROVED else math.inf for s, f in found.items()}}
        print(f"{short:<19}" + "".join(f"{min(row[s], a.limit):>10.3f}" for s in solvers) + f"{objective:>22.12g}{error:>10.1e}  {outcome}"
              + ("  <-- wrong" if wrong else ""), flush=True)
        lines.append(f"{short}," + ",".join(f"{row[s]:.4f}" for s in solvers) + f",{objective!r},{outcome}")
    for s in solvers:
        times = [min(r[s], a.limit) for r in rows.values()]
        print(f"shifted geometric mean {s:<8} {shifted_mean(times):.3f} s; solved {sum(r[s] < math.inf for r in rows.values())} of {len(rows)}")
    print(f"{bad} wrong")
    if a.csv:
        open(a.csv, "w").write("\n".join(lines) + "\n")
    if a.svg:
        lp.profile(rows, solvers, a.svg)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

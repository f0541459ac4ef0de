#!/usr/bin/env python3
"""Mixed-integer programs: vouch and glpsol with all its cuts on every MPS file of a folder, in turn, whole-process seconds.

usage: mip.py VOUCH FOLDER [--tsv REFERENCE] [--limit SECONDS] [--cpu] [--csv OUT]

--cpu counts processor seconds (user and system) instead of those of the wall: for a machine that is shared.

What does not prove its optimum within the limit (60 s) counts as the limit in the shifted geometric means (shift 1 s). A REFERENCE has
lines name<TAB>optimum. Exits 1 when vouch calls a wrong value optimal (further than 1e-6, relative, from the reference), ends without an
answer other than by the limit, or leaves open what glpsol solves.
"""
import argparse
import math
import os
import re
import sys
import tempfile

import lp

SHIFT = 1.0
TOLERANCE = 1e-6


def timed(command, out, limit):
    """Seconds and output. With --cpu the limit is one of processor seconds, and the kernel ends what passes it."""
    if not lp.cpu:
        return lp.run([*command, "-w", out, "--tmlim", str(limit)], limit + 30)
    return lp.run(["sh", "-c", 'ulimit -t "$0"; exec "$@"', str(limit), *command, "-w", out], 20 * limit)


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
    word = outcome.group(1).strip() if outcome else "limit" if seconds > 0.95 * limit else "failed"
    return seconds, word, objective[0] if objective else math.nan


def by_glpsol(path, limit):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        out = os.path.join(folder, "solution")
        seconds, text = timed(["glpsol", "--freemps", path, "--gomory", "--mir", "--cover", "--clique", "--pcost"], out, limit)
        solution = points(out)
    proved = "INTEGER OPTIMAL SOLUTION FOUND" in text and "TIME LIMIT" not in text
    return seconds, "optimal" if proved else "limit", float(solution[0][5]) if proved and solution else math.nan


def shifted_mean(values):
    return math.exp(sum(math.log(v + SHIFT) for v in values) / len(values)) - SHIFT


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("folder")
    arguments.add_argument("--tsv")
    arguments.add_argument("--limit", type=int, default=60)
    arguments.add_argument("--cpu", action="store_true")
    arguments.add_argument("--csv")
    a = arguments.parse_args()
    lp.cpu = a.cpu
    reference = {}
    if a.tsv:
        for line in open(a.tsv):
            part = line.split("\t")
            if part[0] != "name":
                reference[part[0]] = float(part[1])
    ours, theirs, lines, bad, solved = [], [], ["problem,vouch,glpsol,objective,outcome,peer"], 0, [0, 0]
    print(f"{'problem':<12}{'vouch':>10}{'glpsol':>10}{'objective':>22}{'error':>10}  outcome, of glpsol")
    for name in sorted(f for f in os.listdir(a.folder) if ".mps" in f):
        path, short = os.path.join(a.folder, name), name.split(".")[0]
        seconds, outcome, objective = by_vouch(a.vouch, path, a.limit)
        peer_seconds, peer, peer_objective = by_glpsol(path, a.limit)
        expected = reference.get(short, peer_objective)
        error = abs(objective - expected) / max(1, abs(expected)) if outcome == "optimal" else math.nan
        wrong = (outcome == "optimal" and not error <= TOLERANCE and not math.isnan(expected)) or (outcome != "optimal" and (peer == "optimal" or "limit" not in outcome))
        bad += wrong
        solved[0] += outcome == "optimal"
        solved[1] += peer == "optimal"
        ours.append(min(seconds, a.limit) if outcome == "optimal" else a.limit)
        theirs.append(min(peer_seconds, a.limit) if peer == "optimal" else a.limit)
        print(f"{short:<12}{ours[-1]:>10.3f}{theirs[-1]:>10.3f}{objective:>22.12g}{error:>10.1e}  {outcome}, {peer}" + ("  <-- wrong" if wrong else ""), flush=True)
        lines.append(f"{short},{ours[-1]:.4f},{theirs[-1]:.4f},{objective!r},{outcome},{peer}")
    print(f"shifted geometric mean: vouch {shifted_mean(ours):.3f} s, glpsol {shifted_mean(theirs):.3f} s; solved {solved[0]} and {solved[1]} of {len(ours)}, {bad} wrong")
    if a.csv:
        open(a.csv, "w").write("\n".join(lines) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

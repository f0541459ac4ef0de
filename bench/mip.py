#!/usr/bin/env python3
"""Mixed-integer programs: vouch, glpsol with all its cuts, cbc and, where asked for, HiGHS on every MPS file of a folder, in turn, whole-process seconds.

usage: mip.py VOUCH FOLDER [--tsv REFERENCE] [--limit SECONDS] [--only NAME,..] [--peers NAME,..] [--cpu] [--guide] [--csv OUT] [--svg OUT]

--cpu counts processor seconds (user and system) instead of those of the wall: for a machine that is shared. --guide prints the table in the end as in
src/guide/speed.md, with vouch's gap where it was open. --svg draws the performance profile, as lp.py does.

What does not prove its optimum within the limit (60 s) counts as the limit in the shifted geometric means (shift 1 s). A REFERENCE has
lines name<TAB>optimum. Exits 1 when vouch calls a wrong value optimal (further than 1e-6, relative, from the reference), ends without an
answer other than by the limit, or leaves open what a peer solves.
"""
import argparse
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

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


def until(command, limit):
    """Seconds and output of a program that ends with its best answer when it is interrupted, as it is after so many seconds."""
    start = lp.seconds_now()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        began, told = time.perf_counter(), False
        while running.poll() is None:
            time.sleep(0.02)
            if not told and (used_by(running.pid) if lp.cpu else time.perf_counter() - began) >= limit:
                running.send_signal(signal.SIGINT)
                told = True
        text = running.stdout.read()
    return lp.seconds_now() - start, text


def used_by(pid):
    """Processor seconds of a running process; 0 when it has ended."""
    try:
        with open(f"/proc/{pid}/stat") as f:
            return sum(map(int, f.read().rsplit(")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0


def by_vouch(binary, path, limit):
    """Seconds, outcome, objective when there is one, and bound."""
    seconds, text = until([binary, "lp", path, "--json", "-q"], limit)
    try:
        answer = json.loads(text)
    except ValueError:
        return seconds, "failed", math.nan, math.nan
    word = "limit" if answer["status"] == "interrupted" else answer["status"]
    return seconds, word, *(math.nan if answer[key] is None else answer[key] for key in ("objective", "bound"))


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
    arguments.add_argument("--guide", action="store_true")
    return arguments.parse_args()


def brief(seconds):
    return (f"{seconds:.1f}" if seconds >= 0.95 else f"{seconds:.2f}").removeprefix("0")


def guide_cell(outcome, seconds, objective, bound):
    if outcome in PROVED:
        return brief(seconds)
    if math.isnan(objective):
        return "open, no point"
    return f"open, {100 * abs(objective - bound) / max(1e-9, abs(objective)):.2g} %"


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
    solvers, rows, bad, guide = ["vouch", *peers], {}, 0, []
    lines = ["problem," + ",".join(solvers) + ",objective,outcome"]
    print(f"{'problem':<19}" + "".join(f"{s:>10}" for s in solvers) + f"{'objective':>22}{'error':>10}  outcome")
    for name in sorted(f for f in os.listdir(a.folder) if ".mps" in f):
        path, short = os.path.join(a.folder, name), name.split(".")[0]
        if a.only and short not in a.only.split(","):
            continue
        seconds, outcome, objective, bound = by_vouch(a.vouch, path, a.limit)
        found = {s: PEERS[s](path, a.limit) for s in peers}
        expected = reference.get(short, next((f[2] for f in found.values() if not math.isnan(f[2])), math.nan))
        error = abs(objective - expected) / max(1, abs(expected)) if outcome == "optimal" else math.nan
        wrong = is_wrong(outcome, error, [f[1] for f in found.values()], "limit" in outcome)
        bad += wrong
        row = rows[short] = {"vouch": seconds if outcome in PROVED else math.inf,
                             **{s: f[0] if f[1] in PROVED else math.inf for s, f in found.items()}}
        print(f"{short:<19}" + "".join(f"{min(row[s], a.limit):>10.3f}" for s in solvers) + f"{objective:>22.12g}{error:>10.1e}  {outcome}"
              + ("  <-- wrong" if wrong else ""), flush=True)
        cells = [guide_cell(outcome, seconds, objective, bound), *(brief(row[s]) if row[s] < math.inf else "open" for s in peers)]
        guide.append(f"| {short} | {' | '.join(cells)} |")
        lines.append(f"{short}," + ",".join(f"{row[s]:.4f}" for s in solvers) + f",{objective!r},{outcome}")
    for s in solvers:
        times = [min(r[s], a.limit) for r in rows.values()]
        print(f"shifted geometric mean {s:<8} {shifted_mean(times):.3f} s; solved {sum(r[s] < math.inf for r in rows.values())} of {len(rows)}")
    print(f"{bad} wrong")
    if a.guide:
        words = {"highs": "HiGHS"}
        print("\n".join(["", "| program | " + " | ".join(words.get(s, s) for s in solvers) + " |", "|---" * (1 + len(solvers)) + "|", *guide]))
    if a.csv:
        open(a.csv, "w").write("\n".join(lines) + "\n")
    if a.svg:
        lp.profile(rows, solvers, a.svg)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

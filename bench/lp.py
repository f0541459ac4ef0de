#!/usr/bin/env python3
"""Linear programs: vouch, glpsol and clp on every problem of a folder, in turn, whole-process seconds.

usage: lp.py VOUCH FOLDER [--tsv REFERENCE] [--runs N] [--limit SECONDS] [--cpu] [--csv OUT] [--svg OUT] [--vouch-only]
             [-- vouch options]

--cpu counts processor seconds (user and system) instead of those of the wall: for a machine that is shared.

Each problem is solved by the solvers alternately, N times; the least time counts. Prints a table, the shifted geometric means
(shift 10 ms) and, with gnuplot, a performance profile. A REFERENCE has lines name<TAB>..<TAB>optimum (column 5).
Exits 1 when a result of vouch is wrong: an objective further than 1e-8 (relative) from the reference, or from glpsol's without one.
"""
import argparse
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

SHIFT = 0.010
cpu = False


def seconds_now():
    if not cpu:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parse(argv):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], epilog="what follows -- are options of vouch lp")
    parser.add_argument("vouch")
    parser.add_argument("folder")
    for name, kind, default in (("tsv", str, None), ("runs", int, 1), ("limit", float, 60.0), ("csv", str, None), ("svg", str, None)):
        parser.add_argument("--" + name, type=kind, default=default)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--vouch-only", dest="only", action="store_true")
    split = argv.index("--") if "--" in argv else len(argv)
    return {**vars(parser.parse_args(argv[:split])), "extra": argv[split + 1:]}


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found.group(1)) if found else math.nan


def run(command, limit):
    start = seconds_now()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
        text = done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        text = "timeout"
    return seconds_now() - start, text


def solve_vouch(binary, path, limit, extra):
    seconds, text = run([binary, "lp", path, *extra], limit)
    outcome = re.search(r"status\s+(.*)", text)
    # the printed objective is rounded; the plain solution file has all digits
    return seconds, outcome.group(1).strip() if outcome else "failed", text


def exact_objective(binary, path, limit, extra):
    with tempfile.NamedTemporaryFile() as out:
        run([binary, "lp", path, "-w", out.name, *extra], limit)
        for line in open(out.name):
            part = line.split()
            if part and part[0] == "s":
                return float(part[-1])
    return math.nan


def solve_glpsol(path, limit):
    seconds, text = run(["glpsol", "--freemps", path], limit)
    if "free MPS" in text or "error" in text.lower() and "OPTIMAL" not in text:
        seconds, text = run(["glpsol", "--mps", path], limit)
    outcome = ("optimal" if "OPTIMAL" in text else "infeasible" if "NO PRIMAL FEASIBLE" in text or "NO FEASIBLE" in text else "failed")
    objective = [float(x) for x in re.findall(r"obj =\s*(\S+)", text)]
    return seconds, outcome, objective[-1] if objective else math.nan


def solve_clp(path, limit):
    seconds, text = run(["clp", path, "-solve", "-quit"], limit)
    outcome = "optimal" if "Optimal objective" in text else "infeasible" if "infeasible" in text else "failed"
    return seconds, outcome, number(r"Optimal objective (\S+)", text)


def shifted_mean(values):
    return math.exp(sum(math.log(v + SHIFT) for v in values) / len(values)) - SHIFT if values else math.nan


def profile(rows, solvers, path):
    best = {name: min(r[s] for s in solvers) for name, r in rows.items()}
    with tempfile.NamedTemporaryFile("w", suffix=".dat", delete=False) as data:
        for s in solvers:
            ratios = sorted((rows[n][s] + SHIFT) / (best[n] + SHIFT) for n in rows)
            for k, ratio in enumerate(ratios):
                data.write(f"{ratio} {(k + 1) / len(ratios)}\n")
            data.write("\n\n")
    plots = ", ".join(f"'{data.name}' index {k} with steps lw 2 title '{s}'" for k, s in enumerate(solvers))
    script = (f"set terminal svg size 640,420; set output '{path}'; set logscale x; set key bottom right; set yrange [0:1];"
              f"set xlabel 'time over the best'; set ylabel 'part of the problems'; plot {plots}")
    subprocess.run(["gnuplot", "-e", script], check=False)
    os.unlink(data.name)


def main():
    global cpu
    o = parse(sys.argv[1:])
    cpu = o["cpu"]
    binary, folder = o["vouch"], o["folder"]
    reference = {}
    if o["tsv"]:
        for line in open(o["tsv"]):
            part = line.rstrip("\n").split("\t")
            if part[0] != "name":
                reference[part[0]] = float(part[4])
    solvers = ["vouch"] if o["only"] else ["vouch", "glpsol", "clp"]
    rows, wrong, lines = {}, 0, ["problem," + ",".join(solvers) + ",objective,error,outcome"]
    print(f"{'problem':<12}" + "".join(f"{s:>10}" for s in solvers) + f"{'objective':>22}{'error':>10}  outcome")
    for name in sorted(f for f in os.listdir(folder) if ".mps" in f):
        path, short = os.path.join(folder, name), name.split(".")[0]
        times = {s: math.inf for s in solvers}
        other = math.nan
        for _ in range(o["runs"]):
            for s in solvers:
                if s == "vouch":
                    seconds, outcome, _text = solve_vouch(binary, path, o["limit"], o["extra"])
                elif s == "glpsol":
                    seconds, peer, other = solve_glpsol(path, o["limit"])
                else:
                    seconds, peer, _value = solve_clp(path, o["limit"])
                times[s] = min(times[s], seconds)
        expected = reference.get(short, other)
        objective = exact_objective(binary, path, o["limit"], o["extra"]) if outcome == "optimal" else math.nan
        error = abs(objective - expected) / max(1, abs(expected)) if outcome == "optimal" else math.nan
        bad = (outcome == "optimal" and not error <= (1e-8 if short in reference else 1e-5)) or \
              (short in reference and o["tsv"] and outcome != "optimal") or outcome not in ("optimal", "infeasible", "unbounded")
        wrong += bad
        rows[short] = times
        print(f"{short:<12}" + "".join(f"{times[s]:>10.4f}" for s in solvers) + f"{objective:>22.12g}{error:>10.1e}  {outcome}"
              + ("  <-- wrong" if bad else ""), flush=True)
        lines.append(short + "," + ",".join(f"{times[s]:.4f}" for s in solvers) + f",{objective!r},{error:.1e},{outcome}")
    for s in solvers:
        print(f"shifted geometric mean {s:<8} {shifted_mean([rows[n][s] for n in rows]):.4f} s")
    if len(solvers) > 1:
        slow = [n for n in rows if rows[n]["vouch"] > 0.1 and rows[n]["vouch"] > 5 * min(rows[n]["glpsol"], rows[n]["clp"])]
        print("more than five times slower than the better peer, beyond 0.1 s:", ", ".join(slow) or "none")
    print(f"{len(rows)} problems, {wrong} wrong; largest child used {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    if o["csv"]:
        open(o["csv"], "w").write("\n".join(lines) + "\n")
    if o["svg"] and len(solvers) > 1:
        profile(rows, solvers, o["svg"])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

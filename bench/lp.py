#!/usr/bin/env python3
"""Linear programs: vouch, glpsol, clp and cbc on every problem of a folder, in turn, whole-process seconds.

usage: lp.py VOUCH FOLDER [--tsv REFERENCE] [--runs N] [--limit SECONDS] [--cpu] [--csv OUT] [--svg OUT] [--vouch-only]
             [-- vouch options]

--cpu counts processor seconds (user and system) instead of those of the wall: for a machine that is shared.

Each problem is solved by the solvers alternately, N times; the least time counts, and the limit where a problem was not solved. Prints a
table, the shifted geometric means (shift 10 ms), and how time grows in families of problems named FAMILY-SIZE. --svg draws the performance
profile (E. D. Dolan, J. J. More, Mathematical Programming 91, 2002): the part of the problems that a solver ends within a multiple of the
best solver's time. A REFERENCE has lines name<TAB>..<TAB>optimum (column 5).
Exits 1 when a result of vouch is wrong: an objective further than 1e-8 (relative) from the reference, or 1e-5 from a peer's without one.
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
SLOW = 1.5  # times the best peer's: named in the end
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
    """Seconds, and what was printed, or "limit"; --cpu: the limit is one on processor seconds, too."""
    start = seconds_now()
    seconds = math.ceil(limit)
    bounded = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))) if cpu else None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=None if cpu else limit, preexec_fn=bounded)
        text = done.stdout + done.stderr if done.returncode >= 0 else "limit"
    except subprocess.TimeoutExpired:
        text = "limit"
    return seconds_now() - start, text


def solve_vouch(binary, path, limit, extra):
    seconds, text = run([binary, "lp", path, *extra], limit)
    outcome = re.search(r"status\s+(.*)", text)
    # the printed objective is rounded; the plain solution file has all digits
    return seconds, outcome.group(1).strip() if outcome else "limit" if text == "limit" else "failed", text


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


def solve_coin(binary, path, limit):
    seconds, text = run([binary, path, "-solve", "-quit"], limit)
    outcome = "optimal" if "Optimal objective" in text else "infeasible" if "infeasible" in text else "failed"
    return seconds, outcome, number(r"Optimal objective (\S+)", text)


PEERS = {"glpsol": solve_glpsol, "clp": lambda path, limit: solve_coin("clp", path, limit),
         "cbc": lambda path, limit: solve_coin("cbc", path, limit)}


def shifted_mean(values):
    return math.exp(sum(math.log(v + SHIFT) for v in values) / len(values)) - SHIFT if values else math.nan


LOOK = {"vouch": ("#c0392b", ""), "glpsol": ("#2471a3", "8 4"), "clp": ("#1e8449", "2 3"), "cbc": ("#7d6608", "10 3 2 3")}
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 420, 60, 50, 60


def profile(rows, solvers, path):
    """rows: {problem: {solver: seconds, inf where it was not solved}}"""
    solved = {n: r for n, r in rows.items() if min(r.values()) < math.inf}
    ratios = {s: sorted((r[s] + SHIFT) / (min(r.values()) + SHIFT) for r in solved.values() if r[s] < math.inf) for s in solvers}
    octaves = max(1, math.ceil(math.log2(max((x for r in ratios.values() for x in r), default=2))))

    def across(ratio):
        return LEFT + (WIDTH - LEFT - 20) * math.log2(ratio) / octaves

    def down(part):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for k in range(octaves + 1):
        out += [f'<path d="M{across(2 ** k):.1f} {down(0):.1f}V{down(1):.1f}" stroke="#ddd"/>']
        if k % (1 + octaves // 8) == 0:
            out += [f'<text x="{across(2 ** k):.1f}" y="{down(0) + 18:.1f}" text-anchor="middle">{2 ** k}</text>']
    for part in (0, 0.25, 0.5, 0.75, 1):
        out += [f'<path d="M{LEFT} {down(part):.1f}H{WIDTH - 20}" stroke="#ddd"/>',
                f'<text x="{LEFT - 8}" y="{down(part) + 4:.1f}" text-anchor="end">{part:g}</text>']
    out += [f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 12}" text-anchor="middle">time over the best solver\'s</text>',
            f'<text x="16" y="{(TOP + HEIGHT - BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2})">'
            f'part of the {len(solved)} problems</text>']
    for place, s in enumerate(solvers):
        colour, dashes = LOOK[s]
        line = f"M{across(1):.1f} {down(0):.1f}" + "".join(f"H{across(ratio):.1f}V{down((k + 1) / len(solved)):.1f}" for k, ratio in enumerate(ratios[s]))
        x = LEFT + 140 * place
        for d in (f"{line}H{WIDTH - 20}", f"M{x} 26h34"):
            out += [f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="2.5" stroke-dasharray="{dashes}"/>']
        out += [f'<text x="{x + 42}" y="31">{s}</text>']
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>", ""]))


def exponent(points):
    """Slope of log seconds over log size, by least squares; of times beyond 20 ms, as less is mostly the start of a process."""
    at = [(math.log(size), math.log(seconds)) for size, seconds in points if 2 * SHIFT < seconds < math.inf]
    if len({x for x, _ in at}) < 2:
        return math.nan
    x0, y0 = (sum(c) / len(at) for c in zip(*at))
    return sum((x - x0) * (y - y0) for x, y in at) / sum((x - x0) ** 2 for x, _ in at)


def print_growth(rows, solvers):
    families = {}
    for name, times in rows.items():
        sized = re.fullmatch(r"(.+)-(\d+)", name)
        if sized:
            families.setdefault(sized.group(1), []).append((int(sized.group(2)), times))
    for family, members in families.items():
        if len(members) > 1:
            print(f"growth exponent {family:<14}" + "".join(f"{s:>10} {exponent([(m, t[s]) for m, t in members]):4.1f}" for s in solvers).replace(" nan", "   -"))


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
    solvers = ["vouch"] if o["only"] else ["vouch", *PEERS]
    rows, wrong, lines = {}, 0, ["problem," + ",".join(solvers) + ",objective,error,outcome"]
    print(f"{'problem':<12}" + "".join(f"{s:>10}" for s in solvers) + f"{'objective':>22}{'error':>10}  outcome")
    for name in sorted(f for f in os.listdir(folder) if ".mps" in f):
        path, short = os.path.join(folder, name), name.split(".")[0]
        times = {s: math.inf for s in solvers}
        value = {}
        for _ in range(o["runs"]):
            for s in solvers:
                if s == "vouch":
                    seconds, outcome, text = solve_vouch(binary, path, o["limit"], o["extra"])
                    done = outcome in ("optimal", "infeasible", "unbounded") and text != "limit"
                else:
                    seconds, peer, value[s] = PEERS[s](path, o["limit"])
                    done = peer != "failed"
                times[s] = min(times[s], seconds if done else math.inf)
        expected = reference.get(short, next((v for v in value.values() if not math.isnan(v)), math.nan))
        objective = exact_objective(binary, path, o["limit"], o["extra"]) if outcome == "optimal" else math.nan
        error = abs(objective - expected) / max(1, abs(expected)) if outcome == "optimal" else math.nan
        bad = error > (1e-8 if short in reference else 1e-5) or (short in reference and outcome != "optimal") or outcome == "failed"
        wrong += bad
        rows[short] = times
        print(f"{short:<12}" + "".join(f"{times[s]:>10.4f}" for s in solvers) + f"{objective:>22.12g}{error:>10.1e}  {outcome}"
              + ("  <-- wrong" if bad else ""), flush=True)
        lines.append(short + "," + ",".join(f"{times[s]:.4f}" for s in solvers) + f",{objective!r},{error:.1e},{outcome}")
    for s in solvers:
        print(f"shifted geometric mean {s:<8} {shifted_mean([min(rows[n][s], o['limit']) for n in rows]):.4f} s")
    print_growth(rows, solvers)
    if len(solvers) > 1:
        ratios = {n: times["vouch"] / min(times[s] for s in PEERS) for n, times in rows.items() if times["vouch"] > 0.1}
        slow = [f"{n} {ratio:.1f}" for n, ratio in ratios.items() if ratio > SLOW]
        print(f"more than {SLOW:g} times the best peer's time, beyond 0.1 s:", ", ".join(slow) or "none")
    print(f"{len(rows)} problems, {wrong} wrong; largest child used {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    if o["csv"]:
        open(o["csv"], "w").write("\n".join(lines) + "\n")
    if o["svg"] and len(solvers) > 1:
        profile(rows, solvers, o["svg"])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

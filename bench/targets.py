"""bench/targets.py VOUCH [LIST] [--limit SECONDS] [--only WORD] [--seed N] [-- OPTIONS OF PLAN]
bench/targets.py VOUCH --random N [--limit SECONDS]

What models of which size should be planned for, in how many processor seconds and how well: each line of LIST (default: targets.txt beside this
file; "name;seconds;gap;parameters of vouch generate;options of vouch plan") is planned with --tie-break none and interrupted when its seconds, or
those of --limit if fewer, are spent. Prints the target beside the figures; --seed draws others of the same sizes.

--random N: exact CCL of N small random models, of the shapes of tests/prop_exact.c, each closed to 1e-4 or interrupted.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left beside the sources
from binding import plan

EXACT_GAP = 1e-4


def generated(vouch, parameters, model):
    return subprocess.run([vouch, "generate", *parameters, "-o", model], stderr=subprocess.DEVNULL).returncode == 0


def solved(vouch, model, options, limit):
    """(answer, processor seconds, value, bound)"""
    answer, took = plan([vouch, "plan", model, "--tie-break", "none", "-q", "--json", *options], limit)
    value, bound = ((float("nan") if answer[k] is None else answer[k]) for k in ("max_regret", "bound"))
    return answer, took, value, bound


def met(answer, value, bound, gap):
    """Is it as well planned for as is asked? gap as in the list."""
    if answer["status"] in ("optimal", "infeasible"):
        return True
    if gap == "0":
        return False
    room = abs(value) * float(gap[:-1]) / 100 if gap.endswith("%") else float(gap)
    return value - bound <= room


def listed(a, model):
    print("%-26s %7s %5s %8s %11s %11s %9s %9s %11s  %s" % ("model", "target", "gap", "seconds", "regret", "bound", "gap", "nodes", "inductions", "met"))
    kept = count = 0
    for line in open(a.list):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        name, seconds, gap, parameters, options = line.split(";")
        if a.only and a.only not in name:
            continue
        limit = min(float(seconds), a.limit) if a.limit else float(seconds)
        generated(a.vouch, parameters.split() + (["--seed", str(a.seed)] if a.seed else []), model)
        answer, took, value, bound = solved(a.vouch, model, options.split() + a.options, limit)
        good = met(answer, value, bound, gap) and took <= 1.02 * float(seconds) + .02
        kept, count = kept + good, count + 1
        print("%-26s %7s %5s %8.2f %11.6g %11.6g %9.2g %9d %11d  %s" % (name, seconds, gap, took, value, bound, value - bound, answer["nodes"],
              answer["iterations"], "yes" if good else "no"), flush=True)
    print("%d of %d met" % (kept, count))


def shape(i):
    """Of the i-th random model, as in tests/prop_exact.c: parameters of vouch generate, L."""
    T = 3 + i // 5 % 4
    words = {"states": 3 + i % 4, "actions": 2 + i // 4 % 2, "environments": 2 + i // 3 % 3, "branching": 2 + i // 7 % 2, "seed": 1000 + i}
    line = ["random", "-T", str(T), "-p", str((.1, .3, .5)[i % 3])]
    for word, value in words.items():
        line += ["--" + word, str(value)]
    return line, str(min(i % 4, T))


def drawn(a, model):
    limit, closed, count, gaps = a.limit or 20, 0, 0, []
    for i in range(a.random):
        line, L = shape(i)
        if a.only and a.only != str(i) or not generated(a.vouch, line, model):
            continue
        answer, took, value, bound = solved(a.vouch, model, ["-L", L, "--method", "exact-ccl", "--certify"] + a.options, limit)
        good = met(answer, value, bound, str(EXACT_GAP))
        closed, count = closed + good, count + 1
        if not good or a.all:
            gaps.append(value - bound)
            print("%3d %7.2f s  %s -L %s: %s, regret %g, bound %g, %d boxes" % (i, took, " ".join(line), L, answer["status"], value, bound, answer["nodes"]),
                  flush=True)
    print("%d of %d closed to %g within %g processor seconds each" % (closed, count, EXACT_GAP, limit))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("list", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "targets.txt"))
    arguments.add_argument("--limit", type=float)
    arguments.add_argument("--only", help="names that contain this; with --random the number of one model")
    arguments.add_argument("--seed", type=int)
    arguments.add_argument("--random", type=int, metavar="N")
    arguments.add_argument("--all", action="store_true", help="with --random: a line for each model")
    arguments.add_argument("options", nargs="*", help="of plan, after --")
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (drawn if a.random else listed)(a, os.path.join(folder, "model.json"))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""bench/closing.py VOUCH [--base VOUCH] [--first I] [--models N] [--limit SECONDS] [--check]

Exact CCL closed on the random models of tests/prop_exact.c (transitions differ, L in 0..3), gap 1e-4. Prints how many were closed within
so many processor seconds and their geometric mean. --base: beside another build, the geometric mean of the ratios, and the models above
.1 s that take more than 1.5 times as long as there. --check: each proof written and verified, with the largest ratio of the checker's
time to the plan's; one that shows less than the plan does is named.
"""
import argparse
import math
import os
import subprocess
import tempfile

import binding

PROBABILITIES = (.1, .3, .5)
NOTABLE = .1
SLOWER = 1.5


def shape(i):
    """Options of `vouch generate random`, and L."""
    horizon = 3 + i // 5 % 4
    return ["random", "--states", 3 + i % 4, "--actions", 2 + i // 4 % 2, "--environments", 2 + i // 3 % 3, "-T", horizon,
            "-p", PROBABILITIES[i % 3], "--branching", 2 + i // 7 % 2, "--seed", 1000 + i], min(i % 4, horizon)


def mean(values):
    """Geometric."""
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--base")
    arguments.add_argument("--first", type=int, default=0)
    arguments.add_argument("--models", type=int, default=200)
    arguments.add_argument("--limit", type=float, default=20)
    arguments.add_argument("--check", action="store_true")
    a = arguments.parse_args()
    seconds, ratios, slower, open_models = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        model, checks = os.path.join(folder, "model.json"), binding.Checks(a.vouch, folder)
        for i in range(a.first, a.first + a.models):
            line, L = shape(i)
            made = subprocess.run([a.vouch, "generate", *map(str, line), "-o", model], stderr=subprocess.DEVNULL)
            if made.returncode:
                continue
            asked = ["plan", model, "--method", "exact-ccl", "--certify", "-L", str(L), "--tie-break", "none", "-q", "--json"]
            answer, took = binding.plan([a.vouch, *asked], a.limit)
            seconds.append(took)
            closed = answer["status"] in ("optimal", "infeasible") and took <= a.limit
            if not closed:
                open_models.append(i)
                print("model %d: open after %.1f s, value %s, bound %s" % (i, took, answer["max_regret"], answer["bound"]), flush=True)
            if a.base:
                _, before = binding.plan([a.base, *asked], a.limit)
                ratios.append(took / before)
                if max(took, before) > NOTABLE:
                    slower += [(i, before, took)] if took > SLOWER * before else []
            if a.check and closed:
                checks.check(i, [a.vouch, *asked], 10 * a.limit, took)
    print("%d of %d models closed within %g processor seconds each, geometric mean %.4f s, most %.2f s" % (
        len(seconds) - len(open_models), len(seconds), a.limit, mean(seconds), max(seconds)))
    if ratios:
        print("beside the base: geometric mean of ratios %.3f; above %g s and more than %g times as long: %d" % (mean(ratios), NOTABLE, SLOWER, len(slower)))
        for i, before, took in slower:
            print("  model %d: %.2f s, before %.2f s" % (i, took, before))
    checks.tell()


main()

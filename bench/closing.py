"""bench/closing.py VOUCH [--base VOUCH] [--first I] [--models N] [--limit SECONDS] [--check]

Exact CCL closed on the random models of tests/prop_exact.c (transitions differ, L in 0..3), gap 1e-4. Prints how many were closed within
so many processor seconds and their geometric mean. --base: beside another build, the geometric mean of the ratios, and the models above
.1 s that take more than 1.5 times as long as there. --check: each proof written and verified, with the largest ratio of the checker's
time to the plan's.
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


def spent_by(command):
    """Processor seconds of a command and its exit status."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, process.returncode


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
    seconds, ratios, slower, checks, refused, open_models = [], [], [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        model, proof = os.path.join(folder, "model.json"), os.path.join(folder, "model.vproof")
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
                _, took = binding.plan([a.vouch, *asked, "--proof", proof], a.limit)
                checked, status = spent_by([a.vouch + "-check", model, proof])
                refused += [i] if status else []
                checks.append((checked / took, i, took, checked))
    print("%d of %d models closed within %g processor seconds each, geometric mean %.4f s, most %.2f s" % (
        len(seconds) - len(open_models), len(seconds), a.limit, mean(seconds), max(seconds)))
    if ratios:
        print("beside the base: geometric mean of ratios %.3f; above %g s and more than %g times as long: %d" % (mean(ratios), NOTABLE, SLOWER, len(slower)))
        for i, before, took in slower:
            print("  model %d: %.2f s, before %.2f s" % (i, took, before))
    if checks:
        ratio, i, took, checked = max(checks)
        print("%d of %d proofs verified; check / plan: geometric mean %.2f, most %.1f (model %d: plan %.2f s, check %.2f s)" % (
            len(checks) - len(refused), len(checks), mean([c[0] for c in checks]), ratio, i, took, checked))
        if refused:
            print("not verified: models " + ", ".join(map(str, refused)))


main()

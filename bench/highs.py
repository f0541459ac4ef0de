"""bench/highs.py VOUCH [--draws N] [--seed N] [--limit SECONDS] [--families a,b..] [--only I,J..] [--vouch-only] [--csv FILE]

vouch against HiGHS (that of Python's scipy) on models drawn in turn from the families

    dense     random-dense, of the sizes of Buchholz and Scheftelowitsch (2019) that a general solver can hold, with and without promises
    repair    machine-repair (Delage and Mannor 2010), 8 to 20 environments
    binding   mazes whose promise binds (bench/binding.py)
    random    sparse random models with promises
    twin      Twin-States

Each solver has --limit processor seconds for a model (HiGHS for each of the two forms that `vouch export` writes, paper and compact; the
better one counts, so the second form has no longer than the first took). Of HiGHS only the call that solves is counted, of vouch the whole
process. What is not proved counts as the limit. Prints a line a model, the geometric mean of HiGHS' seconds over vouch's for each family and for all, and every
model on which HiGHS takes more than 0.1 s and less than vouch. Exit status 1 if there is one or two proved optima differ.
"""
import argparse
import math
import os
import random
import resource
import subprocess
import sys
import tempfile

import binding
import milp

DENSE = ((2, 2, 2), (3, 3, 3), (2, 5, 2), (10, 5, 2), (2, 10, 3))  # environments, states, actions
TOLD = .1  # seconds of HiGHS from which on being slower than it counts
SAME = 2e-6


def dense(draw):
    K, S, A = draw.choice(DENSE)
    T, p = draw.randint(3, 5) if S * A < 25 else 3, draw.choice((0, 0, .1, .2, .3))
    return ["random-dense", "--environments", K, "--states", S, "--actions", A, "-T", T, "-p", p, "--seed", draw.randint(1, 10 ** 6)], draw.randint(0, 1)


def repair(draw):
    return ["machine-repair", "--environments", draw.randint(8, 20), "--concentration", draw.choice((1, 5, 9)), "-T", draw.randint(5, 7), "-p", 0,
            "--seed", draw.randint(1, 10 ** 6)], 0


def bind(draw):
    while True:
        line, L = next(binding.drawn(1, draw.randint(1, 10 ** 9)))
        if sum(map(int, line[2].split(","))) <= 11:  # cells and environments
            return line, L


def sparse(draw):
    return ["random", "--states", draw.randint(5, 10), "--actions", draw.randint(2, 3), "--environments", draw.randint(2, 4), "-T", draw.randint(5, 7),
            "-p", draw.choice((.1, .2, .3, .5)), "--branching", draw.randint(2, 3), "--seed", draw.randint(1, 10 ** 6)], draw.randint(0, 2)


def twin(draw):
    return ["twin-states", "-T", draw.randint(5, 12)], draw.randint(0, 3)


FAMILIES = {"dense": dense, "repair": repair, "binding": bind, "random": sparse, "twin": twin}


def drawn(families, draws, seed):
    draw = random.Random(seed)
    for i in range(draws):
        name = families[i % len(families)]
        line, L = FAMILIES[name](draw)
        yield name, [str(x) for x in line], str(L)


def better_form(vouch, model, L, folder, limit):
    """What HiGHS says of the form it is faster on, and that form's name; the second form may take as long as the first. Where export says itself that
    an environment cannot keep its promise, there is no program."""
    best = (None, 0.0, limit, "-")
    for form in ("compact", "paper"):
        path = os.path.join(folder, form + ".mps")
        if subprocess.run([vouch, "export", model, "-L", L, "--form", form, "-o", path, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return best[:3] + ("none",)
        verdict, value, seconds = milp.highs(path, best[2])
        if verdict and seconds < best[2]:
            best = (verdict, value, seconds, form)
    return best


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--draws", type=int, default=200)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=float, default=10)
    arguments.add_argument("--families", type=lambda text: text.split(","), default=list(FAMILIES))
    arguments.add_argument("--only", type=lambda text: [int(i) for i in text.split(",")], help="numbers of draws, from 0")
    arguments.add_argument("--vouch-only", action="store_true")
    arguments.add_argument("--csv")
    a = arguments.parse_args()
    records, slower, differ = [], [], 0
    print("%4s %-8s %9s %9s %-8s %10s  %s" % ("draw", "family", "vouch s", "HiGHS s", "form", "ratio", "model"))
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.json")
        for i, (family, line, L) in enumerate(drawn(a.families, a.draws, a.seed)):
            if a.only and i not in a.only:
                continue
            subprocess.run([a.vouch, "generate", *line, "-o", model], check=True, stderr=subprocess.DEVNULL)
            answer, ours = binding.plan([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "-q", "--json"], a.limit)
            proved = answer["status"] in ("optimal", "infeasible") and ours <= a.limit
            ours = max(ours if proved else a.limit, 1e-3)  # the clock's own grain
            verdict, value, theirs, form = (None, 0.0, a.limit, "-") if a.vouch_only else better_form(a.vouch, model, L, folder, a.limit)
            wrong = verdict and proved and (verdict != answer["status"] or (verdict == "optimal" and abs(value - answer["max_regret"]) > SAME * max(1, abs(value))))
            differ += bool(wrong)
            text = "%4d %-8s %9s %9s %-8s %10.4g  %s -L %s%s" % (
                i, family, "%.3f" % ours if proved else "-", "%.3f" % theirs if verdict else "-", form, theirs / ours, " ".join(line), L,
                ": %s %.9g, HiGHS says %s %.9g" % (answer["status"], answer["max_regret"] or 0, verdict, value) if wrong else "")
            print(text, flush=True)
            if TOLD < theirs < ours:
                slower.append(text)
            if form == "none":
                continue
            records.append((i, family, ours, proved, theirs, bool(verdict), form, " ".join(line), L))
    print()
    for family in [*a.families, None]:
        mine = [r for r in records if family in (None, r[1])]
        if mine:
            print("%-8s %3d models, proved by vouch %d, by HiGHS %d: geometric mean of the ratios %.1f, where both prove it %s" % (
                family or "all", len(mine), sum(r[3] for r in mine), sum(r[5] for r in mine), mean([r[4] / r[2] for r in mine]),
                "%.1f" % mean([r[4] / r[2] for r in mine if r[3] and r[5]]) if any(r[3] and r[5] for r in mine) else "-"))
    if not a.vouch_only:
        print("HiGHS takes more than %g s and is faster on %d models, optima differ on %d" % (TOLD, len(slower), differ))
        print("\n".join(slower))
    if a.csv:
        with open(a.csv, "w") as f:
            f.write("draw,family,vouch,proved,highs,solved,form,model,L\n")
            for r in records:
                f.write('%d,%s,%.4f,%d,%.4f,%d,%s,"%s",%s\n' % r)
    return 1 if slower or differ else 0


if __name__ == "__main__":
    sys.exit(main())

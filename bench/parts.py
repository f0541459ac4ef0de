"""bench/parts.py VOUCH [--draws N] [--seed N] [--families F,..] [--least SECONDS] [--limit SECONDS] [--only WORD,..] [--rows FILE]

Measures each part of the policy search on models drawn anew from --seed, N of each family (FAMILIES). A model counts if its plan
takes at least --least processor seconds; it is then planned without each part, in turn. A run is interrupted at --limit.

Prints for each part: the geometric mean and the largest ratio of processor seconds without it to those with it, of models closed both
ways; how many models are newly open and newly closed without it; and the lines of its files. A part stays if on fresh draws of its
families it gains 1.2, or closes more than one model. --rows writes one JSON object a run.
"""
import argparse
import glob
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from binding import drawn, measured

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "src")
# files of a part that go with it; parts that are a few lines of others are left out
FILES = {
    "pareto-vectors": ["know/pareto.c"], "knowledge": ["plan/heuristic/knowledge.c", "know/sure.*"],
    "scenarios": ["plan/relax/scenarios.*"], "stagewise": ["plan/stage/*"], "levels": ["plan/relax/levels.*"],
    "belief-expansion": ["plan/relax/belief_*"], "outcomes": ["plan/outcomes/*", "know/outcomes*"],
    "pareto": ["plan/bound/pareto_bound.*", "know/pairs.*"],
    "single-lagrangian": ["plan/bound/single_lagrangian.*"],
    "option-probing": ["plan/reduce/probing.c"], "dominance": ["plan/reduce/dominance.c"],
    "local-search": ["plan/heuristic/local_*"], "threshold-accepting": ["plan/heuristic/threshold_accepting.c"],
    "strong-branching": ["plan/branch/*", "plan/search/node_task.*"],
}


def maze(r):
    return next(drawn(1, r.randrange(10**9), ()))


def random_model(r):
    line = ["random", "--states", r.randint(10, 40), "--actions", r.randint(2, 4), "--environments", r.randint(2, 5), "-T", r.randint(5, 9)]
    return line + ["-p", r.choice((0, .1, .2, .3))], r.randint(0, 1)


def dense(r):
    line = ["random-dense", "--environments", r.randint(2, 6), "--states", r.randint(3, 8), "--actions", r.randint(2, 4), "-T", r.randint(4, 6)]
    return line + ["-p", r.choice((0, 0, .2))], r.randint(0, 1)


def repair(r):
    line = ["machine-repair", "--environments", r.randint(5, 20), "-T", r.randint(7, 12), "--concentration", r.choice((1, 3, 9))]
    return line + ["-p", r.choice((0, 0, .5))], r.choice((0, 0, 1))


FAMILIES = {"t-maze": maze, "random": random_model, "random-dense": dense, "machine-repair": repair}


def models(a, folder):
    """(family, parameters, file, L) of every model."""
    for name in a.families.split(","):
        r = random.Random(f"{name} {a.seed}")
        for _ in range(a.draws):
            line, L = FAMILIES[name](r)
            line = [str(word) for word in line] + ([] if name == "t-maze" else ["--seed", str(r.randrange(10**6))])
            file = os.path.join(folder, "m.json")
            subprocess.run([a.vouch, "generate", *line, "-o", file], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            yield name, line, file, str(L)


def run(a, file, L, part):
    command = [a.vouch, "plan", file, "-L", L, "--tie-break", "none", "-q", "--json"] + (["--without", part] if part else [])
    answer, seconds, _ = measured(command, a.limit)
    return {"seconds": seconds, "closed": answer["status"] in ("optimal", "infeasible"), "regret": answer.get("max_regret")}


def lines(part):
    names = [name for pattern in FILES.get(part, []) for name in glob.glob(os.path.join(SOURCE, pattern))]
    return sum(sum(1 for _ in open(name)) for name in names)


def table(rows, parts):
    print("%-22s %6s %6s %6s %6s %6s %6s" % ("without", "models", "mean", "worst", "open", "closed", "lines"))
    for part in parts:
        mine = [r for r in rows if r["part"] == part]
        both = [r for r in mine if r["closed"] and r["base"]["closed"]]
        ratios = [max(r["seconds"], .01) / max(r["base"]["seconds"], .01) for r in both] or [1]
        print("%-22s %6d %6.2f %6.2f %6d %6d %6d" % (
            part, len(mine), math.exp(sum(map(math.log, ratios)) / len(ratios)), max(ratios),
            sum(r["base"]["closed"] and not r["closed"] for r in mine), sum(r["closed"] and not r["base"]["closed"] for r in mine), lines(part)),
            flush=True)
        for r in both:
            if r["regret"] is not None and abs(r["regret"] - r["base"]["regret"]) > 2e-4 * max(1, abs(r["regret"])):
                print(f"without {part} the answer differs: {r['model']} -L {r['L']}", file=sys.stderr)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("--draws", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--families", default=",".join(FAMILIES))
    arguments.add_argument("--least", type=float, default=.35)
    arguments.add_argument("--limit", type=float, default=20)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--rows")
    a = arguments.parse_args()
    listed = json.loads(subprocess.run([a.vouch, "plan", "--parts", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)
    parts = [p["word"] for p in listed["parts"] if p["kind"] != "spatial" and (not a.only or p["word"] in a.only.split(","))]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for family, line, file, L in models(a, folder):
            base = run(a, file, L, None)
            for part in parts if base["seconds"] >= a.least else []:
                rows.append(dict(run(a, file, L, part), part=part, base=base, family=family, model=" ".join(line), L=L))
                if a.rows:
                    print(json.dumps(rows[-1]), file=open(a.rows, "a"), flush=True)
    table(rows, parts)


if __name__ == "__main__":
    main()

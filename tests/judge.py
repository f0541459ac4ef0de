"""Random models, every L: `vouch plan` against scipy's milp on the exported paper and compact forms, and glpsol on one of them.

usage: judge.py VOUCH COUNT [FIRST_SEED [SECONDS]]
Each answer may take NODES, but what glpsol says, which counts none, SECONDS (3); what is open then is counted, not compared.
Prints "ok judge_plan" or "not ok .."; the model's seed names what differs.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_matrix

TOLERANCE = 2e-6
NODES = 500


def read_mps(path):
    """Free MPS as vouch writes it: no ranges, objective first among the N rows."""
    rows, kinds, cols, integer, entries, rhs, lower, upper = {}, [], {}, [], [], {}, {}, {}
    objective, section, marked = None, None, False
    for line in open(path):
        if line.startswith("*") or not line.strip():
            continue
        field = line.split()
        if not line[0].isspace():
            section = field[0]
            continue
        if section == "ROWS":
            if field[0] == "N":
                objective = objective or field[1]
            else:
                rows[field[1]] = len(kinds)
                kinds.append(field[0])
        elif section == "COLUMNS":
            if "'MARKER'" in field:
                marked = "'INTORG'" in field
                continue
            j = cols.setdefault(field[0], len(cols))
            if j == len(integer):
                integer.append(marked)
            entries += [(j, name, float(value)) for name, value in zip(field[1::2], field[2::2])]
        elif section == "RHS":
            field = field[len(field) % 2:]
            rhs.update((name, float(value)) for name, value in zip(field[::2], field[1::2]))
        elif section == "BOUNDS":
            value = float(field[3]) if len(field) > 3 else None
            if field[0] in ("LO", "FX", "FR", "MI"):
                lower[field[2]] = -np.inf if value is None else value
            if field[0] in ("UP", "FX", "FR", "PL", "BV"):
                upper[field[2]] = np.inf if value is None else value
            if field[0] == "BV":
                upper[field[2]] = 1
        elif section == "RANGES":
            sys.exit("judge.py: ranges are not expected in " + path)
    cost = np.zeros(len(cols))
    row, col, value = [], [], []
    for j, name, x in entries:
        if name == objective:
            cost[j] += x
        else:
            row.append(rows[name])
            col.append(j)
            value.append(x)
    b = np.array([rhs.get(name, 0.0) for name in rows])
    kinds = np.array(kinds)
    low = [lower.get(name, 0.0) for name in cols]
    up = [upper.get(name, 1.0 if integer[j] else np.inf) for name, j in cols.items()]
    return (cost, np.array(integer, float), csc_matrix((value, (row, col)), shape=(len(rows), len(cols))),
            np.where(kinds == "L", -np.inf, b), np.where(kinds == "G", np.inf, b), low, up, -rhs.get(objective, 0.0))


def by_scipy(path):
    cost, integer, a, low, high, lower, upper, offset = read_mps(path)
    r = milp(cost, integrality=integer, bounds=Bounds(lower, upper), constraints=LinearConstraint(a, low, high),
             options={"node_limit": NODES, "mip_rel_gap": 0})
    return "infeasible" if r.status == 2 else r.fun + offset if r.status == 0 else None


def by_glpsol(path, seconds):
    done = subprocess.run(["glpsol", "--freemps", path, "--tmlim", str(seconds), "-w", path + ".out"], capture_output=True, text=True)
    if re.search(r"HAS NO (INTEGER |PRIMAL )?FEASIBLE SOLUTION", done.stdout):
        return "infeasible"
    for line in open(path + ".out"):
        if line.startswith("s mip"):
            field = line.split()
            return {"o": float(field[5]), "n": "infeasible"}.get(field[4])
    return None


def generate(vouch, seed, model):
    """A model of K 2-4, S 3-6, A 2-3, T 3-6, with shared or differing, stochastic or deterministic transitions; its T, None if there is none."""
    r = random.Random(seed)
    horizon = r.randint(3, 6)
    options = ["--environments", r.randint(2, 4), "--states", r.randint(3, 6), "--actions", r.randint(2, 3), "-T", horizon,
               "--branching", r.choice([1, 2, 2, 3]), "-p", r.choice([0.1, 0.3, 0.5, 0.7]), "--seed", seed]
    options += ["--shared-transitions"] if r.random() < 0.4 else []
    done = subprocess.run([vouch, "generate", "random", *map(str, options), "-o", model], capture_output=True)
    return horizon if done.returncode == 0 else None


def by_vouch(vouch, model, lookahead):
    done = subprocess.run([vouch, "plan", model, "-L", str(lookahead), "--tie-break", "none", "--json", "--node-limit", str(NODES)],
                          capture_output=True, text=True)
    plan = json.loads(done.stdout)
    return plan["max_regret"] if plan["status"] == "optimal" else "infeasible" if plan["status"] == "infeasible" else None


def same(a, b):
    return a == b if isinstance(a, str) or isinstance(b, str) else abs(a - b) <= TOLERANCE * (1 + abs(b))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    vouch, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 3
    models = complete = programs = bad = missing = judged = 0
    with tempfile.TemporaryDirectory() as folder:
        model, program = os.path.join(folder, "m.json"), os.path.join(folder, "p.mps")
        for seed in range(first, first + count):
            horizon = generate(vouch, seed, model)
            if horizon is None:
                continue
            models += 1
            before = missing
            for lookahead in range(horizon + 1):
                answers = {"vouch plan": by_vouch(vouch, model, lookahead)}
                for form in ("compact", "paper"):
                    subprocess.run([vouch, "export", model, "-L", str(lookahead), "--form", form, "-o", program], check=True, capture_output=True)
                    answers[form + " form by scipy"] = by_scipy(program)
                    programs += 1
                closed = {name: x for name, x in answers.items() if x is not None}
                missing += len(closed) < len(answers)
                if lookahead == seed % (horizon + 1):  # counts no nodes: it judges what it ends in time
                    theirs = by_glpsol(program, int(seconds))
                    judged += theirs is not None
                    if theirs is not None:
                        closed["paper form by glpsol"] = theirs
                if any(not same(a, b) for a in closed.values() for b in closed.values()):
                    bad += 1
                    print(f"not ok judge_plan: seed {seed}, L {lookahead}: {closed}")
            complete += missing == before
    print(f"{models} models, {complete} with every L closed by all; {programs} programs, {missing} values of L open, {bad} differ; glpsol closed {judged}")
    if bad == 0 and complete > 0:
        print("ok judge_plan")
    elif bad == 0:
        print("not ok judge_plan: no model was closed")


main()

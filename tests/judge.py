"""Random models: `vouch plan` against scipy's milp and glpsol on the exported paper and compact forms.

usage: judge.py VOUCH COUNT [FIRST_SEED]     prints "ok judge_plan" or "not ok .."; the model's seed names what differs
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_matrix

SECONDS = 20
TOLERANCE = 2e-6


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
             options={"time_limit": SECONDS, "mip_rel_gap": 0})
    return "infeasible" if r.status == 2 else r.fun + offset if r.status == 0 else None


def by_glpsol(path):
    done = subprocess.run(["glpsol", "--freemps", path, "--tmlim", str(SECONDS), "-w", path + ".out"], capture_output=True, text=True)
    if re.search(r"HAS NO (INTEGER |PRIMAL )?FEASIBLE SOLUTION", done.stdout):
        return "infeasible"
    for line in open(path + ".out"):
        if line.startswith("s mip"):
            field = line.split()
            return {"o": float(field[5]), "n": "infeasible"}.get(field[4])
    return None


def main():
    vouch, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    compared = closed = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        model, program = os.path.join(folder, "m.json"), os.path.join(folder, "p.mps")
        for seed in range(first, first + count):
            size = {"--states": 3 + seed % 3, "--actions": 2, "--environments": 2 + seed % 2, "-T": 3 + seed // 3 % 2, "-p": [0.3, 0.6, 0.2][seed % 3],
                    "--branching": 1 + seed // 2 % 2, "--seed": seed}
            options = [str(x) for pair in size.items() for x in pair] + (["--shared-transitions"] if seed % 4 == 0 else [])
            if subprocess.run([vouch, "generate", "random", *options, "-o", model], capture_output=True).returncode:
                continue
            lookahead = str(seed % (size["-T"] + 1))
            plan = json.loads(subprocess.run([vouch, "plan", model, "-L", lookahead, "--json"], capture_output=True, text=True).stdout)
            ours = plan["max_regret"] if plan["status"] == "optimal" else plan["status"]
            for form in ("paper", "compact"):
                subprocess.run([vouch, "export", model, "-L", lookahead, "--form", form, "-o", program], check=True, capture_output=True)
                for name, judge in (("scipy", by_scipy), ("glpsol", by_glpsol)):
                    theirs = judge(program)
                    compared += 1
                    if theirs is None:
                        continue
                    closed += 1
                    same = theirs == ours if isinstance(theirs, str) or isinstance(ours, str) else abs(theirs - ours) <= TOLERANCE * (1 + abs(ours))
                    if not same:
                        bad += 1
                        print(f"not ok judge_plan: seed {seed}, L {lookahead}, {form} form: {name} {theirs}, vouch {ours}")
    print(f"{compared} programs, {closed} closed by the judge")
    if bad == 0 and closed * 10 >= compared * 8 > 0:
        print("ok judge_plan")
    elif bad == 0:
        print("not ok judge_plan: too few programs were closed")


main()

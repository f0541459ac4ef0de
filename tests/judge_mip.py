"""Random mixed-integer programs of several structures, solved by `vouch lp` and by scipy's milp: status and objective must agree.

usage: judge_mip.py VOUCH COUNT [FIRST_SEED]      prints "ok judge_mip" or "not ok .." with the file kept
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp


def instance(rng):
    kind = rng.integers(5)
    n, m = int(rng.integers(5, 30)), int(rng.integers(2, 15))
    a = np.where(rng.random((m, n)) < 0.4, rng.integers(-9, 20, (m, n)), 0).astype(float)
    cost = rng.integers(-20, 21, n).astype(float)
    lower, upper = np.zeros(n), np.ones(n)
    integer = np.ones(n)
    row_lower, row_upper = np.full(m, -np.inf), np.full(m, np.inf)
    if kind == 0:  # knapsacks
        a = np.abs(a)
        row_upper = np.floor(a.sum(1) * 0.45)
        cost = -np.abs(cost)
    elif kind == 1:  # fixed charges: flows x <= u y
        half = n // 2
        n = 2 * half
        a = np.zeros((half + 2, n))
        cost = np.concatenate([rng.integers(1, 9, half), rng.integers(10, 90, half)]).astype(float)
        lower, upper = np.zeros(n), np.concatenate([np.full(half, np.inf), np.ones(half)])
        integer = np.concatenate([np.zeros(half), np.ones(half)])
        for k in range(half):
            a[k, k], a[k, half + k] = 1, -float(rng.integers(5, 40))
        a[half, :half] = rng.integers(0, 3, half)
        a[half + 1, :half] = 1
        row_lower = np.concatenate([np.full(half, -np.inf), [float(rng.integers(3, 40)), float(rng.integers(3, 40))]])
        row_upper = np.concatenate([np.zeros(half), [np.inf, np.inf]])
    elif kind == 2:  # covering
        a = (a > 0).astype(float)
        row_lower = np.minimum(np.ones(m) * rng.integers(1, 3), a.sum(1))
        cost = np.abs(cost) + 1
    elif kind == 3:  # general integers, mixed, equations
        upper = rng.integers(1, 12, n).astype(float)
        lower = -rng.integers(0, 3, n).astype(float)
        integer = (rng.random(n) < 0.6).astype(float)
        inside = np.floor(lower + (upper - lower) * rng.random(n))
        mid = a @ inside
        row_lower, row_upper = mid - rng.integers(0, 6, m), mid + rng.integers(0, 6, m)
    else:  # choices with big M
        groups = n // 3
        lower = np.zeros(groups * 4)
        n = groups * 3 + groups
        a = np.zeros((2 * groups + 1, n))
        cost = np.concatenate([-rng.random(3 * groups) * 3, rng.normal(size=groups)])
        upper = np.concatenate([np.ones(3 * groups), np.full(groups, 10.0)])
        integer = np.concatenate([np.ones(3 * groups), np.zeros(groups)])
        row_lower, row_upper = np.full(2 * groups + 1, -np.inf), np.full(2 * groups + 1, np.inf)
        for g in range(groups):
            a[g, 3 * g:3 * g + 3] = 1
            row_upper[g] = 1
            a[groups + g, 3 * g:3 * g + 3] = -rng.integers(1, 9, 3)
            a[groups + g, 3 * groups + g] = 1
            row_upper[groups + g] = rng.random()
        a[2 * groups, 3 * groups:] = 1
        row_upper[2 * groups] = 2.0 * groups
        row_lower[2 * groups] = 0.7 * groups
    return a, cost, lower, upper, integer, row_lower, row_upper


def number(x):
    return repr(float(x)) if np.isfinite(x) else ("1e30" if x > 0 else "-1e30")


def write(path, problem):
    a, cost, lower, upper, integer, row_lower, row_upper = problem
    m, n = a.shape
    with open(path, "w", encoding="ascii") as f:
        f.write("minimize\n obj: " + " ".join(f"{c:+.17g} x{j}" for j, c in enumerate(cost)) + "\nsubject to\n")
        for i in range(m):
            terms = " ".join(f"{a[i, j]:+.17g} x{j}" for j in range(n) if a[i, j]) or "0 x0"
            f.write(f" r{i}: {number(row_lower[i])} <= {terms} <= {number(row_upper[i])}\n")
        f.write("bounds\n" + "".join(f" {number(lower[j])} <= x{j} <= {number(upper[j])}\n" for j in range(n)))
        f.write("generals\n" + "".join(f" x{j}\n" for j in range(n) if integer[j]) + "end\n")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    vouch, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    bad = 0
    for seed in range(first, first + count):
        problem = instance(np.random.default_rng(seed))
        a, cost, lower, upper, integer, row_lower, row_upper = problem
        path = os.path.join(tempfile.gettempdir(), f"judge_mip_{os.getpid()}_{seed}.lp")
        write(path, problem)
        run = subprocess.run([vouch, "lp", path, "--json", "-q"], capture_output=True, text=True, check=False)
        other = milp(cost, integrality=integer, bounds=Bounds(lower, upper), constraints=LinearConstraint(a, row_lower, row_upper), options={"mip_rel_gap": 1e-9})
        expected = {0: "optimal", 2: "infeasible", 3: "unbounded"}.get(other.status, "?")
        ours = json.loads(run.stdout) if run.stdout else {"status": f"exit {run.returncode}"}
        agree = ours["status"] == expected and (expected != "optimal" or abs(ours["objective"] - other.fun) <= 3e-6 * (1 + abs(other.fun)))
        # a checked point that is better than the other solver's, or that it overlooked, is no fault of ours
        better = ours["status"] == "optimal" and ours["primal_residual"] <= 1e-6 and (expected == "infeasible" or (expected == "optimal" and ours["objective"] < other.fun))
        if agree or better or expected == "?":
            os.unlink(path)
        else:
            bad += 1
            print(f"not ok judge_mip: seed {seed}, {path}: {ours}, expected {expected} {other.fun}")
    if not bad:
        print("ok judge_mip")


main()

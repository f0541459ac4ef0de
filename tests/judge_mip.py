"""Random mixed-integer programs (mip_models.py) solved by `vouch lp`, judged in rationals by HiGHS' points (scipy's milp) and by proofs.

usage: judge_mip.py VOUCH [-n COUNT] [-s SEED] [-f FIRST] [-j JOBS] [-d FOLDER] [--family NAME] [--options=WORDS] [--proofs] [--viprchk PROGRAM] [--table]

Each program is solved as it is and with options drawn. Wrong is: a point that breaks a row, an objective that is not its own; an optimum, a bound or
"infeasible" that a point of either solver contradicts; where the solvers differ, an optimum whose own point does not have its value exactly (its integer
columns fixed, the others solved for in rationals); another answer with two threads; a proof that check_vipr.py refutes or that proves something else.
Where HiGHS has the worse answer, it is counted as its own. --proofs: every second run writes a proof; --viprchk: proofs are also given to VIPR's own
checker, this program. Programs and command lines of what is wrong go to
FOLDER. Prints "ok judge_mip" or "not ok ..".
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction
from multiprocessing import Pool

sys.dont_write_bytecode = True  # nothing is left beside the sources
import check_vipr
import mip_models

VALUE, VIOLATION, INTEGRALITY = Fraction("2e-6"), Fraction("1e-6"), Fraction("1e-6")  # of values, relative to 1 + the value; of rows; as the solver's options
ROUNDING = Fraction("1e-12")  # of a row's largest term
NODES = 5000  # of trees, of either solver
SECONDS = 600  # for a hang alone

OPTIONS = ["--no-cuts", "--no-heuristics", "--nopresol", "--nopresol --no-cuts --no-heuristics", "--primal", "--dual", "--implied", "--clique", "--cover",
           "--path", "--mir", "--gomory", "--implied --path --mir", "--mipgap 0", "--factor dense", "--factor sparse", "--threads 2", "--threads 2 --seed 9",
           "--seed 2", "--seed 3 --no-cuts", "--node-limit 1", "--node-limit 3", "--node-limit 40 --no-cuts", "--node-limit 300 --threads 2 --no-heuristics",
           "--nomip --exact", "--nomip --xcheck", "--proof", "--proof --threads 2"]


def exact(v):
    """The number that is written: the shortest decimal of the double."""
    return None if math.isinf(v) else Fraction(repr(v))


class Exact:
    """The program in rationals, to be minimised; columns' and rows' infinite bounds are None."""

    def __init__(self, p):
        self.sign = -1 if p.maximize else 1
        self.cost = [self.sign * exact(c) for c in p.cost]
        self.lower, self.upper, self.integer = [exact(v) for v in p.lower], [exact(v) for v in p.upper], p.integer
        self.rows = [({j: exact(v) for j, v in terms.items()}, exact(lo), exact(up)) for terms, lo, up in p.plain_rows()]

    def value(self, x):
        return sum(c * v for c, v in zip(self.cost, x))

    def broken(self, x):
        """Why x [n] is no point within the tolerances; None: it is one."""
        for j, v in enumerate(x):
            slack = VIOLATION * (1 + abs(v) / 1000)
            if self.lower[j] is not None and v < self.lower[j] - slack or self.upper[j] is not None and v > self.upper[j] + slack:
                return f"x{j} = {float(v)} is out of its bounds"
            if self.integer[j] and abs(v - round(v)) > INTEGRALITY:
                return f"x{j} = {float(v)} is no integer"
        for i, (terms, lo, up) in enumerate(self.rows):
            parts = [v * x[j] for j, v in terms.items()]
            activity, slack = sum(parts), VIOLATION + ROUNDING * max(map(abs, parts), default=0)
            for side, off in ((lo, -1), (up, 1)):
                if side is not None and off * (activity - side) > slack * (1 + abs(side)):
                    return f"row {i} is {float(activity)}, beyond {float(side)}"
        return None

    def worth(self, x):
        """The least value of points with the integer columns of x, rounded; None: there is none."""
        fixed = {j: Fraction(round(v)) for j, v in enumerate(x) if self.integer[j]}
        for j, v in fixed.items():
            if self.lower[j] is not None and v < self.lower[j] or self.upper[j] is not None and v > self.upper[j]:
                return None
        free = [j for j in range(len(x)) if j not in fixed]
        start, constant, tableau = {}, sum(self.cost[j] * v for j, v in fixed.items()), []
        column = []  # (column, sign): x_j = start_j + sum of sign * t
        for j in free:
            if self.lower[j] is not None:
                start[j], more = self.lower[j], [(j, 1)]
            elif self.upper[j] is not None:
                start[j], more = self.upper[j], [(j, -1)]
            else:
                start[j], more = Fraction(0), [(j, 1), (j, -1)]
            column += more
            constant += self.cost[j] * start[j]
        for j, s in column:
            if s > 0 and self.lower[j] is not None and self.upper[j] is not None:
                tableau.append(([Fraction(k == j) for k, _ in column], self.upper[j] - self.lower[j]))
        for terms, lo, up in self.rows:
            at = sum(v * (fixed[j] if j in fixed else start[j]) for j, v in terms.items())
            a = [s * terms.get(j, Fraction(0)) for j, s in column]
            for side, s in ((up, 1), (lo, -1)):
                if side is None:
                    continue
                if any(a):
                    tableau.append(([s * v for v in a], s * (side - at)))
                elif s * (side - at) < 0:
                    return None
        best = least([s * self.cost[j] for j, s in column], tableau)
        return None if best is None else constant + best


def least(cost, rows):
    """min cost t with a t <= b for the rows (a, b), t >= 0, in rationals: the simplex method by Bland's rule from an artificial column. None: infeasible.
    -inf where it is unbounded."""
    n, m = len(cost), len(rows)
    if not m:
        return 0 if all(c >= 0 for c in cost) else -math.inf
    line = [list(a) + [Fraction(-1), b] for a, b in rows]  # t, the artificial column, right side; the basic column of row i is n + 1 + i
    basic, nonbasic = [n + 1 + i for i in range(m)], list(range(n + 1))
    goals = [[Fraction(0)] * n + [Fraction(1), Fraction(0)], list(cost) + [Fraction(0), Fraction(0)]]

    def pivot(i, k):
        row, p = line[i], line[i][k]
        line[i] = row = [v / p for v in row]
        row[k] = 1 / p
        for other in [line[q] for q in range(m) if q != i] + goals:
            f = other[k]
            if f:
                other[:] = [v - f * w if w else v for v, w in zip(other, row)]
                other[k] = -f / p
        basic[i], nonbasic[k] = nonbasic[k], basic[i]

    def minimise(goal):
        while True:
            enter = min((nonbasic[k], k) for k in range(n + 1) if goal[k] < 0 and (goal is goals[0] or nonbasic[k] != n)) \
                if any(goal[k] < 0 and (goal is goals[0] or nonbasic[k] != n) for k in range(n + 1)) else None
            if enter is None:
                return True
            k = enter[1]
            leave = min(((line[i][-1] / line[i][k], basic[i], i) for i in range(m) if line[i][k] > 0), default=None)
            if leave is None:
                return False
            pivot(leave[2], k)

    worst = min(range(m), key=lambda i: line[i][-1])
    if line[worst][-1] < 0:
        pivot(worst, n)
        minimise(goals[0])
        if goals[0][-1] != 0:
            return None
        if n in basic:  # at 0
            i = basic.index(n)
            k = next((k for k in range(n + 1) if line[i][k] != 0), None)
            if k is not None:
                pivot(i, k)
    return -goals[1][-1] if minimise(goals[1]) else -math.inf


def by_highs(p):
    """Outcome, and the point."""
    import numpy as np
    import scipy.sparse as sp
    from scipy.optimize import Bounds, LinearConstraint, milp
    rows = p.plain_rows()
    a = sp.lil_matrix((len(rows), len(p.cost)))
    for i, (terms, _, _) in enumerate(rows):
        for j, v in terms.items():
            a[i, j] = v
    constraints = LinearConstraint(a.tocsr(), [lo for _, lo, _ in rows], [up for _, _, up in rows]) if rows else ()
    done = milp(np.array(p.cost) * (-1 if p.maximize else 1), integrality=np.array(p.integer, int), bounds=Bounds(p.lower, p.upper), constraints=constraints,
                options={"mip_rel_gap": 1e-9, "node_limit": NODES})
    return {0: "optimal", 2: "infeasible", 3: "unbounded"}.get(done.status, "none"), None if done.x is None else [Fraction(float(v)) for v in done.x]


def same(a, b, slack=VALUE):
    return abs(a - b) <= slack * (1 + abs(b))


class Judge:
    def __init__(self, vouch, p, folder):
        self.p, self.vouch, self.exact, self.folder = p, vouch, Exact(p), folder
        self.path = os.path.join(folder, "program.lp")
        p.write(self.path)
        self.theirs, point = by_highs(p)
        self.best = None  # the least value proved by a point
        self.kinds = Counter()
        self.their_value = None if point is None else self.exact.value(point)
        self.their_worth = lambda: None if point is None else self.exact.worth(point)

    def run(self, options):
        """The JSON answer of vouch and its point [n] or None."""
        solution, proof = os.path.join(self.folder, "solution"), os.path.join(self.folder, "proof.vipr")
        for path in (solution, proof):
            if os.path.exists(path):
                os.unlink(path)
        if "--node-limit" not in options:
            options += f" --node-limit {NODES}"
        words = [w for word in options.split() for w in ([word, proof] if word == "--proof" else [word])]
        done = subprocess.run([self.vouch, "lp", self.path, "--json", "-q", "-w", solution, *words], capture_output=True, text=True, check=False, timeout=SECONDS)
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            return {"status": f"exit {done.returncode} {done.stderr.strip()[-200:]}"}, None
        point = None
        if answer.get("objective") is not None and "--nomip" not in options:
            with open(solution, encoding="ascii") as f:
                point = [Fraction(line.split()[2]) for line in f if line.startswith("j ")][:len(self.p.cost)]
        return answer, point

    def contradicts(self, value):
        """Is there a point of less than the value (None: any point)? Found by HiGHS or by an earlier run."""
        for worth in (lambda: self.best, self.their_worth):
            v = worth()
            if v is not None and (value is None or v < value - VALUE * (1 + abs(value))):
                return float(v)
        return None

    def relaxed(self, answer):
        """Of the relaxation: its optimum is a bound."""
        if answer["status"] == "infeasible" and self.best is not None:
            return f"the relaxation is called infeasible, and there is a point of {float(self.best)}"
        if answer["status"] == "optimal" and self.best is not None and self.exact.sign * Fraction(answer["objective"]) > self.best + VALUE * (1 + abs(self.best)):
            return f"the relaxation is called {answer['objective']}, and there is a point of {float(self.best)}"
        return None

    def judge(self, options, answer, point):
        """Why the answer is wrong, or None."""
        e, status = self.exact, answer["status"]
        if "--nomip" in options:
            return self.relaxed(answer)
        if status not in ("optimal", "infeasible", "limit", "numerical"):
            return f"ends with {status}"
        self.kinds[status] += 1
        if point is not None:
            why = e.broken(point)
            if why:
                return why
            if not same(e.value(point), e.sign * Fraction(answer["objective"]), Fraction("1e-8")):
                return f"objective {answer['objective']} is not that of the point, {float(e.sign * e.value(point))}"
        if status == "infeasible":
            found = None if self.theirs == "infeasible" and self.best is None else self.contradicts(None)
            if found is not None:
                return f"called infeasible, and there is a point of {found}"
            self.kinds["theirs"] += self.theirs != "infeasible"
            return None
        if status == "optimal" and point is None:
            return "optimal without a point"
        value = e.sign * Fraction(answer["bound"]) if answer.get("bound") is not None and math.isfinite(answer["bound"]) else None
        if status == "optimal" and (value is None or not same(value, e.value(point), Fraction("3e-6"))):
            return f"optimal with a bound of {answer['bound']}"
        agree = self.theirs == "optimal" and same(e.value(point), self.their_value) if status == "optimal" else False
        if value is not None and not agree:
            found = self.contradicts(value)
            if found is not None:
                return f"{status} with bound {float(value)} (minimised), and there is a point of {found}"
        if status == "optimal" and not agree:
            own = e.worth(point)
            if own is None or not same(own, e.value(point)):
                return f"HiGHS has {self.theirs}, and the point's integer columns are worth {None if own is None else float(own)}, not {float(e.value(point))}"
            self.kinds["theirs"] += 1
        if status == "optimal" and (self.best is None or e.value(point) < self.best - VALUE):
            self.best = min(e.value(point), self.best if self.best is not None else e.value(point))
        return None

    def judge_proof(self, answer, viprchk):
        if answer["proof"]["status"] != "proved":
            self.kinds["not proved"] += 1
            return None
        self.kinds["proved"] += 1
        path = os.path.join(self.folder, "proof.vipr")
        checker = check_vipr.Checker(path)
        try:
            checker.run()
        except check_vipr.Refuted as why:
            return f"the proof is refuted: {why}"
        if viprchk:
            self.kinds["viprchk"] += 1
            done = subprocess.run([viprchk, path], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                return f"viprchk says {done.stdout.splitlines()[-2:]} {done.stderr}"
        if checker.infeasible != (answer["status"] == "infeasible"):
            return "the proof claims something else"
        if not checker.infeasible and not (checker.lower == checker.upper and same(checker.lower, Fraction(answer["objective"]))):
            return f"the proof claims [{checker.lower}, {checker.upper}], not {answer['objective']}"
        return None


def judge_case(job):
    seed, index, o = job
    r = random.Random(f"options {seed}/{index}")
    family, p = mip_models.draw(seed, index, family=o.family)
    wrong, runs, plain = [], 0, None
    with tempfile.TemporaryDirectory() as folder:
        judge = Judge(o.vouch, p, folder)
        for options in ["", o.options if o.options is not None else "--proof" if o.proofs and r.random() < .5 else r.choice(OPTIONS)]:
            try:
                answer, point = judge.run(options)
                why = judge.judge(options, answer, point)
                if not why and "--proof" in options:
                    why = judge.judge_proof(answer, o.viprchk)
            except subprocess.TimeoutExpired:
                answer, why = {}, f"no answer in {SECONDS} s"
            plain = plain or answer
            if not why and options == "--threads 2" and any(answer.get(k) != plain.get(k) for k in ("status", "objective", "bound", "nodes", "iterations")):
                why = f"two threads answer {answer}, one {plain}"
            runs += 1
            if not why:
                continue
            wrong.append((options, why))
            if o.folder:
                name = os.path.join(o.folder, f"mip-{seed}-{index}")
                p.write(name + ".lp")
                with open(name + ".txt", "a", encoding="utf-8") as f:
                    f.write(f"{family}: {why}\nvouch lp {name}.lp {options}\n")
    return family, runs, wrong, judge.kinds, judge.theirs == "none"


def report(o, jobs, results):
    counts, bad = {}, 0
    for (seed, index, _), (family, runs, wrong, kinds, unjudged) in zip(jobs, results):
        row = counts.setdefault(family, Counter())
        row += Counter(programs=1, runs=runs, wrong=len(wrong), unjudged=unjudged) + kinds
        bad += len(wrong)
        for options, why in wrong:
            print(f"wrong: {family}, seed {seed}, program {index}, options '{options}': {why}")
    heads = ("programs", "runs", "optimal", "infeasible", "limit", "numerical", "theirs", "unjudged", "proved", "viprchk", "not proved", "wrong")
    if o.table:
        print(f"{'family':<16}" + "".join(f"{h:>12}" for h in heads))
        for family, row in [*sorted(counts.items()), ("all", sum(counts.values(), Counter()))]:
            print(f"{family:<16}" + "".join(f"{row[h]:>12}" for h in heads))
    print(f"{'not ok' if bad else 'ok'} judge_mip{f': {bad} wrong' if bad else ''}")
    return bad


def main():
    reader = argparse.ArgumentParser(usage=__doc__)
    reader.add_argument("vouch", type=os.path.abspath)
    for name, default in (("-n", 100), ("-s", 1), ("-f", 0), ("-j", 1)):
        reader.add_argument(name, type=int, default=default)
    reader.add_argument("-d", dest="folder")
    reader.add_argument("--family", choices=list(mip_models.FAMILIES))
    reader.add_argument("--options")
    reader.add_argument("--viprchk")
    reader.add_argument("--proofs", action="store_true")
    reader.add_argument("--table", action="store_true")
    o = reader.parse_args()
    if o.folder:
        os.makedirs(o.folder, exist_ok=True)
    jobs = [(o.s, i, o) for i in range(o.f, o.f + o.n)]
    if o.j > 1:
        with Pool(o.j) as pool:
            results = pool.map(judge_case, jobs, chunksize=8)
    else:
        results = list(map(judge_case, jobs))
    return 1 if report(o, jobs, results) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Random infeasible models: the largest commitment that `vouch plan` prints, against programs of scipy's milp and linprog over the
tree of all histories: nothing is merged and nothing of vouch is used but the model written here.

usage: judge_explain.py VOUCH COUNT [FIRST_SEED]     prints "ok judge_explain" or "not ok .."; the seed names what differs

r(h, a) is the weight of history h and action a, w_h(k) the likelihood of h in environment k:
    max p   sum_a r(h, a) = r(parent of h),   sum over h that end in Phi at T of w_h(k) r(parent of h) >= p for every k
which is the history-optimal problem, an LP; for deterministic L-updates policies also r(h, a) <= D(node of h, a), D binary, one per node.
The printed p is right if the weights found reach p - 1e-6, recomputed exactly for the rounded D, and no more than p + 1e-6 is possible.
The same p pasted back as `-p` must be kept, and p + 1e-6 be refused. Models are asked for the probability that each environment
alone allows; where no policy keeps it in all, the environments named in conflict must not keep it, and all sets of fewer must.
"""
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix

NEAR = 1e-6
SCALE = 1000  # milp stops at an absolute gap of 1e-6: one of 1e-9 in p
NODES = 5000  # of a program; one that needs more has no judge


def random_model(rng):
    S, A, K, T = rng.randint(2, 4), rng.randint(2, 3), rng.randint(2, 4), rng.randint(2, 4 if rng.random() < 0.5 else 3)
    if S * A > 8 and T > 3:
        T = 3
    grain = rng.choice([1, 2, 4, 10])
    transitions, rewards = [], []
    shared = {}
    for k in range(K):
        rows, paid = [], []
        for s in range(S):
            for a in range(A):
                if (s, a) in shared and rng.random() < 0.4:
                    part = shared[s, a]
                else:
                    count = rng.randint(1, min(S, 3))
                    cut = [0] * count
                    for _ in range(grain):
                        cut[rng.randrange(count)] += 1
                    part = [(n, c / grain) for n, c in zip(rng.sample(range(S), count), cut) if c]
                shared.setdefault((s, a), part)
                rows += [[s, a, n, p] for n, p in part]
                paid.append([s, a, rng.choice([0, 0, 0, 1]) if rng.random() < 0.3 else 0])
        transitions.append(rows)
        rewards.append({(s, a): r for s, a, r in paid})
    phi = rng.sample(range(S), rng.randint(1, S - 1))
    return {"S": S, "A": A, "K": K, "T": T, "phi": phi, "rows": transitions, "rewards": rewards}


def write_model(m, path):
    state, action = (lambda s: "s%d" % s), (lambda a: "a%d" % a)
    json.dump({"vouch": 1, "name": "judged", "states": m["S"], "actions": m["A"], "initial": "s0", "horizon": m["T"],
               "commitment": {"states": [state(s) for s in m["phi"]], "probability": 1}, "transitions": [], "rewards": [],
               "environments": [{"name": "k%d" % k, "transitions": [[state(s), action(a), state(n), p] for s, a, n, p in m["rows"][k]],
                                 "rewards": [[state(s), action(a), r] for (s, a), r in m["rewards"][k].items()]} for k in range(m["K"])]},
              open(path, "w"))


class Tree:
    """Every history: sequences (h, a) are columns; node[c] is the policy node and action of column c."""

    def __init__(self, m, L):
        step = [{} for _ in range(m["K"])]
        for k in range(m["K"]):
            for s, a, n, p in m["rows"][k]:
                step[k].setdefault((s, a), {}).setdefault(n, 0)
                step[k][s, a][n] += p
        self.node, self.flow, self.kept, self.names = [], [], [[] for _ in range(m["K"])], {}
        self.L, self.m, self.step = L, m, step
        self.grow(0, 0, np.ones(m["K"]), None, None)

    def grow(self, t, s, w, above, boundary):
        m = self.m
        known = tuple(np.flatnonzero(w > 0))
        if t == m["T"]:
            if s in m["phi"]:
                for k in known:
                    self.kept[k].append((above, w[k]))
            return
        if t == self.L:
            boundary = (s, known)
        name = (t, s, known) if t < self.L else (t, s, boundary)
        first = len(self.node)
        number = self.names.setdefault(name, len(self.names))
        self.node += [(number, a) for a in range(m["A"])]
        self.flow.append((above, range(first, first + m["A"])))
        for a in range(m["A"]):
            for r, n in itertools.product(sorted({m["rewards"][k][s, a] for k in known}), range(m["S"])):
                after = np.array([w[k] * self.step[k][s, a].get(n, 0) if m["rewards"][k][s, a] == r else 0 for k in range(m["K"])])
                if after.max() > 0:
                    self.grow(t + 1, n, after, first + a, boundary)

    def program(self, deterministic):
        C, D, A, K = len(self.node), len(self.names), self.m["A"], self.m["K"]
        n = 1 + C + (D * A if deterministic else 0)
        entries, low, high = [], [], []

        def row(pairs, lo, hi):
            entries.extend((len(low), c, v) for c, v in pairs)
            low.append(lo)
            high.append(hi)

        for above, own in self.flow:
            row([(1 + c, 1) for c in own] + ([(1 + above, -1)] if above is not None else []), *((0, 0) if above is not None else (1, 1)))
        for k in range(K):
            row([(0, -1)] + [(1 + c, v) for c, v in self.kept[k]], 0, np.inf)
        if deterministic:
            for c, (d, a) in enumerate(self.node):
                row([(1 + c, 1), (1 + C + d * A + a, -1)], -np.inf, 0)
            for d in range(D):
                row([(1 + C + d * A + a, 1) for a in range(A)], 1, 1)
        i, j, v = zip(*entries)
        return n, C, csr_matrix((v, (i, j)), (len(low), n)), np.array(low), np.array(high)

    def least_kept(self, weight):
        return min(sum(weight[c] * v for c, v in kept) if kept else 0.0 for kept in self.kept)

    def largest_history(self):
        n, C, M, low, high = self.program(False)
        eq, ge = low == high, low != high
        r = linprog([-1] + [0] * C, A_ub=-M[ge], b_ub=-low[ge], A_eq=M[eq], b_eq=low[eq], bounds=(0, 1), method="highs")
        assert r.status == 0, r.message
        return self.least_kept(r.x[1:]), -r.fun

    def largest_deterministic(self):
        n, C, M, low, high = self.program(True)
        A = self.m["A"]
        r = milp([-SCALE] + [0] * (n - 1), constraints=LinearConstraint(M, low, high), bounds=Bounds(0, 1), integrality=[0] * (1 + C) + [1] * (n - 1 - C),
                 options={"mip_rel_gap": 0, "node_limit": NODES})
        if r.status != 0:
            return None
        choice = r.x[1 + C:].reshape(-1, A).argmax(axis=1)
        weight = np.zeros(C)
        for above, own in self.flow:  # parents come first
            inflow = 1.0 if above is None else weight[above]
            for c in own:
                weight[c] = inflow if self.node[c][1] == choice[self.node[c][0]] else 0.0
        return self.least_kept(weight), max(-r.fun, -getattr(r, "mip_dual_bound", r.fun)) / SCALE


def part(m, chosen):
    """The model of some environments only."""
    return dict(m, K=len(chosen), rows=[m["rows"][k] for k in chosen], rewards=[m["rewards"][k] for k in chosen])


def largest(m, L):
    """(reached, bound) of deterministic policies with L, of all policies where L is None; None when the time is over."""
    return Tree(m, m["T"]).largest_history() if L is None else Tree(m, L).largest_deterministic()


def wrong_conflict(m, L, p, chosen):
    found = largest(part(m, chosen), L)
    if found and max(found) > p + NEAR:
        return "the environments %s are not in conflict: %.12g" % (chosen, found[0])
    for count in range(1, len(chosen)):
        for fewer in itertools.combinations(range(m["K"]), count):
            found = largest(part(m, fewer), L)
            if found and found[1] < p - NEAR:
                return "the environments %s are in conflict, but %s was printed" % (fewer, chosen)
    return None


def judge(m, run, method, L):
    """Nothing if the model keeps what its environments allow, else (what is wrong or None)."""
    alone = min(json.loads(run(*method, "-p", "1", "--max-commitment", "--json")[1])["alone"].values())
    p = "%.10g" % (int(alone * 1e10) / 1e10)
    if run(*method, "-p", p)[0] != 2:
        return None
    code, out = run(*method, "-p", p, "--max-commitment", "--json")
    shown = json.loads(out)
    if code != 0 or not shown["this_class"]["proved"]:
        return ["not proved"]
    found, most = largest(m, L), shown["largest_commitment"]
    if found is None:
        return None
    reached, bound = found
    if not reached >= most - NEAR:
        return ["printed %.10g: p - 1e-6 cannot be kept, the judge reaches %.12g" % (most, reached)]
    if not max(reached, bound) <= most + NEAR:
        return ["printed %.10g: more can be kept, the judge reaches %.12g, bound %.12g" % (most, reached, bound)]
    if run(*method, "-p", "%.10g" % most)[0] != 0 or run(*method, "-p", repr(most + NEAR))[0] != 2:
        return ["printed %.10g: pasted back it is not kept, or p + 1e-6 is not refused" % most]
    return [wrong_conflict(m, L, float(p), [int(k[1:]) for k in shown["conflict"]])]


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    vouch, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    judged, wrong, looked = [0, 0], 0, 0
    path = tempfile.mktemp(".json")

    def run(*options):
        done = subprocess.run([vouch, "plan", path, "-q", *options], capture_output=True, text=True)
        return done.returncode, done.stdout

    while min(judged) < count:
        rng = random.Random(seed)
        m = random_model(rng)
        L = rng.randint(0, m["T"])
        write_model(m, path)
        for i, (method, own) in enumerate(((["--method", "milp-ccl", "-L", str(L)], L), (["--method", "history"], None))):
            answer = judge(m, run, method, own) if judged[i] < count else None
            if answer:
                judged[i] += 1
                wrong += answer[0] is not None
                if answer[0]:
                    print("not ok judge_explain: seed %d, %s: %s" % (seed, " ".join(method), answer[0]))
        seed, looked = seed + 1, looked + 1
    os.unlink(path)
    print("# jointly infeasible: %d for milp-ccl, %d for history, of %d models looked at" % (*judged, looked))
    if not wrong:
        print("ok judge_explain")


if __name__ == "__main__":
    main()

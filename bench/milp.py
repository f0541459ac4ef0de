"""bench/milp.py FILE LIMIT

Reads a free MPS file as vouch writes them, has scipy's HiGHS solve it and prints verdict (optimal, infeasible or none), value and processor seconds of the
call. No time limit of its own: that counts what other programs do, the process is ended after so many processor seconds instead.
"""
import importlib.util
import os
import resource
import subprocess
import sys
import time


def highs(path, limit):
    """Verdict, value and processor seconds of the solving call, in a process of its own; None, 0 and the limit where nothing is proved within it."""
    if importlib.util.find_spec("scipy") is None:
        sys.exit("HiGHS is asked by scipy, which %s lacks: the Debian package python3-scipy, for /usr/bin/python3" % sys.executable)
    out = subprocess.run([sys.executable, os.path.abspath(__file__), path, str(limit)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.split()
    if len(out) != 3 or out[0] == "none" or float(out[2]) > limit:
        return None, 0.0, limit
    return out[0], float(out[1]), float(out[2])


def program(path):
    """Costs, matrix, least and greatest values of rows and columns, and which columns are integers."""
    import numpy as np
    import scipy.sparse as sp
    rows, kind, cols, entries, rhs, lo, up, integer = {}, [], {}, [], {}, {}, {}, set()
    section, marked = '', False
    for line in open(path):
        f = line.split()
        if not f: continue
        if line[0] not in ' \t':
            section = f[0]; continue
        if section == 'ROWS':
            rows[f[1]] = len(rows); kind.append(f[0])
        elif section == 'COLUMNS':
            if f[1] == "'MARKER'":
                marked = f[2] == "'INTORG'"; continue
            j = cols.setdefault(f[0], len(cols))
            if marked: integer.add(j)
            for r, v in zip(f[1::2], f[2::2]): entries.append((rows[r], j, float(v)))
        elif section == 'RHS':
            g = f[1:] if len(f) % 2 else f
            for r, v in zip(g[0::2], g[1::2]): rhs[rows[r]] = float(v)
        elif section == 'BOUNDS':
            j = cols[f[2]]
            if f[0] == 'FR': lo[j], up[j] = -np.inf, np.inf
            elif f[0] == 'UP': up[j] = float(f[3])
            elif f[0] == 'LO': lo[j] = float(f[3])
            elif f[0] == 'MI': lo[j] = -np.inf
            elif f[0] == 'BV': up[j] = 1.0; integer.add(j)
            elif f[0] == 'FX': lo[j] = up[j] = float(f[3])
    n, m = len(cols), len(rows)
    i, j, v = zip(*entries)
    A = sp.csr_matrix((v, (i, j)), shape=(m, n))
    c = np.asarray(A[0].todense()).ravel()
    b = np.array([rhs.get(r, 0.0) for r in range(m)])
    low = np.array([b[r] if kind[r] in 'GE' else -np.inf for r in range(m)])
    upp = np.array([b[r] if kind[r] in 'LE' else np.inf for r in range(m)])
    return c, A, low, upp, [lo.get(k, 0.0) for k in range(n)], [up.get(k, np.inf) for k in range(n)], [int(k in integer) for k in range(n)]


def main():
    import scipy.optimize as so
    c, A, low, upp, lo, up, integer = program(sys.argv[1])
    start = time.process_time()
    most = int(start + float(sys.argv[2])) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    res = so.milp(c, constraints=so.LinearConstraint(A[1:], low[1:], upp[1:]), bounds=so.Bounds(lo, up), integrality=integer, options={"mip_rel_gap": 0})
    print({0: "optimal", 2: "infeasible"}.get(res.status, "none"), res.fun if res.status == 0 else 0.0, time.process_time() - start)


if __name__ == "__main__":
    main()

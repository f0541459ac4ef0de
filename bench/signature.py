"""bench/signature.py VOUCH LIST.. [--lp FOLDER].. [--mip FOLDER].. [--table FILE]

One number for all that the solvers do: status, value, bound, nodes and iterations of every line of the lists of bench/, the bytes
of the policies found, and the same of the programs in folders of MPS files. A change that means to leave results alone leaves it alone; one
that changes them says so in its commit, with the numbers before and after. No time limit is set, so that the number does not depend on the machine's
load, and the oldest kernels of BLAS and of the C library are asked for, so that last digits do not depend on its processor; integer
programs are given 100 nodes. --table writes what went into it, a line a run, for diff.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile

KERNELS = {"OPENBLAS_CORETYPE": "Prescott", "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"}  # as in tests/work_aid.h
# What is run on a model of each list. Lists without a line here are run by the first.
RUNS = {
    "": [["--tie-break", "none"], []],
    "plan": [["--tie-break", "none"], [], ["--engine", "lp", "--tie-break", "none"], ["--method", "history"], ["--method", "greedy"], ["--method", "mdps-best"]],
    "exact": [["--method", "exact-ccl"]],
    "growth": [["--tie-break", "none"]],
}
RUN_FIRST = {"exact": 12}  # lines of a list that are run; the later ones take minutes


def models(path):
    """(arguments of vouch generate, L) of each line: `arguments L`, or `series;size;arguments;L`."""
    for line in open(path):
        line = line.split("#")[0].strip()
        if ";" in line:
            yield line.split(";")[2].split(), line.split(";")[3].strip()
        elif line:
            words = line.split()
            yield words[:-1], words[-1]


def answer(command, keys):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        found = json.loads(run.stdout)
    except ValueError:
        return "exit %d %s" % (run.returncode, run.stderr.strip().splitlines()[-1:])
    return "exit %d " % run.returncode + " ".join("%s=%s" % (k, found.get(k)) for k in keys)


def main():
    os.environ.update(KERNELS)
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("lists", nargs="*")
    arguments.add_argument("--lp", action="append", default=[])
    arguments.add_argument("--mip", action="append", default=[])
    arguments.add_argument("--table")
    a = arguments.parse_args()
    table = []
    with tempfile.TemporaryDirectory() as folder:
        model, policy = os.path.join(folder, "m.json"), os.path.join(folder, "p.json")
        for path in a.lists:
            name = os.path.splitext(os.path.basename(path))[0]
            for line in list(models(path))[: RUN_FIRST.get(name)]:
                parameters, L = line
                subprocess.run([a.vouch, "generate", *parameters, "-o", model], check=True, stderr=subprocess.DEVNULL)
                for options in RUNS.get(name, RUNS[""]):
                    if os.path.exists(policy):
                        os.remove(policy)
                    found = answer([a.vouch, "plan", model, "-L", L, "-q", "--json", "-o", policy, *options],
                                   ("status", "max_regret", "bound", "total_regret", "nodes", "iterations"))
                    rules = json.load(open(policy))["rules"] if os.path.exists(policy) else []
                    digest = hashlib.sha256(json.dumps(rules).encode()).hexdigest()[:12]
                    table.append(" ".join([name, *parameters, "-L", L, *options, ":", found, digest]))
        for kind, folders, options in (("lp", a.lp, []), ("mip", a.mip, ["--node-limit", "100"])):
            for directory in folders:
                for file in sorted(os.listdir(directory)):
                    if file.endswith((".mps", ".mps.gz", ".lp", ".lp.gz")):
                        found = answer([a.vouch, "lp", os.path.join(directory, file), "-q", "--json", *options],
                                       ("status", "objective", "bound", "nodes", "iterations"))
                        table.append(" ".join([kind, file, ":", found]))
    if a.table:
        with open(a.table, "w") as out:
            out.write("\n".join(table) + "\n")
    print("signature %s of %d runs" % (hashlib.sha256("\n".join(table).encode()).hexdigest()[:16], len(table)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

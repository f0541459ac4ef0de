"""bench/spread.py VOUCH LIST.. [--mpi VOUCH-MPI] [--workers 1,2,3,5] [--random N] [--most SECONDS]

Are output, tree, journal and proof the same bytes for every number of workers, of threads and of processes of MPI? On the lines of lists
of bench/ and on random searches of more than 1 000 nodes. Prints a line for each model and what differs.
"""
import argparse
import filecmp
import os
import subprocess
import sys
import tempfile

from signature import models

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]


def run(command, folder, name, proof, journal):
    """Runs the plan and leaves its files in folder/name.*; the files' endings."""
    files = ["out", "json"] + (["vproof"] if proof else ["tree"]) + (["journal"] if journal else [])
    at = {f: os.path.join(folder, name + "." + f) for f in files}
    options = ["-q", "-o", at["json"]] + (["--proof", at["vproof"]] if proof else ["--log-tree", at["tree"]])
    if journal:
        options += ["--journal", at["journal"]]
    with open(at["out"], "w") as out:
        subprocess.run(command + options, stdout=out, stderr=subprocess.DEVNULL)
    return files


def random_searches(vouch, wanted, folder):
    """Models of searches of more than 1 000 nodes, found by trying seeds."""
    seed = 0
    while wanted > 0:
        seed += 1
        parameters = ["random", "--states", "15", "--actions", "3", "--environments", "3", "-T", "6", "-p", "0.2", "--seed", str(seed)]
        model = os.path.join(folder, "try.json")
        subprocess.run([vouch, "generate", *parameters, "-o", model], check=True, stderr=subprocess.DEVNULL)
        found = subprocess.run([vouch, "plan", model, "-L", "1", "-q", "--window", "16", "--workers", "0", "--tie-break", "none"], stdout=subprocess.PIPE, text=True)
        last = found.stdout.strip().splitlines()[-1:] or [""]
        if last[0].startswith("nodes ") and int(last[0].split()[1].strip(",")) > 1000:
            wanted -= 1
            yield parameters, "1"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("lists", nargs="*")
    arguments.add_argument("--mpi")
    arguments.add_argument("--workers", default="1,2,3,5")
    arguments.add_argument("--random", type=int, default=0)
    a = arguments.parse_args()
    bad = runs = searches = 0
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")

        def lines():
            for path in a.lists:
                yield from models(path)
            yield from random_searches(a.vouch, a.random, folder)

        for parameters, L in lines():
            subprocess.run([a.vouch, "generate", *parameters, "-o", model], check=True, stderr=subprocess.DEVNULL)
            plan = ["plan", model, "-L", L, "--window", "16", "--tie-break", "none"]
            differ = []
            searches += 1
            for proof in (False, True):
                files = run([a.vouch, *plan, "--workers", "0"], folder, "0", proof, True)
                others = [("workers " + n, [a.vouch, *plan, "--workers", n], True) for n in a.workers.split(",")]
                others += [("threads 2", [a.vouch, *plan, "--threads", "2", "--workers", "0"], True)]
                if a.mpi:
                    others += [("mpi " + n, [*MPIRUN, n, a.mpi, *plan], False) for n in a.workers.split(",")]
                for name, command, journal in others:
                    made = run(command, folder, "1", proof, journal)
                    runs += 1
                    differ += ["%s %s" % (name, f) for f in files if f in made and not filecmp.cmp(os.path.join(folder, "0." + f), os.path.join(folder, "1." + f), False)]
            bad += bool(differ)
            print("%-9s %s -L %s" % ("differs" if differ else "same", " ".join(parameters), L), "; ".join(differ), flush=True)
    print("%d models, %d runs compared, %d models differ" % (searches, runs, bad))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

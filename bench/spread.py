"""bench/spread.py VOUCH [LIST..] [--random N] [--sweep] [--waits] [--mpi VOUCH-MPI] [--workers 1,2,3,5] [--nodes N] [--grain N] [--most SECONDS] [--plain]

Are output, tree, journal and proof the same bytes for every number of workers, of threads and of processes of MPI? On the lines of lists
of bench/, on random searches of more than 1 000 nodes, and on a sweep of 500 cells, whole and in shards. One run works all tasks out in parts. Prints a line for each and what
differs. Searches end after --nodes nodes, wherever they are then; a model whose first search takes longer than --most seconds is left
out, and counted; --plain leaves proofs out.

--waits: what a search of more than 10 000 nodes asks of two workers: the share of their time in which they wait, of several runs, since
whatever else the machine does counts as waiting, and the most memory that one of them has used after 1 000 nodes and at the end.
"""
import argparse
import filecmp
import os
import random
import re
import subprocess
import sys
import tempfile

from signature import models

MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
LONG = 1000  # nodes of a search that counts as long
WAITS = (["t-maze", "--size", "5,2,2,3", "-T", "13"], "2")
SWEEP = ["t-maze", "--vary", "slip=0.5:0.98:0.02", "--vary", "p=0.55:1:0.05", "--vary", "L=0,1", "-m", "milp-ccl"]
SHARDS = 5


def generate(vouch, parameters, model):
    subprocess.run([vouch, "generate", *parameters, "-o", model], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(command, folder, name, proof, journal):
    """Runs the plan and leaves its files in folder/name.*; the files' endings."""
    files = ["out", "json"] + (["vproof"] if proof else ["tree"]) + (["journal"] if journal else [])
    at = {f: os.path.join(folder, name + "." + f) for f in files}
    for path in at.values():
        if os.path.exists(path):
            os.remove(path)
    options = ["-q", "-o", at["json"]] + (["--proof", at["vproof"]] if proof else ["--log-tree", at["tree"]])
    if journal:
        options += ["--journal", at["journal"]]
    with open(at["out"], "w") as out:
        subprocess.run(command + options, stdout=out, stderr=subprocess.DEVNULL)
    return files


def same(folder, one, other):
    one, other = os.path.join(folder, one), os.path.join(folder, other)
    return os.path.exists(one) == os.path.exists(other) and (not os.path.exists(one) or filecmp.cmp(one, other, False))


def nodes_of(folder):
    found = re.search(r"^nodes (\d+)", open(os.path.join(folder, "0.out")).read(), re.M)
    return int(found.group(1)) if found else 0


def random_models(draw):
    """Parameters of models, many of which are searched long."""
    while True:
        p = "%.2f" % draw.uniform(0.1, 0.4)
        if draw.random() < 0.5:
            yield ["t-maze", "--size", "4,2,2,3", "-T", "12", "-p", "%.2f" % draw.uniform(0.05, 0.7), "--slip", "%.2f" % draw.uniform(0.6, 0.82)], draw.choice("12")
        else:
            size = ["--states", str(draw.choice([10, 15, 18])), "--actions", str(draw.choice([3, 4])), "--environments", "3", "-T", str(draw.choice([5, 6, 7]))]
            yield ["random", *size, "-p", p, "--seed", str(draw.randrange(10000))], draw.choice("01")


class Comparison:
    def __init__(self, a, folder):
        self.a, self.folder, self.bad, self.runs, self.models, self.left_out = a, folder, 0, 0, 0, 0

    def others(self, plan):
        numbers = self.a.workers.split(",")
        yield from (("workers " + n, [self.a.vouch, *plan, "--workers", n], True) for n in numbers)
        yield "threads 2", [self.a.vouch, *plan, "--threads", "2", "--workers", "0"], True
        if self.a.mpi:
            yield from (("mpi " + n, [*MPIRUN, n, self.a.mpi, *plan], False) for n in numbers)

    def tell(self, differ, what):
        self.bad += bool(differ)
        self.models += 1
        print("%-8s %s" % ("differs" if differ else "same", what), "; ".join(differ), flush=True)

    def search(self, parameters, L, least):
        """Is it longer than `least` nodes? Then it is compared."""
        model, differ, nodes = os.path.join(self.folder, "m.json"), [], 0
        generate(self.a.vouch, parameters, model)
        plan = ["plan", model, "-L", L, "--window", "16", "--grain", str(self.a.grain), "--tie-break", "none"] + (["--node-limit", str(self.a.nodes)] if self.a.nodes else [])
        for proof in (False,) if self.a.plain else (False, True):
            first = [self.a.vouch, *plan, "--workers", "0"]
            try:
                if not proof and self.a.most:
                    subprocess.run([*first, "-q"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=self.a.most)
            except subprocess.TimeoutExpired:
                self.left_out += 1
                return False
            files = run(first, self.folder, "0", proof, True)
            nodes = nodes if proof else nodes_of(self.folder)
            if nodes <= least:
                return False
            for name, command, journal in self.others(plan):
                made = run(command, self.folder, "1", proof, journal)
                self.runs += 1
                differ += ["%s %s" % (name, f) for f in files if f in made and not same(self.folder, "0." + f, "1." + f)]
        self.tell(differ, "%s -L %s (%d nodes)" % (" ".join(parameters), L, nodes))
        return True

    def sweep(self):
        """The sweep's rows and table by one process, by several, in shards and by MPI."""
        a, differ = self.a, []

        def rows(name, command):
            with open(os.path.join(self.folder, name + ".table"), "w") as out:
                subprocess.run(command + ["-q", "--csv", os.path.join(self.folder, name + ".csv")], stdout=out, stderr=subprocess.DEVNULL)

        def compare(name):
            self.runs += 1
            return ["%s %s" % (name, f) for f in ("csv", "table") if not same(self.folder, "s0." + f, "s1." + f)]

        sweep = [a.vouch, "sweep", *SWEEP]
        rows("s0", sweep + ["--workers", "0"])
        for name, command in [("workers " + n, sweep + ["--workers", n]) for n in a.workers.split(",")] + [
            ("mpi " + n, [*MPIRUN, n, a.mpi, *sweep[1:]]) for n in a.workers.split(",") if a.mpi]:
            rows("s1", command)
            differ += compare(name)
        for i in range(1, SHARDS + 1):
            rows("shard%d" % i, sweep + ["--shard", "%d/%d" % (i, SHARDS)])
        parts = [os.path.join(self.folder, "shard%d.csv" % i) for i in range(1, SHARDS + 1)]
        rows("s1", sweep[:3] + sweep[3:] + ["--merge", *parts])
        differ += compare("%d shards" % SHARDS)
        cells = sum(1 for _ in open(os.path.join(self.folder, "s0.csv"))) - 1
        self.tell(differ, "sweep of %d cells" % cells)


def waits(vouch, grain, folder):
    model = os.path.join(folder, "m.json")
    generate(vouch, WAITS[0], model)
    plan = [vouch, "plan", model, "-L", WAITS[1], "--tie-break", "none", "--workers", "2", "--grain", str(grain), "-v"]
    for window in 8, 16, 64:
        for limit in 1000, 0, 0, 0:
            options = ["--window", str(window)] + (["--node-limit", str(limit)] if limit else [])
            done = subprocess.run(plan + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            lines = re.findall(r"^worker .*: (\d+) tasks(?: and \d+ parts)? in (\S+) s, (\S+) % waiting, (\S+) MB", done.stderr, re.M)
            long = sorted(lines, key=lambda line: int(line[0]))[-2:]  # those of the longest search of the plan
            nodes = re.search(r"^nodes (\d+)", done.stdout, re.M).group(1)
            print("window %2d, %5s nodes: waited %s %%, memory %s MB, load %.1f" % (
                window, nodes, " and ".join(w[2] for w in long), " and ".join(w[3] for w in long), os.getloadavg()[0]), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("lists", nargs="*")
    arguments.add_argument("--mpi")
    arguments.add_argument("--workers", default="1,2,3,5")
    arguments.add_argument("--random", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--nodes", type=int, default=0)
    arguments.add_argument("--grain", type=int, default=1)
    arguments.add_argument("--most", type=float, default=0)
    arguments.add_argument("--plain", action="store_true")
    arguments.add_argument("--sweep", action="store_true")
    arguments.add_argument("--waits", action="store_true")
    a = arguments.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if a.waits:
            waits(a.vouch, a.grain, folder)
        c = Comparison(a, folder)
        for path in a.lists:
            for parameters, L in models(path):
                c.search(parameters, L, -1)
        found, drawn = 0, random_models(random.Random(a.seed))
        while found < a.random:
            found += c.search(*next(drawn), LONG)
        if a.sweep:
            c.sweep()
    print("%d compared in %d runs, %d differ; %d left out" % (c.models, c.runs, c.bad, c.left_out))
    return c.bad > 0


if __name__ == "__main__":
    sys.exit(main())

"""bench/kills.py VOUCH [--kills 100] [--stops 30] [--damaged 20] [--mpi VOUCH-MPI] [--seed S]

Do runs that are disturbed end with the bytes of one that is not? Of a search and its tree, of a search with its proof and of a sweep:
--kills: so many workers are killed, one after the other at random moments, by as many runs as it takes; each run that ends is compared.
--stops: the whole run is killed so often at random moments and gone on with from its journal, every other time under mpirun where
    --mpi is given; where it ends it is compared and begun anew.
--damaged: its journal is cut off at a random byte, or a random bit of it is flipped, and a run goes on from what is left.
All that is written is compared: answer, policy or table, tree or proof, and the journal. Prints a line for each kind, and what differs.
"""
import argparse
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from spread import MPIRUN, generate

LONG = ["t-maze", "--size", "4,2,2,3", "-T", "12", "-p", "0.08"]
PROVED = ["random", "--states", "12", "--actions", "3", "--environments", "4", "-T", "6", "-p", "0.25", "--seed", "1"]
# name, parameters of the model, command, options and the endings of what they write
RUNS = [
    ("search", LONG, "plan", ["-L", "1", "--tie-break", "none"], [("-o", "json"), ("--log-tree", "tree")]),
    ("proof", PROVED, "plan", ["--tie-break", "none"], [("-o", "json"), ("--proof", "vproof")]),
    ("sweep", ["t-maze"], "sweep", ["--vary", "L=0:3", "--vary", "p=0.3:0.6:0.05", "-m", "milp-ccl,milp-ccil,greedy"], [("--csv", "csv")]),
]


def about(process):
    """Its state and its parent; None: it is gone."""
    try:
        with open("/proc/%d/stat" % process) as stat:
            state, parent = stat.read().rsplit(")", 1)[1].split()[:2]
            return state, int(parent)
    except OSError:
        return None


def children(parent):
    return [p for p in map(int, filter(str.isdigit, os.listdir("/proc"))) if (about(p) or ("", 0))[1] == parent]


def end(process):
    """Kills it and all below it: mpirun alone would leave its processes for a while."""
    family = [process.pid]
    for member in family:
        family += children(member)
    for member in family:
        try:
            os.kill(member, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()
    while any((about(member) or "Z")[0] != "Z" for member in family):
        time.sleep(0.01)  # those that are not our children hold the journal until they are gone


class Run:
    """One command in its folder, and what it writes undisturbed."""

    def __init__(self, a, folder, name, parameters, command, options, files):
        self.a, self.folder, self.name, self.files = a, folder, name, files
        self.model, self.draw, self.differ, self.compared = self.at("model.json"), random.Random(a.seed), [], 0
        self.words = [command, self.model, *options, "-q"]
        generate(a.vouch, parameters, self.model)
        began = time.monotonic()
        self.wait(self.start("0", ["--workers", "2"], "--journal"))
        self.seconds = time.monotonic() - began

    def at(self, file):
        return os.path.join(self.folder, file)

    def start(self, name, workers, journal, mpi=False):
        outputs = [word for option, ending in self.files for word in (option, self.at(name + "." + ending))]
        program = [*MPIRUN, "3", self.a.mpi] if mpi else [self.a.vouch]
        with open(self.at(name + ".out"), "w") as out:
            return subprocess.Popen(program + self.words + ([] if mpi else workers) + outputs + [journal, self.at(name + ".journal")],
                                    stdout=out, stderr=subprocess.DEVNULL)

    @staticmethod
    def wait(process):
        if process.wait() != 0:
            sys.exit("a run ended with status %d" % process.returncode)

    def compare(self, what):
        self.compared += 1
        for ending in ["out", "journal"] + [e for _, e in self.files]:
            one, other = self.at("0." + ending), self.at("1." + ending)
            if not filecmp.cmp(one, other, False):
                self.differ.append("%s %s" % (what, ending))

    def forget(self):
        for ending in ["out", "journal"] + [e for _, e in self.files]:
            if os.path.exists(self.at("1." + ending)):
                os.remove(self.at("1." + ending))

    def kill_workers(self, left):
        while left > 0:
            self.forget()
            process = self.start("1", ["--workers", "2"], "--journal")
            while process.poll() is None and left > 0:
                time.sleep(self.draw.uniform(0, 0.4 * self.seconds))
                workers = children(process.pid)
                if workers and process.poll() is None:
                    try:
                        os.kill(self.draw.choice(workers), signal.SIGKILL)
                        left -= 1
                    except ProcessLookupError:
                        pass  # it has ended meanwhile
            self.wait(process)
            self.compare("workers killed")

    def stop(self, left):
        self.forget()
        while left > 0:
            process = self.start("1", ["--workers", str(left % 3)], "--resume", bool(self.a.mpi) and left % 2 == 0)
            try:
                self.wait(self.until(process, self.draw.uniform(0, 0.7 * self.seconds)))
                self.compare("stopped")
                self.forget()
            except subprocess.TimeoutExpired:
                end(process)
                left -= 1
        self.wait(self.start("1", ["--workers", "2"], "--resume"))
        self.compare("stopped")

    @staticmethod
    def until(process, seconds):
        process.wait(seconds)
        return process

    def damage(self, count):
        for i in range(count):
            shutil.copy(self.at("0.journal"), self.at("1.journal"))
            with open(self.at("1.journal"), "r+b") as journal:
                size = journal.seek(0, os.SEEK_END)
                byte = self.draw.randrange(size)
                if i % 2:
                    journal.truncate(byte)
                else:
                    journal.seek(byte)
                    flipped = bytes([journal.read(1)[0] ^ 1 << self.draw.randrange(8)])
                    journal.seek(byte)
                    journal.write(flipped)
            self.wait(self.start("1", ["--workers", str(i % 3)], "--resume"))
            self.compare("cut off" if i % 2 else "damaged")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("--kills", type=int, default=100)
    arguments.add_argument("--stops", type=int, default=30)
    arguments.add_argument("--damaged", type=int, default=20)
    arguments.add_argument("--mpi")
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    bad = 0
    for name, *rest in RUNS:
        with tempfile.TemporaryDirectory() as folder:
            run = Run(a, folder, name, *rest)
            run.kill_workers(a.kills)
            run.stop(a.stops)
            run.damage(a.damaged)
        print("%-8s %-7s %d workers killed, %d runs stopped, %d journals damaged; %d runs compared  %s" % (
            "differs" if run.differ else "same", name, a.kills, a.stops, a.damaged, run.compared, "; ".join(run.differ)), flush=True)
        bad += bool(run.differ)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

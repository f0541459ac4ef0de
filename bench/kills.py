"""bench/kills.py VOUCH [--kills 100] [--stops 30] [--damaged 20] [--drawn 10] [--mpi VOUCH-MPI] [--seed S]

Do runs that are disturbed end with the bytes of one that is not? Of a search and its tree, of a search with its proof, of a sweep, and of
--drawn searches with models, windows and limits drawn at random, most of them races of several levels:
--kills: so many workers are killed, one after the other at random moments, by as many runs as it takes; each run that ends is compared.
--stops: the whole run is stopped so often, three times of four by SIGKILL once its journal has a drawn number of bytes, else by SIGINT or a limit
    of time, and gone on with from its journal with other workers or threads, every other time under mpirun where --mpi is given; where it
    ends it is compared and begun anew. Records worked out again are those that the journal has more of than the one of a run that was
    not stopped; beside them a stopped run loses what was under way, at most --window nodes. (An interrupt keeps answers behind one that
    it does not wait for, so that records change places; a limit of time shapes what the search does, and other records may be made.)
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


# Of a journal: its head, and the mark that each record begins with.
HEAD, RECORD = 88, b"vuhlink1"
# Seconds of a drawn search, at most.
LONGEST = 8


def draw_search(draw):
    """Like a line of RUNS: a race of levels two times of three."""
    if draw.randrange(3):
        model = ["machine-repair", "--environments", str(draw.randint(8, 10)), "-T", str(draw.randint(9, 10)), "--seed", str(draw.randrange(1000))]
        options = ["-L", "0"]
    else:
        model = ["t-maze", "--size", "4,%d,2,3" % draw.randint(1, 2), "-T", str(draw.randint(9, 11)), "-p", "0.08"]
        options = ["-L", str(draw.randint(0, 1))]
    options += ["--window", str(draw.randint(1, 12)), "--grain", str(draw.choice([1, 1, 3]))]
    options += draw.choice([["--tie-break", "none"], []])
    options += draw.choice([[], ["--node-limit", str(draw.randint(150, 600))], ["--time-limit", "900"]])
    return "drawn", model, "plan", options, [("-o", "json"), draw.choice([("--log-tree", "tree"), ("--proof", "vproof")])]


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
        self.search = command == "plan"
        generate(a.vouch, parameters, self.model)
        began = time.monotonic()
        self.code = None
        first = self.start("0", ["--workers", "2"], "--journal")
        try:
            self.code = first.wait(LONGEST if name == "drawn" else None)
        except subprocess.TimeoutExpired:
            end(first)
        if self.code not in (0, 3):
            self.records = []
            return
        self.seconds = time.monotonic() - began
        self.records, self.again, self.killed = self.read_records("0"), 0, 0

    def read_records(self, name):
        with open(self.at(name + ".journal"), "rb") as journal:
            return sorted(journal.read()[HEAD:].split(RECORD)[1:])

    def at(self, file):
        return os.path.join(self.folder, file)

    def start(self, name, workers, journal, mpi=False):
        outputs = [word for option, ending in self.files for word in (option, self.at(name + "." + ending))]
        program = [*MPIRUN, "3", self.a.mpi] if mpi else [self.a.vouch]
        with open(self.at(name + ".out"), "w") as out:
            return subprocess.Popen(program + self.words + ([] if mpi else workers) + outputs + [journal, self.at(name + ".journal")],
                                    stdout=out, stderr=subprocess.DEVNULL)

    def wait(self, process):
        code = process.wait()
        if code not in (0, 3) or (self.code is not None and code != self.code):
            sys.exit("a run ended with status %d: %s" % (code, " ".join(process.args)))
        return code

    def compare(self, what, journal=True):
        self.compared += 1
        for ending in ["out"] + ["journal"] * journal + [e for _, e in self.files]:
            one, other = self.at("0." + ending), self.at("1." + ending)
            if not filecmp.cmp(one, other, False):
                self.differ.append("%s %s" % (what, ending))

    def forget(self, name="1"):
        for ending in ["out", "journal"] + [e for _, e in self.files]:
            if os.path.exists(self.at(name + "." + ending)):
                os.remove(self.at(name + "." + ending))

    def kill_workers(self, left):
        """Returns how many: a short search may have none for long."""
        wanted, runs = left, 0
        while left > 0 and runs < 5 * wanted:
            runs += 1
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
        return wanted - left

    def stop(self, left):
        size = os.path.getsize(self.at("0.journal"))
        kinds = ["kill"] * 6 + (["interrupt"] if self.search else []) + (["limit"] if self.search and "--time-limit" not in self.words else [])
        while left > 0:
            self.forget()
            seen, stopped = set(), True
            while stopped:
                how = self.draw.choice(kinds) if left > 0 else None
                sharing = self.draw.choice([["--workers", "0"], ["--workers", "1"], ["--workers", "2"], ["--threads", "2"]])
                if how == "limit":
                    sharing = sharing + ["--time-limit", "%.3f" % self.draw.uniform(0.1, self.seconds)]
                process = self.start("1", sharing, "--resume", bool(self.a.mpi) and left % 2 == 0)
                stopped = self.stop_at(process, how, self.draw.randrange(HEAD, size))
                left -= stopped
                seen.add(how if stopped else None)
            self.compare("stopped", journal=seen <= {"kill", None})
            if "limit" not in seen:
                now = self.read_records("1")
                self.again = max(self.again, len(now) - len(self.records))
                if now != self.records:
                    self.differ.append("stopped records")

    def stop_at(self, process, how, size):
        """Was the run stopped before its end?"""
        journal = self.at("1.journal")
        while how in ("kill", "interrupt") and process.poll() is None:
            if os.path.exists(journal) and os.path.getsize(journal) >= size:
                if how == "kill":
                    end(process)
                    self.killed += 1
                    return True
                process.send_signal(signal.SIGINT)
                break
            time.sleep(0.002)
        code = process.wait()
        if code != self.code and how not in ("interrupt", "limit"):
            sys.exit("a run ended with status %d: %s" % (code, " ".join(process.args)))
        return code != self.code or how == "limit"

    def damage(self, count):
        for i in range(count):
            shutil.copy(self.at("0.journal"), self.at("1.journal"))
            with open(self.at("1.journal"), "r+b") as journal:
                size = journal.seek(0, os.SEEK_END)
                byte = self.draw.randrange(16 if i % 2 else 0, size)  # with less of its title it is no journal
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
    arguments.add_argument("--drawn", type=int, default=10)
    arguments.add_argument("--mpi")
    arguments.add_argument("--seed", type=int, default=1)
    a = arguments.parse_args()
    bad, draw = 0, random.Random(a.seed)
    runs = RUNS + [None] * a.drawn
    for line in runs:
        run, folder = None, tempfile.TemporaryDirectory()
        while run is None or len(run.records) < 10:  # others are over before anything can be stopped, or take too long
            line_drawn = line or draw_search(draw)
            if run:
                run.forget("0")
            run = Run(a, folder.name, *line_drawn)
        killed = run.kill_workers(a.kills)
        run.stop(a.stops)
        run.damage(a.damaged)
        folder.cleanup()
        wrong = bool(run.differ) or run.again > 0
        print("%-7s %-6s %4d records; %d workers killed, %d runs killed, %d interrupted or ended by a limit (%d records worked out again), "
              "%d journals damaged; %d runs compared  %s%s" % (
                  "differs" if wrong else "same", run.name, len(run.records), killed, run.killed, a.stops - run.killed, run.again, a.damaged,
                  run.compared, "" if line else " ".join(line_drawn[1] + line_drawn[3]), "; ".join(run.differ)), flush=True)
        bad += wrong
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())

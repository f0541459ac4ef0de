"""bench/binding.py VOUCH [--draws N] [--seed N] [--limit SECONDS] [--at-most K,T,L] [--only I,J..] [--list] [--check] [-- OPTIONS OF PLAN]

Mazes whose promise binds, drawn at random: `vouch generate t-maze` with h in 3..6 cells before the junction, u in 1..4 above and d in
1..2 below it, K in 2..4 environments (no more than h), horizon h+d+3 .. h+d+8, p and slip as below, L in 0..4. Each is planned
with --tie-break none and interrupted after so many processor seconds. Prints the distribution of processor seconds, and what was
not proved with its value and bound. --check: each proof written and verified, with the largest ratio of the checker's time to the
plan's; one that shows less than the plan does is named.
"""
import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

PROMISES = (.05, .1, .2, .3, .4, .5, .6, .8, .9)
SLIPS = (.5, .7, .8, .9)
TICK = os.sysconf("SC_CLK_TCK")
GAP = 1e-4  # of plan, where there is no --gap
BINS = (.01, .03, .1, .3, 1, 3, 10, 30, 100)


def drawn(draws, seed, most=(9, 99, 9)):
    draw = random.Random(seed)
    while draws > 0:
        h, u, d = draw.randint(3, 6), draw.randint(1, 4), draw.randint(1, 2)
        K, T = draw.randint(2, min(4, h)), h + d + draw.randint(3, 8)
        p, slip, L = draw.choice(PROMISES), draw.choice(SLIPS), draw.randint(0, 4)
        if any(value > limit for value, limit in zip((K, T, L), most)):
            continue
        draws -= 1
        yield ["t-maze", "--size", f"{h},{u},{d},{K}", "-T", str(T), "-p", str(p), "--slip", str(slip)], str(L)


def spent(process):
    """Processor seconds so far of a process that has not been waited for."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def measured(command, limit):
    """The answer, its processor seconds, and the most memory of the process in MB; interrupted at the limit."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        told = False
        while True:
            done, _, used = os.wait4(process.pid, os.WNOHANG)
            if done:
                break
            if not told and spent(process) > limit:
                process.send_signal(signal.SIGINT)
                told = True
            time.sleep(.01)
        process.returncode = 0
        out.seek(0)
        return json.load(out), used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def plan(command, limit):
    """The answer and its processor seconds."""
    return measured(command, limit)[:2]


class Checks:
    """Proofs of answers, and whether vouch-check finds that they show what the answers say, but for the gap."""

    def __init__(self, vouch, folder):
        self.vouch, self.proof, self.ratios, self.refused = vouch, os.path.join(folder, "model.vproof"), [], []

    def check(self, number, command, limit, seconds):
        """command: of the plan, which took so long; its answer is closed."""
        answer, _ = plan([*command, "--proof", self.proof], limit)
        gap = float(command[command.index("--gap") + 1]) if "--gap" in command else GAP
        with tempfile.TemporaryFile("w+") as out:
            process = subprocess.Popen([self.vouch + "-check", command[2], self.proof], stdout=out, stderr=subprocess.STDOUT)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            words = out.read()
        claim = re.search(r"regret <= (\S+), >= ([^\s;]+)", words)
        shown = float(claim[1]) - float(claim[2]) <= gap * (1 + 1e-6) if claim else answer["status"] == "infeasible" and "verified: no policy" in words
        if process.returncode or not shown:
            self.refused.append("%d (%s)" % (number, words.strip()))
        self.ratios.append(((used.ru_utime + used.ru_stime) / seconds, number, seconds))

    def tell(self):
        if not self.ratios:
            return
        ratio, number, seconds = max(self.ratios)
        print("%d of %d proofs show what the plan does; check / plan: at most %.1f (%d: plan %.2f s)" % (
            len(self.ratios) - len(self.refused), len(self.ratios), ratio, number, seconds))
        for words in self.refused:
            print("not shown: " + words)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--draws", type=int, default=300)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--limit", type=float, default=10)
    arguments.add_argument("--at-most", type=lambda text: [int(i) for i in text.split(",")], default=(), metavar="K,T,L", help="draws with more are left out")
    arguments.add_argument("--only", type=lambda text: [int(i) for i in text.split(",")], help="numbers of draws, from 0")
    arguments.add_argument("--list", action="store_true", help="a line for each draw")
    arguments.add_argument("--check", action="store_true", help="proofs, too")
    arguments.add_argument("options", nargs="*", help="of plan")
    a = arguments.parse_intermixed_args()
    seconds, proved = [], 0
    with tempfile.TemporaryDirectory() as folder:
        model, checks = os.path.join(folder, "model.json"), Checks(a.vouch, folder)
        for i, (line, L) in enumerate(drawn(a.draws, a.seed, a.at_most)):
            if a.only and i not in a.only:
                continue
            subprocess.run([a.vouch, "generate", *line, "-o", model], check=True, stderr=subprocess.DEVNULL)
            command = [a.vouch, "plan", model, "-L", L, "--tie-break", "none", "-q", "--json", *a.options]
            answer, took = plan(command, a.limit)
            ended = answer["status"] in ("optimal", "infeasible") and took <= a.limit
            seconds.append(took if ended else float("inf"))
            proved += ended
            if ended and a.check:
                checks.check(i, command, 10 * a.limit, took)
            if a.list or not ended:
                figures = "%s, value %s, bound %s, %s nodes" % tuple(answer[k] for k in ("status", "max_regret", "bound", "nodes"))
                print("%3d %7.2f s  %s -L %s: %s" % (i, took, " ".join(line), L, figures), flush=True)
    checks.tell()
    before = 0
    for most in (*[b for b in BINS if b < a.limit], a.limit):
        within = sum(s <= most for s in seconds)
        print("%8g s: %3d  (%d)" % (most, within, within - before))
        before = within
    print("%d of %d proved within %g processor seconds each" % (proved, len(seconds), a.limit))
    return 0


if __name__ == "__main__":
    sys.exit(main())

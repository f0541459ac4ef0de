"""bench/weighted.py VOUCH [--seeds N] [--horizon T] [--objective O] [-L N]

Processor seconds of the weighted value without promises (the multi-model MDP of Steimle, Kaufman and Denton) on random dense models of the sizes
of Buchholz and Scheftelowitsch (2019): for each size how many of the seeds 1 .. N were proved, the median and the worst, and the median of all.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import tempfile

SIZES = [(2, 2, 2), (3, 3, 3), (2, 5, 2), (10, 5, 2), (2, 10, 3), (2, 10, 10), (5, 5, 5)]  # environments, states, actions


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("--seeds", type=int, default=10)
    arguments.add_argument("--horizon", default="4")
    arguments.add_argument("--objective", default="weighted")
    arguments.add_argument("-L", default="0")
    a = arguments.parse_args()
    everything = []
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for K, S, A in SIZES:
            times, proved = [], 0
            for seed in range(1, a.seeds + 1):
                subprocess.run([a.vouch, "generate", "random-dense", "--environments", str(K), "--states", str(S), "--actions", str(A), "-T", a.horizon,
                                "-p", "0", "--seed", str(seed), "-o", model], check=True, stderr=subprocess.DEVNULL)
                before = seconds()
                run = subprocess.run([a.vouch, "plan", model, "-L", a.L, "--objective", a.objective, "--json", "-q"], stdout=subprocess.PIPE)
                times.append(seconds() - before)
                proved += json.loads(run.stdout)["status"] == "optimal"
            everything += times
            print("%2d environments, %2d states, %2d actions: %d of %d proved, median %.3f s, worst %.3f s"
                  % (K, S, A, proved, a.seeds, statistics.median(times), max(times)), flush=True)
    print("median of all %.3f s" % statistics.median(everything))


main()

#!/usr/bin/env python3
"""bench/steady.py VOUCH [--environments K,..] [--seeds N] [--limit SECONDS] [-- OPTIONS OF PLAN]

Does one seed take as long as another? Machine repair, T = 8, K = 1000, 2000, 3000, ten seeds each: a row for each plan with processor
seconds (interrupted after the limit), peak of memory and nodes; then for each K the dearest over the cheapest, and the most memory.
Needs 10 MB of disk space for a model at a time.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left beside the sources
from binding import measured


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--environments", type=lambda text: [int(K) for K in text.split(",")], default=[1000, 2000, 3000])
    arguments.add_argument("--seeds", type=int, default=10)
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("options", nargs="*", help="of plan")
    a = arguments.parse_args()
    steady = True
    print("    K seed  seconds      MB   nodes  regret      outcome")
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.json")
        for K in a.environments:
            rows = []
            for seed in range(1, a.seeds + 1):
                subprocess.run([a.vouch, "generate", "machine-repair", "--environments", str(K), "-T", "8", "--seed", str(seed), "-o", model, "-q"],
                               check=True, stderr=subprocess.DEVNULL)
                answer, seconds, memory = measured([a.vouch, "plan", model, "-L", "0", "-q", "--json", *a.options], a.limit)
                rows.append((seconds, memory))
                print("%5d %4d %8.2f %7.1f %7d  %-10.6g  %s" % (K, seed, seconds, memory, answer["nodes"], answer["max_regret"], answer["status"]), flush=True)
            seconds, memory = zip(*rows)
            steady &= max(seconds) <= 8 * min(seconds) and max(memory) <= 400
            print("K = %d: %.1f times between the cheapest and the dearest, at most %.1f MB" % (K, max(seconds) / min(seconds), max(memory)), flush=True)
    print("steady: at most 8 times, at most 400 MB" if steady else "NOT steady: more than 8 times, or more than 400 MB")
    return 0 if steady else 1


if __name__ == "__main__":
    sys.exit(main())

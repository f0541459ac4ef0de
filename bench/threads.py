#!/usr/bin/env python3
"""bench/threads.py VOUCH [--threads N] [--times N] [--only WORD] [--beside] [--mip FILE..]

What threads gain: searches of some ten seconds, among them ones whose nodes take some tenths of a millisecond, with one thread and
with N (2). A row for each: seconds of the clock, their ratio, that of processor seconds, and whether the output is the same but for
the time; the least of several times. For a quiet machine alone: others' work is in every figure. Two processors may be
slower together than one is alone: with --beside each run with one thread has a second one beside it, and the later end counts.
--mip: `vouch lp` on these files in the place of plans. Exit status 1 where an output differs.
"""
import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

# name, options of vouch plan, parameters of vouch generate
SEARCHES = [
    ("t-maze 6,3,3,5 T=18 L=0", "-L 0", "t-maze --size 6,3,3,5 -T 18"),
    ("t-maze 9,4,4,6 T=25 L=0", "-L 0", "t-maze --size 9,4,4,6 -T 25"),
    ("t-maze 8,4,4,6 T=24 L=0", "-L 0", "t-maze --size 8,4,4,6 -T 24"),
    ("t-maze 8,4,4,6 T=21 L=0", "-L 0", "t-maze --size 8,4,4,6 -T 21"),
    ("t-maze 5,3,3,5 T=16 L=1", "-L 1", "t-maze --size 5,3,3,5 -T 16"),
    ("t-maze 6,3,3,5 T=18 L=1", "-L 1", "t-maze --size 6,3,3,5 -T 18"),
    ("random S=20 T=8 L=1", "-L 1", "random --states 20 --actions 3 --environments 4 -T 8 -p 0.2 --seed 5"),
    ("repair K=8 T=12 L=0", "-L 0", "machine-repair --environments 8 -T 12 -p 0.8"),
    ("30000 short nodes", "-L 0 --without pairs --node-limit 30000", "t-maze --size 4,4,4,4 -T 15 -p 0.6"),
]


def run(command, copies=1):
    """Seconds of the clock, seconds of the processor for a copy, and the output without times."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(copies)]
    output = [process.communicate()[0] for process in runs][0]
    seconds, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / copies
    return seconds, used, re.sub(r"\d[\d.]* s(econds)?\b|\bseconds +[\d.]+", "", output)


def row(name, command, threads, times, beside):
    least, outputs = {}, set()
    for _ in range(times):
        for n in (1, threads):
            seconds, used, output = run(command + ["--threads", str(n)], 2 if beside and n == 1 else 1)
            outputs.add(output)
            old = least.get(n, (seconds, used))
            least[n] = (min(seconds, old[0]), min(used, old[1]))
    (one, one_used), (more, more_used) = least[1], least[threads]
    print("%-28s %8.2f %8.2f %6.2f %6.2f  %s" % (name, one, more, one / more, more_used / one_used, "same" if len(outputs) == 1 else "NOT THE SAME"), flush=True)
    return len(outputs) == 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vouch")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--beside", action="store_true")
    parser.add_argument("--mip", nargs="+", default=[])
    o = parser.parse_args()
    print("%-28s %8s %8s %6s %6s" % ("", "1 thread", "%d" % o.threads, "clock", "used"))
    same = True
    with tempfile.TemporaryDirectory() as folder:
        for name, options, parameters in [] if o.mip else SEARCHES:
            if o.only not in name:
                continue
            path = os.path.join(folder, "model.json")
            subprocess.run([o.vouch, "generate", *parameters.split(), "-o", path], check=True, stdout=subprocess.DEVNULL)
            same &= row(name, [o.vouch, "plan", path, *options.split()], o.threads, o.times, o.beside)
        for path in o.mip:
            same &= row(os.path.basename(path), [o.vouch, "lp", path], o.threads, o.times, o.beside)
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())

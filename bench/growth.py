"""bench/growth.py VOUCH LIST [--limit SECONDS] [--csv FILE] [--svg FILE]

Runs `vouch plan` (policy engine, maximum regret only) on each line of LIST ("series;size;model parameters;L") and prints whole-process seconds,
nodes and peak memory against size; --svg draws seconds and nodes with gnuplot.
"""
import argparse
import json
import os
import subprocess
import time

import series


def measure(command):
    """Seconds, peak kilobytes and the JSON of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss, json.loads(out)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("--csv")
    arguments.add_argument("--svg")
    a = arguments.parse_args()
    records = []
    print("%-24s %5s %10s %9s %12s %12s %9s  %s" % ("series", "size", "seconds", "nodes", "inductions", "max regret", "MB", "status"))
    for name, size, L, model in series.models(a.vouch, a.list):
        seconds, kilobytes, r = measure([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "--json", "--time-limit", str(a.limit)])
        records.append({"series": name, "size": float(size), "seconds": seconds, "nodes": r["nodes"], "mb": kilobytes / 1024, "status": r["status"]})
        print("%-24s %5s %10.3f %9d %12d %12.7g %9.1f  %s" % (name, size, seconds, r["nodes"], r["iterations"], r["max_regret"], kilobytes / 1024, r["status"]), flush=True)
    if a.csv:
        series.write_csv(records, {"series": '"%s"', "size": "%g", "seconds": "%.4f", "nodes": "%d", "mb": "%.1f", "status": "%s"}, a.csv)
    if a.svg:
        series.draw(records, [("seconds", "seconds", 1e-3), ("nodes", "nodes", 1)], "T or states", a.svg)


main()

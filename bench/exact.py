"""bench/exact.py VOUCH LIST [--limit SECONDS] [--restarts N] [--csv FILE] [--svg FILE]

Exact CCL on each line of LIST ("series;size;model parameters;L"): local search with N restarts and no early end, then the proof within the limit.
Prints the regret, how many descents ended there, the descent that found it first with its share of the work in seconds, the distinct ends,
and the boxes and seconds of the proof; --svg draws both times with gnuplot.
"""
import argparse
import json
import os
import re
import subprocess
import tempfile

import series

SAME = 1e-6
KEPT = 1e-9


def run(command):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return json.loads(process.stdout), process.stderr


def seconds_in(log, what):
    """The clock at the end of a stage, as logged."""
    found = re.search(what + r":.* ([0-9.]+) s$", log, re.M)
    return float(found.group(1)) if found else None


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=30)
    arguments.add_argument("--restarts", type=int, default=48)
    arguments.add_argument("--csv")
    arguments.add_argument("--svg")
    a = arguments.parse_args()
    records = []
    print("%-28s %4s %2s %11s %9s %6s %9s %6s %9s %8s %9s  %s" % ("series", "size", "L", "regret", "best of", "first", "best s", "ends", "gap", "boxes", "proof s", "status"))
    with tempfile.TemporaryDirectory() as folder:
        log_path = os.path.join(folder, "restarts.jsonl")
        for name, size, L, model in series.models(a.vouch, a.list):
            result, log = run([a.vouch, "plan", model, "--method", "exact-ccl", "-L", L, "--certify", "--restarts", str(a.restarts), "--json", "-vv",
                               "--time-limit", str(a.limit), "--log-restarts", log_path])
            restarts = [json.loads(r) for r in open(log_path)]
            kept = [r for r in restarts if r["shortfall"] <= KEPT]
            least = min((r["regret"] for r in kept), default=None)
            best = [r for r in kept if r["regret"] <= least + SAME * (1 + abs(least))]
            total = sum(r["work"] for r in restarts) or 1
            first = best[0]["restart"] if best else -1
            share = sum(r["work"] for r in restarts[:first + 1]) / total if best else 1
            local = seconds_in(log, "local search") or 0.0
            r = {"series": name, "size": float(size), "L": L, "regret": result["max_regret"], "best": len(best), "descents": len(restarts), "first": first,
                 "best_seconds": share * local, "ends": 1 + max(x["optimum"] for x in restarts), "gap": result["max_regret"] - result["bound"],
                 "boxes": result["nodes"], "proof_seconds": result["seconds"], "status": result["status"]}
            records.append(r)
            print("%-28s %4s %2s %11.7g %5d/%-3d %6s %9.4f %6d %9.2g %8d %9.3f  %s" % (
                name, size, L, r["regret"], r["best"], r["descents"], r["first"], r["best_seconds"], r["ends"], r["gap"], r["boxes"],
                r["proof_seconds"], r["status"]), flush=True)
    if a.csv:
        series.write_csv(records, {"series": '"%s"', "size": "%g", "L": "%s", "regret": "%.10g", "best": "%d", "descents": "%d", "first": "%d",
                                   "best_seconds": "%.5f", "ends": "%d", "gap": "%.3g", "boxes": "%d", "proof_seconds": "%.4f", "status": "%s"}, a.csv)
    if a.svg:
        series.draw(records, [("best_seconds", "seconds to the best value", 1e-4), ("proof_seconds", "seconds to the proof (or the limit)", 1e-4)],
                    "L, T, K or states", a.svg)


main()

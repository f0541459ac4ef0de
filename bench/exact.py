"""bench/exact.py VOUCH LIST [--limit SECONDS] [--restarts N] [--csv FILE] [--svg FILE]

Exact CCL on each line of LIST ("series;size;model parameters;L"): local search with N restarts and no early end, then the proof within the limit.
Prints the regret, how many descents ended there, the descent that found it first with its share of the work in seconds, the distinct ends,
and the boxes and seconds of the proof; --svg draws both times with gnuplot.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile

SAME = 1e-6
KEPT = 1e-9


def run(command):
    process = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return json.loads(process.stdout), process.stderr


def seconds_in(log, what):
    """The clock at the end of a stage, as logged."""
    found = re.search(what + r":.* ([0-9.]+) s$", log, re.M)
    return float(found.group(1)) if found else None


def draw(records, path):
    series = list(dict.fromkeys(r["series"] for r in records))
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(series):
            with open(os.path.join(folder, "%d.dat" % i), "w") as f:
                for r in records:
                    if r["series"] == name:
                        f.write("%g %g %g\n" % (r["size"], max(r["best_seconds"], 1e-4), max(r["proof_seconds"], 1e-4)))
        lines = ["set terminal svg size 1000,420 background '#ffffff'", "set output '%s'" % path, "set multiplot layout 1,2", "set logscale y",
                 "set grid", "set xlabel 'L, T, K or states'", "set key top left"]
        for column, label in ((2, "seconds to the best value"), (3, "seconds to the proof (or the limit)")):
            lines.append("set ylabel '%s'" % label)
            lines.append("plot " + ", ".join("'%s/%d.dat' using 1:%d with linespoints title '%s'" % (folder, i, column, n) for i, n in enumerate(series)))
        subprocess.run(["gnuplot"], input="\n".join(lines), text=True, check=True)


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
        model, log_path = os.path.join(folder, "m.json"), os.path.join(folder, "restarts.jsonl")
        for line in open(a.list):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            series, size, parameters, L = line.split(";")
            subprocess.run([a.vouch, "generate", *parameters.split(), "-o", model], check=True)
            result, log = run([a.vouch, "plan", model, "--method", "exact-ccl", "-L", L, "--certify", "--restarts", str(a.restarts), "--json", "-vv",
                               "--time-limit", str(a.limit), "--log-restarts", log_path])
            restarts = [json.loads(r) for r in open(log_path)]
            kept = [r for r in restarts if r["shortfall"] <= KEPT]
            least = min((r["regret"] for r in kept), default=None)
            best = [r for r in kept if r["regret"] <= least + SAME * (1 + abs(least))]
            total = sum(r["work"] for r in restarts) or 1
            first = best[0]["restart"] if best else None
            share = sum(r["work"] for r in restarts[:first + 1]) / total if best else 1
            local = seconds_in(log, "local search") or 0.0
            r = {"series": series, "size": float(size), "L": L, "regret": result["max_regret"], "best": len(best), "descents": len(restarts), "first": first,
                 "best_seconds": share * local, "ends": 1 + max(x["optimum"] for x in restarts), "gap": result["max_regret"] - result["bound"],
                 "boxes": result["nodes"], "proof_seconds": result["seconds"], "status": result["status"]}
            records.append(r)
            print("%-28s %4s %2s %11.7g %5d/%-3d %6s %9.4f %6d %9.2g %8d %9.3f  %s" % (
                series, size, L, r["regret"], r["best"], r["descents"], r["first"], r["best_seconds"], r["ends"], r["gap"], r["boxes"],
                r["proof_seconds"], r["status"]), flush=True)
    if a.csv:
        with open(a.csv, "w") as f:
            f.write("series,size,L,regret,best,descents,first,best_seconds,ends,gap,boxes,proof_seconds,status\n")
            for r in records:
                f.write('"%s",%g,%s,%.10g,%d,%d,%s,%.5f,%d,%.3g,%d,%.4f,%s\n' % tuple(r[k] for k in (
                    "series", "size", "L", "regret", "best", "descents", "first", "best_seconds", "ends", "gap", "boxes", "proof_seconds", "status")))
    if a.svg:
        if shutil.which("gnuplot"):
            draw(records, a.svg)
        else:
            print("no plot: gnuplot is not installed (Debian package gnuplot-nox)")


main()

"""bench/growth.py VOUCH LIST [--limit SECONDS] [--csv FILE] [--svg FILE]

Runs `vouch plan` (policy engine, maximum regret only) on each line of LIST ("series;size;model parameters;L") and prints whole-process seconds,
nodes and peak memory against size; --svg draws seconds and nodes with gnuplot.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time


def measure(command):
    """Seconds, peak kilobytes and the JSON of one run."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss, json.loads(out)


def draw(records, path):
    series = list(dict.fromkeys(r["series"] for r in records))
    with tempfile.TemporaryDirectory() as folder:
        for i, name in enumerate(series):
            with open(os.path.join(folder, "%d.dat" % i), "w") as f:
                for r in records:
                    if r["series"] == name:
                        f.write("%g %g %g\n" % (r["size"], max(r["seconds"], 1e-3), max(r["nodes"], 1)))
        lines = ["set terminal svg size 1000,420 background '#ffffff'", "set output '%s'" % path, "set multiplot layout 1,2", "set logscale y",
                 "set grid", "set xlabel 'T or states'", "set key top left"]
        for column, label in ((2, "seconds"), (3, "nodes")):
            lines.append("set ylabel '%s'" % label)
            lines.append("plot " + ", ".join("'%s/%d.dat' using 1:%d with linespoints title '%s'" % (folder, i, column, n) for i, n in enumerate(series)))
        subprocess.run(["gnuplot"], input="\n".join(lines), text=True, check=True)


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
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for line in open(a.list):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            series, size, parameters, L = line.split(";")
            subprocess.run([a.vouch, "generate", *parameters.split(), "-o", model], check=True)
            seconds, kilobytes, r = measure([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "--json", "--time-limit", str(a.limit)])
            records.append({"series": series, "size": float(size), "seconds": seconds, "nodes": r["nodes"], "status": r["status"], "mb": kilobytes / 1024})
            print("%-24s %5s %10.3f %9d %12d %12.7g %9.1f  %s" % (series, size, seconds, r["nodes"], r["iterations"], r["max_regret"], kilobytes / 1024, r["status"]), flush=True)
    if a.csv:
        with open(a.csv, "w") as f:
            f.write("series,size,seconds,nodes,mb,status\n")
            for r in records:
                f.write('"%s",%g,%.4f,%d,%.1f,%s\n' % (r["series"], r["size"], r["seconds"], r["nodes"], r["mb"], r["status"]))
    if a.svg:
        if shutil.which("gnuplot"):
            draw(records, a.svg)
        else:
            print("no plot: gnuplot is not installed (Debian package gnuplot-nox)", file=sys.stderr)


main()

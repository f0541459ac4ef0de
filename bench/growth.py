"""bench/growth.py VOUCH LIST [--limit SECONDS] [--only WORD] [--seeds N] [--stop] [--csv FILE] [--svg FILE]

Runs `vouch plan` (policy engine, maximum regret only) on each line of LIST ("series;size;model parameters;L"), interrupted after so many processor seconds, and
prints whole-process processor seconds, nodes and peak memory against size; then, as a table in Markdown, for each series the largest size proved, how seconds grow
with size (the exponent of a power, fitted to what took .05 s or more), how many draws are trivial (at most three nodes, or no regret), and the gap of the first
size that is open. --seeds draws each size so often, by the seeds that follow that of LIST: it is proved where all of them are. --stop leaves larger sizes out once
one is open. --svg draws seconds and nodes with gnuplot.
"""
import argparse
import math
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
import series
from binding import measured

PROVED = ("optimal", "infeasible")
NOTICED = .05  # seconds; below it a process mostly begins and ends


def figure(x):
    return float("nan") if x is None else x


def exponent(records):
    """The least-squares slope of log seconds over log size; None of less than three, or of one size."""
    points = [(math.log(r["size"]), math.log(r["seconds"])) for r in records if r["seconds"] >= NOTICED and r["size"] > 0]
    mean = [sum(c) / len(points) for c in zip(*points)]
    spread = sum((x - mean[0]) ** 2 for x, _ in points)
    return sum((x - mean[0]) * (y - mean[1]) for x, y in points) / spread if len(points) >= 3 and spread > 0 else None


def trivial(r):
    return r["nodes"] <= 3 or r["value"] == 0


def summary(records):
    """For each series the largest size below which all is proved, and what is known of the first that is not."""
    print("| series | proved up to | seconds | MB | exponent | trivial draws | first open size |\n|---|---|---|---|---|---|---|")
    for name in dict.fromkeys(r["series"] for r in records):
        mine = sorted((r for r in records if r["series"] == name), key=lambda r: r["size"])
        open_ = [r for r in mine if r["status"] not in PROVED]
        proved = [r for r in mine if r["status"] in PROVED and (not open_ or r["size"] < open_[0]["size"])]
        last = [r for r in proved if r["size"] == proved[-1]["size"]]
        slope = exponent(proved)
        cells = ["%g" % last[0]["size"], "%.2f" % max(r["seconds"] for r in last), "%.0f" % max(r["mb"] for r in last)] if last else ["none", "", ""]
        cells.append("" if slope is None else "%.1f" % slope)
        cells.append("%d of %d" % (sum(trivial(r) for r in mine if r["status"] in PROVED), len(mine)))
        cells.append("" if not open_ else "%g: %.6g, bound %.6g" % (open_[0]["size"], open_[0]["value"], open_[0]["bound"]))
        print("| %s | %s |" % (name, " | ".join(cells)))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--stop", action="store_true")
    arguments.add_argument("--csv")
    arguments.add_argument("--svg")
    a = arguments.parse_args()
    records = []
    print("%-24s %5s %10s %9s %12s %12s %12s %9s  %s" % ("series", "size", "seconds", "nodes", "inductions", "max regret", "bound", "MB", "status"))
    reached = set()  # series of which a size is open
    for name, size, L, model in series.models(a.vouch, a.list, a.only, a.seeds, lambda name: not (a.stop and name in reached)):
        r, seconds, mb = measured([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "-q", "--json"], a.limit)
        value, bound = figure(r["max_regret"]), figure(r["bound"])
        records.append({"series": name, "size": float(size), "seconds": seconds, "nodes": r["nodes"], "mb": mb, "value": value, "bound": bound, "status": r["status"]})
        if r["status"] not in PROVED:
            reached.add(name)
        print("%-24s %5s %10.3f %9d %12d %12.7g %12.7g %9.1f  %s" % (name, size, seconds, r["nodes"], r["iterations"], value, bound, mb, r["status"]), flush=True)
    print()
    summary(records)
    if a.csv:
        series.write_csv(records, {"series": '"%s"', "size": "%g", "seconds": "%.4f", "nodes": "%d", "mb": "%.1f", "value": "%.10g", "bound": "%.10g", "status": "%s"}, a.csv)
    if a.svg:
        series.draw(records, [("seconds", "seconds", 1e-3), ("nodes", "nodes", 1)], "T or states", a.svg)


if __name__ == "__main__":
    main()

"""bench/growth.py VOUCH LIST [--limit SECONDS] [--only WORD] [--seeds N] [--stop] [--highs [SECONDS]] [--csv FILE] [--svg FILE]

Runs `vouch plan` (policy engine, maximum regret only) on each line of LIST ("series;size;model parameters;L"), interrupted after so many processor seconds, and
prints whole-process processor seconds, nodes and peak memory against size; then, as a table in Markdown, for each series the largest size proved, how seconds grow
with size (the exponent of a power, fitted to what took .05 s or more), how many draws are trivial (at most three nodes, or no regret), and the gap of the first
size that is open. --seeds draws each size so often, by the seeds that follow that of LIST: it is proved where all of them are. --stop leaves larger sizes out once
one is open. --highs: beside it the largest size that HiGHS proves within the limit, or within so many processor seconds, on the better of the two forms that `vouch export` writes (bench/highs.py); a
series ends for each of the two where a size is open. --svg draws seconds and nodes with gnuplot.
"""
import argparse
import math
import os
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
import highs
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


def by_highs(vouch, model, L, limit):
    """HiGHS' processor seconds; None where it proves nothing within the limit."""
    verdict, _, seconds, _ = highs.better_form(vouch, model, L, os.path.dirname(model), limit)
    return seconds if verdict else None


def peer(records):
    """Two cells: the largest size below which HiGHS proves all that it was given, and its seconds there."""
    given = [r for r in records if "highs" in r]
    open_ = [r["size"] for r in given if r["highs"] is None]
    proved = [r for r in given if r["highs"] is not None and (not open_ or r["size"] < min(open_))]
    last = max((r["size"] for r in proved), default=None)
    return ["none", ""] if last is None else ["%g" % last, "%.2f" % max(r["highs"] for r in proved if r["size"] == last)]


def summary(records):
    """For each series the largest size below which all is proved, and what is known of the first that is not."""
    beside = any("highs" in r for r in records)
    head = ["series", "proved up to", "seconds", "MB", "exponent", "trivial draws", "first open size", *(["HiGHS up to", "its seconds"] if beside else [])]
    print("| %s |\n|%s" % (" | ".join(head), "---|" * len(head)))
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
        print("| %s | %s |" % (name, " | ".join(cells + (peer(mine) if beside else []))))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--seeds", type=int, default=1)
    arguments.add_argument("--stop", action="store_true")
    arguments.add_argument("--highs", type=float, nargs="?", const=0)
    arguments.add_argument("--csv")
    arguments.add_argument("--svg")
    a = arguments.parse_args()
    records = []
    print("%-24s %5s %10s %9s %12s %12s %12s %9s  %s" % ("series", "size", "seconds", "nodes", "inductions", "max regret", "bound", "MB", "status"))
    reached, lost = set(), set()  # series of which a size is open, for vouch and for HiGHS
    for name, size, L, model in series.models(a.vouch, a.list, a.only, a.seeds, lambda name: not (a.stop and name in reached)):
        r, seconds, mb = measured([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "-q", "--json"], a.limit)
        value, bound = figure(r["max_regret"]), figure(r["bound"])
        records.append({"series": name, "size": float(size), "seconds": seconds, "nodes": r["nodes"], "mb": mb, "value": value, "bound": bound, "status": r["status"]})
        if r["status"] not in PROVED:
            reached.add(name)
        if a.highs is not None and name not in lost:
            records[-1]["highs"] = by_highs(a.vouch, model, L, a.highs or a.limit)
            if records[-1]["highs"] is None:
                lost.add(name)
        print("%-24s %5s %10.3f %9d %12d %12.7g %12.7g %9.1f  %s" % (name, size, seconds, r["nodes"], r["iterations"], value, bound, mb, r["status"]), flush=True)
    print()
    summary(records)
    if a.csv:
        series.write_csv(records, {"series": '"%s"', "size": "%g", "seconds": "%.4f", "nodes": "%d", "mb": "%.1f", "value": "%.10g", "bound": "%.10g", "status": "%s"}, a.csv)
    if a.svg:
        series.draw(records, [("seconds", "seconds", 1e-3), ("nodes", "nodes", 1)], "T or states", a.svg)


if __name__ == "__main__":
    main()

"""bench/growth.py VOUCH LIST [--limit SECONDS] [--only WORD] [--csv FILE] [--svg FILE]

Runs `vouch plan` (policy engine, maximum regret only) on each line of LIST ("series;size;model parameters;L"), interrupted after so many processor seconds, and
prints whole-process processor seconds, nodes and peak memory against size; then for each series the largest size proved and the gap of the next one. --svg draws
seconds and nodes with gnuplot.
"""
import argparse
import sys

sys.dont_write_bytecode = True  # nothing is left beside the sources
import series
from binding import measured


def figure(x):
    return float("nan") if x is None else x


def summary(records):
    """For each series the largest size that was proved, and what is known of the first that was not."""
    for name in dict.fromkeys(r["series"] for r in records):
        mine = [r for r in records if r["series"] == name]
        proved = [r for r in mine if r["status"] in ("optimal", "infeasible")]
        open_ = [r for r in mine if r not in proved]
        text = "proved up to %g in %.2f s" % (proved[-1]["size"], proved[-1]["seconds"]) if proved else "none proved"
        if open_:
            r = open_[0]
            text += "; at %g value %.6g, bound %.6g, gap %.2g %%" % (r["size"], r["value"], r["bound"], 100 * (r["value"] - r["bound"]) / max(abs(r["value"]), 1e-9))
        print("%-26s %s" % (name, text))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--csv")
    arguments.add_argument("--svg")
    a = arguments.parse_args()
    records = []
    print("%-24s %5s %10s %9s %12s %12s %12s %9s  %s" % ("series", "size", "seconds", "nodes", "inductions", "max regret", "bound", "MB", "status"))
    for name, size, L, model in series.models(a.vouch, a.list, a.only):
        r, seconds, mb = measured([a.vouch, "plan", model, "-L", L, "--tie-break", "none", "-q", "--json"], a.limit)
        value, bound = figure(r["max_regret"]), figure(r["bound"])
        records.append({"series": name, "size": float(size), "seconds": seconds, "nodes": r["nodes"], "mb": mb, "value": value, "bound": bound, "status": r["status"]})
        print("%-24s %5s %10.3f %9d %12d %12.7g %12.7g %9.1f  %s" % (name, size, seconds, r["nodes"], r["iterations"], value, bound, mb, r["status"]), flush=True)
    print()
    summary(records)
    if a.csv:
        series.write_csv(records, {"series": '"%s"', "size": "%g", "seconds": "%.4f", "nodes": "%d", "mb": "%.1f", "value": "%.10g", "bound": "%.10g", "status": "%s"}, a.csv)
    if a.svg:
        series.draw(records, [("seconds", "seconds", 1e-3), ("nodes", "nodes", 1)], "T or states", a.svg)


main()

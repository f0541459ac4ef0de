#!/usr/bin/env python3
"""Sensitivity reports: vouch lp --ranges beside glpsol --ranges on every MPS file of a folder.

usage: ranges.py VOUCH FOLDER [--most-rows M] [--list]

A report says something about a basis, so that it is compared where both have the same: of problems with one optimal basis (no basic variable
at a bound, no nonbasic one of reduced cost 0, as glpsol prints them) each solver's own, and of the others glpsol's, from which vouch starts
(--ini). The line that names the program is left out. `same` are equal bytes; `digits` differ in the last printed digit of some numbers, which
is rounding; in `ties` several variables limit at the same cost and objective, of which each names one, and the range is where that one leads;
`other` is listed with its first difference. Exits 1 if a problem with one optimal basis is.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

LAST_DIGIT = 1.5  # units of the last digit printed


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path) as text:
        return [line.rstrip() for line in text if "SENSITIVITY ANALYSIS REPORT" not in line]


def value(field):
    field = field.strip()
    return 0.0 if field in ("", ".") else float(field)


def one_basis(report):
    """Is the basis of glpsol's report the only optimal one?"""
    for first, second in zip(report, report[1:]):
        status = first[20:22]
        if not re.fullmatch(r"[ \d]{6} .{13}(BS|NL|NU|NF)", first[:22]) and not re.fullmatch(r" {20}(BS|NL|NU|NF)", first[:22]):
            continue
        activity, lower = value(first[23:36]), first[51:64]
        marginal, upper = value(second[37:50]), second[51:64]
        if status == "BS" and activity in (value(lower), value(upper)):
            return False
        if status != "BS" and marginal == 0:
            return False
    return True


def unit(word):
    """What one unit of the last digit of a printed number is worth; None: no number."""
    found = re.fullmatch(r"[-+]?(\d*)(?:\.(\d*))?(?:e([-+]\d+))?", word)
    return 10.0 ** (int(found.group(3) or 0) - len(found.group(2) or "")) if found and word.strip("+-.e") else None


# Where the numbers of an item's line stand; behind them the name of what limits.
FIELDS = {"activity": (23, 36), "slack or marginal": (37, 50), "bound": (51, 64), "range": (66, 79), "cost": (80, 93), "objective": (94, 107)}


def near(mine, his):
    """Equal but for the last digit."""
    mine, his = ("0.00000" if word.strip() == "." else word.strip() for word in (mine, his))
    if mine == his:
        return True
    units = unit(mine), unit(his)
    return None not in units and abs(float(mine) - float(his)) <= LAST_DIGIT * max(units)


def compare(ours, theirs):
    """The worst of same, digits, ties and other, and the first line that is other."""
    order, worst = ("same", "digits", "ties", "other"), 0
    if len(ours) != len(theirs):
        return "other", f"{len(ours)} lines, {len(theirs)}"
    for mine, his in zip(ours, theirs):
        if mine == his:
            continue
        away = [name for name, (a, b) in FIELDS.items() if not near(mine[a:b], his[a:b])]
        tied = mine[107:] != his[107:]
        if mine[7:22].replace(" ", "") != his[7:22].replace(" ", "") or set(away) > ({"range"} if tied else set()):
            return "other", f"{mine.strip()} / {his.strip()}"
        worst = max(worst, 2 if tied else 1)
    return order[worst], ""


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("vouch")
    arguments.add_argument("folder")
    arguments.add_argument("--most-rows", type=int, default=600)
    arguments.add_argument("--list", action="store_true", help="every problem, not only those that differ")
    o = arguments.parse_args()
    count = {kind: dict.fromkeys(("same", "digits", "ties", "other"), 0) for kind in ("one", "given")}
    for name in sorted(f for f in os.listdir(o.folder) if ".mps" in f):
        path = os.path.join(o.folder, name)
        with tempfile.TemporaryDirectory() as at:
            theirs, ours, basis = (os.path.join(at, word) for word in ("theirs", "ours", "basis"))
            size = subprocess.run([o.vouch, "lp", path, "--check", "-v"], capture_output=True, text=True)
            rows = re.search(r"(\d+) rows", size.stdout + size.stderr)
            if not rows or int(rows.group(1)) > o.most_rows:
                continue
            for format in ("--freemps", "--mps"):
                if not os.path.exists(theirs):
                    subprocess.run(["glpsol", format, path, "--nomip", "--ranges", theirs, "-w", basis], capture_output=True)
            report = lines(theirs)
            if not report:
                continue
            kind = "one" if one_basis(report) else "given"
            start = ["--ini", basis] if kind == "given" else []
            subprocess.run([o.vouch, "lp", path, "--nomip", "-q", "--ranges", ours, *start], capture_output=True)
            verdict, where = compare(lines(ours), report)
        count[kind][verdict] += 1
        if o.list or verdict == "other":
            print(f"{name.split('.')[0]:<12} {kind:<6} {verdict:<7} {where}", flush=True)
    for kind, text in (("one", "one optimal basis, each solver's own"), ("given", "several, from glpsol's")):
        print(f"{text:<40}" + "".join(f"{word} {n:<6}" for word, n in count[kind].items()))
    return 1 if count["one"]["other"] else 0


if __name__ == "__main__":
    sys.exit(main())

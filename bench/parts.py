"""bench/parts.py VOUCH LIST [--limit SECONDS]: what each part of the policy search is worth.

Every line of LIST (model parameters, then L) is planned with everything on, and once with each part switched off; the table shows backward
inductions, which do not depend on the machine, and whole-process seconds; then geometric means of the ratios to everything on.
"""
import argparse
import json
import math
import os
import subprocess
import tempfile
import time


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list")
    arguments.add_argument("--limit", type=float, default=20)
    a = arguments.parse_args()
    listed = json.loads(subprocess.run([a.vouch, "plan", "--parts", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)["parts"]
    PARTS = [p["word"] for p in listed if p["kind"] != "spatial"]
    print("%-30s %2s" % ("model", "L") + "".join(" %16s" % c for c in ["everything on"] + ["no " + p for p in PARTS]))
    work, clock, unsolved = {p: [] for p in PARTS}, {p: [] for p in PARTS}, {p: 0 for p in PARTS}
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "m.json")
        for line in open(a.list):
            line = line.split("#")[0].split()
            if not line:
                continue
            L = line.pop()
            subprocess.run([a.vouch, "generate", *line, "-o", model], check=True)
            cells, base = [], None
            for part in [None] + PARTS:
                command = [a.vouch, "plan", model, "-L", L, "--tie-break", "none", "--json", "--time-limit", str(a.limit)] + (["--without", part] if part else [])
                start = time.perf_counter()
                r = json.loads(subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout)
                seconds = time.perf_counter() - start
                if part is None:
                    base = (r["iterations"], seconds, r["max_regret"])
                else:
                    unsolved[part] += r["status"] != "optimal"
                    if r["status"] == "optimal" and abs(r["max_regret"] - base[2]) > 2e-6:
                        raise SystemExit("without %s the answer differs" % part)
                    work[part].append(r["iterations"] / base[0])
                    clock[part].append(seconds / base[1])
                cells.append("%d %.2fs%s" % (r["iterations"], seconds, "" if r["status"] == "optimal" else "!"))
            print("%-30s %2s" % (" ".join(line), L) + "".join(" %16s" % c for c in cells), flush=True)
    mean = lambda x: math.exp(sum(map(math.log, x)) / len(x))
    print("%-33s" % "inductions, times" + " %16s" % "1" + "".join(" %16.2f" % mean(work[p]) for p in PARTS))
    print("%-33s" % "seconds, times" + " %16s" % "1" + "".join(" %16.2f" % mean(clock[p]) for p in PARTS))
    print("%-33s" % "not proved in time (!)" + " %16s" % "0" + "".join(" %16d" % unsolved[p] for p in PARTS))


main()

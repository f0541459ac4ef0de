"""bench/ways.py [--limit SECONDS] [--package FOLDER] [--only WORD] [-L N] VOUCH [-- PARAMETERS OF vouch generate]

Every way to a lower bound on the regret of stochastic L-updates policies, on one model (default: t-maze --size 4,2,2,3, L = 0), each for at most so
many processor seconds: the relaxations alone, boxes with and without parts of their bound, other seeds, and, with the folder of the Python
package (make python), boxes of coarser likelihood classes. Prints bound, best policy, boxes and seconds.

The default model with --limit 120 and the package:

    way                              bound      regret   boxes  seconds
    relaxed program, paper               0           -       0     0.02
    relaxed program, classes             0           -       0     0.05
    history policies           -2.99971e-09           -       1     0.00
    one box                    -2.99971e-09   0.0250302       3     0.27
    one box, classes choose    -2.99971e-09   0.0250302       3     0.27
    boxes                       0.00176055   0.0250302   20612   120.10
    boxes, classes choose       0.00144371   0.0250302   21900   120.13
    boxes, seed 2               0.00178159   0.0250302   23670   120.09
    boxes, no restarts          0.00177581   0.0250302   22860   120.08
    boxes, 1 classes           0.000166941   0.0250302   19554   120.07
    boxes, 10 classes          0.000109814   0.0250302   26258   120.09
    boxes, 30 classes            0.0019765   0.0250302   32066   120.07
    boxes, 100 classes         0.000408837   0.0250302   22418   121.60
    boxes, 300 classes          0.00283801   0.0250302   21490   121.17

The bounds of pairs (src/THEORY.md, 5) hold for policies without coins only, those in the order of time where no promise binds: neither is a way here.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is left beside the sources
from binding import plan

BOXES = ["--method", "exact-ccl", "--certify"]
FINENESS = (1, 10, 30, 100, 300)  # most likelihood classes, beyond which the environment is revealed
# name, options of vouch plan; or the form of a program whose relaxation is solved; or a number of classes
WAYS = [("relaxed program, paper", "paper"), ("relaxed program, classes", "compact"), ("history policies", ["--method", "history"]),
        ("one box", BOXES + ["--node-limit", "2"]), ("one box, classes choose", BOXES + ["--node-limit", "2", "--without", "agreement"]),
        ("boxes", BOXES), ("boxes, classes choose", BOXES + ["--without", "agreement"]), ("boxes, seed 2", BOXES + ["--seed", "2"]),
        ("boxes, no restarts", BOXES + ["--restarts", "1"])] + [("boxes, %d classes" % c, c) for c in FINENESS]
COARSE = """
import json, sys, time, vouch
model, L, classes, limit = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
r = vouch.plan(vouch.Model.read(model), "exact-ccl", L, certify=True, class_limit=classes, tie_break="none", progress=lambda p: time.process_time() > limit)
print(json.dumps({"bound": r.bound, "max_regret": r.max_regret, "nodes": r.nodes, "seconds": time.process_time()}))
"""


def relaxed(vouch, model, L, form, limit):
    program = model + ".mps"
    subprocess.run([vouch, "export", model, "-L", L, "--form", form, "-o", program], check=True, stderr=subprocess.DEVNULL)
    answer, took = plan([vouch, "lp", program, "--nomip", "--json"], limit)
    return {"bound": answer["objective"] if answer["status"] == "optimal" else None, "max_regret": None, "nodes": 0}, took


def coarse(package, model, L, classes, limit):
    run = subprocess.run([sys.executable, "-c", COARSE, model, L, str(classes), str(limit)], env={**os.environ, "PYTHONPATH": package}, check=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    answer = json.loads(run.stdout)
    return answer, answer["seconds"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vouch")
    arguments.add_argument("--limit", type=float, default=15)
    arguments.add_argument("--package")
    arguments.add_argument("--only", default="")
    arguments.add_argument("-L", default="0")
    arguments.add_argument("model", nargs="*", default=["t-maze", "--size", "4,2,2,3"])
    a = arguments.parse_args()
    print("%-26s %11s %11s %7s %8s" % ("way", "bound", "regret", "boxes", "seconds"))
    with tempfile.TemporaryDirectory() as folder:
        model = os.path.join(folder, "model.json")
        subprocess.run([a.vouch, "generate", *a.model, "-o", model], check=True, stderr=subprocess.DEVNULL)
        for name, way in WAYS:
            if a.only not in name or isinstance(way, int) and not a.package:
                continue
            if isinstance(way, int):
                answer, took = coarse(a.package, model, a.L, way, a.limit)
            elif isinstance(way, str):
                answer, took = relaxed(a.vouch, model, a.L, way, a.limit)
            else:
                answer, took = plan([a.vouch, "plan", model, "-L", a.L, "--tie-break", "none", "-q", "--json", *way], a.limit)
            bound, regret = ("-" if answer[k] is None else "%.6g" % (answer[k] + 0) for k in ("bound", "max_regret"))
            print("%-26s %11s %11s %7d %8.2f" % (name, bound, "-" if way == ["--method", "history"] else regret, answer["nodes"], took), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())

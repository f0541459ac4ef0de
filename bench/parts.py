"""bench/parts.py VOUCH [LIST] [--draws N] [--seed N] [--models FOLDER] [--limit SECONDS] [--only WORD,..] [--rows FILE]

What each part of the policy search is worth. Every line of LIST (default: parts.list beside this file; "family | parameters of
vouch generate | L"), N mazes whose promise binds (family "binding", drawn as in bench/binding.py), and every model file of FOLDER
(family "models", L = 0) are planned with everything on, and once without each part. A run is interrupted after so many processor
seconds.

Prints a table of parts: for each family the geometric mean of the processor seconds without the part to those with it, where either is above
.05 s, the most, and how many models are proved with the part and not without it (lost), or the other way round (won).
--rows writes one JSON object a run.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

from binding import drawn, measured

LEAST_SECONDS = .05
BESIDE = os.path.dirname(os.path.abspath(__file__))


def parts_of(vouch, only):
    listed = json.loads(subprocess.run([vouch, "plan", "--parts", "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout)["parts"]
    words = [p["word"] for p in listed if p["kind"] != "spatial"]
    return [w for w in words if not only or w in only]


def models(a):
    """(family, parameters of generate or a file's name, L) of every model."""
    for line in open(a.list):
        line = line.split("#")[0].split("|")
        if len(line) == 3:
            yield line[0].strip(), line[1].split(), line[2].strip()
    for parameters, L in drawn(a.draws, a.seed):
        yield "binding", parameters, L
    if a.models:
        for name in sorted(os.listdir(a.models)):
            if name.endswith(".json"):
                yield "models", os.path.join(a.models, name), "0"


def run(vouch, model, L, part, limit):
    command = [vouch, "plan", model, "-L", L, "--tie-break", "none", "--json"] + (["--without", part] if part else [])
    r, seconds, _ = measured(command, limit)
    return {"seconds": seconds, "proved": r["status"] in ("optimal", "infeasible"), "status": r["status"], "nodes": r.get("nodes"),
            "inductions": r.get("iterations"), "regret": r.get("max_regret"), "bound": r.get("bound")}


def compare(with_it, without, family, part):
    if with_it["proved"] and without["proved"]:
        if with_it["status"] != without["status"] or (with_it["regret"] is not None
                                                      and abs(with_it["regret"] - without["regret"]) > 2e-6 * max(1, abs(with_it["regret"]))):
            print(f"without {part} the answer differs in family {family}: {with_it['regret']} {without['regret']}", file=sys.stderr)


def summary(rows, parts):
    families = sorted({r["family"] for r in rows})
    print("%-22s" % "without" + "".join(" %26s" % f for f in families))
    print("%-22s" % "" + "".join(" %26s" % "mean   most lost won" for _ in families))
    for part in parts:
        cells = []
        for family in families:
            ratios, lost, won = [], 0, 0
            for r in rows:
                if r["family"] != family or r["part"] != part:
                    continue
                base = r["base"]
                lost += base["proved"] and not r["proved"]
                won += r["proved"] and not base["proved"]
                if max(r["seconds"], base["seconds"]) >= LEAST_SECONDS:
                    ratios.append(max(r["seconds"], .01) / max(base["seconds"], .01))
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else 1
            cells.append("%5.2f %6.2f %4d %3d" % (mean, max(ratios, default=1), lost, won))
        print("%-22s" % part + "".join(" %26s" % c for c in cells), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("list", nargs="?", default=os.path.join(BESIDE, "parts.list"))
    arguments.add_argument("--draws", type=int, default=0)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--models")
    arguments.add_argument("--limit", type=float, default=20)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--rows")
    a = arguments.parse_args()
    parts = parts_of(a.vouch, a.only.split(",") if a.only else [])
    rows = []
    kept = open(a.rows, "w") if a.rows else None
    with tempfile.TemporaryDirectory() as folder:
        for family, parameters, L in models(a):
            model = parameters
            if not isinstance(parameters, str):
                model = os.path.join(folder, "m.json")
                subprocess.run([a.vouch, "generate", *parameters, "-o", model], check=True, stdout=subprocess.DEVNULL)
            base = run(a.vouch, model, L, None, a.limit)
            for part in parts:
                r = run(a.vouch, model, L, part, a.limit)
                compare(base, r, family, part)
                rows.append(dict(r, family=family, part=part, base=base))
                if kept:
                    print(json.dumps(dict(rows[-1], model=parameters, L=L)), file=kept, flush=True)
    summary(rows, parts)


if __name__ == "__main__":
    main()

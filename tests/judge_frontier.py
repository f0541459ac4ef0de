"""Is the frontier what is known? python3 tests/judge_frontier.py VOUCH FOLDER MODELS

Of some models `vouch plan --frontier` is drawn. At probabilities in between, chosen at random, the least maximum regret that a plan of its own proves must
lie in the band; U and U* of a point are those of a plan for it; in the picture a line joins two marks only where one policy has both, and the corners of the
bands are those of the answer.
"""
import json
import random
import re
import subprocess
import sys
import xml.dom.minidom

vouch, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
PROBED, ROUNDING = 6, 2e-6


def run(*arguments):
    done = subprocess.run([vouch, *arguments, "-q"], capture_output=True, text=True)
    return done.stdout if done.returncode in (0, 3) else sys.exit("not ok frontier: %s: %s" % (" ".join(arguments), done.stderr))


def between(edge, x):
    """The least and most value at x of the lines between consecutive corners."""
    found = []
    for (a, u), (b, v) in zip(edge, edge[1:]):
        low, high = min(a, b), max(a, b)
        if low - 1e-12 <= x <= high + 1e-12: found += [u, v] if high - low < 1e-12 else [u + (v - u) * (x - a) / (b - a)]
    return min(found), max(found)


def judge(name, model, options, r):
    picture = folder + "/frontier.svg"
    at = json.loads(run("plan", model, *options, "--frontier", "--points", "4", "--plot", picture, "--json"))["frontier"]
    wrong = []
    for a, b in zip(at, at[1:]):
        band = b["since_previous"]
        if b["max_regret"] is None: continue
        if not (a["p"] < b["p"] and band["most"] and band["least"]): wrong.append("no band before %s" % b["p"])
        top, bottom = band["most"], band["least"]
        if any(v < between(bottom, x)[0] - ROUNDING for x, v in top): wrong.append("a band upside down before %s" % b["p"])
        if b["same_policy"] and any(abs(u["value"] - v["value"]) > 1e-6 for u, v in zip(a["environments"], b["environments"])): wrong.append("not one policy")
    for _ in range(PROBED):
        i = r.randrange(1, len(at))
        x = at[i - 1]["p"] + (at[i]["p"] - at[i - 1]["p"]) * r.choice([0.001, 0.999, r.random(), r.random()])
        plan = json.loads(run("plan", model, *options, "-p", repr(x), "--json"))
        band = at[i]["since_previous"]
        least, most = between(band["least"], x)[0], between(band["most"], x)[1]
        if plan["status"] == "optimal" and not least - ROUNDING <= plan["max_regret"] or plan["bound"] > most + ROUNDING:
            wrong.append("at %r the least regret is %r, the band goes from %r to %r" % (x, plan["max_regret"], least, most))
        figures = plan["environments"]
        if any(not min(a["optimal_value"], b["optimal_value"]) - ROUNDING <= e["optimal_value"] <= max(a["optimal_value"], b["optimal_value"]) + ROUNDING
               for a, b, e in zip(at[i - 1]["environments"], at[i]["environments"], figures)): wrong.append("U* at %r" % x)
    for a in r.sample(at, 2):
        figures = json.loads(run("plan", model, *options, "-p", repr(a["p"]), "--json"))["environments"]
        if any(abs(e["optimal_value"] - f["optimal_value"]) > ROUNDING for e, f in zip(figures, a["environments"])): wrong.append("U* of point %r" % a["p"])
        for key in ("value", "optimal_value"):
            if abs(min(e[key] for e in a["environments"]) - a[key]) > 1e-12: wrong.append("the worst " + key)
    d = xml.dom.minidom.parse(picture)
    lines = [p.getAttribute("d") for p in d.getElementsByTagName("path") if p.getAttribute("fill") == "none" and p.getAttribute("class").startswith("s")]
    joined = sum(b["same_policy"] for b in at[1:])
    if [line.count("L") for line in lines] != [joined, joined, len(at) - 1]: wrong.append("lines: %s, of one policy: %d" % (lines, joined))
    if len(d.getElementsByTagName("polygon")) != 2 * (len(at) - 1): wrong.append("bands")
    print("ok frontier_" + name if not wrong else "not ok frontier_%s: %s" % (name, wrong[:3]))


run("generate", "t-maze", "-o", folder + "/f-maze.json")
judge("maze", folder + "/f-maze.json", ["-L", "3"], random.Random(1))
for seed in range(1, count):
    shape = ["--states", "4", "--actions", "2", "--environments", str(1 + seed % 4), "-T", "4", "-p", "0.05", "--branching", "3", "--seed", str(seed)]
    run("generate", "random", *shape, "-o", folder + "/f-random.json")
    options = [["-L", "0"], ["-L", "2"], ["--method", "history"], ["--method", "greedy"]][seed % 4]
    judge("random%d" % seed, folder + "/f-random.json", options, random.Random(seed))

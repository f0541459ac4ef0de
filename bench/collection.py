"""bench/collection.py VOUCH FOLDER [--horizon T] [--level P] [--seconds S]

Plans and evaluates every model file under FOLDER (.json .prism .nm .templ .pomdp .drn, and .csv) with each of its labels (of a PRISM file without any: formulas
and variables that are true or false) as a promise of the kinds at, by and avoid; else with its first state. Undefined constants of PRISM files get two values, so that labels may differ by environment. Prints a table:
file, promise, environments, states as planned, what came out (status and maximum regret, or why it was refused), and what evaluate says; below it, how many
of which. Exit status 1 if a plan that was made does not evaluate to what it says it keeps, or the program died.
"""
import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ENDINGS = (".json", ".prism", ".nm", ".templ", ".pomdp", ".csv", ".drn")
KINDS = ("at", "by", "avoid")


def run(command, seconds):
    try:
        r = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=20 + 4 * seconds)
    except subprocess.TimeoutExpired:
        return None, "", "no answer in time"
    return r.returncode, r.stdout, (r.stderr.strip().splitlines() or [""])[-1]


def labels_of(path):
    text = open(path, errors="replace").read()
    if path.endswith(".drn"):
        found = re.findall(r"^state \d+(?: ![\d.e+-]+)?(?: \[[^]]*\])?((?: \w+)+)", text, re.M)
        return sorted({w for line in found for w in line.split() if w not in ("init", "deadlock")})
    if path.endswith((".prism", ".nm", ".templ")):
        found = re.findall(r'^\s*label\s+"(\w+)"', text, re.M)
        return found or re.findall(r"^\s*formula\s+(\w+)\s*=[^;]*[=<>|&]", text, re.M) + re.findall(r"^\s*(\w+)\s*:\s*bool\b", text, re.M)
    return []


def constants_of(path):
    """Each undefined constant with two values, 0 and 1, or those that its comment begins with."""
    options = []
    for name, low in re.findall(r"^\s*const\s+(?:int\s+)?(\w+)\s*;(?:\s*//\s*(\d+)\s*<=)?", open(path, errors="replace").read(), re.M):
        options += ["--const", "%s=%d:%d" % (name, int(low or 0), int(low or 0) + 1)]
    return options


def promises_of(path, level):
    if path.endswith(".json"):
        return [("as it says", [])]
    labels = labels_of(path) or ([] if path.endswith((".prism", ".nm", ".templ")) else ["0"])
    return [("%s:%s" % (k, l), ["--commit", "%s:%s>=%g" % (k, l, level)]) for l in labels for k in KINDS]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("vouch")
    arguments.add_argument("folder")
    arguments.add_argument("--horizon", type=int, default=4)
    arguments.add_argument("--level", type=float, default=0.1)
    arguments.add_argument("--seconds", type=float, default=5)
    a = arguments.parse_args()
    tally, wrong = collections.Counter(), 0
    files = sorted(os.path.join(d, f) for d, _, names in os.walk(a.folder) for f in names if f.endswith(ENDINGS))
    print("\t".join(("file", "promise", "environments", "states", "plan", "evaluate")))
    with tempfile.TemporaryDirectory() as folder:
        policy, model = os.path.join(folder, "p.json"), os.path.join(folder, "m.json")
        for path in files:
            for name, promise in promises_of(path, a.level):
                options = promise + ([] if path.endswith(".json") else ["-T", str(a.horizon)])
                if path.endswith((".prism", ".nm", ".templ")):
                    options += constants_of(path) + ["--fix-deadlocks"]
                for f in (policy, model):
                    if os.path.exists(f):
                        os.unlink(f)
                code, _, why = run([a.vouch, "convert", path, "-o", model] + options, a.seconds)
                states = environments = "-"
                if code == 0:
                    m = json.load(open(model))
                    states, environments = (len(m["states"]) if isinstance(m["states"], list) else m["states"]), len(m["environments"])
                    code, out, why = run([a.vouch, "plan", path, "--json", "-o", policy, "--time-limit", "%g" % a.seconds] + options, a.seconds)
                if code in (0, 2, 3):
                    found = json.loads(out)
                    said, kind = "%s %s" % (found["status"], "" if found["max_regret"] is None else "%.6g" % found["max_regret"]), found["status"]
                else:
                    said, kind = ("died: " if code is None or code < 0 else "refused: ") + why.replace(path, os.path.basename(path)), "refused"
                    wrong += code is None or code < 0
                evaluated = "-"
                if os.path.exists(policy) and code in (0, 3):
                    ended, _, why = run([a.vouch, "evaluate", path, policy] + options, a.seconds)
                    evaluated = "kept" if ended == 0 else "not kept: " + why
                    wrong += ended != 0 and kind in ("optimal", "feasible")
                tally[kind] += 1
                print("\t".join((os.path.relpath(path, a.folder), name, str(environments), str(states), said.strip(), evaluated)), flush=True)
    print("; ".join("%s %d" % x for x in sorted(tally.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""Is a model the same in every format? python3 tests/judge_formats.py VOUCH FOLDER MODELS

The random models of judge_chains.py, with promises that may bind, are converted to JSON, joined JSON, CSV, DRN and POMDP files, which are read again with the
options that `vouch convert` tells. Status, least maximum regret, total regret and U* of every environment must be those of the model. What a format cannot
carry has to be refused, or told in a sentence.
"""
import json
import os
import random
import shlex
import shutil
import subprocess
import sys

import judge_chains as chains

vouch, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def run(*arguments):
    return subprocess.run([vouch, *arguments], capture_output=True, text=True)


def plan(path, method, options=()):
    done = run("plan", path, *options, *method, "--json", "-q")
    if done.returncode not in (0, 2): return done.stderr
    answer = json.loads(done.stdout)
    return [answer["status"], answer["max_regret"], answer["total_regret"], *[e["optimal_value"] for e in answer["environments"] if answer["status"] == "optimal"]]


def same(a, b):
    return type(a) == type(b) == list and len(a) == len(b) and all(x == y or None not in (x, y) and not isinstance(x, str) and abs(x - y) <= 2e-6 for x, y in zip(a, b))


def binding(r, model):
    """Promises for every environment, and some by environment; some with another set there."""
    names = [e["name"] for e in model["environments"]]
    for promise in model.get("commitments") or [model["commitment"]]:
        promise["probability"] = r.choice([0, 0.1, 0.3])
        if "commitment" in model: continue
        if r.random() < 0.1: promise["probability"] = {n: r.choice([0, 0.2]) for n in names}
        if r.random() < 0.2: promise["states"] = {n: r.sample(model["states"], 1) for n in names}


compared = {way: 0 for way in ("JSON", "joined", "CSV", "DRN", "POMDP")}
said = refused = 0
for seed in range(1, count + 1):
    r = random.Random(1000 + seed)
    model = chains.draw(r)
    binding(r, model)
    path = folder + "/model.json"
    with open(path, "w") as f: json.dump(model, f)
    methods = [["-L", "0"], ["-L", "1"]]
    want = [plan(path, method) for method in methods]
    if isinstance(want[0], str): sys.exit("not ok formats: model %d: %s" % (seed, want))
    phi, T = model.get("commitment"), str(model["horizon"])
    plain = phi and isinstance(model["initial"], str)
    ways = [("JSON", folder + "/again.json", []), ("joined", folder + "/joined.json", ["--joined"]), ("CSV", folder + "/model.csv", []), ("DRN", folder + "/drn/", [])]
    if plain: ways.append(("POMDP", folder + "/model.pomdp", []))
    for way, out, options in ways:
        if way == "DRN": shutil.rmtree(out, ignore_errors=True)
        done = run("convert", path, *options, "-o", out, "--json")
        wrong, reading = None, []
        if done.returncode == 1 and way in ("CSV", "DRN"):
            refused += 1
            if "JSON files hold both" not in done.stderr and "which a DRN file cannot say" not in done.stderr: wrong = done.stderr
            if os.path.exists(out) and way == "DRN": wrong = "refused, and made"
            if wrong: sys.exit("not ok formats: model %d as %s: %s" % (seed, way, wrong))
            continue
        if done.returncode: sys.exit("not ok formats: model %d as %s: %s" % (seed, way, done.stderr))
        told = json.loads(done.stdout).get("reading", "")
        if way in ("CSV", "DRN"): reading = shlex.split(told.strip().split("\n")[-1].removeprefix("to be read with "))
        if way == "POMDP": reading = ["--commit", ",".join(phi["states"]), "-T", T, "-p", repr(phi["probability"])]
        if "no option gives" in told:
            said += 1
            continue
        compared[way] += 1
        for method, wanted in zip(methods, want):
            got = plan(out, method, reading)
            if way == "POMDP" and "there is no state or label" in got: continue  # nobody ever comes there
            if not same(got, wanted): sys.exit("not ok formats: model %d as %s, %s: %s, wanted %s (%s)" % (seed, way, method, got, wanted, reading))
        if way == "DRN":
            back = run("convert", out, *reading, "-o", "-")
            if [e["name"] for e in json.loads(back.stdout)["environments"]] != [e["name"] for e in model["environments"]]: sys.exit("not ok formats: names of model %d" % seed)
print("ok formats" if min(compared.values()) >= count // 8 and (said and refused or count < 10) else "not ok formats: %s, %d %d" % (compared, said, refused))

"""Models of costs against the same models with rewards of the other sign: equal digit by digit, values with the other sign.

    judge_costs.py VOUCH VOUCH_CHECK MODELS

Each model is read in three ways: its rewards under --minimise, with "sense": "min" in the file, and negated and maximised.
"""
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

vouch, check, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
place = Path(tempfile.mkdtemp())
runs = 0


def say(*words, stdin=None):
    done = subprocess.run([vouch, *map(str, words)], capture_output=True, text=True, input=stdin)
    if done.returncode not in (0, 2, 3):
        sys.exit(f"not ok {' '.join(map(str, words))}: {done.stderr}")
    return done.returncode, done.stdout


def turned(of, sign, objective):
    """Values as rewards, without times, names of the model and the sense."""
    if isinstance(of, list):
        return [turned(x, sign, objective) for x in of]
    if not isinstance(of, dict):
        return of
    out = {}
    for key, x in of.items():
        if key in ("seconds", "sense", "model", "run", "limits"):
            continue
        flip = key in ("optimal_value", "mean") or key == "value" or (key == "bound" and objective != "regret")
        out[key] = 0 - x if flip and sign < 0 and isinstance(x, (int, float)) else turned(x, sign, objective)
    return out


def compare(what, model, words, objective="regret", stdin=("", "")):
    global runs
    rewards = model["negated"]
    expected = say(what, rewards, *words, "--json", stdin=stdin[0])
    for words_of, path in ((["--minimise"], model["plain"]), ([], model["sense"])):
        found = say(what, path, *words, *words_of, "--json", stdin=stdin[1])
        a, b = (turned(json.loads(x[1]), s, objective) if x[1] else None for x, s in ((expected, 1), (found, -1)))
        runs += 1
        if expected[0] != found[0] or a != b:
            sys.exit(f"not ok {what} {path} {words}:\n{json.dumps(a)}\n{json.dumps(b)}")
        if found[1] and json.loads(found[1])["sense"] != "min":
            sys.exit(f"not ok {what}: the sense is not told")
    return expected


def draw(seed):
    r = random.Random(seed)
    path = place / f"plain{seed}.json"
    say("generate", "random", "--states", r.randint(3, 5), "--actions", r.randint(2, 3), "--environments", r.randint(1, 4), "-T", r.randint(2, 4),
        "-p", r.choice((0.2, 0.5)), "--seed", seed, "-o", path)
    m = json.loads(path.read_text())
    step = r.choice((1, 0.1, 1 / 3, 1e5))

    def rows(of, sign, pay):
        of["rewards"] = [[*row[:-1], sign * x] for row, x in zip(of["rewards"], pay)]

    places = [m, *m["environments"]]
    pays = [[r.randint(-4, 9) * step for _ in of["rewards"]] for of in places]
    out = {}
    for name, sign, more in (("plain", 1, {}), ("sense", 1, {"sense": "min"}), ("negated", -1, {})):
        for of, pay in zip(places, pays):
            rows(of, sign, pay)
        out[name] = place / f"{name}{seed}.json"
        out[name].write_text(json.dumps({**m, **more}))
    return out, m


def episode(model, m):
    """An agent that earns what the first successor pays, told to vouch act with each sign."""
    answers = ["", ""]
    k, state, T = m["environments"][0], m["initial"], m["horizon"]
    shared = {(s, a) for s, a, *_ in k["transitions"]}
    said = ""
    for _ in range(T):
        said = subprocess.run([vouch, "act", model["negated"], "-L", "1", "--seed", "3"], capture_output=True, text=True, input=answers[0]).stdout
        action = json.loads(said.splitlines()[-1])["action"]
        of = k if (state, action) in shared else m
        following = next(t[2] for t in of["transitions"] if t[:2] == [state, action] and t[3] > 0)
        own = [x for x in k["rewards"] if x[:2] == [state, action]] or [x for x in m["rewards"] if x[:2] == [state, action]]
        pay = sum(x[-1] for x in own if len(x) == 3 or x[2] == following)
        for i, sign in enumerate((1, -1)):
            answers[i] += json.dumps({"reward": sign * pay, "state": following}) + "\n"
        state = following
    _, first = say("act", model["negated"], "-L", 1, "--seed", 3, stdin=answers[0])
    for path, more in ((model["plain"], ["--minimise"]), (model["sense"], [])):
        if say("act", path, "-L", 1, "--seed", 3, *more, stdin=answers[1])[1] != first:
            sys.exit(f"not ok act {path}")


for seed in range(1, count + 1):
    model, m = draw(seed)
    policy = place / "policy"
    for method in ("milp-ccl", "exact-ccl", "history", "greedy", "mdps-best"):
        for objective in ("regret", "weighted", "max-min"):
            if method in ("greedy", "mdps-best") and objective != "regret":
                continue
            L = seed % 2
            compare("plan", model, ["--method", method, "-L", L, "--objective", objective], objective)
    compare("plan", model, ["-L", 1, "--engine", "lp"])
    compare("plan", model, ["--frontier", "--points", 4])
    compare("plan", model, ["--policies", 2])
    compare("ccil", model, ["-L", 1])
    compare("ccil", model, ["-L", 1, "--objective", "max-min", "--guarded"], "max-min")
    compare("ccil", model, ["-L", 1, "--episodes", 20])
    compare("sweep", model, ["--vary", "L=0:1", "--method", "milp-ccl,history,milp-ccil", "--objective", "weighted"], "weighted")
    for path, more in ((model["plain"], ["--minimise"]), (model["sense"], [])):
        code, _ = say("plan", path, *more, "-L", 1, "-o", policy, "-q")
        if code == 2:
            continue
        evaluated = json.loads(say("evaluate", path, policy, *more, "--json")[1])
        written = json.loads(policy.read_text())
        if written["sense"] != "min" or [f["value"] for f in written["environments"]] != [f["value"] for f in evaluated["environments"]]:
            sys.exit(f"not ok evaluate {path}")
        say("simulate", path, policy, *more, "--episodes", 10, "--json")
        for objective in ("regret", "max-min"):
            say("plan", path, *more, "-L", 1, "--objective", objective, "--proof", place / "proof", "-q")
            judged = subprocess.run([check, *more, path, place / "proof"], capture_output=True, text=True)
            if judged.returncode or "; minimises costs" not in judged.stdout or ("largest cost" in judged.stdout) != (objective != "regret"):
                sys.exit(f"not ok proof {path} {objective}: {judged.stdout}{judged.stderr}")
    if say("plan", model["sense"], "-q")[0] == 0:
        episode(model, m)
print(f"ok costs # {runs} answers")

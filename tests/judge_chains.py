"""Is a policy the same in every file it is shown as? python3 tests/judge_chains.py VOUCH FOLDER MODELS

Random models (one to four environments, one or several first states, one promise or several, rewards that environments do not share) are planned for with
every kind of policy. What `vouch show` writes of it is read by the readers below, which share no code with vouch: the induced chains as DRN and as PRISM,
and Storm's scheduler, which is followed through the model as it is given. Values and the probability of every promise must be those of `vouch evaluate`,
in every environment. A scheduler must be one: a memory id and state has one entry, an action stands once in it, what is remembered next is settled by what
is seen, and leads to an entry of that state.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

vouch, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])  # of the one who imports this, too


def run(*arguments):
    done = subprocess.run([vouch, *arguments], capture_output=True, text=True)
    if done.returncode not in (0, 3): raise RuntimeError("%s: %s" % (" ".join(arguments), done.stderr))
    return done.stdout


def distribution(r, states, most):
    chosen = r.sample(states, r.randint(1, min(most, len(states))))
    parts = [r.randint(1, 4) for _ in chosen]
    return [(s, p / sum(parts)) for s, p in zip(chosen, parts)]


# ---- models
def draw(r):
    states, actions, T, K = ["s%d" % i for i in range(r.randint(2, 4))], ["a0", "a1", "b b"][:r.randint(2, 3)], r.randint(1, 4), r.randint(1, 4)
    names = r.sample(["k1", "way=0", "way=1", "a b/c", "A B/C", "..", "n\u00e9"], K)
    shared, next_pays = r.random() < 0.5, r.random() < 0.3
    base = {(s, a): distribution(r, states, 3) for s in states for a in actions}
    environments = []
    for name in names:
        rows, rewards = [], []
        for s in states:
            for a in actions:
                to = base[s, a] if shared else distribution(r, states, 3)
                rows += [[s, a, n, p] for n, p in to]
                if next_pays: rewards += [[s, a, n, r.choice([0, 1, 5])] for n, p in to]
                else: rewards.append([s, a, r.choice([0, 1, 2.5, 7])])
        environments.append({"name": name, "transitions": rows, "rewards": rewards})
    model = {"vouch": 1, "name": "r", "states": states, "actions": actions, "horizon": T, "environments": environments,
             "initial": r.choice(states) if r.random() < 0.6 else dict(distribution(r, states, 3))}
    some = lambda: r.sample(states, r.randint(1, len(states) - 1))
    if r.random() < 0.5:
        model["commitment"] = {"states": some(), "probability": 0}
        return model
    model["commitments"] = []
    for j in range(r.randint(1, 2)):
        kind, time, end = r.choice(["at", "by", "stay", "avoid"]), r.randint(0, T), r.randint(0, T)
        promise = {"name": ["home", "two words"][j], "kind": kind, "states": some(), "probability": 0}
        if kind in ("at", "by"): promise["time"] = time
        else: promise["from"], promise["to"] = min(time, end), max(time, end)
        model["commitments"].append(promise)
    return model


def with_plans(r, model):
    """A history policy that follows plans from the start, which agree in some places."""
    T, K, plans, mix = model["horizon"], len(model["environments"]), r.randint(1, 4), [r.randint(1, 3) for _ in range(4)]
    one = isinstance(model["initial"], str)
    def rules():
        made = []
        for t in range(0, T):
            for s in model["states"]:
                if r.random() < 0.6: do = {r.choice(model["actions"]): 1}
                else: do = dict(zip(r.sample(model["actions"], 2), [0.25, 0.75]))
                made.append({"time": t, "state": s, "do": do})
        return made
    if not one or "commitments" in model: return None  # whose states may be fewer, as far as they are reached
    follow = {str(i): mix[i] / sum(mix[:plans]) for i in range(plans)}
    return {"vouch_policy": 1, "L": T, "T": T, "environments": [{"name": e["name"]} for e in model["environments"]],
            "rules": [{"time": 0, "state": model["initial"], "likelihood": [1] * K, "follow": follow}], "plans": [{"rules": rules()} for _ in range(plans)]}


# ---- the chains
def propagate(steps, reward, marked, labels, T):
    """What T steps from state 0 pay, and how likely a state of each label is then."""
    mass, value = {0: 1.0}, 0.0
    for _ in range(T):
        after = {}
        for s, p in mass.items():
            value += p * reward.get(s, 0)
            assert abs(sum(q for _, q in steps[s]) - 1) < 1e-9, "a distribution sums to something else"
            for to, q in steps[s]: after[to] = after.get(to, 0) + p * q
        mass = after
    return [value] + [sum(p for s, p in mass.items() if label in marked.get(s, ())) for label in labels]


def read_drn(path):
    reward, marked, steps = {}, {}, {}
    for line in open(path):
        if m := re.match(r"state (\d+) \[(\S+)\](.*)", line):
            at = int(m[1])
            reward[at], marked[at], steps[at] = float(m[2]), set(m[3].split()), []
        elif m := re.match(r"\t\t(\d+) : (\S+)", line): steps[at].append((int(m[1]), float(m[2])))
    return steps, reward, marked


def read_prism(path, k):
    """The part of the module that is about environment k."""
    text = open(path).read()
    reward, marked, steps = {}, {}, {}
    for env, node, to in re.findall(r"^    \[\] environment=(\d+) & node=(\d+) -> (.*);$", text, re.M):
        if int(env) != k: continue
        node = int(node)
        steps[node] = [(node, 1.0)] if to == "true" else [(int(n), float(p)) for p, n in re.findall(r"(\S+) : \(node'=(\d+)\)", to)]
    for env, node, pays in re.findall(r"^    environment=(\d+) & node=(\d+) : (\S+);$", text, re.M):
        if int(env) == k: reward[int(node)] = float(pays)
    for label, where in re.findall(r'^label "(\w+)" = (.*);$', text, re.M):
        for env, node in re.findall(r"environment=(\d+) & node=(\d+)", where):
            if int(env) == k: marked.setdefault(int(node), set()).add(label)
    return steps, reward, marked


# ---- the scheduler, followed through the model as it is given
def judged(promise, k, seen, T):
    """Is the promise kept by the states seen at times 0 .. T?"""
    inside = lambda t: seen[t] in promise["states"]
    time, first, last = promise.get("time", T), promise.get("from", 0), promise.get("to", T)
    kind = promise["kind"]
    if kind == "at": return inside(time)
    if kind == "by": return any(inside(t) for t in range(time + 1))
    return all(inside(t) == (kind == "stay") for t in range(first, last + 1))


def promises(model): return model.get("commitments") or [dict(model["commitment"], kind="at")]


def follow(model, entries, k):
    env, T = model["environments"][k], model["horizon"]
    to, pays = {}, {}
    for s, a, n, p in env["transitions"]: to.setdefault((s, a), []).append((n, p))
    for row in env["rewards"]: pays[tuple(row[:-1])] = row[-1]
    total, kept, first = 0.0, [0.0] * len(promises(model)), model["initial"]
    several, start = not isinstance(first, str), entries[0]["s"]
    work = [([], entries[0]["s"], 0, 1.0, -1 if several else 0)]
    by_place = {(e["s"], e["m"]): e for e in entries}
    while work:
        seen, s, m, p, t = work.pop()
        if t >= 0: seen = seen + [s]
        if t == T:
            for j, promise in enumerate(promises(model)): kept[j] += p * judged(promise, k, seen, T)
            continue
        entry = by_place[s, m]
        for choice in entry["c"]:
            a, q = choice["labels"][0], choice["prob"]
            for n, chance in (list(first.items()) if t < 0 else to[s, a]):
                reward = 0 if t < 0 else pays.get((s, a, n), pays.get((s, a), 0))
                update = [u for u in choice["memory-updates"] if u["s'"] == n and abs(u["reward"] - reward) <= 1e-9]
                assert len(update) == 1, "no update, or several, for %s after %s in %s" % (n, a, s)
                total += p * q * chance * reward
                work.append((seen, n, update[0]["m'"], p * q * chance, t + 1))
    return [total] + kept


def check_scheduler(entries):
    places = [(e["s"], e["m"]) for e in entries]
    assert len(set(places)) == len(places), "a place has two entries"
    told = dict((m, s) for s, m in places)
    for e in entries:
        actions = [c["labels"][0] for c in e["c"]]
        assert len(set(actions)) == len(actions), "an action stands twice in an entry"
        assert all(c["prob"] > 0 for c in e["c"]) and abs(sum(c["prob"] for c in e["c"]) - 1) < 1e-9, "probabilities"
        for c in e["c"]:
            seen = [(u["s'"], u["reward"]) for u in c["memory-updates"]]
            assert len(set(seen)) == len(seen), "one outcome is remembered in two ways"
            assert all(told.get(u["m'"], u["s'"]) == u["s'"] for u in c["memory-updates"]), "an update leads to an entry of another state"


def files_by_index(directory):
    index = json.load(open(directory + "/index.json"))
    assert sorted(os.listdir(directory)) == sorted(["index.json"] + [e["file"] for e in index["environments"]]), "other files than the index says"
    assert all(re.fullmatch(r"[A-Za-z0-9_=,+][A-Za-z0-9_=,+.-]*\.drn", e["file"]) for e in index["environments"]), "a file name is not safe"
    return {e["name"]: directory + "/" + e["file"] for e in index["environments"]}


def judge(model, policy):
    """What is wrong with the files of the policy; None: nothing."""
    path, T = folder + "/m.json", model["horizon"]
    figures = json.loads(run("evaluate", path, policy, "--json"))["environments"]
    wanted = [[f["value"]] + list(f["commitments"].values() if "commitments" in f else [f["commitment_probability"]]) for f in figures]
    names = [p.get("name", "commit") for p in promises(model)]
    labels = ["commit"] if len(names) == 1 else [n if n.replace("_", "").isalpha() else "commit%d" % (j + 1) for j, n in enumerate(names)]
    steps = T + (not isinstance(model["initial"], str))
    shutil.rmtree(folder + "/chains", ignore_errors=True)
    run("show", path, policy, "--induced", "drn", "-o", folder + "/chains/")
    run("show", path, policy, "--induced", "prism", "-o", folder + "/chain.pm")
    entries = json.loads(run("show", path, policy, "--storm"))
    check_scheduler(entries)
    files = files_by_index(folder + "/chains")
    assert list(files) == [e["name"] for e in model["environments"]], "the index has other environments"
    for k, e in enumerate(model["environments"]):
        for way, got in [("DRN", propagate(*read_drn(files[e["name"]]), labels, steps)),
                         ("PRISM", propagate(*read_prism(folder + "/chain.pm", k), labels, steps)), ("scheduler", follow(model, entries, k))]:
            if len(got) != len(wanted[k]) or any(abs(a - b) > 1e-9 for a, b in zip(got, wanted[k])):
                return "%s of %s: %s, evaluate says %s" % (way, e["name"], got, wanted[k])
    return None


METHODS = [["-L", "0"], ["-L", "1"], ["-L", "T"], ["--method", "history"], ["--method", "greedy"], ["--method", "exact-ccl", "-L", "0", "--restarts", "1"]]
SLOW = 6  # one model in so many takes the last


def main():
    tried, planned = 0, 0
    for seed in range(1, count + 1):
        r = random.Random(seed)
        model = draw(r)
        with open(folder + "/m.json", "w") as f: json.dump(model, f)
        for method in METHODS[:-1] + METHODS[-1:] * (seed % SLOW == 0) + ["plans"]:
            policy = folder + "/p.json"
            if method == "plans":
                made = with_plans(r, model)
                if not made: continue
                json.dump(made, open(policy, "w"))
                planned += 1
            else: run("plan", folder + "/m.json", *[str(model["horizon"]) if a == "T" else a for a in method], "-q", "-o", policy)
            tried += 1
            try: wrong = judge(model, policy)
            except (AssertionError, RuntimeError, KeyError) as e: wrong = repr(e)
            if wrong:
                print("not ok chains: model %d, %s: %s" % (seed, method, wrong))
                sys.exit(1)
    print("ok chains" if tried >= 5 * count and planned >= count // 8 else "not ok chains: %d policies, %d of plans" % (tried, planned))


if __name__ == "__main__": main()

"""Every pair of features, with every question: answered right, or refused with a sentence of the guide.

usage: judge_grid.py VOUCH [options]      with the Python package on PYTHONPATH, else that question is left out
A cell is a set of features and a question; both lists are below, methods and objectives come from the program's help. Without --draw every pair of
features meets all questions. Answers are held against tests/grid_world.py or another way to the same number; src/guide/refusals.md lists the sentences
with which a cell may be refused. Each cell that is wrong is printed with the command that shows it, then counts, then "ok judge_grid" or "not ok ..".
"""
import argparse
import collections
import csv
import io
import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import xml.dom.minidom

from grid_world import World, TooMany

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("vouch")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--draw", type=int, default=0, help="so many cells of three and more features")
parser.add_argument("--first", type=int, default=0, help="of those drawn")
parser.add_argument("--part", default="0/1", help="I/N: every N-th pair, from the I-th on")
parser.add_argument("--only", help="questions that begin so")
parser.add_argument("--keep", help="folder for the models of wrong cells")
parser.add_argument("--refused", action="store_true", help="count the sentences")
ARGUMENTS = parser.parse_args()
VOUCH = os.path.abspath(ARGUMENTS.vouch)
CHECK = os.path.join(os.path.dirname(VOUCH), "vouch-check")
try:
    import vouch as package
except ImportError:
    package = None
CLOSE = 2e-6
PLAIN = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}  # a sanitizer for the package, not for the programs
HERE = os.path.dirname(os.path.abspath(__file__))
METHODS = re.findall(r"(?:\(|; )([a-z-]+): ", re.sub(r"\s+", " ", subprocess.run([VOUCH, "plan", "--help"], capture_output=True, text=True).stdout
                                                 .split("--method M")[1].split("--lookahead")[0]))
OBJECTIVES = re.search(r"\((regret\|[a-z|-]+)\)", subprocess.run([VOUCH, "plan", "--help"], capture_output=True, text=True).stdout)[1].split("|")
PARTS = re.findall(r"^([a-z-]+) \(", subprocess.run([VOUCH, "plan", "--parts"], capture_output=True, text=True).stdout, re.M)
# Of each line at most one.
FEATURES = [["one environment", "twins"], ["two promises"], ["three promises"], ["average"], ["unseen"], ["by"], ["stay"], ["avoid"], ["early"], ["own sets"],
            ["own probabilities"], ["initial"], ["landing", "flat"], ["certain"], ["prior"], ["odd names"], ["few actions"], ["engine lp"], ["within"], ["edge", "impossible"], OBJECTIVES[1:], ["1 policies", "2 policies", "2 policies for all"],
            ["L = 0", "L = 1", "L = T"], METHODS]
OF = {f: i for i, line in enumerate(FEATURES) for f in line}


def refusals():
    """The sentences of the guide's list of refusals, as patterns."""
    text = open(os.path.join(HERE, "..", "src", "guide", "refusals.md")).read()
    return [re.compile(".+".join(map(re.escape, s.split("..")))) for s in re.findall(r"^\| `([^`]+)` \|", text, re.M)]


REFUSALS = refusals()


class Refused(Exception):
    pass


class Wrong(Exception):
    pass


def need(good, why, *more):
    if not good: raise Wrong(why % more if more else why)


def near(a, b):
    return a is not None and b is not None and abs(a - b) <= CLOSE * (1 + abs(b))


class Cell:
    def __init__(self, features, seed, folder):
        self.features, self.folder, r = set(features), folder, random.Random("%s %d" % (sorted(features), seed))
        self.r = r
        while True:
            try:
                self.world = World(r, self.features)
                w = self.world
                self.objective = next((f for f in OBJECTIVES if f in self.features), "regret")
                self.method = next((f for f in METHODS if f in self.features), METHODS[0])
                steps = w.T + bool(w.initial)
                self.L = {"L = 0": 0, "L = 1": 1, "L = T": w.T}.get(next((f for f in FEATURES[-2] if f in self.features), None), r.choice([0, 0, 1, w.T]))
                self.policies = next((f for f in self.features if "policies" in f), None)
                w.vectors(self.L), w.vectors(max(1, self.L)), w.histories()
                break
            except TooMany:
                pass
        self.weights = [x / sum(w.prior) for x in w.prior] if w.prior else [1] * w.K
        self.model = os.path.join(folder, "m.json")
        json.dump(w.json(), open(self.model, "w"), indent=1)
        self.options = ["--method", self.method, "-L", str(self.L)]
        if "engine lp" in self.features: self.options += ["--engine", "lp"]
        if self.objective != "regret": self.options += ["--objective", self.objective]
        if self.policies: self.options += ["--policies", self.policies[0]] + (["--promises", "all"] if "all" in self.policies else [])
        self.commands = []
        self.cache = {}

    # ---- the program ----

    def file(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, feed=None, program=VOUCH):
        command = [program, *map(str, arguments)] + (["-q"] if program == VOUCH else [])
        self.commands.append(command)
        try:
            done = subprocess.run(command, input=feed, capture_output=True, text=True, timeout=120, cwd=self.folder, env=PLAIN)
        except subprocess.TimeoutExpired:
            raise Wrong("does not end")
        need(done.returncode >= 0 and done.returncode < 126, "killed: %d", done.returncode)
        if program == VOUCH and done.returncode == 1:
            lines = done.stderr.strip().split("\n")
            if any(p.search(lines[-1]) for p in REFUSALS): raise Refused(lines[-1])
            raise Wrong("refused without a sentence of the guide: %s" % lines[-1])
        need(done.returncode != 4, "exit 4: %s", done.stderr.strip()[-300:])
        need("inf)" not in done.stdout.replace("-inf)", "inf)") or done.returncode in (2, 3), "bound inf")
        return done

    def answer(self, *arguments):
        done = self.run(*arguments, "--json")
        return done.returncode, json.loads(done.stdout)

    def plan(self):
        """Exit status and answer of the plan; its policy is in p.json."""
        if "plan" not in self.cache:
            try:
                self.cache["plan"] = self.answer("plan", self.model, *self.options, "-o", self.file("p.json"))
            except Refused as why:
                self.cache["plan"] = why
        if isinstance(self.cache["plan"], Refused): raise self.cache["plan"]
        return self.cache["plan"]

    def policy(self):
        code, plan = self.plan()
        return self.file("p.json") if plan["status"] in ("optimal", "feasible") else None

    # ---- what is true ----

    def optimal(self):
        if "optimal" not in self.cache: self.cache["optimal"] = [self.world.alone(k) for k in range(self.world.K)]
        return self.cache["optimal"]

    def edge(self):
        """Is some promise so tight that a little more changes what is attained?"""
        before, here = [q["p"] for q in self.world.promises], self.limits(method="history")
        for q in self.world.promises: q["p"] = [p + 1e-7 for p in q["p"]]
        self.cache.pop("optimal", None)
        there = self.limits(method="history")
        for q, p in zip(self.world.promises, before): q["p"] = p
        self.cache.pop("optimal", None)
        return here is None or there is None or abs(here[0] - there[0]) > 1e-5

    def limits(self, of=None, promised=None, method=None, L=None):
        """The most that is attained by the class (an interval: of stochastic policies only that it lies between two others), None: nothing keeps it."""
        w, optimal, method, L = self.world, self.optimal(), method or self.method, self.L if L is None else L
        if self.objective == "regret" and any(optimal[k] is None for k in (promised or range(w.K))): return None
        goal = w.goal(optimal, self.objective, self.weights, of)
        most = w.best(goal, of=promised)
        if most is None: return None
        if method == "history": return most, most
        kept = [w.worth(u, optimal, self.objective, self.weights, of) for u, pr in w.vectors(L) if w.short(pr, promised) <= 1e-9]
        least = max(kept) if kept else None
        if method == "milp-ccl": return None if least is None else (least, least)
        return least, most

    def held(self, value, bound, status, truth, what=""):
        """value, bound: of what is maximised."""
        if status == "infeasible": need(truth is None or truth[0] is None, "%sinfeasible, but %s is attained", what, truth)
        if status == "infeasible": return
        if truth is None: return need(status == "limit" or status == "feasible" and self.method in METHODS[3:], "%s%s although no policy of the class keeps the promises", what, status)
        low, high = truth
        if value is not None and status != "limit": need(value <= high + CLOSE * (1 + abs(high)), "%svalue %.10g above the most, %.10g", what, value, high)
        if bound is not None and low is not None: need(bound >= low - CLOSE * (1 + abs(low)), "%sbound %.10g below what is attained, %.10g", what, bound, low)
        if status == "optimal" and self.method in METHODS[:3] and low is not None:
            need(value >= low - 2e-4 - CLOSE * abs(low) if self.method == "exact-ccl" else near(value, low), "%svalue %.10g, attained are %.10g to %.10g", what, value, low, high)

    def of(self, answer):
        """Value and bound of what is maximised, as an answer has them."""
        if self.objective != "regret": return answer.get("value"), answer.get("bound")
        sign = lambda x: None if x is None else -x
        return sign(answer.get("max_regret")), sign(answer.get("bound"))


def probabilities(w, answer):
    """Pr [promises][K], under the worst error if there is one."""
    if not w.within: return nominal(answer)
    told = [e["worst_probability"] for e in answer["environments"]]
    return list(zip(*[list(x.values()) if isinstance(x, dict) else [x] for x in told]))


def nominal(answer):
    return list(zip(*[list(e.get("commitments", {0: e["commitment_probability"]}).values()) for e in answer["environments"]]))


NUMBERS = itertools.count()
CODES = {"optimal": 0, "infeasible": 2}


def question_plan(c):
    code, plan = c.plan()
    w = c.world
    if c.policies: return groups(c, plan, code)
    proves = c.method in METHODS[:3]
    need(code == CODES.get(plan["status"], 0 if not proves and plan["status"] == "feasible" else 3), "exit %d with status %s", code, plan["status"])
    c.held(*c.of(plan), plan["status"], c.limits())
    need(plan["status"] in CODES or not proves or c.method == "exact-ccl", "status %s of a small model", plan["status"])
    if plan["status"] == "infeasible": return
    u = [e["value"] for e in plan["environments"]]
    for e, best in zip(plan["environments"], c.optimal()):
        need(best is None or near(e["optimal_value"], best), "U* %.10g, is %s", e["optimal_value"], best)
    pr = probabilities(w, plan)
    need(not proves or w.short(pr) <= 1e-9, "promises are broken by %.3g", w.short(pr))
    for k, e in enumerate(plan["environments"]):
        if "regret_of_determinism" not in e: continue
        least = min((c.optimal()[k] - v[k] for v, q in w.vectors(c.L) if w.short(q) <= 1e-9), default=None)
        need(least is None or e["regret_of_determinism"] <= least + CLOSE, "no deterministic policy regrets less than %.10g in k%d; one regrets %s", e["regret_of_determinism"], k, least)
    if c.method == "milp-ccl":
        near_all = lambda x, y: all(near(a, b) for a, b in zip(x, y))
        need(any(near_all(u, v) and all(near_all(a, b) for a, b in zip(pr, q)) for v, q in w.vectors(c.L)), "no deterministic policy has these figures")


def groups(c, plan, code):
    w, most = c.world, int(c.policies[0])
    need(code == CODES.get(plan["status"], 0 if c.method in METHODS[3:] and plan["status"] == "feasible" else 3), "exit %d with status %s", code, plan["status"])
    best = {}
    everything = range(w.K)
    for size in range(1, w.K + 1):
        for of in itertools.combinations(everything, size): best[of] = c.limits(of, None if "all" in c.policies else of)

    def parts(rest, count):
        if not rest: yield ()
        elif count:
            first, others = rest[0], rest[1:]
            for size in range(len(others) + 1):
                for with_it in itertools.combinations(others, size):
                    for more in parts([k for k in others if k not in with_it], count - 1): yield ((first, *with_it), *more)

    ends = []
    for end in (0, 1):
        values = [min((best[g][end] if best[g] and best[g][end] is not None else -1e99) for g in p) for p in parts(list(everything), most)]
        ends.append(max(values))
    truth = None if ends[1] == -1e99 else (None if ends[0] == -1e99 else ends[0], ends[1])
    c.held(*c.of(plan), plan["status"], truth)


def claims(c, done, plan, file, model):
    """The proof's claim is the plan's, and another program verifies it."""
    if not os.path.exists(file): raise Wrong("no proof: %s" % done.stderr.strip()[-300:])
    check = c.run(model, file, program=CHECK)
    need(check.returncode == 0, "vouch-check: exit %d: %s", check.returncode, check.stdout.strip()[-200:] + check.stderr.strip()[-200:])
    said = check.stdout.strip().split("\n")
    if plan["status"] == "infeasible": return need("not keep" in check.stdout or "keeps" in check.stdout, "%s", said[-1])
    value, bound = c.of(plan)
    found = re.search(r"verified: [^;]*?([<>])= ([-+.\de]+)(?:, ([<>])= ([-+.\de]+))?", said[-1])
    if not found: return need(c.method in METHODS[3:] and "verified" in check.stdout, "%s", said[-1])
    sign = -1 if c.objective == "regret" else 1
    need(near(sign * float(found[2]), value), "the proof's claim is %s, the plan's %.10g", found[2], value)
    if c.method in METHODS[:3]: need(found[4] and (near(sign * float(found[4]), bound) or abs(sign * float(found[4]) - value) < 1e-6 + 1e-4 * (c.method == "exact-ccl")), "the proof's bound is %s, the plan's %.10g", found[4], bound)


def question_proof(c):
    code, plan = c.plan()
    file, model = c.file("p.vproof"), c.model
    if os.path.exists(file): os.remove(file)
    try:
        done = c.run("plan", model, *c.options, "--proof", file, "--json")
    except Refused as why:
        if "--joined" not in str(why): raise
        model = c.file("joined.json")
        c.run("convert", c.model, "--joined", "-o", model)
        done = c.run("plan", model, *c.options, "--proof", file, "--json")
    proved = json.loads(done.stdout)
    if plan["status"] in ("optimal", "infeasible"):
        need(done.returncode == code, "exit %d with --proof, %d without: %s", done.returncode, code, done.stderr.strip()[-300:])
    value, other = c.of(plan)[0], c.of(proved)[0]
    if plan["status"] == "optimal": need(near(value, other) or c.method == "exact-ccl" and abs(value - other) < 1e-3, "%.10g with --proof, %.10g without", other, value)
    if done.returncode in (0, 2): claims(c, done, proved, file, model)


def question_prove(c):
    code, plan = c.plan()
    done = c.run("plan", c.model, *c.options, "--prove")
    if plan["status"] in ("optimal", "infeasible"): need(done.returncode == code, "exit %d, %d without --prove: %s", done.returncode, code, done.stderr.strip()[-300:])
    if done.returncode in (0, 2): need("verified" in done.stdout, "nothing is verified: %s", done.stderr.strip()[-300:])


def named(c):
    """The promise that --frontier and --max-commitment are about."""
    return c.r.randrange(len(c.world.promises)), ["c%d"] if len(c.world.promises) > 1 else []


def question_frontier(c):
    w = c.world
    j, name = named(c)
    done = c.run("plan", c.model, *c.options, "--frontier", *(n % j for n in name), "--points", "3", "--json")
    if done.returncode == 2: return need(w.best(lambda U, Pr: [(Pr[j][0], 0)], but=j) is None or c.method != "history", "the others can be kept: %s", done.stderr)
    said = json.loads(done.stdout)
    before = w.promises[j]["p"]
    for point in said["frontier"]:
        w.promises[j]["p"] = [point["p"]] * w.K
        c.cache.pop("optimal", None)
        c.held(*c.of(point), point["status"], c.limits(), "at %.10g: " % point["p"])
    w.promises[j]["p"] = before
    c.cache.pop("optimal", None)


def question_max_commitment(c):
    w = c.world
    j, name = named(c)
    code, said = c.answer("plan", c.model, *c.options, "--max-commitment", *(n % j for n in name))
    average = w.promises[j]["average"]
    level = said["promises"]["c%d" % j] if "promises" in said else said["this_class"]
    most = w.best(lambda U, Pr: [(w.mean(Pr[j]) if average else x, 0) for x in Pr[j]], but=j)
    kept = [w.mean(pr[j]) if average else min(pr[j]) for u, pr in w.vectors(c.L) if w.short(pr, but=j) <= 1e-9]
    exact = most if c.method == "history" else max(kept, default=None) if c.method == "milp-ccl" else None
    if level["bound"] < 0: return need(exact is None, "the others cannot be kept, it is said; %s can", exact)
    need(most is not None or not level["proved"], "%s although the others cannot be kept", level)
    if level["proved"] and c.method in METHODS[:2] + ["history"]:
        need(exact is None or abs(level["reached"] - exact) <= 1e-6, "largest %.10g, is %s", level["reached"], exact)
    if most is None: return
    need(level["reached"] <= most + 1e-6, "reached %.10g, the most is %.10g", level["reached"], most)
    need(level["bound"] >= (max(kept, default=0) if c.method != "history" else most) - 1e-6 or c.method in METHODS[3:], "bound %.10g below", level["bound"])


def same_answer(c, answer, what, loose=False):
    code, plan = c.plan()
    need(answer["status"] == plan["status"], "%s: %s, without %s", what, answer["status"], plan["status"])
    a, b = c.of(answer)[0], c.of(plan)[0]
    need(a == b or near(a, b) or (loose and abs(a - b) < 1e-3), "%s: %s, without %s", what, a, b)


def question_log_tree(c):
    c.plan()
    file = c.file("t.jsonl")
    code, said = c.answer("plan", c.model, *c.options, "--log-tree", file)
    same_answer(c, said, "--log-tree")
    for form in ([], ["--svg"]): c.run("tree", file, *form)


def question_start(c):
    policy = c.policy()
    code, said = c.answer("plan", c.model, *c.options, *(["--start", policy] if policy else []))
    same_answer(c, said, "--start", c.method == "exact-ccl")


def question_program(c):
    c.plan()
    code, said = c.answer("plan", c.model, *c.options, "--engine", "lp")
    same_answer(c, said, "--engine lp", c.method == "exact-ccl")


def question_certify(c):
    c.plan()
    code, said = c.answer("plan", c.model, *c.options, "--certify")
    if c.policies: groups(c, said, code)
    else: c.held(*c.of(said), said["status"], c.limits())


def question_threads(c):
    code, plan = c.plan()
    again, said = c.answer("plan", c.model, *c.options, "--threads", "2", "--tie-break", "none")
    same_answer(c, said, "--threads 2", c.method == "exact-ccl")


def question_journal(c):
    c.plan()
    file = c.file("j")
    if os.path.exists(file): os.remove(file)
    a = c.run("plan", c.model, *c.options, "--journal", file, "--json")
    b = c.run("plan", c.model, *c.options, "--resume", file, "--json")
    need(a.stdout == b.stdout, "--resume gives other bytes")
    same_answer(c, json.loads(a.stdout), "--journal")


def question_export(c):
    c.plan()
    within, c.world.within = c.world.within, 0  # programs are of the given probabilities
    true = {method: c.limits(method=method) for method in ("milp-ccl", "history")}
    c.world.within = within
    for form, method in (("compact", "milp-ccl"), ("paper", "milp-ccl"), ("history", "history")):
        file = c.file(form + ".mps")
        options = ["--objective", c.objective] if c.objective != "regret" else []
        truth = true[method]
        if c.run("export", c.model, "-L", c.L, "--form", form, *options, "-o", file).returncode == 2:
            need(truth is None, "infeasible; is %s", truth)
            continue
        done = c.run("lp", file, "--json")
        said = json.loads(done.stdout)
        need((said["status"] == "infeasible") == (truth is None) or c.edge(), "%s form: %s; is %s", form, said["status"], truth)
        # Weights of classes are rounded in a program, which may forbid what keeps a promise exactly.
        if truth: need(near(said["objective"], -truth[0]) or c.edge(), "%s form: %.10g; is %.10g", form, said["objective"], -truth[0])


def replanned(c, *more):
    w, L = c.world, max(1, c.L)
    inner = ["--inner", c.method] if c.method in METHODS[:2] else []
    options = ["--objective", c.objective] if c.objective != "regret" else []
    code, said = c.answer("ccil", c.model, "-L", L, *inner, *options, *more)
    first, most = c.limits(method=c.method if inner else "milp-ccl", L=L), c.limits(method="history")
    need(code == {**CODES, "feasible": 0}.get(said["status"], 3), "exit %d with status %s", code, said["status"])
    if said["status"] == "infeasible": return need(first is None or first[0] is None, "infeasible; %s is attained", first)
    need(first is not None or c.method == "exact-ccl", "%s although no plan keeps the promises", said["status"])
    u = [e["value"] for e in said["environments"]]
    pr = probabilities(w, said)
    need(w.short(pr) <= 1e-7, "promises are broken by %.3g", w.short(pr))
    value = c.of(said)[0]
    need(near(value, w.worth(u, c.optimal(), c.objective, c.weights)), "value %.10g is not that of its figures", value)
    need(most is None or value <= most[1] + CLOSE, "value %.10g above that of all policies, %.10g", value, most[1])


def question_ccil(c):
    replanned(c)


def question_guarded(c):
    replanned(c, "--guarded")


def question_episodes(c):
    replanned_options = ["--inner", c.method] if c.method in METHODS[:2] else []
    done = c.run("ccil", c.model, "-L", max(1, c.L), *replanned_options, "--episodes", "20")
    need(done.returncode in (0, 2), "exit %d: %s", done.returncode, done.stderr)


def question_act(c):
    w = c.world
    inner = ["--inner", c.method] if c.method in METHODS[:2] else []
    options = ["--objective", c.objective] if c.objective != "regret" else []
    possible = c.limits(method=c.method if inner else "milp-ccl", L=max(1, c.L))
    command = [VOUCH, "act", c.model, "-L", str(max(1, c.L)), *inner, *options, "-q"]
    c.commands.append(command)
    agent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=PLAIN)
    k, state, lines = c.r.randrange(w.K), None, 0
    draw = lambda chances: c.r.choices(list(chances), list(chances.values()))[0]
    try:
        while True:
            line = agent.stdout.readline()
            if not line:
                agent.wait(60)
                why = agent.stderr.read().strip()
                if agent.returncode == 1 and any(p.search(why) for p in REFUSALS): raise Refused(why)
                return need(agent.returncode == 2 and (possible is None or possible[0] is None), "ends with exit %d: %s", agent.returncode, why)
            said = json.loads(line)
            need("error" not in said, "%s", line)
            lines += 1
            if said.get("done"): return need(said["time"] == w.T and lines == w.T + 1 + bool(w.initial), "done after %d lines: %s", lines, line)
            if said["time"] < 0: observed = {"state": w.state(state := draw(w.initial))}
            else:
                if state is None: state = 0
                a = [w.action(a) for a in range(w.A)].index(said["action"])
                next_state = draw(w.P[k][state][a])
                observed = {"state": w.state(next_state), **({} if w.unseen else {"reward": w.R[k][state][a][next_state]})}
                state = next_state
            agent.stdin.write(json.dumps(observed) + "\n")
            agent.stdin.flush()
    finally:
        agent.kill()
        agent.communicate()


def question_evaluate(c):
    policy = c.policy()
    if not policy: return
    code, plan = c.plan()
    again, said = c.answer("evaluate", c.model, policy)
    need(again == 0 or c.method in METHODS[3:], "exit %d", again)
    if c.policies: return need(near(said["max_regret"], plan["max_regret"]), "%.10g, the plan has %.10g", said["max_regret"], plan["max_regret"])
    for e, f in zip(said["environments"], plan["environments"]):
        for name in ("optimal_value", "value", "commitment_probability"): need(near(e[name], f[name]), "%s %.10g, the plan has %.10g", name, e[name], f[name])
    need(near(c.of(said)[0], c.of(plan)[0]), "%s, the plan has %s", c.of(said)[0], c.of(plan)[0])


def question_simulate(c):
    policy = c.policy()
    if not policy: return
    code, plan = c.plan()
    environment = ["--environment", c.world.environment(0)] if c.policies else []
    again, said = c.answer("simulate", c.model, policy, "--episodes", "300", *environment)
    need(again == 0, "exit %d", again)
    if c.policies: return
    for e, f, pr in zip(said["environments"], plan["environments"], zip(*probabilities(c.world, plan))):
        need(abs(e["mean"] - f["value"]) <= 4 * e["half_width"] + .15 or c.world.within, "mean %.10g +- %.3g of %.10g", e["mean"], e["half_width"], f["value"])
        if "kept" in e: need(e["kept_low"] - .1 <= pr[0] <= e["kept_high"] + .1 or len(c.world.promises) > 1, "kept %s, is %.10g", e["kept"], f["commitment_probability"])


def show(form):
    def question(c):
        policy = c.policy()
        if not policy: return
        environment = ["--environment", c.world.environment(c.r.randrange(c.world.K))] if c.policies and c.r.random() < .5 else []
        done = c.run("show", c.model, policy, *form, *environment)
        need(done.returncode == 0 and (done.stdout or form[:1] == ["--induced"]), "exit %d", done.returncode)
        if "--svg" in form: xml.dom.minidom.parseString(done.stdout)
        if "--dot" in form: need(done.stdout.startswith("digraph"), "no graph")
        if "--csv" in form: need(len({len(row) for row in csv.reader(io.StringIO(done.stdout))}) == 1, "ragged")
        if "--json" in form or "--storm" in form: json.loads(done.stdout)
    return question


def question_sweep(c):
    code, plan = c.plan()
    file = c.file("s.csv")
    if c.policies: vary = ["--vary", "policies=" + c.policies[0], "-L", c.L] + (["--promises", "all"] if "all" in c.policies else [])
    else: vary = ["--vary", "L=%d" % c.L]
    objective = ["--objective", c.objective] if c.objective != "regret" else []
    again, said = c.answer("sweep", c.model, *vary, "--method", c.method, *objective, "--csv", file)
    cells = said["cells"]
    need(len(cells) == 1, "%d cells", len(cells))
    cell = {**cells[0], "value": cells[0].get("value")}
    same_answer(c, cell, "sweep", c.method == "exact-ccl")
    need(len(list(csv.reader(open(file)))) == 2, "the table has other rows")


def question_convert(c):
    code, plan = c.plan()
    one, two = c.file("one.json"), c.file("two.json")
    c.run("convert", c.model, "-o", one)
    c.run("convert", one, "-o", two)
    need(open(one).read() == open(two).read(), "converted again it has other bytes")
    same_answer(c, c.answer("plan", one, *c.options)[1], "converted", c.method == "exact-ccl")
    c.run("convert", c.model, "--joined", "-o", two)
    if c.L < c.world.T or not c.world.initial: same_answer(c, c.answer("plan", two, *c.options)[1], "--joined", c.method == "exact-ccl")


def back(ending):
    def question(c):
        """The promises are not in such a file: convert says with which options it is read."""
        code, plan = c.plan()
        out = c.file("back%d%s" % (next(NUMBERS), ending))
        said = c.run("convert", c.model, "-o", out).stdout
        if "no option gives" in said: return
        options = re.search(r"^to be read with (.*)", said, re.M)
        same_answer(c, c.answer("plan", out, *c.options, *shlex.split(options[1] if options else ""))[1], "back from " + ending, c.method == "exact-ccl")
    return question


def question_text(c):
    """The headline says what --json says; the least total regret is that of the list."""
    code, plan = c.plan()
    done = c.run("plan", c.model, *c.options)
    need(done.returncode == code, "exit %d, %d with --json", done.returncode, code)
    proved, regret = re.search(r"[^t] proved optimal|\(proved optimal", done.stdout), plan["status"] == "optimal"
    need(bool(proved) == regret, "the headline is not that of status %s", plan["status"])
    need(("infeasible (proved)" in done.stdout) == (plan["status"] == "infeasible"), "the headline is not that of status %s", plan["status"])
    w = c.world
    if "proved least for that" in done.stdout and not c.policies:
        kept = [u for u, pr in w.vectors(c.L) if w.short(pr) <= 1e-9]
        value = c.of(plan)[0]
        least = min(sum(c.optimal()) - sum(u) for u in kept if w.worth(u, c.optimal(), c.objective, c.weights) >= value - 1e-9)
        need(abs(plan["total_regret"] - least) <= 1e-5, "total regret %.10g, the least is %.10g", plan["total_regret"], least)


def question_gap_0(c):
    code, plan = c.plan()
    again, said = c.answer("plan", c.model, *c.options, "--gap", "0")
    if c.policies: return groups(c, said, again)
    c.held(*c.of(said), said["status"], c.limits())


def question_start_lower(c):
    """A Markov policy begins a plan that remembers."""
    code, plan = c.plan()
    markov = c.answer("plan", c.model, *c.options, "-L", "0", "-o", c.file("markov.json"))[1]
    if markov["status"] in ("optimal", "feasible"): same_answer(c, c.answer("plan", c.model, *c.options, "--start", c.file("markov.json"))[1], "--start", c.method == "exact-ccl")


def question_workers(c):
    c.plan()
    same_answer(c, c.answer("plan", c.model, *c.options, "--workers", "2")[1], "--workers 2")


def question_options(c):
    """What the file says of promises' probabilities, prior, observation and horizon, said by options instead."""
    c.plan()
    w, other, options = c.world, c.world.json(), []
    file = c.file("bare.json")
    if w.prior and "prior" in other: options += ["--prior", ",".join("%r" % other["prior"].pop(w.environment(k)) for k in range(w.K))]
    if not other.get("prior", True): del other["prior"]
    if w.unseen: options += ["--observe", other.pop("observe")]
    for j, q in enumerate(other.get("commitments", [])):
        if not isinstance(q["probability"], dict):
            options += ["-p", "%s=%r" % (q["name"], q["probability"])]
            q["probability"] = .5
    if "commitment" in other:
        options += ["-p", "%r" % other["commitment"]["probability"]]
        other["commitment"]["probability"] = .5
    options += ["-T", str(other["horizon"])]
    other["horizon"] = c.world.T + (c.r.random() < .5 and "commitment" in other)
    json.dump(other, open(file, "w"))
    same_answer(c, c.answer("plan", file, *c.options, *options)[1], "by options", c.method == "exact-ccl")


def question_max_commitment_proof(c):
    j, name = named(c)
    file, model = c.file("most.vproof"), c.model
    if os.path.exists(file): os.remove(file)
    done = c.run("plan", model, *c.options, "--max-commitment", *(n % j for n in name), "--proof", file)
    if os.path.exists(file):
        p = re.search(r"keeps p = (.*)", done.stderr)
        need(p and c.run(model, file, "-p", p[1], program=CHECK).returncode == 0, "not verified: %s", done.stderr.strip()[-300:])
    else: need("no proof: none is needed" in done.stderr or done.returncode == 3, "no proof: %s", done.stderr.strip()[-300:])


def question_frontier_picture(c):
    j, name = named(c)
    file = c.file("f.svg")
    if os.path.exists(file): os.remove(file)
    if c.run("plan", c.model, *c.options, "--frontier", *(n % j for n in name), "--points", "3", "--plot", file).returncode == 2: return
    xml.dom.minidom.parse(file)


def question_proof_options(c):
    """Another horizon and, of one commitment, another probability, said by options to both programs."""
    w, file = c.world, c.file("o.vproof")
    c.plan()
    other, options = w.json(), []
    if "commitment" in other: options += ["-p", "%r" % c.r.choice([0, .125, .5, 1])]
    options += ["-T", str(w.T)]
    other["horizon"] = w.T + 1
    model = c.file("o.json")
    if os.path.exists(file): os.remove(file)
    json.dump(other, open(model, "w"))
    try:
        done = c.run("plan", model, *c.options, *options, "--proof", file, "--json")
    except Refused as why:
        if "--joined" not in str(why): raise
        c.run("convert", model, *options, "--joined", "-o", c.file("j.json"))
        model, options = c.file("j.json"), []
        done = c.run("plan", model, *c.options, "--proof", file, "--json")
    if "commitment" not in other: same_answer(c, json.loads(done.stdout), "-T", c.method == "exact-ccl")
    if done.returncode in (0, 2): need(c.run(*options, model, file, program=CHECK).returncode == 0, "not verified")


def question_limit(c):
    """What is claimed at a limit holds, with a proof or without."""
    c.plan()
    limit = c.r.choice([["--node-limit", "1"], ["--node-limit", "2"], ["--time-limit", "1e-9"], ["--time-limit", "0.001"], ["--memory-limit", "30M"]])
    code, said = c.answer("plan", c.model, *c.options, *limit)
    if c.policies: groups(c, said, code)
    else: c.held(*c.of(said), said["status"], c.limits())


def question_limited_proof(c):
    c.plan()
    file = c.file("l.vproof")
    if os.path.exists(file): os.remove(file)
    limit = c.r.choice([["--node-limit", "1"], ["--node-limit", "2"], ["--time-limit", "0.002"]])
    c.run("plan", c.model, *c.options, *limit, "--proof", file)
    if os.path.exists(file): need(c.run(c.model, file, program=CHECK).returncode == 0, "not verified")


def question_without(c):
    c.plan()
    parts = c.r.sample(PARTS, c.r.randint(1, 4))
    same_answer(c, c.answer("plan", c.model, *c.options, "--without", ",".join(parts))[1], "--without", c.method == "exact-ccl")


def question_without_proof(c):
    code, plan = c.plan()
    file = c.file("w.vproof")
    if os.path.exists(file): os.remove(file)
    done = c.run("plan", c.model, *c.options, "--without", ",".join(c.r.sample(PARTS, c.r.randint(1, 4))), "--proof", file, "--json")
    if done.returncode in (0, 2): claims(c, done, json.loads(done.stdout), file, c.model)


def question_standard_input(c):
    c.plan()
    done = c.run("plan", "-", *c.options, "--json", feed=open(c.model).read())
    same_answer(c, json.loads(done.stdout), "by standard input")


def question_packed(c):
    code, plan = c.plan()
    c.run("convert", c.model, "-o", c.file("packed.json.gz"))
    same_answer(c, c.answer("plan", c.file("packed.json.gz"), *c.options, "--stats")[1], "packed")


def question_sweep_replanned(c):
    """CCIL by a sweep is CCIL."""
    if c.method not in METHODS[:2] or c.policies: return
    objective = ["--objective", c.objective] if c.objective != "regret" else []
    word = {"milp-ccl": "milp-ccil", "exact-ccl": "exact-ccil"}[c.method]
    cell = c.answer("sweep", c.model, "--vary", "L=%d" % max(1, c.L), "--method", word, *objective)[1]["cells"][0]
    said = c.answer("ccil", c.model, "-L", max(1, c.L), "--inner", c.method, *objective)[1]
    need(cell["status"] == said["status"] and near(c.of(cell)[0], c.of(said)[0]) or said["status"] == "infeasible" == cell["status"], "%s, vouch ccil has %s", cell, said)


def question_sweep_p(c):
    w = c.world
    j, name = named(c)
    p = c.r.choice([0, .25, .5])
    objective = ["--objective", c.objective] if c.objective != "regret" else []
    if c.policies: return
    which = "p.c%d" % j if name else "p"
    cell = c.answer("sweep", c.model, "--vary", "%s=%r" % (which, p), "-L", c.L, "--method", c.method, *objective)[1]["cells"][0]
    said = c.answer("plan", c.model, *c.options, "-p", ("c%d=%r" % (j, p)) if name else "%r" % p)[1]
    need(cell["status"] == said["status"] and (said["status"] not in ("optimal", "feasible") or near(c.of(cell)[0], c.of(said)[0])), "%s, vouch plan has %s", cell, said)


def induced(form):
    def question(c):
        """The chains that the policy makes have its values and probabilities."""
        policy = c.policy()
        if not policy: return
        code, plan = c.plan()
        w, out = c.world, c.file("chain%d%s" % (next(NUMBERS), "/" if form == "drn" else ".prism"))
        c.run("show", c.model, policy, "--induced", form, "-o", out, *(["--environment", w.environment(0)] if c.policies else []))
        if c.policies: return
        labels = ["commit"] if len(w.promises) == 1 else ["commit%d" % (j + 1) for j in range(len(w.promises))]
        steps = w.T + bool(w.initial)
        constants = ["--const", "environment=0:%d" % (w.K - 1) if w.K > 1 else "environment=0"] if form == "prism" else []
        chains = c.answer("plan", out, "-T", steps, "--observe", "states", "--reward", "reward", *constants, *sum([["--commit", "%s:at:%s@%d>=0" % (n, n, steps)] for n in labels], []))[1]
        for e, f, pr in zip(chains["environments"], plan["environments"], zip(*nominal(plan))):
            need(near(e["value"], f["value"]), "the chain earns %.10g, the policy %.10g", e["value"], f["value"])
            need(all(near(a, b) for a, b in zip(e["commitments"].values(), pr)), "the chain keeps with %s, the policy with %s", e["commitments"], pr)
    return question


def question_watch(c):
    c.plan()
    page = c.file("page.html")
    if os.path.exists(page): os.remove(page)
    if c.run("watch", c.model, *c.options, "-o", page).returncode == 2: return need(c.limits() is None, "infeasible; is %s", c.limits())
    need("<html" in open(page).read(), "no page")


def question_python(c):
    if not package: return
    code, plan = c.plan()
    c.commands.append(["python", "vouch.plan", c.model, *c.options])
    model = package.read(c.model)
    options = {"objective": c.objective} if c.objective != "regret" else {}
    if "engine lp" in c.features: options["engine"] = "lp"
    if c.policies: options.update(policies=int(c.policies[0]), promises="all" if "all" in c.policies else "own")
    ours = package.plan(model, c.method, c.L, **options)
    need(ours.status == plan["status"], "Python: %s, the program %s", ours.status, plan["status"])
    if plan["status"] in ("optimal", "feasible"): need(ours.max_regret == plan["max_regret"], "Python: %r, the program %r", ours.max_regret, plan["max_regret"])
    if c.policies or plan["status"] not in ("optimal", "feasible"): return
    said = ours.policy.evaluate()
    need(all(near(e.value, f["value"]) for e, f in zip(said.environments, plan["environments"])), "Python evaluates to other values")
    for e, f in zip(package.simulate(ours.policy, 200), plan["environments"]): need(abs(e.mean - f["value"]) <= 4 * e.half_width + .2 or c.world.within, "mean %.10g of %.10g", e.mean, f["value"])
    ours.policy.write(c.file("python.json"))
    need(open(c.file("python.json")).read() == open(c.file("p.json")).read(), "Python writes another policy")


def question_python_questions(c):
    if not package or c.policies: return
    model, objective = package.read(c.model), {"objective": c.objective} if c.objective != "regret" else {}
    inner = c.method if c.method in METHODS[:2] else METHODS[0]
    c.commands.append(["python", "vouch.ccil", c.model])
    said = c.answer("ccil", c.model, "-L", max(1, c.L), "--inner", inner, *(["--objective", c.objective] if objective else []))[1]
    if said["status"] != "infeasible": need(near(package.ccil(model, max(1, c.L), inner=inner, **objective).max_regret, said["max_regret"]), "vouch.ccil differs")
    if objective: return
    j, name = named(c)
    most = c.answer("plan", c.model, *c.options, "--max-commitment", *(n % j for n in name))[1]
    c.commands.append(["python", "vouch.explain", c.model])
    ours = package.explain(model, c.method, c.L, **({"promise": name[0] % j} if name else {}))
    if not name: need(near(ours.this_class.reached, most["this_class"]["reached"]), "vouch.explain differs")
    swept = package.sweep(model, lookahead=c.L, method=c.method)
    need(near(list(swept.cells())[0].get("max_regret"), c.plan()[1]["max_regret"]) if c.policy() else True, "vouch.sweep differs")


QUESTIONS = {name[9:].replace("_", "-"): f for name, f in list(globals().items()) if name.startswith("question_")}
QUESTIONS.update({"show " + " ".join(form): show(form) for form in ([], ["--words"], ["--tree"], ["--svg"], ["--dot"], ["--csv"], ["--storm"], ["--json"])})
QUESTIONS.update({"induced " + form: induced(form) for form in ("drn", "prism")})
QUESTIONS.update({"back " + ending: back(ending) for ending in (".csv", "/", ".pomdp")})


def cells():
    """(features, number of the draw, questions)"""
    names, seed = list(OF), ARGUMENTS.seed
    part, parts = map(int, ARGUMENTS.part.split("/"))
    pairs = [p for p in itertools.combinations(names, 2) if OF[p[0]] != OF[p[1]]]
    for pair in pairs[part::parts] if ARGUMENTS.draw == 0 else []: yield pair, seed, list(QUESTIONS)
    for i in range(ARGUMENTS.first, ARGUMENTS.first + ARGUMENTS.draw):
        r = random.Random("%d %d" % (seed, i))
        chosen = {OF[f]: f for f in r.sample(names, r.randint(3, 7))}
        yield tuple(sorted(chosen.values())), i, [r.choice(list(QUESTIONS))]


def tell_wrong(cell, name, number, why, count):
    how = "--seed %d --draw 1 --first %d" % (ARGUMENTS.seed, number) if ARGUMENTS.draw else "--seed %d --only '%s'" % (ARGUMENTS.seed, name)
    if not isinstance(why, Wrong): why = "%s: %s" % (type(why).__name__, why)
    print("WRONG %s; %s; %s: %s\n  %s" % (", ".join(cell.features), name, how, str(why)[:400], shlex.join(cell.commands[-1]) if cell.commands else ""), flush=True)
    if ARGUMENTS.keep: json.dump(cell.world.json(), open("%s/grid-%d.json" % (ARGUMENTS.keep, count), "w"), indent=1)


def main():
    counts, sentences = collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for features, number, questions in cells():
            cell = Cell(features, number, folder)
            for name in [q for q in QUESTIONS if q.startswith(ARGUMENTS.only)] if ARGUMENTS.only else questions:
                cell.commands = []
                counts["cells"] += 1
                try:
                    QUESTIONS[name](cell)
                    counts["right"] += 1
                except Refused as why:
                    counts["refused"] += 1
                    sentences[re.sub(r"^[^:]*: |\d+(\.\d+)?", "", str(why))] += 1
                except Exception as why:
                    counts["wrong"] += 1
                    tell_wrong(cell, name, number, why, counts["wrong"])
    for why, n in sentences.most_common() if ARGUMENTS.refused else []: print("%6d %s" % (n, why))
    print("grid, %s: %d cells, %d right, %d refused, %d wrong" % ("drawn" if ARGUMENTS.draw else "pairs", *(counts[x] for x in ("cells", "right", "refused", "wrong"))))
    print("ok judge_grid" if counts["wrong"] == 0 and counts["right"] > 0 else "not ok judge_grid: %d wrong" % counts["wrong"])


main()

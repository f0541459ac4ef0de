"""The Python package: it gives what the program gives, to the last digit; its solvers agree with scipy; errors, progress and interruption.

usage: judge_python.py VOUCH EXAMPLES     with the package on PYTHONPATH
Prints "ok NAME" or "not ok NAME: why" for each function test_*.
"""
import contextlib
import fractions
import gc
import io
import json
import os
import pickle
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import coo_matrix, csc_matrix, csr_array, csr_matrix, lil_matrix

import vouch

PROGRAM, EXAMPLES = sys.argv[1], sys.argv[2]
FOLDER = tempfile.TemporaryDirectory()
TOLERANCE = 1e-6
LONG = 300  # seconds after which a call that should have been ended ends by itself
STEPS = 1000  # calls of Python that a small call may take


def file(name):
    return os.path.join(FOLDER.name, name)


def program(*arguments, status=(0,), feed=None):
    # the package runs under a sanitizer by preloading it, the program does not need that
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=feed, capture_output=True, text=True, env=environment)
    assert done.returncode in status, f"{arguments}: exit {done.returncode}: {done.stderr}"
    return done


def answer(*arguments, status=(0,)):
    return json.loads(program(*arguments, "--json", status=status).stdout)


def raises(kind, text, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as raised:
        assert text in str(raised), f'"{raised}" does not say "{text}"'
        return raised
    raise AssertionError(f"no {kind.__name__}")


def same(ours, theirs, what):
    theirs = float("nan") if theirs is None else theirs
    assert ours == theirs or (ours != ours and theirs != theirs), f"{what}: {ours!r}, the program has {theirs!r}"


def same_figures(ours, theirs, what):
    assert len(ours) == len(theirs)
    for f, g in zip(ours, theirs):
        assert f.name == g["name"]
        for name in ("optimal_value", "value", "regret", "commitment_probability"):
            same(getattr(f, name), g[name], f"{what}: {name} of {f.name}")
        assert f.commitments == g.get("commitments", {}), f"{what}: promises of {f.name}"


def models():
    yield vouch.Model.t_maze(probability=0.6)
    yield vouch.Model.twin_states(4)
    yield vouch.Model.random(4, 2, 3, horizon=4, probability=0.3, seed=11)


def hard():
    """A model that takes minutes."""
    return vouch.Model.random(12, 4, 5, horizon=12, probability=0.45, branching=4, seed=3)


# ---- as the program ----------------------------------------------------------------------------------------------------


def test_groups():
    program("generate", "random", "--states", 4, "--actions", 2, "--environments", 4, "-T", 3, "-p", 0.1, "--seed", 3, "-o", file("groups.json"))
    model = vouch.read(file("groups.json"))
    for policies, promises, lookahead in ((1, "own", 0), (2, "own", 0), (2, "own", 1), (2, "all", 1), (4, "own", 0)):
        theirs = answer("plan", file("groups.json"), "--policies", policies, "--promises", promises, "-L", lookahead)
        ours = vouch.plan(model, lookahead=lookahead, policies=policies, promises=promises, threads=2)
        assert ours.status == theirs["status"] and len(ours) == len(theirs["groups"])
        same(ours.max_regret, theirs["max_regret"], "groups")
        for group, other in zip(ours.groups, theirs["groups"]):
            assert list(group.environments) == other["environments"]
            same(group.max_regret, other["max_regret"], "group")
            for name in group.environments:
                policy = ours.policy(name)
                figures = {f.name: f for f in policy.evaluate().environments}
                assert figures[name].regret <= ours.max_regret + TOLERANCE
    del ours
    gc.collect()
    assert len(policy) > 0 and policy.model.environments  # a policy keeps what it is a part of
    raises(vouch.ArgumentError, "expected policies", vouch.plan, model, promises="all")
    raises(vouch.ArgumentError, 'there is no promises "some"', vouch.plan, model, policies=2, promises="some")
    raises(vouch.Error, "", vouch.plan, model, policies=0)


def test_copies_observe_what_the_original_did():
    model = vouch.Model.random(4, 2, 2, horizon=3, probability=0.2, seed=7)
    part = vouch.plan(model, policies=2, promises="all").groups[0].policy.model  # the rewards of others are 0, but are observed
    assert vouch.plan(pickle.loads(pickle.dumps(part)), lookahead=1).max_regret == vouch.plan(part, lookahead=1).max_regret > 1
    part.write(file("part.json"))
    assert vouch.plan(vouch.read(file("part.json")), lookahead=1).max_regret == 0


def test_costs_are_minimised():
    P, R = np.full((2, 2, 2, 2), 0.5), np.zeros((2, 2, 2))
    P[0, 0, 1], P[1, 0, 0], R[0, 0], R[1, :, 1] = [1, 0], [0.2, 0.8], [1, 3], [2, 1]
    options = {"commitment": [0], "horizon": 4, "probability": 0.3}
    costs, rewards = vouch.Model.from_arrays(P, R, minimise=True, **options), vouch.Model.from_arrays(P, -R, **options)
    assert costs.minimise and not rewards.minimise and rewards.replace(minimise=True).minimise
    costs.write(file("costs.json"))
    vouch.Model.from_arrays(P, R, **options).write(file("plain.json"))
    for method in ("milp-ccl", "history"):
        ours, negated = vouch.plan(costs, method), vouch.plan(rewards, method)
        same(ours.max_regret, negated.max_regret, "regret of costs")
        assert (ours.max_regret > 0.3 or method == "history") and ours.describe().endswith("; minimises costs")
        for world, other in zip(ours.environments, negated.environments):
            same(world.value, -other.value, "cost")
            same(world.optimal_value, -other.optimal_value, "least cost")
        for model, more in ((vouch.read(file("costs.json")), {}), (vouch.read(file("plain.json"), minimise=True), {}), (vouch.read(file("plain.json")), {"minimise": True})):
            same(vouch.plan(model, method, **more).max_regret, ours.max_regret, "costs of a file")
        same(answer("plan", file("plain.json"), "--minimise", "--method", method)["max_regret"], ours.max_regret, "costs of the program")


def test_averages():
    P = np.zeros((2, 2, 2, 2))
    P[:, 0, :, 0] = P[:, 1, :, 1] = 1
    R = np.zeros((2, 2, 2))
    R[0, 0, 1], R[1, 0, 0], R[:, 1, :] = 1, 3, [[0.5, 0], [0, 1]]
    promises = [{"name": "mean", "states": [1], "probability": 0.7, "over": "prior"}]
    model = vouch.Model.from_arrays(P, R, promises=promises, horizon=2, prior=[3, 1], observe="rewards")
    assert model.prior == (0.75, 0.25) and model.promises[0].average
    model.write(file("mean.json"))
    theirs = answer("plan", file("mean.json"), "-L", 1)
    ours = vouch.plan(model, lookahead=1)
    same(ours.max_regret, theirs["max_regret"], "regret under a mean")
    assert ours.averages == theirs["averages"] and ours.averages["mean"] >= 0.7 - 1e-12
    same(vouch.explain(model).this_class.reached, answer("plan", file("mean.json"), "--max-commitment")["this_class"]["reached"], "most on average")
    same(vouch.ccil(model, 1).max_regret, answer("ccil", file("mean.json"), "-L", 1)["max_regret"], "planned again")
    assert vouch.read(file("mean.json"), prior=[1, 1]).prior == (0.5, 0.5) and model.replace(prior=[0, 2]).prior == (0, 1)
    raises(vouch.ArgumentError, "3 numbers; expected 2", model.replace, prior=[1, 1, 1])
    raises(vouch.Error, "expected numbers of at least 0", model.replace, prior=[1, -1])
    raises(vouch.Error, "expected numbers of at least 0", model.replace, prior=[0, 0])
    raises(vouch.ArgumentError, 'expected "prior"', vouch.Model.from_arrays, P, R, promises=[{**promises[0], "over": "all"}], horizon=2)
    raises(vouch.Error, "one probability", vouch.Model.from_arrays, P, R, promises=[{**promises[0], "probability": {"k1": 0.1, "k2": 0.2}}], horizon=2)


def test_plans_are_those_of_the_program():
    for i, model in enumerate(models()):
        model.write(file("model.json"))
        for method in ("milp-ccl", "exact-ccl", "history", "greedy", "mdps-best"):
            for L in (0, 2):
                plan = vouch.plan(model, method, L)
                theirs = answer("plan", file("model.json"), "-m", method, "-L", L, "-o", file("theirs.json"))
                what = f"model {i}, {method}, L = {L}"
                assert plan.status == theirs["status"], what
                for name in ("max_regret", "bound", "total_regret", "nodes", "iterations"):
                    same(getattr(plan, name), theirs[name], f"{what}: {name}")
                same_figures(plan.environments, theirs["environments"], what)
                plan.policy.write(file("ours.json"))
                assert open(file("ours.json")).read() == open(file("theirs.json")).read(), what


def test_a_model_read_with_options_is_that_of_the_program():
    with open(file("ferry.prism"), "w") as out:
        out.write("mdp const int c; const int d; module f x:[0..3] init 0; [out] x<3 -> 1-c*0.2:(x'=x+1) + c*0.2:true; "
                  "[back] x>0 -> (x'=x-1); [wait] true -> true; endmodule rewards \"r\" x=d:5; [out] true:-1; endrewards label \"port\" = x=0;")
    model = vouch.Model.read(file("ferry.prism"), constants={"c": "0:2", "d": 3}, commit="port", horizon=8, probability=0.9)
    for given in ([0, 1, 2], (0, 1, 2), range(3), np.arange(3), "0,1,2"):
        assert vouch.Model.read(file("ferry.prism"), constants={"c": given, "d": np.int64(3)}, commit="port", horizon=8, probability=0.9).environments == model.environments
    raises(vouch.InputError, "expected a whole number, found true", vouch.Model.read, file("ferry.prism"), constants={"c": [0, True], "d": 3}, commit="port", horizon=8, probability=0.9)
    raises(vouch.Error, "must lie between 0 and 1", vouch.Model.read, file("ferry.prism"), constants={"c": "0:2", "d": 3}, commit="port", horizon=8, probability=90)
    assert model.environments == ("c=0,d=3", "c=1,d=3", "c=2,d=3") or len(model.environments) == 3
    theirs = answer("plan", file("ferry.prism"), "--const", "c=0:2", "--const", "d=3", "--commit", "port", "-T", 8, "-p", 0.9, "-L", 2)
    same_figures(vouch.plan(model, lookahead=2).environments, theirs["environments"], "ferry")


def test_several_promises_are_those_of_the_program():
    program("generate", "corridor", "-o", file("model.json"))
    model = vouch.Model.read(file("model.json"))
    assert [(p.name, p.kind, p.first, p.last) for p in model.promises] == [("fetch", "by", 0, 3), ("deliver", "by", 0, 8), ("safe", "avoid", 0, 8)]
    assert all(p.probability == (0.8, 0.8) for p in model.promises)
    plan = vouch.plan(model, lookahead=1)
    same_figures(plan.environments, answer("plan", file("model.json"), "-L", 1, "-o", file("policy.json"))["environments"], "promises")
    assert list(plan.environments[0].commitments) == ["fetch", "deliver", "safe"]
    theirs = answer("evaluate", file("model.json"), file("policy.json"))
    same_figures(plan.policy.evaluate().environments, theirs["environments"], "promises, evaluate")
    theirs = answer("evaluate", file("model.json"), file("policy.json"), "--within", 0.01, status=(0, 2))
    assert [f.worst_probability for f in plan.policy.evaluate(within=0.01).environments] == [e["worst_probability"] for e in theirs["environments"]]
    kept = vouch.plan(model, within=0.01)
    assert kept.environments == kept.policy.evaluate(within=0.01).environments and kept.max_regret >= plan.max_regret - 1e-6
    theirs = answer("simulate", file("model.json"), file("policy.json"), "--episodes", 200, "--seed", 3)["environments"]
    for ours, row in zip(vouch.simulate(plan, 200, seed=3), theirs):
        assert {name: dict(zip(("kept", "kept_low", "kept_high"), x)) for name, x in ours.commitments.items()} == row["commitments"]
    same_figures(vouch.ccil(model, 1).environments, answer("ccil", file("model.json"), "-L", 1)["environments"], "promises, ccil")
    agent, world = vouch.Agent(model, 1), vouch.Environment(model, "dry", seed=3)
    assert [len(row) for row in agent.promise] == [3, 3] and all(0.8 - 1e-9 <= p <= 1 for row in agent.promise for p in row)
    while not agent.done:
        state, reward, *_ = world.step(agent.act())
        agent.observe(model.states[state].partition(" [")[0], reward)
        assert agent.state == state and [len(row) for row in agent.promise] == [3, 3]
    found = vouch.explain(model, promise="safe")
    theirs = answer("plan", file("model.json"), "--max-commitment", status=(0, 3))
    row = theirs["promises"]["safe"]
    assert found.this_class.reached == row["reached"] and [x[2] for x in found.alone] == list(row["alone"].values()), (found, row)
    assert model.states[model.state("ditch")].startswith("ditch [")
    raises(vouch.InputError, 'there is no state "pond"', model.state, "pond")
    raises(vouch.ArgumentError, "expected one of fetch, deliver, safe", vouch.explain, model)
    raises(vouch.ArgumentError, "the model makes several promises", vouch.plan, model, probability=0.3)
    ours = list(vouch.sweep(model, range(2)).cells())
    theirs = answer("sweep", file("model.json"), "--vary", "L=0:1")["cells"]
    assert [c["max_regret"] for c in ours] == [c["max_regret"] for c in theirs] and len(ours) == 2, (ours, theirs)


def test_promises_and_beginnings_are_read_as_by_the_program():
    with open(file("errand.prism"), "w") as out:
        out.write("mdp const int n; module r at:[0..3]; [on] at<3 -> 1-n/10:(at'=at+1) + n/10:true; [back] at>0 -> (at'=at-1); [wait] true -> true; endmodule "
                  'rewards at=2 : 2; endrewards label "home" = at=0; label "store" = at=2;')
    with open(file("two.props"), "w") as out:
        out.write('"fetch": P>=0.5 [ F<=3 "store" ];\n"back": P>=0.4 [ F=6 "home" ];\n')
    promises = ["fetch:by:store@3>=0.5", "back:at:home@6>=0.4"]
    theirs = answer("plan", file("errand.prism"), "--const", "n=0:2", "-T", 6, "--commit", promises[0], "--commit", promises[1], "--initial", "at=0=0.5",
                    "--initial", "at=1=0.5", "-p", "back=0.3")
    options = dict(constants={"n": "0:2"}, horizon=6, initial=["at=0=0.5", "at=1=0.5"], probability={"back": 0.3})
    for more in (dict(commit=promises), dict(prop=file("two.props"))):
        model = vouch.Model.read(file("errand.prism"), **options, **more)
        assert [(p.name, p.probability[0]) for p in model.promises] == [("fetch", 0.5), ("back", 0.3)]
        same_figures(vouch.plan(model).environments, theirs["environments"], "read")
        swept = vouch.sweep(model)
        assert swept.max_regret.ravel()[0] == theirs["max_regret"] and swept.horizon.tolist() == [6] and model.horizon == 7 and model.first_time == -1
    early = vouch.plan(vouch.Model.read(file("errand.prism"), constants=["n=0:2"], horizon=6, commit=["fetch:by:store@1>=0.5", promises[1]]))
    assert early.status == "infeasible" and [len(row) for row in early.largest_probability] == [2, 2, 2] and early.largest_probability[0][0] == 0
    one = vouch.Model.read(file("errand.prism"), constants=["n=1"], horizon=6, commit="back:at:home@6>=0.4")
    assert len(one.promises) == 1 and one.promises[0].kind == "at"
    raises(vouch.Error, "more than 3 states", vouch.Model.read, file("errand.prism"), constants=["n=1"], horizon=6, commit="home", probability=0.5, state_limit=3)


def test_infeasible_is_a_status():
    model = vouch.Model.t_maze(probability=0.9999)
    model.write(file("model.json"))
    plan = vouch.plan(model, lookahead=1)
    assert plan.status == "infeasible" == answer("plan", file("model.json"), "-L", 1, status=(2,))["status"]
    assert plan.policy is None and max(plan.largest_probability) <= 1 and np.isnan(plan.max_regret)
    raises(vouch.Error, "it has no policy", plan.action)
    raises(vouch.InputError, "the commitment cannot be kept", vouch.Agent, model)
    assert vouch.plan(model, lookahead=1, probability=0.6).status == "optimal" and model.probability == 0.9999


def test_rules_that_follow_plans_say_which():
    program("generate", "adaptive", "--environments", 3, "-T", 1, "--seed", 2, "-o", file("model.json"))
    with open(file("plans.json"), "w") as out:
        json.dump({"vouch_policy": 1, "L": 1, "T": 1,
                   "rules": [{"time": 0, "state": "good", "likelihood": [1, 1, 1], "follow": {"0": 0.25, "1": 0.75}}],
                   "plans": [{"rules": [{"time": 0, "state": "good", "do": {a: 1}}]} for a in ("a0", "a1")]}, out)
    policy = vouch.Policy.read(vouch.Model.read(file("model.json")), file("plans.json"))
    first, *plans = policy
    assert first.kind == "likelihood" and first.follow == (0, 1) and first.probabilities == (0.25, 0.75) and first.plan == -1
    assert [(r.kind, r.plan, r.follow, r.actions) for r in plans] == [("plan", 0, None, (0,)), ("plan", 1, None, (1,))]
    assert policy.action() == {"a0": 0.25, "a1": 0.75} and policy.graph().node["rule"].tolist()[0] == 0


def test_figures_simulations_and_planning_again_are_those_of_the_program():
    for model in models():
        model.write(file("model.json"))
        plan = vouch.plan(model, lookahead=1)
        plan.policy.write(file("policy.json"))
        found = plan.policy.evaluate()
        theirs = answer("evaluate", file("model.json"), file("policy.json"))
        same_figures(found.environments, theirs["environments"], "evaluate")
        assert found.kept is theirs["kept"] and found.max_regret == plan.max_regret
        assert all(f.worst_probability is None for f in found.environments) and model.within == 0
        found = plan.policy.evaluate(within=0.05)
        theirs = answer("evaluate", file("model.json"), file("policy.json"), "--within", 0.05, status=(0, 2))
        same_figures(found.environments, theirs["environments"], "evaluate")
        assert [f.worst_probability for f in found.environments] == [e["worst_probability"] for e in theirs["environments"]]
        assert found.kept is theirs["kept"] and found == plan.policy.evaluate(model.replace(within=0.05))
        read = vouch.Policy.read(model, file("policy.json"))
        assert list(read) == list(plan.policy)
        theirs = answer("simulate", file("model.json"), file("policy.json"), "--episodes", 300, "--seed", 9)["environments"]
        for ours, row in zip(vouch.simulate(read, 300, seed=9), theirs):
            for name in row.keys() & ours._fields:
                assert getattr(ours, name) == row[name], name
            assert len(row.keys() & set(ours._fields)) >= 3, row
        for guarded in (False, True):
            ours = vouch.ccil(model, 1, guarded=guarded)
            theirs = answer("ccil", file("model.json"), "-L", 1, *(["--guarded"] if guarded else []))
            for name in ("status", "max_regret", "total_regret", "first_max_regret", "first_bound", "programs", "reused", "missing"):
                same(getattr(ours, name), theirs[name], f"ccil: {name}")
            same_figures(ours.environments, theirs["environments"], "ccil")
        samples = vouch.simulate(vouch.ccil(model, 1, evaluate=False), 200, seed=4)
        theirs = answer("ccil", file("model.json"), "-L", 1, "--episodes", 200, "--seed", 4)["samples"]
        assert [s.kept for s in samples] == [row["kept"] for row in theirs] if "kept" in theirs[0] else samples


def test_sweeps_are_those_of_the_program():
    model = vouch.Model.twin_states(5)
    model.write(file("model.json"))
    found = vouch.sweep(model, lookahead=range(3), horizon=[2, 4], probability=[0, 0.5, 1], method=["milp-ccl", "history", "guarded-ccil"])
    assert found.max_regret.shape == (3, 2, 3, 3) and found.status.shape == found.bound.shape
    theirs = answer("sweep", file("model.json"), "--vary", "L=0:2", "--vary", "T=2,4", "--vary", "p=0,0.5,1", "-m",
                    "milp-ccl,history,guarded-ccil", status=(0, 3))["cells"]
    ours = list(found.cells())
    assert len(ours) == len(theirs) > 40, (len(ours), len(theirs))
    for a, b in zip(ours, theirs):
        for name in ("method", "L", "T", "p", "status", "max_regret", "total_regret", "bound", "least_commitment"):
            same(a[name], b[name], f"{a}: {name}")
    raises(vouch.ArgumentError, "the sweep has no cell", vouch.sweep, model, lookahead=6)
    raises(vouch.ArgumentTypeError, "threads: expected", vouch.sweep, model, threads="2")
    asked = []
    assert (vouch.sweep(model, range(5), progress=lambda done, all, cell: asked.append((done, all)) or done == 2).status != "").sum() == 2
    assert asked == [(0, 5), (1, 5), (2, 5)]


def test_agents_act_as_vouch_act():
    for model in models():
        model.write(file("model.json"))
        agent, world, said, lines = vouch.Agent(model, 1, seed=5), vouch.Environment(model, 1, seed=2), [], ""
        for _ in range(model.horizon):
            now = agent.decision
            said.append({"time": now.time, "state": model.states[now.state], "environments": list(now.environments),
                         "do": {model.actions[a]: p for a, p in zip(now.actions, now.probabilities)}, "action": model.actions[agent.act()]})
            state, reward, *_ = world.step(agent.act())
            lines += json.dumps({"reward": reward, "state": model.states[state]}) + "\n"
            agent.observe(model.states[state], reward)
        said.append({"time": model.horizon, "done": True, "kept": agent.kept})
        assert agent.done and agent.kept == (agent.state in model.commitment)
        theirs = program("act", file("model.json"), "-L", 1, "--seed", 5, feed=lines).stdout.splitlines()
        assert [json.loads(line) for line in theirs] == said


def test_examples_run_and_agree_with_the_program():
    shown = {}
    for name in sorted(os.listdir(EXAMPLES)):
        if not name.endswith(".py"):
            continue
        with contextlib.redirect_stdout(io.StringIO()) as out:
            left = runpy.run_path(os.path.join(EXAMPLES, name))
        shown[name] = out.getvalue()
        assert shown[name], name
        if name == "frozen_lake.py":
            lines = open(os.path.join(EXAMPLES, name)).read().splitlines()
            assert len(lines) <= 20, f"{len(lines)} lines"
            left["model"].write(file("model.json"))
            theirs = answer("plan", file("model.json"), "-L", 2)
            same_figures(left["plan"].environments, theirs["environments"], name)
            assert all(repr(float(world["regret"])) in shown[name] for world in theirs["environments"])
        if name == "maze_agent.py":
            theirs = answer("ccil", *(lambda: (left["model"].write(file("model.json")), (file("model.json"), "-L", 1))[1])())
            assert all(repr(float(world["value"])) in shown[name] for world in theirs["environments"])
        if name == "random_arrays.py":
            left["model"].write(file("model.json"))
            assert repr(answer("plan", file("model.json"), "-m", "history")["max_regret"]) in shown[name]


def test_a_wrong_type_is_named():
    model = next(iter(models()))
    plan = vouch.plan(model)
    for name, call in {"lookahead": lambda: vouch.plan(model, lookahead="x"), "model": lambda: vouch.plan(3), "file": lambda: vouch.read(7), "time_limit": lambda: vouch.plan(model, time_limit="soon"),
                       "P": lambda: vouch.Model.from_arrays("a", 1, horizon=3, commitment=[0]), "R": lambda: vouch.Model.from_arrays([[[[1.0]]]], [[["x"]]], horizon=3, commitment=[0]),
                       "horizon": lambda: vouch.read("x.prism", horizon="8"), "episodes": lambda: vouch.simulate(plan, "many"), "log": lambda: vouch.plan(model, log=3),
                       "seed": lambda: vouch.ccil(model, seed=1.5), "probability": lambda: vouch.plan(model, probability="p")}.items():
        raises(vouch.ArgumentTypeError, f"{name}: expected ", call)
    assert vouch.plan(model, lookahead=np.int64(1), time_limit=np.float64(5)).lookahead == 1

    def told(_):
        raise TypeError("mine")
    raises(TypeError, "mine", lambda: vouch.plan(model, log=told))


def test_explanations_are_those_of_the_program():
    conflicts = 0
    for seed in (2, 4, 11, 30):
        model = vouch.Model.random(4, 2, 3, horizon=4, probability=0.75, seed=seed)
        model.write(file("model.json"))
        ours, theirs = vouch.explain(model, lookahead=1), answer("plan", file("model.json"), "-L", 1, "--max-commitment", status=(0, 3))
        assert dict(zip(model.environments, ours.alone)) == theirs["alone"]
        for name in ("any_policy", "this_class"):
            assert getattr(ours, name)._asdict() == theirs[name], (seed, name)
        assert [model.environments[k] for k in ours.conflict] == theirs["conflict"] and ours.smallest == theirs["smallest"]
        conflicts += bool(ours.conflict)
    assert conflicts


# ---- models ------------------------------------------------------------------------------------------------------------


def test_arrays_go_in_and_out():
    for model in models():
        P, R = model.arrays()
        again = vouch.Model.from_arrays(P, R, commitment=model.commitment, horizon=model.horizon, probability=model.probability,
                                        initial=model.states[model.initial], states=model.states, actions=model.actions,
                                        environments=model.environments, name=model.name)
        model.write(file("one.json"))
        again.write(file("two.json"))
        assert open(file("one.json")).read() == open(file("two.json")).read()
    P = np.zeros((2, 2, 2))
    P[:, 0, 1] = P[:, 1, 1] = 1
    R = np.array([[[0, 3], [0, 0]], [[0, 1], [0, 0]]])  # [K, S, A], P shared
    model = vouch.Model.from_arrays(P, R, commitment=[False, True], horizon=2)
    assert model.transitions(0, 0, 1) == ((1, 1.0, 3.0),) and model.transitions(1, 0, 1) == ((1, 1.0, 1.0),)
    assert model.commitment == (1,) and model.states == ("s0", "s1") and model.environments == ("k1", "k2")
    P[1, 1, 1] = 0  # action 1 is not available in state 1
    model = vouch.Model.from_arrays(P, R, commitment="s1", horizon=np.int64(2), states=np.array(["s0", "s1"]))
    assert model.available(1) == (0,) and model.available("s0") == (0, 1)
    assert model.replace(environments=["k2"]).environments == ("k2",)


def test_wrong_arrays_are_named():
    P, R = np.full((2, 1, 2, 2), 0.5), np.zeros((2, 2, 1))
    make = lambda P=P, R=R, **options: vouch.Model.from_arrays(P, R, **{"commitment": [0], "horizon": 3, **options})
    make()
    raises(vouch.ArgumentError, "P has shape (2, 2); expected", make, P[0, 0])
    raises(vouch.ArgumentError, "R has shape (2, 1, 2); expected", make, R=R.reshape(2, 1, 2))
    raises(vouch.InputError, "the probabilities sum to 0.8; expected 1", make, P * 0.8)
    raises(vouch.InputError, 'environment "k1", state "s0", action "a0": a probability must lie between 0 and 1, found nan', make, P * np.nan)
    raises(vouch.InputError, "a reward must be a finite number, found inf", make, R=R + np.inf)
    raises(vouch.InputError, 'there is no state "home"', make, commitment=["home"])
    raises(vouch.InputError, "there is no state 2; expected 0 to 1", make, commitment=[2])
    raises(vouch.ArgumentError, "a probability must lie between 0 and 1, found 2", make, probability=2)
    raises(vouch.ArgumentError, "expected at least 1", make, horizon=0)
    raises(vouch.ArgumentError, "3 names of states; expected 2", make, states="abc")
    raises(vouch.ArgumentError, "the mask of the commitment has length 3", make, commitment=np.array([True, False, True]))
    raises(TypeError, "", make, horizon=2.5)


def test_sparse_matrices_stay_sparse():
    dice = np.random.default_rng(7)
    K, A, S = 2, 3, 4
    P, R = dice.dirichlet(np.full(S, 0.3), size=(K, A, S)), dice.integers(-3, 4, size=(K, A, S, S)).astype(float)
    P[P < 0.05] = 0
    P /= P.sum(axis=3, keepdims=True)

    def lists(X):  # of matrices, in whichever form
        return [dice.choice((csr_matrix, csc_matrix, coo_matrix, lil_matrix, csr_array))(x) for x in X] if X.ndim == 3 else [lists(x) for x in X]

    def model(P, R):
        vouch.Model.from_arrays(P, R, commitment=[0], horizon=3, probability=0.1).write(file("sparse.json"))
        return open(file("sparse.json")).read()

    actions = np.empty(A, dtype=object)  # as pymdptoolbox has them
    actions[:] = lists(P[0])
    for dense, sparse in (((P, R), (lists(P), lists(R))), ((P, R), (P, lists(R))), ((P[0], R[:, 0, :, :A]), (actions, lists(R[:, 0, :, :A]))), ((P[0], R[0][:, :, 0].T), (lists(P[0]), csr_matrix(R[0][:, :, 0].T))),
                          ((P[:1], R[:1]), (lists(P[0]), lists(R[0]))), ((P, np.repeat(R[:1], K, axis=0)), (lists(P), lists(R[0])))):
        assert model(*dense) == model(*sparse)
    twice = coo_matrix(([0.25, 0.75, 1.0], ([0, 0, 1], [0, 0, 1])))
    vouch.Model.from_arrays([twice], np.zeros((2, 1)), commitment=[0], horizon=2)
    assert twice.nnz == 3  # the caller's matrices are as they were
    n = 30000
    walk = [csr_matrix((np.ones(n), (np.arange(n), np.clip(np.arange(n) + step, 0, n - 1))), (n, n)) for step in (-1, 1)]
    wide = vouch.Model.from_arrays(walk, csr_matrix(([1.0], ([5], [1])), shape=(n, 2)), commitment=[6], horizon=6, initial=0)
    assert wide.transitions(0, 5, 1) == ((6, 1.0, 1.0),) and vouch.plan(wide).environments[0].value == 1
    raises(vouch.ArgumentError, "may be those of actions or of environments", vouch.Model.from_arrays, lists(P[0][:, :3, :3]), lists(R[0][:, :3, :3]), commitment=[0], horizon=2)
    raises(vouch.ArgumentError, "P has matrices of the shapes (3, 3) and (4, 4)", vouch.Model.from_arrays, [walk[0][:4, :4], walk[0][:3, :3]], R[0], commitment=[0], horizon=2)
    raises(vouch.ArgumentTypeError, "P: masked arrays are not supported", vouch.Model.from_arrays, np.ma.array(P, mask=P > 2), R, commitment=[0], horizon=2)
    eye, sides = csr_matrix(np.eye(3)), ([1, 1, 1], [2, 2, 2])
    for one in (eye, csr_array(np.eye(3)), coo_matrix(np.eye(3)), np.matrix(np.eye(3)), np.eye(3), np.eye(3).tolist()):
        for constraints in ((one, *sides), [one, *sides], [(one, *sides)], [(one, *sides)] * 3, tuple([(one, *sides)] * 3), LinearConstraint(one, *sides), [LinearConstraint(one, *sides)] * 3):
            assert vouch.milp([1, 1, 1], constraints=constraints, integrality=1).fun == 3
    raises(vouch.ArgumentTypeError, "constraints: expected (A, lb, ub)", vouch.milp, [1], constraints=3)


def test_wrong_keywords_are_named_with_the_right_ones():
    model = vouch.Model.twin_states(3)
    for name, right, call in (("frontier", "time_limit", lambda: vouch.frontier(points=6)), ("frontier", "probability", lambda: vouch.frontier(model, points=6)),
                              ("plan", "lookahead", lambda: vouch.plan(model, depth=2)), ("milp", "constraints", lambda: vouch.milp([1], constraint=1)),
                              ("Agent", "guarded", lambda: vouch.Agent(model, guard=True)), ("Model.replace", "horizon", lambda: model.replace(T=3)),
                              ("Environment", "seed", lambda: vouch.Environment(model, 0, sed=1))):
        assert right in str(raises(vouch.ArgumentTypeError, f"{name} has no argument ", call))
    raises(vouch.ArgumentTypeError, "plan: missing a required argument: 'model'", vouch.plan)
    assert vouch.sweep(model, lookahead=np.int64(1)).lookahead.tolist() == [1] and len(vouch.frontier(model, np.int64(3)).plans) == 3


def test_gym_dictionaries():
    left, right = [(1.0, 0, 0.0, False)], [(0.5, 1, 1.0, True), (0.25, 0, 0.0, False), (0.25, 0, 0.0, False)]
    P = {0: {0: left, 1: right}, 1: {0: [(1.0, 0, 7.0, False)], 1: [(1.0, 0, 7.0, False)]}}
    model = vouch.Model.from_gym_p([P, P], commitment=[1], horizon=3, probability=0.5, actions=["left", "right"])
    assert model.transitions(0, 0, "right") == ((0, 0.5, 0.0), (1, 0.5, 1.0))
    assert model.transitions(1, 1, 0) == ((1, 1.0, 0.0),)  # what terminated stays, and pays nothing
    assert vouch.plan(model).environments[0].value == 0.875
    lists = vouch.Model.from_gym_p({"wind": [list(choices.values()) for choices in P.values()]}, commitment=[1], horizon=3)
    assert lists.environments == ("wind",) and lists.transitions(0, 0, 1) == model.transitions(0, 0, 1)
    single = vouch.Model.from_gym_p(P, commitment=[1], horizon=3)
    assert single.environments == ("k1",) and single.transitions(0, 0, 1) == model.transitions(0, 0, 1)
    back = {0: P[0], 1: {a: [(1.0, 1, 0.0, False)] for a in (0, 1)}}
    raises(vouch.InputError, "ends an episode on one way to it", vouch.Model.from_gym_p, [P, {**back, 0: {0: [(1.0, 1, 1.0, False)], 1: right}}],
           commitment=[1], horizon=3)
    raises(vouch.InputError, "the next state 0 pays 0 and 1; rewards=", vouch.Model.from_gym_p,
           [{0: {0: [(0.5, 0, 0.0, False), (0.5, 0, 1.0, False)]}}], commitment=[0], horizon=3)
    env = type("Env", (), {"P": P})()
    for given in (env, [env, env], "FrozenLake-v1"):
        raises(vouch.ArgumentTypeError, "expected the dictionary env.unwrapped.P of a tabular environment", vouch.Model.from_gym_p, given, commitment=[1], horizon=3)
    raises(vouch.ArgumentError, "P[0][0][0]: expected (probability, next state, reward, terminated), found (1.0, 0, 0)", vouch.Model.from_gym_p,
           {0: {0: [(1.0, 0, 0)]}}, commitment=[0], horizon=3)
    raises(vouch.InputError, "P[0][0][0]: there is no state 9; expected 0 to 0", vouch.Model.from_gym_p, {0: {0: [(1.0, 9, 0, False)]}}, commitment=[0], horizon=3)
    raises(AttributeError, "vouch.Environment(model, name) plays an environment", getattr, model, "step")
    raises(AttributeError, "plan.action(*history) choose actions", getattr, vouch.plan(model), "predict")
    raises(vouch.ArgumentTypeError, "history: expected steps (action, reward, state), found 0", vouch.plan(model).action, 0)
    raises(vouch.ArgumentTypeError, "as vouch.read, Model.from_gym_p and Model.from_arrays make", vouch.plan, P)


class Axes:
    """Stands for matplotlib's axes: notes what is called."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        return lambda *a, **k: self.calls.append((name, a, k))


def test_names_from_anywhere_act_in_no_notebook():
    from xml.dom.minidom import parseString
    pieces = ["<script>alert(1)</script>", '"', "'", "&", "&lt;", "\n", "\t", "<!--", "-->", "]]>", "</svg>", "</title>", ' onload="x"', "\x01", "\x7f", "\x85", "\u200f", "\u202e",
              "\u2066", "\ufffe", "\N{HEBREW LETTER ALEF}", "\U0001f600", "n" * 300, "a", "$x$"]
    known = {"r", "div", "p", "b", "br", "table", "tr", "th", "td", "svg", "title", "rect", "path", "text", "circle", "g"}
    attributes = {"style", "title", "xmlns", "viewBox", "width", "height", "font-family", "font-size", "font-weight", "fill", "fill-opacity", "stroke", "stroke-width", "x", "y", "rx", "d",
                  "cx", "cy", "r", "text-anchor", "transform", "stroke-dasharray", "paint-order"}
    rng = np.random.default_rng(45)

    def name(i):
        return "".join(rng.choice(pieces, rng.integers(1, 5))) + str(i)

    def texts(node):
        for child in node.childNodes:
            if child.nodeType == child.TEXT_NODE:
                yield child.data
            else:
                assert child.tagName in known and set(child.attributes.keys()) <= attributes, child.toxml()[:300]
                yield from (value for _, value in child.attributes.items())
                yield from texts(child)

    for _ in range(20):
        P, R = rng.dirichlet(np.ones(3), size=(2, 2, 3)), rng.integers(0, 3, (2, 3, 2)).astype(float)
        model = vouch.Model.from_arrays(P, R, horizon=2, states=[name(i) for i in range(3)], actions=[name(i) for i in range(2)], environments=[name(i) for i in range(2)], name=name(0),
                                        promises=[{"name": name(0), "kind": "at", "states": [0], "probability": 0.1}])
        found, axes = vouch.plan(model, lookahead=1), Axes()
        for page in (found._repr_html_(), found.policy._repr_html_(), vouch.sweep(model, lookahead=[0, 1])._repr_html_(), vouch.frontier(model, [0.0, 0.1])._repr_html_()):
            shown = list(texts(parseString(f"<r>{page}</r>".encode()).documentElement))
            assert not any(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]", words) for words in shown)
        found.plot(axes)
        assert all("$" not in a[0].replace(r"\$", "") for called, a, _ in axes.calls if called == "annotate")


def test_rules():
    from xml.dom.minidom import parseString

    model = vouch.Model.t_maze(probability=0.6)
    plan = vouch.plan(model, lookahead=2)
    plan.policy.write(file("policy.json"))
    model.write(file("model.json"))
    rules, few = plan.policy.rules(), plan.policy.rules(leaves=2)
    assert rules.exact and rules.policy is plan.policy and len(rules) == rules.leaves and rules.max_regret is None
    assert str(rules) == program("show", file("model.json"), file("policy.json"), "--rules").stdout
    assert few.leaves <= 2 and not few.exact and abs(few.policy.evaluate().max_regret - few.max_regret) < 1e-9 and few.kept is few.policy.evaluate().kept
    assert "do" in rules.tree()["tree"] or "test" in rules.tree()["tree"]
    assert parseString(few.svg(width=400)).documentElement.tagName == "svg" and few.markdown().startswith("## ") and few.dot().startswith("digraph")
    smaller = few.policy
    del few
    gc.collect()
    assert smaller.action() and repr(pickle.loads(pickle.dumps(rules))) == repr(rules)
    raises(vouch.ArgumentError, "expected at least 1", plan.policy.rules, 0)
    raises(vouch.ArgumentError, "width", rules.svg, "wide")
    raises(vouch.ArgumentError, "expected at least 320", rules.svg, 10)


def test_pictures_and_tables_of_notebooks():
    from xml.dom.minidom import parseString
    model = vouch.Model.t_maze(3, 2, 2, 2, horizon=10, probability=0.6)
    found = vouch.plan(model, lookahead=2)
    subprocess.run([PROGRAM, "generate", "t-maze", "--size", "3,2,2,2", "-T", "10", "-p", "0.6", "-o", file("maze.json")], capture_output=True)
    said = subprocess.run([PROGRAM, "plan", file("maze.json"), "-L", "2"], capture_output=True, text=True).stdout
    assert found.describe() == said.splitlines()[0]  # the program's first line
    picture = found.plot()
    boxes = [r for r in parseString(picture).getElementsByTagName("rect") if r.getAttribute("rx")]
    assert 1 < len(boxes) <= len(found.policy.graph().node) and picture == found.policy.plot()
    found.policy.write(file("maze-policy.json"))
    assert picture == program("show", file("maze.json"), file("maze-policy.json"), "--svg").stdout
    page = parseString(f"<r>{found._repr_html_()}</r>")
    rows = [[c.firstChild.data for c in row.getElementsByTagName("td")] for row in page.getElementsByTagName("tr")][1:]
    assert [row[0] for row in rows] == list(model.environments)
    assert all(abs(float(row[3]) - f.regret) < 1e-5 for row, f in zip(rows, found.environments))
    parseString(f"<r>{found.policy._repr_html_()}</r>")
    nothing = vouch.plan(model, probability=1.0)
    assert nothing.policy is None and "no such policy keeps the commitment" in nothing._repr_html_()
    baseline = vouch.plan(model, method="greedy")._repr_html_()
    assert "maximum regret" in baseline and "bound" not in baseline and "found so far" not in baseline
    with open(file("drawn.prism"), "w") as out:
        out.write('mdp\nconst int c;\nmodule m\nx : [0..2];\n[a] true -> (x\'=mod(x+c,3));\n[b] true -> true;\nendmodule\nlabel "g" = x=2;\n')
    drawn = vouch.Model.read(file("drawn.prism"), constants={"c": "1:2"}, commit="g", probability=0, horizon=2, initial=["x=0", "x=1"])
    assert re.findall("t = (-?[0-9]+)<", vouch.plan(drawn).plot()) == ["-1", "0", "1", "2"]  # as vouch show numbers them
    swept = vouch.sweep(vouch.Model.twin_states(), lookahead=range(3), horizon=[3, 5], method=["milp-ccl", "history"])
    chart = parseString(swept.plot())
    assert len(chart.getElementsByTagName("circle")) == 4 * 3 + 4 and "0.5" not in [t.firstChild.data for t in chart.getElementsByTagName("text")]
    assert len(parseString(f"<r>{swept._repr_html_()}</r>").getElementsByTagName("tr")) == 13
    raises(vouch.ArgumentError, "there is no chart of 'colour'", swept.plot, "colour")
    edge = vouch.frontier(model, [0.4, 0.2, 1.0], lookahead=1)
    assert edge.probability == (0.2, 0.4, 1.0) and edge.max_regret[0] == vouch.plan(model, lookahead=1, probability=0.2).max_regret
    assert edge.plans[2].status == "infeasible" and " d=" not in edge.plot().split("circle")[1]
    for plot in (found.plot, lambda ax: swept.plot(ax=ax), edge.plot):
        axes = Axes()
        plot(ax=axes)
        assert any(name in ("plot", "annotate") for name, _, _ in axes.calls)
    try:
        import pandas  # noqa: F401
    except ImportError:
        raises(ImportError, "pandas", found.to_dataframe)
    else:
        assert list(found.to_dataframe()["regret"]) == [f.regret for f in found.environments] and len(swept.to_dataframe()) == 12 and len(edge.to_dataframe()) == 3


def test_what_is_no_number_and_bounds_that_are_none():
    raises(TypeError, "c: expected numbers", vouch.lp, ["hello"])
    raises(vouch.ArgumentError, "A_ub: expected numbers", vouch.lp, [1.0], [["x"]], [1.0])
    raises(vouch.ArgumentTypeError, "the upper sides of A_ub", vouch.lp, [1.0], [[1.0]], [{}])
    raises(TypeError, "bounds: expected numbers", vouch.milp, [1.0], bounds=("a", 1))
    for solve in (vouch.lp, vouch.milp):
        bound = (lambda l, u: {"bounds": [(l, u)]}) if solve is vouch.lp else (lambda l, u: {"bounds": (l, u)})
        assert solve([1.0], **bound(np.nan, 5)).status == 3 and solve([-1.0], **bound(-2, np.nan)).status == 3  # NaN: no bound
        for l, u in ((np.inf, np.inf), (0, -np.inf), (np.inf, 3)):
            nothing = solve([1.0], **bound(l, u))
            assert nothing.status == 2 and not nothing.success and nothing.x is None


def close(a, b):
    return abs(a - b) <= 1e-9 * max(1, abs(b))


def cliff(slip):
    """Slippery CliffWalking in miniature: 0 start, 1 cliff's edge, 2 goal; a fall leads back to the start and pays -100, a step -1."""
    go = [(1 - slip, 1, -1.0, False), (slip / 2, 0, -1.0, False), (slip / 2, 0, -100.0, False)]
    on = [(1 - slip, 2, -1.0, True), (slip, 0, -100.0, False)]
    wait = [(1.0, 0, -1.0, False)]
    return {0: {0: go, 1: wait}, 1: {0: on, 1: wait}, 2: {0: [(1.0, 2, -1.0, True)], 1: [(1.0, 2, -1.0, True)]}}


def test_rewards_that_differ_for_one_successor():
    worlds = {"dry": cliff(0.2), "wet": cliff(0.5)}
    mean = vouch.Model.from_gym_p(worlds, commitment=[2], horizon=6, probability=0.3, rewards="mean")
    assert len(mean.states) == 3 and close(dict((n, r) for n, _, r in mean.transitions(0, 0, 0))[0], -50.5)
    seen = vouch.Model.from_gym_p(worlds, commitment=[2], horizon=6, probability=0.3, rewards="observe")
    assert seen.states == ("s0", "s1", "s2", "s0'") and seen.commitment == (2,)
    assert seen.transitions(0, 0, 0) == ((0, 0.1, -100.0), (1, 0.8, -1.0), (3, 0.1, -1.0))
    assert seen.transitions(0, 3, 0) == seen.transitions(0, 0, 0)  # the copy acts like the state
    for L in (0, 2):  # U* is the same: a copy tells nothing to one who knows the environment
        a, b = vouch.plan(mean, lookahead=L), vouch.plan(seen, lookahead=L)
        assert all(close(x.optimal_value, y.optimal_value) for x, y in zip(a.environments, b.environments))
    raises(vouch.ArgumentError, "expected 'observe' or 'mean'", vouch.Model.from_gym_p, worlds, commitment=[2], horizon=6, rewards="sum")
    # A random one: the mean is what the definition says, and no copy is made where nothing differs.
    import random
    for seed in range(20):
        dice = random.Random(seed)
        def outcomes():
            w = [dice.random() for _ in range(4)]
            return [(x / sum(w), dice.randrange(3), float(dice.choice([-1, 0, 5])), False) for x in w]
        P = {s: {a: outcomes() for a in range(2)} for s in range(3)}
        mean, seen = (vouch.Model.from_gym_p([P], commitment=[0, 1, 2], horizon=4, rewards=r) for r in ("mean", "observe"))
        most = [max(len({r for _, n, r, _ in P[s][a] if n == t}) for s in P for a in P[s]) for t in range(3)]
        assert len(seen.states) == sum(max(m, 1) for m in most)
        for s in P:
            for a in P[s]:
                assert close(sum(p * r for _, p, r in mean.transitions(0, s, a)), sum(p * r for p, _, r, _ in P[s][a]))
        assert close(vouch.plan(mean).environments[0].optimal_value, vouch.plan(seen).environments[0].optimal_value)


def test_promises_of_arrays():
    P = np.array([[[0.5, 0.5], [0, 1]], [[1, 0], [1, 0]]], dtype=float)
    R = np.array([[[0, 1], [2, 0]], [[1, 0], [0, 3]]], dtype=float)
    promises = [{"name": "home", "kind": "at", "states": [0], "time": 3, "probability": 0.4},
                {"kind": "by", "states": {"k1": [1], "k2": ["s1"]}, "time": 2, "probability": {"k1": 0.3, "k2": 0.2}},
                {"kind": "avoid", "states": [1], "from": 1, "to": 1, "probability": 0.25}]
    model = vouch.Model.from_arrays(P, R, promises=promises, horizon=4)
    assert [(p.name, p.kind, p.first, p.last) for p in model.promises] == [("home", "at", 3, 3), ("promise2", "by", 0, 2), ("promise3", "avoid", 1, 1)]
    assert model.promises[1].probability == (0.3, 0.2)
    written = {"vouch": 1, "states": 2, "actions": 2, "initial": "s0", "horizon": 4,
               "commitments": [{"name": p.get("name", f"promise{j + 1}"), **{key: value for key, value in p.items() if key not in ("states", "name")},
                                "states": {k: [f"s{x}" if isinstance(x, int) else x for x in v] for k, v in p["states"].items()} if isinstance(p["states"], dict)
                                else [f"s{x}" for x in p["states"]]} for j, p in enumerate(promises)],
               "transitions": [[f"s{s}", f"a{a}", f"s{n}", P[a, s, n]] for a in range(2) for s in range(2) for n in range(2) if P[a, s, n]],
               "environments": [{"name": f"k{k + 1}", "rewards": [[f"s{s}", f"a{a}", R[k, s, a]] for s in range(2) for a in range(2)]} for k in range(2)]}
    json.dump(written, open(file("promises.json"), "w"))
    other = vouch.read(file("promises.json"))
    mine, theirs = vouch.plan(model, lookahead=1), vouch.plan(other, lookahead=1)
    assert mine.environments == theirs.environments and mine.status == theirs.status == "optimal"
    make = lambda **change: vouch.Model.from_arrays(P, R, horizon=4, promises=[{**promises[0], **change}])
    raises(vouch.ArgumentError, 'there is no kind "near"', lambda: make(kind="near"))
    raises(vouch.ArgumentError, "found time", lambda: make(kind="stay"))
    raises(vouch.ArgumentError, "expected states, and of", lambda: make(where=[0]))
    raises(vouch.ArgumentError, "names the environments k1; expected each of k1, k2", lambda: make(probability={"k1": 0.5}))
    raises(vouch.ArgumentError, "between 0 and 1, found 2", lambda: make(probability=2))
    raises(vouch.ArgumentError, "expected either commitment or promises", vouch.Model.from_arrays, P, R, horizon=4)


def test_files_that_are_wrong_are_reported_as_by_the_program():
    for name, content in (("bad.json", '{ "vouch": 1,\n "states": 0 }'), ("none.json", None), ("bad.prism", "mdp\nmodule")):
        if content is not None:
            open(file(name), "w").write(content)
        theirs = program("plan", file(name), status=(1,)).stderr.strip()
        raised = raises(vouch.Error, "", vouch.Model.read, file(name))
        assert str(raised) in theirs, f"{raised} | {theirs}"
    raises(vouch.FileError, "none.json", vouch.Model.read, file("none.json"))
    raises(OSError, "", vouch.Model.read, file("none.json"))


# ---- policies, agents, worlds ------------------------------------------------------------------------------------------


def test_policies_are_followed_and_looked_at():
    model = vouch.Model.twin_states(4)
    plan = vouch.plan(model, lookahead=2)
    assert plan.action() == {"a2": 1.0}
    reward = model.transitions(4, "A", "a2")[0].reward
    after = plan.action(("a2", reward, "A"))
    episode = plan.follow(seed=3)
    episode.observe("A", reward)
    assert {model.actions[a]: p for a, p in zip(episode.decision.actions, episode.decision.probabilities)} == after
    assert 4 in episode.environments and len(episode.environments) < 9 and episode.time == 1
    before = episode.decision
    raises(vouch.InputError, "no environment still possible leads from state", episode.observe, "A", 99.5)
    assert episode.decision == before and episode.reset() == model.initial and episode.time == 0 and len(episode.environments) == 9
    graph = plan.policy.graph()
    node, reach, edge = graph.node, graph.reach, graph.edge
    del graph, plan, episode
    gc.collect()
    assert node["time"][0] == 0 and node["rule"][-1] == -1 and reach.shape == (len(node), 9) and (reach[0] == 1).all()
    ends = node["time"] == 4
    assert np.allclose(reach[ends].sum(axis=0), 1) and edge["to"].max() == len(node) - 1
    raises(ValueError, "read-only", reach.__setitem__, 0, 0)


def test_promises_grow_and_plans_are_kept_for_the_next_episode():
    model = vouch.Model.t_maze()
    agent, plans = vouch.Agent(model, lookahead=2), []
    for episode in range(3):
        agent.reset(seed=1)
        world, owed, made = vouch.Environment(model, "k2", seed=8), agent.promise, 0
        world.reset(seed=8)
        while not agent.done:
            made += agent.decision.planned
            state, reward, terminated, truncated, info = world.step(agent.act())
            agent.observe(state, reward)
        assert terminated and not truncated and min(owed) >= 0.6 - 1e-9
        plans.append(made)
    assert plans[0] >= 4 and plans[1:] == [0, 0], plans
    raises(vouch.Error, "the horizon has been reached", agent.act)


def test_worlds_have_the_steps_of_gymnasium():
    model = next(models())
    world = vouch.Environment(model, "k1")
    runs = []
    for _ in range(2):
        state, info = world.reset(seed=4)
        assert state == model.initial and list(info["action_mask"]) == [int(a in model.available(state)) for a in range(len(model.actions))]
        run, terminated = [], False
        while not terminated:
            state, reward, terminated, truncated, info = world.step(model.available(world.state)[-1])
            run.append((state, reward))
            assert type(reward) is float and type(terminated) is bool and not truncated and info["time"] == len(run)
        runs.append(run)
    assert runs[0] == runs[1] and len(runs[0]) == model.horizon
    raises(vouch.Error, "reset() begins the next episode", world.step, 0)
    lacking = [(s, a) for s in range(len(model.states)) for a in range(len(model.actions)) if a not in model.available(s)]
    if lacking:
        world.reset()
        world.state = lacking[0][0]
        raises(vouch.ArgumentError, "is not available in state", world.step, lacking[0][1])
        patient = vouch.Environment(model, "k1", unavailable="stay")
        patient.reset()
        patient.state = lacking[0][0]
        state, reward, terminated, truncated, info = patient.step(lacking[0][1])
        assert (state, reward, terminated, truncated, info["time"]) == (lacking[0][0], 0.0, model.horizon == 1, False, 1)
    raises(vouch.ArgumentError, 'expected "error" or "stay"', vouch.Environment, model, 0, unavailable="wait")
    raises(vouch.ArgumentError, "there is no picture", vouch.Environment, model, 0, render_mode="human")
    counts = np.zeros(len(model.states))
    for _ in range(2000):
        world.reset()
        world.state = model.state("s")
        counts[world.step("east")[0]] += 1
    for outcome in model.transitions("k1", "s", "east"):
        assert abs(counts[outcome.next] / 2000 - outcome.probability) < 0.05


def test_worlds_keep_what_gymnasium_documents():
    """Of its Env and Discrete: attributes, what is in a space, samples with a mask and by seed, reset by keyword; and, as its checker goes, random steps to the
    end of episodes, in each of which observations are in their space."""
    for model in models():
        with vouch.Environment(model, 0, unavailable="stay") as world:
            assert world.metadata["render_modes"] == [] and world.render_mode is None and world.spec is None and world.unwrapped is world
            assert world.render() is None and world.close() is None
            space = world.action_space
            assert (space.n, space.start, space.shape) == (len(model.actions), 0, ())
            assert 0 in space and np.int64(space.n - 1) in space and np.array(0) in space and space.contains(True) == (space.n > 1)
            for other in (-1, space.n, 0.0, np.float64(0), np.array([0.5, 1]), np.array(0.5), "0", None, (0,)):
                assert other not in space, other
            drawn = []
            for _ in range(2):
                assert space.seed(5) == 5
                drawn.append([space.sample() for _ in range(50)])
            assert drawn[0] == drawn[1] and set(drawn[0]) == set(range(space.n))
            mask = np.zeros(space.n, dtype=np.int8)
            assert space.sample(mask) == 0
            mask[-1] = 1
            assert {space.sample(mask) for _ in range(20)} == {space.n - 1}
            raises(vouch.ArgumentError, "a mask of 1 entries", space.sample, [1]) if space.n != 1 else None
            raises(TypeError, "", world.reset, 1)
            first = [world.reset(seed=123), world.reset(seed=123, options={}), world.reset(options={"anything": 1})]
            for state, info in first:
                assert state in world.observation_space and isinstance(info, dict) and state == first[0][0]
            for _ in range(5):
                world.reset()
                for t in range(model.horizon):
                    state, reward, terminated, truncated, info = world.step(space.sample())
                    assert state in world.observation_space and isinstance(float(reward), float) and isinstance(info, dict)
                    assert terminated is (t == model.horizon - 1) and truncated is False


GYMNASIUM = '''
import numpy
class Env:
    _np_random = spec = render_mode = None
    unwrapped = property(lambda self: self)
    def close(self): pass
    def reset(self, *, seed=None, options=None):
        if seed is not None: self._np_random = numpy.random.default_rng(seed)
class spaces:
    class Discrete:
        shape = ()
        def __init__(self, n): self.n = n
        def sample(self): return numpy.int64(numpy.random.default_rng().integers(self.n))
        def __contains__(self, x): return isinstance(x, (int, numpy.int64)) and 0 <= x < self.n
'''

# What its checker looks at, by the public source of gymnasium/utils/env_checker.py and passive_env_checker.py, as a check of our own.
CHECKED = '''
import copy, inspect, math, gymnasium, numpy, vouch
def check(env):
    assert isinstance(env, gymnasium.Env) and env.unwrapped is env and env.spec is None and env.render_mode is None
    assert not callable(getattr(env, "seed", None))  # of old versions
    for space in (env.action_space, env.observation_space):
        assert isinstance(space, gymnasium.spaces.Discrete) and space.n > 0 and space.shape == ()
    asked = inspect.signature(env.reset).parameters
    assert set(asked) == {"seed", "options"} and all(p.default is None for p in asked.values())
    def observed(x):
        assert isinstance(x, (int, numpy.int64)) and x in env.observation_space, x
    def began(**options):
        result = env.reset(**options)
        assert isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)
        observed(result[0])
        return result[0], env.unwrapped._np_random and copy.deepcopy(env.unwrapped._np_random.bit_generator.state)
    began()
    first, again, other = began(seed=123), began(seed=123), began(seed=456)
    assert first == again and first[1] is not None and first[1] != other[1]
    began(options={})
    for _ in range(20):
        began()
        over = False
        while not over:
            result = env.step(env.action_space.sample())
            assert isinstance(result, tuple) and len(result) == 5
            observation, reward, over, cut, info = result
            observed(observation)
            assert isinstance(over, (bool, numpy.bool_)) and isinstance(cut, (bool, numpy.bool_)) and isinstance(info, dict)
            assert (numpy.issubdtype(type(reward), numpy.floating) or numpy.issubdtype(type(reward), numpy.integer)) and math.isfinite(reward)
    env.close()
    env.close()
for model in (vouch.Model.twin_states(4), vouch.Model.t_maze(), vouch.Model.random(4, 2, 3, horizon=4, probability=0.3, seed=11)):
    for k in range(len(model.environments)):
        check(vouch.Environment(model, k, unavailable="stay"))
'''


def test_worlds_are_gymnasium_environments_where_it_is_installed():
    check = "import gymnasium, vouch; from gymnasium.utils.env_checker import check_env; check_env(vouch.Environment(vouch.Model.twin_states(4), 2, unavailable='stay'))"
    try:
        import gymnasium  # noqa: F401
    except ImportError:
        os.makedirs(file("own"), exist_ok=True)
        open(file("own/gymnasium.py"), "w").write(GYMNASIUM)
        check = CHECKED + ("world = vouch.Environment(vouch.Model.twin_states(4), 2)\n"
                           "assert world.reset(seed=3)[1]['action_mask'].dtype == 'int8' and world.step(2)[0] in (0, 1)")
    places = os.pathsep.join([file("own"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-c", check], env={**os.environ, "PYTHONPATH": places}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ---- the solvers -------------------------------------------------------------------------------------------------------


def test_a_linear_program_is_solved_exactly():
    ours = vouch.lp([-1.0, -1.0], [[3.0, 1.0], [1.0, 3.0]], [1.0, 1.1], options={"exact": True})
    assert ours.success and ours.exact_fun == fractions.Fraction(-21, 40) and "exact_fun" not in vouch.lp([1.0], options={})


def test_linear_programs_agree_with_linprog():
    dice = np.random.default_rng(1)
    seen = set()
    for number in range(60):
        n, m, l = dice.integers(2, 7), dice.integers(1, 5), dice.integers(0, 2)
        c, A, b = dice.integers(-5, 6, n), dice.integers(-4, 6, (m, n)), dice.integers(1, 12, m)
        equal = dict(A_eq=dice.integers(0, 4, (l, n)), b_eq=dice.integers(0, 6, l)) if l else {}
        bounds = [(None, 4) if j % 3 == 2 else (0, None if j % 2 else 5) for j in range(n)]
        theirs = linprog(c, A, b, bounds=bounds, **equal)
        ours = vouch.lp(c, csc_matrix(A) if number % 2 else A, b, bounds=bounds, **equal)
        seen.add(ours.status)
        assert ours.status == theirs.status, (number, ours.message, theirs.message)
        if ours.status:
            continue
        assert abs(ours.fun - theirs.fun) <= TOLERANCE * (1 + abs(theirs.fun)), (number, ours.fun, theirs.fun)
        assert np.allclose(ours.slack, b - A @ ours.x) and np.allclose(ours.ineqlin.residual, ours.slack) and (ours.ineqlin.marginals <= 1e-9).all()
        dual = b @ ours.ineqlin.marginals + (np.dot(equal["b_eq"], ours.eqlin.marginals) if l else 0)
        finite = lambda part, k: sum(pair[k] * value for pair, value in zip(bounds, part.marginals) if pair[k] is not None)
        assert abs(dual + finite(ours.lower, 0) + finite(ours.upper, 1) - ours.fun) <= TOLERANCE * (1 + abs(ours.fun))
    assert seen == {0, 2, 3}, seen
    infeasible = vouch.lp([1.0], [[1.0], [-1.0]], [1.0, -2.0])
    assert infeasible.status == 2 and infeasible.x is None and infeasible.farkas.shape == (2,)


def test_integer_programs_agree_with_milp():
    dice = np.random.default_rng(2)
    for number in range(40):
        n, m = dice.integers(2, 8), dice.integers(1, 4)
        c, A, b = dice.integers(-9, 10, n), dice.integers(-3, 8, (m, n)), dice.integers(3, 25, m)
        kinds, top = dice.integers(0, 2, n), dice.integers(1, 6, n)
        asked = dict(integrality=kinds, bounds=Bounds(0, top), constraints=LinearConstraint(A, -20, b))
        theirs, ours = milp(c, **asked), vouch.milp(c, **asked)
        assert ours.status == theirs.status, (number, ours.message, theirs.message)
        if ours.status == 0:
            assert abs(ours.fun - theirs.fun) <= TOLERANCE * (1 + abs(theirs.fun)) and ours.mip_gap <= 1e-6
            assert np.allclose(ours.x[kinds == 1], np.round(ours.x[kinds == 1]), atol=1e-6)
        two = vouch.milp(c, integrality=kinds, bounds=(np.zeros(n), top), constraints=[(A, -np.inf, b), (csc_matrix(A), -20, np.inf)])
        assert two.status == ours.status and (ours.status or abs(two.fun - ours.fun) <= TOLERANCE * (1 + abs(ours.fun)))
    ours = vouch.lp([-1, -1], [[2, 2]], [5], integrality=1)
    assert ours.fun == -2 and ours.slack.tolist() == [1.0]


def test_wrong_programs_are_named():
    raises(vouch.ArgumentError, "A_ub has shape (1, 3); expected [m, 2]", vouch.lp, [1, 1], [[1, 1, 1]], [1])
    raises(vouch.ArgumentError, "A_eq and b_eq belong together", vouch.lp, [1, 1], A_eq=[[1, 1]])
    raises(vouch.ArgumentError, 'there is no option "tol"', vouch.lp, [1], options={"tol": 1})
    raises(vouch.ArgumentError, 'there is no method "highs"', vouch.lp, [1], method="highs")
    raises(vouch.ArgumentError, "bounds have shape", vouch.lp, [1, 1, 1], bounds=[(0, 1), (0, 1)])
    raises(vouch.ArgumentError, "semicontinuous", vouch.milp, [1], integrality=2)
    raises(vouch.InputError, "", vouch.lp, [np.nan])
    raises(vouch.ArgumentError, 'there is no method "simplex"', vouch.plan, vouch.Model.twin_states(3), "simplex")
    raises(vouch.ArgumentError, "L is 9", vouch.plan, vouch.Model.twin_states(3), lookahead=9)
    raises(vouch.ArgumentError, "the limit of seconds is -1", vouch.plan, vouch.Model.twin_states(3), time_limit=-1)


# ---- long calls --------------------------------------------------------------------------------------------------------


def test_progress_is_told_and_can_end_a_search():
    seen = []
    plan = vouch.plan(hard(), lookahead=2, time_limit=LONG, progress=lambda p: seen.append(p) or len(seen) == 3)
    assert len(seen) >= 3 and plan.seconds < LONG / 2 and plan.status in ("feasible", "limit") and seen[-1].seconds >= 0.1 and seen[-1].stage
    assert plan.bound >= -TOLERANCE and (plan.policy is None or plan.policy.evaluate().kept)

    def break_off(p):
        raise LookupError("enough")

    raises(LookupError, "enough", vouch.plan, hard(), lookahead=2, time_limit=LONG, progress=break_off)
    lines = []
    assert vouch.lp([-1.0, -1.0], [[1.0, 2.0]], [3.0], log=lines.append).success and any("linear program: 1 rows" in line for line in lines)
    nodes = []
    dice = np.random.default_rng(4)
    vouch.milp(-dice.integers(5, 50, 40), integrality=1, bounds=(0, 1), options={"node_limit": 50},
               constraints=(dice.integers(5, 50, (5, 40)), 0, 300), progress=nodes.append)
    assert nodes and nodes[0].nodes >= 1
    done = []
    vouch.simulate(vouch.plan(vouch.Model.twin_states(4)), 50, progress=lambda seconds, now, all: done.append(all))
    assert done and done[0] == 9 * 50
    counted = []
    vouch.ccil(vouch.Model.twin_states(4), progress=lambda seconds, now, known: counted.append(known))
    assert counted


def test_limits_leave_the_best_so_far():
    plan = vouch.plan(hard(), lookahead=2, time_limit=0.3)
    assert plan.status in ("feasible", "limit") and plan.bound >= -TOLERANCE, plan


def test_memory_is_a_limit():
    raises(vouch.ArgumentTypeError, "size: expected a whole number", vouch.limit_memory, "2G")
    logged = []
    try:
        vouch.limit_memory(12 << 20)
        plan = vouch.plan(hard(), lookahead=2, log=logged.append)
        assert plan.status in ("feasible", "limit"), plan
        assert any("the memory limit is reached" in line for line in logged), logged
        vouch.limit_memory(1)
        raises(vouch.OutOfMemoryError, "", vouch.Model.twin_states, 3)
    finally:
        vouch.limit_memory(None)
    assert vouch.plan(vouch.Model.twin_states(3)).status == "optimal"


def test_interrupts_come_through():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit that it is ignored
    for call in (lambda: vouch.plan(hard(), lookahead=2, time_limit=LONG), lambda: vouch.ccil(hard(), 2, time_limit=LONG),
                 lambda: vouch.Agent(hard(), 2, time_limit=LONG)):
        timer = threading.Timer(0.4, os.kill, (os.getpid(), signal.SIGINT))
        began = time.monotonic()
        try:
            timer.start()
            call()
        except KeyboardInterrupt:
            assert time.monotonic() - began < LONG / 2, time.monotonic() - began
        else:
            raise AssertionError("nothing was raised")
        timer.join()
    assert vouch.plan(vouch.Model.twin_states(3)).status == "optimal"


def test_other_threads_run_meanwhile():
    found, counted = [], 0
    model = hard()

    def search():  # until this thread has been seen to run, not only while progress is told
        seen = []
        found.append(vouch.plan(model.replace(), lookahead=2, time_limit=LONG,
                                progress=lambda p: seen.append(counted) or len(seen) > 1 and seen[-1] - seen[-2] > 4))

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        counted += 1
        time.sleep(0.001)
    assert len(found) == 2 and all(plan.seconds < LONG / 2 for plan in found), (counted, found)


def test_small_calls_take_few_steps():
    model = vouch.Model.from_arrays(np.ones((1, 1, 1, 1)), np.zeros((1, 1)), commitment=[0], horizon=1)
    plan = vouch.plan(model)
    calls = {
        "plan": lambda: vouch.plan(model),
        "lp": lambda: vouch.lp([1.0, 1.0], [[1.0, 1.0]], [1.0]),
        "milp": lambda: vouch.milp([1.0, 1.0], integrality=1, constraints=([[1.0, 1.0]], 0, 1)),
        "evaluate": plan.policy.evaluate,
        "action": plan.action,
        "agent": lambda: vouch.Agent(model),
    }
    for name, call in calls.items():
        call()
        steps = []  # what Python calls, counted
        sys.setprofile(lambda frame, event, argument: steps.append(frame.f_code.co_name) if event in ("call", "c_call") else None)
        try:
            call()
        finally:
            sys.setprofile(None)
        assert len(steps) < STEPS and "sleep" not in steps and "wait" not in steps, f"{name}: {len(steps)} calls"


for name, test in list(globals().items()):
    if name.startswith("test_"):
        try:
            test()
            print(f"ok python_{name[5:]}", flush=True)
        except Exception as trouble:
            place = trouble.__traceback__
            while place.tb_next and place.tb_next.tb_frame.f_code.co_filename == __file__:
                place = place.tb_next
            print(f"not ok python_{name[5:]}: line {place.tb_lineno}: {type(trouble).__name__}: {trouble}", flush=True)

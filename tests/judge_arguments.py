"""The Python package under hostile callers: arguments of every type for every public function, and every object copied, pickled, shared and freed.

usage: judge_arguments.py DRAWS [SEED]     with the package on PYTHONPATH
A draw is a call with wrong arguments, or a chain of what can happen to an object. A call may return or raise an error that names what is wrong;
it may not crash, hang, or take a number for another one. Draws are made in processes of their own, which note each draw before they make it.
Prints "ok NAME" or "not ok NAME: why".
"""
import concurrent.futures
import copy
import decimal
import fractions
import gc
import inspect
import multiprocessing
import os
import pathlib
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import warnings

import numpy as np
import scipy.sparse

import vouch

CHUNK = 400  # draws of a process
HANG = 600  # seconds; a chunk takes some
SECONDS = 0.05  # of a call that takes a limit


HALF = [object.__new__(kind) for kind in (vouch.Model, vouch.Policy, vouch.Agent, vouch.Groups)]  # objects that own nothing


class Broken:
    """Every question is answered by an exception."""

    def fail(self, *_):
        raise LookupError("broken")

    __index__ = __float__ = __len__ = __iter__ = __bool__ = __fspath__ = __array__ = __call__ = __repr__ = __eq__ = fail
    __hash__ = object.__hash__


def arrays():
    P = np.zeros((2, 2, 3, 3))
    P[:, 0, :, 0], P[:, 1, :, 1] = 1, 1
    return P, np.arange(12.0).reshape(2, 3, 2)


class Scene:
    """One object of each kind, and for each public function a call that is right."""

    def __init__(self, folder):
        P, R = arrays()
        self.model = vouch.Model.random(3, 2, 2, horizon=3, probability=0.3, seed=3)
        self.file = os.path.join(folder, "model.json")
        self.model.write(self.file)
        self.plan = vouch.plan(self.model, lookahead=1)
        self.policy_file = os.path.join(folder, "policy.json")
        self.plan.policy.write(self.policy_file)
        self.groups = vouch.plan(self.model, policies=2)
        self.ccil = vouch.ccil(self.model, 1)
        self.sweep = vouch.sweep(self.model, lookahead=[0, 1])
        self.frontier, self.rules = vouch.frontier(self.model, 3), self.plan.policy.rules()
        self.agent, self.episode = vouch.Agent(self.model), self.plan.follow()
        self.environment = vouch.Environment(self.model, 0, seed=1)
        self.gym = {0: {0: [(1.0, 0, 0.0, False)], 1: [(0.5, 1, 1.0, False), (0.5, 0, 0.0, False)]}, 1: {0: [(1.0, 1, 2.0, False)], 1: [(1.0, 1, 0.0, False)]}}
        model, policy, out = self.model, self.plan.policy, os.path.join(folder, "out")
        self.calls = {  # what is called: right arguments
            "plan": (vouch.plan, dict(model=model, time_limit=SECONDS)), "simulate": (vouch.simulate, dict(policy=self.plan, episodes=5, time_limit=SECONDS)),
            "ccil": (vouch.ccil, dict(model=model, time_limit=SECONDS)), "explain": (vouch.explain, dict(model=model, time_limit=SECONDS)),
            "frontier": (vouch.frontier, dict(model=model, probability=2, time_limit=SECONDS)), "sweep": (vouch.sweep, dict(model=model, time_limit=SECONDS)),
            "lp": (vouch.lp, dict(c=[1.0, 1.0], A_ub=[[-1.0, -1.0]], b_ub=[-1.0])),
            "milp": (vouch.milp, dict(c=[1.0, 1.0], constraints=([[2.0, 3.0]], 3, 9), integrality=1)), "limit_memory": (vouch.limit_memory, {}), "read": (vouch.read, dict(file=self.file)),
            "Model.read": (vouch.Model.read, dict(file=self.file)), "Model.from_arrays": (vouch.Model.from_arrays, dict(P=P, R=R, commitment=[0], horizon=2)),
            "Model.from_gym_p": (vouch.Model.from_gym_p, dict(P=self.gym, commitment=[1], horizon=2)), "Model.twin_states": (vouch.Model.twin_states, {}),
            "Model.lookahead": (vouch.Model.lookahead, {}), "Model.t_maze": (vouch.Model.t_maze, {}), "Model.random": (vouch.Model.random, {}),
            "Model.replace": (model.replace, {}), "Model.write": (model.write, dict(file=out)), "Model.state": (model.state, dict(state=0)), "Model.action": (model.action, dict(action=0)),
            "Model.environment": (model.environment, dict(environment=0)), "Model.available": (model.available, dict(state=0)),
            "Model.transitions": (model.transitions, dict(environment=0, state=0, action=0)), "Model.arrays": (model.arrays, {}),
            "Policy.read": (vouch.Policy.read, dict(model=model, file=self.policy_file)), "Policy.write": (policy.write, dict(file=out)), "Policy.plot": (policy.plot, {}),
            "Policy.rules": (policy.rules, dict(leaves=3)), "Rules.markdown": (self.rules.markdown, {}), "Rules.dot": (self.rules.dot, {}), "Rules.tree": (self.rules.tree, {}),
            "Rules.svg": (self.rules.svg, {}),
            "Policy.rule": (policy.rule, dict(i=0)), "Policy.evaluate": (policy.evaluate, {}), "Policy.graph": (policy.graph, {}), "Policy.follow": (policy.follow, {}),
            "Policy.action": (policy.action, {}), "Policy.rules": (policy.rules, {}), "Rules.markdown": (policy.rules().markdown, {}), "Rules.dot": (policy.rules().dot, {}),
            "Rules.tree": (policy.rules().tree, {}), "Rules.svg": (policy.rules().svg, {}), "Plan.describe": (self.plan.describe, {}), "Plan.plot": (self.plan.plot, {}), "Plan.action": (self.plan.action, {}),
            "Plan.follow": (self.plan.follow, {}), "Graph": (vouch.Graph, dict(policy=policy)), "Episode": (vouch.Episode, dict(policy=self.plan)),
            "Episode.observe": (self.episode.observe, dict(state=0, reward=0.0)), "Episode.act": (self.episode.act, {}), "Episode.reset": (self.episode.reset, {}),
            "Agent": (vouch.Agent, dict(model=model, time_limit=SECONDS)), "Agent.observe": (self.agent.observe, dict(state=0, reward=0.0)), "Agent.act": (self.agent.act, {}),
            "Agent.reset": (self.agent.reset, {}), "Groups.policy": (self.groups.policy, dict(environment="k1")), "Sweep.cells": (self.sweep.cells, {}),
            "Sweep.plot": (self.sweep.plot, {}), "Frontier.plot": (self.frontier.plot, {}), "Environment": (vouch.Environment, dict(model=model, environment=0)),
            "Environment.reset": (self.environment.reset, {}), "Environment.step": (self.environment.step, dict(action=0))}

    def missing(self):
        """The public functions that stand in no call."""
        found = []
        for name in vouch.__all__:
            kind = getattr(vouch, name)
            if not inspect.isclass(kind):
                found.append(name)
            elif kind.__module__.startswith("vouch") and not issubclass(kind, (tuple, dict, Exception)):
                found += [f"{name}.{method}" for method, function in vars(kind).items() if not method.startswith("_") and (inspect.isfunction(function) or isinstance(function, classmethod))]
        return [name for name in found if name not in self.calls and not name.endswith(".to_dataframe")]


def whole_numbers():
    return [0, 1, -1, 3, np.int8(1), np.int64(2), np.uint64(1), np.int64(-3), True, np.bool_(True), 2**31, 2**32 + 1, -2**32 + 1, 2**32 + 2, 2**63, 2**64 + 1, -2**64 + 1, 2**64 + 2,
            np.uint64(2**64 - 1), np.int64(2**32 + 1), 10**5000]


TEXTS = ["", "x", "1", "a\0b", "\ud800", np.str_("x"), "\0", ["a\0b", "c", "d"], ["a", "b\0"], pathlib.Path("nowhere/a\0b")]


def others(scene):
    return [None, 1.5, float("nan"), float("inf"), -float("inf"), 1e308, -0.5, "0.5", *TEXTS, b"1", b"a\0", bytearray(b"1"), np.float32(0.5), np.float64("nan"), np.bytes_(b"1"),
            np.datetime64("2020-01-01"), np.array(1), np.array([1]), np.array([]), np.array([[1.0, 2.0], [3.0, 4.0]]), np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.masked, np.array(["a"]),
            np.array([None], dtype=object), scipy.sparse.eye(3).tocsr(), [scipy.sparse.eye(3).tocsr()] * 2, [np.ma.array([1.0])], [], (), {}, [1, 2], [0.5, "x"], ["a", "b"], {"a": 1}, {1, 2},
            range(3), (x for x in (1, 2)), lambda *_: None, lambda *_: 1 / 0, object(), int, fractions.Fraction(1, 2), decimal.Decimal("0.5"), 1 + 2j, np.complex128(1j), Broken(),
            scene.model, scene.plan, scene.plan.policy, scene.agent, scene.episode, scene.ccil, scene.groups, scene.environment, scene.sweep, vouch.Model.twin_states(2), vouch.Model, vouch, *HALF]


WIDE = {"seed", "tie_break_work", "class_limit", "iteration_limit", "node_limit", "state_limit", "program_limit", "episodes", "size"}  # 64 bits in C
UNUSED = {("read", "seed"), ("Model.read", "seed"), ("Environment.reset", "options")}  # but with another argument


def is_number(value):
    return isinstance(value, (int, float, np.number, np.bool_, fractions.Fraction, decimal.Decimal)) and not isinstance(value, (np.ma.core.MaskedConstant, np.complexfloating))


def has_nul(value):
    return isinstance(value, (str, pathlib.Path)) and "\0" in str(value) or isinstance(value, list) and any(map(has_nul, value))


def must_refuse(title, name, annotation, value):
    """Is the value none that this argument can mean?"""
    whole = isinstance(value, (int, np.integer))
    if has_nul(value):
        return (title, name) not in UNUSED
    if (title, name) in UNUSED or title == "Environment" and name == "seed" or title == "Environment.reset":
        return False
    kind = annotation.replace("Optional[", "").rstrip("]")
    if value is None and annotation.startswith("Optional["):
        return False
    if whole and (annotation in ("int", "Optional[int]", "Name") or "Union[int" in annotation):
        return not (-2**63 <= value < 2**64) or (name not in WIDE and not -2**31 <= value < 2**31)
    if kind in ("int", "bool"):
        return not (whole or isinstance(value, np.bool_) or np.asarray(value, dtype=object).shape == () and isinstance(value, np.ndarray))
    if kind == "float":
        return not is_number(value) and not (isinstance(value, np.ndarray) and value.size == 1 and value.dtype.kind in "if")
    if kind == "str":
        return not isinstance(value, str)
    if kind in ("Model", "Policy"):
        return not isinstance(value, getattr(vouch, kind)) or "_pointer" not in vars(value)
    return False


def told(error):
    """Is it an error that a caller can expect? What Broken and our own callbacks raise is theirs."""
    return isinstance(error, (vouch.Error, TypeError, ValueError, OverflowError, IndexError, KeyError, ZeroDivisionError)) or str(error) == "broken"


def draw_call(scene, dice, note):
    title = dice.choice(list(scene.calls))
    function, right = scene.calls[title]
    given = dict(right)
    parameters = {name: str(p.annotation) for name, p in inspect.signature(function).parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    if dice.random() < 0.05:
        given["points"] = 6
        note(f"{title} with an argument points")
        try:
            function(**given)
        except vouch.ArgumentTypeError as error:
            assert "has no argument points" in str(error) and title.split(".")[-1].replace("read", "") in str(error), error
            return
        raise AssertionError("an argument of no meaning was taken")
    wrong = {}
    for name in dice.sample(sorted(parameters), min(len(parameters), dice.choice((1, 1, 1, 2)))):
        numeric = any(word in parameters[name] for word in ("int", "float", "Name"))
        textual = "str" in parameters[name] or name == "file"
        wrong[name] = dice.choice(whole_numbers() if numeric and dice.random() < 0.6 else TEXTS if textual and dice.random() < 0.5 else others(scene))
    if len(wrong) > 1:
        wrong.pop("time_limit", None)  # billions of episodes are not ended by a long one
    given.update(wrong)
    note(f"{title}: {', '.join(f'{name} = {describe(value)}' for name, value in wrong.items())}")
    try:
        function(**given)
    except Exception as error:
        half = isinstance(error, AttributeError) and any(value is one for value in wrong.values() for one in HALF)
        assert told(error) or half, f"{type(error).__name__}: {error}"
        if isinstance(error, vouch.ArgumentTypeError) and len(wrong) == 1 and not any(value is vouch.Model for value in wrong.values()) and title in ("plan", "ccil", "explain", "sweep", "simulate", "Agent"):
            assert next(iter(wrong)) in str(error), f"the argument is not named: {error}"
        return
    finally:
        vouch.limit_memory(1 << 30)
    for name, value in wrong.items():
        assert not must_refuse(title, name, parameters[name], value), f"{name} = {describe(value)} was taken"


def describe(value):
    try:
        return f"{type(value).__name__} {value!r}"[:120]
    except Exception:
        return type(value).__name__


# ---- objects


def figures(environments):
    return [tuple(f[1:5]) for f in environments]


def played(player):
    return [player.decision, player.done, player.environments]


LOOKS = {  # what can be seen of an object; the same digits, wherever it is
    "Model": lambda x: [x.states, x.promises, x.prior, x.horizon, *(a.tobytes() for a in x.arrays()), vouch.plan(x, lookahead=1).max_regret],
    "Policy": lambda x: [list(x), figures(x.evaluate().environments), x.action(), [s.mean for s in vouch.simulate(x, 20)]],
    "Plan": lambda x: [repr(x), x.describe(), figures(x.environments), LOOKS["Policy"](x.policy), x.policy.model is x.model],
    "Graph": lambda x: [x.node.tolist(), x.reach.tobytes(), x.edge.tolist(), x.probability.tobytes()],
    "Groups": lambda x: [repr(x), [LOOKS["Group"](g) for g in x.groups]],
    "Group": lambda x: [x[:3], LOOKS["Policy"](x.policy), LOOKS["Model"](x.policy.model)],
    "Frontier": lambda x: [x.probability, [LOOKS["Plan"](p) for p in x.plans]],
    "Environment": lambda x: [LOOKS["Model"](x.model), x.state, x.time, x._random.getstate()],
    "Episode": played, "Agent": lambda x: [played(x), str(x.promise)],
    "Ccil": lambda x: [x.status, x.max_regret, figures(x.environments), [s.mean for s in vouch.simulate(x, 20)]],
    "Sweep": lambda x: [x.method, x.status.tolist(), x.max_regret.tobytes()], "Evaluation": lambda x: [repr(x)], "Result": lambda x: [x.x.tobytes(), x.fun],
    "Explanation": repr, "Rules": lambda x: [str(x), x.dot()],
}
REFUSED = ("Episode", "Agent", "Ccil")  # whose copies are made by the caller


def make(kind, dice):
    if dice.random() < 0.3:
        P, R = arrays()
        window = {"name": "there", "kind": dice.choice(("stay", "avoid")), "states": [0], "from": 2, "to": 2, "probability": 0.0}
        model = vouch.Model.from_arrays(P, R, promises=[{"name": "home", "kind": dice.choice(("at", "by")), "states": [1], "time": 2, "probability": 0.5}, window], horizon=3, prior=[1, 2],
                                        observe=dice.choice(("rewards", "states")), reward_tolerance=dice.choice((0, 1e-9, 0.5)), name=dice.choice(("", "naïve\t\"name\"")))
    else:
        model = vouch.Model.random(dice.randint(2, 4), 2, 2, horizon=3, probability=0.2, seed=dice.randint(1, 50))
    method = dice.choice(("milp-ccl", "exact-ccl", "history", "greedy"))
    plan = lambda: vouch.plan(model, method, lookahead=1)
    if kind == "Environment":
        world = vouch.Environment(model, 0, seed=np.int64(3))
        world.step(model.available(world.state)[0])
        return world
    return {"Model": lambda: model, "Plan": plan, "Policy": lambda: plan().policy, "Graph": lambda: plan().policy.graph(), "Groups": lambda: vouch.plan(model, policies=2),
            "Group": lambda: vouch.plan(model, policies=2, promises=dice.choice(("own", "all"))).groups[0], "Frontier": lambda: vouch.frontier(model, [0.1, 0.2]) if len(model.promises) == 1 else vouch.frontier(
                vouch.Model.twin_states(3), [0.1]), "Episode": lambda: plan().follow(), "Agent": lambda: vouch.Agent(model), "Ccil": lambda: vouch.ccil(model), "Sweep": lambda: vouch.sweep(model),
            "Evaluation": lambda: plan().policy.evaluate(), "Result": lambda: vouch.lp([1.0, 2.0], [[-1.0, -1.0]], [-1.0]), "Explanation": lambda: vouch.explain(vouch.Model.twin_states(3)),
            "Rules": lambda: plan().policy.rules()}[kind]()


def in_child(look, thing):
    """What a child sees that is forked while another thread plans."""
    read, write = os.pipe()
    busy = threading.Thread(target=lambda: vouch.plan(vouch.Model.t_maze(), lookahead=1))
    busy.start()
    child = os.fork()
    if not child:
        os.close(read)
        with os.fdopen(write, "wb") as out:
            pickle.dump(repr(look(thing)), out)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        seen = answer.read()
    busy.join()
    assert os.waitpid(child, 0)[1] == 0, "the child died"
    return pickle.loads(seen)


def in_threads(look, thing, alone):
    """Several threads at once. Of what one at a time may use, some are told so."""
    seen = []

    def see():
        try:
            seen.append(repr(look(thing)))
        except vouch.Error as error:
            if not alone or "is in use by another call" not in str(error):
                seen.append(repr(error))

    threads = [threading.Thread(target=see) for _ in range(4)]
    for thread in threads:
        thread.start()
    gc.collect()
    for thread in threads:
        thread.join()
    return set(seen)


def race(thing, dice):
    """Threads that act with one object at once: each does or is told that another is at work."""
    strange = []

    def act(seed):
        own = random.Random(seed)
        for _ in range(6):
            try:
                if isinstance(thing, vouch.Ccil):
                    vouch.simulate(thing, 5)
                elif own.random() < 0.3 or thing.done:
                    thing.reset(seed)
                else:
                    thing.observe(own.randrange(len(thing.model.states)), own.choice((0.0, 1.0)))
                    thing.act()
            except vouch.Error:
                pass
            except Exception as error:
                strange.append(error)

    threads = [threading.Thread(target=act, args=(dice.randint(0, 99),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not strange, strange


COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, **{f"pickle{p}": lambda x, p=p: pickle.loads(pickle.dumps(x, p)) for p in range(2, pickle.HIGHEST_PROTOCOL + 1)}}
# The allocator of the sanitizers keeps its locks as they are at a fork, which may be those of the thread that plans.
FORKS = [] if "libasan" in os.environ.get("LD_PRELOAD", "") else ["fork"]


def draw_chain(scene, dice, note):
    kind = dice.choice(list(LOOKS))
    look, said = LOOKS[kind], f"{kind}:"
    note(said)
    thing = make(kind, dice)
    seen = repr(look(thing))
    for _ in range(dice.randint(1, 4)):
        act = dice.choice([*COPIES, *FORKS, "threads", "cycle", "garbage", *(("race", "race", "race") if kind in REFUSED else ())])
        said += f" {act}"
        note(said)
        if act == "fork":
            assert in_child(look, thing) == seen, f"a child sees {in_child(look, thing)}, not {seen}"
        elif act == "threads":
            assert in_threads(look, thing, kind in REFUSED) <= {seen}, said
        elif act == "cycle":  # freed by the collector, in whichever order
            ring = [make(kind, dice)]
            ring.append(ring)
            del ring
        elif act == "race":
            race(make(kind, dice), dice)
        elif act == "garbage":
            keep = [vouch.Model.random(seed=i) for i in range(5)]
            del keep
        elif kind in REFUSED:
            try:
                COPIES[act](thing)
                raise AssertionError("a copy was made")
            except TypeError as error:
                assert "cannot be pickled or copied; " in str(error), error
        else:
            thing = COPIES[act](thing)  # the only one that is left
        gc.collect()
        assert repr(look(thing)) == seen, f"{said}: {look(thing)}, not {seen}"


# ---- processes


def work(seed, draws, notes):
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder, open(notes, "w", errors="backslashreplace") as noted:
        os.chdir(folder)
        scene, dice = Scene(folder), random.Random(seed)
        assert not scene.missing(), f"no call draws {', '.join(scene.missing())}"
        for i in range(draws):
            def note(line):
                noted.seek(0)
                noted.truncate()
                noted.write(f"draw {i} of seed {seed}: {line}")
                noted.flush()

            try:
                (draw_chain if dice.random() < 0.1 else draw_call)(scene, dice, note)
            except Exception as error:
                place = error.__traceback__
                while place.tb_next:
                    place = place.tb_next
                print(f"not ok python_arguments: {open(notes).read()}: {place.tb_frame.f_code.co_name}, line {place.tb_lineno}: {type(error).__name__}: {error}", flush=True)


def planned(model):
    found = vouch.plan(model, lookahead=1)
    return found.max_regret, found


def mistaken(model):
    return vouch.plan(model, log=object())


def spawned():
    """Ten models planned by a pool of four that were spawned: what this process finds, and the plans come back."""
    models = [vouch.Model.random(4, 2, 3, horizon=4, probability=0.3, seed=seed) for seed in range(1, 9)] + [vouch.Model.t_maze(), vouch.Model.twin_states(4)]
    with concurrent.futures.ProcessPoolExecutor(4, mp_context=multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(planned, models))
        assert [plan.max_regret for plan in pool.map(vouch.plan, models)] == [vouch.plan(model).max_regret for model in models]
        try:
            pool.submit(mistaken, models[0]).result()
        except vouch.ArgumentTypeError as error:  # comes back, though the argument could not
            assert "log: expected a function" in str(error), error
    for model, (regret, plan) in zip(models, found):
        alone = vouch.plan(model, lookahead=1)
        assert regret == alone.max_regret and LOOKS["Plan"](plan)[1:] == LOOKS["Plan"](alone)[1:], model
    return len(found)


def main(draws, seed):
    print(f"ok python_spawn ({spawned()} models)", flush=True)
    good, done = True, 0
    for at in range(0, draws, CHUNK):
        with tempfile.NamedTemporaryFile() as notes:
            here = subprocess.run([sys.executable, __file__, "--work", str(seed + at // CHUNK), str(min(CHUNK, draws - at)), notes.name], stdout=subprocess.PIPE, text=True, timeout=HANG)
            last = open(notes.name, errors="replace").read()
        print(here.stdout, end="", flush=True)
        if here.returncode:
            print(f"not ok python_arguments: exit {here.returncode}: {last}", flush=True)
        good = good and not here.returncode and not here.stdout
        done += min(CHUNK, draws - at)
    if good:
        print(f"ok python_arguments ({done} draws)")


if __name__ == "__main__":
    if sys.argv[1] == "--work":
        work(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
    else:
        main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)

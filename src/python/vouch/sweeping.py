"""Sweeps: a grid over methods, horizons, probabilities and lookaheads, as arrays."""
from __future__ import annotations

import ctypes
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, Optional, Sequence, Union

from . import _abi as abi, showing
from ._arguments import doubles
from ._library import ArgumentError, Error, OutOfMemoryError, lib, shown, text, to_c, whole, is_word
from .acting import ccil
from .model import Model
from .planning import plan

if TYPE_CHECKING:
    import numpy

POINTS = 10000  # of a frontier, each a plan
FIGURES = ("max_regret", "total_regret", "bound", "least_commitment", "seconds")


class _Method(NamedTuple):
    word: str  # of plan
    again: bool  # planned again: CCIL
    guarded: bool
    looks_ahead: bool  # depends on L
    proves: bool


def _methods() -> Iterator[Any]:
    """(name, _Method) of each method and the ways to plan again with it, from the library's table."""
    for number in range(abi.VOUCH_METHOD_COUNT):
        about = lib.vouch_method_describe(number).contents
        for name, again, guarded in ((about.word, False, False), (about.replanned, True, False), (about.guarded, True, True)):
            if name:
                looks_ahead = about.lookahead == abi.VOUCH_LOOKAHEAD_ASKED
                yield text(name), _Method(text(about.word), again, guarded, looks_ahead, bool(about.proves))


METHODS = dict(_methods())


@dataclass(frozen=True)
class Sweep:
    """The cells of a sweep. M methods, T horizons, P probabilities, L lookaheads; each of the other arrays has shape [M,T,P,L].

    NaN: there is no such figure; cells that cannot be (L > T, CCIL with L = 0) have the status "" and NaN everywhere.
    """

    method: tuple[Any, ...]  # [M]
    horizon: "numpy.ndarray[Any, Any]"  # [T] int
    probability: "numpy.ndarray[Any, Any]"  # [P], NaN where promises or environments keep their own
    lookahead: "numpy.ndarray[Any, Any]"  # [L] int
    status: "numpy.ndarray[Any, Any]"  # of str, as in Plan; "failed": see error
    max_regret: "numpy.ndarray[Any, Any]"
    total_regret: "numpy.ndarray[Any, Any]"
    bound: "numpy.ndarray[Any, Any]"
    least_commitment: "numpy.ndarray[Any, Any]"  # over environments
    seconds: "numpy.ndarray[Any, Any]"
    error: dict[Any, Any]  # index of a cell that failed: the text

    def cells(self) -> Iterator[dict[str, Any]]:
        """The cells that were worked out, a dict each, in the order of `vouch sweep --json`."""
        for index in _cells(self.method, list(self.horizon), list(self.lookahead), len(self.probability)):
            if not self.status[index]:
                continue
            m, t, p, l = index
            cell = {"method": self.method[m], "L": int(self.lookahead[l]), "T": int(self.horizon[t]), "p": float(self.probability[p]),
                    "status": str(self.status[index])}
            yield {**cell, **{name: float(getattr(self, name)[index]) for name in FIGURES}}

    def plot(self, figure: str = "max_regret", against: Optional[str] = None, ax: Any = None) -> str:
        """A chart as SVG text, a line for each combination of the other axes; drawn on matplotlib axes too, where they are given.

        figure: "max_regret", "total_regret", "bound", "least_commitment" or "seconds". against: "lookahead", "horizon" or "probability"; by itself the
        first of them that has several values.
        """
        axes = {"lookahead": ("L", self.lookahead), "horizon": ("T", self.horizon), "probability": ("p", self.probability)}
        several = [name for name, (_, values) in axes.items() if len(values) > 1]
        against = (several or ["lookahead"])[0] if against is None else against
        if not (is_word(figure, FIGURES) and is_word(against, axes)):
            raise ArgumentError(f"there is no chart of {figure!r} against {against!r}; expected one of {', '.join(FIGURES)} against {', '.join(axes)}")
        lines: dict[Any, Any] = {}
        for cell in self.cells():
            rest = [f"{letter} = {cell[letter]:g}" for name, (letter, _) in axes.items() if name != against and name in several]
            x, y = lines.setdefault(", ".join([cell["method"], *rest]), ([], []))
            x.append(cell[axes[against][0]])
            y.append(cell[figure])
        joined = against != "probability"  # unknown between two probabilities
        return showing.chart([showing.Line(name, x, y, joined) for name, (x, y) in lines.items()], axes[against][0], figure.replace("max_", "maximum_").replace("_", " "), ax)

    def to_dataframe(self) -> Any:
        """The cells that were worked out as a pandas DataFrame."""
        return showing.frame(("method", "L", "T", "p", "status", *FIGURES), (list(cell.values()) for cell in self.cells()))

    def _repr_html_(self) -> str:
        cells = list(self.cells())
        head = ("method", "L", "T", "p", "status", "maximum regret", "total regret", "bound", "least commitment", "seconds")
        return showing.table(head, ([*list(cell.values())[:-1], round(cell["seconds"], 3)] for cell in cells)) + (showing.scrolled(self.plot()) if len(cells) > 1 else "")


@dataclass(frozen=True)
class Frontier:
    """The cost of a promise: the minimum of the maximum regret at several probabilities, one plan each."""

    probability: tuple[Any, ...]  # ascending
    plans: tuple[Any, ...]  # a Plan each

    @property
    def max_regret(self) -> tuple[Any, ...]:
        return tuple(found.max_regret for found in self.plans)

    def plot(self, ax: Any = None) -> str:
        """A chart of maximum regret and bound against p as SVG text; drawn on matplotlib axes too, where they are given."""
        regret = showing.Line("maximum regret", self.probability, self.max_regret, False)
        bound = showing.Line("proved: not less", self.probability, [found.bound if found.policy else math.nan for found in self.plans], False, True)
        return showing.chart([bound, regret], "p", "maximum regret", ax)

    def _rows(self) -> list[Any]:
        return [[p, found.status, found.max_regret, found.bound] for p, found in zip(self.probability, self.plans)]

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, a row for each probability."""
        return showing.frame(("p", "status", "max_regret", "bound"), self._rows())

    def _repr_html_(self) -> str:
        return showing.table(("p", "status", "maximum regret", "bound"), self._rows()) + showing.scrolled(self.plot())


def frontier(model: Model, probability: Union[int, Sequence[float]] = 11, method: str = "milp-ccl", lookahead: int = 0, **options: Any) -> Frontier:
    """Plans for several commitment probabilities: a list, or a number of points from 0 to 1. Options as in :func:`plan`."""
    if not hasattr(probability, "__iter__"):
        points = whole(probability)
        if not 2 <= points <= POINTS:
            raise ArgumentError(f"probability is {shown(points)}; expected a list, or a number of points from 2 to {POINTS}")
        probability = [i / (points - 1) for i in range(points)]
    wanted = tuple(sorted(doubles(probability, "probability")))
    return Frontier(wanted, tuple(plan(model, method, lookahead, probability=p, **options) for p in wanted))


def _cells(methods: Sequence[str], horizons: Sequence[int], lookaheads: Sequence[int], probabilities: int) -> list[Any]:
    """The indices of the valid cells, in the order of computation."""
    return [(m, t, p, l) for m, method in enumerate(methods) for t, T in enumerate(horizons) for p in range(probabilities)
            for l, L in enumerate(lookaheads) if L <= T and not (METHODS[method].again and L == 0)]


def _list(value: Any, default: Any) -> list[Any]:
    value = default if value is None else value
    return [value] if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)


def _work(model: Model, method: str, L: int, options: dict[Any, Any]) -> tuple[Any, ...]:
    """status and FIGURES of one cell."""
    about = METHODS[method]
    began = time.monotonic()
    bound = math.nan
    if about.again:
        found: Any = ccil(model, L, inner=about.word, guarded=about.guarded, **options)
    else:
        options = {key: value for key, value in options.items() if key != "program_limit"}
        found = plan(model, about.word, L if about.looks_ahead else 0, **options)
        if about.proves and math.isfinite(found.bound):
            bound = found.bound
    kept = min((f.commitment_probability for f in found.environments), default=math.nan) if not math.isnan(found.max_regret) else math.nan
    return found.status, (found.max_regret, found.total_regret, bound, kept, time.monotonic() - began)


def sweep(model: Model, lookahead: Union[int, Sequence[int]] = 0, horizon: Union[int, Sequence[int], None] = None,
          probability: Union[float, Sequence[float], None] = None, method: Union[str, Sequence[str]] = "milp-ccl", *,
          program_limit: Optional[int] = 100000, threads: int = 1, seed: int = 1, time_limit: Optional[float] = None,
          progress: Optional[Callable[[int, int, dict[Any, Any]], Any]] = None) -> Sweep:
    """Plans, or evaluates CCIL, for every combination of L = lookahead, T = horizon, p = probability and method; one value or several each.

    method: as in :func:`plan`, or "milp-ccil", "exact-ccil", "guarded-ccil". time_limit applies to each combination. progress(done, all, cell) is called
    before each cell; if it returns True, the sweep ends with the cells computed. A failing cell does not end it.
    """
    import numpy

    methods, lookaheads = _list(method, None), [to_c(L, ctypes.c_int, "lookahead") for L in _list(lookahead, None)]
    horizons = [to_c(T, ctypes.c_int, "horizon") for T in _list(horizon, model.horizon + model.first_time)]
    made = {p for promise in model.promises for p in promise.probability}  # several: they stay as they are
    probabilities = list(doubles(_list(probability, made.pop() if len(model.promises) == len(made) == 1 else math.nan), "probability"))
    for name in methods:
        if not isinstance(name, str) or name not in METHODS:
            raise ArgumentError(f'there is no method "{shown(name)}"; expected {", ".join(METHODS)}')
    if any(L < 0 for L in lookaheads):
        raise ArgumentError(f"L is {min(lookaheads)}; expected at least 0")
    cells = _cells(methods, horizons, lookaheads, len(probabilities))
    if not cells:
        raise ArgumentError("the sweep has no cell: no L is between 0 (CCIL: 1) and T")
    shape = (len(methods), len(horizons), len(probabilities), len(lookaheads))
    status, errors = numpy.full(shape, "", dtype="U12"), {}
    figures = {name: numpy.full(shape, numpy.nan) for name in FIGURES}
    models: dict[Any, Any] = {}
    same: dict[Any, Any] = {}  # methods that do not look ahead are worked out once for all L
    options = dict(program_limit=program_limit, threads=threads, seed=seed, time_limit=time_limit)
    for name, kind in (("program_limit", ctypes.c_longlong), ("threads", ctypes.c_int), ("seed", ctypes.c_uint64), ("time_limit", ctypes.c_double)):
        if options[name] is not None:
            to_c(options[name], kind, name)  # here, for cells that fail have their errors in the sweep
    for done, (m, t, p, l) in enumerate(cells):
        cell = {"method": methods[m], "L": lookaheads[l], "T": horizons[t], "p": probabilities[p]}
        if progress is not None and progress(done, len(cells), cell) is True:
            break
        key = (m, t, p) if not METHODS[methods[m]].looks_ahead else (m, t, p, l)
        try:
            if key in same:
                found, values = same[key][0], (*same[key][1][:-1], 0.0)
            else:
                if (t, p) not in models:
                    chosen = None if math.isnan(probabilities[p]) else probabilities[p]  # promises and environments keep theirs
                    models = {(t, p): model.replace(horizon=horizons[t], probability=chosen)}
                found, values = same[key] = _work(models[t, p], methods[m], lookaheads[l], options)
        except Error as error:
            if isinstance(error, OutOfMemoryError) or error.wrong is not None:
                raise
            status[m, t, p, l], errors[m, t, p, l] = "failed", str(error)
            continue
        status[m, t, p, l] = found
        for name, value in zip(FIGURES, values):
            figures[name][m, t, p, l] = value
    return Sweep(tuple(methods), numpy.array(horizons), numpy.array(probabilities), numpy.array(lookaheads), status, error=errors, **figures)

"""The linear and mixed-integer solvers alone, called as scipy's linprog and milp are."""
from __future__ import annotations

import ctypes
import fractions
import math
import time
from typing import Any, Callable, Dict, NamedTuple, Optional, Sequence

from . import _abi as abi
from ._arguments import is_sparse, numbers as _numbers, unmasked
from ._library import PROGRESS_SECONDS, ArgumentError, ArgumentTypeError, Handle, LongCall, check, field, lib, shown, text

SHORT = 2000  # entries of linear programs that are solved within some milliseconds
AT_BOUND = 1e-9  # relative: closer to a bound is at it
METHODS = {"auto": abi.VOUCH_LP_AUTO, "primal": abi.VOUCH_LP_PRIMAL, "dual": abi.VOUCH_LP_DUAL}
# scipy's status numbers: 0 optimal, 1 a limit, 2 infeasible, 3 unbounded, 4 numerical trouble
LP_STATUS = {abi.VOUCH_LP_OPTIMAL: 0, abi.VOUCH_LP_INFEASIBLE: 2, abi.VOUCH_LP_UNBOUNDED: 3, abi.VOUCH_LP_NUMERICAL: 4}
MIP_STATUS = {abi.VOUCH_MIP_OPTIMAL: 0, abi.VOUCH_MIP_INFEASIBLE: 2, abi.VOUCH_MIP_UNBOUNDED: 3, abi.VOUCH_MIP_NUMERICAL: 4}


class Result(Dict[str, Any]):
    """Result of a solver; names are keys and attributes, as in scipy's results.

    x [n] or None, fun (NaN without x), status (0 optimal, 1 a limit was reached, 2 infeasible, 3 unbounded, 4 numerical trouble), success, message,
    nit (simplex iterations), seconds, bound (proved bound on the optimum).
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __dir__(self) -> list[Any]:
        return [*super().__dir__(), *self]

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:>{width}}: {value!r}" for name, value in self.items())


class MilpProgress(NamedTuple):
    """processed nodes of the search tree; bound: of the last of them."""

    seconds: float
    nodes: int
    bound: float


class _Rows:
    """Rows of a program, gathered as entries by columns."""

    def __init__(self, n: int):
        import numpy

        self.n, self.m = n, 0
        self.rows: list[Any] = []
        self.cols: list[Any] = []
        self.values: list[Any] = []
        self.lower: list[Any] = []
        self.upper: list[Any] = []
        self.numpy = numpy

    def add(self, A: Any, lower: Any, upper: Any, name: str) -> None:
        """Rows lower <= A x <= upper; A [m,n] dense, or a sparse matrix of scipy."""
        np = self.numpy
        if is_sparse(A):
            A = A.tocoo(copy=True)
            A.sum_duplicates()
            entries: tuple[Any, ...]
            shape, entries = A.shape, (A.row, A.col, A.data)
        else:
            A = np.atleast_2d(_numbers(A, name))
            shape, at = A.shape, np.nonzero(A)
            entries = (*at, A[at])
        if len(shape) != 2 or shape[1] != self.n:
            raise ArgumentError(f"{name} has shape {tuple(shape)}; expected [m, {self.n}]")
        self.rows.append(entries[0] + self.m)
        self.cols.append(entries[1])
        self.values.append(_numbers(entries[2], name))
        for values, into, what in ((lower, self.lower, "lower"), (upper, self.upper, "upper")):
            values = _numbers(values, f"the {what} sides of {name}")
            if values.ndim and values.size not in (1, shape[0]):
                raise ArgumentError(f"the {what} sides of {name} have shape {values.shape}; expected [{shape[0]}]")
            into.append(np.broadcast_to(values.ravel() if values.ndim else values, (shape[0],)))
        self.m += shape[0]

    def columns(self) -> tuple[Any, ...]:
        """start [n+1], index, value: by columns."""
        np = self.numpy
        rows, cols, values = (np.concatenate(x) if x else np.empty(0) for x in (self.rows, self.cols, self.values))
        cols = cols.astype(np.int64)
        order = np.argsort(cols, kind="stable")
        start = np.zeros(self.n + 1, dtype=np.int64)
        np.cumsum(np.bincount(cols, minlength=self.n), out=start[1:])
        return start, rows[order].astype(np.intc), np.ascontiguousarray(values[order], dtype=float)

    def sides(self) -> tuple[Any, ...]:
        np = self.numpy
        return tuple(np.ascontiguousarray(np.concatenate(x), dtype=float) if x else np.empty(0) for x in (self.lower, self.upper))


class _Problem(Handle):
    """A vouch_lp."""

    def __init__(self, c: Any, rows: _Rows, lower: Any, upper: Any, integrality: Any):
        import numpy

        pointer, error = abi.vouch_lp(), abi.vouch_error()
        check(lib.vouch_lp_new(pointer))
        self._own(pointer, lib.vouch_lp_free)
        start, index, value = rows.columns()
        row_lower, row_upper = rows.sides()
        data = abi.vouch_lp_data(rows=rows.m, cols=rows.n)
        self.entries = len(value)
        arrays = dict(start=start, index=index, value=value, cost=c, col_lower=lower, col_upper=upper, row_lower=row_lower, row_upper=row_upper)
        for name, array in arrays.items():
            setattr(data, name, array.ctypes.data_as(field(abi.vouch_lp_data, name)))
        check(lib.vouch_lp_load(self, data, error), error)
        for j in numpy.flatnonzero(integrality):
            check(lib.vouch_lp_set_integer(self, int(j), 1))


def _vector(pointer: Any, count: int) -> Any:
    import numpy

    return numpy.ctypeslib.as_array(pointer, (count,)).copy() if count else numpy.empty(0)  # so that the solver's memory need not be kept


def _cost(c: Any) -> Any:
    import numpy

    c = numpy.atleast_1d(_numbers(c, "c").squeeze())
    if c.ndim != 1:
        raise ArgumentError(f"c has shape {c.shape}; expected [n]")
    return numpy.ascontiguousarray(c)


def _broadcast(values: Any, n: int, name: str) -> Any:
    """One number, or [n], as [n]."""
    import numpy

    if values.shape not in ((), (1,), (n,)):
        raise ArgumentError(f"{name}: expected one number or [{n}], found shape {values.shape}")
    return numpy.broadcast_to(values, (n,))


def _integrality(integrality: Any, n: int) -> Any:
    import numpy

    if integrality is None:
        return numpy.zeros(n, dtype=int)
    kinds = _broadcast(_numbers(integrality, "integrality"), n, "integrality")
    if not numpy.isin(kinds, (0, 1)).all():
        raise ArgumentError("integrality is 0 (continuous) or 1 (integer); semicontinuous columns (2, 3) are read from files only")
    return kinds


def _take_options(given: Optional[dict[Any, Any]], known: Sequence[str]) -> dict[Any, Any]:
    given = dict(given or {})
    for name in given:
        if name not in known:
            raise ArgumentError(f'there is no option "{name}"; expected {", ".join(known)}')
    return given


def _log_function(options: dict[Any, Any], log: Optional[Callable[[str], Any]]) -> Optional[Callable[[str], Any]]:
    return log if log is not None or not options.get("disp") else print


def _solve_lp(problem: _Problem, method: int, options: dict[Any, Any], log: Optional[Callable[[str], Any]]) -> abi.vouch_lp_result:
    o, call, r = abi.vouch_lp_options(), LongCall(), abi.vouch_lp_result()
    lib.vouch_lp_options_init(o)
    o.method = method
    o.presolve = options.get("presolve", True)
    o.feasibility_tol = options.get("primal_feasibility_tolerance", o.feasibility_tol)
    o.optimality_tol = options.get("dual_feasibility_tolerance", o.optimality_tol)
    o.exact = options.get("exact", False)
    call.limit(o.limits, options.get("time_limit"), options.get("maxiter"))
    call.log(o.log, _log_function(options, log))
    check(call.run(lib.vouch_lp_solve, problem, o, short=problem.entries <= SHORT))
    lib.vouch_lp_get_result(problem, r)
    return r


def _solve_mip(problem: _Problem, options: dict[Any, Any], start: Any, log: Optional[Callable[[str], Any]],
               progress: Optional[Callable[[MilpProgress], Any]], n: int) -> Result:
    import numpy

    o, call, pointer, r = abi.vouch_mip_options(), LongCall(), abi.vouch_mip(), abi.vouch_mip_result()
    lib.vouch_mip_options_init(o)
    o.presolve = options.get("presolve", True)
    o.gap_relative = options.get("mip_rel_gap", o.gap_relative)
    if start is not None:
        start = numpy.ascontiguousarray(_numbers(start, "start"))
        if start.shape != (n,):
            raise ArgumentError(f"start has shape {start.shape}; expected [{n}]")
        o.start = start.ctypes.data_as(field(abi.vouch_mip_options, "start"))
    call.limit(o.limits, options.get("time_limit"), nodes=options.get("node_limit"))
    call.log(o.log, _log_function(options, log))
    if progress is not None:
        began, seen, told = time.monotonic(), [0], progress

        def tell(node: Any) -> Any:
            return told(MilpProgress(time.monotonic() - began, max(seen[0], node.contents.id), node.contents.bound))

        o.on_node = call.callback(field(abi.vouch_mip_options, "on_node"), tell, PROGRESS_SECONDS)
    check(lib.vouch_mip_new(pointer, problem))
    try:
        check(call.run(lib.vouch_mip_solve, pointer, o))
        lib.vouch_mip_get_result(pointer, r)
        x = _vector(r.x, n) if r.has_incumbent else None
    finally:
        lib.vouch_mip_free(pointer)
    status = MIP_STATUS.get(r.outcome, 1)
    gap = abs(r.objective - r.bound) / max(1.0, abs(r.objective)) if r.has_incumbent else math.nan
    return Result(x=x, fun=r.objective, status=status, success=status == 0, message=text(lib.vouch_mip_outcome_text(r.outcome)), nit=r.iterations,
                  seconds=r.seconds, bound=r.bound, mip_gap=gap, mip_dual_bound=r.bound, mip_node_count=r.nodes)


LP_OPTIONS = ("disp", "maxiter", "presolve", "time_limit", "primal_feasibility_tolerance", "dual_feasibility_tolerance", "mip_rel_gap", "node_limit", "exact")
MILP_OPTIONS = ("disp", "node_limit", "presolve", "time_limit", "mip_rel_gap")


def _pairs(bounds: Any, n: int) -> tuple[Any, ...]:
    """Lower and upper bounds [n] from linprog's bounds: one pair for all, a sequence of n pairs, or a Bounds; None: none."""
    import numpy

    if hasattr(bounds, "lb"):
        return _sides(bounds.lb, bounds.ub, n)
    pairs = numpy.array([(0, None)] if unmasked(bounds, "bounds") is None else bounds, dtype=object)
    if pairs.ndim == 1:
        pairs = pairs.reshape(1, -1)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.shape[0] not in (1, n):
        raise ArgumentError(f"bounds have shape {pairs.shape}; expected one pair or [{n}, 2]")
    lower, upper = (_numbers([absent if x is None else x for x in pairs[:, i]], "bounds") for i, absent in ((0, -math.inf), (1, math.inf)))
    return _sides(lower, upper, n)


def _sides(lower: Any, upper: Any, n: int) -> tuple[Any, ...]:
    """Both bounds as [n]; NaN: none."""
    import numpy

    lower, upper = _numbers(lower, "bounds"), _numbers(upper, "bounds")
    sides = (numpy.where(numpy.isnan(lower), -math.inf, lower), numpy.where(numpy.isnan(upper), math.inf, upper))
    return tuple(numpy.ascontiguousarray(_broadcast(x, n, "bounds")) for x in sides)


def _is_void(lower: Any, upper: Any) -> bool:
    """Does a bound leave no number?"""
    return bool((lower == math.inf).any() or (upper == -math.inf).any())


def _void(mixed: bool) -> Result:
    """The result where a bound leaves no number."""
    found = Result(x=None, fun=math.nan, status=2, success=False, message=text(lib.vouch_lp_outcome_text(abi.VOUCH_LP_INFEASIBLE)), nit=0, seconds=0.0, bound=math.inf)
    if mixed:
        found.update(mip_gap=math.nan, mip_dual_bound=math.inf, mip_node_count=0)
    return found


def lp(c: Any, A_ub: Any = None, b_ub: Any = None, A_eq: Any = None, b_eq: Any = None, bounds: Any = (0, None), method: str = "auto", *,
       options: Optional[dict[Any, Any]] = None, integrality: Any = None, log: Optional[Callable[[str], Any]] = None) -> Result:
    """min c'x subject to A_ub x <= b_ub, A_eq x = b_eq, bounds; arguments and result as in scipy.optimize.linprog.

    c [n]; A_ub [m,n], A_eq [l,n]: numpy arrays, lists, or sparse matrices of scipy. bounds: a pair for all or n pairs, None for no bound.
    method: "auto", "primal" or "dual". options: disp, maxiter, presolve, time_limit, primal_feasibility_tolerance,
    dual_feasibility_tolerance, exact (go on in rational arithmetic, each number read as the shortest decimal that has its double: the
    verdict is exact, and the result's exact_fun is the optimum as a Fraction). integrality [n]: 1 where x must be an integer.
    log is called with lines of text; when it returns True, or on Ctrl-C, the solver stops.

    The result has x, fun, slack = b_ub - A_ub x, con = b_eq - A_eq x, and residual and marginals of ineqlin, eqlin, lower and upper; in
    addition bound, certificate (residuals recomputed from the data given), farkas [m + l] where infeasible and ray [n] where unbounded.
    """
    import numpy

    options, number = _take_options(options, LP_OPTIONS), METHODS.get(method)
    if number is None:
        raise ArgumentError(f'there is no method "{method}"; expected {", ".join(METHODS)}')
    c = _cost(c)
    n, rows = len(c), _Rows(len(c))
    for A, b, least, kind in ((A_ub, b_ub, -math.inf, "ub"), (A_eq, b_eq, b_eq, "eq")):
        if (A is None) != (b is None):
            raise ArgumentError(f"A_{kind} and b_{kind} belong together; one of them is missing")
        if A is not None:
            rows.add(A, least, b, f"A_{kind}")
    kinds = _integrality(integrality, n)
    lower, upper = _pairs(bounds, n)
    if _is_void(lower, upper):
        return Result(_void(bool(kinds.any())), slack=None, con=None)
    problem = _Problem(c, rows, lower, upper, kinds)
    split, sides = 0 if A_ub is None else len(rows.upper[0]), rows.sides()[1]
    if kinds.any():
        result = _solve_mip(problem, options, None, log, None, n)
        activity = None
        if result.x is not None:
            start, index, value = rows.columns()
            activity = numpy.bincount(index, value * numpy.repeat(result.x, numpy.diff(start)), minlength=rows.m)
    else:
        r = _solve_lp(problem, number, options, log)
        result, activity = _lp_result(r, n, rows.m, split, lower, upper)
    rest = None if activity is None else sides - activity
    result.update(slack=None if rest is None else rest[:split], con=None if rest is None else rest[split:])
    for name, part in (("ineqlin", slice(None, split)), ("eqlin", slice(split, None))):
        if name in result and rest is not None:
            result[name]["residual"] = rest[part]
    return result


def _lp_result(r: abi.vouch_lp_result, n: int, m: int, split: int, lower: Any, upper: Any) -> tuple[Any, ...]:
    """(result, row activities or None)"""
    import numpy

    status = LP_STATUS.get(r.outcome, 1)
    certificate = {name: getattr(r.certificate, name) for name in (each[0] for each in abi.vouch_lp_certificate._fields_)}
    result = Result(x=None, fun=math.nan, status=status, success=status == 0, message=text(lib.vouch_lp_outcome_text(r.outcome)), nit=r.iterations,
                    seconds=r.seconds, bound=r.bound, certificate=certificate)
    if r.farkas:
        result["farkas"] = _vector(r.farkas, m)
    if r.ray:
        result["ray"] = _vector(r.ray, n)
    if status:
        return result, None
    x, dual, reduced = _vector(r.x, n), _vector(r.row_dual, m), _vector(r.reduced_cost, n)
    result.update(x=x, fun=r.objective)
    if r.exact_objective:
        result["exact_fun"] = fractions.Fraction(text(r.exact_objective))
    result["ineqlin"], result["eqlin"] = Result(marginals=dual[:split]), Result(marginals=dual[split:])
    sides: tuple[Any, ...] = (("lower", x - lower, lower, numpy.maximum), ("upper", upper - x, upper, numpy.minimum))
    for name, rest, bound, push in sides:
        at = rest <= AT_BOUND * numpy.maximum(1.0, abs(bound))  # elsewhere a reduced cost is rounding alone
        result[name] = Result(residual=rest, marginals=numpy.where(at, push(reduced, 0), 0.0))
    return result, _vector(r.row_activity, m)


def _is_constraint(one: Any) -> bool:
    """A LinearConstraint, or (A, lb, ub), whose A is no number; so it is no list of three numbers."""
    return hasattr(one, "lb") or (isinstance(one, (list, tuple)) and len(one) == 3 and (hasattr(one[0], "__len__") or hasattr(one[0], "lb")))


def milp(c: Any, *, integrality: Any = None, bounds: Any = None, constraints: Any = None, options: Optional[dict[Any, Any]] = None, start: Any = None,
         progress: Optional[Callable[[MilpProgress], Any]] = None, log: Optional[Callable[[str], Any]] = None) -> Result:
    """min c'x subject to lb <= A x <= ub for the constraints, bounds, and integrality; arguments and result as in scipy.optimize.milp.

    integrality [n]: 1 where x must be an integer. bounds: (lb, ub), each [n] or one number, or scipy's Bounds; [0, inf) where not given.
    constraints: (A, lb, ub), scipy's LinearConstraint, or a list of them. options: disp, node_limit, presolve, time_limit, mip_rel_gap.
    start [n]: a known point. progress(MilpProgress) is called about ten times a second, log with lines of text; when one of
    them returns True, the search ends with the best point found.
    """
    options = _take_options(options, MILP_OPTIONS)
    c = _cost(c)
    n, rows = len(c), _Rows(len(c))
    if constraints is None:
        constraints = []
    elif hasattr(constraints, "lb") or (_is_constraint(constraints) and not _is_constraint(constraints[2])):
        constraints = [constraints]
    for one in constraints if hasattr(constraints, "__iter__") else [constraints]:
        if not _is_constraint(one):
            raise ArgumentTypeError(f"constraints: expected (A, lb, ub), a LinearConstraint or a list of them, found {shown(one)}")
        A, lb, ub = (one.A, one.lb, one.ub) if hasattr(one, "lb") else one
        rows.add(A, lb, ub, "A of a constraint")
    if bounds is None:
        bounds = (0, math.inf)
    low, high = (bounds.lb, bounds.ub) if hasattr(bounds, "lb") else bounds
    lower, upper = _sides(low, high, n)
    kinds = _integrality(integrality, n)
    if _is_void(lower, upper):
        return _void(True)
    problem = _Problem(c, rows, lower, upper, kinds)
    return _solve_mip(problem, options, start, log, progress, n)

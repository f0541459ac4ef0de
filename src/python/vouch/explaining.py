"""The largest feasible probabilities, and the environments that limit them (`vouch plan --max-commitment`)."""
from __future__ import annotations

import ctypes
from typing import Any, Callable, NamedTuple, Optional

from . import _abi as abi
from ._library import ArgumentError, LongCall, SizeError, check, lib, is_word
from .model import Model
from .planning import method_number, set_common


class Range(NamedTuple):
    """The largest commitment probability: some policy reaches `reached`, none more than `bound`; proved: the two are one."""

    reached: float
    bound: float
    proved: bool


class Explanation(NamedTuple):
    """alone [K], for several promises [K][J]: the largest probability in each environment alone; any_policy, this_class: in all at once, or on average; conflict:
    environments in which the commitment is feasible alone but not together (empty: none), smallest: no smaller set conflicts."""

    alone: tuple[Any, ...]
    any_policy: Range
    this_class: Range
    conflict: tuple[int, ...]
    smallest: bool


def explain(model: Model, method: str = "milp-ccl", lookahead: int = 0, *, promise: Optional[str] = None, threads: int = 1, seed: int = 1, time_limit: Optional[float] = None,
            log: Optional[Callable[[str], Any]] = None) -> Explanation:
    """The largest probability p that a policy of the class can promise, and the reason for the limit. time_limit applies to each of the three parts.

    promise: name of the promise, for a model with several; the others are kept unchanged, and conflicts are not computed.
    """
    names = [p.name for p in model.promises]
    if (promise is None and len(names) > 1) or not is_word(promise, [None, *names]):
        raise ArgumentError(f"promise is {promise!r}; expected one of {', '.join(names)}")
    j, J = names.index(promise) if promise is not None else 0, len(names)
    o, call, error, K = abi.vouch_plan_options(), LongCall(), abi.vouch_error(), len(model.environments)
    lib.vouch_plan_options_init(o)
    set_common(o, call, lookahead=lookahead, gap=None, restarts=0, tie_break="total", tie_break_work=o.tie_break_work, threads=threads, seed=seed,
               time_limit=time_limit, iteration_limit=None, node_limit=None, log=log)
    number = method_number(method)

    def largest(which: int, upper: float) -> Range:
        r = abi.vouch_range()
        o.method = which
        if J > 1:
            check(call.run(lib.vouch_explain_level, model, j, o, upper, r, error), error)
        else:
            check(call.run(lib.vouch_explain_largest, model, o, upper, r, error), error)
        return Range(r.reached, r.bound, bool(r.proved))

    alone = (ctypes.c_double * (K * J))()
    check(lib.vouch_explain_alone(model, alone, error), error)
    least = lib.vouch_explain_upper(model, j, alone)
    try:
        any_policy = largest(abi.VOUCH_METHOD_HISTORY, least)
    except SizeError:  # too many histories to look at all policies
        any_policy = Range(0.0, least, False)
    this_class = any_policy if number == abi.VOUCH_METHOD_HISTORY else largest(number, any_policy.bound)
    conflict, found = abi.vouch_conflict(), (ctypes.c_int * K)()
    conflict.environment = found
    if J == 1 and not model.promises[0].average and lib.vouch_model_kept(model, least) and not lib.vouch_model_kept(model, this_class.bound):
        o.method = number
        check(call.run(lib.vouch_explain_conflict, model, o, conflict, error), error)
    return Explanation(model._by_promise(alone), any_policy, this_class, tuple(found[:conflict.count]), bool(conflict.count and conflict.smallest))

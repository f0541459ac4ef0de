"""Replanning while acting (CCIL): an agent, and the exact evaluation of its behaviour."""
from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, Optional, Sequence

from . import _abi as abi
from ._library import PROGRESS_SECONDS, Handle, LongCall, check, field, lib, text, to_c, whole
from .model import Model, Name
from .planning import Decision, Figures, Player, decision_of, figures_of, method_number, outcome_text, set_common


def _options(call: LongCall, inner: str, guarded: bool, common: dict[Any, Any]) -> abi.vouch_ccil_options:
    o = abi.vouch_ccil_options()
    lib.vouch_ccil_options_init(o)
    o.guarded = guarded
    o.plan.method = method_number(inner)
    set_common(o.plan, call, **common)
    return o


class Agent(Player):
    """An agent that keeps its promise and replans every L = lookahead steps given its observations (`vouch act`).

        agent = vouch.Agent(model, lookahead=2)
        while not agent.done:
            state, reward, *_ = world.step(agent.act())
            agent.observe(state, reward)

    inner: "milp-ccl" or "exact-ccl"; guarded: a new plan earns at least as much as the current one in every environment still possible. Limits
    apply to each plan: if one ends a plan early, the better of it and the current plan is followed, which keeps the promise. Plans
    are cached for later episodes. InputError: the commitment is infeasible.
    """

    def __init__(self, model: Model, lookahead: int = 1, *, inner: str = "milp-ccl", guarded: bool = False, gap: Optional[float] = None,
                 restarts: int = 0, objective: str = "regret", weights: Optional[Sequence[float]] = None, tie_break: str = "total", tie_break_work: int = 10000, threads: int = 1, seed: int = 1,
                 time_limit: Optional[float] = None, iteration_limit: Optional[int] = None, node_limit: Optional[int] = None,
                 log: Optional[Callable[[str], Any]] = None):
        common = dict(lookahead=lookahead, gap=gap, restarts=restarts, tie_break=tie_break, tie_break_work=tie_break_work, threads=threads, seed=seed,
                      time_limit=time_limit, iteration_limit=iteration_limit, node_limit=node_limit, log=log, objective=objective, weights=weights, environments=len(model.environments))
        pointer, error = abi.vouch_executor(), abi.vouch_error()
        self._call = LongCall()
        options = _options(self._call, inner, guarded, common)
        try:
            check(self._call.run(lib.vouch_executor_new, pointer, model, options, error), error)
        except BaseException:
            lib.vouch_executor_free(pointer)
            raise
        self._own(pointer, lib.vouch_executor_free)
        self.model, self._seed, self._lookahead = model, whole(seed), options.plan.lookahead
        self._decision = self._look()

    def _look(self) -> Decision:
        d = abi.vouch_decision()
        lib.vouch_executor_decision(self, d)
        return decision_of(d)

    def _restart(self, seed: int) -> None:
        lib.vouch_executor_restart(self, seed)

    def observe(self, state: Name, reward: float, action: Optional[Name] = None) -> None:
        """Reports the outcome of the action of :meth:`act`, or of another one of the decision, and replans after L steps. InputError: the outcome is
        impossible in every environment left; nothing has changed. After KeyboardInterrupt the observation counts and the current plan continues."""
        error = abi.vouch_error()
        taken, to = -1 if action is None else self.model.action(action), self.model.state(state)
        goes_on = (self.time + 1) % self._lookahead != 0
        try:
            check(self._call.run(lib.vouch_executor_observe, self, taken, reward, to, error, short=goes_on), error)
        finally:
            self._decision = self._look()

    @property
    def done(self) -> bool:
        return bool(lib.vouch_executor_done(self))

    @property
    def kept(self) -> bool:
        """After the episode: True if it ended in Phi. Before: True."""
        return bool(lib.vouch_executor_kept(self))

    @property
    def promise(self) -> tuple[Any, ...]:
        """[K] Pr(the promise is kept | observations, k) under the current plan, for several promises [K][J]; NaN for impossible
        environments."""
        probability = (ctypes.c_double * (len(self.model.environments) * self.model._promises))()
        lib.vouch_executor_promise(self, probability)
        return self.model._by_promise(probability)


class Ccil(Handle):
    """Result of :func:`ccil`: figures of the adaptive behaviour, evaluated exactly. :func:`simulate` takes it too. It cannot be pickled.

    status, objective, value (of the objective), max_regret, total_regret, environments (a tuple of Figures), first_max_regret and first_bound (of the first plan, were it followed to the
    end), programs (plans made), reused, kept_on, unproved, missing, missing_probability, seconds.
    """

    status: str
    objective: str
    value: float
    max_regret: float
    total_regret: float
    environments: tuple[Figures, ...]
    first_max_regret: float
    first_bound: float
    programs: int
    reused: int
    kept_on: int
    unproved: int
    missing: int
    missing_probability: float
    seconds: float
    model: Model
    _call: LongCall
    _instead = "send its figures (max_regret, environments, ..), or its model and call vouch.ccil there"

    def _simulate(self) -> tuple[Any, ...]:
        return self.model, lib.vouch_simulate_ccil, (self,)

    def __repr__(self) -> str:
        return f"<vouch.Ccil {self.status}: maximum regret {self.max_regret:.10g}, {self.programs} plans made>"


def ccil(model: Model, lookahead: int = 1, *, inner: str = "milp-ccl", guarded: bool = False, program_limit: Optional[int] = 100000,
         evaluate: bool = True, gap: Optional[float] = None, restarts: int = 0, objective: str = "regret", weights: Optional[Sequence[float]] = None, tie_break: str = "total", tie_break_work: int = 10000,
         threads: int = 1, seed: int = 1, time_limit: Optional[float] = None, iteration_limit: Optional[int] = None,
         node_limit: Optional[int] = None, progress: Optional[Callable[[float, int, int], Any]] = None,
         log: Optional[Callable[[str], Any]] = None) -> Ccil:
    """Evaluates replanning every L = lookahead steps, exactly (`vouch ccil`).

    evaluate=False only makes the first plan, for :func:`simulate`. progress(seconds, done, known) counts knowledge states.
    """
    common = dict(lookahead=lookahead, gap=gap, restarts=restarts, tie_break=tie_break, tie_break_work=tie_break_work, threads=threads, seed=seed, time_limit=time_limit,
                  iteration_limit=iteration_limit, node_limit=node_limit, log=log, objective=objective, weights=weights, environments=len(model.environments))
    whole_way = to_c(evaluate, ctypes.c_int, "evaluate")
    call, error, pointer, r = LongCall(), abi.vouch_error(), abi.vouch_ccil(), abi.vouch_ccil_result()
    o = _options(call, inner, guarded, common)
    o.program_limit = 0 if program_limit is None else program_limit
    if progress is not None:
        told: Callable[..., Any] = progress
        kind = field(abi.vouch_ccil_options, "progress")
        o.progress = call.callback(kind, lambda seconds, done, known, stage: told(seconds, done, known), PROGRESS_SECONDS)

    def work() -> int:
        status = lib.vouch_ccil_new(pointer, model, o, error)
        return int(status or (lib.vouch_ccil_evaluate(pointer, error) if whole_way else status))

    try:
        check(call.run(work), error)
    except BaseException:
        lib.vouch_ccil_free(pointer)
        raise
    self = object.__new__(Ccil)
    self._own(pointer, lib.vouch_ccil_free)
    self._busy, self._call, self.model = threading.Lock(), call, model  # the library's object refers to the flag and the callbacks of the call
    lib.vouch_ccil_get_result(self, r)
    for name in (each[0] for each in abi.vouch_ccil_result._fields_):
        if name not in ("outcome", "has_policy", "environments", "figures", "objective", "promises", "commitments"):
            setattr(self, name, getattr(r, name))
    self.objective = text(lib.vouch_objective_text(r.objective))
    self.status, self.environments = outcome_text(r.outcome), figures_of(model, r.figures, r.commitments)
    return self

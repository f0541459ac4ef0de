"""Plans and policies: computing them, their figures and rules, following and simulating them."""
from __future__ import annotations

import ctypes
import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Iterator, NamedTuple, Optional, Sequence, Union, overload

from . import _abi as abi, showing
from ._arguments import doubles
from ._library import PROGRESS_SECONDS, ArgumentError, Error, Handle, LongCall, array_of, check, encode, field, lib, no_attribute, path, text, whole, wrong, is_word
from .model import Model, Name

if TYPE_CHECKING:
    from .grouping import Groups
    import numpy

ENGINES = {"auto": abi.VOUCH_ENGINE_AUTO, "policy": abi.VOUCH_ENGINE_POLICY, "lp": abi.VOUCH_ENGINE_LP}
TIE_BREAKS = {"total": 1, "none": 0}
OBJECTIVES = {"regret": 0, "weighted": 1, "max-min": 2}


class Figures(NamedTuple):
    """Figures of a policy in one environment, by propagation."""

    name: str
    optimal_value: float  # of the best policy of this environment alone
    value: float
    regret: float
    commitment_probability: float  # the one with the least margin, if several
    commitments: dict[Any, Any] = {}  # of models with a list of promises: the probability of keeping each, by name
    worst_probability: Union[None, float, dict[str, float]] = None  # the least under the error of the model; of a list of promises by name


class Progress(NamedTuple):
    """How far a plan is. incumbent: the least maximum regret found (infinity: none yet); bound: proved."""

    seconds: float
    stage: str
    incumbent: float
    bound: float
    nodes: int
    open_nodes: int


class Decision(NamedTuple):
    """The current decision: the environments still possible, the actions with their probabilities, and the one drawn (-1 at the horizon)."""

    time: int
    state: int
    environments: tuple[int, ...]
    actions: tuple[int, ...]
    probabilities: tuple[float, ...]
    sampled: int
    planned: bool  # an agent: a plan was made at this step


class Rule(NamedTuple):
    """The actions at one node of a policy. kind: "knowledge" (before step L: a state and the environments still possible), "boundary" (from L on: a state
    and the knowledge at L), "likelihood" (policies of the whole history) or "plan" (of a Markov policy that rules of the kind before may follow from there
    on: a state)."""

    kind: str
    time: int
    state: int
    environments: tuple[int, ...]
    boundary_time: int  # -1 unless kind is "boundary"
    boundary_state: int
    likelihood: Optional[tuple[float, ...]]  # [K], the largest 1
    actions: tuple[int, ...]  # ascending; where plans are followed, of one plan after the other
    probabilities: tuple[float, ...]
    plan: int = -1  # its number if kind is "plan", else -1
    follow: Optional[tuple[int, ...]] = None  # where plans are followed: which, with each action


class Sample(NamedTuple):
    """Results of simulation in one environment, with 95 % intervals: mean +- half_width of the reward, and the frequency of kept commitments."""

    name: str
    episodes: int
    mean: float
    half_width: float
    kept: float  # of several promises the first one
    kept_low: float
    kept_high: float
    commitments: dict[Any, Any] = {}  # of models with a list of promises: (kept, kept_low, kept_high) of each, by name


def word(words: dict[Any, Any], what: str, value: str) -> int:
    if not is_word(value, words):
        raise ArgumentError(f'there is no {what} "{value}"; expected {", ".join(words)}')
    return int(words[value])


def method_number(method: str) -> int:
    number = lib.vouch_method_find(encode(method))
    if number < 0:
        words = ", ".join(text(lib.vouch_method_text(i)) for i in range(abi.VOUCH_METHOD_COUNT))
        raise ArgumentError(f'there is no method "{method}"; expected {words}')
    return int(number)


def outcome_text(outcome: int) -> str:
    return text(lib.vouch_plan_outcome_text(outcome))


def figures_of(model: Model, figures: Any, commitments: Any = None, worst: Any = None) -> tuple[Any, ...]:
    """commitments [K * J]; none: it is the figures', of the only promise. worst [K * J], or none."""
    J = model._promises

    def least(k: int) -> Union[None, float, dict[str, float]]:
        if not worst:
            return None
        return {p.name: worst[k * J + j] for j, p in enumerate(model.promises)} if model._listed else float(worst[k])

    def named(k: int, f: Any) -> dict[Any, Any]:
        if not model._listed or not (commitments or J == 1):
            return {}
        return {p.name: commitments[k * J + j] if commitments else f.commitment_probability for j, p in enumerate(model.promises)}

    return tuple(
        Figures(name, f.optimal_value, f.value, f.regret, f.commitment_probability, named(k, f), least(k))
        for k, (name, f) in enumerate(zip(model.environments, figures[:len(model.environments)])))


def averages_of(model: Model, figures: Sequence[Figures]) -> dict[str, float]:
    return {p.name: sum(w * f.commitments[p.name] for w, f in zip(model.prior, figures)) for p in model.promises if p.average}


def decision_of(d: abi.vouch_decision) -> Decision:
    return Decision(d.time, d.state, tuple(d.environment[:d.environments]), tuple(d.action[:d.actions]), tuple(d.probability[:d.actions]),
                    d.sampled, bool(d.planned))


def set_common(o: abi.vouch_plan_options, call: LongCall, *, lookahead: int, gap: Optional[float], restarts: int, tie_break: str, tie_break_work: int, threads: int,
               seed: int, time_limit: Optional[float], iteration_limit: Optional[int], node_limit: Optional[int],
               log: Optional[Callable[[str], Any]], objective: str = "regret", weights: Optional[Sequence[float]] = None, environments: int = 0) -> None:
    """The options that planning and planning again have in common."""
    o.objective = word(OBJECTIVES, "objective", objective)
    if weights is not None:
        if objective != "weighted":
            raise ArgumentError("weights are for objective=\"weighted\"")
        given = doubles(weights, "weights")
        if len(given) != environments:
            raise ArgumentError(f"{len(given)} weights for {environments} environments")
        o.weights = call.keep(given)
    if gap is not None:
        o.gap = gap
    o.lookahead = lookahead
    o.restarts = restarts
    o.least_total_regret = word(TIE_BREAKS, "tie_break", tie_break)
    o.tie_break_work = tie_break_work
    o.threads = threads
    o.seed = seed
    call.limit(o.limits, time_limit, iteration_limit, node_limit)
    call.log(o.log, log)


# ---- policies ----------------------------------------------------------------------------------------------------------


class Policy(Handle):
    """A policy of a model: read from a file, or found by :func:`plan`. ``len(policy)`` is the number of its rules. It is pickled with its model."""

    model: Model
    lookahead: int
    horizon: int
    _episodes: list["Episode"]  # of action, ready to be used again

    if not TYPE_CHECKING:  # so that type checkers still find unknown attributes

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    def __init__(self) -> None:
        raise TypeError("policies are found by vouch.plan, or read by Policy.read")

    @classmethod
    def _take(cls, pointer: abi.vouch_policy, model: Model, keeper: Optional[Handle] = None) -> "Policy":
        self: Policy = object.__new__(cls)
        self._own(pointer, lib.vouch_policy_free, keeper)
        self.model = model
        self.lookahead = lib.vouch_policy_lookahead(self)
        self.horizon = lib.vouch_policy_horizon(self)
        self._episodes = []
        return self

    def _source(self) -> tuple[Any, ...]:
        return (self.model,)

    @classmethod
    def read(cls, model: Model, file: Any) -> "Policy":
        """Reads a policy file that vouch has written for the model."""
        pointer, error = abi.vouch_policy(), abi.vouch_error()
        check(lib.vouch_policy_read(pointer, model, path(file), error), error)
        return cls._take(pointer, model)

    def write(self, file: Any) -> None:
        """Writes the policy as JSON, for `vouch evaluate`, `simulate` and `show`."""
        error = abi.vouch_error()
        check(lib.vouch_policy_write(self, self.model, path(file), error), error)

    def __len__(self) -> int:
        return int(lib.vouch_policy_rules(self))

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<vouch.Policy for {self.model.name or 'a model'}: L = {self.lookahead}, T = {self.horizon}, {len(self)} rules>"

    def plot(self, ax: Any = None) -> str:
        """A picture of where the policy leads, as SVG text, as `vouch show --svg` draws it: the graph, or the rules if it would be higher than 1600 pixels.
        Drawn on matplotlib axes too, where they are given, which needs numpy."""
        if ax is not None:
            showing.policy_axes(self, ax)
        words, error, picture = ctypes.c_char_p(), abi.vouch_error(), abi.vouch_picture(width=1264, height=1600)
        check(lib.vouch_policy_draw(self, self.model, picture, ctypes.byref(words), error), error)
        try:
            return text(words.value)
        finally:
            lib.vouch_text_free(words)

    def _repr_html_(self) -> str:
        return f'<p style="overflow-wrap:anywhere">{showing.escape(repr(self)[1:-1])}</p>' + showing.scrolled(self.plot())

    def rule(self, i: int) -> Rule:
        """Rule number i, from 0."""
        r = abi.vouch_rule()
        if not 0 <= whole(i) < len(self):
            raise IndexError(f"there is no rule {i}; expected 0 to {len(self) - 1}")
        lib.vouch_policy_get_rule(self, i, r)
        likelihood = tuple(r.likelihood[:len(self.model.environments)]) if r.likelihood else None
        return Rule(("knowledge", "boundary", "likelihood", "plan")[r.kind], r.time, r.state, tuple(r.environment[:r.environments]), r.boundary_time,
                    r.boundary_state, likelihood, tuple(r.action[:r.actions]), tuple(r.probability[:r.actions]), r.plan,
                    tuple(r.follow[:r.actions]) if r.follow else None)

    def __iter__(self) -> Iterator[Rule]:
        """Its rules, each a :class:`Rule`."""
        return (self.rule(i) for i in range(len(self)))

    def rules(self, leaves: Optional[int] = None) -> "Rules":
        """The policy as a decision tree, :class:`Rules`: exact, or of the best policy found that needs at most this many leaves."""
        return Rules(self, leaves)

    def evaluate(self, model: Optional[Model] = None, within: Optional[float] = None) -> "Evaluation":
        """Evaluates the policy in its model, or in another one with the same names, by propagation. within: every probability of a row with more than one
        successor may be off by so much (None: as the model says). In a model with such an error, or with limits of probabilities, the figures have
        worst_probability, the least if nature chooses the rows at every visit, and kept says whether the promises are kept even so."""
        model = self.model if model is None else model
        if within is not None:
            model = model.replace(within=within)
        K = len(model.environments)
        figures, kept, error = (abi.vouch_environment_figures * K)(), ctypes.c_int(), abi.vouch_error()
        commitments = (ctypes.c_double * (K * model._promises))()
        check(lib.vouch_policy_evaluate_promises(self, model, figures, commitments, ctypes.byref(kept), error), error)
        if not lib.vouch_model_has_error(model):
            return Evaluation(figures_of(model, figures, commitments), bool(kept.value))
        worst, still = (ctypes.c_double * (K * model._promises))(), ctypes.c_int()
        check(lib.vouch_policy_worst(self, model, worst, None, ctypes.byref(still), error), error)
        return Evaluation(figures_of(model, figures, commitments, worst), bool(kept.value and still.value))

    def graph(self) -> "Graph":
        """The nodes the policy reaches and the steps between them, as arrays."""
        return Graph(self)

    def follow(self, seed: int = 1) -> "Episode":
        """An :class:`Episode`, which follows the policy without planning; seed: of the actions drawn."""
        return Episode(self, seed)

    def action(self, *history: tuple[Name, float, Name]) -> dict[str, float]:
        """The probabilities of actions, by name, after a history of steps (action, reward, state): empty at the horizon."""
        try:
            episode = self._episodes.pop()  # no other thread has it now
        except IndexError:
            episode = Episode(self)
        episode.reset(1)
        for step in history:
            if not isinstance(step, (tuple, list)) or len(step) != 3:
                raise wrong("history", "steps (action, reward, state)", step)
            action, reward, state = step
            episode.observe(state, reward, action)
        now = episode.decision
        self._episodes.append(episode)
        return {self.model.actions[a]: p for a, p in zip(now.actions, now.probabilities)}


class Evaluation(NamedTuple):
    """Figures of a policy; kept: does every environment keep the commitment, even under the error of the model?"""

    environments: tuple[Figures, ...]
    kept: bool

    @property
    def max_regret(self) -> float:
        return max(f.regret for f in self.environments)


class Rules(Handle):
    """A policy as a decision tree over time, variables of the state, what is known, and likelihoods. ``print(rules)`` lists its rules, notebooks draw them.

    exact: the decisions are those of the policy at each of the `places` it reaches; else :attr:`policy` is another policy with fewer rules, of maximum
    regret `max_regret`, and `kept` tells whether it keeps all promises. ``len(rules)`` is the number of leaves.
    """

    policy: Policy

    def __init__(self, policy: Policy, leaves: Optional[int] = None):
        if leaves is not None and whole(leaves) < 1:
            raise ArgumentError(f"leaves is {leaves}; expected at least 1, or None: exact")
        pointer, error, size = abi.vouch_decision_tree(), abi.vouch_error(), abi.vouch_decision_tree_size()
        check(lib.vouch_decision_tree_new(pointer, policy, policy.model, leaves or 0, error), error)
        self._own(pointer, lib.vouch_decision_tree_free)
        self._made_of = policy, leaves
        lib.vouch_decision_tree_get_size(self, size)
        self.leaves, self.depth, self.places, self.exact = size.leaves, size.depth, size.places, not size.smaller
        self.policy = policy if self.exact else Policy._take(lib.vouch_decision_tree_policy(self), policy.model, self)
        self.kept = None if self.exact else bool(size.kept)
        self.max_regret = None if self.exact else float(size.max_regret)

    def __reduce__(self) -> Any:
        return Rules, self._made_of

    def __len__(self) -> int:
        return int(self.leaves)

    def _written(self, form: int, width: int = 1264, height: int = 1600) -> str:
        words, error = ctypes.c_char_p(), abi.vouch_error()
        check(lib.vouch_decision_tree_write(self, form, width, height, ctypes.byref(words), error), error)
        try:
            return text(words.value)
        finally:
            lib.vouch_text_free(words)

    def __str__(self) -> str:
        return self._written(abi.VOUCH_TREE_TEXT)

    def __repr__(self) -> str:
        return f"<vouch.Rules: {self.leaves} leaves for {self.places} places{'' if self.exact else ', of a smaller policy'}>"

    def markdown(self) -> str:
        """The rules as a nested list."""
        return self._written(abi.VOUCH_TREE_MARKDOWN)

    def dot(self) -> str:
        """The tree for Graphviz."""
        return self._written(abi.VOUCH_TREE_DOT)

    def tree(self) -> dict[str, Any]:
        """The tree as nested dicts, as `vouch show --rules --json` writes it: inner nodes have test, yes and no, leaves have do."""
        return dict(json.loads(self._written(abi.VOUCH_TREE_JSON)))

    def svg(self, width: int = 1264, height: int = 1600) -> str:
        """A picture of at most this many pixels, each at least 320; rules that rarely decide are folded where it is too small."""
        return self._written(abi.VOUCH_TREE_SVG, width, height)

    def _repr_html_(self) -> str:
        return showing.scrolled(self.svg())


class Graph(Handle):
    """Where a policy leads: the Markov chains it induces, one for each environment. The arrays are read-only views of the library's memory.

    node [N]: time, state, rule (-1 at the horizon), first_edge, edges; node 0 is the root. reach [N,K]: Pr(node | k).
    edge [E]: from, to, choice (which of the rule's actions), reward. probability [E,K]: Pr(outcome | node, action; k).
    """

    node: "numpy.ndarray[Any, Any]"
    reach: "numpy.ndarray[Any, Any]"
    edge: "numpy.ndarray[Any, Any]"
    probability: "numpy.ndarray[Any, Any]"

    def __init__(self, policy: Policy):
        pointer, error, view = abi.vouch_policy_graph(), abi.vouch_error(), abi.vouch_policy_graph_data()
        check(lib.vouch_policy_graph_new(pointer, policy, policy.model, error), error)
        self._own(pointer, lib.vouch_policy_graph_free)
        self.policy = policy
        lib.vouch_policy_graph_view(self, view)
        K, N, E = view.environments, view.nodes, view.edges
        self.node, self.reach = array_of(view.node, (N,), self), array_of(view.reach, (N, K), self)
        self.edge, self.probability = array_of(view.edge, (E,), self), array_of(view.probability, (E, K), self)

    def __reduce__(self) -> Any:
        return Graph, (self.policy,)


class Player(Handle):
    """Follows a policy or replans: call :meth:`act`, act, pass the outcome to :meth:`observe`, until :attr:`done`.
    Only one thread at a time may use it; it cannot be pickled or copied."""

    model: Model
    _decision: Decision
    _seed: int
    _instead = "pickle the model or policy it was made of, and make it there"

    def _own(self, pointer: Any, free: Callable[[Any], None], keeper: Optional[Handle] = None) -> None:
        super()._own(pointer, free, keeper)
        self._busy = threading.Lock()

    def _look(self) -> Decision:
        raise NotImplementedError

    def _restart(self, seed: int) -> None:
        raise NotImplementedError

    def reset(self, seed: Optional[int] = None) -> int:
        """Begins the next episode and returns the initial state. Without a seed the first episode has the one given at the beginning, the next
        episodes that number + 1, + 2, .."""
        if seed is None and self.time == 0:
            return self.state
        self._seed = self._seed + 1 if seed is None else whole(seed)
        self._restart(self._seed)
        self._decision = self._look()
        return self.state

    @property
    def decision(self) -> Decision:
        """The current decision."""
        return self._decision

    def act(self) -> int:
        """The number of the action to take now, drawn as likely as the decision says; the same until something is observed."""
        if self._decision.sampled < 0:
            raise Error("the horizon has been reached")
        return self._decision.sampled

    @property
    def time(self) -> int:
        return self._decision.time

    @property
    def state(self) -> int:
        return self._decision.state

    @property
    def environments(self) -> tuple[int, ...]:
        """The environments still possible."""
        return self._decision.environments


class Episode(Player):
    """Follows a policy; nothing is planned."""

    def __init__(self, policy: Union[Policy, "Plan"], seed: int = 1):
        policy = policy_of(policy)
        pointer, error = abi.vouch_episode(), abi.vouch_error()
        check(lib.vouch_episode_new(pointer, policy, policy.model, seed, error), error)
        self._own(pointer, lib.vouch_episode_free)
        self.policy, self.model, self._seed = policy, policy.model, whole(seed)
        self._decision = self._look()

    def _look(self) -> Decision:
        d = abi.vouch_decision()
        lib.vouch_episode_decision(self, d)
        return decision_of(d)

    def _restart(self, seed: int) -> None:
        lib.vouch_episode_restart(self, seed)

    def observe(self, state: Name, reward: float, action: Optional[Name] = None) -> None:
        """Reports the outcome of the action of :meth:`act`, or of another one of the decision. InputError: the outcome is impossible in every
        environment left; nothing has changed."""
        error = abi.vouch_error()
        taken = -1 if action is None else self.model.action(action)
        check(lib.vouch_episode_observe(self, taken, reward, self.model.state(state), error), error)
        self._decision = self._look()

    @property
    def done(self) -> bool:
        return bool(lib.vouch_episode_done(self))

    @property
    def kept(self) -> bool:
        """Done: did it end in Phi?"""
        return bool(lib.vouch_episode_kept(self))


# ---- plans -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Result of :func:`plan`.

    status: "optimal" (proved within the gap), "feasible" (a limit was reached; policy and bound hold), "infeasible" (proved: no policy
    of the class that describe() names keeps the commitment), "limit" (no policy was found in time) or "numerical". policy is None where there is none; max_regret and total_regret are then NaN.
    """

    model: Model
    method: str
    status: str
    max_regret: float
    bound: float  # proved: no maximum regret is less; for other objectives: no value is larger
    total_regret: float
    objective: str  # "regret", "weighted" or "max-min"
    value: float  # of the objective; for "regret" the maximum regret
    total_bound: float  # proved lower bound on the total regret of policies with that maximum; NaN: not sought
    environments: tuple[Figures, ...]  # without a policy only optimal_value holds
    largest_probability: Optional[tuple[Any, ...]]  # [K], for several promises [K][J]; if infeasible: the largest probability of each promise alone in each environment alone
    nearest_probability: float  # exact-ccl without a policy: of the policy that came nearest; else NaN
    nodes: int
    iterations: int
    seconds: float
    policy: Optional[Policy]
    lookahead: int = 0  # L
    optima_bounded: bool = False  # a limit left no time for some optimal values: they, and so regrets, are upper bounds

    if not TYPE_CHECKING:  # so that type checkers still find unknown attributes

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    def __repr__(self) -> str:
        return f"<vouch.Plan {self.method}: {self.status}, maximum regret {self.max_regret:.10g}, bound {self.bound:.10g}>"

    @property
    def averages(self) -> dict[str, float]:
        """The mean over the prior of each promise on average, by name."""
        return averages_of(self.model, self.environments)

    @property
    def proves(self) -> bool:
        """Does the method prove bounds? Baselines do not."""
        return bool(lib.vouch_method_describe(method_number(self.method)).contents.proves)

    def describe(self) -> str:
        """Objective, class of policies and sense: "milp-ccl, L = 2: least maximum regret of deterministic policies that use 2 observations; maximises rewards"."""
        about = lib.vouch_method_describe(method_number(self.method)).contents
        used = "use 1 observation" if self.lookahead == 1 else f"use {self.lookahead} observations"
        used = used if self.lookahead else "see only time and state"
        kind = "least" if self.model.minimise else "largest"
        aim = "least maximum regret" if self.objective == "regret" else f"{kind} {showing.objective_noun(self.model, self.objective)}"
        sense = "minimises costs" if self.model.minimise else "maximises rewards"
        asked = about.lookahead == abi.VOUCH_LOOKAHEAD_ASKED
        return (f"{self.method}{f', L = {self.lookahead}' if asked else ''}: {f'{aim} of ' if self.proves else ''}"
                f"{text(about.policies).replace('use the first L observations', used)}; {sense}")

    def plot(self, ax: Any = None) -> str:
        """A picture of the policy, see :meth:`Policy.plot`."""
        return policy_of(self).plot(ax)

    def to_dataframe(self) -> Any:
        """The figures of the environments as a pandas DataFrame."""
        return showing.frame(*showing.figures_rows(self.environments))

    def _repr_html_(self) -> str:
        return showing.plan_html(self)

    def action(self, *history: tuple[Name, float, Name]) -> dict[str, float]:
        """The probabilities of actions after a history of steps (action, reward, state), see :meth:`Policy.action`."""
        return policy_of(self).action(*history)

    def follow(self, seed: int = 1) -> Episode:
        """An :class:`Episode`, which follows the policy without planning again."""
        return Episode(self, seed)


def policy_of(x: Any) -> Policy:
    if isinstance(x, Plan):
        if x.policy is None:
            raise Error(f"the plan is {x.status}: it has no policy")
        return x.policy
    if not isinstance(x, Policy):
        raise TypeError(f"expected a Policy or a Plan, not {type(x).__name__}")
    return x


@overload
def plan(model: Model, method: str = "milp-ccl", lookahead: int = 0, *, policies: None = None, promises: str = "own", horizon: Optional[int] = None, probability: Optional[float] = None,
         minimise: Optional[bool] = None, within: Optional[float] = None, objective: str = "regret", weights: Optional[Sequence[float]] = None, engine: str = "auto", gap: Optional[float] = None, start: Union[Policy, Plan, None] = None, restarts: int = 0, certify: bool = False,
         tie_break: str = "total", tie_break_work: int = 10000, class_limit: int = 0, threads: int = 1, seed: int = 1, time_limit: Optional[float] = None,
         iteration_limit: Optional[int] = None, node_limit: Optional[int] = None, progress: Optional[Callable[[Progress], Any]] = None,
         log: Optional[Callable[[str], Any]] = None) -> Plan:
    ...


@overload
def plan(model: Model, method: str = "milp-ccl", lookahead: int = 0, *, policies: int, promises: str = "own", horizon: Optional[int] = None, probability: Optional[float] = None,
         minimise: Optional[bool] = None, within: Optional[float] = None, objective: str = "regret", weights: Optional[Sequence[float]] = None, engine: str = "auto", gap: Optional[float] = None, start: Union[Policy, Plan, None] = None, restarts: int = 0, certify: bool = False,
         tie_break: str = "total", tie_break_work: int = 10000, class_limit: int = 0, threads: int = 1, seed: int = 1, time_limit: Optional[float] = None,
         iteration_limit: Optional[int] = None, node_limit: Optional[int] = None, progress: Optional[Callable[[Progress], Any]] = None,
         log: Optional[Callable[[str], Any]] = None) -> "Groups":
    ...


def plan(model: Model, method: str = "milp-ccl", lookahead: int = 0, *, policies: Optional[int] = None, promises: str = "own", horizon: Optional[int] = None, probability: Optional[float] = None,
         minimise: Optional[bool] = None, within: Optional[float] = None, objective: str = "regret", weights: Optional[Sequence[float]] = None, engine: str = "auto", gap: Optional[float] = None, start: Union[Policy, Plan, None] = None, restarts: int = 0, certify: bool = False,
         tie_break: str = "total", tie_break_work: int = 10000, class_limit: int = 0, threads: int = 1, seed: int = 1, time_limit: Optional[float] = None,
         iteration_limit: Optional[int] = None, node_limit: Optional[int] = None, progress: Optional[Callable[[Progress], Any]] = None,
         log: Optional[Callable[[str], Any]] = None) -> Union[Plan, "Groups"]:
    """Computes a policy of minimum maximum regret that keeps the commitment in every environment.

    policies: maximum size of a portfolio; the policy used is chosen when the environment is revealed, and the result is :class:`vouch.Groups`. promises: each
    policy keeps the promises of its "own" environments or of "all".

    method: "milp-ccl" (deterministic policies that use the first L = lookahead observations), "exact-ccl" (stochastic ones), "history" (all policies),
    "greedy" or "mdps-best". objective: "regret" (minimum of the maximum), "weighted" (maximum sum of weights[k] U(k)) or "max-min" (maximum of the least U(k)).
    The other options are as in `vouch plan`; horizon, probability and minimise (are rewards costs?) override the model.
    within: the promises are kept even if every probability of a row with more than one successor is off by up to this (milp-ccl); the figures have worst_probability.
    progress is called about ten times a second with a :class:`Progress`, log with lines of text. If one of them returns True, the
    search ends with the best policy found; Ctrl-C raises KeyboardInterrupt. An infeasible commitment is a status, not an error.
    """
    if horizon is not None or probability is not None or minimise is not None or within is not None:
        model = model.replace(horizon=horizon, probability=probability, minimise=minimise, within=within)
    o, call, error, pointer = abi.vouch_plan_options(), LongCall(), abi.vouch_error(), abi.vouch_policy()
    lib.vouch_plan_options_init(o)
    o.method, o.engine = method_number(method), word(ENGINES, "engine", engine)
    o.start = None if start is None else policy_of(start)
    o.certify, o.class_limit = certify, class_limit
    set_common(o, call, lookahead=lookahead, gap=gap, restarts=restarts, tie_break=tie_break, tie_break_work=tie_break_work, threads=threads, seed=seed,
               time_limit=time_limit, iteration_limit=iteration_limit, node_limit=node_limit, log=log, objective=objective, weights=weights,
               environments=len(model.environments))
    if progress is not None:
        told: Callable[[Progress], Any] = progress

        def tell(p: Any) -> Any:
            p = p.contents
            return told(Progress(p.seconds, text(p.stage), p.incumbent, p.bound, p.nodes, p.open_nodes))

        o.progress = call.callback(field(abi.vouch_plan_options, "progress"), tell, PROGRESS_SECONDS)
    if policies is not None:
        from .grouping import plan_groups

        return plan_groups(model, o, call, policies, promises)
    if not is_word(promises, ("own",)):
        raise ArgumentError("promises is for several policies; expected policies")
    try:
        check(call.run(lib.vouch_plan, pointer, model, o, error), error)
    except BaseException:
        lib.vouch_policy_free(pointer)
        raise
    return _plan_of(pointer, model, method, o.lookahead)


def _plan_of(pointer: abi.vouch_policy, model: Model, method: str, lookahead: int) -> Plan:
    r = abi.vouch_plan_result()
    lib.vouch_policy_get_result(pointer, r)
    policy = Policy._take(pointer, model)
    alone = model._by_promise(r.largest_probability[:r.environments * model._promises]) if r.largest_probability else None
    return Plan(model, method, outcome_text(r.outcome), r.max_regret, r.bound, r.total_regret, text(lib.vouch_objective_text(r.objective)), r.value, r.total_bound,
                figures_of(model, r.figures, r.commitments, r.worst), alone,
                r.nearest_probability, r.nodes, r.iterations, r.seconds, policy if r.has_policy else None, lookahead, bool(r.optima_bounded))


# ---- simulation --------------------------------------------------------------------------------------------------------


def simulate(policy: Any, episodes: int = 10000, *, seed: int = 1, threads: int = 1, time_limit: Optional[float] = None,
             progress: Optional[Callable[[float, int, int], Any]] = None) -> tuple[Sample, ...]:
    """Simulates a :class:`Policy`, a :class:`Plan`, or a result of :func:`ccil` in every environment: a tuple of K :class:`Sample`.

    progress(seconds, done, all) is called about ten times a second. The same seed gives the same numbers with any number of threads.
    """
    o, error = abi.vouch_simulation_options(), abi.vouch_error()
    call = getattr(policy, "_call", None) or LongCall()  # planning again stops by the flag it was given at the beginning
    lib.vouch_simulation_options_init(o)
    if episodes < 1:
        raise ArgumentError(f"{episodes} episodes; expected at least 1")
    o.episodes, o.seed, o.threads = episodes, seed, threads
    call.limit(o.limits, time_limit)
    if progress is not None:
        o.progress = call.callback(field(abi.vouch_simulation_options, "progress"), progress, PROGRESS_SECONDS)
    if hasattr(policy, "_simulate"):
        model, function, arguments = policy._simulate()
    else:
        policy = policy_of(policy)
        model, function, arguments = policy.model, lib.vouch_simulate, (policy, policy.model)
    J = model._promises
    sample = (abi.vouch_sample * (len(model.environments) * J))()
    check(call.run(function, *arguments, o, sample, error), error)

    def one(k: int, name: str) -> Sample:
        s, each = sample[k * J], sample[k * J:(k + 1) * J] if model._listed else []
        return Sample(name, s.episodes, s.mean, s.half_width, s.kept, s.kept_low, s.kept_high,
                      {p.name: (x.kept, x.kept_low, x.kept_high) for p, x in zip(model.promises, each)})

    return tuple(one(k, name) for k, name in enumerate(model.environments))

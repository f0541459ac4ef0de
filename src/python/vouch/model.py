"""Models: K Markov decision processes on the same states and actions, and a commitment."""
from __future__ import annotations

import ctypes
from functools import cached_property
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

from . import _abi as abi, making
from ._arguments import Table, doubles
from ._library import ArgumentError, Handle, InputError, check, encode, lib, no_attribute, path, text, to_c, is_word

if TYPE_CHECKING:
    import numpy

Name = making.Name  # a number, or a name


class Transition(NamedTuple):
    """One outcome of an action: the next state, its probability, the reward observed on coming there."""

    next: int
    probability: float
    reward: float


class Promise(NamedTuple):
    """A promise of a model. kind: "at", "by", "stay" or "avoid"; first and last: its times (one time for at and by); probability [K]; average: it is about
    the mean over the model's prior, and binds no environment alone."""

    name: str
    kind: str
    first: int
    last: int
    probability: tuple[float, ...]
    average: bool = False


class Model(Handle):
    """K environments on S states and A actions, a horizon T, and the commitment to be in a state of Phi at time T with probability at
    least p, in every environment.

    Models are made by :meth:`from_arrays`, :meth:`from_gym_p`, :meth:`read` and the examples (:meth:`twin_states`, :meth:`t_maze`,
    :meth:`random`), and do not change; :meth:`replace` makes another one. They can be pickled and shared by threads. States, actions and environments are numbers from 0, and have names.
    """

    def __init__(self) -> None:
        raise TypeError("models are made by Model.from_arrays, Model.from_gym_p, Model.read, ..")

    if not TYPE_CHECKING:  # so that type checkers still find unknown attributes

        def __getattr__(self, name: str) -> Any:
            raise no_attribute(self, name)

    name: str
    initial: int
    first_time: int  # -1 where the first state is drawn, a step of its own; else 0
    horizon: int  # steps: T, one more where the first state is drawn
    probability: float
    _count: dict[str, int]
    _number: dict[str, Any]  # numbers of names, by kind; computed on first use
    _promises: int
    _listed: bool  # outputs then name promises

    @classmethod
    def _take(cls, pointer: abi.vouch_model, keeper: Optional[Handle] = None) -> "Model":
        self: Model = object.__new__(cls)
        self._own(pointer, lib.vouch_model_free, keeper)
        self._count = {"state": lib.vouch_model_states(self), "action": lib.vouch_model_actions(self), "environment": lib.vouch_model_environments(self)}
        self._number = {}
        self.name = text(lib.vouch_model_name(self))
        self.initial = lib.vouch_model_initial(self)
        self.first_time = lib.vouch_model_first_time(self)
        self.horizon = lib.vouch_model_horizon(self)
        self._promises = lib.vouch_model_promises(self)
        self._listed = bool(lib.vouch_model_has_list(self))
        self.probability = lib.vouch_model_probability(self)
        return self

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """The commitment, or each promise of a list (:class:`Promise`)."""
        p, all = abi.vouch_promise(), []
        for j in range(self._promises):
            lib.vouch_model_get_promise(self, j, p)
            probability = tuple(lib.vouch_model_promise_probability(self, j, k) for k in range(self._count["environment"]))
            average = bool(lib.vouch_model_promise_is_average(self, j))
            all.append(Promise(text(p.name), text(lib.vouch_promise_kind_text(p.kind)), getattr(p, "from"), p.to, probability, average))
        return tuple(all)

    @cached_property
    def within(self) -> float:
        """By how much every probability of a row with more than one successor may be off."""
        return float(lib.vouch_model_within(self))

    @cached_property
    def prior(self) -> tuple[float, ...]:
        """[K] how likely each environment is; all alike where the model does not say."""
        return tuple(lib.vouch_model_prior(self, k) for k in range(self._count["environment"]))

    @property
    def minimise(self) -> bool:
        """Are rewards costs, to be minimised?"""
        return bool(lib.vouch_model_sense(self) == abi.VOUCH_MINIMISE)

    def _rewards(self, t: Any) -> list[float]:
        return [0 - r for r in t.reward[:t.count]] if self.minimise else list(t.reward[:t.count])

    def _by_promise(self, values: Any) -> tuple[Any, ...]:
        """[K * J] numbers as [K], of several promises as [K][J]."""
        K, J = self._count["environment"], self._promises
        return tuple(values[:K]) if J == 1 else tuple(tuple(values[k * J:(k + 1) * J]) for k in range(K))

    def _names(self, what: str, name: Any) -> tuple[Any, ...]:
        return tuple(text(name(self, i)) for i in range(self._count[what]))

    @cached_property
    def states(self) -> tuple[str, ...]:
        """The names of the states [S]."""
        return self._names("state", lib.vouch_model_state_name)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions [A]."""
        return self._names("action", lib.vouch_model_action_name)

    @cached_property
    def environments(self) -> tuple[str, ...]:
        """The names of the environments [K]."""
        return self._names("environment", lib.vouch_model_environment_name)

    @cached_property
    def commitment(self) -> tuple[int, ...]:
        """The states of Phi, ascending."""
        return tuple(s for s in range(self._count["state"]) if lib.vouch_model_is_commitment(self, s))

    def __repr__(self) -> str:
        S, A, K = self._count.values()
        return (f"<vouch.Model {self.name or 'without name'}: {S} states, {A} actions, {K} environments, horizon {self.horizon}, "
                f"commitment probability {self.probability:g}>")

    # ---- where models come from

    @classmethod
    def from_arrays(cls, P: Any, R: Any, *, commitment: Any = None, promises: Optional[Sequence[Mapping[str, Any]]] = None, horizon: int, probability: float = 1.0, initial: Name = 0,
                    states: Optional[Sequence[str]] = None, actions: Optional[Sequence[str]] = None,
                    environments: Optional[Sequence[str]] = None, name: str = "", reward_tolerance: float = 1e-9,
                    observe: str = "rewards", prior: Optional[Sequence[float]] = None, minimise: bool = False) -> "Model":
        """A model from numpy arrays.

        P[K,A,S,S'] are the probabilities, P[A,S,S'] where all environments share them; R[K,S,A] or R[K,A,S,S'] the rewards, R[S,A] where
        they are shared. Both may be lists [A], or [K][A], of scipy's sparse matrices [S,S'], R also a sparse matrix [S,A] or a list [K] of them;
        they are not made dense. Only nonzero probabilities are looked at; an action whose row P[k,a,s] is all zero is not available in s, which must
        be so in every environment. commitment: the states of Phi, as numbers, names, or a mask of bool [S].
        promises, instead of commitment and probability: dicts as in a model file, {"name": "home", "kind": "at", "states": [0], "time": 7,
        "probability": 0.9}; kind "at", "by", "stay" or "avoid", the last two with "from" and "to"; states and probability may be dicts by environment;
        "over": "prior" makes it one of the mean over prior [K], numbers up to a common factor.
        Rewards closer than reward_tolerance, relative, are one observation; observe="states": rewards are not observed. minimise=True: R are costs,
        and so are all values; regret = U - U*.
        """
        import numpy

        if (commitment is None) == (promises is None):
            raise ArgumentError("expected either commitment or promises")

        P, R = Table(P, "P"), Table(R, "R")
        shared, alike = len(P.shape) == 3, R.sparse and len(R.shape) == 3 and R.shape[1] == R.shape[2] == P.shape[-1]
        if len(P.shape) not in (3, 4) or P.shape[-1] != P.shape[-2]:
            raise ArgumentError(f"P has shape {P.shape}; expected [K, A, S, S] or [A, S, S]")
        A, S = P.shape[-3], P.shape[-1]
        K = P.shape[0] if not shared else R.shape[0] if len(R.shape) > 2 and not alike else 1
        wanted: Any = {2: (S, A), 3: (A, S, S) if alike else (K, S, A), 4: (K, A, S, S)}.get(len(R.shape))
        if alike and S == A:
            raise ArgumentError(f"R is a list of matrices {(S, S)}, which may be those of actions or of environments; expected [K][A] of them")
        if R.shape != wanted:
            raise ArgumentError(f"R has shape {R.shape}; expected [K, S, A] = {(K, S, A)}, [K, A, S, S] = {(K, A, S, S)} or [S, A] = {(S, A)}")
        at, values = P.index, P.value
        if shared:
            at, values = (numpy.repeat(numpy.arange(K), len(values)), *(numpy.tile(x, K) for x in at)), numpy.tile(values, K)
        k, a, s, following = at
        rows = numpy.empty(len(k), dtype=numpy.dtype(abi.vouch_row))
        rows["environment"], rows["state"], rows["action"], rows["next"], rows["probability"] = k, s, a, following, values
        rows["reward"] = R.at(a, s, following) if alike else R.at(*{2: (s, a), 3: (k, s, a), 4: (k, a, s, following)}[len(R.shape)])
        for given, count, what in ((states, S, "states"), (actions, A, "actions"), (environments, K, "environments")):
            if given is not None and len(given) != count:
                raise ArgumentError(f"{len(given)} names of {what}; expected {count}")
        names = _Names(S if states is None else states, A if actions is None else actions, K if environments is None else environments, name)
        pointer = rows.ctypes.data_as(ctypes.POINTER(abi.vouch_row))
        return cls._build(names, pointer, len(rows), commitment, horizon, probability, initial, reward_tolerance, observe, promises, prior, minimise)

    @classmethod
    def from_gym_p(cls, P: Union[Sequence[Any], Mapping[Any, Any]], *, commitment: Any, horizon: int, probability: float = 1.0, initial: Name = 0,
                   actions: Optional[Sequence[str]] = None, name: str = "", reward_tolerance: float = 1e-9,
                   observe: str = "rewards", rewards: Optional[str] = None, minimise: bool = False) -> "Model":
        """A model from the dictionaries `env.P` of tabular gymnasium environments, P[state][action] = [(probability, next, reward,
        terminated), ..]: a list of them, one an environment, or a dict whose keys name the environments. A single P is one environment.

        States keep their numbers. Terminal states have self-loops without reward until the horizon.
        Where an action leads to one state with different rewards (slippery CliffWalking), rewards="mean" pays their mean; rewards="observe"
        makes a copy of the state for each further reward (s36', behind all states), so that the agent sees which one it got.
        minimise=True: rewards are costs.
        """
        making.refuse_environment(P, "P")
        if making.is_single(P):
            P = [P]
        given = list(P.values()) if isinstance(P, Mapping) else list(P)
        labels = [str(key) for key in P] if isinstance(P, Mapping) else len(given)
        if not given:
            raise ArgumentError("there is no environment in P")
        if not is_word(rewards, making.REWARDS):
            raise ArgumentError(f"rewards is {rewards!r}; expected 'observe' or 'mean'")
        for k, p in enumerate(given):
            making.refuse_environment(p, f"P[{k}]")
        S = len(given[0])
        if any(len(p) != S for p in given):
            raise ArgumentError("the environments of P have different numbers of states")
        for k, p in enumerate(given):
            making.check_outcomes(p, S, f"P[{k}]")
        A = max((max(making.keys(row), default=-1) for p in given for row in making.values(p)), default=-1) + 1
        copies = making.copy_states(given, S, rewards)
        shown = [f"s{s}" for s in range(S)]
        start = making.find(initial, shown, "state")
        last = making.terminal_states(given, start)
        commitment = [copy for s in making.members(commitment, shown) for copy in copies[s]]
        shown += [f"s{s}'{'' if i == 1 else i}" for s, own in enumerate(copies) for i in range(1, len(own))]
        names = _Names(S if len(shown) == S else shown, max(A, 1) if actions is None else actions, labels, name)
        rows: list[Any] = []
        for k, p in enumerate(given):
            for s, choices in making.items(p):
                for a, outcomes in making.items(choices):
                    found = [] if s in last else making.merged(names.place(k, s, a), outcomes, rewards, copies)
                    rows += [(k, own, a, *row) for own in copies[s] for row in (found or [(own, 1.0, 0.0)])]
        array = (abi.vouch_row * len(rows))(*rows)
        return cls._build(names, array, len(rows), commitment, horizon, probability, start, reward_tolerance, observe, minimise=minimise)

    @classmethod
    def _build(cls, names: "_Names", rows: Any, count: int, commitment: Any, horizon: int, probability: float, initial: Name,
               reward_tolerance: float, observe: str, promises: Optional[Sequence[Mapping[str, Any]]] = None,
               prior: Optional[Sequence[float]] = None, minimise: bool = False) -> "Model":
        m, error = abi.vouch_model(), abi.vouch_error()
        S, A, K = names.count
        T = to_c(horizon, ctypes.c_int, "horizon")
        check(lib.vouch_model_new(m, S, A, K, T), what=f"{S} states, {A} actions, {K} environments and horizon {T}; expected at least 1 of each")
        try:
            names.give(m)
            check(lib.vouch_model_set_initial(m, making.find(initial, names.states or [f"s{s}" for s in range(S)], "state")))
            shown = names.states or [f"s{s}" for s in range(S)]
            if promises is not None:
                making.give_promises(m, promises, shown, names.environments or [f"k{k + 1}" for k in range(K)], T)
            else:
                for s in making.members(commitment, shown):
                    check(lib.vouch_model_set_commitment(m, s, 1))
                _set_probability(m, probability)
            check(lib.vouch_model_set_reward_tolerance(m, reward_tolerance),
                  what=f"the tolerance of rewards is {reward_tolerance}; expected at least 0 and less than 1")
            _set_observed(m, observe)
            check(lib.vouch_model_set_sense(m, minimise))
            if prior is not None:
                _set_prior(m, prior)
            check(lib.vouch_model_add_rows(m, rows, count, error), error)
            check(lib.vouch_model_finish(m, None, error), error)
        except BaseException:
            lib.vouch_model_free(m)
            raise
        return cls._take(m)

    @classmethod
    def read(cls, file: Any, *, horizon: Optional[int] = None, probability: Union[float, Mapping[str, float], None] = None,
             commit: Union[str, Sequence[str], None] = None, prop: Any = None, initial: Union[str, Sequence[str]] = (),
             reward: Optional[str] = None, time_to: Optional[str] = None,
             constants: Union[Mapping[str, Any], Sequence[str]] = (), fix_deadlocks: bool = False, merge_actions: bool = False,
             state_limit: Optional[int] = None, sample: Optional[int] = None, seed: int = 1, reward_tolerance: float = 1e-9,
             observe: Optional[str] = None, prior: Optional[Sequence[float]] = None, minimise: bool = False) -> "Model":
        """A model from a file in any format of `vouch plan`: JSON, PRISM, a sketch, Storm's DRN (a file or a directory), CSV, POMDP.

        The options are the options of the program: horizon (-T), probability (-p; {"home": 0.9} for named promises), commit (--commit: states, or
        a list of promises "[NAME:]KIND:STATES[@TIME]>=P"), prop (--prop, a file of properties), initial (--initial: "STATE" or ["A=0.5", "B=0.5"]),
        reward, time_to, fix_deadlocks, merge_actions, state_limit; constants: {"N": "2:6", "M": [3, 5], "wet": True} or ["N=2:6", "M=3,5"], each value of an open constant an
        environment; sample: number of environments of a PRISM or JANI file to draw, by seed. observe ("rewards" or "states"): overrides the observations of the file.
        prior [K]: overrides the weights of the environments in the file; for promises on average ("..>=0.9~prior"). minimise=True: rewards are costs.
        """
        source, error, pointer = abi.vouch_source(), abi.vouch_error(), abi.vouch_model()
        lib.vouch_source_init(source)
        promises = [] if commit is None or isinstance(commit, str) else list(commit)
        if isinstance(commit, str) and ">=" in commit.rpartition("@")[2] and ":" in commit:
            promises, commit = [commit], None
        named = probability if isinstance(probability, Mapping) else {}
        if horizon is not None:
            source.horizon = _at_least_one("horizon", horizon)
        if probability is not None and not named:
            source.probability = probability
        for field, value in (("commit", commit if isinstance(commit, str) else None), ("reward", reward), ("time_to", time_to)):
            setattr(source, field, None if value is None else encode(value))
        source.properties = None if prop is None else path(prop)
        texts = {"constants": _texts(constants), "commits": promises, "probabilities": _texts(named), "initial": _texts(initial)}
        counts = {"constants": "constant_count", "commits": "commit_count", "probabilities": "probability_count", "initial": "initial_count"}
        listed = {field: (ctypes.c_char_p * len(items))(*map(encode, items)) for field, items in texts.items()}  # alive until the call is over
        for field, items in listed.items():
            setattr(source, field, ctypes.cast(items, ctypes.POINTER(ctypes.c_char_p)))
            setattr(source, counts[field], len(items))
        source.fix_deadlocks, source.merge_actions, source.minimise = fix_deadlocks, merge_actions, minimise
        if sample is not None:
            source.sample, source.sample_seed = _at_least_one("sample", sample), seed
        if state_limit is not None:
            source.state_limit = _at_least_one("state_limit", state_limit)
        check(lib.vouch_model_import(pointer, path(file), source, error), error)
        try:
            check(lib.vouch_model_set_reward_tolerance(pointer, reward_tolerance))
            if observe is not None:
                _set_observed(pointer, observe)
            if prior is not None:
                _set_prior(pointer, prior)
        except BaseException:
            lib.vouch_model_free(pointer)
            raise
        return cls._take(pointer)

    @classmethod
    def _generate(cls, function: Any, *arguments: Any) -> "Model":
        pointer, error = abi.vouch_model(), abi.vouch_error()
        check(function(pointer, *arguments, error), error)
        return cls._take(pointer)

    @classmethod
    def twin_states(cls, horizon: int = 7) -> "Model":
        """Twin-States of the paper, K = 9 (`vouch generate twin-states`)."""
        return cls._generate(lib.vouch_generate_twin_states, horizon)

    @classmethod
    def lookahead(cls) -> "Model":
        """Four states in which looking one step ahead regrets less than looking two (`vouch generate lookahead`)."""
        return cls._generate(lib.vouch_generate_lookahead)

    @classmethod
    def t_maze(cls, corridor: int = 3, up: int = 2, down: int = 2, environments: int = 2, *, horizon: int = 10, probability: float = 0.6,
               grip: float = 0.8) -> "Model":
        """The Slippery T-Maze of the paper (`vouch generate t-maze`); grip: probability that a move on slippery ground succeeds."""
        return cls._generate(lib.vouch_generate_t_maze, abi.vouch_maze_shape(corridor, up, down, environments, horizon, probability, grip))

    @classmethod
    def random(cls, states: int = 6, actions: int = 3, environments: int = 3, *, horizon: int = 5, probability: float = 0.5, branching: int = 3,
               shared_transitions: bool = False, seed: int = 1) -> "Model":
        """A random model whose commitment each environment alone can keep (`vouch generate random`)."""
        shape = abi.vouch_random_shape(states, actions, environments, horizon, probability, branching, shared_transitions, seed)
        return cls._generate(lib.vouch_generate_random, shape)

    def replace(self, *, horizon: Optional[int] = None, probability: Optional[float] = None, environments: Optional[Iterable[Name]] = None,
                reward_tolerance: Optional[float] = None, observe: Optional[str] = None, prior: Optional[Sequence[float]] = None,
                minimise: Optional[bool] = None, within: Optional[float] = None) -> "Model":
        """The same model with another horizon T, probability p, prior, with other things observed ("rewards" or "states"), or with some of its environments only.
        minimise: are the same numbers costs (True) or rewards (False)? within: the error of its probabilities."""
        m, error = abi.vouch_model(), abi.vouch_error()
        numbers = None if environments is None else sorted({self.environment(k) for k in environments})
        chosen = None if numbers is None else (ctypes.c_int * len(numbers))(*numbers)
        check(lib.vouch_model_restrict(m, self, chosen, 0 if numbers is None else len(numbers), error), error)
        try:
            if horizon is not None:
                check(lib.vouch_model_set_horizon(m, _at_least_one("horizon", horizon)),
                      what=f"the model has a state without actions before T = {horizon}")
            if probability is not None:
                _set_probability(m, probability)
            if reward_tolerance is not None:
                check(lib.vouch_model_set_reward_tolerance(m, reward_tolerance))
            if observe is not None:
                _set_observed(m, observe)
            if prior is not None:
                _set_prior(m, prior)
            if minimise is not None:
                check(lib.vouch_model_set_sense(m, minimise))
            if within is not None:
                check(lib.vouch_model_set_within(m, within), what=f"within is {within}; expected a number from 0 to 1")
        except BaseException:
            lib.vouch_model_free(m)
            raise
        return type(self)._take(m)

    def __reduce__(self) -> Any:
        """Files do not contain the grouping of rewards into observations."""
        tolerance, number = ctypes.c_double(), (ctypes.c_int * lib.vouch_model_observations(self, None, None))()
        lib.vouch_model_observations(self, ctypes.byref(tolerance), number)
        return (*super().__reduce__(), (tolerance.value, bytes(number)))

    def __setstate__(self, observations: tuple[float, bytes]) -> None:
        tolerance, number = observations
        count = len(number) // ctypes.sizeof(ctypes.c_int)
        check(lib.vouch_model_set_observations(self, tolerance, (ctypes.c_int * count).from_buffer_copy(number), count))

    # ---- contents of a model

    def write(self, file: Any) -> None:
        """Writes the model as JSON; reading it again gives the same model bit by bit."""
        error = abi.vouch_error()
        check(lib.vouch_model_write(self, path(file), error), error)

    def _index(self, value: Name, what: str) -> int:
        if not isinstance(value, str):
            return making.in_range(value, self._count[what], what)
        if what not in self._number:
            names = getattr(self, what + "s")
            self._number[what] = {name: i for i, name in reversed(list(enumerate(names)))}
        found = self._number[what].get(value)
        if found is None and what == "state":  # the name given by the user, without the status of promises
            found = lib.vouch_model_find_state(self, encode(value))
        if found is None or found < 0:
            raise InputError(f'there is no {what} "{value}"')
        return int(found)

    def state(self, state: Name) -> int:
        """The number of a state given by number or name."""
        return self._index(state, "state")

    def action(self, action: Name) -> int:
        """The number of an action given by number or name."""
        return self._index(action, "action")

    def environment(self, environment: Name) -> int:
        """The number of an environment given by number or name."""
        return self._index(environment, "environment")

    def available(self, state: Name) -> tuple[int, ...]:
        """The actions of a state, ascending; the same in every environment."""
        action = ctypes.POINTER(ctypes.c_int)()
        count = lib.vouch_model_available(self, self.state(state), ctypes.byref(action))
        return tuple(action[:count])

    def transitions(self, environment: Name, state: Name, action: Name) -> tuple[Transition, ...]:
        """The outcomes of an action, a tuple of :class:`Transition`; empty where it is not available."""
        t = abi.vouch_transitions()
        lib.vouch_model_get_transitions(self, self.environment(environment), self.state(state), self.action(action), t)
        return tuple(map(Transition, t.next[:t.count], t.probability[:t.count], self._rewards(t)))

    def arrays(self) -> "tuple[numpy.ndarray[Any, Any], numpy.ndarray[Any, Any]]":
        """(P[K,A,S,S'], R[K,A,S,S']): probabilities, and rewards of transitions with positive probability; 0 elsewhere."""
        import numpy

        S, A, K = self._count.values()
        P, R = numpy.zeros((K, A, S, S)), numpy.zeros((K, A, S, S))
        for s in range(S):
            for a in self.available(s):
                for k in range(K):
                    t = abi.vouch_transitions()
                    lib.vouch_model_get_transitions(self, k, s, a, t)
                    following = t.next[:t.count]
                    P[k, a, s, following] = t.probability[:t.count]
                    R[k, a, s, following] = self._rewards(t)
        return P, R


# ---- parts -------------------------------------------------------------------------------------------------------------


class _Names:
    """The names of a model to be; a count instead of names: s0.., a0.., k1.. as the library has them."""

    def __init__(self, states: Any, actions: Any, environments: Any, name: str):
        self.states, self.actions, self.environments = (None if isinstance(x, int) else list(x) for x in (states, actions, environments))
        self.count = tuple(x if isinstance(x, int) else len(x) for x in (states, actions, environments))
        self.name = name

    def give(self, m: abi.vouch_model) -> None:
        for names, count, what, give in ((self.states, self.count[0], "states", lib.vouch_model_set_state_name),
                                         (self.actions, self.count[1], "actions", lib.vouch_model_set_action_name),
                                         (self.environments, self.count[2], "environments", lib.vouch_model_set_environment_name)):
            if names is not None and len(set(names)) < len(names):
                raise ArgumentError(f"two {what} have the same name")
            for i, name in enumerate(names or ()):
                check(give(m, i, encode(name)), what=f"{len(names or ())} names of {what}; expected {count}")
        check(lib.vouch_model_set_name(m, encode(self.name)))

    def place(self, k: int, s: int, a: int) -> str:
        environment = self.environments[k] if self.environments else f"k{k + 1}"
        action = self.actions[a] if self.actions and 0 <= a < len(self.actions) else f"a{a}"
        return f'environment "{environment}", state "s{s}", action "{action}"'


def _texts(given: Union[str, Mapping[str, Any], Sequence[str]]) -> list[Any]:
    """["N=2:6", "M=3"], given so, as a dict, or as one text; a value may be a text, a number, True or False, or several of them."""
    if isinstance(given, str):
        return [given]

    def words(value: Any) -> str:
        if isinstance(value, str):
            return value
        if isinstance(value, Iterable) and getattr(value, "shape", None) != ():  # an array of numpy without dimensions is a number
            return ",".join(map(words, value))
        return str(value).lower() if isinstance(value, bool) or type(value).__name__.startswith("bool") else str(value)

    return [f"{key}={words(value)}" for key, value in given.items()] if isinstance(given, Mapping) else list(given)


def _at_least_one(what: str, value: Any) -> int:
    number: int = to_c(value, ctypes.c_longlong, what)
    if number < 1:
        raise ArgumentError(f"{what} is {number}; expected at least 1")
    return number


def _set_observed(m: abi.vouch_model, observe: str) -> None:
    number = lib.vouch_observed_find(encode(observe))
    if number < 0:
        raise ArgumentError(f"observe is {observe!r}; expected 'rewards' or 'states'")
    check(lib.vouch_model_set_observed(m, number))


def _set_prior(m: abi.vouch_model, prior: Sequence[float]) -> None:
    given, K = doubles(prior, "prior"), lib.vouch_model_environments(m)
    if len(given) != K:
        raise ArgumentError(f"prior has {len(given)} numbers; expected {K}, one for each environment")
    check(lib.vouch_model_set_prior(m, given), what=f"prior is {list(given)}; expected numbers of at least 0, one above it")


def _set_probability(m: abi.vouch_model, probability: float) -> None:
    several = "; the model makes several promises, each with a probability of its own" if lib.vouch_model_promises(m) > 1 else ""
    check(lib.vouch_model_set_probability(m, probability), what=f"a probability must lie between 0 and 1, found {probability:g}{several}")

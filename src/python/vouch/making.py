"""Parts of models: states by number or name, promises, and the dictionaries of gymnasium's tabular environments."""
from __future__ import annotations

import ctypes
import math
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, Union

from . import _abi as abi
from ._arguments import unmasked
from ._library import ArgumentError, InputError, check, encode, is_word, lib, real, shown, to_c, whole, wrong

Name = Union[int, str]


def find(value: Name, names: Sequence[str], what: str) -> int:
    if isinstance(value, str):
        if value not in names:
            raise InputError(f'there is no {what} "{value}"')
        return list(names).index(value)
    return in_range(value, len(names), what)


def in_range(value: Any, count: int, what: str) -> int:
    number = whole(value)
    if not 0 <= number < count:
        raise InputError(f"there is no {what} {number}; expected 0 to {count - 1}")
    return number


def members(commitment: Any, names: Sequence[str], what: str = "commitment") -> list[Any]:
    """The states of Phi, given by numbers, names or a mask."""
    if isinstance(commitment, str) or not hasattr(commitment, "__iter__"):
        commitment = [commitment]
    given = list(unmasked(commitment, what))
    if given and all(isinstance(x, bool) or getattr(getattr(x, "dtype", None), "kind", "") == "b" for x in given):
        if len(given) != len(names):
            raise ArgumentError(f"the mask of the commitment has length {len(given)}; expected {len(names)}, the states")
        return [s for s, member in enumerate(given) if member]
    return [find(s, names, "state") for s in given]


# ---- promises

FIELDS = {"name", "kind", "states", "time", "from", "to", "probability", "over"}


def _by_environment(value: Any, environments: Sequence[str], what: str) -> list[Any]:
    """One value for all environments, or a dict that has one for each: a list [K]."""
    if not isinstance(value, Mapping):
        return [value] * len(environments)
    if set(value) != set(environments):
        raise ArgumentError(f"{what} names the environments {', '.join(map(str, value))}; expected each of {', '.join(environments)}")
    return [value[name] for name in environments]


def give_promises(m: abi.vouch_model, promises: Sequence[Mapping[str, Any]], states: Sequence[str], environments: Sequence[str], horizon: int) -> None:
    """Promises as in the "commitments" of a model file: dicts with name, kind, states, time (or from, to) and probability."""
    for j, promise in enumerate(promises):
        unknown, kind = set(promise) - FIELDS, str(promise.get("kind", "at"))
        if unknown or "states" not in promise:
            raise ArgumentError(f"promises[{j}] has the fields {', '.join(sorted(promise))}; expected states, and of {', '.join(sorted(FIELDS))}")
        number = lib.vouch_promise_kind_find(encode(kind))
        if number < 0:
            raise ArgumentError(f'promises[{j}]: there is no kind "{kind}"; expected at, by, stay or avoid')
        window = bool(lib.vouch_promise_kind_is_window(number))
        for field in ("time",) if window else ("from", "to"):
            if field in promise:
                raise ArgumentError(f'promises[{j}]: a promise of kind "{kind}" has {"from and to" if window else "a time"}; found {field}')
        last = to_c(promise.get("to" if window else "time", horizon), ctypes.c_int, f"promises[{j}].{'to' if window else 'time'}")
        first = to_c(promise.get("from", 0), ctypes.c_int, f"promises[{j}].from") if window else last
        name = str(promise.get("name", f"promise{j + 1}"))
        check(lib.vouch_model_add_promise(m, encode(name), number, first, last),
              what=f"promises[{j}], {name}: kind {kind}, times {first} to {last}; expected a name of its own and times from 0 to {horizon}")
        for k, p in enumerate(_by_environment(promise.get("probability", 1.0), environments, f"promises[{j}].probability")):
            check(lib.vouch_model_set_promise_probability(m, j, k, p), what=f"promises[{j}]: a probability must lie between 0 and 1, found {p}")
        if "over" in promise:
            if not is_word(promise["over"], ("prior",)):
                raise ArgumentError(f'promises[{j}].over is {promise["over"]!r}; expected "prior"')
            check(lib.vouch_model_set_promise_average(m, j, 1), what=f"promises[{j}]: a promise over the prior has one probability")
        for k, given in enumerate(_by_environment(promise["states"], environments, f"promises[{j}].states")):
            for s in members(given, states, f"promises[{j}].states"):
                check(lib.vouch_model_set_promise_state(m, j, k, s, 1))


# ---- gymnasium

REWARDS = (None, "observe", "mean")


def items(p: Any) -> Iterable[Any]:
    return ((whole(key), value) for key, value in p.items()) if isinstance(p, Mapping) else enumerate(p)


def is_single(P: Any) -> bool:
    """Is it the P of one environment? Its outcomes are then one level higher."""
    try:
        return isinstance(values(values(values(P)[0])[0])[0], tuple)
    except (IndexError, TypeError):
        return False


def refuse_environment(p: Any, what: str) -> None:
    """ArgumentTypeError for an environment, or the name of one, in the place of its P."""
    if isinstance(p, (str, bytes)) or not hasattr(p, "__len__"):
        raise wrong(what, "the dictionary env.unwrapped.P of a tabular environment", p)


def check_outcomes(p: Any, S: int, what: str) -> None:
    for s, choices in items(p):
        for a, outcomes in items(choices):
            for outcome in outcomes:
                if not hasattr(outcome, "__len__") or len(outcome) != 4:
                    raise ArgumentError(f"{what}[{s}][{a}]: expected (probability, next state, reward, terminated), found {shown(outcome)}")
                if not 0 <= whole(outcome[1]) < S:
                    raise InputError(f"{what}[{s}][{a}]: there is no state {outcome[1]}; expected 0 to {S - 1}")


def keys(p: Any) -> list[Any]:
    return [key for key, _ in items(p)]


def values(p: Any) -> list[Any]:
    return list(p.values() if isinstance(p, Mapping) else p)


def terminal_states(given: Sequence[Any], start: int) -> set[Any]:
    """The terminal states: successors of terminated steps from non-terminal states."""
    last: set[Any] = set()
    tables = [dict(items(p)) for p in given]
    seen, queue = {start}, [start]
    while queue:
        s = queue.pop()
        for table in tables:
            for _, outcomes in items(table.get(s, {})):
                for probability, following, _, terminated in outcomes:
                    following = whole(following)
                    if probability <= 0:
                        continue
                    if terminated:
                        last.add(following)
                    elif following not in seen:
                        seen.add(following)
                        queue.append(following)
    both = sorted(s for s in last & seen)
    if both:
        raise InputError(f"state {both[0]} ends an episode on one way to it and not on another; give it two numbers")
    return last


Place = Callable[[int, int, int], str]


def _groups(outcomes: Iterable[Any]) -> dict[Any, Any]:
    """By next state: its outcomes by reward, {next: [[probability, reward], ..]}, rewards ascending; rewards that differ by rounding are merged."""
    found: dict[Any, Any] = {}
    for probability, following, reward, _ in outcomes:
        if probability == 0:
            continue
        group, reward = found.setdefault(whole(following), []), real(reward)
        for one in group:
            if math.isclose(one[1], reward, rel_tol=1e-12, abs_tol=0):
                one[0] += real(probability)
                break
        else:
            group.append([real(probability), reward])
    return {following: sorted(group, key=lambda one: float(one[1])) for following, group in found.items()}


def merged(place: str, outcomes: Iterable[Any], rewards: Optional[str], copies: Sequence[Sequence[int]]) -> list[Any]:
    """(next, probability, reward) of an action. Of several rewards with one next state: their mean, or each with a copy of that state."""
    rows = []
    for following, group in _groups(outcomes).items():
        total = sum(p for p, _ in group)
        if len(group) > 1 and rewards is None:
            raise InputError(f"{place}: the next state {following} pays {group[0][1]:g} and {group[1][1]:g}; rewards=\"observe\" tells them apart, "
                             f"rewards=\"mean\" takes their mean")
        if rewards == "mean" and total > 0:
            rows.append((following, total, sum(p * r for p, r in group) / total if len(group) > 1 else group[0][1]))
        else:
            rows += [(copies[following][i], p, r) for i, (p, r) in enumerate(group)]
    return rows


def copy_states(given: Sequence[Any], S: int, rewards: Optional[str]) -> list[Any]:
    """[S]: the numbers of each state and of its copies, one for each further reward with which a step can lead to it; copies follow all states."""
    copies: list[Any] = [[s] for s in range(S)]
    if rewards != "observe":
        return copies
    most = [1] * S
    for p in given:
        for _, choices in items(p):
            for _, outcomes in items(choices):
                for following, group in _groups(outcomes).items():
                    most[following] = max(most[following], len(group))
    following = S
    for s in range(S):
        copies[s] += range(following, following + most[s] - 1)
        following += most[s] - 1
    return copies

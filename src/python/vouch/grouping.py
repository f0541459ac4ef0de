"""Portfolios of policies; the one used is chosen when the environment is revealed (`vouch plan --policies`)."""
from __future__ import annotations

import ctypes
from typing import NamedTuple

from . import _abi as abi
from ._library import Handle, LongCall, check, lib, text
from .model import Model
from .planning import Policy, outcome_text, word

PROMISES = {"own": abi.VOUCH_PROMISES_OWN, "all": abi.VOUCH_PROMISES_ALL}


class Group(NamedTuple):
    """Environments that share a policy. policy.model: its model, with these environments or with all."""

    environments: tuple[str, ...]
    max_regret: float
    bound: float  # proved: no policy for these environments does better
    policy: Policy


class _Kept(Handle):
    """Owns groups, their policies and their model."""

    model: Model


class Groups:
    """Result of ``vouch.plan(model, policies=k)``: at most k groups of environments, each with its policy.

    status: as in :class:`vouch.Plan`; without groups max_regret is NaN. ``groups[i]`` and ``len(groups)`` refer to .groups.
    """

    model: Model
    status: str
    max_regret: float  # the largest, of any environment under the policy of its group
    bound: float  # proved: no groups do better
    nodes: int
    seconds: float
    groups: tuple[Group, ...]

    def __init__(self) -> None:
        raise TypeError("groups are found by vouch.plan(model, policies=k)")

    def __repr__(self) -> str:
        return f"<vouch.Groups of {len(self)} policies: {self.status}, maximum regret {self.max_regret:.10g}, bound {self.bound:.10g}>"

    def __len__(self) -> int:
        return len(self.groups)

    def __getitem__(self, i: int) -> Group:
        return self.groups[i]

    def policy(self, environment: str) -> Policy:
        """The policy that the environment follows."""
        for group in self.groups:
            if environment in group.environments:
                return group.policy
        raise KeyError(environment)


def plan_groups(model: Model, options: abi.vouch_plan_options, call: LongCall, policies: int, promises: str) -> Groups:
    """options: of a plan, kept alive by the caller."""
    pointer, error, r = abi.vouch_groups(), abi.vouch_error(), abi.vouch_groups_result()
    whose = word(PROMISES, "promises", promises)
    try:
        check(call.run(lib.vouch_plan_groups, pointer, model, options, policies, whose, error), error)
    except BaseException:
        lib.vouch_groups_free(pointer)
        raise
    self: Groups = object.__new__(Groups)
    kept = _Kept()
    kept._own(pointer, lib.vouch_groups_free)
    kept.model = model
    lib.vouch_groups_get_result(kept, r)
    self.model, self.status, self.max_regret, self.bound = model, outcome_text(r.outcome), r.max_regret, r.bound
    self.nodes, self.seconds = r.nodes, r.seconds
    self.groups = tuple(_group(kept, model, i) for i in range(r.groups))
    return self


def _group(kept: _Kept, model: Model, i: int) -> Group:
    g = abi.vouch_group()
    lib.vouch_groups_get(kept, i, g)
    policy = Policy._take(g.policy, Model._take(g.model, kept), kept)
    return Group(tuple(model.environments[k] for k in g.environment[:g.environments]), g.max_regret, g.bound, policy)

"""One environment of a model as a world to act in, with gymnasium's reset and step."""
from __future__ import annotations

import random
from typing import Any, Optional

from ._arguments import name_methods
from ._library import ArgumentError, Error, whole, is_word
from .model import Model, Name

try:  # its Env and spaces where it is installed, so that its wrappers and its checker take the world for one of theirs
    import gymnasium  # type: ignore[import]
except ImportError:
    gymnasium = None


def _seed(seed: Optional[int]) -> Optional[int]:
    return None if seed is None else whole(seed)  # integers of numpy are no seeds of random


class Space:
    """The numbers 0 .. n-1, as gymnasium's Discrete, where gymnasium is not installed."""

    start, shape, dtype = 0, (), int

    def __init__(self, n: int, seed: Optional[int] = None):
        self.n = n
        self._random = random.Random(_seed(seed))

    def seed(self, seed: Optional[int] = None) -> Optional[int]:
        """Restarts the random numbers of sample by the seed."""
        self._random.seed(_seed(seed))
        return seed

    def sample(self, mask: Any = None) -> int:
        """A uniformly random number; mask [n]: among the numbers with mask 1, or 0 if there is none."""
        if mask is not None and len(mask) != self.n:
            raise ArgumentError(f"a mask of {len(mask)} entries for {self.n} numbers")
        return self._random.choice([i for i in range(self.n) if mask is None or mask[i]] or [0])

    def contains(self, x: Any) -> bool:
        """True if x is an integer in 0 .. n-1."""
        try:
            return 0 <= whole(x) < self.n
        except TypeError:
            return False

    __contains__ = contains

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, Space) and self.n == other.n

    def __repr__(self) -> str:
        return f"Discrete({self.n})"


class World:
    """The members of gymnasium.Env besides reset and step, if gymnasium is not installed."""

    spec = None

    @property
    def unwrapped(self) -> World:
        return self

    def render(self) -> None:
        """Nothing: there is no picture."""

    def close(self) -> None:
        """Nothing has to be given back."""

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class Environment(gymnasium.Env if gymnasium else World):  # type: ignore[misc]
    """Environment k of a model: observations are its states, actions its actions, an episode ends (terminated) at the horizon.

    reset(seed=None, options=None) -> (state, info); step(action) -> (state, reward, terminated, truncated, info). info: time, and action_mask [A], 1
    where the action is available. unavailable: "error", another action is an ArgumentError; or "stay", it keeps the state for a step with reward 0, for
    tools that sample actions without a mask (gymnasium's checker). gymnasium is not required.
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, model: Model, environment: Name, seed: Optional[int] = None, *, unavailable: str = "error", render_mode: Optional[str] = None):
        if not is_word(unavailable, ("error", "stay")):
            raise ArgumentError(f'unavailable is "{unavailable}"; expected "error" or "stay"')
        if render_mode is not None:
            raise ArgumentError(f'render_mode is "{render_mode}"; expected None: there is no picture')
        self.model, self.k = model, model.environment(environment)
        make = gymnasium.spaces.Discrete if gymnasium else Space
        self.observation_space, self.action_space = make(len(model.states)), make(len(model.actions))
        self.render_mode = None
        self.unavailable = unavailable
        self.state, self.time = model.initial, 0
        self._random = random.Random(_seed(seed))
        self._outcomes: dict[Any, Any] = {}  # of (state, action), as they are met

    def _info(self) -> dict[Any, Any]:
        mask: Any = [0] * len(self.model.actions)
        for a in self.model.available(self.state):
            mask[a] = 1
        if gymnasium:
            import numpy

            mask = numpy.array(mask, dtype=numpy.int8)
        return {"time": self.time, "action_mask": mask}

    def reset(self, *, seed: Optional[int] = None, options: Optional[dict[Any, Any]] = None) -> tuple[Any, ...]:
        """Begins an episode; a seed restarts the random numbers."""
        if gymnasium:
            super().reset(seed=seed)
        if seed is not None:
            self._random.seed(_seed(seed))
        self.state, self.time = self.model.initial, 0
        return self.state, self._info()

    def step(self, action: Name) -> tuple[Any, ...]:
        """Takes an action, by number or name."""
        if self.time >= self.model.horizon:
            raise Error("the horizon has been reached; reset() begins the next episode")
        a = self.model.action(action)
        outcomes = self._outcomes.get((self.state, a))
        if outcomes is None:
            outcomes = self._outcomes[self.state, a] = self.model.transitions(self.k, self.state, a)
        if not outcomes and self.unavailable == "stay":
            self.time += 1
            return self.state, 0.0, self.time >= self.model.horizon, False, self._info()
        if not outcomes:
            raise ArgumentError(f'action "{self.model.actions[a]}" is not available in state "{self.model.states[self.state]}"')
        chosen = self._random.choices(outcomes, [o.probability for o in outcomes])[0]
        self.state, self.time = chosen.next, self.time + 1
        return self.state, chosen.reward, self.time >= self.model.horizon, False, self._info()


name_methods(Environment)

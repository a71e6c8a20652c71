"""Environments for Gymnasium: their ids, and the code that they share.

    import gymnasium, worldquiz

    gymnasium.register_envs(worldquiz.gym)
    env = gymnasium.make("worldquiz/T2Q-easy-v0")

Importing this module registers the environments with Gymnasium; `import worldquiz` alone does not.
``gymnasium.make("worldquiz.gym:worldquiz/T2Q-easy-v0")`` imports this module, too.

Data folders, the training split and the test split share no world: their seeds never overlap.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, get_args

from worldquiz import rng
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.plugins import need

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)


def split_seed(split: Split, number: int, *names: str) -> int:
    """Return the seed of a split's world; no other split and no data folder uses it."""
    return 2**64 * (1 + SPLITS.index(split)) + rng.child_seed(number, "gym", split, *names)


def check_choice(name: str, value: str, known: Iterable[str]) -> None:
    """Raise `KnobError` for a value that is not in `known`."""
    if value not in known:
        raise KnobError(f"no {name} {value!r}{did_you_mean(value, known)}")


def check_count(name: str, value: object, least: int = 1) -> None:
    """Raise `KnobError` unless a value is None or a whole number of at least `least`."""
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise KnobError(f"{name}: {value!r}: expected a whole number of {least} or more, or None")


if TYPE_CHECKING:
    import gymnasium
    from gymnasium.vector.utils import shared_memory
else:
    gymnasium = need("gymnasium", extra="agents")
    shared_memory = need("gymnasium.vector.utils.shared_memory", extra="agents")

_ENVIRONMENTS = {
    "T2Q": ("worldquiz.t2q.gym:T2QEnv", ("easy", "medium", "hard", "explore", "infer", "change")),
    "TEA": ("worldquiz.tea.gym:WalkEnv", ("tiny", "paper")),
}
"""Each benchmark's environment, and its levels."""
CHARACTERS = frozenset(string.ascii_letters + string.digits + string.punctuation + " \n")
LONGEST_COMMAND = 200
"""Most characters of a sampled command."""
NUMBERS = 2**62
"""Number of worlds to draw from, if no limit is set."""


class WorldText(gymnasium.spaces.Text):
    """A text observation. It refuses shared memory, where Gymnasium would miss later texts."""


@shared_memory.create_shared_memory.register(WorldText)
def _refused(space: WorldText, n: int = 1, ctx: Any = None) -> Any:
    raise gymnasium.error.CustomSpaceError(
        "texts cannot be put into shared memory: pass vector_kwargs={'shared_memory': False}"
    )


class WorldEnv(gymnasium.Env[Any, Any]):
    """An environment that has a world for each number.

    Subclasses define `_begin`, which starts the world of a number and returns observation and info.
    """

    def __init__(self, *, seed: int, split: Split, worlds: int | None) -> None:
        """Raises `KnobError` for an unknown split, and for `worlds` below 1."""
        check_choice("split", split, SPLITS)
        check_count("worlds", worlds)  # None: no limit
        self.split, self.worlds, self._first = split, worlds, seed
        self.due = True  # a reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the world of a seed or, without a seed, a world at random (reproducibly)."""
        if seed is None and self._np_random is None:
            seed = self._first
        super().reset(seed=seed)
        number = int(self.np_random.integers(NUMBERS)) if seed is None else seed
        begun = self._begin(number if self.worlds is None else number % self.worlds)
        self.due = False
        return begun

    def _begin(self, number: int) -> tuple[Any, dict[str, Any]]:
        raise NotImplementedError

    def _check_step(self, action: Any) -> None:
        """Raise `ValueError` if a reset is due, or for an action outside the action space."""
        if self.due:
            raise ValueError("the episode is over, or has not begun: call reset() first")
        if isinstance(self.action_space, gymnasium.spaces.Text):
            if not isinstance(action, str):
                raise ValueError(f"action {action!r} is not a text")
        elif not self.action_space.contains(action):
            raise ValueError(f"action {action!r} is not in {self.action_space}")


for _name, (_place, _levels) in _ENVIRONMENTS.items():
    for _level in _levels:
        _id = f"worldquiz/{_name}-{_level}-v0"
        gymnasium.register(_id, entry_point=_place, kwargs={"level": _level})

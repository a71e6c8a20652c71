"""What environments for Gymnasium share: texts that are observed, and worlds to train and to test.

Three ranges of seeds that do not meet keep worlds apart: folders that are built have those below
2**64, training the next 2**64, and tests the 2**64 after these.
"""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, get_args

from worldquiz import rng
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.extras import need

if TYPE_CHECKING:
    import gymnasium
    from gymnasium.vector.utils import shared_memory
else:
    gymnasium = need("gymnasium", extra="gym")
    shared_memory = need("gymnasium.vector.utils.shared_memory", extra="gym")

Split = Literal["train", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
CHARACTERS = frozenset(string.ascii_letters + string.digits + string.punctuation + " \n")
LONGEST_COMMAND = 200
"""Characters of a command that is sampled, at most."""
NUMBERS = 2**62
"""So many worlds may be drawn where no end of them is set."""


class WorldText(gymnasium.spaces.Text):
    """A text of a world. Gymnasium's vectors read texts in shared memory once, and then never
    again: so none may lie there."""


@shared_memory.create_shared_memory.register(WorldText)
def _refused(space: WorldText, n: int = 1, ctx: Any = None) -> Any:
    raise gymnasium.error.CustomSpaceError(
        "texts do not go through shared memory: give vector_kwargs={'shared_memory': False}"
    )


def split_seed(split: Split, number: int, *names: str) -> int:
    """Return the seed of a world: no two splits share one, and none is that of a built world's."""
    return 2**64 * (1 + SPLITS.index(split)) + rng.child_seed(number, "gym", split, *names)


def check_choice(name: str, value: str, known: Iterable[str]) -> None:
    """Raise `KnobError` for a value that is not among those that are known."""
    if value not in known:
        raise KnobError(f"no {name} {value!r}{did_you_mean(value, known)}")


class WorldEnv(gymnasium.Env[Any, Any]):
    """An environment in which each number has a world of its own.

    Subclasses have `_begin`, which begins the world of a number and returns what is observed.
    """

    def __init__(self, *, seed: int, split: Split, worlds: int | None) -> None:
        """Raises `KnobError` for no split, and for no worlds."""
        check_choice("split", split, SPLITS)
        if worlds is not None and worlds < 1:
            raise KnobError(f"worlds: {worlds} worlds cannot be had; give 1 or more")
        self.split, self.worlds, self._first = split, worlds, seed
        self.due = True  # a reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin the world of a seed, or without one the next that is drawn."""
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
        """Raise `ValueError` where a reset is due, or for an action outside the action space."""
        if self.due:
            raise ValueError("the episode is over, or has not begun: reset() is due")
        texts = isinstance(self.action_space, gymnasium.spaces.Text)
        if not (isinstance(action, str) if texts else self.action_space.contains(action)):
            raise ValueError(f"action {action!r} is not in {self.action_space}")

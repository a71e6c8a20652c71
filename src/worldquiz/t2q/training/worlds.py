"""Worlds of a level by number, made when they are first played.

Each number has a world of its own, and there is no end of them (`splits`).
"""

from __future__ import annotations

import shutil
import weakref
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from tempfile import mkdtemp

from worldquiz.errors import KnobError, RecordError
from worldquiz.splits import Split, check_choice, check_count, check_split, split_seed
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import make
from worldquiz.t2q.quiz.ask import RULES
from worldquiz.t2q.store import Bundle, read_bundle
from worldquiz.t2q.suites import Plan, Slot
from worldquiz.t2q.training.rewards import Watched
from worldquiz.t2q.world.base import World
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.play import from_folder
from worldquiz.t2q.world.spec import WorldSpec


def world_seed(level: str, split: Split, number: int) -> int:
    """Return the seed of a world, which no suite's world and no other split's has."""
    return split_seed(split, number, level)


def built(level: str, split: Split, number: int, root: Path) -> tuple[Bundle, Path]:
    """Return a world and its folder in `root`, where it is made if it is not there yet.

    Processes may share `root`: each file is written whole, the game last.
    """
    slot = Slot(level, world_seed(level, split, number), f"{level}-{split}-{number}")
    folder = root / f"rules-{RULES}" / slot.id
    if not (folder / "game.z8").is_file():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or error
            told = f"{root}: no folder to keep worlds in: {why}; choose another"
            raise RecordError(told) from error
        make(Plan(level, 0), slot).write(folder)
    return read_bundle(folder), folder


class Worlds:
    """Worlds of one level; close them when done."""

    def __init__(
        self,
        level: str = "easy",
        split: Split = "train",
        *,
        worlds: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
        folder: Path | str | None = None,
    ) -> None:
        """Choose them; none is made yet.

        Args:
            level: A level of `worldquiz t2q build`.
            split: "train" or "test"; they share no world.
            worlds: How many worlds there are; None for no end of them.
            max_steps: Most commands in each task.
            budget: Most commands, as a multiple of the walkthroughs'. Without either, the
                level's own.
            folder: Where worlds are kept, for other processes and later ones. Without it, they are
                kept until this is closed, and only the last one where there is no end of them.

        Raises `KnobError`.
        """
        check_choice("level", level, PRESETS)
        check_split(split, worlds)
        check_count("max_steps", max_steps, least=0)
        self.level, self.split, self._count = level, split, worlds
        self.budget = budgets.budget(max_steps, budget, budgets.Walkthroughs(PRESETS[level].budget))
        self._forgets = folder is None and worlds is None
        self._folder = folder
        self.game: Callable[[WorldSpec, Path], World] = from_folder  # opens one in its folder
        self._remove: Callable[[], object] = lambda: None

    @cached_property
    def root(self) -> Path:
        """The folder of the worlds; one that nobody gave goes with this object."""
        if self._folder is not None:
            return Path(self._folder)
        root = Path(mkdtemp(prefix="worldquiz-"))
        self._remove = weakref.finalize(self, shutil.rmtree, root, ignore_errors=True)
        return root

    def opened(self, number: int) -> Watched:
        """Return world `number`, which nobody has played yet; close it when done.

        Raises `KnobError` for what is no whole number from 0 up: it names a folder.
        """
        if not isinstance(number, int) or number < 0:
            raise KnobError(f"world {number!r}: give a whole number from 0 up")
        number = number if self._count is None else number % self._count
        bundle, folder = built(self.level, self.split, number, self.root)
        if self._forgets:
            for other in folder.parent.iterdir():
                if other != folder:
                    shutil.rmtree(other)
        return Watched(self.game(bundle.spec, folder), bundle, number)

    def close(self) -> None:
        """Remove the worlds that no folder was given for."""
        self._remove()

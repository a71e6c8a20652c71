"""Z-machine games to explore: played live, and recorded as any walkthrough is.

The recorder plays the same commands again, and looks and tries in forks what the agent did not.
Both plays must read alike: a game of chance that does not is no ground for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from worldquiz.errors import WorldError
from worldquiz.mango.exploring.coverage import Coverage, coverage
from worldquiz.mango.exploring.game import GameScore, Told
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.recorder.live import LiveGame
from worldquiz.mango.maze.recorder.record import Recording, read_off
from worldquiz.mango.maze.recorder.trace import PATIENCE, PlayerUnknownError, trace
from worldquiz.mango.maze.recorder.trials import tested
from worldquiz.mango.maze.walkthrough import WalkStep


class StoryGame:
    """One game of the Z-machine."""

    def __init__(
        self,
        name: str,
        story: Path,
        commands: Sequence[str] | None = None,
        *,
        patience: float = PATIENCE,
    ) -> None:
        """Take a game; `commands` lead through it, None for Jericho's own walkthrough."""
        self.name, self.story = name, story
        self._commands, self._patience = commands, patience
        self._live: LiveGame | None = None
        self._texts: list[str] = []

    @property
    def walkthrough(self) -> tuple[str, ...]:
        """The commands that lead through it; none where none are known."""
        return () if self._whole is None else self._whole.trace.commands

    def begin(self) -> Told:
        """Start its process."""
        self.close()
        self.__dict__.pop("_own", None)
        self._live = LiveGame(self.story, patience=self._patience)
        self._texts = [self._live.first]
        return Told(self._live.first, self._live.over)

    def send(self, command: str) -> Told:
        """Give it a command. Raises `WorldError` where it crashes or hangs."""
        told = Told(*self._playing.send(command))
        self._texts.append(told.text)
        return told

    def trajectory(self) -> Maze:
        """Return the maze of the commands so far, recorded."""
        if self._own is not None:
            return self._own.maze
        acts = ("Init", *self._playing.commands)
        walk = (WalkStep(number, act, text) for number, (act, text) in enumerate(
            zip(acts, self._texts, strict=True)))  # fmt: skip
        return Maze(self.name, (), (), tuple(walk), len(acts) - 1)

    def coverage(self) -> Coverage | None:
        """Return how much it is of the map that its walkthrough shows."""
        if self._whole is None:
            return None
        called = {} if self._own is None else same_places(self._own, self._whole)
        return coverage(self.trajectory(), self._whole.maze, called)

    def score(self) -> GameScore | None:
        """Return what the game says of the score."""
        found = self._playing.score()
        return None if found is None else GameScore(*found)

    def close(self) -> None:
        """End its process."""
        if self._live is not None:
            self._live.close()
            self._live = None

    @property
    def _playing(self) -> LiveGame:
        if self._live is None:
            raise ValueError(f"game {self.name!r} was not begun")
        return self._live

    @cached_property
    def _own(self) -> Recording | None:
        """The commands so far, recorded; None where nobody moves. Read once they are all there.

        Raises `WorldError` where the game plays otherwise than before.
        """
        commands = self._playing.commands
        if not commands:
            return None
        player = 0 if self._whole is None else self._whole.trace.player
        try:
            played = trace(self.story, commands, patience=self._patience, player=player)
        except PlayerUnknownError:
            return None
        for seen, text in zip(played.seen, self._texts, strict=True):
            if seen.text != text:
                raise WorldError(
                    f"{self.story}: step {seen.step}, {seen.action!r}: the game answers otherwise "
                    "when it is played again: no map of it can be recorded"
                )
        return read_off(tested(played, self._patience), name=self.name)

    @cached_property
    def _whole(self) -> Recording | None:
        try:
            played = trace(self.story, self._commands, patience=self._patience)
        except WorldError:
            if self._commands is not None:
                raise
            return None  # Jericho has no walkthrough of it
        return read_off(tested(played, self._patience), name=self.name)


def same_places(own: Recording, whole: Recording) -> Mapping[str, str]:
    """Return how another recording of a game calls the places of one.

    Two recordings name a place by its title, and tell namesakes apart as they can; its objects are
    the same in both. Where they are those of several places, the name decides, or nothing does.
    """
    of: dict[str, set[str]] = {}
    for place, codes in whole.codes.items():
        for code in codes:
            of.setdefault(code, set()).add(place)
    found = {}
    for place in own.maze.places:
        several = set().union(*(of.get(code, set()) for code in own.codes[place]))
        if place in several:
            found[place] = place
        elif len(several) == 1:
            found[place] = several.pop()
    return found

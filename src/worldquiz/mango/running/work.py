"""What the life of a run (`worldquiz.runs.life`) is told of MANGO: prompts about some mazes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.mango import extra
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.answerers import Answerer
from worldquiz.mango.running.folder import fingerprints, keep_mazes
from worldquiz.mango.running.replies import Key, Replies, key
from worldquiz.runs.executor import Done
from worldquiz.runs.journal import ANSWERS, Lines
from worldquiz.version import own_version


@dataclass(frozen=True)
class MazeWork:
    """Prompts, who answers them, and how a finished run is scored."""

    kind: str
    mazes: Mapping[str, Maze]
    prompts: Prompts[Any]
    answerer: Answerer
    settings: Mapping[str, Any]  # of what is asked, as the manifest tells them
    task: Callable[[], Any]  # makes inspect's task of the prompts
    scored: Callable[[Path, Replies], dict[str, Any]]
    whole: str = ANSWERS  # the file of all replies
    noun = "questions"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Who answers what about which mazes."""
        return {
            "kind": self.kind,
            **self.answerer.record(),
            "versions": own_version(),
            **self.settings,
            "mazes": fingerprints(self.mazes),
        }

    @cached_property
    def units(self) -> Sequence[Key]:
        """The keys of what is asked, in order."""
        return [key(self.prompts.about(item)) for item in self.prompts.items.values()]

    def require(self) -> None:
        """Raise what says that answers cannot be scored, or that the answerer cannot answer."""
        extra.require()
        self.answerer.require()

    def begin(self, out: Path) -> None:
        """Write the mazes, so that the run stands by itself."""
        keep_mazes(out, self.mazes, kind=self.kind)

    def kept(self, out: Path, done: Done) -> Replies:
        """Open the replies."""
        return Lines(out, key, done, whole=self.whole)

    def produce(self, left: Sequence[Key], kept: Replies, out: Path) -> None:
        """Have the rest answered."""
        self.answerer.answer(self.prompts, kept, out, self.task)

    def score(self, out: Path, kept: Replies) -> dict[str, Any]:
        """Return the scores of the finished run."""
        return self.scored(out, kept)

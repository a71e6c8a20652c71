"""Items of a run: each is shown to an answerer, whose reply becomes a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from worldquiz.facts.row import Row
from worldquiz.runs.rows import ItemKey

Line = Mapping[str, Any]
"""A reply as it is kept before grading (`runs.rows`): ``reply``, ``status``, ``usage``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """An item as it is shown to an answerer."""

    question: str  # with the form of the reply
    reading: str = ""  # the text before it, which all questions about a world share
    gap: str = "\n\n"  # text between the two
    pictures: Sequence[bytes] = ()  # PNG files

    @property
    def words(self) -> str:
        """The text in full."""
        return f"{self.reading}{self.gap}{self.question}" if self.reading else self.question


@dataclass(frozen=True, slots=True, kw_only=True)
class RunItem:
    """One question of a run, or a walk, which is answered in several turns (`Turns`)."""

    key: ItemKey
    shown: Callable[[], Shown]  # made when it is asked: pictures are large
    row: Callable[[Line, str], Row]  # from a reply's line and the answerer's name
    choices: tuple[str, ...] = ()
    walked: bool = False


class Turns(Protocol):
    """A walk in progress: each turn shows something and gets a reply, until the walk is over."""

    @property
    def words(self) -> str:
        """Text that is shown before the next reply."""

    @property
    def pictures(self) -> Sequence[bytes]:
        """Pictures (PNG files) that are shown with the text."""

    @property
    def over(self) -> bool:
        """True once no further reply is expected."""

    @property
    def line(self) -> Line:
        """The walk as the line of a reply before it is graded (`runs.rows`)."""

    def say(self, reply: str) -> object:
        """Receive a reply, and go on to the next turn."""

"""Replies of a model to MANGO's questions, kept as they come (`worldquiz.runs.journal`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from worldquiz.llm.records import Usage
from worldquiz.mango.scoring.answers import about
from worldquiz.mango.scoring.grade import Question
from worldquiz.runs.executor import Done
from worldquiz.runs.journal import ANSWERS, Lines

Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Said:
    """One reply."""

    question: Question
    steps: int  # of the walkthrough that were read
    reply: str
    status: str | None  # "overflow" or "filtered" where the provider gave no answer
    usage: Usage

    def line(self) -> dict[str, Any]:
        """Return it as a line of answers."""
        return {
            **about(self.question), "steps": self.steps, "reply": self.reply,
            "status": self.status, "usage": spent(self.usage),
        }  # fmt: skip


def key(line: Mapping[str, Any]) -> Key:
    """Return which question a line answers."""
    return line["game"], line["task"], line["id"]


def key_of(item: Item) -> Key:
    """Return where the reply to something is kept."""
    return item.game, str(item.task), item.id


def spent(usage: Usage) -> dict[str, Any]:
    """Return usage as a line of answers tells it."""
    told = asdict(usage)
    return {name: told[name] for name in ("calls", "input", "cached", "output", "cost")}


class Item(Protocol):
    """Something that is asked: a question of MANGO's, a minigame, a step of a walkthrough."""

    @property
    def game(self) -> str:
        """The maze that it is about."""
        ...

    @property
    def task(self) -> str:
        """What kind of thing it is."""
        ...

    @property
    def id(self) -> str:
        """What tells it from others of its kind and maze."""
        ...


class Line(Protocol):
    """A reply with what it replies to."""

    def line(self) -> dict[str, Any]:
        """Return it as a line of answers, with the item's ``game``, ``task`` and ``id``."""
        ...


class Journal(Lines[Key]):
    """Replies so far. One process at a time writes it."""

    def __init__(self, folder: Path, done: Done, *, whole: str = ANSWERS) -> None:
        """Read what is there. Raises `RecordError` for a journal that is none.

        `done` is told of each reply that is added; `whole` is the file of a finished run.
        """
        super().__init__(folder, key, done, whole=whole)

    def has(self, item: Item) -> bool:
        """Tell whether something was answered before."""
        return key_of(item) in self.lines

    def add(self, said: Line) -> None:
        """Keep a reply."""
        self.keep(said.line())

    def finish(self, items: Sequence[Item]) -> Path:
        """Write all answers in the order of what was asked, and do away with the journal."""
        return self.settle([key_of(item) for item in items])

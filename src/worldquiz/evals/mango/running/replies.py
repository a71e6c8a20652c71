"""Replies of a model to MANGO's questions, kept as they come.

A run's folder is begun with its manifest. Each reply goes to the end of a journal; a line that a
killed process left half written is dropped when the journal is read again. When every question has
its reply, ``answers.jsonl`` is written whole, in the order of the questions, and the journal goes.
So a killed run asks nothing twice and ends with the bytes of an undisturbed one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from worldquiz.errors import RecordError
from worldquiz.evals.mango.scoring.answers import about
from worldquiz.metrics.mango.grade import Question
from worldquiz.model.io import read_bytes, write_text
from worldquiz.model.llm import Usage

ANSWERS = "answers.jsonl"

Key = tuple[str, str, str]
Done = Callable[[str], None]


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


class Journal:
    """Replies so far. One process at a time writes it."""

    def __init__(self, folder: Path, done: Done, *, whole: str = ANSWERS) -> None:
        """Read what is there. Raises `RecordError` for a journal that is none.

        `done` is told of each reply that is added; `whole` is the file of a finished run.
        """
        self.done = done
        self._path = folder / f".{whole.removesuffix('.jsonl')}.journal"
        self._whole = folder / whole
        self.lines: dict[Key, dict[str, Any]] = {}
        path = self._whole if self._whole.is_file() else self._path
        if path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        kept = 0
        for number, text in enumerate(read_bytes(path).splitlines(keepends=True), start=1):
            if not text.endswith(b"\n"):
                break
            try:
                line = json.loads(text)
                self.lines[key(line)] = line
            except (ValueError, KeyError, TypeError) as error:
                raise RecordError(
                    f"{path}:{number}: is no reply; delete the file's rest"
                ) from error
            kept += len(text)
        if path == self._path:
            with path.open("r+b") as stream:
                stream.truncate(kept)

    def has(self, item: Item) -> bool:
        """Tell whether something was answered before."""
        return key_of(item) in self.lines

    def add(self, said: Line) -> None:
        """Keep a reply."""
        line = said.line()
        self.lines[key(line)] = line
        text = json.dumps(line, sort_keys=True, ensure_ascii=False)
        with self._path.open("ab") as stream:
            stream.write(text.encode() + b"\n")
        self.done(line["id"])

    def finish(self, items: Sequence[Item]) -> Path:
        """Write all answers in the order of what was asked, and do away with the journal."""
        lines = [self.lines[key_of(item)] for item in items]
        texts = (json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines)
        write_text(self._whole, "".join(texts))
        self._path.unlink(missing_ok=True)
        return self._whole

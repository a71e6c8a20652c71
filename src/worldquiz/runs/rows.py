"""Rows as a run keeps them: ``rows.jsonl``, one JSON object a line, in the order of the questions.

    {"benchmark", "agent", "answerer", "world", "level", "item", "type", "format", "prompt",
     "choices", "gold", "reply", "answer", "shown", "episode", "step", "status", "correct",
     "unscored", "points", "guess", "cause", "usage", "seconds", "measures"}

These are the fields of `Row` but for the run, which is the folder's name. Every use of a finished
run reads them here. A run of single questions (`exam.exam`) keeps nothing else: rows go to a
journal as they come, and a killed run goes on from there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import Told, check, write_text
from worldquiz.runs.executor import Done
from worldquiz.runs.journal import AnswerLine, Lines, UsageLine, finished_file
from worldquiz.runs.losses import FAILED, unit_name

ROWS = "rows.jsonl"
K = TypeVar("K", bound=Hashable)
ItemKey = tuple[str, str, str]
"""A question of a run: its world, its type and its id."""
_KEPT = tuple(each.name for each in fields(Row) if each.name != "run")


@dataclass(frozen=True, kw_only=True)
class RowLine:
    """A line of ``rows.jsonl``."""

    benchmark: str
    answerer: str
    world: str
    item: str
    type: str
    format: str
    prompt: str
    gold: str
    reply: str
    shown: bool
    status: AnswerStatus
    correct: float | None
    agent: str | None = None
    level: str | None = None
    choices: Sequence[str] = ()
    answer: str | None = None
    episode: int | None = None
    step: int | None = None
    unscored: str | None = None
    points: float | None = None
    guess: float | None = None
    cause: str | None = None
    usage: UsageLine | None = None
    seconds: float | None = None
    measures: Mapping[str, Any] = field(default_factory=dict)


def kept(row: Row) -> dict[str, Any]:
    """Return a row as its line holds it."""
    told = {name: getattr(row, name) for name in _KEPT}
    return {**told, "choices": list(row.choices), "status": str(row.status)}


def row_of(line: Mapping[str, Any], run: str) -> Row:
    """Return the row that a line of a run holds."""
    told = {name: line[name] for name in _KEPT if name in line}
    choices, status = tuple(told.pop("choices", ())), AnswerStatus(told.pop("status"))
    return Row(run=run, **told, choices=choices, status=status)


def write_rows(folder: Path, rows: Iterable[Row], name: str = ROWS) -> None:
    """Write the rows of a run, whole or not at all."""
    text = (json.dumps(kept(row), sort_keys=True, ensure_ascii=False) for row in rows)
    write_text(folder / name, "".join(f"{line}\n" for line in text))


def read_rows(folder: Path, of: type[RowLine] = RowLine) -> Iterator[Row]:
    """Yield the rows of a finished run, in order; `of` says which measures its lines must have.

    Raises `RecordError` where it is not finished, and for a line that is no row.
    """
    return rows_in(finished_file(folder, ROWS), of, folder.resolve().name)


def rows_in(path: Path, of: type[RowLine] = RowLine, run: str = "") -> Iterator[Row]:
    """Yield the rows of a file, one after the other. Raises `RecordError`."""
    with path.open("rb") as lines:
        for number, text in enumerate(lines, start=1):
            check(text, of, f"{path}:{number}")
            yield row_of(json.loads(text), run)


def by_item(line: Mapping[str, Any]) -> ItemKey:
    """Return which question a line of a row, or of a reply, is about."""
    return line["world"], line["type"], line["item"]


def about_item(key: ItemKey) -> dict[str, str]:
    """Return the part of a line that says which question it is about."""
    return dict(zip(("world", "type", "item"), key, strict=True))


class RowLines(Lines[K]):
    """Replies that are kept as lines while a run goes on, and as rows once it is settled."""

    def __init__(
        self,
        folder: Path,
        key: Callable[[Mapping[str, Any]], K],
        done: Done,
        rows: Callable[[Mapping[K, Mapping[str, Any]]], Iterable[Row]],
        line: Callable[[Mapping[str, Any]], dict[str, Any] | None],
        of: Any = AnswerLine,
    ) -> None:
        """Read the lines kept so far, or the rows of a settled run.

        `rows` makes the rows of some lines, `line` the line of a row's, None where another row
        holds it; `key` and `of` as of `Lines`.
        """
        self._rows, self._line = rows, line
        super().__init__(folder, key, done, whole=ROWS, of=of)

    def _take_settled(self, text: bytes, where: str) -> None:
        check(text, RowLine, where)
        if (line := self._line(Told(json.loads(text), where))) is not None:
            self._put(Told(line, where), where)

    def settle(self, keys: Sequence[K]) -> Path:
        """Write the rows of some lines, in the order of their keys, and drop the journal."""
        if not self._whole.is_file():
            write_rows(self.folder, self._rows({key: self.lines[key] for key in keys}))
        self._file.path.unlink(missing_ok=True)
        return self._whole


class Rows(Lines[ItemKey]):
    """The rows of a run, kept as their replies come. One process at a time writes them."""

    def __init__(
        self, folder: Path, done: Done, graded: Callable[[Mapping[str, Any]], Row]
    ) -> None:
        """Read the rows kept so far; `graded` makes the row of a reply's line.

        A reply's line is ``{"world", "type", "item", "reply", "status"?, "usage"?, "seconds"?,
        "failure"?}``, as `llm.asking` and `human` make it.
        """
        super().__init__(folder, by_item, done, whole=ROWS, of=RowLine)
        self._graded = graded

    def keep(self, line: Mapping[str, Any]) -> None:
        """Grade a reply and keep its row."""
        super().keep(kept(self._graded(line)))

    def failed(self) -> dict[str, str]:
        """Return why questions failed, by their names."""
        return {
            unit_name(key): str(line["unscored"])
            for key, line in self.lines.items()
            if line["status"] == FAILED
        }

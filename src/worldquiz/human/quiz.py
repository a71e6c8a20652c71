"""The quiz that a run asked, for a person to answer.

The quiz of an exam (`exam.exam`) is made of the run's rows: a person reads what the exam gives for
a world, then answers its questions by choice or in words. Their answers are kept as lines of
``answers.jsonl``

    {"world", "type", "item", "reply", "said", "seconds", "changes"}

where ``reply`` is `ABSTAIN` if the person says that the question cannot be answered, and become
rows like those of any other run.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.question import ABSTAIN
from worldquiz.facts.row import Row
from worldquiz.human.sheet import Item, Key, Line, Sheet, Shown, by_world, one_of, text_of
from worldquiz.report.labels import decimal
from worldquiz.runs.benchmark import benchmarks, kind_of_run
from worldquiz.runs.folder import MANIFEST, answered_by, begin, by_person
from worldquiz.runs.rows import about_item, by_item, write_rows
from worldquiz.runs.run import Run
from worldquiz.stats.row_scores import scores
from worldquiz.version import own_version

_NAME = re.compile(r"\w(?:[\w .-]{0,62}\w)?")


def named(name: str) -> str:
    """Return a person's name as it is kept. Raises `KnobError` for one that names no file."""
    told = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(told):
        raise KnobError(
            f"--name {name!r}: give up to 64 letters, digits, spaces, dots and hyphens, the first "
            "and the last a letter or digit"
        )
    return told


def folder_of(run: Path, name: str) -> Path:
    """Return where a person's run goes by default: beside the run, ``RUN-NAME``."""
    here = run.resolve()
    return here.with_name(f"{here.name}-{name}")


def quiz_of(run: Path, name: str, data: Path | None = None) -> Sheet:
    """Return the quiz that a run asked, for a person of some name.

    `data` is the folder that the run is about, where the run needs it and it was moved. Raises
    `RecordError` for a folder that is no run, or one that has nothing for people.
    """
    _, kind = kind_of_run(run)
    if kind.sheet is not None:
        return kind.sheet(run, name, data)
    if kind.exam is None:
        kinds = [each for every in benchmarks().values() for each in every.runs]
        asked = dict.fromkeys(f"`{each.command}`" for each in kinds if each.sheet or each.exam)
        others = " or ".join(asked) or "another benchmark"
        raise RecordError(f"{run}: a {kind.noun} has no quiz for people: give a run of {others}")
    return RowsSheet(run, name, data)


class RowsSheet(Sheet):
    """The questions of a run, world by world."""

    passing = "This cannot be answered"

    def __init__(self, run: Path, name: str, data: Path | None = None) -> None:
        """Read what a run asked. Raises `RecordError` if it is not finished."""
        self._run, self._name = Run(run), name
        assert self._run.kind.exam is not None  # `quiz_of` looks
        self._exam = self._run.kind.exam(run, data)
        self._rows: dict[Key, Row] = {
            (row.world, row.type, row.item): row for row in self._run.rows
        }
        self.title = self._run.benchmark.title
        self.about = (
            "You read a text about each world, then you answer questions about it.",
            f"Where a question cannot be answered, “{self.passing}” is the right answer; a guess "
            "is not.",
        )
        self.parts, self.items = by_world(self._rows)
        self.order = tuple(self._rows)

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return which question a line answers."""
        return by_item(line)

    def begin(self, out: Path) -> None:
        """Begin or resume a run: the run's manifest, but for who answers."""
        told = by_person(self._run.manifest, self._name)
        versions = {**told.get("versions", {}), **own_version()}
        begin(out, MANIFEST, {**told, "versions": versions})

    def reading(self, part: int) -> str:
        """Return the text about a world."""
        return str(self._exam.reading(self.parts[part].name))

    def shown(self, item: Item) -> Shown:
        """Return a question without its answer."""
        row = self._rows[item.key]
        if choices := _choices(row):
            return {"words": row.prompt, "form": "choice", "choices": list(choices)}
        return {"words": row.prompt, "form": "text", "hint": row.format.replace("_", " ")}

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return an answer as a line. Raises `ValueError` for one that is none."""
        row = self._rows[item.key]
        choices = _choices(row)
        reply = ABSTAIN if said is None else one_of(said, choices) if choices else text_of(said)
        about = about_item((row.world, row.type, row.item))
        return {**about, "reply": reply, "said": said, "seconds": seconds}

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Grade the answers and score the rows."""
        who = answered_by(by_person({}, self._name))
        rows = tuple(self._exam.rows((lines[key] for key in self.order), who))
        write_rows(out, rows)
        return scores(rows)

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the mean score, and that of each type."""
        cells = {"all questions": scores, **scores["by_type"]}
        return [(f"{name} ({cell['counts']['scored']} asked)", decimal(cell["score"]))
                for name, cell in cells.items()]  # fmt: skip


def _choices(row: Row) -> tuple[str, ...]:
    return row.choices or (("yes", "no") if row.format == "yes_no" else ())

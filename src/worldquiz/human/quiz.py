"""Quiz for a person: the questions of a run, and the person's answers to them.

A benchmark supplies a `Quiz`: questions in words and pictures, and how an answer becomes part of a
run; an `ItemsQuiz` is made from a run's items. A `Sitting` is one person's work on it. Each answer
goes to a journal at once, with the seconds for which the page was visible, so nothing is lost if
the page is loaded again or the server is killed. The lines of ``answers.jsonl`` are

    {"world", "type", "item", "reply", "said", "seconds", "changes"}

A person can change an answer until the quiz is handed in. The last answer counts, ``seconds`` adds
up the time for all of them, and ``changes`` counts the changes. Before the end, the pages show no
true answer, grade or id (an id can name the answer).
"""

from __future__ import annotations

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.replies import READER
from worldquiz.facts.row import ABSTAIN, Row
from worldquiz.runs.benchmark import kind_of_run
from worldquiz.runs.executor import silent
from worldquiz.runs.folder import MANIFEST, answered_by, begin, by_person
from worldquiz.runs.items import RunItem
from worldquiz.runs.rows import ItemKey, Lines, about_item, by_item, write_rows
from worldquiz.runs.run import Run
from worldquiz.version import own_version

LONGEST = 3600.0
"""Most seconds counted for one look at a question; a longer look counts as absence."""
Line = Mapping[str, Any]
_NAME = re.compile(r"\w(?:[\w .-]{0,62}\w)?")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question as shown to a person; the answer is a choice or free text."""

    key: ItemKey  # never sent to the browser
    part: str  # the world or kind of question to which it belongs
    words: str
    choices: tuple[str, ...] = ()
    hint: str = ""  # the kind of answer that is expected
    longest: int = 500  # characters of an answer in words
    pictures: int = 0
    view: tuple[int, int, float] | None = None
    """Width, height (pixels) and height in degrees of the first picture, if it is a whole view."""
    draw: str | None = None  # what an answer in words draws on it: a "box" or a "solid"


class Quiz(ABC):
    """The questions of a run, for a person."""

    title: str
    about: tuple[str, ...]
    """Paragraphs that a person reads before the quiz."""
    passing: str
    """Label of the button for abstaining."""
    passed: str | None = ABSTAIN
    """The reply that this button gives."""
    asked: Sequence[Asked]
    """The questions, in the order of the run's rows."""
    manifest: Mapping[str, Any]
    """The manifest of the person's run."""

    def begin(self, out: Path) -> None:
        """Begin or resume a run in a locked folder. Raises `RecordError` if it holds another."""
        told = {**self.manifest, "versions": own_version(), "reader": READER}
        begin(out, MANIFEST, told)

    def reading(self, part: str) -> str:
        """Return the text to read for a part: paragraphs, headings ("# ..."), actions ("> ...")."""
        return ""

    def picture(self, asked: Asked, number: int) -> bytes:
        """Return a picture as PNG. Raises `IndexError` if there is none."""
        raise IndexError(number)

    def reply(self, asked: Asked, said: str) -> str:
        """Return the reply to grade for an answer. Raises `ValueError` for an invalid answer."""
        return said

    @abstractmethod
    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Write the files of a finished run."""


class ItemsQuiz(Quiz):
    """A quiz made from the items of a run (`exam.asking`), world by world."""

    passing = "This cannot be answered"
    about = (
        "The text about each world is beside its questions.",
        f"Where a question cannot be answered, “{passing}” is the right answer; a guess is not.",
    )

    def __init__(self, work: Any, manifest: Mapping[str, Any], name: str) -> None:
        """Make a quiz from a run's items (`exam.asking.ItemsRun`) and its manifest."""
        self.work = work
        if work.benchmark is not None:
            self.title = work.benchmark.title
        self._items: Mapping[ItemKey, RunItem] = work.items
        self.manifest = by_person(manifest, name)
        self.rows = {
            key: item.row({**about_item(key), "reply": ""}, name)
            for key, item in self._items.items()
        }
        self.asked = [self.ask(row) for row in self.rows.values()]

    def ask(self, row: Row) -> Asked:
        """Return a question as shown to a person, from a row that has no answer yet."""
        return Asked(
            key=(row.world, row.type, row.item), part=row.world, words=row.prompt,
            choices=row.choices or (("yes", "no") if row.format == "yes_no" else ()),
            hint=row.format.replace("_", " "),
        )  # fmt: skip

    def begin(self, out: Path) -> None:
        """Begin or resume a run on the same data."""
        super().begin(out)
        self.work.begin(out)

    def reading(self, part: str) -> str:
        """Return the text about a world."""
        first = next(item for key, item in self._items.items() if key[0] == part)
        return first.shown().reading

    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Grade the answers."""
        who = answered_by(self.manifest)
        write_rows(out, (self._items[by_item(line)].row(line, who) for line in lines))


def quiz_of(run: Path, name: str, data: Path | None = None) -> Quiz:
    """Return the questions of a run as a quiz for the person `name`.

    `data` is the run's data folder, needed only if that folder was moved. Raises `RecordError`
    unless `run` is a run with a quiz for people.
    """
    _, kind = kind_of_run(run)
    if kind.sheet is None:
        raise RecordError(f"{run}: a {kind.noun} has no quiz for people: choose another run")
    found: Quiz = kind.sheet(run, name, data)
    return found


def named(name: str) -> str:
    """Return a person's normalized name. Raises `KnobError` if it cannot be part of a file name."""
    told = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(told):
        raise KnobError(
            f"--name {name!r}: use up to 64 letters, digits, spaces, dots and hyphens; begin and "
            "end with a letter or digit"
        )
    return told


def folder_of(run: Path, name: str) -> Path:
    """Return the default folder for a person's answers to a run's quiz: ``RUN-NAME``, beside it."""
    here = run.resolve()
    return here.with_name(f"{here.name}-{name}")


class Sitting:
    """A quiz that a person is answering, in a locked folder; `place` is a question's number."""

    def __init__(self, quiz: Quiz, out: Path) -> None:
        """Begin or resume a quiz. Raises `RecordError` if the folder holds anything else."""
        quiz.begin(out)
        self.quiz, self.out = quiz, out
        parts = {part: n for n, part in enumerate(dict.fromkeys(q.part for q in quiz.asked))}
        self.asked = sorted(quiz.asked, key=lambda each: parts[each.part])
        self._kept: Lines[ItemKey] = Lines(out, by_item, silent, "answers.jsonl")
        self.summary: dict[str, Any] | None = None

    @property
    def lines(self) -> Mapping[ItemKey, Line]:
        """The answers so far."""
        return self._kept.lines

    @property
    def complete(self) -> bool:
        """True if all questions are answered."""
        return all(each.key in self.lines for each in self.asked)

    def answer(self, place: int, said: str | None, seconds: float) -> None:
        """Keep an answer to the question with the number `place`; None means abstaining.

        Raises `IndexError` if there is no such question, `ValueError` if the answer is invalid.
        """
        asked = self.asked[place]
        if self.summary is not None:
            raise ValueError("this quiz has been handed in")
        if not 0 <= seconds < inf:
            raise ValueError("seconds: expected a number of 0 or more")
        reply = self.quiz.passed
        if said is not None:
            if asked.choices and said not in asked.choices:
                raise ValueError("choose an answer first")
            if not said.strip():
                raise ValueError("write an answer first")
            if len(said) > asked.longest:
                raise ValueError(f"the answer has {len(said)} letters: use at most {asked.longest}")
            reply = self.quiz.reply(asked, " ".join(said.split()))
        before = self.lines.get(asked.key, {"seconds": 0.0, "said": said, "changes": 0})
        self._kept.keep({
            **about_item(asked.key), "reply": reply, "said": said,
            "seconds": round(before["seconds"] + min(seconds, LONGEST), 2),
            "changes": before["changes"] + (before["said"] != said),
        })  # fmt: skip

    def finish(self) -> dict[str, Any]:
        """Hand in all answers; return a summary. Raises `ValueError` if an answer is missing."""
        if left := sum(each.key not in self.lines for each in self.asked):
            raise ValueError(f"{left} questions are not answered yet")
        keys = [each.key for each in self.quiz.asked]
        self._kept.settle(keys)
        self.quiz.keep(self.out, [self.lines[key] for key in keys])
        run = Run(self.out)
        run.keep(run.computed())
        every = [line["seconds"] for line in self.lines.values()]
        self.summary = {
            "run": str(self.out),
            "answers": len(every),
            "passed": sum(line["said"] is None for line in self.lines.values()),
            "changed": sum(line["changes"] > 0 for line in self.lines.values()),
            "seconds": round(sum(every), 1),
            "scores": dict(run.scores),
        }
        return self.summary

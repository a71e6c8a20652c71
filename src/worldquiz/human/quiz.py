"""The quiz that a run asked, for a person to answer.

A `Quiz` is what a benchmark supplies: questions in words and pictures, and how an answer becomes
part of a run; an `ItemsQuiz` is made of a run's items. A `Sitting` is one person's
way through it. Each answer goes to a journal at once, with the seconds in which the page was looked
at, so nothing is lost where the page is loaded again or the server is killed. The lines of
``answers.jsonl`` are

    {"world", "type", "item", "reply", "said", "seconds", "changes"}

One may go back and change an answer until all is handed in: the last one counts, its time is that
of all its answers, and ``changes`` tells how often it was changed. Nothing that is shown before the
end holds an answer, a grade, or an id (ids can name what is asked for).
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
"""Most seconds counted for one look at a question; after them the person is taken to be away."""
Line = Mapping[str, Any]
_NAME = re.compile(r"\w(?:[\w .-]{0,62}\w)?")


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question as shown to a person; the answer is a choice or free text."""

    key: ItemKey  # it stays on this side
    part: str  # the world or kind of question that it goes with
    words: str
    choices: tuple[str, ...] = ()
    hint: str = ""  # which words are wanted
    longest: int = 500  # letters of an answer in words
    pictures: int = 0
    view: tuple[int, int, float] | None = None
    """Width and height of the first picture, if it is a whole view, with its degrees of height."""
    draw: str | None = None  # what the words draw on it: a "box", or a "solid"


class Quiz(ABC):
    """The questions of a run, as a person takes them."""

    title: str
    about: tuple[str, ...]
    """What a person is told before it begins."""
    passing: str
    """Words of the button for abstaining."""
    passed: str | None = ABSTAIN
    """The reply that this button stands for."""
    asked: Sequence[Asked]
    """What is asked, in the order of the run's rows."""
    manifest: Mapping[str, Any]
    """The manifest of the person's run."""

    def begin(self, out: Path) -> None:
        """Begin or resume a run in a claimed folder. Raises `RecordError`."""
        told = {**self.manifest, "versions": own_version(), "reader": READER}
        begin(out, MANIFEST, told)

    def reading(self, part: str) -> str:
        """Return what is to be read for a part: paragraphs, some "# a heading", "> an act"."""
        return ""

    def picture(self, asked: Asked, number: int) -> bytes:
        """Return a picture as PNG. Raises `IndexError` where there is none."""
        raise IndexError(number)

    def reply(self, asked: Asked, said: str) -> str:
        """Return an answer as it is graded. Raises `ValueError` for an invalid one."""
        return said

    @abstractmethod
    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Write what a finished run of the benchmark holds."""


class ItemsQuiz(Quiz):
    """The items of a run (`exam.asking`), world by world."""

    passing = "This cannot be answered"
    about = (
        "A text about each world stands beside the questions about it.",
        f"Where a question cannot be answered, “{passing}” is the right answer; a guess is not.",
    )

    def __init__(self, work: Any, manifest: Mapping[str, Any], name: str) -> None:
        """Take the items of a run, an `exam.asking.ItemsRun`, and its manifest."""
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
        """Return a question as shown to a person, from its row without an answer."""
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
    """Return the quiz that a run asked, for a person of some name.

    `data` is the folder that the run is about, where the run needs it and it was moved. Raises
    `RecordError` for a folder that is no run, or one that has nothing for people.
    """
    _, kind = kind_of_run(run)
    if kind.sheet is None:
        raise RecordError(f"{run}: a {kind.noun} has no quiz for people: choose another run")
    found: Quiz = kind.sheet(run, name, data)
    return found


def named(name: str) -> str:
    """Return a person's name as it is kept. Raises `KnobError` for one that cannot name a file."""
    told = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(told):
        raise KnobError(
            f"--name {name!r}: use up to 64 letters, digits, spaces, dots and hyphens; begin and "
            "end with a letter or digit"
        )
    return told


def folder_of(run: Path, name: str) -> Path:
    """Return where a person's run goes by default: beside the run, ``RUN-NAME``."""
    here = run.resolve()
    return here.with_name(f"{here.name}-{name}")


class Sitting:
    """A quiz that is being answered, in a claimed folder; items are called by their places."""

    def __init__(self, quiz: Quiz, out: Path) -> None:
        """Begin or resume it. Raises `RecordError` if the folder holds anything else."""
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
        """True if every question is answered."""
        return all(each.key in self.lines for each in self.asked)

    def answer(self, place: int, said: str | None, seconds: float) -> None:
        """Keep an answer to the question at a place; None abstains.

        Raises `IndexError` for no such place, `ValueError` saying what is wrong with the answer.
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
                raise ValueError(f"{len(said)} letters are too many; the limit is {asked.longest}")
            reply = self.quiz.reply(asked, " ".join(said.split()))
        before = self.lines.get(asked.key, {"seconds": 0.0, "said": said, "changes": 0})
        self._kept.keep({
            **about_item(asked.key), "reply": reply, "said": said,
            "seconds": round(before["seconds"] + min(seconds, LONGEST), 2),
            "changes": before["changes"] + (before["said"] != said),
        })  # fmt: skip

    def finish(self) -> dict[str, Any]:
        """Hand everything in, and return a summary. Raises `ValueError` if a question is left."""
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

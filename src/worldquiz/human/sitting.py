"""State of one person's quiz session: answers, times, and the next question.

Each answer goes to the journal at once, with the seconds in which the page was looked at, so that
nothing is lost where the page is loaded again or the server is killed.

One may go back and change an answer until all is handed in: the last one counts, its time is that
of all its answers, and ``changes`` tells how often it was changed. No answer and no grade is told
before the end, so there is nothing to be gained but slips undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from worldquiz.human.sheet import Item, Key, Line, Sheet, Shown
from worldquiz.records import write_json
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import SCORES
from worldquiz.runs.journal import Lines

LONGEST = 3600.0
"""Seconds that count of one look at a question: after them nobody is there."""


class Sitting:
    """A quiz that is being answered, in a claimed folder."""

    def __init__(self, sheet: Sheet, out: Path, done: Done) -> None:
        """Begin it, or go on. Raises `RecordError` where the folder holds anything else."""
        sheet.begin(out)
        self.sheet, self.out = sheet, out
        self._kept: Lines[Key] = Lines(out, sheet.key, done)
        self.summary: dict[str, Any] | None = None

    @property
    def lines(self) -> Mapping[Key, Line]:
        """The answers so far."""
        return self._kept.lines

    @property
    def complete(self) -> bool:
        """True if every item is answered."""
        return all(item.key in self.lines for item in self.sheet.items)

    def state(self) -> Shown:
        """Return what the page shows around the questions."""
        sheet = self.sheet
        first = [item.part for item in sheet.items]
        parts = [
            {"name": part.name, "reads": part.reads, "first": first.index(place),
             "size": first.count(place)}
            for place, part in enumerate(sheet.parts)
        ]  # fmt: skip
        return {
            "title": sheet.title, "about": list(sheet.about), "passing": sheet.passing,
            "caption": sheet.caption, "parts": parts,
            "answered": [item.key in self.lines for item in sheet.items],
        }  # fmt: skip

    def item(self, number: int) -> Item:
        """Return an item by its place. Raises `IndexError`."""
        if number < 0:
            raise IndexError(number)
        return self.sheet.items[number]

    def reading(self, part: int) -> str:
        """Return what is to be read for a part. Raises `IndexError`."""
        if not 0 <= part < len(self.sheet.parts):
            raise IndexError(part)
        return self.sheet.reading(part)

    def picture(self, place: int, number: int) -> bytes:
        """Return a picture of an item as PNG. Raises `IndexError`."""
        return self.sheet.picture(self.item(place), number)

    def shown(self, place: int) -> Shown:
        """Return an item with its answer, if any. Raises `IndexError`."""
        item = self.item(place)
        kept = self.lines.get(item.key)
        said = kept["said"] if kept else None
        return {**self.sheet.shown(item), "answered": kept is not None, "said": said}

    def answer(self, number: int, said: Any, seconds: Any) -> None:
        """Keep an answer. Raises `IndexError`, and `ValueError` saying what is wrong with it."""
        item = self.item(number)
        if self.summary is not None:
            raise ValueError("this quiz is handed in")
        known = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not known or not isfinite(seconds) or seconds < 0:
            raise ValueError("seconds: give a number from 0")
        before = self.lines.get(item.key, {"seconds": 0.0, "said": said, "changes": 0})
        spent = round(before["seconds"] + min(seconds, LONGEST), 2)
        changes = before["changes"] + (before["said"] != said)
        self._kept.keep({**self.sheet.line(item, said, spent), "changes": changes})

    def finish(self) -> dict[str, Any]:
        """Hand everything in, and return what came of it. Raises `ValueError` if some is left."""
        left = sum(item.key not in self.lines for item in self.sheet.items)
        if left:
            raise ValueError(f"{left} are not answered yet")
        self._kept.settle(self.sheet.order)
        scores = self.sheet.finish(self.out, self.lines)
        write_json(self.out / SCORES, scores)
        every = [line["seconds"] for line in self.lines.values()]
        self.summary = {
            "run": str(self.out),
            "answers": len(every),
            "passed": sum(line["said"] is None for line in self.lines.values()),
            "changed": sum(line["changes"] > 0 for line in self.lines.values()),
            "seconds": round(sum(every), 1),
            "scores": scores,
        }
        return self.summary

    def headline(self) -> list[tuple[str, str]]:
        """Return the few scores that are shown at the end."""
        return self.sheet.headline(self.summary["scores"]) if self.summary else []

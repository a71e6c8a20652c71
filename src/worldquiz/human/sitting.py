"""State of one person's quiz session: answers, times, and the next question.

Each answer goes to the journal at once, times every few seconds, so that nothing is lost where the
page is loaded again or the server is killed. Time is what the page says that it was looked at.

One may go back and change an answer until all is handed in: the last one counts, its time is that
of all visits, and ``changes`` tells how often it was changed. No answer and no grade is told
before the end, so there is nothing to be gained but slips undone.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from worldquiz.human.sheet import Item, Key, Line, Sheet, Shown
from worldquiz.records import check, parsed, read_text, write_json
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import SCORES
from worldquiz.runs.journal import Lines

CLOCK, TIMES = ".clock.json", "times.json"
"""Seconds so far; and, at the end, those of each part beside the records."""
LONGEST = 3600.0
"""Seconds that a page may add at once."""


class Clock:
    """Seconds by what they were spent on, kept on disk."""

    def __init__(self, path: Path) -> None:
        """Read what is there. Raises `RecordError` for a file that is damaged."""
        self._path = path
        told = read_text(path) if path.is_file() else "{}"
        check(told, dict[str, float], path)
        self.seconds: dict[str, float] = parsed(told, path)

    def add(self, name: str, seconds: Any) -> float:
        """Add what a page tells, and return the sum. Raises `ValueError` for no time."""
        self.seconds[name] = self.sum(name, seconds)
        write_json(self._path, self.seconds)
        return self.seconds[name]

    def sum(self, name: str, seconds: Any) -> float:
        """Return what `add` returns, and keep nothing. Raises `ValueError` for no time."""
        known = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not known or not isfinite(seconds) or not 0 <= seconds <= LONGEST:
            raise ValueError(f"a page was looked at for 0 to {LONGEST:g} seconds at once")
        whole: float = round(self.seconds.get(name, 0.0) + seconds, 2)
        return whole


class Sitting:
    """A quiz that is being answered, in a claimed folder."""

    def __init__(self, sheet: Sheet, out: Path, done: Done) -> None:
        """Begin it, or go on. Raises `RecordError` where the folder holds anything else."""
        sheet.begin(out)
        self.sheet, self.out = sheet, out
        self._kept: Lines[Key] = Lines(out, sheet.key, done)
        self._clock = Clock(out / CLOCK)
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
        answered = [item.key in self.lines for item in sheet.items]
        parts = [
            {"name": part.name, "reads": part.reads, "first": first.index(place),
             "size": first.count(place)}
            for place, part in enumerate(sheet.parts) if place in first
        ]  # fmt: skip
        return {
            "title": sheet.title, "about": list(sheet.about), "passing": sheet.passing,
            "caption": sheet.caption,
            "parts": parts, "answered": answered, "seconds": self.seconds,
            "read": [self._read(place) for place in range(len(sheet.parts))],
            "finished": self.summary is not None,
        }  # fmt: skip

    def _read(self, part: int) -> bool:
        """Tell whether somebody began to read a part, or answered something of it."""
        begun = f"read {self.sheet.parts[part].name}" in self._clock.seconds
        return begun or any(
            item.part == part and item.key in self.lines for item in self.sheet.items
        )

    @property
    def seconds(self) -> float:
        """All that it took so far."""
        return round(sum(self._clock.seconds.values()), 1)

    def item(self, number: int) -> Item:
        """Return an item by its place. Raises `IndexError`."""
        if number < 0:
            raise IndexError(number)
        return self.sheet.items[number]

    def reading(self, part: int) -> Shown:
        """Return what is to be read for a part. Raises `IndexError`."""
        if not 0 <= part < len(self.sheet.parts):
            raise IndexError(part)
        return self.sheet.reading(part)

    def shown(self, number: int) -> Shown:
        """Return an item with its answer, if any. Raises `IndexError`."""
        item = self.item(number)
        kept = self.lines.get(item.key)
        return {
            **self.sheet.shown(item), "number": number, "part": item.part,
            "answered": kept is not None, "said": kept["said"] if kept else None,
            "seconds": self._spent(number),
        }  # fmt: skip

    def spend(self, where: str, place: int, seconds: Any) -> None:
        """Add time spent on an item or on reading a part. Raises `IndexError`, `ValueError`."""
        if where == "read":
            self.reading(place)
            self._clock.add(f"read {self.sheet.parts[place].name}", seconds)
        else:
            self.item(place)
            self._clock.add(str(place), seconds)

    def answer(self, number: int, said: Any, seconds: Any) -> None:
        """Keep an answer. Raises `IndexError`, and `ValueError` saying what is wrong with it."""
        item = self.item(number)
        self._open()
        line = self.sheet.line(item, said, self._clock.sum(str(number), seconds))
        self._clock.add(str(number), seconds)  # only what was accepted took any time
        before = self.lines.get(item.key)
        changes = before["changes"] + (before["said"] != said) if before else 0
        self._kept.keep({**line, "changes": changes})

    def finish(self) -> dict[str, Any]:
        """Hand everything in, and return what came of it. Raises `ValueError` if some is left."""
        left = sum(item.key not in self.lines for item in self.sheet.items)
        if left:
            raise ValueError(f"{left} are not answered yet")
        self._kept.settle(self.sheet.order)
        scores = self.sheet.finish(self.out, self.lines)
        write_json(self.out / SCORES, scores)
        if self._clock.seconds:
            write_json(self.out / TIMES, self._times())
            (self.out / CLOCK).unlink(missing_ok=True)
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

    def _spent(self, number: int) -> float:
        return self._clock.seconds.get(str(number), 0.0)

    def _open(self) -> None:
        if self.summary is not None:
            raise ValueError("this quiz is handed in")

    def _times(self) -> dict[str, dict[str, float]]:
        """Return the seconds of each part."""
        found = {}
        for place, part in enumerate(self.sheet.parts):
            mine = [
                self._spent(number)
                for number, item in enumerate(self.sheet.items)
                if item.part == place
            ]
            read = self._clock.seconds.get(f"read {part.name}", 0.0)
            found[part.name] = {"read": round(read, 1), "quiz": round(sum(mine), 1)}
        return found

"""A quiz as the page needs it: parts with something to read, and items to answer in order.

A sheet turns an item into what may be shown of it, and what a person gives into a line of answers.
Nothing that a quiz shows holds an answer, a grade, or an id (ids can name what is asked for).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, Protocol

Key = tuple[str, ...]
Line = dict[str, Any]
Shown = dict[str, Any]
"""JSON for the page."""
MOST = 500
"""Letters of an answer that is typed."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something that is asked."""

    key: Key  # by which its answer is kept; it stays on this side
    part: int  # its place among the parts


@dataclass(frozen=True, slots=True)
class QuizPart:
    """Items that go together: a world, a maze, or what is asked in one way."""

    name: str
    reads: bool = False  # whether there is something to be read first


def by_world(keys: Iterable[Key]) -> tuple[tuple[QuizPart, ...], tuple[Item, ...]]:
    """Return a part with something to read for each world, and the items world by world.

    Keys begin with the world's name.
    """
    every = tuple(keys)
    worlds = {world: place for place, world in enumerate(dict.fromkeys(key[0] for key in every))}
    items = sorted((Item(key, worlds[key[0]]) for key in every), key=lambda item: item.part)
    return tuple(QuizPart(world, reads=True) for world in worlds), tuple(items)


class Sheet(Protocol):
    """A quiz of some benchmark. One without pictures inherits that it has none."""

    title: str
    """What it is called, with the benchmark's name."""
    about: tuple[str, ...]
    """What a person is told before it begins."""
    passing: str
    """What a person says who cannot answer."""
    caption: str = "What your answers were worth, 0 to 1"
    """What the headline tells at the end."""
    parts: tuple[QuizPart, ...]
    """Its parts, in order."""
    items: tuple[Item, ...]
    """What is asked, in order."""
    order: tuple[Key, ...]
    """The keys of all items in the order in which other runs of the benchmark have them."""

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return which item a line answers."""
        ...

    def begin(self, out: Path) -> None:
        """Begin or resume a run in a claimed folder. Raises `RecordError`."""
        ...

    def reading(self, part: int) -> str:
        """Return what is to be read for a part: paragraphs, some "# a heading", "> an act"."""
        return ""

    def shown(self, item: Item) -> Shown:
        """Return what is asked, and in which form it is answered."""
        ...

    def picture(self, item: Item, number: int) -> bytes:
        """Return a picture of an item as PNG. Raises `IndexError` where there is none."""
        raise IndexError(number)

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return an answer as a line that is kept; None says that one cannot answer.

        Raises `ValueError` saying what is wrong with it.
        """
        ...

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Write what a finished run of the benchmark holds, and return its scores to be written."""
        ...

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the few scores that a person is shown at the end, in words."""
        ...


def text_of(said: Any, most: int = MOST) -> str:
    """Return what was typed. Raises `ValueError` for nothing, and for what nobody types."""
    if not isinstance(said, str) or not said.strip():
        raise ValueError("write an answer first")
    if len(said) > most:
        raise ValueError(f"{len(said)} letters: an answer has {most} at most")
    return " ".join(said.split())


def one_of(said: Any, choices: tuple[str, ...]) -> str:
    """Return what was chosen. Raises `ValueError`."""
    if said not in choices:
        raise ValueError("choose an answer first")
    return str(said)


def number(said: Any, low: float, high: float, unit: str = "") -> float:
    """Return a number. Raises `ValueError`."""
    known = isinstance(said, int | float) and not isinstance(said, bool) and isfinite(said)
    if not known or not low <= said <= high:
        raise ValueError(f"give a number from {low:g} to {high:g}{unit}")
    return float(said)


def numbers(said: Any, count: int, low: float, high: float, unit: str = "") -> list[float]:
    """Return a list of `count` numbers. Raises `ValueError`."""
    if not isinstance(said, list) or len(said) != count:
        raise ValueError(f"give {count} numbers")
    return [number(each, low, high, unit) for each in said]

"""What does a thing look like: its colour, its pattern. Settled by a clear view of it.

What a label gives away is not asked: a banana's colour, or what a bathtub is made of. The colours
that are offered are told apart by anybody: none is near the right one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import dist

from worldquiz.facts.question import Type
from worldquiz.scenes.scene import Pattern, Thing
from worldquiz.tea.recall.quiz.apartment import Apartment
from worldquiz.tea.recall.quiz.kinds import Found, Kind
from worldquiz.tea.recall.quiz.shown import clear, glimpsed
from worldquiz.tea.recall.quiz.words import ONE_COLOUR, PATTERNED

APART = 0.35
"""Distance of two colours' red, green and blue, each 0..1."""


def _colours(flat: Apartment) -> Iterator[Found]:
    plain = [each for each in flat.scene.things if each.paint.pattern is Pattern.PLAIN]
    values = {thing.paint.colour: thing.paint.rgb for thing in reversed(plain)}
    for thing in flat.lone:
        paint = thing.paint
        if paint.pattern is not Pattern.PLAIN or thing.label in ONE_COLOUR or thing.mirror:
            continue
        wrong = [name for name, rgb in values.items() if dist(rgb, paint.rgb) >= APART]
        if len(wrong) >= 2:
            words = f"Which colour has most of the {thing.label}?"
            yield _found(flat, thing, words, paint.colour, wrong)


def _patterns(flat: Apartment) -> Iterator[Found]:
    for thing in flat.lone:
        if thing.label in PATTERNED:
            words = f"Which pattern does the {thing.label} have?"
            yield _found(flat, thing, words, str(thing.paint.pattern), map(str, Pattern))


def _found(flat: Apartment, thing: Thing, words: str, right: str, wrong: Iterable[str]) -> Found:
    choices = flat.choices(right, wrong, words)
    return Found(words, right, clear(thing.id), glimpsed(thing.id), (thing.id,), choices)


COLOUR = Kind("colour", Type.PROPERTY, _colours)
PATTERN = Kind("pattern", Type.PROPERTY, _patterns)

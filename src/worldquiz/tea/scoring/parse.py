"""An answer about a scene, read from a reply and never evaluated.

Prompts ask for one JSON object ``{"answer": ...}``; `facts.replies` finds it. Between other words
the last answer of the kind that is asked for counts. A reply without one is ill-formed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from math import isfinite

from worldquiz.facts.answer_text import declined
from worldquiz.facts.answer_values import named, yes_no
from worldquiz.facts.lenient_json import strict
from worldquiz.facts.replies import answer_said, answer_value, read_object
from worldquiz.records import printable

GREATEST = 1e6
"""Numbers beyond are no answer."""
LONGEST = 6
"""Words that a name may have."""
Value = str | int | float | tuple[float, ...]
"""Boxes: x0, y0, x1, y1 in pixels; in space the middle, then the lengths, in metres."""


class AnswerShape(StrEnum):
    """Type of an answer."""

    NAME = "name"
    CHOICE = "choice"
    COUNT = "count"
    METRES = "metres"
    BOX2 = "box2"
    BOX3 = "box3"


_SAID = re.compile(r"(?:^|\W)answer(?:\s{1,3}is)?\s{0,3}[:=*]{0,4}\s{0,3}", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d{1,12}(?:\.\d{1,12})?(?!\.?\d|[eE][-+]?\d)")
_UNIT = re.compile(r"\s{0,3}(?:m|metres?|meters?)\b\.?\Z", re.IGNORECASE)
_LIST = re.compile(r"[\[(][^\[\]()]{3,400}[\])]")
_LEAD = re.compile(
    r"\A(?:(?:it|this|that|the object|the picture)\s{1,3}(?:is|shows|looks like)|it's|that's|"
    r"i see|i think it is)\s{1,3}",
    re.IGNORECASE,
)
_NUMERALS = {
    "zero": 0, "none": 0, "no": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
    "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_WAYS = {
    "on the left of": "left of", "to the left of": "left of", "left": "left of",
    "on the right of": "right of", "to the right of": "right of", "right": "right of",
    "in front": "in front of", "on top of": "on", "underneath": "under",
}  # fmt: skip
"""Other words for relations."""


def read(reply: object, shape: AnswerShape, choices: Sequence[str] = ()) -> Value | None:
    """Return the answer of a reply, of a shape; one of the choices where there are some.

    None where it is ill-formed, or says that there is no answer.
    """
    told = answer_value(reply if isinstance(reply, str) else "")
    text = answer_said(told)
    if declined(text):
        return None
    if shape is AnswerShape.CHOICE:
        return _choice(text, choices)
    value = _TAKE[shape](told)
    for candidate in _candidates(text) if value is None and isinstance(told, str) else ():
        value = _TAKE[shape](candidate)
        value = _found(candidate, shape) if value is None else value
        if value is not None:
            break
    return value


def read_step(reply: object) -> tuple[float, float] | None:
    """Return the move of a reply: degrees to the left, then metres; None where it ends the walk.

    A move is told as ``{"turn": ..., "walk": ...}``, the end as ``{"stop": true}``. The last such
    object counts; a missing field is 0, and so are both where no move can be read.
    """
    told = read_object(reply if isinstance(reply, str) else "", "turn", "walk", "stop")
    if told.get("stop") is True:
        return None
    turn, walk = _number(told.get("turn", 0)), _number(told.get("walk", 0))
    return (0.0, 0.0) if turn is None or walk is None or walk < 0 else (turn, walk)


def _candidates(text: str) -> Iterator[str]:
    """Yield the parts of plain words that may be an answer, the likeliest first."""
    lines = [line.strip(" \t*`") for line in text.splitlines() if line.strip(" \t*`.{}")]
    for line in reversed(lines[-30:]):
        *_, last = [None, *_SAID.finditer(line)]
        if last is not None:
            yield line[last.end() :].strip(" *`")
    yield from lines[-1:]
    yield text


def _choice(text: str, choices: Sequence[str]) -> str | None:
    """Return the choice that an answer gives, in its own words or in others for it."""
    if set(choices) == {"yes", "no"}:
        truth = yes_no(text, "")
        return None if truth is None else "yes" if truth else "no"
    ways = {way: choice for way, choice in _WAYS.items() if choice in choices}
    forms = {**ways, **{each.lower().replace("_", " "): each for each in choices}}
    said = " ".join(text.lower().replace("_", " ").strip(" \t\n\"'`*.!").split())
    found = named(text, "", forms) or ()
    return forms.get(said) or (next(iter(found)) if len(found) == 1 else None)


def _name(told: object) -> str | None:
    if not isinstance(told, str):
        return None
    name = printable(told.strip(" \t\n\"'`*.!"))
    plain = bool(name) and "\n" not in name and not set(name) & set("{}[]:;")
    return name if plain and len(name.split()) <= LONGEST and not _LEAD.match(name) else None


def _count(told: object) -> int | None:
    if isinstance(told, str):
        text = told.strip(" \t\n\"'`*.!").lower()
        told = _NUMERALS.get(text, strict(text))
    number = _number(told)
    return int(number) if number is not None and number >= 0 and number == int(number) else None


def _metres(told: object) -> float | None:
    if isinstance(told, str):
        told = strict(_UNIT.sub("", told.strip(" \t\n\"'`*")))
    number = _number(told)
    return number if number is not None and number > 0 else None


def _box2(told: object) -> tuple[float, ...] | None:
    box = _numbers(told, 4)
    return box if box and box[0] < box[2] and box[1] < box[3] else None


def _box3(told: object) -> tuple[float, ...] | None:
    if isinstance(told, str):
        told = strict(told)
    if isinstance(told, dict):
        middle = told.get("centre", told.get("center", told.get("middle")))
        told = [middle, told.get("size", told.get("lengths"))]
    if isinstance(told, list) and len(told) == 2:
        told = [number for part in told for number in _numbers(part, 3) or ()]
    box = _numbers(told, 6)
    return box if box and min(box[3:]) > 0 else None


_TAKE: dict[AnswerShape, Callable[[object], Value | None]] = {
    AnswerShape.NAME: _name, AnswerShape.COUNT: _count, AnswerShape.METRES: _metres,
    AnswerShape.BOX2: _box2, AnswerShape.BOX3: _box3,
}  # fmt: skip


def _found(text: str, shape: AnswerShape) -> Value | None:
    """Return the one answer that a text holds among other words, None for none or several."""
    match shape:
        case AnswerShape.NAME:
            return _name(re.sub(r"\A(?:an?|the)\s+", "", _LEAD.sub("", text), flags=re.IGNORECASE))
        case AnswerShape.COUNT | AnswerShape.METRES:
            told = {match.group() for match in _NUMBER.finditer(text)}
            if shape is AnswerShape.COUNT and not told:
                told = {word for word in re.findall(r"[a-z]+", text.lower()) if word in _NUMERALS}
            return _TAKE[shape](told.pop()) if len(told) == 1 else None
        case _:  # the last bracket of numbers, or the last two for middle and lengths
            lists = [_NUMBER.findall(match.group()) for match in _LIST.finditer(text)]
            rows = [[float(each) for each in found] for found in lists]
            tries = [rows[-1]] if rows else []
            if shape is AnswerShape.BOX3 and len(rows) > 1:
                tries.append(rows[-2] + rows[-1])
            return next((box for row in tries if (box := _TAKE[shape](row)) is not None), None)


def _numbers(told: object, size: int) -> tuple[float, ...] | None:
    """Return a list of so many numbers, None for anything else."""
    if isinstance(told, str):
        told = strict(told)
    if not isinstance(told, list) or len(told) != size:
        return None
    found = [_number(each) for each in told]
    return tuple(each for each in found if each is not None) if None not in found else None


def _number(told: object) -> float | None:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return float(told) if abs(told) <= GREATEST and isfinite(told) else None

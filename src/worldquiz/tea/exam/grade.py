"""Score of a reply to a task in a scene: 0..1, by type of task.

    classification       1 if the name is the label, after `named`, or the everyday word for it
    relation, in-view    1 if the one choice is right
    person-view, choices of own kinds: the same
    counting             1 if the count is exact
    depth                mean relative accuracy (VSI-Bench, arXiv 2412.14171, equation 1): the share
                         of tolerances t in 0.05, 0.10 .. 0.50 with |said - true| / true < t
    localization         the boxes' intersection over union, in the picture
    localization in 3D   the same of upright boxes in the camera's frame

An ill-formed reply is worth 0 and counts.

Prompts ask for one JSON object ``{"answer": ...}``; `facts.replies` finds it. Between other words
the last answer of the kind that is asked for counts. A reply without one is ill-formed. Replies are
never evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache, partial
from math import isfinite, prod
from typing import Any, NamedTuple

from worldquiz.facts.answer_text import (
    WHY,
    agreed,
    answers_in,
    declined,
    parted,
    tidy,
    tokens,
    unframed,
)
from worldquiz.facts.answer_values import named as names_in
from worldquiz.facts.answer_values import yes_no
from worldquiz.facts.replies import answer_said, answer_value, read_object
from worldquiz.records import printable
from worldquiz.tea.kinds.kinds import Box2, Box3, Choice, Count, Goal, Instance, Metres, Truth, Word
from worldquiz_scenes.importing.names import ENGLISH, meanings

TOLERANCES = tuple(step / 20 for step in range(1, 11))
"""Relative errors below which a depth counts: 5 % to 50 %."""
YES_NO = ("yes", "no")
_ARTICLES = ("a", "an", "the", "some")
OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "backpack": ("schoolbag", "bookbag"), "ball": ("toy ball", "beach ball"), "bathtub": ("tub",),
    "blanket": ("throw", "throw blanket", "folded blanket"),
    "book": ("upright book", "closed book"), "bookshelf": ("book case",),
    "bread": ("loaf of bread", "bread loaf"),
    "cabinet": ("sideboard", "credenza", "storage cabinet", "kitchen cabinet"),
    "cactus": ("potted cactus",), "ceiling lamp": ("light fixture",),
    "chest of drawers": ("bureau", "drawer unit", "drawer chest"), "coat rack": ("coat hanger",),
    "coffee machine": ("coffeemaker",), "curtain": ("drape",), "globe": ("globe earth",),
    "kitchen counter": ("kitchen unit",), "knife block": ("knife holder",),
    "laptop": ("notebook computer", "laptop computer"),
    "mirror": ("wall mirror", "standing mirror"), "mug": ("coffee cup", "teacup"),
    "nightstand": ("end table", "side table"), "phone": ("cell phone",),
    "photo frame": ("framed photo", "photo", "photograph"),
    "picture": ("wall art", "artwork", "framed picture"), "pillow": ("throw pillow", "bed pillow"),
    "radiator": ("heater",), "remote control": ("tv remote",), "rubber duck": ("toy duck",),
    "rug": ("mat",), "sculpture": ("bust",), "shoe rack": ("shoe stand",),
    "stool": ("stool chair",), "tissue box": ("box of tissues",),
    "toilet paper": ("toilet paper roll",),
    "towel": ("folded towel", "towel rail", "bath towel", "hand towel"),
    "toy blocks": ("toy bricks",), "toy car": ("car", "model car"),
    "tv": ("television set", "telly"),
    "tv stand": ("television stand", "tv bench", "media console"),
    "umbrella stand": ("umbrella holder",),
    "wall cupboard": ("hanging cupboard", "hanging cabinet"), "washbasin": ("basin",),
    "waste bin": ("trash bin", "rubbish bin"),
}  # fmt: skip
"""Other names of a label, beside those that imports know. Each names this label alone, and is
itself no label."""
SYNONYMS = {name: label for label, names in OTHER_NAMES.items() for name in names}
EVERYDAY = {
    "armchair": "chair", "office chair": "chair", "washbasin": "sink", "wine glass": "glass",
    "wall cupboard": "cabinet", "floor lamp": "lamp", "table lamp": "lamp", "ceiling lamp": "lamp",
    "dining table": "table", "coffee table": "table", "bookshelf": "shelf", "wall shelf": "shelf",
    "mug": "cup", "laptop": "computer",
}  # fmt: skip
"""The everyday word for what a label says more exactly: a right name as well, and perhaps a label.

It counts where a thing is to be named, and nowhere else: an armchair is no chair in counts, since
the label of a thing stays the exact one. No everyday word has another one."""


class Grade(NamedTuple):
    """Score of a reply, and what was read."""

    score: float  # 0..1; 0 of an ill-formed reply
    said: Value | None


def family(type: str) -> str:
    """Return a type's family: the types that ask the same, however they denote the object."""
    return type.partition("-by-")[0]


def grade(task: Instance, reply: object, *, choices: Sequence[str] = YES_NO) -> Grade:
    """Return the grade of a reply; `choices` are those of a task with a choice.

    Raises `ValueError` for a task that is not answered but done.
    """
    said = read(reply, shape(task), choices, task.command)
    return Grade(0.0 if said is None else worth(task.truth, said), said)


def shape(task: Instance) -> AnswerShape:
    """Return the type of a task's answer. Raises `ValueError` for a task to be done."""
    match task.truth:
        case Goal():
            raise ValueError(f"task {task.id!r} is to be walked, not answered")
        case Word(value):
            chosen = family(task.type) == "relation" or value in YES_NO
            return AnswerShape.CHOICE if chosen else AnswerShape.NAME
        case other:
            return AnswerShape(other.kind)


def worth(truth: Truth, said: Value) -> float:
    """Return the score of an answer against the truth, 0..1."""
    match truth, said:
        case Word(value), str():
            return float(named(said) in (named(value), everyday(value)))
        case Choice(value), str():
            return float(value == said)
        case Count(value), int():
            return float(value == said)
        case Metres(value), int() | float():
            return nearness(value, said)
        case Box2(value), tuple():
            return overlap(value, said)
        case Box3(centre, size), tuple():
            return overlap(_reach(centre, size), _reach(said[:3], said[3:]))
    return 0.0


@lru_cache(maxsize=4096)  # the labels of tasks come again and again
def named(name: str) -> str:
    """Return a name as it is compared: small letters, no article, singular, no synonym.

    A plural's s goes from its last word, where more than three letters are left.
    """
    words = name.lower().replace("-", " ").replace("_", " ").split()
    text = " ".join(words[1:] if len(words) > 1 and words[0] in _ARTICLES else words)
    return _singular(_label(text) or _label(_singular(text)) or text)


def _label(name: str) -> str | None:
    """Return the label that a name means in English, None for one that is not known."""
    meant = [label for label, languages in meanings(name).items() if ENGLISH in languages]
    return SYNONYMS.get(name) or (meant[0] if len(meant) == 1 else None)


def _singular(name: str) -> str:
    *most, last = name.split() or [""]
    if last.endswith(("shes", "ches", "xes")):
        last = last[:-2]
    elif len(last) > 3 and last.endswith("s") and not last.endswith("ss"):
        last = last[:-1]
    return " ".join((*most, last))


def everyday(name: str) -> str:
    """Return the everyday word for a name, as it is compared; where it has none, the name.

    One reply is a right name only for things whose labels have the same everyday word.
    """
    exact = named(name)
    return EVERYDAY.get(exact, exact)


def nearness(true: float, said: float) -> float:
    """Return the mean relative accuracy of a length, 0..1."""
    error = abs(said - true) / true
    return sum(error < each for each in TOLERANCES) / len(TOLERANCES)


def overlap(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the intersection of two boxes over their union, 0..1.

    A box is told by its low sides, then its high ones.
    """
    axes = len(one) // 2
    sizes = [prod(box[n + axes] - box[n] for n in range(axes)) for box in (one, two)]
    common = prod(
        max(min(one[n + axes], two[n + axes]) - max(one[n], two[n]), 0.0) for n in range(axes)
    )
    return common / (sum(sizes) - common) if common else 0.0


def _reach(centre: Sequence[float], size: Sequence[float]) -> list[float]:
    """Return a box in space by its low sides, then its high ones."""
    ends = list(zip(centre, size, strict=True))
    return [at - long / 2 for at, long in ends] + [at + long / 2 for at, long in ends]


# Reading of replies


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


_NUMBER = re.compile(
    r"(?<![\w.])([-+]?\d{1,12}(?:\.\d{1,12})?)(?!\.?\d|[eE][-+]?\d)"
    r"(?:\s{0,3}(cm|centimet(?:re|er)s?|mm|ft|feet|foot|inch(?:es)?)\b)?"
)
_UNITS = {"c": 0.01, "mm": 0.001, "f": 0.3048, "i": 0.0254}
"""Metres of a unit, by how its name begins."""
_FIRST = re.compile(
    r"(?:there (?:are|is)|about|around|roughly|approximately|exactly)?\s{0,3}[-+]?\d"
)
"""A text that begins with its number."""
_LIST = re.compile(r"[\[(]([^\[\]()]{3,400})[\])]")
_ASIDE = re.compile(r"\([^()]{0,80}\)")
_SENTENCE = re.compile(r"[.!;](?=\s|$)|\n")
_CLAIM = re.compile(
    r"^(?:it|this|that|the object|the picture|i)(?:'s| is| shows| looks like| see) (?=(?:an?|the) )"
)
_ARTICLE = re.compile(r"^(?:an?|the) ")
_DENIAL = re.compile(
    r"\b(?:not|never|wrong|incorrect|false|doubt|nobody|anything but|instead|rather)\b|n't\b"
)
_DOUBT = re.compile(
    r"\b(?:no|or|actually|maybe|perhaps|guess|thought|but|however|correction)\b|[?/]|%[^%]+%"
)
"""What is said of two answers of which one is meant."""
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


def read(
    reply: object, shape: AnswerShape, choices: Sequence[str] = (), asked: str = ""
) -> Value | None:
    """Return the answer of a reply, of a shape; one of the choices where there are some.

    None where it is ill-formed, or says that there is no answer. A question that is repeated before
    the answer, the words `asked`, is left out.
    """
    told = answer_value(reply if isinstance(reply, str) else "")
    text = answer_said(told)
    if declined(text):
        return None
    if shape is AnswerShape.CHOICE:
        return _choice(text, choices, asked)
    return _value(told, shape, asked)


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


def _value(told: Any, shape: AnswerShape, asked: str) -> Value | None:
    """Return a JSON value or words as an answer of a shape; a list of one is read as the one."""
    if isinstance(told, str):
        if shape in (AnswerShape.BOX2, AnswerShape.BOX3):
            return _box(told, shape)
        read: Callable[[str], Value | None]
        read = _name if shape is AnswerShape.NAME else partial(_amount, told, shape)
        return agreed(map(read, answers_in(told, asked)))
    value = _take(told, shape)
    if value is None and isinstance(told, list | dict) and len(told) == 1:
        return _value(next(iter(told.values() if isinstance(told, dict) else told)), shape, asked)
    return value


def _choice(text: str, choices: Sequence[str], asked: str) -> str | None:
    """Return the choice that an answer gives, in its own words or in others for it."""
    if set(choices) == {"yes", "no"}:
        truth = yes_no(text, asked)
        return None if truth is None else "yes" if truth else "no"
    ways = {way: choice for way, choice in _WAYS.items() if choice in choices}
    forms = {**ways, **{each.lower().replace("_", " "): each for each in choices}}
    said = " ".join(text.lower().replace("_", " ").strip(" \t\n\"'`*.!").split())
    found = names_in(text, asked, forms) or ()
    return forms.get(said) or (next(iter(found)) if len(found) == 1 else None)


def _take(told: object, shape: AnswerShape) -> Value | None:
    """Return a JSON value as an answer of a shape, None where it is none."""
    match shape:
        case AnswerShape.COUNT:
            number = _number(told)
            whole = number is not None and number >= 0 and number == int(number)
            return int(number) if number is not None and whole else None
        case AnswerShape.METRES:
            number = _number(told)
            return number if number is not None and number > 0 else None
        case AnswerShape.BOX2:
            box = _numbers(told, 4)
            return box if box and box[0] < box[2] and box[1] < box[3] else None
        case AnswerShape.BOX3:
            if isinstance(told, dict):
                middle = told.get("centre", told.get("center", told.get("middle")))
                told = [middle, told.get("size", told.get("lengths"))]
            if isinstance(told, list) and len(told) == 2:
                told = [number for part in told for number in _numbers(part, 3) or ()]
            box = _numbers(told, 6)
            return box if box and min(box[3:]) > 0 else None
    return None


def _amount(told: str, shape: AnswerShape, text: str) -> Value | None:
    """Return the one number that a text of an answer begins with, or has; None for several."""
    head = _ASIDE.sub(" ", parted(unframed(text))[0])
    told = told if tidy(told) == text else text  # a list's number is one, if it stands alone
    every = _amounts(_ASIDE.sub(" ", told))
    found = _amounts(head) if _FIRST.match(head) else every
    if shape is AnswerShape.COUNT and not found:
        found = {float(_NUMERALS[word]) for word in tokens(text) if word in _NUMERALS}
    doubted = _DENIAL.search(unframed(text)) or (len(every) > 1 and _DOUBT.search(tidy(told)))
    return _take(found.pop(), shape) if len(found) == 1 and not doubted else None


def _amounts(text: str) -> set[float]:
    """Return the numbers of a text; lengths in metres."""
    found = ((float(each[1]), each[2] or "") for each in _NUMBER.finditer(text))
    return {
        number * next((metres for unit, metres in _UNITS.items() if name.startswith(unit)), 1)
        for number, name in found
    }


def _name(text: str) -> str | None:
    """Return the name that words give: alone, or as what the object is said to be."""
    parts = _SENTENCE.split(_ASIDE.sub(" ", unframed(text)))
    first, *others = (unframed(WHY.split(part, maxsplit=1)[0]) for part in parts)
    claims = [each for each in (first, *others) if _CLAIM.match(each)]
    said = first if len(first.split()) <= LONGEST // 2 or not claims else claims[-1]
    name = _ARTICLE.sub("", _CLAIM.sub("", said, count=1), count=1).strip()
    plain = (
        bool(name)
        and not set(name) & set("{}[]:;,")
        and not any(_DENIAL.search(part) or _DOUBT.search(part) for part in parts)
    )
    return printable(name) if plain and len(name.split()) <= LONGEST else None


def _box(text: str, shape: AnswerShape) -> Value | None:
    """Return the last box of a text: a bracket of numbers, or middle and lengths in two."""
    rows = [
        [float(each[1]) for each in _NUMBER.finditer(found[1])] for found in _LIST.finditer(text)
    ]
    rows = [row for row in rows if len(row) >= 3]
    pair = shape is AnswerShape.BOX3 and len(rows) > 1 and len(rows[-1]) == 3
    last = rows[-2] + rows[-1] if pair else rows[-1] if rows else None
    words = unframed(tidy(text))
    doubted = _DENIAL.search(words) or (len(rows) > 1 + pair and _DOUBT.search(words))
    return None if doubted else _take(last, shape)


def _numbers(told: object, size: int) -> tuple[float, ...] | None:
    """Return a list of so many numbers, None for anything else."""
    if not isinstance(told, list) or len(told) != size:
        return None
    found = [_number(each) for each in told]
    return tuple(each for each in found if each is not None) if None not in found else None


def _number(told: object) -> float | None:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return float(told) if abs(told) <= GREATEST and isfinite(told) else None

"""Score of a reply to a task in a scene: 0..1, by type of task.

    classification       1 if the name, normalized by `named`, is the label or its everyday word
    relation, in-view,   1 if the one choice is right
    person-view, recall
    counting             1 if the count is exact
    depth                mean relative accuracy (VSI-Bench, arXiv 2412.14171, equation 1): the share
                         of tolerances t in 0.05, 0.10 .. 0.50 with |said - true| / true < t
    localization         intersection over union (IoU) of the two boxes in the picture
    localization in 3D   IoU of the two boxes along the camera's axes

Prompts ask for one JSON object ``{"answer": ...}``, which `facts.replies` finds. An answer in prose
also counts if the reply gives no other answer, and does not deny, doubt or limit it ("at least 3").
Any other reply is ill-formed: it scores 0, and the mean includes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import dropwhile
from math import isfinite, prod
from typing import Any, Literal, cast

from worldquiz.facts.answer_text import DOUBT, FRAME, I_SAY, REMARK, agreed, answers_in, declined
from worldquiz.facts.answer_text import word_set as words_of
from worldquiz.facts.answer_values import NUMERALS, yes_no
from worldquiz.facts.answer_values import named as names_in
from worldquiz.facts.knowledge import whole
from worldquiz.facts.replies import answer_said, answer_value, read_object
from worldquiz.records import printable
from worldquiz.tea.kinds.kinds import Box2, Box3, Choice, Count, Goal, Instance, Metres, Truth, Word
from worldquiz_scenes.importing.names import ENGLISH, KNOWN, meanings
from worldquiz_scenes.view import Box

TOLERANCES = tuple(step / 20 for step in range(1, 11))
"""Relative errors below which a depth counts: 5 % to 50 %."""
YES_NO = ("yes", "no")
_LOOKS = words_of("black white grey gray brown red green blue yellow small large wooden metal")
"""Colours, sizes and materials: a wooden chair is a chair."""
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
"""Synonyms of a label, in addition to those used for imports. Each means this label alone, and is
not a label itself."""
SYNONYMS = {name: label for label, names in OTHER_NAMES.items() for name in names}
EVERYDAY = {
    "armchair": "chair", "office chair": "chair", "washbasin": "sink", "wine glass": "glass",
    "wall cupboard": "cabinet", "floor lamp": "lamp", "table lamp": "lamp", "ceiling lamp": "lamp",
    "dining table": "table", "coffee table": "table", "bookshelf": "shelf", "wall shelf": "shelf",
    "mug": "cup", "laptop": "computer",
}  # fmt: skip
"""More general everyday words for a label. They are right only when a thing is to be named; when
chairs are counted, an armchair is not one. No everyday word has an everyday word itself."""


Shape = Literal["name", "choice", "count", "metres", "box2", "box3", "walk"]
"""Form of an answer, as named in rows; a walk has no answer."""


def family(type: str) -> str:
    """Return a type's family, which joins types that differ only in how they name the object."""
    return type.partition("-by-")[0]


def shape(task: Instance) -> Shape:
    """Return the form of a task's answer, as rows name it."""
    match task.truth:
        case Goal():
            return "walk"
        case Word(value):
            return "choice" if family(task.type) == "relation" or value in YES_NO else "name"
        case other:
            return other.kind


def worth(truth: Truth, said: Truth | None) -> float:
    """Return the score of an answer that `read` found, 0..1."""
    match truth, said:
        case Word(value), Word(name):
            return float(named(name) in (named(value), everyday(value)))
        case (Choice(value), Word(found)) | (Count(value), Count(found)):
            return float(value == found)
        case Metres(value), Metres(length):
            return nearness(value, length)
        case Box2(value), Box2(box):
            return overlap(value, box)
        case Box3(), Box3():
            return overlap(_reach(truth), _reach(said))
    return 0.0


@lru_cache(maxsize=4096)  # labels of tasks are often repeated
def named(name: str) -> str:
    """Normalize a name: lower case, singular, the label for a synonym, no article or adjective."""
    words = name.lower().replace("-", " ").replace("_", " ").split()
    text = " ".join(words[len(words) > 1 and words[0] in ("a", "an", "the", "some") :])
    label, (look, _, rest) = _label(text), text.partition(" ")
    return named(rest) if not label and rest and look in _LOOKS else _singular(label or text)


def _label(name: str) -> str | None:
    """Return the label for an English name or its singular; None if there is no such label."""
    for word in (name, _singular(name)):
        meant = [label for label, languages in meanings(word).items() if ENGLISH in languages]
        only = meant[0] if len(meant) == 1 else word if word in KNOWN else None
        if label := SYNONYMS.get(word, only):
            return label
    return None


def _singular(name: str) -> str:
    *most, last = name.split() or [""]
    if last.endswith(("shes", "ches", "xes")):
        last = last[:-2]
    elif len(last) > 3 and last.endswith("s") and not last.endswith("ss"):
        last = last[:-1]
    return " ".join((*most, last))


def everyday(name: str) -> str:
    """Return the more general everyday word for a name ("chair" for "armchair"), if there is one,
    otherwise the name as normalized by `named`.
    """
    exact = named(name)
    return EVERYDAY.get(exact, exact)


def nearness(true: float, said: float) -> float:
    """Return the mean relative accuracy of a length, 0..1."""
    error = abs(said - true) / true
    return sum(error < each for each in TOLERANCES) / len(TOLERANCES)


def overlap(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the intersection of two boxes over their union, 0..1.

    A box is given by its lower corner, then its upper one, along two or three axes.
    """
    axes = len(one) // 2
    sizes = [prod(box[n + axes] - box[n] for n in range(axes)) for box in (one, two)]
    common = prod(
        max(min(one[n + axes], two[n + axes]) - max(one[n], two[n]), 0.0) for n in range(axes)
    )
    return common / (sum(sizes) - common) if common else 0.0


def _reach(box: Box3) -> list[float]:
    """Return a box in space as its lower corner, then its upper one."""
    ends = list(zip(box.centre, box.size, strict=True))
    return [at - long / 2 for at, long in ends] + [at + long / 2 for at, long in ends]


# Reading of replies

GREATEST = 1e6  # greater numbers are not answers
LONGEST = 4  # most words of a name

_BOUND = re.compile(r"\b(?:more|less|fewer|least|most(?! likely)|minimum|maximum|plus|between)\b")
"""Words that bound a number; words that doubt an answer of any shape are in `facts`."""
_ASIDE = re.compile(
    r"(?:,| -)? (?:on|in|at|to|by|with|under|near|next|beside|behind|above|below|from|against"
    r"|between|which|that|partly|partially|seen|standing|lying|hanging|because|since|as|it|i)\b"
)
_PART = re.compile(r"[.!;:](?=\s|$)|[\n()]")
_HEAD = re.compile(
    r"(?:that )?(?P<claim>(?:it|this|that|i|the (?:picture|object|thing)"
    r"(?: in(?:side)? the (?:\w+ )?box)?)(?:'s| is| shows| looks like| see) (?=(?:an?|the|some) ))?"
    r"(?:it(?:'s| is) )?(?:(?:an?|the|some) )?"
)
_NO_NAME = words_of(
    "and is are was be it i you this that there see seems like object thing item in at from with on"
    " behind near next under above below beside between by"
)
_SILENT = REMARK - _NO_NAME - words_of("it's that's the a an some")
"""Words without meaning before a name, except words that begin a claim or a place."""
_REFERENCE = re.compile(
    r"\b(?:picture|image|photo|view|task|step|turn|confidence)s?\W{0,3}\d[\d.]*+%?|\d[\d.]*+ ?%"
)
_DIGITS = {"none": "0"} | NUMERALS
_NUMERAL = re.compile(rf"\b(?!one (?:is|was|has|can|of|on|in)\b)(?:{'|'.join(_DIGITS)})\b")
_NUMBER = re.compile(
    r"(?<![\w.,])(?P<number>[-+]?\d++(?:\.\d++)?+)(?![.,]\d)(?: ?-?(?P<unit>[kcm]?m|ft|feet|foot"
    r"|inch(?:es)?|in(?! )|(?:kilo|centi|milli)?met(?:re|er)s?|yds?|yards?)\b)?"
    r"(?![\w%]| in (?!front|the|total))"
)
_UNITS = {"k": 1000, "c": 0.01, "mm": 0.001, "mi": 0.001, "f": 0.3048, "i": 0.0254, "y": 0.9144}
"""Metres per unit, by the beginning of its name; 1 for any other unit."""
_LISTED = re.compile(r"^(\s*\d{1,2})[.)](?=\s)", re.MULTILINE)
"""A number that begins a sentence, or an item of a list."""
_MARKED = re.compile(
    r"""(?i)(?<![-=])[<>]=?\s?\d|^(?:[^"']|(?<=\w)'(?=\w))*+(?:(?<=\d)|(?<=\d\s))["']"""
    r"""|\d\s?[”″’′]|\b(?:under|over|below|above) \d"""
)
"""Bounds, and inches and feet written as marks."""
_AROUND = words_of(
    "there are i we can see count counted its in of them total exactly only just all distance depth"
    " object thing visible shown away ahead camera"
) | (FRAME - {"option", "choice"})
"""Words without meaning around a number, in addition to the words of the question."""
_ABOUT = re.compile(r"[~≈]|\b(?:about|around|roughly|approximately|circa)\b")
_LIST = re.compile(r"[\[(]([^\[\]()]{3,400})[\])]")
_SIDE = re.compile(r"(?<![\w.])[-+]?\d++(?:\.\d++)?+")
_WAYS = {"left": "left of", "right": "right of", "in front": "in front of", "underneath": "under"}
_WAYS |= {f"on the {way}": way for way in ("left of", "right of")}
"""Other words for relations."""


def read(reply: str, shape: Shape, choices: Sequence[str] = (), asked: str = "") -> Truth | None:
    """Return the answer that a reply gives, in the form `shape`; for a choice, one of `choices`.

    None if the reply is ill-formed, or declines to answer. If the reply first repeats the question
    `asked`, its words are ignored.
    """
    told = answer_value(reply)
    text = answer_said(told)
    if declined(text):
        return None
    if shape == "choice":
        return _choice(text, choices, asked)
    fields = read_object(reply, "unit", "units") if shape == "metres" else {}
    if isinstance(unit := fields.get("unit", fields.get("units")), str):
        bare = answer_said({**told, "unit": "", "units": ""} if isinstance(told, dict) else told)
        told = bare if unit in bare.split() else f"{bare} {unit}"
    return _value(told, shape, asked)


def read_step(reply: str) -> tuple[float, float] | None:
    """Return the move that a reply makes: degrees to the left, then metres. None ends the walk.

    Replies write a move as ``{"turn": ..., "walk": ...}``, and the end as ``{"stop": true}``. The
    last such object counts. A missing field is 0; both are 0 if no move can be read.
    """
    told = read_object(reply, "turn", "walk", "stop")
    if told.get("stop") is True:
        return None
    turn, walk = _number(told.get("turn", 0)), _number(told.get("walk", 0))
    return (0.0, 0.0) if turn is None or walk is None or walk < 0 else (turn, walk)


def _value(told: Any, shape: Shape, asked: str) -> Truth | None:
    """Convert a JSON value or text to an answer of the form `shape`; unwrap a list of one item."""
    if isinstance(told, str):
        if shape == "name":
            return agreed(map(_name, answers_in(told, asked)))
        if shape in ("box2", "box3"):
            return agreed(_box(each, shape) for each in answers_in(told, asked))
        texts = () if _MARKED.search(told) else answers_in(_LISTED.sub(r"\1,", told), asked)
        return agreed(_amount(shape, asked, each) for each in texts)
    value = _take(told, shape)
    if value is None and isinstance(told, list | dict) and len(told) == 1:
        return _value(next(iter(told.values() if isinstance(told, dict) else told)), shape, asked)
    return value


def _choice(text: str, choices: Sequence[str], asked: str) -> Word | None:
    """Return the one choice that an answer names, literally or by a synonym, else None."""
    if set(choices) == set(YES_NO):
        return {True: Word("yes"), False: Word("no"), None: None}[yes_no(text, asked)]
    ways = {way: choice for way, choice in _WAYS.items() if choice in choices}
    forms = {**ways, **{each.lower().replace("_", " "): each for each in choices}}
    said = " ".join(text.lower().replace("_", " ").strip(" \t\n\"'`*.!").split())
    found = {forms[said]} if said in forms else names_in(text, asked, forms) or ()
    return Word(next(iter(found))) if len(found) == 1 else None


def _take(told: object, shape: Shape) -> Truth | None:
    """Convert a JSON value to an answer of the form `shape`; None if it does not have this form."""
    if isinstance(told, dict) and shape == "box3":
        middle = told.get("centre", told.get("center", told.get("middle")))
        told = [middle, told.get("size", told.get("lengths"))]
    if isinstance(told, list) and len(told) == 2:
        told = [each for part in told if isinstance(part, list) and len(part) == 3 for each in part]
    match shape, [*map(_number, told)] if isinstance(told, list) else _number(told):
        case "count", float(number) if number >= 0 and number == int(number):
            return Count(int(number))
        case "metres", float(number) if number > 0:
            return Metres(number)
        case "box2", [float(x0), float(y0), float(x1), float(y1)] if x0 < x1 and y0 < y1:
            return Box2(cast("Box", tuple(map(whole, (x0, y0, x1, y1)))))
        case "box3", [float(x), float(y), float(z), float(w), float(h), float(d)]:
            return Box3((x, y, z), (w, h, d)) if min(w, h, d) > 0 else None
    return None


def _amount(shape: Shape, asked: str, text: str) -> Truth | None:
    """Return the one number in a text as an answer; None if other words near it matter."""
    text, length = _REFERENCE.sub("", I_SAY.sub("", text)), shape == "metres"
    text = _ABOUT.sub("", text) if length else _NUMERAL.sub(lambda each: _DIGITS[each[0]], text)
    found = _NUMBER.search(text)
    if not found or len({*_SIDE.findall(text)}) > 1 or DOUBT.search(text) or _BOUND.search(text):
        return None
    before = _PART.split(text[: found.start()])[-1].strip(" ,-*=")
    after = _ASIDE.split(re.split(r"[,.;:()\n]| - ", text[found.end() :])[0])[0]
    plain = {_singular(word) for word in re.findall(r"\w+", asked.lower())} | _AROUND
    unit, around = found["unit"] or "", (before + after).split()
    if (unit and not length) or any(not {each, _singular(each)} & plain for each in around):
        return None
    times = next((metres for name, metres in _UNITS.items() if unit.startswith(name)), 1)
    return _take(float(found["number"]) * times, shape)


def _name(text: str) -> Word | None:
    """Return the one name in a text: after words like "it is a", or a label, or the whole text."""
    told, first = [], None
    for part in _PART.split(I_SAY.sub(" ", text)):
        said = " ".join(dropwhile(lambda word: word.strip(",-") in _SILENT, part.split()))
        begun = _HEAD.match(said)
        rest = _ASIDE.split(said[begun.end() :] if begun else said)[0].split()[::-1]
        name = " ".join([*dropwhile((FRAME | {"-", ","}).__contains__, rest)][::-1]).strip(",")
        first = first or name
        if (begun and begun["claim"]) or _label(name):
            told.append(name)
    name = (told or [first or ""])[0]
    words = (name.replace("-", " ") if _label(name.replace("-", " ")) else name).split()
    plain = all(re.fullmatch(r"[^\W\d]+('s)?", word) for word in words) and not _NO_NAME & {*words}
    one = 0 < len(words) <= LONGEST and len({*map(named, told)}) <= 1
    return Word(printable(name)) if plain and one and not DOUBT.search(text) else None


def _box(text: str, shape: Shape) -> Truth | None:
    """Return the one box in a text: numbers in brackets, for 3D perhaps in two (centre, size)."""
    rows = [[float(each) for each in _SIDE.findall(found[1])] for found in _LIST.finditer(text)]
    rows = [row for row in rows if len(row) >= 3]
    if shape == "box3" and [*map(len, rows)] == [3, 3]:
        rows = [rows[0] + rows[1]]
    one = rows and all(row == rows[0] for row in rows)
    return _take(rows[0], shape) if one and not DOUBT.search(text) else None


def _number(told: object) -> float | None:
    if isinstance(told, bool) or not isinstance(told, int | float):
        return None
    return float(told) if abs(told) <= GREATEST and isfinite(told) else None

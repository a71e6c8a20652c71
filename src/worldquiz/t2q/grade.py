"""Grading: exact and deterministic. An unreadable reply is never right, and never dropped.

On a question that no episode made answerable only abstaining is right; on an answerable one only
the answer is (arXiv 2601.09503, equations 2 and 3). Yes or no and names are read as in every
benchmark (`facts.answer_values`), directions and kinds of things here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, assert_never

from worldquiz.facts.answer_text import (
    TAKEN_BACK,
    WHY,
    agreed,
    answers_in,
    declined,
    normal,
    parted,
    tidy,
    tokens,
    unframed,
    word_set,
)
from worldquiz.facts.answer_values import BARE, named, yes_no
from worldquiz.facts.replies import claim
from worldquiz.facts.row import AnswerStatus
from worldquiz.t2q.question import CATEGORIES, Description, Question, What, Where, Which, YesNo

Kinds = Mapping[str, str]
"""The kind of everything that has a name in a world, by name: "room", or one of `CATEGORIES`."""
_NOTHING: Kinds = MappingProxyType({})
_WORDS = 60
"""Words that the part of a reply with the answer may have."""
_PLACES = ("room", "container", "supporter")
_FLOOR = re.compile(r"\bfloor\b")


class Reading(NamedTuple):
    """Outcome of reading a reply: its status, and whether it is right."""

    status: AnswerStatus
    right: bool = False
    answer: str | None = None  # its words; None where it neither answers nor abstains


def read(question: Question, reply: str, kinds: Kinds = _NOTHING) -> Reading:
    """Return what a reply to a question says.

    A place is answered by a name of the world's rooms and holders, or of the question's answers; a
    thing's name tells its kind. Nothing but what is right depends on the answers.
    """
    said = claim(reply)
    if status := declined(said):
        return Reading(status, answer=said if status is AnswerStatus.ABSTAINED else None)
    right = _right(question, said, kinds)
    if right is None:
        return Reading(AnswerStatus.UNREADABLE)
    return Reading(AnswerStatus.ANSWERED, right, said)


def _right(question: Question, reply: str, kinds: Kinds) -> bool | None:
    """Tell whether a reply is right, None where no answer can be read in it."""
    asked = question.text
    names = [name for name, kind in kinds.items() if kind in _PLACES]
    match question:
        case YesNo(answer=answer):
            truth = yes_no(reply, asked)
            return None if truth is None else truth is answer
        case Description(categories=right):
            found = categories(reply, asked, question.about, kinds)
            return None if found is None else found == set(right)
        case Which(choices=known, answer=answer) if all(map(direction, known)):
            way = bearing(reply, asked, question.about)
            ways = [direction(each) for each in known]
            return way == direction(answer) if way in ways else None
        case What(answers=answers) if all(map(direction, answers)):
            way = bearing(reply, asked, question.about)
            return None if way is None else way in map(direction, answers)
        case Which(choices=choices, answer=answer):
            others = dict.fromkeys(map(normal, (*names, *question.about)), "")
            found = named(reply, asked, {**others, **_same(choices)})
            return found == {normal(answer)} if found and len(found) == 1 else None
        case Where() | What():
            return _named(question, reply, names)
        case _:
            assert_never(question)


def _named(question: Where | What, reply: str, names: Sequence[str]) -> bool | None:
    """Tell whether all that a reply names is right: one or two places.

    A thing is in a holder that stands in a room, so naming both is right and the floor is wrong. A
    door is in both of its rooms.
    """
    right = {normal(answer) for answer in question.answers}
    about = dict.fromkeys(map(normal, question.about), "")
    found = named(reply, question.text, {**_same((*names, *question.answers)), **about})
    if found is None or len(found) > 2:
        return None
    return found <= right and not (len(right) > 1 and _FLOOR.search(reply.lower()))


def _same(names: Iterable[str]) -> dict[str, str]:
    return {normal(name): normal(name) for name in names}


# --- Directions ---------------------------------------------------------------------------------

_ASIDE = re.compile(r"\(([^()]{0,80})\)")
_WAY = re.compile(
    r"(?<![\w'])(?:(?P<ns>north|south)(?: ?- ?| )?(?P<ew>east|west)?"
    r"|(?P<side>east|west)|(?P<short>[ns]\.? ?[ew]\.?(?!\w)|[nsew](?!\w)))"
    r"(?:ern(?:most)?|erly|wards?|bound)?(?![\w'])"
)
_LETTERS = {"n": "north", "s": "south", "e": "east", "w": "west"}
_GOING = word_set(
    "go going head heading walk move travel leave leaving exit exits take use using through via to"
    " the in by direction way door doorway passage path side it is was lies located you should must"
    " need can would have toward towards a an get reach straight directly leads lead that"
    " which player then , ; : ( ) ' 's due compass just simply follow out enter come into"
    " situated found be reached"
)


def direction(text: str) -> str | None:
    """Return the direction of the compass that a text is, in any spelling; None if it is none."""
    found = _WAY.fullmatch(tidy(text))
    return _way(found) if found else None


def bearing(reply: str, asked: str, about: Sequence[str]) -> str | None:
    """Return the only direction that a reply gives, as seen from the room that is asked about."""
    return agreed(_bearing(unframed(text), asked, about) for text in answers_in(reply, asked))


def _bearing(text: str, asked: str, about: Sequence[str]) -> str | None:
    head, rest = parted(text)
    head = _ASIDE.sub(lambda aside: aside[0] if _WAY.search(aside[0]) else " ", head)
    for name in about:
        head = _room(asked, name).sub(" ", head)
    ways = {_way(found) for found in _WAY.finditer(head)}
    told = {_way(found) for found in _WAY.finditer(rest) if found["short"] is None}
    left = tokens(_WAY.sub(" ", head))
    if len(ways) != 1 or TAKEN_BACK.search(rest) or told - ways or len(left) >= _WORDS:
        return None
    return ways.pop() if all(word in _GOING for word in left) else None


def _room(asked: str, name: str) -> re.Pattern[str]:
    """Return how a room may be spoken of beside a direction: as left, or as gone to."""
    plain, told = re.escape(name), asked.lower()
    if re.search(rf"\b(?:from|leave) the {plain}\b", told):
        return re.compile(
            rf"\b(?:of|from|leave|leaving|exit|exiting|out of|in) (?:the )?{plain}\b"
            rf"|\bthe {plain}'s\b"
        )
    return re.compile(
        rf"(?<!of the )(?<!from the )(?<!of )(?<!from )(?<!leave the )\b{plain}\b(?!')"
    )


def _way(found: re.Match[str]) -> str:
    if found["short"]:
        return "-".join(_LETTERS[each] for each in found["short"] if each in _LETTERS)
    return "-".join(part for part in (found["ns"], found["ew"], found["side"]) if part)


# --- Categories ---------------------------------------------------------------------------------

_LABEL = re.compile(
    r"(?:the )?(?:objects?|items?|things?|contents|types?|kinds?|categor(?:y|ies))"
    r"(?: (?:types?|kinds?|categor(?:y|ies)|of things|of objects|found|present|were|are|is"
    r"|there)){0,2}+"
    r" ?: ?(?=\w)"
)
_KINDS = {form: one for one in CATEGORIES for form in (one, f"{one}s")}
_KINDS |= {"nothing": "", "none": "", "empty": ""}
_KIND = re.compile(rf"\b(?:{'|'.join(_KINDS)}|no|not)\b|n't\b")
_KIND_PHRASES = {"food item": "food", "food items": "food"}
_KIND_PHRASES |= {f"no {each}s": "nothing" for each in ("object", "item", "thing")}
_KIND_PHRASES |= {f"no {each}": "nothing" for each in ("object", "item", "thing")}
_AMOUNT = word_set(
    "and & + / some one two three four five six several many various only just multiple few other"
    " another type types kind kinds category categories item items things contained contains held"
    " holds had has them following include includes included including are s [ ] also at all"
    " , ; : ( ) - . 's could may"
)


def categories(
    reply: str, asked: str, about: Sequence[str], kinds: Mapping[str, str]
) -> frozenset[str] | None:
    """Return the set of categories named, None if anything else is; "nothing" names none.

    A thing's name among `kinds` counts as its kind, but for what the question is `about`.
    """
    if tidy(reply) in ("[]", "{}"):
        return frozenset()
    known = {normal(name): kind for name, kind in kinds.items() if kind in CATEGORIES}
    known |= {**dict.fromkeys(map(normal, about), " "), **_KIND_PHRASES}
    longest = sorted(known, key=len, reverse=True)
    phrases = re.compile(rf"\b(?:{'|'.join(map(re.escape, longest))})\b")
    return agreed(
        _categories(phrases.sub(lambda found: known[found[0]], text))
        for text in answers_in(reply, asked)
    )


def _categories(text: str) -> frozenset[str] | None:
    said = unframed(text)
    label = _LABEL.match(said)
    said = said[label.end() :] if label else said
    lines = said.split("\n")
    while len(lines) > 1 and not (_KIND.search(lines[-1]) or TAKEN_BACK.search(lines[-1])):
        del lines[-1]  # it explains
    head, rest = WHY.split("\n".join(lines), maxsplit=1)[0].partition(". ")[::2]
    asides = _ASIDE.findall(head)
    against = any(re.search(r"\b(?:no|not|or|wrong|right)\b", aside) for aside in asides)
    if against or TAKEN_BACK.search(rest) or re.match(r"\W*no\b", rest):
        return None
    plain = re.sub(r"\b\d{1,2}\b", " ", _ASIDE.sub(" ", head))
    words = [word for word in tokens(plain) if word in _KINDS or word not in BARE | _AMOUNT]
    if len(words) > _WORDS or not all(word in _KINDS for word in words):
        return None
    found = frozenset(_KINDS[word] for word in words)
    told = {_KINDS[word] for word in tokens(rest) if word in _KINDS} - {""}
    if not found or (found > {""}) or told - found:
        return None
    return found - {""}

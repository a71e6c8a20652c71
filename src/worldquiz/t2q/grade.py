"""Deterministic grading of replies. An unreadable reply counts as wrong; it is not dropped.

If no episode made a question answerable, only abstaining is right; otherwise only the answer is
(arXiv 2601.09503, equations 2 and 3). The shared module `facts.answer_values` reads names, yes and
no in replies; this module reads directions and kinds of things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from worldquiz.facts.answer_text import (
    DOUBT,
    FRAME,
    PLAIN,
    REMARK,
    Clause,
    agreed,
    answers_in,
    clauses,
    declined,
    normal,
    tidy,
    tokens,
    word_set,
)
from worldquiz.facts.answer_values import NUMERALS, named, yes_no
from worldquiz.facts.replies import claim
from worldquiz.facts.row import AnswerStatus
from worldquiz.t2q.compass import COMPASS
from worldquiz.t2q.question import CATEGORIES, NO_EXIT, Question

Kinds = Mapping[str, str]
"""The kind of everything in a world, by its name: "room", or one of `CATEGORIES`."""
_NOTHING: Kinds = MappingProxyType({})
_PLACES = ("room", "container", "supporter")
_NUMBERS = {str(n): str(n) for n in range(100)} | NUMERALS
_NUMBERS |= dict.fromkeys(("none", "no other rooms", "no rooms"), "0")
_TAKES = "passages it takes needs steps doors away exactly"
"""Words allowed beside a number, in addition to those of its question."""
_COUNTED, _WHOLE = re.compile(r"\b(?:moves|hops)\b", re.I), re.compile(r"(?<=\d)\.0\b")
_BOUND = re.compile(
    r"\b(?:at most|at least|more than|less than|up to|over|under)\b|[<>\u2264\u2265~-] ?\d"
)
_NONE = "no such exit, no exit, no such door, no such passage, none, not there, does not exist"
_NO_EXIT = dict.fromkeys(_NONE.split(", "), NO_EXIT)
_DOORLESS = re.compile(r",? ?\(?\b(?:with )?(?:no|without an?y?) doors?(?: between)?\b\)?", re.I)
_FLOOR = re.compile(r"\bfloor\b")


class Reading(NamedTuple):
    """Outcome of reading a reply: its status, and whether it is right."""

    status: AnswerStatus
    right: bool = False
    answer: str | None = None  # its words; None where it neither answers nor abstains


def read(question: Question, reply: str, kinds: Kinds = _NOTHING) -> Reading:
    """Read a reply to a question: its status, and whether it is right.

    A place may be any room or holder (container or supporter) in `kinds`, or one of the question's
    answers. Where a question asks for kinds of things, a thing's name counts as its kind.
    """
    said = claim(reply)
    if status := declined(said):
        return Reading(status, answer=said if status is AnswerStatus.ABSTAINED else None)
    right = _right(question, said, kinds)
    if right is None:
        return Reading(AnswerStatus.UNREADABLE)
    return Reading(AnswerStatus.ANSWERED, right, said)


def _right(question: Question, reply: str, kinds: Kinds) -> bool | None:
    """Return whether a reply is right, None if no answer can be read in it."""
    asked, answers, choices = question.text, question.answers, question.choices
    names = [name for name, kind in kinds.items() if kind in _PLACES]
    match question.format:
        case "yes_no":
            truth = yes_no(reply, asked)
            return None if truth is None else truth is (answers == ("yes",))
        case "description":
            found = categories(reply, asked, question.about, kinds)
            return None if found is None else found == {*question.gold.split(", ")} - {"nothing"}
        case "which" if all(map(direction, choices)):
            way = bearing(reply, asked, question.about)
            ways = [direction(each) for each in choices]
            return way == direction(question.gold) if way in ways else None
        case "what" if all(map(direction, answers)) or answers == (NO_EXIT,):
            supposed = NO_EXIT in asked
            reply = _DOORLESS.sub("", reply) if supposed else reply
            way = bearing(reply, asked, question.about)
            none = supposed and named(reply, asked, _NO_EXIT) is not None
            none = none and not _WAY.search(tidy(reply))  # "no such exit to the south; north"
            return None if none is (way is not None) else (way or NO_EXIT) in answers
        case "what" if all(map(str.isdecimal, answers)):
            told = _number(reply, asked)
            return None if told is None else told in answers
        case "which" if all(map(str.isdecimal, choices)):
            told = _number(reply, asked)
            return told == question.gold if told in choices else None
        case "which":
            others = dict.fromkeys(map(normal, (*names, *question.about)), "")
            others |= {normal(name): normal(each) for name in question.about for each in choices
                       if each.endswith(f" {name}")}  # fmt: skip
            found = named(reply, asked, {**others, **_same(choices)})
            return found == {normal(question.gold)} if found and len(found) == 1 else None
        case "where" | "what":
            about = dict.fromkeys(map(normal, question.about), "")
            found = named(reply, asked, {**_same((*names, *answers)), **about})
            if found is None or not _one_place(found, kinds):
                return None
            return found <= _same(answers).keys() and not (
                len(answers) > 1 and _FLOOR.search(reply.lower())
            )


def _number(reply: str, asked: str) -> str | None:
    """Return the only number in a reply, None if there is none or it is a bound ("over 3")."""
    if _BOUND.search(reply.lower()):
        return None
    told = named(_COUNTED.sub("passages", _WHOLE.sub("", reply)), f"{asked} {_TAKES}", _NUMBERS)
    return next(iter(told)) if told and len(told) == 1 else None


def _one_place(found: frozenset[str], kinds: Kinds) -> bool:
    """Return whether names mean one place: a single name, or a holder and its room."""
    rooms = {normal(name) for name, kind in kinds.items() if kind == "room"}
    return len(found) == 1 or (len(found) == 2 and len(found & rooms) == 1)


def _same(names: Iterable[str]) -> dict[str, str]:
    return {normal(name): normal(name) for name in names}


# --- Directions ---------------------------------------------------------------------------------

_WAY = re.compile(
    r"(?<![\w'])(?:(?P<ns>north|south)(?:(?: ?- ?| )?(?P<ew>east|west))?"
    r"|(?P<side>east|west)|(?P<short>[ns]\.? ?[ew]\.?(?!\w)|[nsew](?!\w)))"
    r"(?:ern(?:most)?|erly|wards?|bound)?(?![\w'])"
)
_LETTERS = {"n": "north", "s": "south", "e": "east", "w": "west"}
_GOING = FRAME | word_set(
    "go going head heading walk travel leave leaving exit exits take use using through via to in"
    " by direction way door doorway passage path side lies lie located you need can have toward"
    " towards get straight directly leads lead reach reached which player just follow out due"
    " compass enter come into situated found"
)


def direction(text: str) -> str | None:
    """Return the compass direction that a text spells, in any form; None if it spells none."""
    found = _WAY.fullmatch(tidy(text))
    return _way(found) if found else None


def bearing(reply: str, asked: str, about: Sequence[str]) -> str | None:
    """Return the only direction that a reply gives, as seen from the room in the question."""
    rooms = {tokens(name.lower()): "room" for name in about}
    units = {**rooms, **{tokens(each): each for each in COMPASS}}
    found = []
    for text in answers_in(reply, asked):
        for name in about:
            text = _room(asked, name).sub(" ", text)
        found.append(_bearing(clauses(_WAY.sub(lambda way: f" {_way(way)} ", text), units)))
    return agreed(found)


def _bearing(parts: list[Clause]) -> str | None:
    """Return the only direction that the clauses give, None if they may mean its opposite."""
    ways = {name for each in parts for name in each.names} - {"room"}
    at = next((n for n, each in enumerate(parts) if set(each.names) & ways), 0)
    if len(ways) != 1 or not parts[at].plain(_GOING) or any(each.has(DOUBT) for each in parts):
        return None
    return None if any("room" in each.names for each in parts[: at + 1]) else ways.pop()


def _room(asked: str, name: str) -> re.Pattern[str]:
    """Return a pattern of phrases that name a room in its role in the question: start or goal."""
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

_ASIDE = re.compile(r"\(([^()]{0,80})\)")
_SENTENCE = re.compile(r"[.!;](?=\s|$)|\n")
_LABEL = re.compile(
    r"(?:the )?(?:object )?(?:type|kind|categor|item|thing|content)\w*[^:\n]{0,20}:"
)
_KINDS = {form: one for one in CATEGORIES for form in (one, f"{one}s")}
_LABELLED = re.compile(rf"\b(?:{'|'.join(_KINDS)}) ?: (?:an? )?(?:{'|'.join(_KINDS)})\b")
_HOLDER = re.compile(
    r"\b(?:the|a) (?:container|supporter) (?:held|holds|contain\w*|had|has)\b"
    r"|\b(?:in|on|inside) (?:the|a) (?:container|supporter)\b"
    r"|\bit (?:is|was) a (?:container|supporter)\b"
)
"""Words about the kind of the holder, where the question asks about the things in it."""
_KINDS |= {"nothing": "nothing", "none": "nothing", "empty": "nothing", "nothing else": ""}
_KINDS |= dict.fromkeys(("nothing of", "nothing that", "nothing to", "none of"), "elsewhere")
_AMOUNT = PLAIN | REMARK | word_set(
    "and & + / some one two three four five six several many various only just multiple few other"
    " also another type types kind kinds category categories item items things contained contains"
    " held holds had has them following include includes included including are all first can"
)  # fmt: skip
"""Words beside a list of kinds that do not name a thing."""


def categories(
    reply: str, asked: str, about: Sequence[str], kinds: Mapping[str, str]
) -> frozenset[str] | None:
    """Return the categories that a reply lists, an empty set for "nothing"; None if it is unclear.

    The name of a thing in `kinds` counts as its kind, unless the question is `about` that thing.
    """
    if tidy(reply) in ("[]", "{}"):
        return frozenset()
    known = {normal(name): kind for name, kind in kinds.items() if kind in CATEGORIES}
    known |= _KINDS | dict.fromkeys(map(normal, about), "")
    units = {tokens(name): kind for name, kind in known.items()}
    places = [tokens(name) for name in map(normal, kinds) if known.get(name) in _PLACES]
    units |= {(at, "the", *each): "elsewhere" for each in places for at in ("in", "on")}
    return agreed(_categories(text, units) for text in answers_in(reply, asked))


def _categories(text: str, units: Mapping[tuple[str, ...], str]) -> frozenset[str] | None:
    """Return the kinds that a reply lists; None if there are none, or if other text adds any."""
    text = text[1:-1] if re.fullmatch(r"\([^()]*\)", text) else text
    label = _LABEL.match(text)
    text = text[label.end() :] if label else text
    listed = [clauses(each, units) for each in _SENTENCE.split(_ASIDE.sub(" ", text))]
    asides = [clauses(each, units) for each in _ASIDE.findall(text)]
    found, told = set[str](), set[str]()
    for parts in (*listed, *asides):
        names = {name for each in parts for name in each.names}
        told |= names
        if parts in listed and all(_lists(each) for each in parts):
            found |= names - {"elsewhere"}
        if any(each.has(DOUBT) for each in parts):
            return None
    if not found or told - found or found > {"nothing"}:
        return None
    if _LABELLED.search(text) or _HOLDER.search(text):
        return None
    return frozenset(found - {"nothing"})


def _lists(part: Clause) -> bool:
    """Return whether a clause lists kinds and says nothing else."""
    return all(word in _AMOUNT or word.isdecimal() for word in part.words)

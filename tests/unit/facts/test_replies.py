"""Real-looking replies, each with the reading of a careful human grader (``replies.toml``)."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from worldquiz.facts.answer_text import DENIALS, DOUBTS, LONGEST, PLAIN, REMARK
from worldquiz.facts.replies import READER, claim
from worldquiz.facts.requirement import All, Requirement
from worldquiz.facts.row import ABSTAIN, AnswerStatus
from worldquiz.records import digest
from worldquiz.t2q.compass import COMPASS
from worldquiz.t2q.grade import bearing, direction, read
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import WorldSpec

TABLE: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "replies.toml").read_text("utf-8")
)
RIGHT, NONE = (AnswerStatus.ANSWERED, True), (AnswerStatus.UNREADABLE, False)
READINGS = ("right", "wrong", "abstained", "unreadable", "refused")


def question(name: str) -> Question:
    told = {key: value for key, value in TABLE[name].items() if key not in READINGS}
    requires = TypeAdapter[Requirement](Requirement).dump_python(All(()))
    fields = {"id": name, "type": "location", "requires": requires, **told}
    return TypeAdapter[Question](Question).validate_python(fields)


QUESTIONS = {name: question(name) for name in TABLE}
CASES = [
    (name, reply, reading)
    for name, told in TABLE.items()
    for reading in READINGS
    for reply in told.get(reading, ())
]


NAMES = (
    "attic", "nursery", "cellar", "kitchen", "pantry", "cedar pantry", "maple pantry",
    "heavy chest", "red chest", "plain table", "kitchen table", "kitchen shelf", "plain shelf",
    "blue crate", "round stand",
)  # fmt: skip
KINDS = dict.fromkeys(NAMES, "supporter") | dict.fromkeys(NAMES[:7], "room") | {
    "heavy chest": "container", "red chest": "container", "blue crate": "container",
    "dusty glove": "object", "bronze key": "key", "old cheese": "food",
}  # fmt: skip
"""The world that is asked about."""


@pytest.mark.parametrize(("name", "reply", "reading"), CASES)
def test_a_reply_is_read_as_a_careful_grader_reads_it(name: str, reply: str, reading: str) -> None:
    found = read(QUESTIONS[name], reply, KINDS)
    answered = reading in ("right", "wrong")
    assert found.status is (AnswerStatus.ANSWERED if answered else AnswerStatus(reading))
    assert found.right is (reading == "right")
    assert read(QUESTIONS[name], claim(reply), KINDS)[:2] == found[:2], "an answer as its reply"


STYLES = (Path(__file__).parent / "styles.txt").read_text("utf-8").splitlines()


def filled(style: str, asked: Question, answer: str, wrong: str) -> str:
    """Return a style's reply to a question."""
    told = style.removeprefix("? ").replace("\\n", "\n").replace("QUESTION", asked.text)
    return told.replace("ANSWERED", answer).replace("OTHER", wrong)


@pytest.mark.parametrize("style", STYLES)
def test_an_answer_is_read_in_any_style(style: str) -> None:
    """More than 250 styles, of each kind of question: no reply is read as another answer.

    Behind "? " stands one whose answer a careful reader may doubt: it may be unreadable.
    """
    for name in STYLED:
        asked = QUESTIONS[name]
        for case in (str, str.upper, str.capitalize):
            right, wrong = case(asked.gold), case(other(asked))
            found = read(asked, filled(style, asked, right, wrong), KINDS)[:2]
            assert found == RIGHT or (style[0] == "?" and found == NONE), (name, right)
            assert not read(asked, filled(style, asked, wrong, right), KINDS).right, (name, wrong)


ATTACKS = [
    (section.partition("]")[0].lstrip("["), *line.split(" ", 1))
    for section in (Path(__file__).parent / "attacks.txt").read_text("utf-8").split("\n[")
    for line in section.splitlines()[1:]
]
"""Replies by which an outsider tried to be misread: kind, what they may be read as, reply.

R is right, W wrong, A abstained, N none of these: of several letters each is a fair reading.
"""
ATTACKED = {
    "names": (("lamp", "heavy chest", "red chest", "plain table"),
              ("lamp", "nursery", "attic", "cellar"), ("behind", "pantry", "attic", "cellar"),
              ("key", "tin key", "brass key", "golden key")),
    "yes or no": (("locked", "yes", "no", ""), ("shut", "no", "yes", "")),
    "directions": (("way", "north", "south", "east"), ("compass", "north-east", "west", "north")),
    "kinds": (("kinds", "object and key", "food", ""), ("meal", "food", "key", "")),
    "abstentions": tuple((name, "", "attic", "") for name in ("lamp", "behind", "locked", "kinds")),
}  # fmt: skip
"""The questions of each kind, each with its answer and two others."""


def attacked(told: str, kind: str) -> list[tuple[str, str]]:
    """Return an attack's replies, each with its question."""
    found = []
    for name, right, wrong, third in ATTACKED[kind]:
        reply, item = told.replace("\\n", "\n"), QUESTIONS[name].about[0]
        words = {"R": right, "W": wrong, "W2": third, "V": third, "ITEM": item}
        for mark, word in {**words, "A": "attic", "B": "pantry"}.items():
            reply = reply.replace(f"{{{mark}}}", word)
        found.append((name, reply))
    return found


@pytest.mark.parametrize(("kind", "fair", "told"), ATTACKS)
def test_an_attack_is_read_fairly(kind: str, fair: str, told: str) -> None:
    for name, reply in attacked(told, kind):
        found = read(QUESTIONS[name], reply, KINDS)
        letter = {"answered": "R" if found.right else "W", "abstained": "A"}.get(found.status, "N")
        assert letter in fair + "A" * ("N" in fair), (name, reply)


def test_another_reading_is_another_version_of_the_reader() -> None:
    """Runs state by which version they were read (`READER`), and `score --regrade` reads again.

    If a reply of these tables is read otherwise than before, raise the version. Where only the
    tables have grown, the digest is new and the version is not.
    """
    every = [(name, reply) for name, reply, _ in CASES]
    every += [(name, filled(style, q, q.gold, other(q))) for style in STYLES
              for name in STYLED for q in (QUESTIONS[name],)]  # fmt: skip
    every += [each for kind, _, told in ATTACKS for each in attacked(told, kind)]
    found = (read(QUESTIONS[name], reply, KINDS) for name, reply in every)
    assert (READER, digest(*(f"{each[0]} {each[1]}" for each in found))[:16]) == (
        4,
        "630ed2c227418f6f",
    )


PLACE = next(each for each in QUESTIONS.values() if each.format == "where")
PLACE = replace(PLACE, about=("dusty coin",))
ROOMS = NAMES[:7]
REMARKS = (
    " (seen in task 1)", " - from the first room", " (I am sure)", ", I think", " because I saw it",
    ". I saw it there.", ". It was shown in the first task.", " (it stood on the left)", "!",
    ", as the transcript shows", " - I remember it", ", which I opened", "\n\nI looked around.",
)  # fmt: skip
LEADS = ("", "In the ", "It was in the ", "I think it was the ", "Based on the context, the ",
         "The answer is the ", "I looked around.\nANSWER: ", "Sure! The ")  # fmt: skip
ABSTENTIONS = ("non-answerable", "Unknown", "I don't know", "I cannot tell", "Not mentioned",
               "It cannot be determined", "The context does not say", "Not enough information",
               "No, the context does not say", "The answer is unknown")  # fmt: skip
WORDS = sorted((PLAIN | REMARK) - {"answer"})
DOUBTED = [word.replace("_", " ").replace("*", "") for word in f"{DENIALS} {DOUBTS}".split()]


@given(st.sampled_from(NAMES), st.sampled_from(LEADS), st.sampled_from(REMARKS))
def test_harmless_remarks_change_no_answer(name: str, lead: str, remark: str) -> None:
    asked = replace(PLACE, answers=(name,))
    for reply in (f"{lead}{name}{remark}", json.dumps({"answer": f"{lead}{name}{remark}"})):
        assert read(asked, reply, KINDS)[:2] == RIGHT, reply


@given(
    st.sampled_from(NAMES), st.sampled_from(DOUBTED), st.sampled_from(LEADS),
    st.sampled_from((" ", ", ", ". ", ": ", " - ", " (", "\n")), st.sampled_from(REMARKS),
)  # fmt: skip
def test_a_name_beside_a_doubt_is_no_answer(
    name: str, doubt: str, lead: str, gap: str, remark: str
) -> None:
    asked = replace(PLACE, answers=(name,))
    replies = [f"{lead}{name}{gap}{doubt}", f"{lead}{name}{remark}{gap}{doubt} of that"]
    if "answer" not in lead.lower():  # what stands before such a sentence is thought
        replies.append(f"{doubt}{gap}{lead.lower()}{name}{remark}")
    for reply in replies:
        assert read(asked, reply, KINDS).status is not AnswerStatus.ANSWERED, reply


@given(
    st.sampled_from([(one, two) for one in NAMES for two in NAMES
                     if one not in two and two not in one and (one in ROOMS) == (two in ROOMS)]),
    st.lists(st.lists(st.sampled_from([*WORDS, *",.;:()-\n"]), max_size=4).map(" ".join),
             min_size=3, max_size=3),
)  # fmt: skip
def test_two_names_are_no_answer(names: tuple[str, str], parts: list[str]) -> None:
    reply = f"{parts[0]} {names[0]} {parts[1]} {names[1]} {parts[2]}"
    found = read(replace(PLACE, answers=names[:1]), reply, KINDS)
    assert found.status is not AnswerStatus.ANSWERED


@given(st.sampled_from(ABSTENTIONS), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_an_abstention_may_name_what_was_seen(told: str, one: str, two: str) -> None:
    remarks = (
        f" (only the {one} was seen)", f" - I only saw the {one} and the {two}",
        f". The player only visited the {one}.", f"; I was in the {one}, then in the {two}",
        f" because only the {one} was shown", f"\n\nI started in the {one}.",
    )  # fmt: skip
    for remark in remarks:
        for reply in (told + remark, json.dumps({"answer": told + remark}), f"**{told}**{remark}"):
            for name in ("lamp", "locked", "kinds", "way", "key"):
                found = read(QUESTIONS[name], reply, KINDS)
                assert found.status is AnswerStatus.ABSTAINED, (name, reply)


def other(asked: Question) -> str:
    """Return a wrong answer of the form that is asked for."""
    match asked.format:
        case "yes_no":
            return "no" if asked.gold == "yes" else "yes"
        case "which":
            return next(each for each in asked.choices if each != asked.gold)
        case "where":
            return "maple pantry"
        case "what":
            return "south"
        case "description":
            return "container"


def test_a_thing_is_in_two_places_at_most() -> None:
    for reply in ("attic, nursery and pantry", "heavy chest, nursery, attic"):
        assert read(QUESTIONS["lamp"], reply, KINDS).status is AnswerStatus.UNREADABLE


STYLED = ("lamp", "coin", "door", "behind", "key", "place", "room", "way", "compass", "locked",
          "joined", "kinds", "meal", "bare")  # fmt: skip


@given(st.sampled_from(CASES), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_readability_does_not_depend_on_the_answer(
    case: tuple[str, str, str], one: str, two: str
) -> None:
    """Else an answerer could hedge at no cost, or learn from what is called unreadable."""
    asked = QUESTIONS["lamp"]
    found = {
        read(replace(asked, answers=each), case[1], KINDS).status for each in ((one,), (one, two))
    }
    assert len(found) == 1


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_gold_is_right_for_every_question_of_a_world(level: str) -> None:
    spec = generate(PRESETS[level], 11, id="w", level=level)
    asked = ask(spec)
    assert len(asked) > 10
    for each in asked:
        for reply in (
            each.gold,
            each.gold.upper(),
            f"The answer is {each.gold}.",
            *known(each, spec),
        ):
            assert read(each, reply, spec.kinds)[:2] == RIGHT, (each, reply)
        for wrong in set(false(each, spec)):
            assert not read(each, wrong, spec.kinds).right, (each, wrong)
        assert read(each, ABSTAIN).status is AnswerStatus.ABSTAINED


def known(asked: Question, spec: WorldSpec) -> list[str]:
    """Return more right replies: every answer, and both places of a thing."""
    match asked:
        case Question(format="where", answers=(holder, room)) if spec.kinds[holder] != "room":
            return [room, f"in the {holder}, {room}", f"{room}, {holder}"]
        case _:
            return list(asked.answers)


def false(asked: Question, spec: WorldSpec) -> list[str]:
    """Return replies that are wrong: other choices, the other word, one place too many."""
    answers, choices = asked.answers, asked.choices
    match asked.format:
        case "yes_no":
            return [other(asked), "yes and no"]
        case "which":
            return [*(each for each in choices if each not in answers), " or ".join(choices)]
        case "where":
            others = set(spec.of_kind("room", "container", "supporter")) - {*answers, *asked.about}
            return [*others, *(f"{answers[0]} or {each}" for each in others)]
        case "what":
            return [f"not {answers[0]}", f"{answers[0]} or moon"]
        case "description":
            return ["moon", f"{answers[0]}, moon"]


@pytest.mark.parametrize("way", COMPASS)
def test_a_direction_has_many_spellings(way: str) -> None:
    parts = way.split("-")
    short = "".join(part[0] for part in parts)
    spellings = {
        way, "".join(parts), " ".join(parts), short, short.upper(), f"{way}ward", f"{way}wards",
        f"{way}ern", way.title(), way.replace("-", "–"), ".".join(short) + ".",
    }  # fmt: skip
    assert {direction(each) for each in spellings} == {way}
    assert {bearing(f"go {each}", "", ()) for each in spellings} == {way}


DEEP = (
    "[" * 100_000,
    "{" * 100_000,
    '{"answer": ' * 5_000,
    '{"answer": ' + "[" * 900 + "]" * 900 + "}",
)
ANY = st.text(st.characters() | st.characters(categories=["Cs"]))


@given(st.one_of(ANY, st.sampled_from(CASES).map(lambda case: case[1])), ANY)
@example("\ud800", "")
@example(DEEP[0], "")
@example(DEEP[1], "")
@example(DEEP[2], "")
@example(DEEP[3], "}")
@example('{"answer": "\\ud800"}', "")
@example('{"answer": ' + "9" * 5_000 + "}", "")
@example("the " * 50_000, "answer")
@example('{"' * 9_000, "")
def test_any_text_can_be_read_and_kept(one: str, two: str) -> None:
    for reply in (one, one + two):
        claim(reply).encode()
        for asked in QUESTIONS.values():
            found = read(asked, reply, KINDS)
            assert found.status is AnswerStatus.ANSWERED or not found.right


@pytest.mark.parametrize("name", TABLE)
def test_of_a_long_reply_the_end_is_read(name: str) -> None:
    asked = QUESTIONS[name]
    told = f"{'hm ' * LONGEST}\nANSWER: {asked.gold}"
    assert read(asked, told, KINDS)[:2] == RIGHT
    assert read(asked, asked.gold + "." * LONGEST).status is AnswerStatus.UNREADABLE

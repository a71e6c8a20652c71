"""Reading answers: alone, among other words, and what is no answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.exam.grade import Shape, named, read_step
from worldquiz.tea.exam.grade import read as read_answer
from worldquiz.tea.kinds.kinds import Box3, Goal
from worldquiz_scenes.importing.names import KNOWN

RELATIONS = ("on", "under", "left of", "right of", "above", "below", "in front of", "behind")


SHAPES: tuple[Shape, ...] = ("name", "choice", "count", "metres", "box2", "box3")
NAME, CHOICE, COUNT, METRES, BOX2, BOX3 = SHAPES
SIX = (1, 2, 3, 1, 1, 2)
READ: list[tuple[Shape, str, Any | None]] = [
    (NAME, '{"answer": "coat rack"}', "coat rack"),
    (NAME, "Coat rack.", "coat rack"),
    (CHOICE, "to the left of", "left of"),
    (COUNT, "none", 0),
    (METRES, '{"answer": "2.5 m"}', 2.5),
    (BOX2, "[1, 2, 30, 40]", (1, 2, 30, 40)),
    (BOX3, '{"answer": {"centre": [1, 2, 3], "size": [1, 1, 2]}}', SIX),
    (NAME, "Looking closely, I see legs.\nThe object is a chair.", "chair"),
    (NAME, '<think>maybe {"answer": "sofa"}</think>\nAnswer: **bed**', "bed"),
    (NAME, '{"why": "round", "answer": "clock"}\n{"answer": "plate"}', None),
    (CHOICE, "The mug is to the left of the bowl.", "left of"),
    (COUNT, "I can see 2 in the picture.", 2),
    (METRES, "It is about 3.2 m away.", 3.2),
    (METRES, "320 cm", 3.2),
    (METRES, "10 feet", 3.048),
    (NAME, "chair (seen in picture 1)", "chair"),
    (NAME, "chair or stool", None),
    (BOX2, "The box is [10, 20, 30.5, 40] in pixels.", (10, 20, 30.5, 40)),
    (BOX3, "middle (1, 2, 3), lengths (1, 1, 2)", SIX),
    (NAME, "", None),
    (NAME, '{"answer": 3}', None),
    (NAME, "I am sorry, but I cannot say what this picture shows", None),
    (CHOICE, "left of or behind", None),
    (CHOICE, "I think it is behind the sofa, since I see its back.", "behind"),
    (CHOICE, "not behind the sofa", None),
    (NAME, "Unknown.", None),
    (COUNT, "I cannot tell.", None),
    (COUNT, "2 or 3", None),
    (METRES, '{"answer": 0}', None),
    (METRES, '{"answer": NaN}', None),
    (BOX2, "[30, 2, 1, 40]", None),
    (BOX2, "__import__('os').system('true')", None),
    (BOX2, "[" * 50_000, None),
]


def read(reply: str, shape: Shape, choices: tuple[str, ...] = (), asked: str = "") -> Any:
    """Return the value of a reply's answer; of a box in space its middle, then its lengths."""
    found = read_answer(reply, shape, choices, asked)
    assert not isinstance(found, Goal)
    return (*found.centre, *found.size) if isinstance(found, Box3) else found and found.value


@pytest.mark.parametrize(("shape", "text", "value"), READ)
def test_answers_are_read_alone_among_words_or_not_at_all(
    shape: Shape, text: str, value: Any | None
) -> None:
    assert read(text, shape, RELATIONS, "How does the mug stand to the bowl and the sofa?") == value


FAR, MUGS = "How far ahead of the camera is the mug, in metres?", "Count every mug on the table."
YES_NO = ("yes", "no")
KEPT: list[tuple[Shape, tuple[str, ...], str, str, Any]] = [
    (NAME, (), "What is it?", text, "fridge") for text in (
        "{}", "a {}", "{}.", "{} - on the left", "{}, partly hidden", "{} (seen in picture 1)",
        "It looks like a {}.", "The object in the yellow box is a {}.", "A {} on a stool",
        "I think that it is a {}, probably", "{}, next to a bed", "{}. I saw it there.",
        "Object: {}", "{} (refrigerator)",
    )
] + [
    (COUNT, (), MUGS, text, 2) for text in (
        "{}", "{}.", "There are {}.", "I count {} mugs.", "{} mugs on the table", "exactly {}",
        "two", "two mugs", "{} (seen in picture 1)", "{} - all on the left", "{}, one is hidden",
        "{}. One is hidden.", "In picture 3 there are {}.", "a total of {}", "mugs: {}",
    )
] + [
    (METRES, (), FAR, text, 2.5) for text in (
        "{}", "{} m", "{}m", "about {} metres", "~{}", "250 cm", "2500 mm", "0.0025 km",
        "The mug is {} m ahead of the camera.", "It is {} m away.", "{} m, measured by eye",
        '{{"answer": "250", "unit": "cm"}}', '{{"answer": {{"value": 250, "unit": "cm"}}}}',
        '{{"answer": 2.5, "unit": "m"}}', '{{"answer": "2.5 m", "unit": "m"}}',
        '{{"answer": 250, "units": "cm"}}', "I would say roughly {} m", "most likely {} m",
    )
] + [
    (CHOICE, RELATIONS, "How?", text, "right of") for text in (
        "{}", "to the {}", "It is {} it.", "{} (seen in picture 1)", "right", "on the right of",
    )
]  # fmt: skip
RIGHT = {NAME: "fridge", COUNT: "2", METRES: "2.5", CHOICE: "right of"}
OTHER = {NAME: "stool", COUNT: "3", METRES: "7.5", CHOICE: "left of"}
DENIED = (
    "not {0}", "It cannot be {0}.", "{0}?", "hardly {0}", "unlikely {0}", "I doubt it is {0}",
    "anything but {0}", "{0} is wrong", "neither {0} nor {1}", "{0}, not {1}", "I see no {0}",
    "not {1} but {0}", "It is unknown, near {0}", "{0}. I take that back.",
    "{0}. That is incorrect.", "{0}. Sorry, I am mistaken.",
)  # fmt: skip
TWO = (
    "{0} or {1}", "{0}, {1}", "{0}/{1}", "{0}-{1}", "{0} - {1}", "{0} and {1}", "{0}. {1}.",
    "{0} ({1})", "{0}. Wait, {1}.", "{0}. Sorry, I meant {1}.", "{0}. Edit: {1}",
    "between {0} and {1}", "Answer: {0}. After checking again: {1}.", "{0}, no, {1}", "{0}\n{1}",
    "first {0}, then {1}",
)  # fmt: skip
NONE = [(COUNT, text) for text in (
    "at least 1", "at most 1", "more than 1", "fewer than 1", "about 1", "under 1", ">1", "< 1",
    "picture 1 is dark", "step 1", "task 1", "1%", "-1", "1.5", "1 m", "1 chair", "1,000",
    "no idea", "one cannot tell", "none of this can be told", "there are several", "1 or more",
    "a mug with 1 handle", "up to 1", "1+", "no", "at the very least, 1",
)] + [(METRES, text) for text in (
    "more than 2 m", "less than 2 m", "over 2 m", "> 2 m", "2 m at least", "2 steps", "2 miles",
    "2 pixels", "picture 2", "-2 m", "2,5 m", "2.5 m or so", "64.9\"", "8'", "64.9 in away",
    "2 m 10", '{"answer": "3", "unit": "steps"}', "within 2 m", "up to 2 m", "2 m plus",
    "It's 8'.", "8 '", "It’s 8’", "between 2 and 3", '{"answer": "250 cm", "unit": "m"}',
)] + [(NAME, text) for text in (
    "The object in the box", "I can't see it", "unclear", "hard to say", "It could be a chair",
    "the object is not visible", "in front of the mirror", "a chair and a table",
    "something else is there", "behind it is a chair", "at the window", "As far as I can tell",
)] + [(BOX2, "[1, 2, 3, 4] or [1, 2, 30, 40]"), (BOX2, "[1, 2, 3, 4] [1, 2, 30, 40]"),
      (BOX2, "not [1, 2, 30, 40]"), (BOX2, "It isn’t [1, 2, 30, 40]"),
      (BOX2, "It is not so that the answer is [1, 2, 30, 40]")]  # fmt: skip


@pytest.mark.parametrize(("shape", "choices", "asked", "style", "value"), KEPT)
def test_a_remark_changes_no_answer(
    shape: Shape, choices: tuple[str, ...], asked: str, style: str, value: Any
) -> None:
    assert read(style.format(RIGHT[shape]), shape, choices, asked) == value


@pytest.mark.parametrize("shape", RIGHT)
@pytest.mark.parametrize("style", DENIED + TWO)
def test_a_denied_answer_and_two_answers_are_none(style: str, shape: Shape) -> None:
    text = style.format(RIGHT[shape], OTHER[shape])
    for reply in (text, json.dumps({"answer": text})):
        assert read(reply, shape, RELATIONS if shape is CHOICE else (), "What?") is None


@pytest.mark.parametrize(("shape", "text"), NONE)
def test_bounds_other_units_and_numbers_of_other_things_are_no_answer(
    shape: Shape, text: str
) -> None:
    assert read(text, shape, (), MUGS if shape is COUNT else FAR) is None


@pytest.mark.parametrize(
    "text", ["no. I take that back.", "yes?", "no. Sorry, I meant something else.", "yes. Edit: no"]
)
def test_yes_and_no_that_are_taken_back_are_no_answer(text: str) -> None:
    assert read(text, CHOICE, YES_NO, "Can they see it?") is None


@pytest.mark.parametrize("name", ["wooden teddy bear", "Large white teddy bears", "a teddy bear"])
def test_a_look_is_no_part_of_a_name(name: str) -> None:
    assert named(name) == named("teddy bear") != named("wooden bear")


REMARKS = st.lists(
    st.sampled_from(["(seen in picture 1)", "- on the left", ", I think", "(partly hidden)",
                     ", seen from here", "(task 3, step 4)"]), max_size=3,
).map(" ".join)  # fmt: skip


@given(st.sampled_from(sorted(KNOWN)), st.integers(0, 99), st.integers(1, 999), REMARKS)
def test_any_remark_keeps_any_answer_and_any_denial_makes_it_none(
    name: str, count: int, length: int, remark: str
) -> None:
    told = {NAME: (name, name), COUNT: (f"{count}", count), METRES: (f"{length} cm", length / 100)}
    for shape, (text, value) in told.items():
        assert read(f"{text} {remark}", shape) == (pytest.approx(value) if shape != NAME else value)
        for denial in ("not {} {}", "{} {}. Wait, no.", "hardly {} {}", "{} {} or not", "{} {}?"):
            assert read(denial.format(text, remark), shape) is None


@given(st.lists(st.sampled_from(sorted(KNOWN)), min_size=2, max_size=2, unique_by=named),
       st.lists(st.integers(0, 99), min_size=2, max_size=2, unique=True),
       st.sampled_from(TWO), REMARKS)  # fmt: skip
def test_of_two_values_none_is_ever_the_answer(
    names: list[str], numbers: list[int], style: str, remark: str
) -> None:
    assert read(f"{style.format(*names)} {remark}", NAME) is None
    for shape in (COUNT, METRES):
        assert read(f"{style.format(*numbers)} {remark}", shape) is None


STYLES = Path(__file__).parents[2] / "facts" / "styles.txt"
STYLED: list[tuple[Shape, tuple[str, ...], str, str, Any]] = [
    (NAME, (), "coat rack", "office chair", "coat rack"),
    (CHOICE, RELATIONS, "left of", "behind", "left of"),
    (CHOICE, ("yes", "no"), "yes", "no", "yes"),
    (COUNT, (), "4", "2", 4),
    (METRES, (), "2.5 m", "300 cm", 2.5),
    (BOX2, (), "[1, 2, 30, 40]", "[1, 2, 3, 4]", (1, 2, 30, 40)),
]


@pytest.mark.parametrize("style", STYLES.read_text("utf-8").splitlines())
def test_an_answer_in_any_style_is_right_or_none(style: str) -> None:
    """The styles of text worlds, of which a few are no way to give a number or box."""
    asked, told = "What is there?", style.removeprefix("? ").replace("\\n", "\n")
    for shape, choices, right, wrong, value in STYLED:
        reply = told.replace("QUESTION", asked).replace("ANSWERED", right).replace("OTHER", wrong)
        assert read(reply, shape, choices, asked) in (value, None), (shape, reply)
        assert shape is not CHOICE or style[0] == "?" or read(reply, shape, choices, asked), reply


@given(st.text(max_size=300), st.sampled_from(SHAPES))
def test_any_text_is_read_without_harm(text: str, shape: Shape) -> None:
    assert read(text, shape, RELATIONS) == read(text, shape, RELATIONS)


@given(st.integers(0, 10_000), st.text("abc. \n", max_size=60))
def test_the_json_that_was_asked_for_counts_whatever_stands_before_it(n: int, talk: str) -> None:
    text = f"{talk}\n{json.dumps({'answer': n})}"
    assert read(text, COUNT) == n


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ('{"turn": 30, "walk": 1.5}', (30, 1.5)),
        ('{"turn": -90}', (-90, 0)),
        ('{"stop": true}', None),
        ('I turn.\n```json\n{"turn": 5, "walk": 0}\n```', (5, 0)),
        ('{"turn": 1} no, better {"turn": 2, "walk": 1}', (2, 1)),
        ('{"turn": 10, "walk": -1}', (0, 0)),
        ("forward", (0, 0)),
    ],
)
def test_moves(text: str, step: tuple[float, float] | None) -> None:
    assert read_step(text) == step

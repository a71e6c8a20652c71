"""Reading answers: alone, among other words, and what is no answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.tea.exam.grade import AnswerShape, Value, read, read_step

RELATIONS = ("on", "under", "left of", "right of", "above", "below", "in front of", "behind")


NAME, CHOICE, COUNT, METRES, BOX2, BOX3 = AnswerShape
SIX = (1, 2, 3, 1, 1, 2)
READ: list[tuple[AnswerShape, str, Value | None]] = [
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
    (COUNT, "I can see 2 chairs in the picture.", 2),
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


@pytest.mark.parametrize(("shape", "text", "value"), READ)
def test_answers_are_read_alone_among_words_or_not_at_all(
    shape: AnswerShape, text: str, value: Value | None
) -> None:
    assert read(text, shape, RELATIONS, "How does the mug stand to the bowl and the sofa?") == value


STYLES = Path(__file__).parents[2] / "facts" / "styles.txt"
STYLED: list[tuple[AnswerShape, tuple[str, ...], str, str, Value]] = [
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


@given(st.text(max_size=300), st.sampled_from(list(AnswerShape)))
def test_any_text_is_read_without_harm(text: str, shape: AnswerShape) -> None:
    assert read(text, shape, RELATIONS) == read(text, shape, RELATIONS)


@given(st.integers(0, 10_000), st.text("abc. \n", max_size=60))
def test_the_json_that_was_asked_for_counts_whatever_stands_before_it(n: int, talk: str) -> None:
    text = f"{talk}\n{json.dumps({'answer': n})}"
    assert read(text, AnswerShape.COUNT) == n


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

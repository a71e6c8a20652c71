"""Reading answers: what is clean, what can be repaired, and what is no answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.reply_lists import Form
from worldquiz.tea.scoring.parse import AnswerShape, Value, read, read_step

RELATIONS = ("on", "under", "left of", "right of", "above", "below", "in front of", "behind")


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (AnswerShape.NAME, '{"answer": "coat rack"}', "coat rack"),
        (AnswerShape.NAME, "Coat rack.", "Coat rack"),
        (AnswerShape.CHOICE, "to the left of", "left of"),
        (AnswerShape.COUNT, '{"answer": 3}', 3),
        (AnswerShape.COUNT, "none", 0),
        (AnswerShape.METRES, '{"answer": "2.5 m"}', 2.5),
        (AnswerShape.BOX2, "[1, 2, 30, 40]", (1, 2, 30, 40)),
        (
            AnswerShape.BOX3,
            '{"answer": {"centre": [1, 2, 3], "size": [1, 1, 2]}}',
            (1, 2, 3, 1, 1, 2),
        ),
    ],
)
def test_clean_answers(shape: AnswerShape, text: str, value: Value) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (value, Form.CLEAN)


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (AnswerShape.NAME, "Looking closely, I see legs.\nThe object is a chair.", "chair"),
        (AnswerShape.NAME, '<think>maybe {"answer": "sofa"}</think>\nAnswer: **bed**', "bed"),
        (AnswerShape.NAME, '{"reason": "round", "answer": "clock"}\n{"answer": "plate"}', "plate"),
        (AnswerShape.CHOICE, "The mug is to the left of the bowl.", "left of"),
        (AnswerShape.COUNT, "I can see 2 chairs in the picture.", 2),
        (AnswerShape.METRES, "It is about 3.2 m away.", 3.2),
        (AnswerShape.BOX2, "The box is [10, 20, 30.5, 40] in pixels.", (10, 20, 30.5, 40)),
        (
            AnswerShape.BOX3,
            "middle (0.1, 0.2, 2), lengths (0.5, 1, 0.5)",
            (0.1, 0.2, 2, 0.5, 1, 0.5),
        ),
    ],
)
def test_answers_among_other_words(shape: AnswerShape, text: str, value: Value) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (value, Form.REPAIRED)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (AnswerShape.NAME, ""),
        (AnswerShape.NAME, '{"answer": 3}'),
        (
            AnswerShape.NAME,
            "I am sorry, but I cannot say what this picture shows with any certainty",
        ),
        (AnswerShape.CHOICE, "left of or behind"),
        (AnswerShape.COUNT, "2 or 3"),
        (AnswerShape.METRES, '{"answer": 0}'),
        (AnswerShape.METRES, '{"answer": NaN}'),
        (AnswerShape.BOX2, "[30, 2, 1, 40]"),
        (AnswerShape.BOX2, "__import__('os').system('true')"),
        (AnswerShape.BOX2, "[" * 50_000),
    ],
)
def test_what_is_no_answer(shape: AnswerShape, text: str) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (None, Form.ILL_FORMED)


@given(st.text(max_size=300), st.sampled_from(list(AnswerShape)))
def test_any_text_is_read_without_harm(text: str, shape: AnswerShape) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value is None) == (found.form is Form.ILL_FORMED)
    assert read(text, shape, RELATIONS) == found


@given(st.integers(0, 10_000), st.text("abc. \n", max_size=60))
def test_the_json_that_was_asked_for_counts_whatever_stands_before_it(n: int, talk: str) -> None:
    text = f"{talk}\n{json.dumps({'answer': n})}"
    assert read(text, AnswerShape.COUNT).value == n


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

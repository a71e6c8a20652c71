"""Reading answers: what is clean, what can be repaired, and what is no answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.llm.reply_lists import Form
from worldquiz.tea.scoring.parse import Shape, Step, Value, read, read_step

RELATIONS = ("on", "under", "left of", "right of", "above", "below", "in front of", "behind")


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (Shape.NAME, '{"answer": "coat rack"}', "coat rack"),
        (Shape.NAME, "Coat rack.", "Coat rack"),
        (Shape.CHOICE, '{"answer": "LEFT OF"}', "left of"),
        (Shape.CHOICE, "to the left of", "left of"),
        (Shape.COUNT, '{"answer": 3}', 3),
        (Shape.COUNT, '{"answer": "three"}', 3),
        (Shape.COUNT, "none", 0),
        (Shape.METRES, '{"answer": "2.5 m"}', 2.5),
        (Shape.METRES, "2.5 metres", 2.5),
        (Shape.BOX2, "[1, 2, 30, 40]", (1, 2, 30, 40)),
        (Shape.BOX3, '{"answer": {"centre": [1, 2, 3], "size": [1, 1, 2]}}', (1, 2, 3, 1, 1, 2)),
        (Shape.BOX3, '{"answer": [1, 2, 3, 1, 1, 2]}', (1, 2, 3, 1, 1, 2)),
    ],
)
def test_clean_answers(shape: Shape, text: str, value: Value) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (value, Form.CLEAN)


@pytest.mark.parametrize(
    ("shape", "text", "value"),
    [
        (Shape.NAME, '```json\n{"answer": "mug"}\n```', "mug"),
        (Shape.NAME, "Looking closely, I see legs.\nThe object is a chair.", "chair"),
        (Shape.NAME, '<think>maybe {"answer": "sofa"}</think>\nAnswer: **bed**', "bed"),
        (Shape.NAME, '{"reason": "round", "answer": "clock"}\n{"answer": "plate"}', "plate"),
        (Shape.CHOICE, "The mug is to the left of the bowl.", "left of"),
        (Shape.CHOICE, "It stands on the table.", "on"),
        (Shape.CHOICE, "it is in front of it", "in front of"),
        (Shape.COUNT, "I can see 2 chairs in the picture.", 2),
        (Shape.COUNT, "There are two of them.", 2),
        (Shape.METRES, "It is about 3.2 m away.", 3.2),
        (Shape.BOX2, "The box is [10, 20, 30.5, 40] in pixels.", (10, 20, 30.5, 40)),
        (Shape.BOX3, "middle (0.1, 0.2, 2), lengths (0.5, 1, 0.5)", (0.1, 0.2, 2, 0.5, 1, 0.5)),
    ],
)
def test_answers_among_other_words(shape: Shape, text: str, value: Value) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (value, Form.REPAIRED)


@pytest.mark.parametrize(
    ("shape", "text"),
    [
        (Shape.NAME, ""),
        (Shape.NAME, '{"answer": 3}'),
        (Shape.NAME, "I am sorry, but I cannot say what this picture shows with any certainty"),
        (Shape.CHOICE, "left of or behind"),
        (Shape.CHOICE, "near"),
        (Shape.COUNT, '{"answer": -1}'),
        (Shape.COUNT, '{"answer": 2.5}'),
        (Shape.COUNT, "2 or 3"),
        (Shape.METRES, '{"answer": 0}'),
        (Shape.METRES, '{"answer": NaN}'),
        (Shape.METRES, '{"answer": 1e999}'),
        (Shape.BOX2, "[30, 2, 1, 40]"),
        (Shape.BOX2, "[1, 2, 3]"),
        (Shape.BOX3, "[1, 2, 3, 0, 1, 1]"),
        (Shape.BOX2, "__import__('os').system('true')"),
        (Shape.BOX2, "[" * 50_000),
        (Shape.COUNT, "9" * 19_000),
    ],
)
def test_what_is_no_answer(shape: Shape, text: str) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value, found.form) == (None, Form.ILL_FORMED)
    assert found.why


@given(st.text(max_size=300), st.sampled_from(list(Shape)))
def test_any_text_is_read_without_harm(text: str, shape: Shape) -> None:
    found = read(text, shape, RELATIONS)
    assert (found.value is None) == (found.form is Form.ILL_FORMED)
    assert read(text, shape, RELATIONS) == found


@given(st.integers(0, 10_000), st.text("abc. \n", max_size=60))
def test_the_json_that_was_asked_for_counts_whatever_stands_before_it(n: int, talk: str) -> None:
    text = f"{talk}\n{json.dumps({'answer': n})}"
    assert read(text, Shape.COUNT).value == n


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ('{"turn": 30, "walk": 1.5}', Step(Form.CLEAN, 30.0, 1.5)),
        ('{"turn": -90}', Step(Form.CLEAN, -90.0)),
        ('{"stop": true}', Step(Form.CLEAN, stop=True)),
        ('I turn.\n```json\n{"turn": 5, "walk": 0}\n```', Step(Form.REPAIRED, 5.0)),
        ('{"turn": 1} no, better {"turn": 2, "walk": 1}', Step(Form.REPAIRED, 2.0, 1.0)),
        ('{"turn": 10, "walk": -1}', Step(Form.ILL_FORMED)),
        ('{"turn": "left"}', Step(Form.ILL_FORMED)),
        ('{"stop": false}', Step(Form.ILL_FORMED)),
        ("forward", Step(Form.ILL_FORMED)),
    ],
)
def test_moves(text: str, step: Step) -> None:
    assert read_step(text) == step

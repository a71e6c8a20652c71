"""Prompts: the paper's words, and what may stand beside them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from worldquiz.errors import KnobError
from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.question import LAWS, Format, Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.prompts import Chunk
from worldquiz.t2q.prompts import filled, lines, template
from worldquiz.t2q.prompts.compose import Options, batch_sheet, scene, sheet

OBSERVATION = Observation("-= Attic =-\nA {dusty} attic.", "You are carrying: a hat.", 0, False,
                          "Eat the pie.")  # fmt: skip
START = Moment(0, 0), Turn(None, OBSERVATION)
LATER = Moment(1, 2), Turn("open  {question}", OBSERVATION)


def text(pieces: Sequence[Chunk]) -> str:
    return "".join(piece.text for piece in pieces)


def words(name: str) -> str:
    return " ".join(template(name).split())


def test_the_action_prompt_is_the_papers() -> None:
    assert words("action") == (
        "Observation: {obs} Inventory: {inventory} Score: {score} "
        'Return ONLY JSON: {"reason": "…", "command": "<one command>"}'
    )


def test_the_question_prompt_is_the_papers() -> None:
    asked = sheet(Options(), ("c\n",), Prompt("{question}", Format.WHICH, ("a", "b")))
    assert " ".join(text(asked).split()) == (
        "You answer questions about TextWorld gameplay. Based on the provided context, answer the "
        "following question about the TextWorld game initial state. Context: c {question} "
        "Choices: – a – b Answer should be json of the form: { “answer”: “<your answer>”, "
        "“reason”: “<why>” } Answer formatting guidelines: Answer with the exact choice text from "
        "the given choices. If the question cannot be answered based on the context, set answer "
        "to “non-answerable”."
    )


def test_every_format_has_its_guideline() -> None:
    assert set(Format) <= set(lines("guidelines"))
    assert lines("guidelines")["description"].endswith("[object, container, supporter, food, key].")


def test_context_and_choices_are_left_out_where_there_are_none() -> None:
    asked = text(sheet(Options(), (), Prompt("Is it?", Format.YES_NO)))
    assert "Context:" not in asked
    assert "Choices:" not in asked


def test_a_first_look_without_memory_is_the_bare_template() -> None:
    assert text(scene(Options(), (), (), START, whole=False)) == filled(
        "action", obs=OBSERVATION.text, inventory=OBSERVATION.inventory, score="0"
    )


def test_the_context_ends_with_the_command_that_led_here() -> None:
    shown = text(scene(Options(), ("[task 1, step 0]\nold\n",), (), LATER, whole=True))
    assert shown.startswith("Context:\n[task 1, step 0]\nold\n[task 2, step 2] > open {question}\n")
    assert "\n\nObservation: -= Attic =-\nA {dusty} attic.\nInventory: " in shown


def test_the_objective_is_repeated_where_nothing_shows_it() -> None:
    assert "Task: Eat the pie.\n" in text(scene(Options(), (), (), LATER, whole=False))
    recent = [(Moment(1, 0), Turn(None, OBSERVATION)), (Moment(1, 1), Turn("x", OBSERVATION))]
    assert "Task:" not in text(scene(Options(), (), recent, LATER, whole=False))


def test_questions_of_one_context_differ_behind_it_only() -> None:
    one = sheet(Options(), ("long", "er\n"), Prompt("A?", Format.WHERE))
    other = sheet(Options(), ("long", "er\n"), Prompt("B?", Format.WHICH, ("x",)))
    assert [piece for piece in one if piece.stable] == [piece for piece in other if piece.stable]
    assert [piece.stable for piece in one] == [True, True, False]


def test_options_are_off_and_said_first() -> None:
    plain = sheet(Options(), ("c",), Prompt("A?", Format.WHERE))
    told = sheet(Options(laws=True, explore=True), ("c",), Prompt("A?", Format.WHERE))
    assert text(told) == f"In every such world: {' '.join(LAWS)}\n\n{text(plain)}"
    acting = text(scene(Options(explore=True, bonus=True), (), (), START, whole=False))
    assert acting.startswith(template("explore"))
    assert template("bonus") in acting


def test_only_options_that_are_on_are_recorded() -> None:
    assert Options().record() == {}
    assert Options(laws=True, batch=5).record() == {"laws": True, "batch": 5}


def test_a_batch_numbers_its_questions() -> None:
    asked = text(
        batch_sheet(Options(), (), [Prompt("A?", Format.YES_NO), Prompt("B?", Format.WHERE)])
    )
    assert "Question 1: A?\nAnswer “yes” or “no” only.\n\nQuestion 2: B?\n" in asked


def test_a_batch_has_a_question() -> None:
    with pytest.raises(KnobError, match="0 questions at a time"):
        Options(batch=0)


def test_a_field_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="inventory"):
        filled("action", obs="x")

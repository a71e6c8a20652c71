"""Prompts: the paper's words, and what may stand beside them."""

from __future__ import annotations

from typing import get_args

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.t2q.prompts import guidelines, query, question_text, scene, template
from worldquiz.t2q.question import CATEGORIES, LAWS, Format, Prompt
from worldquiz.t2q.settings import T2QSettings

OBSERVATION = Observation("-= Attic =-\nA {dusty} attic.", "You are carrying: a hat.", 0, False,
                          "Eat the pie.")  # fmt: skip
START = Moment(0, 0), Turn(None, OBSERVATION)
LATER = Moment(1, 2), Turn("open  {question}", OBSERVATION)


def words(name: str) -> str:
    return " ".join(template(name).split())


def test_the_action_prompt_is_the_papers() -> None:
    assert words("action") == (
        "Observation: {obs} Inventory: {inventory} Score: {score} "
        'Return ONLY JSON: {"reason": "…", "command": "<one command>"}'
    )


def test_the_question_prompt_is_the_papers() -> None:
    asked = query(T2QSettings(), "c\n", Prompt("{question}", "which", ("a", "b")))
    assert " ".join(asked.split()) == (
        "You answer questions about TextWorld gameplay. Based on the provided context, answer the "
        "following question about the TextWorld game initial state. Context: c {question} "
        "Choices: – a – b Answer should be json of the form: { “answer”: “<your answer>”, "
        "“reason”: “<why>” } Answer formatting guidelines: Answer with the exact choice text from "
        "the given choices. If the question cannot be answered based on the context, set answer "
        "to “non-answerable”."
    )


def test_a_question_about_another_time_does_not_speak_of_the_initial_state() -> None:
    told = [query(T2QSettings(), "c", Prompt("A?", "where", (), of)) for of in (True, False)]
    assert told[0].replace(" initial state.", ".") == told[1] != told[0]


def test_every_format_has_its_guideline() -> None:
    assert set(get_args(Format)) <= set(guidelines())
    assert guidelines()["description"].endswith("[object, container, supporter, food, key].")


def test_the_context_ends_with_the_command_that_led_here() -> None:
    shown = scene(T2QSettings(), "[task 1, step 0]\nold\n", (), LATER, whole=True)
    assert shown.startswith("Context:\n[task 1, step 0]\nold\n[task 2, step 2] > open {question}\n")
    assert "\n\nObservation: -= Attic =-\nA {dusty} attic.\nInventory: " in shown


def test_the_objective_is_repeated_where_nothing_shows_it() -> None:
    assert "Task: Eat the pie.\n" in scene(T2QSettings(), "", (), LATER, whole=False)
    recent = [(Moment(1, 0), Turn(None, OBSERVATION)), (Moment(1, 1), Turn("x", OBSERVATION))]
    assert "Task:" not in scene(T2QSettings(), "", recent, LATER, whole=False)


def test_questions_of_one_context_differ_behind_it_only() -> None:
    """So a provider's cache holds all up to the question."""
    first, other = (query(T2QSettings(), "c\nd\n", Prompt(word, "where")) for word in "xy")
    place = first.index("c\nd\n") + len("c\nd\n")
    assert first != other
    assert first[:place] == other[:place]


def test_options_are_off_and_said_first() -> None:
    plain = query(T2QSettings(), "c", Prompt("A?", "where"))
    told = query(T2QSettings(laws=True, explore=True), "c", Prompt("A?", "where"))
    assert told == f"In every such world: {' '.join(LAWS)}\n\n{plain}"
    acting = scene(T2QSettings(explore=True, bonus=True), "", (), START, whole=False)
    assert acting.startswith(template("explore"))
    assert template("bonus") in acting


def test_the_reason_comes_first_where_it_shall() -> None:
    asked = Prompt("A?", "where")
    told = [query(T2QSettings(reason_first=first), "c", asked) for first in (False, True)]
    form = ["“answer”: “<your answer>”", "“reason”: “<why>”"]
    assert told[1] == told[0].replace(", ".join(form), ", ".join(reversed(form))) != told[0]


def test_who_gets_no_prompt_of_the_papers_is_told_every_kind_and_nothing() -> None:
    """So it is with people at a terminal and agents that call tools."""
    told = question_text(Prompt("What was there?", "description"))
    assert all(f" {each}" in told for each in (*CATEGORIES, "nothing"))

"""A run's plan: how much of each maze is read, by steps and by tokens, and what is asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mango_data import word_tokenizer
from worldquiz.errors import KnobError
from worldquiz.llm.prompts import counter
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.questions import FRAME, AskingPlan, Text, planned
from worldquiz.mango.settings import QuizSettings
from worldquiz.mango.walkthrough import published

MAZES = {
    name: generate(Knobs(size, loops=0.4, non_compass=0.3), size, name=name)
    for name, size in (("small", 9), ("large", 30))
}


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"hf:{word_tokenizer(tmp_path_factory.mktemp('t') / 'tokenizer.json')}"


def longest(plan: AskingPlan, game: str, tokenizer: str) -> int:
    count = counter(tokenizer)
    mine = [question for question in plan.questions if question.game == game]
    return max(count(plan.readings[game].prompt(question)) for question in mine)


def test_equal_mazes_in_another_order_make_the_same_plan() -> None:
    other = dict(reversed(MAZES.items()))
    assert (
        planned(MAZES, QuizSettings(steps=70)).questions
        == planned(other, QuizSettings(steps=70)).questions
    )


def test_a_limit_in_tokens_reads_as_much_as_fits_and_no_more(words: str) -> None:
    asked = QuizSettings(steps=200, per_maze=3, tokens=600, tokenizer=words)
    plan, count = planned(MAZES, asked), counter(words)
    steps, maze = plan.steps("large"), MAZES["large"]
    assert plan.steps("small") == MAZES["small"].steps

    def size(last: int) -> int:
        walk = maze.walkthrough[: last + 1]
        return count(published(walk))

    assert size(steps) <= 600 < size(steps + 1)
    assert plan.readings["large"].walkthrough == maze.walkthrough[: steps + 1]


@pytest.mark.slow
@pytest.mark.parametrize("text", Text)
@pytest.mark.parametrize("window", [1100, 1337, 1500, 9_000])
def test_no_prompt_with_its_answer_is_longer_than_the_window(
    words: str, window: int, text: Text
) -> None:
    budget: dict[str, Any] = {"window": window, "reserve": 100, "tokenizer": words}
    asked = QuizSettings(steps=200, per_maze=30, walkthrough=text, **budget)
    plan, room = planned(MAZES, asked), window - 100 - FRAME
    for game, maze in MAZES.items():
        assert longest(plan, game, words) <= room
        steps = plan.steps(game)
        if steps < maze.steps:
            more = planned({game: maze}, replace(asked, steps=steps + 1, window=None))
            assert longest(more, game, words) > room


def test_the_tighter_limit_binds(words: str) -> None:
    both: dict[str, Any] = {"tokens": 600, "window": 9_000, "tokenizer": words}
    plan = planned(MAZES, QuizSettings(steps=200, **both))
    assert plan.steps("large") == planned(
        MAZES, QuizSettings(steps=200, tokens=600, tokenizer=words)
    ).steps("large")
    assert planned(MAZES, QuizSettings(steps=5, **both)).steps("large") == 5


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        (
            QuizSettings(steps=0),
            r"nothing to ask: the steps read \(large 0, small 0\) answer no question of df",
        ),
        (QuizSettings(steps=70, tokens=5), "'large': step 0 alone has .* tokens, 5 are allowed"),
        (
            QuizSettings(steps=70, window=600),
            "'large': a prompt with step 0 alone has .* by chars/3, and .* 600 leaves 56",
        ),
        (QuizSettings(steps=70, tokens=9, tokenizer="nope"), "tokenizer 'nope': no such tokenizer"),
    ],
)
def test_what_cannot_be_planned_is_named(asked: QuizSettings, complaint: str) -> None:
    with pytest.raises(KnobError, match=complaint):
        planned(MAZES, asked)

"""What can be had without knowing: guessers earn nothing in worlds that no table has seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from math import sqrt

import pytest

from guessing import all_seen, guessed, worlds
from worldquiz.facts.question import ABSTAIN, Answer, Format
from worldquiz.facts.row import Row
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.agents.sheet import SheetReader
from worldquiz.t2q.agents.wording import Wording
from worldquiz.t2q.builder import Plan, bundle
from worldquiz.t2q.scores import scores
from worldquiz.t2q.scoring.blind import paper_of
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.world.config import PRESETS

GUESSERS: dict[str, Callable[[], AnswersQuiz]] = {
    "constant": Constant, "sheet": SheetReader, "wording": Wording,
}  # fmt: skip
Cell = tuple[str, str]


@cache
def fresh(level: str) -> tuple[Bundle, ...]:
    """Worlds of a seed that no table was made of."""
    return tuple(bundle(spec) for spec in worlds(Plan(level, 424242, 8)).values())


@cache
def taken(level: str, name: str) -> tuple[list[Row], ...]:
    if name == "wording":  # it reads first screens, which unplayed worlds lack
        return tuple(map(worded, fresh(level)))
    return tuple(guessed(each, GUESSERS[name]) for each in fresh(level))


def worded(bundle: Bundle) -> list[Row]:
    """Grade the best guesses by the wording as if an agent had seen all."""
    paper, answers = paper_of(bundle), []
    for question, asked in zip(bundle.questions, paper.prompts, strict=True):
        guess = wording.guess(paper, asked)
        assert guess is not None
        answers.append(Answer(question.id, guess.reply))
    return all_seen(bundle, answers)


def cells(name: str) -> Iterator[tuple[Cell, list[float]]]:
    """Yield the grades of the questions that the start leaves open, by type and format."""
    found: dict[Cell, list[float]] = defaultdict(list)
    for row in (one for level in PRESETS for quiz in taken(level, name) for one in quiz):
        if not row.measures["at_start"]:
            assert row.grade is not None
            found[row.type, row.format].append(row.grade)
    yield from found.items()


def slack(share: float, asked: int) -> float:
    """Two and a half standard errors: what chance does to an average of so many questions."""
    return 2.5 * sqrt(share * (1 - share) / asked)


@pytest.mark.parametrize("level", PRESETS)
@pytest.mark.parametrize("name", GUESSERS)
def test_guessing_earns_nothing(level: str, name: str) -> None:
    low, _ = scores(row for quiz in taken(level, name) for row in quiz)["knowledge_ci"]
    assert low <= 0


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_never_abstains(name: str) -> None:
    quizzes = [quiz for level in PRESETS for quiz in taken(level, name)]
    assert not any(one.reply in ("", ABSTAIN) for quiz in quizzes for one in quiz)


def test_the_sheet_gives_no_more_than_chance_away() -> None:
    chances = {Format.YES_NO: 0.5, Format.WHICH: 0.25}
    for (type, form), grades in cells("sheet"):
        if form in chances:
            most = chances[Format(form)] + 0.05
            assert sum(grades) / len(grades) <= most + slack(most, len(grades)), (type, form)

"""Guessing rates: stored with each question, and guessers earn nothing where they were measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from pathlib import Path
from random import Random

import pytest

import tiny_worlds
from guessing import fresh, guessed
from worldquiz.facts.requirement import All
from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.agents.scripted import Constant, SheetReader
from worldquiz.t2q.question import Question
from worldquiz.t2q.quiz.ask import ask, chance, table, with_guesses
from worldquiz.t2q.suites import read_bundle, write_bundle
from worldquiz.t2q.world.config import PRESETS

GUESSERS: dict[str, Callable[[], object]] = {"constant": Constant, "sheet": SheetReader}
WORLDS = {"easy": 40, "medium": 16, "hard": 10, "explore": 10, "infer": 12, "change": 12}


@pytest.mark.parametrize(
    ("level", "given"),
    [*((level, {}) for level in PRESETS), ("hard", {"rooms": "4"}), ("explore", {"rooms": "3"})],
)
@pytest.mark.parametrize("name", GUESSERS)
def test_guessing_earns_nothing_in_worlds_that_no_table_has_seen(
    level: str, given: dict[str, str], name: str
) -> None:
    """Points are sums over worlds: at most three standard errors above a hundredth of all."""
    points, worth = [], 0.0
    for bundle in fresh(level, 424242, WORLDS[level], given):
        results = [(q.guess, right) for q, reply, right in guessed(bundle, GUESSERS[name])]
        points.append(sum(right - guess for guess, right in results if guess is not None))
        worth += sum(1 - guess for guess, _ in results if guess is not None) / WORLDS[level]
    mean = sum(points) / len(points)
    spread = sqrt(sum((each - mean) ** 2 for each in points) / len(points))
    assert mean <= 0.01 * worth + 3 * spread / sqrt(len(points))


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_never_abstains(name: str) -> None:
    replies = [
        reply for each in fresh("medium", 7, 3) for _, reply, _ in guessed(each, GUESSERS[name])
    ]
    assert not {"", ABSTAIN} & set(replies)


@pytest.mark.parametrize("level", PRESETS)
def test_every_question_has_a_rate_no_lower_than_chance_and_keeps_it(
    level: str, tmp_path: Path
) -> None:
    for bundle in fresh(level, 5, 4):
        for question in bundle.questions:
            assert question.guess is not None
            assert (chance(question) or 0) <= question.guess <= 1
        folder = tmp_path / bundle.spec.id
        folder.mkdir()
        write_bundle(folder, bundle)
        assert read_bundle(folder) == bundle


def test_a_question_of_another_world_has_chance_or_what_it_says_or_none() -> None:
    """One of k answers is right at a rate of 1/k; nobody knows that of a strange open question."""
    (bundle,) = fresh("easy", 1, 1)
    spec = replace(bundle.spec, level="mine")
    asked = (
        Question("1", "match", "Is it so?", All(()), (), "yes_no", ("yes",)),
        Question("2", "match", "Which is it?", All(()), (), "which", ("a",), tuple("abcde")),
        Question("3", "location", "Where is it?", All(()), (), "where", ("attic",)),
        Question("4", "direction", "How far is it?", All(()), (), "what", ("2",), guess=1 / 6),
    )
    for told in (spec, bundle.spec):
        found = with_guesses(told, bundle.tasks, asked)
        assert [each.guess for each in found] == [0.5, 0.2, None, 1 / 6]


def test_a_world_of_strange_names_is_guessed_at_too() -> None:
    """The reader of the sheet takes kinds from nouns that it does not know here."""
    for seed in range(40):
        spec = tiny_worlds.spec(tiny_worlds.drawn(Random(seed)), seed)
        for question in with_guesses(replace(spec, level="easy"), (), ask(spec)):
            assert 0 <= (question.guess or 0) <= 1


def test_the_shipped_table_holds_rates_that_rise_with_trust() -> None:
    for (level, _), rates in table().items():
        assert level in PRESETS
        assert [*rates] == sorted(rates)
        assert all(0 <= rate <= 1 for rate in rates.values())

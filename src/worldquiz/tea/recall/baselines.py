"""Baselines of the quiz: reference points for the score of a model.

    oracle      knows the truth, and what was shown
    reader      answers from what the views show, and from the questions' words (see `reader`)
    noisy       the oracle, wrong at a set rate: it gives another answer, or claims one
    abstainer   says of everything that it was not shown: `known` is 0
    prior       gives its kind's commonest answer, always
    blind       the same, among questions with the same words (it reads, but sees nothing)
    random      draws among the answers that are offered

Priors are learned from other apartments, or, if there is one only, from questions not asked of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

from worldquiz import rng
from worldquiz.errors import CatalogError, did_you_mean
from worldquiz.facts.question import ABSTAIN, gold, prompt
from worldquiz.tea.answering import ERROR
from worldquiz.tea.recall.quiz.exam import Standing
from worldquiz.tea.recall.quiz.kinds import FlatQuestion
from worldquiz.tea.recall.reader import ViewReader
from worldquiz.tea.recall.walked import Recall, Walked

NAMES = ("oracle", "reader", "noisy", "abstainer", "prior", "blind", "random")

Answers = Callable[[Walked, FlatQuestion], str]
"""Gives an answer to a question after a walk."""


def baseline(name: str, recall: Recall, error: float = ERROR) -> Answers:
    """Return a baseline. Raises `CatalogError` for a name that there is not."""
    seed = recall.asked.seed

    def oracle(flat: Walked, item: FlatQuestion) -> str:
        known = flat.standings[item.question.id] is Standing.ANSWERABLE
        return gold(item.question) if known else ABSTAIN

    def noisy(flat: Walked, item: FlatQuestion) -> str:
        right, draw = oracle(flat, item), rng.child(seed, "noisy", item.question.id)
        if draw.random() >= error:
            return right
        return draw.choice([each for each in (*offered(item), ABSTAIN) if each != right])

    readers: dict[int, ViewReader] = {}

    def reader(flat: Walked, item: FlatQuestion) -> str:
        if id(flat) not in readers:
            readers[id(flat)] = ViewReader(flat)
        return readers[id(flat)].answer(prompt(item.question))

    told_by: dict[str, Callable[[FlatQuestion], str]] = {
        "prior": lambda item: "",
        "blind": lambda item: item.question.text,
    }
    answers: dict[str, Answers] = {
        "oracle": oracle,
        "reader": reader,
        "noisy": noisy,
        "abstainer": lambda flat, item: ABSTAIN,
        "random": lambda flat, item: rng.child(seed, "random", item.question.id).choice(
            offered(item)
        ),
    }
    if name in told_by:
        return _learned(recall, told_by[name])
    if name not in answers:
        raise CatalogError(f"no answerer {name!r}{did_you_mean(name, NAMES)}")
    return answers[name]


def offered(item: FlatQuestion) -> tuple[str, ...]:
    """Return the answers that a question offers."""
    return prompt(item.question).choices or ("no", "yes")


def _learned(recall: Recall, told_by: Callable[[FlatQuestion], str]) -> Answers:
    """Return one that gives the commonest answer of the questions of which the same is told."""

    @cache
    def learned(scene: str) -> dict[tuple[str, str], list[str]]:
        """Return the answers of each kind, and of each kind and words, the commonest first."""
        own = {flat.scene.id: name for name, flat in recall.flats.items()}[scene]
        asked = {item.question.id for item in recall.flats[own].items}
        beside = [item for name, items in recall.pool.items() if name != own for item in items]
        if len(recall.flats) == 1:
            beside = [item for item in recall.pool[own] if item.question.id not in asked]
        groups: dict[tuple[str, str], Counter[str]] = {}
        for item in beside:
            for words in {"", told_by(item)}:
                groups.setdefault((item.kind, words), Counter())[gold(item.question)] += 1
        return {
            key: sorted(counts, key=lambda each: (-counts[each], each))
            for key, counts in groups.items()
        }

    def take(flat: Walked, item: FlatQuestion) -> str:
        ranked = learned(flat.scene.id)
        for words in (told_by(item), ""):
            for answer in ranked.get((item.kind, words), ()):
                if answer in offered(item):
                    return answer
        return offered(item)[0]

    return take

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
from collections.abc import Callable, Iterable
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
    match name:
        case "oracle":
            return _oracle
        case "reader":
            return _reader()
        case "noisy":
            return lambda flat, item: _noisy(flat, item, seed, error)
        case "abstainer":
            return lambda flat, item: ABSTAIN
        case "prior":
            return _learned(recall, lambda item: "")
        case "blind":
            return _learned(recall, lambda item: item.question.text)
        case "random":
            return lambda flat, item: _any(item, seed)
    raise CatalogError(f"no answerer {name!r}{did_you_mean(name, NAMES)}")


def offered(item: FlatQuestion) -> tuple[str, ...]:
    """Return the answers that a question offers."""
    return prompt(item.question).choices or ("no", "yes")


def _oracle(flat: Walked, item: FlatQuestion) -> str:
    known = flat.standings[item.question.id] is Standing.ANSWERABLE
    return gold(item.question) if known else ABSTAIN


def _reader() -> Answers:
    readers: dict[int, ViewReader] = {}

    def take(flat: Walked, item: FlatQuestion) -> str:
        if id(flat) not in readers:
            readers[id(flat)] = ViewReader(flat)
        return readers[id(flat)].answer(prompt(item.question))

    return take


def _any(item: FlatQuestion, seed: int) -> str:
    return rng.child(seed, "random", item.question.id).choice(offered(item))


def _noisy(flat: Walked, item: FlatQuestion, seed: int, error: float) -> str:
    right = _oracle(flat, item)
    draw = rng.child(seed, "noisy", item.question.id)
    if draw.random() >= error:
        return right
    return draw.choice([each for each in (*offered(item), ABSTAIN) if each != right])


def _learned(recall: Recall, told_by: Callable[[FlatQuestion], str]) -> Answers:
    """Return one that gives the commonest answer of the questions of which the same is told."""

    @cache
    def learned(scene: str) -> dict[tuple[str, str], list[str]]:
        return _ranked(_beside(recall, scene), told_by)

    def take(flat: Walked, item: FlatQuestion) -> str:
        ranked = learned(flat.scene.id)
        for words in (told_by(item), ""):
            for answer in ranked.get((item.kind, words), ()):
                if answer in offered(item):
                    return answer
        return offered(item)[0]

    return take


def _beside(recall: Recall, scene: str) -> list[FlatQuestion]:
    """Return the questions about other apartments, or, if there is but one, those not asked."""
    own = {flat.scene.id: name for name, flat in recall.flats.items()}[scene]
    if len(recall.flats) > 1:
        return [item for name, items in recall.pool.items() if name != own for item in items]
    asked = {item.question.id for item in recall.flats[own].items}
    return [item for item in recall.pool[own] if item.question.id not in asked]


def _ranked(
    items: Iterable[FlatQuestion], told_by: Callable[[FlatQuestion], str]
) -> dict[tuple[str, str], list[str]]:
    """Return the answers of each kind, and of each kind and words, the commonest first."""
    groups: dict[tuple[str, str], Counter[str]] = {}
    for item in items:
        for words in {"", told_by(item)}:
            groups.setdefault((item.kind, words), Counter())[gold(item.question)] += 1
    return {
        key: sorted(counts, key=lambda each: (-counts[each], each))
        for key, counts in groups.items()
    }

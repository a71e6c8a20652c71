"""How often is a question answered rightly by somebody who saw no transcript? Trains and measures.

    uv run python benchmarks/blind_table.py --write

Draws `--worlds` worlds a level (nothing is compiled or played), of easy ones five times and of
medium ones twice as many, for in these elimination tells most and questions are few. It keeps the
questions that the task list and the first screen leave open: only these count in the knowledge
score. Four guessers compete on them, and none has seen more than the sheet, the task list and the
first screen:

    most frequent  the answer, or the place among the choices, that is right most often
    wording        the answerer of that name: a linear model of wording, sheet and first screen
    one preset     the same model, learnt on worlds of the same preset only
    sheet          the answerer of that name: rules over all questions of a world and its task list

The models are measured in five folds by world. One run makes two tables:

    t2q/scoring/blind.json  the guessing rates: the best guesser's accuracy by type and format, and
                            within these by the kind of what is asked about and by the number of
                            rooms; where worlds of several presets have that many, in the preset
                            that is guessed best
    t2q/agents/wording.json the weights of the answerer `wording`, trained on all of the worlds,
                            with its accuracies

Both hold the digest of the question rules that they belong to; a test compares it with the rules in
force. Printed beside each rate is what the better model of the wording would earn, by the score
that uses the table, if it answered only where it is surer than the table says ("selective").

Equal worlds give equal tables. A new table has the next version; it changes scores, so look at
the rates in docs/explanation/t2q.md as well.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from worldquiz.facts.grade import grade
from worldquiz.facts.knowledge_score import TOO_EASY, penalty
from worldquiz.facts.question import (
    Description,
    Format,
    Graded,
    Question,
    Type,
    Which,
    gold,
    prompt,
)
from worldquiz.records import write_json
from worldquiz.rng import child_seed
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.paper import ask_of, candidates
from worldquiz.t2q.agents.sheet import SheetReader
from worldquiz.t2q.agents.wording import best, features, trust
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.floors import guessed, rules_digest
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.scoring import blind
from worldquiz.t2q.scoring.blind import chance, kind_asked, paper_of
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan

FOLDS = 5
LEAST = 50
"""Questions of a type and format below which a share says little: such a cell is left out."""
SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 22)
"""Worlds are told apart by their rooms: so many at most. None of the worlds here has more."""
SMALLEST = (("rooms", "2..2"),)
"""Parameters of worlds that no preset has; half as many as of a level are drawn."""
SEEN = 10
"""How often a feature has to occur in order to count, and a set of categories to be thought of."""
SURE = 5.0
"""The log odds of an answer where there is nothing to choose from."""
LEAST_WEIGHT = 0.1
"""Smaller weights are left out; the others are rounded to two digits."""
Cell = tuple[Type, Format]
TABLES = (
    Path(blind.__file__).with_name("blind.json"),
    Path(wording.__file__).with_name("wording.json"),
)


@dataclass(frozen=True)
class Item:
    """One question with its candidate answers."""

    plan: int  # which of the plans its world is of
    world: int
    rooms: int
    cell: Cell
    kind: str  # of what is asked about
    gold: str  # the answer in the form in which the most frequent one is looked for
    right: tuple[bool, ...]  # of each candidate
    rows: tuple[list[int], ...]  # the features of each candidate, by number
    chance: float | None
    sheet: bool  # whether the answerer `sheet` is right


@dataclass
class Sort:
    """All questions of a sort, and the features that occur, by number."""

    items: list[Item] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def add(self, made: Sequence[Sequence[str]], **told: Any) -> None:
        """Take a question."""
        numbers = self.numbers
        rows = tuple([numbers.setdefault(each, len(numbers)) for each in row] for row in made)
        self.items.append(Item(rows=rows, **told))

    def matrix(self, items: Sequence[Item]) -> Any:
        """Return the candidates of questions as a sparse matrix, one row each."""
        rows = [row for item in items for row in item.rows]
        ends = np.cumsum([0, *(len(row) for row in rows)])
        columns = np.fromiter((n for row in rows for n in row), dtype=np.int32, count=ends[-1])
        shape = (len(rows), len(self.numbers))
        return csr_matrix((np.ones(ends[-1], np.float32), columns, ends), shape=shape)


def collect(plans: Sequence[Plan]) -> tuple[dict[str, Sort], list[str]]:
    """Return the open questions of all worlds by sort, and the sets of categories."""
    bundles = [
        (place, bundle(spec)) for place, plan in enumerate(plans) for spec in worlds(plan).values()
    ]
    asked = (each for _, one in bundles for each in one.questions)
    sets = Counter(gold(each) for each in asked if isinstance(each, Description))
    common = sorted(each for each, count in sets.items() if count >= SEEN)
    sorts: dict[str, Sort] = defaultdict(Sort)
    for number, (place, one) in enumerate(bundles):
        _collect(sorts, one, common, plan=place, world=number)
    return dict(sorted(sorts.items())), common


def _collect(sorts: dict[str, Sort], one: Bundle, sets: Sequence[str], **told: Any) -> None:
    """Take the open questions of one world."""
    paper = paper_of(one)
    for question, read in zip(one.questions, guessed(one, SheetReader), strict=True):
        sort = ask_of(prompt(question))
        if read.at_start or sort is None:
            continue
        offered = candidates(paper, prompt(question), sets)
        right = [grade(question, answerable=True, reply=each).value == 1 for each in offered]
        sorts[sort].add(
            list(features(paper, prompt(question), offered)),
            **told,
            rooms=len(one.spec.rooms),
            cell=(question.type, Format(question.kind)),
            kind=kind_asked(question, one.spec.kinds),
            gold=_frequent(question, right),
            right=tuple(right),
            chance=chance(question),
            sheet=read.score == Graded(1.0),
        )


def _frequent(question: Question, right: Sequence[bool]) -> str:
    """Return an answer in the form in which the most frequent one is looked for."""
    chosen = isinstance(question, Which)
    return f"choice {right.index(True) + 1}" if chosen else gold(question)


def linear(sort: Sort, train: Sequence[Item]) -> tuple[Any, float]:
    """Return the weights of features and the bias, pruned and rounded as the answerer has them."""
    from sklearn.linear_model import LogisticRegression

    table = sort.matrix(train)
    kept = np.flatnonzero(np.asarray(table.sum(axis=0)).ravel() >= SEEN)
    truth = [right for item in train for right in item.right]
    weights = np.zeros(len(sort.numbers))
    if all(truth):  # in two rooms, where there is nothing to choose from
        return weights, SURE
    model = LogisticRegression(l1_ratio=1, C=0.5, solver="liblinear", random_state=0)
    model.fit(table[:, kept], truth)
    weights[kept] = np.round(model.coef_[0], 2)
    weights[np.abs(weights) < LEAST_WEIGHT] = 0
    return weights, round(float(model.intercept_[0]), 2)


@dataclass(frozen=True)
class Guess:
    """What a model made of one question that it had not learnt from."""

    right: bool
    trust: float  # how sure the model is, 0..1


@dataclass(frozen=True)
class Tried:
    """What both models of the wording made of one question."""

    item: Item
    wording: Guess
    one_preset: Guess


def tried(sort: Sort) -> list[Tried]:
    """Return what the models of the wording make of each question of a sort."""
    whole = _guesses(sort, range(len(sort.items)))
    own = dict(whole)
    for plan in sorted({item.plan for item in sort.items}):
        places = [n for n, item in enumerate(sort.items) if item.plan == plan]
        if len(places) >= LEAST:
            own |= _guesses(sort, places)
    return [Tried(item, whole[n], own[n]) for n, item in enumerate(sort.items)]


def _guesses(sort: Sort, places: Sequence[int]) -> dict[int, Guess]:
    """Return what a model makes of the questions at some places, learnt on them fold by fold."""
    found = {}
    for fold in range(FOLDS):
        train = [sort.items[n] for n in places if sort.items[n].world % FOLDS != fold]
        test = [n for n in places if sort.items[n].world % FOLDS == fold]
        asked = [sort.items[n] for n in test]
        if asked:
            weights, bias = linear(sort, train)
            rated = split(asked, sort.matrix(asked) @ weights + bias)
            for n, (item, ratings) in zip(test, rated, strict=True):
                sure = trust(list(ratings), item.cell[1])
                found[n] = Guess(item.right[best(list(ratings))], sure)
    return found


def split(items: Sequence[Item], ratings: Any) -> list[tuple[Item, Any]]:
    """Return each question with the ratings of its candidates."""
    ends = np.cumsum([len(item.rows) for item in items])
    return list(zip(items, np.split(ratings, ends[:-1]), strict=True))


def cell(found: Sequence[Tried]) -> dict[str, Any]:
    """Return how often the questions of a type and format are answered rightly, and the rates.

    Kinds with too few questions are left out: they have the rates of all kinds, under "".
    """
    kinds = Counter(one.item.kind for one in found)
    large = sorted(kind for kind, count in kinds.items() if count >= LEAST)
    groups = {kind: [one for one in found if one.item.kind == kind] for kind in large}
    rates = {kind: _by_rooms(group) for kind, group in {"": found, **groups}.items()}
    points = [
        pair
        for kind in kinds
        for size in rates.get(kind, rates[""])
        for pair in _selective(_of_size(groups.get(kind, []), size["rooms"]), size["accuracy"])
    ]
    selective = round(float(np.max(np.mean(points, axis=0))), 3) if points else None
    return {**_best(found), "selective": selective, "rates": rates}


def _by_rooms(found: Sequence[Tried]) -> list[dict[str, Any]]:
    """Return the rates by size.

    A size with too few questions has the larger rate of the sizes beside it that have enough, and
    sizes without any question are left out.
    """
    groups = {most: _of_size(found, most) for most in SIZES}
    measured = {most: _rate(group) for most, group in groups.items() if len(group) >= LEAST}
    by_rooms = []
    for most, group in groups.items():
        if group and measured:
            below = max((size for size in measured if size <= most), default=min(measured))
            above = min((size for size in measured if size >= most), default=max(measured))
            rate = max(measured[below], measured[above])
            by_rooms.append({"rooms": most, "n": len(group), "accuracy": rate})
    return by_rooms


def _of_size(found: Sequence[Tried], most: int) -> list[Tried]:
    """Return the questions of worlds with so many rooms at most, and more than the next size."""
    least = max((size for size in SIZES if size < most), default=0)
    return [one for one in found if least < one.item.rooms <= most]


def _rate(found: Sequence[Tried]) -> float:
    """Return the best guesser's accuracy, in the preset that is guessed best."""
    plans = {one.item.plan for one in found}
    parts = [[one for one in found if one.item.plan == plan] for plan in plans]
    large = [part for part in parts if len(part) >= LEAST] or [list(found)]
    return max(float(_best(part)["accuracy"]) for part in large)


def _selective(found: Sequence[Tried], rate: float) -> list[tuple[float, float]]:
    """Return what both models earn that answer only where they are surer than the rate.

    Questions that are guessed too often to count are left out.
    """
    rates = [max(rate, one.item.chance or 0, one.wording.trust) for one in found]
    return [
        (_earned(one.wording, b), _earned(one.one_preset, b))
        for one, b in zip(found, rates, strict=True)
        if b <= TOO_EASY
    ]


def _earned(guess: Guess, rate: float) -> float:
    if guess.trust <= rate:
        return 0.0
    return 1.0 if guess.right else -penalty(rate)


def _best(found: Sequence[Tried]) -> dict[str, Any]:
    """Return how often the best guesser is right, and how often the others are."""
    frequent = Counter(one.item.gold for one in found).most_common(1)[0][1]
    shares = {
        "most frequent": frequent / len(found),
        "wording": float(np.mean([one.wording.right for one in found])),
        "one preset": float(np.mean([one.one_preset.right for one in found])),
        "sheet": float(np.mean([one.item.sheet for one in found])),
    }
    top = max(shares, key=lambda name: shares[name])
    chances = [one.item.chance for one in found if one.item.chance is not None]
    return {
        "accuracy": round(shares[top], 3),
        "n": len(found),
        "chance": round(float(np.mean(chances)), 3) if chances else None,
        "by": top,
        "guessers": {name: round(share, 3) for name, share in shares.items()},
    }


def learnt(sort: Sort) -> tuple[list[Tried], Any, float]:
    """Return what the models make of each question of a sort, and the weights and bias of all."""
    return tried(sort), *linear(sort, sort.items)


def tables(plans: Sequence[Plan]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the guessing rates, and the weights of the answerer `wording`, without versions."""
    sorts, sets = collect(plans)
    total = sum(len(plan.slots) for plan in plans)
    by_cell: dict[Cell, list[Tried]] = defaultdict(list)
    weights: dict[str, dict[str, float]] = {}
    asked = {name: sort for name, sort in sorts.items() if len(sort.items) >= LEAST}
    with ProcessPoolExecutor() as pool:
        found = [*zip(asked.items(), pool.map(learnt, asked.values()), strict=True)]
    for (name, sort), (guesses, fitted, bias) in found:
        for one in guesses:
            by_cell[one.item.cell].append(one)
        kept = {each: float(fitted[n]) for each, n in sort.numbers.items() if fitted[n]}
        weights[name] = {"": bias, **dict(sorted(kept.items()))}
        print(f"{name}: {len(sort.items)} questions, {len(kept)} weights", flush=True)
    rates = nested(
        {key: cell(found) for key, found in sorted(by_cell.items()) if len(found) >= LEAST}
    )
    about = {
        "made": "benchmarks/blind_table.py",
        "rules": rules_digest(),
        "presets": [{"preset": plan.preset, **dict(plan.settings)} for plan in plans],
        "worlds": total,
        "seed": plans[0].seed,
        "folds": FOLDS,
    }
    own = {
        type: {
            form: {"accuracy": found["guessers"]["wording"], "n": found["n"]}
            for form, found in forms.items()
        }
        for type, forms in rates.items()
    }
    return {**about, "cells": rates}, {**about, "cells": own, "sets": sets, "weights": weights}


def nested(cells: dict[Cell, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return cells by type, then by format."""
    found: dict[str, dict[str, Any]] = {}
    for (type, form), value in cells.items():
        print(type, form, value, flush=True)
        found.setdefault(str(type), {})[str(form)] = value
    return found


def versioned(made: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give tables the version of those that are shipped if these are the same, else the next."""
    shipped = [json.loads(path.read_text()) if path.is_file() else {} for path in TABLES]
    version = max(each.get("version", 0) for each in shipped)
    plain = [{key: each[key] for key in each if key != "version"} for each in shipped]
    same = plain == json.loads(json.dumps(made))
    return [{"version": version if same else version + 1, **each} for each in made]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=334, help="worlds a level")
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--write", action="store_true", help="replace the tables that are shipped")
    options = parser.parse_args(arguments)
    most, few = options.worlds, max(1, options.worlds // 2)
    made = versioned(tables([
        Plan("paper", options.seed, most),
        Plan("easy", options.seed, few, SMALLEST),
        Plan("explore", options.seed, most),
        Plan("easy", child_seed(options.seed, "easy"), 4 * most),
        Plan("medium", child_seed(options.seed, "medium"), most),
    ]))  # fmt: skip
    for path, table in zip(TABLES, made, strict=True):
        if options.write:
            write_json(path, table)
        print(f"{path.name}: version {table['version']}, {len(json.dumps(table)) / 1000:.0f} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())

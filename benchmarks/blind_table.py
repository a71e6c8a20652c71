"""How often is a question answered rightly by somebody who saw no transcript? Makes ``blind.json``.

    uv run python benchmarks/blind_table.py --write src/worldquiz/t2q/scoring/blind.json

Draws `--worlds` worlds a level (nothing is compiled or played) and keeps the questions that the
task list and the first screen leave open: only these count in the knowledge score. Of each it takes
what somebody reads who has the quiz and no transcript: the words and word pairs of the question,
with names replaced by kinds; whether a task names what is asked about; and for each candidate
answer its kind, its noun, how many candidates share its kind, whether a task names it too, alone or
in one sentence with what is asked about, and its place among the choices. The candidates are

    yes_no       yes and no
    which        the choices
    where        every place that the world's quiz names
    what         the compass, or every thing that the world's quiz names
    description  every set of categories that is the answer to any question

Logistic regression and gradient boosting (scikit-learn) rate the candidates of each type and
format, in five folds by world; the answer is the candidate rated highest. The table holds the best
of the two and of the most frequent answer: a guesser may choose. Printed beside it is what the
better classifier would earn, by the score that uses the table, if it answered only where it is
surer of itself than the table says ("selective").

Give a new table a new ``--version``. It changes scores, so also the example in
docs/reference/scores.md and the rates in docs/explanation/t2q.md.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.grade import grade
from worldquiz.facts.question import Description, Format, Question, Type, Which, gold
from worldquiz.records import write_json
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.reveal import Situation, view

FOLDS = 5
LEAST = 50
"""Questions of a type and format below which a share says little: such a cell is left out."""
DENSE = 300
"""Features that gradient boosting is given: the most frequent ones."""
Features = dict[str, float]


@dataclass(frozen=True)
class Paper:
    """What somebody has in hand who saw no transcript: a world's quiz and its task list."""

    bundle: Bundle

    @cached_property
    def kinds(self) -> dict[str, str]:
        """The kind of everything that the quiz or a task names."""
        said = [question.text for question in self.bundle.questions]
        said += [choice for q in self.bundle.questions for choice in choices(q)]
        said += self.objectives
        told = "\n".join(said)
        return {name: kind for name, kind in self.bundle.spec.kinds.items() if name in told}

    @cached_property
    def objectives(self) -> list[str]:
        """The tasks as they are stated."""
        return [task.objective for task in self.bundle.tasks]

    @cached_property
    def _names(self) -> re.Pattern[str]:
        longest = sorted(self.kinds, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest)))

    def names(self, text: str) -> list[str]:
        """Return the things and rooms that a text names, in order."""
        return self._names.findall(text)

    def masked(self, text: str) -> list[str]:
        """Return the words of a text, names replaced by kinds."""
        plain = self._names.sub(lambda found: f"<{self.kinds[found[0]]}>", text)
        return re.findall(r"<\w+>|[\w-]+", plain.lower())

    def told(self, *names: str) -> int:
        """Return how many tasks name all of these."""
        return sum(all(name in text for name in names) for text in self.objectives)

    def open_questions(self) -> Iterator[Question]:
        """Yield the questions that task list and first screen leave open."""
        spec = self.bundle.spec
        shown = {*view(Situation(spec, spec.initial))}
        shown.update(fact for task in self.bundle.tasks for fact in task.discloses)
        start = Evidence.of_steps([sorted(shown & spec.initial)])
        for question in self.bundle.questions:
            if start.earliest(question.requires) is None:
                yield question


def choices(question: Question) -> tuple[str, ...]:
    """Return what a question offers."""
    return question.choices if isinstance(question, Which) else ()


@dataclass(frozen=True)
class Item:
    """One question with its candidate answers."""

    group: int  # the world's fold
    cell: tuple[Type, Format]
    gold: str  # the answer in the form in which the most frequent one is looked for
    right: tuple[bool, ...]  # of each candidate
    features: tuple[Features, ...]  # of each candidate
    chance: float | None


def items(paper: Paper, group: int, sets: Sequence[str]) -> Iterator[Item]:
    """Yield the open questions of a world; `sets` are the possible answers of descriptions."""
    for question in paper.open_questions():
        offered = list(candidates(paper, question, sets))
        right = [grade(question, answerable=True, reply=one).value == 1 for one in offered]
        place = f"choice {right.index(True) + 1}" if choices(question) else gold(question)
        form = Format(question.kind)
        chance = {Format.YES_NO: 0.5, Format.WHICH: 1 / len(offered)}.get(form)
        made = tuple(features(paper, question, offered))
        yield Item(group, (question.type, form), place, tuple(right), made, chance)


def candidates(paper: Paper, question: Question, sets: Sequence[str]) -> Iterable[str]:
    """Return the answers that a guesser may think of."""
    match Format(question.kind):
        case Format.YES_NO:
            return ("yes", "no")
        case Format.WHICH:
            return choices(question)
        case Format.DESCRIPTION:
            return sets
        case Format.WHAT if gold(question) in DIRECTIONS:
            return DIRECTIONS
    return sorted(name for name in paper.kinds if name not in question.about)


def features(paper: Paper, question: Question, offered: Sequence[str]) -> Iterator[Features]:
    """Yield what is known of each candidate; what is the same for all is crossed with its kind."""
    words = paper.masked(question.text)
    about = paper.names(question.text)
    asked = {*words, *(" ".join(pair) for pair in pairwise(words))}
    asked |= {f"noun {name.split()[-1]}" for name in about}
    asked |= {f"tasks {'+'.join(str(min(paper.told(name), 2)) for name in about)}"}
    asked |= {f"together {min(paper.told(*about), 1)}", f"level {paper.bundle.spec.level}"}
    asked |= {f"tasks {n} {min(paper.told(name), 2)}" for n, name in enumerate(about)}
    labels = [label(paper, one) for one in offered]
    alike = Counter(labels)
    for place, (one, kind) in enumerate(zip(offered, labels, strict=True)):
        named = paper.names(one)
        own = {
            f"place {place}", f"alike {alike[kind]} of {len(offered)}",
            *(f"noun {name.split()[-1]}" for name in named),
            *(f"tasks {min(paper.told(name), 2)}" for name in named),
            *(f"beside {min(paper.told(name, *about), 1)}" for name in named),
            *(f"start {name == paper.bundle.spec.start}" for name in named),
        }  # fmt: skip
        crossed = {f"{kind} | {each}" for each in asked | own}
        yield dict.fromkeys((kind, *own, *crossed), 1.0)


def label(paper: Paper, candidate: str) -> str:
    """Return a candidate with names replaced by kinds: "in the <room>", "yes", "north"."""
    return " ".join(paper.masked(candidate))


def collect(plan: Plan) -> dict[tuple[Type, Format], list[Item]]:
    """Return the open questions of a plan's worlds, by type and format."""
    papers = [Paper(bundle(spec)) for spec in worlds(plan).values()]
    asked = [question for paper in papers for question in paper.bundle.questions]
    sets = sorted({gold(each) for each in asked if isinstance(each, Description)})
    found: dict[tuple[Type, Format], list[Item]] = defaultdict(list)
    for number, paper in enumerate(papers):
        for item in items(paper, number % FOLDS, sets):
            found[item.cell].append(item)
    return dict(sorted(found.items()))


def cell(asked: Sequence[Item]) -> dict[str, Any]:
    """Return how often the questions of a type and format are answered rightly, unseen."""
    by = {name: rated(asked, name) for name in ("logistic", "boosting")}
    right = {name: np.array([hit for hit, _ in found]) for name, found in by.items()}
    shares = {name: float(hits.mean()) for name, hits in right.items()}
    shares["most frequent"] = Counter(item.gold for item in asked).most_common(1)[0][1] / len(asked)
    best = max(shares, key=lambda name: shares[name])
    chances = [item.chance for item in asked]
    blind = np.array([max(shares[best], chance or 0) for chance in chances])
    sure = by["logistic" if shares["logistic"] >= shares["boosting"] else "boosting"]
    points = [
        (1 if hit else -b / (1 - b)) if trust > b else 0.0
        for (hit, trust), b in zip(sure, blind, strict=True)
    ]
    guessed = [chance for chance in chances if chance is not None]
    return {
        "accuracy": round(shares[best], 3),
        "n": len(asked),
        "chance": round(float(np.mean(guessed)), 3) if guessed else None,
        "by": best,
        "selective": round(float(np.mean(points)), 3),
        "all": {name: round(share, 3) for name, share in shares.items()},
    }


def rated(asked: Sequence[Item], name: str) -> list[tuple[bool, float]]:
    """Return for each question whether the candidate rated highest is right, and how sure it is."""
    found: dict[int, tuple[bool, float]] = {}
    for fold in range(FOLDS):
        rate = fitted([item for item in asked if item.group != fold], name)
        places = [place for place, item in enumerate(asked) if item.group == fold]
        ratings = rate([made for place in places for made in asked[place].features])
        for place in places:
            of_item, ratings = np.split(ratings, [len(asked[place].right)])
            top = int(np.argmax(of_item))
            found[place] = (asked[place].right[top], float(of_item[top] / of_item.sum()))
    return [found[place] for place in range(len(asked))]


def fitted(train: Sequence[Item], name: str) -> Any:
    """Fit a classifier of right candidates; return the function that rates others."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = [made for item in train for made in item.features]
    truth = [right for item in train for right in item.right]
    frequent = Counter(key for row in rows for key in row)
    if name == "logistic":
        kept = {key for key, count in frequent.items() if count >= 5}
        model: Any = LogisticRegression(C=0.3, max_iter=1000)
    else:
        kept = {key for key, _ in frequent.most_common(DENSE)}
        model = HistGradientBoostingClassifier(max_iter=150, learning_rate=0.08, random_state=0)
    vectors = DictVectorizer(sparse=name == "logistic", dtype=np.float32)
    model.fit(vectors.fit_transform([cut(row, kept) for row in rows]), truth)

    def rate(rows: Sequence[Features]) -> Any:
        return model.predict_proba(vectors.transform([cut(row, kept) for row in rows]))[:, 1]

    return rate


def cut(row: Features, kept: set[str]) -> Features:
    """Return the features that are kept."""
    return {key: value for key, value in row.items() if key in kept}


def table(options: argparse.Namespace) -> dict[str, Any]:
    """Return the table as it is written."""
    plan = Plan("paper", options.seed, options.worlds, compiled=False)
    cells: dict[str, dict[str, Any]] = {}
    for (type, form), asked in collect(plan).items():
        if len(asked) < LEAST:
            continue
        found = cell(asked)
        print(type, form, found, flush=True)
        kept = ("accuracy", "n", "chance", "by", "selective")
        cells.setdefault(str(type), {})[str(form)] = {key: found[key] for key in kept}
    return {
        "version": options.version,
        "made": "benchmarks/blind_table.py: logistic regression, gradient boosting and the most "
        "frequent answer, the best of them; of questions that the start leaves open",
        "preset": plan.preset,
        "worlds": options.worlds * 3,
        "seed": options.seed,
        "folds": FOLDS,
        "cells": cells,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=100, help="worlds a level")
    parser.add_argument("--seed", type=int, default=90210)
    parser.add_argument("--version", type=int, default=1, help="one more whenever it is made anew")
    parser.add_argument("--write", type=Path, help="where the table goes")
    options = parser.parse_args(arguments)
    found = table(options)
    if options.write:
        write_json(options.write, found)
    else:
        print(json.dumps(found, indent=2, sort_keys=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())

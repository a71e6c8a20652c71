"""What does a guesser earn that answers only where it is surer than the guessing rate?

    uv run --group bench python benchmarks/blind_attack.py [--preset paper] [--worlds 200]
        [--train 400] [--seed 7171] [--most 0.01] [--json]

The knowledge score promises that nobody gains by guessing: a question's guessing rate sets what a
wrong answer costs. It is measured with the guessers that are shipped, and a stronger one may tell
where it is too low. Two guessers try that. Both read the questions, the task list and the first
screen of a world and nothing else that an agent saw, and abstain on most questions:

    boosting  gradient boosted trees rate each candidate answer by what the whole sheet says of the
              names in it, and by what `wording` thinks of it; they answer where the best one is
              likelier right than the guessing rate, by a margin that is set within the worlds that
              they learn on
    rules     four rules of thumb, nothing learnt, by what the first screen leaves to be hidden: if
              all of it is of one kind, a place that no objective names holds that kind; if it is
              one thing and there is one such place, the thing is there; a door that a task wants
              opened leads to a room that another wants entered; two rooms next to the first one
              lie from each other in one of two directions. Each won points by version 8 of the
              rates

On `--train` uncompiled worlds a level to learn from, and `--worlds` of another seed. By level, type
and format, and in all: the questions that count in the knowledge score, how many of them each
guesser answered, the share of right answers, and points a counted question with their 95 % interval
by world. The exit status is 1 if a guesser's interval over all questions of a level lies above
`--most` points.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from rich.console import Console
from rich.table import Table

from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.grade import grade
from worldquiz.facts.knowledge_score import TOO_EASY, penalty
from worldquiz.facts.question import CATEGORIES, Format, Prompt, Question, prompt
from worldquiz.memory.worldgraph.questions import Ask
from worldquiz.rng import child_seed
from worldquiz.stats.intervals import Interval, intervals, ratios
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.paper import Paper, ask_of, candidates, kind_of, named, state_of
from worldquiz.t2q.agents.scripted import Abstainer
from worldquiz.t2q.agents.wording import SEVERAL, best
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.floors import guessed
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.scoring.blind import paper_of
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.spec import MOVABLE

GUESSERS = ("boosting", "rules")
ALL = "all"
LEAST = 100
"""Candidate answers in half of the worlds below which nothing is learnt of a sort of question."""
MARGINS = (0.0, 0.02, 0.05, 0.1, 0.2, 1.0)
"""By how much of the rest to 1 an answer has to be likelier than the rate; by 1, never."""
DENIED = ("closed", "shut", "unlocked", "not locked", "without a turned lock")
"""States that are the absence of another."""
Features = dict[str, float]


def about_world(paper: Paper) -> Features:
    """Return how many names of each kind there are, and how many tasks."""
    counts = {kind: len(names) for kind, names in paper.names.items()}
    hidden = {f"hidden {kind}": len(names) for kind, names in paper.hidden.items()}
    hidden |= {"loose": paper.loose, "untold": len(paper.untold), "turns": len(paper.turns)}
    ways = {f"first room's {way}": way in paper.ways for way in DIRECTIONS}
    hidden |= {f"asked {sort}": count for sort, count in paper.sorts.items()}
    exits = {"exits": len(paper.ways), "others": len(paper.names["room"]) - len(paper.ways) - 1}
    return {**counts, **hidden, **ways, **exits, "tasks": len(paper.objectives)}


def about_name(paper: Paper, name: str, role: str) -> Features:
    """Return how often which questions and how many objectives mention a name."""
    found: Features = {f"{role} in {sort}": n for sort, n in paper.mentions[name].items()}
    found |= {f"{role} is {kind_of(name)}": 1, f"{role} in tasks": paper.told(name)}
    found |= {f"{role} is {paper.shown(name)}": 1} if paper.shown(name) else {}
    found |= {f"{role} is wanted: {verb}": 1 for verb in paper.wanted(name)}
    found[f"{role} is untold"] = name in paper.untold
    places = [place for place, text in enumerate(paper.objectives) if name in text]
    found |= {f"{role} first": places[0], f"{role} last": places[-1]} if places else {}
    return {**found, f"{role} is the first room": name == paper.start}


def about_pair(paper: Paper, asked: str, name: str) -> Features:
    """Return where two names stand together, they themselves or what a task wants with one."""
    found: Features = {f"both in {s}": n for s, n in paper.pairs[frozenset((asked, name))].items()}
    found["both in task"] = paper.told(asked, name)
    for near, far, role in ((asked, name, "mate of asked"), (name, asked, "mate of named")):
        through = [paper.pairs[frozenset((mate, far))] for mate in paper.mates[near] - {far}]
        found |= {f"{role} in {sort}": n for sort, n in sum(through, Counter[str]()).items()}
    return found


def about_question(paper: Paper, asked: Prompt) -> Features:
    """Return what is the same for all candidates."""
    names = list(dict.fromkeys(named(asked.text)))
    found = {**about_world(paper), **about_name(paper, names[0], "asked")}
    for name in names[1:2]:
        found |= about_name(paper, name, "other") | about_pair(paper, names[0], name)
    return found


def about_candidate(paper: Paper, asked: Prompt, one: str) -> Features:
    """Return what tells a candidate from the others."""
    read = paper.read[asked]
    match asked.format:
        case Format.YES_NO:
            denied = read.negated or state_of(read) in DENIED
            return {"so": (one == "yes") is not denied}
        case Format.DESCRIPTION:
            return {f"holds {category}": category in one for category in CATEGORIES}
        case _ if read.ask is Ask.LIES:
            return {f"to {one}": 1, "diagonal": "-" in one, "turn": one in paper.turns}
    found: Features = {}
    for name in named(one):
        found |= about_name(paper, name, "named") | about_pair(paper, named(asked.text)[0], name)
    return found


def by_rules(paper: Paper, asked: Prompt) -> str | None:
    """Return what the rules of thumb answer, None where they do not apply."""
    read = paper.read[asked]
    kinds = [kind for kind in MOVABLE if kind in paper.hidden]
    match read.ask:
        case Ask.CATEGORIES if len(kinds) == 1 and paper.untold & {*named(asked.text)}:
            return kinds[0]
        case Ask.PLACE if paper.loose == len(paper.untold) == 1:
            return min(paper.untold) if read["thing"] in paper.hidden[kinds[0]] else None
        case Ask.PLACE if "Make" in paper.wanted(read["thing"]):
            entered = (room for room in paper.names["room"] if "Go" in paper.wanted(room))
            return min(entered, default=None)
        case Ask.LIES:
            return min(paper.turns) if len(paper.turns) == 2 else None
    return None


@dataclass(frozen=True)
class Item:
    """One question that counts, as both guessers see it."""

    world: int
    cell: tuple[str, str]  # type and format
    sort: str  # what is asked, and the format: trees learn each sort apart
    rate: float  # the guessing rate
    right: tuple[bool, ...]  # of each candidate
    shared: Features
    own: tuple[Features, ...]  # of each candidate
    rules: bool | None  # whether the answer of the rules is right; None: they have none

    @property
    def rows(self) -> Iterator[Features]:
        """All features of each candidate."""
        return ({**self.shared, **each} for each in self.own)

    def points(self, right: bool | None) -> float:
        """Return what an answer earns; None is an abstention."""
        return 0.0 if right is None else 1.0 if right else -penalty(self.rate)


def collect(plan: Plan) -> list[Item]:
    """Return the questions that count in all worlds of a plan."""
    made = (bundle(spec) for spec in worlds(plan).values())
    return [item for number, one in enumerate(made) for item in _collect(number, one)]


def _collect(world: int, one: Bundle) -> Iterator[Item]:
    paper = paper_of(one)
    for question, result in zip(one.questions, guessed(one, Abstainer), strict=True):
        rate, asked = result.blind or 0.0, prompt(question)
        if result.at_start or rate > TOO_EASY:
            continue
        odds = wording.rated(paper, asked)
        offered = candidates(paper, asked, wording.table()["sets"])
        reply = by_rules(paper, asked)
        yield Item(
            world, (str(question.type), question.kind), str(ask_of(asked)), rate,
            right=tuple(_right(question, each) for each in offered),
            shared=about_question(paper, asked),
            own=tuple(
                {"odds": odds.get(each, 0.0), **about_candidate(paper, asked, each)}
                for each in offered
            ),
            rules=None if reply is None else _right(question, reply),
        )  # fmt: skip


def _right(question: Question, reply: str) -> bool:
    return grade(question, answerable=True, reply=reply).value == 1


def by_boosting(train: Sequence[Item], test: Sequence[Item]) -> list[bool | None]:
    """Return whether each answer of trees is right, None where they are not sure enough."""
    halves = [[item for item in train if item.world % 2 == n] for n in range(2)]
    if min(sum(len(item.right) for item in half) for half in halves) < LEAST:
        return [None] * len(test)
    tried = [*_guesses(*halves), *_guesses(*halves[::-1])]

    def earned(margin: float) -> float:
        return sum(item.points(_sure(item, p, right, margin)) for item, p, right in tried)

    margin = max(MARGINS, key=lambda margin: (earned(margin), margin))
    return [_sure(item, p, right, margin) for item, p, right in _guesses(train, test)]


def _guesses(train: Sequence[Item], test: Sequence[Item]) -> Iterator[tuple[Item, float, bool]]:
    """Yield each question, how likely its best candidate is, and whether that one is right."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.feature_extraction import DictVectorizer

    columns = DictVectorizer(dtype=np.float32, sparse=False)
    table = columns.fit_transform([row for item in train for row in item.rows])
    trees = HistGradientBoostingClassifier(
        max_iter=200, learning_rate=0.05, max_leaf_nodes=16, min_samples_leaf=20,
        l2_regularization=1, random_state=0,
    ).fit(table, [right for item in train for right in item.right])  # fmt: skip
    rated = trees.predict_proba(columns.transform([row for item in test for row in item.rows]))
    ends = np.cumsum([len(item.right) for item in test])
    for item, ratings in zip(test, np.split(rated[:, -1], ends[:-1]), strict=True):
        place = best(list(ratings))
        total = 1.0 if item.cell[1] in SEVERAL else sum(ratings)
        yield item, float(ratings[place] / total), item.right[place]


def _sure(item: Item, p: float, right: bool, margin: float) -> bool | None:
    """Return an answer that is likelier right than the guessing rate by a margin."""
    return right if p > item.rate + margin * (1 - item.rate) else None


@dataclass(frozen=True)
class Earned:
    """What one guesser earned with the questions of one type and format, or with all."""

    level: str
    cell: str
    guesser: str
    counted: int
    answered: int
    right: float | None  # of those answered
    points: float  # a counted question
    ci: Interval | None


def attacked(train: Plan, test: Plan) -> Iterator[Earned]:
    """Yield what both guessers earn in the worlds of one level."""
    learnt, asked = collect(train), collect(test)
    answers: list[tuple[Item, str, bool | None]] = [(each, "rules", each.rules) for each in asked]
    for sort in sorted({item.sort for item in asked}):
        items = [item for item in asked if item.sort == sort]
        told = by_boosting([item for item in learnt if item.sort == sort], items)
        answers += [(item, "boosting", right) for item, right in zip(items, told, strict=True)]
    for cell in (*sorted({item.cell for item, _, _ in answers}), None):
        for guesser in GUESSERS:
            given = [(item, right) for item, by, right in answers
                     if by == guesser and cell in (item.cell, None)]  # fmt: skip
            yield _earned(test.preset, " / ".join(cell or (ALL,)), guesser, given)


def _earned(
    level: str, cell: str, guesser: str, given: Sequence[tuple[Item, bool | None]]
) -> Earned:
    by_world: dict[int, dict[str, float]] = defaultdict(lambda: {"points": 0, "counted": 0})
    for item, right in given:
        by_world[item.world]["points"] += item.points(right)
        by_world[item.world]["counted"] += 1
    share = ratios([*by_world.values()], {"knowledge": ("points", "counted")}, signed={"knowledge"})
    told = [right for _, right in given if right is not None]
    return Earned(
        level, cell, guesser, len(given), len(told), sum(told) / len(told) if told else None,
        share["knowledge"].value or 0.0, intervals(share)["knowledge"],
    )  # fmt: skip


def show(found: Sequence[Earned], console: Console) -> None:
    """Print the table, one line a cell."""
    table = Table("level", "type / format", "guesser", "counted", "answered", "right", "points")
    for each in found:
        right = "" if each.right is None else f"{each.right:.3f}"
        bounds = "" if each.ci is None else " [{:+.4f}, {:+.4f}]".format(*each.ci)
        points = f"{each.points:+.4f}{bounds}" if each.answered else ""
        table.add_row(
            each.level, each.cell, each.guesser, f"{each.counted:,}", f"{each.answered:,}", right,
            points, end_section=each.cell == ALL and each.guesser == GUESSERS[-1],
        )  # fmt: skip
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--worlds", type=int, default=200, help="worlds a level to be tested on")
    parser.add_argument("--train", type=int, default=400, help="worlds a level to learn from")
    parser.add_argument("--seed", type=int, default=7171)
    parser.add_argument("--most", type=float, default=0.01, help="points a question, tolerated")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    other = child_seed(options.seed, "train")
    found = [
        each
        for level in Plan(options.preset, options.seed, 1).knobs()
        for each in attacked(
            Plan(level, other, options.train),
            Plan(level, options.seed, options.worlds),
        )
    ]
    if options.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
    else:
        show(found, Console(width=120))
    above = (each.ci[0] > options.most for each in found if each.cell == ALL and each.ci)
    return 1 if any(above) else 0


if __name__ == "__main__":
    sys.exit(main())

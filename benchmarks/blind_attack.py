"""What does a guesser earn that answers only where it is surer than the guessing rate?

    uv run --group bench python benchmarks/blind_attack.py [--preset paper] [--worlds 200]
        [--train 400] [--seed 7171] [--json]

The knowledge score promises that nobody gains by guessing: a question's guessing rate sets what a
wrong answer costs. But a rate is a mean over worlds, and the sheet tells some questions from others
of their type and format. Two guessers use that. Both read the questions and the task list of a
world and nothing that an agent saw, and abstain on most questions:

    boosting  gradient boosted trees rate each candidate answer by what the whole sheet says of the
              names in it; they answer where the best one is likelier right than the guessing rate,
              by a margin that is set within the worlds that they learn on
    rules     four rules of thumb, nothing learnt: a key was where a question of yes or no says; a
              room that stands to choose as a neighbour is next to a room that it is offered for;
              directions add up; a thing that a task wants together with a key is in a container
              that a question asks about with that key

On `--train` uncompiled worlds a level to learn from, and `--worlds` of another seed. By level, type
and format, and in all: the questions that count in the knowledge score, how many of them each
guesser answered, the share of right answers, and points a counted question with their 95 % interval
by world. The exit status is 1 if a guesser's interval over all questions of a level lies above 0.
"""

from __future__ import annotations

import argparse
import json
import sys
from cmath import rect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from math import pi

import numpy as np
from rich.console import Console
from rich.table import Table

from worldquiz.facts.fact import COMPASS
from worldquiz.facts.grade import grade
from worldquiz.facts.knowledge_score import TOO_EASY, penalty
from worldquiz.facts.question import CATEGORIES, Format, Prompt, Question, prompt
from worldquiz.rng import child_seed
from worldquiz.stats.intervals import Interval, intervals, ratios
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.scripted import Abstainer
from worldquiz.t2q.agents.wording import Paper, ask_of, best, candidates, kind_of, named
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.floors import guessed
from worldquiz.t2q.memory.worldgraph.questions import Ask, UnderstoodQuestion, read_question
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.scoring.blind import blind
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Plan

GUESSERS = ("boosting", "rules")
ALL = "all"
LEAST = 100
"""Candidate answers in half of the worlds below which nothing is learnt of a sort of question."""
MARGINS = (0.0, 0.02, 0.05, 0.1, 0.2, 1.0)
"""By how much of the rest to 1 an answer has to be likelier than the rate; by 1, never."""
FAR = 0.6
"""How long the sum of the directions named for two rooms has to be to tell anything."""
DENIED = ("closed", "shut", "unlocked", "not locked", "without a turned lock")
"""States that are the absence of another."""
Features = dict[str, float]
UNITS = {way: rect(1, n * pi / 4) for n, way in enumerate(COMPASS)}
"""Directions as complex numbers of length 1: north is 1, east is i."""


class Sheet:
    """What all questions of a world and its task list say of each name and each two names."""

    def __init__(self, prompts: Sequence[Prompt], objectives: Sequence[str]) -> None:
        self.paper = Paper(tuple(prompts), tuple(objectives))
        self.read = {p: read for p in prompts if (read := read_question(p.text))}
        self.mentions: dict[str, Counter[str]] = defaultdict(Counter)
        self.pairs: dict[frozenset[str], Counter[str]] = defaultdict(Counter)
        for each in prompts:
            self._note(each)

    def _note(self, prompt: Prompt) -> None:
        """Count whom a question names and whom it offers, and who stand together in it."""
        asked, sort = named(prompt.text), sort_of(prompt)
        for name in asked:
            self.mentions[name][sort] += 1
        for pair in combinations(asked, 2):
            self.pairs[frozenset(pair)][sort] += 1
        for name in (name for choice in prompt.choices for name in named(choice)):
            self.mentions[name][f"choice, {sort}"] += 1
            for other in asked:
                self.pairs[frozenset((name, other))][f"choice, {sort}"] += 1

    @cached_property
    def directions(self) -> list[tuple[str, str, complex]]:
        """A room, another, and the mean direction that a question names for it from the first."""
        found = []
        for each, read in self.read.items():
            towards = read.ask is Ask.IS_TOWARDS
            ways = (read["compass"],) if towards else each.choices if read.ask is Ask.LIES else ()
            if ways:
                mean = sum(UNITS[way] for way in ways) / len(ways)
                found.append((read["room"], read["other"], mean))
        return found

    def drift(self, room: str, apart: str) -> complex:
        """Return the sum of the directions named for a room, those from another room apart."""
        told = [each for each in self.directions if room in each[:2] and apart not in each[:2]]
        return sum(((way if end == room else -way) for _, end, way in told), 0j)

    @cached_property
    def mates(self) -> dict[str, set[str]]:
        """By name, what is named in one objective with it."""
        found: dict[str, set[str]] = defaultdict(set)
        for names in map(named, self.paper.objectives):
            for name in names:
                found[name].update(set(names) - {name})
        return found


def sort_of(prompt: Prompt) -> str:
    """Return the sort of a question, with the kind of what is asked about."""
    read, asked = read_question(prompt.text), named(prompt.text)
    state = " lock" if read and "lock" in state_of(read) else ""
    return f"{ask_of(prompt)}, {kind_of(asked[0]) if asked else ''}{state}"


def state_of(read: UnderstoodQuestion) -> str:
    """Return the state that is asked about, or nothing."""
    return read.names.get("state") or read.names.get("unturned") or ""


def about_world(sheet: Sheet) -> Features:
    """Return how many names of each kind there are, and how many tasks."""
    counts = {kind: len(names) for kind, names in sheet.paper.names.items()}
    return {**counts, "tasks": len(sheet.paper.objectives)}


def about_name(sheet: Sheet, name: str, role: str) -> Features:
    """Return how often which questions and how many objectives mention a name."""
    found: Features = {f"{role} in {sort}": n for sort, n in sheet.mentions[name].items()}
    return {**found, f"{role} is {kind_of(name)}": 1, f"{role} in tasks": sheet.paper.told(name)}


def about_pair(sheet: Sheet, asked: str, name: str) -> Features:
    """Return where two names stand together, they themselves or what a task wants with one."""
    found: Features = {f"both in {s}": n for s, n in sheet.pairs[frozenset((asked, name))].items()}
    found["both in task"] = sheet.paper.told(asked, name)
    for near, far, role in ((asked, name, "mate of asked"), (name, asked, "mate of named")):
        through = [sheet.pairs[frozenset((mate, far))] for mate in sheet.mates[near] - {far}]
        found |= {f"{role} in {sort}": n for sort, n in sum(through, Counter[str]()).items()}
    return found


def about_way(sheet: Sheet, read: UnderstoodQuestion, way: str) -> Features:
    """Return how well a direction fits those that are named for either room."""
    room, other = read["room"], read["other"]
    return {
        f"to {way}": 1,
        "diagonal": "-" in way,
        "fits the other room": along(way, sheet.drift(other, room)),
        "fits the room": along(way, -sheet.drift(room, other)),
    }


def along(way: str, step: complex) -> float:
    """Return how far a step goes in a direction; rounded, so that equal ways are equally far."""
    return round((UNITS[way].conjugate() * step).real, 6)


def about_question(sheet: Sheet, asked: Prompt) -> Features:
    """Return what is the same for all candidates."""
    names = list(dict.fromkeys(named(asked.text)))
    found = {**about_world(sheet), **about_name(sheet, names[0], "asked")}
    for name in names[1:2]:
        found |= about_name(sheet, name, "other") | about_pair(sheet, names[0], name)
    return found


def about_candidate(sheet: Sheet, asked: Prompt, one: str) -> Features:
    """Return what tells a candidate from the others."""
    read = sheet.read[asked]
    match asked.format:
        case Format.YES_NO:
            denied = read.negated or state_of(read) in DENIED
            way = about_way(sheet, read, read["compass"]) if "compass" in read.names else {}
            return {"so": (one == "yes") is not denied, **way}
        case Format.DESCRIPTION:
            return {f"holds {category}": category in one for category in CATEGORIES}
        case _ if read.ask is Ask.LIES:
            return about_way(sheet, read, one)
    found: Features = {}
    for name in named(one):
        found |= about_name(sheet, name, "named") | about_pair(sheet, named(asked.text)[0], name)
    return found


def by_rules(sheet: Sheet, asked: Prompt) -> str | None:
    """Return what the rules of thumb answer, None where they do not apply."""
    read, others = sheet.read[asked], sheet.read.items()
    match read.ask:
        case Ask.WAS_AT if kind_of(read["thing"]) == "key":
            return "no" if read.negated else "yes"
        case Ask.NEIGHBOUR if not asked.choices:
            found = [other["room"] for each, other in others
                     if other.ask is Ask.NEIGHBOUR and read["room"] in each.choices]  # fmt: skip
            return min(found, default=None)
        case Ask.LIES:
            room, other = read["room"], read["other"]
            step = sheet.drift(other, room) - sheet.drift(room, other)
            ways = asked.choices or COMPASS
            return max(ways, key=lambda way: along(way, step)) if abs(step) > FAR else None
        case Ask.PLACE:
            found = [
                other["lock"] for _, other in others
                if other.ask is Ask.FITS and other["key"] in sheet.mates[read["thing"]]
                and kind_of(other["lock"]) == "container"
            ]  # fmt: skip
            return min(found, default=None)
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
    prompts = [prompt(each) for each in one.questions]
    sheet = Sheet(prompts, [task.objective for task in one.tasks])
    for question, result in zip(one.questions, guessed(one, Abstainer), strict=True):
        rate, asked = blind(question, len(one.spec.rooms)), prompt(question)
        if result.at_start or rate > TOO_EASY:
            continue
        offered = candidates(sheet.paper, asked, wording.table()["sets"])
        reply = by_rules(sheet, asked)
        yield Item(
            world, (str(question.type), question.kind), str(ask_of(asked)), rate,
            right=tuple(_right(question, each) for each in offered),
            shared=about_question(sheet, asked),
            own=tuple(about_candidate(sheet, asked, each) for each in offered),
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
        max_iter=120, learning_rate=0.05, max_leaf_nodes=10, min_samples_leaf=30,
        l2_regularization=5, random_state=0,
    ).fit(table, [right for item in train for right in item.right])  # fmt: skip
    rated = trees.predict_proba(columns.transform([row for item in test for row in item.rows]))
    ends = np.cumsum([len(item.right) for item in test])
    for item, ratings in zip(test, np.split(rated[:, -1], ends[:-1]), strict=True):
        several_right = item.cell[1] in (Format.WHERE, Format.DESCRIPTION)
        place = best(list(ratings))
        total = 1.0 if several_right else sum(ratings)
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
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    other = child_seed(options.seed, "train")
    found = [
        each
        for level in Plan(options.preset, options.seed, 1, compiled=False).knobs()
        for each in attacked(
            Plan(level, other, options.train, compiled=False),
            Plan(level, options.seed, options.worlds, compiled=False),
        )
    ]
    if options.json:
        print(json.dumps([asdict(each) for each in found], indent=2))
    else:
        show(found, Console(width=120))
    return 1 if any(each.cell == ALL and each.ci and each.ci[0] > 0 for each in found) else 0


if __name__ == "__main__":
    sys.exit(main())

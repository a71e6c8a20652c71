"""Quiz of a world: questions made from its facts by fixed rules (section 2.3).

A world gets about as many questions as the paper's worlds of its size, with the paper's share of
each type. Each type has a family (`quiz.family`), whose rule yields groups of questions in an order
drawn by seed; a group is asked whole or not at all. Questions that the first screen or the task
list settles come last.

A question is answerable as soon as the facts shown settle it under the six laws that every text
world obeys and every quiz states (`question.LAWS`; families cite their numbers). A negative answer
may thus be known in several ways; the question's requirement lists all of them.

The *guessing rate* of a question is the share of right answers from somebody who was shown nothing.
It is fixed and stored when a world is built. It is the larger of chance (1/2 for yes or no, 1/k for
k choices) and the share that the answerer `sheet` got right on other worlds of the level, when it
was equally sure. That answerer sees only the questions, the tasks and the first screen (the
"sheet"). ``scripts/guesses.py`` measured these shares and wrote them to ``guesses.csv``:

    level, ask       a preset, and the name of a wording, for some with the kind of thing in it
    trust            upper bound of how sure the answerer is, 0..1, rising; the last row has none
    guess            the rate, 0..1, plus 0.06 for answerers that learn more from a sheet than our
                     reader does; for yes or no, the larger of right and wrong
    measured         number of questions measured, none of which the start gave away

In worlds without a preset, and for unknown wordings, the rate is chance, if defined, unless the
question states another (1/k for k possible answers). A question without a rate does not count.

docs/reference/question-rules.md lists all rules.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files

from worldquiz import rng
from worldquiz.facts.fact import Fact
from worldquiz.facts.knowledge import guess_among
from worldquiz.facts.requirement import Inferred
from worldquiz.t2q.question import Prompt, Question, prompt
from worldquiz.t2q.quiz import (
    change,
    connectivity,
    detour,
    direction,
    location,
    match,
    moves,
    needs,
    premise,
    properties,
)
from worldquiz.t2q.quiz.family import Draft, Family, Group, pattern
from worldquiz.t2q.quiz.inferred import map_of
from worldquiz.t2q.quiz.sheet import Asked, Guess, Sheet, kind_of
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import Task, WorldSpec

FAMILIES = tuple(
    each.FAMILY
    for each in (
        location, connectivity, direction, match, properties, moves, detour, needs, premise,
        change,
    )
)  # fmt: skip
WORDINGS = {wording.name: wording for family in FAMILIES for wording in family.wordings}
LIMIT = 95
"""Most questions about a world; the paper's hard worlds have 94.7 on average (Table 1)."""
EACH = 3.2
"""Most questions about a world for each of its rooms and things."""


def ask(spec: WorldSpec, tasks: Sequence[Task] = ()) -> tuple[Question, ...]:
    """Return the questions about a world's initial state; equal worlds give equal questions.

    Their order is drawn by seed; an id consists of the type and the number in that order.
    """
    most, asked = min(LIMIT, EACH * len(spec.kinds)), list[Question]()
    own = [family for family in FAMILIES if family.preset == spec.level]
    families = own or [family for family in FAMILIES if not family.preset]
    if own:
        rng.child(spec.seed, "quiz", "family").shuffle(families)
    asking = list[tuple[Family, list[Group]]]()
    for family in families:
        draft = Draft(spec, tasks, family.type, infer)
        if not (family.alone and any(each.alone for each, _ in asking)):
            groups = sorted(family.rule(draft), key=draft.begun)
            asking += [(family, groups)] if groups or not family.alone else []
    for family, groups in asking:
        left = round(most * family.share / sum(each.share for each, _ in asking))
        for group in groups:
            if len(group) <= left:
                left -= len(group)
                asked += group
    rng.child(spec.seed, "quiz", "order").shuffle(asked)
    return tuple(replace(each, id=f"{each.type}-{n:03}") for n, each in enumerate(asked, start=1))


def infer(asked: Inferred, shown: frozenset[Fact]) -> bool:
    """Return whether the map of the facts shown settles an inferred question."""
    return WORDINGS[asked.rule].read(map_of(shown), *asked.names) is not None


@cache
def words() -> Mapping[str, Sequence[str]]:
    """Return the texts of each wording: the original, then the alternatives in ``words.csv``."""
    found = {name: [wording.text] for name, wording in WORDINGS.items()}
    for row in _table("words.csv"):
        found[row["wording"]].append(row["text"])
    return found


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    return [(name, pattern(text)) for name, texts in words().items() for text in texts]


def _match(text: str) -> tuple[str, Mapping[str, str]] | None:
    """Return the wording that a question's text matches, and the names in it by role."""
    found = ((name, each.fullmatch(text)) for name, each in _patterns())
    return next(((name, match.groupdict()) for name, match in found if match), None)


@lru_cache(8192)
def understood(prompt: Prompt) -> Asked | None:
    """Return what a question asks, None if its wording is unknown."""
    if found := _match(prompt.text):
        name, names = found
        return Asked(name, tuple(names[role] for role in WORDINGS[name].roles), prompt.choices)
    return None


def put(question: Question, number: int) -> Question:
    """Return a question in alternative words, numbered from 1; 0 is its original text.

    A question of unknown wording, or without that alternative, is returned as it is.
    """
    name, names = _match(question.text) or ("", {})
    texts = words().get(name, ())
    return (
        replace(question, text=texts[number].format(**names)) if number < len(texts) else question
    )


def read_all(prompts: Iterable[Prompt]) -> tuple[Asked, ...]:
    """Return what each question asks; questions of unknown wording are left out."""
    return tuple(filter(None, map(understood, prompts)))


def settled(graph: Graph, prompt: Prompt) -> str | None:
    """Return the answer if a reader's map settles it, else None, as for an unknown wording.

    Exactly one of a question's choices is right, so ruling out all others also settles it.
    """
    asked = understood(prompt)
    if asked is None:
        return None
    wording = WORDINGS[asked.wording]
    if wording.guess is None:
        fits = {choice: wording.read(graph, choice, *asked.names) for choice in asked.choices}
        right = [choice for choice in fits if fits[choice]]
        found = right or [choice for choice in fits if fits[choice] is None]  # by elimination
        return found[0] if len(found) == 1 else None
    answer = wording.read(graph, *asked.names)
    return ("yes" if answer else "no") if isinstance(answer, bool) else answer


def guessed(sheet: Sheet, prompt: Prompt) -> Guess | None:
    """Return the likeliest answer given a sheet, None if the question's wording is unknown."""
    asked = understood(prompt)
    if asked is None:
        return None
    if asked.choices:  # one is as good as another
        return Guess(asked.choices[0], 1 / len(asked.choices))
    guess = WORDINGS[asked.wording].guess
    found: Guess | float | None = guess(sheet, *asked.names) if guess else None
    if isinstance(found, float):
        return Guess("yes" if found > 0.5 else "no", max(found, 1 - found))
    return found


def shows(text: str, asked: Prompt, golds: Collection[str]) -> bool | None:
    """Return whether a text recalled by a memory holds one of the right answers.

    It does if the map of all its turns settles the answer, or if any single turn does, read as the
    first of its world. (The map alone is more careful: if turns are missing, the player itself may
    have put the key where it now lies.) So a text with more turns never holds less. The result is
    None if a part of the text cannot be read.
    """
    from worldquiz.t2q.reader.context import read_context

    if not text.strip():
        return False
    read = read_context(text, changes=not asked.of_start)
    if not read.exact or understood(asked) is None:
        return None
    return any(settled(graph, asked) in golds for graph in (read.graph, *read.alone))


def _table(name: str) -> Iterator[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    yield from csv.DictReader(text.splitlines())


@cache
def table() -> Mapping[tuple[str, str], Mapping[float, float]]:
    """Return the measured guessing rates by level and wording, then by upper bound of `trust`."""
    found: dict[tuple[str, str], dict[float, float]] = {}
    for row in _table("guesses.csv"):
        rates = found.setdefault((row["level"], row["ask"]), {})
        rates[float(row["trust"])] = float(row["guess"])
    return found


def cell(prompt: Prompt) -> str:
    """Return a question's value of `ask` in ``guesses.csv``, "" if its wording is unknown."""
    asked = understood(prompt)
    if asked is None:
        return ""
    by_kind = WORDINGS[asked.wording].by_kind
    return f"{asked.wording} {kind_of(asked.names[0])}" if by_kind else asked.wording


def chance(question: Question) -> float | None:
    """Return the chance that a random guess is right: 1/2 for yes or no; None without choices."""
    return 0.5 if question.format == "yes_no" else guess_among(question.choices)


def with_guesses(
    spec: WorldSpec,
    tasks: Sequence[Task],
    questions: Sequence[Question],
    *,
    measured: bool = False,
) -> tuple[Question, ...]:
    """Return a world's questions; those without a guessing rate get theirs, where it is known.

    `measured` says that the world has its preset's parameters, with which the rates were measured.
    Otherwise a rate is at least what the reader of the sheet itself expects.
    """
    sheet = sheet_of(spec, tasks, questions)

    def rate(question: Question) -> float | None:
        asked = prompt(question)
        found, rates = guessed(sheet, asked), table().get((spec.level, cell(asked)))
        if not found or not rates:
            return chance(question)
        seen = next((rates[most] for most in rates if found.trust <= most), rates[max(rates)])
        return seen if measured else max(seen, found.trust)

    return tuple(q if q.guess is not None else replace(q, guess=rate(q)) for q in questions)


def sheet_of(spec: WorldSpec, tasks: Sequence[Task], questions: Sequence[Question]) -> Sheet:
    """Return a world's sheet: its questions, its tasks and what the first screen shows."""
    exits = {way: spec.doors.get((spec.start, way)) for way in spec.ways[spec.start]}
    first = Graph(exits={spec.start: exits})
    for fact in first_screen(spec):
        match fact.predicate:
            case "at" | "in" | "on":
                first.place[fact.args[0]] = fact.args[1]
            case "open" | "shut":
                first.lids[fact.args[0]] = fact.predicate == "open"
    asked = read_all(map(prompt, questions))
    return Sheet(asked, tuple(task.objective for task in tasks), first)

"""Guessing rate of a question: how often somebody who was shown nothing answers it rightly.

It is fixed when a world is built, stored with the question and never computed anew. It is the
larger of chance (one of two for yes or no, one of the choices) and how often the answerer `sheet`
was right in other worlds of the level, on questions of which it was as sure. The second stands in
``guesses.csv``, which ``scripts/guesses.py`` measures:

    level, ask       a preset, and a kind of question: its `Ask`; of a place also the thing's kind
    trust            how sure the answerer is at most, 0..1, rising; the last row holds for more
    guess            the rate, 0..1, and 0.06 more, for whoever reads more out of a sheet than our
                     reader does; of yes or no the larger of right and wrong
    measured         how many questions that the start leaves open it was measured on

Questions of worlds of no preset, or of no kind of ours, have chance as their rate, or none, unless
the world gives one: 1/k, where an answer is one of k. Without a rate a question does not count.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from worldquiz.facts.knowledge import guess_among
from worldquiz.t2q.agents.sheet import Sheet, kind_of
from worldquiz.t2q.question import Ask, Prompt, Question, YesNo, prompt
from worldquiz.t2q.reader import Graph
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import Task, WorldSpec

BY_KIND = (Ask.PLACE, Ask.CATEGORIES, Ask.LOCKED, Ask.OPEN)
"""Kinds of questions that are measured for each kind of thing."""


@cache
def table() -> Mapping[tuple[str, str], Mapping[float, float]]:
    """Return the rates that are shipped, by level and kind of question, then by the most trust."""
    text = files(__package__).joinpath("guesses.csv").read_text(encoding="utf-8")
    found: dict[tuple[str, str], dict[float, float]] = {}
    for row in csv.DictReader(text.splitlines()):
        rates = found.setdefault((row["level"], row["ask"]), {})
        rates[float(row["trust"])] = float(row["guess"])
    return found


def cell(sheet: Sheet, asked: Prompt) -> str:
    """Return the kind of a question that the sheet's reader understood, as the table names it."""
    read = sheet.read[asked]
    name = read.ask.name.lower()
    return f"{name} {kind_of(read.names[0])}" if read.ask in BY_KIND else name


def chance(question: Question) -> float | None:
    """Return what a guess among the choices scores on average; None where nothing is to choose."""
    return 0.5 if isinstance(question, YesNo) else guess_among(prompt(question).choices)


def with_guesses(
    spec: WorldSpec, tasks: Sequence[Task], questions: Sequence[Question]
) -> tuple[Question, ...]:
    """Return a world's questions, each that has no rate with its own, where one is known."""
    sheet = sheet_of(spec, tasks, questions)

    def rate(question: Question) -> float | None:
        asked = prompt(question)
        found = sheet.guess(asked)
        rates = table().get((spec.level, cell(sheet, asked))) if found else None
        if not found or not rates:
            return chance(question)
        return next((rates[most] for most in rates if found.trust <= most), rates[max(rates)])

    return tuple(q if q.guess is not None else replace(q, guess=rate(q)) for q in questions)


def sheet_of(spec: WorldSpec, tasks: Sequence[Task], questions: Sequence[Question]) -> Sheet:
    """Return what somebody holds who read all that a world says before the first command."""
    exits = {way: spec.doors.get((spec.start, way)) for way in spec.ways[spec.start]}
    first = Graph(exits={spec.start: exits})
    for fact in first_screen(spec):
        match fact.predicate:
            case "at" | "in" | "on":
                first.place[fact.args[0]] = fact.args[1]
            case "open" | "shut":
                first.lids[fact.args[0]] = fact.predicate == "open"
    return Sheet(tuple(map(prompt, questions)), tuple(task.objective for task in tasks), first)

"""Guessing rate of a question: how often someone who saw no transcript answers it rightly.

The rate of a question is the largest of

- chance: one of two for yes or no, one of the choices;
- what the best guesser reached on questions of its type and format about the same kind of thing, in
  worlds with about as many rooms: a door is found in either of two rooms, and where there are three
  rooms, any place is soon guessed;
- how likely the guesser `wording` holds its best answer to this very question, by all that the
  sheet, the task list and the first screen say: else an answerer would gain by answering only where
  it is surer than the mean.

The second is measured on other worlds and kept in ``blind.json``, which says how, as the weights of
the guesser are; ``benchmarks/blind_table.py`` at c30a00b3 makes both anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import assert_never

from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo, prompt
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.paper import Paper
from worldquiz.t2q.reader import Graph
from worldquiz.t2q.store import Bundle, bundle_digest
from worldquiz.t2q.world.game import first_screen


@dataclass(frozen=True, slots=True)
class Table:
    """Measured rates, 0..1: pairs of the most rooms that a world has, and rate.

    They stand by type, format and kind of what is asked about, or "" for all kinds. Sizes rise;
    worlds that are larger than all have the last rate.
    """

    version: int
    rates: Mapping[tuple[str, str, str], Sequence[tuple[int, float]]]

    def rate(self, type: str, form: str, kind: str, rooms: int) -> float | None:
        """Return a rate, None where questions of a type and format were not measured.

        Where those about one kind were too few, it is the rate of all kinds.
        """
        found = self.rates.get((type, form, kind)) or self.rates.get((type, form, ""), ())
        largest = found[-1][1] if found else None
        return next((rate for most, rate in found if rooms <= most), largest)


@cache
def table() -> Table:
    """Return the table that is shipped."""
    said = json.loads(files(__package__).joinpath("blind.json").read_text(encoding="utf-8"))
    rates = {
        (type, form, kind): tuple((each["rooms"], float(each["accuracy"])) for each in by_rooms)
        for type, forms in said["cells"].items()
        for form, cell in forms.items()
        for kind, by_rooms in cell["rates"].items()
    }
    return Table(int(said["version"]), rates)


KEPT = 50_000
"""Worlds whose rates are kept: runs on one suite share them, and nothing costs more to compute."""
_rates: dict[str, tuple[float | None, ...]] = {}


def guessing_rates(bundle: Bundle) -> tuple[float | None, ...]:
    """Return the guessing rate, 0..1, of each question of a world, in quiz order.

    None where it is not known: the question does not count, for its guesses would cost nothing.
    """
    key = bundle_digest(bundle)
    if key not in _rates:
        if len(_rates) >= KEPT:
            _rates.clear()
        _rates[key] = _computed(bundle)
    return _rates[key]


def _computed(bundle: Bundle) -> tuple[float | None, ...]:
    paper, spec = paper_of(bundle), bundle.spec
    guesses = (wording.guess(paper, each) for each in paper.prompts)
    usuals = (usual(question, spec.kinds, len(spec.rooms)) for question in bundle.questions)
    return tuple(
        max(rate, guess.trust) if guess and rate is not None else rate
        for rate, guess in zip(usuals, guesses, strict=True)
    )


def paper_of(bundle: Bundle) -> Paper:
    """Return what somebody holds who read all that a world's quiz says before the first command."""
    spec = bundle.spec
    exits = {way: spec.doors.get((spec.start, way)) for way in spec.ways[spec.start]}
    first = Graph(exits={spec.start: exits})
    for fact in first_screen(spec):
        match fact.predicate:
            case "at" | "in" | "on":
                first.place[fact.args[0]] = fact.args[1]
            case "open" | "shut":
                first.lids[fact.args[0]] = fact.predicate == "open"
    objectives = tuple(task.objective for task in bundle.tasks)
    return Paper(tuple(map(prompt, bundle.questions)), objectives, first)


def usual(question: Question, kinds: Mapping[str, str], rooms: int) -> float | None:
    """Return the larger of chance and what the best guesser reaches on questions like this one.

    `kinds` holds the kinds of a world's entities by name, and `rooms` is the number of its rooms.
    None where neither is known.
    """
    kind = kind_asked(question, kinds)
    measured = table().rate(str(question.type), question.kind, kind, rooms)
    return max((rate for rate in (chance(question), measured) if rate is not None), default=None)


def kind_asked(question: Question, kinds: Mapping[str, str]) -> str:
    """Return the kind of what a question is about: of the thing, the lock, the place or a choice.

    It is "" for what is not of the world.
    """
    names = question.about or (question.choices if isinstance(question, Which) else ())
    return kinds.get(names[-1], "") if names else ""


def chance(question: Question) -> float | None:
    """Return what a guess among the choices scores on average; None where nothing is to choose."""
    match question:
        case YesNo():
            return 0.5
        case Which(choices=choices):
            return 1 / len(choices)
        case Where() | What() | Description():
            return None
        case _:
            assert_never(question)

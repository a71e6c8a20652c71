"""How often a question is answered rightly by somebody who saw no transcript: its guessing rate.

The rate of a question is the larger of chance (one of two for yes or no, one of the choices) and
what the best guesser reached on questions of its type and format: a trained classifier of the
wording, or the answerer `sheet`, which reads all questions at once. These are measured on other
worlds and kept in ``blind.json``; ``benchmarks/blind_table.py`` makes it anew and says how. Where
open questions were not measured, nothing is known of guessing: the rate is 0.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import assert_never

from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo


@dataclass(frozen=True, slots=True)
class Table:
    """Measured rates, 0..1, by type and format."""

    version: int
    rates: Mapping[tuple[str, str], float]


@cache
def table() -> Table:
    """Return the table that is shipped."""
    said = json.loads(files(__package__).joinpath("blind.json").read_text(encoding="utf-8"))
    rates = {
        (type, form): float(cell["accuracy"])
        for type, forms in said["cells"].items()
        for form, cell in forms.items()
    }
    return Table(int(said["version"]), rates)


def blind(question: Question) -> float:
    """Return a question's guessing rate, 0..1."""
    measured = table().rates.get((str(question.type), question.kind), 0.0)
    return max(chance(question) or 0.0, measured)


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

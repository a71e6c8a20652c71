"""How often a question is answered rightly by somebody who saw no transcript: its guessing rate.

The rate of a question is the larger of chance (one of two for yes or no, one of the choices) and
what the best guesser reached on questions of its type and format, in worlds with about as many
rooms: where there are three, the other end of an exit is soon guessed. Rates are measured on other
worlds and kept in ``blind.json``, which says how; ``benchmarks/blind_table.py`` makes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import assert_never

from worldquiz.facts.question import Description, Question, What, Where, Which, YesNo


@dataclass(frozen=True, slots=True)
class Table:
    """Measured rates, 0..1, by type and format: pairs of the most rooms that a world has, and rate.

    Sizes rise; worlds that are larger than all have the last rate.
    """

    version: int
    rates: Mapping[tuple[str, str], Sequence[tuple[int, float]]]

    def rate(self, type: str, form: str, rooms: int) -> float:
        """Return a rate, 0 where questions of a type and format were too few to be measured."""
        found = self.rates.get((type, form), ())
        return next((rate for most, rate in found if rooms <= most), found[-1][1] if found else 0.0)


@cache
def table() -> Table:
    """Return the table that is shipped."""
    said = json.loads(files(__package__).joinpath("blind.json").read_text(encoding="utf-8"))
    rates = {
        (type, form): tuple((each["rooms"], float(each["accuracy"])) for each in cell["by_rooms"])
        for type, forms in said["cells"].items()
        for form, cell in forms.items()
    }
    return Table(int(said["version"]), rates)


def blind(question: Question, rooms: int) -> float:
    """Return the guessing rate, 0..1, of a question in a world with so many rooms."""
    measured = table().rate(str(question.type), question.kind, rooms)
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

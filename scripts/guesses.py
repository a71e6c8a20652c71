"""Measure the guessing rates of Task2Quiz's questions (`worldquiz.t2q.quiz.ask`).

    uv run python scripts/guesses.py [--seed 20261127] [--worlds 3000] > guesses.csv

Worlds of each preset are drawn (`--worlds` easy worlds, and fewer of the larger presets), and the
answerer `sheet` answers the questions that the first screen and the task list leave open. Equal
seeds give equal bytes. The table goes to ``src/worldquiz/t2q/quiz/guesses.csv``. Measure it again
when the rules of questions, the worlds, the tasks or `sheet` change.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from statistics import fmean
from typing import NamedTuple

from worldquiz.t2q.builder import Plan, make
from worldquiz.t2q.grade import read
from worldquiz.t2q.question import prompt
from worldquiz.t2q.quiz.ask import cell, chance, guessed, infer, sheet_of
from worldquiz.t2q.quiz.family import Draft
from worldquiz.t2q.suites import Bundle

SHARE = {"easy": 1.0, "medium": 0.3, "hard": 0.1, "explore": 0.08, "infer": 0.1}
"""Number of worlds of each preset, as a share of the easy worlds; others ask only by choices."""
STEP = 0.05
"""Trust is rounded up to multiples of this."""
LEAST, CLOSE = 50, 0.02
"""Least questions of a row, and least distance between the rates of two rows."""

MARGIN = 0.06
"""Added to each rate, for readers that learn more from a sheet than our reader does."""


class Result(NamedTuple):
    """Trust in an answer, whether the answer was right, and the rate of chance."""

    trust: float
    right: float
    chance: float
    flips: bool  # yes or no: a wrong answer gives away the right one


def results(bundle: Bundle) -> Iterator[tuple[str, Result]]:
    """Yield the kind and the result of each question that the start leaves open."""
    spec, sheet = bundle.spec, sheet_of(bundle.spec, bundle.tasks, bundle.questions)
    draft = Draft(spec, bundle.tasks, "", infer)
    for question in bundle.questions:
        found = guessed(sheet, prompt(question))
        if found and not draft.settled(question.requires):
            trust = ceil(round(found.trust / STEP, 6)) * STEP
            right = float(read(question, found.reply, spec.kinds).right)
            flips = question.format == "yes_no"
            asked = cell(prompt(question))
            yield asked, Result(trust, right, chance(question) or 0.0, flips)


def rate(found: Sequence[Result]) -> float:
    """Return the rate of right guesses, or of wrong guesses if the opposite answer is better."""
    right = fmean(result.right for result in found)
    return max(right, found[0].chance, 1 - right if found[0].flips else 0.0)


def parts(found: Iterable[Result]) -> list[list[Result]]:
    """Return results in parts by trust, each large enough and different from the next."""
    made: list[list[Result]] = []
    for _, group in groupby(sorted(found), key=lambda result: result.trust):
        part = list(group)
        last = made[-1] if made else part
        if made and (min(len(part), len(last)) < LEAST or abs(rate(last) - rate(part)) < CLOSE):
            last += part
        else:
            made.append(part)
    return made


def rows(seed: int, worlds: int) -> Iterator[list[object]]:
    """Yield the rows of the table."""
    for level, share in SHARE.items():
        plan = Plan(level, seed, max(1, round(worlds * share)))
        cells: dict[str, list[Result]] = defaultdict(list)
        for bundle in (make(plan, slot) for slot in plan.slots):
            for ask, result in results(bundle):
                cells[ask].append(result)
        for ask, found in sorted(cells.items()):
            for part in parts(found):
                guess = min(1, rate(part) + MARGIN)
                yield [level, ask, f"{part[-1].trust:.2f}", f"{guess:.3f}", len(part)]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=20261127)
    parser.add_argument("--worlds", type=int, default=3000, help="number of easy worlds")
    options = parser.parse_args()
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["level", "ask", "trust", "guess", "measured"])
    out.writerows(rows(options.seed, options.worlds))


if __name__ == "__main__":
    main()

"""How often is a question answered rightly from the sheet alone? Three attackers, against chance.

    uv run python benchmarks/sheet_attack.py [--preset paper] [--worlds 300] [--seed 7171] [--json]

On `--worlds` fresh, uncompiled worlds a level, of the questions that the task list and the first
screen leave open, by level, type and format:

    sheet     the answerer of that name: rules over all questions of a world and its task list
    linear    logistic regression on words, word pairs, what the task list names, and in which sorts
              of questions a name stands elsewhere on the sheet
    boosting  gradient boosted trees on the same

Both models learn in five folds by world on what `blind_table.py` reads of a question. Beside each
share stand chance (of open formats: the most frequent answer, or any one that the sheet names) and
the 95 % interval, clustered by world. A share is marked where it is more than .05 (sheet) or .08
(models) above chance: by `*` if its interval reaches down to that limit, else by `**`. The exit
status is 1 if any share of a format with choices has two marks.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from blind_table import FOLDS, LEAST, Item, Sort, collect, linear, split
from rich.console import Console
from rich.table import Table

from worldquiz.facts.question import Format
from worldquiz.stats.intervals import Interval, intervals, ratios
from worldquiz.t2q.agents.wording import best
from worldquiz.t2q.suites import Plan

LIMITS = {"sheet": 0.05, "linear": 0.08, "boosting": 0.08}
OFTEN = 0.005
"""Trees see only features of that share of the candidates: the others would cost time and memory.
"""
Rates = Callable[[Sequence[Item]], Any]
"""Rates each candidate of some questions."""


@dataclass(frozen=True)
class Share:
    """How often one attacker was right about the questions of one cell."""

    level: str
    type: str
    format: str
    attacker: str
    n: int
    share: float
    ci: Interval | None
    chance: float

    @property
    def marks(self) -> str:
        """How far the share is beyond what is allowed."""
        limit = self.chance + LIMITS[self.attacker]
        if self.share <= limit:
            return ""
        return "**" if self.ci and self.ci[0] > limit else "*"


def by_weights(sort: Sort, train: Sequence[Item]) -> Rates:
    """Learn a linear model."""
    weights, bias = linear(sort, train)
    return lambda items: sort.matrix(items) @ weights + bias


def by_trees(sort: Sort, train: Sequence[Item]) -> Rates:
    """Learn boosted trees."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    table = sort.matrix(train)
    kept = np.flatnonzero(np.asarray(table.sum(axis=0)).ravel() >= OFTEN * table.shape[0])
    truth = [right for item in train for right in item.right]
    model = HistGradientBoostingClassifier(
        max_iter=60, max_leaf_nodes=8, learning_rate=0.1, random_state=0
    ).fit(table[:, kept].toarray(), truth)
    return lambda items: model.predict_proba(sort.matrix(items)[:, kept].toarray())[:, 1]


MODELS: dict[str, Callable[[Sort, Sequence[Item]], Rates]] = {
    "linear": by_weights, "boosting": by_trees,
}  # fmt: skip


def guessed(sort: Sort) -> Iterator[tuple[Item, dict[str, bool]]]:
    """Yield each question of a sort, and which attackers are right about it."""
    for fold in range(FOLDS):
        train = [item for item in sort.items if item.world % FOLDS != fold]
        test = [item for item in sort.items if item.world % FOLDS == fold]
        told = [{"sheet": item.sheet} for item in test]
        for name, learn in MODELS.items():
            rated = split(test, learn(sort, train)(test))
            for right, (item, ratings) in zip(told, rated, strict=True):
                right[name] = item.right[best(list(ratings))]
        yield from zip(test, told, strict=True)


def attacked(level: str, plan: Plan) -> Iterator[Share]:
    """Yield what the attackers reach in the worlds of one level."""
    cells: dict[tuple[str, str], list[tuple[Item, dict[str, bool]]]] = defaultdict(list)
    for sort in collect([plan])[0].values():
        if len(sort.items) >= LEAST:
            for item, told in guessed(sort):
                cells[item.cell[0], item.cell[1]].append((item, told))
    for (type, form), found in sorted(cells.items()):
        for attacker in LIMITS:
            yield _share(level, type, form, attacker, found)


def _share(
    level: str, type: str, form: str, attacker: str, found: Sequence[tuple[Item, dict[str, bool]]]
) -> Share:
    worlds: dict[int, dict[str, float]] = defaultdict(lambda: {"right": 0, "asked": 0})
    for item, told in found:
        worlds[item.world]["right"] += told[attacker]
        worlds[item.world]["asked"] += 1
    shares = ratios([*worlds.values()], {"share": ("right", "asked")})
    share = sum(told[attacker] for _, told in found) / len(found)
    return Share(
        level, type, form, attacker, len(found), share, intervals(shares)["share"], _chance(found)
    )


def _chance(found: Sequence[tuple[Item, dict[str, bool]]]) -> float:
    """Return the mean chance; for open formats that of the better of two simple guesses."""
    chances = [item.chance for item, _ in found if item.chance is not None]
    if chances:
        return float(np.mean(chances))
    golds = [item.gold for item, _ in found]
    frequent = max(golds.count(each) for each in set(golds)) / len(golds)
    return max(frequent, float(np.mean([np.mean(item.right) for item, _ in found])))


def show(found: Sequence[Share], console: Console) -> None:
    """Print the table, one line a cell."""
    table = Table("level", "type / format", "n", "chance", *LIMITS)
    cells: dict[tuple[str, str, str], dict[str, Share]] = defaultdict(dict)
    for each in found:
        cells[each.level, each.type, each.format][each.attacker] = each
    for (level, type, form), by in cells.items():
        told = []
        for each in by.values():
            bounds = "" if each.ci is None else " [{:.3f}, {:.3f}]".format(*each.ci)
            told.append(f"{each.share:.3f}{bounds} {each.marks}")
        first = next(iter(by.values()))
        table.add_row(level, f"{type} / {form}", f"{first.n:,}", f"{first.chance:.3f}", *told)
    console.print(table)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--preset", default="paper")
    parser.add_argument("--worlds", type=int, default=300, help="worlds a level")
    parser.add_argument("--seed", type=int, default=7171)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    levels = Plan(options.preset, options.seed, 1).knobs()
    found = [
        share
        for level in levels
        for share in attacked(level, Plan(level, options.seed, options.worlds))
    ]
    if options.json:
        print(json.dumps([{**asdict(each), "marks": each.marks} for each in found], indent=2))
    else:
        show(found, Console(width=140))
    chosen = [each for each in found if each.format in (Format.YES_NO, Format.WHICH)]
    return 1 if any(each.marks == "**" for each in chosen) else 0


if __name__ == "__main__":
    sys.exit(main())

"""What came of the experiment of `learn_to_know`: tables with intervals, and learning curves.

An interval is a bootstrap (percentiles, 95 %) over seeds and worlds: each draw takes as many seeds
of each agent, and as many worlds, the same for all agents, as there are. With five seeds it is a
little too narrow, since a draw has the spread of 4/5 of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from learning import REWARDS, Counts
from numpy.typing import NDArray

from worldquiz import rng
from worldquiz.facts.question import Type
from worldquiz.records import read_json, write_text
from worldquiz.report import canvas

SHARES = {
    "TSR": ("won", "tasks"),
    "coverage": ("settled", "questions"),
    "reward for knowledge": ("earned", "questions"),
    "knowledge": ("points", "counted"),
}
"""What is measured, each by its counts above and below the line."""
TYPES = {str(type): (f"settled {type}", f"asked {type}") for type in Type}
"""Coverage of the questions of each type, in the same way."""
DIFFERENCES = (
    ("both", "task"), ("knowledge", "task"), ("both", "knowledge"),
    ("knowledge", "least"), ("knowledge", "random"), ("explorer", "knowledge"),
)  # fmt: skip
VERBS = ("go", "open", "unlock", "take", "examine", "look", "other")
RESAMPLES = 10_000
Tests = Mapping[str, Sequence[Sequence[Counts]]]
"""Counts by agent, seed and world."""
Floats = NDArray[np.float64]


class Runs:
    """One share of an agent's runs: counts by seed and world."""

    def __init__(self, runs: Sequence[Sequence[Counts]], *names: str) -> None:
        """Take the names of the counts above and below the line; absent ones are 0."""
        self.above, self.below = (
            np.array([[world.get(name, 0) for world in run] for run in runs], dtype=float)
            for name in names
        )

    @property
    def value(self) -> float:
        """The share over all worlds of all seeds."""
        with np.errstate(invalid="ignore"):
            return float(self.above.sum() / self.below.sum())

    def drawn(self, worlds: NDArray[np.int64], name: str) -> Floats:
        """Return the share in each draw of worlds, (draws, worlds), and of as many seeds.

        Seeds are drawn for each agent by itself, by its name.
        """
        stream = np.random.default_rng(rng.child_seed(0, "seeds", name))
        count = len(self.above)
        seeds = stream.multinomial(count, [1 / count] * count, size=len(worlds))
        above, below = (
            ((seeds @ counts) * worlds).sum(axis=1) for counts in (self.above, self.below)
        )
        with np.errstate(invalid="ignore"):
            return np.asarray(above / below)


def drawn_worlds(count: int) -> NDArray[np.int64]:
    """Return how often each draw has each world: (draws, worlds), the same for all agents."""
    stream = np.random.default_rng(rng.child_seed(0, "worlds"))
    return stream.multinomial(count, [1 / count] * count, size=RESAMPLES)


def bounds(draws: Floats) -> str:
    """Return the 95 % interval of draws; those in which the share is undefined are left out."""
    if np.isnan(draws).all():
        return ""
    low, high = np.nanquantile(draws, [0.025, 0.975])
    return f"[{low:.2f}, {high:.2f}]"


def tables(tests: Tests) -> Iterator[str]:
    """Yield the tables of the results page."""
    (count,) = {len(run) for runs in tests.values() for run in runs}
    worlds = drawn_worlds(count)
    yield from head("Agent", "Seeds", *SHARES)
    for name, runs in tests.items():
        shares = [Runs(runs, *names) for names in SHARES.values()]
        cells = [f"{one.value:.2f} {bounds(one.drawn(worlds, name))}" for one in shares]
        yield line(_shown(name), str(len(runs)), *cells)
    yield ""
    yield from head("Difference", *SHARES)
    yield from _differences(tests, SHARES, worlds)
    yield ""
    yield from head("Coverage by type", *TYPES)
    for name, runs in tests.items():
        types = [Runs(runs, *names) for names in TYPES.values()]
        yield line(_shown(name), *(f"{one.value:.2f}" for one in types))
    yield from _differences(tests, TYPES, worlds)
    yield ""
    yield from head("Share of commands", *VERBS)
    for name, runs in tests.items():
        yield line(_shown(name), *(f"{share:.2f}" for share in _spread(runs)))


def _shown(name: str) -> str:
    return f"trained for {name}" if name in REWARDS else name


def _differences(
    tests: Tests, shares: Mapping[str, tuple[str, str]], worlds: NDArray[np.int64]
) -> Iterator[str]:
    for left, right in DIFFERENCES:
        if left in tests and right in tests:
            cells = [_difference(tests, left, right, names, worlds) for names in shares.values()]
            yield line(f"{_shown(left)} less {_shown(right)}", *cells)


def _difference(
    tests: Tests, left: str, right: str, names: tuple[str, str], worlds: NDArray[np.int64]
) -> str:
    ours, theirs = Runs(tests[left], *names), Runs(tests[right], *names)
    draws = ours.drawn(worlds, left) - theirs.drawn(worlds, right)
    return f"{ours.value - theirs.value:+.2f} {bounds(draws)}"


def _sums(runs: Sequence[Sequence[Counts]]) -> Counter[str]:
    """Return all counts, summed over seeds and worlds."""
    found: Counter[str] = Counter()
    for run in runs:
        for world in run:
            found.update({name: int(count) for name, count in world.items() if name != "points"})
    return found


def _spread(runs: Sequence[Sequence[Counts]]) -> list[float]:
    """Return the share of each verb among all commands, all others as the last."""
    given = _sums(runs)
    named = [given[f"verb {verb}"] / given["commands"] for verb in VERBS[:-1]]
    return [*named, 1 - sum(named)]


def head(first: str, *rest: str) -> Iterator[str]:
    """Yield the two lines that a table begins with."""
    yield line(first, *rest)
    yield line("---", *("---:" for _ in rest))


def line(*cells: str) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(cells)} |"


_MARKS = re.compile(r"(<!-- FIGURES -->\n).*(<!-- /FIGURES -->)", re.DOTALL)


def write_figures(page: Path, told: str) -> None:
    """Put tables between the marks of a page, in place of those that stand there."""
    text = page.read_text("utf-8")
    write_text(page, _MARKS.sub(lambda marks: f"{marks[1]}{told}\n{marks[2]}", text))


def picture(out: Path) -> str:
    """Return the learning curves: the worlds that are trained on, a thin line a seed."""

    def fill(figure: Any) -> None:
        for axes, share in zip(figure.subplots(1, 2), ("TSR", "coverage"), strict=True):
            for place, reward in enumerate(REWARDS):
                curves = [
                    _curve(path, share) for path in sorted(out.glob(f"train-{reward}-*.json"))
                ]
                colour = canvas.stand_in(place)
                for curve in curves:
                    axes.plot(range(1, len(curve) + 1), curve, color=colour, lw=0.6, alpha=0.45)
                mean = np.mean(curves, axis=0)
                axes.plot(range(1, len(mean) + 1), mean, color=colour, lw=2.2, label=reward)
            axes.set(title=share, xlabel="epochs (100 worlds each)", ylim=(0, 1.02))
            axes.tick_params(length=0)
        axes.legend(title="trained for", frameon=False, loc="lower right")

    label = "Task success and coverage over epochs of training, for each reward"
    return canvas.standalone(canvas.svg(fill, (9.6, 3.4), "learning", label))


def _curve(path: Path, share: str) -> list[float]:
    above, below = SHARES[share]
    return [epoch[above] / epoch[below] for epoch in read_json(path)]

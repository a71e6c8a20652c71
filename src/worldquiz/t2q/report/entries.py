"""The runs on a page: each with its letter, its colour, its scores and what was set for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from worldquiz.report import canvas, labels
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.t2q.pipeline import sat
from worldquiz.t2q.report.tables import Tagged, row_of
from worldquiz.t2q.scoring import Difference, Sitting, differences, holm, scores
from worldquiz.t2q.store import Played, RunRecord, bundle_digest

PAIR_KEYS = ("knowledge", "tsr", "eus", "known", "accuracy_answerable")
_MAX_PAIRS = 45
_SAID = {"agent", "answerer", "kind", "model", "name", "worlds"}
"""What a run's name and its worlds say already."""


@dataclass(frozen=True, slots=True)
class Entry(Tagged):
    """One run on the page."""

    settings: Mapping[str, str]
    worlds: tuple[str, ...]  # the digests of its worlds' bundles
    sittings: tuple[Sitting, ...]
    answerer_human: bool = False  # whether a person answered

    @property
    def colour(self) -> str:
        """The CSS variable of its colour."""
        return canvas.colour(self.place)


@dataclass(frozen=True, slots=True)
class Contrast:
    """A difference and its p-value among all comparisons of the table."""

    found: Difference
    adjusted: float | None  # by Holm, over the pairs of its share


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs on the same worlds and how they differ."""

    left: Entry
    right: Entry
    found: Mapping[str, Contrast | None]


def _unseen(run: int, number: int, played: Played) -> None:
    """Take no note of a world."""


def entries(
    runs: Sequence[RunRecord], seen: Callable[[int, int, Played], None] = _unseen
) -> list[Entry]:
    """Return the runs with their scores, in order.

    `seen` is shown each world as it is read: the run's place, the world's place in it, the world.
    Nothing of a world is held but its numbers.
    """
    found = []
    for place, run in enumerate(runs):
        worlds, sittings = [], []
        for number, played in enumerate(run.worlds):
            seen(place, number, played)
            worlds.append(bundle_digest(played.bundle))
            sittings.append(sat(played))
        row = row_of(run, scores(sittings))
        human = run.manifest["answerer"] == HUMAN
        tag = labels.tag(place)
        found.append(Entry(row, tag, place, settings(run), tuple(worlds), tuple(sittings), human))
    return found


def pairs(entries: Sequence[Entry]) -> list[Pair]:
    """Return every pair of runs on the same worlds; the first with each where pairs fill pages."""
    every = list(combinations(entries, 2))
    if len(every) > _MAX_PAIRS:
        every = [(entries[0], other) for other in entries[1:]]
    alike = [(left, right) for left, right in every if left.worlds == right.worlds]
    raw = [differences(left.sittings, right.sittings) for left, right in alike]
    adjusted = {key: holm([_p(found[key]) for found in raw]) for key in PAIR_KEYS}
    return [
        Pair(left, right, {key: _contrast(raw[n][key], adjusted[key][n]) for key in PAIR_KEYS})
        for n, (left, right) in enumerate(alike)
    ]


def settings(run: RunRecord) -> dict[str, str]:
    """Return what a manifest says of how a run was made, nested settings each by itself."""
    said = _SAID | ({"memory"} if run.manifest["answerer"] == MODEL else set())
    told = labels.settings(run.manifest, said)
    if own := told.pop(f"versions: {run.manifest.get('memory')}", ""):
        told["memory version"] = own
    return told


def _p(found: Difference | None) -> float | None:
    return found.p if found else None


def _contrast(found: Difference | None, adjusted: float | None) -> Contrast | None:
    return Contrast(found, adjusted) if found else None

"""The runs on a page: each with its letter, its colour, its scores and what was set for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import Graded, Result
from worldquiz.facts.row import AnswerStatus
from worldquiz.report import canvas, labels
from worldquiz.report.asked import sign
from worldquiz.runs.executor import in_order
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.stats.intervals import Ratio
from worldquiz.t2q.pipeline import sat
from worldquiz.t2q.report.tables import Tagged, row_of
from worldquiz.t2q.scoring import Difference, Sitting, differences, holm, scores, shares
from worldquiz.t2q.scoring.curves import document, settled
from worldquiz.t2q.store import Bundle, RunRecord, bundle_digest
from worldquiz.t2q.trace import Cause

PAIR_KEYS = ("knowledge", "tsr", "eus", "known", "accuracy_answerable")
_MAX_PAIRS = 45
LOSSES = {
    Cause.REMEMBER: "memory", Cause.REASON: "reasoning",
    Cause.OVERCLAIM: "false answers", Cause.UNREAD: "unreadable replies",
}  # fmt: skip
"""What loses points that could have been had, by the cause of an answer."""
STEPS = 60
"""Into how many parts a curve on the page divides the stated budget."""
_SAID = {"agent", "answerer", "kind", "model", "name", "worlds"}
"""What a run's name and its worlds say already."""


@dataclass(frozen=True, slots=True)
class SeenWorld:
    """A world in the page's lists: equal bundles are one world."""

    digest: str  # of its bundle
    id: str
    level: str
    rooms: int
    tasks: int
    types: tuple[str, ...]  # one a question

    @property
    def questions(self) -> int:
        """Number of its questions."""
        return len(self.types)


@dataclass(frozen=True, slots=True)
class Entry(Tagged):
    """One run on the page, in a few hundred bytes a world: no world or grade of it is held."""

    settings: Mapping[str, str]
    worlds: tuple[SeenWorld, ...]
    shares: Mapping[str, Ratio]  # each a pair of columns, with an entry for each world
    curves: Mapping[str, Any]  # over commands
    settled: tuple[tuple[int, ...], ...]  # of each world, the commands that settled a question
    earned: Mapping[tuple[str, str], float] | None  # by a person; None where none answered
    lost: Mapping[str, tuple[float, ...]] | None
    """Points by world that lie between the ceiling and knowledge, by what lost them.

    None where nobody looked for causes.
    """
    signs: tuple[str, ...]  # of each world, a letter for each answer (`report.asked`)

    @property
    def name(self) -> str:
        """Name on the page."""
        return self.row.name

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


def entries(runs: Sequence[RunRecord], *, jobs: int = 1) -> list[Entry]:
    """Return the runs with their scores, in order."""
    shared: dict[SeenWorld, SeenWorld] = {}
    found = []
    for place, entry in enumerate(in_order(_entry, runs, jobs=jobs)):
        worlds = tuple(shared.setdefault(world, world) for world in entry.worlds)
        found.append(replace(entry, tag=labels.tag(place), place=place, worlds=worlds))
    return found


def _entry(run: RunRecord) -> Entry:
    """Return a run as if it stood alone on the page."""
    worlds, sittings = [], []
    for played in run.worlds:
        worlds.append(_seen(played.bundle))
        sittings.append(sat(played))
    return Entry(
        row=row_of(run, scores(sittings)),
        tag=labels.tag(0),
        place=0,
        settings=settings(run),
        worlds=tuple(worlds),
        shares=shares(sittings),
        curves=document(sittings, steps=STEPS),
        settled=tuple(map(settled, sittings)),
        earned=_earned(worlds, sittings) if run.manifest["answerer"] == HUMAN else None,
        lost=_lost(sittings),
        signs=tuple("".join(map(_sign, sitting.results)) for sitting in sittings),
    )


def _seen(bundle: Bundle) -> SeenWorld:
    spec, digest = bundle.spec, bundle_digest(bundle)
    types = tuple(str(question.type) for question in bundle.questions)
    return SeenWorld(digest, spec.id, spec.level, len(spec.rooms), len(bundle.tasks), types)


def _lost(sittings: Sequence[Sitting]) -> dict[str, tuple[float, ...]] | None:
    worlds = [_lost_in(sitting) for sitting in sittings if sitting.findings is not None]
    if not worlds or len(worlds) < len(sittings):
        return None
    names = sorted({name for world in worlds for name in world})
    return {name: tuple(world.get(name, 0.0) for world in worlds) for name in names}


def _lost_in(sitting: Sitting) -> dict[str, float]:
    """Return what the answers of a world lost or won, by what their causes are called."""
    found: dict[str, float] = {}
    for result, finding in zip(sitting.results, sitting.findings or (), strict=True):
        earned = points(result)
        if finding is not None and earned is not None:
            off = earned - (result.answerable is not None)
            names = dict.fromkeys(LOSSES[cause] for cause in finding if cause in LOSSES)
            if off:
                name = " or ".join(names) or "guessing"
                found[name] = found.get(name, 0.0) + off
    return found


def _sign(result: Result) -> str:
    read = AnswerStatus.ABSTAINED if result.abstained else AnswerStatus.ANSWERED
    score = result.score.value if isinstance(result.score, Graded) else None
    return sign(score, result.status or read, answerable=result.answerable is not None)


def _earned(
    worlds: Sequence[SeenWorld], sittings: Sequence[Sitting]
) -> dict[tuple[str, str], float]:
    """Return what each graded question earned, by the digest of its world and its id."""
    return {
        (world.digest, result.question): result.score.value
        for world, sitting in zip(worlds, sittings, strict=True)
        for result in sitting.results
        if isinstance(result.score, Graded)
    }


def pairs(entries: Sequence[Entry]) -> list[Pair]:
    """Return every pair of runs on the same worlds; the first with each where pairs fill pages."""
    every = list(combinations(entries, 2))
    if len(every) > _MAX_PAIRS:
        every = [(entries[0], other) for other in entries[1:]]
    alike = [(left, right) for left, right in every if left.worlds == right.worlds]
    raw = [differences(left.shares, right.shares) for left, right in alike]
    adjusted = {key: holm([_p(found[key]) for found in raw]) for key in PAIR_KEYS}
    return [
        Pair(left, right, {key: _contrast(raw[n][key], adjusted[key][n]) for key in PAIR_KEYS})
        for n, (left, right) in enumerate(alike)
    ]


def settings(run: RunRecord) -> dict[str, str]:
    """Return what a manifest says of how a run was made, nested settings each by itself."""
    said = _SAID | ({"memory", "solver"} if run.manifest["answerer"] == MODEL else set())
    told = labels.settings(run.manifest, said)
    if own := told.pop(f"versions: {run.manifest.get('memory')}", ""):
        told["memory version"] = own
    return told


def _p(found: Difference | None) -> float | None:
    return found.p if found else None


def _contrast(found: Difference | None, adjusted: float | None) -> Contrast | None:
    return Contrast(found, adjusted) if found else None

"""The numbers of a run as one JSON document: what the command line prints and the report shows.

    {"knowledge", "knowledge_ci",               at most 1; guessing earns 0 or less
     SHARE, ...                                 0..1, null where undefined
     "by_type":  {TYPE:  {the same without tsr, "counts", "ci"}},
     "by_level": {LEVEL: {the same with tsr,    "counts", "ci"}},
     "counts":   {"worlds", "tasks", "won", "questions", "answerable", ...},
     "ci":       {KEY: [low, high]},            95 %, clustered by world; null for fewer than two
     "blind_table": VERSION,                    of the guessing rates behind the knowledge score
     "steps":    {"spl", "efficiency_won", "commands", "walkthrough"},
     "by_commands": {"at", "budget", "coverage", "knowledge_ceiling", "knowledge", "area"},
     "split":    {"all" and each TYPE: {"from_answerable", "from_non_answerable", ...}}}

The shares are `knowledge_ceiling`, `tsr`, `eus`, `known`, `coverage`, `accuracy_answerable`,
`abstention_precision`, `abstention_recall` and `overclaim` (the false-answer rate). Runs with a
language model have the parts of `models` as well: "usage", "replies", "commands", "attribution". A
`Sitting` is one world's part of a run; every number is a ratio of sums over sittings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from worldquiz.facts import knowledge, knowledge_score
from worldquiz.facts.knowledge import FRACTIONS, share
from worldquiz.facts.knowledge_score import SIGNED
from worldquiz.facts.question import Result, Type
from worldquiz.stats.intervals import RESAMPLES, Ratio, intervals, ratios
from worldquiz.t2q.scoring import blind, curves, models
from worldquiz.t2q.scoring.sitting import Attempt, Sitting, steps, task_counts

Scores = dict[str, Any]
"""The document above: plain JSON."""

COUNTED: Mapping[str, tuple[str, str]] = {
    **knowledge_score.SCORES,
    "tsr": ("won", "tasks"),
    **FRACTIONS,
}
"""Each share's numerator and denominator, as "counts" names them."""
KEYS = tuple(COUNTED)
"""Every share, in the order in which tables show them: the headline first."""


def scores(sittings: Iterable[Sitting], *, resamples: int = RESAMPLES, seed: int = 0) -> Scores:
    """Return all numbers of a run. With ``resamples=0`` no intervals are drawn (and numpy unused).

    Raises `ValueError` where a world occurs twice: it would count as two independent ones.
    """
    worlds = tuple(sittings)
    if len({world.world for world in worlds}) != len(worlds):
        raise ValueError("a world occurs twice in one run")
    draw = {"resamples": resamples, "seed": seed}
    total = _block(worlds, draw)
    total["counts"] = {"worlds": len(worlds), **total["counts"]}
    types = {str(type): _only(worlds, type) for type in Type}
    total["by_type"] = {type: _block(some, draw, tsr=False) for type, some in types.items()}
    total["by_level"] = {
        level: _block([world for world in worlds if world.level == level], draw)
        for level in dict.fromkeys(world.level for world in worlds)
    }
    total["blind_table"] = blind.table().version
    total["steps"] = steps(_attempts(worlds))
    total["by_commands"] = curves.document(worlds)
    total["split"] = {
        name: knowledge.split(knowledge.of(_results(some)))
        for name, some in {"all": worlds, **types}.items()
    }
    return total | models.document(worlds)


def _block(worlds: Sequence[Sitting], draw: Mapping[str, int], *, tsr: bool = True) -> Scores:
    """Return shares, counts and intervals over some worlds."""
    counts = quiz_counts(_results(worlds)) | (task_counts(_attempts(worlds)) if tsr else {})
    keys = [key for key in KEYS if tsr or key != "tsr"]
    block: Scores = {key: share(*(counts[name] for name in COUNTED[key])) for key in keys}
    block["counts"] = counts
    found = intervals(_ratios(worlds, keys), **draw)
    block["ci"] = {key: list(bounds) if bounds else None for key, bounds in found.items()}
    block["knowledge_ci"] = block["ci"]["knowledge"]  # beside the headline, for who reads that only
    return block


def quiz_counts(results: Iterable[Result]) -> dict[str, float]:
    """Return every count of graded questions by name."""
    asked = tuple(results)
    return knowledge.of(asked).counts() | knowledge_score.of(asked).counts()


def _ratios(worlds: Sequence[Sitting], keys: Iterable[str]) -> dict[str, Ratio]:
    """Return shares as ratios of counts, one of each a world."""
    counts = [quiz_counts(world.results) | task_counts(world.attempts) for world in worlds]
    return ratios(counts, {key: COUNTED[key] for key in keys}, signed=SIGNED)


def _results(worlds: Iterable[Sitting]) -> list[Result]:
    return [result for world in worlds for result in world.results]


def _attempts(worlds: Iterable[Sitting]) -> list[Attempt]:
    return [attempt for world in worlds for attempt in world.attempts]


def _only(worlds: Iterable[Sitting], type: Type) -> list[Sitting]:
    """Return the sittings with the questions of one type."""
    return [
        replace(world, results=tuple(each for each in world.results if each.type is type))
        for world in worlds
    ]

"""What may make a maze hard: the predictors of the paper's regression (arXiv 2403.19913, sec. 3.3).

The paper has eight: five for easy questions, seven for hard ones. Those that need a search over
paths are computed where the paths are; the others here. A ninth is ours. The paper's *confusable
locations* adds up, over all places, the word-level edit distance to the most *different* other name
(divided by the longer one's words). Nearly every place has an other with which it shares no word,
so that measure is little more than the number of places. *Alike locations* adds up how like each
name is to its nearest one, which is what confusion would come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from worldquiz.errors import MissingExtra
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.scoring.grade import Level

LOCATIONS, EXPLICIT, IMPUTED = "locations", "explicit_edges", "imputed_edges"
CONFUSABLE, ALIKE, SCENE = "confusable_locations", "alike_locations", "avg_len_scene"
LEN_EASY, LEN_HARD, IMPUTED_HARD = "avg_len_easy", "avg_len_hard", "avg_imputed_in_hard"

PREDICTORS: dict[Level, tuple[str, ...]] = {
    Level.EASY: (LOCATIONS, EXPLICIT, CONFUSABLE, LEN_EASY, SCENE),
    Level.HARD: (LOCATIONS, EXPLICIT, IMPUTED, CONFUSABLE, LEN_HARD, IMPUTED_HARD, SCENE),
}
"""The rows of Table 10, in its order."""
OURS = (ALIKE,)
"""What is added to them."""
TITLES = {
    LOCATIONS: "# locations", EXPLICIT: "# exp edges", IMPUTED: "# imp edges",
    CONFUSABLE: "# conf locations", LEN_EASY: "avg len easy", LEN_HARD: "avg len hard",
    IMPUTED_HARD: "avg # imp in hard", SCENE: "avg len scene", ALIKE: "# alike locations",
}  # fmt: skip
"""How the paper's tables call them."""

Predictors = dict[str, float | None]
"""A maze's predictors by name; None for a mean over nothing."""


def confusable(places: Sequence[str]) -> float:
    """Return the paper's confusion: over all places, the share of words that differ from the most
    different other name, added up. 0 for a single place.
    """
    return sum(max(shares, default=0.0) for shares in _differences(places))


def alike(places: Sequence[str]) -> float:
    """Return how like each place's name is to its nearest other name, 0..1, added up."""
    return sum(1 - min(shares, default=1.0) for shares in _differences(places))


def words_per_scene(walkthrough: Sequence[WalkStep]) -> float | None:
    """Return the mean number of words in a walkthrough's texts; None where there are none."""
    if not walkthrough:
        return None
    return sum(len(step.observation.split()) for step in walkthrough) / len(walkthrough)


def _differences(places: Sequence[str]) -> list[list[float]]:
    """Return, for each name, the share of words by which it differs from each other one."""
    distance = _distance()
    names = [place.casefold().split() for place in places]
    found: list[list[float]] = [[] for _ in names]
    for one, ours in enumerate(names):
        for other in range(one):
            theirs = names[other]
            share = distance(ours, theirs) / max(len(ours), len(theirs), 1)
            found[one].append(share)
            found[other].append(share)
    return found


@cache
def _distance() -> Callable[[Any, Any], int]:
    try:
        from rapidfuzz.distance import Levenshtein
    except ImportError as error:
        raise MissingExtra("rapidfuzz", "mango") from error
    distance: Callable[[Any, Any], int] = Levenshtein.distance
    return distance

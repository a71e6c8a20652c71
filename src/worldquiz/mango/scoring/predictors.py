"""Predictors of a maze's difficulty, for the paper's regression (arXiv 2403.19913, sec. 3.3).

The paper has eight: five for easy questions, seven for hard ones. A ninth is ours. The paper's
*confusable locations* adds up, over all places, the word-level edit distance to the most
*different* other name (divided by the longer one's words). Nearly every place has an other with
which it shares no word, so that measure is little more than the number of places. *Alike locations*
adds up how like each name is to its nearest one, the likely source of confusion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from worldquiz.extras import later
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.paths.path_tree import Net, count
from worldquiz.mango.scoring.grade import Level

if TYPE_CHECKING:
    from rapidfuzz.distance import Levenshtein
else:
    Levenshtein = later("rapidfuzz.distance.Levenshtein", extra="mango")

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


def predictors(maze: Maze, steps: int) -> Predictors:
    """Return the paper's predictors and ours of a maze, as far as so many steps show it."""
    steps = min(steps, maze.steps)
    shown = maze.prefix(steps)
    explicit = sum(edge.told.forward is not None for edge in shown.edges)
    routes = count(Net.of(shown), limit=steps)
    return {
        LOCATIONS: len(shown.places),
        EXPLICIT: explicit,
        IMPUTED: len(shown.edges) - explicit,
        CONFUSABLE: confusable(shown.places),
        LEN_EASY: routes.mean_easy,
        LEN_HARD: routes.mean_hard,
        IMPUTED_HARD: routes.mean_imputed,
        SCENE: words_per_scene(shown.walkthrough),
        ALIKE: alike(shown.places),
    }


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
    distance = Levenshtein.distance
    names = [place.casefold().split() for place in places]
    found: list[list[float]] = [[] for _ in names]
    for one, ours in enumerate(names):
        for other in range(one):
            theirs = names[other]
            share = distance(ours, theirs) / max(len(ours), len(theirs), 1)
            found[one].append(share)
            found[other].append(share)
    return found

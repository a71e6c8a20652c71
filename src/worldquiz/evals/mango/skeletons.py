"""Questions with their labels, made of a maze's paths and pairs.

Whoever asks a question and whoever scores its answer make it here, so both give it the same id.
"""

from __future__ import annotations

from collections.abc import Sequence

from worldquiz.metrics.mango.grade import Question, Task
from worldquiz.model.maze import Edge
from worldquiz.quiz.paths.ids import pair_id, path_id
from worldquiz.quiz.paths.net import ABSENT, Label, Net
from worldquiz.quiz.paths.pairs import Pairs


def destination(game: str, path: Sequence[Edge]) -> Question:
    """Return the destination-finding question of a path."""
    return Question(
        game, path_id(path), Task.DF, path[0].source,
        tuple(edge.action for edge in path), path[-1].target, len(path),
        _latest([edge.told.forward for edge in path]),
        _latest([edge.told.first for edge in path]),
    )  # fmt: skip


def route(game: str, net: Net, pair: tuple[int, int], *, easy: Pairs, every: Pairs) -> Question:
    """Return the route-finding question of a pair of places, by their numbers.

    It is easy by one choice of routes, and answerable by any.
    """
    source, target = (net.places[number] for number in pair)
    return Question(
        game, pair_id(source, target), Task.RF, source, (), target,
        every.shortest[pair[0]][pair[1]],
        _label(easy, Label.TOLD_FORWARD, pair),
        _label(every, Label.TOLD_FIRST, pair),
    )  # fmt: skip


def _latest(steps: Sequence[int | None]) -> int | None:
    """Return when all of some steps have come, None if one never does."""
    known = [step for step in steps if step is not None]
    return max(known) if len(known) == len(steps) else None


def _label(found: Pairs, label: Label, pair: tuple[int, int]) -> int | None:
    step = found.labels[label][pair[0]][pair[1]]
    return None if step == ABSENT else step

"""Knowledge gained by exploring: coverage of the same quiz after walks of growing length.

No answerer is asked. The quiz is drawn from the apartment alone, so a random walk (loop 1) and
executed tasks (later loops) are compared on the same questions, apartment by apartment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from worldquiz.facts.knowledge import share
from worldquiz.stats.intervals import Ratio, differences
from worldquiz.tea.recall.quiz.exam import Standing, standing
from worldquiz.tea.recall.quiz.shown import evidence, until
from worldquiz.tea.recall.walked import Recall, RecallSettings

VIEWS = (4, 8, 16, 32, 64, 96)


def explored(data: Path, asked: RecallSettings, views: Sequence[int] = VIEWS) -> dict[str, Any]:
    """Return coverage by loop and number of views, and how much later loops add to the first.

    Coverage is answerable / all questions, the unclear ones among them. Raises `RecordError`,
    `MissingExtra`.
    """
    recall = Recall(data, replace(asked, views=max(views)))
    found = {loop: _counts(recall, loop, views) for loop in range(1, recall.loops[0] + 1)}
    return {
        "views": list(views),
        "loops": {
            str(loop): {str(count): _block(flats) for count, flats in row.items()}
            for loop, row in found.items()
        },
        "against_loop_1": {
            str(loop): {str(count): _gap(flats, found[1][count]) for count, flats in row.items()}
            for loop, row in found.items()
            if loop > 1
        },
    }


Flats = Mapping[str, Mapping[Standing, int]]


def _counts(recall: Recall, loop: int, views: Sequence[int]) -> dict[int, Flats]:
    """Return counts of each apartment's questions by standing, per number of views of a loop."""
    found: dict[int, dict[str, Mapping[Standing, int]]] = {count: {} for count in views}
    for name, flat in recall.flats.items():
        shown = evidence(flat.scene, recall.shown(recall.folders[name], loop), flat.space)
        for count in views:
            early = until(shown, count)
            found[count][name] = Counter(standing(item, early) for item in flat.items)
    return dict(found)


def _block(flats: Flats) -> dict[str, Any]:
    counts = {now.value: sum(flat[now] for flat in flats.values()) for now in Standing}
    every = sum(counts.values())
    return {"coverage": share(counts[Standing.ANSWERABLE.value], every), "questions": every,
            **counts}  # fmt: skip


def _gap(flats: Flats, first: Flats) -> dict[str, Any] | None:
    pairs = {"coverage": (_ratio(flats), _ratio(first))}
    found = differences(pairs)["coverage"]
    return None if found is None else asdict(found)


def _ratio(flats: Flats) -> Ratio:
    every = [flats[name] for name in sorted(flats)]
    above = tuple(float(flat[Standing.ANSWERABLE]) for flat in every)
    return Ratio(above, tuple(float(sum(flat.values())) for flat in every))

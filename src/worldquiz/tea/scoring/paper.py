"""Tables 3 and 4 of the paper (arXiv 2602.05249): its figures, and intervals of ours.

The paper's figures are of other tasks in other scenes: they are a background and no comparison.

Tasks of one scene may stand or fall together. With `SCENES` scenes or more, the scene is the unit
of intervals (`worldquiz.stats.intervals`). With fewer it is the task, as if tasks were independent:
such intervals are too narrow rather than too wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from worldquiz.facts.row import Row
from worldquiz.stats.intervals import Interval, Ratio, intervals

SCENES = 5
"""Scenes from which on the scene is the unit."""
DRAWS = 2_000
"""Draws of an interval."""

ANSWERERS = (
    "GPT-5", "GPT-4o", "GPT-4.1", "Gemini-2.5-Pro", "Gemini-2.5-Flash", "Claude-Opus-4",
    "llama-4-Scout", "o3-2025", "Human",
)  # fmt: skip
HUMAN = ANSWERERS.index("Human")
TABLE_3: dict[str, tuple[float, ...]] = {
    "embodied-counting": (
        0.6571, 0.7810, 0.8000, 0.7143, 0.8190, 0.7143, 0.7619, 0.8095, 0.8476,
    ),
    "mirror-counting": (0.8800, 0.9200, 0.8800, 0.8800, 0.8700, 0.9700, 0.9700, 0.9800, 0.8300),
    "in-view": (0.4872, 0.4274, 0.1880, 0.4957, 0.4530, 0.4274, 0.4444, 0.4359, 0.6239),
    "classification": (0.4056, 0.0769, 0.3566, 0.3357, 0.3217, 0.0490, 0.3007, 0.4196, 0.7448),
    "localization": (0.3174, 0.0468, 0.2396, 0.1587, 0.1242, 0.4367, 0.0775, 0.3703, 0.4913),
    "pattern-counting": (0.7010, 0.6701, 0.7216, 0.6804, 0.7938, 0.7423, 0.7010, 0.7835, 0.8041),
    "relation": (0.8050, 0.8300, 0.8500, 0.8300, 0.8600, 0.8700, 0.8100, 0.9400, 0.8900),
}  # fmt: skip
"""By our name of the type; depth and localization in space are not in it."""
TABLE_4: dict[str, tuple[float, ...]] = {
    "GPT-4o": (0.48, 0.62, 4.04, 0.08, 0.14),
    "o1": (0.12, 0.38, 9.80, 0.72, 0.00),
}
"""By model: gain, success, steps, target neglect, lack of 3D awareness."""


def published(type: str) -> tuple[float, float, float] | None:
    """Return the least and greatest score of the paper's models in a type, and people's."""
    row = TABLE_3.get(type)
    return (min(row[:HUMAN]), max(row[:HUMAN]), row[HUMAN]) if row else None


def table_3(rows: Iterable[Row]) -> dict[str, Interval | None]:
    """Return the 95 % interval of each type's mean, None of fewer than two units.

    Raises `MissingExtra` without numpy.
    """
    types: dict[str, list[Row]] = {}
    for row in rows:
        if row.score is not None:
            types.setdefault(row.type, []).append(row)
    return {name: interval(some) for name, some in types.items()}


def interval(rows: Sequence[Row]) -> Interval | None:
    """Return the 95 % interval of the mean of some graded rows."""
    scenes = {row.world for row in rows}
    units: dict[str, list[float]] = {}
    for n, row in enumerate(rows):
        unit = row.world if len(scenes) >= SCENES else str(n)
        units.setdefault(unit, []).append(row.score or 0.0)
    ratio = Ratio(tuple(map(sum, units.values())), tuple(float(len(x)) for x in units.values()))
    return intervals({"mean": ratio}, resamples=DRAWS)["mean"]

"""What the paper printed (arXiv 2602.05249, Tables 3 and 4), to stand beside a run's own figures.

Its tasks are others, in others' scenes, so the columns are a background and no comparison. The last
column of Table 3 is the greatest less the least value of its row, Human among them.
"""

from __future__ import annotations

TAKERS = (
    "GPT-5", "GPT-4o", "GPT-4.1", "Gemini-2.5-Pro", "Gemini-2.5-Flash", "Claude-Opus-4",
    "llama-4-Scout", "o3-2025", "Human",
)  # fmt: skip
HUMAN = TAKERS.index("Human")
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
RANGES = {
    "embodied-counting": 0.1905, "mirror-counting": 0.1500, "in-view": 0.4359,
    "classification": 0.6958, "localization": 0.4445, "pattern-counting": 0.1340,
    "relation": 0.1350,
}  # fmt: skip
"""The last column as printed."""
MEASURES = ("gain", "success", "steps", "neglect", "lack_of_3d_awareness")
TABLE_4: dict[str, tuple[float, ...]] = {
    "GPT-4o": (0.48, 0.62, 4.04, 0.08, 0.14),
    "o1": (0.12, 0.38, 9.80, 0.72, 0.00),
}


def models(type: str) -> tuple[float, float] | None:
    """Return the least and the greatest of the models' scores in a type, None where none is."""
    row = TABLE_3.get(type)
    return (min(row[:HUMAN]), max(row[:HUMAN])) if row else None


def human(type: str) -> float | None:
    """Return the participants' score in a type."""
    row = TABLE_3.get(type)
    return row[HUMAN] if row else None

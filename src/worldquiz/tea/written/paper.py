"""Printed values of arXiv 2602.05249: Tables 1 and 2, and MIR-e ("Experiment 1").

Its published text lacks the columns' headings, and of Table 1 all scenes but the first and the
last. The meaning of the columns follows from the prose: MIR of the first round without TEA and with
it, over sets of one size; then of the second round, a column for each of the five tasks that the
filter chose. Those last sets have 4 to 59 tasks, so they do not compare with the first two: the
fewer tasks, the higher MIR.
"""

from __future__ import annotations

from typing import Any

MODEL = "GPT-4o"
TABLE_1: dict[str, tuple[float, float]] = {
    "without": (0.307, 0.159),
    "first": (0.536, 0.055),
    "second_each": (0.676, 0.156),
}
"""Mean and standard deviation over ten scenes."""
SCENES: dict[str, dict[str, Any]] = {
    "0": {"without": (11, 86), "first": (53, 86),
          "second_each": ((6, 6), (38, 52), (4, 5), (43, 59), (4, 6))},
    "9": {"without": (2, 108), "first": (57, 108),
          "second_each": ((17, 53), (6, 6), (21, 32), (18, 27), (18, 30))},
}  # fmt: skip
"""Independent tasks, and tasks."""
MIR_E = {"GPT-4o": 0.680, "GPT-o1": 0.744, "Doubao-tars": 0.829, "Doubao-think": 0.731}
"""Share of evolved tasks that add to the largest independent set, by model."""
P = 0.001
"""What the paper says of its t-tests: "p 0.001", the sign before it lost."""
TABLE_2: tuple[dict[str, Any], ...] = (
    {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (1.84, 1.94, 0.92),
     "task_volume": (18.51, 58.26), "objects": 38},
    {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (2.00, 1.94, 1.01),
     "task_volume": (43.60, 93.30), "objects": 19},
    {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (1.91, 1.92, 0.97),
     "task_volume": (24.43, 69.04), "objects": 34},
)  # fmt: skip
"""The first scene's three columns, in order: m3, m, m, m3 (two numbers), and a count."""

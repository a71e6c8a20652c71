"""Terminal tables of Task2Quiz: the paper's Tables 1 and 2, and its Figures 4 and 8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from worldquiz.page.labels import decimal
from worldquiz.page.terminal import prose, table
from worldquiz.t2q.question import MIX
from worldquiz.t2q.scores import of_run
from worldquiz.t2q.suites import Bundle, Suite


def tables(run: Path) -> Iterator[Any]:
    """Yield Table 2 and Figure 4 of a run: EUS by type of question, TSR and EUS by level.

    For worlds in which things were moved, also yield the places that replies name.
    """
    found = of_run(run)
    parts = [*found["by_type"].items(), *found["by_level"].items()]
    rows = [
        (name, decimal(cell.get("tsr")), decimal(cell["eus"]), f"{cell['counts']['questions']:,}")
        for name, cell in parts
        if cell["counts"]["questions"]
    ]
    yield "TSR and EUS by type of question (Table 2) and by level (Figure 4)"
    yield table(rows, "", "TSR", "EUS", "questions")
    if "beliefs" in found:
        yield prose(
            f"Stale beliefs: {decimal(found['stale'])}, the share of replies that name the first "
            "place of a thing that was moved and shown again. Of a guesser it is about a half. "
            "Places that replies name, for things whose first place was shown:"
        )
        rows = [(name, *map(str, counts.values())) for name, counts in found["beliefs"].items()]
        yield table(rows, "", *next(iter(found["beliefs"].values())))


_COLUMNS = {
    "coverage": "answerable",
    "accuracy_answerable": "right of these",
    "accuracy_non_answerable": "right of the others",
    "from_answerable": "share of right answers that were answered",
}


def figure_8(document: dict[str, Any]) -> Iterator[Any]:
    """Yield the share of answerable questions by type, and where right answers come from."""
    yield f"{document['run']}: questions answerable by the paper's rule, and its Figure 8"
    rows = []
    for type, split in document["split"].items():
        block = document if type == "all" else document["by_type"][type]
        cells = (decimal({**block, **split}[key]) for key in _COLUMNS)
        rows.append((type, f"{block['counts']['questions']:,}", *cells))
    yield table(rows, "", "questions", *_COLUMNS.values())


TABLE_1: dict[str, dict[str, Any]] = {
    level: {
        "worlds": 10,
        "rooms": rooms,
        "objects": objects,
        "tasks": tasks,
        "walkthrough_length": length,
        "questions": questions,
    }
    for level, rooms, objects, tasks, length, questions in (
        ("easy", (3, 5), (6, 10), 2.4, 4.17, 34.6),
        ("medium", (6, 10), (14, 18), 5.7, 5.25, 65.6),
        ("hard", (16, 20), (28, 32), 12.3, 5.78, 94.7),
    )
}
"""Table 1 of arXiv 2601.09503: ranges, then means over 10 worlds a level."""


def stats(suite: Suite) -> dict[str, Any]:
    """Return the means per level as JSON data; the shares of question types are 0..1."""
    by_level: dict[str, list[Bundle]] = {}
    for bundle in map(suite.bundle, suite.worlds):
        by_level.setdefault(bundle.spec.level, []).append(bundle)
    return {"levels": {level: _level(bundles) for level, bundles in by_level.items()}}


def _level(bundles: Sequence[Bundle]) -> dict[str, Any]:
    plans = [task.walkthrough.commands for bundle in bundles for task in bundle.tasks]
    types = Counter(question.type for bundle in bundles for question in bundle.questions)
    return {
        "worlds": len(bundles),
        "rooms": fmean(len(bundle.spec.rooms) for bundle in bundles),
        "objects": fmean(bundle.spec.objects for bundle in bundles),
        "tasks": fmean(len(bundle.tasks) for bundle in bundles),
        "walkthrough_length": fmean(map(len, plans)) if plans else None,
        "questions": fmean(len(bundle.questions) for bundle in bundles),
        "types": {
            type: types[type] / max(types.total(), 1) for type in dict.fromkeys((*MIX, *types))
        },
    }


def table_1(levels: Mapping[str, Mapping[str, Any]]) -> Iterator[Any]:
    """Yield Table 1 and the shares of question types, our values beside those of the paper."""
    yield "Means per world, beside Table 1 of the paper"
    rows = []
    for level, found in levels.items():
        rows.append((level, *(_size(found[key]) for key in _SIZES)))
        if level in TABLE_1:
            rows.append(("  the paper", *(_size(TABLE_1[level][key]) for key in _SIZES)))
    yield table(rows, "", *(key.replace("_", " ") for key in _SIZES))
    yield "Question types, share of all questions"
    asked = {level: found["worlds"] * found["questions"] for level, found in levels.items()}
    rows = []
    for type in dict.fromkeys(type for found in levels.values() for type in found["types"]):
        shares = {level: found["types"].get(type, 0) for level, found in levels.items()}
        whole = sum(shares[level] * asked[level] for level in levels) / (sum(asked.values()) or 1)
        paper = MIX.get(type, 0) / sum(MIX.values())
        if whole or paper:
            rows.append((type, *(f"{share:.1%}" for share in (*shares.values(), whole, paper))))
    yield table(rows, "", *levels, "all", "paper")


_SIZES = ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions")


def _size(value: float | tuple[int, int] | None) -> str:
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "{}-{}".format(*value)
    return f"{value:.2f}".rstrip("0").rstrip(".")

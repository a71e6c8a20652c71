"""Statistics of a suite, beside those that the paper reports of its own (Table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from worldquiz.t2q.question import Type
from worldquiz.t2q.quiz.ask import MIX
from worldquiz.t2q.suites import Bundle, Suite

if TYPE_CHECKING:
    from rich.table import Table

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
    """Return means per level as the JSON contract states them; shares of types are 0..1."""
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
        "types": {str(type): types[type] / max(types.total(), 1) for type in Type},
    }


def tables(levels: Mapping[str, Mapping[str, Any]]) -> Iterator[Table]:
    """Yield Table 1 of arXiv 2601.09503 and the shares of types, ours beside the paper's."""
    from worldquiz.page.terminal import titled

    sizes = titled("Means per world, beside Table 1 of the paper")
    sizes.add_column("")
    for level in levels:
        sizes.add_column(level, justify="right")
        if level in TABLE_1:
            sizes.add_column("paper", justify="right", style="dim")
    for row in ("worlds", "rooms", "objects", "tasks", "walkthrough_length", "questions"):
        cells = []
        for level, found in levels.items():
            for value in (found[row], *([TABLE_1[level][row]] if level in TABLE_1 else [])):
                if isinstance(value, tuple):
                    cells.append("{}-{}".format(*value))
                else:
                    cells.append("" if value is None else f"{value:.2f}".rstrip("0").rstrip("."))
        sizes.add_row(row.replace("_", " "), *cells)
    yield sizes
    mix = titled("Question types, share of all questions")
    for name in ("", *levels, "all", "paper"):
        mix.add_column(name, justify="right" if name else "left")
    asked = {level: found["worlds"] * found["questions"] for level, found in levels.items()}
    for type, count in MIX.items():
        shares = {level: found["types"][type] for level, found in levels.items()}
        whole = sum(shares[level] * asked[level] for level in levels) / (sum(asked.values()) or 1)
        every = (*shares.values(), whole, count / sum(MIX.values()))
        mix.add_row(str(type), *(f"{share:.1%}" for share in every))
    yield mix

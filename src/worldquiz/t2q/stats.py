"""Statistics of a suite, beside those that the paper reports of its own (Table 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import RecordError
from worldquiz.facts.question import Type
from worldquiz.runs.executor import Done, silent
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.tasks.targets import fewest_tasks, tasks

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

TYPE_COUNTS = {
    Type.LOCATION: 611, Type.CONNECTIVITY: 422, Type.DIRECTION: 405, Type.MATCH: 170,
    Type.PROPERTY: 359,
}  # fmt: skip
"""Questions per type over the paper's 30 worlds: the counts of which the percentages of its Table 2
are fractions (docs/explanation/t2q.md derives them; the paper states only their sum, 1,967)."""


class CoverSize(NamedTuple):
    """Number of a world's tasks, and the fewest that would have covered it."""

    greedy: int
    exact: int | None  # None where it was not proven in time


def stats(suite: Suite) -> dict[str, Any]:
    """Return means per level as the JSON contract states them; shares of types are 0..1."""
    bundles = [suite.bundle(world) for world in suite.worlds]
    levels = dict.fromkeys(bundle.spec.level for bundle in bundles)
    return {
        "levels": {
            level: _level([bundle for bundle in bundles if bundle.spec.level == level])
            for level in levels
        }
    }


def type_mix(levels: Iterable[Mapping[str, Any]]) -> dict[str, float]:
    """Return the share of each type over all questions of all levels."""
    counts: Counter[str] = Counter()
    for level in levels:
        asked = level["worlds"] * level["questions"]
        counts.update({name: share * asked for name, share in level["types"].items()})
    return {name: count / counts.total() for name, count in counts.items()}


def covers(suite: Suite, *, jobs: int = 1, done: Done = silent) -> dict[str, CoverSize]:
    """Return each world's number of tasks beside the fewest that would do.

    Raises `MissingExtra` without OR-Tools.
    """
    return suite.each(_cover, jobs=jobs, done=done)


def _cover(path: Path, world: str) -> CoverSize:
    suite = open_suite(path)
    bundle = suite.bundle(world)
    if tasks(bundle.spec, share=suite.errands(bundle.spec.level)) != bundle.tasks:
        raise RecordError(
            f"{path}: world {world!r} has other tasks than this worldquiz chooses, so their number "
            "cannot be compared: build the suite again"
        )
    return CoverSize(len(tasks(bundle.spec)), fewest_tasks(bundle.spec))


def _level(bundles: Sequence[Bundle]) -> dict[str, Any]:
    tasks = [task for bundle in bundles for task in bundle.tasks]
    types = Counter(question.type for bundle in bundles for question in bundle.questions)
    return {
        "worlds": len(bundles),
        "rooms": _mean(len(bundle.spec.rooms) for bundle in bundles),
        "objects": _mean(bundle.spec.objects for bundle in bundles),
        "tasks": _mean(len(bundle.tasks) for bundle in bundles),
        "walkthrough_length": _mean(len(task.walkthrough.commands) for task in tasks),
        "questions": _mean(len(bundle.questions) for bundle in bundles),
        "types": {str(type): types[type] / max(types.total(), 1) for type in Type},
    }


def _mean(values: Iterable[int]) -> float | None:
    numbers = list(values)
    return sum(numbers) / len(numbers) if numbers else None

"""Draw tasks of a folder, evenly over their types, and let the oracle answer them.

All of them can be checked as well. The work is cut into pieces of one scene's tasks that follow
each other in time, so that a view is looked at once by whoever judges it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import RecordError
from worldquiz.records import parsed, read_json, read_text
from worldquiz.runs.executor import Done, each, silent
from worldquiz.tea.oracle.judge import RULES, Judge, task
from worldquiz.tea.parquet import rows_of
from worldquiz.trust import plain_names

Drawn = list[tuple[str, int]]
"""Tasks as their scene and row."""
Verdict = tuple[str, str, str]
"""A task's id, its type, and what is wrong with it; "" if all agrees."""
TOGETHER = 400
"""Tasks of a piece, about."""


@dataclass(frozen=True, slots=True)
class CheckBatch:
    """Some tasks of one scene, by their rows."""

    scene: str
    rows: tuple[int, ...]


def check(
    data: Path, *, sample: int = 2000, seed: int = 0, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Return how many of the drawn tasks agree with the oracle, and each that does not.

    `sample` tasks are drawn, as many of each type as there are; 0 takes all. Raises `RecordError`
    for a folder that holds no finished tasks, or tasks of a type that no rule is about; those of
    kinds that are not ours are counted by type, under ``no_rule``.
    """
    return judged(data, pieces(data, sample=sample, seed=seed), jobs=jobs, done=done)


def pieces(data: Path, *, sample: int = 2000, seed: int = 0) -> tuple[CheckBatch, ...]:
    """Return the tasks to be checked, in pieces. Raises as `check` does."""
    rows = {name: _rows(data, name) for name in _scenes(data)}
    drawn: dict[str, list[int]] = {name: [] for name in rows}
    for scene, row in _drawn(rows, _own(data), sample, seed):
        drawn[scene].append(row)
    return tuple(
        CheckBatch(scene, tuple(some))
        for scene, numbers in sorted(drawn.items())
        for some in _cut(sorted(numbers, key=lambda row: (rows[scene][row]["view"], row)))
    )


def judged(
    data: Path, todo: tuple[CheckBatch, ...], *, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Return what `check` does, of some pieces; `done` is told of each."""
    _judge.cache_clear()  # the folder may be another one since
    verdicts: list[Verdict] = []
    for piece, found in each(partial(_judged, data), todo, jobs=jobs, places=[data]):
        verdicts += found
        done(piece.scene)
    return {**_report(sorted(verdicts)), "no_rule": _unruled(data)}


def scenes(data: Path) -> int:
    """Return how many scenes a folder has."""
    return len(_scenes(data))


def _cut(rows: list[int]) -> list[list[int]]:
    return [rows[start : start + TOGETHER] for start in range(0, len(rows), TOGETHER)]


def _judged(data: Path, piece: CheckBatch) -> list[Verdict]:
    judge, rows = _judge(data, piece.scene)
    tasks = (task(rows[number]) for number in piece.rows)
    return [(each_.id, each_.type, judge.judged(each_) or "") for each_ in tasks]


@lru_cache(maxsize=1)
def _judge(data: Path, scene: str) -> tuple[Judge, list[dict[str, Any]]]:
    """Return a scene's judge and its rows; the next piece is mostly of the same scene."""
    folder = data / "scenes" / scene
    judge = Judge(_scene(folder / "scene.json"), _views(folder / "views.jsonl"), folder)
    return judge, _rows(data, scene)


def _report(verdicts: list[Verdict]) -> dict[str, Any]:
    by_type: dict[str, dict[str, int]] = {}
    for _, type, wrong in verdicts:
        counts = by_type.setdefault(type, {"checked": 0, "agree": 0})
        counts["checked"] += 1
        counts["agree"] += not wrong
    return {
        "checked": len(verdicts),
        "agree": sum(not wrong for *_, wrong in verdicts),
        "by_type": dict(sorted(by_type.items())),
        "disagree": [{"task": id, "wrong": wrong} for id, _, wrong in verdicts if wrong],
    }


def _unruled(data: Path) -> dict[str, int]:
    """Return how many tasks there are of each type of a kind that is not ours."""
    own = _own(data)
    rows = (row for name in _scenes(data) for row in _rows(data, name)) if own else ()
    return dict(sorted(Counter(row["type"] for row in rows if _base(row["type"]) in own).items()))


def _base(type: str) -> str:
    return type.partition("-by-")[0]


def _drawn(
    rows: dict[str, list[dict[str, Any]]], own: frozenset[str], sample: int, seed: int
) -> Drawn:
    """Draw tasks type by type in turn, none of a user's own kinds, until there are enough."""
    groups: dict[str, Drawn] = {}
    for name, some in sorted(rows.items()):
        for number, row in enumerate(some):
            if _base(row["type"]) not in own:
                groups.setdefault(row["type"], []).append((name, number))
    strange = sorted(type for type in groups if _base(type) not in RULES)
    if strange:
        raise RecordError(f"the oracle has no rule for tasks of type {', '.join(strange)}")
    left = {
        type: rng.child(seed, "check", type).sample(group, len(group))
        for type, group in sorted(groups.items())
    }
    total = sum(map(len, left.values()))
    found: Drawn = []
    while len(found) < (min(sample, total) or total):
        for type in sorted(left, key=lambda type: (len(left[type]), type)):
            if left[type] and len(found) < (sample or total):
                found.append(left[type].pop())
    return found


def _scenes(data: Path) -> list[str]:
    return sorted(plain_names(_manifest(data)["scenes"], data / "manifest.json"))


def _own(data: Path) -> frozenset[str]:
    """Return the kinds of task that are not ours."""
    return frozenset(_manifest(data).get("kinds", ())) - set(RULES)


def _manifest(data: Path) -> dict[str, Any]:
    path = data / "manifest.json"
    whole = read_json(path) if path.is_file() else None
    if not isinstance(whole, dict) or whole.get("kind") != "tea":
        raise RecordError(f"{data}: holds no finished tasks in scenes: generate them first")
    return whole


def _scene(path: Path) -> dict[str, Any]:
    scene: dict[str, Any] = read_json(path)["scene"]
    return scene


def _views(path: Path) -> list[dict[str, Any]]:
    return [parsed(line, path) for line in read_text(path).splitlines()[1:]]


def _rows(data: Path, name: str) -> list[dict[str, Any]]:
    columns = ("id", "type", "view", "command", "truth", "given", "bind")
    return rows_of(data / "scenes" / name / "tasks.parquet", columns)

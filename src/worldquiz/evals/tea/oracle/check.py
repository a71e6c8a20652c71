"""Draw tasks of a folder, evenly over their types, and let the oracle answer them."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import MissingExtra, RecordError
from worldquiz.evals._jobs import Done, each, silent
from worldquiz.evals.tea.oracle.judge import RULES, Judge, Task, task

Drawn = list[tuple[str, int]]
"""Tasks as their scene and row."""


def check(
    data: Path, *, sample: int = 2000, seed: int = 0, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Return how many of the drawn tasks agree with the oracle, and each that does not.

    `sample` tasks are drawn, as many of each type as there are; 0 takes all. Raises `RecordError`
    for a folder that holds no finished tasks, or tasks of a type that no rule is about.
    """
    rows = {name: _rows(data, name) for name in _scenes(data)}
    drawn = _drawn(rows, sample, seed)
    todo = [(name, [row for scene, row in drawn if scene == name]) for name in sorted(rows)]
    verdicts: list[tuple[Task, str | None]] = []
    for (name, _), found in each(partial(_judged, data), todo, jobs=jobs):
        verdicts += found
        done(name)
    return _report(sorted(verdicts, key=lambda verdict: verdict[0].id))


def scenes(data: Path) -> int:
    """Return how many scenes a folder has."""
    return len(_scenes(data))


def _judged(data: Path, todo: tuple[str, list[int]]) -> list[tuple[Task, str | None]]:
    name, numbers = todo
    folder, rows = data / "scenes" / name, _rows(data, name)
    tasks = sorted((task(rows[number]) for number in numbers), key=lambda each: each.view)
    judge = Judge(_scene(folder / "scene.json"), _views(folder / "views.jsonl"))
    return [(each_, judge.judged(each_)) for each_ in tasks]


def _report(verdicts: list[tuple[Task, str | None]]) -> dict[str, Any]:
    by_type: dict[str, dict[str, int]] = {}
    for each_, wrong in verdicts:
        counts = by_type.setdefault(each_.type, {"checked": 0, "agree": 0})
        counts["checked"] += 1
        counts["agree"] += wrong is None
    return {
        "checked": len(verdicts),
        "agree": sum(wrong is None for _, wrong in verdicts),
        "by_type": dict(sorted(by_type.items())),
        "disagree": [
            {"task": each_.id, "wrong": wrong} for each_, wrong in verdicts if wrong is not None
        ],
    }


def _drawn(rows: dict[str, list[dict[str, Any]]], sample: int, seed: int) -> Drawn:
    """Draw tasks type by type in turn, until there are enough."""
    groups: dict[str, Drawn] = {}
    for name, some in sorted(rows.items()):
        for number, row in enumerate(some):
            groups.setdefault(row["type"], []).append((name, number))
    strange = sorted(type for type in groups if type.partition("-by-")[0] not in RULES)
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
    path = data / "manifest.json"
    whole = _json(path, path.read_text()) if path.is_file() else None
    if not isinstance(whole, dict) or whole.get("kind") != "tea":
        raise RecordError(f"{data}: holds no finished tasks in scenes: generate them first")
    return sorted(whole["scenes"])


def _scene(path: Path) -> dict[str, Any]:
    scene: dict[str, Any] = _json(path, path.read_text())["scene"]
    meshes = {thing["id"] for thing in scene["things"] for p in thing["parts"]
              if p["shape"] == "mesh"}  # fmt: skip
    if meshes:
        raise RecordError(
            f"{path}: {min(meshes)!r} is a mesh; the oracle meets boxes, cylinders, balls, "
            "ellipsoids and capsules only"
        )
    return scene


def _views(path: Path) -> list[dict[str, Any]]:
    return [_json(path, line) for line in path.read_text().splitlines()[1:]]


def _rows(data: Path, name: str) -> list[dict[str, Any]]:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "scene") from error
    path = data / "scenes" / name / "tasks.parquet"
    if not path.is_file():
        raise RecordError(f"{path}: no such file")
    columns = ["id", "type", "view", "command", "truth", "given", "bind"]
    rows: list[dict[str, Any]] = parquet.ParquetFile(path).read(columns=columns).to_pylist()
    return rows


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(f"{path}: {error.msg}; the file is cut short or damaged") from error


def tally(found: dict[str, Any]) -> Counter[str]:
    """Return how many disagreements there are of each type."""
    return Counter(each_["task"].split("/")[0] for each_ in found["disagree"])

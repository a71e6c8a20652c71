"""The demo's TEA part: one apartment, its tasks, MIR, baselines, a contact sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from worldquiz.cli.shell import progress, resumable, waiting
from worldquiz.errors import KEPT
from worldquiz.records import read_json, write_json
from worldquiz.report import html
from worldquiz.report.terminal import plain
from worldquiz.tea import generate, oracle, sheet
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.interact import Loops
from worldquiz.tea.mir import measure
from worldquiz_scenes import generate as scenes_of
from worldquiz_scenes.gl import NoPictures

PRESET, SEED = "paper", 7
LOOPS = Loops(loops=2, bouts=4, looks=6)
CHECKED = 200
"""Tasks that the oracle answers once more."""
TASKS, WALKS = 200, 10
"""For each answerer."""
ANSWERERS = ("random", "prior", "noisy", "oracle")
"""From guessing to knowing all: what any model's numbers lie between."""
FOUND = "found.json"
"""What the part came to, so that the same command need not find it out twice."""


def demo(folder: Path, jobs: int) -> Iterator[Any]:
    """Do TEA's part in the demo's folder; yield its document, then lines and tables."""
    html.require()
    try:
        found = _part(folder / "tea", jobs)
    except NoPictures as error:
        yield {"tea": {"left_out": str(error)}}
        yield f"TEA is left out: {error}"
        return
    yield {"tea": found}
    yield from shown(found)


def _part(folder: Path, jobs: int) -> dict[str, Any]:
    data = folder / "tasks"
    with resumable(KEPT), waiting("TEA: walking through an apartment"):
        flats = tuple(scenes_of.suite(PRESET, SEED, 1))
        made = generate.generate(generate.Plan(SEED, flats, LOOPS), data)
    if (found := _found(folder, made["digest"])) is not None:
        return found
    found = _shown(made, data, folder, jobs)
    write_json(folder / FOUND, found)
    return found


def _found(folder: Path, digest: str) -> dict[str, Any] | None:
    """Return the results of an earlier call on the same tasks."""
    path = folder / FOUND
    found = read_json(path) if path.is_file() else None
    return found if isinstance(found, dict) and found.get("digest") == digest else None


def _shown(made: dict[str, Any], data: Path, folder: Path, jobs: int) -> dict[str, Any]:
    with resumable(KEPT), waiting("TEA: checking, measuring and drawing tasks"):
        checked = oracle.check(data, sample=CHECKED, jobs=jobs)
        found = measure(data)
        sheet.sheet(data, folder / "sheet.png")
    return {
        **{name: made[name] for name in ("tasks", "views", "by_type", "by_origin", "digest")},
        "chosen": _chosen(folders(data)[0]),
        "checked": {name: checked[name] for name in ("checked", "agree")},
        "mir": {**found["mean"], "added by evolution": found["mir_e"]},
        "optimal": found["optimal"],
        "answerers": _answers(data, folder),
        "sheet": str(folder / "sheet.png"),
        "report": str(_report(folder)),
    }


def _chosen(folder: Folder) -> list[str]:
    """Return the commands of the tasks that the filter chose for the second loop."""
    ids = read_json(folder.path / "loops.json")["executed"][0]
    commands = {task.id: f"{task.type}: {task.command}" for task in folder.tasks}
    return [commands[id] for id in ids]


def _answers(data: Path, folder: Path) -> dict[str, Any]:
    from worldquiz.tea.answering import Baseline
    from worldquiz.tea.exam.exam import ExamSettings
    from worldquiz.tea.exam.run import run

    found = {}
    with resumable(KEPT), progress("TEA: asking", len(ANSWERERS) * (TASKS + WALKS)) as done:
        for name in ANSWERERS:
            found[name] = run(data, ExamSettings(TASKS, WALKS), Baseline(name), folder / name, done)
    return found


def _report(folder: Path) -> Path:
    from worldquiz.runs.run import Run, report

    with waiting("TEA: writing the report"):
        return report([Run(folder / name) for name in ANSWERERS], folder / "report.html")


def shown(found: dict[str, Any]) -> Iterator[Any]:
    """Yield TEA's part as lines and tables for a terminal."""
    origins = ", ".join(f"{count:,} by {name}" for name, count in found["by_origin"].items())
    yield (
        f"TEA: {found['tasks']:,} tasks of {found['views']} views of one apartment ({origins}). "
        "The filter chose these tasks of the first loop to be executed:"
    )
    yield from (f"  {line}" for line in found["chosen"])
    checked, proven = found["checked"], "proven" if found["optimal"] else "not proven"
    yield (f"The oracle agrees with {checked['agree']} of {checked['checked']} tasks.")
    mir = [(name, f"{value:.3f}") for name, value in found["mir"].items() if value is not None]
    yield plain(mir, "100 tasks of", f"MIR ({proven})")
    yield plain(_rows(found["answerers"]), "score (asked)", *found["answerers"])
    yield f"contact sheet: {found['sheet']}"
    yield f"report: {found['report']}"


def _rows(answerers: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return a row for each type of task, and those of navigation, a column for each answerer."""
    first = next(iter(answerers.values()))
    rows = [
        (name, *(_cell(one["types"][name]["mean"], cell["asked"]) for one in answerers.values()))
        for name, cell in first["types"].items()
    ]
    walks = [one["navigation"] for one in answerers.values()]
    rows.append(("walks: success", *(_cell(w["success"]["rate"], w["trips"]) for w in walks)))
    rows.append(("walks: gain", *(_cell(w["gain"], w["trips"]) for w in walks)))
    return rows


def _cell(value: float | None, count: int) -> str:
    return "-" if value is None else f"{value:.2f} ({count})"

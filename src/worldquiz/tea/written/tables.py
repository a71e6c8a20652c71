"""Tables 1 and 2 of arXiv 2602.05249 for tasks that models wrote here, beside the paper's numbers.

All results are lists of rows, ready for a data frame, with a row for each set of tasks. Means and
tests are computed from these rows.

Each scene has three sets of equal size: `without` TEA, the `first` round with TEA, and the `second`
round, with as many tasks from each executed task as possible. Since larger sets have a lower MIR,
and the paper has one second round per executed task (of 4 to 59 tasks), our tasks are also compared
in sets of this kind (``second each``) with equally large parts of the first round (``first each``).

Two sets are compared scene by scene, with the paper's paired t-test.

The paper's text lacks the column headings, and all scenes of Table 1 but the first and last. We
inferred the meaning of the columns from its prose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.plugins import need
from worldquiz.records import plain_names
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, read_manifest
from worldquiz.tea.data import Folder
from worldquiz.tea.kinds.kinds import Instance
from worldquiz.tea.mir import THRESHOLD, added, measured, spatial
from worldquiz.tea.written.ask import FIRST, SECOND, TYPE, WITHOUT
from worldquiz.tea.written.write import KIND, SCENES

PAPER: dict[str, Any] = {
    "writer": "GPT-4o",
    "table_1": {"without": (0.307, 0.159), "first": (0.536, 0.055), "second each": (0.676, 0.156)},
    "mir_e": {"GPT-4o": 0.680, "GPT-o1": 0.744, "Doubao-tars": 0.829, "Doubao-think": 0.731},
    "table_2": (
        {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (1.84, 1.94, 0.92),
         "task_volume": 18.51, "task_volume_sd": 58.26, "objects": 38},
        {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (2.00, 1.94, 1.01),
         "task_volume": 43.60, "task_volume_sd": 93.30, "objects": 19},
        {"volume": 744.84, "extent": (9.37, 20.90, 3.80), "spread": (1.91, 1.92, 0.97),
         "task_volume": 24.43, "task_volume_sd": 69.04, "objects": 34},
    ),
}  # fmt: skip
"""Table 1: mean and standard deviation over ten scenes. Table 2: the first scene's three columns,
in m3 and m. Its t-tests have "p 0.001", with the sign missing."""
SETS = (WITHOUT, FIRST, SECOND)
COLUMNS = (*SETS, f"{FIRST} each", f"{SECOND} each")
PAIRS = ((FIRST, WITHOUT), (SECOND, WITHOUT), (SECOND, FIRST))
_DIGITS = 12
"""Digits kept of differences, since a t-test would treat rounding errors as spread."""
Rows = list[dict[str, Any]]


def tables(outs: Sequence[Path], *, jobs: int = 1, done: Done = silent) -> dict[str, Any]:
    """Return Tables 1 and 2 of writing runs as lists of rows, with the paper's numbers.

    Raises `RecordError` if a folder is not a writing run, `MissingExtra`.
    """
    writers = set[str]()
    found: dict[str, Rows] = {"mir": [], "mir_e": [], "places": []}
    for out in outs:
        manifest = written_in(out)
        name = str(manifest["writer"])
        if name in writers:
            raise RecordError(f"{out}: same writer as another folder, {name!r}: give only one")
        writers.add(name)
        scenes = [Folder(out / SCENES / scene) for scene in sorted(manifest["scenes"])]
        some: dict[str, dict[str, Rows]] = {}
        for folder, told in each(_scene, scenes, jobs=jobs):
            some[folder.path.name] = told
            done(f"{name} {folder.path.name}")
        for scene in sorted(some):
            for kind, rows in some[scene].items():
                found[kind] += [{"writer": name, "scene": scene, **row} for row in rows]
    means = [
        {"writer": writer, "set": name, "mean": fmean(values),
         "sd": stdev(values) if len(values) > 1 else None, "n": len(values)}
        for writer, some in _by_writer(found["mir"]).items()
        for name, values in some.items()
    ]  # fmt: skip
    tests = list(differences_of(found["mir"]))
    return {"threshold": THRESHOLD, **found, "means": means, "tests": tests, "paper": PAPER}


def written_in(out: Path) -> dict[str, Any]:
    """Return the manifest of a folder of written tasks. Raises `RecordError`."""
    manifest = read_manifest(out, KIND, "finished folder of written tasks")
    plain_names(manifest["scenes"], out / MANIFEST)
    return manifest


def sets(tasks: Iterable[Instance]) -> dict[str, list[Instance]]:
    """Return a scene's sets of tasks: the three of equal size, then smaller ones.

    ``second-2`` comes from the second executed task, ``first-2`` is as large a part of `first`.
    """
    parts: dict[str, list[Instance]] = {}
    for task in tasks:
        parts.setdefault(task.origin, []).append(task)
    executed = [some for name, some in parts.items() if name.startswith(SECOND)]
    turns = [task for turn in zip_longest(*executed) for task in turn if task is not None]
    whole = (parts.get(WITHOUT, []), parts.get(FIRST, []), turns)
    least = min(map(len, whole))
    left = iter(whole[1])
    found = {name: some[:least] for name, some in zip(SETS, whole, strict=True)}
    for number, some in enumerate(executed, start=1):
        found[f"{SECOND}-{number}"] = some
        found[f"{FIRST}-{number}"] = list(islice(left, len(some)))
    return {name: some for name, some in found.items() if some}


def _scene(folder: Folder) -> dict[str, Rows]:
    """Return one scene's rows of each table: MIR, MIR-e, and where tasks are."""
    groups = sets(folder.tasks)
    grown = [task for task in folder.tasks if task.origin.endswith(f" {TYPE}")]
    if not groups:
        return {}
    largest, first = measured(folder, (*groups.values(), grown)), groups.get(FIRST, [])
    after = largest([*first, *grown])
    places = {name: spatial(folder.scene, some) for name, some in groups.items()}
    return {
        "mir": [{"set": name, **largest(some).record()}
                for name, some in groups.items()],
        "mir_e": [{"grown": len(grown),
                   "mir_e": added(largest(first), after, len(grown))}],
        "places": [{"set": name, **told} for name, told in places.items() if told],
    }  # fmt: skip


def _by_writer(rows: Rows) -> dict[str, dict[str, list[float]]]:
    """Return MIR by writer and column, as lists over the scenes that have all three sets."""
    there: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        there.setdefault((row["writer"], row["scene"]), set()).add(row["set"])
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if there[row["writer"], row["scene"]] >= set(SETS):
            name, dash, _ = row["set"].partition("-")
            some = found.setdefault(row["writer"], {})
            some.setdefault(f"{name} each" if dash else name, []).append(row["mir"])
    return found


def differences_of(rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield each writer's differences in MIR between two sets, with a paired t-test over scenes.

    `t` has scenes - 1 degrees of freedom, and `d` is Cohen's d for pairs. Both are None if all
    differences are equal. Raises `MissingExtra` without scipy.
    """
    stats = need("scipy.stats", extra="tea")
    for writer, some in _by_writer(rows).items():
        for one, two in PAIRS:
            gaps = [round(a - b, _DIGITS) for a, b in zip(some[one], some[two], strict=True)]
            varies = len(set(gaps)) > 1
            t, p = map(float, stats.ttest_1samp(gaps, 0.0)) if varies else (None, None)
            yield {
                "writer": writer, "difference": f"{one} - {two}", "scenes": len(gaps),
                "mean": fmean(gaps), "t": t, "p": p,
                "d": fmean(gaps) / stdev(gaps) if varies else None,
            }  # fmt: skip


def table_1(found: Mapping[str, Any]) -> Rows:
    """Return Table 1 with a row per set and a column per writer, the paper's first."""
    paper = f"{PAPER['writer']} (the paper)"
    rows = []
    for name in COLUMNS:
        told = {row["writer"]: _spread(row["mean"], row["sd"])
                for row in found["means"] if row["set"] == name}  # fmt: skip
        published = PAPER["table_1"].get(name)
        rows.append({"set": name, paper: published and _spread(*published), **told})
    evolved: dict[str, list[float]] = {}
    for row in found["mir_e"]:
        if row["mir_e"] is not None:
            evolved.setdefault(row["writer"], []).append(row["mir_e"])
    means = {writer: fmean(values) for writer, values in evolved.items()}
    return [*rows, {"set": "MIR-e", paper: PAPER["mir_e"][PAPER["writer"]], **means}]


def _spread(mean: float, sd: float | None) -> str:
    return f"{mean:.3f}" if sd is None else f"{mean:.3f} ± {sd:.3f}"

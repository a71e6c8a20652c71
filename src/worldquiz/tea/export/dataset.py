"""Files of ``worldquiz tea export``: tasks of evals, in the formats of export.

This module reads tasks, some of one scene at a time, and hands them on as values. The memory of a
batch does not grow with the number of tasks, and no byte depends on the number of processes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.export.croissant import About, ParquetTable, croissant
from worldquiz.records import read_json, write_json, write_text
from worldquiz.runs.executor import each
from worldquiz.runs.folder import MANIFEST
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.sample import NAVIGATION, sample
from worldquiz.tea.exam.show import choices
from worldquiz.tea.export import card, record, tables, vlmevalkit
from worldquiz.tea.export.record import Drawn
from worldquiz.tea.export.source import shown
from worldquiz.tea.export.vlmevalkit import Places, options
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.taskgraph import Instance
from worldquiz.version import __version__
from worldquiz_scenes.save import CREDITS, credits
from worldquiz_scenes.scene import Scene


@dataclass(frozen=True, slots=True)
class ExportBatch:
    """Some tasks of one scene, which are written in one go."""

    number: int  # among all pieces
    part: int  # among those of its scene
    folder: Path
    tasks: tuple[str, ...]
    places: Places | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The tasks to export, in batches, and their format."""

    to: str
    drawn: Drawn
    by_type: Mapping[str, int]
    pieces: tuple[ExportBatch, ...]

    @property
    def record(self) -> dict[str, Any]:
        """The first entries of the manifest."""
        return record.wanted(self.to, self.drawn)


def choose(data: Path, to: str, tasks: int, walks: int, seed: int, *, every: bool) -> Chosen:
    """Choose tasks, and divide them into pieces. Raises `RecordError`, `KnobError`."""
    scenes = folders(data)
    walks = walks * (to == "parquet")
    picked = _picked(scenes, tasks, walks, seed, every=every)
    if to == "vlmevalkit":
        picked = [each for each in picked if family(each.type) != NAVIGATION]
    if not picked:
        raise KnobError(f"{data}: nothing to export to {to}: ask for more tasks or walks")
    used = [folder for folder in scenes if any(t.scene == folder.path.name for t in picked)]
    drawn = Drawn(
        read_json(data / MANIFEST)["digest"],
        seed,
        every,
        0 if every else tasks,
        0 if every else walks,
        tuple(folder.path.name for folder in used),
        tuple(sorted({_licence(t.credit) for folder in used for t in folder.scene.things})),
    )
    pieces = _pieces(used, picked)
    if to == "vlmevalkit":
        pieces = _placed(pieces, used, picked, seed)
    by_type = dict(sorted(Counter(each.type for each in picked).items()))
    return Chosen(to, drawn, by_type, tuple(pieces))


def _picked(
    scenes: Sequence[Folder], tasks: int, walks: int, seed: int, *, every: bool
) -> list[Instance]:
    found = [task for folder in scenes for task in folder.tasks]
    if not every:
        found = [*sample(found, tasks, seed), *walk.chosen(scenes, walks, seed)]
    return sorted(found, key=lambda each: (each.scene, each.view, each.id))


def _licence(credit: str) -> str:
    return credit.rpartition(", ")[2] or "unknown"


def _pieces(scenes: Sequence[Folder], tasks: Sequence[Instance]) -> list[ExportBatch]:
    """Divide tasks into pieces of one scene; views stay in order, since tasks share pictures."""
    found: list[ExportBatch] = []
    for folder in scenes:
        mine = [task.id for task in tasks if task.scene == folder.path.name]
        most = tables.most(folder.views[0])
        for part, first in enumerate(range(0, len(mine), most)):
            ids = tuple(mine[first : first + most])
            found.append(ExportBatch(len(found), part, folder.path, ids))
    return found


def _placed(
    pieces: Sequence[ExportBatch], scenes: Sequence[Folder], tasks: Sequence[Instance], seed: int
) -> list[ExportBatch]:
    """Give every piece the options of its tasks, and the indices that its rows begin with."""
    labels = {thing.label for folder in scenes for thing in folder.scene.things}
    every = options(tasks, choices, labels, seed)
    found, first, second = [], 1, 1
    for piece in pieces:
        mine = {id: every[id] for id in piece.tasks if id in every}
        found.append(replace(piece, places=Places(first, second, mine)))
        first, second = first + len(piece.tasks), second + len(mine)
    return found


def fill(chosen: Chosen, jobs: int, done: Callable[[str], None], folder: Path) -> None:
    """Fill a folder: every batch, the files beside them, and at last the manifest."""
    rows: Counter[str] = Counter()
    work, places = partial(_write, chosen.to, folder), [folder, chosen.pieces[0].folder.parent]
    for piece, some in each(work, chosen.pieces, jobs=jobs, places=places):
        rows.update(some)
        done(piece.folder.name)
    scenes = [Folder(path).scene for path in sorted({piece.folder for piece in chosen.pieces})]
    write_text(folder / CREDITS, "\n".join(credits(scene) for scene in scenes))
    if chosen.to == "parquet":
        rows[tables.SCENE_FILES] = len(scenes)
        readme = _tables_beside(chosen, scenes, folder)
    else:
        both = vlmevalkit.gather(folder, len(chosen.pieces), record.key(chosen.record))
        readme = card.vlmevalkit(chosen.drawn, chosen.by_type, both)
    write_text(folder / "README.md", readme)
    told = {"rows": dict(rows), "by_type": dict(chosen.by_type)}
    record.finish(folder, chosen.record, told)


def _tables_beside(chosen: Chosen, scenes: Sequence[Scene], folder: Path) -> str:
    """Write the files beside the tables of tasks; return the text of the README."""
    for scene in scenes:
        tables.write_scene(folder, scene)
    cc0 = card.licence(chosen.drawn.licences) == "cc0-1.0"
    about = About(
        card.TITLE,
        f"Tasks that came of walking through generated 3D scenes, after TEA ({card.PAPER}).",
        card.HOME,
        __version__,
        card.CC0_AT if cc0 else CREDITS,
        card.CITE,
    )
    sets = (
        ParquetTable(
            "tasks", "tasks/*.parquet", tables.TASKS, tables.TOLD, "Tasks with their pictures."
        ),
        ParquetTable("scenes", "scenes/*.parquet", tables.SCENES, tables.SCENE_TOLD, "The scenes."),
    )
    files = [file for file in record.files(folder) if file.name.endswith(".parquet")]
    write_json(folder / "croissant.json", croissant(about, sets, files))
    return card.parquet(chosen.drawn, chosen.by_type)


def _write(to: str, folder: Path, piece: ExportBatch) -> dict[str, int]:
    """Write one piece, and return how many rows it gave, of which kind."""
    opened = _opened(piece.folder)
    tasks = [opened.task[id] for id in piece.tasks]
    asked = shown(opened, tasks)
    if to == "parquet":
        tables.write_tasks(folder, opened.scene.id, piece.part, asked)
        return {tables.TASK_FILES: len(tasks)}
    assert piece.places is not None
    vlmevalkit.write_rows(folder, piece.number, asked, piece.places)
    return {"open": len(tasks), "choice": len(piece.places.options)}


_opened = lru_cache(maxsize=1)(Folder)
"""Gives a scene's folder by its path: the pieces of a scene come one after the other."""

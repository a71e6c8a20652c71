"""TEA-Test on a folder of generated tasks: its sample, its run, rows and scores.

A run's folder holds ``manifest.json`` (with the relative path of the tasks' folder),
``rows.jsonl`` (each reply, and each move of a walk) and ``scores.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache, cached_property, partial
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, Self

from worldquiz.errors import CatalogError
from worldquiz.exam.answerers import NOBODY, Own, Who
from worldquiz.exam.asking import Begin, ItemsRun
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import Told, read_json
from worldquiz.runs.folder import MANIFEST, data_folder, note
from worldquiz.runs.items import Line, RunItem, Shown
from worldquiz.runs.rows import ROWS, ItemKey, read_rows, row_fields
from worldquiz.runs.settings import RunSettings
from worldquiz.stats.row_scores import headline
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.baselines import baseline
from worldquiz.tea.exam.grade import family, read, shape, worth
from worldquiz.tea.exam.sample import TASKS, chance, sample
from worldquiz.tea.kinds.kinds import Goal, Instance
from worldquiz.tea.settings import TeaSettings

KIND = "tea-run"
PUBLISHED: dict[str, tuple[float, float, float]] = {
    "embodied-counting": (0.6571, 0.819, 0.8476),
    "mirror-counting": (0.87, 0.98, 0.83),
    "in-view": (0.188, 0.4957, 0.6239),
    "classification": (0.049, 0.4196, 0.7448),
    "localization": (0.0468, 0.4367, 0.4913),
    "pattern-counting": (0.6701, 0.7938, 0.8041),
    "relation": (0.805, 0.94, 0.89),
}
"""Table 3 by our names of types: the least and greatest score of its eight models, and people's.

Depth and localization in space are not in the table."""


class TeaRun(ItemsRun):
    """TEA-Test on a folder of generated tasks: tasks to answer, then walks.

    Equal settings select the same tasks from a folder.
    """

    kind, noun = KIND, "tasks"
    of: ClassVar[type[RunSettings]] = TeaSettings
    told: ClassVar[Sequence[str]] = ("tasks", "walks", "seed")
    """Settings of the test that a manifest holds."""

    def __init__(self, data: Path, settings: Any, who: Who = NOBODY) -> None:
        self.data, self.settings, self.who = data, settings, who

    @classmethod
    def of_run(cls, run: Path, data: Path | None) -> Self:
        """Open the test of a run; `data` is the tasks' folder, if not the one that the run names.

        Raises `RecordError` if the tasks are not there.
        """
        told = Told(read_json(run / MANIFEST), run / MANIFEST)
        return cls(data_folder(run, data), cls.of(**{name: told[name] for name in cls.told}))

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def every(self) -> tuple[Instance, ...]:
        """All tasks of the folder."""
        return tuple(task for folder in self.folders.values() for task in folder.tasks)

    @cached_property
    def draw(self) -> Callable[[int, int], tuple[Instance, ...]]:
        """Function that samples the tasks by size and seed, and keeps its results."""
        return cache(partial(sample, self.every))

    @cached_property
    def answered(self) -> tuple[Instance, ...]:
        """The sampled tasks to answer in a reply."""
        return self.draw(self.settings.tasks, self.settings.seed)

    @cached_property
    def walks(self) -> tuple[Instance, ...]:
        """The sampled navigation tasks, in which the answerer walks."""
        given = self.settings
        return walk.chosen(list(self.folders.values()), given.walks, given.seed)

    @cached_property
    def tasks(self) -> dict[ItemKey, Instance]:
        """The sampled tasks by the keys of their rows: first tasks to answer, then walks."""
        return {key_of(task): task for task in (*self.answered, *self.walks)}

    @cached_property
    def items(self) -> dict[ItemKey, RunItem]:
        """The sampled tasks as items of a run, by the keys of their rows."""
        return {
            key: RunItem(
                key=key, shown=partial(self.shown, task), row=partial(self.graded, task),
                walked=isinstance(task.truth, Goal),
            )
            for key, task in self.tasks.items()
        }  # fmt: skip

    @cached_property
    def chance(self) -> Mapping[str, float]:
        """Mean score of guessing for each type, always from the test with default settings."""
        return chance(self.draw(TASKS, 0))

    @property
    def about(self) -> dict[str, Any]:
        """The digest of the data, and the settings of the test."""
        told = {name: getattr(self.settings, name) for name in self.told}
        return {"data": str(read_json(self.data / MANIFEST).get("digest")), **told}

    def require(self) -> None:
        """Check the answerer, and that the tasks' pictures can be read and, for walks, drawn."""
        if self.walks:
            from worldquiz_scenes.gl import backend, engine

            engine()
            backend()
        super().require()
        if isinstance(self.who, str):
            return
        if isinstance(self.who, Own) and self.walks and not self.who.walks():
            raise CatalogError(f"{self.who.name!r} cannot walk: missing method 'act'")
        for task in self.answered[:1]:
            self.shown(task)
        for task in self.walks[:1]:
            show.cut_outs(self.folders[task.scene], task)

    def begin(self, out: Path) -> None:
        """Write the path of the tasks' folder into the run's folder."""
        note(self.data, out)

    def shown(self, task: Instance) -> Shown:
        """Return the prompt and pictures of a task that is not a walk."""
        folder = self.folders[task.scene]
        question = show.prompt(task, folder.view[task.view].camera)
        return Shown(question=question, pictures=show.pictures(folder, task))

    def graded(self, task: Instance, line: Line, who: str) -> Row:
        """Return the row of a reply or a walk."""
        return row_of(task, line, who, self.chance.get(family(task.type)))

    @cached_property
    def _answers(self) -> Callable[[Instance], str]:
        """The function with which the run's baseline answers a task."""
        asked = frozenset(task.id for task in self.answered)
        return baseline(str(self.who), self.every, self.settings.seed, asked)

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield the replies and walks of the run's baseline."""
        for key in keys:
            if not self.items[key].walked:
                yield key, {"reply": self._answers(self.tasks[key])}
        walks = [self.tasks[key] for key in keys if self.items[key].walked]
        for task, trip in walk.trips(self.folders, walks, str(self.who), self.settings.seed):
            yield key_of(task), asdict(trip)

    @contextmanager
    def walking(self, world: str) -> Iterator[Begin]:
        """Open a scene for walks."""
        with walk.walking(self.folders[world]) as begin:
            yield lambda key: begin(self.tasks[key])


def key_of(task: Instance) -> ItemKey:
    """Return the key of a task's row."""
    return task.scene, family(task.type), task.id


def row_of(task: Instance, line: Mapping[str, Any], who: str, guess: float | None = None) -> Row:
    """Return the row of a reply or a walk, whose raw record is `line`.

    A walk scores 1 if it succeeds, else 0; its reply is the list of the agent's poses: x, y in
    metres and heading in radians. A failed task has no score, and states the reason.
    """
    answer, correct, more = None, 0.0, dict[str, Any]()
    measures: dict[str, Any] = {"type": task.type}
    if line.get("status") == AnswerStatus.FAILED:
        pass
    elif isinstance(task.truth, Goal):
        trip = walk.read({**line, "id": task.id})
        measures |= {name: line[name] for name in ("stands", "gave_up", "replies") if name in line}
        line = {**line, "reply": json.dumps([stand.at for stand in trip.stands])}
        correct = float(walk.success(trip))
        answer = "arrived" if correct else "gave up" if trip.gave_up else "out of moves"
    else:
        more = {"choices": show.choices(task), "guess": guess}
        found = read(str(line["reply"]), shape(task), more["choices"], task.command)
        answer, correct = show.gold(found) if found else None, worth(task.truth, found)
    told = row_fields(line, answer)
    return Row(
        run="", benchmark="tea", answerer=who, world=task.scene, item=task.id,
        type=family(task.type), format=shape(task),
        gold=show.gold(task.truth), prompt=show.command(task), shown=True, measures=measures,
        correct=correct if told["status"] is AnswerStatus.ANSWERED else None, **told, **more,
    )  # fmt: skip


def table(rows: Sequence[Row]) -> dict[str, Any]:
    """Return mean scores and counts by type and overall: `mean` over tasks, `macro` over types.

    Each entry has `mean` (None without tasks), `asked` and `ill_formed`; a type's entry also has
    `guess`, the mean score that guessing without pictures can reach.
    """
    types = {
        name: {**_cell(some), "guess": some[0].guess}
        for name in sorted({row.type for row in rows})
        for some in [[row for row in rows if row.type == name]]
    }
    means = [each["mean"] for each in types.values()]
    return {"types": types, "all": {**_cell(rows), "macro": fmean(means) if means else None}}


def _cell(rows: Sequence[Row]) -> dict[str, Any]:
    return {
        "mean": fmean(row.grade or 0.0 for row in rows) if rows else None,
        "asked": len(rows),
        "ill_formed": sum(row.status is not AnswerStatus.ANSWERED for row in rows),
    }


def measures_of(row: Row, run: Path) -> Told:
    """Return the measures recorded in a row; reading a missing one raises `RecordError`."""
    return Told({"id": row.item, **row.measures}, f"{run / ROWS}: {row.item}")


def rescored(run: Path) -> dict[str, Any]:
    """Return a finished run's scores: knowledge (score corrected for guessing), Tables 3 and 4.

    Failed tasks are not counted. Raises `RecordError`.
    """
    rows = [row for row in read_rows(run) if row.status is not AnswerStatus.FAILED]
    tasks = [row for row in rows if row.format != "walk"]
    trips = [walk.read(measures_of(row, run)) for row in rows if row.format == "walk"]
    return {**headline(tasks), **table(tasks), "navigation": walk.table_4(trips)}

"""TEA-Test on a folder of generated tasks: what is asked, the run, its rows and scores.

A run's folder holds ``manifest.json`` (which tells where the tasks' folder is from there),
``rows.jsonl`` (each reply as it was given, each walk as it went) and ``scores.json``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from worldquiz.errors import CatalogError, RecordError
from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.client import Reach
from worldquiz.records import Told, read_json
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import FOLDER, MANIFEST, RunManifest, answered_by, note, read_manifest
from worldquiz.runs.life import live
from worldquiz.runs.rows import ROWS, ItemKey, Rows, by_item, read_rows, spent, status_of
from worldquiz.stats.row_scores import headline
from worldquiz.tea.answering import NOBODY, Baseline, OwnAnswerer, Reply, Who, holds_tasks
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.run import ApartmentRun, about, baseline, key_of
from worldquiz.tea.exam.sample import CHANCE, chance, sample
from worldquiz.tea.scoring.grade import family, grade, shape
from worldquiz.tea.scoring.tables import Trip, success, table, table_4
from worldquiz.tea.settings import TeaSettings
from worldquiz.tea.taskgraph import Box2, Box3, Goal, Instance
from worldquiz_scenes.view import Camera

KIND, NOUN = "tea-run", "run of `worldquiz tea run`"
WALK = "walk"
"""The format of a task that is walked."""
Chances = Mapping[str, Mapping[str, float | None]]
"""Scores that are possible unseen, as `sample.chance` gives them."""


class Exam(ApartmentRun):
    """TEA-Test drawn from a folder of generated tasks: tasks to answer, then walks.

    Equal settings draw the same tasks of a folder.
    """

    kind, noun = KIND, "tasks"

    def __init__(self, data: Path, settings: TeaSettings, who: Who = NOBODY) -> None:
        super().__init__(data, who)
        self.settings = settings

    @property
    def asked(self) -> Mapping[str, Any]:
        """Return what the manifest says of the questions."""
        given = self.settings
        return {"tasks": given.tasks, "trips": given.walks, "seed": given.seed}

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def every(self) -> tuple[Instance, ...]:
        """All tasks that there are."""
        return tuple(task for folder in self.folders.values() for task in folder.tasks)

    @cached_property
    def answered(self) -> tuple[Instance, ...]:
        """The tasks that are answered."""
        return sample(self.every, self.settings.tasks, self.settings.seed)

    @cached_property
    def walks(self) -> tuple[Instance, ...]:
        """The tasks that are walked."""
        given = self.settings
        return walk.chosen(list(self.folders.values()), given.walks, given.seed)

    @cached_property
    def tasks(self) -> dict[ItemKey, Instance]:
        """All tasks by the keys of their rows."""
        return {key_of(task): task for task in (*self.answered, *self.walks)}

    @cached_property
    def chance(self) -> Chances:
        """The scores possible unseen."""
        return chance(self.answered)

    def require(self) -> None:
        """Check the answerer, the tasks, and the libraries that show and draw them."""
        super().require()
        if self.walks:
            from worldquiz_scenes.gl import backend, engine

            engine()
            backend()
        if isinstance(self.who, Baseline):
            return
        if isinstance(self.who, OwnAnswerer) and self.walks and not self.who.walks():
            raise CatalogError(f"{self.who.name!r} cannot walk: missing method 'act'")
        for task in self.answered[:1]:
            self.shown(task)
        for task in self.walks[:1]:
            show.cut_outs(self.folders[task.scene], task)

    def begin(self, out: Path) -> None:
        """Note the place of the tasks, and the scores possible unseen."""
        note(self.data, out, chance=self.chance)

    def camera(self, task: Instance) -> Camera:
        """Return the camera that took the picture of a task."""
        return self.folders[task.scene].view[task.view].camera

    def shown(self, task: Instance) -> tuple[str, Sequence[bytes]]:
        """Return a task that is answered as it is shown: its words, and its pictures as PNG."""
        folder = self.folders[task.scene]
        return show.prompt(task, self.camera(task)), show.pictures(folder, task)

    def row(self, line: Mapping[str, Any], who: str | None = None) -> Row:
        """Return the row of a reply or a walk."""
        task = self.tasks[by_item(line)]
        return row_of(task, line, who or answered_by(self.manifest), self.chance)

    def guess(self, who: Baseline, tasks: Sequence[Instance]) -> Iterator[dict[str, Any]]:
        """Yield the replies and walks of a baseline."""
        seed, ids = self.settings.seed, frozenset(task.id for task in self.answered)
        answer = baseline(who.name, self.every, seed, who.error, ids)
        for task in tasks:
            if not _walked(task):
                yield {**about(task), "reply": answer(task)}
        walks = filter(_walked, tasks)
        for task, trip in walk.trips(self.folders, walks, who.name, seed, who.error):
            yield {**about(task), **asdict(trip)}

    def lines(
        self, tasks: Sequence[Instance], answer: Reply, step: Reply
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of an answerer in one scene: the tasks, then the walks."""
        yield from super().lines([task for task in tasks if not _walked(task)], answer, step)
        if walks := list(filter(_walked, tasks)):
            with walk.walking(self.folders[walks[0].scene]) as begin:
                for task in walks:
                    steps = begin(task)
                    while not steps.over:
                        steps.say(step(f"at walk {task.id!r}", steps.words, steps.pictures))
                    yield {**about(task), **steps.line}

    def ask(self, reach: Reach, left: Sequence[ItemKey], kept: Rows) -> None:
        """Ask a model all tasks at once, then have it walk, scene by scene."""
        super().ask(reach, [key for key in left if not _walked(self.tasks[key])], kept)
        walks = [task for key in left if _walked(task := self.tasks[key])]
        walks.sort(key=lambda task: task.scene)
        for scene, some in groupby(walks, key=lambda task: task.scene):
            with walk.walking(self.folders[scene]) as begin:
                _lead(begin, [task for task in some if not kept.has(key_of(task))], reach, kept)

    def score(self, out: Path, kept: Rows) -> dict[str, Any]:
        """Return the scores of the rows."""
        return rescored(out)


def run(data: Path, given: TeaSettings, who: Who, out: Path, done: Done = silent) -> dict[str, Any]:
    """Ask everything that was not asked before, and return the scores; of a shard, what it is.

    An answerer of the user's own that has no method `act` is given no walks. Raises before `out`
    is touched `RecordError` without a finished folder of tasks, `CatalogError` for an unknown
    answerer or model and an object that is no answerer, `MissingExtra`, `NoPictures`; later
    `RecordError` where `out` holds anything else, `WorldError` where questions could not be asked.
    """
    if isinstance(who, OwnAnswerer) and given.tasks and not who.walks():
        given = replace(given, walks=0)
    return live(Exam(data, given, who), out, done, given)


def _walked(task: Instance) -> bool:
    return isinstance(task.truth, Goal)


def _lead(begin: walk.Begin, walks: Sequence[Instance], reach: Reach, kept: Rows) -> None:
    """Have a model lead some walks of one scene, side by side."""
    from worldquiz.llm.calls import Calls, Counter, each_asked, gone_on, spent, spent_on
    from worldquiz.llm.model import Purpose

    model = reach.made()

    async def one(task: Instance) -> None:
        calls = Calls(kept.folder, task.id, kept.done)

        async def walked() -> tuple[walk.Walk, Counter]:
            counter, steps = Counter(calls), begin(task)
            counted = counter.counting(model, Purpose.QUIZ)
            talk = [show.message(steps.words, steps.pictures)]
            while not steps.over:
                reply = await counted.generate(talk)
                text = reply.text if reply.given else ""
                talk.append({"role": "assistant", "content": text})
                if steps.say(text) is not None:
                    talk.append(show.message(steps.words, steps.pictures))
            return steps, counter

        try:
            steps, counter = await gone_on(f"walk {task.id}", calls, walked)
            kept.keep({**about(task), **steps.line, "usage": spent(counter)})
            calls.forget()
        except Exception as error:  # whatever a provider's library raises
            kept.lose(about(task), error)

    each_asked(one, walks, reach, (model,), spent_on(kept))


def row_of(task: Instance, line: Mapping[str, Any], who: str, chances: Chances) -> Row:
    """Return the row of a reply or a walk, kept as a line; `chances` may lack the type.

    A walk's score is its success, its reply the path: x, y in metres and heading in radians of
    each stand. A failed task has no score, and states the reason.
    """
    goal = task.truth if isinstance(task.truth, Goal) else None
    told: dict[str, Any] = {"correct": None}
    measures: dict[str, Any] = {}
    if line.get("status") == AnswerStatus.FAILED:
        told |= {"reply": "", "status": AnswerStatus.FAILED, "unscored": str(line.get("failure"))}
    elif goal:
        trip = walk.read({**line, "id": task.id})
        arrived = success(trip)
        told |= {
            "reply": json.dumps([stand.at for stand in trip.stands]),
            "answer": "arrived" if arrived else "gave up" if trip.gave_up else "out of moves",
            "status": AnswerStatus.ANSWERED,
            "correct": float(arrived),
        }
        measures = {name: line[name] for name in ("stands", "gave_up", "replies") if name in line}
    else:
        text, choices = str(line["reply"]), show.choices(task)
        found, blind = grade(task, text, choices=choices), chances.get(family(task.type))
        status = status_of(line, readable=found.said is not None)
        told |= {"reply": text, "status": status, "choices": choices, "answer": _said(task, found)}
        if status is AnswerStatus.ANSWERED:
            told["correct"] = found.score
        if blind:
            told["guess"] = blind["one_answer" if blind["words_only"] is None else "words_only"]
    return Row(
        run="", benchmark="tea", answerer=who, world=task.scene, item=task.id,
        type=family(task.type), format=WALK if goal else str(shape(task)),
        gold=f"{goal.thing} within {goal.within:g} m" if goal else _text(show.plain(task.truth)),
        prompt=show.command(task), shown=True, measures={"type": task.type, **measures},
        seconds=line.get("seconds"), **told, **spent(line),
    )  # fmt: skip


def _said(task: Instance, found: Any) -> str | None:
    """Return what a reply was read as, in the form in which it is asked for."""
    said = found.said
    if isinstance(task.truth, Box2) and isinstance(said, tuple):
        said = [whole(each) for each in said]
    elif isinstance(task.truth, Box3) and isinstance(said, tuple):
        said = {"centre": list(said[:3]), "size": list(said[3:])}
    return None if said is None else _text(said)


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def measures_of(row: Row, run: Path) -> Told:
    """Return the measures of a run's row, which raise `RecordError` for one that it lacks."""
    return Told({"id": row.item, **row.measures}, f"{run / ROWS}: {row.item}")


@dataclass(frozen=True, kw_only=True)
class ExamManifest(RunManifest):
    """Schema of a run's manifest."""

    tasks: int
    trips: int
    seed: int
    data: str
    chance: Chances
    folder: str = ""


def rescored(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run's rows: knowledge, Tables 3 and 4.

    Beside them: the scores possible unseen. Raises `RecordError`.
    """
    chances = read_manifest(run, KIND, NOUN, ExamManifest)["chance"]
    tasks, trips = list[Row](), list[Trip]()
    for row in read_rows(run):
        told = measures_of(row, run)
        if row.status is AnswerStatus.FAILED:
            continue
        if row.format == WALK:
            trips.append(walk.read(told))
        else:
            tasks.append(replace(row, measures=told))  # which may lack its form
    asked = sorted({row.type for row in tasks})
    return {
        **headline(tasks),
        **table(tasks),
        "chance": {name: {key: chances[name][key] for key in CHANCE} for name in asked},
        "navigation": table_4(trips),
    }


def exam_of(run: Path, data: Path | None) -> Exam:
    """Return the test of a run, on the tasks in folder `data`, or in the one that the run names.

    Raises `RecordError` where they are not there.
    """
    told = read_json(run / MANIFEST)
    given = TeaSettings(tasks=told["tasks"], walks=told["trips"], seed=told["seed"])
    return Exam(tasks_of(run, data), given)


def tasks_of(run: Path, data: Path | None) -> Path:
    """Return the folder of the tasks of a run. Raises `RecordError` where they are not there."""
    told = read_json(run / MANIFEST)
    there = data or Path(os.path.normpath(run / str(told.get(FOLDER, ""))))
    digest = str(told["data"])
    if not holds_tasks(there, digest):
        raise RecordError(
            f"{there}: holds not the tasks that {run} was run on (digest {digest[:12]}…): give the "
            "folder that `worldquiz tea run` was given with --data DIR"
        )
    return there


def grader(run: Path, data: Path | None) -> Callable[[Row, Mapping[str, Any]], Row]:
    """Return what grades a row's reply again; a walk is none. Raises `RecordError`."""
    exam = exam_of(run, data)
    return lambda row, line: row if row.format == WALK else exam.row(line, row.answerer)

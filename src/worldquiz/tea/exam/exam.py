"""TEA-Test on a folder of generated tasks: what is asked, the run, its rows and scores.

A run's folder holds ``manifest.json`` (which tells where the tasks' folder is from there),
``rows.jsonl`` (each reply as it was given, each walk as it went) and ``scores.json``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from statistics import fmean
from typing import Any, ClassVar, Self

from worldquiz.errors import AgentError, CatalogError, RecordError
from worldquiz.facts.knowledge import whole
from worldquiz.facts.row import AnswerStatus, Purpose, Row
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message
from worldquiz.records import Told, read_json
from worldquiz.runs.executor import Done, Waiting
from worldquiz.runs.folder import MANIFEST, answered_by, data_folder, note
from worldquiz.runs.rows import ROWS, ItemKey, Rows, about_item, by_item, read_rows, row_fields
from worldquiz.runs.settings import RunSettings
from worldquiz.stats.row_scores import headline
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import show, walk
from worldquiz.tea.exam.answerers import NOBODY, OwnAnswerer, Reply, Who
from worldquiz.tea.exam.baselines import baseline
from worldquiz.tea.exam.grade import family, grade, shape
from worldquiz.tea.exam.sample import chance, sample
from worldquiz.tea.kinds.kinds import Box2, Box3, Goal, Instance
from worldquiz.tea.settings import TeaSettings
from worldquiz.version import own_version
from worldquiz_scenes.view import Camera

KIND = "tea-run"
WALK = "walk"
"""The format of a task that is walked."""
PUBLISHED: dict[str, tuple[float, float, float]] = {
    "embodied-counting": (0.6571, 0.819, 0.8476),
    "mirror-counting": (0.87, 0.98, 0.83),
    "in-view": (0.188, 0.4957, 0.6239),
    "classification": (0.049, 0.4196, 0.7448),
    "localization": (0.0468, 0.4367, 0.4913),
    "pattern-counting": (0.6701, 0.7938, 0.8041),
    "relation": (0.805, 0.94, 0.89),
}
"""Table 3 by our name of the type: the least and greatest score of its eight models, and people's.

Depth and localization in space are not in it."""


class Exam:
    """TEA-Test drawn from a folder of generated tasks: tasks to answer, then walks.

    Equal settings draw the same tasks of a folder. It is run as `runs.life.live` carries it from
    first to last; its units are the keys of its tasks.
    """

    kind, noun = KIND, "tasks"
    of: ClassVar[type[RunSettings]] = TeaSettings
    told: ClassVar[Sequence[str]] = ("tasks", "walks", "seed")
    """Settings that a manifest holds: what is asked."""

    def __init__(self, data: Path, settings: Any, who: Who = NOBODY) -> None:
        self.data, self.settings, self.who = data, settings, who

    @classmethod
    def of_run(cls, run: Path, data: Path | None) -> Self:
        """Open the exam of a run, on tasks in folder `data`, or in the one that the run names.

        Raises `RecordError` where they are not there.
        """
        told = read_json(run / MANIFEST)
        return cls(tasks_of(run, data), cls.of(**{name: told[name] for name in cls.told}))

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
        """All tasks by the keys of their rows, in order."""
        return {key_of(task): task for task in (*self.answered, *self.walks)}

    @cached_property
    def chance(self) -> Mapping[str, float]:
        """The guess of each type."""
        return chance(self.answered)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's manifest: what is asked, of what data, and who answers."""
        return {
            "kind": self.kind,
            "data": str(read_json(self.data / MANIFEST).get("digest")),
            **{name: getattr(self.settings, name) for name in self.told},
            "versions": own_version(),
            **({"answerer": self.who} if isinstance(self.who, str) else self.who.record()),
        }

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of all tasks, in order."""
        return tuple(self.tasks)

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.who, Reach):
            self.who.preflight()

    def require(self) -> None:
        """Check the answerer, the tasks, and the libraries that show and draw them."""
        if self.walks:
            from worldquiz_scenes.gl import backend, engine

            engine()
            backend()
        if isinstance(self.who, str):
            return
        self.who.require()
        if isinstance(self.who, OwnAnswerer) and self.walks and not self.who.walks():
            raise CatalogError(f"{self.who.name!r} cannot walk: missing method 'act'")
        for task in self.answered[:1]:
            self.shown(task)
        for task in self.walks[:1]:
            show.cut_outs(self.folders[task.scene], task)

    def begin(self, out: Path) -> None:
        """Note the place of the tasks."""
        note(self.data, out)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        return Rows(out, done, self.row)

    def camera(self, task: Instance) -> Camera:
        """Return the camera that took the picture of a task."""
        return self.folders[task.scene].view[task.view].camera

    def shown(self, task: Instance) -> tuple[str, Sequence[bytes]]:
        """Return a task that is answered as it is shown: its words, and its pictures as PNG."""
        folder = self.folders[task.scene]
        return show.prompt(task, self.camera(task)), show.pictures(folder, task)

    def messages(self, task: Instance) -> list[Message]:
        """Return a task as a model is asked it."""
        return [show.message(*self.shown(task))]

    def row(self, line: Mapping[str, Any], who: str | None = None) -> Row:
        """Return the row of a reply or a walk."""
        task = self.tasks[by_item(line)]
        guess = self.chance.get(family(task.type))
        return row_of(task, line, who or answered_by(self.manifest), guess)

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the tasks answered and walked that have no result."""
        match self.who:
            case str() as who:
                for line in self.guess(who, [self.tasks[key] for key in left]):
                    kept.keep(line)
            case OwnAnswerer() as who:
                self._answer(who, frozenset(left), kept)
            case reach:
                self._ask(reach, left, kept)

    def guess(self, who: str, tasks: Sequence[Instance]) -> Iterator[dict[str, Any]]:
        """Yield the replies and walks of a baseline."""
        seed, ids = self.settings.seed, frozenset(task.id for task in self.answered)
        answer = baseline(who, self.every, seed, ids)
        for task in tasks:
            if not _walked(task):
                yield {**about(task), "reply": answer(task)}
        walks = filter(_walked, tasks)
        for task, trip in walk.trips(self.folders, walks, who, seed):
            yield {**about(task), **asdict(trip)}

    def _answer(self, who: OwnAnswerer, left: Collection[ItemKey], kept: Rows) -> None:
        """Have a fresh answerer do all of a scene that has anything left.

        Earlier questions are asked again, to restore the answerer's state.
        """
        with Waiting() as waiting:
            for scene in sorted({scene for scene, _, _ in left}):
                tasks = {key: task for key, task in self.tasks.items() if key[0] == scene}
                try:
                    for line in self._lines([*tasks.values()], *who.methods(waiting)):
                        if by_item(line) in left:
                            kept.keep(line)
                except AgentError as error:  # the answerer's, in this scene
                    for key in tasks:
                        if key in left and not kept.has(key):
                            kept.lose(about_item(key), error)

    def _lines(
        self, tasks: Sequence[Instance], answer: Reply, step: Reply
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of an answerer in one scene: the tasks, then the walks."""
        for task in tasks:
            if not _walked(task):
                yield {**about(task), "reply": answer(f"at task {task.id!r}", *self.shown(task))}
        if walks := list(filter(_walked, tasks)):
            with walk.walking(self.folders[walks[0].scene]) as begin:
                for task in walks:
                    steps = begin(task)
                    while not steps.over:
                        steps.say(step(f"at walk {task.id!r}", steps.words, steps.pictures))
                    yield {**about(task), **steps.line}

    def _ask(self, reach: Reach, left: Sequence[ItemKey], kept: Rows) -> None:
        """Ask a model all tasks at once, then have it walk, scene by scene."""
        from worldquiz.llm.calls import Prompt, ask

        tasks = [self.tasks[key] for key in left]
        ask(
            (Prompt(about(task), partial(self.messages, task))
             for task in tasks if not _walked(task)),
            reach, kept,
        )  # fmt: skip
        walks = sorted(filter(_walked, tasks), key=lambda task: task.scene)
        for scene, some in groupby(walks, key=lambda task: task.scene):
            with walk.walking(self.folders[scene]) as begin:
                _lead(begin, [task for task in some if not kept.has(key_of(task))], reach, kept)


def key_of(task: Instance) -> ItemKey:
    """Return the key of a task's row."""
    return task.scene, family(task.type), task.id


def about(task: Instance) -> dict[str, str]:
    """Return the part of a line that says which task it is about."""
    return about_item(key_of(task))


def _walked(task: Instance) -> bool:
    return isinstance(task.truth, Goal)


def _lead(begin: walk.Begin, walks: Sequence[Instance], reach: Reach, kept: Rows) -> None:
    """Have a model lead some walks of one scene, side by side."""
    from worldquiz.llm.calls import Calls, each_asked

    model = reach.made()

    async def one(task: Instance) -> None:
        calls = Calls(kept.folder, task.id, kept.done)

        async def walked() -> walk.Walk:
            steps, counted = begin(task), calls.counting(model, Purpose.QUIZ)
            talk = [show.message(steps.words, steps.pictures)]
            while not steps.over:
                reply = await counted.generate(talk)
                text = reply.text if reply.given else ""
                talk.append({"role": "assistant", "content": text})
                if steps.say(text) is not None:
                    talk.append(show.message(steps.words, steps.pictures))
            return steps

        try:
            steps = await calls.played(f"walk {task.id}", walked)
            used = calls.usage().get(Purpose.QUIZ)
            kept.keep({**about(task), **steps.line, "usage": used and asdict(used)})
            calls.forget()
        except Exception as error:  # whatever a provider's library raises
            kept.lose(about(task), error)

    each_asked(one, walks, reach, (model,), kept.spent())


def row_of(task: Instance, line: Mapping[str, Any], who: str, guess: float | None = None) -> Row:
    """Return the row of a reply or a walk, kept as a line.

    A walk's score is its success, its reply the path: x, y in metres and heading in radians of
    each stand. A failed task has no score, and states the reason.
    """
    answer, correct, more = None, 0.0, dict[str, Any]()
    measures: dict[str, Any] = {"type": task.type}
    if line.get("status") == AnswerStatus.FAILED:
        pass
    elif _walked(task):
        trip = walk.read({**line, "id": task.id})
        measures |= {name: line[name] for name in ("stands", "gave_up", "replies") if name in line}
        line = {**line, "reply": json.dumps([stand.at for stand in trip.stands])}
        correct = float(walk.success(trip))
        answer = "arrived" if correct else "gave up" if trip.gave_up else "out of moves"
    else:
        more = {"choices": show.choices(task), "guess": guess}
        found = grade(task, str(line["reply"]), choices=more["choices"])
        answer, correct = _said(task, found), found.score
    told = row_fields(line, answer)
    return Row(
        run="", benchmark="tea", answerer=who, world=task.scene, item=task.id,
        type=family(task.type), format=WALK if _walked(task) else str(shape(task)),
        gold=show.gold(task.truth), prompt=show.command(task), shown=True, measures=measures,
        correct=correct if told["status"] is AnswerStatus.ANSWERED else None, **told, **more,
    )  # fmt: skip


def _said(task: Instance, found: Any) -> str | None:
    """Return what a reply was read as, in the form in which it is asked for."""
    said = found.said
    if isinstance(task.truth, Box2) and isinstance(said, tuple):
        said = [whole(each) for each in said]
    elif isinstance(task.truth, Box3) and isinstance(said, tuple):
        said = {"centre": list(said[:3]), "size": list(said[3:])}
    return None if said is None else show.text(said)


def table(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the mean of each type with its counts, and of all: `mean` over tasks, `macro` types'.

    Every cell: mean (None of nothing), asked, ill_formed; a type's also `guess`, which is what can
    be had unseen.
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
    """Return the measures of a run's row, which raise `RecordError` for one that it lacks."""
    return Told({"id": row.item, **row.measures}, f"{run / ROWS}: {row.item}")


def rescored(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run's rows: knowledge, Tables 3 and 4. Raises `RecordError`.

    Failed tasks count in none.
    """
    rows = [row for row in read_rows(run) if row.status is not AnswerStatus.FAILED]
    tasks = [row for row in rows if row.format != WALK]
    trips = [walk.read(measures_of(row, run)) for row in rows if row.format == WALK]
    return {**headline(tasks), **table(tasks), "navigation": walk.table_4(trips)}


def tasks_of(run: Path, data: Path | None) -> Path:
    """Return the folder of the tasks of a run: `data`, or where its manifest says that they are.

    Raises `RecordError` where they are not there.
    """
    there, wanted = data_folder(run, data), read_json(run / MANIFEST)["data"]
    found = read_json(there / MANIFEST) if (there / MANIFEST).is_file() else None
    if not isinstance(found, dict) or found.get("digest") != wanted:
        raise RecordError(
            f"{there}: does not hold the tasks that {run} was run on (digest {str(wanted)[:12]}…): "
            "give the folder that they were asked from with --data FOLDER"
        )
    return there


def grader(run: Path, data: Path | None) -> Callable[[Row, Mapping[str, Any]], Row]:
    """Return what grades a row's reply again; a walk is none. Raises `RecordError`."""
    exam = Exam.of_run(run, data)
    return lambda row, line: row if row.format == WALK else exam.row(line, row.answerer)

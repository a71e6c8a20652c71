"""Take TEA-Test, as ``worldquiz tea run`` does.

A run's folder holds ``manifest.json`` (which tells where the tasks' folder is from there),
``rows.jsonl`` (each reply as it was given, each walk as it went) and ``scores.json``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from worldquiz.errors import AgentError, CatalogError, RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message, Model, Purpose
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, Waiting, silent
from worldquiz.runs.folder import FOLDER, MANIFEST, RunManifest, answered_by, note, read_manifest
from worldquiz.runs.life import live
from worldquiz.runs.rows import ItemKey, Rows, about_item, by_item, read_rows
from worldquiz.tea import answering
from worldquiz.tea.answering import Baseline, OwnAnswerer, Reply, Who, holds_tasks
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.baselines import Known, baseline
from worldquiz.tea.exam.exam import (
    KIND,
    WALK,
    Exam,
    ExamRow,
    ExamSettings,
    key,
    measures_of,
    row_of,
)
from worldquiz.tea.exam.sample import CHANCE, chance
from worldquiz.tea.exam.show import cut_outs, message
from worldquiz.tea.scoring.tables import Trip, table, table_4
from worldquiz.tea.taskgraph import Goal, Instance

Begin = Callable[[Instance], walk.Walk]
NOUN = "run of `worldquiz tea run`"


@dataclass(frozen=True, kw_only=True)
class ExamManifest(RunManifest):
    """Schema of a run's manifest."""

    tasks: int
    trips: int
    seed: int
    data: str
    chance: Mapping[str, Mapping[str, float | None]]  # as `sample.chance`
    folder: str = ""


def run(
    data: Path,
    asked: ExamSettings,
    who: Who,
    out: Path,
    done: Done = silent,
    shard: str | None = None,
    *,
    retry_failed: bool = False,
) -> dict[str, Any]:
    """Ask everything that was not asked before, and return the scores; of a shard, what it is.

    An answerer of the user's own that has no method `step` is given no walks. Raises before `out`
    is touched `RecordError` without a finished folder of tasks, `CatalogError` for an unknown
    answerer or model and an object that is no answerer, `MissingExtra`, `NoPictures`; later
    `RecordError` where `out` holds anything else, `WorldError` where questions could not be asked.
    """
    if isinstance(who, OwnAnswerer) and asked.tasks and not who.walks():
        asked = replace(asked, trips=0)
    work = TestWork(Exam(data, asked), who)
    return live(work, out, done, shard, retry_failed=retry_failed)


class TestWork:
    """TEA-Test as a run: its units are tasks and walks by the keys of their rows."""

    __test__ = False
    noun = "tasks"

    def __init__(self, exam: Exam, who: Who) -> None:
        self.exam, self.who = exam, who

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's manifest: the test and its answerer."""
        asked = self.exam.asked
        told: dict[str, Any] = {"tasks": asked.tasks, "trips": asked.trips, "seed": asked.seed}
        return answering.manifest(KIND, self.exam.data, self.who, **told)

    @cached_property
    def tasks(self) -> dict[ItemKey, Instance]:
        """All tasks that are answered, then those that are walked, by the keys of their rows."""
        return {key(task): task for task in (*self.exam.tasks, *self.exam.walks)}

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
        self.who.require()
        tasks, walks = self.exam.tasks, self.exam.walks
        if walks:
            from worldquiz_scenes.gl import backend, engine

            engine()
            backend()
        if isinstance(self.who, Baseline):
            return
        if isinstance(self.who, OwnAnswerer) and walks and not self.who.walks():
            raise CatalogError(f"{self.who.name!r} cannot walk: missing method 'step'")
        if tasks:
            self.exam.shown(tasks[0])
        if walks:
            cut_outs(self.exam.folders[walks[0].scene], walks[0])

    def begin(self, out: Path) -> None:
        """Note the place of the tasks, and the scores possible unseen."""
        keep(self.exam, out)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        who, chances = answered_by(self.manifest), chance(self.exam.tasks)
        return Rows(out, done, lambda line: row_of(self.tasks[by_item(line)], line, who, chances))

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the tasks answered that have no answer."""
        wanted = frozenset(left)
        match self.who:
            case Baseline() as who:
                self._guess(who, wanted, kept)
            case OwnAnswerer() as who:
                self._answer(who, wanted, kept)
            case reach:
                self._ask(reach, wanted, kept)

    def _guess(self, who: Baseline, left: frozenset[ItemKey], kept: Rows) -> None:
        exam, seed = self.exam, self.exam.asked.seed
        known = Known(exam.every, frozenset(task.id for task in exam.tasks))
        answer = baseline(who.name, known, seed, who.error)
        for task in _of(exam.tasks, left):
            kept.keep({**about(task), "reply": answer(task)})
        walks = _of(exam.walks, left)
        for task, trip in walk.trips(exam.folders, walks, who.name, seed, who.error):
            kept.keep({**about(task), **walk.line(trip)})

    def _answer(self, who: OwnAnswerer, left: frozenset[ItemKey], kept: Rows) -> None:
        """Have a fresh answerer do all of a scene that has anything left.

        The scene's answered tasks are asked again, to restore the answerer's state.
        """
        every = sorted((*self.exam.tasks, *self.exam.walks), key=lambda task: task.scene)
        with Waiting() as waiting:
            for _, group in groupby(every, key=lambda task: task.scene):
                some = list(group)
                if not _of(some, left):
                    continue
                answer, step = who.methods(waiting)
                try:
                    for line in self._lines(some, answer, step):
                        if by_item(line) in left:
                            kept.keep(line)
                except AgentError as error:  # the answerer's, in this scene
                    for task in _of(some, left):
                        if not kept.has(key(task)):
                            kept.lose(about(task), error)

    def _lines(
        self, tasks: Sequence[Instance], answer: Reply, step: Reply
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of a scene's tasks."""
        walks = [task for task in tasks if isinstance(task.truth, Goal)]
        for task in tasks:
            if task not in walks:
                reply = answer(f"at task {task.id!r}", *self.exam.shown(task))
                yield {**about(task), "reply": reply}
        if not walks:
            return
        with walk.walking(self.exam.folders[walks[0].scene]) as begin:
            for task in walks:
                steps = begin(task)
                while not steps.over:
                    steps.say(step(f"at walk {task.id!r}", steps.words, steps.pictures))
                yield {**about(task), **steps.line}

    def _ask(self, reach: Reach, left: frozenset[ItemKey], kept: Rows) -> None:
        """Ask a model all tasks at once, then walk scene by scene."""
        from worldquiz.llm.calls import Prompt, ask

        def prompt(task: Instance) -> Prompt:
            return Prompt(about(task), lambda: [message(*self.exam.shown(task))])

        ask(map(prompt, _of(self.exam.tasks, left)), reach, kept)
        walks = sorted(_of(self.exam.walks, left), key=lambda task: task.scene)
        for scene, some in groupby(walks, key=lambda task: task.scene):
            with walk.walking(self.exam.folders[scene]) as begin:
                _walk_all(begin, [task for task in some if not kept.has(key(task))], reach, kept)


def _walk_all(begin: Begin, walks: Sequence[Instance], reach: Reach, kept: Rows) -> None:
    """Have a model lead some walks of one scene, side by side."""
    from worldquiz.llm.calls import Calls, Counter, each_asked, gone_on, spent, spent_on

    model = reach.made()

    async def one(task: Instance) -> None:
        calls = Calls(kept.folder, task.id, kept.done)

        async def walked() -> tuple[walk.Walk, Counter]:
            counter, steps = Counter(calls), begin(task)
            await lead(steps, counter.counting(model, Purpose.QUIZ))
            return steps, counter

        try:
            steps, counter = await gone_on(f"walk {task.id}", calls, walked)
            kept.keep({**about(task), **steps.line, "usage": spent(counter)})
            calls.forget()
        except Exception as error:  # whatever a provider's library raises
            kept.lose(about(task), error)

    each_asked(one, walks, reach, (model,), spent_on(kept))


async def lead(steps: walk.Walk, model: Model) -> list[Message]:
    """Ask a model for moves until the walk is over; return all that was said."""
    talk = [message(steps.words, steps.pictures)]
    while not steps.over:
        reply = await model.generate(talk)
        text = reply.text if reply.given else ""
        moved = steps.say(text)
        talk.append({"role": "assistant", "content": text})
        if moved is not None:
            talk.append(message(steps.words, steps.pictures))
    return talk


def about(task: Instance) -> dict[str, str]:
    """Return the part of a line that says which task it is about."""
    return about_item(key(task))


def _of(tasks: Iterable[Instance], wanted: frozenset[ItemKey]) -> list[Instance]:
    return [task for task in tasks if key(task) in wanted]


def exam_of(run: Path, data: Path | None) -> Exam:
    """Return the test of a run, on the tasks in folder `data`, or in the one that the run names.

    Raises `RecordError` where they are not there.
    """
    told = read_json(run / MANIFEST)
    there, digest = data or run / str(told.get(FOLDER, "")), str(told["data"])
    if not holds_tasks(there, digest):
        raise RecordError(
            f"{there}: holds not the tasks that {run} was run on (digest {digest[:12]}…): give the "
            "folder that `worldquiz tea run` was given with --data DIR"
        )
    return Exam(there, ExamSettings(told["tasks"], told["trips"], told["seed"]))


def keep(exam: Exam, out: Path) -> None:
    """Note the place of a begun run's tasks, and the scores possible unseen."""
    note(exam.data, out, chance=chance(exam.tasks))


def rescored(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run's rows: Tables 3 and 4. Raises `RecordError`.

    Beside them: the scores possible unseen.
    """
    manifest = read_manifest(run, KIND, NOUN, ExamManifest)
    tasks, trips = list[Row](), list[Trip]()
    for row in read_rows(run, ExamRow):
        told = measures_of(row, run)
        if row.status is AnswerStatus.FAILED:
            continue
        if row.format == WALK:
            trips.append(walk.read(told))
        else:
            tasks.append(replace(row, measures=told))  # which may lack its form
    asked = sorted({row.type for row in tasks})
    chances = manifest["chance"]
    return {
        **table(tasks),
        "chance": {name: {key: chances[name][key] for key in CHANCE} for name in asked},
        "navigation": table_4(trips),
    }

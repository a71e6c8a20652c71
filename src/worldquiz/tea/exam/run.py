"""Take TEA-Test, as ``worldquiz tea run`` does.

A run's folder holds ``manifest.json`` (which tells where the tasks' folder is from there),
``tasks.jsonl`` (what is asked, with its truth), ``answers.jsonl`` (each reply as it was given, each
walk as it went) and ``scores.json``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

from worldquiz.errors import AgentError, CatalogError, RecordError
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message, Model
from worldquiz.llm.records import Purpose
from worldquiz.records import read_json, read_records, write_records
from worldquiz.runs.answer_lines import AnswerLine
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, RunManifest, read_manifest
from worldquiz.runs.journal import Lines, by_id, finished, finished_file, unreached
from worldquiz.runs.life import live
from worldquiz.runs.losses import FAILED, read_losses
from worldquiz.runs.shard import Shard
from worldquiz.runs.sync import Waiting
from worldquiz.tea import answering
from worldquiz.tea.answering import (
    FOLDER,
    Baseline,
    OwnAnswerer,
    Reply,
    Who,
    chosen,
    holds_tasks,
    note,
)
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.baselines import NAMES, Known, baseline
from worldquiz.tea.exam.exam import KIND, Exam, ExamSettings, scored
from worldquiz.tea.exam.sample import chance, families, short
from worldquiz.tea.exam.show import message
from worldquiz.tea.scoring import navigation
from worldquiz.tea.scoring.navigation import Stand
from worldquiz.tea.scoring.table import table
from worldquiz.tea.taskgraph import Goal, Instance


@dataclass(frozen=True, kw_only=True)
class ExamManifest(RunManifest):
    """Schema of a run's manifest."""

    tasks: int
    trips: int
    seed: int
    data: str
    there: Mapping[str, Mapping[str, int]] | None = None
    folder: str = ""


@dataclass(frozen=True)
class ExamLine(AnswerLine):
    """A line of an answer or a walk."""

    stands: Sequence[Stand] = ()
    gave_up: bool = False


TASKS_FILE = "tasks.jsonl"
Begin = Callable[[Instance], walk.Steps]
NOUN = "run of `worldquiz tea run`"


def run(
    data: Path,
    asked: ExamSettings,
    who: Who,
    out: Path,
    done: Done = silent,
    shard: Shard | None = None,
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
    return live(work, out, done, shard, about=lambda id: work.scene[id], retry_failed=retry_failed)


class TestWork:
    """TEA-Test as a run: its units are tasks and walks by their ids."""

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
    def units(self) -> list[str]:
        """The ids of all tasks that are answered, then of those that are walked."""
        return [task.id for task in (*self.exam.tasks, *self.exam.walks)]

    @cached_property
    def scene(self) -> dict[str, str]:
        """The scene that each task and walk is about."""
        return {task.id: task.scene for task in (*self.exam.tasks, *self.exam.walks)}

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.who, Reach):
            self.who.preflight()

    def require(self) -> None:
        """Check the answerer, the tasks, and the libraries that show and draw them."""
        self.who.require()
        if isinstance(self.who, Baseline):
            chosen(NAMES, self.who.name)
        if self.exam.walks:
            from worldquiz_scenes.gl import backend, engine

            engine()
            backend()
        if not isinstance(self.who, Baseline):
            self._require_pictures()

    def _require_pictures(self) -> None:
        if isinstance(self.who, OwnAnswerer) and self.exam.walks and not self.who.walks():
            raise CatalogError(f"{self.who.name!r} cannot walk: missing method 'step'")
        for task in self.exam.tasks[:1]:
            self.exam.shown(task)
        for task in self.exam.walks[:1]:
            walk.goal_pictures(self.exam.folders[task.scene], task)

    def begin(self, out: Path) -> None:
        """Write the tasks of the run, and the place of their folder."""
        keep(self.exam, out)

    def kept(self, out: Path, done: Done) -> Lines[str]:
        """Open the lines of answers."""
        return Lines(out, by_id, done, of=ExamLine)

    def produce(self, left: Sequence[str], kept: Lines[str], out: Path) -> None:
        """Have the tasks answered that have no answer."""
        wanted = frozenset(left)
        match self.who:
            case Baseline() as who:
                self._guess(who, wanted, kept)
            case OwnAnswerer() as who:
                self._answer(who, wanted, kept)
            case reach:
                self._ask(reach, wanted, kept)

    def score(self, out: Path, kept: Lines[str]) -> dict[str, Any]:
        """Return the scores of all answers."""
        return scores(self.exam, kept.lines, read_losses(out).unfinished)

    def _guess(self, who: Baseline, left: frozenset[str], kept: Lines[str]) -> None:
        exam = self.exam
        asked = frozenset(task.id for task in exam.tasks)
        answer = baseline(who.name, Known(exam.every, asked), exam.asked.seed, who.error)
        for task in _of(exam.tasks, left):
            kept.keep({"id": task.id, "reply": answer(task)})
        every, walks = list(exam.folders.values()), _of(exam.walks, left)
        for trip in walk.trips(every, walks, who.name, exam.asked.seed, who.error):
            kept.keep(walk.line(trip))

    def _answer(self, who: OwnAnswerer, left: frozenset[str], kept: Lines[str]) -> None:
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
                        if line["id"] in left:
                            kept.keep(line)
                except AgentError as error:  # the answerer's, in this scene
                    for task in _of(some, left):
                        if not kept.has(task.id):
                            kept.lose({"id": task.id}, error)

    def _lines(
        self, tasks: Sequence[Instance], answer: Reply, step: Reply
    ) -> Iterator[dict[str, Any]]:
        """Yield the lines of a scene's tasks."""
        walks = [task for task in tasks if isinstance(task.truth, Goal)]
        for task in tasks:
            if task not in walks:
                yield {
                    "id": task.id,
                    "reply": answer(f"at task {task.id!r}", *self.exam.shown(task)),
                }
        if not walks:
            return
        with walk.walking(self.exam.folders[walks[0].scene]) as begin:
            for task in walks:
                steps = begin(task)
                while not steps.walk.over:
                    steps.go(step(f"at walk {task.id!r}", steps.words, steps.pictures))
                yield {**walk.line(steps.walk.trip), "replies": steps.replies}

    def _ask(self, reach: Reach, left: frozenset[str], kept: Lines[str]) -> None:
        """Ask a model all tasks at once, then walk scene by scene."""
        from worldquiz.llm.asking import Prompt, ask

        def prompt(task: Instance) -> Prompt:
            return Prompt({"id": task.id}, lambda: [message(*self.exam.shown(task))])

        ask(map(prompt, _of(self.exam.tasks, left)), reach, kept)
        walks = sorted(_of(self.exam.walks, left), key=lambda task: task.scene)
        for scene, some in groupby(walks, key=lambda task: task.scene):
            with walk.walking(self.exam.folders[scene]) as begin:
                _walk_all(begin, [task for task in some if not kept.has(task.id)], reach, kept)


def _walk_all(begin: Begin, walks: Sequence[Instance], reach: Reach, kept: Lines[str]) -> None:
    """Have a model lead some walks of one scene, side by side."""
    from worldquiz.llm.asking import spent, spent_on
    from worldquiz.llm.calls import Calls, gone_on
    from worldquiz.llm.client import each_asked
    from worldquiz.llm.usage import Counter

    model = reach.made()

    async def one(task: Instance) -> None:
        calls = Calls(kept.folder, task.id, kept.done)

        async def walked() -> tuple[walk.Steps, Counter]:
            counter, steps = Counter(calls), begin(task)
            await lead(steps, counter.counting(model, Purpose.QUIZ))
            return steps, counter

        try:
            steps, counter = await gone_on(f"walk {task.id}", calls, walked)
            told = {**walk.line(steps.walk.trip), "replies": steps.replies}
            kept.keep({**told, "usage": spent(counter)})
            calls.forget()
        except Exception as error:  # whatever a provider's library raises
            kept.lose({"id": task.id}, error)

    each_asked(one, walks, reach, (model,), spent_on(kept))


async def lead(steps: walk.Steps, model: Model) -> list[Message]:
    """Ask a model for moves until the walk is over; return all that was said."""
    talk = [message(steps.words, steps.pictures)]
    while not steps.walk.over:
        reply = await model.generate(talk)
        text = reply.text if reply.given else ""
        moved = steps.go(text)
        talk.append({"role": "assistant", "content": text})
        if moved is not None:
            talk.append(message(steps.words, steps.pictures))
    return talk


def _done(
    tasks: Iterable[Instance], lines: Mapping[str, Mapping[str, Any]], left: Collection[str]
) -> list[Instance]:
    """Return the finished tasks; failed ones, and those not reached (`left`), are in no score."""
    reached = (task for task in tasks if task.id not in left)
    return [task for task in reached if lines[task.id].get("status") != FAILED]


def _of(tasks: Iterable[Instance], wanted: frozenset[str]) -> list[Instance]:
    return [task for task in tasks if task.id in wanted]


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
    asked = ExamSettings(told["tasks"], told["trips"], told["seed"])
    if not (run / TASKS_FILE).is_file():
        return Exam(there, asked)
    every = read_records(run / TASKS_FILE, "task", Instance)
    return Exam(there, asked, tuple(each.id for each in every))


def keep(exam: Exam, out: Path) -> None:
    """Write beside a begun run its tasks, their number by type, and the place of their folder."""
    note(exam.data, out, there=exam.there())
    if not (out / TASKS_FILE).is_file():
        write_records(out / TASKS_FILE, "task", Instance, (*exam.tasks, *exam.walks))


def scores(
    exam: Exam, lines: Mapping[str, Mapping[str, Any]], left: Collection[str] = ()
) -> dict[str, Any]:
    """Return Table 3, with the scores possible unseen and the number of tasks, and Table 4.

    `left` are the tasks that the run has not reached.
    """
    return _scores(exam.tasks, exam.walks, lines, exam.there(), left)


def rescored(run: Path) -> dict[str, Any]:
    """Return a finished run's scores from its own records. Raises `RecordError`."""
    manifest = manifest_of(run)
    asked, lines = asked_and_answered(run)
    walks = [task for task in asked if isinstance(task.truth, Goal)]
    tasks = [task for task in asked if not isinstance(task.truth, Goal)]
    left = unreached(run, (task.id for task in asked), lines)
    return _scores(tasks, walks, lines, manifest.get("there") or {}, left)


def asked_and_answered(run: Path) -> tuple[tuple[Instance, ...], dict[str, dict[str, Any]]]:
    """Return the tasks of a finished run, in order, and the line of each answer.

    Raises `RecordError` for a run that is not finished.
    """
    finished_file(run)
    tasks = tuple(read_records(run / TASKS_FILE, "task", Instance))
    return tasks, answers(run)


def answers(run: Path) -> dict[str, dict[str, Any]]:
    """Return the line of each answer of a finished run by its task. Raises `RecordError`."""
    return finished(run, by_id, of=ExamLine)


def manifest_of(run: Path) -> dict[str, Any]:
    """Return a run's manifest. Raises `RecordError` where that is none, or damaged."""
    return read_manifest(run, KIND, NOUN, ExamManifest)


def _scores(
    tasks: Sequence[Instance],
    walks: Sequence[Instance],
    lines: Mapping[str, Mapping[str, Any]],
    there: Mapping[str, Any],
    left: Collection[str],
) -> dict[str, Any]:
    tasks, walks = _done(tasks, lines, left), _done(walks, lines, left)
    asked = {name: len(some) for name, some in families(tasks).items()}
    return {
        **table(scored(task, str(lines[task.id]["reply"])) for task in tasks),
        "chance": chance(tasks),
        "there": there,
        "short": short(asked, {name: told["matched"] for name, told in there.items()}),
        "navigation": navigation.table([walk.read(lines[task.id]) for task in walks]),
    }

"""TEA in Python: scenes with generated tasks, and runs on them.

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")
run.scores; run.frame(); run.report("report.html")
tasks.recall(model="openai/gpt-5.1", out="runs/recall")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.exam.answerers import Own, Who
from worldquiz.exam.asking import ItemsRun
from worldquiz.exam.data import QuizData
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.run import Run
from worldquiz.tea.data import KIND, NOUN
from worldquiz.tea.settings import TeaRecallSettings, TeaSettings

if TYPE_CHECKING:
    from worldquiz.serve.seats import ServedItems
    from worldquiz.tea.interact import Loops
    from worldquiz.tea.kinds.kinds import TaskKind
    from worldquiz_scenes.episode import Pictures


class TaskFolder(QuizData):
    """A folder of scenes with generated tasks."""

    name, kind, noun, place, settings = "tea", KIND, NOUN, "scene", TeaSettings
    baselines, asks = ("oracle", "random", "prior", "blind", "noisy"), ("tasks", "walks", "seed")
    instructions = (
        "You are shown pictures of rooms and asked about what is in them: what a thing is, where "
        "it is, how far away, how many there are. In some tasks you walk to a thing: `move` turns "
        "you and walks you on, `stop` ends the walk."
    )

    @property
    def scenes(self) -> tuple[str, ...]:
        """The names of its scenes."""
        return tuple(sorted(self.manifest["scenes"]))

    @property
    def summary(self) -> dict[str, Any]:
        """Number of tasks by type, scene, loop and origin."""
        from worldquiz.tea.generate import summary

        return summary(self.path)

    def asked(self, who: Who, given: TeaSettings) -> ItemsRun:
        """Return the work of a run; an own answerer without a method `act` is given no walks."""
        from worldquiz.tea.exam.exam import TeaRun

        if isinstance(who, Own) and given.tasks and not who.walks():
            given = replace(given, walks=0)
        return TeaRun(self.path, given, who)

    def recall(self, answerer: object | None = None, **options: Any) -> Run:
        """Show the pictures of a walk through each scene, then ask about it; or finish such a run.

        Options are those of `run`, settings the fields of `TeaRecallSettings`. Raises `KnobError`
        if the walks show too little for any question, and what `run` raises.
        """
        return RecallData(self.path).run(answerer, **options)

    def served(self, name: str, told: Mapping[str, str]) -> ServedItems:
        """Return what ``worldquiz serve`` serves of it, with tools to walk."""
        from worldquiz.tea.serve import ServedScenes

        given = super().served(name, told)
        return ServedScenes(self.place, self.instructions, given.make)

    def __repr__(self) -> str:
        return f"TaskFolder({str(self.path)!r}, {', '.join(self.scenes)})"


class RecallData(QuizData):
    """A folder of scenes, each to be asked about after the pictures of a walk through it."""

    name, kind, noun, settings = "tea", KIND, NOUN, TeaRecallSettings
    baselines = ("oracle", "noisy", "abstainer", "prior", "blind", "random")

    def asked(self, who: Who, given: TeaRecallSettings) -> ItemsRun:
        """Return the work of a run."""
        from worldquiz.tea.recall.quiz import Recall

        return Recall(self.path, given, who)


def build(
    preset: str | None = None,
    *,
    seed: int = 0,
    out: Path | str,
    scenes: int | Sequence[Path | str] | None = None,
    loops: int | Loops = 2,
    size: tuple[int, int] = (640, 480),
    pictures: Sequence[Pictures] = ("rgb",),
    kinds: Sequence[TaskKind] = (),
    jobs: int = 1,
    progress: Done = silent,
) -> TaskFolder:
    """Walk through scenes and make tasks of what is seen; or finish such a build.

    The scenes are those of a `preset` (tiny, paper or large; paper if none is named), `scenes` of
    them if not as many as it has; or those of some folders. `kinds` are kinds of task of your own,
    made beside ours. Equal seeds give equal tasks. Raises `KnobError`, `CatalogError`,
    `MissingExtra`, `NoPictures`; `RecordError` where `out` holds anything else.
    """
    from worldquiz.tea.generate import generate, plan_of

    plan = plan_of(preset, seed, scenes, loops, size, pictures, kinds)
    generate(plan, Path(out), jobs=jobs, done=progress)
    return TaskFolder(out)


def load(path: Path | str) -> TaskFolder:
    """Open a folder of generated tasks. Raises `RecordError` where there is none."""
    return TaskFolder(path)

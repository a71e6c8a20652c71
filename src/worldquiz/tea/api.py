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
    def summary(self) -> dict[str, Any]:
        """Counts of scenes, views and tasks; of tasks also by type, scene, loop and origin."""
        from worldquiz.tea.generate import summary

        return summary(self.path)

    def asked(self, who: Who, given: TeaSettings) -> ItemsRun:
        """Return the TEA-Test for an answerer; one without a method `act` gets no walks."""
        from worldquiz.tea.exam.exam import TeaRun

        if isinstance(who, Own) and given.tasks and not who.walks():
            given = replace(given, walks=0)
        return TeaRun(self.path, given, who)

    def recall(self, answerer: object | None = None, **options: Any) -> Run:
        """Ask questions about each scene after pictures of a walk through it.

        Takes the options of `run`, and as settings the fields of `TeaRecallSettings`. Resumes a
        stopped run. Raises the errors of `run`, and `KnobError` if no walk shows enough to ask.
        """
        return RecallData(self.path).run(answerer, **options)

    def served(self, name: str, told: Mapping[str, str]) -> ServedItems:
        """Return the scenes that ``worldquiz serve`` offers, with tools to walk."""
        from worldquiz.tea.serve import ServedScenes

        given = super().served(name, told)
        return ServedScenes(self.place, self.instructions, given.make)

    def __repr__(self) -> str:
        return f"TaskFolder({str(self.path)!r}, {', '.join(sorted(self.manifest['scenes']))})"


class RecallData(QuizData):
    """A folder of scenes for the recall quiz: pictures of a walk, then questions on the scene."""

    name, kind, noun, settings = "tea", KIND, NOUN, TeaRecallSettings
    baselines = ("oracle", "noisy", "abstainer", "prior", "blind", "random")

    def asked(self, who: Who, given: TeaRecallSettings) -> ItemsRun:
        """Return the recall quiz for an answerer."""
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
    jobs: int = 1,
    progress: Done = silent,
) -> TaskFolder:
    """Walk through scenes and generate tasks from what is seen. A stopped build is resumed.

    `preset` (tiny, paper or large; paper by default) generates the scenes, and `scenes` may change
    their number. Without a preset, `scenes` may instead list folders to read. Equal seeds give
    equal tasks. Raises `KnobError`, `CatalogError`, `MissingExtra`, `NoPictures`, and `RecordError`
    if `out` contains anything but this build.
    """
    from worldquiz.tea.generate import generate, plan_of

    plan = plan_of(preset, seed, scenes, loops, size, pictures)
    generate(plan, Path(out), jobs=jobs, done=progress)
    return TaskFolder(out)


def load(path: Path | str) -> TaskFolder:
    """Open a folder of generated tasks. Raises `RecordError` if there is none."""
    return TaskFolder(path)

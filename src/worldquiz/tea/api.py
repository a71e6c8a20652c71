"""TEA in Python: scenes with generated tasks, and runs on them.

tasks = worldquiz.tea.build("tiny", seed=7, out="tasks")
run = tasks.run(answerer="random", tasks=60, walks=4, out="runs/random")
run.scores; run.frame(); run.report("report.html")
tasks.recall(model="openai/gpt-5.1", out="runs/recall")
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from worldquiz.errors import KnobError
from worldquiz.llm.client import AT_ONCE, NO_LIMITS, TIMEOUT
from worldquiz.llm.limits import Limits
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import read_manifest
from worldquiz.runs.run import Run
from worldquiz.runs.shard import Shard
from worldquiz.runs.sync import blocking
from worldquiz.tea.answering import ERROR, chosen
from worldquiz.tea.data import KIND
from worldquiz.tea.exam.baselines import NAMES as EXAM_BASELINES
from worldquiz.tea.exam.exam import ExamSettings
from worldquiz.tea.exam.sample import TASKS, TRIPS
from worldquiz.tea.interact import Loops
from worldquiz.tea.recall.baselines import NAMES as RECALL_BASELINES
from worldquiz.tea.recall.quiz.exam import EACH
from worldquiz.tea.recall.walked import SHEET, VIEWS, Recall, RecallSettings
from worldquiz_scenes.episode import Pictures
from worldquiz_scenes.quality import USUAL

if TYPE_CHECKING:
    from worldquiz.tea.generate import Plan


class Answerer(Protocol):
    """An object that answers tasks and sheets of questions; its methods may be coroutines.

    With a method `step` of the same signature it also walks: `step` is called for each move.
    """

    def answer(self, prompt: str, pictures: Sequence[bytes]) -> Any:
        """Return the reply to a prompt with pictures, which are PNG files."""
        ...


class TaskFolder:
    """A folder of scenes with generated tasks."""

    def __init__(self, path: Path | str) -> None:
        """Open a finished folder. Raises `RecordError`."""
        self.path = Path(path)
        self._manifest = read_manifest(self.path, KIND, "folder of generated tasks")

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest: the sources of the tasks, and the digests of the folder's files."""
        return dict(self._manifest)

    @property
    def scenes(self) -> tuple[str, ...]:
        """The names of its scenes."""
        return tuple(sorted(self._manifest["scenes"]))

    @property
    def summary(self) -> dict[str, Any]:
        """Number of tasks by type, scene, loop and origin."""
        from worldquiz.tea.generate import summary

        return summary(self.path)

    def run(
        self,
        answerer: str | Answerer | Callable[[], Answerer] | None = None,
        *,
        model: str | None = None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        retries: int = 5,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        error: float = ERROR,
        tasks: int = TASKS,
        walks: int = TRIPS,
        seed: int = 0,
        rated: Sequence[Path | str] = (),
        shard: str | None = None,
        out: Path | str,
        progress: Done = silent,
    ) -> Run:
        """Have a balanced sample of tasks answered and walked, or finish such a run.

        `answerer` is a baseline's name or an `Answerer`; without a method `step` it is given no
        walks. `error` is how often the baseline "noisy" is wrong. With folders of ratings, `rated`,
        only tasks are asked that most of the people who rated them found valid. With `shard`, such
        as "2/5", only the scenes of that part are asked about.
        """
        from worldquiz.tea.exam.run import run

        who = chosen(
            EXAM_BASELINES, answerer, error=error, model=model, base_url=base_url,
            generate=generate, connections=connections, retries=retries, limits=limits,
            timeout=timeout,
        )  # fmt: skip
        asked = ExamSettings(tasks, walks, seed)
        people, folder = [Path(each) for each in rated], Path(out)
        part = Shard.read(shard) if shard is not None else None
        work = partial(
            run, self.path, asked, who, folder, progress, people, part,
            retry_failed=retry_failed,
        )  # fmt: skip
        return _lived(work, folder)

    def recall(
        self,
        answerer: str | Answerer | Callable[[], Answerer] | None = None,
        *,
        model: str | None = None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        retries: int = 5,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        retry_failed: bool = False,
        error: float = ERROR,
        views: int = VIEWS,
        loop: int | None = None,
        each: int = EACH,
        batch: int = SHEET,
        seed: int = 0,
        kinds: Sequence[object] = (),
        out: Path | str,
        progress: Done = silent,
    ) -> Run:
        """Show the pictures of a walk through each scene, then ask about it; or finish such a run.

        `views` pictures are shown from the start of the walk, or of a `loop`; `each` is the most
        questions of a kind and scene, `batch` of one prompt. `kinds` are kinds of question of your
        own, asked beside ours: objects, or classes or functions that make one.
        """
        from worldquiz.tea.recall.run import run

        who = chosen(
            RECALL_BASELINES, answerer, error=error, model=model, base_url=base_url,
            generate=generate, connections=connections, retries=retries, limits=limits,
            timeout=timeout,
        )  # fmt: skip
        quiz = Recall(self.path, RecallSettings(views, loop, each, batch, seed), tuple(kinds))
        folder = Path(out)
        return _lived(lambda: run(quiz, who, folder, progress, retry_failed=retry_failed), folder)

    def draw(
        self, quality: str, *, out: Path | str, jobs: int = 1, progress: Done = silent
    ) -> TaskFolder:
        """Write the same tasks with pictures of another quality: plain, standard or best.

        Raises `KnobError`, `RecordError`, `MissingExtra`, `NoPictures`.
        """
        from worldquiz.tea.redraw import redraw

        folder = Path(out)
        redraw(self.path, quality, folder, jobs=jobs, done=progress)
        return TaskFolder(folder)

    async def arun(self, answerer: Any = None, **options: Any) -> Run:
        """Do as `run` does, without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    async def arecall(self, answerer: Any = None, **options: Any) -> Run:
        """Do as `recall` does, without blocking the event loop."""
        return await asyncio.to_thread(self.recall, answerer, **options)

    def __repr__(self) -> str:
        return f"TaskFolder({str(self.path)!r}, {', '.join(self.scenes)})"


class WrittenTasks:
    """A folder of tasks that a language model wrote, with TEA's loop and without."""

    def __init__(self, path: Path | str) -> None:
        """Open a finished folder. Raises `RecordError`."""
        from worldquiz.tea.written.write import KIND as WRITTEN

        self.path = Path(path)
        self._manifest = read_manifest(self.path, WRITTEN, "folder of written tasks")

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest: the writer, counts of tasks, and counts of dropped commands by reason."""
        return dict(self._manifest)

    def run(self, *arguments: Any, **options: Any) -> Run:
        """Raise `KnobError`: nobody is asked written tasks."""
        raise KnobError(
            f"{self.path}: written tasks have no answers to grade: `worldquiz tea tables` measures "
            "them"
        )

    def __repr__(self) -> str:
        return f"WrittenTasks({str(self.path)!r}, by {self._manifest['writer']})"


def build(
    preset: str | None = None,
    *,
    seed: int = 0,
    out: Path | str,
    scenes: int | Sequence[Path | str] | None = None,
    loops: int | Loops = 2,
    size: tuple[int, int] = (640, 480),
    pictures: Sequence[Pictures] = ("rgb",),
    quality: str = USUAL,
    kinds: Sequence[object] = (),
    jobs: int = 1,
    progress: Done = silent,
) -> TaskFolder:
    """Walk through scenes and make tasks of what is seen; or finish what was begun so.

    The scenes are those of a `preset` (tiny, paper or large; paper if none is named), `scenes` of
    them if not as many as it has; or those of some folders. `kinds` are kinds of task of your own,
    made beside ours: objects, or classes or functions that make one. Equal seeds give equal tasks,
    also in different `quality` (plain, standard or best).
    Raises `KnobError`, `CatalogError`, `MissingExtra`, `NoPictures`; `RecordError` where `out`
    holds anything else.
    """
    from worldquiz.tea.generate import generate

    plan = plan_of(preset, seed, scenes, loops, size, pictures, kinds, quality)
    folder = Path(out)
    generate(plan, folder, jobs=jobs, done=progress)
    return TaskFolder(folder)


def plan_of(
    preset: str | None,
    seed: int,
    scenes: int | Sequence[Path | str] | None,
    loops: int | Loops,
    size: tuple[int, int],
    pictures: Sequence[Pictures],
    kinds: Sequence[object] = (),
    quality: str = USUAL,
) -> Plan:
    """Return the plan that `build` goes by. Raises `KnobError`, `RecordError`."""
    from worldquiz.tea.generate import Plan, scenes_in
    from worldquiz_scenes.generate import suite

    asked = loops if isinstance(loops, Loops) else Loops(loops)
    if scenes is None or isinstance(scenes, int):
        preset = preset or "paper"
        found, places = tuple(suite(preset, seed, scenes)), dict[str, Path]()
    elif preset is None:
        found, places = scenes_in([Path(each) for each in scenes])
    else:
        raise KnobError(f"preset {preset!r}: folders of scenes are given: they say which scenes")
    return Plan(seed, found, asked, size, tuple(pictures), places, preset, tuple(kinds), quality)


def finish(path: Path | str, *, jobs: int = 1, progress: Done = silent) -> TaskFolder:
    """Finish a stopped build by its plan. Raises `RecordError`."""
    from worldquiz.tea import generate

    folder = Path(path)
    generate.finish(folder, jobs=jobs, done=progress)
    return TaskFolder(folder)


def _lived(life: Callable[[], Any], out: Path) -> Run:
    blocking(life)
    return Run(out)

"""Have a model write tasks in scenes, with TEA's loop and without it (arXiv 2602.05249, Table 1).

Both ways ask in the same words, and the first requests are the same to the last pixel:

    without    the views at a scene's start, turning round once, again and again
    first      the same, then the stops of random walks: there are no tasks yet (equation 6)
    second-N   the stops of executing the N-th of the tasks that stand for those of `first`

As many tasks count on either side. A view that shows fewer than two marked things is passed over.

    OUT/plan.json                   written first: the scenes' digest, the writer, what is asked
    OUT/scenes/ID/scene.json        the scene as a value
    OUT/scenes/ID/views.jsonl views/*.png
    OUT/scenes/ID/looks.json        which views each part has, and which tasks were executed
    OUT/scenes/ID/tasks.parquet     the tasks of all parts, and what the first ones grow into
    OUT/replies.jsonl               every reply as it was given
    OUT/manifest.json               written last: counts, what was dropped and why, digests
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import KnobError, WorldError
from worldquiz.llm.client import Reach
from worldquiz.records import digest, read_bytes, read_json, write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.journal import Lines, by_id
from worldquiz.runs.losses import raise_lost
from worldquiz.tea.data import Folder, folders, write_tasks, write_views
from worldquiz.tea.exam.show import message
from worldquiz.tea.generate import require
from worldquiz.tea.interact import Loops, bout, within_reach
from worldquiz.tea.kinds.task_filter import representatives
from worldquiz.tea.mir import described
from worldquiz.tea.taskgraph import Instance
from worldquiz.tea.written import marks
from worldquiz.tea.written.evolution import grown
from worldquiz.tea.written.marks import Request
from worldquiz.tea.written.parts import FIRST, WITHOUT, WritingOutcome, WritingPart, second
from worldquiz.version import own_version
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Shot, Walker, save
from worldquiz_scenes.locomotion import Ground, Move, Pose
from worldquiz_scenes.meshes import copy_meshes
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.view import View

KIND, PLAN, SCENES = "tea-written", "plan.json", "scenes"
LOOKS, REPLIES = "looks.json", "replies.jsonl"
PATIENCE = 6
"""Stops that are made for each view that is wanted, at most."""


@dataclass(frozen=True, slots=True)
class Writing:
    """Settings of writing, the same in every scene."""

    tasks: int = 100  # of each set, as in the paper's sets of 86 to 108
    batch: int = 5  # of each request
    around: int = 4  # views at the start, of one turn round: all that is seen without TEA
    seed: int = 0
    loops: Loops = field(default_factory=Loops)  # its epsilon, looks, stride and chosen count

    def __post_init__(self) -> None:
        if min(self.tasks, self.batch, self.around, self.loops.chosen) < 1:
            raise KnobError(
                f"{self.tasks} tasks of a set, {self.batch} of a request, {self.around} views at "
                f"the start, {self.loops.chosen} tasks executed: give numbers from 1"
            )

    @property
    def apiece(self) -> int:
        """Tasks that are written while one chosen task is executed."""
        return ceil(self.tasks / self.loops.chosen)

    @property
    def requests(self) -> int:
        """Requests of one scene if no reply is of no use."""
        part = ceil(self.apiece / self.batch)
        return 2 * ceil(self.tasks / self.batch) + self.loops.chosen * part


@dataclass(frozen=True, slots=True)
class _Run:
    """One writing run's settings and folder."""

    writing: Writing
    out: Path
    size: tuple[int, int]  # px

    def folder(self, scene: str) -> Folder:
        return Folder(self.out / SCENES / scene)

    def kept(
        self, folder: Folder, near: frozenset[str], shots: Iterable[Shot], wanted: int, most: int
    ) -> Iterator[View]:
        """Yield the views that show enough, with their pictures kept: so many, of `most` shots."""
        for shot in islice(shots, most):
            if len(marks.marks(folder.scene, shot.view, near)) >= marks.LEAST:
                files = {"rgb": f"views/{shot.view.id}.rgb.png"}
                save(shot.images, files, folder.path)
                yield replace(shot.view, files=files)
                wanted -= 1
            if not wanted:
                return

    def walking(
        self,
        folder: Folder,
        near: frozenset[str],
        walker: Walker,
        tasks: Sequence[Instance],
        *names: str,
        wanted: int,
    ) -> list[View]:
        """Return the views of walks: random ones, or to the objects of tasks."""
        draw = rng.child(self.writing.seed, "written", folder.scene.id, *names)

        def shots() -> Iterator[Shot]:
            while True:
                yield from bout(walker, tasks, self.writing.loops, draw)

        return list(self.kept(folder, near, shots(), wanted, PATIENCE * wanted))


def write(
    data: Path,
    writing: Writing,
    who: Reach | None,
    out: Path,
    *,
    jobs: int = 1,
    done: Done = silent,
) -> dict[str, Any]:
    """Write tasks in the scenes of a folder, or finish what was begun by the same command.

    `who` is the model, or None for templates. Returns the manifest. Raises `RecordError` where
    `out` holds anything else, `WorldError` where something could not be asked or seen,
    `CatalogError` for an unknown model, `MissingExtra`.
    """
    if who is not None:
        who.require()
        who.preflight()
    require()
    scenes = {folder.path.name: folder for folder in folders(data)}
    whole = read_json(data / MANIFEST)
    run = _Run(writing, out, (int(whole["size"][0]), int(whole["size"][1])))
    with claimed(out):
        begin(out, PLAN, _plan(run, str(whole["digest"]), who))
        kept = Lines(out, by_id, done, whole=REPLIES)
        sources = [(name, scenes[name].path) for name in scenes]
        _look(run, partial(_first, run), sources, "near", jobs)
        parts = [part for name in scenes for part in _parts(run, name)]
        _asked(run, parts, who, kept)
        first = {part.scene.id: part for part in parts if part.name == FIRST}
        chosen = [(name, first[name].written(kept.lines).tasks) for name in scenes]
        _look(run, partial(_second, run), chosen, "executed", jobs)
        parts = [part for name in scenes for part in _parts(run, name)]
        _asked(run, parts, who, kept)
        return _finished(run, parts, kept)


def total(data: Path, writing: Writing) -> int:
    """Return how many requests are made in a folder's scenes if no reply is of no use."""
    return len(folders(data)) * writing.requests


def _plan(run: _Run, digest: str, who: Reach | None) -> dict[str, Any]:
    told = who.record() if who else {}
    return {
        "kind": KIND,
        "data": digest,
        "size": list(run.size),
        **asdict(run.writing),
        "writer": told.get("model", marks.TEMPLATES),
        "versions": own_version(),
        **({"generate": told["generate"]} if told else {}),
    }


def _look(
    run: _Run, work: Callable[[Any], str], items: Sequence[tuple[str, Any]], key: str, jobs: int
) -> None:
    """Look in the scenes whose views of this loop are not there yet."""
    todo = [item for item in items if key not in _looks(run.folder(item[0]))]
    for _ in each(work, todo, jobs=jobs):
        pass


def _looks(folder: Folder) -> dict[str, Any]:
    path = folder.path / LOOKS
    return dict(read_json(path)) if path.is_file() else {}


def _first(run: _Run, item: tuple[str, Path]) -> str:
    """Turn round at a scene's start, then walk; `item` is its name, and where it is read.

    Raises `WorldError` for a scene in which nothing is seen.
    """
    name, source = item
    folder, turns = run.folder(name), run.writing.around
    scene = read_scene(source)
    copy_meshes(scene, source, folder.path)
    write_scene(folder.path, scene)
    near = within_reach(Ground(folder.scene))
    wanted = ceil(run.writing.tasks / run.writing.batch)
    with Canvas(build(folder.scene, folder.path), size=run.size) as canvas:
        walker = Walker(canvas, size=run.size)

        def turning() -> Iterator[Shot]:
            yield from walker.see()
            for _ in range(turns - 1):
                yield from walker.step(Move(turn=360 / turns))[1]

        around = list(run.kept(folder, near, turning(), turns, turns))
        more = max(wanted - len(around), 0 if around else 1)
        walked = run.walking(folder, near, walker, (), "walks", wanted=more)
    if not around:
        around, walked = walked[:1], walked[1:]
    if not around:
        raise WorldError(
            f"scene {scene.id!r}: no view shows {marks.LEAST} things clearly, so there is nothing "
            "to write tasks about: draw larger pictures, or furnish the scene"
        )
    write_views(folder.path / "views.jsonl", (*around, *walked))
    parts = {WITHOUT: _ids(around), FIRST: _ids((*around, *walked))}
    write_json(folder.path / LOOKS, {"near": sorted(near), "parts": parts})
    return name


def _second(run: _Run, item: tuple[str, Sequence[Instance]]) -> str:
    """Execute the tasks that stand for all (equation 8); `item` is a scene and its first tasks."""
    name, tasks = item
    folder, writing = run.folder(name), run.writing
    looks = _looks(folder)
    views = {view.id: view for view in folder.views}
    first = [views[id] for id in looks["parts"][FIRST]]
    chosen: list[Instance] = []
    if tasks:
        _, rows = described(folder, tasks)
        seed = rng.child_seed(writing.seed, "filter", folder.path.name)
        chosen = [tasks[n] for n in representatives(rows, writing.loops.chosen, seed=seed)]
    wanted, near = ceil(writing.apiece / writing.batch), frozenset(looks["near"])
    with Canvas(build(folder.scene, folder.path), size=run.size) as canvas:
        walker = Walker(canvas, start=Pose(*first[-1].agent), size=run.size)
        walker.index = int(first[-1].id.partition("-")[0]) + 1
        walker.time = first[-1].time
        seen = [
            run.walking(folder, near, walker, (task,), "executes", task.id, wanted=wanted)
            for task in chosen
        ]
    write_views(folder.path / "views.jsonl", (*first, *(view for some in seen for view in some)))
    more = {second(number): _ids(some) for number, some in enumerate(seen, start=1)}
    parts = {**looks["parts"], **more}
    executed = [task.id for task in chosen]
    write_json(folder.path / LOOKS, {**looks, "parts": parts, "executed": executed})
    return name


def _ids(views: Sequence[View]) -> list[str]:
    return [view.id for view in views]


def _parts(run: _Run, name: str) -> list[WritingPart]:
    """Return the parts of a scene that are known so far."""
    folder, writing = run.folder(name), run.writing
    looks = _looks(folder)
    near = frozenset(looks["near"])
    views = {view.id: view for view in folder.views}
    found = []
    for part, ids in looks["parts"].items():
        quota = writing.tasks if part in (WITHOUT, FIRST) else writing.apiece
        some = tuple(views[id] for id in ids)
        found.append(WritingPart(folder.scene, part, quota, some, near, writing.batch))
    return sorted(found, key=lambda part: (part.name != WITHOUT, part.name))


def _asked(run: _Run, parts: Sequence[WritingPart], who: Reach | None, kept: Lines[str]) -> None:
    """Ask until every part has its tasks, or was asked often enough."""
    while todo := [request for part in parts for request in part.missing(kept.lines)]:
        if who is None:
            for request in todo:
                kept.keep({"id": request.id, "reply": marks.rule_based(request)})
            continue
        from worldquiz.llm import asking

        def prompt(request: Request) -> asking.Prompt:
            folder = run.folder(request.scene)
            return asking.Prompt(
                {"id": request.id},
                lambda: [message(marks.prompt(request), [marks.marked(folder, request)])],
            )

        asking.ask(map(prompt, todo), who, kept)
        if any(request.id not in kept.lines for request in todo):
            raise_lost(kept.losses, "requests", len(todo))
            raise WorldError("some requests have no reply; give the command again")


def _finished(run: _Run, parts: Sequence[WritingPart], kept: Lines[str]) -> dict[str, Any]:
    """Write the tasks down, and the manifest last; return it."""
    found: dict[str, dict[str, WritingOutcome]] = {}
    for part in parts:
        found.setdefault(part.scene.id, {})[part.name] = part.written(kept.lines)
    kept.settle([id for some in found.values() for one in some.values() for id in one.requests])
    scenes = {}
    for name, some in found.items():
        folder = run.folder(name)
        evolved = grown(folder.scene, some[FIRST].tasks, seed=run.writing.seed)
        tasks = [task for one in some.values() for task in one.tasks]
        write_tasks(folder.path / "tasks.parquet", (*tasks, *evolved))
        files = ("scene.json", "views.jsonl", LOOKS, "tasks.parquet")
        scenes[name] = {
            "parts": {part: _counts(one) for part, one in some.items()},
            "grown": len(evolved),
            "files": {file: digest(read_bytes(folder.path / file)) for file in files},
        }
    usage: Counter[str] = Counter()
    for line in kept.lines.values():
        used = line.get("usage", {})
        usage.update({name: used[name] for name in ("calls", "input", "output") if name in used})
    manifest = {
        **read_json(run.out / PLAN),
        "scenes": scenes,
        "usage": dict(sorted(usage.items())),
        "digest": digest(repr(sorted(scenes.items()))),
    }
    write_json(run.out / MANIFEST, manifest)
    return manifest


def _counts(one: WritingOutcome) -> dict[str, Any]:
    return {
        "tasks": len(one.tasks),
        "requests": len(one.requests),
        "replies": {str(name): count for name, count in sorted(one.replies.items())},
        "dropped": {str(name): count for name, count in sorted(one.dropped.items())},
        "repeated": len(one.tasks) - len({task.command.casefold() for task in one.tasks}),
    }

"""Have a model write tasks in scenes, with TEA's loop and without it (arXiv 2602.05249, Table 1).

Both ways ask in the same words, and the first requests are the same to the last pixel. Without TEA
the model goes on writing about the views at the start; with it, about an agent's views on its way:
on random walks first, then while it executes tasks chosen to represent all. As many tasks count on
either side.

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
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import KnobError, WorldError, did_you_mean
from worldquiz.llm.client import Reach
from worldquiz.records import digest, read_bytes, read_json, write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.journal import Lines, by_id
from worldquiz.runs.losses import raise_lost
from worldquiz.tea.data import Folder, folders, picture, write_tasks, write_views
from worldquiz.tea.generate import require
from worldquiz.tea.interact import Loops, within_reach
from worldquiz.tea.kinds.task_filter import representatives
from worldquiz.tea.measure import described
from worldquiz.tea.taskgraph import Instance
from worldquiz.tea.written import marks
from worldquiz.tea.written.evolution import grown
from worldquiz.tea.written.parts import FIRST, WITHOUT, Request, WritingOutcome, WritingPart, second
from worldquiz.tea.written.scripted import WRITERS
from worldquiz.tea.written.walk import Looking, look_first, look_second
from worldquiz.version import own_version
from worldquiz_scenes.locomotion import Ground
from worldquiz_scenes.meshes import copy_meshes
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.view import View

KIND, PLAN, SCENES = "tea-written", "plan.json", "scenes"
LOOKS, REPLIES = "looks.json", "replies.jsonl"


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
    """One writing run's folder and settings."""

    writing: Writing
    out: Path
    size: tuple[int, int]

    def folder(self, scene: str) -> Folder:
        return Folder(self.out / SCENES / scene)

    def looking(self, folder: Folder, near: frozenset[str]) -> Looking:
        writing = self.writing
        return Looking(folder.scene, folder.path, self.size, writing.loops, near, writing.seed)


def write(
    data: Path,
    writing: Writing,
    who: Reach | str | None,
    out: Path,
    *,
    jobs: int = 1,
    done: Done = silent,
) -> dict[str, Any]:
    """Write tasks in the scenes of a folder, or finish what was begun by the same command.

    `who` is the model, the name of a scripted writer, or None for templates. Returns the manifest.
    Raises `RecordError` where `out` holds anything else, `WorldError` where something could not be
    asked or seen, `CatalogError` for an unknown model, `KnobError` for an unknown scripted writer,
    `MissingExtra`.
    """
    if isinstance(who, str) and who not in WRITERS:
        raise KnobError(f"--scripted {who!r}: no such writer{did_you_mean(who, WRITERS)}")
    if isinstance(who, Reach):
        who.require()
        who.preflight()
    require()
    scenes = {folder.path.name: folder for folder in folders(data)}
    whole = read_json(data / MANIFEST)
    run = _Run(writing, out, (int(whole["size"][0]), int(whole["size"][1])))
    with claimed(out):
        begin(out, PLAN, _plan(str(whole["digest"]), run, who))
        kept = Lines(out, by_id, done, whole=REPLIES)
        sources = [(name, scenes[name].path) for name in scenes]
        _look(run, partial(_first, run), sources, "near", jobs)
        parts = [part for name in scenes for part in _parts(run, name)]
        _asked(run, parts, who, kept)
        chosen = [(name, _tasks(parts, kept, name, FIRST)) for name in scenes]
        _look(run, partial(_second, run), chosen, "executed", jobs)
        parts = [part for name in scenes for part in _parts(run, name)]
        _asked(run, parts, who, kept)
        return _finished(run, parts, kept)


def total(data: Path, writing: Writing) -> int:
    """Return how many requests are made in a folder's scenes if no reply is of no use."""
    return len(folders(data)) * writing.requests


def _plan(digest: str, run: _Run, who: Reach | str | None) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": KIND,
        "data": digest,
        "size": list(run.size),
        **asdict(run.writing),
        "writer": who if isinstance(who, str) else marks.TEMPLATES,
        "versions": own_version(),
    }
    if not isinstance(who, Reach):
        return record
    told = who.record()
    return record | {"writer": told["model"], "generate": told["generate"]}


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
    """Look around in a scene and walk; `item` is its name, and where it is read."""
    name, source = item
    folder = run.folder(name)
    scene = read_scene(source)
    copy_meshes(scene, source, folder.path)
    write_scene(folder.path, scene)
    near = within_reach(Ground(folder.scene))
    wanted = ceil(run.writing.tasks / run.writing.batch)
    around, walked = look_first(run.looking(folder, near), run.writing.around, wanted)
    write_views(folder.path / "views.jsonl", (*around, *walked))
    parts = {WITHOUT: _ids(around), FIRST: _ids((*around, *walked))}
    write_json(folder.path / LOOKS, {"near": sorted(near), "parts": parts})
    return name


def _second(run: _Run, item: tuple[str, Sequence[Instance]]) -> str:
    """Execute the tasks that stand for all; `item` is a scene's name, and its first tasks."""
    name, tasks = item
    folder = run.folder(name)
    looks = _looks(folder)
    views = {view.id: view for view in folder.views}
    first = [views[id] for id in looks["parts"][FIRST]]
    chosen = _chosen(run.writing, folder, tasks)
    wanted = ceil(run.writing.apiece / run.writing.batch)
    looking = run.looking(folder, frozenset(looks["near"]))
    seen = look_second(looking, chosen, first[-1], wanted)
    write_views(folder.path / "views.jsonl", (*first, *(view for some in seen for view in some)))
    more = {second(number): _ids(some) for number, some in enumerate(seen, start=1)}
    executed = [task.id for task in chosen]
    parts = {**looks["parts"], **more}
    write_json(folder.path / LOOKS, {**looks, "parts": parts, "executed": executed})
    return name


def _chosen(writing: Writing, folder: Folder, tasks: Sequence[Instance]) -> list[Instance]:
    """Return the tasks that stand for all by the paper's filter (equation 8)."""
    if not tasks:
        return []
    _, rows = described(folder, tasks)
    seed = rng.child_seed(writing.seed, "filter", folder.path.name)
    return [tasks[number] for number in representatives(rows, writing.loops.chosen, seed=seed)]


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


def _asked(
    run: _Run, parts: Sequence[WritingPart], who: Reach | str | None, kept: Lines[str]
) -> None:
    """Ask until every part has its tasks, or was asked often enough."""
    scenes = {part.scene.id: run.folder(part.scene.id) for part in parts}
    while todo := [request for part in parts for request in part.missing(kept.lines)]:
        if not isinstance(who, Reach):
            for request in todo:
                reply = _written(request, scenes[request.scene], who)
                kept.keep({"id": request.id, "reply": reply})
            continue
        from worldquiz.tea.written.ask import ask

        ask(todo, scenes, who, kept)
        if any(request.id not in kept.lines for request in todo):
            raise_lost(kept.losses, "requests", len(todo))
            raise WorldError("some requests have no reply; give the command again")


def _written(request: Request, folder: Folder, who: str | None) -> str:
    """Return the reply of a scripted writer, which draws by words and picture, or of templates."""
    view = request.view
    if who is None:
        return marks.rule_based(view, request.marks, request.number, request.batch)
    words = marks.prompt(request.marks, view.camera, request.number, request.batch)
    return WRITERS[who](words, digest(words, picture(folder, view)))


def _tasks(
    parts: Sequence[WritingPart], kept: Lines[str], scene: str, name: str
) -> tuple[Instance, ...]:
    part = next(part for part in parts if (part.scene.id, part.name) == (scene, name))
    return part.written(kept.lines).tasks


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
    manifest = {
        **read_json(run.out / PLAN),
        "scenes": scenes,
        "usage": _usage(kept),
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


def _usage(kept: Lines[str]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for line in kept.lines.values():
        used = line.get("usage", {})
        total.update({name: used[name] for name in ("calls", "input", "output") if name in used})
    return dict(sorted(total.items()))

"""Have a model write tasks in scenes, with TEA's loop and without it (arXiv 2602.05249, Table 1).

The requests of each part use the same text, but show different views:

    without    the views of one full turn at a scene's start, repeated
    first      the same views, then those at the stops of random walks, since there are no tasks yet
    second-N   views at the stops of walks that execute task N, of a few that represent `first`

All `second-N` together have as many tasks as `first`. Views with fewer than two marks are skipped.

    OUT/plan.json                   written first: digest of the scenes, the writer, the settings
    OUT/scenes/ID/scene.json        the scene: its rooms and things
    OUT/scenes/ID/views.jsonl views/*.png
    OUT/scenes/ID/tasks.jsonl       the tasks of all parts, and tasks evolved from `first`
    OUT/replies.jsonl               every reply as received
    OUT/manifest.json               written last: views, counts, dropped tasks by reason

A resumed run repeats the same walks, and sends only the requests that have no reply yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, count, islice
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.errors import KnobError, WorldError
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message, message
from worldquiz.records import read_json, write_json, write_records
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.losses import raise_lost
from worldquiz.runs.rows import Lines
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.generate import require
from worldquiz.tea.interact import Loops, bout, representatives, within_reach
from worldquiz.tea.kinds.kinds import Instance
from worldquiz.tea.mir import described
from worldquiz.tea.settings import TeaWritingSettings
from worldquiz.tea.written import ask
from worldquiz.version import own_version
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Shot, Walker, save
from worldquiz_scenes.locomotion import Ground, Move, Pose
from worldquiz_scenes.meshes import copy_meshes
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.view import View

KIND, PLAN, SCENES, REPLIES = "tea-written", "plan.json", "scenes", "replies.jsonl"
AROUND = 4
"""Views at the start, the only views without TEA."""
PATIENCE = 6
"""Most stops made for each view that is wanted."""


def write(
    data: Path, settings: TeaWritingSettings, out: Path, *, done: Done = silent
) -> dict[str, Any]:
    """Have a model write tasks in the scenes of a folder. A stopped run is resumed.

    Returns the manifest. Raises `RecordError` if `out` contains anything but this run, `WorldError`
    if a request fails or no view shows enough, `CatalogError` for an unknown model, `KnobError`
    without a model, `MissingExtra`.
    """
    if settings.model is None:
        raise KnobError("--model is missing: name the model that writes the tasks")
    who = Reach(settings)
    who.require()
    require()
    sources, whole = folders(data), read_json(data / MANIFEST)
    told = who.record()
    plan = {
        "kind": KIND,
        "data": str(whole["digest"]),
        "size": list(whole["size"]),
        "tasks": settings.tasks,
        "seed": settings.seed,
        "writer": told["model"],
        "versions": own_version(),
        "generate": told["generate"],
    }
    with claimed(out):
        begin(out, PLAN, plan)
        kept = Lines(out, itemgetter("id"), done, whole=REPLIES)
        if (out / MANIFEST).is_file():
            return dict(read_json(out / MANIFEST))
        scenes, asked = {}, list[str]()
        for source in sources:
            writer = SceneWriter(source, out, settings, plan["size"], who, kept)
            scenes[source.path.name] = writer.write()
            asked += [request.id for part in writer.parts.values() for request in part]
        kept.settle(asked)
        usage = {
            name: sum(line["usage"][name] for line in kept.lines.values())
            for name in ("calls", "input", "output")
        }
        manifest = {**plan, "scenes": scenes, "usage": usage}
        write_json(out / MANIFEST, manifest)
        return manifest


def requests_of(tasks: int) -> int:
    """Return the number of requests about a scene; `tasks` is the number of tasks in each set."""
    chosen = Loops().chosen
    return 2 * ceil(tasks / ask.BATCH) + chosen * ceil(ceil(tasks / chosen) / ask.BATCH)


class SceneWriter:
    """Writes the tasks of one scene."""

    def __init__(
        self,
        source: Folder,
        out: Path,
        settings: TeaWritingSettings,
        size: Sequence[int],
        who: Reach,
        kept: Lines[str],
    ) -> None:
        self.settings, self.who, self.kept = settings, who, kept
        self.size = (int(size[0]), int(size[1]))
        self.loops = Loops()
        self.scene = read_scene(source.path)
        self.folder = Folder(out / SCENES / source.path.name)
        copy_meshes(self.scene, source.path, self.folder.path)
        write_scene(self.folder.path, self.scene)
        self.near = within_reach(Ground(self.scene))
        self.parts: dict[str, list[ask.Request]] = {}
        self.quotas: dict[str, int] = {}

    def write(self) -> dict[str, Any]:
        """Write the tasks of all parts, and return the scene's entry in the manifest.

        Raises `WorldError` if no view shows enough, and if a request has no reply.
        """
        size, folder = self.settings.tasks, self.folder
        with Canvas(build(self.scene, folder.path), size=self.size) as canvas:
            walker = Walker(canvas, size=self.size)
            turns = [Move(turn=360 / AROUND)] * (AROUND - 1)
            shots = chain(walker.see(), *(walker.step(move)[1] for move in turns))
            around = list(self._seen(shots, AROUND, AROUND))
            wanted = max(ceil(size / ask.BATCH) - len(around), 0 if around else 1)
            walked = self._walked(walker, (), wanted, "walks")
            around, walked = (around, walked) if around else (walked[:1], walked[1:])
            if not around:
                raise WorldError(
                    f"scene {self.scene.id!r}: no view shows {ask.LEAST} things clearly enough to "
                    "write tasks about: draw larger pictures, or furnish the scene"
                )
            views = [*around, *walked]
            write_records(folder.path / "views.jsonl", "view", View, views)
            self._ask({ask.WITHOUT: around, ask.FIRST: views}, size)
            first, _ = self._read(ask.FIRST)
            chosen = self._chosen(first)
            walker = Walker(canvas, start=Pose(*views[-1].agent), size=self.size)
            walker.index = int(views[-1].id.partition("-")[0]) + 1
            walker.time = views[-1].time
            apiece = ceil(size / self.loops.chosen)
            wanted, executed = ceil(apiece / ask.BATCH), dict[str, list[View]]()
            for number, task in enumerate(chosen, start=1):
                seen = self._walked(walker, (task,), wanted, "executes", task.id)
                views += seen
                executed[f"{ask.SECOND}-{number}"] = seen
            write_records(folder.path / "views.jsonl", "view", View, views)
            self._ask(executed, apiece)
        evolved = ask.grown(self.scene, first, seed=self.settings.seed)
        tasks = [task for part in self.parts for task in self._read(part)[0]]
        write_records(folder.path / "tasks.jsonl", "task", Instance, (*tasks, *evolved))
        return {
            "parts": {part: self._counts(part) for part in self.parts},
            "executed": [task.id for task in chosen],
            "grown": len(evolved),
        }

    def _chosen(self, tasks: Sequence[Instance]) -> list[Instance]:
        """Return a few tasks that represent all (equation 8)."""
        if not tasks:
            return []
        rows = described(self.folder, tasks)
        seed = rng.child_seed(self.settings.seed, "filter", self.folder.path.name)
        return [tasks[n] for n in representatives(rows, self.loops.chosen, seed=seed)]

    def _walked(
        self, walker: Walker, tasks: Sequence[Instance], wanted: int, *names: str
    ) -> list[View]:
        """Return at most `wanted` views from walks to random points, or to the objects of tasks."""
        draw = rng.child(self.settings.seed, "written", self.scene.id, *names)
        shots = chain.from_iterable(bout(walker, tasks, self.loops, draw) for _ in count())
        return list(self._seen(shots, wanted, PATIENCE * wanted))

    def _seen(self, shots: Iterable[Shot], wanted: int, most: int) -> Iterator[View]:
        """Save and yield up to `wanted` views that show enough, from the first `most` pictures."""
        for shot in islice(shots, most):
            if len(ask.marks(self.scene, shot.view, self.near)) >= ask.LEAST:
                files = {"rgb": f"views/{shot.view.id}.rgb.png"}
                save(shot.images, files, self.folder.path)
                yield replace(shot.view, files=files)
                wanted -= 1
            if not wanted:
                return

    def _ask(self, parts: Mapping[str, Sequence[View]], quota: int) -> None:
        """Send the requests of some parts, `quota` tasks each, that do not yet have a reply."""
        kept = self.kept
        for name, views in parts.items():
            self.quotas[name] = quota
            self.parts[name] = ask.requests(self.scene, name, quota, views, self.near)
        every = [request for name in parts for request in self.parts[name]]
        from worldquiz.llm.calls import Prompt
        from worldquiz.llm.calls import ask as ask_all

        def messages(request: ask.Request) -> list[Message]:
            return [message(request.words(), [request.picture(self.folder)])]

        prompts = (Prompt({"id": each.id}, partial(messages, each)) for each in every)
        ask_all(prompts, self.who, kept)
        if missing := [each for each in every if each.id not in kept.lines]:
            raise_lost(kept.losses, "requests", len(missing))
            raise WorldError("some requests have no reply: run the command again to retry them")

    def _read(self, part: str) -> tuple[list[Instance], Counter[str]]:
        """Return a part's tasks, at most its quota, and the number of dropped tasks by reason."""
        tasks, dropped = list[Instance](), Counter[str]()
        for request in self.parts[part]:
            found, lost = request.read(str(self.kept.lines[request.id]["reply"]))
            tasks += found
            dropped.update(lost)
        return tasks[: self.quotas[part]], dropped

    def _counts(self, part: str) -> dict[str, Any]:
        made, (tasks, dropped) = self.parts[part], self._read(part)
        return {
            "views": list(dict.fromkeys(each.view.id for each in made)),
            "tasks": len(tasks),
            "requests": len(made),
            "dropped": dict(sorted(dropped.items())),
            "repeated": len(tasks) - len({task.command.casefold() for task in tasks}),
        }

"""Have a model write tasks in scenes, with TEA's loop and without it (arXiv 2602.05249, Table 1).

Both ways ask in the same words, and the first requests are the same to the last pixel:

    without    the views at a scene's start, turning round once, again and again
    first      the same, then the stops of random walks: there are no tasks yet (equation 6)
    second-N   the stops of executing the N-th of the tasks that stand for those of `first`

As many tasks count on either side. A view that shows fewer than two marked things is passed over.

    OUT/plan.json                   written first: the scenes' digest, the writer, what is asked
    OUT/scenes/ID/scene.json        the scene as a value
    OUT/scenes/ID/views.jsonl views/*.png
    OUT/scenes/ID/tasks.parquet     the tasks of all parts, and what the first ones grow into
    OUT/replies.jsonl               every reply as it was given
    OUT/manifest.json               written last: views, counts, what was dropped and why

A command that was stopped walks again, as it walked before, and asks only what has no reply.

The tasks of `first` evolve by reuse and two ways of recombination (arXiv 2602.05249, Methods):

    reuse          a command to do something with a thing becomes one to go to it: "Go to the mug."
    by picture     a thing that its label names is named by a picture that another task has of it
    exchange       a command takes the thing of another command, if that is of the same sort

Only commands that name their thing by its label, word for word, recombine; only things of one
category are exchanged, so that what could be done with one can be done with the other. A task that
says the same of the same things as an existing one is left out.
"""

from __future__ import annotations

import re
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
from worldquiz.errors import WorldError
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Message
from worldquiz.records import read_json, write_json
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.runs.losses import raise_lost
from worldquiz.runs.rows import Lines
from worldquiz.tea.data import Folder, folders, write_tasks, write_views
from worldquiz.tea.exam.show import message
from worldquiz.tea.generate import require
from worldquiz.tea.interact import Loops, bout, within_reach
from worldquiz.tea.kinds.kinds import (
    AGENT,
    BOX2D,
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    command,
    key,
)
from worldquiz.tea.kinds.perception import NAVIGATION, WITHIN
from worldquiz.tea.kinds.task_filter import representatives
from worldquiz.tea.mir import described
from worldquiz.tea.settings import TeaWritingSettings
from worldquiz.tea.taskgraph import Box2, Crop, Given, Goal, Instance, Word
from worldquiz.tea.written.ask import (
    FIRST,
    LEAST,
    SECOND,
    TEMPLATES,
    TYPE,
    WITHOUT,
    Request,
    marks,
    requests,
)
from worldquiz.version import own_version
from worldquiz_scenes.build import build
from worldquiz_scenes.episode import Shot, Walker, save
from worldquiz_scenes.locomotion import Ground, Move, Pose
from worldquiz_scenes.meshes import copy_meshes
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.save import read_scene, write_scene
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

KIND, PLAN, SCENES, REPLIES = "tea-written", "plan.json", "scenes", "replies.jsonl"
ASKED = ("tasks", "batch", "around", "chosen", "epsilon", "seed")
"""Settings that a plan holds."""
PATIENCE = 6
"""Stops that are made for each view that is wanted, at most."""
_BOX, _CROP = key(OBJECT, BOX2D), key(OBJECT, PICTURE)
_NAMES = (OBJECT.name, OTHER.name)


def write(
    data: Path, settings: TeaWritingSettings, out: Path, *, done: Done = silent
) -> dict[str, Any]:
    """Write tasks in the scenes of a folder, or finish what was begun by the same command.

    Without a model, templates write. Returns the manifest. Raises `RecordError` where `out` holds
    anything else, `WorldError` where something could not be asked or seen, `CatalogError` for an
    unknown model, `MissingExtra`.
    """
    who = Reach.of(settings)
    if who is not None:
        who.require()
        who.preflight()
    require()
    sources, whole = folders(data), read_json(data / MANIFEST)
    told = who.record() if who else {}
    plan = {
        "kind": KIND,
        "data": str(whole["digest"]),
        "size": list(whole["size"]),
        **{name: getattr(settings, name) for name in ASKED},
        "writer": told.get("model", TEMPLATES),
        "versions": own_version(),
        **({"generate": told["generate"]} if told else {}),
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
        usage: Counter[str] = Counter()
        for line in kept.lines.values():
            used = line.get("usage", {})
            usage.update({key: used[key] for key in ("calls", "input", "output") if key in used})
        manifest = {**plan, "scenes": scenes, "usage": dict(sorted(usage.items()))}
        write_json(out / MANIFEST, manifest)
        return manifest


class SceneWriter:
    """Writes the tasks of one scene."""

    def __init__(
        self,
        source: Folder,
        out: Path,
        settings: TeaWritingSettings,
        size: Sequence[int],
        who: Reach | None,
        kept: Lines[str],
    ) -> None:
        self.settings, self.who, self.kept = settings, who, kept
        self.size = (int(size[0]), int(size[1]))
        self.loops = replace(Loops(), chosen=settings.chosen, epsilon=settings.epsilon)
        self.scene = read_scene(source.path)
        self.folder = Folder(out / SCENES / source.path.name)
        copy_meshes(self.scene, source.path, self.folder.path)
        write_scene(self.folder.path, self.scene)
        self.near = within_reach(Ground(self.scene))
        self.parts: dict[str, list[Request]] = {}
        self.quotas: dict[str, int] = {}

    def write(self) -> dict[str, Any]:
        """Look, ask, execute, ask again; return the scene's entry in the manifest.

        Raises `WorldError` for a scene in which nothing is seen, and for requests without a reply.
        """
        asked, folder = self.settings, self.folder
        with Canvas(build(self.scene, folder.path), size=self.size) as canvas:
            walker = Walker(canvas, size=self.size)
            turns = [Move(turn=360 / asked.around)] * (asked.around - 1)
            shots = chain(walker.see(), *(walker.step(move)[1] for move in turns))
            around = list(self._seen(shots, asked.around, asked.around))
            wanted = max(ceil(asked.tasks / asked.batch) - len(around), 0 if around else 1)
            walked = self._walked(walker, (), wanted, "walks")
            around, walked = (around, walked) if around else (walked[:1], walked[1:])
            if not around:
                raise WorldError(
                    f"scene {self.scene.id!r}: no view shows {LEAST} things clearly, so there is "
                    "nothing to write tasks about: draw larger pictures, or furnish the scene"
                )
            views = [*around, *walked]
            write_views(folder.path / "views.jsonl", views)
            self._ask({WITHOUT: around, FIRST: views}, asked.tasks)
            first, _ = self._read(FIRST)
            chosen = self._chosen(first)
            walker = Walker(canvas, start=Pose(*views[-1].agent), size=self.size)
            walker.index = int(views[-1].id.partition("-")[0]) + 1
            walker.time = views[-1].time
            apiece = ceil(asked.tasks / asked.chosen)
            wanted, executed = ceil(apiece / asked.batch), dict[str, list[View]]()
            for number, task in enumerate(chosen, start=1):
                seen = self._walked(walker, (task,), wanted, "executes", task.id)
                views += seen
                executed[f"{SECOND}-{number}"] = seen
            write_views(folder.path / "views.jsonl", views)
            self._ask(executed, apiece)
        evolved = grown(self.scene, first, seed=asked.seed)
        tasks = [task for part in self.parts for task in self._read(part)[0]]
        write_tasks(folder.path / "tasks.parquet", (*tasks, *evolved))
        return {
            "parts": {part: self._counts(part) for part in self.parts},
            "executed": [task.id for task in chosen],
            "grown": len(evolved),
        }

    def _chosen(self, tasks: Sequence[Instance]) -> list[Instance]:
        """Return the tasks that stand for all (equation 8)."""
        if not tasks:
            return []
        _, rows = described(self.folder, tasks)
        seed = rng.child_seed(self.settings.seed, "filter", self.folder.path.name)
        return [tasks[n] for n in representatives(rows, self.settings.chosen, seed=seed)]

    def _walked(
        self, walker: Walker, tasks: Sequence[Instance], wanted: int, *names: str
    ) -> list[View]:
        """Return so many views of walks: random ones, or to the objects of tasks."""
        draw = rng.child(self.settings.seed, "written", self.scene.id, *names)
        shots = chain.from_iterable(bout(walker, tasks, self.loops, draw) for _ in count())
        return list(self._seen(shots, wanted, PATIENCE * wanted))

    def _seen(self, shots: Iterable[Shot], wanted: int, most: int) -> Iterator[View]:
        """Yield the views that show enough, with their pictures kept: so many, of `most` shots."""
        for shot in islice(shots, most):
            if len(marks(self.scene, shot.view, self.near)) >= LEAST:
                files = {"rgb": f"views/{shot.view.id}.rgb.png"}
                save(shot.images, files, self.folder.path)
                yield replace(shot.view, files=files)
                wanted -= 1
            if not wanted:
                return

    def _ask(self, parts: Mapping[str, Sequence[View]], quota: int) -> None:
        """Ask about the views of some parts what has no reply yet."""
        kept, batch = self.kept, self.settings.batch
        for name, views in parts.items():
            self.quotas[name] = quota
            self.parts[name] = requests(self.scene, name, quota, views, self.near, batch)
        every = [request for name in parts for request in self.parts[name]]
        if self.who is None:
            for request in every:
                if request.id not in kept.lines:
                    kept.keep({"id": request.id, "reply": request.template()})
            return
        from worldquiz.llm.calls import Prompt, ask

        def messages(request: Request) -> list[Message]:
            return [message(request.words(), [request.picture(self.folder)])]

        ask((Prompt({"id": each.id}, partial(messages, each)) for each in every), self.who, kept)
        if missing := [each for each in every if each.id not in kept.lines]:
            raise_lost(kept.losses, "requests", len(missing))
            raise WorldError("some requests have no reply; give the command again")

    def _read(self, part: str) -> tuple[list[Instance], Counter[str]]:
        """Return the tasks of a part, no more than its quota, and what was dropped."""
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


def grown(scene: Scene, tasks: Sequence[Instance], *, seed: int = 0) -> tuple[Instance, ...]:
    """Return tasks evolved from written ones, at most as many, drawn by seed; in order of ids."""
    there = {_content(task) for task in tasks}
    found: dict[tuple[object, ...], Instance] = {}
    for each in (*_reused(scene, tasks), *_pictured(scene, tasks), *_exchanged(scene, tasks)):
        if _content(each) not in there:
            found.setdefault(_content(each), each)
    every = list(found.values())
    draw = rng.child(seed, "grown", scene.id)
    drawn = draw.sample(every, min(len(tasks), len(every)))
    return tuple(sorted(drawn, key=lambda each: each.id))


def _content(task: Instance) -> tuple[object, ...]:
    about = (task.bind.get(name) for name in _NAMES)
    return (task.command.casefold(), *about, task.given.get(_CROP))


def _reused(scene: Scene, tasks: Sequence[Instance]) -> Iterator[Instance]:
    """Yield walks to things that only one thing of the scene is called after, one each."""
    labels = Counter(thing.label for thing in scene.things)
    done = set()
    for task in tasks:
        thing = scene.thing[task.bind[OBJECT.name]]
        if labels[thing.label] == 1 and thing.id not in done:
            done.add(thing.id)
            given: dict[str, Given] = {key(OBJECT, LABEL): Word(thing.label)}
            words = command(NAVIGATION.type, NAVIGATION.words, given)
            bind = {name: task.bind[name] for name in (AGENT.name, OBJECT.name, VIEW.name)}
            yield replace(
                task, id=f"{task.id}/reuse", type=NAVIGATION.type.name, command=words, bind=bind,
                given=given, origin=f"reuse of {TYPE}",
            )  # fmt: skip


def _pictured(scene: Scene, tasks: Sequence[Instance]) -> Iterator[Instance]:
    """Yield commands whose thing is told of by its picture in another task's view."""
    for task in tasks:
        thing = task.bind[OBJECT.name]
        others = (each for each in tasks if each.bind[OBJECT.name] == thing)
        donor = next((other for other in others if other.view != task.view), None)
        words = _renamed(scene, task, "the object in picture 2")
        if donor is not None and words is not None:
            box = donor.given[_BOX]
            assert isinstance(box, Box2)
            rest = {name: told for name, told in task.given.items() if name != _BOX}
            yield replace(
                task, id=f"{task.id}/picture", type=f"{TYPE}-by-{PICTURE}", command=words,
                given={**rest, _CROP: Crop(donor.view, box.value)},
                origin=f"recombination of {TYPE} and {TYPE}",
            )  # fmt: skip


def _exchanged(scene: Scene, tasks: Sequence[Instance]) -> Iterator[Instance]:
    """Yield commands about the next task's thing of the same category and another label."""
    for place, task in enumerate(tasks):
        mine = scene.thing[task.bind[OBJECT.name]]
        for donor in (*tasks[place + 1 :], *tasks[:place]):
            thing = scene.thing[donor.bind[OBJECT.name]]
            same = mine.category == thing.category and mine.label != thing.label
            if same and thing.id != task.bind.get(OTHER.name):
                break
        else:
            continue
        words = _renamed(scene, task, f"the {thing.label}")
        if words is not None:
            rest = {OTHER.name: task.bind[OTHER.name]} if OTHER.name in task.bind else {}
            yield replace(
                donor, id=f"{task.id}/exchange", command=words, truth=Goal(thing.id, WITHIN),
                bind={**{name: donor.bind[name] for name in (AGENT.name, VIEW.name)},
                      OBJECT.name: thing.id, **rest},
                given={_BOX: donor.given[_BOX]},
                origin=f"recombination of {TYPE} and {TYPE}",
            )  # fmt: skip


def _renamed(scene: Scene, task: Instance, name: str) -> str | None:
    """Return a command with its thing called otherwise, None where it says not its label."""
    label = re.escape(scene.thing[task.bind[OBJECT.name]].label)
    words, count = re.subn(
        rf"\b(?:(?:the|a|an)\s+)?{label}\b", lambda _: name, task.command, count=1, flags=re.I
    )
    return words[0].upper() + words[1:] if count else None

"""Requests that ask a model to write tasks about a view, and the parser of its replies.

A request shows a view in which numbers mark things: those that the view shows clearly and that an
agent can approach. The text is always the same, apart from the request's number and the marks.

A scene's requests come in parts (`without`, `first`, `second-N`; see `write`). Each part has a
quota of tasks and a list of views: its n-th request shows the n-th view, and after the last view
the first follows again. If a reply has too few tasks, no further request replaces them.

Replies name the thing of each command by its number, or by its label if only one marked thing has
this label. A command that cannot be read, or that names no marked thing, is dropped; manifests
count the dropped commands by reason. Repeated commands are kept, since tables measure repetition.

The tasks of the part `first` also evolve, by reuse and recombination (arXiv 2602.05249, Methods):

    reuse           a command about a thing becomes a command to go to it: "Go to the mug."
    recombination   the label of a thing is replaced by another task's picture of the thing

Only a command that contains its thing's label literally can be recombined. An evolved task that
has the same text and things as an existing task is left out.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from worldquiz import rng
from worldquiz.facts.replies import read_object, said
from worldquiz.tea.data import Folder, opened
from worldquiz.tea.kinds.kinds import (
    AGENT,
    BOX2D,
    LABEL,
    OBJECT,
    OTHER,
    PICTURE,
    VIEW,
    Box2,
    Crop,
    Given,
    Goal,
    Instance,
    Look,
    Word,
    command,
    key,
)
from worldquiz.tea.kinds.perception import WITHIN, navigation
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.view import Sighting, View

WITHOUT, FIRST, SECOND = "without", "first", "second"
TYPE = "command"
"""Type of a written task."""
LEAST, MOST = 2, 20
"""Fewest marks of a view to ask about, and most marks of a view."""
BATCH = 5
"""Tasks per request."""
READ = 40_000
"""Characters of a reply that are read, from its end."""
LONGEST = 1_200
"""Most characters of a command."""
EXAMPLE = "Bring the mug on the desk to the sofa."
"""An example command for the model."""
UNREADABLE = "no tasks in the reply"
ILL_FORMED = f"no command of two words to {LONGEST} letters"
UNBOUND = "about nothing that is marked"
SURPLUS = "more than were asked for"
"""Reasons for dropping: the first counts replies, the rest count tasks."""
_COLOURS = (
    (255, 210, 0), (0, 220, 255), (255, 110, 200), (120, 255, 90), (255, 140, 40), (190, 160, 255),
)  # fmt: skip
_LINE = 2  # px
_PICTURED = "the object in picture 2"
_BOX, _CROP = key(OBJECT, BOX2D), key(OBJECT, PICTURE)
_NAMES = (OBJECT.name, OTHER.name)


Mark = tuple[Thing, Sighting]
"""A thing that is marked by a number in a view."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request for tasks."""

    scene: str
    part: str
    number: int  # from 1
    view: View
    marks: tuple[Mark, ...]  # by number, from 1: from left to right

    @property
    def id(self) -> str:
        """Key under which the reply is stored."""
        return f"{self.scene}/{self.part}/{self.number:04d}"

    def picture(self, folder: Folder) -> bytes:
        """Return the view's picture with marks drawn in, as PNG. Raises `RecordError`."""
        from PIL import Image, ImageDraw, ImageFont

        picture = Image.fromarray(opened(folder, self.view))
        draw = ImageDraw.Draw(picture)
        font = ImageFont.load_default(max(11, picture.height // 28))
        for number, (_, seen) in enumerate(self.marks, start=1):
            (x0, y0, x1, y1), told = seen.box, str(number)
            colour = _COLOURS[number % len(_COLOURS)]
            draw.rectangle((x0, y0, x1 - 1, y1 - 1), outline=colour, width=_LINE)
            _, top, _, bottom = draw.textbbox((0, 0), told, font=font)
            above = y0 - bottom - 3
            spot = (x0 + 3, above if above >= 0 else y0 + 2)
            left, top, right, bottom = draw.textbbox(spot, told, font=font)
            draw.rectangle((left - 3, top - 2, right + 2, bottom + 2), fill=(0, 0, 0))
            draw.text(spot, told, fill=colour, font=font)
        stream = io.BytesIO()
        picture.save(stream, "PNG")
        return stream.getvalue()

    def words(self) -> str:
        """Return the text that goes with the marked picture."""
        camera = self.view.camera
        numbered = enumerate(self.marks, start=1)
        listed = "\n".join(f"{n}: {thing.label} {list(seen.box)}" for n, (thing, seen) in numbered)
        return (
            "This is what a household robot sees. Numbers mark things in the picture, which is "
            f"{camera.width} pixels wide and {camera.height} high. They are, with their boxes "
            f"(x0, y0, x1, y1):\n{listed}\n\n"
            f"Write {BATCH} tasks for the robot in this home, all different. A task is a "
            "short command in plain English about one of the marked things, which the robot can "
            f'walk to, and perhaps a second one. For example: "{EXAMPLE}" Ask only for what can be '
            f"done with what is there. This is request {self.number}.\n\n"
            "Reply with one JSON object and nothing else: "
            '{"tasks": [{"command": "the command", "object": the number of the thing that it is '
            'about, "other": the number of the second thing, or null}]}'
        )

    def read(self, reply: str) -> tuple[list[Instance], Counter[str]]:
        """Return the tasks in a reply, and the number of dropped tasks by reason."""
        found = read_object(reply[-READ:].strip(), "tasks")
        listed, dropped = found.get("tasks"), Counter[str]()
        listed = listed if isinstance(listed, list) else []
        if not listed:
            dropped[UNREADABLE] += 1
        if len(listed) > BATCH:
            dropped[SURPLUS] += len(listed) - BATCH
        tasks = list[Instance]()
        for told in listed[:BATCH]:
            fields = told if isinstance(told, dict) else {}
            text = said(fields.get("command")) if isinstance(fields.get("command"), str) else ""
            if len(text.split()) < 2 or len(text) > LONGEST:
                dropped[ILL_FORMED] += 1
                continue
            second = fields.get("other")
            one, two = self._marked(fields.get("object")), self._marked(second)
            if one is None or (two is None and second not in (None, "", "null", "none", 0)):
                dropped[UNBOUND] += 1
                continue
            tasks.append(self._task(len(tasks) + 1, text, one, None if two == one else two))
        return tasks, dropped

    def _marked(self, told: object) -> Mark | None:
        """Return the mark that a reply names by number or label, None if this is unclear."""
        if isinstance(told, str):
            name = told.strip().lower().removeprefix("the ").strip(" .\"'#")
            if not name.isdecimal():
                same = [mark for mark in self.marks if mark[0].label.lower() == name]
                return same[0] if len(same) == 1 else None
            told = int(name) if len(name) < 4 else None
        if isinstance(told, bool) or not isinstance(told, int | float):
            return None
        return next((mark for n, mark in enumerate(self.marks, start=1) if n == told), None)

    def _task(self, number: int, text: str, one: Mark, two: Mark | None) -> Instance:
        bind, given = {VIEW.name: self.view.id, AGENT.name: AGENT.name}, {}
        for vertex, mark in ((OBJECT, one), (OTHER, two)):
            if mark is not None:
                bind[vertex.name] = mark[0].id
                given[key(vertex, BOX2D)] = Box2(mark[1].box)
        return Instance(
            f"{TYPE}/{self.id}-{number}", TYPE, self.scene, self.view.id, bind, text,
            Goal(one[0].id, WITHIN), given, self.part, 2 if self.part.startswith(SECOND) else 1,
        )  # fmt: skip


def requests(
    scene: Scene, part: str, quota: int, views: Sequence[View], near: Collection[str]
) -> list[Request]:
    """Return the requests for `quota` tasks; the n-th shows the n-th view, cyclically."""
    shown = [(view, marks(scene, view, near)) for view in views]
    numbers = range(1, ceil(quota / BATCH) + 1 if shown else 1)
    return [Request(scene.id, part, n, *shown[(n - 1) % len(shown)]) for n in numbers]


def marks(scene: Scene, view: View, near: Collection[str]) -> tuple[Mark, ...]:
    """Return the marks of a view: its largest clear things that have a label and are in `near`."""
    clear = [(thing, seen) for thing, seen in Look(scene, view).clear
             if thing.has_label and thing.id in near]  # fmt: skip
    largest = sorted(clear, key=lambda pair: (-pair[1].pixels, pair[0].id))[:MOST]
    return tuple(sorted(largest, key=lambda pair: (pair[1].box, pair[0].id)))


def grown(scene: Scene, tasks: Sequence[Instance], *, seed: int = 0) -> tuple[Instance, ...]:
    """Return at most as many evolved tasks as written ones, chosen by seed and sorted by id."""
    there = {_content(task) for task in tasks}
    found: dict[tuple[object, ...], Instance] = {}
    for each in (*_reused(scene, tasks), *_pictured(scene, tasks)):
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
    """Yield one navigation task to each thing in `tasks` whose label is unique in the scene."""
    labels = Counter(thing.label for thing in scene.things)
    done = set()
    for task in tasks:
        thing = scene.thing[task.bind[OBJECT.name]]
        if labels[thing.label] == 1 and thing.id not in done:
            done.add(thing.id)
            given: dict[str, Given] = {key(OBJECT, LABEL): Word(thing.label)}
            words = command(navigation.type, navigation.words, given)
            bind = {name: task.bind[name] for name in (AGENT.name, OBJECT.name, VIEW.name)}
            yield replace(
                task, id=f"{task.id}/reuse", type=navigation.type.name, command=words, bind=bind,
                given=given, origin=f"reuse of {TYPE}",
            )  # fmt: skip


def _pictured(scene: Scene, tasks: Sequence[Instance]) -> Iterator[Instance]:
    """Yield commands in which a picture from another task's view replaces the thing's label."""
    for task in tasks:
        thing = task.bind[OBJECT.name]
        others = (each for each in tasks if each.bind[OBJECT.name] == thing)
        donor = next((other for other in others if other.view != task.view), None)
        label = re.escape(scene.thing[thing].label)
        named = rf"\b(?:(?:the|a|an)\s+)?{label}\b"
        words, count = re.subn(named, _PICTURED, task.command, count=1, flags=re.IGNORECASE)
        if donor is not None and count:
            box = donor.given[_BOX]
            assert isinstance(box, Box2)
            rest = {name: told for name, told in task.given.items() if name != _BOX}
            yield replace(
                task, id=f"{task.id}/picture", type=f"{TYPE}-by-{PICTURE}",
                command=words[0].upper() + words[1:],
                given={**rest, _CROP: Crop(donor.view, box.value)},
                origin=f"recombination of {TYPE} and {TYPE}",
            )  # fmt: skip

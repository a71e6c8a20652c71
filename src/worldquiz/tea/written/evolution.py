"""Evolution of written tasks: reuse, and two ways of recombination (arXiv 2602.05249, Methods).

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
from collections.abc import Iterator, Sequence
from dataclasses import replace

from worldquiz import rng
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
from worldquiz.tea.kinds.navigation import NAVIGATION, WITHIN
from worldquiz.tea.taskgraph import Box2, Crop, Given, Goal, Instance, Word
from worldquiz.tea.written.ask import TYPE
from worldquiz_scenes.scene import Scene

_BOX, _CROP = key(OBJECT, BOX2D), key(OBJECT, PICTURE)
_NAMES = (OBJECT.name, OTHER.name)


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

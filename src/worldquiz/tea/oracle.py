"""Check of generated tasks: their answers are computed again by ray casting, without the renderer.

Each given attribute of an object (its label, a box, a picture) must identify that object alone, and
the stored answer must equal the computed one. The oracle uses the same thresholds as the generator,
but computes by itself what views show. Ray casting and rendering can differ by a pixel along edges,
so measured values have a tolerance. Tasks about patterns cannot be checked: rays see only shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from math import atan2, degrees, hypot
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.runs.executor import Done, each, silent
from worldquiz.stats.sampling import shares
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam.grade import family
from worldquiz.tea.exam.show import gold
from worldquiz.tea.kinds.kinds import Box2, Box3, Count, Given, Goal, Instance, Metres, Truth, Word
from worldquiz.tea.kinds.perception import AHEAD, EDGE, FIELD, WITHIN, beside, relation
from worldquiz.tea.raycast import Caster, Seen, Sight
from worldquiz_scenes import view as show
from worldquiz_scenes.geometry import away, box3, corners, framed, in_frame, unframed
from worldquiz_scenes.scene import Scene, Thing
from worldquiz_scenes.view import Box, Camera, View

PIXELS, SLACK, FEW, SHARE, TURNED = 2, 0.10, 6, 0.03, 0.2
"""Margins: px of a box's side; share and number of pixels counted; share of a thing seen; degrees
of an angle."""
DEEP, DEEP_SHARE, LENGTH = 0.02, 0.02, 0.002
"""Margins: metres and share of a depth; metres of a length."""


class Wrong(Exception):
    """A task that is not well-posed, or whose stored answer is wrong."""


def check(
    data: Path, *, sample: int = 2000, seed: int = 0, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Check a sample of tasks; return how many agree with the oracle, and which do not.

    `sample` tasks are chosen, evenly over types where possible; 0 means all. Tasks that no rule can
    check are counted by type, under ``no_rule``. `done` is called with the name of each checked
    scene. Raises `RecordError` for a folder without finished tasks.
    """
    by_type: dict[str, list[Instance]] = {}
    for task in (task for folder in folders(data) for task in folder.tasks):
        by_type.setdefault(task.type, []).append(task)
    counts = {type: len(tasks) for type, tasks in sorted(by_type.items())}
    ruled = {type: count for type, count in counts.items() if family(type) in RULES}
    work: dict[str, list[str]] = {}
    for type, share in shares(ruled, sample or sum(ruled.values())).items():
        for task in rng.child(seed, "check", type).sample(by_type[type], share):
            work.setdefault(task.scene, []).append(task.id)
    verdicts: list[tuple[str, str, str]] = []
    judged = partial(_judged, data)
    for (scene, _), found in each(judged, sorted(work.items()), jobs=jobs):
        verdicts += found
        done(scene)
    checked = Counter(type for _, type, _ in verdicts)
    agree = Counter(type for _, type, wrong in verdicts if not wrong)
    return {
        "checked": checked.total(),
        "agree": agree.total(),
        "by_type": {t: {"checked": n, "agree": agree[t]} for t, n in sorted(checked.items())},
        "disagree": [{"task": id, "wrong": wrong} for id, _, wrong in sorted(verdicts) if wrong],
        "no_rule": {type: count for type, count in counts.items() if type not in ruled},
    }


def _judged(data: Path, work: tuple[str, list[str]]) -> list[tuple[str, str, str]]:
    """Return the id and type of each task in `work`, with its fault, or "" if there is none."""
    folder = Folder(data / "scenes" / work[0])
    tasks = sorted((folder.task[id] for id in work[1]), key=lambda task: task.view)
    judge = Judge(folder.scene, folder.view, folder.path)
    return [(task.id, task.type, judge.judged(task)) for task in tasks]


class Judge:
    """Checker of the tasks of one scene."""

    def __init__(self, scene: Scene, views: Mapping[str, View], meshes: Path | None = None) -> None:
        self.scene, self.views, self.caster = scene, views, Caster(scene, meshes)

        def sight(view: str) -> Sight:
            if view not in views:
                raise Wrong(f"no view {view!r}")
            return Sight(self.caster, views[view].camera, views[view].agent)

        self.sight = lru_cache(maxsize=16)(sight)

    def judged(self, task: Instance) -> str:
        """Return the fault of a task, "" if there is none."""
        try:
            for told in task.given.values():
                if isinstance(told, Word) and told.value.lower() not in task.command.lower():
                    raise Wrong(f"the command does not contain {told.value!r}")
            found = RULES[family(task.type)](self, task)
            match found, task.truth:
                case Metres(one), Metres(two):
                    same = abs(one - two) <= max(DEEP, DEEP_SHARE * one)
                case Box2(one), Box2(two):
                    same = _alike(one, two)
                case Box3(middle, size), Box3(middle2, size2):
                    both = zip(middle + size, middle2 + size2, strict=True)
                    same = all(abs(one - two) <= LENGTH for one, two in both)
                case _:
                    same = found == task.truth
            if not same:
                raise Wrong(f"expected {gold(found)}, found {gold(task.truth)}")
        except Wrong as wrong:
            return str(wrong)
        return ""

    def camera(self, task: Instance) -> Camera:
        """Return the camera that took a task's view."""
        return self.views[task.view].camera

    def labelled(self, label: str) -> list[Thing]:
        """Return the things with a label."""
        return [thing for thing in self.scene.things if thing.label == label]

    def meant(self, task: Instance, vertex: str = "object") -> Thing:
        """Return a vertex's thing; raises `Wrong` if the given values do not identify it."""
        told = [each for name, each in task.given.items() if name.startswith(f"{vertex}.")]
        if not told:
            raise Wrong(f"the task gives no attribute of its {vertex}")
        for value in told:
            found = self._denoted(task, value)
            if found.id != task.bind[vertex]:
                raise Wrong(f"{vertex}: its {value.kind} fits {found.id}, not {task.bind[vertex]}")
        return self.scene.thing[task.bind[vertex]]

    def _denoted(self, task: Instance, told: Given) -> Thing:
        if isinstance(told, Box2):
            return self._boxed(self.sight(task.view), told.value)
        if isinstance(told, Word):
            some = self.labelled(told.value)
            if family(task.type) != "navigation":
                sight = self.sight(task.view)
                some = [each for each in some if _plain(sight, each.id, sight.seen(each.id))]
            if len(some) != 1:
                raise Wrong(f"{told.value} identifies {len(some)} things")
            return some[0]
        found = self._boxed(self.sight(told.view), told.box)
        for other in self.labelled(found.label):
            twin = other is not found and other.paint == found.paint
            if twin and family(task.type) != "classification":
                raise Wrong(f"a picture of {found.id} may also show {other.id}")
        return found

    def measured(self, task: Instance) -> Seen:
        """Return the visible part of the task's object; raises `Wrong` if there is none."""
        if not (seen := self.sight(task.view).seen(self.meant(task).id)):
            raise Wrong("no pixel shows the object")
        return seen[0]

    def _boxed(self, sight: Sight, box: Box) -> Thing:
        """Return the thing that fills most of a box and touches all its sides."""
        counts = sight.within(box)
        most = max(counts.values(), default=0)
        for id, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if _alike(sight.seen(id)[0].box, box):
                if most - count > _margin(most):
                    raise Wrong(f"the box {box} fits {id}, but another thing fills more of it")
                return self.scene.thing[id]
        raise Wrong(f"the box {box} fits none of the things in it: {sorted(counts)}")


def _alike(one: Box, two: Box) -> bool:
    return all(abs(a - b) <= PIXELS for a, b in zip(one, two, strict=True))


def _margin(number: float) -> float:
    """Return the tolerance between two pixel counts."""
    return max(SLACK * number, FEW)


def _clear(sight: Sight, some: Sequence[Seen], sign: int = -1, side: float = 0) -> bool:
    """Return whether a thing is clear: perhaps, within the tolerance (sign -1), or surely (1).

    Both sides of the box around its visible part must have at least `side` px.
    """
    least = show.CLEAR_SHARE * sight.camera.width * sight.camera.height
    return any(
        seen.pixels >= least + sign * _margin(least)
        and seen.visible >= show.CLEAR_VISIBLE + sign * SHARE
        and min(seen.box[2] - seen.box[0], seen.box[3] - seen.box[1]) >= side + sign * PIXELS
        for seen in some
    )


def _noticed(sight: Sight, some: Sequence[Seen]) -> int:
    """Return how many times a thing is surely visible: directly, and once for each mirror."""
    most = show.HIDDEN_SHARE * sight.camera.width * sight.camera.height
    return sum(seen.pixels >= most + _margin(most) for seen in some)


def _plain(sight: Sight, id: str, some: Sequence[Seen], side: float = 0) -> bool:
    """Return whether a thing is clear; raises `Wrong` if it is neither clear nor hidden."""
    clear = _clear(sight, some, side=side)
    if _noticed(sight, some) and not clear:
        raise Wrong(f"{id} is neither clear nor hidden, at {sum(each.pixels for each in some)} px")
    return clear


def _counting(judge: Judge, task: Instance) -> Truth:
    """Return a task's count; raises `Wrong` if it is not right for its view, or for the mirrors."""
    sight, mirrors = judge.sight(task.view), family(task.type) == "mirror-counting"
    if mirrors and not sight.mirrors:
        raise Wrong("the picture shows no mirror")
    side, least, most = show.MIRRORED_SIDE * sight.camera.height * mirrors, 0, 0
    for thing in judge.labelled(task.bind["class"]):
        some = sight.mirrored(thing.id) if mirrors else sight.seen(thing.id)
        most += _plain(sight, thing.id, some, side)
        least += _clear(sight, some, 1, side) or bool(_noticed(sight, some))
        if _noticed(sight, some) > 1:
            raise Wrong(f"two mirrors show {thing.id}, which may count once or twice")
    if not (isinstance(task.truth, Count) and least <= task.truth.value <= most):
        raise Wrong(f"expected a count of {least} to {most}, found {gold(task.truth)}")
    return task.truth


def _in_view(judge: Judge, task: Instance) -> Truth:
    """Return whether the person's camera shows the object; raises `Wrong` if this is unclear."""
    thing, own, _ = _person(judge, task)
    for other in judge.labelled(thing.label):
        if other is not thing and (_noticed(own, own.seen(other.id)) or _mirrored(own, other)):
            raise Wrong(f"the person's picture also shows {other.id}")
    within = framed(own.camera, [thing.position], TURNED - EDGE)
    if within and _clear(own, own.seen(thing.id)):
        return Word("yes")
    plain = within or unframed(own.camera, corners(thing), EDGE - TURNED)
    if _noticed(own, own.seen(thing.id)) or _mirrored(own, thing) or not plain:
        raise Wrong(f"it is unclear whether the person's picture shows {thing.id}")
    if within and _uncovered(judge, own, thing):
        raise Wrong(f"{thing.id} is hidden from the person, but visible from a step aside")
    return Word("no")


def _uncovered(judge: Judge, own: Sight, thing: Thing) -> bool:
    """Return whether a thing is surely visible from a step to a person's left or right."""
    eyes = (Sight(judge.caster, each, own.pose) for each in beside(own.camera, thing))
    return any(_noticed(each, each.seen(thing.id)) for each in eyes)


def _person(judge: Judge, task: Instance) -> tuple[Thing, Sight, str]:
    """Return a task's object, and the view and room of the person that the task's view shows."""
    thing, sight = judge.meant(task), judge.sight(task.view)
    if not _clear(sight, sight.seen(show.BODY)):
        raise Wrong("the picture does not show the agent clearly")
    name = f"{task.view.partition('-')[0]}-{show.EGO}"
    return thing, judge.sight(name), judge.views[name].room


def _person_view(judge: Judge, task: Instance) -> Truth:
    thing, own, room = _person(judge, task)
    for other in judge.labelled(thing.label):
        if other is not thing and _spotted(own, other, room):
            raise Wrong(f"the person may also see {other.id}")
    x, y, ahead = in_frame(own.camera, thing.position)
    if _clear(own, own.seen(thing.id)) and degrees(atan2(hypot(x, y), ahead)) <= AHEAD + TURNED:
        return Word("yes")
    turned = (own.turned(mirror.position, FIELD) for mirror in judge.scene.mirrors)
    if _spotted(own, thing, room) or any(_mirrored(eye, thing) for eye in turned):
        raise Wrong(f"{thing.id} is neither clearly in front of the person nor out of sight")
    if framed(own.camera, corners(thing)) and _uncovered(judge, own, thing):
        raise Wrong(f"{thing.id} is hidden from the person, but visible from a step aside")
    return Word("no")


def _spotted(own: Sight, thing: Thing, room: str) -> bool:
    """Return whether a person sees a thing, if they may also turn their eyes.

    Things outside the person's room count only if the person's own camera shows them.
    """
    if _noticed(own, own.seen(thing.id)) or _mirrored(own, thing):
        return True
    eye = own.turned(thing.position, FIELD) if thing.room == room else own
    return bool(_noticed(eye, eye.seen(thing.id)))


def _mirrored(sight: Sight, thing: Thing) -> bool:
    return sum(seen.pixels for seen in sight.mirrored(thing.id)) > _margin(0)


def _navigation(judge: Judge, task: Instance) -> Truth:
    thing, (x, y, _) = judge.meant(task), judge.views[task.view].agent
    if (start := away(thing, x, y)) <= WITHIN:
        raise Wrong(f"{thing.id} is already reached at the start, {start:.2f} m away")
    return Goal(thing.id, WITHIN)


RULES: dict[str, Callable[[Judge, Instance], Truth]] = {
    "classification": lambda judge, task: Word(judge.meant(task).label),
    "depth": lambda judge, task: Metres(judge.measured(task).depth),
    "embodied-counting": _counting,
    "in-view": _in_view,
    "localization": lambda judge, task: Box2(judge.measured(task).box),
    "localization-3d": lambda judge, task: Box3(*box3(judge.camera(task), judge.meant(task))),
    "mirror-counting": _counting,
    "navigation": _navigation,
    "person-view": _person_view,
    "relation": lambda judge, task: Word(
        relation(judge.scene, judge.camera(task), judge.meant(task), judge.meant(task, "other"))
        or "not plain"
    ),
}

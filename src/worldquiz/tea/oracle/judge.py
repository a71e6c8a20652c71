"""A task's answer once more: what is given is traced to a thing, and what is asked is measured.

A task agrees if everything given of an object (its label, a box, a picture) means that object and
no other, and if the answer stored is the one found. Beside the margins of `shows`, boxes may differ
by 2 px at each side, depths by 2 % and at least 2 cm, lengths by 2 mm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.extras import later
from worldquiz.tea.oracle.eye import BODY, EGO, Eye, Mask, Stage
from worldquiz.tea.oracle.floor import Floor, away
from worldquiz.tea.oracle.relation import LENGTH, Wrong, reach, related
from worldquiz.tea.oracle.shows import (
    ABOUT,
    AHEAD,
    COVERS,
    EDGE,
    FIELD,
    LOOKS_LIKE,
    PARTLY,
    TURNED,
    covered,
    fills_square,
    in_mirrors,
    margin,
    maybe_clear,
    maybe_hidden,
    maybe_reflected,
    maybe_unreflected,
    off,
    surely_clear,
    surely_mirrors,
    surely_reflected,
)

if TYPE_CHECKING:
    import numpy as np
else:
    np = later("numpy", extra="scene")

DEEP, DEEP_SHARE = 0.02, 0.02
"""Margins: metres and share of a depth."""
PATTERNS = {"striped object": "stripes", "checked object": "checks", "dotted object": "dots"}


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A row of `tasks.parquet`."""

    id: str
    type: str
    view: str
    command: str
    truth: dict[str, Any]
    given: dict[str, dict[str, Any]]
    bind: dict[str, str]

    @property
    def base(self) -> str:
        """The type that it is of, however its objects are told of."""
        return self.type.partition("-by-")[0]


class Judge:
    """What an oracle knows of one scene."""

    def __init__(
        self, scene: dict[str, Any], views: Iterable[dict[str, Any]], folder: Path | None = None
    ) -> None:
        self.stage = Stage(scene, folder)
        self.views = {view["id"]: view for view in views}
        self._eyes: dict[str, Eye] = {}

    def eye(self, view: str) -> Eye:
        """Return a view as rays see it; raises `Wrong` for a view that is not there."""
        if view not in self.views:
            raise Wrong(f"no view {view!r}")
        if view not in self._eyes:
            if len(self._eyes) >= 64:
                self._eyes.pop(next(iter(self._eyes)))
            self._eyes[view] = Eye(self.stage, self.views[view])
        return self._eyes[view]

    def own(self, view: str) -> Eye:
        """Return what the agent itself sees at the time of a view."""
        time = self.views[view]["time"]
        for each in self.views.values():
            if each["time"] == time and each["camera"]["name"] == EGO:
                return self.eye(each["id"])
        raise Wrong(f"no view of the agent's own at {time} s")

    @cached_property
    def floor(self) -> Floor:
        """The scene's floor."""
        return Floor(self.stage)

    def judged(self, task: TaskRow) -> str | None:
        """Return what is wrong with a task, None if all agrees. Raises `KeyError` for others."""
        rule = RULES[task.base]
        try:
            _worded(task)
            rule(self, task)
        except Wrong as wrong:
            return str(wrong)
        return None

    def labelled(self, label: str) -> list[str]:
        """Return the things with a label."""
        return [id for id, thing in sorted(self.stage.things.items()) if thing["label"] == label]

    def resolved(self, task: TaskRow, vertex: str) -> str:
        """Return the thing that what is given means; raises `Wrong` if it is not the bound one."""
        told = {name.split(".")[1]: each for name, each in task.given.items()
                if name.split(".")[0] == vertex}  # fmt: skip
        if not told:
            raise Wrong(f"nothing is given of {vertex}")
        for way, value in sorted(told.items()):
            found = self._denoted(task, way, value)
            if found != task.bind[vertex]:
                raise Wrong(f"{vertex} by {way} is {found}, not {task.bind[vertex]}")
        return task.bind[vertex]

    def _denoted(self, task: TaskRow, way: str, value: dict[str, Any]) -> str:
        match way:
            case "label" if task.base == "navigation":
                return _only(self.labelled(value["value"]), value["value"])
            case "label":
                return self._labelled(self.eye(task.view), value["value"])
            case "box2d":
                return self._boxed(self.eye(task.view), value["value"])
            case _:
                found = self._boxed(self.eye(value["view"]), value["box"])
                if task.base != "classification":
                    self._without_twin(found)
                return found

    def _labelled(self, eye: Eye, label: str) -> str:
        """Return the one thing of a label that a view shows clearly, with no other in sight."""
        every = self.labelled(label)
        clear = [id for id in every if maybe_clear(eye, id)]
        others = [id for id in every if id not in clear and not maybe_hidden(eye, id)]
        if others:
            raise Wrong(f"{label}: {others[0]} can be seen too")
        return _only(clear, label)

    def _boxed(self, eye: Eye, box: list[int]) -> str:
        """Return the thing that fills most of a box and reaches to all its sides."""
        rays = eye.fill((box[0], box[1], box[2], box[3]))
        most = max(rays.values(), default=0)
        for id in sorted(rays, key=lambda id: (-rays[id], id)):
            if _around(eye.mask(id), box):
                if most - rays[id] > margin(most):
                    raise Wrong(f"the box {box} is around {id}, but something fills more of it")
                return id
        raise Wrong(f"the box {box} is around none of {sorted(rays)}")

    def _without_twin(self, id: str) -> None:
        thing = self.stage.things[id]
        for other in self.labelled(thing["label"]):
            if other != id and self.stage.things[other]["paint"] == thing["paint"]:
                raise Wrong(f"a picture of {id} may be one of {other}")


def _worded(task: TaskRow) -> None:
    """Check that a command says what is given."""
    for name, told in sorted(task.given.items()):
        if "value" in told and str(told["value"]).lower() not in task.command.lower():
            raise Wrong(f"the command does not say {name} = {told['value']}")


def _around(mask: Mask, box: list[int]) -> bool:
    """Tell whether a box is that of a thing's pixels, within the margins."""
    if mask.box is None:
        return False
    slack = EDGE + mask.step - 1
    return all(abs(one - two) <= slack for one, two in zip(mask.box, box, strict=True))


def _only(found: list[str], label: str) -> str:
    if len(found) != 1:
        raise Wrong(f"{label}: {len(found)} things are meant: {', '.join(found) or 'none'}")
    return found[0]


def _same(found: object, stored: object, what: str) -> None:
    if found != stored:
        raise Wrong(f"{what} is {found}, stored is {stored}")


def _near(found: float, stored: float, slack: float, what: str) -> None:
    if abs(found - stored) > slack:
        raise Wrong(f"{what} is {found:.3f}, stored is {stored}")


def _classification(judge: Judge, task: TaskRow) -> None:
    thing = judge.resolved(task, "object")
    _same(judge.stage.things[thing]["label"], task.truth["value"], "the label")


def _localization(judge: Judge, task: TaskRow) -> None:
    mask = judge.eye(task.view).mask(judge.resolved(task, "object"))
    for found, stored in zip(mask.box or (), task.truth["value"], strict=True):
        _near(found, stored, EDGE + mask.step - 1, f"a side of the box {mask.box}")


def _localization_3d(judge: Judge, task: TaskRow) -> None:
    eye = judge.eye(task.view)
    low, high = reach(judge.stage, eye.axes, judge.resolved(task, "object"))
    low, high = low - eye.at @ eye.axes, high - eye.at @ eye.axes
    for found, stored in zip((low + high) / 2, task.truth["centre"], strict=True):
        _near(found, stored, LENGTH, "the middle")
    for found, stored in zip(high - low, task.truth["size"], strict=True):
        _near(found, stored, LENGTH, "the length")


def _depth(judge: Judge, task: TaskRow) -> None:
    depth = judge.eye(task.view).mask(judge.resolved(task, "object")).depth
    if depth is None:
        raise Wrong("no pixel shows it")
    _near(depth, task.truth["value"], max(DEEP, DEEP_SHARE * depth), "the depth")


def _between(least: int, most: int, task: TaskRow) -> None:
    if not least <= task.truth["value"] <= most:
        raise Wrong(f"the count is {least} to {most}, stored is {task.truth['value']}")


def _embodied_counting(judge: Judge, task: TaskRow) -> None:
    """Count things that a view shows; whatever is neither clear nor hidden must not be there."""
    eye = judge.eye(task.view)
    least = most = 0
    for id in judge.labelled(task.given["class.label"]["value"]):
        clear, hidden = maybe_clear(eye, id), maybe_hidden(eye, id)
        if not clear and not hidden:
            raise Wrong(f"{id} is neither clear nor hidden: {eye.mask(id).pixels} px")
        least += surely_clear(eye, id) or not hidden
        most += clear
    _between(least, most, task)


def _pattern_counting(judge: Judge, task: TaskRow) -> None:
    """Count things whose pattern can be told; nothing in sight may leave room for doubt."""
    eye, pattern = judge.eye(task.view), PATTERNS[task.given["class.label"]["value"]]
    least = most = 0
    for id, thing in sorted(judge.stage.things.items()):
        share = covered(judge.stage, id, pattern)
        alike = thing["label"] in LOOKS_LIKE.get(pattern, ())
        if (share <= PARTLY and not alike) or maybe_hidden(eye, id):
            continue
        if alike or share < COVERS - ABOUT:
            raise Wrong(f"{id} looks as if it had {pattern}, or has them on a part of it")
        if not maybe_clear(eye, id) or not fills_square(eye, id, 2 * EDGE):
            raise Wrong(f"the {pattern} of {id} can hardly be told: {eye.mask(id).pixels} px")
        least += 1
        most += 1
    _between(least, most, task)


def _mirror_counting(judge: Judge, task: TaskRow) -> None:
    eye = judge.eye(task.view)
    if not eye.glasses:
        raise Wrong("no mirror is in the picture")
    least = most = 0
    for id in judge.labelled(task.given["class.label"]["value"]):
        clear, hidden = maybe_reflected(eye, id), maybe_unreflected(eye, id)
        if not clear and not hidden:
            raise Wrong(f"{id} is neither clear nor hidden in mirrors: {in_mirrors(eye, id)} px")
        if surely_mirrors(eye, id) > 1:
            raise Wrong(f"two mirrors show {id}: is it one or two?")
        least += surely_reflected(eye, id) or not hidden
        most += clear
    _between(least, most, task)


def _in_view(judge: Judge, task: TaskRow) -> None:
    if not maybe_clear(judge.eye(task.view), BODY):
        raise Wrong("the picture does not show the agent clearly")
    thing, own = judge.resolved(task, "object"), judge.own(task.view)
    for other in judge.labelled(judge.stage.things[thing]["label"]):
        if other != thing and _person_sees(judge, own, other):
            raise Wrong(f"the person may see {other} as well")
    if task.truth["value"] == "yes":
        middle = np.array(judge.stage.things[thing]["position"])
        aside = off(own, own.axes[:, 2], middle)
        if not maybe_clear(own, thing) or aside > AHEAD + TURNED:
            raise Wrong(f"the person sees {own.mask(thing).pixels} px of {thing}, {aside:.1f} "
                        "degrees off the axis, stored is yes")  # fmt: skip
        return
    if seen := _person_sees(judge, own, thing) or _person_mirrors(judge, own, thing):
        raise Wrong(f"the person sees {seen}, stored is no")


def _person_sees(judge: Judge, own: Eye, id: str) -> str:
    """Return how the person of a camera sees a thing, however they turn their eyes; "" if not.

    Beyond their own room, only what the camera shows counts.
    """
    if not maybe_hidden(own, id) or in_mirrors(own, id) > margin(0):
        return f"{own.mask(id).pixels} px of {id} ahead, and in mirrors {in_mirrors(own, id)}"
    if judge.stage.things[id]["room"] != own.view["room"]:
        return ""
    eye = own.turned(np.array(judge.stage.things[id]["position"]), FIELD)
    return "" if maybe_hidden(eye, id) else f"{eye.mask(id).pixels} px of {id} at their side"


def _person_mirrors(judge: Judge, own: Eye, id: str) -> str:
    """Return in which mirror of their field the person of a camera sees a thing; "" in none."""
    for mirror, thing in sorted(judge.stage.things.items()):
        if thing["mirror"]:
            eye = own.turned(np.array(thing["position"]), FIELD)
            if in_mirrors(eye, id) > margin(0):
                return f"{id} in {mirror}"
    return ""


def _navigation(judge: Judge, task: TaskRow) -> None:
    thing, goal = judge.resolved(task, "object"), task.truth
    _same(thing, goal["thing"], "the goal")
    pose = judge.views[task.view]["agent"]
    start = float(away(judge.stage, thing, np.array([pose[:2]]))[0])
    if start <= goal["within"]:
        raise Wrong(f"{thing} is {start:.2f} m away at the start")
    if not judge.floor.leads(pose, thing, goal["within"]):
        raise Wrong(f"nobody comes within {goal['within']} m of {thing}")


def _relation(judge: Judge, task: TaskRow) -> None:
    one, two = judge.resolved(task, "object"), judge.resolved(task, "other")
    found = related(judge.stage, judge.eye(task.view).axes, one, two)
    _same(found, task.truth["value"], f"{one} to {two}")


RULES: dict[str, Callable[[Judge, TaskRow], None]] = {
    "classification": _classification,
    "depth": _depth,
    "embodied-counting": _embodied_counting,
    "in-view": _in_view,
    "localization": _localization,
    "localization-3d": _localization_3d,
    "mirror-counting": _mirror_counting,
    "navigation": _navigation,
    "pattern-counting": _pattern_counting,
    "relation": _relation,
}


def task(row: dict[str, Any]) -> TaskRow:
    """Return a row of the table as a task."""
    plain = {name: json.loads(row[name]) for name in ("truth", "given", "bind")}
    return TaskRow(row["id"], row["type"], row["view"], row["command"], **plain)

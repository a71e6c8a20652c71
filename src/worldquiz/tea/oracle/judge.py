"""A task's answer once more: what is given is traced to a thing, and what is asked is measured.

A task agrees if everything given of an object (its label, a box, a picture) means that object and
no other, and if the answer stored is the one found. Rays and a renderer differ by a pixel along an
edge, so what is counted in pixels has a margin: boxes 2 px at each side, counts of pixels 10 % and
at least 6 px, shares 0.03, depths 2 % and at least 2 cm, lengths 2 mm.
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
from worldquiz.tea.oracle.solids import turn

if TYPE_CHECKING:
    import numpy as np

    from worldquiz.tea.oracle.solids import Floats
else:
    np = later("numpy", extra="scene")

CLEAR, HIDDEN, HALF = 400 / (640 * 480), 40 / (640 * 480), 0.5
"""Shares of a picture from which on a thing is clear, and below which it is hidden; share of a
thing that must be seen for it to be clear."""
EDGE, SLACK, FEW, SHARE = 2, 0.10, 6, 0.03
"""Margins: px of a box's side; share and number of pixels counted; share of a thing seen."""
DEEP, DEEP_SHARE, LENGTH = 0.02, 0.02, 0.002
"""Margins: metres and share of a depth; metres of a box in space."""
REST = 0.03
"""Metres between a thing and what carries it, at most."""
GAP, PLAIN = 0.15, 2.0
"""Metres between two things for one to be beside another; times the next gap that must be."""
PATTERNS = {"striped object": "stripes", "checked object": "checks", "dotted object": "dots"}


class Wrong(Exception):
    """A task whose answer is another, or that is not well-posed."""


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

    def things(self, field: str, value: str) -> list[str]:
        """Return the things with a label, or with a pattern on most of them."""
        return [
            id
            for id, thing in sorted(self.stage.things.items())
            if (thing["label"] if field == "label" else thing["paint"]["pattern"]) == value
        ]

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
                return _only(self.things("label", value["value"]), value["value"])
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
        every = self.things("label", label)
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
        for other in self.things("label", thing["label"]):
            if other != id and self.stage.things[other]["paint"] == thing["paint"]:
                raise Wrong(f"a picture of {id} may be one of {other}")


def pixels(eye: Eye, share: float) -> float:
    """Return a share of a picture in pixels."""
    return share * float(eye.wide * eye.high)


def margin(number: float) -> float:
    """Return by how many pixels two counts of pixels may differ."""
    return max(SLACK * number, FEW)


def maybe_clear(eye: Eye, id: str) -> bool:
    """Tell whether a view shows a thing clearly, within the margins."""
    count, least = eye.mask(id).pixels, pixels(eye, CLEAR)
    return count >= least - margin(least) and count >= (HALF - SHARE) * eye.alone(id)


def surely_clear(eye: Eye, id: str) -> bool:
    """Tell whether a view shows a thing clearly, beyond the margins."""
    count, least = eye.mask(id).pixels, pixels(eye, CLEAR)
    return count >= least + margin(least) and count >= (HALF + SHARE) * eye.alone(id)


def maybe_hidden(eye: Eye, id: str) -> bool:
    """Tell whether a view hides a thing, within the margins."""
    most = pixels(eye, HIDDEN)
    return eye.mask(id).pixels < most + margin(most)


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
    low, high = _extent(judge, task.view, judge.resolved(task, "object"))
    for found, stored in zip((low + high) / 2, task.truth["centre"], strict=True):
        _near(found, stored, LENGTH, "the middle")
    for found, stored in zip(high - low, task.truth["size"], strict=True):
        _near(found, stored, LENGTH, "the length")


def _depth(judge: Judge, task: TaskRow) -> None:
    depth = judge.eye(task.view).mask(judge.resolved(task, "object")).depth
    if depth is None:
        raise Wrong("no pixel shows it")
    _near(depth, task.truth["value"], max(DEEP, DEEP_SHARE * depth), "the depth")


def _counted(judge: Judge, task: TaskRow, field: str, value: str) -> None:
    """Count things that a view shows; whatever is neither clear nor hidden must not be there."""
    eye = judge.eye(task.view)
    least = most = 0
    for id in judge.things(field, value):
        clear, hidden = maybe_clear(eye, id), maybe_hidden(eye, id)
        if not clear and not hidden:
            raise Wrong(f"{id} is neither clear nor hidden: {eye.mask(id).pixels} px")
        least += surely_clear(eye, id) or not hidden
        most += clear
    _between(least, most, task)


def _between(least: int, most: int, task: TaskRow) -> None:
    if not least <= task.truth["value"] <= most:
        raise Wrong(f"the count is {least} to {most}, stored is {task.truth['value']}")


def _embodied_counting(judge: Judge, task: TaskRow) -> None:
    _counted(judge, task, "label", task.given["class.label"]["value"])


def _pattern_counting(judge: Judge, task: TaskRow) -> None:
    pattern = PATTERNS[task.given["class.label"]["value"]]
    for id, thing in sorted(judge.stage.things.items()):
        shows = {part["paint"]["pattern"] for part in thing["parts"]} - {thing["paint"]["pattern"]}
        if pattern in shows and not maybe_hidden(judge.eye(task.view), id):
            raise Wrong(f"{id} has {pattern} on a part of it: is it counted or not?")
    _counted(judge, task, "pattern", pattern)


def _mirror_counting(judge: Judge, task: TaskRow) -> None:
    eye = judge.eye(task.view)
    if not eye.glasses:
        raise Wrong("no mirror is in the picture")
    big, small = pixels(eye, CLEAR), pixels(eye, HIDDEN)
    least = most = 0
    for id in judge.things("label", task.given["class.label"]["value"]):
        count = eye.mirrored(id)[0]
        clear, hidden = count >= big - margin(big), count < small + margin(small)
        if not clear and not hidden:
            raise Wrong(f"{id} is neither clear nor hidden in mirrors: {count} px")
        least += count >= big + margin(big)
        most += clear
    _between(least, most, task)


def _in_view(judge: Judge, task: TaskRow) -> None:
    if not maybe_clear(judge.eye(task.view), BODY):
        raise Wrong("the picture does not show the agent clearly")
    thing, own = judge.resolved(task, "object"), judge.own(task.view)
    if task.truth["value"] == "yes":
        if not maybe_clear(own, thing):
            raise Wrong(f"the agent sees {own.mask(thing).pixels} px of {thing}, stored is yes")
        return
    few = margin(0)
    if not maybe_hidden(own, thing) or own.mirrored(thing)[1] > few:
        raise Wrong(
            f"the agent sees {own.mask(thing).pixels} px of {thing} and in mirrors "
            f"{own.mirrored(thing)[1]}, stored is no"
        )


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
    _same(related(judge, task.view, one, two), task.truth["value"], f"{one} to {two}")


def related(judge: Judge, view: str, one: str, two: str) -> str:
    """Return how a thing stands to another; raises `Wrong` where that is not plain."""
    if two in (below := _carried(judge, one)):
        return "on" if below[0] == two else _unplain(one, two)
    if one in (below := _carried(judge, two)):
        return "under" if below[0] == one else _unplain(one, two)
    (low, high), (low2, high2) = (_extent(judge, view, each) for each in (one, two))
    words = (("left of", "right of"), ("above", "below"), ("in front of", "behind"))
    gaps = sorted(
        [(float(low2[axis] - high[axis]), words[axis][0]) for axis in range(3)]
        + [(float(low[axis] - high2[axis]), words[axis][1]) for axis in range(3)]
    )
    widest, word = gaps[-1]
    across = max(gap for gap, other in gaps if not any(word in p and other in p for p in words))
    if widest < GAP - LENGTH or widest < PLAIN * across - LENGTH:
        return _unplain(one, two)
    return word


def _carried(judge: Judge, id: str) -> list[str]:
    """Return what a thing stands on, its own support first; checks that it lies upon it."""
    things, found = judge.stage.things, []
    while (support := things[id]["support"]) in things and support not in found:
        upper, lower = judge.stage.corners(id), judge.stage.corners(support)
        apart = (upper.min(axis=0) - lower.max(axis=0) > (0, 0, REST)).any()
        if apart or (upper.max(axis=0) < lower.min(axis=0)).any():
            raise Wrong(f"{id} does not touch {support}, which is to carry it")
        found.append(support)
        id = support
    return found


def _unplain(one: str, two: str) -> str:
    raise Wrong(f"how {one} stands to {two} is not plain")


def _extent(judge: Judge, view: str, id: str) -> tuple[Floats, Floats]:
    """Return the least and greatest coordinates of a thing's box along a camera's axes."""
    thing, eye = judge.stage.things[id], judge.eye(view)
    middle = eye.framed(np.array([thing["position"]], float))[0]
    reach = np.abs(eye.axes.T @ turn(thing["rotation"])) @ np.array(thing["half"])
    return middle - reach, middle + reach


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

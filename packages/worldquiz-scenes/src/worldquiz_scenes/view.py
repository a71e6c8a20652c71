"""Views: a camera's pose, time and pictures, and the things that they show.

A view's truth comes from the instance segmentation and the depth of one picture, so that picture
settles every question about the view. Pixels count from the upper left corner; boxes are
x0, y0, x1, y1 with x1 and y1 outside. A camera's frame: x to the right, y down, z ahead (metres).

A thing in a picture is *clear*, *hidden*, or between the two; questions never depend on a thing in
between.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from worldquiz_scenes.scene import Vec

Box = tuple[int, int, int, int]
EGO = "ego"  # the camera that an agent carries; all others watch
BODY = "agent"  # what the agent's own body is called among the things that a view shows

CLEAR_SHARE = 400 / (640 * 480)  # of a picture's pixels: what a thing must fill to be clear
HIDDEN_SHARE = 40 / (640 * 480)  # of its pixels: what fills fewer is as good as not there
CLEAR_VISIBLE = 0.5  # share of a thing that must show for it to be clear, in mirrors too
MIRRORED_SIDE = 36 / 480  # of a picture's height: the least side of a clear mirror image


@dataclass(frozen=True, slots=True)
class Camera:
    """Pose, lens and picture size of a camera."""

    name: str  # EGO, or "watch-kitchen-1"
    at: Vec
    forward: Vec  # a unit vector
    up: Vec  # a unit vector across `forward`
    fovy: float  # degrees, from top to bottom
    width: int  # px
    height: int  # px


@dataclass(frozen=True, slots=True)
class Sighting:
    """A thing as a view shows it, directly and not in a mirror."""

    thing: str
    pixels: int  # that show it
    visible: float  # those / the pixels it would fill were nothing before it and no edge; 0..1
    box: Box  # around those pixels
    depth: float  # metres along the view's axis: the median of those pixels
    cut: bool  # whether the edge of the picture cuts it off


@dataclass(frozen=True, slots=True)
class Reflection:
    """A thing as a view shows it in a mirror."""

    thing: str
    mirror: str
    pixels: int  # of that mirror that show it
    visible: float  # those / the pixels it would fill in a mirror without edges, alone; 0..1
    box: Box  # around those pixels


@dataclass(frozen=True)
class View:
    """One moment of one camera."""

    id: str  # "0012-ego"
    time: float  # seconds since the episode's start
    scene: str
    room: str  # where the camera is
    camera: Camera
    agent: tuple[float, float, float]  # where the agent is: x, y, heading (0 looks east)
    sightings: tuple[Sighting, ...]  # by thing
    reflections: tuple[Reflection, ...]  # by thing and mirror
    files: dict[str, str]  # "rgb", "depth", "instances": paths beneath the scene's folder

    @cached_property
    def seen(self) -> dict[str, Sighting]:
        """Sightings by thing, mirrors aside."""
        return {each.thing: each for each in self.sightings}


class Show(StrEnum):
    """Visibility of a thing in a picture."""

    CLEAR = "clear"
    VAGUE = "vague"
    HIDDEN = "hidden"


def shown(view: View, thing: str) -> Show:
    """Return how clearly a view shows a thing, directly."""
    sighting = view.seen.get(thing)
    return Show.HIDDEN if sighting is None else _clarity(view, sighting)


def reflected(view: View, reflection: Reflection) -> Show:
    """Return how clearly a view shows a thing in a mirror: a mere strip of it is not clear."""
    x0, y0, x1, y1 = reflection.box
    strip = min(x1 - x0, y1 - y0) < MIRRORED_SIDE * view.camera.height
    show = _clarity(view, reflection)
    return Show.VAGUE if strip and show is Show.CLEAR else show


def _clarity(view: View, seen: Sighting | Reflection) -> Show:
    """Return how clear a thing is, by its pixels and by how much of it they are."""
    area = view.camera.width * view.camera.height
    if seen.pixels < HIDDEN_SHARE * area:
        return Show.HIDDEN
    clear = seen.pixels >= CLEAR_SHARE * area and seen.visible >= CLEAR_VISIBLE
    return Show.CLEAR if clear else Show.VAGUE

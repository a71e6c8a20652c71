"""Views: a camera's pose, time and pictures, and the things that they show.

A view's facts are computed from its own picture: from the thing that each pixel shows, and from its
depth. So the picture answers every question about the view. Pixels count from the upper left; boxes
are x0, y0, x1, y1 with x1 and y1 outside. A camera's frame is x right, y down, z ahead, in metres.

A thing in a picture is *clear*, *hidden*, or *vague*; questions never depend on a vague thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from worldquiz_scenes.scene import Vec

Box = tuple[int, int, int, int]
EGO = "ego"  # the camera that an agent carries; other cameras hang in rooms
BODY = "agent"  # name of the agent's own body among the things in a view

CLEAR_SHARE = 400 / (640 * 480)  # share of a picture's pixels that a clear thing fills
HIDDEN_SHARE = 40 / (640 * 480)  # a thing with a smaller share counts as hidden
CLEAR_VISIBLE = 0.5  # share of a clear thing that shows, in mirrors too
MIRRORED_SIDE = 36 / 480  # share of a picture's height: shortest side of a clear mirror image


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
    pixels: int  # number of pixels that show it
    visible: float  # pixels / those it would fill if nothing hid or cut it; 0..1
    box: Box  # around these pixels
    depth: float  # metres along the view's axis: median over these pixels
    cut: bool  # whether the edge of the picture cuts it off


@dataclass(frozen=True, slots=True)
class Reflection:
    """A thing as a view shows it in a mirror."""

    thing: str
    mirror: str
    pixels: int  # number of the mirror's pixels that show it
    visible: float  # pixels / those it alone would fill in a mirror without edges; 0..1
    box: Box  # around these pixels


@dataclass(frozen=True)
class View:
    """Picture of one camera at one moment, with the things in it."""

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
        """Sightings by thing, without mirrors."""
        return {each.thing: each for each in self.sightings}


class Show(StrEnum):
    """Visibility of a thing in a picture."""

    CLEAR = "clear"
    VAGUE = "vague"
    HIDDEN = "hidden"


def shown(view: View, thing: str) -> Show:
    """Return how clearly a view shows a thing directly, not in a mirror."""
    sighting = view.seen.get(thing)
    return Show.HIDDEN if sighting is None else _clarity(view, sighting)


def reflected(view: View, reflection: Reflection) -> Show:
    """Return how clearly a view shows a thing in a mirror; a narrow strip is never clear."""
    x0, y0, x1, y1 = reflection.box
    strip = min(x1 - x0, y1 - y0) < MIRRORED_SIDE * view.camera.height
    show = _clarity(view, reflection)
    return Show.VAGUE if strip and show is Show.CLEAR else show


def _clarity(view: View, seen: Sighting | Reflection) -> Show:
    """Return how clear a thing is, by its pixels and its visible share."""
    area = view.camera.width * view.camera.height
    if seen.pixels < HIDDEN_SHARE * area:
        return Show.HIDDEN
    clear = seen.pixels >= CLEAR_SHARE * area and seen.visible >= CLEAR_VISIBLE
    return Show.CLEAR if clear else Show.VAGUE

"""What cameras showed: views with their pose, time and pictures, and what is in each.

A view's truth comes from the instance segmentation and the depth of one picture, so whatever is
asked about a view is settled by what it shows. Pixels count from the upper left corner; boxes are
x0, y0, x1, y1 with x1 and y1 outside. A camera's frame: x to the right, y down, z ahead (metres).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from worldquiz.scenes.scene import Vec

Box = tuple[int, int, int, int]
EGO = "ego"
"""The camera that an agent carries; all others watch."""
BODY = "agent"
"""What the agent's own body is called among the things that a view shows."""


@dataclass(frozen=True, slots=True)
class Camera:
    """Where a picture was taken from, and through which lens."""

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
    pixels: int
    box: Box


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
        """What it shows directly, by thing."""
        return {each.thing: each for each in self.sightings}

"""An agent's walk through a scene, recorded as views from its own and the rooms' cameras.

Every view has a time, and the poses of its camera and of the agent. Time is simulated: turning and
walking take fixed times, so equal moves give equal records. Pictures are written only if a folder
is given; the things that they show are always recorded.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Literal

from worldquiz_scenes import cameras
from worldquiz_scenes.arrays import NDArray, Picture, later, np
from worldquiz_scenes.cameras import Images
from worldquiz_scenes.files import write_bytes
from worldquiz_scenes.locomotion import Ground, Move, Moved, Pose
from worldquiz_scenes.sight import Eyes, Still, look, sightings
from worldquiz_scenes.view import EGO, Camera, View

pil = later("PIL.Image")

Watch = Literal["none", "room"]
"""The rooms' cameras that record: those in the agent's room, or none."""
Pictures = Literal["rgb", "depth", "instances"]
KINDS: tuple[Pictures, ...] = ("rgb", "depth", "instances")
"""Pictures of a view. Depth: 16-bit PNG in millimetres. Instances: 16-bit PNG; pixel value n > 0 is
the scene's n-th thing, 0 is none."""
SPEED = 1.0  # metres that an agent walks per second
TURNING = 90.0  # degrees that it turns per second
GLANCE = 0.5  # seconds that looking takes


@dataclass(frozen=True)
class Shot:
    """A view with its pictures."""

    view: View
    images: Images


class Walker:
    """Walks an agent through a scene and records the views on the way."""

    def __init__(
        self,
        eyes: Eyes,
        *,
        ground: Ground | None = None,
        start: Pose | None = None,
        watch: Watch = "none",
        size: tuple[int, int] = cameras.SIZE,
        folder: Path | None = None,
        kinds: Sequence[Pictures] = KINDS,
        colours: bool = True,
    ) -> None:
        self.eyes, self.scene = eyes, eyes.built.scene
        self.ground = ground or Ground(self.scene)
        self.pose = start or Pose(*self.scene.start)
        self.watch, self.size, self.folder = watch, size, folder
        self.kinds: Sequence[Pictures] = kinds if folder else ()
        self.colours = colours
        self.time, self.index = 0.0, 0
        self._still = Still()  # for the rooms' cameras
        self._watchers = cameras.watchers(self.scene, size=size) if watch == "room" else ()

    @property
    def room(self) -> str:
        """The room in which the agent is, or the nearest room."""
        return where(self.ground, self.pose)

    def step(self, move: Move) -> tuple[Moved, tuple[Shot, ...]]:
        """Move, then look; return the result of the move and the views there."""
        moved = self.go(move)
        return moved, self.see()

    def go(self, move: Move) -> Moved:
        """Move without looking."""
        moved = self.ground.move(self.pose, move)
        seconds = abs(move.turn) / TURNING + abs(move.tilt) / TURNING + moved.walked / SPEED
        self.pose = moved.pose
        self.time = round(self.time + seconds, 3)
        self.index += 1
        return moved

    def see(self) -> tuple[Shot, ...]:
        """Record views with the agent's eyes, then with the rooms' cameras."""
        shots = tuple(self.shoot(camera) for camera in self.cameras())
        self.time = round(self.time + GLANCE, 3)
        return shots

    def cameras(self) -> tuple[Camera, ...]:
        """Return the cameras that record at this moment, the agent's own first."""
        looking = self._watchers if self.watch == "room" else ()
        others = (each for each in looking if watched(each) == self.room)
        return (eyes_of(self.pose, self.size), *others)

    def shoot(self, camera: Camera) -> Shot:
        """Return a camera's view at this moment, and write its pictures."""
        own = camera.name == EGO
        room, still = (self.room, None) if own else (watched(camera), self._still)
        self.eyes.built.stand(*self.pose.plan)
        images = look(
            self.eyes, camera, room=room, self_seen=not own, colours=self.colours, still=still
        )
        seen, mirrored = sightings(self.eyes, camera, images, still)
        name = f"{self.index:04d}-{camera.name}"
        files: dict[str, str] = {
            kind: f"views/{name}.{kind}.png"
            for kind in self.kinds
            if kind != "rgb" or images.rgb is not None
        }
        view = View(
            name, self.time, self.scene.id, room, camera, self.pose.plan, seen, mirrored, files
        )
        if self.folder:
            save(images, files, self.folder)
        return Shot(view, images)


def eyes_of(pose: Pose, size: tuple[int, int] = cameras.SIZE) -> Camera:
    """Return the camera at the eyes of an agent in a pose."""
    return cameras.ego(*pose.plan, size=size, pitch=max(cameras.PITCH + pose.tilt, -85.0))


def watched(camera: Camera) -> str:
    """Return the room of a camera named `watch-ROOM-n`."""
    return camera.name.removeprefix("watch-").rsplit("-", 1)[0]


def where(ground: Ground, pose: Pose) -> str:
    """Return the room in which a pose is, or the nearest room."""

    def away(name: str) -> float:
        room = ground.scene.room[name]
        dx = max(room.low[0] - pose.x, 0.0, pose.x - room.high[0])
        dy = max(room.low[1] - pose.y, 0.0, pose.y - room.high[1])
        return hypot(dx, dy)

    inside = ground.room(pose.x, pose.y)
    return inside or min(sorted(ground.scene.room), key=away)


def save(images: Images, files: dict[str, str], folder: Path) -> None:
    """Write a view's pictures as PNG, each whole or not at all. Equal pictures give equal bytes."""
    for kind, path in files.items():
        if kind == "rgb":
            assert images.rgb is not None
            data = png(images.rgb)
        elif kind == "depth":
            millimetres = np.clip(np.rint(images.depth.astype(np.float64) * 1000), 0, 65535)
            data = png(millimetres.astype(np.uint16))
        else:
            data = png((images.instances + 1).astype(np.uint16))
        write_bytes(folder / path, data)


def png(pixels: Picture | NDArray[np.uint16]) -> bytes:
    """Return an image as PNG: height x width x 3 of 8 bits, or height x width of 16 bits.

    Colours are compressed by run length only: drawn surfaces are so even that this takes a third
    less time than zlib's usual search, and no more space.
    """
    packed = {"compress_level": 1, "compress_type": zlib.Z_RLE} if pixels.ndim == 3 else {
        "compress_level": 4}  # fmt: skip
    stream = io.BytesIO()
    pil.fromarray(np.ascontiguousarray(pixels)).save(stream, "PNG", **packed)
    return stream.getvalue()

"""Walks recorded: when, where, and from which camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from scenes import studio
from worldquiz_scenes.cameras import Images
from worldquiz_scenes.episode import GLANCE, KINDS, Walker, watched
from worldquiz_scenes.locomotion import Move, Pose
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import EGO

WAY = (Move(turn=-30, walk=1.0), Move(turn=-60, walk=0.5))
SMALL = (160, 120)


def test_views_come_in_order_with_time_and_place(studio_canvas: Canvas) -> None:
    walker = Walker(studio_canvas, watch="room", size=SMALL)
    shots = [*walker.see(), *(shot for move in WAY for shot in walker.step(move)[1])]
    views = [shot.view for shot in shots]
    assert [view.id for view in views[:3]] == [
        "0000-ego", "0000-watch-living-1-1", "0000-watch-living-1-2",
    ]  # fmt: skip
    assert [view.time for view in views if view.camera.name == EGO] == [
        0.0, pytest.approx(GLANCE + 1 / 3 + 1.0, abs=1e-3),
        pytest.approx(2 * GLANCE + 1.0 + 1.5, abs=2e-3),
    ]  # fmt: skip
    assert len({view.id for view in views}) == len(views) == 9
    assert {view.scene for view in views} == {"studio"}
    assert views[3].agent == pytest.approx((1.2 + 3**0.5 / 2, 1.5, -np.pi / 6), abs=1e-6)
    assert views[3].camera.at[:2] == views[3].agent[:2]
    assert views[0].files == {}


def test_the_agent_sees_itself_in_mirrors_only(studio_canvas: Canvas) -> None:
    """Its own eyes look out of its head; a room's camera sees all of it."""
    walker = Walker(studio_canvas, watch="room", size=SMALL)
    with_it = [shot.images for shot in walker.see()]
    studio_canvas.built.stand(-50.0, -50.0, 0.0)
    own = look(studio_canvas, walker.cameras()[0], room="living-1", self_seen=False)
    corner = look(studio_canvas, walker.cameras()[1], room="living-1")
    changed = differ(with_it[0], own)
    assert changed.sum() > 20
    assert not changed[own.mirror < 0].any()
    assert differ(with_it[1], corner).sum() > 200
    assert np.array_equal(with_it[0].instances, own.instances)


def differ(one: Images, two: Images) -> NDArray[np.bool_]:
    """Tell which pixels have another colour."""
    assert one.rgb is not None
    assert two.rgb is not None
    return np.asarray((one.rgb != two.rgb).any(axis=2))


def test_the_rooms_cameras_look_on_or_none(studio_canvas: Canvas) -> None:
    def names(walker: Walker) -> list[str]:
        return [camera.name for camera in walker.cameras()]

    assert names(Walker(studio_canvas)) == [EGO]
    kitchen = Walker(studio_canvas, watch="room", start=Pose(6.0, 1.0, 0.0))
    assert names(kitchen) == [EGO, "watch-kitchen-1-1", "watch-kitchen-1-2"]
    assert {watched(camera) for camera in kitchen.cameras()[1:]} == {"kitchen-1"}


def test_pictures_are_written_and_read_back(studio_canvas: Canvas, tmp_path: Path) -> None:
    walker = Walker(studio_canvas, folder=tmp_path, size=SMALL, kinds=KINDS)
    (shot,) = walker.see()
    assert shot.view.files["rgb"] == "views/0000-ego.rgb.png"
    stored = {
        kind: np.asarray(Image.open(tmp_path / path)) for kind, path in shot.view.files.items()
    }
    assert shot.images.rgb is not None
    assert np.array_equal(stored["rgb"], shot.images.rgb)
    assert np.array_equal(stored["instances"].astype(int) - 1, shot.images.instances)
    assert np.abs(stored["depth"] / 1000 - shot.images.depth).max() <= 0.00051
    things = {studio().things[index - 1].id for index in np.unique(stored["instances"]) if index}
    assert things == set(shot.view.seen)

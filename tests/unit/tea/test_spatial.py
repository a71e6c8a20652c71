"""Where tasks are, by hand; and the points of rooms that count as seen, against depth pictures."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from views import scene, sighting, thing, view
from worldquiz.tea.kinds.kinds import harvest
from worldquiz.tea.kinds.perception import LOCALIZATION
from worldquiz.tea.mir import spatial
from worldquiz.tea.recall.shown import Space
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import focal, frame
from worldquiz_scenes.config import PRESETS
from worldquiz_scenes.episode import Walker
from worldquiz_scenes.generate import generate
from worldquiz_scenes.locomotion import Move
from worldquiz_scenes.render import Canvas

FLAT = scene(
    thing("mug-1", (0.0, 2.0, 0.5), (0.5, 0.5, 0.5)),
    thing("vase-1", (3.0, 2.0, 0.5), (0.5, 0.5, 1.5)),
)


def test_two_boxes() -> None:
    tasks = harvest(FLAT, [view(sighting("mug-1"), sighting("vase-1"))], [LOCALIZATION])
    found = spatial(FLAT, tasks)
    assert found is not None
    assert found.extent == pytest.approx((4.0, 1.0, 3.0))
    assert found.volume == pytest.approx(12.0)
    assert found.spread == pytest.approx((1.5, 0.0, 0.0))
    assert (found.mean_volume, found.variance_volume) == pytest.approx((2.0, 1.0))
    assert (found.objects, found.tasks) == (2, 2)


def test_nothing_has_no_statistics() -> None:
    assert spatial(FLAT, []) is None


def test_points_that_count_as_seen_are_in_the_depth_pictures() -> None:
    """A point that is seen is no farther than its pixel shows; one that is not lies behind that."""
    pytest.importorskip("mujoco")
    scene, size = generate(PRESETS["paper"].knobs, 7, "paper-01"), (320, 240)
    space, same = Space(scene), Counter[bool]()
    points = np.concatenate(list(space.rooms.values()))
    with Canvas(build(scene), size=size) as canvas:
        walker = Walker(canvas, size=size)
        for _ in range(8):
            (shot,) = walker.step(Move(turn=45, walk=0.4))[1]
            camera, depth = shot.view.camera, shot.images.depth
            axes = frame(camera)
            own = (points - axes.at) @ np.stack([axes.right, axes.down, axes.ahead], 1)
            ahead = own[:, 2] > 0.05
            column, row = (
                np.floor(own[:, k] / np.where(ahead, own[:, 2], 1) * focal(camera) + size[k] / 2)
                for k in (0, 1)
            )
            inside = ahead & (column >= 0) & (column < size[0]) & (row >= 0) & (row < size[1])
            seen = space.seen(camera, points)
            assert not (seen & ~ahead).any()
            shown = depth[row[inside].astype(int), column[inside].astype(int)]
            before = own[inside, 2] <= shown + 0.05
            same.update((seen[inside] == before).tolist())
    assert same[True] > 1500
    assert same[False] < 0.01 * same.total()

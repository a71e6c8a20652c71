"""Points of rooms that count as seen, against depth pictures."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from worldquiz.tea.recall.shown import Space
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import focal, frame
from worldquiz_scenes.config import PRESETS
from worldquiz_scenes.episode import Walker
from worldquiz_scenes.generate import generate
from worldquiz_scenes.locomotion import Move
from worldquiz_scenes.render import Canvas


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

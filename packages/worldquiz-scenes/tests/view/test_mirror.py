"""Mirrors: what lies before them, mirrors in mirrors, and when shadows are given up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from scenes import ball, cabinet, gallery, mirror, room_of
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import Images, ego
from worldquiz_scenes.render import Canvas
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.sight import look
from worldquiz_scenes.view import Camera


def shown(scene: Scene, camera: Camera) -> Images:
    built = build(scene)
    built.stand(-50.0, -50.0, 0.0)
    with Canvas(built, plain=True) as canvas:
        return look(canvas, camera)


def names(scene: Scene, indices: Any) -> set[str]:
    return {scene.things[index].id for index in np.unique(indices) if index >= 0}


def test_every_mirror_pixel_belongs_to_its_mirror() -> None:
    scene = gallery()
    images = shown(scene, ego(1.0, 3.2, -0.6))
    owners = np.array([scene.things[k].id for k in range(len(scene.things))])
    mirrors = np.array([each.id for each in scene.mirrors])
    glass = images.mirror >= 0
    assert glass.any()
    assert (owners[images.instances[glass]] == mirrors[images.mirror[glass]]).all()
    assert (images.reflected[~glass] == -1).all()


def test_a_mirror_in_a_mirror_is_a_thing_and_stays_blank() -> None:
    """Two mirrors face each other; between them stands a ball."""
    scene = room_of(
        ball("ball-1", 2.5, 2.6, 0.3),
        mirror("mirror-1", (4.98, 2.0, 1.3), (0.9, 0.9), -np.pi / 2),
        mirror("mirror-2", (0.02, 2.0, 1.3), (0.9, 0.9), np.pi / 2),
    )
    images = shown(scene, ego(3.6, 2.0, 0.0, pitch=-5.0))
    other = images.reflected == 2
    assert "mirror-2" in names(scene, images.reflected)
    assert images.rgb is not None
    assert images.rgb[other].std(axis=0).max() < 25 < images.rgb[other].mean()


def test_things_behind_a_standing_mirror_are_hidden_by_it_not_shown_in_it() -> None:
    scene = room_of(
        ball("ball-1", 3.4, 2.0, 0.3), ball("ball-2", 0.5, 1.4, 0.3),
        mirror("mirror-1", (2.6, 2.0, 1.0), (0.8, 0.95), -np.pi / 2),
    )  # fmt: skip
    images = shown(scene, ego(1.0, 2.0, 0.0, pitch=-8.0))
    assert "ball-1" not in names(scene, images.instances)
    assert names(scene, images.reflected) == {"ball-2"}


@pytest.mark.parametrize("across", [False, True])
def test_shadows_are_given_up_only_for_what_stands_across_the_plane(
    across: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A cabinet beside a standing mirror, before its plane or across it and in the way."""
    scene = room_of(
        ball("ball-1", 1.0, 3.0, 0.3),
        cabinet("cabinet-1", 2.6 if across else 1.2, 1.0, "living-1"),
        mirror("mirror-1", (2.6, 2.2, 1.0), (0.8, 0.9), -np.pi / 2),
    )
    built, planes = build(scene), []
    built.stand(-50.0, -50.0, 0.0)
    plain = Canvas.colours

    def noted(self: Canvas, *given: Any, **named: Any) -> Any:
        planes.append(given[3] if len(given) > 3 else named.get("beyond"))
        return plain(self, *given, **named)

    monkeypatch.setattr(Canvas, "colours", noted)
    with Canvas(built) as canvas:
        images = look(canvas, ego(1.3, 0.45, 0.75, pitch=0.0), room="living-1")
    assert (images.mirror >= 0).any()
    assert [each is not None for each in planes] == [False, across]

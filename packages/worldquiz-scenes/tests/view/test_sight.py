"""What is in a view: real drawings of scenes whose answers a reader can work out."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from scenes import DARK, RED, WHITE, mirror, room_of, studio, thing
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import ego, focal, into, watchers
from worldquiz_scenes.render import Canvas, Caster
from worldquiz_scenes.scene import Part, Scene, Shape, Thing
from worldquiz_scenes.sight import Still, look, sightings
from worldquiz_scenes.view import Camera, Reflection, Sighting

Seen = tuple[dict[str, Sighting], dict[tuple[str, str], Reflection]]


def block(id: str, x: float, y: float, half: float = 0.25, z: float = 1.5) -> Thing:
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (half, half, half), RED)
    return thing(id, (x, y, z), (half, half, half), (part,))


def panel(id: str, x: float, y: float, half: float) -> Thing:
    """Return a square sheet, upright and across the way east, at eye height."""
    part = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.001, half, half), WHITE)
    return thing(id, (x, y, 1.5), (0.001, half, half), (part,))


def seen(scene: Scene, camera: Camera) -> Seen:
    """Return what a view shows; drawing and rays must tell the same, but for single pixels."""
    built = build(scene)
    built.stand(-50.0, -50.0, 0.0)
    with Canvas(built, plain=True) as canvas:
        drawn = sightings(canvas, camera, look(canvas, camera, self_seen=False))
    caster = Caster(built)
    cast = sightings(caster, camera, look(caster, camera, self_seen=False))
    for one, two in zip(drawn[0], cast[0], strict=True):
        assert one.thing == two.thing
        assert abs(one.pixels - two.pixels) <= 2 + 0.01 * one.pixels
        assert abs(one.visible - two.visible) <= 0.02
        assert one.cut == two.cut
        assert one.depth == pytest.approx(two.depth, abs=0.01)
    for left, right in zip(drawn[1], cast[1], strict=True):
        assert (left.thing, left.mirror) == (right.thing, right.mirror)
        assert abs(left.visible - right.visible) <= 0.03
    return {each.thing: each for each in drawn[0]}, {(r.thing, r.mirror): r for r in drawn[1]}


LEVEL = ego(1.0, 2.0, 0.0, pitch=0.0)


def test_a_thing_in_the_open_is_wholly_visible() -> None:
    found, _ = seen(room_of(block("box-1", 3.25, 2.0)), LEVEL)
    side = 0.5 * focal(LEVEL) / 2.0  # its front is 2 m ahead
    one = found["box-1"]
    assert one.visible == 1.0
    assert one.pixels == pytest.approx(side**2, rel=0.01)
    assert one.depth == pytest.approx(2.0, abs=1e-3)
    assert not one.cut
    middle, half = (320, 240), side / 2
    ideal = (middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)
    assert one.box == pytest.approx(ideal, abs=1)


def test_a_thing_half_behind_another_is_half_visible() -> None:
    """A panel 1 m ahead that covers all to the right of the axis hides half of the one at 2 m."""
    scene = room_of(panel("far-1", 3.0, 2.0, 0.25), panel("near-1", 2.0, 1.7, 0.3))
    found, _ = seen(scene, LEVEL)
    assert found["near-1"].visible == 1.0
    assert found["far-1"].visible == pytest.approx(0.5, abs=0.01)
    assert not found["far-1"].cut


def test_a_thing_behind_a_wall_is_not_seen() -> None:
    found, _ = seen(studio(), ego(2.0, 2.0, 0.0))
    assert "table-2" not in found
    assert "cabinet-1" not in found


def test_the_edge_of_the_picture_cuts() -> None:
    edge = 2.0 * np.tan(np.radians(30)) * 640 / 480  # half the picture's width, 2 m ahead
    found, _ = seen(room_of(panel("far-1", 3.0, 2.0 + edge, 0.25)), LEVEL)
    assert found["far-1"].cut
    assert found["far-1"].visible == pytest.approx(0.5, abs=0.02)
    inside, _ = seen(room_of(panel("far-1", 3.0, 2.0 + edge - 0.26, 0.25)), LEVEL)
    assert not inside["far-1"].cut
    assert inside["far-1"].visible == 1.0


def test_only_the_mirror_shows_what_is_behind_the_agent() -> None:
    scene = studio()
    found, mirrored = seen(scene, ego(3.0, 2.3, 0.0, pitch=0.0))
    assert "sofa-1" not in found
    assert {thing for thing, _ in mirrored} >= {"table-1", "mug-1", "mug-2"}
    assert all(name == "mirror-1" for _, name in mirrored)
    inside = found["mirror-1"].box
    for each in mirrored.values():
        assert inside[0] <= each.box[0] < each.box[2] <= inside[2]
        assert inside[1] <= each.box[1] < each.box[3] <= inside[3]


def test_a_mirror_is_flipped_from_left_to_right() -> None:
    """The mug on the agent's left is seen on the left in the mirror before it."""
    found, mirrored = seen(studio(), ego(4.0, 2.1, 0.0))
    assert "mug-1" not in found
    assert mirrored["mug-1", "mirror-1"].box[0] < mirrored["mug-2", "mirror-1"].box[0]


def test_a_reflection_is_where_the_law_of_reflection_puts_it() -> None:
    camera = ego(4.0, 2.1, 0.0)
    _, mirrored = seen(studio(), camera)
    mug = studio().thing["mug-1"]
    image = np.array([[2 * (4.98 - 0.021) - mug.position[0], mug.position[1], mug.position[2]]])
    x, y, depth = into(camera, image)[0]
    x0, y0, x1, y1 = mirrored["mug-1", "mirror-1"].box
    assert x0 - 1 <= x / depth * focal(camera) + 320 <= x1 + 1
    assert y0 - 1 <= y / depth * focal(camera) + 240 <= y1 + 1


@pytest.mark.parametrize(("wide", "share"), [(0.9, 1.0), (0.1, 0.5)])
def test_a_mirrors_edge_cuts_what_it_shows(wide: float, share: float) -> None:
    """A panel behind the agent, before a mirror that ends in the middle of the panel's image."""
    glass = mirror("mirror-1", (4.98, 2.0 + wide, 1.5), (wide, 0.9), -pi / 2)
    behind = panel("far-1", 0.3, 2.0, 0.2)
    whole = mirror("mirror-1", (4.98, 2.0, 1.5), (wide, 0.9), -pi / 2)
    _, mirrored = seen(room_of(whole if share == 1 else glass, behind), LEVEL)
    assert mirrored["far-1", "mirror-1"].visible == pytest.approx(share, abs=0.03)


def test_truth_adds_up(studio_canvas: Canvas) -> None:
    camera = ego(*studio().start)
    images = look(studio_canvas, camera, self_seen=False)
    found, mirrored = sightings(studio_canvas, camera, images)
    assert sum(each.pixels for each in found) == (images.instances >= 0).sum()
    assert sum(each.pixels for each in mirrored) == (images.reflected >= 0).sum()
    assert [each.thing for each in found] == sorted(each.thing for each in found)


def test_a_still_camera_shows_the_agent_wherever_it_stands(studio_canvas: Canvas) -> None:
    built = studio_canvas.built
    for eyes in (studio_canvas, Caster(built)):
        still = Still()
        for pose in [(1.2, 2.0, 0.0), (2.5, 1.0, 2.0), (-50.0, -50.0, 0.0), (1.2, 2.6, 4.0)]:
            built.stand(*pose)
            for camera in watchers(built.scene):
                again = look(eyes, camera, colours=False, still=still)
                for name, image in vars(look(eyes, camera, colours=False)).items():
                    assert np.array_equal(image, getattr(again, name)), (pose, camera.name, name)


def test_colours_are_those_of_the_paints() -> None:
    panels = tuple(
        thing(f"panel-{k}", (3.0, y, 1.5), (0.02, 0.3, 0.3),
              (Part(Shape.BOX, (0.0, 0.0, 0.0), (0.02, 0.3, 0.3), paint),))
        for k, (y, paint) in enumerate([(2.8, RED), (2.0, WHITE), (1.2, DARK)])
    )  # fmt: skip
    built = build(room_of(*panels))
    with Canvas(built) as canvas:
        images = look(canvas, LEVEL, room="living-1", self_seen=False)
    assert images.rgb is not None
    red, white, dark = (images.rgb[images.instances == k].mean(axis=0) for k in range(3))
    assert red[0] > 3 * red[1]
    assert white.min() > 110
    assert dark.max() < 80

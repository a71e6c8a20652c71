"""A scene becomes a model: bodies by id, owners of geometry, the same bytes every time."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from scenes import environment, gallery, room_of, studio, table, thing
from worldquiz_scenes.build import AGENT, HIDDEN, SHOWN, Built, build
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.paints import paint
from worldquiz_scenes.scene import Part, Shape

DIGEST = """
import hashlib, mujoco, numpy
from scenes import studio
from worldquiz_scenes.build import build
model = build(studio()).model
buffer = numpy.empty(mujoco.mj_sizeModel(model), numpy.uint8)
mujoco.mj_saveModel(model, None, buffer)
print(hashlib.sha256(buffer.tobytes()).hexdigest())
"""


def test_bodies_are_named_by_id_and_stand_where_the_scene_has_them(gallery_built: Built) -> None:
    for each in gallery().things:
        body = gallery_built.data.body(each.id)
        assert body.xpos == pytest.approx(each.position)
        assert abs(np.dot(body.xquat, each.rotation)) == pytest.approx(1)


def test_every_geometry_has_an_owner(gallery_built: Built) -> None:
    names = set(gallery_built.names)
    assert "" not in names
    assert set(gallery_built.ids) | {AGENT} <= names
    assert {"floor:living-1", "wall:living-1", "ceiling:living-1"} <= names
    for index, name in enumerate(gallery_built.names):
        at = gallery_built.thing[index]
        assert (gallery_built.ids[at] == name) if at >= 0 else name not in gallery_built.ids


def test_each_mirror_has_one_glass_at_its_front(gallery_built: Built) -> None:
    assert gallery_built.mirrors == ("mirror-1", "mirror-2", "mirror-3", "mirror-4")
    for index, id in enumerate(gallery_built.mirrors):
        (glass,) = np.flatnonzero(gallery_built.mirror == index)
        assert gallery_built.names[glass] == id
        mirror = gallery_built.scene.thing[id]
        assert mirror.mirror is not None
        assert gallery_built.model.geom_size[glass][[0, 2]] == pytest.approx(mirror.mirror)


def test_nothing_collides_and_nothing_moves(gallery_built: Built) -> None:
    model = gallery_built.model
    assert model.nv == 0
    assert not model.geom_contype.any()
    assert not model.geom_conaffinity.any()


def test_show_chooses_by_group(gallery_built: Built) -> None:
    choice = gallery_built.thing == 0
    gallery_built.show(choice)
    assert (gallery_built.model.geom_group == np.where(choice, SHOWN, HIDDEN)).all()


def test_the_agents_figure_stands_where_it_is_put(gallery_built: Built) -> None:
    gallery_built.stand(1.5, 2.5, np.pi / 2)
    head = gallery_built.data.geom_xpos[gallery_built.figure].max(axis=0)[2]
    assert head == pytest.approx(1.52)
    assert gallery_built.data.body(AGENT).xpos == pytest.approx([1.5, 2.5, 0])
    visor = gallery_built.data.geom_xpos[gallery_built.figure][-1]
    assert visor[1] > 2.55, "it looks north"


def test_a_shape_that_the_engine_refuses_is_named() -> None:
    flat = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.0, 1.0, 1.0), studio().things[0].paint)
    with pytest.raises(SceneError, match=r"scene 'room': MuJoCo cannot build it"):
        build(room_of(thing("sheet-1", (1.0, 1.0, 1.0), (0.1, 1.0, 1.0), (flat,))))


@pytest.mark.slow
def test_equal_scenes_give_equal_models_whatever_the_hash_seed() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", DIGEST], env=environment(PYTHONHASHSEED=seed),
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("0", "17")
    }  # fmt: skip
    assert len(digests) == 1


def test_a_paint_is_one_material_however_many_things_have_it() -> None:
    one = build(room_of(table("table-1", 1.5, 1.5))).model
    two = build(room_of(table("table-1", 1.5, 1.5), table("table-2", 3.5, 2.5))).model
    assert one.nmat == two.nmat
    assert one.ntex == two.ntex
    assert mujoco.mj_name2id(two, mujoco.mjtObj.mjOBJ_BODY, "table-2") > 0


def test_only_light_glows() -> None:
    side, glow = (0.1, 0.1, 0.1), paint("white", "light")
    lamp = thing("lamp-1", (1.0, 1.0, 1.0), side, (Part(Shape.BOX, (0.0, 0.0, 0.0), side, glow),))
    built = build(replace(studio(), things=(*studio().things, lamp)))
    bright = built.model.mat_emission[built.model.geom_matid] > 0.5
    assert {built.names[at] for at in np.flatnonzero(bright)} == {"lamp-1"}

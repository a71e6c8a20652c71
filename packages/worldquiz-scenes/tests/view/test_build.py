"""A scene becomes a model: bodies by id, owners of geometry, the same bytes every time."""

from __future__ import annotations

import numpy as np
import pytest

from scenes import room_of, studio, thing
from worldquiz_scenes.build import AGENT, Built, build
from worldquiz_scenes.errors import SceneError
from worldquiz_scenes.scene import Part, Shape


def test_every_geometry_has_an_owner(gallery_built: Built) -> None:
    names = set(gallery_built.names)
    assert "" not in names
    assert set(gallery_built.ids) | {AGENT} <= names
    assert {"floor:living-1", "wall:living-1", "ceiling:living-1"} <= names
    for index, name in enumerate(gallery_built.names):
        at = gallery_built.thing[index]
        assert (gallery_built.ids[at] == name) if at >= 0 else name not in gallery_built.ids


def test_the_agents_figure_stands_where_it_is_put(gallery_built: Built) -> None:
    gallery_built.stand(1.5, 2.5, np.pi / 2)
    head = gallery_built.data.geom_xpos[gallery_built.figure].max(axis=0)[2]
    assert head == pytest.approx(1.54)
    assert gallery_built.data.body(AGENT).xpos == pytest.approx([1.5, 2.5, 0])
    visor = gallery_built.data.geom_xpos[gallery_built.figure][-1]
    assert visor[1] > 2.55, "it looks north"


def test_a_shape_that_the_engine_refuses_is_named() -> None:
    flat = Part(Shape.BOX, (0.0, 0.0, 0.0), (0.0, 1.0, 1.0), studio().things[0].paint)
    with pytest.raises(SceneError, match=r"scene 'room': MuJoCo cannot build it"):
        build(room_of(thing("sheet-1", (1.0, 1.0, 1.0), (0.1, 1.0, 1.0), (flat,))))

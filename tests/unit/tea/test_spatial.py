"""Spatial statistics, by hand."""

from __future__ import annotations

import pytest

from views import scene, sighting, thing, view
from worldquiz.tea.kinds.kinds import harvest
from worldquiz.tea.kinds.perception import LOCALIZATION
from worldquiz.tea.mir import spatial

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

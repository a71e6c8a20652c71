"""Pictures of written tasks: which there are, and that equal values give equal bytes."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from worldquiz.tea.written.figures import SETS, pictures


def writer(*, empty: bool = False) -> dict[str, Any]:
    sets = {name: {"ways": {"command": {"mir": 0.1 * n}}} for n, name in enumerate(SETS, start=1)}
    plan = {
        "rooms": [["hall-1", 0.0, 0.0, 4.0, 3.0], ["bath-1", 4.1, 0.0, 6.0, 3.0]],
        "things": [[1.0, 1.0, 1.5, 2.0]],
        "start": [2.0, 1.0],
        "points": {} if empty else {"without": [[1.2, 1.5, 30]], "first": [[5.0, 2.0, 1]]},
    }
    mean = {"mean": None if empty else 0.5, "sd": None, "n": 1}
    return {
        "scenes": {"flat-1": {"sets": sets, "plan": plan}},
        "compared": [] if empty else ["flat-1"],
        "curve": {threshold: dict.fromkeys(SETS, mean) for threshold in ("0.7", "0.8")},
    }


def test_equal_values_give_equal_pictures() -> None:
    writers = {"one": writer(), "two": writer()}
    made = pictures(writers, 0.8)
    assert sorted(made) == ["curve.png", "mir.png", "plan-1.png", "plan-2.png"]
    assert made == pictures(writers, 0.8)
    for png in made.values():
        with Image.open(io.BytesIO(png)) as picture:
            assert picture.width > 400
            assert "Software" not in picture.info


def test_who_wrote_nothing_has_no_plan() -> None:
    assert sorted(pictures({"mute": writer(empty=True)}, 0.8)) == ["curve.png", "mir.png"]
    assert pictures({}, 0.8) == {}

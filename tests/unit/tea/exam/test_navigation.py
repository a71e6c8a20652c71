"""Table 4's measures, each on walks made by hand, and the laws of gain."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq
from recalls import Task, walk_row

WAY = st.lists(st.integers(0, 20_000).map(lambda mm: mm / 1000), min_size=1, max_size=11)
MANIFEST = {"kind": "tea-run", "tasks": 0, "walks": 1, "seed": 0, "data": "d",
            "answerer": "oracle"}  # fmt: skip


def scored(*walks: list[Task], gave_up: bool = False) -> dict[str, Any]:
    """Return the measures of walks, as a run's scores tell them."""
    with TemporaryDirectory() as folder:
        rows = [walk_row(number, walk, gave_up=gave_up) for number, walk in enumerate(walks)]
        Path(folder, "rows.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        Path(folder, "manifest.json").write_text(json.dumps(MANIFEST))
        told: dict[str, Any] = wq.Run(folder).score()["navigation"]
        return told


def at(away: float, *, seen: bool = False) -> Task:
    return {"away": away, "seen": seen}


def mirrored(away: float, far: float, *, shown: bool = True, seen: bool = False) -> Task:
    mirrors = ["mirror-1"] if shown else []
    return {"away": away, "seen": seen, "mirrors": {"mirror-1": far}, "shown": mirrors}


@settings(max_examples=25, deadline=None)
@given(WAY)
def test_gain_is_between_minus_one_and_one(way: list[float]) -> None:
    there, back = (scored(list(map(at, each)))["gain"] for each in (way, way[::-1]))
    assert -1 <= there <= 1
    assert there == pytest.approx(-back)
    assert (there == 1) == (way[-1] == 0 < way[0])


@pytest.mark.parametrize(
    ("walk", "neglects"),
    [
        ([at(3), at(4)], None),
        ([at(3, seen=True), at(4)], True),
        ([at(3, seen=True), at(3.05), at(9)], False),
        ([at(3), at(2, seen=True)], None),  # nothing came after
    ],
)
def test_neglect_is_to_leave_what_is_in_view(walk: list[Task], neglects: bool | None) -> None:
    found = scored(walk)["neglect"]
    assert (found["of"], found["rate"]) == (neglects is not None, neglects)


@pytest.mark.parametrize(
    ("walk", "gave_up", "lacks"),
    [
        ([at(3)], True, True),  # it gave up before the target was in view
        ([at(3), at(3)], True, True),
        ([at(3), at(3, seen=True)], True, False),
        ([at(3), at(2)], False, False),
        ([at(3, seen=True)], True, None),
        ([mirrored(3, 2), mirrored(4, 1, shown=False)], False, True),  # it walked to the mirror
        ([mirrored(3, 2), mirrored(2, 1)], False, False),  # the target is there as well
        ([mirrored(3, 2), mirrored(4, 3)], False, False),
        ([mirrored(3, 2, seen=True), mirrored(4, 1)], False, None),  # it saw the target itself
    ],
)
def test_who_gives_up_unseen_or_walks_to_a_mirror_lacks_awareness(
    walk: list[Task], gave_up: bool, lacks: bool | None
) -> None:
    found = scored(walk, gave_up=gave_up)["lack_of_3d_awareness"]
    assert (found["of"], found["rate"]) == (lacks is not None, lacks)


def test_rates_tell_of_how_many() -> None:
    told = scored([at(4, seen=True), at(5)], [at(4), at(2), at(0)])
    assert told["success"] == {"rate": 0.5, "of": 2, "count": 1}
    assert told["neglect"] == {"rate": 1.0, "of": 1, "count": 1}
    assert told["lack_of_3d_awareness"] == {"rate": 0.0, "of": 1, "count": 0}
    assert (told["steps"], told["steps_of_successes"]) == (1.5, 2)
    assert told["gain"] == pytest.approx((1 - 0.2) / 2)

"""Tables of written tasks: sets of one size, the paired test, and the paper's printed numbers."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.errors import RecordError
from worldquiz.records import write_json
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz.tea.written import tables
from worldquiz.tea.written.tables import PAPER, SETS, paired, sets

SHARES = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 3))
COUNTS = st.integers(0, 9)


def scene(**counts: int) -> list[Instance]:
    """Return so many written tasks of each part."""
    return [
        Instance(f"command/flat/{part}/{number}", "command", "flat", "v", {"object": "mug-1"},
                 "Wipe it.", Goal("mug-1", 1.0), origin=part.replace("_", "-"))
        for part, count in counts.items()
        for number in range(count)
    ]  # fmt: skip


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_the_sets_of_a_scene_are_of_one_size(a: int, b: int, c: int, d: int) -> None:
    found = sets(scene(without=a, first=b, second_1=c, second_2=d))
    sizes = {len(found.get(name, [])) for name in SETS}
    assert sizes == {min(a, b, c + d)}
    parts = [number for number in (1, 2) if f"first-{number}" in found]
    assert sum(len(found[f"first-{number}"]) for number in parts) <= b
    assert all(len(found[f"first-{n}"]) <= len(found[f"second-{n}"]) for n in parts)


def test_executed_tasks_take_turns() -> None:
    found = sets(scene(without=5, first=5, second_1=4, second_2=2))["second"]
    assert [task.origin[-1] for task in found] == ["1", "2", "1", "2", "1"]


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(SHARES, SHARES), min_size=3, max_size=12))
def test_the_paired_test_is_scipys(pairs: list[tuple[float, float]]) -> None:
    from scipy.stats import ttest_rel

    ours, theirs = zip(*pairs, strict=True)
    found, back = paired(ours, theirs), paired(theirs, ours)
    assert found is not None
    assert back is not None
    assert found["mean"] == pytest.approx(fmean(ours) - fmean(theirs), abs=1e-9)
    if found["t"] is None:
        assert len({round(a - b, 9) for a, b in pairs}) == 1
    else:
        known = ttest_rel(ours, theirs)
        assert (found["t"], found["p"]) == pytest.approx((known.statistic, known.pvalue), rel=1e-6)
    assert (back["mean"], back["p"], back["p_exchange"]) == (
        -found["mean"], found["p"], found["p_exchange"],
    )  # fmt: skip


def test_few_scenes_tell_little() -> None:
    assert paired([], []) is None
    one = paired([0.5], [0.2])
    assert one is not None
    assert (one["scenes"], one["mean"], one["t"], one["p"], one["low"]) == (
        1,
        0.3,
        None,
        None,
        None,
    )
    with pytest.raises(ValueError, match="no pairs"):
        paired([0.1], [0.1, 0.2])


def test_the_papers_shares_are_those_it_prints() -> None:
    assert fmean(PAPER["mir_e"].values()) == pytest.approx(0.75, abs=0.005)
    first, last = PAPER["scenes"]["0"], PAPER["scenes"]["9"]
    assert round(first["without"][0] / first["without"][1], 2) == 0.13
    assert [round(a / b, 2) for a, b in last["second each"]] == [0.32, 1.0, 0.66, 0.67, 0.6]
    for column in PAPER["table_2"]:
        x, y, z = column["extent"]
        assert x * y * z == pytest.approx(column["volume"], rel=0.002)


def test_every_row_of_a_table_and_of_a_sheet_has_its_columns() -> None:
    place = {"extent": (2.0, 2.0, 2.0), "objects": 3}
    found = {
        "threshold": 0.8, "mir_e": [], "means": [], "tests": [], "paper": PAPER,
        "mir": [{"writer": "a|b", "scene": "x", "set": "first", "compared_by": tables.WHOLE,
                 "threshold": 0.8, "mir": 0.4}],
        "places": [{"writer": "m", **place}, {"writer": "n", **place}],
        "written": [{"writer": "m", "part": "first", "tasks": 3}],
    }  # fmt: skip
    text, wide = tables.markdown(found), 0
    for line in text.splitlines():
        cells = line.replace("\\|", "").count("|")
        wide = 0 if not cells else wide or cells
        assert cells in (0, wide), line
    assert "| GPT-4o (the paper) | 0.307 ± 0.159 | 0.536 ± 0.055 |  |  | 0.676 ± 0.156 |" in text
    assert "a\\|b" in text
    rows = list(csv.reader(tables.sheets(found)["table2.csv"].splitlines()))
    assert rows[0] == ["writer", "extent_x", "extent_y", "extent_z", "objects"]
    assert {len(row) for row in rows} == {5}


def test_folders_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no finished folder of written tasks"):
        tables.size([tmp_path])
    write_json(tmp_path / "manifest.json", {"kind": "tea"})
    with pytest.raises(RecordError, match="wanted a finished folder of written tasks"):
        tables.tables([tmp_path])

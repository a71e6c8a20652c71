"""Sets of one size, and the tables' words; the measuring itself is tested on real scenes."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import RecordError
from worldquiz.records import write_json
from worldquiz.tea.data import Folder
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz.tea.written import paper
from worldquiz.tea.written.parts import SECOND, WITHOUT, second
from worldquiz.tea.written.tables import PAIRS, SETS, WAYS, WrittenScene, size, tables
from worldquiz.tea.written.text import markdown, sheets


class Told(Folder):
    """A scene's folder of which only the tasks are there."""

    def __init__(self, tasks: tuple[Instance, ...]) -> None:
        super().__init__(Path("nowhere"))
        self.__dict__["tasks"] = tasks


def task(part: str, number: int) -> Instance:
    id = f"command/flat/{part}/{number}"
    return Instance(id, "command", "flat", "v", {"object": "mug-1"}, "Wipe it.",
                    Goal("mug-1", 1.0), origin=part)  # fmt: skip


def scene(**counts: int) -> WrittenScene:
    names = {"without": "without", "first": "first", "one": second(1), "two": second(2)}
    return WrittenScene(
        Told(tuple(task(names[k], n) for k, size in counts.items() for n in range(size)))
    )


COUNTS = st.integers(0, 9)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_the_sets_of_a_scene_are_of_one_size(a: int, b: int, c: int, d: int) -> None:
    made = scene(without=a, first=b, one=c, two=d)
    assert {len(some) for some in made.sets.values()} == {min(a, b, c + d)}
    assert list(made.sets) == list(SETS)
    assert sum(map(len, made.shares)) <= b
    assert all(len(x) <= len(y) for x, y in zip(made.shares, made.executed, strict=False))


def test_executed_tasks_take_turns() -> None:
    found = scene(without=5, first=5, one=4, two=2).sets[SECOND]
    parts = [task.origin.removeprefix(f"{SECOND}-") for task in found]
    assert parts == ["1", "2", "1", "2", "1"]
    assert [task.origin for task in scene(without=5, first=5).sets[WITHOUT]] == []


def spread(mean: float) -> dict[str, Any]:
    return {"mean": mean, "sd": 0.1, "n": 2}


def found() -> dict[str, Any]:
    """Return what `tables` returns, of one writer and one scene."""
    record = {"tasks": 10, "independent": 4, "bound": 4, "optimal": True, "mir": 0.4}
    test = {"scenes": 2, "mean": 0.1, "sd": 0.1, "t": 1.41, "p": 0.00001, "effect": 1.0,
            "low": 0.0, "high": 0.2, "exchanged": 0.5, "above": 1}  # fmt: skip
    tests = {" - ".join(pair): test for pair in PAIRS}
    place = {"volume": 8.0, "extent": (2.0, 2.0, 2.0), "spread": (1.0, 1.0, 1.0),
             "mean_volume": 0.5, "variance_volume": 0.04, "objects": 3, "tasks": 10}  # fmt: skip
    one = {
        "tasks": 10, "grown": 4, "mir_e": 0.5,
        "sets": {n: {"ways": dict.fromkeys(WAYS, record), "curve": {"0.8": 0.4}} for n in SETS},
        "first_each": [record], "second_each": [record],
        "spatial": {**dict.fromkeys(SETS, place), second(1): place},
    }  # fmt: skip
    means = {name: spread(0.4) for name in SETS}
    writer = {
        "scenes": {"flat|1": one}, "compared": ["flat|1"], "optimal": True,
        "mean": dict.fromkeys(WAYS, means), "first_each": spread(0.5), "second_each": spread(0.6),
        "mir_e": spread(0.7), "curve": {"0.8": means}, "tests": dict.fromkeys(WAYS, tests),
        "curve_tests": {"0.8": tests},
        "written": {"first": {"tasks": 10, "requests": 2, "repeated": 1, "dropped": 0}},
    }  # fmt: skip
    published = {
        "model": paper.MODEL, "table_1": paper.TABLE_1, "scenes": paper.SCENES,
        "mir_e": paper.MIR_E, "p": paper.P, "table_2": paper.TABLE_2,
    }  # fmt: skip
    return {"threshold": 0.8, "writers": {"m": writer}, "paper": published}


def test_the_papers_numbers_stand_beside_ours() -> None:
    text = markdown(found())
    assert "| GPT-4o (the paper) | 0.307 ± 0.159 | 0.536 ± 0.055 |  |  | 0.676 ± 0.156 |" in text
    assert "| m | 0.400 ± 0.100 | 0.400 ± 0.100 | 0.400 ± 0.100 | 0.500 ± 0.100 |" in text
    assert "| the paper | 9 | 0.02 (2/108) |" in text
    assert "| < 0.0001 | 2 | 1.00 | 0.5000 | 1 of 2 |" in text
    assert "| 8.00 | 2.00, 2.00, 2.00 | 1.00, 1.00, 1.00 | 0.50, 0.20 | 3 | 10 |" in text
    assert "flat\\|1" in text
    assert "Rule-based" not in text


def test_every_row_of_a_table_has_its_columns() -> None:
    place = found()["writers"]["m"]["scenes"]["flat|1"]["spatial"]["first"]
    told = {"mean": {"loop 1": spread(0.1)}, "mir_e": spread(0.2),
            "spatial": {"flat": {"loop 1": place}}}  # fmt: skip
    lines = markdown({**found(), "templates": told}).splitlines()
    wide = 0
    for line in lines:
        cells = line.replace("\\|", "").count("|")
        wide = 0 if not cells else wide or cells
        assert cells in (0, wide), line
    assert "| MIR-e | 0.200 ± 0.100 | 2 |" in lines
    assert any(
        line.startswith("| rule-based, all types | flat | loop 1 | 8.00 |") for line in lines
    )


def test_every_row_of_a_sheet_has_its_columns() -> None:
    made = sheets(found())
    assert sorted(made) == ["table1.csv", "table2.csv", "tests.csv"]
    for text in made.values():
        rows = list(csv.reader(text.splitlines()))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 4


def test_folders_of_something_else_are_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no tasks were written here"):
        size([tmp_path])
    write_json(tmp_path / "manifest.json", {"kind": "tea"})
    with pytest.raises(RecordError, match="not about written tasks"):
        tables([tmp_path])

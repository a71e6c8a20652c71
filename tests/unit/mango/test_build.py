"""Generated mazes: what the parameters do, in examples; laws of them are in property tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

WAYS = {"north", "south", "east", "west", "northeast", "southwest", "northwest", "southeast", "up",
        "down"}  # fmt: skip


def edges(out: Path, **knobs: Any) -> list[dict[str, Any]]:
    """Return the moves of a maze."""
    wq.mango.build(mazes=1, seed=1, out=out, **knobs)
    text = (out / "maze-00" / "steps70" / "maze-00.edges.json").read_text("utf-8")
    return list(json.loads(text))


def test_non_compass_moves_are_as_many_as_wanted(tmp_path: Path) -> None:
    none = edges(tmp_path / "none", size=30, branching=3, loops=0.1)
    every = edges(tmp_path / "all", size=30, non_compass=1.0)
    assert all(each["action"] in WAYS for each in none)
    assert not any(each["action"] in WAYS for each in every)


def test_one_way_passages_are_never_undone(tmp_path: Path) -> None:
    found = edges(tmp_path / "m", size=20, loops=1.0, one_way=0.5)
    ways = {(each["src_node"], each["dst_node"]) for each in found}
    assert sum((target, source) not in ways for source, target in ways) >= 5


def test_confusable_names_differ_by_one_word(tmp_path: Path) -> None:
    alike = {each["src_node"] for each in edges(tmp_path / "a", size=10, confusable=1.0)}
    assert len({place.split()[1] for place in alike}) == 1
    plain = {each["src_node"] for each in edges(tmp_path / "b", size=10)}
    assert len({place.split()[-1] for place in plain}) == 10


@pytest.mark.parametrize(
    ("knobs", "fault"),
    [
        ({"size": 1}, "size 1: must be 2 or more"),
        ({"branching": 1}, "branching 1: must be 2 or more"),
        ({"loops": 1.5}, "loops 1.5: must be 1 or less"),
        ({"one_way": -1}, "one_way -1: must be 0 or more"),
        ({"mazes": 0}, "expected 1 or more with different names, got none"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(
    knobs: dict[str, Any], fault: str, tmp_path: Path
) -> None:
    with pytest.raises(wq.WorldquizError, match=fault):
        wq.mango.build(**knobs, out=tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_mazes_are_never_written_over_anything_else(tmp_path: Path) -> None:
    out = tmp_path / "mazes"
    wq.mango.build(mazes=1, seed=7, size=6, out=out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    wq.mango.build(mazes=1, seed=7, size=6, out=out)
    with pytest.raises(wq.WorldquizError, match="already contains a different maze 'maze-00'"):
        wq.mango.build(mazes=1, seed=8, size=6, out=out)
    assert before == {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json").write_text("{}")
    with pytest.raises(wq.WorldquizError, match=r"already contains 'manifest.json'"):
        wq.mango.build(mazes=1, seed=7, size=6, out=tmp_path / "run")

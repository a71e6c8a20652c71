from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import KnobError, RecordError
from worldquiz.runs.folder import check_whole
from worldquiz.runs.shard import (
    Part,
    Shard,
    check_part,
    finish_part,
    note_part,
    read_shard,
    summary,
)

UNITS = st.lists(
    st.tuples(st.sampled_from("abcdefg"), st.integers(0, 99)), min_size=1, unique=True
).map(lambda units: [f"{world}/{number}" for world, number in units])


def world(unit: str) -> str:
    return unit.partition("/")[0]


@given(UNITS, st.data())
def test_shards_do_every_unit_once_and_keep_a_world_together(
    units: list[str], data: st.DataObject
) -> None:
    worlds = {world(unit) for unit in units}
    of = data.draw(st.integers(1, len(worlds)))
    parts = [Part.of(Shard(i, of), units, "units", about=world) for i in range(1, of + 1)]
    assert sorted(chain.from_iterable(part.units for part in parts)) == sorted(units)
    assert len({part.record.units for part in parts}) == 1
    homes = [{world(unit) for unit in part.units} for part in parts]
    assert sum(map(len, homes)) == len(worlds)
    assert max(map(len, homes)) - min(map(len, homes)) <= 1
    for part in parts:
        assert list(part.units) == [unit for unit in units if unit in part.units]


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "1/0", "2/5/7", "-1/2", " 1/2", "１/2"])
def test_what_is_no_shard_is_told(text: str) -> None:
    with pytest.raises(KnobError, match=r"give it as I/N"):
        Shard.read(text)


@given(st.integers(1, 500), st.integers(1, 500))
def test_a_shard_is_written_as_it_is_read(one: int, other: int) -> None:
    shard = Shard(min(one, other), max(one, other))
    assert Shard.read(str(shard)) == shard


def part(index: int = 1, of: int = 2, units: tuple[str, ...] = ("a", "b", "c")) -> Part[str]:
    return Part.of(Shard(index, of), units, "worlds")


def test_a_folder_says_which_part_it_is(tmp_path: Path) -> None:
    note_part(tmp_path, part())
    assert read_shard(tmp_path).mine == ["a", "c"]
    assert summary(tmp_path) == {
        "shard": "1/2", "folder": str(tmp_path), "noun": "worlds", "units": 2, "of": 3,
        "finished": False, "failed": {},
    }  # fmt: skip
    assert finish_part(tmp_path, part(), "worlds")["finished"]
    with pytest.raises(RecordError, match="is a shard of a whole: `worldquiz merge` joins"):
        check_whole(tmp_path)


def test_a_folder_goes_on_only_as_what_it_was_begun(tmp_path: Path) -> None:
    note_part(tmp_path, part())
    check_part(tmp_path, part(), "plan.json")
    for wrong in (part(2), part(1, 3), part(units=("a", "b", "d")), None):
        with pytest.raises(RecordError, match="shard"):
            check_part(tmp_path, wrong, "plan.json")


def test_a_whole_is_not_gone_on_with_as_a_shard(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    check_part(tmp_path, None, "manifest.json")
    with pytest.raises(RecordError, match="holds a whole, not a shard"):
        check_part(tmp_path, part(), "manifest.json")

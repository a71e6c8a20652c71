from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.addresses import CACHE, address, address_of, cache, local, shown
from worldquiz.errors import RecordError

NAMES = st.lists(st.from_regex(r"[a-z0-9][a-z0-9_.-]{0,8}", fullmatch=True), min_size=1, max_size=4)


@given(st.sampled_from(["s3", "gs", "memory"]), NAMES)
def test_an_address_and_its_copy_tell_each_other(scheme: str, parts: list[str]) -> None:
    where = f"{scheme}://{'/'.join(parts)}"
    assert address(where) == where
    assert address(Path(where)) == where  # pathlib makes one slash of two
    assert address_of(local(where)) == where
    assert shown(f"{local(where)}: no such file") == f"{where}: no such file"


@given(NAMES, NAMES)
def test_copies_lie_to_each_other_as_folders_in_the_store_do(
    one: list[str], two: list[str]
) -> None:
    first, second = (local(f"s3://bucket/{'/'.join(parts)}") for parts in (one, two))
    way = Path("/".join([".."] * len(one) + two))
    assert address_of(first / way) == address_of(second)


@pytest.mark.parametrize("path", ["runs/mine", "./x", "/data/s3/run", "a:b", "x:/y", "s3"])
def test_other_paths_are_local_ones(path: str) -> None:
    assert address(path) is None
    assert local(path) == Path(path)
    assert address_of(Path(path)) is None
    assert shown(path) == path


@pytest.mark.parametrize("path", ["file:///data/run", Path("file:///data/run"), "FILE:/data/run"])
def test_a_file_address_is_the_local_path(path: str | Path) -> None:
    assert address(path) is None
    assert local(path) == Path("/data/run")


def test_the_cache_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache() == tmp_path / "worldquiz" / "stores"
    monkeypatch.setenv(CACHE, str(tmp_path / "mine"))
    assert local("s3://b/c") == tmp_path / "mine" / "stores" / "s3" / "b" / "c"


def test_errors_show_the_address() -> None:
    assert str(RecordError(f"{local('s3://b/c')}: damaged")) == "s3://b/c: damaged"

"""A cluster as far as it goes without one; tests/integration/test_ray.py has a real one."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

import worldquiz as wq
from conftest import Cli


@pytest.fixture
def free() -> str:
    """An address of this machine at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{found.getsockname()[1]}"


@pytest.mark.parametrize("address", ["", "rays", "ray:", "dask", "http://a:1", "RAY"])
def test_another_address_is_told(address: str) -> None:
    with pytest.raises(wq.WorldquizError, match="expected ray "), wq.on(address):
        pass


@pytest.mark.parametrize("address", ["ray:{}", "ray://{}"])
def test_a_cluster_that_is_not_there_is_told_at_once_also_in_a_notebook(
    address: str, free: str
) -> None:
    async def notebook() -> None:
        with wq.on(address.format(free)):
            pass

    with pytest.raises(wq.WorldquizError, match=r"no Ray cluster answers.*`ray start --head`"):
        asyncio.run(notebook())


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(wq.WorldquizError, match=r"worldquiz\[ray\]"), wq.on("ray:auto"):
        pass


def test_a_command_that_cannot_reach_its_cluster_touches_no_folder(
    cli: Cli, tmp_path: Path, free: str
) -> None:
    build = ("t2q", "build", "--preset", "easy", "--seed", 1, "--out", tmp_path / "suite", "--on")
    for cluster, told in (("dask", "expected ray "), (f"ray:{free}", "no Ray cluster answers")):
        said = cli(*build, cluster)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("worldquiz: --on ")
        assert told in said.err
    assert not (tmp_path / "suite").exists()

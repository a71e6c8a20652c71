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
    with pytest.raises(wq.WorldquizError, match="give ray "), wq.on(address):
        pass


@pytest.mark.parametrize("address", ["ray:{}", "ray://{}"])
def test_a_cluster_that_is_not_there_is_told_at_once_also_in_a_notebook(
    address: str, free: str, tmp_path: Path
) -> None:
    async def notebook(suite: wq.t2q.T2QSuite) -> None:
        suite.run(agent="idle", answerer="abstainer", out=tmp_path / "run")

    suite = wq.t2q.build("easy", worlds=2, out=tmp_path / "suite")
    with wq.on(address.format(free)):
        with pytest.raises(wq.WorldquizError, match=r"no Ray cluster answers.*`ray start --head`"):
            wq.t2q.build("easy", worlds=2, out=tmp_path / "other")
        with pytest.raises(wq.WorldquizError, match="no Ray cluster answers"):
            asyncio.run(notebook(suite))
    asyncio.run(notebook(suite))  # it is in force within its block


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with wq.on("ray:auto"), pytest.raises(wq.WorldquizError, match=r"worldquiz\[ray\]"):
        wq.t2q.build("easy", worlds=2, out=tmp_path / "suite")


def test_a_command_that_cannot_reach_its_cluster_touches_no_folder(
    cli: Cli, tmp_path: Path, free: str
) -> None:
    build = ("t2q", "build", "--preset", "easy", "--seed", 1, "--out", tmp_path / "suite", "--on")
    for cluster, told in (("dask", "give ray "), (f"ray:{free}", "no Ray cluster answers")):
        said = cli(*build, cluster)
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith("worldquiz: --on ")
        assert told in said.err
    assert not (tmp_path / "suite").exists()

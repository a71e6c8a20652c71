"""A cluster as far as it goes without one; tests/integration/test_ray.py has a real one."""

from __future__ import annotations

import asyncio
import socket
import sys
from pathlib import Path

import pytest

from conftest import Cli
from worldquiz.errors import KnobError, MissingExtra, WorldError
from worldquiz.runs import cluster
from worldquiz.runs.cluster import Cluster
from worldquiz.runs.executor import blocking, current_cluster, on
from worldquiz.version import __version__


@pytest.mark.parametrize("address", ["", "rays", "ray:", "dask", "http://a:1", "RAY"])
def test_another_address_is_told(address: str) -> None:
    with pytest.raises(KnobError, match="give ray "):
        Cluster(address)


@pytest.mark.parametrize("address", ["ray:127.0.0.1:{}", "ray://127.0.0.1:{}"])
def test_a_cluster_that_is_not_there_is_told_at_once(address: str) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(WorldError, match=r"no Ray cluster answers.*`ray start --head`"):
        Cluster(address.format(port)).start()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"worldquiz\[ray\]"):
        Cluster("ray:auto").start()


def test_machines_need_the_same_version() -> None:
    assert cluster._unit("/", __version__, abs, -1) == 1
    with pytest.raises(WorldError, match=r"has worldquiz .*, the command 0\.0\.1: install"):
        cluster._unit("/", "0.0.1", abs, -1)


def test_a_cluster_is_in_force_within_its_block_and_in_a_notebook() -> None:
    async def notebook() -> Cluster | None:
        return blocking(current_cluster)

    assert current_cluster() is None
    with on("ray:auto") as made:
        assert current_cluster() is made
        assert asyncio.run(notebook()) is made
    assert current_cluster() is None


def test_a_command_that_cannot_reach_its_cluster_touches_no_folder(
    cli: Cli, tmp_path: Path
) -> None:
    build = ("t2q", "build", "--preset", "easy", "--seed", 1, "--out", tmp_path / "suite", "--on")
    said = cli(*build, "dask")
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("worldquiz: --on 'dask': give ray ")
    assert not (tmp_path / "suite").exists()

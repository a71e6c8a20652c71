"""A cluster as far as it goes without one; tests/integration/test_ray.py has a real one."""

from __future__ import annotations

import asyncio
import operator
import socket
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import Cli
from worldquiz.errors import KnobError, MissingExtra, WorldError
from worldquiz.runs import cluster
from worldquiz.runs.cluster import Cluster
from worldquiz.runs.executor import current_cluster, on
from worldquiz.runs.sync import blocking


class OneByOne:
    """Ray's functions as far as they are used; its one worker works when somebody waits."""

    def __init__(self, cpus: int) -> None:
        self.cpus, self.most = cpus, 0
        self.out: list[Any] = []
        self.exceptions = SimpleNamespace(RayTaskError=_Told, RayError=_Lost)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": self.cpus}

    def nodes(self) -> list[Any]:
        return []

    def put(self, thing: Any) -> Any:
        return thing

    def remote(self, **_: Any) -> Any:
        return lambda work: SimpleNamespace(remote=lambda *given: self._send(work, given))

    def _send(self, work: Any, given: Any) -> Any:
        self.out.append((work, given))
        self.most = max(self.most, len(self.out))
        return len(self.out) - 1, work, given

    def wait(self, waiting: list[Any], num_returns: int) -> Any:
        return [waiting[-1]], waiting[:-1]

    def get(self, ready: Any) -> Any:
        _, work, given = ready
        self.out.remove((work, given))
        try:
            return work(*given)
        except _Lost:
            raise
        except Exception as error:
            raise _Told(error) from error

    def shutdown(self) -> None:
        """Leave the cluster, which ends what is out."""
        self.out.clear()


class _Lost(Exception):
    pass


class _Told(_Lost):
    def __init__(self, cause: Exception) -> None:
        self.cause = cause


def connected(cpus: int, at_once: int | None = None) -> tuple[Cluster, OneByOne]:
    made, ray = Cluster("ray:auto"), OneByOne(cpus)
    made._ray, made._at_once = ray, at_once
    made._held.callback(ray.shutdown)
    return made, ray


@given(st.lists(st.integers(), unique=True, max_size=60), st.integers(0, 9), st.integers(1, 9))
def test_every_item_comes_back_once_and_few_wait(items: list[int], cpus: int, at_once: int) -> None:
    for limit, most in ((None, max(cluster.LEAST, 2 * cpus)), (at_once, at_once)):
        made, ray = connected(cpus, limit)
        assert sorted(made.each(operator.neg, items)) == sorted((item, -item) for item in items)
        assert (ray.out, ray.most <= most) == ([], True)


def test_what_a_unit_raises_is_raised_here_and_the_others_are_called_off() -> None:
    made, ray = connected(4)
    with pytest.raises(MissingExtra, match=r"worldquiz\[scene\]"):
        list(made.each(_missing, range(5)))
    assert ray.out == []


def _missing(item: int) -> None:
    raise MissingExtra("numpy", "scene")


def test_a_unit_whose_workers_die_is_told_with_how_often_it_was_tried() -> None:
    made, _ = connected(4)
    with pytest.raises(WorldError, match=r"begun up to 4 times and died each time.*is kept"):
        list(made.each(_die, [1]))


def _die(item: int) -> None:
    raise _Lost("the worker died")


def test_whoever_stops_listening_calls_the_others_off() -> None:
    made, ray = connected(4)
    results = made.each(operator.neg, range(20))
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert ray.out == []


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

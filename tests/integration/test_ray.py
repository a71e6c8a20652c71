"""Two machines of a Ray cluster, both on this one: equal bytes, also where one of them dies."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree, worldquiz
from modelserver import perfect, serving
from process import PATIENCE, start

pytest.importorskip("ray", reason="needs Ray: pip install 'worldquiz[ray]'")
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning")

SUITE: dict[str, Any] = {"preset": "easy", "seed": 31, "worlds": 3}


@dataclass
class Machines:
    """A cluster, with a machine that can be taken away."""

    cluster: Any
    second: Any

    @property
    def address(self) -> str:
        return f"ray:{self.cluster.address}"

    def lose_one(self, name: str = "") -> None:
        """Have the second machine die, at the first call."""
        if self.second is not None:
            self.cluster.remove_node(self.second, allow_graceful=False)
            self.second = None


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_AUTH_MODE", "disabled")
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_worker_register_timeout_seconds", "600")
        from ray.cluster_utils import Cluster

        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
        yield Machines(cluster, cluster.add_node(num_cpus=1))
        cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> wq.t2q.T2QSuite:
    """A suite that was built in this process."""
    return wq.t2q.build(**SUITE, out=tmp_path_factory.mktemp("ray") / "suite")


def test_work_on_two_machines_leaves_the_bytes_of_one_process(
    machines: Machines, built: wq.t2q.T2QSuite, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told: dict[str, Any] = {"agent": "random", "answerer": "worldgraph", "seed": 5}
    with wq.on(machines.address):
        wq.t2q.build(**SUITE, out=tmp_path / "suite")
        built.run(**told, out=tmp_path / "far", progress=machines.lose_one)
    (tmp_path / "far" / "scores.json").unlink()
    assert worldquiz("score", tmp_path / "far").code == 0
    built.run(**told, out=tmp_path / "near")
    assert machines.second is None
    assert tree(tmp_path / "suite") == tree(built.path)
    assert tree(tmp_path / "far") == tree(tmp_path / "near")
    assert capfd.readouterr().out == ""


def test_a_model_on_a_cluster(machines: Machines, built: wq.t2q.T2QSuite, tmp_path: Path) -> None:
    with serving(perfect(), minimum=10**9) as server:
        play = (
            "t2q", "run", built.path, "--model", "tiny", "--base-url", server.base_url,
            "--max-steps", "2", "--json", "--out",
        )  # fmt: skip
        here = worldquiz(*play, tmp_path / "here")
        there = worldquiz(*play, tmp_path / "there", "--on", machines.address)
    assert there.code == 0, there.err
    assert there.json == here.json
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


def test_a_cluster_begun_for_a_command_ends_with_it(tmp_path: Path) -> None:
    mark = f"WORLDQUIZ_TEST_RAY={tmp_path}"
    command = start(
        "t2q", "build", "--preset", "easy", "--worlds", "200", "--seed", "1",
        "--out", tmp_path / "suite", "--on", "ray", "--jobs", "1",
        env=dict([mark.split("=", 1)]),
    )  # fmt: skip
    while not list((tmp_path / "suite").glob("worlds/easy-*")):
        assert command.poll() is None, command.communicate()
        time.sleep(0.02)
    command.send_signal(signal.SIGTERM)
    out, err = command.communicate()
    assert (command.returncode, out) == (143, ""), err
    deadline = time.monotonic() + PATIENCE
    while any(_marked(path, mark) for path in Path("/proc").glob("[0-9]*/environ")):
        assert time.monotonic() < deadline, "processes of the cluster are left"
        time.sleep(0.1)


def _marked(environ: Path, mark: str) -> bool:
    """Tell whether a process was begun, at whatever remove, with an environment variable."""
    try:
        return mark.encode() in environ.read_bytes()
    except OSError:
        return False

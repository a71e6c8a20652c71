"""Suites, tasks, runs and pages in a real S3 server, with the bytes that a local disk would hold.

Two machines are two folders of working copies. A claim holds for a second here, so that nobody
waits long for a runner that was killed.
"""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import worldquiz
from command import worldquiz as command
from modelserver import Hang, Running, perfect, serving
from modelserver.protocol import Reply, Request
from process import PATIENCE, start
from stores import BUCKET, on_machine, s3, stored, tree
from worldquiz.addresses import CACHE, local
from worldquiz.errors import RecordError
from worldquiz.runs.journal_file import whole_lines
from worldquiz.runs.lease import LENGTH, Lease, Lost
from worldquiz.t2q.suites import Suite

SUITE, RUN = f"s3://{BUCKET}/suite", f"s3://{BUCKET}/runs/scripted"
BUILD = ("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 5, "--jobs", 1)
SCRIPTED = ("--agent", "explorer", "--answerer", "worldgraph", "--jobs", 1)
MODEL = ("--model", "m", "--memory", "in-context", "--max-steps", 4, "--batch", 20)
CALLS = 6  # that the first of two runners makes
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before


def done(*arguments: object) -> Any:
    said = command(*arguments)
    assert said.code == 0, said.err
    return said


def without_logs(files: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in files.items() if not name.startswith("logs/")}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of the server, on a machine with copies of its own."""
    with on_machine(tmp_path_factory.mktemp("machine-a")), s3() as files:
        yield files


@pytest.fixture(scope="module")
def built(store: Any) -> Any:
    return done(*BUILD, "--out", SUITE, "--json")


@pytest.fixture(scope="module")
def ran(store: Any, built: Any) -> Any:
    return done("run", SUITE, *SCRIPTED, "--out", RUN, "--json")


def test_a_suite_in_a_store_has_the_bytes_of_a_local_one(
    store: Any, built: Any, suite: Suite
) -> None:
    assert built.json["manifest"] == f"{SUITE}/manifest.json"
    assert stored(store, f"{BUCKET}/suite") == tree(suite.path)


def test_a_run_in_a_store_has_the_bytes_of_a_local_one(
    store: Any, ran: Any, suite: Suite, tmp_path: Path
) -> None:
    done("run", suite.path, *SCRIPTED, "--out", tmp_path / "run")
    assert stored(store, f"{BUCKET}/runs/scripted") == tree(tmp_path / "run")
    assert ran.json == json.loads((tmp_path / "run" / "scores.json").read_text())


def test_another_machine_reads_checks_reports_and_exports_it(
    store: Any, ran: Any, tmp_path: Path
) -> None:
    pages = f"s3://{BUCKET}/pages"
    with on_machine(tmp_path / "machine-b"):
        assert done("check", RUN).out.startswith(f"{RUN}: Task2Quiz run, ")
        assert done("show", RUN, "--json").json["scores"] == ran.json
        assert (
            done("report", RUN, "--out", f"{pages}/run.html").out == f"report: {pages}/run.html\n"
        )
        said = done("export", RUN, "--out", f"{pages}/rows.parquet", "--json").json
        run = worldquiz.load(RUN)
        assert repr(run) == f"Run('{RUN}', Task2Quiz run)"
        assert len(run.rows) == said["rows"]
        run.export(f"{pages}/again.parquet")
    assert said["croissant"] == f"{pages}/rows.croissant.json"
    found = stored(store, f"{BUCKET}/pages")
    tables = {"rows.parquet", "rows.croissant.json", "again.parquet", "again.croissant.json"}
    assert found.keys() == {"run.html", *tables}
    assert found["again.parquet"] == found["rows.parquet"]


def test_what_is_not_there_is_told_by_its_address(store: Any) -> None:
    for where, why in (
        (f"s3://{BUCKET}/none", "there is no such folder"),
        ("s3://no-such-bucket/none", "the store refuses: The specified bucket does not exist"),
    ):
        said = command("check", where)
        assert (said.code, said.err) == (2, f"worldquiz: {where}: {why}\n")


class Stalling:
    """A model that reads perfectly, and after some calls answers no more."""

    def __init__(self, left: int) -> None:
        self.left, self._script = left, perfect()

    def __call__(self, request: Request) -> Reply:
        self.left -= 1
        return self._script(request) if self.left >= 0 else Hang(PATIENCE)


def model_run(server: Running, suite: object, out: object) -> list[object]:
    return ["t2q", "run", suite, *MODEL, "--base-url", server.base_url, "--out", out]


def test_two_runners_and_one_is_killed(
    store: Any, built: Any, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is told who is at work, and finishes the run when the first is dead."""
    monkeypatch.setenv(LENGTH, "1")
    out, name = f"s3://{BUCKET}/runs/model", f"{BUCKET}/runs/model"
    script = Stalling(CALLS)
    with serving(script, minimum=NEVER) as server:
        first = start(*model_run(server, SUITE, out), env={CACHE: os.environ[CACHE]})
        wait(lambda: store.exists(f"{name}/manifest.json"))
        with on_machine(tmp_path / "machine-b"):
            refused = command(*model_run(server, SUITE, out))
            assert (
                f"{out}: another worldquiz is writing here (process {first.pid} on" in refused.err
            )
            assert refused.code == 2
            wait(lambda: calls_of(stored(store, name)) == CALLS)
            assert first.poll() is None, "it was to be killed in the middle"
            os.killpg(first.pid, signal.SIGKILL)
            first.communicate()
            script.left = NEVER
            before = server.stats()["arrived"]
            time.sleep(1.6)  # a claim of a second is free half a second after its end
            done(*model_run(server, SUITE, out))
        again = server.stats()["arrived"] - before
        done(*model_run(server, suite.path, tmp_path / "calm"))
        whole = server.stats()["arrived"] - before - again
        assert again == whole - CALLS, "what the first had uploaded is not asked again"
        assert without_logs(stored(store, name)) == without_logs(tree(tmp_path / "calm"))
        done(*model_run(server, SUITE, out))  # on the first machine: it is finished
        assert server.stats()["arrived"] == before + again + whole
    assert without_logs(tree(local(out))) == without_logs(stored(store, name))


def calls_of(files: dict[str, bytes]) -> int:
    """Return how many calls of unfinished worlds a run keeps."""
    journals = (data for name, data in files.items() if name.startswith(".calls/"))
    return sum(len(whole_lines(data)[0]) for data in journals)


def wait(enough: Any) -> None:
    deadline = time.monotonic() + PATIENCE
    while not enough():
        assert time.monotonic() < deadline, "it does not get on"
        time.sleep(0.2)


def test_of_many_that_claim_a_folder_one_has_it(store: Any) -> None:
    """The server decides: a claim is created on the condition that there is none."""
    won = []

    def claim(number: int) -> None:
        lease = Lease(store, f"{BUCKET}/contested", "s3://contested", f"machine {number}")
        try:
            lease.take()
        except Lost:
            return
        won.append(number)

    threads = [threading.Thread(target=claim, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1


def test_tasks_and_answers_of_tea_lie_in_a_store(store: Any, tmp_path: Path) -> None:
    from worldquiz import tea

    made: dict[str, Any] = {
        "seed": 5, "scenes": 1, "size": (64, 48), "quality": "plain",
        "loops": tea.Loops(1, bouts=1, looks=2),
    }  # fmt: skip
    there, here = f"s3://{BUCKET}/tea/tasks", tmp_path / "tasks"
    tea.build("tiny", out=there, **made)
    tea.build("tiny", out=here, **made)
    assert stored(store, f"{BUCKET}/tea/tasks") == tree(here)
    for data, out in ((there, f"s3://{BUCKET}/tea/runs/random"), (here, tmp_path / "runs/random")):
        tea.TaskFolder(data).run("random", tasks=6, walks=0, out=out)
    assert stored(store, f"{BUCKET}/tea/runs/random") == tree(tmp_path / "runs/random")
    with on_machine(tmp_path / "machine-b"):  # a run's tasks come with it, for the page
        run = worldquiz.load(f"s3://{BUCKET}/tea/runs/random")
        assert len(run.rows) == 6
        assert tree(local(there)) == tree(here)


@pytest.mark.parametrize(
    "key", ["../../x", "/etc/passwd", "worlds//x", "worlds/.ssh/x", "suite.json/x/../y", "nul"]
)
def test_keys_that_lead_elsewhere_are_refused(key: str, store: Any, tmp_path: Path) -> None:
    home = f"{BUCKET}/evil-{len(key)}"
    store.pipe_file(f"{home}/manifest.json", b"{}")
    store.call_s3("put_object", Bucket=BUCKET, Key=f"{home}/{key}"[len(BUCKET) + 1 :], Body=b"evil")
    with on_machine(tmp_path / "machine-b"):
        said = command("check", f"s3://{home}", "--json")
    assert (said.code, said.json["trusted"]) == (2, False)
    assert "do not trust this file" in said.json["why"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.name[0] != "."]


def test_a_name_that_is_a_file_and_a_folder_is_refused(store: Any) -> None:
    for name in ("a", "a/b"):
        store.pipe_file(f"{BUCKET}/both/{name}", b"x")
    with pytest.raises(RecordError, match=f"s3://{BUCKET}/both/a: is a file and a folder at once"):
        worldquiz.load(f"s3://{BUCKET}/both")

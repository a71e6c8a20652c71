"""Tasks written by models behind a real server, with the loop and without, killed and resumed."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from command import worldquiz
from conftest import Cli
from modelserver import Running, diverse, serving
from process import ended
from worldquiz.runs.journal_file import framed
from worldquiz.tea.data import Folder
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops
from worldquiz.tea.written.tables import SETS
from worldquiz_scenes.generate import suite

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
WRITE = (
    "tea", "write", "--tasks", 20, "--around", 2, "--seed", 2, "--chosen", 2,
)  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small flat; of its own tasks there are few."""
    out = tmp_path_factory.mktemp("tea") / "data"
    generate(Plan(5, tuple(suite("tiny", 5, 1)), Loops(1, bouts=1, looks=1), (320, 240)), out)
    return out


def written(data: Path, out: Path, server: Running, name: str, *more: object) -> Any:
    """Have a model write, and return the manifest."""
    reach = ("--model", name, "--base-url", server.base_url, *more)
    done = worldquiz(*WRITE, data, "--out", out, *reach, "--json")
    assert done.code == 0, done.err
    return done.json


@pytest.fixture(scope="module")
def calm(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Running]:
    """What the diverse model writes when nobody disturbs it."""
    out = tmp_path_factory.mktemp("calm") / "diverse"
    with serving(diverse(), minimum=NEVER) as server:
        written(data, out, server, "diverse")
        return out, server


@pytest.fixture(scope="module")
def plain(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What templates write."""
    out = tmp_path_factory.mktemp("plain") / "templates"
    ended(*WRITE, data, "--templates", "--out", out, env={"PYTHONHASHSEED": "7"})
    return out


def contents(out: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(out)): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and "logs" not in path.parts
    }


def test_both_ways_write_as_many_tasks_from_the_same_first_pictures(
    calm: tuple[Path, Running],
) -> None:
    out, server = calm
    manifest = json.loads((out / "manifest.json").read_text())
    for told in manifest["scenes"].values():
        counts = {part: one["tasks"] for part, one in told["parts"].items()}
        assert counts == {"without": 20, "first": 20, "second-1": 10, "second-2": 10}
    asked = Counter(call.digest for call in server.calls)
    assert all(call.images == 1 for call in server.calls)
    twice = [digest for digest, count in asked.items() if count == 2]
    looks = [{part: one["views"] for part, one in told["parts"].items()}
             for told in manifest["scenes"].values()]  # fmt: skip
    assert len(twice) == sum(len(one["without"]) for one in looks)  # words and picture alike
    assert all(one["first"][: len(one["without"])] == one["without"] for one in looks)


def test_no_prompt_tells_which_way_asks(calm: tuple[Path, Running]) -> None:
    for call in calm[1].calls:
        words = set(call.prompt.lower().replace(".", " ").split())
        assert not words & {"tea", "loop", "first", "without", "second-1", "executed"}


def test_tasks_are_bound_to_what_their_view_shows(calm: tuple[Path, Running]) -> None:
    manifest = json.loads((calm[0] / "manifest.json").read_text())
    for name, told in manifest["scenes"].items():
        folder = Folder(calm[0] / "scenes" / name)
        views = {view.id: view for view in folder.views}
        own = [task for task in folder.tasks if task.type == "command"]
        for task in own:
            if "exchange" not in task.id:
                assert folder.scene.thing[task.bind["object"]].label in task.command
            assert task.bind["object"] in views[task.view].seen
        assert set(told["executed"]) <= {task.id for task in own if task.origin == "first"}
        assert any(task.origin.startswith("recombination") for task in folder.tasks)


def test_tables_measure_what_was_written_beside_the_papers(
    calm: tuple[Path, Running], plain: Path, tmp_path: Path, cli: Cli
) -> None:
    told = cli("tea", "tables", calm[0], plain, "--jobs", 1, "--json").json
    assert told["paper"]["table_1"]["without"] == [0.307, 0.159]
    sets = [row for row in told["mir"] if row["set"] in SETS]
    assert all(row["optimal"] and row["tasks"] == 20 for row in sets)
    words = {(row["writer"], row["set"]): row["mean"] for row in told["means"]
             if row["compared_by"] == "command"}  # fmt: skip
    assert all(words["diverse", name] > words["templates", name] for name in SETS)
    for row in told["tests"]:
        one, two = row["difference"].split(" - ")
        same = ("writer", "compared_by", "threshold")
        mean = {each["set"]: each["mean"] for each in told["means"]
                if all(each[key] == row[key] for key in same)}  # fmt: skip
        assert row["mean"] == pytest.approx(mean[one] - mean[two])
        assert (row["scenes"], row["t"], row["p"]) == (1, None, None)  # one scene tells little
    printed = cli("tea", "tables", calm[0], plain, "--jobs", 1).out
    assert "GPT-4o (the paper)   0.307 ± 0.159   0.536 ± 0.055" in printed
    twice = cli("tea", "tables", plain, plain, "--json")
    assert (twice.code, "was written by 'templates', as another" in twice.err) == (2, True)
    other = cli("tea", "tables", tmp_path, "--json")
    assert (other.code, "no finished folder of written tasks" in other.err) == (2, True)


def test_a_stopped_command_asks_only_what_has_no_reply(
    data: Path, calm: tuple[Path, Running], tmp_path: Path
) -> None:
    out, before = tmp_path / "stopped", contents(calm[0])
    shutil.copytree(calm[0], out)
    for name in ("manifest.json", "replies.jsonl"):
        (out / name).unlink()
    replies = before["replies.jsonl"].splitlines()
    (out / ".replies.journal").write_bytes(b"".join(map(framed, replies[:5])))
    with serving(diverse(), minimum=NEVER) as server:
        written(data, out, server, "diverse")
    assert len(server.calls) == len(replies) - 5
    assert contents(out) == before


def test_templates_need_no_model_and_are_the_same_from_any_process(
    data: Path, plain: Path, tmp_path: Path, cli: Cli
) -> None:
    said = cli(*WRITE, data, "--templates", "--out", tmp_path / "here", "--json")
    assert said.code == 0, said.err
    assert said.json["writer"] == "templates"
    assert contents(tmp_path / "here") == contents(plain)

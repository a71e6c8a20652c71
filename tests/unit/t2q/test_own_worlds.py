"""A world of one's own goes through every verb, with and without a model, from any process."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyarrow import parquet

import worldquiz
from conftest import Cli, Install
from modelserver import perfect, serving
from worldquiz.t2q import T2QSuite

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def package(install: Install) -> None:
    """Install a package with a world that has a name."""
    site = install("worldquiz.worlds", "own_rooms", grid="own_rooms:TwoRooms")
    shutil.copy(EXAMPLES / "own_world.py", site / "own_rooms.py")


@pytest.fixture(params=["entry point", "class"])
def rooms(request: pytest.FixtureRequest, package: None, tmp_path: Path) -> T2QSuite:
    """A suite of the world, made in two ways."""
    from own_rooms import TwoRooms  # type: ignore[import-not-found]

    what = TwoRooms if request.param == "class" else "grid"
    return worldquiz.t2q.suite(worlds=[what], out=tmp_path / "suite")


def test_every_verb_without_a_model(rooms: T2QSuite, tmp_path: Path, cli: Cli) -> None:
    run = tmp_path / "run"
    checked = cli("t2q", "check", rooms.path)
    assert (checked.code, checked.out) == (
        0,
        "All walkthroughs win (worlds: 1, tasks: 1) and cover 3 of 3 rooms and interactive "
        "entities.\n",
    )
    assert "toy" in cli("t2q", "show", rooms.path).out
    assert "Recover the lamp." in cli("t2q", "show", rooms.path, "toy").out
    stats = cli("t2q", "stats", rooms.path)
    assert (stats.code, "walkthrough" in stats.out) == (0, True)
    arguments = ("--agent", "walkthrough", "--answerer", "oracle", "--out", run, "--json")
    told = cli("t2q", "run", rooms.path, *arguments, "--jobs", 1)
    assert (told.json["tsr"], told.json["eus"]) == (1.0, 1.0)
    assert cli("score", run, "--json").json == told.json
    assert cli("report", run, "--out", tmp_path / "page.html").code == 0
    assert cli("export", run, "--out", tmp_path / "q.parquet").code == 0
    table = parquet.read_table(tmp_path / "q.parquet")
    assert table.num_rows == told.json["counts"]["questions"]


def test_every_verb_with_a_model(rooms: T2QSuite, tmp_path: Path, cli: Cli) -> None:
    run = tmp_path / "run"
    with serving(perfect()) as server:
        said = cli("t2q", "run", rooms.path, "--model", "m", "--base-url", server.base_url,
                   "--max-steps", 2, "--out", run, "--json")  # fmt: skip
    assert said.json["counts"]["worlds"] == 1
    assert said.json["usage"]["calls"] > 0
    assert cli("report", run, "--out", tmp_path / "page.html").code == 0


def test_it_is_played_in_other_processes_too(package: None, tmp_path: Path) -> None:
    from own_rooms import SPEC, TwoRooms

    second = tmp_path / "site" / "other_rooms.py"
    second.write_text(
        "from dataclasses import replace\nimport own_rooms\n\n"
        "class Other(own_rooms.TwoRooms):\n    spec = replace(own_rooms.SPEC, id='other')\n"
    )
    suite = worldquiz.t2q.suite(worlds=[TwoRooms, "other_rooms:Other"], out=tmp_path / "suite")
    assert suite.worlds == (SPEC.id, "other")
    run = suite.run(agent="walkthrough", answerer="oracle", out=tmp_path / "run", jobs=2)
    assert run.scores["counts"]["worlds"] == 2


def test_one_function_opens_worlds_by_their_specs(package: None, tmp_path: Path) -> None:
    from own_rooms import SPEC

    code = "from own_rooms import TwoRooms\n\ndef opened(spec, folder):\n    return TwoRooms()\n"
    (tmp_path / "site" / "opening.py").write_text(code)
    suite = worldquiz.t2q.suite([SPEC], out=tmp_path / "suite", opened_by="opening:opened")
    run = suite.run(agent="walkthrough", answerer="oracle", out=tmp_path / "run")
    assert run.scores["tsr"] == 1.0
    assert suite.bundle("toy").tasks  # chosen from the spec


def test_the_same_suite_again_is_kept_and_another_one_is_refused(
    package: None, tmp_path: Path
) -> None:
    first = worldquiz.t2q.suite(["grid"], out=tmp_path / "suite")
    assert worldquiz.t2q.suite(["grid"], out=tmp_path / "suite").digest == first.digest
    (tmp_path / "suite" / "manifest.json").write_text('{"kind": "suite"}')
    with pytest.raises(worldquiz.WorldquizError, match="holds something else"):
        worldquiz.t2q.suite(["grid"], out=tmp_path / "suite")


@pytest.mark.parametrize(
    ("worlds", "complaint"),
    [
        ([], "at least one world"),
        (["grid", "grid"], "a unique id"),
        (["gird"], "no world 'gird'; did you mean 'grid'"),
        ([dict], "is not a World: missing 'spec'"),
        ([lambda: 1], "cannot be imported by name"),
        ([object()], "cannot be imported by name"),
    ],
)
def test_what_is_no_suite_of_worlds(
    package: None, tmp_path: Path, worlds: list[object], complaint: str
) -> None:
    with pytest.raises(worldquiz.WorldquizError, match=complaint):
        worldquiz.t2q.suite(worlds, out=tmp_path / "suite")
    assert not (tmp_path / "suite").exists()


def test_a_world_that_changed_since_is_refused(
    package: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import own_rooms

    suite = worldquiz.t2q.suite(["grid"], out=tmp_path / "suite")
    other = own_rooms.SPEC.__class__(
        own_rooms.SPEC.id, "toy", 1, "hall", own_rooms.SPEC.rooms, own_rooms.SPEC.facts, True
    )
    monkeypatch.setattr(own_rooms.TwoRooms, "spec", other)
    with pytest.raises(worldquiz.WorldquizError, match="differs from"):
        suite.run(agent="idle", answerer="constant", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()

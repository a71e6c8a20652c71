from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from worldquiz.errors import KnobError, RecordError, WorldError, WorldquizError
from worldquiz.t2q.suites import Plan, Suite, open_suite
from worldquiz.t2q.textworld.play import TextWorld


@pytest.fixture
def copy(suite: Suite, tmp_path: Path) -> Suite:
    """A suite that may be damaged."""
    shutil.copytree(suite.path, tmp_path / "copy")
    return open_suite(tmp_path / "copy")


def test_a_larger_suite_begins_with_the_smaller_one() -> None:
    small, large = Plan("hard", 7, worlds=3), Plan("hard", 7, worlds=120)
    assert large.slots[:3] == small.slots
    assert large.slots[-1].id == "hard-119"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"preset": "papr"}, "no preset 'papr'; did you mean 'paper'"),
        ({"worlds": 0}, "worlds: 0 worlds a level make no suite"),
        ({"worlds": -3}, "worlds: -3 worlds a level make no suite"),
        ({"settings": (("rooms", "-3..5"),)}, r"parameter rooms: -3\.\.5 is no range"),
        ({"settings": (("rooms", "9..5"),)}, r"parameter rooms: 9\.\.5 is no range"),
        ({"settings": (("rooms", "many"),)}, "parameter rooms: 'many' is not LOW..HIGH"),
        ({"settings": (("roms", "3"),)}, "no parameter 'roms'; did you mean 'rooms'"),
        ({"settings": (("doors", "1.5"),)}, "parameter doors: 1.5 is no share"),
    ],
)
def test_a_plan_that_nothing_can_meet_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(KnobError, match=message):
        Plan(**{"preset": "easy", "seed": 7, **options})


def test_a_world_that_is_not_there_is_named(suite: Suite) -> None:
    with pytest.raises(WorldError, match=r"no world .easy-0.; did you mean .easy-0[01]."):
        suite.bundle("easy-0")


def test_where_nothing_is_there_is_no_suite(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="this is no suite of worldquiz"):
        open_suite(tmp_path / "nowhere")


def test_a_build_that_was_stopped_says_how_to_go_on(copy: Suite) -> None:
    (copy.path / "manifest.json").unlink()
    with pytest.raises(RecordError, match="the build was stopped: give the same build command"):
        open_suite(copy.path)


@pytest.mark.parametrize("key", ["digest", "world", "worlds"])
def test_a_manifest_that_lacks_something_is_refused(copy: Suite, key: str) -> None:
    path = copy.path / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest[key]
    path.write_text(json.dumps(manifest))
    with pytest.raises(RecordError, match=f"manifest.json.*{key}: is missing"):
        open_suite(copy.path)


@pytest.mark.parametrize("name", ["spec.jsonl", "tasks.jsonl", "quiz.jsonl"])
def test_a_file_that_was_altered_is_named(copy: Suite, name: str) -> None:
    path = copy.folder("easy-00") / name
    path.write_text(path.read_text().replace("go", "og", 1).replace("at", "ta", 1) + "\n")
    with pytest.raises(RecordError, match=name):
        copy.bundle("easy-00")


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("textworld", r"easy-00/game\.z8: no such game; build the suite with --games"),
        ("pyhton", r"engine 'pyhton'; did you mean 'python'"),
        ("os:system", "engine 'os:system'.*: give python or textworld"),
    ],
)
def test_an_engine_that_cannot_play_a_world_is_told(
    suite: Suite, engine: str, message: str
) -> None:
    with pytest.raises(WorldquizError, match=message):
        suite.first_opened(engine)


@pytest.mark.slow
def test_a_world_opens_in_each_engine(suite_with_games: Suite) -> None:
    bundle = suite_with_games.bundle("easy-00")
    seen = set()
    for engine in (None, "python", "textworld"):
        with suite_with_games.opened(bundle, engine) as world:
            seen.add((world.reset(bundle.tasks[0]), world.step("inventory")))
            assert isinstance(world, TextWorld) is (engine == "textworld")
    assert len(seen) == 1

from __future__ import annotations

import json
import re
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


def test_the_paper_has_ten_worlds_of_each_level() -> None:
    slots = Plan("paper", seed=7).slots
    assert len(slots) == 30
    assert [slot.id for slot in slots[9:12]] == ["easy-09", "medium-00", "medium-01"]


def test_no_two_worlds_share_a_seed() -> None:
    slots = [*Plan("paper", seed=7).slots, *Plan("paper", seed=8).slots]
    assert len({slot.seed for slot in slots}) == 60


def test_a_larger_suite_begins_with_the_smaller_one() -> None:
    small, large = Plan("hard", 7, worlds=3), Plan("hard", 7, worlds=120)
    assert large.slots[:3] == small.slots
    assert large.slots[-1].id == "hard-119"


def test_a_level_is_the_same_alone_and_among_others() -> None:
    assert set(Plan("hard", 7).slots) <= set(Plan("paper", 7).slots)


def test_knobs_are_turned_at_every_level() -> None:
    knobs = Plan("paper", 7, settings=(("rooms", "8..9"),)).knobs()
    assert [(level, each.rooms) for level, each in knobs.items()] == [
        ("easy", (8, 9)), ("medium", (8, 9)), ("hard", (8, 9)),
    ]  # fmt: skip


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


def test_a_plan_is_on_record_as_plain_json() -> None:
    record = Plan("easy", 7, settings=(("rooms", "3"),)).record()
    assert json.loads(json.dumps(record)) == record
    assert record["settings"] == {"rooms": "3"}


def test_a_suite_knows_its_worlds(suite: Suite) -> None:
    assert suite.worlds == ("easy-00", "easy-01")
    assert suite.bundle("easy-01").spec.id == "easy-01"
    assert suite.folder("easy-00").is_dir()


def test_a_world_that_is_not_there_is_named(suite: Suite) -> None:
    with pytest.raises(WorldError, match=r"no world .easy-0.; did you mean .easy-0[01]."):
        suite.bundle("easy-0")


def test_a_world_is_opened_and_closed_again(suite: Suite) -> None:
    bundle = suite.bundle("easy-00")
    with suite.opened(bundle) as world:
        assert world.reset(bundle.tasks[0]).observation.text.startswith(bundle.tasks[0].objective)


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


@pytest.mark.parametrize("worlds", [[], [{}], ["easy-00"], {"easy-00": 1}, [{"id": 3}]])
def test_a_list_of_worlds_without_ids_is_refused(copy: Suite, worlds: object) -> None:
    path = copy.path / "manifest.json"
    path.write_text(json.dumps({**copy.manifest, "worlds": worlds}))
    with pytest.raises(RecordError, match=r"manifest\.json: .*worlds"):
        open_suite(copy.path)


@pytest.mark.parametrize("length", [0, 1, 40, 500])
def test_a_manifest_cut_short_is_named(copy: Suite, length: int) -> None:
    path = copy.path / "manifest.json"
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(RecordError, match=r"manifest\.json:\d+:\d+: .*cut short or damaged"):
        open_suite(copy.path)


@pytest.mark.parametrize("name", ["spec.jsonl", "tasks.jsonl", "quiz.jsonl"])
def test_a_file_that_was_altered_is_named(copy: Suite, name: str) -> None:
    path = copy.folder("easy-00") / name
    path.write_text(path.read_text().replace("go", "og", 1).replace("at", "ta", 1) + "\n")
    with pytest.raises(RecordError, match=name):
        copy.bundle("easy-00")


def test_one_letter_of_a_question_counts(copy: Suite) -> None:
    path = copy.folder("easy-00") / "quiz.jsonl"
    text = path.read_text()
    path.write_text(re.sub('"text":".', lambda found: found[0].lower(), text, count=1))
    with pytest.raises(RecordError, match=r"quiz\.jsonl: is not what .*manifest\.json says it is"):
        copy.bundle("easy-00")


def test_a_file_that_is_gone_is_named(copy: Suite) -> None:
    (copy.folder("easy-00") / "tasks.jsonl").unlink()
    with pytest.raises(RecordError, match=r"tasks\.jsonl: no such file"):
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

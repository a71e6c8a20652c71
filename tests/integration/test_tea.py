"""From a seed to tasks on disk, killed and resumed, and judged by an oracle that shares no code."""

from __future__ import annotations

import copy
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import worldquiz as wq
from command import tree
from conftest import Cli
from process import ended, killed
from recalls import read_lines, signed, write_lines

SIZE = (320, 240)
COMMAND = (
    "tea", "build", "--preset", "tiny", "--scenes", 2, "--seed", 8, "--loops", 2,
    "--trajectories", 1, "--looks", 2, "--size", "320x240", "--jobs", 1, "--json", "--out",
)  # fmt: skip

Task = dict[str, Any]


def tables(data: Path) -> list[Path]:
    return sorted(data.glob("scenes/*/tasks.jsonl"))


def test_the_oracle_agrees_with_every_task(flats: Path, cli: Cli) -> None:
    found = cli("tea", "check", flats, "--sample", 45, "--jobs", 1, "--json").json
    assert found["disagree"] == []
    assert found["agree"] == found["checked"] == 45
    assert len(found["by_type"]) >= 15


def test_every_task_is_asked_once_of_a_view_that_is_there(flats: Path) -> None:
    """Fixed cameras see much twice: what they show again is not asked again."""
    for table in tables(flats):
        tasks = read_lines(table)
        seen = {view["id"]: view for view in read_lines(table.with_name("views.jsonl"))}
        assert len({task["id"] for task in tasks}) == len(tasks)

        def content(task: Task, seen: dict[str, Any] = seen) -> str:
            view, given = seen[task["view"]], copy.deepcopy(task["given"])
            for told in given.values():
                if told["kind"] == "crop":
                    told["view"] = seen[told["view"]]["camera"]
            stands = view["agent"] if "agent" in task["bind"].values() else None
            return json.dumps([task["type"], view["camera"], stands, given, task["truth"]])

        own = [content(task) for task in tasks if task["origin"] == "interaction"]
        assert len(set(own)) == len(own)
        for view in seen.values():
            with Image.open(table.parent / view["files"]["rgb"]) as picture:
                assert picture.size == SIZE


def test_no_answer_is_a_good_guess(flats: Path) -> None:
    """Yes and no are asked equally often of a picture, and no count is the answer of many tasks."""
    views, counted = Counter[Any](), dict[Any, Counter[int]]()
    for table in tables(flats):
        for task in read_lines(table):
            answer = task["truth"].get("value")
            if task["type"] in ("in-view", "person-view"):
                views[task["type"], task["scene"], task["view"]] += 1 if answer == "yes" else -1
            elif task["type"].endswith("-counting"):
                about = task["type"], task["scene"], task["loop"]
                counted.setdefault(about, Counter())[answer] += 1
                assert answer == len(task["counted"]) <= 6
    assert views
    assert set(views.values()) == {0}
    assert {type for type, _, _ in counted} == {
        f"{x}-counting" for x in ("embodied", "mirror", "pattern")
    }
    for counts in counted.values():
        assert max(counts.values()) <= (0.35 * counts.total() if len(counts) > 2 else 1)


def lie(task: Task) -> Task | None:
    """Return a task with a wrong answer, None for one whose answers are not told apart here."""
    truth = dict(task["truth"])
    value: Any = truth.get("value")
    swapped = {"yes": "no", "left of": "right of"}
    swapped |= {new: old for old, new in swapped.items()}
    match truth["kind"]:
        case "word":
            truth["value"] = swapped.get(value, "spaceship")
        case "count":
            truth["value"] += 1
        case "metres":
            truth["value"] = value * 1.05 + 0.03
        case "box2":
            truth["value"] = [value[0] + 5, value[1], value[2] + 5, value[3]]
        case _:
            return None
    return {**task, "truth": truth}


def test_the_oracle_finds_every_lie(flats: Path, tmp_path: Path, cli: Cli) -> None:
    shutil.copytree(flats, tmp_path / "lies")
    for table in tables(tmp_path / "lies"):
        write_lines(table, [false for task in read_lines(table) if (false := lie(task))])
    signed(tmp_path / "lies")
    said = cli("tea", "check", tmp_path / "lies", "--sample", 45, "--jobs", 1)
    assert said.code == 1
    assert "0 of 45 tasks agree" in said.out


def test_a_killed_command_goes_on_to_the_same_bytes_whatever_draws_them(
    flats: Path, tmp_path: Path
) -> None:
    """It is killed between its first flat and its second, and goes on in other processes.

    Mesa's renderer is the same behind EGL and OSMesa, however many threads it draws with.
    """
    out, renderer = tmp_path / "killed", "scenes/tiny-01/renderer.json"
    env = {
        "MUJOCO_GL": "osmesa", "WORLDQUIZ_GL": "", "PYTHONHASHSEED": "7", "LP_NUM_THREADS": "1",
    }  # fmt: skip
    assert killed((out / "scenes" / "tiny-01").is_dir, *COMMAND, out, env=env)
    assert not (out / "manifest.json").exists()
    document = ended(*COMMAND, out, "--jobs", 2).json
    assert document["scenes"] == 2
    assert document["tasks"] == sum(document["by_type"].values())
    assert document["tasks"] == sum(document["by_scene"].values())
    one, two = tree(flats), tree(out)
    blind = [name for name in one if name.endswith(("plan.json", "scene.json"))]
    assert [two[name] for name in blind] == [one[name] for name in blind]
    drawn = [json.loads(each.pop(renderer)) for each in (one, two)]
    if drawn[0]["renderer"] != drawn[1]["renderer"]:
        pytest.skip(f"two renderers: {drawn}")
    assert one == two


def test_mir_is_proven_on_sets_of_the_papers_size(cli: Cli, flats: Path) -> None:
    found = cli("tea", "mir", flats, "--jobs", 1, "--json").json
    assert found["optimal"]
    for scene in found["by_scene"].values():
        assert set(scene["sets"]) == {"loop 1", "loop 2", "interaction", "evolved"}
        for one in scene["sets"].values():
            assert one["independent"] == one["bound"] <= one["tasks"]
            curve = [one["curve"][key] for key in sorted(one["curve"], key=float)]
            assert curve == sorted(curve)
        assert scene["spatial"]["loop 1"]["volume"] > 0


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--preset", "papr"), "did you mean 'paper'"),
        (("--size", "640"), "WIDTHxHEIGHT"),
        (("--size", "9x9"), "64 to 2048"),
        (("--pictures", "rbg"), "not one of 'rgb', 'depth'"),
    ],
)
def test_a_mistake_is_named(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], reason: str
) -> None:
    said = cli("tea", "build", "--seed", 1, "--scenes", 1, *arguments, "--out", tmp_path / "x")
    assert said.code == 2
    assert reason in said.err
    assert "Traceback" not in said.err


def test_without_opengl_there_is_a_word_on_what_to_install(tmp_path: Path) -> None:
    env = {"MUJOCO_GL": "disable", "WORLDQUIZ_GL": ""}
    said = ended(*COMMAND, tmp_path / "x", code=2, env=env)
    assert "MUJOCO_GL=disable" in said.err
    assert "Traceback" not in said.err


# Folders that are none


def test_a_folder_that_is_not_finished_says_so(tmp_path: Path) -> None:
    with pytest.raises(wq.WorldquizError, match="not a finished folder of TEA tasks"):
        wq.tea.load(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"kind": "suite"}))
    with pytest.raises(wq.WorldquizError, match="expected a finished folder of TEA tasks"):
        wq.tea.load(tmp_path)


def test_a_task_of_another_scene_is_refused(flats: Path, tmp_path: Path, cli: Cli) -> None:
    data = Path(shutil.copytree(flats, tmp_path / "data"))
    assert cli("check", data).code == 0
    one, two = tables(data)
    shutil.copy(one, two)
    assert "differs from its digest" in cli("check", data).err
    with pytest.raises(wq.WorldquizError, match="is from another scene, 'tiny-01'"):
        wq.tea.load(signed(data)).run("oracle", tasks=4, walks=0, out=tmp_path / "run")


@pytest.mark.parametrize("name", ["scene.json", "views.jsonl", "tasks.jsonl"])
def test_data_that_were_changed_after_a_run_are_named_by_whatever_uses_them(
    name: str, flats: Path, tmp_path: Path, cli: Cli
) -> None:
    data = Path(shutil.copytree(flats, tmp_path / "data"))
    taken = ("--answerer", "oracle", "--out")
    cli("tea", "run", data, "--tasks", 4, "--walks", 0, *taken, tmp_path / "run")
    cli("tea", "recall", data, "--views", 4, *taken, tmp_path / "recall")
    changed = data / "scenes" / "tiny-02" / name
    with changed.open("ab") as file:
        file.write(b" ")
    for command in (
        ("score", tmp_path / "run", "--regrade"),
        ("score", tmp_path / "recall", "--regrade"),
        ("tea", "run", data, *taken, tmp_path / "new"),
        ("tea", "recall", data, *taken, tmp_path / "new"),
        ("tea", "check", data),
        ("check", data),
    ):
        said = cli(*command)
        assert (said.code, len(said.err.splitlines())) == (2, 1), said
        told = (
            f"{changed}: differs from its digest in {data / 'manifest.json'}: restore it, or build"
        )
        assert told in said.err

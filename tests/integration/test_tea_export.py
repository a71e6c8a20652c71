"""From generated tasks to the formats of other tools, by the command, and read by their libraries.

What is exported is what is asked: the same words, the same pixels, and answers worth full marks.
"""

from __future__ import annotations

import ast
import base64
import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from conftest import Cli
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam.sample import sample
from worldquiz.tea.exam.show import choices, pictures, prompt
from worldquiz.tea.scoring.grade import grade
from worldquiz.tea.taskgraph import Instance

pytest.importorskip("mujoco")
TASKS, WALKS, SEED = 30, 2, 3
COMMAND = [sys.executable, "-m", "worldquiz", "tea", "export"]


@pytest.fixture(scope="module")
def data(flats: Path) -> Path:
    return flats


@pytest.fixture(scope="module")
def chosen(data: Path) -> dict[str, tuple[Folder, Instance]]:
    """The tasks of the sample, with their scenes."""
    scenes = {folder.path.name: folder for folder in folders(data)}
    every = [task for folder in scenes.values() for task in folder.tasks]
    return {task.id: (scenes[task.scene], task) for task in sample(every, TASKS, SEED)}


def export(cli: Cli, data: Path, out: Path, to: str, *more: object) -> Any:
    done = cli("tea", "export", data, "--to", to, "--out", out, "--tasks", TASKS,
               "--walks", WALKS, "--seed", SEED, "--json", *more)  # fmt: skip
    assert done.code == 0, done.err
    return json.loads(done.out)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def pixels(png: bytes) -> tuple[tuple[int, int], bytes]:
    with Image.open(io.BytesIO(png)) as image:
        return image.size, image.convert("RGB").tobytes()


def rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_parquet_holds_what_is_asked_pixel_by_pixel(
    cli: Cli, data: Path, chosen: dict[str, tuple[Folder, Instance]], tmp_path: Path
) -> None:
    from pyarrow import parquet

    out = tmp_path / "out"
    told = export(cli, data, out, "parquet")
    files = sorted((out / "tasks").glob("*.parquet"))
    found = [row for file in files for row in parquet.read_table(file).to_pylist()]
    answered = {row["id"]: row for row in found if row["family"] != "navigation"}
    assert answered.keys() == chosen.keys()
    assert len(found) - len(answered) == told["rows"] - len(chosen) > 0
    for id, (folder, task) in chosen.items():
        row = answered[id]
        kept = [row[name]["bytes"] for name in ("image", "image_2", "image_3") if row[name]]
        wanted = pictures(folder, task)
        assert [pixels(each) for each in kept] == [pixels(each) for each in wanted]
        assert row["prompt"] == prompt(task, folder.view[task.view].camera)
        reply = f'{{"answer": {row["answer"]}}}'
        assert grade(task, reply, choices=choices(task)).score == 1


def test_vlmevalkit_holds_what_is_asked_and_its_letters_are_right(
    cli: Cli, data: Path, chosen: dict[str, tuple[Folder, Instance]], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    told = export(cli, data, out, "vlmevalkit")
    one, two = sorted(out.glob("*.tsv"), key=lambda path: "choice" in path.name)
    opened, choice = rows(one), rows(two)
    assert told["rows"] == len(opened) > len(choice) > 0
    assert {row["id"] for row in opened} == chosen.keys()
    images = {row["index"]: row["image"] for row in opened}
    for row in opened:
        folder, task = chosen[row["id"]]
        cell = images.get(row["image"], row["image"])
        cells = ast.literal_eval(cell) if cell.startswith("[") else [cell]
        wanted = [pixels(each) for each in pictures(folder, task)]
        assert [pixels(base64.b64decode(each)) for each in cells] == wanted
        assert row["question"] == prompt(task, folder.view[task.view].camera)
        reply = f'{{"answer": {row["answer"]}}}'
        assert grade(task, reply, choices=choices(task)).score == 1
    numbers = {"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5"}
    for row in choice:
        _, task = chosen[row["id"]]
        assert "Answer with" not in row["question"]
        assert "Reply" not in row["question"]
        worth = {
            letter: grade(
                task,
                json.dumps({"answer": numbers.get(row[letter], row[letter])}),
                choices=choices(task),
            ).score
            for letter in "ABCDEFGH"
            if row[letter]
        }
        assert [letter for letter, score in worth.items() if score] == [row["answer"]]


def test_no_byte_depends_on_hash_seeds(cli: Cli, data: Path, tmp_path: Path) -> None:
    export(cli, data, tmp_path / "one", "vlmevalkit")
    subprocess.run(
        [*COMMAND, data, "--to", "vlmevalkit", "--out", tmp_path / "two",
         *map(str, ("--tasks", TASKS, "--walks", WALKS, "--seed", SEED))],
        env={**os.environ, "PYTHONHASHSEED": "7"}, check=True, capture_output=True,
    )  # fmt: skip
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_unfinished_tasks_and_missing_pictures_are_named(
    cli: Cli, data: Path, tmp_path: Path
) -> None:
    copy, out = tmp_path / "copy", tmp_path / "out"
    shutil.copytree(data, copy)
    for picture in copy.glob("scenes/*/views/*-ego.rgb.png"):
        picture.write_bytes(picture.read_bytes()[:-20])
    done = cli("tea", "export", copy, "--to", "parquet", "--out", out, "--all")
    assert done.code == 2
    assert ".rgb.png: is no" in done.err
    for picture in copy.glob("scenes/*/views/*.png"):
        picture.unlink()
    done = cli("tea", "export", copy, "--to", "vlmevalkit", "--out", out)
    assert done.code == 2
    assert ".rgb.png" in done.err
    (copy / "manifest.json").unlink()
    done = cli("tea", "export", copy, "--to", "parquet", "--out", out)
    assert done.code == 2
    assert "no manifest.json" in done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy"]

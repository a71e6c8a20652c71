"""Tasks as Parquet: `datasets` and Croissant's own reader give back what was written."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from exports import every, png, shown, task
from views import scene, thing
from worldquiz.errors import RecordError
from worldquiz.export.croissant import About, File, ParquetTable, croissant
from worldquiz.records import write_json, write_text
from worldquiz.tea.export import card, tables
from worldquiz.tea.export.record import Drawn, files
from worldquiz.tea.export.source import ExportedTask, truth
from worldquiz.tea.taskgraph import Word
from worldquiz_scenes.scene import Part, Scene, Shape

pytest.importorskip("pyarrow")
DRAWN = Drawn("d" * 64, 0, every=True, scenes=("flat-0",), licences=("CC0-1.0",))
COLOURS = ((200, 0, 0), (0, 200, 0), (0, 0, 200))


def flat_scene() -> Scene:
    mug = thing("mug-1")
    return scene(replace(mug, parts=(Part(Shape.BOX, (0, 0, 0), mug.half, mug.paint),)))


def written(folder: Path, rows: list[ExportedTask]) -> Path:
    """Write a whole export."""
    tables.write_tasks(folder, flat_scene().id, 0, rows)
    tables.write_scene(folder, flat_scene())
    write_text(folder / "README.md", card.parquet(DRAWN, {"x": len(rows)}))
    sets = (
        ParquetTable("tasks", "tasks/*.parquet", tables.TASKS, tables.TOLD, "Tasks."),
        ParquetTable("scenes", "scenes/*.parquet", tables.SCENES, tables.SCENE_TOLD, "Scenes."),
    )
    about = About("tasks", "Some tasks.", card.HOME, "1.0.0", card.CC0_AT, card.CITE)
    found = [each for each in files(folder) if each.name.endswith(".parquet")]
    write_json(folder / "croissant.json", croissant(about, sets, found))
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task of every kind; the first shows three pictures."""
    first, *others = every()
    rows = [shown(first, *map(png, COLOURS)), *map(shown, others)]
    return written(tmp_path_factory.mktemp("export"), rows)


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The library, without a network, with a cache of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HOME", str(tmp_path_factory.mktemp("hf")))
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_DATASETS_OFFLINE", "1")
        yield pytest.importorskip("datasets")


def load(datasets: Any, folder: Path, cache: Path, *name: str) -> Any:
    datasets.disable_progress_bars()
    return datasets.load_dataset(str(folder), *name, split="test", cache_dir=str(cache))


def test_datasets_reads_tasks_with_typed_features(
    folder: Path, datasets: Any, tmp_path: Path
) -> None:
    read = load(datasets, folder, tmp_path)
    assert read.features["image"] == datasets.Image()
    assert read.features["count"] == datasets.Value("int32")
    assert [row["id"] for row in read] == [each.id for each in every()]
    first = read[0]
    for name, colour in zip(("image", "image_2", "image_3"), COLOURS, strict=True):
        assert first[name].getpixel((0, 0)) == colour
    assert read[1]["image_2"] is None
    for row, each in zip(read, every(), strict=True):
        assert row["answer"] == truth(each)
        typed = [row[n] for n in ("word", "count", "metres", "box2d", "box3d_centre", "goal")]
        assert sum(value is not None for value in typed) == 1
    assert json.loads(read[1]["given"]) == {
        "object.picture": {"kind": "crop", "view": "0000-ego", "box": [1, 2, 3, 4]}
    }


def test_datasets_reads_scenes_as_a_second_config(
    folder: Path, datasets: Any, tmp_path: Path
) -> None:
    (row,) = load(datasets, folder, tmp_path, "scenes")
    assert row["id"] == "flat-0"
    assert [each["label"] for each in row["things"]] == ["mug"]
    assert [each["kind"] for each in row["rooms"]] == ["hall", "kitchen"]
    assert row["doors"][0]["one"] == "hall-1"
    assert json.loads(row["json"])["id"] == "flat-0"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of its own use of libraries
def test_croissant_is_valid_and_reads_the_records(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")
    read = mlcroissant.Dataset(folder / "croissant.json")
    assert not read.metadata.ctx.issues.errors
    rows = list(read.records("tasks"))
    assert [row["tasks/id"].decode() for row in rows] == [each.id for each in every()]
    assert rows[0]["tasks/image_2"].getpixel((0, 0)) == COLOURS[1]
    assert rows[1]["tasks/image_2"] is None
    assert rows[4]["tasks/box2d"] == [1, 2, 30, 40]
    (one,) = read.records("scenes")
    assert one["scenes/things"][0]["scenes/things/label"] == b"mug"
    assert one["scenes/things"][0]["scenes/things/position"] == [0.0, 2.0, 0.5]


def test_croissant_names_every_file_with_its_digest(folder: Path) -> None:
    told = json.loads((folder / "croissant.json").read_text())
    objects = {
        File(each["contentUrl"], int(each["contentSize"].split()[0]), each["sha256"])
        for each in told["distribution"]
        if each["@type"] == "cr:FileObject"
    }
    assert objects == {each for each in files(folder) if each.name.endswith(".parquet")}


def test_equal_tasks_give_equal_bytes(folder: Path, tmp_path: Path) -> None:
    first, *others = every()
    rows = [shown(first, *map(png, COLOURS)), *map(shown, others)]
    assert files(written(tmp_path, rows)) == files(folder)


def test_a_picture_that_tasks_share_is_kept_once(tmp_path: Path) -> None:
    noise = io.BytesIO()
    Image.effect_noise((200, 200), 90).convert("RGB").save(noise, "PNG")
    picture = noise.getvalue()
    rows = [
        shown(task("classification", Word("mug"), number=n), picture) for n in range(tables.ROWS)
    ]
    name = tables.write_tasks(tmp_path, flat_scene().id, 3, rows)
    assert name == "tasks/flat-0-00003.parquet"
    assert len(picture) < (tmp_path / name).stat().st_size < 2 * len(picture) + 30_000


def test_a_task_with_more_pictures_than_columns_is_refused() -> None:
    with pytest.raises(RecordError, match=r"shows 4 pictures; an export holds 1 to 3"):
        shown(every()[0], *[png((0, 0, 0))] * 4)


def test_the_card_names_other_licences() -> None:
    other = Drawn("d", 0, every=False, tasks=5, walks=2, licences=("CC-BY-3.0", "CC0-1.0"))
    text = card.parquet(other, {"depth": 5})
    assert "license: other\nlicense_name: see-credits\nlicense_link: CREDITS.md\n" in text
    assert "at most 5 tasks, evenly over types and answers, and 2 walks; seed 0" in text
    assert "license: cc0-1.0\nlanguage" in card.parquet(DRAWN, {"depth": 5})

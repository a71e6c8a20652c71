"""Tasks as Parquet: `datasets` gives back what was written."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from exports import every, png, shown, task
from worldquiz.errors import RecordError
from worldquiz.tea.export.tasks import ROWS, write
from worldquiz.tea.taskgraph import Word

pytest.importorskip("pyarrow")
COLOURS = ((200, 0, 0), (0, 200, 0), (0, 0, 200))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One task of every kind; the first shows three pictures."""
    path = tmp_path_factory.mktemp("export") / "tasks" / "flat-0.parquet"
    first, *others = every()
    write(path, [shown(first, *map(png, COLOURS)), *map(shown, others)])
    return path


def test_datasets_reads_tasks_with_typed_features(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    datasets: Any = pytest.importorskip("datasets")
    datasets.disable_progress_bars()
    read = datasets.Dataset.from_parquet(str(file), cache_dir=str(tmp_path))
    assert read.features["image"] == datasets.Image()
    assert read.features["count"] == datasets.Value("int32")
    assert [row["id"] for row in read] == [each.id for each in every()]
    for name, colour in zip(("image", "image_2", "image_3"), COLOURS, strict=True):
        assert read[0][name].getpixel((0, 0)) == colour
    assert read[1]["image_2"] is None
    for row, each in zip(read, every(), strict=True):
        assert row["answer"] == shown(each).answer
        typed = [row[n] for n in ("word", "count", "metres", "box2d", "box3d_centre", "goal")]
        assert sum(value is not None for value in typed) == 1


def test_equal_tasks_give_equal_bytes(file: Path, tmp_path: Path) -> None:
    first, *others = every()
    write(tmp_path / "again", [shown(first, *map(png, COLOURS)), *map(shown, others)])
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_a_picture_that_tasks_share_is_kept_once(tmp_path: Path) -> None:
    noise = io.BytesIO()
    Image.effect_noise((200, 200), 90).convert("RGB").save(noise, "PNG")
    picture = noise.getvalue()
    tasks = [task("classification", Word("mug"), number=n) for n in range(ROWS)]
    write(tmp_path / "file", [shown(each, picture) for each in tasks])
    assert len(picture) < (tmp_path / "file").stat().st_size < 2 * len(picture) + 30_000


def test_a_task_with_more_pictures_than_columns_is_refused() -> None:
    with pytest.raises(RecordError, match=r"shows 4 pictures; an export holds 1 to 3"):
        shown(every()[0], *[png((0, 0, 0))] * 4)

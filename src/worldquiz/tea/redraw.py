"""Draw a folder's views again in another quality, so that only the looks of its tasks differ.

Scenes, views and tasks are copied byte for byte. The result equals that of `generate` in the new
quality, since `generate` always walks in the usual one.
"""

from __future__ import annotations

import os
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.records import read_json, write_folder, write_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.generate import PLAN, SCENES, SOURCE, manifest, require, summary
from worldquiz.tea.pictures import draw
from worldquiz_scenes.quality import quality


def redraw(
    data: Path, name: str, out: Path, *, jobs: int = 1, done: Done = silent
) -> dict[str, Any]:
    """Write a copy of a folder of tasks with pictures of a quality, or finish a begun one.

    Returns its summary. Raises `RecordError`, and `KnobError` for a quality that is none.
    """
    quality(name)
    sources = folders(data)
    if out.resolve() == data.resolve():
        raise KnobError(f"--out {out}: is the folder that is drawn: choose another")
    require()
    record = _record(data, name, out)
    with claimed(out):
        begin(out, PLAN, record)
        for stale in out.glob(f"{SCENES}/.*.*"):  # of a process that was killed
            shutil.rmtree(stale, ignore_errors=True)
        if not (out / MANIFEST).is_file():
            todo = [each for each in sources if not _place(out, each).is_dir()]
            for one in sources:
                if one not in todo:
                    done(one.path.name)
            for one, _ in each(partial(_work, out, name), todo, jobs=jobs):
                done(one.path.name)
            told = {key: value for key, value in record.items() if key != SOURCE}
            write_json(out / MANIFEST, manifest(told, [one.scene for one in sources], out))
    return summary(out)


def _record(data: Path, name: str, out: Path) -> dict[str, Any]:
    """Return the plan of a folder with another quality; paths in it lead from the new folder."""
    told = dict(read_json(data / PLAN)) | {"quality": name}
    if source := told.get(SOURCE):
        moved = [
            os.path.relpath((data / place).resolve(), out.resolve())
            for place in source.get("folders", ())
        ]
        told[SOURCE] = {**source, "folders": moved} if moved else source
    return told


def _place(out: Path, source: Folder) -> Path:
    return out / SCENES / source.path.name


def _work(out: Path, name: str, source: Folder) -> None:
    write_folder(_place(out, source), partial(_fill, source, name))


def _fill(source: Folder, name: str, folder: Path) -> None:
    shutil.copytree(
        source.path, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.rgb.png")
    )
    draw(folder, source.scene, source.views, name)

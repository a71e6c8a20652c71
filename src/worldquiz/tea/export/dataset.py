"""Export of tasks for other tools, as ``worldquiz tea export`` writes them.

    OUT/README.md                       what it is, how to read it, what a column means
    OUT/CREDITS.md                      who made the scenes' models, under which licence
    OUT/manifest.json                   the sample, counts, and the SHA-256 of every file
    OUT/tasks/SCENE.parquet             as Parquet: the tasks of each scene, pictures and all
    OUT/WorldQuizTEA_*_DIGEST.tsv       or as VLMEvalKit's tables: see `vlmevalkit`

A folder appears whole or not at all; equal requests give equal bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.records import digest, read_bytes, read_json, write_folder, write_json, write_text
from worldquiz.runs.folder import MANIFEST
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.sample import TASKS, TRIPS, sample
from worldquiz.tea.export import tasks as parquet
from worldquiz.tea.export import vlmevalkit
from worldquiz.tea.export.tasks import MEANING, shown
from worldquiz.tea.taskgraph import Goal, Instance
from worldquiz.version import own_version
from worldquiz_scenes.save import CREDITS, credits

KIND = "tea-export"
FORMATS = ("parquet", "vlmevalkit")
CC0 = "CC0-1.0"
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
_HEAD = """---
pretty_name: TEA tasks of worldquiz
{licence}
language:
- en
task_categories:
- visual-question-answering
size_categories:
- {size}
configs:
- config_name: tasks
  data_files:
  - split: test
    path: tasks/*.parquet
---

"""
_OPENING = """# TEA tasks of worldquiz

Tasks that came of walking through generated 3D scenes, after TEA (https://arxiv.org/abs/2602.05249);
{how}. Made by `worldquiz tea export` from the folder of digest `{digest}`. `CREDITS.md` says who
made the models in each scene, and under which licence; tasks, words and pictures add none.

| type | tasks |
|---|---|
{types}

"""
_PARQUET = """`datasets.load_dataset("DIR")["test"]` reads them. The pictures are those that a model
is shown, in the order in which `command` counts them. Tasks are in order of their views, many a
view: shuffle before you take the first ones.

| column | meaning |
|---|---|
{columns}
"""


def export(
    data: Path,
    out: Path,
    to: str,
    *,
    tasks: int = TASKS,
    walks: int = TRIPS,
    seed: int = 0,
    every: bool = False,
    done: Callable[[str], None] = lambda scene: None,
) -> dict[str, Any]:
    """Write the tasks of TEA-Test, or all, as `to`: parquet or vlmevalkit; return the manifest.

    Raises `KnobError` for another format and where there is nothing to export, `RecordError` where
    `out` holds anything, and for a task that a format cannot hold.
    """
    if to not in FORMATS:
        raise KnobError(f"--to {to!r}: no such format{did_you_mean(to, FORMATS)}")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise RecordError(f"{out}: is not empty: choose another folder")
    scenes = folders(data)
    found = [task for folder in scenes for task in folder.tasks]
    if not every:
        found = [*sample(found, tasks, seed), *walk.chosen(scenes, walks, seed)]
    if to == "vlmevalkit":
        found = [task for task in found if not isinstance(task.truth, Goal)]
    if not found:
        raise KnobError(f"{data}: nothing to export to {to}: ask for more tasks or walks")
    by_scene: dict[str, list[Instance]] = {}
    for task in sorted(found, key=lambda task: (task.scene, task.view, task.id)):
        by_scene.setdefault(task.scene, []).append(task)
    request = {
        "kind": KIND, "format": to, "data": read_json(data / MANIFEST)["digest"], "seed": seed,
        "tasks": None if every else tasks, "walks": None if every else walks,
        "scenes": sorted(by_scene), "versions": own_version(),
    }  # fmt: skip
    used = [(folder, by_scene[folder.path.name]) for folder in scenes
            if folder.path.name in by_scene]  # fmt: skip
    write_folder(out, partial(_fill, request, used, done))
    return dict(read_json(out / MANIFEST))


def _fill(
    request: Mapping[str, Any],
    scenes: Sequence[tuple[Folder, Sequence[Instance]]],
    done: Callable[[str], None],
    out: Path,
) -> None:
    every = [task for _, some in scenes for task in some]
    by_type = dict(sorted(Counter(task.type for task in every).items()))
    types = "\n".join(f"| {name} | {count} |" for name, count in by_type.items())
    most = f"a sample of at most {request['tasks']} tasks, evenly over types and answers, and "
    most += f"{request['walks']} walks; seed {request['seed']}"
    how = "all of them" if request["tasks"] is None else most
    readme = _OPENING.format(how=how, digest=str(request["data"])[:16], types=types)
    if request["format"] == "parquet":
        for folder, some in scenes:
            parquet.write(out / "tasks" / f"{folder.path.name}.parquet", shown(folder, some))
            done(folder.path.name)
        licences = {thing.credit.rpartition(", ")[2] for folder, _ in scenes
                    for thing in folder.scene.things}  # fmt: skip
        other = "license: other\nlicense_name: see-credits\nlicense_link: CREDITS.md"
        head = _HEAD.format(
            licence="license: cc0-1.0" if licences <= {CC0} else other,
            size=next((name for most, name in _SIZES if len(every) < most), "1M<n<10M"),
        )
        columns = "\n".join(f"| {name} | {told} |" for name, (_, told) in MEANING.items())
        readme = head + readme + _PARQUET.format(columns=columns)
    else:
        key = digest(json.dumps(request, sort_keys=True))
        readme += vlmevalkit.write(out, key, scenes, int(request["seed"]), done)
    write_text(out / "README.md", readme)
    write_text(out / CREDITS, "\n".join(credits(folder.scene) for folder, _ in scenes))
    files = {path.relative_to(out).as_posix(): digest(read_bytes(path))
             for path in sorted(out.rglob("*")) if path.is_file()}  # fmt: skip
    write_json(
        out / MANIFEST,
        {**request, "by_type": by_type, "rows": len(every), "files": files,
         "digest": digest(json.dumps(files, sort_keys=True))},
    )  # fmt: skip

"""Does the look of the pictures matter? The same tasks in three qualities, for those who only look.

Contestants see what a model is given, the view, the boxes and crops that a task tells of, and its
command, and never the truth. Each is a linear model (scikit-learn) of a description of the pictures
(histograms of gradients and colours, `worldquiz.tea.encode`), of the boxes, and of the command's
words. It learns from the tasks of all apartments but one and is tested on that one, in turn; also
in another quality than it learned from. Beside it stand the answer that is most frequent among what
it learned from, and the same model without pictures.

    uv run python benchmarks/tea_looks.py [--tiny 3] [--paper 3] [--most 120] [--data DIR] [--json]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.sparse import csr_array, hstack
from sklearn.linear_model import Ridge, RidgeClassifier

from worldquiz.rng import child
from worldquiz.scenes.generate import suite
from worldquiz.scenes.quality import QUALITIES, USUAL
from worldquiz.tea.data import Folder, cut, folders, opened
from worldquiz.tea.encode import described, worded
from worldquiz.tea.generate import Plan, generate
from worldquiz.tea.interact import Loops
from worldquiz.tea.redraw import redraw
from worldquiz.tea.scoring.grade import family, worth
from worldquiz.tea.taskgraph import Box2, Count, Crop, Goal, Instance, Metres, Word

LOOPS = Loops(2, bouts=3, mirrors=4)
LEAST = 30
"""Tasks below which a type is left out."""
CONDITIONS = {
    "no pictures": ("", ""),
    **{name: (name, name) for name in QUALITIES},
    "plain, then best": ("plain", "best"),
    "best, then plain": ("best", "plain"),
}
"""Which quality a contestant learns from, and in which it is tested."""
Rows = NDArray[np.float32]


def drawn(data: Path, tiny: int, paper: int, seed: int) -> None:
    """Generate the tasks, or finish them, in each quality."""
    flats = (*suite("tiny", seed, tiny), *suite("paper", seed, paper))
    generate(Plan(seed, flats, LOOPS), data / USUAL)
    for name in QUALITIES:
        if name != USUAL:
            redraw(data / USUAL, name, data / name)


def asked(folder: Folder, most: int) -> list[Instance]:
    """Draw tasks with a word, a count or a depth for an answer, so many of each type."""
    by_type: dict[str, list[Instance]] = defaultdict(list)
    for task in folder.tasks:
        if isinstance(task.truth, Word | Count | Metres):
            by_type[family(task.type)].append(task)
    return [
        task
        for name, some in sorted(by_type.items())
        for task in child(0, "looks", folder.scene.id, name).sample(some, min(most, len(some)))
    ]


class Looker:
    """Describes what tasks show, each picture once."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.seen: dict[object, Rows] = {}

    def look(self, view: str, box: tuple[int, int, int, int] | None) -> Rows:
        """Return what describes a view, or what a box cuts out of it."""
        key = (view, box)
        if key not in self.seen:
            picture = opened(self.folder, self.folder.view[view])
            self.seen[key] = described(cut(picture, box) if box else picture)
        return self.seen[key]

    def row(self, task: Instance) -> Rows:
        """Return the view, and two things that the task tells of by box or crop."""
        whole = self.look(task.view, None)
        shown = [
            self.look(each.view, each.box) if isinstance(each, Crop)
            else self.look(task.view, each.value)
            for _, each in sorted(task.given.items()) if isinstance(each, Crop | Box2)
        ][:2]  # fmt: skip
        return np.concatenate([whole, *shown, *[np.zeros_like(whole)] * (2 - len(shown))])


def boxes(task: Instance) -> Rows:
    """Return two boxes that the task tells of, as shares of the picture."""
    told = [each.value for _, each in sorted(task.given.items()) if isinstance(each, Box2)][:2]
    rows = [np.array(box, np.float32) / np.array([640, 480] * 2, np.float32) for box in told]
    return np.concatenate([*rows, *[np.zeros(4, np.float32)] * (2 - len(rows))])


def learned(tasks: Sequence[Instance], rows: Any, others: Any) -> list[Any]:
    """Return what a linear model that has learned from tasks says to other rows."""
    if isinstance(tasks[0].truth, Metres):
        logs = np.log([truth(task) for task in tasks])
        return list(np.exp(Ridge(alpha=3.0).fit(rows, logs).predict(others)).tolist())
    answers = [truth(task) for task in tasks]
    if len(set(answers)) == 1:
        return [answers[0]] * others.shape[0]
    return list(RidgeClassifier(alpha=3.0).fit(rows, answers).predict(others).tolist())


def truth(task: Instance) -> Any:
    assert not isinstance(task.truth, Goal)
    return task.truth.value  # type: ignore[union-attr]


def usual(tasks: Sequence[Instance]) -> Any:
    """Return the one answer to give if one knows only others' answers."""
    if isinstance(tasks[0].truth, Metres):
        return float(np.median([truth(task) for task in tasks]))
    return Counter(truth(task) for task in tasks).most_common(1)[0][0]


def trials(data: Path, most: int) -> Iterator[tuple[str, str, list[float]]]:
    """Yield type, condition and the worth of every answer of each apartment."""
    flats = {name: {f.path.name: f for f in folders(data / name)} for name in QUALITIES}
    tasks = {scene: asked(folder, most) for scene, folder in flats[USUAL].items()}
    pictures = {
        (name, scene): looked(folder, tasks[scene])
        for name, of_quality in flats.items()
        for scene, folder in of_quality.items()
    }
    for name in sorted({family(task.type) for some in tasks.values() for task in some}):
        chosen = {
            scene: [at for at, task in enumerate(some) if family(task.type) == name]
            for scene, some in tasks.items()
        }
        if sum(map(len, chosen.values())) < LEAST:
            continue
        for scene in (each for each in tasks if chosen[each]):
            known = [(each, at) for each in tasks if each != scene for at in chosen[each]]
            new = [(scene, at) for at in chosen[scene]]
            if not known:
                continue
            one = usual([tasks[each][at] for each, at in known])
            yield name, "one answer", [worth(tasks[s][at].truth, one) for s, at in new]
            for label, (first, second) in CONDITIONS.items():
                rows, others = (
                    _rows(tasks, pictures, quality, some)
                    for quality, some in ((first, known), (second, new))
                )
                said = learned([tasks[each][at] for each, at in known], rows, others)
                yield name, label, [
                    worth(tasks[s][at].truth, each) for (s, at), each in zip(new, said, strict=True)
                ]  # fmt: skip


def looked(folder: Folder, tasks: Sequence[Instance]) -> Rows:
    looker = Looker(folder)
    return np.array([looker.row(task) for task in tasks])


def _rows(
    tasks: dict[str, list[Instance]],
    pictures: dict[tuple[str, str], Rows],
    quality: str,
    some: Sequence[tuple[str, int]],
) -> Any:
    """Return a row for each task: words, boxes and, if a quality is named, pictures."""
    chosen = [tasks[scene][at] for scene, at in some]
    parts = [worded([task.command for task in chosen]), csr_array([boxes(task) for task in chosen])]
    if quality:
        parts.append(csr_array([pictures[quality, scene][at] for scene, at in some]))
    return hstack(parts).tocsr()


def measure(data: Path, most: int) -> dict[str, dict[str, Any]]:
    """Return, for each type, the number of tasks and the mean worth under each condition."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for name, condition, worths in trials(data, most):
        found[name][condition] += worths
    return {
        name: {
            "n": len(by["one answer"]),
            **{condition: round(float(np.mean(worths)), 3) for condition, worths in by.items()},
            "best - plain": round(float(np.mean(np.array(by["best"]) - by["plain"])), 3),
            "half width": round(
                1.96 * float(np.std(np.array(by["best"]) - by["plain"])) / len(by["best"]) ** 0.5, 3
            ),
        }
        for name, by in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiny", type=int, default=3)
    parser.add_argument("--paper", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--most", type=int, default=120, help="tasks of a type and apartment")
    parser.add_argument("--data", type=Path, help="where the tasks are kept, or are already")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        data = options.data or Path(aside)
        drawn(data, options.tiny, options.paper, options.seed)
        found = measure(data, options.most)
    if options.json:
        print(json.dumps(found))
        return
    columns = list(next(iter(found.values())))
    table = Table("type", *columns)
    for name, row in found.items():
        table.add_row(name, *(str(row[each]) for each in columns))
    Console().print(table)


if __name__ == "__main__":
    main()

"""Tables 1 and 2 of arXiv 2602.05249 for tasks that were written here, beside the paper's.

A scene's sets are as large as each other: without TEA, the first round with it, and the second
round, whose tasks are taken in turn from all that were executed. MIR depends much on how two tasks
are compared, and the paper's way lets pictures count, which without TEA are few. So the tables give
MIR for several ways to compare, and over thresholds.

Two ways are compared scene by scene, by the paper's paired t-test. It takes differences to be
spread normally; ten scenes cannot show that they are. So a bootstrap over scenes and a p-value by
exchanging the sides of scenes are told with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import islice, zip_longest
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import need
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, each, silent
from worldquiz.runs.folder import MANIFEST
from worldquiz.stats.intervals import Ratio, differences
from worldquiz.tea.data import Folder
from worldquiz.tea.kinds.kinds import BOX2D, OBJECT, PICTURE, key
from worldquiz.tea.measure import CURVE, THRESHOLD, described, spatial
from worldquiz.tea.measure import measure as measured
from worldquiz.tea.mir import Independent, added, alike, independent
from worldquiz.tea.taskgraph import Box2, Crop, Instance
from worldquiz.tea.written import paper
from worldquiz.tea.written.parts import FIRST, SECOND, TYPE, WITHOUT
from worldquiz.tea.written.write import KIND, SCENES
from worldquiz.trust import plain_names
from worldquiz_scenes.geometry import bounds

if TYPE_CHECKING:
    from worldquiz.tea.encode import Vectors

SETS = (WITHOUT, FIRST, SECOND)
WHOLE = "view, command, label"
WAYS = (WHOLE, "object, command, label", "command, label", "command")
"""What two tasks are compared by: the mean of these cosines. The first is equation 8's."""
PAIRS = ((FIRST, WITHOUT), (SECOND, WITHOUT), (SECOND, FIRST))
_DIGITS = 12
"""Of differences: beyond, they are the noise of sums, which a t-test would take for spread."""


@dataclass(frozen=True)
class WrittenScene:
    """One scene's written tasks, in sets."""

    folder: Folder

    @cached_property
    def parts(self) -> dict[str, list[Instance]]:
        """All tasks by the part that they were written in."""
        found: dict[str, list[Instance]] = {}
        for task in self.folder.tasks:
            found.setdefault(task.origin, []).append(task)
        return found

    @cached_property
    def executed(self) -> list[list[Instance]]:
        """The tasks of the second round, by the task that was executed."""
        return [some for name, some in self.parts.items() if name.startswith(SECOND)]

    @cached_property
    def shares(self) -> list[list[Instance]]:
        """The first round's tasks in order, as many at a time as each executed task has."""
        left = iter(self.parts.get(FIRST, []))
        found = [list(islice(left, len(some))) for some in self.executed]
        return [some for some in found if some]

    @cached_property
    def sets(self) -> dict[str, list[Instance]]:
        """The sets that are compared: as many tasks in each."""
        turns = [task for turn in zip_longest(*self.executed) for task in turn if task is not None]
        whole = {
            WITHOUT: self.parts.get(WITHOUT, []), FIRST: self.parts.get(FIRST, []), SECOND: turns,
        }  # fmt: skip
        size = min(map(len, whole.values()))
        return {name: some[:size] for name, some in whole.items()}

    @cached_property
    def grown(self) -> list[Instance]:
        """Tasks that evolved from those of the first round."""
        return [task for task in self.folder.tasks if task.origin.endswith(f" {TYPE}")]

    @cached_property
    def _rows(self) -> tuple[Mapping[str, int], Mapping[str, Vectors]]:
        """Each task's row, and the embeddings of all tasks, so that sets are seen in one way."""
        groups = (*self.sets.values(), *self.executed, self.grown)
        tasks = list({task.id: task for some in groups for task in some}.values())
        row, (view, command, label) = described(self.folder, tasks)
        _, (object_, _, _) = described(self.folder, [_cut(task) for task in tasks])
        return row, {"view": view, "object": object_, "command": command, "label": label}

    def largest(self, tasks: Sequence[Instance], way: str, threshold: float) -> Independent:
        """Return a largest set without two that are alike, compared in some way."""
        if not tasks:
            return Independent((), 0, 0)
        row, parts = self._rows
        rows = [row[task.id] for task in tasks]
        modalities = [parts[part][rows] for part in way.split(", ")]
        return independent(alike(modalities, threshold), len(tasks))


def tables(
    outs: Sequence[Path],
    *,
    templates: Path | None = None,
    threshold: float = THRESHOLD,
    seed: int = 0,
    jobs: int = 1,
    done: Done = silent,
) -> dict[str, Any]:
    """Return Tables 1 and 2 of writing runs as plain values, the paper's beside them.

    `templates` is a folder of generated tasks, whose rule-based ones are measured by themselves.
    Raises `RecordError` where a folder holds something else, `MissingExtra`.
    """
    found: dict[str, Any] = {}
    for out in outs:
        manifest = _manifest(out)
        name = str(manifest["writer"])
        if name in found:
            raise RecordError(f"{out}: was written by {name!r}, as another of these folders was")
        scenes = [Folder(out / SCENES / scene) for scene in sorted(manifest["scenes"])]
        by_scene = {}
        work = partial(_scene, threshold, seed)
        for folder, told in each(work, scenes, jobs=jobs, places=[out]):
            by_scene[folder.path.name] = told
            done(f"{name} {folder.path.name}")
        found[name] = _writer(manifest, dict(sorted(by_scene.items())), seed)
    record: dict[str, Any] = {"threshold": threshold, "writers": found, "paper": _paper()}
    if templates is not None:
        whole = measured(templates, threshold=threshold, seed=seed, jobs=jobs)
        record["templates"] = _templates(whole)
    return record


def size(outs: Sequence[Path]) -> int:
    """Return how many scenes folders of written tasks have. Raises `RecordError`."""
    return sum(len(_manifest(out)["scenes"]) for out in outs)


def _manifest(out: Path) -> dict[str, Any]:
    path = out / MANIFEST
    if not path.is_file():
        raise RecordError(
            f"{out}: no {MANIFEST}: no tasks were written here to the end; give the command that "
            "writes them again"
        )
    manifest = read_json(path)
    if not isinstance(manifest, dict) or manifest.get("kind") != KIND:
        raise RecordError(f"{path}: is not about written tasks")
    plain_names(manifest.get("scenes") or (), path)
    return manifest


def _scene(threshold: float, seed: int, folder: Folder) -> dict[str, Any]:
    """Return the measures of one scene's tasks."""
    scene = WrittenScene(folder)
    sets = {name: some for name, some in scene.sets.items() if some}
    first = scene.sets[FIRST]
    before = scene.largest(first, WHOLE, threshold)
    after = scene.largest([*first, *scene.grown], WHOLE, threshold)
    groups = {**sets, **{f"{SECOND}-{n}": some for n, some in enumerate(scene.executed, 1)}}
    return {
        "tasks": len(first),
        "sets": {
            name: {
                "ways": {way: scene.largest(some, way, threshold).record() for way in WAYS},
                "curve": {str(t): scene.largest(some, WHOLE, t).ratio for t in CURVE},
            }
            for name, some in sets.items()
        },
        "first_each": [scene.largest(some, WHOLE, threshold).record() for some in scene.shares],
        "second_each": [
            scene.largest(some, WHOLE, threshold).record() for some in scene.executed if some
        ],
        "grown": len(scene.grown),
        "mir_e": added(before, after, len(scene.grown)),
        "spatial": {name: _spatial(folder, some) for name, some in groups.items() if some},
        "plan": _plan(folder, sets),
    }


def _cut(task: Instance) -> Instance:
    """Return a task that is shown by its object's own picture."""
    box = task.given.get(key(OBJECT, BOX2D))
    if not isinstance(box, Box2):
        return task
    return replace(task, given={key(OBJECT, PICTURE): Crop(task.view, box.value)})


def _spatial(folder: Folder, tasks: Sequence[Instance]) -> dict[str, Any] | None:
    found = spatial(folder.scene, tasks)
    return None if found is None else asdict(found)


def _plan(folder: Folder, sets: Mapping[str, Sequence[Instance]]) -> dict[str, Any]:
    """Return the floor plan, and how many tasks of each set are about a thing where."""
    scene = folder.scene
    counts = {name: Counter(task.bind[OBJECT.name] for task in some) for name, some in sets.items()}
    return {
        "rooms": [[room.name, *room.low, *room.high] for room in scene.rooms],
        "things": [[low[0], low[1], high[0], high[1]] for low, high in map(bounds, scene.things)],
        "start": list(scene.start[:2]),
        "points": {
            name: [[*scene.thing[id].position[:2], count] for id, count in sorted(count_.items())]
            for name, count_ in counts.items()
        },
    }


def _writer(manifest: Mapping[str, Any], by_scene: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return one writer's means over scenes, and its two ways compared."""
    full = {name: told for name, told in by_scene.items() if set(told["sets"]) == set(SETS)}
    ways = {
        way: {name: [told["sets"][name]["ways"][way]["mir"] for told in full.values()]
              for name in SETS}
        for way in WAYS
    }  # fmt: skip
    curve = {
        str(t): {name: [told["sets"][name]["curve"][str(t)] for told in full.values()]
                 for name in SETS}
        for t in CURVE
    }  # fmt: skip
    each_ = {
        name: _spread([one["mir"] for told in full.values() for one in told[name]])
        for name in ("first_each", "second_each")
    }
    evolved = [told["mir_e"] for told in full.values() if told["mir_e"] is not None]
    return {
        "scenes": by_scene,
        "compared": sorted(full),
        "optimal": all(
            one["optimal"] for told in full.values() for some in told["sets"].values()
            for one in some["ways"].values()
        ),
        "mean": {way: {name: _spread(values) for name, values in some.items()}
                 for way, some in ways.items()},
        **each_,
        "mir_e": _spread(evolved),
        "curve": {t: {name: _spread(values) for name, values in some.items()}
                  for t, some in curve.items()},
        "tests": {way: _tests(some, seed) for way, some in ways.items()},
        "curve_tests": {t: _tests(some, seed) for t, some in curve.items()},
        "written": _totals(manifest),
    }  # fmt: skip


def _tests(values: Mapping[str, Sequence[float]], seed: int) -> dict[str, Any]:
    found = {}
    for one, two in PAIRS:
        told = paired(values[one], values[two], seed=seed)
        found[f"{one} - {two}"] = None if told is None else asdict(told)
    return found


def _totals(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return how many tasks were written, said before, and dropped, by part."""
    total: dict[str, Counter[str]] = {}
    for told in manifest["scenes"].values():
        for part, one in told["parts"].items():
            name = SECOND if part.startswith(SECOND) else part
            sums = total.setdefault(name, Counter())
            sums.update({key: one[key] for key in ("tasks", "requests", "repeated")})
            sums["dropped"] += sum(one["dropped"].values())
    return {name: dict(total[name]) for name in SETS if name in total}


def _templates(whole: Mapping[str, Any]) -> dict[str, Any]:
    by_set: dict[str, list[float]] = {}
    for told in whole["by_scene"].values():
        for name, one in told["sets"].items():
            by_set.setdefault(name, []).append(one["mir"])
    evolved = [t["mir_e"] for t in whole["by_scene"].values() if t["mir_e"] is not None]
    return {
        "mean": {name: _spread(values) for name, values in sorted(by_set.items())},
        "mir_e": _spread(evolved),
        "optimal": whole["optimal"],
        "spatial": {name: told["spatial"] for name, told in whole["by_scene"].items()},
    }


def _paper() -> dict[str, Any]:
    return {
        "model": paper.MODEL, "table_1": paper.TABLE_1, "scenes": paper.SCENES,
        "mir_e": paper.MIR_E, "p": paper.P, "table_2": paper.TABLE_2,
    }  # fmt: skip


def _spread(values: Sequence[float]) -> dict[str, Any]:
    """Return mean, standard deviation (n - 1) and how many there are."""
    return {
        "mean": fmean(values) if values else None,
        "sd": stdev(values) if len(values) > 1 else None,
        "n": len(values),
    }


@dataclass(frozen=True, slots=True)
class Paired:
    """Difference of two ways over the same scenes."""

    scenes: int
    mean: float  # of the differences
    sd: float | None  # of the differences, n - 1; None for fewer than two
    t: float | None  # with scenes - 1 degrees of freedom; None where nothing varies
    p: float | None  # two-sided, of the t-test
    effect: float | None  # Cohen's d for pairs: mean / sd
    low: float | None  # of the 95 % bootstrap interval of the mean, over scenes
    high: float | None
    exchanged: float | None  # two-sided p by exchanging sides
    above: int  # scenes in which the first is above


def paired(ours: Sequence[float], theirs: Sequence[float], *, seed: int = 0) -> Paired | None:
    """Return how much `ours` exceed `theirs`, scene by scene; None for no scenes.

    Raises `ValueError` for numbers of other scenes, `MissingExtra` without scipy and numpy.
    """
    if len(ours) != len(theirs):
        raise ValueError(f"{len(ours)} and {len(theirs)} scenes make no pairs")
    gaps = [round(one - two, _DIGITS) for one, two in zip(ours, theirs, strict=True)]
    size = len(gaps)
    if not size:
        return None
    sd = stdev(gaps) if size > 1 else None
    t = p = effect = None
    if sd:
        effect = fmean(gaps) / sd
        t = effect * sqrt(size)
        p = _two_sided(t, size - 1)
    ones = (1.0,) * size
    sides = (Ratio(tuple(ours), ones), Ratio(tuple(theirs), ones))
    found = differences({"gap": sides}, seed=seed)["gap"]
    return Paired(
        size, fmean(gaps), sd, t, p, effect,
        None if found is None else found.low,
        None if found is None else found.high,
        None if found is None else found.p,
        sum(gap > 0 for gap in gaps),
    )  # fmt: skip


def _two_sided(t: float, freedom: int) -> float:
    stdtr = need("scipy.special", extra="scene").stdtr
    return float(2 * stdtr(freedom, -abs(t)))

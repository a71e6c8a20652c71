"""A page on which a person rates tasks: first names for things, then tasks with their answers.

Things are named before any task is read, since tasks call things by the benchmark's own words.
Unlike a quiz, the page shows answers: people also judge whether they are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.human.sheet import Item, Key, Line, QuizPart, Sheet, Shown, text_of
from worldquiz.records import read_json
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import MANIFEST, begin, by_person
from worldquiz.tea.data import Folder
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.run import keep
from worldquiz.tea.exam.sample import families
from worldquiz.tea.exam.show import crops, drawn, pictures, whole
from worldquiz.tea.human import TITLES, Same, exam_of, words
from worldquiz.tea.rating import CALLED, KIND, NAME, QUESTIONS, TASK, key_of, scores
from worldquiz.tea.sheet import said as in_words
from worldquiz.tea.taskgraph import Box2, Box3, Goal, Instance
from worldquiz.version import own_version
from worldquiz_scenes.view import Box

SHARE = 0.1
"""Of the test that is rated, as in the paper."""


def sheet_of_test(data: Path, asked: ExamSettings, share: float, name: str) -> RatingSheet:
    """Return a page for a share (0..1) of the test that is drawn from a folder of tasks.

    Raises `RecordError` without a finished folder of tasks.
    """
    test = Exam(data, asked)
    ids = tuple(task.id for task in chosen((*test.tasks, *test.walks), share, asked.seed))
    manifest = {
        "kind": KIND,
        "data": str(read_json(data / MANIFEST).get("digest")),
        "tasks": asked.tasks,
        "trips": asked.trips,
        "seed": asked.seed,
        "share": share,
    }
    return RatingSheet(Same(data, asked, ids), manifest, name)


def sheet_of_ratings(folder: Path, name: str, data: Path | None) -> RatingSheet:
    """Return a page for the tasks that somebody else rated. Raises `RecordError`."""
    return RatingSheet(exam_of(folder, data), read_json(folder / MANIFEST), name)


def chosen(tasks: Sequence[Instance], share: float, seed: int) -> list[Instance]:
    """Draw a share (0..1) of each type, at least one task; a larger share holds a smaller one."""
    found = []
    for name, some in families(tasks).items():
        rng.child(seed, "ratings", name).shuffle(some)
        found += sorted(some[: max(1, round(share * len(some)))], key=lambda task: task.id)
    return found


class RatingSheet(Sheet):
    """Tasks to be rated: a part for names, then one for each type."""

    title = "TEA: rate tasks"
    passing = "I cannot judge"
    caption = "How often you said yes, and how many of your names the benchmark knows, 0 to 1"
    about = (
        "You judge tasks that a program made of pictures of rooms. First you name things, in your "
        "own words; then you see tasks together with their answers.",
        "Say of each task whether it is valid, would help at home, and belongs to everyday life. "
        "There are no right answers: what you think is what we want to know.",
    )

    def __init__(self, exam: Exam, manifest: Mapping[str, Any], name: str) -> None:
        self.exam = exam
        told = {key: manifest[key] for key in ("kind", "data", "tasks", "trips", "seed", "share")}
        self._told = by_person(told, name)
        self._tasks = {task.id: task for task in (*exam.tasks, *exam.walks)}
        self._framed = {id: framed(self._folder(id), task) for id, task in self._tasks.items()}
        types = families(self._tasks.values())
        self.parts = (
            *([QuizPart("Names of things")] if any(self._framed.values()) else []),
            *(QuizPart(TITLES.get(name, name)) for name in types),
        )
        names = [Item((id, NAME), 0) for id, each in self._framed.items() if each]
        first = len(self.parts) - len(types)
        rated = [
            Item((task.id, TASK), first + place)
            for place, some in enumerate(types.values())
            for task in some
        ]
        self.items = (*names, *rated)
        self.order = tuple(item.key for item in self.items)

    def _folder(self, id: str) -> Folder:
        return self.exam.folders[self._tasks[id].scene]

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return the key of a line."""
        return key_of(line)

    def begin(self, out: Path) -> None:
        """Begin or resume ratings of the same tasks."""
        begin(out, MANIFEST, {**self._told, "versions": own_version()})
        keep(self.exam, out)

    def reading(self, part: int) -> Shown:
        """Return nothing: there is nothing to be read."""
        return {"chapters": []}

    def shown(self, item: Item) -> Shown:
        """Return a picture to be named, or a task with its answer."""
        id, asked = item.key
        task = self._tasks[id]
        camera = self.exam.camera(task)
        lens = {"width": camera.width, "height": camera.height, "fovy": camera.fovy}
        if asked == NAME:
            hint = "a name, in one to three words"
            return {"words": CALLED, "form": "text", "hint": hint, "pictures": 1, "whole": True,
                    **lens}  # fmt: skip
        return {
            "words": words(task),
            "form": "rate",
            "asks": [{"id": name, "words": told} for name, told in QUESTIONS.items()],
            "pictures": whole(task) + len(crops(task)),
            "whole": whole(task),
            "answer": _answer(task),
            **_drawn(task),
            **lens,
        }

    def picture(self, item: Item, number: int) -> bytes:
        """Return a picture of a task, or the one in which a thing is framed."""
        id, asked = item.key
        if asked == TASK:
            return pictures(self._folder(id), self._tasks[id])[number]
        found = self._framed[id]
        if found is None or number:
            raise IndexError(number)
        _, view, box = found
        return drawn(self._folder(id), view, [("yellow", Box2(box))])

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return a name or a task's verdicts as a line; None where a person cannot judge."""
        id, asked = item.key
        line = {"id": id, "asked": asked, "said": said, "seconds": seconds}
        if asked == NAME:
            return {**line, "said": None if said is None else text_of(said),
                    "label": self._label(id)}  # fmt: skip
        known = isinstance(said, dict) and set(said) == set(QUESTIONS)
        if said is not None and not (known and all(isinstance(v, bool) for v in said.values())):
            raise ValueError(f"answer all {len(QUESTIONS)} questions first")
        return line

    def _label(self, id: str) -> str:
        found = self._framed[id]
        return self._folder(id).scene.thing[found[0]].label if found else ""

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Return shares of yes, and of names that the benchmark knows."""
        return scores(out)

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the share of yes by question, and of names that the benchmark knows."""
        titles = {**dict(zip(QUESTIONS, QUESTIONS, strict=True)), NAME: "names that are known"}
        return [
            (f"{title} (of {scores[name]['of']})", decimal(scores[name]["share"]))
            for name, title in titles.items()
        ]


def framed(folder: Folder, task: Instance) -> tuple[str, str, Box] | None:
    """Return the one thing that a task is about, a view that shows it, and where in its picture.

    None where a task is about several things or none, and where its pictures do not show it.
    """
    things = [id for id in task.bind.values() if id in folder.scene.thing]
    if len(things) != 1:
        return None
    for crop in crops(task):
        return things[0], crop.view, crop.box
    seen = [each for each in folder.view[task.view].sightings if each.thing == things[0]]
    return (things[0], task.view, seen[0].box) if seen else None


def _answer(task: Instance) -> str:
    """Return a task's answer in words."""
    match task.truth:
        case Goal(within=within):
            return f"stand within {within:g} m of it"
        case Box2():
            return "the box that is drawn in the picture"
        case Box3():
            return f"the box that is drawn in the picture: {in_words(task.truth)}"
    return in_words(task.truth)


def _drawn(task: Instance) -> Shown:
    """Return an answer that the page draws into the picture."""
    match task.truth:
        case Box2(value):
            return {"box": list(value)}
        case Box3(centre, size):
            return {"solid": [*centre, *size]}
    return {}

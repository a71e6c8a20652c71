"""Ratings of generated tasks by people: valid, helpful, everyday.

TEA (arXiv 2602.05249, "TEA-Data-88k") had people look at a random tenth of its test: all tasks were
valid, 90.8 % "provide meaningful assistance at home", 84.9 % "are closely related to daily
routines". We ask the same three questions on the page that asks TEA-Test, with yes and no as
choices; unlike a quiz, it shows a task's answer. A folder of ratings is a run: `score` prints the
share of yes to each question with its interval, `compare` sets two people side by side, `export`
writes every verdict as a row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz import rng
from worldquiz.facts.row import Row
from worldquiz.human.sheet import Item, Key, Line, Shown, one_of
from worldquiz.records import read_json
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import MANIFEST, answered_by
from worldquiz.runs.journal import row_fields
from worldquiz.runs.rows import read_rows, write_rows
from worldquiz.stats.row_scores import scores
from worldquiz.tea.exam.exam import Exam, ExamSettings
from worldquiz.tea.exam.run import exam_of
from worldquiz.tea.exam.sample import families
from worldquiz.tea.exam.show import boxes, drawn, in_words, pictures
from worldquiz.tea.human import Tasks, words
from worldquiz.tea.scoring.grade import YES_NO, family
from worldquiz.tea.taskgraph import Box2, Goal, Instance

KIND = "tea-ratings"
QUESTIONS = {
    "valid": "Is it valid? It makes sense in this scene, can be done, and the answer is right.",
    "helpful": "Would an agent that can do this be of help at home?",
    "everyday": "Is this close to what people do every day?",
}
PAPER = {"valid": 1.0, "helpful": 0.908, "everyday": 0.849}
"""Shares of yes that the paper reports, of 10 % of its test."""
SHARE = 0.1
"""Of the test that is rated, as in the paper."""


def sheet_of_test(data: Path, asked: ExamSettings, share: float, name: str) -> RatingSheet:
    """Return a page for a share (0..1) of the test that is drawn from a folder of tasks.

    Raises `RecordError` without a finished folder of tasks.
    """
    settings = {"tasks": asked.tasks, "trips": asked.trips, "seed": asked.seed, "share": share}
    told = {"kind": KIND, "data": str(read_json(data / MANIFEST).get("digest")), **settings}
    return RatingSheet(Exam(data, asked), told, name)


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


class RatingSheet(Tasks):
    """Three questions about each task of a test, walks too."""

    title = "TEA: rate tasks"
    passing = "I cannot judge"
    caption = "How often you said yes, 0 to 1"
    about = (
        "You judge tasks that a program made of pictures of rooms; you see them together with "
        "their answers. Say of each whether it is valid, would help at home, and belongs to "
        "everyday life.",
        "There are no right answers: what you think is what we want to know.",
    )

    def __init__(self, exam: Exam, manifest: Mapping[str, Any], name: str) -> None:
        super().__init__(exam, manifest, name)
        share, seed = manifest["share"], manifest["seed"]
        every = [task for some in (exam.tasks, exam.walks) for task in chosen(some, share, seed)]
        self._ask({(task.scene, asked, task.id): task for task in every for asked in QUESTIONS})

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return the key of a line."""
        return line["world"], line["type"], line["id"]

    def shown(self, item: Item) -> Shown:
        """Return a task with its answer, and one of the questions about it."""
        task = self._tasks[item.key]
        answer = "stand near it" if isinstance(task.truth, Goal) else in_words(task.truth)
        asked = f"“{words(task)}” Its answer: {answer}. {QUESTIONS[item.key[1]]}"
        return {**self._pictured(item), "words": asked, "form": "choice", "choices": list(YES_NO)}

    def _made(self, task: Instance) -> list[bytes]:
        """Return a task's pictures; an answer that is a box is drawn in."""
        folder = self.exam.folders[task.scene]
        if not isinstance(task.truth, Box2):
            return pictures(folder, task)
        view = drawn(folder, task.view, [*boxes(task), ("green", task.truth)])
        return [view, *pictures(folder, task)[1:]]

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return a verdict as a line; None where a person cannot judge."""
        scene, asked, id = item.key
        reply = "" if said is None else one_of(said, YES_NO)
        return {"world": scene, "type": asked, "id": id, "reply": reply, "said": said,
                "seconds": seconds}  # fmt: skip

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Write each verdict as a row, and return shares of yes."""
        who = answered_by(self._told)
        write_rows(out, (_row(self._tasks[key], key[1], lines[key], who) for key in self.order))
        return score(out)

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the share of yes by question."""
        return [(f"{name} (of {cell['counts']['scored']})", decimal(cell["score"]))
                for name, cell in scores["by_type"].items()]  # fmt: skip


def _row(task: Instance, asked: str, line: Line, who: str) -> Row:
    """Return a verdict as a row; the right answer is what the benchmark claims: yes."""
    answer = line["reply"] or None
    return Row(
        run="", benchmark="tea", answerer=who, world=task.scene, level=family(task.type),
        item=task.id, shown=True, type=asked, format="yes_no", choices=YES_NO,
        prompt=f"{task.command} {QUESTIONS[asked]}", gold="yes",
        correct=None if answer is None else float(answer == "yes"),
        unscored="not judged" if answer is None else None, **row_fields(line, answer),
    )  # fmt: skip


def score(folder: Path) -> dict[str, Any]:
    """Return the share of yes to each question, beside the paper's. Raises `RecordError`."""
    return {**scores(read_rows(folder)), "paper": PAPER}

"""Human ratings of generated tasks: valid, helpful, everyday; and names that people give to things.

TEA (arXiv 2602.05249, "TEA-Data-88k") had people look at a random tenth of its test: all tasks were
valid, 90.8 % "provide meaningful assistance at home", 84.9 % "are closely related to daily
routines". We ask the same three questions, and what people would call a thing that a task is about:
a name that the grading of tasks refuses is a fault of the benchmark.

    RATINGS/manifest.json   which test, how much of it, who rated
    RATINGS/tasks.jsonl     the tasks that are rated
    RATINGS/answers.jsonl   {"id", "asked": "name" or "task", "said", "seconds", "changes", ...}

`said` holds a verdict for each question, or the name; None where a person could not judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import Told, read_records
from worldquiz.runs.answer_lines import AnswerLine
from worldquiz.runs.folder import HUMAN, RunManifest, answered_by, read_manifest
from worldquiz.runs.journal import ANSWERS, finished
from worldquiz.stats.agreement import alpha
from worldquiz.stats.intervals import Ratio, intervals
from worldquiz.tea.answering import holds_tasks
from worldquiz.tea.scoring.grade import family, named, worth
from worldquiz.tea.sheet import said
from worldquiz.tea.taskgraph import Instance, Word

KIND = "tea-ratings"
NOUN = "folder of ratings"
TASKS_FILE = "tasks.jsonl"
NAME, TASK = "name", "task"
"""What a line tells: a thing's name, or what one thinks of a task."""
VALID = "valid"
QUESTIONS = {
    VALID: "Is it valid? It makes sense in this scene, can be done, and the answer is right.",
    "helpful": "Would an agent that can do this be of help at home?",
    "everyday": "Is this close to what people do every day?",
}
CALLED = "What would you call the thing in the yellow box?"
PAPER = {VALID: 1.0, "helpful": 0.908, "everyday": 0.849}
"""Shares of yes that the paper reports, of 10 % of its test."""

Key = tuple[str, str]
"""A task's id, and what is asked of it."""
Verdicts = Mapping[str, bool]


@dataclass(frozen=True, kw_only=True)
class RatingsManifest(RunManifest):
    """Schema of the manifest of ratings."""

    tasks: int
    trips: int
    seed: int
    share: float
    data: str
    folder: str = ""


@dataclass(frozen=True)
class RatingLine(AnswerLine):
    """A line of a name or of a task's verdicts."""

    asked: str = TASK
    said: Mapping[str, bool] | str | None = None
    label: str = ""


@dataclass(frozen=True)
class Ratings:
    """One person's ratings of some tasks."""

    person: str
    data: str  # the digest of the folder of tasks
    tasks: tuple[Instance, ...]
    verdicts: Mapping[str, Verdicts]  # by task; none of those that could not be judged
    labels: Mapping[str, str]  # of the things that were to be named, by task
    names: Mapping[str, str]  # that were given to them, by task
    seconds: Mapping[Key, float]

    def accepted(self, id: str) -> bool:
        """Tell whether the grading of tasks takes a task's name for its label."""
        return worth(Word(self.labels[id]), self.names[id]) == 1


def key_of(line: Mapping[str, Any]) -> Key:
    """Return the key of a line."""
    return line["id"], line["asked"]


def manifest_of(folder: Path) -> dict[str, Any]:
    """Return the manifest of a folder of ratings. Raises `RecordError`."""
    return read_manifest(folder, KIND, NOUN, RatingsManifest)


def read_ratings(folder: Path) -> Ratings:
    """Read one person's ratings. Raises `RecordError` for a folder that is not finished."""
    manifest = manifest_of(folder)
    lines = finished(folder, key_of, of=RatingLine)
    tasks = tuple(read_records(folder / TASKS_FILE, "task", Instance))
    return Ratings(
        manifest.get("name") or HUMAN,
        str(manifest["data"]),
        tasks,
        {id: line["said"] for (id, asked), line in lines.items() if asked == TASK and line["said"]},
        {id: line["label"] for (id, asked), line in lines.items() if asked == NAME},
        {id: line["said"] for (id, asked), line in lines.items() if asked == NAME and line["said"]},
        Told({key: line.get("seconds") or 0.0 for key, line in lines.items()}, folder / ANSWERS),
    )


def read_all(folders: Sequence[Path]) -> list[Ratings]:
    """Read several people's ratings of one folder's tasks. Raises `RecordError`."""
    found = [read_ratings(folder) for folder in folders]
    for folder, each in zip(folders, found, strict=True):
        if each.data != found[0].data:
            raise RecordError(
                f"{folder}: rates tasks of another folder than {folders[0]} (digests "
                f"{each.data[:12]}... and {found[0].data[:12]}...): look at each by itself"
            )
    return found


def read_of(data: Path, folders: Sequence[Path]) -> list[Ratings]:
    """Read people's ratings of a folder's tasks. Raises `RecordError` for another's."""
    found = read_all(folders)
    if found and not holds_tasks(data, found[0].data):
        raise RecordError(
            f"{folders[0]}: rates other tasks than those in {data}: give the folder of tasks that "
            "`worldquiz tea rate` was given"
        )
    if not found_valid(found):
        raise RecordError(f"{folders[0]}: no task was found valid by most of its raters")
    return found


def found_valid(ratings: Iterable[Ratings]) -> frozenset[str]:
    """Return the ids of the tasks that more than half of their raters found valid."""
    votes: dict[str, list[bool]] = {}
    for each in ratings:
        for id, verdicts in each.verdicts.items():
            votes.setdefault(id, []).append(verdicts[VALID])
    return frozenset(id for id, some in votes.items() if 2 * sum(some) > len(some))


def rows(folder: Path) -> Iterator[Row]:
    """Yield each verdict and each name of a folder as a row.

    The right answer is what the benchmark claims: yes to each question, and the thing's label.
    Seconds are those of the page, divided evenly over its questions.
    """
    one, who = read_ratings(folder), answered_by(manifest_of(folder))
    for task in one.tasks:
        common = {
            "run": folder.name, "benchmark": "tea", "answerer": who, "world": task.scene,
            "level": family(task.type), "question": task.id, "answerable": True,
        }  # fmt: skip
        for name, words in QUESTIONS.items():
            verdict = one.verdicts.get(task.id, {}).get(name)
            spent = one.seconds[task.id, TASK] / len(QUESTIONS)
            asked = {"type": name, "format": "yes_no", "text": f"{task.command} {words}"}
            told = None if verdict is None else ("no", "yes")[verdict]
            yield _row({**common, **asked}, "yes", told, spent)
        if task.id in one.labels:
            asked = {"type": NAME, "format": "name", "text": CALLED}
            spent = one.seconds[task.id, NAME]
            yield _row({**common, **asked}, one.labels[task.id], one.names.get(task.id), spent)


def _row(told: Mapping[str, Any], gold: str, answer: str | None, seconds: float) -> Row:
    status = AnswerStatus.ABSTAINED if answer is None else AnswerStatus.ANSWERED
    return Row(
        **told,
        choices=("yes", "no") if told["format"] == "yes_no" else (),
        gold=gold,
        reply=answer or "",
        answer=answer,
        status=status,
        correct=None if answer is None else worth(Word(gold), answer),
        unscored="not judged" if answer is None else None,
        seconds=round(seconds, 2),
    )


def scores(folder: Path) -> dict[str, Any]:
    """Return one person's ratings, in shares. Raises `RecordError`."""
    return shares([read_ratings(folder)])


def document(folders: Sequence[Path]) -> dict[str, Any]:
    """Return several people's ratings, in shares and task by task. Raises `RecordError`."""
    found = read_all(folders)
    return {**shares(found), "by_task": by_task(found)}


def shares(ratings: Sequence[Ratings]) -> dict[str, Any]:
    """Return how many people said yes to each question, and how far they agree, by type too."""
    every = _every(ratings)
    types: dict[str, list[str]] = {}
    for id, task in every.items():
        types.setdefault(family(task.type), []).append(id)
    return {
        "people": [each.person for each in ratings],
        "tasks": len(every),
        "valid_by_most": len(found_valid(ratings)),
        "paper": PAPER,
        **_cells(ratings, list(every)),
        "by_type": {
            name: {"tasks": len(ids), **_cells(ratings, ids)} for name, ids in sorted(types.items())
        },
    }


def by_task(ratings: Sequence[Ratings]) -> list[dict[str, Any]]:
    """Return each task with its verdicts and names: the rows of a CSV file."""
    valid = found_valid(ratings)
    return [
        {
            "id": id,
            "type": task.type,
            "scene": task.scene,
            "command": task.command,
            "answer": said(task.truth),
            "valid_by_most": id in valid,
            **{name: _task_cell(_votes(ratings, id, name)) for name in QUESTIONS},
            "label": next((each.labels[id] for each in ratings if id in each.labels), None),
            "names": dict(Counter(each.names[id] for each in ratings if id in each.names)),
        }
        for id, task in _every(ratings).items()
    ]


def _every(ratings: Iterable[Ratings]) -> dict[str, Instance]:
    found = {task.id: task for each in ratings for task in each.tasks}
    return dict(sorted(found.items()))


def _votes(ratings: Iterable[Ratings], id: str, question: str) -> list[bool]:
    return [each.verdicts[id][question] for each in ratings if id in each.verdicts]


def _task_cell(votes: Sequence[bool]) -> dict[str, Any]:
    """Return how many said yes, and how far they agree."""
    return {
        "yes": sum(votes),
        "of": len(votes),
        "agree": _alike(votes) if len(votes) > 1 else None,
    }


def _cells(ratings: Sequence[Ratings], ids: Sequence[str]) -> dict[str, Any]:
    """Return a cell for each question, and one for names."""
    who = {id: [each for each in ratings if id in each.names] for id in ids}
    accepted = [[each.accepted(id) for each in some] for id, some in who.items()]
    called = [[named(each.names[id]) for each in some] for id, some in who.items()]
    found = {name: [_votes(ratings, id, name) for id in ids] for name in QUESTIONS}
    cells = {name: _cell(votes, votes) for name, votes in found.items()}
    return {**cells, NAME: _cell(accepted, called)}


def _cell(votes: Sequence[Sequence[bool]], said: Sequence[Sequence[Hashable]]) -> dict[str, Any]:
    """Return the share of yes with its interval over tasks, and how far people agree.

    `agree` is the share of pairs of a task's people who said the same, as the mean over tasks;
    `alpha` is Krippendorff's.
    """
    several = [some for some in said if len(some) > 1]
    above, below = tuple(map(float, map(sum, votes))), tuple(map(float, map(len, votes)))
    ratio = Ratio(above, below)
    return {
        "yes": int(sum(above)),
        "of": int(sum(below)),
        "share": ratio.value,
        "interval": intervals({"share": ratio})["share"],
        "shared": len(several),
        "agree": sum(map(_alike, several)) / len(several) if several else None,
        "alpha": alpha(said),
    }


def _alike(said: Sequence[Hashable]) -> float:
    """Return the share of pairs of a task's people who said the same."""
    pairs = len(said) * (len(said) - 1)
    return sum(count * (count - 1) for count in Counter(said).values()) / pairs

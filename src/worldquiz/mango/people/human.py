"""People's answers to MANGO's questions, made into a run like any other contestant's.

A file of answers is CSV, with a line for each answer and the columns of `sheet`; or JSONL, with an
object of the same fields on each line. Needed are ``game``, ``task`` (df or rf), ``source``,
``actions`` (df; with commas between them, or a list) or ``target`` (rf), and ``answer`` in one of
the forms of `worldquiz.mango.scoring.human_answer_parser`. ``rater``, ``minutes``, ``steps``,
``id`` and ``note`` may be left out. A blank answer was not asked for: it is counted and left out.
Whatever else is wrong with a line is an error that names it.

A run has one answer to a question, so of several people's the one that comes first in the file
counts, as in the paper's first round; or each person's answers are a run of their own. All of them
are kept in ``raters.jsonl``, from which agreement is computed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.errors import RecordError, did_you_mean
from worldquiz.llm.reply_lists import literal
from worldquiz.mango.asking.ask import STEPS, Asked
from worldquiz.mango.asking.question_factory import Routes, destination
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.people.filled import Filled, filled
from worldquiz.mango.running.folder import MAZES, begin_run, read_mazes
from worldquiz.mango.running.replies import finished, replied, used
from worldquiz.mango.scoring.agreement import Rated, agreement, minutes
from worldquiz.mango.scoring.answers import about
from worldquiz.mango.scoring.grade import Question, Task, Ways, grade, plain
from worldquiz.mango.scoring.human_answer_parser import written
from worldquiz.mango.scoring.score import score
from worldquiz.mango.scoring.table import Scored
from worldquiz.records import digest, write_json, write_text
from worldquiz.runs.folder import claimed
from worldquiz.runs.journal import ANSWERS
from worldquiz.runs.life import SCORES
from worldquiz.stats.intervals import RESAMPLES

_NAME = re.compile(r"\w[\w .-]*")
RATERS = "raters.jsonl"
NAME = "human"


@dataclass(frozen=True, slots=True)
class Given:
    """A person's answer to a question."""

    question: Question
    steps: int  # of the walkthrough that were read
    rater: str
    text: str  # as it was written
    reply: str | None  # as it is scored; None for "does not know"
    bare: bool
    minutes: float | None
    where: str  # FILE:LINE


class Asking:
    """A maze, and its questions by what a line says of them."""

    def __init__(self, maze: Maze, steps: int) -> None:
        self._maze, self._steps = maze, steps
        self._shown = maze.prefix(steps)
        self._routes = Routes(maze, steps, Route.SHORTEST)
        self._places = {plain(place): place for place in self._shown.places}
        self._exits: dict[tuple[str, str], list[Edge]] = {}
        for edge in sorted(self._shown.edges, key=lambda e: (e.source, e.action, e.target)):
            self._exits.setdefault((edge.source, plain(edge.action)), []).append(edge)

    def question(self, line: Filled, task: Task, actions: Sequence[str]) -> Question:
        """Return the question that a line tells. Raises `ValueError` where there is none."""
        source = self._place(line.source)
        if task is Task.RF:
            target = self._place(line.target)
            found = self._routes.question(source, target)
            every = [found] if found else []
            asked = f"from {source!r} to {target!r}"
        else:
            paths = self._paths(source, actions)
            every = [destination(self._maze.name, path) for path in paths]
            asked = f"from {source!r} by {list(actions)}"
        if not every:
            raise ValueError(f"{self._steps} steps of {self._maze.name!r} show no route {asked}")
        same = [each for each in every if line.id in ("", each.id)]
        if not same:
            raise ValueError(f"the question {asked} of {self._maze.name!r} has not id {line.id!r}")
        return same[0]

    def _place(self, name: str) -> str:
        if plain(name) not in self._places:
            near = did_you_mean(name, self._places.values())
            raise ValueError(
                f"{self._steps} steps of {self._maze.name!r} show no place {name!r}{near}"
            )
        return self._places[plain(name)]

    def _paths(self, source: str, actions: Sequence[str]) -> list[tuple[Edge, ...]]:
        """Return the simple paths that some actions may take."""
        paths: list[tuple[Edge, ...]] = [()]
        for action in actions:
            paths = [
                (*path, edge)
                for path in paths
                for edge in self._exits.get(
                    (path[-1].target if path else source, plain(action)), ()
                )
                if edge.target != source and all(edge.target != past.target for past in path)
            ]
        return [path for path in paths if path]


def read_human(
    path: Path, mazes: Mapping[str, Maze], steps: int = STEPS
) -> tuple[list[Given], int]:
    """Return the answers of a file, and how many lines were left blank.

    Raises `RecordError` naming file and line for what cannot be read, is about no question of these
    mazes, or was answered by the same person before.
    """
    asking: dict[tuple[str, int], Asking] = {}
    found: list[Given] = []
    blank = 0
    for where, line in filled(path):
        if not line.answer.strip():
            blank += 1
            continue
        try:
            found.append(_given(line, mazes, steps, asking, where))
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from error
    _once(found)
    if not found:
        raise RecordError(f"{path}: holds no answer; {blank} lines are blank")
    return found, blank


def import_human(
    path: Path,
    mazes: Mapping[str, Maze],
    out: Path,
    *,
    name: str = NAME,
    steps: int = STEPS,
    by_rater: bool = False,
    resamples: int = RESAMPLES,
) -> dict[str, Any]:
    """Make a file of answers into a run, or into a run for each rater, and return what it holds.

    Raises what `read_human` raises, and `RecordError` where `out` holds anything else.
    """
    given, blank = read_human(path, mazes, steps)
    runs = _runs(given, out, name) if by_rater else {name: (out, given)}
    scores = {}
    for title, (folder, answers) in runs.items():
        scores[title] = _write(folder, title, answers, mazes, steps, resamples)
    return {
        "runs": {title: str(folder) for title, (folder, _) in runs.items()},
        "raters": sorted({each.rater for each in given}),
        "answers": len(given),
        "blank": blank,
        "bare": sum(each.bare for each in given),
        "unknown": sum(each.reply is None for each in given),
        **_people(given, mazes),
        "scores": scores,
    }


def read_people(runs: Iterable[Path]) -> dict[str, Any] | None:
    """Return agreement and minutes of the people in some runs; None where there are none.

    Every answer counts: who is in two runs counts as two people.
    """
    given: list[Given] = []
    mazes: dict[str, Maze] = {}
    for run in runs:
        if (run / RATERS).is_file():
            theirs = read_mazes(run)
            mazes |= theirs
            given += read_human(run / RATERS, theirs)[0]
    return _people(given, mazes) if given else None


def _people(given: Sequence[Given], mazes: Mapping[str, Maze]) -> dict[str, Any]:
    """Return how far people agree and how long they take."""
    ways = {game: Ways(mazes[game]) for game in {each.question.game for each in given}}
    rated = []
    for each in given:
        asked, level = each.question, each.question.level(each.steps)
        if level is not None:
            earned = grade(ways[asked.game], asked, each.reply)
            scored = Scored(asked.game, asked.id, asked.task, level, earned)
            rated.append(Rated(each.rater, scored, each.minutes))
    return {"agreement": agreement(rated), "minutes": minutes(rated)}


def _runs(given: Sequence[Given], out: Path, name: str) -> dict[str, tuple[Path, Sequence[Given]]]:
    """Return each rater's answers, with a name and a folder for them."""
    found: dict[str, list[Given]] = {}
    for each in given:
        if not _NAME.fullmatch(each.rater):
            raise RecordError(
                f"{each.where}: rater {each.rater!r}: a run for each rater needs a name of letters "
                "and digits, which becomes a folder's"
            )
        found.setdefault(each.rater, []).append(each)
    return {f"{name} ({rater})": (out / rater, found[rater]) for rater in sorted(found)}


def _write(
    out: Path,
    name: str,
    given: Sequence[Given],
    mazes: Mapping[str, Maze],
    steps: int,
    resamples: int,
) -> dict[str, Any]:
    """Write a run. Of several answers to a question the first one is its answer."""
    first: dict[str, Given] = {}
    for each in given:
        first.setdefault(_key(each), each)
    games = sorted({each.question.game for each in given})
    lines = "".join(_text(_filled(each)) for each in given)
    asked = Asked(steps, tuple(sorted({each.question.task for each in given})))
    manifest = {
        "answerer": name, "versions": {"worldquiz": worldquiz.__version__},
        **asked.record(), "per_maze": None, "seed": None, "answers": digest(lines),
    }  # fmt: skip
    with claimed(out):
        begin_run(out, manifest, {game: mazes[game] for game in games})
        write_text(out / RATERS, lines)
        write_text(out / ANSWERS, "".join(_text(_line(each)) for each in first.values()))
        found = score(
            out / ANSWERS, out / MAZES, layout=Layout.STEPS70, easy=asked.rf_easy,
            resamples=resamples,
        )  # fmt: skip
        write_json(out / SCORES, {**found, "usage": used(finished(out, ANSWERS))})
    return found


def _line(given: Given) -> dict[str, Any]:
    """Return an answer as a line of a run's answers."""
    line = replied({**about(given.question), "steps": given.steps}, given.reply)
    return {**line, "rater": given.rater, "written": given.text, "minutes": given.minutes}


def _filled(given: Given) -> dict[str, Any]:
    """Return an answer as a line that can be read again."""
    return {
        **about(given.question), "answer": given.text, "rater": given.rater,
        "minutes": given.minutes, "steps": given.steps,
    }  # fmt: skip


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"


def _key(given: Given) -> str:
    asked = given.question
    return f"{asked.game} {asked.task} {asked.id}"


def _once(given: Iterable[Given]) -> None:
    """Raise `RecordError` where somebody answered a question twice."""
    found: dict[tuple[str, str], Given] = {}
    for each in given:
        before = found.setdefault((each.rater, _key(each)), each)
        if before is not each:
            raise RecordError(
                f"{each.where}: rater {each.rater!r} has answered this question already in "
                f"{before.where}"
            )


def _given(
    line: Filled,
    mazes: Mapping[str, Maze],
    steps: int,
    asking: dict[tuple[str, int], Asking],
    where: str,
) -> Given:
    """Return an answer. Raises `ValueError` saying what is wrong with its line."""
    if line.game not in mazes:
        raise ValueError(f"no maze {line.game!r}{did_you_mean(line.game, mazes)}")
    if line.task.lower() not in list(Task):
        raise ValueError(f"task {line.task!r}: give df or rf")
    task = Task(line.task.lower())
    actions = _actions(line.actions)
    if task is Task.DF and not actions:
        raise ValueError("actions: a question of task df needs them")
    if task is Task.RF and not line.target.strip():
        raise ValueError("target: a question of task rf needs one")
    maze = mazes[line.game]
    read = min(_whole(line.steps, steps), maze.steps)
    if (line.game, read) not in asking:
        asking[line.game, read] = Asking(maze, read)
    question = asking[line.game, read].question(line, task, actions)
    told = written(line.answer, task)
    return Given(
        question, read, line.rater.strip(), line.answer, told.reply, told.bare,
        _minutes(line.minutes), where,
    )  # fmt: skip


def _actions(text: str) -> tuple[str, ...]:
    """Read actions with commas between them, or a JSON list of them."""
    if text.strip().startswith("["):
        found = literal(text.strip())
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise ValueError(f"actions {text!r}: give them with commas between, or as a list")
        return tuple(found)
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _whole(text: str, default: int) -> int:
    if not text.strip():
        return default
    if not text.strip().isdigit():
        raise ValueError(f"steps {text!r}: give a number from 0")
    return int(text)


def _minutes(text: str) -> float | None:
    if not text.strip():
        return None
    try:
        found = float(text)
    except ValueError as error:
        raise ValueError(f"minutes {text!r}: give a number") from error
    if not 0 <= found < float("inf"):
        raise ValueError(f"minutes {text!r}: give a number from 0")
    return found

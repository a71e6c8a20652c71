"""Every question of a finished run of MANGO as one row (`worldquiz.facts.row`).

    df, rf      destinations and routes: graded by success; what is read from a reply is the place
                where its moves end (df), or its moves (rf)
    minigame    the action that is chosen
    triplet     a part of a walkthrough that a model read to draw a map: the place where a step
                ends, or all moves

A walkthrough is one episode; a question is answerable at the step that first tells enough.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.prompts import ESTIMATE
from worldquiz.llm.reply_lists import Form, ToldMove, read_moves, spoken
from worldquiz.mango.asking.ask import Template, Text
from worldquiz.mango.asking.plan import reading
from worldquiz.mango.games import mapping
from worldquiz.mango.games.mapping import Course
from worldquiz.mango.games.minigames import (
    Games,
    Minigame,
    Setting,
    answerable,
    plan,
    question,
    read_choice,
)
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.folder import (
    MAZES,
    MINIGAMES,
    answerer_of,
    read_mazes,
    read_run_manifest,
)
from worldquiz.mango.running.replies import Key, Line, key
from worldquiz.mango.scoring.answers import answer_of
from worldquiz.mango.scoring.contest import Marked
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.guide import Guide
from worldquiz.mango.scoring.score import Atlas, mark
from worldquiz.runs.journal import spent, status_of
from worldquiz.runs.losses import read_losses, unit_name
from worldquiz.runs.rows import ROWS

UNSETTLED = "the steps that were read do not settle the question"
_NOWHERE = "None"
"""What the prompt has a model say of a step that ends at no place that the text tells."""
_ASKED = ("source", "actions", "target", "steps")
"""Parts of a question that an answer of MANGO's tells."""


def marked_answers(
    run: Path, manifest: Mapping[str, Any], lines: Mapping[Key, Line], *, whole: bool = True
) -> tuple[tuple[Marked, ...], Atlas]:
    """Return a run's answers with their grades, and the mazes that they are about.

    Raises `RecordError` where answers of a `whole` run are missing.
    """
    asked = {each: line for each, line in lines.items() if each[1] in tuple(Task)}
    answers = [answer_of(line, f"{run}: {unit_name(each)}") for each, line in asked.items()]
    left = len(read_losses(run).unfinished)
    wanted = manifest.get("questions", len(answers) + left) - left
    if whole and len(answers) != wanted:
        raise RecordError(
            f"{run / ROWS}: {len(answers)} answers of {wanted}: the file is damaged: restore it, "
            "or delete it and give the run's command again"
        )
    atlas = Atlas(run / MAZES, Layout.STEPS70, easy=Route(manifest["rf_easy"]))
    return mark(answers, atlas), atlas


def courses_of(run: Path) -> dict[str, Course]:
    """Return the walkthroughs of a run's mazes as far as they were read, by name."""
    read = read_run_manifest(run)["read"]
    return {name: Course(maze, read[name]) for name, maze in read_mazes(run).items()}


def games_of(run: Path) -> Games:
    """Return which minigames a run played."""
    told = read_run_manifest(run, MINIGAMES)
    return Games(
        told["steps"], tuple(map(Setting, told["settings"])), told["per_maze"],
        told["seed"], told["tokens"], told["tokenizer"] or ESTIMATE,
    )  # fmt: skip


def quiz_rows(run: Path, lines: Mapping[Key, Line], *, whole: bool = False) -> Iterator[Row]:
    """Yield the rows of a run's replies to MANGO's questions, in the order of its answers.

    Those of the parts that a model read to draw its maps come after them, and bear the usage.
    """
    manifest = read_run_manifest(run)
    head = _head(run, manifest)
    mazes = read_mazes(run)
    template, text = Template(manifest["template"]), Text(manifest["walkthrough"])
    shown = cache(lambda game, steps: reading(mazes[game], steps, template, text))
    guide = cache(lambda game: Guide(mazes[game]))
    for each in marked_answers(run, manifest, lines, whole=whole)[0]:
        asked = each.question
        line = lines[asked.game, str(asked.task), asked.id]
        found = _of_question(each, line, mazes[asked.game], guide(asked.game))
        words = shown(asked.game, min(each.steps, mazes[asked.game].steps)).question(asked)
        yield _row(line, **head, **found, prompt=words)
    if "shots" in manifest:
        yield from _triplets(run, lines, head, manifest["shots"])


def minigame_rows(run: Path, lines: Mapping[Key, Line]) -> Iterator[Row]:
    """Yield the rows of a run's replies to minigames."""
    head = _head(run, read_run_manifest(run, MINIGAMES))
    mazes, games = read_mazes(run, kind=MINIGAMES), games_of(run)
    asked = plan(mazes, games)
    left = read_losses(run).unfinished
    moves = {name: answerable(maze, games) for name, maze in mazes.items()}
    for each in asked:
        if unit_name(key(each.about())) in left:
            continue
        line, maze = lines[key(each.about())], mazes[each.game]
        found = _of_minigame(each, line, moves[each.game][each.step])
        yield _row(line, **head, **found, prompt=question(maze, each))


def _row(line: Line, **told: Any) -> Row:
    """Return a row; one that failed has no grade, and says why."""
    measures = {name: line[name] for name in _ASKED if name in line}
    row = Row(**told, **spent(line), seconds=line.get("seconds"), measures=measures)
    if row.status is not AnswerStatus.FAILED:
        return row
    why = str(line.get("failure"))
    return replace(row, reply="", answer=None, correct=None, points=None, unscored=why)


def _head(run: Path, manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "run": run.resolve().name,
        "benchmark": "mango",
        "answerer": answerer_of(manifest),
    }


def _of_question(each: Marked, line: Line, maze: Maze, guide: Guide) -> dict[str, Any]:
    asked, settled = each.question, each.level is not None
    told = read_moves(each.reply)
    steps = each.steps if settled else maze.steps
    way = guide.answer(asked, steps) or ()
    df = asked.task is Task.DF
    return {
        "world": asked.game, "item": asked.id, "type": str(asked.task), "format": "moves",
        "level": str(each.level) if each.level else None,
        "gold": asked.target if df else _moves(maze.edges[number] for number in way),
        "reply": _reply(each.reply),
        "answer": (told.moves[-1].target if df else _moves(told.moves)) if told.moves else None,
        "shown": settled, "episode": 0 if settled else None,
        "step": asked.answerable_from if settled else None,
        "status": (status := _status(line, told.form is not Form.ILL_FORMED)),
        "correct": each.grade.success if status is AnswerStatus.ANSWERED else None,
        "unscored": None if settled else UNSETTLED,
        "points": each.grade.points,
    }  # fmt: skip


def _of_minigame(game: Minigame, line: Line, move: Edge) -> dict[str, Any]:
    choice = read_choice(line["reply"], game.actions)
    return {
        "world": game.game, "item": game.id, "type": game.task, "format": "choice",
        "level": str(game.setting), "choices": game.actions, "gold": move.action,
        "reply": line["reply"], "answer": choice.action,
        "shown": True, "episode": 0, "step": move.told.until(game.step - 1).first,
        "status": _status(line, choice.action is not None),
        "correct": float(choice.action in game.right) if choice.action is not None else None,
        "guess": game.chance,
    }  # fmt: skip


def _triplets(
    run: Path, lines: Mapping[Key, Line], head: Mapping[str, Any], shots: int
) -> Iterator[Row]:
    """Yield what a model was asked to read, and what its replies are worth."""
    courses = courses_of(run)
    for part in mapping.readings(courses, shots):
        line, course = lines[key(part.about())], courses[part.game]
        _, found = mapping.read_course(course, {part.step: line["reply"]})
        read = _step(course, part.step, line) if part.step is not None else _whole(course, line)
        right = found.right / found.asked if found.asked else None
        yield _row(
            line, **head, world=part.game, item=part.id, type=part.task, **read,
            prompt=mapping.question(course, part), reply=line["reply"], shown=True, episode=0,
            correct=right if read["status"] is AnswerStatus.ANSWERED else None,
            unscored=None if found.asked else "the walkthrough makes no move",
        )  # fmt: skip


def _step(course: mapping.Course, step: int, line: Line) -> dict[str, Any]:
    readable = bool(spoken(line["reply"]).strip())
    return {
        "format": "place",
        "gold": course.place(step) or _NOWHERE,
        "answer": (mapping.read_place(line["reply"]) or _NOWHERE) if readable else None,
        "status": _status(line, readable),
        "step": step,
    }


def _whole(course: mapping.Course, line: Line) -> dict[str, Any]:
    told = read_moves(line["reply"])
    return {
        "format": "moves",
        "gold": _moves(course.moves.values()),
        "answer": _moves(told.moves) if told.moves else None,
        "status": _status(line, told.form is not Form.ILL_FORMED),
        "step": course.walk[-1].number,
    }


def _status(line: Line, readable: bool) -> AnswerStatus:
    does_not_know = line["reply"] is None  # said by a person
    return status_of(line["status"], readable=readable, abstained=does_not_know)


def _reply(reply: object) -> str:
    if reply is None:
        return ""
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def _moves(told: Iterable[ToldMove] | Iterable[Edge] | Sequence[Edge]) -> str:
    return ", ".join(each.action for each in told)

"""A run's folder, which stands by itself: it keeps the mazes that were asked about.

    RUN/manifest.json                 written first: the mazes' digests, the answerer, the questions
    RUN/mazes/GAME/steps70/GAME.*     the whole mazes with their walkthroughs, in MANGO's files
    RUN/.rows.journal                 replies as they come
    RUN/rows.jsonl scores.json        written last
    RUN/logs                          inspect's logs

So answers are scored, compared and shown without the folder that the mazes came from.

Every question of a run is one row (`worldquiz.facts.row`):

    df, rf      destinations and routes: graded by success; what is read from a reply is the place
                where its moves end (df), or its moves (rf)
    minigame    the action that is chosen
    triplet     a part of a walkthrough that a model read to draw a map: the place where a step
                ends, or all moves

A walkthrough is one episode; a question is answerable at the step that first tells enough.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.reply_lists import Form, ToldMove, read_moves, spoken
from worldquiz.mango import mapping
from worldquiz.mango.answers import Key, Line, answer_of, key
from worldquiz.mango.grade import Guide, Task
from worldquiz.mango.mapping import Course
from worldquiz.mango.maze import Edge, Maze
from worldquiz.mango.minigames import (
    Minigame,
    answerable,
    plan,
    question,
    read_choice,
)
from worldquiz.mango.paths import Net, Route
from worldquiz.mango.published import Layout, games, read, write
from worldquiz.mango.questions import Text, reading
from worldquiz.mango.scores import Atlas, Marked, mark
from worldquiz.mango.settings import MazeSettings, MinigameSettings
from worldquiz.records import digest, write_folder
from worldquiz.runs.benchmark import stated_kind
from worldquiz.runs.folder import MANIFEST, RunManifest, answered_by, begin, read_manifest
from worldquiz.runs.losses import read_losses, unit_name
from worldquiz.runs.rows import ROWS, spent, status_of


@dataclass(frozen=True, kw_only=True)
class MazeManifest(RunManifest):
    """Keys that the manifest of a run on mazes may have."""

    mazes: Mapping[str, str]  # digests
    steps: int = 0
    seed: int = 0
    per_maze: int | None = None
    read: Mapping[str, int] = field(default_factory=dict)  # steps
    rf_easy: Route = Route.SHORTEST
    walkthrough: Text = Text.FULL
    tasks: Sequence[Task] = ()
    tokens: int | None = None
    window: int | None = None
    reserve: int = 0
    tokenizer: str | None = None
    shots: int | None = None
    questions: int | None = None  # how many
    constrained: bool = False
    imported: Mapping[str, str] | None = None  # where the answers come from, and their digest
    local_map: bool | None = None  # of minigames


KIND, MAZES = "mango", "mazes"
S = TypeVar("S", bound=MazeSettings)
MINIGAMES = "mango-minigames"
NOUNS = {KIND: "MANGO run", MINIGAMES: "run of MANGO's minigames"}


def fingerprint(maze: Maze) -> str:
    """Return a digest of a maze and its walkthrough; the order of places and edges adds nothing."""
    walk = [(step.number, step.action, step.observation) for step in maze.walkthrough]
    return digest(maze.name, Net.of(maze).digest, json.dumps([maze.steps, walk]))


def fingerprints(mazes: Mapping[str, Maze]) -> dict[str, str]:
    """Return the digests of some mazes, as a manifest holds them."""
    return {name: fingerprint(maze) for name, maze in mazes.items()}


def begin_run(out: Path, manifest: Mapping[str, Any], mazes: Mapping[str, Maze]) -> None:
    """Begin or resume a run of questions in a claimed folder: its manifest, then its mazes.

    The manifest is kept with its kind and the mazes' digests. Raises `RecordError` where the folder
    was begun for something else, or where a maze cannot be written.
    """
    begin(out, MANIFEST, {"kind": KIND, **manifest, "mazes": fingerprints(mazes)})
    keep_mazes(out, mazes)


def keep_mazes(out: Path, mazes: Mapping[str, Maze]) -> None:
    """Write a begun run's mazes, or check that those there are the ones that it began with."""
    for stale in out.glob(f".{MAZES}.*"):  # of a killed process
        shutil.rmtree(stale, ignore_errors=True)
    if (out / MAZES).is_dir():
        read_mazes(out)
        return

    def fill(aside: Path) -> None:
        for maze in mazes.values():
            write(maze, aside)

    write_folder(out / MAZES, fill)


def read_run_manifest(run: Path, kind: str = KIND) -> dict[str, Any]:
    """Return the manifest of a run of a kind. Raises `RecordError` if it is none."""
    return read_manifest(run, kind, NOUNS[kind], MazeManifest)


def answerer_of(manifest: Mapping[str, Any]) -> str:
    """Return who answered, as tables and rows call them."""
    name = answered_by(manifest)
    return f"{name}, {manifest['shots']}-shot map" if "shots" in manifest else name


def read_mazes(run: Path) -> dict[str, Maze]:
    """Return the mazes of a run, whole, by name.

    Raises `RecordError` where they are not those that the run was begun with.
    """
    kind = MINIGAMES if stated_kind(run) == MINIGAMES else KIND
    promised = read_run_manifest(run, kind)["mazes"]
    homes = {home.game: home for home in games(run / MAZES, Layout.STEPS70)}
    found = {name: read(homes[name]) for name in sorted(promised) if name in homes}
    for name in sorted(promised):
        if name not in found or fingerprint(found[name]) != promised[name]:
            fault = "is missing" if name not in found else "is not the one that was asked about"
            raise RecordError(
                f"{run / MAZES}: maze {name!r} {fault}: the run is damaged; restore the folder or "
                "delete the run"
            )
    return found


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


def games_of(run: Path) -> MinigameSettings:
    """Return which minigames a run played."""
    return settings_of(MinigameSettings, read_run_manifest(run, MINIGAMES))


def settings_of(kind: type[S], told: Mapping[str, Any]) -> S:
    """Return the settings that a manifest tells."""
    known = {each.name for each in fields(kind)}
    return kind(**{name: value for name, value in told.items() if name in known})


def quiz_rows(run: Path, lines: Mapping[Key, Line], *, whole: bool = False) -> Iterator[Row]:
    """Yield the rows of a run's replies to MANGO's questions, in the order of its answers.

    Those of the parts that a model read to draw its maps come after them, and bear the usage.
    """
    manifest = read_run_manifest(run)
    head = _head(run, manifest)
    mazes = read_mazes(run)
    text = Text(manifest["walkthrough"])
    shown = cache(lambda game, steps: reading(mazes[game], steps, text))
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
    mazes, games = read_mazes(run), games_of(run)
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
        found = mapping.read_course(course, {part.step: line["reply"]})
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

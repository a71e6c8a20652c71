"""Import of answers made elsewhere: they are read, matched with their questions, made into a run.

Two layouts on disk are accepted.

*JSONL*, one answer a line: ``{"game", "id", "task": "df", "source", "actions", "reply"}`` or
``{"game", "id", "task": "rf", "source", "target", "reply"}``, and ``"steps"`` if less than the
whole walkthrough was read. The id may be left out if places and moves identify the question.
``reply`` is the model's text, a list of moves, or null for no reply; other fields are ignored.

*The layout of MANGO's programs*: a folder of files ``GAME/result_sample_id_ID.json``.

No answer is dropped: an unreadable answer is an error that names file and line.

Questions are rebuilt from the mazes, so no question files are needed. A question's id is a hash of
its path (df) or of its two places (rf); an answer whose id does not fit these is an error.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from worldquiz.errors import RecordError, did_you_mean
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.mazes import Edge, Maze
from worldquiz.mango.paths import Route, fingerprint
from worldquiz.mango.published import games, laid, read
from worldquiz.mango.questions import Routes, destination, question_words, require_libraries
from worldquiz.mango.run import Book, MazeRun, key_of, maze_item
from worldquiz.mango.settings import QuizSettings
from worldquiz.mango.sheets import exits_of
from worldquiz.mango.walkthrough import plain
from worldquiz.records import digest, fault, parsed, read_text
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.items import RunItem, Shown
from worldquiz.runs.rows import ItemKey

WHOLE = 10**9
"""Number for the whole walkthrough, if a file does not say how many steps were read."""
_TASKS = {"desti_finding": Task.DF, "route_finding": Task.RF}
_NAMES = {
    "sample_id": "id",
    "game_name": "game",
    "src_node": "source",
    "dst_node": "target",
    "action_list": "actions",
    "model_cutoff_num": "steps",
    "response": "reply",
}
"""Our names for the keys of the release's files."""
_CONFIG = "exp_config.json"
"""The release's settings file, beside its answers (the release itself counts it as an answer)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer with its question, as in one line of a JSONL file."""

    game: str
    id: str = ""  # of the question; "": its places and moves identify it
    task: Task
    source: str
    actions: tuple[str, ...] = ()  # of destination finding
    target: str = ""  # of route finding; a destination-finding answer may repeat it
    reply: Any  # a model's text, or its list of moves, read as JSON; None for none
    steps: Annotated[int, Field(ge=0)] = WHOLE  # of the walkthrough that were read
    where: str = ""  # FILE or FILE:LINE


_ANSWER = TypeAdapter(Answer)


def read_answers(path: Path) -> list[Answer]:
    """Return the answers in a JSONL file, or in a folder written by MANGO's programs.

    Raises `RecordError` naming file and line if there are no answers, if a line is not an answer,
    or if a field is missing.
    """
    if (path / MANIFEST).is_file():
        raise RecordError(f"{path}: is already a run: use `worldquiz score {path}`")
    if path.is_file() and path.suffix != ".jsonl":
        raise RecordError(
            f"{path}: expected a folder written by MANGO's programs, or a .jsonl file"
        )
    if path.is_dir():
        every = sorted(each for each in path.rglob("*.json") if each.name != _CONFIG)
        found = list(map(official, every))
    else:
        lines = enumerate(read_text(path).lstrip("\ufeff").split("\n"), start=1)
        places = ((line, f"{path}:{number}") for number, line in lines if line.strip())
        found = [_answer(parsed(line, where), where) for line, where in places]
    if not found:
        raise RecordError(f"{path}: contains no answers")
    return found


def official(file: Path) -> Answer:
    """Return the answer in a file written by MANGO's programs.

    The file or a folder above it must name the task. Raises `RecordError`.
    """
    told = parsed(read_text(file), file)
    if isinstance(told, dict):
        names = (str(told.get("task")), *(part.name for part in file.parents))
        task = next((_TASKS[word] for name in names for word in _TASKS if word in name), None)
        if task is None:
            raise RecordError(
                f"{file}: found task {told.get('task')!r}; expected the file or a folder above it "
                f"to name one of the tasks {', '.join(_TASKS)}"
            )
        told = {_NAMES.get(key, key): each for key, each in told.items()} | {"task": task}
    return _answer(told, str(file))


def _answer(told: Any, where: str) -> Answer:
    """Return the answer in a line or file. Raises `RecordError`."""
    if isinstance(told, dict):
        told = {key: each for key, each in told.items() if each is not None or key == "reply"}
    try:
        answer = _ANSWER.validate_python(told)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}") from error
    wanted = "actions" if answer.task is Task.DF else "target"
    if not getattr(answer, wanted):
        raise RecordError(f"{where}: an answer to task {answer.task} needs {wanted!r}")
    actions, said = answer.actions if answer.task is Task.DF else (), answer.reply
    said = said if said is None or isinstance(said, str) else json.dumps(said)
    return replace(answer, actions=actions, reply=said, where=where)


class Asked:
    """Index of the questions about one maze, to find the question that an answer belongs to."""

    def __init__(self, maze: Maze, easy: Route) -> None:
        self.maze, self.book, self._whole = maze, Book(maze), Routes(maze, Route.ANY)
        self._shown = cache(lambda steps: Routes(maze.prefix(steps), easy))
        self._exits = exits_of(maze.edges)

    def question(self, answer: Answer) -> Question:
        """Return the question that an answer belongs to.

        Raises `RecordError` unless exactly one question about the maze fits the answer.
        """
        found = self._destination(answer) if answer.task is Task.DF else self._route(answer)
        if found is None or answer.target not in ("", found.target):
            raise RecordError(self._stranger(answer))
        return found

    def _destination(self, answer: Answer) -> Question | None:
        paths: list[tuple[Edge, ...]] = [()]  # simple paths that the actions may take
        for action in answer.actions if len(answer.actions) <= len(self.maze.places) else ():
            paths = [
                (*path, edge)
                for path in paths
                for edge in self._exits.get(
                    (path[-1].target if path else answer.source, plain(action)), ()
                )
                if edge.target not in (answer.source, *(past.target for past in path))
            ]
        found = [destination(answer.game, path) for path in paths if path]
        if answer.id:
            return next((question for question in found if question.id == answer.id), None)
        return found[0] if len(found) == 1 else None

    def _route(self, answer: Answer) -> Question | None:
        shown = self._shown(min(answer.steps, self.maze.steps))
        question = shown.question(answer.source, answer.target)
        if question is None or not question.shortest:  # the steps read show no route
            question = self._whole.question(answer.source, answer.target)
        return question if question and answer.id in ("", question.id) else None

    def _stranger(self, answer: Answer) -> str:
        """Return the error message for an answer that fits no question about the maze."""
        where = f"{answer.where}: maze {answer.game!r} has no"
        for place in (answer.source, answer.target):
            if place and place not in self.maze.places:
                return f"{where} place {place!r}{did_you_mean(place, self.maze.places)}"
        df = answer.task is Task.DF
        asked = f"by {list(answer.actions)}" if df else f"to {answer.target!r}"
        named = f" with id {answer.id!r}" if answer.id else ", or several: add the id"
        return (
            f"{where} question from {answer.source!r} {asked}{named}: pass the mazes that the "
            "questions were made from"
        )


def import_work(
    source: Path,
    mazes: Path,
    *,
    name: str | None = None,
    layout: str | None = None,
    easy: str = Route.SHORTEST,
) -> MazeRun:
    """Return a run of imported answers, which is carried out and scored like any other run.

    With `easy` "any", a route question is easy if any of its routes is; with "shortest", if a
    shortest one is. Raises `RecordError` for unreadable data, and for unknown or repeated
    questions.
    """
    require_libraries()
    answers = read_answers(source)
    homes = {home.game: home for home in games(mazes, *laid(layout))}
    known: dict[str, Asked] = {}
    items: list[RunItem] = []
    first: dict[ItemKey, Answer] = {}
    last: dict[str, int] = {}
    for answer in answers:
        if answer.game not in homes:
            close = did_you_mean(answer.game, homes)
            raise RecordError(f"{answer.where}: {mazes}: no maze {answer.game!r}{close}")
        if answer.game not in known:
            known[answer.game] = Asked(read(homes[answer.game]), Route(easy))
        asked = known[answer.game]
        question = asked.question(answer)
        steps = min(answer.steps, len(asked.maze.text) - 1)
        fields = partial(asked.book.fields, question, steps)
        key = key_of(question)
        if (other := first.setdefault(key, answer)) is not answer:
            raise RecordError(
                f"{answer.where}: question {question.id!r} of {answer.game!r} is answered twice, "
                f"first in {other.where}; import each model's answers separately"
            )
        items.append(maze_item(key, partial(Shown, question=question_words(question)), fields))
        last[answer.game] = max(last.get(answer.game, 0), steps)
    replies = {key: answer.reply for key, answer in first.items()}
    told = digest(json.dumps([[*key, reply] for key, reply in replies.items()]))
    settings = {
        **QuizSettings(steps=max(last.values()), rf_easy=str(easy), choice="published").record(),
        "tasks": [str(task) for task in Task if any(key[1] == task for key in replies)],
        "questions": len(replies), "per_maze": None, "read": dict(sorted(last.items())),
        "imported": {"from": source.name, "answers": told},
        "data": {game: fingerprint(known[game].maze) for game in sorted(last)},
        **({"layout": layout} if layout else {}),
    }  # fmt: skip
    return MazeRun(mazes, items, settings, name or source.stem, lambda world: replies)

"""Answers from elsewhere: read from disk, matched with their questions, scored, made into a run.

They lie on disk in two layouts.

*Ours*: JSONL, one answer a line: ``{"game", "id", "task": "df", "source", "actions", "reply"}`` or
``{"game", "id", "task": "rf", "source", "target", "reply"}``, and ``"steps"`` where less than the
whole walkthrough was read. The id may be left out where places and moves name one question alone.
``reply`` is the model's text, a list of moves, or null for none; further fields are ignored. The
``rows.jsonl`` of a run is such a file too.

*The release's*: a folder of ``GAME/result_sample_id_ID.json``, as its programs write them.

Nothing is dropped: what cannot be read is an error that names file and line.

A question is found by its id, which is the hash of its route, so neither question files nor a list
of all questions is needed: whatever the maze has can be asked. An answer whose id is not that of
the question it tells is an error, never dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.mango.grade import Question, Rule, Task
from worldquiz.mango.maze import Edge, Maze
from worldquiz.mango.maze_set import MazeWork, score_run
from worldquiz.mango.paths import Net, Route, pairs
from worldquiz.mango.published import Layout, games, laid, read
from worldquiz.mango.questions import Routes, Text, destination, reading, route
from worldquiz.mango.rows import KIND, Book, MazeItem
from worldquiz.mango.scores import document
from worldquiz.mango.settings import QuizSettings
from worldquiz.records import check, digest, fault, parsed, read_text
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.rows import ROWS, RowLine, Rows, about_item

WHOLE = 10**9
"""As many steps as any walkthrough has: the answer's file does not say how many were read."""
_TASKS = {"desti_finding": Task.DF, "route_finding": Task.RF}
_CONFIG = "exp_config.json"
"""The release's settings, which it writes beside its answers (and then counts as an answer)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer, and the question that it answers: a line of our own layout."""

    game: str
    id: str = ""  # of the question; "": its places and moves name it
    task: Task
    source: str
    actions: tuple[str, ...] = ()  # of destination finding
    target: str = ""  # of route finding; a destination-finding answer may repeat it
    reply: str | list[Any] | None  # a model's text, or its list of moves; None for none
    steps: Annotated[int, Field(ge=0)] = WHOLE  # of the walkthrough that were read
    answerable_from: int | None = None  # as a file of the release's says
    where: str = ""  # FILE or FILE:LINE


@dataclass(frozen=True)
class Sample:
    """A file of the release's layout."""

    sample_id: str
    game_name: str
    src_node: str
    dst_node: str
    model_cutoff_num: int
    min_step_total_answerable: int
    answerable: Any
    response: Any
    task: str | None = None
    action_list: tuple[str, ...] | None = None


_ANSWER, _SAMPLE = TypeAdapter(Answer), TypeAdapter(Sample)


def read_answers(path: Path) -> list[Answer]:
    """Return the answers in a file of ours or a folder of the release's.

    Raises `RecordError` naming file and line: nothing there, a line that is no answer, a file that
    lacks a field, a question answered twice.
    """
    if (path / ROWS).is_file():
        path = path / ROWS
    if not path.is_dir():
        return once(_ours(told, where) for where, told in _lines(path))
    found = [official(file) for file in files(path) if file.name != _CONFIG]
    if not found:
        raise RecordError(f"{path}: holds no answers beside {_CONFIG}")
    return once(found)


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the lines of a file of ours, each with its place; those of rows as lines of answers."""
    lines = read_text(path).lstrip("\ufeff").split("\n")
    if not any(line.strip() for line in lines):
        raise RecordError(f"{path}: holds no answers")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        told = parsed(line, where)
        if isinstance(told, dict) and "measures" in told:
            if told.get("type") not in tuple(Task):
                continue
            check(line, RowLine, where)
            about = {"game": told["world"], "task": told["type"], "id": told["item"]}
            reply = None if told["status"] == "abstained" else told["reply"]
            told = {**told["measures"], **about, "reply": reply}
        yield where, told


def _ours(told: Any, where: str) -> Answer:
    if isinstance(told, dict):
        told = {key: each for key, each in told.items() if each is not None or key == "reply"}
    answer: Answer = _checked(_ANSWER, told, where)
    wanted = "actions" if answer.task is Task.DF else "target"
    if not getattr(answer, wanted):
        raise RecordError(f"{where}: {wanted}: an answer of task {answer.task} needs it")
    actions = answer.actions if answer.task is Task.DF else ()
    return replace(answer, actions=actions, answerable_from=None, where=where)


def official(file: Path) -> Answer:
    """Return the answer in a file of the release's layout. Raises `RecordError`."""
    sample: Sample = _checked(_SAMPLE, parsed(read_text(file), file), str(file))
    task = task_of(file, sample.task)
    if task is Task.DF and not sample.action_list:
        raise RecordError(f"{file}: action_list: an answer of destination finding needs it")
    return Answer(
        game=sample.game_name, id=sample.sample_id, task=task, source=sample.src_node,
        actions=sample.action_list or () if task is Task.DF else (), target=sample.dst_node,
        reply=sample.response, steps=sample.model_cutoff_num,
        answerable_from=sample.min_step_total_answerable, where=str(file),
    )  # fmt: skip


def _checked(adapter: TypeAdapter[Any], value: Any, where: str) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}") from error


def task_of(file: Path, said: str | None) -> Task:
    """Return the task of a file, which it says itself or the name of a folder above it does."""
    for name in (said or "", *(part.name for part in file.parents)):
        for word, task in _TASKS.items():
            if word in name:
                return task
    raise RecordError(
        f"{file}: task {said!r}, and no folder above it is named after one; "
        f"known: {', '.join(_TASKS)}"
    )


def files(folder: Path) -> Sequence[Path]:
    """Return the files of a folder of the release's layout. Raises `RecordError` for none."""
    found = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not found:
        raise RecordError(f"{folder}: no answers here: wanted GAME/result_sample_id_ID.json")
    return found


def once(answers: Iterable[Answer]) -> list[Answer]:
    """Return answers of which no two are to one question. Raises `RecordError`."""
    found: dict[tuple[object, ...], Answer] = {}
    for answer in answers:
        told = (answer.id,) if answer.id else (answer.source, answer.actions, answer.target)
        key = (answer.game, answer.task, *told)
        if key in found:
            ids = "" if answer.id else ", and give ids where questions have equal words"
            raise RecordError(
                f"{answer.where}: question {answer.id!r} of {answer.game!r} is answered already "
                f"in {found[key].where}; score each model by itself{ids}"
            )
        found[key] = answer
    return list(found.values())


class Asked:
    """The questions about one maze, found by what an answer tells of them."""

    def __init__(self, maze: Maze, easy: Route, rule: Rule = Rule.EXACT) -> None:
        self.book, self._maze, self._net = Book(maze, rule), maze, Net.of(maze)
        self._any = pairs(self._net, Route.ANY)
        self._shown = cache(lambda steps: Routes(maze, steps, easy))
        self._exits: dict[tuple[str, str], list[Edge]] = {}
        for edge in self._net.edges:
            self._exits.setdefault((edge.source, edge.action), []).append(edge)

    def question(self, answer: Answer) -> Question | None:
        """Return the question that an answer is to, None where the maze has none of that id."""
        if answer.task is Task.DF:
            paths: list[tuple[Edge, ...]] = [()]  # simple ones, that the actions may take
            for action in answer.actions if len(answer.actions) <= len(self._net.places) else ():
                paths = [
                    (*path, edge)
                    for path in paths
                    for edge in self._exits.get(
                        (path[-1].target if path else answer.source, action), ()
                    )
                    if edge.target not in (answer.source, *(past.target for past in path))
                ]
            found = [destination(answer.game, path) for path in paths if path]
            if answer.id:
                return next((question for question in found if question.id == answer.id), None)
            return found[0] if len(found) == 1 else None
        number = self._net.number
        if answer.source not in number or answer.target not in number:
            return None
        shown = self._shown(min(answer.steps, self._maze.steps))
        question = shown.question(answer.source, answer.target)
        if question is None:  # what was read shows no route: this is the whole maze's question
            pair = number[answer.source], number[answer.target]
            question = route(answer.game, self._net, pair, easy=self._any, every=self._any)
        return question if answer.id in ("", question.id) else None


class Atlas:
    """The mazes of a folder, each read when an answer first names it."""

    def __init__(
        self, folder: Path, layout: Layout | None, *, easy: Route, rule: Rule = Rule.EXACT
    ) -> None:
        homes = {home.game: home for home in games(folder, *laid(layout))}
        self.names = frozenset(homes)

        @cache
        def maze(game: str) -> Asked:
            if game not in homes:
                raise RecordError(f"{folder}: no maze {game!r}{did_you_mean(game, homes)}")
            return Asked(read(homes[game]), easy, rule)

        self._maze = maze

    def book(self, game: str) -> Book:
        """Return the book of a maze."""
        return self._maze(game).book

    def find(self, answer: Answer) -> Question | None:
        """Return the question that an answer is to, None where its maze has none of that id.

        Raises `RecordError` where there is no such maze.
        """
        try:
            return self._maze(answer.game).question(answer)
        except RecordError as error:
            raise RecordError(f"{answer.where}: {error}") from error

    def question(self, answer: Answer) -> Question:
        """Return the question that an answer is to. Raises `RecordError` where there is none."""
        question = self.find(answer)
        if question is None or answer.target not in ("", question.target):
            raise RecordError(_stranger(answer, self.book(answer.game).maze))
        return question


def _stranger(answer: Answer, maze: Maze) -> str:
    """Say of an answer that its maze does not have its question."""
    where = f"{answer.where}: maze {answer.game!r} has no"
    for place in (answer.source, answer.target):
        if place and place not in maze.places:
            return f"{where} place {place!r}{did_you_mean(place, maze.places)}"
    for action in answer.actions:
        if action not in maze.actions:
            return f"{where} move {action!r}{did_you_mean(action, maze.actions)}"
    df = answer.task is Task.DF
    asked = f"by {list(answer.actions)}" if df else f"to {answer.target!r}"
    named = f" with id {answer.id!r}" if answer.id else ", or several: give the id"
    return (
        f"{where} question from {answer.source!r} {asked}{named}: give the mazes that the "
        "questions were made from"
    )


def about_games(answers: Iterable[Any], only: Sequence[str]) -> list[Any]:
    """Return the answers about some games. Raises `KnobError` where there are none."""
    found = [each for each in answers if not only or each.game in only]
    if not found:
        raise KnobError(f"no answer is about {', '.join(only)}" if only else "there are no answers")
    return found


def _item(question: Question, steps: int, book: Book, prompt: str) -> MazeItem:
    key = (question.game, str(question.task), question.id)
    return MazeItem(
        key, question, lambda: prompt, lambda line: book.fields(question, steps, line, prompt)
    )


def score(
    answers: Path,
    mazes: Path,
    *,
    layout: Layout | None = None,
    rule: Rule = Rule.EXACT,
    easy: Route = Route.SHORTEST,
    only: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the scores of one model's answers as a JSON document.

    `only` names the games whose answers count, all if empty. `easy` says which routes make a
    route-finding question easy. Raises `RecordError` for answers or mazes that cannot be read.
    """
    atlas = Atlas(mazes, layout, easy=easy, rule=rule)
    rows = [
        _item(atlas.question(each), each.steps, atlas.book(each.game), "").row(
            {"reply": each.reply}, ""
        )
        for each in about_games(read_answers(answers), only)
    ]
    told = {"compat": str(rule), "rf_easy": str(easy)}
    return {**told, **document(rows, atlas.book, atlas.names)}


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """Answerer whose answers are read from a file or folder."""

    name: str
    source: str  # the name of the file or folder
    replies: Mapping[Any, str | None]

    def record(self) -> Mapping[str, Any]:
        """Return its name, where its answers come from, and their digest."""
        told = digest(json.dumps([[*key, reply] for key, reply in self.replies.items()]))
        return {"answerer": self.name, "imported": {"from": self.source, "answers": told}}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(self, items: Sequence[MazeItem], kept: Rows) -> None:
        """Keep the answers."""
        for item in items:
            if not kept.has(item.key):
                kept.keep({**about_item(item.key), "reply": self.replies[item.key]})


def import_work(
    source: Path,
    mazes: Path,
    *,
    name: str | None = None,
    layout: Layout | None = None,
    easy: Route = Route.SHORTEST,
    only: Sequence[str] = (),
) -> MazeWork:
    """Return the work of making a run of answers from elsewhere, scored like any other.

    `only` names the games whose answers are taken, all if empty. Raises `RecordError` for answers
    or mazes that cannot be read and for an answer to no question of them.
    """
    if (source / MANIFEST).is_file():
        raise RecordError(f"{source}: is a run already: `worldquiz score {source}` scores it")
    if source.is_file() and source.suffix != ".jsonl":
        raise RecordError(
            f"{source}: give a folder of MANGO's programs or a file that ends in .jsonl"
        )
    atlas = Atlas(mazes, layout, easy=easy)
    shown = cache(lambda game, steps: reading(atlas.book(game).maze, steps, Text.FULL))
    items: list[MazeItem] = []
    replies: dict[Any, str | None] = {}
    read: dict[str, int] = {}
    for answer in about_games(read_answers(source), only):
        question, book = atlas.question(answer), atlas.book(answer.game)
        steps = min(answer.steps, len(book.maze.text) - 1)
        words = shown(answer.game, min(steps, book.maze.steps)).question(question)
        items.append(_item(question, steps, book, words))
        said = answer.reply
        text = said if said is None or isinstance(said, str) else json.dumps(said)
        replies[items[-1].key] = text
        read[answer.game] = max(read.get(answer.game, 0), steps)
    settings = {
        **QuizSettings(steps=max(read.values()), rf_easy=str(easy)).record(), "per_maze": None,
        "tasks": [str(task) for task in Task if any(key[1] == task for key in replies)],
        "read": dict(sorted(read.items())), "questions": len(items),
    }  # fmt: skip
    who = ImportedAnswers(name or source.stem, source.name, replies)
    books = {game: atlas.book(game).maze for game in settings["read"]}
    return MazeWork(KIND, books, tuple(items), who, settings, score_run)

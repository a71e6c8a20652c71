"""Answers that came about elsewhere, as a run like any other: scored, reported and compared.

    folder    ``GAME/result_sample_id_ID.json``, as MANGO's programs write them
    .jsonl    lines of ours (`scoring.answers`)

A line says which question it answers by the question's id, or by its places and moves where these
name one question alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import RecordError
from worldquiz.mango.answers import Replies, about, read_answers, replied
from worldquiz.mango.grade import Answer, Question, Task
from worldquiz.mango.paths import Route
from worldquiz.mango.published import Layout
from worldquiz.mango.questions import Prompts, Template, Text
from worldquiz.mango.rows import KIND, quiz_rows
from worldquiz.mango.run import MazeWork, score_run
from worldquiz.mango.scores import Atlas, about_games
from worldquiz.records import digest
from worldquiz.runs.folder import MANIFEST


class ImportedItem(NamedTuple):
    """An answer, and the question that it is to."""

    question: Question
    steps: int  # of the walkthrough that were read
    reply: str | None

    @property
    def game(self) -> str:
        """The maze that it is about."""
        return self.question.game

    def about(self) -> dict[str, Any]:
        """Return what a line says of its question."""
        return {**about(self.question), "steps": self.steps}


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """Answerer whose answers are read from a file or folder."""

    name: str
    source: str  # the name of the file or folder
    items: Mapping[str, ImportedItem]

    def record(self) -> Mapping[str, Any]:
        """Return its name, where its answers come from, and their digest."""
        told = json.dumps([[name, each.steps, each.reply] for name, each in self.items.items()])
        return {"answerer": self.name, "imported": {"from": self.source, "answers": digest(told)}}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Keep the answers."""
        for item in self.items.values():
            if kept.find(item.about()) is None:
                kept.keep(replied(item.about(), item.reply))


def import_work(
    source: Path,
    mazes: Path,
    *,
    name: str | None = None,
    layout: Layout | None = None,
    easy: Route = Route.SHORTEST,
    only: Sequence[str] = (),
) -> MazeWork:
    """Return the work of making a run of the answers in a file or folder.

    `only` names the games whose answers are taken, all if empty. Raises `RecordError` for answers
    or mazes that cannot be read and for an answer to no question of them.
    """
    answers = about_games(read_any(source), only)
    atlas = Atlas(mazes, layout, easy=easy)
    items = [_item(answer, atlas) for answer in answers]
    named = {f"{each.game}-{each.question.task}-{each.question.id[:16]}": each for each in items}
    read: dict[str, int] = {}
    for each in sorted(items, key=lambda each: (each.game, each.steps)):
        read[each.game] = each.steps
    settings = {
        "steps": max(read.values()), "per_maze": None, "seed": 0,
        "tasks": [str(task) for task in Task if any(each.question.task is task for each in items)],
        "rf_easy": str(easy), "template": str(Template.PAPER), "walkthrough": str(Text.FULL),
        "read": read, "questions": len(items),
    }  # fmt: skip
    return MazeWork(
        KIND,
        {game: atlas.book(game).maze for game in read},
        Prompts(named, ImportedItem.about, lambda item: ""),
        ImportedAnswers(name or source.stem, source.name, named),
        settings,
        quiz_rows,
        score_run,
    )


def read_any(source: Path) -> list[Answer]:
    """Return the answers in a file or folder of any kind. Raises `RecordError` naming the place."""
    if not source.exists():
        raise RecordError(f"{source}: no such file or folder of answers")
    if (source / MANIFEST).is_file():
        raise RecordError(f"{source}: is a run already: `worldquiz score {source}` scores it")
    if source.is_file() and source.suffix != ".jsonl":
        raise RecordError(
            f"{source}: give a folder of MANGO's programs or a file that ends in .jsonl"
        )
    found = read_answers(source)
    if not found:
        raise RecordError(f"{source}: holds no answers")
    return found


def _item(answer: Answer, atlas: Atlas) -> ImportedItem:
    question, book = atlas.question(answer), atlas.of(answer)
    steps = min(answer.steps, len(book.maze.text) - 1)
    reply = answer.reply
    text = reply if reply is None or isinstance(reply, str) else json.dumps(reply)
    return ImportedItem(question, steps, text)

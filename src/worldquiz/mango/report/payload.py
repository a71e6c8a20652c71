"""Data of each maze in the page: its drawing, the steps that were read, questions and answers.

Questions and answers name moves as edges of the maze: those that answer a question, and those that
an answer tells.

Texts are kept once and pointed to by number; of the walkthrough only the part that some contestant
read is on the page. Every text of a game or a model stays data: the page makes text nodes of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz.llm.reply_lists import Form, ToldMove, ToldMoves, read_moves
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.report.draw import draw, first_told
from worldquiz.mango.scoring.contest import Contest, Marked
from worldquiz.mango.scoring.grade import Question
from worldquiz.mango.scoring.guide import Guide
from worldquiz.report.html import Texts

MOST_MOVES = 60
"""Moves of an answer that are shown."""
MOST_LETTERS = 3_000
"""Letters of a reply that are shown, half of them from its end."""
_LONGEST = 200  # letters of one name in an answer


@dataclass(frozen=True, slots=True)
class QuestionSheet:
    """A question, and each contestant's answer to it by the contestant's place."""

    question: Question
    answers: dict[int, Marked]


def sheets(contest: Contest, game: str) -> list[QuestionSheet]:
    """Return what a maze was asked, destination finding first, else in the order of asking."""
    found: dict[tuple[str, str], QuestionSheet] = {}
    for place, contestant in enumerate(contest.contestants):
        for each in contestant.marked:
            if each.question.game == game:
                key = (str(each.question.task), each.question.id)
                found.setdefault(key, QuestionSheet(each.question, {})).answers[place] = each
    return sorted(found.values(), key=lambda sheet: str(sheet.question.task))


def read_steps(maze: Maze, asked: Sequence[QuestionSheet]) -> int:
    """Return the last step that any contestant read of a maze; all where nobody was asked."""
    read = [min(each.steps, maze.steps) for sheet in asked for each in sheet.answers.values()]
    return max(read, default=maze.steps)


def maze_block(contest: Contest, game: str) -> dict[str, Any]:
    """Return all that the page shows of one maze."""
    maze, asked, texts = contest.mazes[game], sheets(contest, game), Texts()
    steps, places, guide = read_steps(maze, asked), _numbered(maze), Guide(maze)
    return {
        "edges": [_edge(edge, places) for edge in maze.edges],
        "first": first_told(maze),
        "map": draw(maze, steps),
        "name": game,
        "places": list(maze.places),
        "questions": [_question(sheet, maze, guide, texts) for sheet in asked],
        "read": steps,
        "steps": [
            [step.number, texts(step.action), texts.paragraphs(step.observation)]
            for step in maze.walkthrough
            if step.number <= steps
        ],
        "texts": texts.table,
    }


def _numbered(maze: Maze) -> dict[str, int]:
    return {place: number for number, place in enumerate(maze.places)}


def _edge(edge: Edge, places: dict[str, int]) -> list[Any]:
    """Return (source, action, target, steps that take it and its reverse: shown, and told)."""
    return [
        places[edge.source], edge.action, places[edge.target],
        edge.seen.forward, edge.seen.backward, edge.told.forward, edge.told.backward,
    ]  # fmt: skip


def _question(sheet: QuestionSheet, maze: Maze, guide: Guide, texts: Texts) -> dict[str, Any]:
    asked = sheet.question
    read = sorted({min(each.steps, maze.steps) for each in sheet.answers.values()})
    return {
        "actions": list(asked.actions),
        "answers": {
            str(place): _answer(each, maze, guide, texts) for place, each in sheet.answers.items()
        },
        "correct": guide.correct(asked),
        "id": asked.id,
        "routes": {str(steps): guide.answer(asked, steps) for steps in read},
        "source": asked.source,
        "task": str(asked.task),
    }


def _answer(marked: Marked, maze: Maze, guide: Guide, texts: Texts) -> dict[str, Any]:
    told = read_moves(marked.reply)
    grade = marked.grade
    return {
        "form": str(grade.form),
        "level": None if marked.level is None else str(marked.level),
        "more": max(0, len(told.moves) - MOST_MOVES),
        "moves": [[_cut(part, _LONGEST) for part in move] for move in told.moves[:MOST_MOVES]],
        "reply": _reply(marked.reply, told, texts),
        "route": guide.told(marked.question, _shown(told)),
        "score": [grade.success, grade.reasoning, grade.weighted],
        "steps": min(marked.steps, maze.steps),
        "why": told.why,
    }


def _shown(told: ToldMoves) -> Sequence[ToldMove]:
    return told.moves[:MOST_MOVES]


def _reply(reply: object, told: ToldMoves, texts: Texts) -> int | None:
    """Return the text of a reply that is more, or other, than its moves."""
    if reply is None or told.form is Form.CLEAN:
        return None
    text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False, default=str)
    return texts(_cut(text, MOST_LETTERS))


def _cut(text: str, most: int) -> str:
    """Return a text without its middle where it is long; runs of one sign count as text."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} […{len(text) - 2 * half:,} letters…] {text[-half:]}"

"""The report of a contest: one self-contained HTML page, the same contest giving the same bytes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from worldquiz.facts.row import AnswerStatus
from worldquiz.llm.reply_lists import Form
from worldquiz.mango.report import tables
from worldquiz.mango.report.first import first
from worldquiz.mango.report.payload import QuestionSheet, maze_block, sheets
from worldquiz.mango.report.tables import ContestantEntry
from worldquiz.mango.scoring.contest import Contest, Marked
from worldquiz.mango.scoring.grade import Task
from worldquiz.records import write_text
from worldquiz.report import asked, people
from worldquiz.report.asked import AskedWorld
from worldquiz.report.html import many, markup, page, safe
from worldquiz.report.labels import compared
from worldquiz.stats.intervals import EXACT_WORLDS, RESAMPLES

CONTENTS = (
    ("scores", "Scores"), ("reading", "How to read them"), ("pairs", "Pairs"),
    ("figures", "Figures"), ("questions", "Questions"), ("mazes", "Mazes"),
)  # fmt: skip
"""The sections of the page, by their names there; a contestant alone has no pairs."""
MOST_SCATTERED = 6
"""Pairs that are drawn; beyond, only the first contestant with each."""


def build(contest: Contest, out: Path) -> Path:
    """Write the report of a contest to `out` and return it.

    Raises `ValueError` without contestants, `MissingExtra` without jinja2, matplotlib or numpy, and
    `RecordError` where the file cannot be written.
    """
    if not contest.contestants:
        raise ValueError("a report needs at least one answerer")
    write_text(out, render(contest))
    return out


def render(contest: Contest) -> str:
    """Return the report of a contest as HTML."""
    shown, games = tables.entries(contest), list(contest.mazes)
    values = {
        **_heading(contest, shown),
        **_scores(contest, shown),
        **_figures(contest, shown),
        "overview": _overview(contest, games),
        "index": safe(_index(contest, shown, games)),
        "maze_blocks": [safe(maze_block(contest, game)) for game in games],
    }
    scripts = ("shared.js", "questions.js", "mango_map.js", "mango.js")
    return page(
        "mango.html.j2",
        values,
        package=__package__,
        scripts=scripts,
        styles=("page.css", "questions.css", "mango.css"),
    )


def _heading(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    every = {each.question.id + each.question.task + each.question.game
             for one in contest.contestants for each in one.marked}  # fmt: skip
    title = (
        f"How {shown[0].name} finds its way"
        if len(shown) == 1
        else f"Finding the way: {len(shown)} answerers side by side"
    )
    return {
        "title": title,
        "lead": f"{many(len(contest.mazes), 'maze')} and {many(len(every), 'question')}: where do "
        "moves lead, and how does one get there? Answered from the text of a walkthrough.",
        **compared([entry.settings for entry in shown]),
        "notes": _notes(contest, shown),
        "entries": shown,
        "brand": "MANGO report",
        "boxed": True,
        "firsts": [first(contest, shown)],
        "contents": [each for each in CONTENTS if each[0] != "pairs" or len(shown) > 1],
    }


def _notes(contest: Contest, shown: Sequence[ContestantEntry]) -> list[str]:
    """Return warnings that a reader must not miss."""
    notes = []
    few = len(contest.mazes)
    if few < 2:
        notes.append("A single maze has no intervals: one maze tells no spread.")
    elif few < 10:
        notes.append(f"With {few} mazes, intervals are rough: read them as a warning, not a test.")
    keys = [{(each.key, each.level) for each in one.scored} for one in contest.contestants]
    if any(each != keys[0] for each in keys):
        notes.append(
            "These answerers were not all asked the same questions at the same levels: compare "
            "them by the pairwise tables, not by their means."
        )
    unsettled = [f"{entry.unscored} of {entry.tag}" for entry in shown if entry.unscored]
    if unsettled:
        notes.append(
            "Answers to questions that what was read does not settle count nowhere: "
            f"{', '.join(unsettled)}."
        )
    return notes + people.notes(_of_people(contest, shown))


def _of_people(
    contest: Contest, shown: Sequence[ContestantEntry]
) -> dict[str, dict[object, float]]:
    """Return whether people succeeded, by letter and question."""
    return {
        entry.tag: {each.key: each.grade.success for each in one.scored}
        for entry, one in zip(shown, contest.contestants, strict=True)
        if one.settings.get("answerer") == "human"
    }


def _scores(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    found = tables.compared(contest) if len(shown) > 1 else {}
    return {
        "blocks": tables.blocks,
        "baselines": tables.baselines(contest),
        "score_names": tables.SCORE_NAMES,
        "task_names": {str(task): name for task, name in tables.TASK_NAMES.items()},
        "matrices": [
            (number, score, str(task), tables.matrix(found, task, score))
            for number, score in (("1", "success"), ("9", "reasoning"))
            for task in Task
        ]
        if found
        else [],
        "of_two_levels": sum(each["of_two_levels"] for each in found.values()),
        "exact_mazes": EXACT_WORLDS,
        "resamples": RESAMPLES,
    }


def _figures(contest: Contest, shown: Sequence[ContestantEntry]) -> dict[str, Any]:
    pairs = list(combinations(shown, 2))
    if len(pairs) > MOST_SCATTERED:
        pairs = [(shown[0], other) for other in shown[1:]]
    scored = {place: tuple(one.scored) for place, one in enumerate(contest.contestants)}
    return {
        "bars": [
            (figure, score, markup(tables.bars(shown, score)))
            for figure, score in (("2", "success"), ("6", "reasoning"), ("5", "weighted"))
        ],
        "scatters": [
            (left, right, [
                (figure, score, markup(tables.against(left, right, scored, score)))
                for figure, score in (("3", "success"), ("7", "reasoning"))
            ])
            for left, right in pairs
        ],
    }  # fmt: skip


def _overview(contest: Contest, games: Sequence[str]) -> list[dict[str, Any]]:
    cells = tables.by_maze(contest, games)
    found = {game: sheets(contest, game) for game in games}
    return [
        {
            "name": game,
            "places": len(contest.mazes[game].places),
            "moves": len(contest.mazes[game].edges),
            "imputed": sum(edge.imputed for edge in contest.mazes[game].edges),
            "questions": len(found[game]),
            "read": _span({each.steps for sheet in found[game] for each in sheet.answers.values()}),
            "cells": cells[game],
        }
        for game in games
    ]


def _span(steps: Collection[int]) -> str:
    if not steps:
        return "–"
    low, high = min(steps), max(steps)
    return str(low) if low == high else f"{low} to {high}"


def _index(
    contest: Contest, shown: Sequence[ContestantEntry], games: Sequence[str]
) -> dict[str, Any]:
    """Return what the page's script knows before it reads any maze."""
    runs = [{"tag": entry.tag, "name": entry.name, "colour": entry.colour} for entry in shown]
    return asked.index([_asked(game, sheets(contest, game), len(runs)) for game in games], runs)


def _asked(game: str, questions: Sequence[QuestionSheet], runs: int) -> AskedWorld:
    every = {
        run: "".join(_sign(each.answers.get(run)) for each in questions) for run in range(runs)
    }
    signs = {run: letters for run, letters in every.items() if letters.strip()}
    return AskedWorld(game, types=[_type(each) for each in questions], signs=signs)


def _type(sheet: QuestionSheet) -> str:
    """Return a question's task, and its level where all that were asked it have the same."""
    levels = {str(each.level) for each in sheet.answers.values() if each.level is not None}
    level = f", {levels.pop()}" if len(levels) == 1 else ""
    return f"{tables.TASK_NAMES[sheet.question.task]}{level}"


def _sign(marked: Marked | None) -> str:
    """Return the letter of an answer, a blank where there is none."""
    if marked is None:
        return " "
    ill = marked.grade.form is Form.ILL_FORMED
    status = AnswerStatus.UNREADABLE if ill else AnswerStatus.ANSWERED
    return asked.sign(marked.grade.success, status, answerable=marked.level is not None)

"""People's answers: how far they agree, and how long they take.

``raters.jsonl`` of a person's run holds each answer as it was written, with its rater and minutes.
It may hold several people's answers to one question, of which the run's own answer is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.folder import MAZES, read_run_manifest
from worldquiz.mango.scoring.agreement import Rated, agreement, minutes
from worldquiz.mango.scoring.answers import answer_of, records
from worldquiz.mango.scoring.grade import Answer, Task
from worldquiz.mango.scoring.human_answer_parser import written
from worldquiz.mango.scoring.score import Atlas, mark
from worldquiz.mango.scoring.table import Scored

RATERS = "raters.jsonl"


def read_people(runs: Iterable[Path]) -> dict[str, Any] | None:
    """Return agreement and minutes of the people in some runs; None where there are none.

    Every answer counts: a person with two runs counts as two people. Raises `RecordError` naming
    file and line.
    """
    rated = [each for run in runs if (run / RATERS).is_file() for each in _rated(run)]
    return {"agreement": agreement(rated), "minutes": minutes(rated)} if rated else None


def _rated(run: Path) -> Iterator[Rated]:
    easy = Route(read_run_manifest(run)["rf_easy"])
    atlas = Atlas(run / MAZES, Layout.STEPS70, easy=easy)
    for where, told in records(run / RATERS):
        (marked,) = mark([_answer(told, where)], atlas)
        asked = marked.question
        if marked.level is not None:
            scored = Scored(asked.game, asked.id, asked.task, marked.level, marked.grade)
            yield Rated(str(told.get("rater", "")), scored, told.get("minutes"))


def _answer(told: dict[str, Any], where: str) -> Answer:
    try:
        reply = written(told["answer"], Task(told["task"])).reply
    except KeyError as error:
        raise RecordError(f"{where}: lacks {error}") from error
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from error
    return answer_of({**told, "reply": reply}, where)

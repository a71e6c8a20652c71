"""People's answers: read as they were written, how far they agree, and how long they take.

A person may write any of:

    hall -> north -> kitchen -> up -> attic     the whole trajectory (also -->, => or an arrow)
    [{'prev_node': 'hall', 'action': ...}]      the same as a model is asked for it
    north, up                                   route finding: the moves alone
    attic                                       destination finding: the place alone
    ?                                           does not know

Success is about where one ends (arXiv 2403.19913, section 2.3), so moves alone and a place alone
can earn it. Reasoning is about a trajectory that is spelled out, from place to place (appendix
A.6): where none is, none is right. Such answers are *bare*; how many there are belongs beside the
reasoning of people.

``raters.jsonl`` of a person's run holds each answer as it was written, with its rater and minutes.
It may hold several people's answers to one question, of which the run's own answer is the first.
Agreement (section 3.4 and appendix C.6; the paper's MSE, Table 13) is that of
`worldquiz.stats.agreement`, of each task at each level.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.reply_lists import Form, ToldMove, read_moves
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.folder import MAZES, read_run_manifest
from worldquiz.mango.scoring.answers import answer_of, records
from worldquiz.mango.scoring.contest import LEVELS, Key, Scored
from worldquiz.mango.scoring.grade import Answer, Task
from worldquiz.mango.scoring.score import Atlas, mark
from worldquiz.stats.agreement import agreement as agreed

RATERS = "raters.jsonl"
SCORES = ("success", "reasoning")
UNKNOWN = "?"
_ARROW = re.compile(r"\s*(?:[-=]+>|→|⟶)\s*")
_BETWEEN = re.compile(r"\s*[,;\n]\s*")


@dataclass(frozen=True, slots=True)
class Rated:
    """One person's answer to one question."""

    rater: str
    scored: Scored
    minutes: float | None  # that it took; None where nobody looked at the clock


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


def agreement(rated: Iterable[Rated]) -> dict[str, Any]:
    """Return ``{task: {level: {"questions", "success", "reasoning"}}}``; None for no question."""
    every = list(rated)
    level_of: dict[Key, str] = {}
    for each in every:
        level_of.setdefault(each.scored.key, each.scored.level)
    return {
        str(task): {
            str(level): _error(
                each.scored
                for each in every
                if each.scored.task is task and level in ("all", level_of[each.scored.key])
            )
            for level in LEVELS
        }
        for task in Task
    }


def _error(answers: Iterable[Scored]) -> dict[str, Any]:
    given = list(answers)
    found = {
        score: agreed([{each.key: getattr(each.grade, score)} for each in given])
        for score in SCORES
    }
    questions = found["success"].questions
    return {"questions": questions, **{score: each.error for score, each in found.items()}}


def minutes(rated: Iterable[Rated]) -> dict[str, Any]:
    """Return ``{task: {"mean", "answers"}}`` over the answers that were timed."""
    timed = [(each.scored.task, each.minutes) for each in rated if each.minutes is not None]
    found = {}
    for task in Task:
        mine = [taken for kind, taken in timed if kind is task]
        found[str(task)] = {"mean": fmean(mine) if mine else None, "answers": len(mine)}
    return found


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """Answer that a person wrote."""

    moves: tuple[ToldMove, ...]  # () for "does not know"
    bare: bool  # without the places on the way, which are then ""

    @property
    def reply(self) -> str | None:
        """The moves as a reply that is scored; None where there are none."""
        if not self.moves:
            return None
        keys = ("prev_node", "action", "node")
        return json.dumps(
            [dict(zip(keys, move, strict=True)) for move in self.moves], ensure_ascii=False
        )


def written(text: str, task: Task) -> WrittenAnswer:
    """Read an answer. Raises `ValueError` saying what is wrong with it; blank ones are none."""
    text = text.strip()
    if not text:
        raise ValueError(f"no answer; write {UNKNOWN} for 'does not know'")
    if text == UNKNOWN:
        return WrittenAnswer((), bare=False)
    if text[0] in "[{":
        told = read_moves(text)
        if told.form is Form.ILL_FORMED:
            raise ValueError(told.why)
        return WrittenAnswer(told.moves, bare=False)
    parts = _ARROW.split(text)
    if len(parts) > 1:
        return WrittenAnswer(_chain(parts), bare=False)
    if task is Task.DF:
        return WrittenAnswer((ToldMove("", "", text),), bare=True)
    moves = [part for part in _BETWEEN.split(text) if part]
    return WrittenAnswer(tuple(ToldMove("", move, "") for move in moves), bare=True)


def _chain(parts: Sequence[str]) -> tuple[ToldMove, ...]:
    """Read ``place -> move -> place -> move -> place``."""
    if len(parts) % 2 == 0 or not all(parts):
        raise ValueError("a trajectory goes 'place -> move -> place', and ends with a place")
    return tuple(ToldMove(*parts[at : at + 3]) for at in range(0, len(parts) - 2, 2))

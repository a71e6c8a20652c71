"""Answers as people write them, turned into moves that are scored like a model's.

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
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from worldquiz.llm.reply_lists import Form, Move, read_moves
from worldquiz.mango.scoring.grade import Task

UNKNOWN = "?"
_ARROW = re.compile(r"\s*(?:[-=]+>|→|⟶)\s*")
_BETWEEN = re.compile(r"\s*[,;\n]\s*")


@dataclass(frozen=True, slots=True)
class Written:
    """What somebody wrote."""

    moves: tuple[Move, ...]  # () for "does not know"
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


def written(text: str, task: Task) -> Written:
    """Read an answer. Raises `ValueError` saying what is wrong with it; blank ones are none."""
    text = text.strip()
    if not text:
        raise ValueError(f"no answer; write {UNKNOWN} for 'does not know'")
    if text == UNKNOWN:
        return Written((), bare=False)
    if text[0] in "[{":
        told = read_moves(text)
        if told.form is Form.ILL_FORMED:
            raise ValueError(told.why)
        return Written(told.moves, bare=False)
    parts = _ARROW.split(text)
    if len(parts) > 1:
        return Written(_chain(parts), bare=False)
    if task is Task.DF:
        return Written((Move("", "", text),), bare=True)
    moves = [part for part in _BETWEEN.split(text) if part]
    return Written(tuple(Move("", move, "") for move in moves), bare=True)


def _chain(parts: Sequence[str]) -> tuple[Move, ...]:
    """Read ``place -> move -> place -> move -> place``."""
    if len(parts) % 2 == 0 or not all(parts):
        raise ValueError("a trajectory goes 'place -> move -> place', and ends with a place")
    return tuple(Move(*parts[at : at + 3]) for at in range(0, len(parts) - 2, 2))

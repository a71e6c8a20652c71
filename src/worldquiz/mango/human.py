"""MANGO's questions for a person, with the walkthrough beside them.

A person writes a way as "up > attic; north". Moves alone can succeed; reasoning is about a way
whose places are told as well, so these may be written behind a ">".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from worldquiz.human.sheet import Item, Key, Line, Sheet, Shown, by_world, text_of
from worldquiz.mango.answers import key, replied
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.questions import AskingPlan
from worldquiz.mango.rows import begin_run, quiz_rows
from worldquiz.mango.run import score_run
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import HUMAN
from worldquiz.runs.rows import write_rows
from worldquiz.version import own_version

LONGEST = 20_000
"""Letters that a way may have."""


class Mazes(Sheet):
    """The questions of a run of ``worldquiz mango run``."""

    def __init__(self, plan: AskingPlan, name: str) -> None:
        self.plan, self.name = plan, name
        self._asked: dict[Key, Question] = {
            (each.game, str(each.task), each.id): each for each in plan.questions
        }
        self.parts, self.items = by_world(self._asked)
        self.order = tuple(self._asked)

    title = "MANGO"
    passing = "I do not know"
    about = (
        "You read how somebody played through a text game, step by step. Then you tell where moves "
        "lead, and how to get from one place to another; some ways are the walkthrough's own, some "
        "go back on it.",
        "Write moves as the list of moves has them, like this: up > attic; north > roof. Places on "
        "the way may be left out; with all of them, your reasoning is scored as well.",
    )

    def key(self, line: Mapping[str, Any]) -> Key:
        """Return which question a line answers."""
        return key(line)

    def begin(self, out: Path) -> None:
        """Begin or resume a run about the same mazes."""
        told = {
            "answerer": HUMAN, "name": self.name,
            "versions": own_version(), **self.plan.record(),
        }  # fmt: skip
        begin_run(out, told, self.plan.mazes)

    def reading(self, part: int) -> str:
        """Return the steps of a maze that are read, with the lists that a model is given."""
        game = self.plan.readings[self.parts[part].name]
        texts = ["# Moves", ", ".join(game.actions)]
        texts += ["# Places", ", ".join(sorted(game.places)), "# Walkthrough"]
        for step in game.walkthrough:
            acts = [f"> {step.action}"] if step.action else []
            texts += [*acts, step.observation.strip()]
        return "\n\n".join(filter(None, texts))

    def shown(self, item: Item) -> Shown:
        """Return a question without its answer."""
        asked = self._asked[item.key]
        if asked.task is Task.DF:
            moves = ", ".join(asked.actions)
            words = f"You are at {asked.source} and do this: {moves}. Where are you now?"
            hint = "the place, or the place after each move, with ; between them"
        else:
            words = f"How do you get from {asked.source} to {asked.target}?"
            hint = "moves with ; between them; the place after each may follow it: up > attic"
        return {"words": words, "form": "text", "hint": hint, "longest": LONGEST}

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        """Return an answer as a line: a model's, with what a person adds."""
        asked = self._asked[item.key]
        line = replied(self.plan.prompts.about(asked), _reply(asked, said))
        return {**line, "said": said, "seconds": seconds}

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        """Grade and score the answers."""
        write_rows(out, quiz_rows(out, {key(lines[each]): lines[each] for each in self.order}))
        return score_run(out)

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return success and reasoning of each task."""
        names = {"df": "destinations", "rf": "routes"}
        return [
            (f"{names[task]}: {what} ({cell['asked']} asked)", decimal(cell[what]["micro"]))
            for task in names
            if (cell := scores[task]["all"])["asked"]
            for what in ("success", "reasoning")
        ]


def _reply(asked: Question, said: Any) -> str | None:
    """Return an answer as it is scored: moves with their places, or what was told of them."""
    if said is None:
        return None
    legs = _legs(asked, said)
    df = asked.task is Task.DF
    if not any(place for _, place in (legs[:-1] if df else legs)):  # no trajectory
        steps = [("", "", legs[-1][1])] if df else [("", move, "") for move, _ in legs]
    else:
        before = (asked.source, *(place for _, place in legs))
        steps = [(here, move, place) for here, (move, place) in zip(before, legs, strict=False)]
    return json.dumps([dict(zip(("prev_node", "action", "node"), step, strict=True))
                       for step in steps], ensure_ascii=False)  # fmt: skip


def _legs(asked: Question, said: Any) -> list[tuple[str, str]]:
    """Return moves, each with the place where it leads or "". Raises `ValueError`."""
    told = [part.strip() for part in text_of(said, LONGEST).removesuffix(";").split(";")]
    if asked.task is Task.DF:
        places = told if len(told) > 1 else [*[""] * (len(asked.actions) - 1), *told]
        if len(places) != len(asked.actions) or not places[-1]:
            raise ValueError("tell the place where you are in the end, or that after each move")
        return list(zip(asked.actions, places, strict=True))
    legs = [part.partition(">")[::2] for part in told]
    found = [(move.strip(), place.strip()) for move, place in legs]
    if not all(move for move, _ in found):
        raise ValueError("write a move before each place and each ;")
    return found

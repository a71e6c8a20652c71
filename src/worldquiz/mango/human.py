"""MANGO's questions for a person, with the walkthrough beside them.

A person writes a way as "up > attic; north". Moves alone can succeed; reasoning is about a way
whose places are told as well, so these may be written behind a ">".
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from worldquiz.human.quiz import Asked, Line, Quiz
from worldquiz.mango.answers import replied
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.questions import AskingPlan
from worldquiz.mango.rows import begin_run, quiz_rows
from worldquiz.runs.folder import HUMAN
from worldquiz.runs.rows import by_item, write_rows
from worldquiz.version import own_version

LONGEST = 20_000
"""Letters that a way may have."""


class MazesQuiz(Quiz):
    """The questions of a run of ``worldquiz mango run``."""

    title = "MANGO"
    passing, passed = "I do not know", ""
    about = (
        "You read how somebody played through a text game, step by step. Then you tell where moves "
        "lead, and how to get from one place to another; some ways are the walkthrough's own, some "
        "go back on it.",
        "Write moves as the list of moves has them, like this: up > attic; north > roof. Places on "
        "the way may be left out; with all of them, your reasoning is scored as well.",
    )

    def __init__(self, plan: AskingPlan, name: str) -> None:
        self.plan = plan
        self.manifest = {"answerer": HUMAN, "name": name, **plan.record()}
        self._asked = {(each.game, str(each.task), each.id): each for each in plan.questions}
        self.asked = []
        for key, each in self._asked.items():
            words = f"How do you get from {each.source} to {each.target}?"
            hint = "moves with ; between them; the place after each may follow it: up > attic"
            if each.task is Task.DF:
                moves = ", ".join(each.actions)
                words = f"You are at {each.source} and do this: {moves}. Where are you now?"
                hint = "the place, or the place after each move, with ; between them"
            self.asked.append(
                Asked(key=key, part=each.game, words=words, hint=hint, longest=LONGEST)
            )

    def begin(self, out: Path) -> None:
        """Begin or resume a run about the same mazes."""
        begin_run(out, {**self.manifest, "versions": own_version()}, self.plan.mazes)

    def reading(self, part: str) -> str:
        """Return the steps of a maze that are read, with the lists that a model is given."""
        game = self.plan.readings[part]
        texts = ["# Moves", ", ".join(game.actions)]
        texts += ["# Places", ", ".join(sorted(game.places)), "# Walkthrough"]
        for step in game.walkthrough:
            acts = [f"> {step.action}"] if step.action else []
            texts += [*acts, step.observation.strip()]
        return "\n\n".join(filter(None, texts))

    def reply(self, asked: Asked, said: str) -> str:
        """Return a way as a model tells it."""
        return reply(self._asked[asked.key], said)

    def keep(self, out: Path, lines: Sequence[Line]) -> None:
        """Grade the answers: a model's, with the seconds that they took."""
        told = {}
        for line in lines:
            about = self.plan.prompts.about(self._asked[by_item(line)])
            made = replied(about, None if line["said"] is None else line["reply"])
            told[by_item(line)] = {**made, "seconds": line["seconds"]}
        write_rows(out, quiz_rows(out, told))


def reply(asked: Question, said: str) -> str:
    """Return a way as it is scored: moves with their places, or what was told of them.

    Raises `ValueError` for what is none.
    """
    told = [part.strip() for part in said.strip().removesuffix(";").split(";")]
    df = asked.task is Task.DF
    if df:
        places = told if len(told) > 1 else [*[""] * (len(asked.actions) - 1), *told]
        if len(places) != len(asked.actions) or not places[-1]:
            raise ValueError("tell the place where you are in the end, or that after each move")
        legs = list(zip(asked.actions, places, strict=True))
    else:
        parts = [part.partition(">")[::2] for part in told]
        legs = [(move.strip(), place.strip()) for move, place in parts]
        if not all(move for move, _ in legs):
            raise ValueError("write a move before each place and each ;")
    if any(place for _, place in (legs[:-1] if df else legs)):
        before = (asked.source, *(place for _, place in legs))
        steps = [(here, move, place) for here, (move, place) in zip(before, legs, strict=False)]
    else:  # no trajectory
        steps = [("", "", legs[-1][1])] if df else [("", move, "") for move, _ in legs]
    return json.dumps([dict(zip(("prev_node", "action", "node"), step, strict=True))
                       for step in steps], ensure_ascii=False)  # fmt: skip

"""MANGO's questions for a person, each with the walkthrough.

A person writes a route as "up > attic; north". Moves alone suffice for success; for the reasoning
score, places may be written after a ">".
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.facts.row import Row
from worldquiz.human.quiz import Asked, ItemsQuiz
from worldquiz.mango.grade import CANNOT, Task, says_cannot
from worldquiz.mango.questions import MINIGAME, planned
from worldquiz.mango.run import MazeRun, mazes_of, quiz_items, read_run_manifest
from worldquiz.mango.settings import QuizSettings
from worldquiz.runs.folder import data_place
from worldquiz.runs.settings import declared

LONGEST = 20_000
"""Most characters in a route."""


class MazesQuiz(ItemsQuiz):
    """The questions of a run of ``worldquiz mango run``, for a person."""

    title = "MANGO"
    passing, passed = "I do not know", None
    about = (
        "You read how somebody played through a text game, step by step. Then you tell where moves "
        "lead, and how to get from one place to another; some ways are the walkthrough's own, some "
        "go back on it.",
        "Write moves as the list of moves has them, like this: up > attic; north > roof. Places on "
        "the way may be left out; with all of them, your reasoning is scored as well.",
    )

    def __init__(self, run: Path, name: str, data: Path | None = None) -> None:
        """Read a run's questions. Raises `RecordError` for imported answers or missing mazes."""
        told = {key: value for key, value in read_run_manifest(run).items() if key != "shots"}
        asked = {name: told[name] for name in declared(QuizSettings) if name in told}
        asked["tasks"] = [task for task in told["tasks"] if task != MINIGAME]
        if "imported" in told or not asked["tasks"]:
            raise RecordError(f"{run}: has no quiz for people: it is imported, or lacks df and rf")
        plan = planned(mazes_of(run, data), QuizSettings(**asked))
        self._readings = plan.readings
        super().__init__(MazeRun(data_place(run, told, data), quiz_items(plan), {}), told, name)

    def ask(self, row: Row) -> Asked:
        """Return a question in words for a person, who answers by moves or places."""
        source = row.measures["source"]
        words = f"How do you get from {source} to {row.measures.get('target')}?"
        hint = "moves with ; between them; the place after each may follow it: up > attic"
        if row.type == Task.DF:
            moves = ", ".join(row.measures["actions"])
            words = f"You are at {source} and do this: {moves}. Where are you now?"
            hint = "the place, or the place after each move, with ; between them"
            if row.measures.get("paired"):
                words += " Only moves that the walkthrough makes count, and the way back of each."
                hint += f"; or: {CANNOT}"
        return replace(super().ask(row), words=words, hint=hint, longest=LONGEST)

    def reading(self, part: str) -> str:
        """Return the text that a person reads: the same lists and steps as a model is given."""
        game = self._readings[part]
        texts = ["# Moves", ", ".join(game.actions)]
        texts += ["# Places", ", ".join(sorted(game.places)), "# Walkthrough"]
        for step in game.walkthrough:
            acts = [f"> {step.action}"] if step.action else []
            texts += [*acts, step.observation.strip()]
        return "\n\n".join(filter(None, texts))

    def reply(self, asked: Asked, said: str) -> str:
        """Return a route in the form of a model's reply. Raises `ValueError` for an invalid one."""
        row = self.rows[asked.key]
        if row.measures.get("paired") and says_cannot(said):
            return CANNOT
        told = [part.strip() for part in said.strip().removesuffix(";").split(";")]
        if df := row.type == Task.DF:
            actions = row.measures["actions"]
            places = told if len(told) > 1 else [*[""] * (len(actions) - 1), *told]
            if len(places) != len(actions) or not places[-1]:
                raise ValueError("write the place where you end, or the place after each move")
            legs = list(zip(actions, places, strict=True))
        else:
            parts = [part.partition(">")[::2] for part in told]
            legs = [(move.strip(), place.strip()) for move, place in parts]
            if not all(move for move, _ in legs):
                raise ValueError("write a move before each place and before each semicolon")
        if any(place for _, place in (legs[:-1] if df else legs)):
            before = (row.measures["source"], *(place for _, place in legs))
            steps = [(here, move, place) for here, (move, place) in zip(before, legs, strict=False)]
        else:  # no trajectory
            steps = [("", "", legs[-1][1])] if df else [("", move, "") for move, _ in legs]
        keys = ("prev_node", "action", "node")
        return json.dumps([dict(zip(keys, step, strict=True)) for step in steps],
                          ensure_ascii=False)  # fmt: skip

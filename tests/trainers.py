"""Shared by tests of the trainers' examples: what plays a world, and what that should earn."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.gym import T2QEnv, built

FOLDER = Path(__file__).parents[1] / "examples" / "training"
Earned = dict[str, float]


def example(name: str) -> Any:
    """Return an example as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands_of(number: int) -> list[str]:
    """Return commands that win a world's tasks."""
    tasks = built("easy", "train", number).tasks
    return [command for task in tasks for command in task.walkthrough.commands]


def answers_of(number: int) -> list[str]:
    """Return answers to a world's quiz: right ones, abstentions and others."""
    questions = built("easy", "train", number).questions
    return [(each.gold, ABSTAIN, "yes")[at % 3] for at, each in enumerate(questions)]


def earned(number: int) -> list[Earned]:
    """Return what these commands, then these answers, have earned after each: as scores say."""
    env, found = T2QEnv("easy"), []
    _, info = env.reset(seed=number)
    told = info["coverage"]
    for command in commands_of(number):
        *_, info = env.step(command)
        won, known = info["won"] / info["tasks"], info["coverage"] - told
        found.append({"task": won, "knowledge": known, "quiz": 0.0})
    questions, said = env.bundle.questions, answers_of(number)
    for given in range(1, len(said) + 1):
        replies = [*said[:given], *[ABSTAIN] * (len(said) - given)]
        score = env.quiz_score(questions, replies)
        found.append({**found[-1], "quiz": score})
    return found

"""The paper's packaging: one game per task, for anybody's TextWorld (appendix B).

A world with n tasks becomes n games of the same structure, each with the task's goal as its only
quest. The pair ``TASK.z8`` and ``TASK.json`` is what `textworld.start`, ``tw-play`` and TextWorld's
Gym environments load. Within worldquiz one game serves all tasks; nothing here is needed for that.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from worldquiz.errors import MissingExtra
from worldquiz.facts.fact import Fact
from worldquiz.t2q.world.compile import compiled
from worldquiz.t2q.world.inform import make, patched
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task


class TaskGame(NamedTuple):
    """One task's game: its Inform text, the program, and TextWorld's description of it."""

    inform: str
    z8: bytes
    json: str


def task_source(spec: WorldSpec, task: Task) -> tuple[str, Any]:
    """Return the Inform source and TextWorld's game object of one task; equal tasks, equal text."""
    try:
        from textworld.generator.game import Event, Quest
        from textworld.generator.inform7 import generate_inform7_source
    except ImportError as error:
        raise MissingExtra("textworld", "textworld") from error
    maker, entities = make(spec)
    conditions = [_proposition(maker, entities, fact) for fact in task.goal]
    quest = Quest(win_events=[Event(conditions=conditions)], desc=task.objective)
    maker.quests = [quest]
    game = maker.build(validate=False)
    game.objective = task.objective
    game.metadata["walkthrough"] = list(task.walkthrough.commands)
    return patched(generate_inform7_source(game), banner=True), game


def task_game(spec: WorldSpec, task: Task) -> TaskGame:
    """Compile one task's game. Raises `WorldError` where it exceeds the Z-machine."""
    text, game = task_source(spec, task)
    description = json.dumps(game.serialize(), sort_keys=True)
    return TaskGame(text, compiled(text, f"task {task.id!r} of world {spec.id!r}"), description)


def _proposition(maker: Any, entities: dict[str, Any], fact: Fact) -> Any:
    """Say a goal fact in TextWorld's terms."""
    names = [entities[name] for name in fact.args]
    match fact.predicate:
        case "player_at":
            return maker.new_fact("at", maker.player, *names)
        case "carried":
            return maker.new_fact("in", *names, maker.inventory)
        case predicate:
            return maker.new_fact(predicate, *names)

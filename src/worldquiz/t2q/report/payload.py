"""Compact JSON of each world, embedded in the page, from which it shows any run and step.

Texts repeat a thousandfold (a room is described each time it is entered), so every text is kept
once per world, by paragraph, and steps point to it by number; facts likewise. All runs of a world
share one block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from worldquiz.facts.episode import Episode, Step
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import PLAYER_AT, Fact
from worldquiz.facts.knowledge_score import points
from worldquiz.facts.question import Graded, Question, Result, Which, gold
from worldquiz.report.html import Texts
from worldquiz.t2q.report.maps import Numbers, draw, number, sight
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task


@dataclass(frozen=True, slots=True)
class Shown:
    """One run's part of a world, ready to be shown."""

    run: int  # its place among the page's runs
    played: Played
    results: tuple[Result, ...]


def world_block(bundle: Bundle, shown: Sequence[Shown]) -> dict[str, Any]:
    """Return all that the page shows of one world."""
    spec, texts, numbers = bundle.spec, Texts(), number(bundle.spec)
    rooms = {room.name: place for place, room in enumerate(spec.rooms)}
    runs = {str(one.run): _run(spec, one, texts, numbers, rooms) for one in shown}
    tasks = [_task(task, texts) for task in bundle.tasks]
    questions = [_question(question, texts) for question in bundle.questions]
    return {
        "facts": {str(place): str(fact) for fact, place in numbers.items()} if shown else {},
        "id": spec.id,
        "map": draw(spec),
        "questions": questions,
        "rooms": list(rooms),
        "runs": runs,
        "tasks": tasks,
        "texts": texts.table,
    }


def _task(task: Task, texts: Texts) -> list[Any]:
    plan = task.walkthrough
    return [texts(task.objective), [texts(c) for c in plan.commands], str(plan.proof)]


def _question(question: Question, texts: Texts) -> list[Any]:
    choices = question.choices if isinstance(question, Which) else ()
    return [
        question.id,
        str(question.type),
        question.kind,
        texts(question.text),
        [texts(choice) for choice in choices],
        texts(gold(question)),
        list(question.about),
    ]


def _run(
    spec: WorldSpec, shown: Shown, texts: Texts, numbers: Numbers, rooms: Mapping[str, int]
) -> dict[str, Any]:
    evidence = Evidence.of(shown.played.episodes, spec.initial)
    first = sorted(
        (moment, numbers[fact]) for fact, moment in evidence.first_seen.items() if fact in numbers
    )
    return {
        "episodes": [_episode(spec, one, texts, rooms) for one in shown.played.episodes],
        "first": [[moment.episode, moment.step, fact] for moment, fact in first],
        "results": [_result(result, texts) for result in shown.results],
        "sight": asdict(sight(spec, evidence)),
    }


def _episode(
    spec: WorldSpec, episode: Episode, texts: Texts, rooms: Mapping[str, int]
) -> list[Any]:
    room, steps = spec.start, []
    for step in episode.steps:
        room = _room_after(step.added, room)
        steps.append(_step(step, texts, rooms[room]))
    return [str(episode.outcome), steps]


def _step(step: Step, texts: Texts, room: int) -> list[Any]:
    """Return (action, command or null where refused, paragraphs, inventory, room)."""
    return [
        None if step.action is None else texts(step.action),
        None if step.command is None else texts(step.command),
        texts.paragraphs(step.observation.text),
        texts(step.observation.inventory),
        room,
    ]


def _room_after(added: Iterable[Fact], room: str) -> str:
    return next((args[0] for args in PLAYER_AT.of(added)), room)


def _result(result: Result, texts: Texts) -> list[Any]:
    """Return (moment or null, reply, abstained, grade or the reason why there is none, points).

    Points are those of the knowledge score, null where the question does not count in it.
    """
    score, earned = result.score, points(result)
    return [
        list(result.answerable) if result.answerable else None,
        texts(result.reply),
        int(result.abstained),
        score.value if isinstance(score, Graded) else score.reason,
        None if earned is None else round(earned, 4),
    ]

"""Ask a model MANGO's questions, as ``worldquiz mango run`` does; the work is inspect's.

A run's folder (`folder`) holds all that was asked about and what came of it; `worldquiz mango
score` reads its answers as well.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import worldquiz
from worldquiz.errors import WorldError
from worldquiz.llm.client import Reach, check_settings, evaluate, model_of
from worldquiz.llm.price import tell
from worldquiz.llm.records import Purpose, Usage, total
from worldquiz.mango.asking.plan import Plan
from worldquiz.mango.mapper.mapper import Leg, Mapper, trajectory
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.running.folder import MAZES, begin_run
from worldquiz.mango.running.replies import Item, Journal, Said
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.mistakes import added, mistakes
from worldquiz.mango.scoring.score import score
from worldquiz.records import write_json
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import claimed
from worldquiz.runs.journal import ANSWERS

AnItem = TypeVar("AnItem", bound=Item)

SCORES = "scores.json"
MAPPER = "mapper"
"""The contestant that is no model."""


def run(plan: Plan, reach: Reach, out: Path, done: Done) -> dict[str, Any]:
    """Ask everything that was not asked before, and return the scores with the usage.

    Raises `CatalogError` for a model that nobody has, `WorldError` where questions could not be
    asked, `RecordError` where `out` holds anything else.
    """
    check_settings(reach.generate)
    model = model_of(reach.model, reach.base_url)
    if reach.price:
        tell(str(model), reach.price)
    with claimed(out):
        begin_run(out, {**recorded(str(model), reach), **plan.record()}, plan.mazes)
        kept = Journal(out, done)
        ask_rest(plan.questions, partial(_task, plan), reach, out, kept)
        return _finish(plan, out, kept)


def _task(plan: Plan) -> Any:
    from worldquiz.mango.running.task import asking

    return asking(plan)


def run_mapper(plan: Plan, out: Path, done: Done) -> dict[str, Any]:
    """Have the map builder answer instead of a model, from the same text."""
    readers = {
        name: Mapper(reading.walkthrough, reading.places, reading.actions)
        for name, reading in plan.readings.items()
    }
    with claimed(out):
        begin_run(out, {**recorded(MAPPER, Reach(MAPPER)), **plan.record()}, plan.mazes)
        kept = Journal(out, done)
        for question in unanswered(plan.questions, kept):
            reply = json.dumps(trajectory(_legs(readers[question.game], question)))
            steps = plan.steps(question.game)
            kept.add(Said(question, steps, reply, None, Usage(Purpose.QUIZ)))
        return _finish(plan, out, kept, mistakes=_mistakes(plan, readers))


def _mistakes(plan: Plan, readers: Mapping[str, Mapper]) -> dict[str, Any]:
    """Return each maze's wrong answers of the map builder by cause, and those of all."""
    games: dict[str, list[Question]] = {name: [] for name in plan.mazes}
    for question in plan.questions:
        games[question.game].append(question)
    found = {
        name: mistakes(plan.mazes[name], plan.steps(name), readers[name], asked)
        for name, asked in games.items()
    }
    return {"all": added(found.values()), "games": found}


def _finish(plan: Plan, out: Path, kept: Journal, **more: Any) -> dict[str, Any]:
    """Write answers and scores; the scores are those of the mazes that the run keeps."""
    answers = out / ANSWERS if (out / ANSWERS).is_file() else kept.finish(plan.questions)
    scores = score(answers, out / MAZES, layout=Layout.STEPS70, easy=plan.asked.rf_easy)
    found = {**scores, "usage": usage(kept), **more}
    write_json(out / SCORES, found)
    return found


def _legs(reader: Mapper, question: Question) -> list[Leg]:
    if question.task is Task.DF:
        return reader.destination(question.source, question.actions)
    return reader.route(question.source, question.target)


def ask_rest(
    items: Sequence[Item], task: Callable[[], Any], reach: Reach, out: Path, kept: Journal
) -> None:
    """Have inspect ask what has no reply yet, by the task that `task` makes.

    Its solver keeps replies in the journal. Raises `WorldError` where some of them fail.
    """
    if not unanswered(items, kept):
        return
    _evaluate(task(), reach, out, kept)
    left = [item for item in items if not kept.has(item)]
    if left:
        raise WorldError(f"{len(left)} questions have no reply; give the command again")


def unanswered(items: Sequence[AnItem], kept: Journal) -> list[AnItem]:
    """Return what has no reply yet; whoever follows the journal is told of the rest."""
    for item in items:
        if kept.has(item):
            kept.done(item.id)
    return [item for item in items if not kept.has(item)]


def _evaluate(task: Any, reach: Reach, out: Path, kept: Journal) -> None:
    from worldquiz.mango.running.task import journal

    token = journal.set(kept)
    try:
        evaluate(task, reach, out)
    finally:
        journal.reset(token)


def usage(kept: Journal) -> dict[str, Any]:
    """Return calls, tokens and cost of all replies."""
    return total([Usage(Purpose.QUIZ, **line["usage"]) for line in kept.lines.values()])


def recorded(model: str, reach: Reach) -> dict[str, Any]:
    """Return what a manifest tells of who answers."""
    record: dict[str, Any] = {
        "model": model,
        "generate": json.loads(json.dumps(dict(reach.generate))),
        "versions": {"worldquiz": worldquiz.__version__},
    }
    return record | ({"price": list(asdict(reach.price).values())} if reach.price else {})

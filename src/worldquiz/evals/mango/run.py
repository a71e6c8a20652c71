"""Ask a model MANGO's questions, as ``worldquiz mango run`` does; the work is inspect's.

A run's folder holds ``manifest.json``, ``answers.jsonl`` (which ``worldquiz mango score`` reads as
well), ``scores.json``, and inspect's logs in ``logs``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.agents.mapper import Leg, Mapper, trajectory
from worldquiz.errors import WorldError
from worldquiz.evals.llm.logs import reason
from worldquiz.evals.llm.price import Price, tell
from worldquiz.evals.llm.trial import check_settings, model_of
from worldquiz.evals.mango.ask import Asked, questions
from worldquiz.evals.mango.replies import ANSWERS, Done, Journal, Said
from worldquiz.evals.mango.score import score
from worldquiz.metrics.mango.grade import Question, Task
from worldquiz.metrics.models import total
from worldquiz.model.io import write_json
from worldquiz.model.llm import Purpose, Usage
from worldquiz.model.maze import Maze
from worldquiz.model.store import MANIFEST, begin, claimed
from worldquiz.quiz.paths.net import Net
from worldquiz.worlds.maze.mango import Layout

AT_ONCE = 20


@dataclass(frozen=True, slots=True)
class Reach:
    """How the model is reached; of it only `generate` bears on what is measured."""

    model: str
    base_url: str | None = None
    generate: Mapping[str, Any] = field(default_factory=dict)
    connections: int = AT_ONCE
    price: Price | None = None
    retries: int = 5


def plan(mazes: Mapping[str, Maze], asked: Asked) -> tuple[Question, ...]:
    """Return every question of a run, in the order of its answers."""
    return tuple(question for maze in mazes.values() for question in questions(maze, asked))


def run(
    data: Path, mazes: Mapping[str, Maze], asked: Asked, reach: Reach, out: Path, done: Done
) -> dict[str, Any]:
    """Ask everything that was not asked before, and return the scores with the usage.

    Raises `CatalogError` for a model that nobody has, `WorldError` where questions could not be
    asked, `RecordError` where `out` holds anything else.
    """
    check_settings(reach.generate)
    model = model_of(reach.model, reach.base_url)
    record = _manifest(mazes, asked, str(model), reach)
    if reach.price:
        tell(str(model), reach.price)
    with claimed(out):
        begin(out, MANIFEST, record)
        kept, every = Journal(out, done), plan(mazes, asked)
        for question in every:
            if kept.has(question):
                done(question.id)
        if not all(map(kept.has, every)):
            _ask(data, mazes, asked, reach, out, kept)
            left = [question for question in every if not kept.has(question)]
            if left:
                raise WorldError(f"{len(left)} questions have no reply; give the command again")
        return _finish(data, asked, out, kept, every)


def run_mapper(
    data: Path, mazes: Mapping[str, Maze], asked: Asked, out: Path, done: Done
) -> dict[str, Any]:
    """Have the map builder answer instead of a model, from the same text."""
    with claimed(out):
        begin(out, MANIFEST, _manifest(mazes, asked, "mapper", Reach("mapper")))
        kept, every = Journal(out, done), plan(mazes, asked)
        readers = {}
        for name, maze in mazes.items():
            shown = maze.prefix(asked.steps)
            readers[name] = Mapper(shown.walkthrough, shown.places)
        for question in every:
            if kept.has(question):
                done(question.id)
                continue
            reply = json.dumps(trajectory(_legs(readers[question.game], question)))
            kept.add(Said(question, asked.steps, reply, None, Usage(Purpose.QUIZ)))
        return _finish(data, asked, out, kept, every)


def _legs(reader: Mapper, question: Question) -> list[Leg]:
    if question.task is Task.DF:
        return reader.destination(question.source, question.actions)
    return reader.route(question.source, question.target)


def _finish(
    data: Path, asked: Asked, out: Path, kept: Journal, every: tuple[Question, ...]
) -> dict[str, Any]:
    """Write answers and scores."""
    answers = out / ANSWERS if (out / ANSWERS).is_file() else kept.finish(every)
    found = {
        **score(answers, data, layout=Layout.STEPS70, easy=asked.rf_easy),
        "usage": usage(kept),
    }
    write_json(out / "scores.json", found)
    return found


def _ask(
    data: Path, mazes: Mapping[str, Maze], asked: Asked, reach: Reach, out: Path, kept: Journal
) -> None:
    from inspect_ai import eval as evaluate

    from worldquiz.evals.mango.task import journal, mango

    token = journal.set(kept)
    try:
        logs = evaluate(
            mango(
                str(data.resolve()), ",".join(mazes), asked.steps, ",".join(map(str, asked.tasks)),
                asked.per_maze, asked.seed, str(asked.rf_easy),
            ),
            model=model_of(reach.model, reach.base_url),
            log_dir=str(out / "logs"),
            display="none",
            log_realtime=False,
            log_model_api=False,
            max_samples=reach.connections,
            max_connections=reach.connections,
            max_retries=reach.retries,
            **reach.generate,
        )  # fmt: skip
    finally:
        journal.reset(token)
    _check(logs, out)


def _check(logs: Any, out: Path) -> None:
    """Raise what ended the evaluation, if it did not end well."""
    if logs and logs[0].status == "cancelled":
        raise KeyboardInterrupt
    errors = [sample.error for log in logs for sample in log.samples or () if sample.error]
    errors += [log.error for log in logs if log.error]
    if errors:
        raise WorldError(
            f"{len(errors)} questions could not be asked: {reason(errors[0])}; what was replied is "
            f"kept: give the same command again to go on (logs: {out / 'logs'})"
        )


def usage(kept: Journal) -> dict[str, Any]:
    """Return calls, tokens and cost of all replies."""
    return total([Usage(Purpose.QUIZ, **line["usage"]) for line in kept.lines.values()])


def _manifest(mazes: Mapping[str, Maze], asked: Asked, model: str, reach: Reach) -> dict[str, Any]:
    record: dict[str, Any] = {
        "kind": "mango",
        "model": model,
        "generate": json.loads(json.dumps(dict(reach.generate))),
        "mazes": {name: Net.of(maze).digest for name, maze in mazes.items()},
        "steps": asked.steps,
        "tasks": [str(each) for each in asked.tasks],
        "per_maze": asked.per_maze,
        "seed": asked.seed,
        "rf_easy": str(asked.rf_easy),
        "versions": {"worldquiz": worldquiz.__version__},
    }
    return record | (
        {"price": [reach.price.input, reach.price.cached, reach.price.output]}
        if reach.price
        else {}
    )

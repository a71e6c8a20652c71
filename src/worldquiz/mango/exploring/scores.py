"""Scores of runs in which an agent explored: knowing, coverage and the game's score side by side.

    coverage            of places, moves and routes (`coverage`): means over games
    knowledge           mean over games of: share of the routes shown x the knowledge score of the
                        questions about the trajectory; the score to report
    knowledge_ceiling   what a perfect keeper of the trajectories' maps earns there
    of_trajectory       the knowledge score of the questions asked, wherever the agent went

So a question about the whole map that the trajectory does not settle earns 0, as if it was not
answered: who explores little and knows all of it has little. A game where no question counts, for
all can be guessed, adds 0 to both. Games of which nobody knows the map are in `of_trajectory` only.
Games that failed are in no mean; ``failed_games`` says what `knowledge` is if they count as 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any

from worldquiz.facts.row import Row
from worldquiz.llm.records import WASTED, Status, by_purpose
from worldquiz.mango.exploring.coverage import Coverage
from worldquiz.mango.exploring.records import (
    ExploredGame,
    ModelTrace,
    explored_by,
    explorer_of,
    quiz_of,
    read_explored,
    read_explored_manifest,
    read_traces,
)
from worldquiz.mango.rows import quiz_rows
from worldquiz.mango.running.run import score_run
from worldquiz.mango.scoring.grade import Task
from worldquiz.runs.losses import read_losses, with_losses
from worldquiz.stats.intervals import Ratio, intervals

PARTS = ("places", "moves", "routes")


def scores(run: Path, quiz: Path | None) -> dict[str, Any]:
    """Return the scores of a run and of what was asked in it, None for nothing."""
    manifest = read_explored_manifest(run)
    reached = read_explored(run, tuple(manifest["games"]))
    asked = None if quiz is None else _asked(quiz)
    games = {name: _game(each, asked) for name, each in reached.items()}
    known = [games[name] for name, each in reached.items() if each.coverage is not None]
    lost = (read_losses(run).failed.keys() & manifest["games"].keys()) - reached.keys()
    shares = {name: _mean([each["coverage"][name]["share"] for each in known]) for name in PARTS}
    headline = {
        "knowledge": _mean([each["knowledge"] for each in known], signed=True),
        "knowledge_ceiling": _mean([each["ceiling"] for each in known]),
    }
    bounds = intervals({**shares, **headline})
    return {
        "agent": explorer_of(manifest),
        "knowledge": headline["knowledge"].value,
        "knowledge_ci": bounds["knowledge"],
        "knowledge_ceiling": headline["knowledge_ceiling"].value,
        "coverage": {
            name: {"mean": ratio.value, "interval": bounds[name]} for name, ratio in shares.items()
        },
        "mapped": len(known),
        "of_trajectory": {
            "knowledge": asked and asked["knowledge"],
            "counted": asked["counted"] if asked else 0,
            "baselines": {
                name: each["knowledge"] for name, each in (asked or {}).get("baselines", {}).items()
            },
        },
        "games": games,
        **({"failed_games": _with_failed(known, sorted(lost))} if lost else {}),
        "quiz": asked,
        **_of_model(read_traces(run, reached)),
    }


def _with_failed(known: Sequence[Mapping[str, Any]], lost: Sequence[str]) -> dict[str, Any]:
    """Return which games failed, and the headline if each of them counts as 0."""
    total = fsum(each["knowledge"] for each in known)
    return {"games": lost, "knowledge_with": total / (len(known) + len(lost))}


def _asked(quiz: Path) -> dict[str, Any]:
    """Return the scores of the quiz, with what failed in it."""
    return with_losses(score_run(quiz), quiz, lambda: quiz_rows(quiz))


def _of_model(traces: Sequence[ModelTrace]) -> dict[str, Any]:
    """Return what a model that explored took, and how its commands could be read."""
    if not traces:
        return {}
    usage = [each for trace in traces for each in trace.usage]
    statuses = Counter(move.status for trace in traces for move in trace.moves)
    return {
        "usage": by_purpose(usage),
        "commands": {
            **{str(status): statuses[status] for status in Status},
            "wasted": sum(statuses[status] for status in WASTED),
        },
    }


def _game(reached: ExploredGame, asked: Mapping[str, Any] | None) -> dict[str, Any]:
    tallies = [] if asked is None else [
        asked["games"][reached.game][task]["all"]
        for task in map(str, Task)
        if reached.game in asked["games"]
    ]  # fmt: skip
    counted = sum(each["counted"] for each in tallies)
    points = fsum(each["knowledge"] * each["counted"] for each in tallies if each["counted"])
    knowledge = points / counted if counted else None
    routes = None if reached.coverage is None else reached.coverage.routes.share
    return {
        "commands": reached.commands,
        "over": reached.over,
        "coverage": _coverage(reached.coverage),
        "score": None if reached.score is None else reached.score._asdict(),
        "asked": sum(each["asked"] for each in tallies),
        "counted": counted,
        "of_trajectory": knowledge,
        "knowledge": None if routes is None else routes * (knowledge or 0.0),
        "ceiling": None if routes is None else routes if counted else 0.0,
    }


def _coverage(found: Coverage | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {name: {"shown": part.shown, "of": part.of, "share": part.share}
            for name, part in ((name, getattr(found, name)) for name in PARTS)}  # fmt: skip


def _mean(values: Sequence[float], *, signed: bool = False) -> Ratio:
    return Ratio(tuple(values), (1.0,) * len(values), signed=signed)


def explored_rows(run: Path) -> Iterator[Row]:
    """Yield the rows of a finished run, whose worlds are called by who explored them.

    So no question about one agent's way is taken for one about another's. Raises `RecordError` if
    the run is not finished.
    """
    agent = explorer_of(read_explored_manifest(run))
    if (quiz := quiz_of(run)) is not None:
        name = run.resolve().name
        yield from (
            replace(row, run=name, world=explored_by(row.world, agent), agent=agent)
            for row in quiz_rows(quiz)
        )

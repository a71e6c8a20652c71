"""Runs of exploring agents as one contest: each agent has maps of its own, called by its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import fsum
from pathlib import Path
from typing import Any

from worldquiz.mango.exploring.records import (
    called,
    explored_by,
    explorer_of,
    quiz_of,
    read_explored_manifest,
)
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.contest import Contest, Contestant, Explored, Marked
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.score import Book, by_rule
from worldquiz.report.labels import decimal
from worldquiz.runs.folder import told_apart
from worldquiz.runs.run import Run

_OWN = ("agent", "games", "kind")
"""What a manifest says that is no setting of a quiz."""


def explored_contest(runs: Sequence[Path]) -> Contest:
    """Return finished runs as a contest; what one agent explored is compared question by question.

    An agent that came nowhere was asked nothing, and has no answers. Raises `RecordError` where one
    agent has different trajectories.
    """
    manifests = {run: read_explored_manifest(run) for run in runs}
    names = told_apart({run: called(manifest) for run, manifest in manifests.items()})
    agents = {run: explorer_of(manifest) for run, manifest in manifests.items()}
    mazes: dict[str, Maze] = {}
    found: dict[Path, Contestant] = {}
    parts: list[list[Contestant]] = []
    for agent in dict.fromkeys(agents.values()):
        mine = [run for run in runs if agents[run] == agent]
        quizzes = {run: quiz for run in mine if (quiz := quiz_of(run)) is not None}
        for run in mine:
            nothing = by_rule((), dict[str, Book]().__getitem__)
            found[run] = Contestant(names[run], _told(manifests[run]), (), {}, nothing)
        if not quizzes:
            continue
        part = read_contest([*quizzes.values()])
        found |= zip(quizzes, (_of_agent(one, agent) for one in part.contestants), strict=True)
        parts.append([_of_agent(one, agent) for one in part.baselines])
        mazes |= {explored_by(game, agent): maze for game, maze in part.mazes.items()}
    baselines = tuple(_joined(same) for same in zip(*parts, strict=True)) if parts else ()
    contestants = tuple(
        replace(
            found[run],
            name=names[run],
            settings={**found[run].settings, **_reached(scores)},
            usage=scores.get("usage", found[run].usage),
            explored=_explored(scores),
        )
        for run in runs
        for scores in [Run(run).scores]
    )
    return Contest(mazes, contestants, baselines)


def _told(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the settings of a quiz would say."""
    return {name: value for name, value in manifest.items() if name not in _OWN}


def _explored(scores: Mapping[str, Any]) -> dict[str, Explored]:
    """Return what there is to compare of agents that went different ways."""
    return {
        game: Explored(row["knowledge"], row["ceiling"], row["coverage"]["routes"]["share"])
        for game, row in scores["games"].items()
        if row["coverage"] is not None
    }


def _reached(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a reader must know beside the grades: how much of the games was seen at all."""
    shown = {name: _two(each["mean"]) for name, each in scores["coverage"].items()}
    known = f"{_two(scores['knowledge'])} of at most {_two(scores['knowledge_ceiling'])}"
    points = {
        game: f"{row['score']['points']} of {row['score']['most']}"
        for game, row in scores["games"].items()
        if row["score"] is not None
    }
    found = {"coverage": shown, "knowledge of the whole map": known, "game's score": points}
    return found | ({"failed": scores["failed_games"]["games"]} if "failed_games" in scores else {})


def _two(value: float | None) -> str:
    return "unknown" if value is None else decimal(value)


def _of_agent(one: Contestant, agent: str) -> Contestant:
    """Return a contestant whose games are called by who explored them."""
    marked = tuple(
        replace(each, question=replace(each.question, game=explored_by(each.question.game, agent)))
        for each in one.marked
    )
    return replace(one, marked=marked)


def _joined(parts: Sequence[Contestant]) -> Contestant:
    """Return one baseline over the maps of several agents; means over mazes weigh their mazes."""
    weights = [_routed(part.marked) for part in parts]
    rules = {
        rule: fsum(
            weight * (part.by_rule[rule] or 0.0)
            for weight, part in zip(weights, parts, strict=True)
        ) / sum(weights) if sum(weights) else None
        for rule in parts[0].by_rule
    }  # fmt: skip
    marked = tuple(chain.from_iterable(part.marked for part in parts))
    return replace(parts[0], marked=marked, by_rule=rules)


def _routed(marked: Iterable[Marked]) -> int:
    return len({each.question.game for each in marked if each.question.task is Task.RF})

"""What a run of an exploring agent holds, and how it is read.

RUN/manifest.json                      written first: the agent, the answerer, the games
RUN/worlds/GAME/explored.jsonl         how far it came: commands, coverage, the game's score
RUN/worlds/GAME/GAME/steps70/GAME.*    the trajectory as a maze, in MANGO's files
RUN/worlds/GAME/replies.jsonl          the agent's own replies, where it answers itself
RUN/worlds/GAME/moves.jsonl contexts.jsonl usage.jsonl    of a model that explores
RUN/quiz                               the questions about the trajectories: a MANGO run
RUN/scores.json                        written last
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.records import CommandReply, Context, Usage
from worldquiz.mango.exploring.coverage import Coverage
from worldquiz.mango.exploring.game import GameScore
from worldquiz.mango.maze.mango import Home, Layout, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.write import write
from worldquiz.mango.running.replies import key
from worldquiz.records import read_records, write_records
from worldquiz.runs.folder import (
    FAILURES,
    MANIFEST,
    MODEL,
    SCORES,
    answered_by,
    own_name,
    read_manifest,
    world_folder,
)
from worldquiz.runs.journal import finished, has_lines, write_lines
from worldquiz.runs.losses import FAILED, read_losses

KIND, QUIZ = "mango-explored", "quiz"
"""The kind of these runs, and the folder of what was asked."""
_EXPLORED, _REPLIES = "explored.jsonl", "replies.jsonl"
_TRACE = (("moves", "move", CommandReply), ("contexts", "context", Context),
          ("usage", "usage", Usage))  # fmt: skip
"""What a model said and took: the field, and so the file; the schema; the record."""


@dataclass(frozen=True, slots=True)
class ExploredGame:
    """How far an agent came in a game."""

    game: str
    commands: int
    over: bool  # the game ended before the agent did
    coverage: Coverage | None  # None: nobody knows the game's map
    score: GameScore | None  # None: the game keeps none


@dataclass(frozen=True, slots=True)
class LostGame:
    """A game that could not be explored, or a question that could not be asked."""

    question: str | None  # its id; none: the whole game
    reason: str


@dataclass(frozen=True, slots=True)
class ModelTrace:
    """What a model did beside exploring and answering."""

    moves: Sequence[CommandReply] = ()
    contexts: Sequence[Context] = ()
    usage: Sequence[Usage] = ()


@dataclass(frozen=True, slots=True)
class Exploration:
    """What came of a game: how far, the trajectory, and the agent's own replies, if any."""

    reached: ExploredGame
    maze: Maze
    replies: Sequence[Mapping[str, Any]] = ()
    trace: ModelTrace | None = None  # None: no model explored

    @property
    def failures(self) -> Sequence[LostGame]:
        """The questions that could not be asked."""
        return [
            LostGame(str(line["id"]), str(line["failure"]))
            for line in self.replies
            if line["status"] == FAILED
        ]

    def write(self, folder: Path) -> None:
        """Write it into a game's folder."""
        write(self.maze, folder)
        write_records(folder / _EXPLORED, "explored", ExploredGame, [self.reached])
        write_lines(folder / _REPLIES, self.replies)
        if self.trace is not None:
            for name, schema, kind in _TRACE:
                write_records(folder / f"{name}.jsonl", schema, kind, getattr(self.trace, name))
        if self.failures:
            write_records(folder / FAILURES, "failure", LostGame, self.failures)


def write_lost(folder: Path, reason: str) -> None:
    """Write a game that could not be explored, with the reason."""
    write_records(folder / FAILURES, "failure", LostGame, [LostGame(None, reason)])


def read_explored(run: Path, games: Sequence[str]) -> dict[str, ExploredGame]:
    """Return how far an agent came in each game that it explored. Raises `RecordError`."""
    found, left = {}, read_losses(run).unfinished
    for name in games:
        folder = world_folder(run, name)
        if not folder.is_dir() and name not in left:
            raise RecordError(
                f"{run}: game {name!r} is not explored yet: give the run's command again"
            )
        if (folder / _EXPLORED).is_file():
            (found[name],) = read_records(folder / _EXPLORED, "explored", ExploredGame)
    return found


def read_trajectories(
    run: Path, games: Sequence[str]
) -> tuple[dict[str, Maze], dict[Any, dict[str, Any]]]:
    """Return the trajectories of a run, by game, and the agent's own replies, by their keys."""
    mazes: dict[str, Maze] = {}
    replies: dict[Any, dict[str, Any]] = {}
    for name in read_explored(run, games):
        folder = world_folder(run, name)
        home = Home(name, folder / name / Layout.STEPS70, Layout.STEPS70)
        mazes[name] = read(home)
        replies |= finished(folder, key, _REPLIES)
    return mazes, replies


def read_traces(run: Path, games: Iterable[str]) -> list[ModelTrace]:
    """Return what the model of a run said and took in each game; nothing where none explored."""
    folders = [world_folder(run, name) for name in games]
    return [
        ModelTrace(
            *(read_records(folder / f"{name}.jsonl", schema, kind) for name, schema, kind in _TRACE)
        )
        for folder in folders
        if (folder / "moves.jsonl").is_file()
    ]


def read_explored_manifest(run: Path) -> dict[str, Any]:
    """Return the manifest of such a run. Raises `RecordError` for any other folder."""
    return read_manifest(run, KIND, "run of an exploring agent")


def explored_by(game: str, agent: str) -> str:
    """Return what an agent's own map of a game is called."""
    return f"{game} ({agent})"


def explorer_of(manifest: Mapping[str, Any]) -> str:
    """Return who explored, as tables say it: a model with what it remembers by."""
    agent = str(manifest["agent"])
    if agent != MODEL or "memory" not in manifest:
        return agent
    return f"{own_name(manifest['model'])}, {manifest['memory']}"


def called(manifest: Mapping[str, Any]) -> str:
    """Return who explored and who answered, as tables say it."""
    itself = manifest["agent"] == manifest.get("answerer")
    agent = explorer_of(manifest)
    return agent if itself else f"{agent}, answered by {answered_by(manifest)}"


def quiz_of(run: Path) -> Path | None:
    """Return the MANGO run of what was asked, None where there was nothing to ask.

    Raises `RecordError` for a run that is not finished.
    """
    if (run / QUIZ / MANIFEST).is_file():
        return run / QUIZ
    if not (run / SCORES).is_file():
        raise RecordError(f"{run}: nobody was asked yet: give the run's command again to finish it")
    return None


def is_answering(run: Path) -> bool:
    """Tell whether a run that goes on has explored all, and has kept answers."""
    return has_lines(run / QUIZ)


def asked_in(run: Path) -> Path:
    """Return the MANGO run of what was asked. Raises `RecordError` where nothing was."""
    quiz = quiz_of(run)
    if quiz is None:
        raise RecordError(f"{run}: the agent came nowhere, so nothing was asked about its way")
    return quiz

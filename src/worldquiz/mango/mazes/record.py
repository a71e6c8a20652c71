"""Recording mazes from a folder of games, beside MANGO's published maps if there are any."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.mango.maze.mango import Home, Layout, games, read
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.recorder.record import Recording, read_off, record, replayed
from worldquiz.mango.maze.recorder.trace import PATIENCE, trace
from worldquiz.mango.maze.recorder.words import Reverses
from worldquiz.mango.maze.write import write_recording
from worldquiz.mango.mazes.compare import KINDS, Comparison, Share, compared, more, walk
from worldquiz.records import write_json
from worldquiz.runs.benchmark import GameWalk
from worldquiz.runs.executor import Done, each, silent

_STORY = re.compile(r"\.z[1-8]$", re.IGNORECASE)
_ACT = re.compile(r"^\s*(\d+):\s?(.*)$")


@dataclass(frozen=True, slots=True)
class Made:
    """What became of one game."""

    game: str
    recording: Recording | None
    comparison: Comparison | None
    fault: str | None  # why it could not be recorded


@dataclass(frozen=True, slots=True)
class Job:
    """One game to record."""

    story: Path
    commands: Path | None  # the folder that may hold its commands; None: the story's own
    published: Home | None
    reverses: Reverses
    patience: float


def stories(folder: Path) -> list[Path]:
    """Return the story files of a folder, or the one that is given, by name."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder of games")
    found = sorted(path for path in folder.iterdir() if _STORY.search(path.name))
    if not found:
        raise RecordError(f"{folder}: no story file here (GAME.z3, GAME.z5, GAME.z8 …)")
    doubled = [name for name, count in Counter(path.stem for path in found).items() if count > 1]
    if doubled:
        raise RecordError(f"{folder}: two games are called {doubled[0]!r}; rename one")
    return found


def commands_for(story: Path, folder: Path | None) -> tuple[str, ...] | None:
    """Return the commands to play a game by, from ``GAME.walkthrough_acts``; None if it has none.

    They lie in `folder`, or else beside the game: one a line, either all as ``NUMBER: COMMAND``,
    counted from 1, or none. Raises `RecordError` naming file and line.
    """
    path = (folder or story.parent) / f"{story.stem}.walkthrough_acts"
    if not path.is_file():
        return None
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    given = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not given:
        raise RecordError(f"{path}: holds no command")
    if not _ACT.match(given[0][1]):
        return tuple(line.strip() for _, line in given)
    return tuple(
        _act(f"{path}:{number}", line, wanted)
        for wanted, (number, line) in enumerate(given, start=1)
    )


def _act(place: str, line: str, wanted: int) -> str:
    match = _ACT.match(line)
    if match is None or int(match[1]) != wanted:
        raise RecordError(f"{place}: {line!r}, wanted '{wanted}: COMMAND'")
    return match[2]


def record_all(
    stories: Sequence[Path],
    out: Path,
    *,
    commands: Path | None = None,
    compare: Path | None = None,
    jobs: int = 1,
    reverses: Reverses = Reverses.COMPASS,
    patience: float = PATIENCE,
    done: Done = silent,
) -> list[Made]:
    """Record games into a folder, in MANGO's formats; return what became of each, by name.

    A game that cannot be recorded is told of and keeps no other from being recorded.
    """
    published = {} if compare is None else _published(compare)
    todo = [Job(path, commands, published.get(path.stem), reverses, patience) for path in stories]
    made = []
    for job, result in each(partial(_made, out), todo, jobs=jobs):
        made.append(result)
        done(job.story.stem)
    return sorted(made, key=lambda result: result.game)


def record_walk(walk: GameWalk, *, patience: float = PATIENCE) -> Recording:
    """Record the maze of a game from commands that lead through it; it is called like its world."""
    return read_off(trace(walk.game, walk.commands, patience=patience), name=walk.world)


def _published(folder: Path) -> dict[str, Home]:
    """Return the published maps of a folder: full ones where there are, else the 70-step ones."""
    homes = {}
    faults = []
    for layout, places in ((Layout.STEPS70, "locations"), (Layout.FULL, "nodes")):
        try:
            found = games(folder, layout)
        except RecordError as error:
            faults.append(error)
            continue
        for home in found:
            if (home.folder / f"{home.game}.{places}.json").is_file():
                homes[home.game] = home
    if not homes and faults:
        raise faults[0]
    return homes


def _made(out: Path, job: Job) -> Made:
    name = job.story.stem
    try:
        published = job.published and (read(job.published), walk(job.published))
        recording = record(
            job.story,
            commands_for(job.story, job.commands),
            reverses=job.reverses,
            patience=job.patience,
        )
        write_recording(recording, out)
    except (RecordError, WorldError) as error:
        return Made(name, None, None, str(error))
    comparison = None
    if published is not None:
        again = partial(replayed, recording, patience=job.patience)
        comparison = compared(recording, *published, again)
    result = Made(name, recording, comparison, None)
    write_json(out / name / "recording.json", _document(result))
    return result


def report(made: Sequence[Made]) -> dict[str, Any]:
    """Return what became of all games: each one's figures, and the micro averages of them all."""
    compared_ = [result.comparison for result in made if result.comparison is not None]
    document: dict[str, Any] = {
        "games": {result.game: _document(result) for result in made if result.recording},
        "failed": {result.game: result.fault for result in made if result.fault is not None},
    }
    if compared_:
        sums = {kind: sum((c.shares[kind] for c in compared_), Share()) for kind in KINDS}
        sums["edges_confirmed"] = sum((c.confirmed for c in compared_), Share())
        sums["edges_unmerged"] = sum((c.unmerged for c in compared_), Share())
        document["micro"] = {kind: share.record() for kind, share in sums.items()}
        document["compared"] = len(compared_)
        document |= _found_more(made)
    return document


def _found_more(made: Sequence[Made]) -> dict[str, list[dict[str, Any]]]:
    """Return the moves of all games that the published maps lack, by why they do."""
    found: dict[str, list[dict[str, Any]]] = {"missed_by_published": [], "merged_by_published": []}
    for result in made:
        if result.comparison is not None:
            for name, moves in more(result.comparison).items():
                found[name] += [{"game": result.game, **move} for move in moves]
    return found


def size(maze: Maze) -> dict[str, int]:
    """Return how large a maze is."""
    return {
        "places": len(maze.places),
        "edges": len(maze.edges),
        "imputed": sum(edge.imputed for edge in maze.edges),
        "steps": maze.steps,
    }


def _document(result: Made) -> dict[str, Any]:
    recording, comparison = result.recording, result.comparison
    assert recording is not None
    document: dict[str, Any] = {
        "size": size(recording.maze),
        "unsure": [
            {"kind": doubt.kind, "about": doubt.about, "why": doubt.why}
            for doubt in recording.doubts
        ],
    }
    if comparison is not None:
        document |= {kind: comparison.shares[kind].record() for kind in KINDS}
        document["edges_confirmed"] = comparison.confirmed.record()
        document["edges_unmerged"] = comparison.unmerged.record()
        document["names"] = dict(comparison.names)
        document |= more(comparison)
        document["missed_by_recorder"] = [list(key) for key in comparison.lost]
    return document

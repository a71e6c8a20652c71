"""Recording mazes from a folder of games."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError
from worldquiz.mango.published import write_both
from worldquiz.mango.recorder.record import record
from worldquiz.mango.recorder.trace import PATIENCE
from worldquiz.mango.recorder.words import Reverses
from worldquiz.records import read_text, write_json
from worldquiz.runs.executor import Done, each, silent

_STORY = re.compile(r"\.z[1-8]$", re.IGNORECASE)
_ACT = re.compile(r"^\s*(\d+):\s?(.*)$")


def stories(folder: Path) -> list[Path]:
    """Return the story files of a folder, or the one that is given, by name."""
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder of games")
    found = sorted(path for path in folder.iterdir() if path.is_file() and _STORY.search(path.name))
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
    lines = read_text(path).splitlines()
    given = [(number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not given:
        raise RecordError(f"{path}: holds no command")
    if not _ACT.match(given[0][1]):
        return tuple(line.strip() for _, line in given)
    found = []
    for wanted, (number, line) in enumerate(given, start=1):
        match = _ACT.match(line)
        if match is None or match[1].lstrip("0") != str(wanted):
            raise RecordError(f"{path}:{number}: {line!r}, wanted '{wanted}: COMMAND'")
        found.append(match[2])
    return tuple(found)


def record_all(
    stories: Sequence[Path],
    out: Path,
    *,
    commands: Path | None = None,
    jobs: int = 1,
    reverses: Reverses = Reverses.COMPASS,
    patience: float = PATIENCE,
    done: Done = silent,
) -> dict[str, dict[str, Any]]:
    """Record games into a folder, in MANGO's formats; return what became of each, by name.

    ``{"games": {GAME: {"size", "unsure"}}, "failed": {GAME: why}}``: a game that cannot be recorded
    keeps no other from being recorded.
    """
    found: dict[str, dict[str, Any]] = {"games": {}, "failed": {}}
    work = partial(_made, out, commands, reverses, patience)
    fresh = not out.exists()
    out.mkdir(parents=True, exist_ok=True)
    for story, made in each(work, stories, jobs=jobs):
        found["failed" if isinstance(made, str) else "games"][story.stem] = made
        done(story.stem)
    if fresh and not any(out.iterdir()):
        out.rmdir()
    return {name: dict(sorted(games.items())) for name, games in found.items()}


def _made(
    out: Path, commands: Path | None, reverses: Reverses, patience: float, story: Path
) -> dict[str, Any] | str:
    """Record one game, from the commands in a folder if it has some there; or say why not."""
    try:
        given = commands_for(story, commands)
        recording = record(story, given, reverses=reverses, patience=patience)
        write_both(recording.maze, out)
    except (RecordError, WorldError) as error:
        return str(error)
    doubts = [asdict(doubt) for doubt in recording.doubts]
    found = {"size": recording.maze.size, "unsure": doubts}
    write_json(out / story.stem / "recording.json", found)
    return found

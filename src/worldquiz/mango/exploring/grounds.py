"""What can be explored: a folder of mazes, a suite of games, a story file or a folder of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from worldquiz.errors import RecordError
from worldquiz.mango.exploring.game import Game, MazeGame
from worldquiz.mango.exploring.story import StoryGame
from worldquiz.mango.maze.mango import holds
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.maze.recorder.trace import PATIENCE
from worldquiz.mango.mazes.record import commands_for, is_story, stories
from worldquiz.mango.mazes.selection import chosen, wanted_games
from worldquiz.mango.running.folder import fingerprint
from worldquiz.records import digest
from worldquiz.runs.benchmark import kind_of_data


@dataclass(frozen=True, slots=True)
class Ground:
    """A game that can be opened as often as is wanted."""

    name: str
    digest: str  # of the game, and of the commands that are known to lead through it
    opened: Callable[[], Game]


def grounds(
    source: Path, only: Sequence[str] = (), *, patience: float = PATIENCE
) -> dict[str, Ground]:
    """Return the games of a source by name, or some of them.

    Raises `RecordError` for what holds no game, `KnobError` for a game that it has not.
    """
    if holds(source):
        mazes = chosen(source, only)
        return {name: maze_ground(name, mazes[name]) for name in sorted(mazes)}
    if is_story(source) or (source.is_dir() and any(map(is_story, source.iterdir()))):
        every = {story.stem: story for story in stories(source)}
        wanted = wanted_games(str(source), every, only)
        return {
            name: _story(name, every[name], commands_for(every[name], None), patience)
            for name in sorted(wanted)
        }
    walks = kind_of_data(source)[1].walks
    if walks is None:
        raise RecordError(
            f"{source}: holds no games to explore: give mazes, a suite or story files"
        )
    return {each.world: _story(each.world, each.game, each.commands, patience)
            for each in walks(source, only)}  # fmt: skip


def maze_ground(name: str, maze: Maze) -> Ground:
    """Return a maze as a game."""
    return Ground(name, fingerprint(maze), partial(MazeGame, maze))


def _story(name: str, story: Path, commands: Sequence[str] | None, patience: float) -> Ground:
    content = hashlib.sha256(story.read_bytes()).hexdigest()
    told = digest(content, *(commands or ()))
    return Ground(name, told, partial(StoryGame, name, story, commands, patience=patience))


def digests(games: Mapping[str, Ground]) -> dict[str, str]:
    """Return the digests of some games, as a manifest holds them."""
    return {name: each.digest for name, each in games.items()}

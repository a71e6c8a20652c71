"""Playing a game by hand or by an agent, without a run around it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from worldquiz.mango.exploring.explore import explored
from worldquiz.mango.exploring.explorers import WAYS
from worldquiz.mango.exploring.game import Game, MazeGame
from worldquiz.mango.exploring.records import ExploredGame
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Maze


class Typing:
    """An agent that gives some commands, whatever it sees."""

    def __init__(self, commands: Sequence[str]) -> None:
        self._left = iter(commands)
        self.seen: list[str] = []

    def act(self, text: str) -> str | None:
        self.seen.append(text)
        return next(self._left, None)


def through(game: Game, agent: Any, steps: int = 1_000) -> tuple[ExploredGame, Maze]:
    """Let an agent explore a game."""
    return asyncio.run(explored("it", game, agent, steps, "agent 'it'"))


def trajectory(maze: Maze, commands: Sequence[str]) -> Maze:
    """Return the maze that some commands show of another."""
    return through(MazeGame(maze), Typing(commands))[1]


seeded_mazes = st.builds(
    generate,
    st.builds(
        Knobs,
        size=st.integers(2, 9),
        branching=st.integers(2, 4),
        loops=st.sampled_from([0.0, 0.4]),
        one_way=st.sampled_from([0.0, 0.5]),
        non_compass=st.sampled_from([0.0, 0.4]),
    ),
    st.integers(0, 2**32),
    name=st.just("it"),
)


@st.composite
def walks(draw: st.DrawFn) -> tuple[Maze, list[str]]:
    """Draw a maze, and commands of which most lead somewhere in it."""
    maze = draw(seeded_mazes)
    words = st.sampled_from([*maze.actions, *maze.actions, *WAYS, "look", "xyzzy"])
    return maze, draw(st.lists(words, max_size=25))

"""Exploring a maze as a Gymnasium environment: an episode is a maze, and commands to see it.

    env = gymnasium.make("worldquiz/MANGO-small-v0", seed=0)
    env = gymnasium.make("worldquiz/MANGO-small-v0", seed=0, observation="structured")

Each number has a maze of its own, and there is no end of them. The reward of a step is by how much
a potential grew: the share of the maze's moves that were shown, either way (`moves`), or of the
pairs of places that these moves join (`routes`). So the rewards of an episode add up to what is
known at its end, whichever way led there, and walking in circles earns nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from worldquiz.extras import need
from worldquiz.gym import CHARACTERS, LONGEST_COMMAND, WorldEnv, WorldText
from worldquiz.mango.maze.generate import Knobs, described, generate
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.recorder.words import direction, spelled
from worldquiz.mango.maze.walkthrough import COMPASS
from worldquiz.splits import Split, check_choice, check_count, split_seed

if TYPE_CHECKING:
    import gymnasium
    import numpy as np
else:
    gymnasium = need("gymnasium", extra="agents")
    np = need("numpy", extra="agents")

Reward = Literal["moves", "routes"]
Observed = Literal["text", "structured"]
LEVELS: Mapping[str, Knobs] = {
    "small": Knobs(size=10),
    "medium": Knobs(size=20),
    "large": Knobs(size=50, loops=0.3, one_way=0.1),
}
"""What the mazes of each level are like. All their moves are directions."""
WAYS = tuple(way for pair in COMPASS for way in pair)
"""The actions of structured environments, by their numbers."""
COMMANDS_A_PLACE = 4
"""Commands of an episode, for each place. A maze's own walkthrough takes fewer than 3."""
LONGEST = 1_000
"""Characters of a text that is observed, at most."""
REFUSED = "You can't go that way."
Move = tuple[str, str, str]
"""From a place, by an action, to a place."""


class MazeGame:
    """A generated maze that is walked: each place tells its name, and the ways that lead on."""

    def __init__(self, maze: Maze) -> None:
        """Stand where the maze's walkthrough begins."""
        self.maze, self.here = maze, maze.places[0]
        self.been = {self.here: 0}  # places, numbered in the order of first visits
        self.known: set[Move] = set()  # the moves that were shown, either way
        self._exits: dict[str, dict[str, Edge]] = {place: {} for place in maze.places}
        for edge in maze.edges:
            self._exits[edge.source][edge.action] = edge
        taken = {edge.seen.forward: edge.key for edge in maze.edges}
        undone = [(edge.key, taken[edge.seen.backward])
                  for edge in maze.edges if edge.seen.backward is not None]  # fmt: skip
        self._back = dict(undone) | {other: one for one, other in undone}

    @property
    def exits(self) -> Mapping[str, Edge]:
        """The moves that lead on from here, by their actions."""
        return self._exits[self.here]

    @property
    def text(self) -> str:
        """Description of the place."""
        return described(self.here, self.exits)

    def send(self, command: str) -> str:
        """Go where a command leads, or look, or be refused."""
        edge = self.exits.get(command.lower())
        if edge is None:
            return self.text if spelled(command) == "look" else REFUSED
        self.here = edge.target
        self.been.setdefault(self.here, len(self.been))
        self.known |= {edge.key, self._back.get(edge.key, edge.key)}
        return self.text


def canonical(command: str) -> str:
    """Return a command as a maze is given it: one line of printable ASCII, "n" as "north"."""
    text = command[:LONGEST_COMMAND].encode("ascii", "replace").decode()
    plain = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return direction(spelled(plain)) or plain


def routes(moves: Iterable[Move]) -> set[tuple[str, str]]:
    """Return the pairs of different places that some moves join."""
    onward: dict[str, set[str]] = {}
    for source, _, target in moves:
        onward.setdefault(source, set()).add(target)
    found = set()
    for start in onward:
        reached, queue = {start}, [start]
        for place in queue:  # it grows as it is walked
            queue += sorted(onward.get(place, set()) - reached)
            reached |= onward.get(place, set())
        found |= {(start, end) for end in reached - {start}}
    return found


class MazeEnv(WorldEnv):
    """Explores mazes of a level.

    Observed is the text of the game; or, structured, the `place` where one is (numbered as they
    were come to, from 0), the `exits` that its text names and those `tried` there (ten flags each,
    in the order of `WAYS`). `info` holds counts only: `commands`, `places` come to, `moves` shown,
    of how many there are, and their share, the `coverage`. The episode is terminated when all moves
    are shown, and truncated when its commands are used up.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        level: str = "small",
        *,
        seed: int = 0,
        split: Split = "train",
        reward: Reward = "moves",
        observation: Observed = "text",
        worlds: int | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make it; no maze is made before a reset.

        Args:
            level: "small" (10 places), "medium" (20) or "large" (50).
            seed: The seed of the first reset that is given none.
            split: "train" or "test"; they share no maze.
            reward: What must be shown: "moves" or "routes".
            observation: "text", with commands as text; or "structured", with ten directions.
            worlds: How many mazes there are; None for no end of them.
            max_steps: Most commands of an episode; None for four a place.
            render_mode: "ansi" for the last text.
        """
        check_choice("level", level, LEVELS)
        check_choice("reward", reward, get_args(Reward))
        check_choice("observation", observation, get_args(Observed))
        check_count("max_steps", max_steps)
        super().__init__(seed=seed, split=split, worlds=worlds)
        self.level, self.reward, self.render_mode = level, reward, render_mode
        size = LEVELS[level].size
        self.max_steps = COMMANDS_A_PLACE * size if max_steps is None else max_steps
        spaces = gymnasium.spaces
        self._structured = observation == "structured"
        flags = spaces.MultiBinary(len(WAYS))
        self.observation_space: Any = spaces.Dict(
            {"place": spaces.Discrete(size), "exits": flags, "tried": flags}
            if self._structured
            else {"text": WorldText(LONGEST, min_length=0, charset=CHARACTERS)}
        )
        self.action_space = (
            spaces.Discrete(len(WAYS))
            if self._structured
            else spaces.Text(LONGEST_COMMAND, charset=CHARACTERS - {"\n"})
        )

    def _begin(self, number: int) -> tuple[Any, dict[str, Any]]:
        seed = split_seed(self.split, number, "mango", self.level)
        name = f"{self.level}-{self.split}-{number}"
        self._game = MazeGame(generate(LEVELS[self.level], seed, name=name))
        self._text, self._commands = self._game.text, 0
        self._tried: dict[str, set[str]] = {}
        self._all_routes = len(routes(edge.key for edge in self._game.maze.edges))
        self._potential = 0.0
        return self._observed(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Give a command, or go in a direction by its number.

        Raises `ValueError` for an action that is none, and where a reset is due.
        """
        self._check_step(action)
        command = canonical(WAYS[int(action)] if self._structured else action)
        before = len(self._game.known)
        self._tried.setdefault(self._game.here, set()).add(command)
        self._text = self._game.send(command)
        self._commands += 1
        reward = self._grown() if len(self._game.known) > before else 0.0
        done = len(self._game.known) == len(self._game.maze.edges)
        cut = not done and self._commands >= self.max_steps
        self.due = done or cut
        return self._observed(), reward, done, cut, self._info()

    def _grown(self) -> float:
        """Return by how much the potential grew, and keep what it is now."""
        before = self._potential
        if self.reward == "moves":
            self._potential = len(self._game.known) / len(self._game.maze.edges)
        else:
            self._potential = len(routes(self._game.known)) / self._all_routes
        return self._potential - before

    def render(self) -> str | None:
        """Return the last text."""
        return self._text if self.render_mode == "ansi" else None

    def _observed(self) -> dict[str, Any]:
        if not self._structured:
            return {"text": self._text}
        game = self._game
        tried = self._tried.get(game.here, ())
        return {
            "place": np.int64(game.been[game.here]),
            "exits": np.array([way in game.exits for way in WAYS], np.int8),
            "tried": np.array([way in tried for way in WAYS], np.int8),
        }

    def _info(self) -> dict[str, Any]:
        game = self._game
        return {
            "commands": self._commands,
            "places": len(game.been),
            "moves": len(game.known),
            "of": len(game.maze.edges),
            "coverage": len(game.known) / len(game.maze.edges),
        }

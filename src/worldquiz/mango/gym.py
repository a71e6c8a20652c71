"""Exploring a maze as a Gymnasium environment: an episode is a maze, and commands to see it.

    env = gymnasium.make("worldquiz/MANGO-small-v0", seed=0)

Each number has a maze of its own, and there is no end of them. The reward of a step is the share of
the maze's moves that it showed first, either way. So the rewards of an episode add up to what is
known at its end, and walking in circles earns nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from worldquiz.gym import (
    CHARACTERS,
    LONGEST_COMMAND,
    Split,
    WorldEnv,
    WorldText,
    check_choice,
    check_count,
    split_seed,
)
from worldquiz.mango.generate import described, generate
from worldquiz.mango.mazes import Edge
from worldquiz.mango.recorder.words import direction, spelled
from worldquiz.mango.settings import Knobs
from worldquiz.plugins import need

if TYPE_CHECKING:
    import gymnasium
else:
    gymnasium = need("gymnasium", extra="agents")

LEVELS: Mapping[str, Knobs] = {
    "small": Knobs(size=10),
    "medium": Knobs(size=20),
    "large": Knobs(size=50, loops=0.3, one_way=0.1),
}
"""What the mazes of each level are like. All their moves are directions."""
COMMANDS_A_PLACE = 4
"""Commands of an episode, for each place. A maze's own walkthrough takes fewer than 3."""
LONGEST = 1_000
"""Characters of a text that is observed, at most."""
REFUSED = "You can't go that way."


class MazeEnv(WorldEnv):
    """Explores mazes of a level.

    Observed is the text of the game. `info` holds counts only: `commands`, `places` come to,
    `moves` shown, of how many there are, and their share, the `coverage`. The episode is terminated
    when all moves are shown, and truncated when its commands are used up.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        level: str = "small",
        *,
        seed: int = 0,
        split: Split = "train",
        worlds: int | None = None,
        max_steps: int | None = None,
    ) -> None:
        """Make it; no maze is made before a reset.

        Args:
            level: "small" (10 places), "medium" (20) or "large" (50).
            seed: The seed of the first reset that is given none.
            split: "train" or "test"; they share no maze.
            worlds: How many mazes there are; None for no end of them.
            max_steps: Most commands of an episode; None for four a place.
        """
        check_choice("level", level, LEVELS)
        check_count("max_steps", max_steps)
        super().__init__(seed=seed, split=split, worlds=worlds)
        self.level, size = level, LEVELS[level].size
        self.max_steps = COMMANDS_A_PLACE * size if max_steps is None else max_steps
        spaces = gymnasium.spaces
        text = WorldText(LONGEST, min_length=0, charset=CHARACTERS)
        self.observation_space: Any = spaces.Dict({"text": text})
        self.action_space = spaces.Text(LONGEST_COMMAND, charset=CHARACTERS - {"\n"})

    def _begin(self, number: int) -> tuple[Any, dict[str, Any]]:
        seed = split_seed(self.split, number, "mango", self.level)
        name = f"{self.level}-{self.split}-{number}"
        self.maze = generate(LEVELS[self.level], seed, name=name)
        self.here, self._commands = self.maze.places[0], 0
        self._been = {self.here}
        self._known: set[tuple[str, str, str]] = set()  # the moves that were shown, either way
        self._exits: dict[str, dict[str, Edge]] = {place: {} for place in self.maze.places}
        for edge in self.maze.edges:
            self._exits[edge.source][edge.action] = edge
        taken = {edge.seen.forward: edge.key for edge in self.maze.edges}
        back = {e.key: taken[e.seen.backward] for e in self.maze.edges if e.seen.backward}
        self._back = back | {other: one for one, other in back.items()}
        return {"text": self._described()}, self._info()

    def _described(self) -> str:
        return described(self.here, self._exits[self.here])

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Give a command. Raises `ValueError` for one that is no text, and where a reset is due."""
        self._check_step(action)
        said = spelled(action)
        command = direction(said) or said  # "go n" is "north"
        self._commands += 1
        before, every = len(self._known), len(self.maze.edges)
        if edge := self._exits[self.here].get(command):
            self.here = edge.target
            self._been.add(self.here)
            self._known |= {edge.key, self._back.get(edge.key, edge.key)}
        here = edge is not None or command == "look"
        text = self._described() if here else REFUSED
        done = len(self._known) == every
        cut = not done and self._commands >= self.max_steps
        self.due = done or cut
        reward = len(self._known) / every - before / every
        return {"text": text}, reward, done, cut, self._info()

    def _info(self) -> dict[str, Any]:
        known, every = len(self._known), len(self.maze.edges)
        return {
            "commands": self._commands, "places": len(self._been), "moves": known, "of": every,
            "coverage": known / every,
        }  # fmt: skip

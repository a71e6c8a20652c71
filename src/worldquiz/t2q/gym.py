"""Task2Quiz as a Gymnasium environment: an episode is a world, with its tasks in order.

    env = gymnasium.make("worldquiz/T2Q-easy-v0", seed=0, reward="both")

Commands go in as text, and what a player would read comes out. The episode is played by `rollout`,
so its budget, its outcomes and its records are those of any agent's. `t2q.training` has the worlds
and the rewards.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import coroutine
from typing import TYPE_CHECKING, Any

from worldquiz.extras import need
from worldquiz.facts.episode import Episode, Observation
from worldquiz.gym import CHARACTERS, LONGEST_COMMAND, WorldEnv, WorldText
from worldquiz.splits import Split, check_choice
from worldquiz.t2q.rollout import play_through
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.training import PAID, Reward, Watched, Worlds

if TYPE_CHECKING:
    import gymnasium
else:
    gymnasium = need("gymnasium", extra="agents")

Seen = dict[str, str]
LONGEST = 8_192
"""Characters of a text that is observed, at most."""


@coroutine
def _asked(observation: Observation) -> Generator[Observation, str, str]:
    """Hand an observation to whoever runs the script; return the command that comes back."""
    return (yield observation)


class _Player:
    """An agent whose commands come from outside."""

    def __init__(self, tasks: int) -> None:
        self.tasks, self.begun, self.commands = tasks, 0, 0
        self.last: Observation | None = None
        self._news: list[str] = []  # what is told before the next observation

    async def begin(self, observation: Observation) -> None:
        self.begun += 1
        again = "" if self.begun == 1 else " The world is as at its start again."
        self._news.append(f"Task {self.begun} of {self.tasks}.{again}")

    async def act(self, observation: Observation) -> str:
        command = await _asked(observation)
        self.commands += 1
        return command

    async def end(self, observation: Observation) -> None:
        self.last = observation
        told = "The task is won." if observation.done else "The task is over; it is not won."
        self._news += [observation.text, told]

    def told(self, text: str = "") -> str:
        """Return a text after all that has to be told before it."""
        news, self._news = self._news, []
        return "\n\n".join([*news, text] if text else news)


class T2QEnv(WorldEnv):
    """Plays worlds of a level; close it when done.

    An observation is a dict of texts: `text`, `inventory` and the task's `objective`. `info` holds
    counts only: `tasks`, the current `task` (from 1), tasks `won`, `commands` given, `questions`,
    those `settled`, and their share, the `coverage`; and the `admissible_commands` where they are
    asked for. The episode is terminated when its last task
    is won, and truncated when the commands for its last task are used up.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        level: str = "easy",
        *,
        seed: int = 0,
        split: Split = "train",
        reward: Reward = "task",
        worlds: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
        admissible: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Make it; no world is built before a reset.

        Args:
            level: A level of `worldquiz t2q build`.
            seed: The seed of the first reset that is given none.
            split: "train" or "test"; they share no world.
            reward: "task", "knowledge" or "both".
            worlds: How many worlds there are; None for no end of them.
            max_steps: Most commands in each task.
            budget: Most commands, as a multiple of the walkthroughs'. Without either, the
                level's own.
            admissible: Put the commands that make sense into `info`: a tuple of texts under
                "admissible_commands". They follow from what is in sight or carried alone.
            render_mode: "ansi" for the last text.
        """
        check_choice("reward", reward, PAID)
        self._worlds = Worlds(level, split, worlds=worlds, max_steps=max_steps, budget=budget)
        super().__init__(seed=seed, split=split, worlds=worlds)
        self.level, self.reward, self.render_mode = level, reward, render_mode
        self._admissible = admissible
        self._earned = 0.0  # so far, by the rewards that are paid
        self._world: Watched | None = None
        self._script: Coroutine[Observation, str, tuple[Episode, ...]] | None = None
        self._shown: Seen = {}
        self.episodes: tuple[Episode, ...] = ()
        text = WorldText(LONGEST, min_length=0, charset=CHARACTERS)
        self.observation_space: Any = gymnasium.spaces.Dict(
            {"text": text, "inventory": text, "objective": text}
        )
        self.action_space = gymnasium.spaces.Text(LONGEST_COMMAND, charset=CHARACTERS - {"\n"})

    def _begin(self, number: int) -> tuple[Seen, dict[str, Any]]:
        self._leave()
        self._world = self._worlds.opened(number)
        tasks = self.bundle.tasks
        self._player = _Player(len(tasks))
        self._script = play_through(
            self._world, self._player, tasks,
            seed=self._world.number, name="gym", budget=self._worlds.budget,
        )  # fmt: skip
        begun = self._send(None), self._info()
        self._earned = self._watched.earned(self.reward)
        return begun

    @property
    def bundle(self) -> Bundle:
        """The world under way, its answers included: keep it from the agent."""
        return self._watched.bundle

    @property
    def _watched(self) -> Watched:
        if self._world is None:
            raise ValueError("no world is open: reset() is due")
        return self._world

    def step(self, action: str) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Give the game a command.

        Raises `ValueError` for an action that is no text, and where a reset is due.
        """
        self._check_step(action)
        seen, before = self._send(action), self._earned
        self._earned = self._watched.earned(self.reward)
        self.due, last = self._script is None, self._player.last
        won_last = last is not None and last.done
        return (
            seen, self._earned - before, self.due and won_last, self.due and not won_last,
            self._info(),
        )  # fmt: skip

    def render(self) -> str | None:
        """Return the last text."""
        return self._shown.get("text", "") if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Leave the game."""
        self._leave()

    def _leave(self) -> None:
        if self._script is not None:
            self._script.close()
            self._script, self.due = None, True
        if self._world is not None:
            self._world = None
        self.episodes = ()

    def _send(self, command: str | None) -> Seen:
        """Run the script to its next observation, or to its end; return what is observed."""
        assert self._script is not None
        try:
            observation = self._script.send(command)  # type: ignore[arg-type]
            text = self._player.told(observation.text)
        except StopIteration as ended:
            self._script, self.episodes = None, ended.value
            assert self._player.last is not None
            observation, text = self._player.last, self._player.told()
        self._shown = {
            "text": text,
            "inventory": observation.inventory,
            "objective": observation.objective,
        }
        return self._shown

    def _info(self) -> dict[str, Any]:
        player, knowing = self._player, self._watched.knowing
        info: dict[str, Any] = {
            "tasks": player.tasks,
            "task": player.begun,
            "won": self._watched.won,
            "commands": player.commands,
            "questions": knowing.questions,
            "settled": knowing.settled,
            "coverage": knowing.coverage,
        }
        if self._admissible:
            info["admissible_commands"] = self._watched.admissible
        return info

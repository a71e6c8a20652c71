"""Task2Quiz as a Gymnasium environment: an episode is a world, with its tasks in order.

    env = gymnasium.make("worldquiz/T2Q-easy-v0", seed=0, reward="both")

Actions are commands as text, and observations are the texts that a player would read.
`play_through` plays the episode, so its budget, outcomes and records are the same as for any other
agent. Worlds are numbered without end, and each is made when it is first played. The total reward
so far is one of these:

    task         tasks won / tasks: the task success rate
    knowledge    coverage minus the coverage at the start; the coverage is the share of questions
                 that are settled (whose answers follow from the facts shown)
    both         the sum of the two

The reward of a step is the change in this total, so the sum over an episode depends only on its
end: `knowledge` is an undiscounted potential. A trainer that also asks the quiz can reward answers
by `T2QEnv.quiz_score`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Generator, Sequence
from dataclasses import replace
from functools import lru_cache
from types import coroutine
from typing import TYPE_CHECKING, Any, Literal, get_args

from worldquiz.facts.episode import Episode, Observation
from worldquiz.facts.fact import Fact
from worldquiz.facts.knowledge import knowledge
from worldquiz.facts.requirement import Moment, earliest
from worldquiz.facts.row import ABSTAIN
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
from worldquiz.plugins import need
from worldquiz.t2q.builder import Plan, Slot, make
from worldquiz.t2q.question import Answer, Question
from worldquiz.t2q.quiz.ask import infer
from worldquiz.t2q.rollout import Played, play_through, question_rows
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world.config import PRESETS, Budget
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import Task, Transition

if TYPE_CHECKING:
    import gymnasium
else:
    gymnasium = need("gymnasium", extra="agents")

Reward = Literal["task", "knowledge", "both"]
KEPT = 256
"""Most worlds that a process keeps, since making a world takes longer than an episode."""


class Watched(Game):
    """A world with a record of the tasks won, and of the questions settled by the facts shown."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__(bundle.spec)
        self.bundle, self.won = bundle, 0
        self.told: float | None = None  # the coverage at the first reset
        self._truth, self._shown = bundle.truth, dict[Fact, Moment]()
        self._open = [each.requires for each in bundle.questions]  # of those not yet settled

    @property
    def settled(self) -> int:
        """Number of settled questions."""
        return len(self.bundle.questions) - len(self._open)

    @property
    def coverage(self) -> float:
        """The share of the questions that are settled."""
        return self.settled / max(len(self.bundle.questions), 1)

    def earned(self, reward: Reward) -> float:
        """Return the total reward so far."""
        task = self.won / len(self.bundle.tasks)
        knowledge = 0.0 if self.told is None else self.coverage - self.told
        return {"task": task, "knowledge": knowledge, "both": task + knowledge}[reward]

    def reset(self, task: Task) -> Transition:
        """Return to the initial state and announce the task."""
        transition = self._watch(super().reset(task))
        self.told = self.coverage if self.told is None else self.told
        return transition

    def step(self, action: str) -> Transition:
        """Carry out an agent's command."""
        return self._watch(super().step(action))

    def _watch(self, transition: Transition) -> Transition:
        """Record the facts that were revealed and the questions that they settle."""
        self.won += transition.done  # which ends the task
        later = self._task is not None and self._task.later
        facts = map(self.spec.dated, transition.revealed) if later else transition.revealed
        new = [fact for fact in facts if fact in self._truth and fact not in self._shown]
        if new:
            self._shown |= dict.fromkeys(new, Moment(0, len(self._shown)))
            self._open = [each for each in self._open if earliest(each, self._shown, infer) is None]
        return transition


@lru_cache(KEPT)
def built(level: str, split: Split, number: int) -> Bundle:
    """Return one world of a split with tasks and questions; its seed is used nowhere else."""
    slot = Slot(level, split_seed(split, number, level), f"{level}-{split}-{number}")
    return make(Plan(level, 0), slot)


Shown = dict[str, str]
LONGEST = 8_192
"""Most characters of an observed text."""


@coroutine
def _asked(observation: Observation) -> Generator[Observation, str, str]:
    """Pass an observation to the caller of `step`; return the command that comes back."""
    return (yield observation)


class _Player:
    """An agent whose commands come from outside."""

    def __init__(self, tasks: int) -> None:
        self.tasks, self.begun, self.commands = tasks, 0, 0
        self.last: Observation | None = None
        self._news: list[str] = []  # texts to show before the next observation

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
        """Return the messages that were not shown yet, followed by a text."""
        news, self._news = self._news, []
        return "\n\n".join([*news, text] if text else news)


class T2QEnv(WorldEnv):
    """Environment of the worlds of a level; close it when done.

    An observation is a dict of texts: `text`, `inventory` and the task's `objective`. `info` holds
    counts only: `tasks`, the current `task` (from 1), tasks `won`, `commands` given, `questions`,
    those `settled`, and their share, the `coverage`; also the `admissible_commands` if requested.
    The episode is terminated when its last task is won, and truncated when the commands for its
    last task are used up.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

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
    ) -> None:
        """Set up the environment; no world is built before a reset.

        Args:
            level: A preset of `worldquiz t2q build`, except paper.
            seed: Seed of the first world, if `reset` gets none.
            split: "train" or "test"; they share no world.
            reward: "task", "knowledge" or "both".
            worlds: Number of worlds; None for no limit.
            max_steps: Largest number of commands in each task.
            budget: Largest number of commands, as a multiple of the walkthroughs'. By default, if
                there is no `max_steps` either, the level's own.
            admissible: Add a tuple of sensible commands to `info` as "admissible_commands". They
                depend only on what is in sight or carried.
        """
        check_choice("reward", reward, get_args(Reward))
        check_choice("level", level, PRESETS)
        check_count("max_steps", max_steps, least=0)
        self._budget = Budget.of(max_steps, budget, Budget(None, PRESETS[level].budget))
        super().__init__(seed=seed, split=split, worlds=worlds)
        self.level, self.reward, self._admissible = level, reward, admissible
        self._earned = 0.0  # the total reward so far
        self._world: Watched | None = None
        self._script: Coroutine[Observation, str, tuple[Episode, ...]] | None = None
        self.episodes: tuple[Episode, ...] = ()
        text = WorldText(LONGEST, min_length=0, charset=CHARACTERS)
        self.observation_space: Any = gymnasium.spaces.Dict(
            {"text": text, "inventory": text, "objective": text}
        )
        self.action_space = gymnasium.spaces.Text(LONGEST_COMMAND, charset=CHARACTERS - {"\n"})

    def _begin(self, number: int) -> tuple[Shown, dict[str, Any]]:
        self.close()
        self._world = Watched(built(self.level, self.split, number))
        tasks = self.bundle.tasks
        self._player = _Player(len(tasks))
        self._script = play_through(
            self._world, self._player, tasks, seed=number, name="gym", budget=self._budget
        )
        begun = self._send(None), self._info(self._world)
        self._earned = self._world.earned(self.reward)
        return begun

    @property
    def bundle(self) -> Bundle:
        """The world being played, answers included: keep it from the agent."""
        if self._world is None:
            raise ValueError("no world is open: call reset() first")
        return self._world.bundle

    def step(self, action: str) -> tuple[Shown, float, bool, bool, dict[str, Any]]:
        """Give the game a command.

        Raises `ValueError` for an action that is not a text, or if a reset is due.
        """
        self._check_step(action)
        world = self._world
        assert world is not None
        seen, before = self._send(action), self._earned
        self._earned = world.earned(self.reward)
        self.due, last = self._script is None, self._player.last
        won = self.due and last is not None and last.done
        return seen, self._earned - before, won, self.due and not won, self._info(world)

    def quiz_score(self, asked: Sequence[Question], replies: Sequence[str]) -> float:
        """Return the knowledge score over some of the world's questions, after an episode.

        The score is at most 1, and below 0 if answers about what was shown are worse than guesses.
        Answers about anything else score nothing. A question without a reply counts as an
        abstention. The score is 0 if no question counts.
        """
        said = [*replies, *[ABSTAIN] * (len(asked) - len(replies))]
        bundle, answers = replace(self.bundle, questions=tuple(asked)), tuple(map(Answer, said))
        return knowledge(question_rows(Played(bundle, self.episodes, answers))) or 0.0

    def close(self) -> None:
        """Close the game being played."""
        if self._script is not None:
            self._script.close()
            self._script, self.due = None, True
        self._world, self.episodes = None, ()

    def _send(self, command: str | None) -> Shown:
        """Resume the episode until its next observation or its end; return the observation."""
        assert self._script is not None
        try:
            observation = self._script.send(command)  # type: ignore[arg-type]
            text = self._player.told(observation.text)
        except StopIteration as ended:
            self._script, self.episodes = None, ended.value
            assert self._player.last is not None
            observation, text = self._player.last, self._player.told()
        return {
            "text": text, "inventory": observation.inventory, "objective": observation.objective,
        }  # fmt: skip

    def _info(self, world: Watched) -> dict[str, Any]:
        info: dict[str, Any] = {
            "tasks": self._player.tasks,
            "task": self._player.begun,
            "won": world.won,
            "commands": self._player.commands,
            "questions": len(world.bundle.questions),
            "settled": world.settled,
            "coverage": world.coverage,
        }
        if self._admissible:
            info["admissible_commands"] = world.admissible
        return info

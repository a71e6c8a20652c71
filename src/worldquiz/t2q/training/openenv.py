"""Task2Quiz for OpenEnv: environment, messages, server and client.

    uvicorn --factory worldquiz.t2q.training.openenv:application    # serves it on port 8000

    with T2QClient(base_url="http://localhost:8000").sync() as client:
        result = client.reset(seed=0)
        result = client.step(T2QAction(text="go north"))

Each connection is a session with a world of its own. An action is what a model says: a command
while tasks are played, an answer in the quiz; `tool` ends a task or looks again. What cannot be
carried out is told in the observation, earns nothing and changes nothing. The folder
``examples/openenv_t2q`` has this in OpenEnv's own layout.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from worldquiz.errors import KnobError
from worldquiz.extras import need
from worldquiz.serve.session import LONGEST, ToolError
from worldquiz.splits import Split
from worldquiz.t2q.training.rewards import Rewards
from worldquiz.t2q.training.tools import ToolEpisode
from worldquiz.t2q.training.worlds import Worlds

if TYPE_CHECKING:
    from fastapi import FastAPI
    from openenv import core
    from openenv.core import env_server
else:
    core = need("openenv.core", extra="openenv")
    env_server = need("openenv.core.env_server", extra="openenv")

NAME = "worldquiz-t2q"
SESSIONS = 16
"""Connections at once, where nobody says how many."""
_building = threading.Lock()  # sessions have threads, and making a world is no work for two


class T2QAction(env_server.Action):
    """What an agent does."""

    text: str = Field(
        max_length=LONGEST,
        description="A command while tasks are played, an answer in the quiz; else empty.",
    )
    tool: Literal["say", "act", "answer", "look", "done"] = Field(
        "say",
        description="`say` is `act` while tasks are played and `answer` in the quiz. `done` ends "
        "the task under way, `look` shows again what is before you.",
    )
    all_tasks: bool = Field(False, description="With `done`: end all tasks, and go to the quiz.")


class T2QObservation(env_server.Observation):
    """What an agent is told, and what its step earned: `reward` is the sum of `rewards`."""

    text: str = Field("", description="What the game says, or the question that is asked.")
    refused: bool = Field(False, description="Whether the action could not be carried out.")
    rewards: dict[str, float] = Field(
        default_factory=dict, description="What this step earned: task, knowledge, quiz."
    )


class T2QState(env_server.State):
    """How far an episode is: counts only, no fact of the world."""

    level: str = ""
    split: str = ""
    number: int | None = Field(None, description="The world's number, as the seed of `reset`.")
    tasks: int = 0
    won: int = 0
    questions: int = 0
    settled: int = 0
    rewards: dict[str, float] = Field(default_factory=dict, description="Sums so far.")


class T2QEnvironment(env_server.Environment[T2QAction, T2QObservation, T2QState]):
    """An environment of OpenEnv; it holds one world at a time."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        level: str = "easy",
        split: Split = "train",
        *,
        questions: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
    ) -> None:
        """Make it of the options of `Worlds` and `ToolEpisode`. Raises `KnobError`."""
        super().__init__()
        worlds = Worlds(level, split, max_steps=max_steps, budget=budget)
        self._episode = ToolEpisode(worlds, questions)
        self._earned: Rewards | None = None  # None before a reset
        self._state = T2QState(level=level, split=split)

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> T2QObservation:
        """Begin the world of a seed; without one, any world."""
        number = SystemRandom().randrange(2**62) if seed is None else seed
        with _building:
            self._episode.begin(number)
        self._earned = Rewards()
        self._state = T2QState(
            episode_id=episode_id, level=self._state.level, split=self._state.split, number=number
        )
        return self._told(self._episode.look())

    def step(
        self, action: T2QAction, timeout_s: float | None = None, **kwargs: Any
    ) -> T2QObservation:
        """Carry out an action. Raises `ValueError` before the first reset."""
        if self._earned is None:
            raise ValueError("no episode has begun: reset() is due")
        self._state.step_count += 1
        try:
            return self._told(self._carried(action))
        except ToolError as error:
            return self._told(str(error), refused=True)

    def _carried(self, action: T2QAction) -> str:
        match action.tool:
            case "act":
                return self._episode.call("act", command=action.text)
            case "answer":
                return self._episode.call("answer", answer=action.text)
            case "look":
                return self._episode.look()
            case "done":
                return self._episode.call("done", all_tasks=action.all_tasks)
        return self._episode.say(action.text)

    def _told(self, text: str, *, refused: bool = False) -> T2QObservation:
        earned = self._episode.rewards
        rewards = asdict(earned - (self._earned or Rewards()))
        self._earned = earned
        return T2QObservation(
            text=text, refused=refused, rewards=rewards,
            reward=sum(rewards.values()), done=self._episode.over,
        )  # fmt: skip

    @property
    def state(self) -> T2QState:
        """How far the episode is."""
        if self._earned is not None:
            watched = self._episode.watched
            self._state.tasks, self._state.won = watched.tasks, watched.won
            self._state.questions = watched.knowing.questions
            self._state.settled = watched.knowing.settled
            self._state.rewards = asdict(watched.rewards)
        return self._state

    def close(self) -> None:
        """Free the game."""
        self._episode.close()


class T2QClient(core.EnvClient[T2QAction, T2QObservation, T2QState]):
    """A connection to a server, and so a session of its own."""

    def _step_payload(self, action: T2QAction) -> dict[str, Any]:
        return dict(action.model_dump(exclude={"metadata"}))

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        told = {"done": payload.get("done", False), "reward": payload.get("reward")}
        return core.client_types.StepResult(
            observation=T2QObservation(**{**payload.get("observation", {}), **told}), **told
        )

    def _parse_state(self, payload: dict[str, Any]) -> T2QState:
        return T2QState(**payload)


def application(told: Mapping[str, str] | None = None) -> FastAPI:
    """Return the server's application, as variables say (those of the process if absent).

    They are T2Q_LEVEL, T2Q_SPLIT, T2Q_QUESTIONS, T2Q_MAX_STEPS, T2Q_BUDGET and
    T2Q_SESSIONS. Raises `KnobError`.
    """
    kinds: dict[str, type] = {
        "level": str, "split": str, "questions": int, "max_steps": int, "budget": float,
        "sessions": int,
    }  # fmt: skip
    given = os.environ if told is None else told
    options = {
        name: _read(f"T2Q_{name.upper()}", given, kind)
        for name, kind in kinds.items()
        if f"T2Q_{name.upper()}" in given
    }
    sessions = options.pop("sessions", SESSIONS)
    make = partial(T2QEnvironment, **options)
    make().close()  # says now what would be wrong in every session
    found: FastAPI = env_server.create_app(
        make, T2QAction, T2QObservation,
        env_name=NAME, max_concurrent_envs=sessions, state_cls=T2QState,
    )  # fmt: skip
    return found


def _read(name: str, given: Mapping[str, str], kind: type) -> Any:
    try:
        return kind(given[name])
    except ValueError as error:
        raise KnobError(f"{name}: {given[name]!r} is no number") from error

"""Worlds of Task2Quiz as an environment of OpenEnv: messages, environment, server and client.

    pip install 'worldquiz[t2q]' gymnasium openenv
    uvicorn --factory --app-dir examples/training openenv_t2q:application

    with T2QClient(base_url="http://localhost:8000").sync() as client:
        result = client.reset(seed=0)
        result = client.step(T2QAction(text="go north"))

Each connection is a session with a world of its own. The text of an action is a command while tasks
are played, and an answer in the quiz that follows them.
"""

from __future__ import annotations

import os
import random
import threading
from functools import partial
from typing import Any

from openenv import core
from openenv.core import env_server
from pydantic import Field

from worldquiz.t2q.gym import T2QEnv
from worldquiz.t2q.prompts import question_text
from worldquiz.t2q.question import prompt

_building = threading.Lock()  # each session has a thread; worlds are made one at a time


class T2QAction(env_server.Action):
    """An agent's action."""

    text: str = Field(description="A command while tasks are played, an answer in the quiz.")


class T2QObservation(env_server.Observation):
    """The text for an agent, and the reward of its step; `reward` is the sum of `rewards`."""

    text: str = Field("", description="What the game says, or the question that is asked.")
    rewards: dict[str, float] = Field({}, description="This step: task, knowledge, quiz.")


class T2QEnvironment(env_server.Environment[T2QAction, T2QObservation, env_server.State]):
    """Plays a world's tasks through Gymnasium's environment, then asks its quiz."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, level: str = "easy", questions: int | None = None, **options: Any) -> None:
        """Ask at most `questions` questions; `options` go to Gymnasium's environment."""
        super().__init__()
        self._env, self._questions = T2QEnv(level, **options), questions
        self._state: env_server.State | None = None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> T2QObservation:
        """Begin the world of a seed; without a seed, a random world."""
        with _building:
            seen, self._info = self._env.reset(
                seed=random.randrange(2**62) if seed is None else seed
            )
        self._told, self._playing = self._info["coverage"], True
        self._asked = self._env.bundle.questions[: self._questions]
        self._replies: list[str] = []
        self._earned = self._rewards()
        self._state = env_server.State(episode_id=episode_id)
        return self._tell(seen["text"])

    def step(
        self, action: T2QAction, timeout_s: float | None = None, **kwargs: Any
    ) -> T2QObservation:
        """Give the game a command, or answer a question."""
        self.state.step_count += 1
        text = ""
        if self._playing:
            seen, _, won, cut, self._info = self._env.step(action.text)
            self._playing, text = not won and not cut, f"{seen['text']}\n\n"
        elif len(self._replies) < len(self._asked):
            self._replies.append(action.text)
        return self._tell(text if self._playing else text + self._question())

    def _question(self) -> str:
        if (number := len(self._replies)) == len(self._asked):
            return "This world is finished: stop here."
        text = question_text(prompt(self._asked[number]))
        return f"Question {number + 1} of {len(self._asked)}: {text}"

    def _tell(self, text: str) -> T2QObservation:
        before, self._earned = self._earned, self._rewards()
        rewards = {name: earned - before[name] for name, earned in self._earned.items()}
        over = not self._playing and len(self._replies) == len(self._asked)
        return T2QObservation(text=text, rewards=rewards, reward=sum(rewards.values()), done=over)

    def _rewards(self) -> dict[str, float]:
        """Return the rewards so far."""
        env, info = self._env, self._info
        quiz = env.quiz_score(self._asked, self._replies)
        won, known = info["won"] / info["tasks"], info["coverage"] - self._told
        return {"task": won, "knowledge": known, "quiz": quiz}

    @property
    def state(self) -> env_server.State:
        """The episode's id and number of steps."""
        if self._state is None:
            raise ValueError("no episode has begun: call reset() first")
        return self._state


class T2QClient(core.EnvClient[T2QAction, T2QObservation, env_server.State]):
    """A connection to a server, with its own session."""

    def _step_payload(self, action: T2QAction) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        told = {"done": payload.get("done", False), "reward": payload.get("reward")}
        seen = T2QObservation(**{**payload.get("observation", {}), **told})
        return core.client_types.StepResult(observation=seen, **told)

    def _parse_state(self, payload: dict[str, Any]) -> env_server.State:
        return env_server.State(**payload)


def application() -> Any:
    """Return the server's application; the variable T2Q_LEVEL gives the level, else easy."""
    make = partial(T2QEnvironment, os.environ.get("T2Q_LEVEL", "easy"))
    return env_server.create_app(
        make, T2QAction, T2QObservation, env_name="worldquiz-t2q", max_concurrent_envs=16
    )

"""Train a model on worlds of Task2Quiz with TRL's GRPO.

    pip install 'worldquiz[t2q]' gymnasium trl jmespath
    python examples/training/trl_t2q.py Qwen/Qwen3-0.6B

An episode is a world's tasks, then its quiz. TRL offers the public methods of `T2QTools` to the
model as tools, and shows the model the text of any error that they raise.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from worldquiz.facts.row import ABSTAIN
from worldquiz.t2q.gym import T2QEnv
from worldquiz.t2q.prompts import question_text
from worldquiz.t2q.question import prompt

INTRO = (
    "You are a player in a text game. `act` gives the game a command, such as `go north`, `open "
    "box` or `inventory`. You get a few tasks in the same world, then a quiz about how that world "
    f"was at its start. If you cannot know an answer from what you saw, answer {ABSTAIN}."
)


class T2QTools:
    """Environment for TRL; each public method except `reset` is a tool."""

    def __init__(
        self, level: str = "easy", *, questions: int | None = None, **options: Any
    ) -> None:
        """Ask at most `questions` questions; `options` go to Gymnasium's environment."""
        self._env, self._questions = T2QEnv(level, **options), questions

    def reset(self, seed: int = 0, **row: Any) -> str:
        """Begin the world of a row; return the game's text, which TRL appends to the prompt."""
        seen, self._info = self._env.reset(seed=seed)
        self._told, self._playing = self._info["coverage"], True
        self._asked = self._env.bundle.questions[: self._questions]
        self._replies: list[str] = []
        return str(seen["text"])

    def act(self, command: str) -> str:
        """Give the game one command in plain English; return what it says.

        Args:
            command: The command, such as "go north", "open box" or "inventory".
        """
        if not self._playing:
            raise ValueError(f"The tasks are over. {self._question()}")
        seen, _, won, cut, self._info = self._env.step(command)
        self._playing = not won and not cut
        return str(seen["text"]) if self._playing else f"{seen['text']}\n\n{self._question()}"

    def done(self) -> str:
        """End all tasks, won or not, and go to the quiz; return its first question."""
        while self._playing:
            self.act("look")
        return self._question()

    def answer(self, answer: str) -> str:
        """Answer the question of the quiz that is before you; return the next one.

        Args:
            answer: The answer, or "non-answerable" if you cannot know it.
        """
        if self._playing or len(self._replies) == len(self._asked):
            raise ValueError("No question is before you.")
        self._replies.append(answer)
        return self._question()

    def _question(self) -> str:
        number = len(self._replies)
        if number == len(self._asked):
            return "This world is finished: stop here."
        text = question_text(prompt(self._asked[number]))
        return f"Question {number + 1} of {len(self._asked)}: {text}"

    def _rewards(self) -> dict[str, float]:
        """Return the rewards so far."""
        env, info = self._env, self._info
        quiz = env.quiz_score(self._asked, self._replies)
        won, known = info["won"] / info["tasks"], info["coverage"] - self._told
        return {"task": won, "knowledge": known, "quiz": quiz}


def rows(worlds: int, first: int = 0) -> list[dict[str, Any]]:
    """Return dataset rows; all completions in a group play the world of one row."""
    said = [{"role": "user", "content": f"{INTRO}\n\n"}]  # TRL appends the text from `reset`
    return [{"prompt": said, "seed": seed} for seed in range(first, first + worlds)]


def reward(environments: Sequence[T2QTools], **row: Any) -> list[float]:
    """Return the sum of tasks won, coverage gained and the quiz's knowledge score."""
    return [sum(each._rewards().values()) for each in environments]


def main(model: str) -> None:
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    trainer = GRPOTrainer(
        model=model,
        train_dataset=Dataset.from_list(rows(1000)),
        environment_factory=lambda: T2QTools("easy", questions=5),
        reward_funcs=reward,
        args=GRPOConfig(max_completion_length=8192),
    )
    trainer.train()


if __name__ == "__main__":
    main(sys.argv[1])

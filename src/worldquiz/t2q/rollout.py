"""Task2Quiz's two stages in one world: an agent plays its tasks, an answerer takes its quiz.

The agent is handed observations, never a `Transition`; the episode records them, and beside them
the facts that each step revealed and changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from worldquiz.facts.episode import Episode, Outcome, Step
from worldquiz.facts.fact import State
from worldquiz.facts.row import Purpose, Usage
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Move
from worldquiz.t2q.question import Answer, Question, prompt
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world.config import Budget
from worldquiz.t2q.world.spec import Task, Transition, World


@dataclass(frozen=True, slots=True)
class Played:
    """A bundle, one agent's episodes in it (in task order), and its answers (in quiz order)."""

    bundle: Bundle
    episodes: tuple[Episode, ...]
    answers: tuple[Answer, ...]
    moves: tuple[tuple[int, Move], ...] = ()  # with their tasks, of a model that played
    usage: Mapping[Purpose, Usage] = field(default_factory=dict)  # of a model
    lost: str | None = None  # why the world failed: nothing was played, nothing was asked


async def play_through(
    world: World,
    agent: Agent,
    tasks: Sequence[Task],
    *,
    seed: int,
    name: str,
    budget: Budget,
) -> tuple[Episode, ...]:
    """Play a world's tasks in order with one agent, which may remember from one to the next.

    `name` is how records call the agent. An episode ends when its task is won, when the agent gives
    up (acts None) or when the commands for it are used up.
    """
    episodes: list[Episode] = []
    for number, task in enumerate(tasks):
        left = budget.left(tasks, number, sum(episode.actions for episode in episodes))
        transition, state = world.reset(task), world.state
        steps = [_step(0, None, transition, state, state)]
        await agent.begin(transition.observation)
        while not transition.observation.done and len(steps) <= left:
            action = await agent.act(transition.observation)
            if action is None:
                outcome = Outcome.GAVE_UP
                break
            transition = world.step(action)
            before, state = state, world.state
            steps.append(_step(len(steps), action, transition, before, state))
        else:
            outcome = Outcome.WON if transition.observation.done else Outcome.STEP_LIMIT
        await agent.end(transition.observation)
        episodes.append(Episode(world.spec.id, task.id, name, seed, outcome, tuple(steps)))
    return tuple(episodes)


def _step(
    index: int, action: str | None, transition: Transition, before: State, after: State
) -> Step:
    """Most commands change nothing, and many worlds then give the same object as their state."""
    same = before is after
    return Step(
        index,
        action,
        transition.command,
        transition.observation,
        transition.revealed,
        () if same else tuple(sorted(after - before)),
        () if same else tuple(sorted(before - after)),
    )


async def examine(
    answerer: AnswersQuiz, episodes: Sequence[Episode], questions: Sequence[Question]
) -> tuple[Answer, ...]:
    """Stage 2: every question of the world, from the transcripts and nothing else."""
    await answerer.study([episode.transcript for episode in episodes])
    return tuple(await answerer.answers([prompt(question) for question in questions]))

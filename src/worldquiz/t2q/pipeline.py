"""Task2Quiz (arXiv 2601.09503), section by section.

    2.1  environments     `environment`   parameters and a seed make a world
    2.2  tasks            `tasks`         targets, walkthroughs, Algorithm 1
    2.3  quiz             `questions`     facts of the initial state, with their checkpoints
    3.1  stage 1          `interact`      an agent meets every task of a world, in order
         stage 2          `examine`       an answerer answers from what the agent saw
    3.2  TSR, EUS         `scores`        from rows alone

`build` and `run` do this over a suite, on disk and in parallel. Where the paper is silent and what
we chose instead: docs/explanation/t2q.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from worldquiz.facts.episode import Episode, Outcome, Step
from worldquiz.facts.fact import State
from worldquiz.facts.question import Answer, Question, prompt
from worldquiz.facts.row import Row
from worldquiz.t2q import scoring
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, PreviewsQuiz
from worldquiz.t2q.budget import Budget
from worldquiz.t2q.quiz.answerability import Checkpoints
from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.tasks.targets import tasks as tasks  # section 2.2
from worldquiz.t2q.world.base import Transition, World
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import Task, WorldSpec


async def rollout(
    world: World, agent: Agent, task: Task, *, seed: int, name: str, max_steps: int
) -> Episode:
    """Play one task and return the episode.

    `name` is how records call the agent. It ends when the task is won, when the agent gives up
    (acts None) or after `max_steps` actions; raises `ValueError` where that is below 0.
    """
    if max_steps < 0:
        raise ValueError(f"max_steps is {max_steps}, wanted 0 or more")
    transition, state = world.reset(task), world.state
    steps = [_step(0, None, transition, state, state)]
    await agent.begin(transition.observation)
    while not transition.observation.done and len(steps) <= max_steps:
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
    return Episode(world.spec.id, task.id, name, seed, outcome, tuple(steps))


async def play_through(
    world: World,
    agent: Agent,
    tasks: Sequence[Task],
    *,
    seed: int,
    name: str,
    budget: Budget,
) -> tuple[Episode, ...]:
    """Play a world's tasks in order with one agent, which may remember from one to the next."""
    episodes: list[Episode] = []
    for number, task in enumerate(tasks):
        given = sum(episode.actions for episode in episodes)
        left = budget.left(tasks, number, given)
        episodes.append(await rollout(world, agent, task, seed=seed, name=name, max_steps=left))
    return tuple(episodes)


def play(
    world: World,
    agent: Agent,
    tasks: Sequence[Task],
    *,
    seed: int,
    name: str,
    budget: Budget,
) -> tuple[Episode, ...]:
    """Do as `play_through` from code that runs no event loop."""
    return asyncio.run(play_through(world, agent, tasks, seed=seed, name=name, budget=budget))


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


environment = generate
"""Section 2.1: draw a world, then lock 0.4 of its doors and containers, solvably."""
questions = ask
"""Section 2.3: the initial state in questions of five types."""


def bundle(spec: WorldSpec, *, share: float = 1) -> Bundle:
    """Return a world with its tasks and questions; equal worlds, equal bundles."""
    made = tasks(spec, share=share)
    return Bundle(spec, made, questions(spec, made))


interact = play_through
"""Stage 1: one episode a task, in task order; the world starts over, the agent remembers."""


async def examine(
    answerer: AnswersQuiz, episodes: Sequence[Episode], questions: Sequence[Question]
) -> tuple[Answer, ...]:
    """Stage 2: every question of the world, from the transcripts and nothing else.

    An answerer may see the whole sheet first (`PreviewsQuiz`): nothing in it should help.
    """
    await answerer.study([episode.transcript for episode in episodes])
    if isinstance(answerer, PreviewsQuiz):
        await answerer.preview([prompt(question) for question in questions])
    return tuple([Answer(q.id, await answerer.answer(prompt(q))) for q in questions])


def scores(rows: Iterable[Row], checkpoints: Checkpoints = Checkpoints.LAWS) -> scoring.Scores:
    """Return task success, environment understanding, and what tells them apart, with counts.

    `checkpoints` says by which rule questions count as answerable.
    """
    return scoring.scores(scoring.sittings(rows, checkpoints))

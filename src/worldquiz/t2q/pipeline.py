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

from worldquiz.t2q.quiz.ask import ask
from worldquiz.t2q.rollout import examine as examine  # section 3.1
from worldquiz.t2q.rollout import play_through
from worldquiz.t2q.scores import scores as scores  # section 3.2
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.tasks.targets import tasks as tasks  # section 2.2
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import WorldSpec

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

"""Task2Quiz (arXiv 2601.09503): an agent explores text games, then takes a quiz about them.

`build` makes a suite of worlds, `suite` makes a suite from your own worlds, and `load` opens a
suite. A suite's method `run` has an agent play its worlds and an answerer take the quizzes. The
other names are for authors of worlds: `Game` plays a `WorldSpec` by TextWorld's rules, and
`check_world` tests a world against the protocol `World`. Modules by section of the paper:

    2.1  environments        `world.generate`
    2.2  tasks               `tasks.planner` (walkthroughs), `tasks.targets` (Algorithm 1)
    2.3  quiz, checkpoints   `quiz.ask`, `rollout.visited`
    3.1  both stages         `rollout`
    3.2  scores TSR, EUS     `scores`, computed from a run's rows
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.t2q.builder import build as build
    from worldquiz.t2q.builder import suite as suite
    from worldquiz.t2q.check import check_world as check_world
    from worldquiz.t2q.front import T2QSuite as T2QSuite
    from worldquiz.t2q.front import load as load
    from worldquiz.t2q.world.game import Game as Game
    from worldquiz.t2q.world.spec import Proof as Proof
    from worldquiz.t2q.world.spec import Room as Room
    from worldquiz.t2q.world.spec import Solution as Solution
    from worldquiz.t2q.world.spec import Task as Task
    from worldquiz.t2q.world.spec import Transition as Transition
    from worldquiz.t2q.world.spec import Verb as Verb
    from worldquiz.t2q.world.spec import World as World
    from worldquiz.t2q.world.spec import WorldSpec as WorldSpec

__all__ = [
    "Game", "Proof", "Room", "Solution", "T2QSuite", "Task", "Transition", "Verb", "World",
    "WorldSpec", "build", "check_world", "load", "suite",
]  # fmt: skip

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "builder": "build suite",
        "check": "check_world",
        "front": "T2QSuite load",
        "world.game": "Game",
        "world.spec": "Proof Room Solution Task Transition Verb World WorldSpec",
    },
)

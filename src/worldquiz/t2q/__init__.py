"""Task2Quiz (arXiv 2601.09503): an agent explores text games, then takes a quiz about them.

`build` makes a suite of worlds, `suite` makes one of your own worlds, `load` opens one; a suite's
method `run` lets an agent play and an answerer answer. Where the paper's sections stand:

    2.1  environments        `world.generate`
    2.2  tasks               `tasks.planner` (walkthroughs), `tasks.targets` (Algorithm 1)
    2.3  quiz, checkpoints   `quiz.ask`, `quiz.answerability`
    3.1  both stages         `rollout`
    3.2  TSR, EUS            `scoring`, from rows alone
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldquiz.plugins import lazy_names

if TYPE_CHECKING:
    from worldquiz.t2q.check import check_world as check_world
    from worldquiz.t2q.front import T2QSuite as T2QSuite
    from worldquiz.t2q.front import build as build
    from worldquiz.t2q.front import load as load
    from worldquiz.t2q.front import suite as suite

__all__ = ["T2QSuite", "build", "check_world", "load", "suite"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "check_world": "worldquiz.t2q.check:check_world",
        **{name: f"worldquiz.t2q.front:{name}" for name in ("T2QSuite", "build", "load", "suite")},
    },
)

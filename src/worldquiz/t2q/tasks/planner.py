"""Walkthroughs: from a world's state to the shortest commands that reach a goal.

Everything that depends on the world alone is computed once, when a `Planner` is built: the closure
(what can be reached), the map's bridges and blocks, and, as they are asked for, distances. A goal
then costs about the length of its plan. First a dependency plan is made, which always works; then
A* looks for a shorter one between that plan and the lower bounds. If the search comes to its end
the plan is marked `Proof.SHORTEST`; if the budget runs out first, the dependency plan stands and is
marked `Proof.DEPENDENCY`. TextWorld itself has no planner for goals (arXiv 2601.09503, section 2.2,
derives walkthroughs from its quest generation).
"""

from __future__ import annotations

from worldquiz.errors import PlanError, did_you_mean
from worldquiz.facts.fact import CARRIED, Fact, State
from worldquiz.t2q.tasks.layout import TARGETS
from worldquiz.t2q.tasks.routes import GOALS, aim_at, commands, dependency_route
from worldquiz.t2q.tasks.search import Precomputed, shorter
from worldquiz.t2q.world.task import Proof, Solution

BUDGET = 1_000_000
"""Nodes that may be expanded for all things of a world together: seconds, whatever its size."""


class Planner:
    """Plans from one state of a world to any goals. Equal states give equal plans."""

    def __init__(self, state: State, *, budget: int = BUDGET) -> None:
        """Take a world apart.

        `budget` is dealt evenly among the rooms and things of the world: so many nodes may each
        goal's search expand. With 0, only plans that meet a lower bound are proven shortest.
        """
        if budget < 0:
            raise ValueError(f"budget: {budget} is below 0")
        self._state = state
        self._ground = Precomputed.of(state)
        self._layout = self._ground.layout
        self._budget = budget // len(self._layout.kinds)

    def plan(self, *goals: Fact) -> Solution:
        """Return commands that make a goal true, or have two things in hand; none if that holds.

        Goals are `GOALS`; only ``carried`` comes in pairs. Raises `PlanError` if nothing makes the
        goal true, `ValueError` if it is no such goal or names what the world does not have.
        """
        self._check(goals)
        left = tuple(goal for goal in goals if goal not in self._state)
        if not left:
            return Solution((), Proof.SHORTEST)
        ground = self._ground
        aim = aim_at(left, ground.layout, ground.closure, ground.musts)
        if aim is None:
            start = self._layout.rooms[self._layout.start]
            raise PlanError(
                f"goal {_named(goals)}: nothing the player can do from {start!r} makes it true; "
                "what it needs is locked away without a key, fixed in its place, or of a wrong kind"
            )
        route = dependency_route(ground.layout, ground.closure, ground.hops, aim)
        result = shorter(ground, aim, route.cost, self._budget)
        proof = Proof.SHORTEST if result.finished else Proof.DEPENDENCY
        return Solution(commands(self._layout, aim, result.route or route), proof)

    def _check(self, goals: tuple[Fact, ...]) -> None:
        predicates = [goal.predicate for goal in goals]
        names = [predicate.name for predicate in GOALS]
        if wrong := sorted(set(predicates).difference(names)):
            raise ValueError(f"goal {_named(goals)}: no plan aims at {wrong[0]!r}, only at {names}")
        if len(goals) != 1 and predicates != [CARRIED.name] * len(TARGETS):
            raise ValueError(f"goal {_named(goals)}: wanted is one, or two things to be carried")
        for name in (name for goal in goals for name in goal.args):
            if name not in self._layout.kinds:
                hint = did_you_mean(name, self._layout.kinds)
                raise ValueError(f"goal {_named(goals)}: no {name!r}{hint}")


def _named(goals: tuple[Fact, ...]) -> str:
    return " and ".join(map(str, goals)) or "none"

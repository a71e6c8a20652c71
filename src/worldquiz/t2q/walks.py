"""An explorer's walks through the games of a suite, for whoever records what it comes through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from worldquiz.errors import WorldError
from worldquiz.facts.fact import EATEN
from worldquiz.runs.benchmark import GameWalk
from worldquiz.t2q.agents.explorer import Explorer
from worldquiz.t2q.budget import PerTask
from worldquiz.t2q.rollout import play
from worldquiz.t2q.suites import open_suite
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb, WorldSpec

STEPS_A_ROOM = 60
"""Commands that the explorer may spend for each room; it stops by itself long before."""


def walks(path: Path, worlds: Sequence[str]) -> Iterator[GameWalk]:
    """Yield a walk through each game of a suite, or of some of its worlds.

    Raises `WorldError` for a suite without games for the Z-machine.
    """
    suite = open_suite(path)
    for world in worlds or suite.worlds:
        spec, game = suite.bundle(world).spec, suite.folder(world) / "game.z8"
        if not game.is_file():
            raise WorldError(f"{game}: no such game: build the suite with --games")
        yield GameWalk(world, game, walk(spec))


def walk(spec: WorldSpec) -> tuple[str, ...]:
    """Return commands that lead through all of a world that can be reached."""
    never = (EATEN("moon"),)  # the explorer ignores its task anyway
    nowhere = Task("explore", Verb.EAT, "moon", never, "", (), (), Solution((), Proof.SHORTEST))
    limit = PerTask(STEPS_A_ROOM * len(spec.rooms))
    (episode,) = play(Game(spec), Explorer(), [nowhere], seed=0, name="explorer", budget=limit)
    actions = [step.action for step in episode.steps if step.action is not None]
    return tuple(action.removeprefix("go ") for action in actions)

"""Runs in which an agent explores games, and then answers about the map of its own trajectory.

A game is a unit of work: it is explored to its end, or again from its beginning. What is asked
depends on the trajectory alone, so a question is answerable by construction, and a perfect keeper
of the trajectory's map is right on all. How much there is to know is told beside it, by coverage.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from worldquiz.errors import CatalogError, KnobError, WorldError, WorldquizError
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import AskingPlan, require_libraries
from worldquiz.mango.exploring.explorers import CATALOGUE, WALKTHROUGH
from worldquiz.mango.exploring.game import Game, canonical
from worldquiz.mango.exploring.grounds import Ground, digests
from worldquiz.mango.exploring.quiz import OwnReplies, plan_about, quizzed
from worldquiz.mango.exploring.records import KIND, Exploration, ExploredGame, write_lost
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.answerers import MAPPER, Answerer, ModelAnswerer, ObjectAnswerer
from worldquiz.mango.running.replies import replied
from worldquiz.runs.executor import Done, each
from worldquiz.runs.folder import MODEL, Worlds
from worldquiz.runs.given import (
    blamed,
    check_portable,
    code_of,
    fresh,
    name_of,
    settled,
    text_of,
)
from worldquiz.runs.losses import attempted
from worldquiz.runs.shard import Shard
from worldquiz.version import own_version

STEPS = 100
"""Commands by default."""


@dataclass(frozen=True)
class ExploringWork:
    """Who explores what for how long, and who answers."""

    games: Mapping[str, Ground]
    agent: object  # a name, an object, or what makes one
    steps: int
    asked: Asked
    chosen: Callable[[AskingPlan], Answerer] | None = None  # None: the agent answers itself
    retry_failed: bool = False
    jobs: int = 1
    kind = KIND
    noun = "games"

    @property
    def name(self) -> str:
        """What records call the agent."""
        return name_of(self.agent)

    @property
    def explorer(self) -> dict[str, Any]:
        """What a manifest says of who explores."""
        return {"agent": self.name, **code_of(agent=self.agent), "versions": own_version()}

    @property
    def itself(self) -> dict[str, Any]:
        """What a manifest says of an agent that answers itself."""
        return {"answerer": self.name}

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Who explores which games, and is asked what."""
        asked = {**self.asked.record(), "steps": self.steps}
        return {
            "kind": KIND,
            **self._answerer(self._nothing).record(),
            **self.explorer,
            **asked,
            "games": digests(self.games),
        }

    @property
    def units(self) -> Sequence[str]:
        """The games."""
        return tuple(self.games)

    def require(self) -> None:
        """Raise what says that the agent or the answerer cannot be had."""
        require_libraries()
        self._answerer(self._nothing).require()
        if self.agent != WALKTHROUGH:
            made(self.agent, self.asked.seed, ())
        check_portable((self.agent, tuple(self.games.values())), self.jobs)

    def preflight(self) -> None:
        """Check that a model can be asked."""
        who = self._answerer(self._nothing)
        if isinstance(who, ModelAnswerer):
            who.reach.preflight()

    def begin(self, out: Path) -> None:
        """Keep nothing beside the manifest."""

    def kept(self, out: Path, done: Done) -> Worlds:
        """Open the folders of the games."""
        return Worlds(out, done)

    def part(self, shard: str | None) -> Shard | None:
        """Return which part of the games is explored, None for all. Raises `KnobError`.

        The quiz of shards is asked when they are joined, so nobody may answer who costs something.
        """
        if shard is None:
            return None
        if isinstance(self._answerer(self._nothing), ModelAnswerer | ObjectAnswerer):
            raise KnobError(
                "--shard: the quiz is asked when the shards are joined: have a model explore too "
                f"(--agent {MODEL}), or let {MAPPER!r} or the agent itself answer"
            )
        return Shard.read(shard)

    def produce(self, left: Sequence[str], kept: Worlds, out: Path) -> None:
        """Explore the games that are left, spread over processes."""
        work = partial(
            attempted, partial(explore_one, self.agent, self.steps, self.asked, self.chosen is None)
        )
        grounds = [self.games[name] for name in left]
        for ground, found in each(work, grounds, jobs=self.jobs):
            if isinstance(found, WorldquizError):
                lose(ground.name, found, kept)
            else:
                kept.keep(ground.name, found.write)

    def plan(self, mazes: Mapping[str, Maze]) -> AskingPlan:
        """Return what is asked about some trajectories."""
        return plan_about(mazes, self.asked)

    def score(self, out: Path, kept: Worlds) -> dict[str, Any]:
        """Have the questions answered, and return the scores."""
        return quizzed(out, self.units, self.asked, self._answerer, retry_failed=self.retry_failed)

    @property
    def _nothing(self) -> AskingPlan:
        return AskingPlan(self.asked, {}, {}, ())

    def _answerer(self, plan: AskingPlan, replies: Mapping[Any, Any] | None = None) -> Answerer:
        return self.chosen(plan) if self.chosen else OwnReplies(self.itself, replies or {})


def explore_one(
    agent: object, steps: int, asked: Asked, itself: bool, ground: Ground
) -> Exploration:
    """Let an agent explore a game, and answer `itself` where nobody else does."""
    with closing(ground.opened()) as game:
        one = made(agent, asked.seed, game.walkthrough)
        return asyncio.run(_through(ground.name, game, one, steps, asked if itself else None,
                                    f"agent {name_of(agent)!r}"))  # fmt: skip


async def _through(
    name: str, game: Game, agent: Any, steps: int, asked: Asked | None, who: str
) -> Exploration:
    reached, maze = await explored(name, game, agent, steps, who)
    replies = []
    if asked is not None:
        plan = plan_about({name: maze}, asked)
        for item in plan.prompts.items.values():
            where = f"at question {item.id!r} of game {name!r}"
            with blamed(who, where):
                reply = await settled(agent.answer(plan.prompts.whole(item)))
            replies.append(replied(plan.prompts.about(item), text_of(reply, who, where)))
    return Exploration(reached, maze, replies)


def answers_itself(agent: object) -> bool:
    """Tell whether an agent has a method `answer`."""
    thing = CATALOGUE.load(agent) if isinstance(agent, str) else agent
    return callable(getattr(thing, "answer", None))


def made(agent: object, seed: int, walkthrough: Sequence[str]) -> Any:
    """Return an agent for one game. Raises `CatalogError`, `WorldError`."""
    thing: Any = CATALOGUE.load(agent) if isinstance(agent, str) else agent
    if agent == WALKTHROUGH:
        if not walkthrough:
            raise WorldError("no walkthrough of this game is known: give another agent")
        return thing(walkthrough)
    found = fresh(thing, "agent", seed=seed)
    if not callable(getattr(found, "act", None)):
        raise CatalogError(f"agent {name_of(agent)!r}: missing method 'act'")
    return found


async def explored(
    name: str, game: Game, agent: Any, steps: int, who: str = ""
) -> tuple[ExploredGame, Maze]:
    """Let an agent give a game so many commands at most; return how far it came, and its map.

    `who` is blamed for its errors; nobody is for those of our own agents.
    """
    told, commands = game.begin(), 0
    while commands < steps and not told.over:
        where = f"at command {commands + 1} in game {name!r}"
        with blamed(who, where) if who else nullcontext():
            command = await settled(agent.act(told.text))
        if command is None:
            break
        told = game.send(canonical(text_of(command, who, where)))
        commands += 1
    reached = ExploredGame(name, commands, told.over, game.coverage(), game.score())
    return reached, game.trajectory()


def lose(name: str, error: BaseException, kept: Worlds) -> None:
    """Note why a game could not be explored."""
    kept.lose(name, error, write_lost)

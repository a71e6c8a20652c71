"""Runs in which an agent explores games, and then answers about the map of its own trajectory.

A game is a unit of work: it is explored to its end, or again from its beginning. What is asked
depends on the trajectory alone, so a question is answerable by construction, and a perfect keeper
of the trajectory's map is right on all. How much there is to know is told beside it, by coverage.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError, WorldquizError
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import AskingPlan, planned_if_any, require_libraries
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.exploring.explorers import CATALOGUE, WALKTHROUGH
from worldquiz.mango.exploring.game import Game, canonical
from worldquiz.mango.exploring.grounds import Ground, digests
from worldquiz.mango.exploring.records import (
    KIND,
    QUIZ,
    Exploration,
    ExploredGame,
    read_trajectories,
    write_lost,
)
from worldquiz.mango.exploring.scores import scores
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.answerers import Answerer, ModelAnswerer
from worldquiz.mango.running.folder import fingerprints
from worldquiz.mango.running.replies import Replies, key, replied
from worldquiz.mango.running.run import quiz
from worldquiz.records import read_json
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, Worlds
from worldquiz.runs.given import blamed, code_of, fresh, name_of, settled, text_of
from worldquiz.runs.life import live
from worldquiz.version import own_version

STEPS = 100
"""Commands by default."""


@dataclass(frozen=True, slots=True)
class OwnReplies:
    """An agent that answered when it had explored."""

    name: str
    lines: Mapping[Any, Mapping[str, Any]]

    def record(self) -> Mapping[str, Any]:
        """Return its name."""
        return {"answerer": self.name}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(
        self, prompts: Prompts[Any], kept: Replies, out: Path, task: Callable[[], Any]
    ) -> None:
        """Keep the replies."""
        for item in prompts.items.values():
            about = prompts.about(item)
            if kept.find(about) is None:
                kept.keep(self.lines[key(about)])


@dataclass(frozen=True)
class ExploringWork:
    """Who explores what for how long, and who answers."""

    games: Mapping[str, Ground]
    agent: object  # a name, an object, or what makes one
    steps: int
    asked: Asked
    chosen: Callable[[AskingPlan], Answerer] | None = None  # None: the agent answers itself
    retry_failed: bool = False
    kind = KIND
    noun = "games"

    @property
    def name(self) -> str:
        """What records call the agent."""
        return name_of(self.agent)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Who explores which games, and is asked what."""
        asked = {**self.asked.record(), "steps": self.steps}
        return {
            "kind": KIND,
            "agent": self.name,
            **code_of(agent=self.agent),
            **self._answerer(AskingPlan(self.asked, {}, {}, ())).record(),
            "versions": own_version(),
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
        self._answerer(AskingPlan(self.asked, {}, {}, ())).require()
        if self.agent != WALKTHROUGH:
            made(self.agent, self.asked.seed, ())

    def preflight(self) -> None:
        """Check that a model can be asked."""
        who = self._answerer(AskingPlan(self.asked, {}, {}, ()))
        if isinstance(who, ModelAnswerer):
            who.reach.preflight()

    def begin(self, out: Path) -> None:
        """Keep nothing beside the manifest."""

    def kept(self, out: Path, done: Done) -> Worlds:
        """Open the folders of the games."""
        return Worlds(out, done)

    def produce(self, left: Sequence[str], kept: Worlds, out: Path) -> None:
        """Explore the games that are left."""
        for name in left:
            try:
                found = asyncio.run(self._explored(name))
                kept.keep(name, found.write)
            except WorldquizError as error:
                lose(name, error, kept)

    async def _explored(self, name: str) -> Exploration:
        game = self.games[name].opened()
        try:
            agent = made(self.agent, self.asked.seed, game.walkthrough)
            return await self.through(name, game, agent)
        finally:
            game.close()

    async def through(self, name: str, game: Game, agent: Any) -> Exploration:
        """Let an agent explore a game, and answer where nobody else does."""
        reached, maze = await explored(name, game, agent, self.steps, f"agent {self.name!r}")
        replies = [] if self.chosen else await self._replies(agent, maze)
        return Exploration(reached, maze, replies)

    async def _replies(self, agent: Any, maze: Maze) -> list[dict[str, Any]]:
        plan, found = self.plan({maze.name: maze}), []
        for item in plan.prompts.items.values():
            where = f"at question {item.id!r} of game {maze.name!r}"
            with blamed(f"agent {self.name!r}", where):
                reply = await settled(agent.answer(plan.prompts.whole(item)))
            text = text_of(reply, f"agent {self.name!r}", where)
            found.append(replied(plan.prompts.about(item), text))
        return found

    def plan(self, mazes: Mapping[str, Maze]) -> AskingPlan:
        """Return what is asked about some trajectories, each read to its end."""
        return planned_if_any(
            {name: each for name, each in mazes.items() if each.edges}, self.asked
        )

    def score(self, out: Path, kept: Worlds) -> dict[str, Any]:
        """Have the questions answered, and return the scores."""
        mazes, replies = read_trajectories(out, self.units)
        plan = self.plan(mazes)
        _clear_stale(out / QUIZ, plan)
        if plan.questions:
            work = quiz(plan, self._answerer(plan, replies))
            live(work, out / QUIZ, silent, retry_failed=self.retry_failed)
        return scores(out, out / QUIZ if plan.questions else None)

    def _answerer(self, plan: AskingPlan, replies: Mapping[Any, Any] | None = None) -> Answerer:
        return self.chosen(plan) if self.chosen else OwnReplies(self.name, replies or {})


def answers_itself(agent: object) -> bool:
    """Tell whether an agent has a method `answer`."""
    thing = CATALOGUE.load(agent) if isinstance(agent, str) else agent
    return callable(getattr(thing, "answer", None))


def made(agent: object, seed: int, walkthrough: Sequence[str]) -> Any:
    """Return an agent for one game. Raises `CatalogError`, `TypeError`, `WorldError`."""
    thing: Any = CATALOGUE.load(agent) if isinstance(agent, str) else agent
    if agent == WALKTHROUGH:
        if not walkthrough:
            raise WorldError("no walkthrough of this game is known: give another agent")
        return thing(walkthrough)
    found = fresh(thing, "agent", seed=seed)
    if not callable(getattr(found, "act", None)):
        raise TypeError(f"agent {name_of(agent)!r} has no method 'act'")
    return found


async def explored(
    name: str, game: Game, agent: Any, steps: int, who: str
) -> tuple[ExploredGame, Maze]:
    """Let an agent give a game so many commands at most; return how far it came, and its map."""
    told, commands = game.begin(), 0
    while commands < steps and not told.over:
        where = f"at command {commands + 1} in game {name!r}"
        with blamed(who, where):
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


def _clear_stale(folder: Path, plan: AskingPlan) -> None:
    """Remove what was asked about other trajectories: a game that had failed was tried again."""
    manifest = folder / MANIFEST
    if manifest.is_file() and read_json(manifest).get("mazes") != fingerprints(plan.mazes):
        shutil.rmtree(folder)

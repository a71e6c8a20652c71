"""A run on a suite: an agent plays every task of a world, then an answerer takes its quiz.

The unit of work is a world: one process plays it, grades it and stores it (`run_folder`). So its
records are the same, byte for byte, whatever process or machine of a cluster plays it. A language
model is agent, answerer or both. It plays as many worlds at once as it has connections, and its
calls are stored (`llm.calls`), so a killed run continues without repeating a call.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz import rng
from worldquiz.errors import (
    KnobError,
    MissingExtra,
    ReplyTypeError,
    WorldError,
    WorldquizError,
)
from worldquiz.facts.episode import Episode
from worldquiz.facts.row import Purpose
from worldquiz.runs.executor import Done, cluster, each, silent
from worldquiz.runs.folder import MANIFEST, MODEL, note, sweep, world_folder
from worldquiz.runs.given import check_portable, code_of, fresh, name_of
from worldquiz.runs.losses import Passing, passing, reason_of
from worldquiz.runs.settings import PROMPTS, declared
from worldquiz.t2q.agents.base import Agent, AnswersQuiz
from worldquiz.t2q.agents.catalog import AGENTS, ANSWERERS
from worldquiz.t2q.quiz.own_play import asked_of
from worldquiz.t2q.rollout import Played, examine, play_through
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.suites import Bundle, Suite
from worldquiz.t2q.world.config import Budget
from worldquiz.version import own_version

if TYPE_CHECKING:
    from worldquiz.llm.calls import Calls
    from worldquiz.llm.client import Reach
    from worldquiz.llm.model import Model
    from worldquiz.memory.base import Embedder
    from worldquiz.memory.catalog import MemoryEntry
    from worldquiz.t2q.agents.remote import Remote


Models = tuple["Model", "Model"]
"""Models of a run: its own, and that of its memory."""


@dataclass(frozen=True)
class WorldsRun:
    """A run of an agent and an answerer. Equal settings on equal suites give equal runs.

    Agent and answerer are each a name, `MODEL`, an object, or a class or function that makes one.
    If both are the same object or class, a single instance acts in a world and answers about it.
    """

    suite: Suite
    agent: object
    answerer: object
    given: T2QSettings
    noun = "worlds"

    @property
    def units(self) -> Sequence[str]:
        """The worlds."""
        return self.suite.worlds

    @property
    def by_model(self) -> tuple[bool, bool]:
        """Return whether the model acts, and whether it answers."""
        acts, answers = (isinstance(w, str) and w == MODEL for w in (self.agent, self.answerer))
        return acts, answers

    @cached_property
    def budget(self) -> Budget:
        """Limit on the commands that the agent may give."""
        return Budget.of(self.given.max_steps, self.given.budget, self.suite.budget)

    @cached_property
    def reach(self) -> Reach | None:
        """The model's address and limits, None without a model."""
        if self.given.model is None:
            return None
        from worldquiz.llm.client import Reach

        return Reach(self.given)

    @cached_property
    def memory(self) -> MemoryEntry:
        """The entry of the model's memory in the catalogue."""
        from worldquiz.memory.catalog import entry

        return entry(self.given.memory)

    @cached_property
    def embedder(self) -> Embedder | None:
        """The memory's embedder, loaded once, which may take seconds; None where it needs none."""
        if not self.memory.embeds:
            return None
        from worldquiz.memory.embed import embedder

        return embedder(self.given.embedder)

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run: what it measures (agent, model, memory), and on which suite.

        Inside inspect_ai, the model is left out, since inspect's own log names it.
        """
        given, versions = self.given, own_version()
        told: dict[str, Any] = {
            "kind": "run",
            "suite": self.suite.digest,
            "worlds": list(self.units),
            "agent": name_of(self.agent),
            "answerer": name_of(self.answerer),
            "seed": given.seed,
            "max_steps": self.budget.max_steps,
        }
        if self.budget.times is not None:
            told["budget"] = self.budget.times
        code = {"agent": AGENTS.own(self.agent), "answerer": ANSWERERS.own(self.answerer)}
        if given.own_play is not None:
            told |= {"own_play": given.own_play, "horizon": given.horizon}
        for name in ("wording", "distractors"):
            if value := getattr(given, name):
                told[name] = value
        if any(self.by_model):
            from worldquiz.memory.catalog import version

            if known := version(given.memory):
                versions |= {self.memory.name: known}
            options = [name for name, (_, s) in declared(T2QSettings).items() if s.panel == PROMPTS]
            on = [name for name in options if getattr(given, name) != getattr(T2QSettings, name)]
            told["options"] = {name: getattr(given, name) for name in on}
            told["memory"] = self.memory.name
            told["embedder"] = given.embedder if self.memory.embeds else None
            told["wiring"] = {name: getattr(given, name) for name in ("granularity", "k", "recent")}
            code["memory"] = given.memory
        if self.reach:
            told |= self.reach.record()
            theirs = given.memory_model or self.reach.model
            told["memory_model"] = theirs if self.memory.calls_model else None
        return {**told, "versions": versions, **code_of(**code)}

    def require(self) -> None:
        """Check the players, the game, the memory with its embedder, and the model's settings."""
        given, reach, (acts, answers) = self.given, self.reach, self.by_model
        agent, answerer = name_of(self.agent), name_of(self.answerer)
        _ = self.budget  # raises if it is invalid
        if reach:
            if not (acts or answers):
                raise KnobError(f"{agent} and {answerer} need no model: leave `model` out")
            if library := self.memory.missing:
                raise MissingExtra(library, self.memory.extra)
        self._seated(self.suite.first_opened())
        if reach:
            self._models(reach)
        else:
            check_portable((self.agent, self.answerer), given.jobs or 1)

    def begin(self, out: Path) -> None:
        """Record the suite's folder in the run."""
        note(self.suite.path, out)

    def kept(self, out: Path, done: Done) -> PlayedWorlds:
        """Open the worlds stored so far."""
        return PlayedWorlds(out, done, self.suite.bundle)

    def produce(self, left: Sequence[str], kept: PlayedWorlds, out: Path) -> None:
        """Play the worlds: with a model, side by side in this process; else in several processes.

        On a cluster, each worker plays as many of a model's worlds at once as it has connections,
        instead of waiting for the replies in one.
        """
        if self.reach and cluster.get() is None:
            self.ask(left, kept, self.reach)
            return
        given, size = self.given, 1
        if self.reach:
            from worldquiz.runs.ray_cluster import workers

            many = min(workers(), len(left))
            given = replace(given, connections=max(1, given.connections // many))
            size = min(given.connections, ceil(len(left) / many))
        units = [left[at : at + size] for at in range(0, len(left), size)]
        work = partial(_apart, self.suite.path, (self.agent, self.answerer, given), out)
        for unit, faults in each(work, units, jobs=given.jobs or 1):
            kept.losses.update(faults)
            for world in unit:
                if world not in faults:
                    kept.done(world)
        sweep(out)

    def ask(self, worlds: Sequence[str], kept: PlayedWorlds, reach: Reach) -> None:
        """Have the model play some worlds side by side, the longest first."""
        from worldquiz.llm.calls import Calls, each_asked

        models = self._models(reach)

        async def sitting(world: str) -> None:
            calls = Calls(kept.out, world, kept.done)
            try:
                play = partial(self.sit, world, models, calls=calls)
                played = await calls.played(f"world {world}", play)
                kept.keep_played(played)
            except ReplyTypeError:
                raise
            except Exception as error:  # whatever a provider or a memory raises
                kept.losses[world] = error
            else:
                if not any(answer.failure for answer in played.answers):
                    calls.forget()  # after a failure they stay, so no reply is paid for twice

        longest = longest_first(self.suite, worlds)
        each_asked(sitting, longest, reach, models, kept.spent())

    def _models(self, reach: Reach) -> Models:
        """Return the run's model and its memory's. Raises an error if one cannot be called.

        The memory's model has no token limit, since a memory cannot use JSON that is cut off.
        """
        reach.require()
        _ = self.embedder  # raises where it cannot be loaded
        return reach.made(), reach.made(self.given.memory_model, without="max_tokens")

    async def by_tools(self, world: str) -> tuple[Played, str]:
        """Let an agent that calls tools play a world and take its quiz.

        Returns the played world and the closing message. `agents.remote` describes the calls.
        """
        from worldquiz.t2q.agents.remote import Remote

        tasks = self.suite.bundle(world).tasks
        remote = Remote(len(tasks), partial(self.budget.left, tasks))
        return await self.sit(world, remote=remote), remote.farewell()

    async def sit(
        self,
        world: str,
        models: Models | None = None,
        *,
        remote: Remote | None = None,
        calls: Calls | None = None,
    ) -> Played:
        """Let the agent play a world's tasks, then the answerer take its quiz.

        `remote`, if given, does both. `calls` stores a model's replies, to resume from. Raises
        `Diverged` if the stored replies are to other prompts.
        """
        bundle, given = self.suite.bundle(world), self.given
        llm = None
        if models is not None:
            from worldquiz.llm.calls import Calls
            from worldquiz.memory.base import Services
            from worldquiz.memory.catalog import memory as made
            from worldquiz.t2q.agents.llm import LLM

            counting = calls or Calls()
            theirs = counting.counting(models[1], Purpose.MEMORY)
            memory = made(given.memory, Services(theirs, self.embedder, world, given.k))
            llm = LLM(counting, models[0], memory, given)
        try:
            players = (remote, lambda *_: remote) if remote else self._seated(bundle, llm)
            agent, answerer = players
            with self.suite.opened(bundle) as game:
                episodes = await play_through(
                    game, agent, bundle.tasks, seed=self._seed(bundle), name=name_of(self.agent),
                    budget=self.budget, distractors=given.distractors,
                )  # fmt: skip
            bundle, lived = asked_of(bundle, episodes, given.wording, given.own_play, given.horizon)
            answers = await examine(answerer(bundle, episodes), episodes, bundle.questions)
            played = Played(bundle, episodes, answers, lived=lived)
            if llm is None:
                return played
            return replace(played, moves=tuple(llm.moves), usage=llm.calls.usage())
        finally:
            if llm:
                llm.memory.close()

    def _seated(
        self, bundle: Bundle, llm: Any = None
    ) -> tuple[Agent, Callable[[Bundle, Sequence[Episode]], AnswersQuiz]]:
        """Return the agent, and a function from a bundle and its episodes to the answerer."""
        seed = self._seed(bundle)
        if self.agent is self.answerer and not isinstance(self.agent, str):
            made = fresh(self.agent, "agent", seed=seed)
            agent = AGENTS.seated(made, self.agent, bundle.spec.id)
            answerer = ANSWERERS.seated(made, self.answerer, bundle.spec.id)
            return agent, lambda *_: answerer
        acts, answers = self.by_model
        if not answers:
            ANSWERERS.made(self.answerer, bundle, seed)  # raises where it cannot be made
        return (
            llm if acts else AGENTS.made(self.agent, bundle, seed),
            lambda asked, episodes: (
                llm if answers else ANSWERERS.made(self.answerer, asked, seed, episodes)
            ),
        )

    def _seed(self, bundle: Bundle) -> int:
        return rng.child_seed(self.given.seed, bundle.spec.id)


def longest_first(suite: Suite, worlds: Sequence[str]) -> list[str]:
    """Return worlds sorted by the likely number of calls, the most first; ties keep their order.

    A run ends sooner if its longest world begins first. The estimate is tasks times rooms, since
    tasks in larger worlds take more commands; questions are asked in parallel and matter little.
    """
    entries = {world: suite.entry(world) for world in worlds}
    return sorted(worlds, key=lambda world: -entries[world]["tasks"] * entries[world]["rooms"])


def _apart(
    suite: Path, who: tuple[object, object, T2QSettings], out: Path, worlds: Sequence[str]
) -> dict[str, WorldquizError]:
    """Play some worlds of a run in this process, and store them in the run's folder.

    Returns the errors of worlds that could not be finished, in a form that pickles. Raises an error
    that the world did not cause, such as a full disk.
    """
    work = WorldsRun(_opened(suite, (suite / MANIFEST).stat().st_mtime_ns), *who)
    kept = work.kept(out, silent)
    left = [each for each in worlds if not world_folder(out, each).is_dir()]  # a worker died here
    if work.reach is not None:
        work.ask(left, kept, work.reach)
        return {world: _sendable(fault) for world, fault in kept.losses.items()}
    faults: dict[str, WorldquizError] = {}
    for world in left:
        try:
            kept.keep_played(asyncio.run(work.sit(world)))
        except WorldquizError as error:
            if passing(error):
                raise
            faults[world] = error
    return faults


def _sendable(fault: BaseException) -> WorldquizError:
    """Return an error in a form that can be sent to another process."""
    if isinstance(fault, WorldquizError):
        return fault
    return (Passing if passing(fault) else WorldError)(reason_of(fault))


@lru_cache(1)
def _opened(path: Path, written: int) -> Suite:
    """Return a suite, opened once per process, since a long manifest takes long to read."""
    return Suite.load(path)

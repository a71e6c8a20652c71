"""Run a model over a suite, world by world, as ``worldquiz t2q run --model`` does.

Worlds are played side by side, as many as there are connections, and written into the run's folder
as they are finished; the calls of the others are kept (`llm.calls`). So a killed run goes on
without repeating a call.

With several processes (``--jobs``), each plays some of the worlds with its share of connections. A
world is played by one process, so its records are those of a run in one process, byte for byte.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

from worldquiz.errors import WorldError, WorldquizError
from worldquiz.llm.asking import each_asked
from worldquiz.llm.calls import Calls, gone_on, made
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Purpose, Usage
from worldquiz.memory.base import Embedder
from worldquiz.memory.setup import remembering
from worldquiz.runs.executor import current_cluster, each, silent
from worldquiz.runs.folder import sweep
from worldquiz.runs.given import check_portable
from worldquiz.runs.losses import LimitReached, Passing, passing, reason_of
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.llm.trial import Subject, sit
from worldquiz.t2q.run import OnSuite
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite, open_suite

LOOK = 1.0
"""Seconds between two looks at what other processes have finished."""


@dataclass(frozen=True)
class ModelRun(OnSuite):
    """A run of a language model with a memory."""

    subject: Subject
    reach: Reach
    memory_model: str | None = None  # by which memories call; the same model if absent
    jobs: int = 1  # processes

    @cached_property
    def embedder(self) -> Embedder | None:
        """The memory's embedder, loaded once."""
        return self.subject.embedding()

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the run: what it measures (model, memory, settings), and on which suite."""
        return self.stated(
            {
                **self.subject.record(),
                **self.reach.record(),
                "memory_model": self.subject.setup.calls(self.reach, self.memory_model),
            }
        )

    def require(self) -> None:
        """Check the game, the memory with its embedder, whoever plays beside, then the model."""
        subject = self.subject
        subject.require()
        bundle = self.suite.first_opened(subject.engine)
        brief = Brief(bundle.spec, bundle.tasks, bundle.questions, subject.seed)
        if not subject.acts:
            agents.agent(subject.agent, brief)
        if not subject.answers:
            agents.answerer(subject.answerer, brief)
        check_portable((subject.agent, subject.answerer, subject.memory), self.jobs)
        self.reach.require()
        remembering(self.reach, self.memory_model)
        _ = self.embedder

    def preflight(self) -> None:
        """Check that the models can be asked."""
        self.reach.preflight(self.memory_model)

    def produce(self, left: Sequence[str], kept: PlayedWorlds, out: Path) -> None:
        """Play the worlds: in this process, in several, or on a cluster's machines."""
        processes = min(self.jobs, len(left), self.reach.connections)
        if current_cluster() is not None:  # a unit that dies there is begun anew, so it is small
            self._spread([(world,) for world in left], kept, out, self.reach)
        elif processes > 1:
            reach = self.reach.shared(processes)
            self._spread(self._dealt(left, processes), kept, out, reach, spent_so_far(kept))
        else:
            self.play(left, kept, out)

    def _dealt(self, worlds: Sequence[str], hands: int) -> list[tuple[str, ...]]:
        """Deal worlds out, those with the most calls first, so that hands take about as long."""
        dealt: list[list[str]] = [[] for _ in range(hands)]
        loads = [0] * hands
        for world in longest_first(self.suite, worlds):
            least = loads.index(min(loads))
            dealt[least].append(world)
            loads[least] += expected(self.suite, world)
        return [tuple(hand) for hand in dealt if hand]

    def _spread(
        self,
        hands: Sequence[tuple[str, ...]],
        kept: PlayedWorlds,
        out: Path,
        reach: Reach,
        spent: Sequence[Usage] | None = None,
    ) -> None:
        """Have other processes play some worlds each, into the run's folder."""
        subject, model = self.subject, self.memory_model
        work = partial(_play_apart, self.suite.path, subject, reach, model, spent, out)
        with _telling(kept, [world for hand in hands for world in hand]):
            for _, faults in each(work, hands, jobs=len(hands)):
                for world, fault in faults.items():
                    kept.lose(self.suite.bundle(world), fault)
        sweep(out)

    def play(
        self,
        worlds: Sequence[str],
        kept: PlayedWorlds,
        out: Path,
        spent: Sequence[Usage] | None = None,
    ) -> None:
        """Play some worlds side by side, the longest first.

        `spent` is what the run took before, by default what its folder tells now.
        """
        model, memory_model = self.reach.made(), remembering(self.reach, self.memory_model)

        async def play(world: str) -> None:
            def sitting(calls: Calls) -> Awaitable[Played]:
                return sit(
                    self.suite, world, self.subject, model, memory_model, self.embedder, calls,
                    self.reach.asks,
                )  # fmt: skip

            try:
                await played_on(kept, world, sitting)
            except Exception as error:  # whatever a provider or a memory raises
                kept.lose(self.suite.bundle(world), error)

        before = spent_so_far(kept) if spent is None else spent
        longest = longest_first(self.suite, worlds)
        each_asked(play, longest, self.reach, (model, memory_model), before)


async def played_on(
    kept: PlayedWorlds, world: str, play: Callable[[Calls], Awaitable[Played]]
) -> Played:
    """Play a world and keep it; replies kept from before are not asked for again."""
    calls = Calls(kept.out, world, kept.done)
    played = await gone_on(f"world {world}", calls, lambda: play(calls))
    kept.keep_played(played)
    if not played.failures:  # else what was replied beside them is not paid twice
        calls.forget()
    return played


def spent_so_far(kept: PlayedWorlds) -> list[Usage]:
    """Return what a run took: of its finished worlds, and of the calls of the others."""
    under_way = [
        reply.usage(Purpose.ACT)
        for world, replies in made(kept.out)
        if not kept.has(world)
        for reply in replies
    ]
    return [*kept.spent(), *under_way]


def longest_first(suite: Suite, worlds: Sequence[str]) -> list[str]:
    """Return some worlds, those first that likely take most calls: ties keep their order.

    A run takes as long as its longest world where that one begins at once. Tasks lead through more
    rooms where there are more; questions are asked together, and count little.
    """
    return sorted(worlds, key=lambda world: -expected(suite, world))


def expected(suite: Suite, world: str) -> int:
    """Return a measure of how many calls a world likely takes beside others."""
    entry = suite.entry(world)
    return int(entry["tasks"]) * int(entry["rooms"])


def _play_apart(
    suite: Path,
    subject: Subject,
    reach: Reach,
    memory_model: str | None,
    spent: Sequence[Usage] | None,
    out: Path,
    worlds: Sequence[str],
) -> Mapping[str, WorldquizError]:
    """Play some worlds of a run in another process, into the run's folder.

    Returns why some could not be finished, in a form that can be sent: the others go on.
    """
    kept = PlayedWorlds(out, silent)
    ModelRun(open_suite(suite), subject, reach, memory_model).play(worlds, kept, out, spent)
    return {world: _sendable(fault) for world, fault in kept.losses.items()}


def _sendable(fault: BaseException) -> WorldquizError:
    """Return a fault of the same kind, without what no process can be sent."""
    reason = reason_of(fault)
    if isinstance(fault, LimitReached):
        return LimitReached(reason)
    return Passing(reason) if passing(fault) else WorldError(reason)


@contextmanager
def _telling(kept: PlayedWorlds, worlds: Sequence[str]) -> Iterator[None]:
    """Tell of each world that other processes finish meanwhile."""
    left, over = list(worlds), Event()

    def tell() -> None:
        for world in list(filter(kept.has, left)):
            left.remove(world)
            kept.done(world)

    def watch() -> None:
        while not over.wait(LOOK):
            tell()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        tell()

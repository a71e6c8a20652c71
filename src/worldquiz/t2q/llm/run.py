"""Run a model over a suite, world by world, as ``worldquiz t2q run --model`` does.

The work is inspect's (`task`), its eval logs are in ``RUN/logs``. Worlds are written into the run's
folder as they are finished, so a killed run resumes without repeating a call of a finished world:
its records are read, scored with the others, and stand in the last log again.

With several processes (``--jobs``), each plays some of the worlds, all at once, with its share of
the connections, and writes an eval log of its own. A world is played by one process, so its records
are those of a run in one process, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

from worldquiz.errors import WorldError, WorldquizError
from worldquiz.llm.client import Reach, evaluate, only
from worldquiz.llm.records import Usage
from worldquiz.llm.usage import spent_of
from worldquiz.memory.base import Embedder
from worldquiz.memory.setup import MEMORY_ROLE, remembering
from worldquiz.runs.executor import current_cluster, each, silent
from worldquiz.runs.folder import Worlds, sweep
from worldquiz.runs.given import check_portable
from worldquiz.runs.losses import LimitReached, Passing, passing, reason_of
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Brief
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.run import OnSuite
from worldquiz.t2q.store import write_lost
from worldquiz.t2q.suites import open_suite

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
        """What is measured, on what."""
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

    def produce(self, left: Sequence[str], kept: Worlds, out: Path) -> None:
        """Have inspect play the worlds: in this process, in several, or on a cluster's machines."""
        processes = min(self.jobs, len(left), self.reach.connections)
        if current_cluster() is not None:  # a unit that dies there is begun anew, so it is small
            self._spread([(world,) for world in left], kept, out, self.reach)
        elif processes > 1:
            reach = self.reach.shared(processes)
            self._spread(self._dealt(left, processes), kept, out, reach, spent_of(out))
        else:
            self.play([w for w in self.units if w in left or kept.has(w)], kept, out)

    def _dealt(self, worlds: Sequence[str], hands: int) -> list[tuple[str, ...]]:
        """Deal worlds out, those with the most calls first, so that hands take about as long."""
        from worldquiz.t2q.llm.task import expected, longest_first

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
        kept: Worlds,
        out: Path,
        reach: Reach,
        spent: Sequence[Usage] | None = None,
    ) -> None:
        """Have other processes play some worlds each, into the run's folder."""
        subject, model, places = self.subject, self.memory_model, [self.suite.path, out]
        work = partial(_play_apart, self.suite.path, subject, reach, model, spent, out)
        with _telling(kept, [world for hand in hands for world in hand]):
            for _, faults in each(work, hands, jobs=len(hands), places=places):
                for world, fault in faults.items():
                    bundle = self.suite.bundle(world)
                    kept.lose(world, fault, partial(write_lost, bundle=bundle))
        sweep(out)

    def play(
        self, mine: Sequence[str], kept: Worlds, out: Path, spent: Sequence[Usage] | None = None
    ) -> None:
        """Have inspect play some worlds; those that stand there already it reads.

        `spent` is what the run took before, by default what its folder tells now.
        """
        from worldquiz.t2q.llm.task import keeping, task_of

        with keeping(kept):
            evaluate(
                task_of(self.suite, self.subject, self.embedder, out, self.reach.asks),
                self.reach,
                out,
                noun=self.noun,
                spent=spent_of(out) if spent is None else spent,
                model_roles={MEMORY_ROLE: remembering(self.reach, self.memory_model)},
                sample_id=only(mine, self.units),
            )


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
    kept, faults = Worlds(out, silent), dict[str, BaseException]()
    try:
        ModelRun(open_suite(suite), subject, reach, memory_model).play(worlds, kept, out, spent)
    except WorldError as error:
        faults = {world: error for world in worlds if not kept.has(world)}
    return {world: _sendable(fault) for world, fault in {**faults, **kept.losses}.items()}


def _sendable(fault: BaseException) -> WorldquizError:
    """Return a fault of the same kind, without what no process can be sent."""
    reason = reason_of(fault)
    if isinstance(fault, LimitReached):
        return LimitReached(reason)
    return Passing(reason) if passing(fault) else WorldError(reason)


@contextmanager
def _telling(kept: Worlds, worlds: Sequence[str]) -> Iterator[None]:
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

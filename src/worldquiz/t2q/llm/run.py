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
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

from worldquiz import rng
from worldquiz.errors import CatalogError, KnobError, WorldError, WorldquizError
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import Answer, prompt
from worldquiz.llm.calls import Calls, Counter, each_asked, gone_on, made
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Model, Purpose, Usage
from worldquiz.memory import catalog as memories
from worldquiz.memory.base import Embedder, Wiring, free
from worldquiz.memory.catalog import DEFAULT_EMBEDDER, Setup, remembering
from worldquiz.runs.executor import current_cluster, each, silent
from worldquiz.runs.folder import HUMAN, MODEL, sweep
from worldquiz.runs.given import check_portable, code_of, name_of
from worldquiz.runs.losses import LimitReached, Passing, passing, reason_of
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.rollout import examine, play_through
from worldquiz.t2q.run import OnSuite
from worldquiz.t2q.run_folder import PlayedWorlds
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.store import Bundle, Failure, Played, Trace
from worldquiz.t2q.suites import Suite, open_suite
from worldquiz.t2q.world.config import DEFAULT_BUDGET, Budget
from worldquiz.version import own_version


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of a measurement, model aside. Equal subjects, models and replies give equal runs.

    Memory, agent and answerer are names, objects, or classes or functions that make one.
    """

    memory: object = "in-context"
    wiring: Wiring = field(default_factory=Wiring)
    options: Options = field(default_factory=Options)
    embedder: str = DEFAULT_EMBEDDER  # used by memories that embed
    agent: object = MODEL  # who acts: the model, or another agent
    answerer: object = MODEL  # who answers: the model, or another answerer
    seed: int = 0  # for agents that draw at random
    budget: Budget = DEFAULT_BUDGET

    @classmethod
    def of(
        cls, given: T2QSettings, agent: object, answerer: object, seed: int, budget: Budget
    ) -> Subject:
        """Return the subject of a run's settings. Raises `KnobError`, `CatalogError`."""
        wiring = Wiring(given.granularity, given.k, given.query, given.recent)
        options = Options(given.explore, given.bonus, given.laws, given.batch, given.constrained)
        return cls(given.memory, wiring, options, given.embedder, agent, answerer, seed, budget)

    def __post_init__(self) -> None:
        if HUMAN in (name_of(self.agent), name_of(self.answerer)):
            raise CatalogError("a person plays, and takes the quiz, with `worldquiz t2q play`")
        needs = [
            agents.declared(who, acts=acts)
            for who, acts in ((self.agent, True), (self.answerer, False))
            if not _is_model(who)
        ]
        if len(needs) == 2 and not any(each.needs_model for each in needs):
            who = f"{name_of(self.agent)} plays and {name_of(self.answerer)} answers"
            raise KnobError(f"{who}: leave out the model")
        memories.entry(self.memory)

    @property
    def acts(self) -> bool:
        """True if the model acts."""
        return _is_model(self.agent)

    @property
    def answers(self) -> bool:
        """True if the model answers."""
        return _is_model(self.answerer)

    @property
    def setup(self) -> Setup:
        """Memory of the model, with its wiring and embedder."""
        return Setup(self.memory, self.wiring, self.embedder)

    def require(self) -> None:
        """Raise `MissingExtra` where the memory's library is not installed."""
        self.setup.require()

    def embedding(self) -> Embedder | None:
        """Return the embedder, None where the memory needs none. Loading may take seconds."""
        return self.setup.embedding()

    def arguments(self) -> dict[str, Any]:
        """Return the subject as the task's arguments, by which inspect can make it anew."""
        wiring, options = self.wiring.record(), asdict(self.options)
        return {
            "memory": self.memory,
            **{name: str(value) if isinstance(value, str) else value
               for name, value in wiring.items()},
            **options,
            "embedder": self.embedder,
            "agent": self.agent,
            "answerer": self.answerer,
            "agent_seed": self.seed,
            **self.budget.record(),
        }  # fmt: skip

    def record(self) -> dict[str, Any]:
        """Return what a run's manifest says of it."""
        return {
            "agent": name_of(self.agent),
            "answerer": name_of(self.answerer),
            "seed": self.seed,
            **self.budget.record(),
            **self.setup.record(),
            "options": self.options.record(),
            "versions": own_version() | self.setup.versions(),
            **code_of(agent=self.agent, answerer=self.answerer, memory=self.memory),
        }


def _is_model(who: object) -> bool:
    return isinstance(who, str) and who == MODEL


async def sit(
    suite: Suite,
    world: str,
    subject: Subject,
    model: Model,
    memory_model: Model,
    embedder: Embedder | None,
    calls: Calls | None = None,
    at_once: int = 1,
) -> Played:
    """Let the subject play a world of the suite and take its quiz, `at_once` questions at a time.

    `calls` keeps what the model replies. Raises `Diverged` where it holds replies to other prompts.
    """
    bundle = suite.bundle(world)
    brief = Brief(
        bundle.spec, bundle.tasks, bundle.questions, rng.child_seed(subject.seed, bundle.spec.id)
    )
    counter = Counter(calls)
    memory = subject.setup.made(counter, memory_model, embedder, bundle.spec.id)
    try:
        llm = LLM(counter.counting(model), memory, subject.wiring, subject.options, at_once)
        agent: Agent = llm if subject.acts else agents.agent(subject.agent, brief)
        with suite.opened(bundle) as game:
            episodes = await play_through(
                game,
                agent,
                bundle.tasks,
                seed=brief.seed,
                name=name_of(subject.agent),
                budget=subject.budget,
            )
        counter.purpose = Purpose.QUIZ
        answers = await _answers(subject, llm, bundle, brief, episodes)
        failed = {bundle.questions[place].id: why for place, why in llm.failures.items()}
        return Played(
            bundle, episodes, tuple(each for each in answers if each.question not in failed),
            _trace(llm, bundle, counter), tuple(Failure(id, why) for id, why in failed.items()),
        )  # fmt: skip
    finally:
        free(memory)


async def _answers(
    subject: Subject, llm: LLM, bundle: Bundle, brief: Brief, episodes: Sequence[Episode]
) -> tuple[Answer, ...]:
    """Stage 2: every question, by the model or by the scripted answerer asked for."""
    if not subject.answers:
        answerer = agents.answerer(subject.answerer, brief, episodes)
        return await examine(answerer, episodes, bundle.questions)
    await llm.study([episode.transcript for episode in episodes])
    texts = await llm.answers([prompt(question) for question in bundle.questions])
    return tuple(Answer(q.id, text) for q, text in zip(bundle.questions, texts, strict=True))


def _trace(llm: LLM, bundle: Bundle, counter: Counter) -> Trace:
    asked = zip(bundle.questions, llm.replies, strict=False)  # no replies where another answered
    return Trace(
        moves=tuple(llm.moves),
        replies=tuple(replace(reply, question=each.id) for each, reply in asked if reply),
        contexts=tuple(llm.contexts[id] for id in sorted(llm.contexts)),
        usage=counter.usage(),
    )


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
        bundle = self.suite.first_opened()
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

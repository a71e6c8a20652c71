"""Model, memory and wiring that a run measures, and one world played and answered by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from worldquiz import rng
from worldquiz.errors import CatalogError, KnobError
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import Answer, prompt
from worldquiz.llm.calls import Calls, Counter
from worldquiz.llm.model import Model, Purpose
from worldquiz.memory import catalog as memories
from worldquiz.memory.base import Embedder, Wiring, free
from worldquiz.memory.setup import DEFAULT_EMBEDDER, Setup
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.runs.given import code_of, name_of
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.budget import DEFAULT_BUDGET, Budget
from worldquiz.t2q.prompts.compose import Options
from worldquiz.t2q.run import engine_record
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.trace import Failure, Trace
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
    engine: str | None = None  # that worlds are played in, if not in the suite's own

    @classmethod
    def of(
        cls, given: T2QSettings, agent: object, answerer: object, seed: int, budget: Budget
    ) -> Subject:
        """Return the subject of a run's settings. Raises `KnobError`, `CatalogError`."""
        wiring = Wiring.of(given.granularity, given.k, given.query, given.recent)
        options = Options(given.explore, given.bonus, given.laws, given.batch, given.constrained)
        return cls(
            given.memory, wiring, options, given.embedder, agent, answerer, seed, budget,
            given.engine,
        )  # fmt: skip

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
            **engine_record(self.engine),
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
            **engine_record(self.engine),
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
        with suite.opened(bundle, subject.engine) as game:
            episodes = await t2q.interact(
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
        return await t2q.examine(answerer, episodes, bundle.questions)
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

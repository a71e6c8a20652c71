"""One world with a language model: it plays, then answers; what it did comes back as records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from worldquiz import rng
from worldquiz.facts.episode import Episode
from worldquiz.facts.question import Answer, prompt
from worldquiz.llm.records import Purpose
from worldquiz.llm.usage import Counter
from worldquiz.runs.given import name_of
from worldquiz.t2q import pipeline as t2q
from worldquiz.t2q.agents import catalog as agents
from worldquiz.t2q.agents.base import Agent, Brief
from worldquiz.t2q.agents.llm import LLM
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.memory import catalog as memories
from worldquiz.t2q.memory.base import Embedder, Services
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Suite
from worldquiz.t2q.trace import Trace

if TYPE_CHECKING:
    from inspect_ai.model import Model

MEMORY_ROLE = "memory"
"""Under which a memory's calls of a model go through inspect."""


async def sit(
    suite: Suite, world: str, subject: Subject, model: Model, embedder: Embedder | None
) -> Played:
    """Let the subject play a world of the suite and take its quiz."""
    from inspect_ai.model import get_model

    bundle = suite.bundle(world)
    brief = Brief(
        bundle.spec, bundle.tasks, bundle.questions, rng.child_seed(subject.seed, bundle.spec.id)
    )
    counter = Counter()
    theirs = counter.counting(get_model(role=MEMORY_ROLE, default=model), Purpose.MEMORY)
    services = Services(theirs, embedder, bundle.spec.id, subject.wiring)
    memory = memories.memory(subject.memory, services)
    try:
        llm = LLM(counter.counting(model), memory, subject.wiring, subject.options)
        agent: Agent = llm if subject.acts else agents.agent(subject.agent, brief)
        with suite.opened(bundle) as game:
            episodes = await t2q.interact(
                game,
                agent,
                bundle.tasks,
                seed=brief.seed,
                name=name_of(subject.agent),
                max_steps=subject.max_steps,
            )
        counter.purpose = Purpose.QUIZ
        answers = await _answers(subject, llm, bundle, brief, episodes)
        return Played(bundle, episodes, answers, _trace(llm, bundle, counter))
    finally:
        memory.close()


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
        replies=tuple(replace(reply, question=question.id) for question, reply in asked),
        contexts=tuple(llm.contexts[id] for id in sorted(llm.contexts)),
        usage=counter.usage(),
    )

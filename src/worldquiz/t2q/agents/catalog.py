"""Agents and answerers by name, and those that a user passes as objects.

Ours stand in two tables; other packages add theirs under the entry point group
``worldquiz.agents``. An agent of another package may ask for a ``seed``; only our own references
ever see a `Brief`, evidence or an answer. A class or function may declare what it needs, by the
attributes ``needs_model``, ``needs_embedder`` and ``extra``.

Any object with the right methods will do: an agent needs ``act(observation)``, an answerer
``answer(prompt)``; ``begin``, ``end``, ``study`` and ``preview`` are called where there are such
methods. Each may be plain or `async`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode, Observation, Transcript
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import Prompt
from worldquiz.plugins import Catalogue
from worldquiz.runs.folder import MODEL
from worldquiz.runs.given import (
    NOTHING,
    Declared,
    blamed,
    check_name,
    fresh,
    name_of,
    settled,
    summary_of,
    text_of,
)
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Brief

GROUP = "worldquiz.agents"


class Role(StrEnum):
    """Role of an agent or answerer in comparisons."""

    AGENT = "agent"  # to be measured
    LOWER = "lower-bound"  # knows or does next to nothing: what beats it has learnt something
    UPPER = "upper-bound"  # as good as can be
    REFERENCE = "reference"  # a fixed point to compare with


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """One line of the catalogue."""

    name: str
    target: str | None  # "module:attribute" of a class or function; None: another package's
    role: Role
    summary: str
    privileged: bool = False  # is offered the brief, and evidence of what was shown
    declared: Declared = NOTHING


_SCRIPTED = "worldquiz.t2q.agents.scripted"
_HUMAN = "worldquiz.t2q.agents.remote:Remote"
_AGENTS = (
    AgentEntry("walkthrough", f"{_SCRIPTED}:Walkthrough", Role.REFERENCE,
          "replays each task's walkthrough and wins", privileged=True),
    AgentEntry("explorer", "worldquiz.t2q.agents.explorer:Explorer", Role.UPPER,
          "opens, unlocks and enters all that it can, nearest first"),
    AgentEntry("random", f"{_SCRIPTED}:Random", Role.LOWER,
          "picks by seed among commands that make sense"),
    AgentEntry("idle", f"{_SCRIPTED}:Idle", Role.LOWER, "gives up at once"),
    AgentEntry("human", _HUMAN, Role.AGENT, "a person at the terminal"),
)  # fmt: skip
_ANSWERERS = (
    AgentEntry("oracle", f"{_SCRIPTED}:Oracle", Role.UPPER,
          "knows every answer, and what was shown", privileged=True),
    AgentEntry("worldgraph", "worldquiz.t2q.reader:WorldGraph", Role.UPPER,
          "answers what the text settles, from a map built of the text alone"),
    AgentEntry("constant", f"{_SCRIPTED}:Constant", Role.LOWER,
          "gives each format's commonest answer, unread"),
    AgentEntry("sheet", "worldquiz.t2q.agents.sheet:SheetReader", Role.LOWER,
          "reads all questions and objectives, no transcript, and never abstains"),
    AgentEntry("wording", "worldquiz.t2q.agents.wording:Wording", Role.LOWER,
          "a trained classifier of a question's wording; reads no transcript"),
    AgentEntry("abstainer", f"{_SCRIPTED}:Abstainer", Role.LOWER, "always says non-answerable"),
    AgentEntry("human", _HUMAN, Role.AGENT, "a person at the terminal"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Part:
    """One part in a world, by whom it can be taken."""

    catalogue: Catalogue
    ours: Sequence[AgentEntry]
    method: str
    lacking: str  # what somebody without the method does not do

    def entries(self) -> tuple[AgentEntry, ...]:
        """Return all that take the part. Raises `CatalogError` if a name means two things."""
        others = [name for name in self.catalogue.names() if name not in self.catalogue.ours]
        return (*self.ours, *(entry for name in others if (entry := self._foreign(name))))

    def _foreign(self, name: str) -> AgentEntry | None:
        """Return another package's line, None for a class that lacks the method."""
        try:
            found = self.catalogue.load(name)
        except CatalogError:
            return AgentEntry(name, None, Role.AGENT, "of another package; cannot be imported")
        if isinstance(found, type) and not hasattr(found, self.method):
            return None
        summary = summary_of(found) or "of another package"
        return AgentEntry(name, None, Role.AGENT, summary, declared=Declared.of(found))

    def made(self, who: object, brief: Brief, episodes: Sequence[Episode] = ()) -> Any:
        """Return a new one for a world. Raises `CatalogError` as `agent` does."""
        offered: dict[str, Any] = {"seed": brief.seed}
        if any(entry.privileged and entry.name == who for entry in self.ours):
            evidence = Evidence.of(episodes, brief.spec.initial)
            offered |= {"brief": brief, "questions": brief.questions, "evidence": evidence}
        make = self.catalogue.load(who) if isinstance(who, str) else who
        return self.seated(fresh(make, self.catalogue.noun, **offered), who, brief)

    def seated(self, made: object, who: object, brief: Brief) -> Any:
        """Return what was made as an agent and answerer."""
        name = f"{self.catalogue.noun} {name_of(who)!r}"
        if not hasattr(made, self.method):
            kind = type(made).__name__
            raise CatalogError(f"{name} {self.lacking}: {kind} has no {self.method!r}")
        ours = isinstance(who, str) and who in self.catalogue.ours
        return made if ours else _Own(made, name, brief.spec.id)


def _part(noun: str, ours: Sequence[AgentEntry], method: str, lacking: str) -> _Part:
    places = {entry.name: str(entry.target) for entry in ours}
    return _Part(Catalogue(noun, GROUP, places), ours, method, lacking)


_PLAYING = _part("agent", _AGENTS, "act", "plays no worlds")
_ANSWERING = _part("answerer", _ANSWERERS, "answer", "takes no quiz")


def agents() -> tuple[AgentEntry, ...]:
    """Return all agents: ours, then those of other packages.

    Raises `CatalogError` if a name means two things.
    """
    return _PLAYING.entries()


def answerers() -> tuple[AgentEntry, ...]:
    """Return all answerers: ours, then those of other packages.

    Raises `CatalogError` if a name means two things.
    """
    return _ANSWERING.entries()


def names() -> tuple[str, ...]:
    """Return what agents and answerers of the catalogues are called."""
    return (*_PLAYING.catalogue.names(), *_ANSWERING.catalogue.names())


def agent(who: object, brief: Brief) -> Agent:
    """Return a new agent for one world: that of a name, or one made of an object.

    The brief reaches privileged references only. Raises `CatalogError` if there is no agent of that
    name, if it means two things, or if what it stands for cannot be imported or does not act.
    """
    return cast("Agent", _PLAYING.made(who, brief))


def answerer(who: object, brief: Brief, episodes: Sequence[Episode] = ()) -> AnswersQuiz:
    """Return a new answerer for one world; brief and episodes reach privileged ones only.

    The oracle is made of the brief's questions and the evidence of `episodes`; everyone else gets
    transcripts, by ``study``. Raises `CatalogError` as `agent` does.
    """
    return cast("AnswersQuiz", _ANSWERING.made(who, brief, episodes))


def both(who: object, brief: Brief) -> tuple[Agent, AnswersQuiz]:
    """Return a new one of an object that acts in a world and then answers about it."""
    made = fresh(who, "agent", seed=brief.seed)
    return _PLAYING.seated(made, who, brief), _ANSWERING.seated(made, who, brief)


def declared(who: object, *, acts: bool) -> Declared:
    """Return what an agent (or an answerer) needs. Raises `CatalogError` as `agent` does."""
    catalogue = (_PLAYING if acts else _ANSWERING).catalogue
    check_name(who, catalogue.noun, (*catalogue.names(), MODEL))
    return Declared.of(catalogue.load(who) if isinstance(who, str) else who)


class _Own:
    """An agent and answerer made of any object that acts, answers or does both.

    Raises `AgentError` for what the object raises, and for what is no command or text.
    """

    def __init__(self, made: Any, who: str, world: str) -> None:
        self._made, self._who, self._where = made, who, f"in world {world!r}"

    async def begin(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await self._tell("begin", observation)

    async def act(self, observation: Observation) -> str | None:
        """Return the object's command."""
        with blamed(self._who, self._where):
            command = await settled(self._made.act(observation))
        return None if command is None else text_of(command, self._who, self._where)

    async def end(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await self._tell("end", observation)

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Hand the transcripts to the object, if it wants them."""
        await self._tell("study", transcripts)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Show the sheet to the object, if it wants it."""
        await self._tell("preview", prompts)

    async def answer(self, prompt: Prompt) -> str:
        """Return the object's reply."""
        where = f"when asked {prompt.text!r} {self._where}"
        with blamed(self._who, where):
            reply = await settled(self._made.answer(prompt))
        return text_of(reply, self._who, where)

    async def _tell(self, method: str, value: object) -> None:
        tell = getattr(self._made, method, None)
        if tell is not None:
            with blamed(self._who, self._where):
                await settled(tell(value))

"""Agents and answerers by name, and those that a user passes as objects.

Ours stand in two tables; other packages add theirs under the entry point group
``worldquiz.agents``. An agent of another package may ask for a ``seed``; only our own references
ever see a `Brief`, evidence or an answer.

Any object with the right methods will do: an agent needs ``act(observation)``, an answerer
``answer(prompt)``; ``begin``, ``end``, ``study`` and ``preview`` are called where there are such
methods. Each may be plain or `async`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode, Observation, Transcript
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import Prompt
from worldquiz.plugins import Catalogue
from worldquiz.runs.folder import MODEL
from worldquiz.runs.given import (
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
          "reads all questions, the task list and the first screen, no transcript"),
    AgentEntry("abstainer", f"{_SCRIPTED}:Abstainer", Role.LOWER, "always says non-answerable"),
    AgentEntry("human", _HUMAN, Role.AGENT, "a person at the terminal"),
)  # fmt: skip


class _Part:
    """One part in a world, by whom it can be taken."""

    def __init__(self, noun: str, ours: Sequence[AgentEntry], method: str, lacking: str) -> None:
        """`method` is what who takes the part has, `lacking` what others do not do."""
        places = {entry.name: str(entry.target) for entry in ours}
        self.catalogue = Catalogue(noun, GROUP, places)
        self.ours, self.method, self.lacking = ours, method, lacking

    def entries(self) -> tuple[AgentEntry, ...]:
        """Return all that take the part: ours, then those of other packages.

        Raises `CatalogError` if a name means two things.
        """
        found = [*self.ours]
        for name in (each for each in self.catalogue.names() if each not in self.catalogue.ours):
            try:
                other = self.catalogue.load(name)
            except CatalogError:
                told = "of another package; cannot be imported"
                found.append(AgentEntry(name, None, Role.AGENT, told))
                continue
            if not isinstance(other, type) or hasattr(other, self.method):
                told = summary_of(other) or "of another package"
                found.append(AgentEntry(name, None, Role.AGENT, told))
        return tuple(found)

    def made(self, who: object, brief: Brief, episodes: Sequence[Episode] = ()) -> Any:
        """Return a new one for one world: that of a name, or one made of an object.

        Brief and evidence of the episodes reach privileged references only; everyone else gets
        observations or transcripts. Raises `CatalogError` if there is none of that name, if it
        means two things, or if what it stands for cannot be imported or does not take the part.
        """
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


_PLAYING = _Part("agent", _AGENTS, "act", "plays no worlds")
_ANSWERING = _Part("answerer", _ANSWERERS, "answer", "takes no quiz")
agents, answerers = _PLAYING.entries, _ANSWERING.entries
agent: Callable[[object, Brief], Agent] = _PLAYING.made
answerer: Callable[..., AnswersQuiz] = _ANSWERING.made


def names() -> tuple[str, ...]:
    """Return what agents and answerers of the catalogues are called."""
    return (*_PLAYING.catalogue.names(), *_ANSWERING.catalogue.names())


def both(who: object, brief: Brief) -> tuple[Agent, AnswersQuiz]:
    """Return a new one of an object that acts in a world and then answers about it."""
    made = fresh(who, "agent", seed=brief.seed)
    return _PLAYING.seated(made, who, brief), _ANSWERING.seated(made, who, brief)


def check(who: object, *, acts: bool) -> None:
    """Raise `CatalogError` for an agent (or an answerer) that there is not."""
    catalogue = (_PLAYING if acts else _ANSWERING).catalogue
    check_name(who, catalogue.noun, (*catalogue.names(), MODEL))
    if isinstance(who, str):
        catalogue.load(who)


def own(who: object, *, acts: bool = True) -> object:
    """Return an agent (or an answerer) whose code may change: an object, or another package's.

    None for ours, a model, a person and whoever is served.
    """
    if not isinstance(who, str):
        return who
    catalogue = (_PLAYING if acts else _ANSWERING).catalogue
    place = catalogue.places().get(who, who)
    return None if who in catalogue.ours or ":" not in place else catalogue.load(who)


class _Own:
    """An agent and answerer made of any object that acts, answers or does both.

    Raises `AgentError` for what the object raises, and for what is no command or text.
    """

    def __init__(self, made: Any, who: str, world: str) -> None:
        self._made, self._who, self._where = made, who, f"in world {world!r}"

    async def _told(self, method: str, value: object, where: str = "") -> Any:
        """Call a method of the object, if it has it."""
        call = getattr(self._made, method, None)
        if call is None:
            return None
        with blamed(self._who, where or self._where):
            return await settled(call(value))

    async def begin(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await self._told("begin", observation)

    async def act(self, observation: Observation) -> str | None:
        """Return the object's command."""
        command = await self._told("act", observation)
        return None if command is None else self._text(command, "act", self._where)

    async def end(self, observation: Observation) -> None:
        """Tell the object, if it wants to know."""
        await self._told("end", observation)

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Hand the transcripts to the object, if it wants them."""
        await self._told("study", transcripts)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        """Show the sheet to the object, if it wants it."""
        await self._told("preview", prompts)

    async def answer(self, prompt: Prompt) -> str:
        """Return the object's reply."""
        where = f"when asked {prompt.text!r} {self._where}"
        return self._text(await self._told("answer", prompt, where), "answer", where)

    def _text(self, reply: object, method: str, where: str) -> str:
        return text_of(reply, getattr(self._made, method), self._who, where)

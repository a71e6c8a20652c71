"""Agents and answerers by name, and those that a user passes as objects.

Ours stand in two tables; other packages add theirs under the entry point group
``worldquiz.agents``. An agent of another package may ask for a ``seed``; only our own references
ever see a `Brief`, evidence or an answer. A class or function may declare what it needs, by the
attributes ``needs_model``, ``needs_embedder`` and ``extra``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.plugins import Catalogue
from worldquiz.runs.folder import MODEL
from worldquiz.runs.given import NOTHING, Declared, check_name, fresh, name_of, summary_of
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Brief
from worldquiz.t2q.agents.own import as_agent, as_answerer

GROUP = "worldquiz.agents"


class Role(StrEnum):
    """What an agent or answerer is there for."""

    AGENT = "agent"  # to be measured
    LOWER = "lower-bound"  # knows or does next to nothing: what beats it has learnt something
    UPPER = "upper-bound"  # as good as can be
    REFERENCE = "reference"  # a fixed point to compare with


class Needs(StrEnum):
    """What a factory is called with."""

    NOTHING = "nothing"
    SEED = "seed"  # what another package's may ask for
    BRIEF = "brief"  # privileged
    ANSWERS = "answers"  # privileged: the questions, and evidence of what was shown


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the catalogue."""

    name: str
    target: str | None  # "module:attribute" of a class or function; None: another package's
    role: Role
    summary: str
    needs: Needs
    declared: Declared = NOTHING


_SCRIPTED, _READERS = "worldquiz.t2q.agents.scripted", "worldquiz.t2q.agents.answerers"
_HUMAN = "worldquiz.t2q.agents.human:Human"
_AGENTS = (
    Entry("walkthrough", f"{_SCRIPTED}:Walkthrough", Role.REFERENCE,
          "replays each task's walkthrough and wins", Needs.BRIEF),
    Entry("explorer", "worldquiz.t2q.agents.explorer:Explorer", Role.UPPER,
          "opens, unlocks and enters all that it can, nearest first", Needs.NOTHING),
    Entry("random", f"{_SCRIPTED}:Random", Role.LOWER,
          "picks by seed among commands that make sense", Needs.SEED),
    Entry("idle", f"{_SCRIPTED}:Idle", Role.LOWER, "gives up at once", Needs.NOTHING),
    Entry("human", _HUMAN, Role.AGENT, "a person at the terminal", Needs.NOTHING),
)  # fmt: skip
_ANSWERERS = (
    Entry("oracle", f"{_READERS}:Oracle", Role.UPPER,
          "knows every answer, and what was shown", Needs.ANSWERS),
    Entry("worldgraph", "worldquiz.t2q.memory.worldgraph:WorldGraph", Role.UPPER,
          "answers what the text settles, from a map built of the text alone", Needs.NOTHING),
    Entry("prior", f"{_READERS}:Prior", Role.LOWER,
          "gives each format's commonest answer, unread", Needs.NOTHING),
    Entry("abstainer", f"{_READERS}:Abstainer", Role.LOWER,
          "always says non-answerable", Needs.NOTHING),
    Entry("human", _HUMAN, Role.AGENT, "a person at the terminal", Needs.NOTHING),
)  # fmt: skip


_PLAYING = Catalogue("agent", GROUP, {e.name: str(e.target) for e in _AGENTS})
_ANSWERING = Catalogue("answerer", GROUP, {e.name: str(e.target) for e in _ANSWERERS})


def agents() -> tuple[Entry, ...]:
    """Return all agents: ours, then those of other packages.

    Raises `CatalogError` if a name means two things.
    """
    return _entries(_PLAYING, _AGENTS, "act")


def answerers() -> tuple[Entry, ...]:
    """Return all answerers: ours, then those of other packages.

    Raises `CatalogError` if a name means two things.
    """
    return _entries(_ANSWERING, _ANSWERERS, "answer")


def agent(who: object, brief: Brief) -> Agent:
    """Return a new agent for one world: that of a name, or one made of an object.

    The brief reaches privileged references only. Raises `CatalogError` if there is no agent of that
    name, if it means two things, or if what it stands for cannot be imported or does not act.
    """
    return as_agent(_made(_PLAYING, _AGENTS, who, brief, ()), name_of(who))


def answerer(who: object, brief: Brief, episodes: Sequence[Episode] = ()) -> AnswersQuiz:
    """Return a new answerer for one world; brief and episodes reach privileged ones only.

    The oracle is made of the brief's questions and the evidence of `episodes`; everyone else gets
    transcripts, by ``study``. Raises `CatalogError` as `agent` does.
    """
    return as_answerer(_made(_ANSWERING, _ANSWERERS, who, brief, episodes), name_of(who))


def made(who: object, brief: Brief) -> object:
    """Return a new one of an object that both acts and answers, as it is."""
    return fresh(who, "agent", seed=brief.seed)


def declared(who: object, *, acts: bool) -> Declared:
    """Return what an agent (or an answerer) needs. Raises `CatalogError` as `agent` does."""
    catalogue = _PLAYING if acts else _ANSWERING
    check_name(who, catalogue.noun, (*catalogue.names(), MODEL))
    return Declared.of(catalogue.load(who) if isinstance(who, str) else who)


def _entries(catalogue: Catalogue, ours: Sequence[Entry], method: str) -> tuple[Entry, ...]:
    others = [name for name in catalogue.names() if name not in catalogue.ours]
    found = (_foreign(catalogue, name, method) for name in others)
    return (*ours, *(entry for entry in found if entry))


def _foreign(catalogue: Catalogue, name: str, method: str) -> Entry | None:
    """Return another package's line, None for a class that lacks the method."""
    try:
        found = catalogue.load(name)
    except CatalogError:
        broken = "of another package; cannot be imported"
        return Entry(name, None, Role.AGENT, broken, Needs.SEED)
    if isinstance(found, type) and not hasattr(found, method):
        return None
    summary = summary_of(found) or "of another package"
    return Entry(name, None, Role.AGENT, summary, Needs.SEED, Declared.of(found))


def _made(
    catalogue: Catalogue,
    ours: Sequence[Entry],
    who: object,
    brief: Brief,
    episodes: Sequence[Episode],
) -> object:
    if not isinstance(who, str):
        return fresh(who, catalogue.noun, seed=brief.seed)
    make = catalogue.load(who)
    needs = next((entry.needs for entry in ours if entry.name == who), None)
    match needs:
        case None:
            return fresh(make, catalogue.noun, seed=brief.seed)
        case Needs.NOTHING:
            return make()
        case Needs.SEED:
            return make(brief.seed)
        case Needs.BRIEF:
            return make(brief)
        case Needs.ANSWERS:
            return make(brief.questions, Evidence.of(episodes, brief.spec.initial))
        case _:
            assert_never(needs)

"""Players and quiz takers by name.

Ours stand in two tables; other packages add theirs under the entry point group
``worldquiz.agents``. A player of another package is called with a seed and a taker with nothing:
only our own references ever see a `Brief`, evidence or an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never, cast

from worldquiz.errors import CatalogError
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.plugins import Catalogue
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Brief

GROUP = "worldquiz.agents"


class Role(StrEnum):
    """What a player or taker is there for."""

    AGENT = "agent"  # to be measured
    FLOOR = "floor"  # knows or does next to nothing: what beats it has learnt something
    CEILING = "ceiling"  # as good as can be
    REFERENCE = "reference"  # a fixed point to compare with


class Needs(StrEnum):
    """What a factory is called with."""

    NOTHING = "nothing"
    SEED = "seed"
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


_SCRIPTED, _TAKERS = "worldquiz.t2q.agents.scripted", "worldquiz.t2q.agents.takers"
_HUMAN = "worldquiz.t2q.agents.human:Human"
_PLAYERS = (
    Entry("walkthrough", f"{_SCRIPTED}:Walkthrough", Role.REFERENCE,
          "replays each task's walkthrough and wins", Needs.BRIEF),
    Entry("explorer", "worldquiz.t2q.agents.explorer:Explorer", Role.CEILING,
          "opens, unlocks and enters all that it can, nearest first", Needs.NOTHING),
    Entry("random", f"{_SCRIPTED}:Random", Role.FLOOR,
          "picks by seed among commands that make sense", Needs.SEED),
    Entry("idle", f"{_SCRIPTED}:Idle", Role.FLOOR, "gives up at once", Needs.NOTHING),
    Entry("human", _HUMAN, Role.AGENT, "a person at the terminal", Needs.NOTHING),
)  # fmt: skip
_QUIZ_TAKERS = (
    Entry("oracle", f"{_TAKERS}:Oracle", Role.CEILING,
          "knows every answer, and what was shown", Needs.ANSWERS),
    Entry("worldgraph", "worldquiz.t2q.memory.worldgraph:WorldGraph", Role.CEILING,
          "answers what the text settles, from a map built of the text alone", Needs.NOTHING),
    Entry("prior", f"{_TAKERS}:Prior", Role.FLOOR,
          "gives each format's commonest answer, unread", Needs.NOTHING),
    Entry("abstainer", f"{_TAKERS}:Abstainer", Role.FLOOR,
          "always says non-answerable", Needs.NOTHING),
    Entry("human", _HUMAN, Role.AGENT, "a person at the terminal", Needs.NOTHING),
)  # fmt: skip


_PLAYING = Catalogue("player", GROUP, {e.name: str(e.target) for e in _PLAYERS})
_ANSWERING = Catalogue("quiz taker", GROUP, {e.name: str(e.target) for e in _QUIZ_TAKERS})


def players() -> tuple[Entry, ...]:
    """Return all players: ours, then those of other packages, which may turn out to be takers.

    Raises `CatalogError` if a name means two things.
    """
    return _entries(_PLAYING, _PLAYERS, Needs.SEED)


def takers() -> tuple[Entry, ...]:
    """Return all quiz takers: ours, then those of other packages, which may be players only.

    Raises `CatalogError` if a name means two things.
    """
    return _entries(_ANSWERING, _QUIZ_TAKERS, Needs.NOTHING)


def player(name: str, brief: Brief) -> Agent:
    """Return a new player for one world; the brief reaches privileged references only.

    Raises `CatalogError` if there is no player of that name, if it means two things, or if what it
    stands for cannot be imported or does not play.
    """
    made = _made(_PLAYING, name, players(), brief, ())
    _check(made, f"player {name!r} plays no worlds", ("begin", "act", "end"))
    return cast("Agent", made)


def taker(name: str, brief: Brief, episodes: Sequence[Episode] = ()) -> AnswersQuiz:
    """Return a new quiz taker for one world; brief and episodes reach privileged ones only.

    The oracle is made of the brief's questions and the evidence of `episodes`; everyone else gets
    transcripts, by ``study``. Raises `CatalogError` as `player` does.
    """
    made = _made(_ANSWERING, name, takers(), brief, episodes)
    _check(made, f"quiz taker {name!r} takes no quiz", ("study", "answer"))
    return cast("AnswersQuiz", made)


def _entries(catalogue: Catalogue, ours: Sequence[Entry], needs: Needs) -> tuple[Entry, ...]:
    others = [name for name in catalogue.names() if name not in catalogue.ours]
    return (
        *ours,
        *(Entry(name, None, Role.AGENT, "of another package", needs) for name in others),
    )


def _made(
    catalogue: Catalogue,
    name: str,
    entries: Sequence[Entry],
    brief: Brief,
    episodes: Sequence[Episode],
) -> object:
    make = catalogue.load(name)
    needs = next(entry.needs for entry in entries if entry.name == name)
    match needs:
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


def _check(made: object, lack: str, methods: Sequence[str]) -> None:
    missing = [method for method in methods if not hasattr(made, method)]
    if missing:
        raise CatalogError(f"{lack}: {type(made).__name__} has no {missing[0]!r}")

"""Scores of no-knowledge baselines (lower bounds) on the worlds of a run.

    idle + abstainer    gives up at once, and says that nothing can be known
    sees all + guesser  an agent that saw all, and an answerer that reads none of it:
                        `constant`, `sheet` or `wording`
    idle + worldgraph   all that the task list and the first screens tell

A guesser earns most where every question is answerable, since an answer to any other question is
wrong; so it is paired with an agent that saw all, whatever the run's own agent saw. No game is
played for this: the first screens come from the run's episodes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from worldquiz.facts.question import Answer
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.agents.scripted import Abstainer, Constant
from worldquiz.t2q.agents.sheet import SheetReader
from worldquiz.t2q.agents.wording import Wording
from worldquiz.t2q.pipeline import examine
from worldquiz.t2q.quiz.exam import first_screens, results
from worldquiz.t2q.reader import WorldGraph
from worldquiz.t2q.scoring import Scores, Sitting, scores, sitting
from worldquiz.t2q.store import Played

Answerer = type[Abstainer] | type[Constant] | type[SheetReader] | type[Wording] | type[WorldGraph]


@dataclass(frozen=True, slots=True)
class Floor:
    """A lower bound: an agent that saw nothing or all, and an answerer."""

    agent: str
    answerer: str
    make: Answerer
    all_seen: bool = False

    @property
    def name(self) -> str:
        """The pair, as tables call it."""
        return f"{self.agent} + {self.answerer}"


FLOORS = (
    Floor("idle", "abstainer", Abstainer),
    Floor("sees all", "constant", Constant, all_seen=True),
    Floor("sees all", "sheet", SheetReader, all_seen=True),
    Floor("sees all", "wording", Wording, all_seen=True),
    Floor("idle", "worldgraph", WorldGraph),
)


def floors(sat: Iterable[Played]) -> list[tuple[Floor, Scores]]:
    """Return what each lower bound scores in the worlds of a run; the run's answers do not matter.

    Where two suites have worlds of one name, both count.
    """
    return scored([floor_sittings([played]) for played in sat])


def floor_sittings(world: Sequence[Played]) -> list[Sitting]:
    """Return what each lower bound earns in one world, which stands alone in a list."""
    (played,) = world
    idle = replace(played, episodes=first_screens(played.episodes))
    found = []
    for floor in FLOORS:
        asked = replace(idle, answers=answers_of(floor.make(), idle))
        found.append(sitting(asked, results(asked, all_seen=floor.all_seen)))
    return found


def scored(worlds: Sequence[Sequence[Sitting]]) -> list[tuple[Floor, Scores]]:
    """Return what each lower bound scores, from what it earns in each world."""
    found = []
    for place, floor in enumerate(FLOORS):
        some = [
            replace(one[place], world=f"{n} {one[place].world}") for n, one in enumerate(worlds)
        ]
        found.append((floor, scores(some)))
    return found


def answers_of(answerer: AnswersQuiz, played: Played) -> tuple[Answer, ...]:
    """Return what an answerer says of a world, from the episodes in it."""
    return asyncio.run(examine(answerer, played.episodes, played.bundle.questions))

"""Scores of no-knowledge baselines (lower bounds) on the worlds of a run.

    idle + abstainer    gives up at once, and says that nothing can be known
    sees all + guesser  an agent that saw all, and an answerer that reads none of it:
                        `constant`, `sheet` or `wording`
    idle + worldgraph   all that the task list and the first screens tell

A guesser earns most where every question is answerable, since an answer to any other question is
wrong; so it is paired with an agent that saw all, whatever the run's own agent saw. No game is
played for this: the first screens come from the run's episodes, or follow from the world.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.fact import Fact
from worldquiz.facts.question import Answer, Result, gold, prompt
from worldquiz.records import digest
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.agents.scripted import Abstainer, Constant
from worldquiz.t2q.agents.sheet import SheetReader
from worldquiz.t2q.agents.wording import Wording
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.pipeline import bundle, examine
from worldquiz.t2q.quiz.exam import first_screens, results
from worldquiz.t2q.reader import WorldGraph
from worldquiz.t2q.scoring import Scores, Sitting, scores, sitting
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.reveal import first_screen
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task

Answerer = type[Abstainer] | type[Constant] | type[SheetReader] | type[Wording] | type[WorldGraph]
SAMPLE = Plan("paper", seed=31, worlds=2)
"""The worlds whose questions stand for the question rules."""


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
    return [_sat(floor, idle) for floor in FLOORS]


def scored(worlds: Sequence[Sequence[Sitting]]) -> list[tuple[Floor, Scores]]:
    """Return what each lower bound scores, from what it earns in each world."""
    found = []
    for place, floor in enumerate(FLOORS):
        some = [
            replace(one[place], world=f"{n} {one[place].world}") for n, one in enumerate(worlds)
        ]
        found.append((floor, scores(some)))
    return found


def _sat(floor: Floor, idle: Played) -> Sitting:
    asked = replace(idle, answers=_answers(floor.make(), idle))
    return sitting(asked, results(asked, all_seen=floor.all_seen))


def guessed(bundle: Bundle, make: Answerer) -> tuple[Result, ...]:
    """Grade a guesser in a world as if an agent had seen all of it. Nothing is compiled or played.

    The questions that the task list and the first screen settle are marked as such.
    """
    begun = Played(bundle, unplayed(bundle), ())
    return results(replace(begun, answers=_answers(make(), begun)), all_seen=True)


def unplayed(bundle: Bundle) -> tuple[Episode, ...]:
    """Return episodes that end before any command, with what is shown; of the text, the room."""
    spec = bundle.spec
    shown = {*first_screen(spec)}
    return tuple(
        Episode(spec.id, task.id, "idle", spec.seed, Outcome.GAVE_UP, (_begun(spec, task, shown),))
        for task in bundle.tasks
    )


def _begun(spec: WorldSpec, task: Task, shown: set[Fact]) -> Step:
    screen = Observation(f"-= {spec.start.title()} =-", "", 0, False, task.objective)
    return Step(0, None, None, screen, tuple(sorted(shown | {*task.discloses})), (), ())


def _answers(answerer: AnswersQuiz, played: Played) -> tuple[Answer, ...]:
    return asyncio.run(examine(answerer, played.episodes, played.bundle.questions))


def rules_digest() -> str:
    """Return what changes whenever the questions of equal plans change: tables name it."""
    made = [bundle(spec) for spec in worlds(SAMPLE).values()]
    asked = [each for one in made for each in one.questions]
    return digest(*(f"{prompt(each)} {gold(each)}" for each in asked))

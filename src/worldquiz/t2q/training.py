"""Worlds of Task2Quiz to train in, and the rewards for playing them.

Each number has a world of its own, made when it is first played, and there is no end of them
(`splits`). Each reward is a sum that follows from what happened so far:

    task         tasks won / tasks: the task success rate
    knowledge    questions settled since the first reset / questions: the coverage, less what the
                 start tells
    both         the sum of the two

A step earns the difference that it makes, so an episode earns the sums at its end whichever way led
there: `knowledge` is a potential, without a discount. A trainer that asks the quiz, too, pays for
answers by `quiz_score`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import Literal, assert_never

from worldquiz.errors import KnobError
from worldquiz.facts import knowledge_score
from worldquiz.facts.episode import Episode
from worldquiz.facts.fact import LEADS, Fact, State
from worldquiz.facts.question import ABSTAIN, Answer, Question
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.splits import Split, check_choice, check_count, check_split, split_seed
from worldquiz.t2q import budget as budgets
from worldquiz.t2q.builder import make
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Plan, Slot
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task

Reward = Literal["task", "knowledge", "both"]
PAID: dict[str, tuple[str, ...]] = {
    "task": ("task",),
    "knowledge": ("knowledge",),
    "both": ("task", "knowledge"),
}
"""The parts that each reward pays."""
KEPT = 256
"""Worlds that a process keeps: making one takes longer than an episode of a few dozen commands."""


class Knowing:
    """Questions settled by the facts shown so far."""

    def __init__(self, bundle: Bundle) -> None:
        self.questions = len(bundle.questions)
        self._initial = bundle.spec.initial
        self._shown: set[Fact] = set()
        self._joined: dict[str, str] = {}  # room -> room joined to it by passages walked
        self._open = {each.id: each.requires for each in bundle.questions}
        self._about: dict[Fact | None, list[str]] = defaultdict(list)  # open questions by fact
        for id, requires in list(self._open.items()):
            for fact in _named(requires):
                self._about[fact].append(id)
            self._settle(id)

    def again(self) -> Knowing:
        """Return what was known before anything was shown, for another episode."""
        new = copy(self)
        new._open, new._shown, new._joined = dict(self._open), set(), {}
        return new

    @property
    def settled(self) -> int:
        """Number of settled questions."""
        return self.questions - len(self._open)

    @property
    def coverage(self) -> float:
        """The share of the questions that are settled."""
        return self.settled / self.questions if self.questions else 0.0

    def shown(self, facts: Iterable[Fact]) -> None:
        """Take note of what a step disclosed, and look at the questions that this is about."""
        new = [each for each in facts if each in self._initial and each not in self._shown]
        if not new:
            return
        self._shown.update(new)
        asked = {id for fact in new for id in self._about.get(fact, ())}
        for source, _, target in LEADS.of(new):
            self._joined[self._root(source)] = self._root(target)
            asked.update(self._about.get(None, ()))
        for id in asked & self._open.keys():
            self._settle(id)

    def _settle(self, id: str) -> None:
        if self._met(self._open[id]):
            del self._open[id]

    def _met(self, requirement: Requirement) -> bool:
        match requirement:
            case Seen(fact):
                return fact in self._shown
            case All(parts):
                return all(map(self._met, parts))
            case AnyOf(parts):
                return any(map(self._met, parts))
            case Reachable(source, target):
                return self._root(source) == self._root(target)
            case _:
                assert_never(requirement)

    def _root(self, room: str) -> str:
        while room in self._joined and self._joined[room] != room:
            room = self._joined[room]
        return room


def _named(requirement: Requirement) -> Iterator[Fact | None]:
    """Yield the facts that a requirement hangs on; None where it hangs on any passage walked."""
    match requirement:
        case Seen(fact):
            yield fact
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _named(part)
        case Reachable():
            yield None
        case _:
            assert_never(requirement)


class Watched:
    """A world with a record of what it showed as it was played, and of the reward for that."""

    def __init__(self, world: Game, bundle: Bundle, number: int, knowing: Knowing) -> None:
        self._world, self.bundle, self.number = world, bundle, number
        self.knowing = knowing
        self.won = 0
        self._told: float | None = None  # the coverage at the first reset

    @property
    def tasks(self) -> int:
        """Number of tasks."""
        return len(self.bundle.tasks)

    def earned(self, reward: Reward) -> float:
        """Return what was earned so far."""
        told = self.knowing.coverage if self._told is None else self._told
        parts = {"task": self.won / self.tasks, "knowledge": self.knowing.coverage - told}
        return sum(parts[name] for name in PAID[reward])

    @property
    def spec(self) -> WorldSpec:
        """The world as a value."""
        return self._world.spec

    @property
    def state(self) -> State:
        """All that is true now."""
        return self._world.state

    @property
    def admissible(self) -> tuple[str, ...]:
        """The commands that make sense by what is in sight or carried."""
        return self._world.admissible

    def reset(self, task: Task) -> Transition:
        """Return to the initial state and state the task."""
        transition = self._watch(self._world.reset(task))
        if self._told is None:
            self._told = self.knowing.coverage
        return transition

    def step(self, action: str) -> Transition:
        """Carry out what an agent wrote."""
        return self._watch(self._world.step(action))

    def close(self) -> None:
        """Free what the world holds."""
        self._world.close()

    def _watch(self, transition: Transition) -> Transition:
        self.knowing.shown(transition.revealed)
        self.won += transition.done  # which ends the task
        return transition


def quiz_score(
    bundle: Bundle, episodes: tuple[Episode, ...], asked: Sequence[Question], replies: Sequence[str]
) -> float:
    """Return the knowledge score over the questions of a quiz that are asked, so far.

    It is 1 at most, and below 0 for bad guesses. A question without a reply counts as an
    abstention, and the score is 0 where none of them counts.
    """
    said = [*replies, *[ABSTAIN] * (len(asked) - len(replies))]
    answers = tuple(Answer(each.id, reply) for each, reply in zip(asked, said, strict=True))
    points = knowledge_score.of(results(Played(bundle, episodes, answers)))
    return points.share("knowledge") or 0.0


def world_seed(level: str, split: Split, number: int) -> int:
    """Return the seed of a world, which no suite's world and no other split's has."""
    return split_seed(split, number, level)


@lru_cache(KEPT)
def built(level: str, split: Split, number: int) -> Bundle:
    """Return a world with its tasks and questions."""
    slot = Slot(level, world_seed(level, split, number), f"{level}-{split}-{number}")
    return make(Plan(level, 0), slot).bundle


@lru_cache(KEPT)
def _unplayed(level: str, split: Split, number: int) -> tuple[Game, Knowing]:
    """Return an unplayed world and the knowledge at its start; give out copies."""
    bundle = built(level, split, number)
    return Game(bundle.spec), Knowing(bundle)


class Worlds:
    """Worlds of one level."""

    def __init__(
        self,
        level: str = "easy",
        split: Split = "train",
        *,
        worlds: int | None = None,
        max_steps: int | None = None,
        budget: float | None = None,
    ) -> None:
        """Choose them; none is made yet.

        Args:
            level: A level of `worldquiz t2q build`.
            split: "train" or "test"; they share no world.
            worlds: How many worlds there are; None for no end of them.
            max_steps: Most commands in each task.
            budget: Most commands, as a multiple of the walkthroughs'. Without either, the
                level's own.

        Raises `KnobError`.
        """
        check_choice("level", level, PRESETS)
        check_split(split, worlds)
        check_count("max_steps", max_steps, least=0)
        self.level, self.split, self._count = level, split, worlds
        self.budget = budgets.budget(max_steps, budget, budgets.Walkthroughs(PRESETS[level].budget))

    def opened(self, number: int) -> Watched:
        """Return world `number`, which nobody has played yet.

        Raises `KnobError` for what is no whole number from 0 up.
        """
        if not isinstance(number, int) or number < 0:
            raise KnobError(f"world {number!r}: give a whole number from 0 up")
        number = number if self._count is None else number % self._count
        bundle = built(self.level, self.split, number)
        game, knowing = _unplayed(self.level, self.split, number)
        return Watched(copy(game), bundle, number, knowing.again())

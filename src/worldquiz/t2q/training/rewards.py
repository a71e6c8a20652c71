"""What playing a world earns. Each reward is a sum that follows from what happened so far.

    task         tasks won / tasks: the task success rate
    knowledge    questions settled since the first reset / questions: the coverage, less what the
                 start tells
    quiz         the knowledge score of the answers so far, where an open question counts as an
                 abstention: it may be below 0, and guessing cannot be expected to raise it

A step earns the difference that it makes, so an episode earns the sums at its end whichever way led
there: `knowledge` and `quiz` are potentials, without a discount. No reward knows another adapter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import assert_never

from worldquiz.facts import knowledge_score
from worldquiz.facts.episode import Episode, Transcript
from worldquiz.facts.fact import LEADS, Fact, State
from worldquiz.facts.question import ABSTAIN, Answer, Prompt, Question
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, PreviewsQuiz
from worldquiz.t2q.budget import Budget
from worldquiz.t2q.pipeline import examine
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.rollout import play_through
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.world.base import Transition
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task


@dataclass(frozen=True, slots=True)
class Rewards:
    """What was earned, by reward."""

    task: float = 0.0  # 0..1
    knowledge: float = 0.0  # 0..1
    quiz: float = 0.0  # -3..1

    def __sub__(self, other: Rewards) -> Rewards:
        return Rewards(
            self.task - other.task, self.knowledge - other.knowledge, self.quiz - other.quiz
        )

    def total(self, names: Iterable[str]) -> float:
        """Return the sum of some of them."""
        return sum(float(getattr(self, name)) for name in names)


class Knowing:
    """Which questions are settled by what has been shown so far."""

    def __init__(self, bundle: Bundle) -> None:
        self.questions = len(bundle.questions)
        self._initial = bundle.spec.initial
        self._shown: set[Fact] = set()
        self._joined: dict[str, str] = {}  # room -> room joined to it by passages walked
        self._open = {each.id: each.requires for each in bundle.questions}
        self._about: dict[Fact | None, list[str]] = defaultdict(list)  # open questions by fact
        for id, requires in list(self._open.items()):
            for fact in named(requires):
                self._about[fact].append(id)
            self._settle(id)

    def again(self) -> Knowing:
        """Return what was known before anything was shown, for another episode."""
        new = copy(self)
        new._open, new._shown, new._joined = dict(self._open), set(), {}
        return new

    @property
    def settled(self) -> int:
        """How many questions are settled."""
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


def named(requirement: Requirement) -> Iterator[Fact | None]:
    """Yield the facts that a requirement hangs on; None where it hangs on any passage walked."""
    match requirement:
        case Seen(fact):
            yield fact
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from named(part)
        case Reachable():
            yield None
        case _:
            assert_never(requirement)


class Watched:
    """A world that is watched as it is played: what it showed, and what that earned."""

    def __init__(
        self, world: Game, bundle: Bundle, number: int, knowing: Knowing | None = None
    ) -> None:
        self._world, self.bundle, self.number = world, bundle, number
        self.knowing = knowing or Knowing(bundle)
        self.won = 0
        self.quiz = 0.0  # what the answers so far have earned
        self._told: float | None = None  # the coverage at the first reset

    @property
    def tasks(self) -> int:
        """How many tasks there are."""
        return len(self.bundle.tasks)

    @property
    def rewards(self) -> Rewards:
        """What was earned so far."""
        told = self.knowing.coverage if self._told is None else self._told
        return Rewards(self.won / self.tasks, self.knowing.coverage - told, self.quiz)

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


async def played(
    watched: Watched,
    agent: Agent,
    answerer: Callable[[tuple[Episode, ...]], AnswersQuiz],
    *,
    name: str,
    budget: Budget,
    questions: int | None = None,
) -> Played:
    """Let an agent play a world's tasks, then an answerer its quiz, and return the records.

    At most so many `questions` are asked, the first ones of the quiz, which stands in an order
    drawn by seed; None for all.
    """
    bundle = watched.bundle
    episodes = await play_through(
        watched, agent, bundle.tasks, seed=watched.number, name=name, budget=budget
    )
    asked = bundle.questions[:questions]
    graded = _Graded(answerer(episodes), watched, episodes, asked)
    return Played(bundle, episodes, await examine(graded, episodes, asked) if asked else ())


class _Graded:
    """An answerer whose answers are graded as they come; it learns no grade."""

    def __init__(
        self,
        answerer: AnswersQuiz,
        watched: Watched,
        episodes: tuple[Episode, ...],
        asked: Sequence[Question],
    ) -> None:
        self._answerer, self._watched, self._episodes = answerer, watched, episodes
        self._asked = asked
        self._replies: dict[str, str] = {}

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        await self._answerer.study(transcripts)

    async def preview(self, prompts: Sequence[Prompt]) -> None:
        if isinstance(self._answerer, PreviewsQuiz):
            await self._answerer.preview(prompts)

    async def answer(self, prompt: Prompt) -> str:
        """Pass on a question and grade the answer; questions come in the order of the quiz."""
        reply = await self._answerer.answer(prompt)
        self._replies[self._asked[len(self._replies)].id] = reply
        self._watched.quiz = quiz_score(
            self._watched.bundle, self._episodes, self._asked, self._replies
        )
        return reply


def quiz_score(
    bundle: Bundle,
    episodes: tuple[Episode, ...],
    asked: Sequence[Question],
    replies: Mapping[str, str],
) -> float:
    """Return the knowledge score over the questions that were asked; no reply is an abstention.

    It is 0 where none of them counts.
    """
    answers = tuple(Answer(each.id, replies.get(each.id, ABSTAIN)) for each in asked)
    points = knowledge_score.of(results(Played(bundle, episodes, answers)))
    return points.share("knowledge") or 0.0

"""Task2Quiz's two stages in one world, and the rows that record them.

An agent plays the world's tasks (`play_through`), an answerer takes its quiz (`examine`). The agent
gets only observations; the episode also records the facts that each step revealed or changed.

There is a row for each task and each question. The row of a task has the type ``task``; its reply
is the commands given, and it is right if the task was won. All numbers of a run are computed from
its rows. Beside the grade, a row has ``measures``:

    for a task        walkthrough, commands, outcome, refused, repeated; for a model, its `moves`
    for a question    `at_start`: whether the task list and the first screen settle it; `paper`: the
                      same, and when it was shown, by the paper's checkpoints; `first`: the place at
                      the start of a thing that may have been moved; for a model, the id of the
                      `context` from which it answered, and the number of turns `left_out` there
    for a world       in its first row, the `usage` of a model by purpose
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, pairwise, repeat
from typing import Any, Literal

from worldquiz.facts.episode import Episode, Outcome, Step
from worldquiz.facts.fact import State
from worldquiz.facts.requirement import All, Moment, Requirement, Seen, any_of
from worldquiz.facts.row import TASK, AnswerStatus, Purpose, Row, Usage
from worldquiz.runs.rows import RowLine
from worldquiz.t2q import grade
from worldquiz.t2q.agents.base import Agent, AnswersQuiz, Move
from worldquiz.t2q.question import (
    AFTER,
    BEFORE,
    TWO_TIMES,
    Answer,
    Context,
    Format,
    Question,
    prompt,
)
from worldquiz.t2q.quiz.ask import infer, shows
from worldquiz.t2q.suites import Bundle
from worldquiz.t2q.world.config import Budget
from worldquiz.t2q.world.predicates import LISTED
from worldquiz.t2q.world.spec import Task, Transition, World, WorldSpec
from worldquiz.t2q.world.words import distracted


@dataclass(frozen=True, slots=True)
class Played:
    """A bundle, one agent's episodes in it (in task order), and the answers (in quiz order)."""

    bundle: Bundle
    episodes: tuple[Episode, ...]
    answers: tuple[Answer, ...]
    moves: tuple[tuple[int, Move], ...] = ()  # of a model, each with its task's number
    usage: Mapping[Purpose, Usage] = field(default_factory=dict)  # of a model
    lost: str | None = None  # why the world failed; then it has no episodes and no answers
    lived: Mapping[str, Moment] = field(
        default_factory=dict
    )  # when questions about the play were settled


async def play_through(
    world: World,
    agent: Agent,
    tasks: Sequence[Task],
    *,
    seed: int,
    name: str,
    budget: Budget,
    distractors: int = 0,
) -> tuple[Episode, ...]:
    """Play a world's tasks in order with one agent, which may remember from one to the next.

    `name` is the agent's name in records. An episode ends when its task is won, when the agent
    gives up (`act` returns None) or when the commands for the task are used up. `distractors` is
    the number of distractors in each room's text.
    """

    def shown(transition: Transition) -> Transition:
        told = transition.observation
        text = distracted(told.text, world.spec.seed, distractors)
        return replace(transition, observation=replace(told, text=text))

    episodes: list[Episode] = []
    for number, task in enumerate(tasks):
        left = budget.left(tasks, number, sum(episode.actions for episode in episodes))
        transition, state = shown(world.reset(task)), world.state
        steps = [_step(0, None, transition, state, state)]
        await agent.begin(transition.observation)
        while not transition.observation.done and len(steps) <= left:
            action = await agent.act(transition.observation)
            if action is None:
                outcome = Outcome.GAVE_UP
                break
            transition = shown(world.step(action))
            before, state = state, world.state
            steps.append(_step(len(steps), action, transition, before, state))
        else:
            outcome = Outcome.WON if transition.observation.done else Outcome.STEP_LIMIT
        await agent.end(transition.observation)
        episodes.append(Episode(world.spec.id, task.id, name, seed, outcome, tuple(steps)))
    return tuple(episodes)


def _step(
    index: int, action: str | None, transition: Transition, before: State, after: State
) -> Step:
    """Return the step of a transition; equal states, which are frequent, are stored once."""
    same = before is after
    return Step(
        index,
        action,
        transition.command,
        transition.observation,
        transition.revealed,
        () if same else tuple(sorted(after - before)),
        () if same else tuple(sorted(before - after)),
    )


async def examine(
    answerer: AnswersQuiz, episodes: Sequence[Episode], questions: Sequence[Question]
) -> tuple[Answer, ...]:
    """Stage 2: answer every question of the world from the transcripts and nothing else."""
    await answerer.study([episode.transcript for episode in episodes])
    return tuple(await answerer.answers([prompt(question) for question in questions]))


# --- Rows ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class PaperRule:
    """A question's answerability by the paper's rule."""

    shown: tuple[int, int] | None
    at_start: bool


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Schema of the measures, of tasks and of questions."""

    walkthrough: int = 0
    commands: int = 0
    outcome: Outcome = Outcome.GAVE_UP
    refused: int = 0
    repeated: int = 0
    moves: Sequence[Move] = ()
    at_start: bool = False
    paper: PaperRule | None = None
    first: str = ""
    context: str = ""
    left_out: int = 0
    usage: Mapping[Purpose, Usage] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class WorldRow(RowLine):
    """A line of ``rows.jsonl``."""

    format: Format | Literal["play"]
    measures: Measures  # type: ignore[assignment]


def rows_of(played: Played, agent: str, answerer: str) -> list[Row]:
    """Return the rows of one world, tasks first; they record the names `agent` and `answerer`."""
    rows = [*_tasks(played, agent, answerer), *question_rows(played, agent, answerer)]
    if rows and played.usage:
        used = {str(name): asdict(each) for name, each in played.usage.items()}
        rows[0] = replace(rows[0], measures={**rows[0].measures, "usage": used})
    return rows


def _head(played: Played, agent: str, answerer: str) -> dict[str, Any]:
    """Return the fields that all rows of a world share."""
    spec = played.bundle.spec
    who = {"run": "", "benchmark": "t2q", "agent": agent, "answerer": answerer}
    return {**who, "world": spec.id, "level": spec.level}


def _tasks(played: Played, agent: str, answerer: str) -> Iterator[Row]:
    """Yield the rows of a world's tasks; in a world that failed, no task was played."""
    head = _head(played, agent, answerer)
    for number, task in enumerate(played.bundle.tasks):
        row = Row(
            **head, item=task.id, type=TASK, format="play", prompt=task.objective,
            gold="; ".join(task.walkthrough.commands), reply="", shown=True,
            status=AnswerStatus.FAILED, correct=None, unscored=played.lost,
        )  # fmt: skip
        if played.lost is not None:
            yield row
            continue
        episode = played.episodes[number]
        steps = episode.steps[1:]
        said = [(step.command or step.action, step.observation.text) for step in steps]
        measures: dict[str, Any] = {
            "walkthrough": len(task.walkthrough.commands),
            "commands": episode.actions,
            "outcome": str(episode.outcome),
            "refused": sum(step.command is None for step in steps),
            "repeated": sum(before == after for before, after in pairwise(said)),
        }
        moves = [
            {**asdict(move), "read": str(move.read)}
            for episode_, move in played.moves
            if episode_ == number
        ]
        yield replace(
            row, reply="; ".join(str(step.action) for step in steps), status=AnswerStatus.ANSWERED,
            measures=measures | ({"moves": moves} if moves else {}),
            correct=float(episode.outcome is Outcome.WON),
        )  # fmt: skip


def question_rows(played: Played, agent: str = "", answerer: str = "") -> Iterator[Row]:
    """Yield the rows of a world's questions, in quiz order.

    Answerability is computed over all of the agent's episodes in that world. A question without a
    recorded answer has no grade, but it is counted.
    """
    spec, head = played.bundle.spec, _head(played, agent, answerer)
    answers = chain(played.answers, repeat(Answer()))
    evidence = played.bundle.evidence(played.episodes)
    first = (replace(episode, steps=episode.steps[:1]) for episode in played.episodes)
    start = played.bundle.evidence(first)  # the objectives and the first room, before a command

    def shown(needed: Requirement) -> tuple[Moment | None, bool]:
        return evidence.earliest(needed, infer), start.earliest(needed, infer) is not None

    before = {each.about: each for each in played.bundle.questions if each.type == BEFORE}
    for question, said in zip(played.bundle.questions, answers, strict=False):
        moment, measures = played.lived.get(question.id), dict[str, Any](at_start=False)
        if moment is None:
            moment, at_start = shown(question.requires)
            measures = {"at_start": at_start}
            first_place = before.get(question.about)
            if question.type not in TWO_TIMES:
                by_paper, early = shown(visited(spec, question))
                rule = {"shown": by_paper and [by_paper.episode, by_paper.step], "at_start": early}
                measures["paper"] = rule
            elif question.type == AFTER and first_place and shown(first_place.requires)[0]:
                measures["first"] = first_place.gold
        if context := said.context:
            measures |= {"context": context.id, "left_out": context.left_out}
        row = Row(
            **head, item=question.id, type=question.type, format=question.format,
            prompt=question.text, gold=question.gold, guess=question.guess, measures=measures,
            choices=question.choices,
            shown=moment is not None, episode=moment.episode if moment else None,
            step=moment.step if moment else None, **_graded(question, said, spec.kinds),
        )  # fmt: skip
        if (lost := said.failure or played.lost) is not None:
            row = replace(row, unscored=lost)
        if context:
            row = replace(row, handed_over=_handed_over(question, context))
        yield row


def visited(spec: WorldSpec, question: Question) -> Requirement:
    """Return the paper's checkpoint of a question: the agent has been in the rooms it is about.

    The checkpoint of "the apple is in the kitchen" is "the agent has reached the kitchen" (section
    2.3). So the content of a closed chest there, or the lock of a door there, counts as known.
    For a question that names no entity, its choices are used.
    """
    places = [
        [room for room, _ in spec.ends(name)] or [spec.room_of(name)]  # of a door either room
        for name in question.about or question.choices
    ]
    return All(tuple(any_of(*(Seen(LISTED(room)) for room in rooms)) for rooms in places))


def regraded(row: Row, question: Question, kinds: Mapping[str, str]) -> Row:
    """Return a row with its answer graded again."""
    return replace(row, **_graded(question, Answer(row.reply), kinds))


def _graded(question: Question, said: Answer, kinds: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a row that depend on the answer."""
    told: dict[str, Any] = {"reply": said.reply or "", "correct": None}
    if said.reply is None:
        return {**told, "status": AnswerStatus.FAILED, "unscored": "no answer on record"}
    if said.lost:
        return {**told, "status": said.lost}
    found = grade.read(question, said.reply, kinds)
    if found.status is AnswerStatus.ANSWERED:
        told["correct"] = float(found.right)
    return {**told, "answer": found.answer, "status": found.status}


def _handed_over(question: Question, context: Context) -> bool | None:
    """Return whether the context from a memory shows the answer; None if this is unknown."""
    if context.whole:
        return True
    return shows(context.text, prompt(question), question.answers)

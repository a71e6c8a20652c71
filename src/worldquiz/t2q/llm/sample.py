"""A world as a sample of inspect: its first message, its conversation, and its session of tools."""

from __future__ import annotations

import json
from collections.abc import Iterator

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.solver import TaskState

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.question import prompt
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import Row
from worldquiz.records import check
from worldquiz.runs.folder import MODEL
from worldquiz.runs.rows import RowLine, row_of
from worldquiz.runs.rows import kept as line_of
from worldquiz.serve.inspect_tools import BEGIN, SampleSession, ended
from worldquiz.serve.session import Script
from worldquiz.t2q.agents.remote import ANSWER, INSTRUCTIONS, TOOLS, Remote, leaves, told
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.prompts.compose import question_text
from worldquiz.t2q.rows import rows_of
from worldquiz.t2q.run import Trial
from worldquiz.t2q.serve import visit
from worldquiz.t2q.store import Played
from worldquiz.t2q.suites import Suite

RECORDS = "worldquiz"
"""Where a sample's metadata keeps its rows."""
UNANSWERED, UNTOUCHED = "unanswered", "untouched"
"""What a sample's metadata says of a solver that stopped early, or that called no tool at all."""


def sample(suite: Suite, world: str) -> Sample:
    """Return a world's sample: the agent's first instructions and the best result possible."""
    entry = suite.entry(world)
    tasks, questions = entry["tasks"], entry["questions"]
    return Sample(
        id=world,
        input=f"{INSTRUCTIONS} {BEGIN}",
        target=f"{tasks} of {tasks} tasks won; {questions} of {questions} answers right",
        metadata={"level": entry["level"], "rooms": entry["rooms"], "objects": entry["objects"]},
    )


def session(suite: Suite, world: str, subject: Subject) -> SampleSession:
    """Return a world's session for solvers other than the task's own.

    Raises `KnobError` at its first call where the task's arguments say who else plays, or what that
    one's memory and prompts are.
    """

    async def script(mine: SampleSession) -> str:
        remote = Remote()
        mine.result = await visit(suite, world, _trial(subject), remote)
        return remote.farewell()

    def begin(mine: SampleSession) -> Script:
        _check_unused(subject)
        return script(mine)

    return SampleSession(TOOLS, begin, leaves)


def _trial(subject: Subject) -> Trial:
    return Trial(MODEL, MODEL, subject.seed, subject.budget)


def _check_unused(subject: Subject) -> None:
    plain = Subject(seed=subject.seed, budget=subject.budget).arguments()
    given = [f"{name}={value}" for name, value in subject.arguments().items()
             if value != plain[name]]  # fmt: skip
    if given:
        raise KnobError(
            f"-T {' -T '.join(given)}: a solver of your own has no use for it: leave it out"
        )


def rows_left(state: TaskState) -> list[Row]:
    """Return a sample's rows; a session that its solver left open is ended first.

    Raises `RecordError` where there are none: the task's own solver was stopped.
    """
    mine = ended(state)
    if mine is not None:
        called = mine.calls
        unanswered = mine.finish().count(ANSWER.name)
        leave(state, mine.result)
        if unanswered:
            state.metadata[UNANSWERED] = unanswered
        if not called:
            state.metadata[UNTOUCHED] = True
    where = f"world {state.sample_id}"
    told = state.metadata.get(RECORDS)
    if not isinstance(told, list):
        raise RecordError(f"{where}: it holds no rows: it was not finished")
    for line in told:
        check(json.dumps(line), RowLine, where)
    return [row_of(line, "") for line in told]


def leave(state: TaskState, played: Played) -> list[Row]:
    """Leave a world's rows with its sample, so that it is scored again without a model."""
    rows = rows_of(played, str(state.model), MODEL)
    state.metadata[RECORDS] = [line_of(row) for row in rows]
    return rows


def report(state: TaskState, played: Played, text: str) -> None:
    """Leave with a sample the conversation, and a summary for people."""
    state.output = ModelOutput.from_content(str(state.model), text)
    state.messages = list(conversation(played))
    state.completed = True


def conversation(played: Played) -> Iterator[ChatMessage]:
    """Yield what was shown and said in a world, in turn, as records hold it.

    A model was sent more at each turn: its memory and the prompt around it. The transcript has all.
    """
    raw = {move.moment: move.raw for move in played.trace.moves}
    for number, episode in enumerate(played.episodes):
        for step in episode.steps:
            if step.action is not None:
                gave = raw.get(Moment(number, step.index), step.action)
                yield ChatMessageAssistant(content=gave)
            yield ChatMessageUser(content=told(step.observation))
    replies = {reply.question: reply.raw for reply in played.trace.replies}
    answers = {answer.question: answer.reply for answer in played.answers}
    for question in played.bundle.questions:
        yield ChatMessageUser(content=question_text(prompt(question)))
        said = replies.get(question.id, answers.get(question.id))
        if said is not None:
            yield ChatMessageAssistant(content=said)

"""A language model with one memory in one world: it plays the tasks, then takes the quiz.

    observation -> what memory recalls -> prompt -> reply -> command -> its result -> memory
    question    -> what memory recalls -> prompt -> reply

Memory reaches the model only through the ``Context:`` of the prompts, so two memories differ in
nothing else. The prompts are the paper's (arXiv 2601.09503, appendix C; see `prompts`).

- The model gets only observations and its memory's text, never the true state.
- A reply without a command wastes a step: the world gets an empty command and refuses it.
- If the provider reports that the context window is full, the memory drops its oldest quarter,
  repeatedly until the prompt fits. If it cannot, the step is wasted or the question is wrong.
- The questions of a quiz are independent and asked in parallel, first with the whole memory. Then
  the memory drops a quarter, and the questions that did not fit are asked again, until all fit. So
  neither the number of parallel calls nor the order of replies changes the result.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from worldquiz.errors import AgentError
from worldquiz.facts.episode import Observation, Transcript, Turn
from worldquiz.facts.replies import read_text
from worldquiz.facts.requirement import Moment
from worldquiz.facts.row import AnswerStatus, Purpose
from worldquiz.llm.calls import Calls, asked_at_once
from worldquiz.llm.model import Model, user
from worldquiz.memory.base import Guarded, entry
from worldquiz.records import digest
from worldquiz.runs.losses import reason_of
from worldquiz.t2q.agents.base import Move
from worldquiz.t2q.prompts import query, scene
from worldquiz.t2q.question import Answer, Context, Prompt
from worldquiz.t2q.settings import T2QSettings

Compose = Callable[[str], str]
"""Makes a prompt from the text that memory recalls."""


@dataclass(frozen=True, slots=True)
class Said:
    """Result of one call: the reply, and the recalled text."""

    reply: str
    lost: AnswerStatus | None  # why it holds no answer; None if it may hold one
    recalled: str
    left_out: int  # number of turns that memory had dropped by then


class LLM:
    """A model as agent and answerer; `moves` collects its replies as it plays."""

    def __init__(self, calls: Calls, model: Model, memory: Guarded, given: T2QSettings) -> None:
        """Set up the agent. Its calls for the quiz are counted apart from earlier calls."""
        self.calls, self.memory = calls, memory
        self._model, self._given = calls.counting(model), given
        self._task, self._step = -1, 0
        self._last: str | None = None  # the command that led to the next observation
        self._recent: list[tuple[Moment, Turn]] = []  # turns of the current task so far
        self._untold: list[tuple[Moment, Turn]] = []  # turns that memory does not have yet
        self._left_out = 0  # number of turns that memory was made to drop
        self.moves: list[tuple[int, Move]] = []  # each with its task's number
        self._contexts: dict[str, Context] = {}  # by their ids

    async def begin(self, observation: Observation) -> None:
        """Start the next task."""
        self._task, self._step, self._last = self._task + 1, 0, None
        self._recent = []

    async def act(self, observation: Observation) -> str:
        """Ask for a command; return "" if the reply holds none."""
        now = Moment(self._task, self._step), Turn(self._last, observation)

        def compose(recalled: str) -> str:
            """Return a prompt with the text that memory recalls, then the last turns."""
            recent = self._recent[max(0, len(self._recent) - self._given.recent) :]
            beside = self._untold if self.memory.whole else recent
            return scene(self._given, recalled, beside, now, whole=self.memory.whole)

        said = await (await self._call(observation.text, compose))
        while _too_long(said) and self._shrunk():
            said = await (await self._call(observation.text, compose))
        command = "" if said.lost else read_text(said.reply, "command")
        read = AnswerStatus.ANSWERED if command else AnswerStatus.UNREADABLE
        self._step += 1
        move = Move(
            step=self._step, reply=said.reply, read=said.lost or read, left_out=said.left_out
        )
        self.moves.append((self._task, move))
        await self._take(*now)
        self._last = command
        return command

    async def end(self, observation: Observation) -> None:
        """Record how the task ended."""
        await self._take(Moment(self._task, self._step), Turn(self._last, observation))
        await self._tell()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Add the transcripts to the memory, unless the model itself played and knows them."""
        self.calls.purpose = Purpose.QUIZ
        if self._task >= 0:
            return
        for number, transcript in enumerate(transcripts):
            for step, turn in enumerate(transcript):
                await self._take(Moment(number, step), turn)
            await self._tell()

    async def answers(self, prompts: Sequence[Prompt]) -> list[Answer]:
        """Ask all questions of a quiz; a call that fails gives an answer without a reply.

        Raises `AgentError` if the memory fails for every question.
        """
        found: dict[int, Said | Exception] = {}
        left = list(range(len(prompts)))
        while left:
            asked = [prompts[place] for place in left]
            said = await asked_at_once(self._question, asked)
            found |= zip(left, said, strict=True)
            left = [place for place in left if _too_long(found[place])]
            if left and not self._shrunk():
                break
        broken = [each for each in found.values() if isinstance(each, AgentError)]
        if broken and len(broken) == len(prompts):
            raise broken[0]
        return [self._answer(found[place]) for place in range(len(prompts))]

    async def _take(self, moment: Moment, turn: Turn) -> None:
        """Record a turn; memory gets it at once or at the end of its task."""
        self._recent.append((moment, turn))
        self._untold.append((moment, turn))
        if self._given.granularity == "step":
            await self._tell()

    async def _tell(self) -> None:
        """Give memory the turns that it does not have yet."""
        if self._untold:
            told, self._untold = entry(self._untold), []
            await self.memory.add(told)

    async def _question(self, prompt: Prompt) -> Awaitable[Said]:
        return await self._call(prompt.text, lambda told: query(self._given, told, prompt))

    async def _call(self, query: str, compose: Compose) -> Awaitable[Said]:
        """Recall the context, compose the prompt, and return a call that is made once awaited."""
        recalled = await self.memory.recall(query)
        message = user(compose(recalled))
        call = self._model.generate([message])

        async def said(left_out: int) -> Said:
            found = await call
            return Said(found.text, found.lost, recalled, left_out)

        return said(self._left_out)

    def _shrunk(self) -> bool:
        """Make the memory drop its oldest part; return whether it could."""
        dropped = self.memory.shrink()
        self._left_out += dropped
        return dropped > 0

    def _answer(self, said: Said | Exception) -> Answer:
        """Return the result of a question."""
        if isinstance(said, Exception):
            return Answer(failure=reason_of(said))
        id = digest(said.recalled)[:16]
        whole = self.memory.whole and not said.left_out
        context = self._contexts.setdefault(id, Context(id, said.recalled, said.left_out, whole))
        return Answer(said.reply, said.lost, context)


def _too_long(said: Said | Exception) -> bool:
    """Return whether a prompt did not fit."""
    return isinstance(said, Said) and said.lost is AnswerStatus.OVERFLOW

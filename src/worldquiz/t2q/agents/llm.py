"""A language model with one memory in one world: it plays the tasks, then takes the quiz.

    observation -> what memory recalls -> prompt -> reply -> command -> what came of it -> memory
    question    -> what memory recalls -> prompt -> reply -> answer

Prompts are the paper's (arXiv 2601.09503, appendix C; `prompts`). All that a method remembers
stands in their ``Context:``, so methods differ by their memory and by nothing else.

- The model is given observations only, and its memory's text; never a fact.
- A reply without a command is a wasted step: the world is given an empty command, and refuses it.
- Where the provider says that the window is full, the memory leaves out its oldest quarter, again
  and again; with a memory that cannot do that the step is wasted, or the question wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.episode import Observation, Transcript, Turn
from worldquiz.facts.question import Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.json_replies import (
    read_answer,
    read_object,
    read_share,
    read_text,
    read_value,
    said,
)
from worldquiz.llm.records import READ, Status
from worldquiz.records import digest
from worldquiz.runs.losses import passing, reason_of
from worldquiz.t2q.memory.base import Granularity, Memory, Query, Recalled, Wiring, entry
from worldquiz.t2q.prompts.compose import Chunk, Options, batch_sheet, scene, sheet
from worldquiz.t2q.trace import CommandReply, Context, Reply

if TYPE_CHECKING:
    from inspect_ai.model import Content, Model

_BOUNDARIES = 3
"""Cache boundaries a prompt has at most; providers allow four."""
_MARKED = ("anthropic", "bedrock", "litellm", "openai", "openrouter")
"""Providers that can be told boundaries; others, many servers among them, want one plain text."""


class LLM:
    """An agent and answerer; `moves`, `replies` and `contexts` grow as it goes.

    Replies carry no question's id, since an answerer is not told one: they are in the order asked,
    None for a question whose call failed.
    """

    def __init__(
        self, model: Model, memory: Memory, wiring: Wiring, options: Options | None = None
    ) -> None:
        self._model, self._memory, self._wiring = model, memory, wiring
        self._options = options or Options()
        self._task, self._step = -1, 0
        self._last: str | None = None  # the command that led to the next observation
        self._recent: list[tuple[Moment, Turn]] = []  # turns of the current task, already taken
        self._untold: list[tuple[Moment, Turn]] = []  # turns that memory has not been given yet
        self._recalled = Recalled()
        self._left_out = 0  # turns that memory was made to leave out
        self.moves: list[CommandReply] = []
        self.replies: list[Reply | None] = []
        self.failures: dict[int, str] = {}  # why questions failed, by their place
        self.contexts: dict[str, Context] = {}

    async def begin(self, observation: Observation) -> None:
        """Take up the next task."""
        self._task, self._step, self._last = self._task + 1, 0, None
        self._recent = []

    async def act(self, observation: Observation) -> str:
        """Ask for a command; "" where the reply holds none."""
        now = Moment(self._task, self._step), Turn(self._last, observation)
        reply, status = await self._ask(self._query(observation), lambda r: self._scene(now, r))
        command = ""
        if status is None:
            command, status = read_text(reply, "command")
        self._step += 1
        self.moves.append(
            CommandReply(Moment(self._task, self._step), reply, status, self._left_out)
        )
        await self._take(now)
        self._last = command
        return command

    async def end(self, observation: Observation) -> None:
        """Take in how the task ended."""
        await self._take((Moment(self._task, self._step), Turn(self._last, observation)))
        await self._tell()

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Take in what another agent saw; what it played itself, its memory already holds."""
        if self._task >= 0:
            return
        for number, transcript in enumerate(transcripts):
            for step, turn in enumerate(transcript):
                await self._take((Moment(number, step), turn))
            await self._tell()

    async def answer(self, prompt: Prompt) -> str:
        """Ask one question and return the answer, "" where the reply holds none.

        A call that fails is noted, and costs this question only.
        """
        try:
            reply, status = await self._ask(
                self._question(prompt), lambda r: sheet(self._options, r.parts, prompt)
            )
        except Exception as error:  # whatever a provider's library raises
            return self._failed(error, 1)[0]
        text, confidence = "", None
        if status is None:
            text, status = read_answer(reply)
            if self._options.confidence:
                found, _ = read_object(reply, "confidence")
                confidence = read_share(found.get("confidence"))
        self._note(reply, status, confidence)
        return text

    async def answers(self, prompts: Sequence[Prompt]) -> list[str]:
        """Answer all questions of a quiz, in order, as many at a time as the options say."""
        size = self._options.batch
        if size == 1:
            return [await self.answer(prompt) for prompt in prompts]
        batches = [prompts[start : start + size] for start in range(0, len(prompts), size)]
        return [text for batch in batches for text in await self._answer_batch(batch)]

    async def _answer_batch(self, prompts: Sequence[Prompt]) -> list[str]:
        query = "\n".join(self._question(prompt) for prompt in prompts)
        try:
            reply, status = await self._ask(
                query, lambda r: batch_sheet(self._options, r.parts, prompts)
            )
        except Exception as error:  # whatever a provider's library raises
            return self._failed(error, len(prompts))
        told: dict[str, str] = {}
        if status is None:
            found, status = read_object(reply, "answers")
            told = dict(_numbered(found.get("answers")))
        texts = [told.get(str(number), "") for number in range(1, len(prompts) + 1)]
        readable = status in READ
        for text in texts:
            self._note(reply, Status.UNREADABLE if readable and not text else status, None)
        return texts

    def _failed(self, error: Exception, questions: int) -> list[str]:
        """Note that some questions failed; raise what says nothing about them."""
        if passing(error):
            raise error
        for _ in range(questions):
            self.failures[len(self.replies)] = reason_of(error)
            self.replies.append(None)
        return [""] * questions

    async def _ask(
        self, query: str, compose: Callable[[Recalled], list[Chunk]]
    ) -> tuple[str, Status | None]:
        """Return the model's reply, and why it cannot be read; None: it is worth trying."""
        from inspect_ai.model import ChatMessageUser

        while True:
            self._recalled = await self._memory.recall(query)
            message = ChatMessageUser(content=self._content(compose(self._recalled)))
            output = await self._model.generate([message])
            reply = output.completion
            match output.stop_reason:
                case "content_filter":
                    return reply, Status.FILTERED
                case "model_length" if not self._shrunk():
                    return reply, Status.OVERFLOW
                case "model_length":
                    continue
            return reply, None

    def _shrunk(self) -> bool:
        """Have the memory leave something out; tell whether it could."""
        shrink: Callable[[], int] | None = getattr(self._memory, "shrink", None)
        dropped = shrink() if shrink else 0
        self._left_out += dropped
        return dropped > 0

    def _note(self, reply: str, status: Status, confidence: float | None) -> None:
        """Record a reply and the context that it was given from."""
        text = self._recalled.text
        id = digest(text)[:16]
        self.contexts.setdefault(id, Context(id, text, self._left_out))
        self.replies.append(Reply("", reply, status, id, confidence))

    async def _take(self, turn: tuple[Moment, Turn]) -> None:
        """Have a turn remembered, at once or at the end of its task."""
        self._recent.append(turn)
        self._untold.append(turn)
        if self._wiring.granularity is Granularity.STEP:
            await self._tell()

    async def _tell(self) -> None:
        if self._untold:
            told, self._untold = entry(self._untold), []
            await self._memory.add(told)

    def _scene(self, now: tuple[Moment, Turn], recalled: Recalled) -> list[Chunk]:
        """Turns that memory does not show as they are, are shown beside it: the last few."""
        if recalled.whole:
            recent = self._untold
        else:
            recent = self._recent[max(0, len(self._recent) - self._wiring.recent) :]
        return scene(self._options, recalled.parts, recent, now, whole=recalled.whole)

    def _content(self, pieces: Sequence[Chunk]) -> str | list[Content]:
        """Return pieces as they are sent, with cache boundaries where the provider takes them."""
        from inspect_ai.model import ContentText

        if str(self._model).partition("/")[0] not in _MARKED:
            return "".join(piece.text for piece in pieces)
        stable = [place for place, piece in enumerate(pieces) if piece.stable][-_BOUNDARIES:]
        return [
            ContentText(text=piece.text, cache_breakpoint=place in stable or None)
            for place, piece in enumerate(pieces)
        ]

    def _query(self, observation: Observation) -> str:
        if self._wiring.query is Query.SHORT:
            return observation.text
        return f"{observation.objective}\n{observation.text}\n{observation.inventory}"

    def _question(self, prompt: Prompt) -> str:
        full = self._wiring.query is Query.FULL
        return " ".join((prompt.text, *(prompt.choices if full else ())))


def _numbered(value: object) -> Iterator[tuple[str, str]]:
    """Yield the answers of a batch with the number of their question."""
    for place, item in enumerate(value if isinstance(value, list) else [], start=1):
        if isinstance(item, dict):
            yield said(item.get("question")) or str(place), read_value(item.get("answer"))
        else:
            yield str(place), read_value(item)

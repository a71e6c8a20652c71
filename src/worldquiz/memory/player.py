"""A language model that plays with one memory: the loop that all benchmarks share.

    observation -> what memory recalls -> prompt -> reply -> command -> what came of it -> memory
    question    -> what memory recalls -> prompt -> reply

All that a method remembers stands in its prompts' ``Context:``, so methods differ by their memory
and by nothing else. In which words a command or a question is asked, a benchmark says.

- The model is given observations only, and its memory's text; never a fact.
- A reply without a command is a wasted step: the world is given an empty command, and refuses it.
- Where the provider says that the window is full, the memory leaves out its oldest quarter, again
  and again; with a memory that cannot do that the step is wasted, or the question wrong.
- Questions of a quiz do not depend on each other, and several are asked at once. All are asked with
  the memory as it is; then the memory leaves out a quarter, and those that were too long are asked
  again; and so on. So the number asked at once, and the order of replies, decide nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm.at_once import asked_at_once
from worldquiz.llm.chunks import Chunk, content
from worldquiz.llm.constrained import command_form, held_to
from worldquiz.llm.json_replies import read_text
from worldquiz.llm.records import CommandReply, Context, Status
from worldquiz.memory.base import Granularity, Memory, Recalled, Wiring, entry
from worldquiz.records import digest

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput

Q = TypeVar("Q")
Seen = tuple[Moment, Turn]
Compose = Callable[[Recalled], Sequence[Chunk]]
"""Makes a prompt of what memory recalls."""
_NO_REPLY = {"content_filter": Status.FILTERED, "model_length": Status.OVERFLOW}
"""Reasons to stop under which there is nothing to read."""


@dataclass(frozen=True, slots=True)
class Said:
    """What came of a call."""

    reply: str
    status: Status | None  # why it cannot be read; None: it is worth trying
    recalled: Recalled
    left_out: int  # turns that memory had left out when it was asked

    @property
    def too_long(self) -> bool:
        """Whether the prompt did not fit."""
        return self.status is Status.OVERFLOW


class Player(ABC):
    """Who plays, and is asked; `moves` and `contexts` grow as it goes."""

    def __init__(
        self,
        model: Model,
        memory: Memory,
        wiring: Wiring,
        at_once: int = 1,
        *,
        constrained: bool = False,
    ) -> None:
        """`at_once` is how many questions of the quiz are asked at a time: no result depends on it.

        The model must number a call when it is asked for, as that of `llm.usage` does. With
        `constrained`, replies are held to the form of a command.
        """
        self._model, self._memory, self._wiring = model, memory, wiring
        self._at_once = at_once
        self._command_form = command_form() if constrained else None
        self._task, self._step = -1, 0
        self._last: str | None = None  # the command that led to the next observation
        self._recent: list[Seen] = []  # turns of the current task, already taken
        self._untold: list[Seen] = []  # turns that memory has not been given yet
        self._left_out = 0  # turns that memory was made to leave out
        self.moves: list[CommandReply] = []
        self.contexts: dict[str, Context] = {}

    @abstractmethod
    def query(self, observation: Observation) -> str:
        """Return what memory is asked with before a command."""

    @abstractmethod
    def scene(self, now: Seen, recent: Sequence[Seen], recalled: Recalled) -> Sequence[Chunk]:
        """Return the prompt for a command; `recent` are the turns shown beside what is recalled."""

    async def begin(self, observation: Observation) -> None:
        """Take up the next task."""
        self._task, self._step, self._last = self._task + 1, 0, None
        self._recent = []

    async def act(self, observation: Observation) -> str:
        """Ask for a command; "" where the reply holds none."""
        now = Moment(self._task, self._step), Turn(self._last, observation)
        said = await self._asked(
            self.query(observation),
            lambda recalled: self.scene(now, self._beside(recalled), recalled),
        )
        command, status = "", said.status
        if status is None:
            command, status = read_text(said.reply, "command")
        self._step += 1
        self.moves.append(
            CommandReply(Moment(self._task, self._step), said.reply, status, said.left_out)
        )
        await self.take(now)
        self._last = command
        return command

    async def end(self, observation: Observation) -> None:
        """Take in how the task ended."""
        await self.take((Moment(self._task, self._step), Turn(self._last, observation)))
        await self.tell()

    async def quiz(
        self, questions: Sequence[Q], prepare: Callable[[Q], Awaitable[Awaitable[Said]]]
    ) -> list[Said | Exception]:
        """Return what was said of each question, or why asking it failed.

        `prepare` makes its call ready, by `call`.
        """
        found: dict[int, Said | Exception] = {}
        left = list(range(len(questions)))
        while left:
            asked = [questions[place] for place in left]
            said = await asked_at_once(prepare, asked, self._at_once)
            found |= zip(left, said, strict=True)
            left = [place for place in left if _too_long(found[place])]
            if left and not self._shrunk():
                break
        return [found[place] for place in range(len(questions))]

    async def call(
        self, query: str, compose: Compose, form: Mapping[str, Any] | None = None
    ) -> Awaitable[Said]:
        """Recall and compose, and return the call, which is not made yet.

        The reply is held to a `form`, if there is one.
        """
        from inspect_ai.model import ChatMessageUser

        recalled = await self._memory.recall(query)
        message = ChatMessageUser(content=content(self._model, compose(recalled)))
        return self._said(self._model.generate([message], **held_to(form)), recalled)

    def note(self, said: Said) -> str:
        """Keep the context that a reply was given from, once, and return its id."""
        text = said.recalled.text
        id = digest(text)[:16]
        self.contexts.setdefault(id, Context(id, text, said.left_out))
        return id

    async def take(self, turn: Seen) -> None:
        """Have a turn remembered, at once or at the end of its task."""
        self._recent.append(turn)
        self._untold.append(turn)
        if self._wiring.granularity is Granularity.STEP:
            await self.tell()

    async def tell(self) -> None:
        """Give memory the turns that it has not been given yet."""
        if self._untold:
            told, self._untold = entry(self._untold), []
            await self._memory.add(told)

    async def _asked(self, query: str, compose: Compose) -> Said:
        """Return what is said once the prompt fits, or nothing is left that could be left out."""
        while True:
            said = await (await self.call(query, compose, self._command_form))
            if not said.too_long or not self._shrunk():
                return said

    async def _said(self, call: Awaitable[ModelOutput], recalled: Recalled) -> Said:
        left_out = self._left_out
        output = await call
        status = _NO_REPLY.get(output.stop_reason)
        return Said(output.completion, status, recalled, left_out)

    def _shrunk(self) -> bool:
        """Have the memory leave something out; tell whether it could."""
        shrink: Callable[[], int] | None = getattr(self._memory, "shrink", None)
        dropped = shrink() if shrink else 0
        self._left_out += dropped
        return dropped > 0

    def _beside(self, recalled: Recalled) -> Sequence[Seen]:
        """Turns that memory does not show as they are, are shown beside it: the last few."""
        if recalled.whole:
            return self._untold
        return self._recent[max(0, len(self._recent) - self._wiring.recent) :]


def _too_long(said: Said | Exception) -> bool:
    return isinstance(said, Said) and said.too_long

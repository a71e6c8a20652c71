"""A language model with one memory in one world: it plays the tasks, then takes the quiz.

Prompts are the paper's (arXiv 2601.09503, appendix C; `prompts`), the loop is that of
`memory.player`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterator, Sequence
from typing import TYPE_CHECKING

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.question import Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.chunks import Chunk
from worldquiz.llm.json_replies import (
    read_answer,
    read_object,
    read_share,
    read_value,
    said,
)
from worldquiz.llm.records import READ, Status
from worldquiz.memory.base import Memory, Query, Recalled, Wiring
from worldquiz.memory.player import Player, Said, Seen
from worldquiz.runs.losses import reason_of
from worldquiz.t2q.prompts.compose import Options, batch_sheet, scene, sheet
from worldquiz.t2q.prompts.schemas import answers_schema
from worldquiz.t2q.trace import Reply

if TYPE_CHECKING:
    from inspect_ai.model import Model


class LLM(Player):
    """An agent and answerer; `moves`, `replies` and `contexts` grow as it goes.

    Replies carry no question's id, since an answerer is not told one: they are in the order asked,
    None for a question whose call failed.
    """

    def __init__(
        self,
        model: Model,
        memory: Memory,
        wiring: Wiring,
        options: Options | None = None,
        at_once: int = 1,
    ) -> None:
        """Take what `Player` takes, and what departs from the paper's prompts."""
        self._options = options or Options()
        super().__init__(model, memory, wiring, at_once, constrained=self._options.constrained)
        self.replies: list[Reply | None] = []
        self.failures: dict[int, str] = {}  # why questions failed, by their place

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Take in what another agent saw; what it played itself, its memory already holds."""
        if self._task >= 0:
            return
        for number, transcript in enumerate(transcripts):
            for step, turn in enumerate(transcript):
                await self.take((Moment(number, step), turn))
            await self.tell()

    async def answers(self, prompts: Sequence[Prompt]) -> list[str]:
        """Ask all questions of a quiz and return the answers, "" where a reply holds none.

        A call that fails is noted, and costs the questions asked in it only.
        """
        size = self._options.batch
        batches = [prompts[start : start + size] for start in range(0, len(prompts), size)]
        found = zip(batches, await self.quiz(batches, self._questions), strict=True)
        return [text for batch, said in found for text in self._read(batch, said)]

    async def _questions(self, batch: Sequence[Prompt]) -> Awaitable[Said]:
        query = "\n".join(self._question(prompt) for prompt in batch)
        form = answers_schema(self._options, batch)
        if self._options.batch == 1:
            return await self.call(query, lambda r: sheet(self._options, r.parts, batch[0]), form)
        return await self.call(query, lambda r: batch_sheet(self._options, r.parts, batch), form)

    def _read(self, batch: Sequence[Prompt], said: Said | Exception) -> list[str]:
        """Return the answers of one reply, and note the reply for each question."""
        if isinstance(said, Exception):
            for _ in batch:
                self.failures[len(self.replies)] = reason_of(said)
                self.replies.append(None)
            return [""] * len(batch)
        return [self._read_one(said)] if self._options.batch == 1 else self._read_all(batch, said)

    def _read_one(self, said: Said) -> str:
        text, status, confidence = "", said.status, None
        if status is None:
            text, status = read_answer(said.reply)
            if self._options.confidence:
                found, _ = read_object(said.reply, "confidence")
                confidence = read_share(found.get("confidence"))
        self._note(said, status, confidence)
        return text

    def _read_all(self, batch: Sequence[Prompt], said: Said) -> list[str]:
        told: dict[str, str] = {}
        status = said.status
        if status is None:
            found, status = read_object(said.reply, "answers")
            told = dict(_numbered(found.get("answers")))
        texts = [told.get(str(number), "") for number in range(1, len(batch) + 1)]
        readable = status in READ
        for text in texts:
            self._note(said, Status.UNREADABLE if readable and not text else status, None)
        return texts

    def _note(self, said: Said, status: Status, confidence: float | None) -> None:
        """Record a reply and the context that it was given from."""
        self.replies.append(Reply("", said.reply, status, self.note(said), confidence))

    def scene(self, now: Seen, recent: Sequence[Seen], recalled: Recalled) -> list[Chunk]:
        """Return the paper's prompt for a command."""
        return scene(self._options, recalled.parts, recent, now, whole=recalled.whole)

    def query(self, observation: Observation) -> str:
        """Return the observation, or all of it with the objective."""
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

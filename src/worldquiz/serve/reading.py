"""Places with a text to read and questions about it, as most benchmarks of answerers need them.

An agent reads as often as it likes, before the questions and amid them, as models have the text
before every question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from worldquiz.runs.journal import Lines
from worldquiz.serve.session import Offer, Parameter, Tool, ToolReply, offered

LONGEST_ANSWER = 20_000
READ = Tool("read", "Shows what is to be read. It costs nothing, and may be called at any time.")
DONE = Tool("done", "Ends the reading: the questions begin.")
ANSWER = Tool(
    "answer",
    "Answers the question that is before you; the next one follows.",
    (Parameter("answer", "In the form that the question asks for.", "value", LONGEST_ANSWER),),
)
_READING = "You are reading: `read` shows what is to be read, `done` begins the questions."
_ASKED = "You are being asked: `answer` answers the question that `look` shows."


class ReadingPlace(NamedTuple):
    """Text for an agent to read, and questions for it to answer."""

    text: str
    asked: Mapping[Any, tuple[Mapping[str, Any], str]]
    """By the keys of the run's units, in order: what the line of a reply says beside it, and the
    question."""


Made = Callable[[], tuple[Any, Mapping[str, ReadingPlace]]]


class ServedReading:
    """Serves a run whose units are questions, kept as lines.

    `make` gives the run, as `served.Served` has it, and its places; it is called when they are
    first needed, since it may take long.
    """

    tools = (READ, DONE, ANSWER)

    def __init__(self, noun: str, instructions: str, make: Made) -> None:
        self.noun, self._make = noun, make
        self.instructions = (
            f"{instructions} `read` shows what is to be read, before and amid the questions. "
            "`done` ends the reading. Then the questions come one at a time, and `answer` answers "
            "them. Answers cannot be changed."
        )

    @cached_property
    def _made(self) -> tuple[Any, Mapping[str, ReadingPlace]]:
        return self._make()

    @property
    def work(self) -> Any:
        """The run."""
        return self._made[0]

    def places(self, left: Sequence[Hashable]) -> Sequence[str]:
        """Return the places of the questions that are left."""
        keys = set(left)
        return [name for name, place in self._made[1].items() if keys & place.asked.keys()]

    async def script(self, name: str, kept: Lines[Any]) -> str:
        """Let the agent read and answer, and keep the answers."""
        text, asked = self._made[1][name]
        notes = {READ.name: text}
        opening = ToolReply(self.instructions)
        await offered(Offer(opening, (DONE.name,), _READING, notes=notes))
        lines = []
        for number, (about, question) in enumerate(asked.values(), start=1):
            words = ToolReply(f"Question {number} of {len(asked)}\n\n{question}")
            call = await offered(Offer(words, (ANSWER.name,), _ASKED, notes=notes))
            lines.append({**about, "reply": call.arguments["answer"]})
        for line in lines:
            if kept.find(line) is None:
                kept.keep(line)
        return f"This {self.noun} is finished, and your answers are kept."

    def lose(self, name: str, error: BaseException, kept: Lines[Any]) -> None:
        """Note why a place's questions could not be finished."""
        for about, _ in self._made[1][name].asked.values():
            if kept.find(about) is None:
                kept.lose(about, error)

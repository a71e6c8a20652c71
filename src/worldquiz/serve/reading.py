"""Places with a text to read and questions about it, as most benchmarks of answerers need them.

An agent reads as often as it likes, before the questions and amid them, as models have the text
before every question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from worldquiz.runs.journal import Lines
from worldquiz.serve.served import ServedWork
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


class AskedText(NamedTuple):
    """A question as it is asked."""

    about: Mapping[str, Any]  # what the line of its reply says of it
    text: str


@dataclass(frozen=True)
class ReadingPlace:
    """Text for an agent to read, and questions for it to answer."""

    text: str
    asked: Mapping[Any, AskedText]  # by the keys of the run's units, in order


@dataclass(frozen=True)
class ReadingRun:
    """A run whose units are questions, kept as lines."""

    work: ServedWork
    places: Mapping[str, ReadingPlace]
    line: Callable[[Mapping[str, Any], str], Mapping[str, Any]]
    """Makes the line that is kept, of what it is about and the reply."""


class ServedReading:
    """Serves such a run. `make` is called when the run is first needed: it may take long."""

    tools = (READ, DONE, ANSWER)

    def __init__(self, noun: str, instructions: str, make: Callable[[], ReadingRun]) -> None:
        self.noun, self._make = noun, make
        self.instructions = (
            f"{instructions} `read` shows what is to be read, before and amid the questions. "
            "`done` ends the reading. Then the questions come one at a time, and `answer` answers "
            "them. Answers cannot be changed."
        )

    @cached_property
    def _run(self) -> ReadingRun:
        return self._make()

    @property
    def work(self) -> ServedWork:
        """The run."""
        return self._run.work

    def places(self, left: Sequence[Hashable]) -> Sequence[str]:
        """Return the places of the questions that are left."""
        keys = set(left)
        return [name for name, place in self._run.places.items() if keys & place.asked.keys()]

    async def script(self, name: str, kept: Lines[Any]) -> str:
        """Let the agent read and answer, and keep the answers."""
        place = self._run.places[name]
        notes = {READ.name: place.text}
        opening = ToolReply(self.instructions)
        await offered(Offer(opening, (DONE.name,), _READING, notes=notes))
        replies = []
        for number, question in enumerate(place.asked.values(), start=1):
            words = ToolReply(f"Question {number} of {len(place.asked)}\n\n{question.text}")
            call = await offered(Offer(words, (ANSWER.name,), _ASKED, notes=notes))
            replies.append(call.arguments["answer"])
        for question, reply in zip(place.asked.values(), replies, strict=True):
            if kept.find(question.about) is None:
                kept.keep(self._run.line(question.about, reply))
        return f"This {self.noun} is finished, and your answers are kept."

    def lose(self, name: str, error: BaseException, kept: Lines[Any]) -> None:
        """Note why a place's questions could not be finished."""
        for question in self._run.places[name].asked.values():
            if kept.find(question.about) is None:
                kept.lose(question.about, error)

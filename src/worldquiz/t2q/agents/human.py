"""A person at a terminal: plays a world, and takes its quiz."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape

from worldquiz.facts.episode import Observation, Transcript
from worldquiz.facts.question import ABSTAIN, CATEGORIES, LAWS, Format, Prompt
from worldquiz.report.visible import visible

_HINTS = {
    Format.YES_NO: "yes or no",
    Format.WHICH: "a number or the words",
    Format.WHERE: "a place",
    Format.WHAT: "a name or a direction",
    Format.DESCRIPTION: f"any of {', '.join(CATEGORIES)}, or nothing",
}

_DIGITS = 4
"""Digits that the number of a choice has less of."""


class Human:
    """Shows what happens and asks for what to do. The end of input gives up a task."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(emoji=False)

    async def begin(self, observation: Observation) -> None:
        """Announce a new task; the world is as at the start again."""
        self._console.rule("New task")

    async def act(self, observation: Observation) -> str | None:
        """Show an observation and return the command typed, None to give up."""
        self._console.print(_shown(observation.text))
        try:
            return self._ask("> ")
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None

    async def end(self, observation: Observation) -> None:
        """Show how it ended, where the person has not seen that yet."""
        if observation.done:
            self._console.print(_shown(observation.text))

    async def study(self, transcripts: Sequence[Transcript]) -> None:
        """Trust the person's memory; say what holds in every world, as for any answerer."""
        self._console.rule("Quiz")
        self._console.print("In this world:")
        for law in LAWS:
            self._console.print(f"  - {_shown(law)}")

    async def answer(self, prompt: Prompt) -> str:
        """Show a question and return the reply; an empty one abstains.

        Raises `EOFError` at the end of input: nobody is there to answer.
        """
        self._console.print(f"\n[bold]{_shown(prompt.text)}[/bold]")
        for number, choice in enumerate(prompt.choices, start=1):
            self._console.print(f"  {number}. {_shown(choice)}")
        reply = self._ask(f"({_HINTS[prompt.format]}; empty if you cannot know) ") or ABSTAIN
        return _chosen(reply, prompt.choices)

    def _ask(self, words: str) -> str:
        """Return a line without surrounding space."""
        return self._console.input(escape(words)).strip()


def _shown(text: str) -> str:
    """Return text of a game as it is printed: neither markup nor control characters."""
    return escape(visible(text))


def _chosen(reply: str, choices: Sequence[str]) -> str:
    """Return the choice that a number stands for, else the reply as it is."""
    if reply.isdecimal() and len(reply) < _DIGITS and 1 <= int(reply) <= len(choices):
        return choices[int(reply) - 1]
    return reply

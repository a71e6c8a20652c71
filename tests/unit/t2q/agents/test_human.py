"""A person at a terminal: what is shown, what comes back, and how to stop."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from worldquiz.facts.episode import Observation
from worldquiz.facts.question import ABSTAIN, LAWS, Format, Prompt
from worldquiz.t2q.agents.human import Human

ATTIC = Observation("-= Attic =-\nThis is the [attic].", "", 0, False, "Go to the study.")


class Keyboard:
    """Types lines; a `BaseException` among them is raised, as Ctrl-C and the end of input are."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str | type[BaseException]) -> None:
        self.lines: Iterator[str | type[BaseException]] = iter(lines)
        monkeypatch.setattr("builtins.input", self.read)

    def read(self, *_: object) -> str:
        line = next(self.lines)
        if isinstance(line, str):
            return line
        raise line


@pytest.fixture
def screen() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def human(screen: io.StringIO) -> Human:
    return Human(Console(file=screen, width=80))


def test_it_shows_the_text_and_returns_the_command(
    human: Human, screen: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    Keyboard(monkeypatch, "  go north ")
    asyncio.run(human.begin(ATTIC))
    assert asyncio.run(human.act(ATTIC)) == "go north"
    assert "New task" in screen.getvalue()
    assert "This is the [attic]." in screen.getvalue()


@pytest.mark.parametrize("end", [EOFError, KeyboardInterrupt])
def test_the_end_of_input_gives_up(
    human: Human, monkeypatch: pytest.MonkeyPatch, end: type[BaseException]
) -> None:
    Keyboard(monkeypatch, end)
    assert asyncio.run(human.act(ATTIC)) is None


def test_the_laws_are_told_before_the_quiz(human: Human, screen: io.StringIO) -> None:
    asyncio.run(human.study([]))
    shown = " ".join(screen.getvalue().split())
    assert [law for law in LAWS if law not in shown] == []


CHOICE = Prompt("Which key fits the [gate]?", Format.WHICH, ("tin key", "old key"))


@pytest.mark.parametrize(
    ("typed", "reply"),
    [
        ("2", "old key"),
        ("tin key", "tin key"),
        ("3", "3"),
        ("0", "0"),
        ("", ABSTAIN),
    ],
)
def test_replies(
    human: Human,
    screen: io.StringIO,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    reply: str,
) -> None:
    Keyboard(monkeypatch, typed)
    asyncio.run(human.study([]))
    assert asyncio.run(human.answer(CHOICE)) == reply
    shown = screen.getvalue()
    assert "Which key fits the [gate]?" in shown
    assert "2. old key" in shown


def test_without_anybody_there_the_quiz_stops(
    human: Human, monkeypatch: pytest.MonkeyPatch
) -> None:
    Keyboard(monkeypatch, EOFError)
    with pytest.raises(EOFError):
        asyncio.run(human.answer(CHOICE))


@pytest.mark.parametrize("format", Format)
def test_each_format_has_a_hint(
    human: Human, screen: io.StringIO, monkeypatch: pytest.MonkeyPatch, format: Format
) -> None:
    Keyboard(monkeypatch, "yes")
    assert asyncio.run(human.answer(Prompt("So?", format))) == "yes"
    assert "empty if you cannot know" in " ".join(screen.getvalue().split())

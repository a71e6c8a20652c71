"""Protocol of a benchmark that can be served to agents that call tools: its places and tools."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from worldquiz.errors import KnobError, did_you_mean
from worldquiz.runs.folder import HUMAN, MODEL
from worldquiz.serve.session import Script, Tool

LONGEST_NAME = 80


class Served(Protocol):
    """Result of ``DataKind.serve``: places for agents, and a script for each.

    A place is a world, maze or scene: one session plays it, from its first offer to its last.
    """

    noun: str  # what a place is called: "world"
    instructions: str  # what an agent is told at first

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Tools of an agent, beside `look` and `next`."""
        ...

    @property
    def work(self) -> Any:
        """The run: a `runs.life.Work`, whose `produce` nobody calls."""
        ...

    def places(self, left: Sequence[Any]) -> Sequence[str]:
        """Return the places in which units are left, in order."""
        ...

    def script(self, place: str, kept: Any) -> Script:
        """Return what happens in a place; at its end it keeps the results."""
        ...

    def lose(self, place: str, error: BaseException, kept: Any) -> None:
        """Note why a place could not be finished."""
        ...


def check_agent_name(name: str, known: Collection[str]) -> str:
    """Return the name by which records call an agent. Raises `KnobError` for one that misleads.

    `known` are names that the benchmark has for agents of its own.
    """
    if name in (HUMAN, MODEL, *known):
        raise KnobError(f"agent name {name!r}: worldquiz calls one of its own so: give another")
    if not name.strip() or not name.isprintable() or ":" in name or len(name) > LONGEST_NAME:
        raise KnobError(
            f"agent name {name[:LONGEST_NAME]!r}: give 1 to {LONGEST_NAME} letters that can be "
            "seen, without a colon"
        )
    return name


def read_settings(
    told: Mapping[str, str], known: Mapping[str, Callable[[str], Any]]
) -> dict[str, Any]:
    """Return settings as a benchmark takes them; `known` reads each from its text.

    Raises `KnobError` for one that is not known, or has no such value.
    """
    found = {}
    for name, text in told.items():
        if name not in known:
            raise KnobError(f"--set {name}={text}: no such setting{did_you_mean(name, known)}")
        try:
            found[name] = known[name](text)
        except ValueError as error:
            raise KnobError(f"--set {name}={text}: no such value") from error
    return found

"""Agents, answerers, memories and worlds that a user passes as objects rather than by name.

An instance is copied for each world, a class or function is called for a fresh one: no state goes
from one world to the next, so a resumed run has the bytes of an undisturbed one. Methods may be
plain or `async`.
"""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from enum import StrEnum
from traceback import format_exception
from typing import Any, TypeVar

from worldquiz.errors import (
    AgentError,
    CatalogError,
    KnobError,
    ReplyTypeError,
    did_you_mean,
    user_errors,
)
from worldquiz.records import printable

Choice = TypeVar("Choice", bound=StrEnum)
OTHER_CODE = "what is finished is kept: run it again to go on, with other code in another folder"


def name_of(thing: object) -> str:
    """Return how records call a thing: a name itself, else its ``name``, else its class's."""
    if isinstance(thing, str):
        return thing
    stated = getattr(thing, "name", None)
    if isinstance(stated, str) and stated:
        return stated
    made = thing.func if isinstance(thing, functools.partial) else thing
    return str(getattr(made, "__name__", type(made).__name__))


def one_of(kind: type[Choice], text: str, name: str) -> Choice:
    """Read one value of an option. Raises `KnobError`."""
    try:
        return kind(text)
    except ValueError as error:
        known = [str(each) for each in kind]
        raise KnobError(f"{name} {text!r}: no such value{did_you_mean(text, known)}") from error


def check_name(thing: object, noun: str, known: Collection[str]) -> None:
    """Raise `CatalogError` if an object is called like something of a catalogue."""
    if not isinstance(thing, str) and name_of(thing) in known:
        raise CatalogError(
            f"{noun} {name_of(thing)!r}: worldquiz has one of that name: give the object another "
            "`name`"
        )


def fresh(thing: object, noun: str, **offered: Any) -> Any:
    """Return a new one: a copy of an instance, or what a class or function makes.

    Raises `CatalogError` for an instance that cannot be copied.
    """
    if isinstance(thing, type | functools.partial) or inspect.isroutine(thing):
        with blamed(f"{noun} {name_of(thing)!r}", "when it was made"):
            return called(thing, noun, **offered)
    try:
        return deepcopy(thing)
    except Exception as error:  # whatever the user's object raises
        raise CatalogError(
            f"{noun} {name_of(thing)!r} cannot be copied for each world ({error}): pass a class or "
            "function that makes one"
        ) from error


def called(make: Callable[..., Any], noun: str, **offered: Any) -> Any:
    """Call a class or function with those of the offered values that it has a parameter for.

    Raises `CatalogError` for a parameter that it needs and that nothing is offered for.
    """
    try:
        parameters = inspect.signature(make).parameters
    except (TypeError, ValueError):  # a built-in without a signature
        return make()
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    by_name = {name: value for name, value in offered.items() if name in parameters}
    for name, each in parameters.items():
        if each.default is each.empty and each.kind not in rest and name not in by_name:
            told = name_of(make)
            only = f"only {' and '.join(offered)} is" if offered else "nothing is"
            raise CatalogError(
                f"{noun} {told!r} needs {name!r}, and {only} offered: pass an instance, or "
                f"{noun}=lambda: {told}({name}=...)"
            )
    return make(**by_name)


def place_of(method: Callable[..., Any]) -> str:
    """Return where a function or method is written: its name, its file and the line."""
    made = inspect.unwrap(getattr(method, "__func__", method))
    code = getattr(made, "__code__", None) or getattr(type(made).__call__, "__code__", None)
    line = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
    return f"{getattr(made, '__qualname__', type(made).__name__)}{line}"


async def settled(value: Any) -> Any:
    """Return a value, or what it comes to where a method was `async`."""
    return await value if inspect.isawaitable(value) else value


@contextmanager
def blamed(who: str, where: str) -> Iterator[None]:
    """Say of what a user's object raises whose error it is, where, and how to go on.

    Raises `AgentError` from that error. `who` is as "agent 'Mine'", `where` as "in world 'w-1'".
    """
    try:
        yield
    except user_errors():
        raise
    except Exception as error:  # whatever the user's object raises
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        failed = AgentError(f"{who} failed {where}: {told}; {OTHER_CODE}")
        failed.trace = "".join(format_exception(error))
        raise failed from error


def text_of(reply: object, method: Callable[..., Any], who: str, where: str) -> str:
    """Return what a method replied, which must be a text.

    Raises `ReplyTypeError`, which says what it is instead, and where to mend it.
    """
    if isinstance(reply, str):
        return printable(reply)
    raise ReplyTypeError(
        f"{who} returned {reply!r:.80}, not a text, {where}: mend {place_of(method)}; {OTHER_CODE}"
    )


def check_portable(things: object, jobs: int) -> None:
    """Raise `KnobError` where objects cannot be sent to the processes of a run."""
    if jobs == 1:
        return
    try:
        pickle.dumps(things)
    except Exception as error:  # whatever the user's object raises
        raise KnobError(
            f"an object of the run cannot be sent to other processes ({error}): define it in a "
            "module, or run with jobs=1"
        ) from error


@dataclass(frozen=True, slots=True)
class Declared:
    """Needs of a plug-in or an object, as attributes of its class or function say."""

    needs_model: bool = False
    needs_embedder: bool = False
    extra: str | None = None  # of worldquiz: ``pip install 'worldquiz[EXTRA]'``

    @classmethod
    def of(cls, thing: object) -> Declared:
        """Read the attributes; one that is absent needs nothing."""
        extra = getattr(thing, "extra", None)
        return cls(
            bool(getattr(thing, "needs_model", False)),
            bool(getattr(thing, "needs_embedder", False)),
            extra if isinstance(extra, str) else None,
        )

    def words(self) -> list[str]:
        """Return what is needed, as tables say it."""
        told = (("model", self.needs_model), ("embedder", self.needs_embedder))
        return [word for word, needed in told if needed] + ([self.extra] if self.extra else [])


NOTHING = Declared()


def summary_of(thing: object) -> str:
    """Return the first line of a thing's docstring, empty where it has none of its own."""
    text = getattr(thing, "__doc__", None) or ""
    made = thing if isinstance(thing, type) or inspect.isroutine(thing) else type(thing)
    own = text if "__doc__" in getattr(made, "__dict__", {}) or inspect.isroutine(made) else ""
    return own.strip().partition("\n")[0].rstrip(".")

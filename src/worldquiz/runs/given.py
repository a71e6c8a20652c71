"""Agents, answerers, memories and worlds that a user passes as objects rather than by name.

For each world, an instance is copied, and a class or function is called to make an object. No state
passes from one world to the next, so a resumed run has the same bytes as an uninterrupted run.
Methods may be plain or `async`.
"""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from traceback import format_exception
from typing import Any

from worldquiz.errors import (
    AgentError,
    CatalogError,
    KnobError,
    ReplyTypeError,
    user_errors,
)
from worldquiz.plugins import imported
from worldquiz.records import printable

OTHER_CODE = "finished work is kept: run it again to continue; run changed code in a new folder"


def name_of(thing: object) -> str:
    """Return an object's name in records: the string itself, its ``name``, or its class's name."""
    if isinstance(thing, str):
        return thing
    stated = getattr(thing, "name", None)
    if isinstance(stated, str) and stated:
        return stated
    made = thing.func if isinstance(thing, functools.partial) else thing
    return str(getattr(made, "__name__", type(made).__name__))


def check_name(thing: object, noun: str, known: Collection[str]) -> None:
    """Raise `CatalogError` if a user's object has a name that worldquiz itself uses."""
    if not isinstance(thing, str) and name_of(thing) in known:
        raise CatalogError(
            f"{noun} {name_of(thing)!r} has the name of worldquiz's own {noun}: give the object "
            "another `name`"
        )


def fresh(thing: object, noun: str, **offered: Any) -> Any:
    """Return a new object: a copy of an instance, or the object that a class or function makes.

    A class or function is called with those `offered` values for which it has a parameter. Raises
    `CatalogError` if it requires any other argument, or if an instance cannot be copied.
    """
    name = name_of(thing)
    if not (isinstance(thing, type | functools.partial) or inspect.isroutine(thing)):
        try:
            return deepcopy(thing)
        except Exception as error:  # whatever the user's object raises
            raise CatalogError(
                f"{noun} {name!r} cannot be copied for each world ({error}): pass a class or "
                "function that makes one"
            ) from error
    parameters: Mapping[str, inspect.Parameter]
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):  # a built-in without a signature
        parameters = {}
    known = {key: value for key, value in offered.items() if key in parameters}
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for key, each in parameters.items():
        if each.default is each.empty and each.kind not in rest and key not in known:
            only = f"only {' and '.join(offered)}" if offered else "no arguments"
            made = name if name.isidentifier() else "Mine"
            raise CatalogError(
                f"{noun} {name!r}: needs the argument {key!r}, but worldquiz passes {only}: pass "
                f"an object, or {noun}=lambda: {made}({key}=...)"
            )
    with blamed(f"{noun} {name!r}", "when it was made"):
        return thing(**known)


def place_of(method: Callable[..., Any]) -> str:
    """Return where a function or method is defined: name, file and line."""
    made = inspect.unwrap(getattr(method, "__func__", method))
    code = getattr(made, "__code__", None) or getattr(type(made).__call__, "__code__", None)
    line = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
    return f"{getattr(made, '__qualname__', type(made).__name__)}{line}"


async def settled(value: Any) -> Any:
    """Return a value, after awaiting it if it came from an `async` method."""
    return await value if inspect.isawaitable(value) else value


@contextmanager
def blamed(who: str, where: str) -> Iterator[None]:
    """Turn an error in a user's object into an `AgentError` that says who failed, where, and how to
    continue. Examples of `who` and `where`: "agent 'Mine'", "in world 'w-1'".
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
    """Return a method's reply if it is a string. Raises `ReplyTypeError` otherwise, which shows the
    value and the line of the method.
    """
    if isinstance(reply, str):
        return printable(reply)
    raise ReplyTypeError(
        f"{who} returned {reply!r:.80}, not a string, {where}: see {place_of(method)}; {OTHER_CODE}"
    )


def check_portable(things: object, jobs: int) -> None:
    """Raise `KnobError` if objects cannot be pickled, as several processes would require."""
    if jobs == 1:
        return
    try:
        pickle.dumps(things)
    except Exception as error:  # whatever the user's object raises
        raise KnobError(
            f"an object of the run cannot be sent to other processes ({error}): define it in a "
            "module, or run with jobs=1"
        ) from error


def summary_of(thing: object) -> str:
    """Return the first line of an object's own docstring, "" if it has none."""
    text = getattr(thing, "__doc__", None) or ""
    made = thing if isinstance(thing, type) or inspect.isroutine(thing) else type(thing)
    own = text if "__doc__" in getattr(made, "__dict__", {}) or inspect.isroutine(made) else ""
    return own.strip().partition("\n")[0].rstrip(".")


def code_of(**things: object) -> dict[str, dict[str, str | None]]:
    """Return the manifest's entry ``code``: digests of users' code by part, None without a source.
    Objects given by name have no digest, except names of the form ``module:attribute``.
    """
    own = {
        part: imported(thing, part) if isinstance(thing, str) else thing
        for part, thing in things.items()
        if thing is not None and (not isinstance(thing, str) or ":" in thing)
    }
    if not own:
        return {}
    from worldquiz.runs.own_code import told

    return {"code": {part: told(thing) for part, thing in own.items()}}

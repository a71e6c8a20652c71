"""Agents and answerers that a user hands over as objects.

A class or a function that makes one is called for a fresh object; an instance is copied. So no
state leaks from one world to the next, and a run that was stopped and resumed gives equal bytes.
"""

from __future__ import annotations

from copy import deepcopy
from inspect import isawaitable
from typing import Any


def name_of(thing: object) -> str:
    """Return how manifests and tables call an object: its `name`, else the name of its class."""
    name = getattr(thing, "name", None)
    if isinstance(name, str):
        return name
    return str(getattr(thing, "__name__", type(thing).__name__))


def fresh(thing: Any, method: str) -> Any:
    """Return an object of its own, made by a class or function, or copied from an instance.

    Raises `TypeError` for what cannot be copied, and for an object without a method of that name.
    """
    if isinstance(thing, type) or not hasattr(thing, method):
        made = thing() if callable(thing) else thing
    else:
        made = _copied(thing)
    if not callable(getattr(made, method, None)):
        raise TypeError(f"{name_of(thing)} has no method {method!r}")
    return made


def _copied(thing: Any) -> Any:
    try:
        return deepcopy(thing)
    except Exception as error:
        raise TypeError(
            f"{name_of(thing)} cannot be copied ({error}): pass a class or function that makes one"
        ) from error


async def settled(given: Any) -> Any:
    """Return a value, or what comes of it where it is awaitable: methods may be sync or async."""
    return await given if isawaitable(given) else given

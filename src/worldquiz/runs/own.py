"""Agents and answerers of a user's own, given as objects.

An instance is copied for each world, a class or a function is called for a fresh one. So nothing
that it learns in one world is there in the next, and a run that was stopped and resumed ends like
one that was not.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from copy import deepcopy
from types import TracebackType
from typing import Any


def called(thing: object) -> str:
    """Return what an object is called in manifests: its `name`, else the name of its class."""
    name = getattr(thing, "name", None)
    if isinstance(name, str) and name:
        return name
    told = getattr(thing, "__name__", None)
    return told if isinstance(told, str) else type(thing).__name__


class Own:
    """Something of the user's own: an instance, or a class or function that makes one."""

    def __init__(self, thing: Any, *methods: str, noun: str) -> None:
        """Take `thing`, which must have some `methods`. Raises `TypeError` that names one missing.

        `noun` is what it is: "answerer".
        """
        self.thing, self.noun, self.name = thing, noun, called(thing)
        self._methods = methods
        made = isinstance(thing, type) or not self._lacks(thing)
        if made or not callable(thing):
            self._check(thing)

    @property
    def makes(self) -> bool:
        """Whether it makes one when it is called."""
        return isinstance(self.thing, type) or bool(self._lacks(self.thing))

    def has(self, method: str) -> bool:
        """Tell whether it has a method; a function is called to find out."""
        known = self.thing if isinstance(self.thing, type) or not self.makes else self.fresh()
        return callable(getattr(known, method, None))

    def require(self) -> None:
        """Raise what would stop it from being made afresh in each world."""
        if not isinstance(self.thing, type):
            self.fresh()

    def fresh(self) -> Any:
        """Return one that has seen nothing yet. Raises `TypeError` for what cannot be copied."""
        if self.makes:
            made = self.thing()
            self._check(made)
            return made
        try:
            return deepcopy(self.thing)
        except Exception as error:
            raise TypeError(
                f"{self.noun} {self.name!r} cannot be copied for each world ({error}): pass a "
                "class or function that makes one"
            ) from error

    def _lacks(self, thing: Any) -> list[str]:
        return [name for name in self._methods if not callable(getattr(thing, name, None))]

    def _check(self, thing: Any) -> None:
        if missing := self._lacks(thing):
            raise TypeError(
                f"{called(thing)!r} is not an {self.noun}: missing method {missing[0]!r}"
            )


class Waiting(AbstractContextManager["Waiting"]):
    """Calls methods that may be coroutines, all in one event loop that is made when needed."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a method returns, awaited if need be."""
        found = method(*arguments)
        if not inspect.isawaitable(found):
            return found
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(_awaited(found))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            self._runner.close()


async def _awaited(value: Awaitable[Any]) -> Any:
    return await value

"""Calls that block, from scripts and from notebooks alike."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from contextvars import copy_context
from types import TracebackType
from typing import Any, TypeVar

from worldquiz.runs.given import settled

T = TypeVar("T")


def _looping() -> bool:
    """Tell whether an event loop runs in this thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def blocking(call: Callable[[], T]) -> T:
    """Return the result of `call`, also where an event loop runs already, as in a notebook.

    There the call runs in a thread of its own, so that it may start an event loop.
    """
    if not _looping():
        return call()
    with ThreadPoolExecutor(1, "worldquiz") as pool:
        return pool.submit(copy_context().run, call).result()


class Waiting(AbstractContextManager["Waiting"]):
    """Calls methods that may be coroutines, all in one event loop that is made when needed."""

    def __init__(self) -> None:
        self._runner: asyncio.Runner | None = None

    def call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a method, awaited if need be."""
        found = method(*arguments)
        if not inspect.isawaitable(found):
            return found
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(settled(found))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._runner is not None:
            self._runner.close()

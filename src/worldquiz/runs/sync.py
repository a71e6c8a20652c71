"""Calls that block, from scripts and from notebooks alike."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def blocking(call: Callable[[], T]) -> T:
    """Return what `call` returns, also where an event loop runs already, as in a notebook.

    There the call runs in a thread of its own, so that it may start an event loop.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return call()
    with ThreadPoolExecutor(1, "worldquiz") as pool:
        return pool.submit(call).result()

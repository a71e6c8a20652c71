"""Calls of a model that do not depend on each other, several at a time.

Results depend neither on how many are under way nor on the order in which replies come: calls are
prepared one after the other, in their order, and only the waiting for replies overlaps.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from worldquiz.runs.losses import passing

if TYPE_CHECKING:
    from anyio import Event

T = TypeVar("T")
R = TypeVar("R")


async def asked_at_once(
    prepare: Callable[[T], Awaitable[Awaitable[R]]], items: Sequence[T], most: int
) -> list[R | Exception]:
    """Return what each item's call came to, or the error that it raised, in the order of items.

    `prepare` makes an item's call ready and returns it; it is awaited for one item at a time. At
    `most` so many calls are under way. An error that says nothing about its item (`passing`) keeps
    further calls from being begun; those under way are finished, and the first such error by the
    order of items is raised.
    """
    from anyio import Semaphore, create_task_group

    found: dict[int, R | Exception] = {}
    fatal: dict[int, Exception] = {}
    free = Semaphore(most)

    def failed(place: int, error: Exception) -> None:
        found[place] = error
        if passing(error):
            fatal[place] = error

    async def finish(place: int, call: Awaitable[R]) -> None:
        try:
            found[place] = await call
        except Exception as error:  # whatever a provider's library raises
            failed(place, error)
        free.release()

    async with create_task_group() as group:
        for place, item in enumerate(items):
            await free.acquire()
            if fatal:
                break
            try:
                call = await prepare(item)
            except Exception as error:  # whatever a memory's library raises
                failed(place, error)
                free.release()
                continue
            group.start_soon(finish, place, call)
    if fatal:
        raise fatal[min(fatal)]
    return [found[place] for place in range(len(items))]


class Turns:
    """Lets so many calls of a run go ahead together; of those that wait, the most urgent first.

    A world that is still played waits for each reply, and a quiz asks many questions at once: if
    calls had turns as they come, every command would wait behind other worlds' quizzes.
    """

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: list[tuple[bool, int, Event]] = []  # a heap
        self._number = count()

    @asynccontextmanager
    async def turn(self, *, urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it meanwhile."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(urgent)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, urgent: bool) -> None:
        from anyio import Event

        mine = (not urgent, next(self._number), Event())
        heappush(self._waiting, mine)
        try:
            await mine[2].wait()
        except BaseException:  # cancelled: nobody else may lose the turn by that
            if mine[2].is_set():
                self._pass_on()
            else:
                self._waiting.remove(mine)
                heapify(self._waiting)
            raise

    def _pass_on(self) -> None:
        if self._waiting:
            heappop(self._waiting)[2].set()
        else:
            self._free += 1


turns: ContextVar[Turns | None] = ContextVar("turns", default=None)
"""Whose turn it is in the run under way, if calls go through it."""

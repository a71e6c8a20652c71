"""Closes the connections of a run's models, which inspect leaves open.

A client's connections belong to the event loop of one evaluation. Left open, they last as long as
the process, and a later run with the same model may be handed one whose loop is closed. inspect
calls hooks at the end of an evaluation, in its loop, an interrupted one too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.model import Model

_models: list[Model] = []


@hooks("worldquiz_clients", "closes the connections of a run's models")
class _Clients(Hooks):
    def enabled(self) -> bool:
        return bool(_models)

    async def on_run_end(self, data: RunEnd) -> None:
        for model in _models:
            async with model:  # closed at its end, and made anew when it is next asked for
                pass


@contextmanager
def closing(*models: Model) -> Iterator[None]:
    """Close the models at the end of the evaluation that is run within."""
    _models.extend(models)
    try:
        yield
    finally:
        _models.clear()

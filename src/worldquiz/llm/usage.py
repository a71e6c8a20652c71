"""What a world's model calls amount to: models that count their calls, each for its purpose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from worldquiz.llm.records import Purpose, Usage

if TYPE_CHECKING:
    from inspect_ai.model import Model, ModelOutput, ModelUsage

_FULL = re.compile(r"context (length|size|window)|maximum model length|input length", re.IGNORECASE)
"""What servers say of a prompt that is too long, where they give no code that inspect knows."""

MOST_TOKENS = 10**9
"""Tokens that one call may take."""


class Counter:
    """Sums up one world's calls. Purposes come in the order of `Purpose`."""

    def __init__(self) -> None:
        self._sums: dict[Purpose, Usage] = {}
        self.purpose = Purpose.ACT  # of the player's own calls: changes between the stages

    def counting(self, model: Model, purpose: Purpose | None = None) -> Model:
        """Return a model that counts: for `purpose`, or for what is under way when it is called."""
        return cast("Model", _Counting(model, self, purpose))

    def add(self, purpose: Purpose | None, output: ModelOutput) -> None:
        """Count one call. Cached tokens are part of the input, as whoever writes prompts counts.

        Counts that cannot be are those of a server that does not count: they are unknown.
        """
        purpose, used = purpose or self.purpose, output.usage
        one = Usage(purpose, calls=1)
        if used is not None and _credible(used):
            cached = used.input_tokens_cache_read or 0
            whole = used.input_tokens + cached + (used.input_tokens_cache_write or 0)
            one = Usage(purpose, 1, whole, cached, used.output_tokens, used.total_cost)
        self._sums[purpose] = self._sums[purpose] + one if purpose in self._sums else one

    def usage(self) -> tuple[Usage, ...]:
        """Return the sums for purposes that had any calls."""
        return tuple(self._sums[purpose] for purpose in Purpose if purpose in self._sums)


class _Counting:
    """A model like the one it wraps; `generate` is counted as well."""

    def __init__(self, model: Model, counter: Counter, purpose: Purpose | None) -> None:
        self._model, self._counter, self._purpose = model, counter, purpose

    async def generate(self, *args: Any, **kwargs: Any) -> ModelOutput:
        """Generate, and count."""
        try:
            output = await self._model.generate(*args, **kwargs)
        except RuntimeError as error:
            if (told := _full_window(error)) is None:
                raise
            output = _overflow(str(self._model), told)
        self._counter.add(self._purpose, output)
        return output

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def __str__(self) -> str:
        return str(self._model)


def _credible(used: ModelUsage) -> bool:
    """Tell whether a call can have taken what a server says."""
    read, written = used.input_tokens_cache_read or 0, used.input_tokens_cache_write or 0
    counts = (used.input_tokens, used.output_tokens, read, written)
    cost = used.total_cost or 0.0
    return all(0 <= count <= MOST_TOKENS for count in counts) and 0 <= cost < float("inf")


def _full_window(error: RuntimeError) -> str | None:
    """Return what a server says of a prompt that is too long; None: the error is another one."""
    from openai import APIStatusError

    cause = error.__cause__
    if isinstance(cause, APIStatusError) and cause.status_code in (400, 413, 422):
        return cause.message if _FULL.search(cause.message) else None
    return None


def _overflow(model: str, told: str) -> ModelOutput:
    """Return the output that inspect gives for a full window that it recognizes."""
    from inspect_ai.model import ModelOutput

    return ModelOutput.from_content(model, told, stop_reason="model_length")

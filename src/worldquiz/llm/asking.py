"""Prompts that a model is asked once, each reply kept as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from worldquiz.llm.calls import Counter, Meter, keeping, meter
from worldquiz.llm.client import Reach
from worldquiz.llm.model import Completion, Message, Model, Purpose, Usage, kept_usage
from worldquiz.runs.rows import Lines

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt, what the line of its reply says of it, and the JSON Schema of the reply, if any."""

    about: Mapping[str, Any]
    messages: Callable[[], Sequence[Message]]  # made when it is asked: pictures are large
    form: Mapping[str, Any] | None = None


def ask(prompts: Iterable[Prompt], reach: Reach, kept: Lines[Any]) -> None:
    """Ask a model each prompt that has no reply yet; those that fail are `losses` of `kept`.

    Lines add ``reply``, ``status`` (None, or ``overflow`` or ``filtered`` where the provider gave
    no reply) and ``usage``. Raises `CatalogError` for an unknown model.
    """
    model = reach.made()

    async def one(prompt: Prompt) -> None:
        counter = Counter()
        try:
            counted = counter.counting(model, Purpose.QUIZ)
            reply = await counted.generate(prompt.messages(), form=prompt.form)
            with keeping():
                kept.keep({**prompt.about, **line_of(reply), "usage": spent(counter)})
        except Exception as error:  # whatever a provider's library raises
            kept.lose(prompt.about, error)

    left = [prompt for prompt in prompts if kept.find(prompt.about) is None]
    each_asked(one, left, reach, (model,), spent_on(kept))


def line_of(reply: Completion) -> dict[str, Any]:
    """Return what a line tells of a reply."""
    if reply.given:
        return {"reply": reply.text, "status": None}
    return {"reply": "", "status": reply.stop}


def spent(counter: Counter) -> dict[str, Any]:
    """Return what a line keeps of the usage of its calls."""
    return kept_usage(next(iter(counter.usage()), Usage(Purpose.QUIZ)))


def spent_on(kept: Lines[Any]) -> list[Usage]:
    """Return what the lines that are kept took."""
    lines = kept.lines.values()
    return [Usage(Purpose.QUIZ, **line["usage"]) for line in lines if line.get("usage")]


def each_asked(
    work: Callable[[K], Awaitable[None]],
    keys: Iterable[K],
    reach: Reach,
    models: Sequence[Model],
    spent: Iterable[Usage] = (),
) -> None:
    """Do some work for each key, as many at once as there are connections, within the limits.

    `work` notes what fails; `models` are closed at the end; `spent` is what the run took before.
    """

    async def all_of_them() -> None:
        free = asyncio.Semaphore(reach.connections)

        async def one(key: K) -> None:
            async with free:
                await work(key)

        asyncio.get_running_loop().set_exception_handler(_quiet_if_stopped)
        try:
            await asyncio.gather(*map(one, keys))
        finally:
            for model in models:
                await model.close()

    limited = Meter(reach.limits, spent, processes=reach.processes, at_once=reach.connections)
    token = meter.set(limited)
    try:
        asyncio.run(all_of_them())
    finally:
        meter.reset(token)


def _quiet_if_stopped(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of tasks that ctrl-C ended: the command says that it was stopped."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)

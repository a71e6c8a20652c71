"""Prompts that a model is asked once, each reply kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from worldquiz.llm.client import Reach, each_asked
from worldquiz.llm.limits import keeping
from worldquiz.llm.model import Completion, Message, user
from worldquiz.llm.records import Purpose, Usage, kept_usage
from worldquiz.llm.usage import Counter
from worldquiz.runs.journal import Lines


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


def ask_prompts(
    prompts: Iterable[tuple[Mapping[str, Any], str]], reach: Reach, kept: Lines[Any]
) -> None:
    """Ask texts: each with what its line is about (an ``id`` among it). Raises as `ask` does."""

    def prompt(about: Mapping[str, Any], text: str) -> Prompt:
        return Prompt(about, lambda: [user(text)])

    ask((prompt(*each) for each in prompts), reach, kept)


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

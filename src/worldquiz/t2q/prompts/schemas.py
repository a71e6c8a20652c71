"""The form of a reply as a JSON Schema, for servers that hold a model to it.

A prompt asks for the same form in words; small models keep to it by a schema alone. A schema
lists the choices, abstaining always among them, so it gives nothing away that the prompt does
not: neither the answer nor whether there is one. Texts have no end: inspect sends no pattern and no
length to servers that speak OpenAI's protocol. Where a model's tokens are spent on its reason, the
reply is cut, and read as far as it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from worldquiz.facts.question import ABSTAIN, CATEGORIES, Format, Prompt
from worldquiz.llm.prompts import object_of
from worldquiz.t2q.prompts.compose import Options

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}


def answer_schema(prompt: Prompt) -> Schema:
    """Return the form of an answer to a question."""
    return object_of({"answer": _answer(prompt), "reason": TEXT})


def batch_schema(prompts: Sequence[Prompt]) -> Schema:
    """Return the form of several answers; of which question each is, the model says."""
    numbers = list(range(1, len(prompts) + 1))
    one = {"question": {"type": "integer", "enum": numbers}, "answer": TEXT, "reason": TEXT}
    return object_of({"answers": {"type": "array", "items": object_of(one)}})


def answers_schema(options: Options, prompts: Sequence[Prompt]) -> Schema | None:
    """Return the form of the reply to a sheet by a run's options, None where it has none."""
    if not options.constrained:
        return None
    if options.batch > 1:
        return batch_schema(prompts)
    return answer_schema(prompts[0])


def _answer(prompt: Prompt) -> Schema:
    match prompt.format:
        case Format.YES_NO:
            return _one_of("yes", "no")
        case Format.WHICH:
            return _one_of(*prompt.choices)
        case Format.DESCRIPTION:
            sizes = range(1, len(CATEGORIES) + 1)
            every = (each for size in sizes for each in combinations(CATEGORIES, size))
            return _one_of(*map(", ".join, every))
    return TEXT


def _one_of(*answers: str) -> Schema:
    return {"type": "string", "enum": [*answers, ABSTAIN]}

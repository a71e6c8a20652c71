"""Prompts put together, in pieces (`llm.chunks`), and the forms of replies as JSON Schemas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.facts.episode import Turn
from worldquiz.facts.question import ABSTAIN, CATEGORIES, LAWS, Format, Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.prompts import Chunk, in_context, object_of
from worldquiz.memory.base import heading, rendered
from worldquiz.t2q.prompts import filled, lines, template

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
_HERE = "\0"  # where memory's text goes: in front of all that is asked


@dataclass(frozen=True, slots=True)
class Options:
    """Departures from the paper's prompts: all off by default, and named in the results."""

    explore: bool = False  # ask for exploration beside the task (the paper's open question)
    bonus: bool = False  # promise a bonus for discoveries
    laws: bool = False  # state the laws under which questions count as answerable
    batch: int = 1  # questions asked at a time
    constrained: bool = False  # replies are held to a schema (`schemas`); the prompts are the same

    def __post_init__(self) -> None:
        if self.batch < 1:
            raise KnobError(f"batch: {self.batch} questions at a time; give 1 or more")

    def record(self) -> dict[str, Any]:
        """Return the options that are on, as manifests state them."""
        return {
            name: value
            for name, value in asdict(self).items()
            if (value > 1 if name == "batch" else value)
        }


def scene(
    options: Options,
    parts: Sequence[str],
    recent: Sequence[tuple[Moment, Turn]],
    now: tuple[Moment, Turn],
    *,
    whole: bool,
) -> list[Chunk]:
    """Return the prompt for a command.

    `parts` is what memory hands over, `recent` the last turns of the task that are shown as they
    are. The objective is repeated where neither shows it (`whole`: memory shows all).
    """
    moment, turn = now
    seen = turn.observation
    told = "".join(rendered(*each) for each in recent)
    if turn.action is not None:
        told += f"{heading(moment, turn.action)}\n"
    if not whole and moment.step > len(recent):
        told = f"Task: {seen.objective}\n{told}"
    asked = filled("action", obs=seen.text, inventory=seen.inventory, score=str(seen.score))
    return in_context(_preface(options, acting=True), parts, told, asked)


def sheet(options: Options, parts: Sequence[str], prompt: Prompt) -> list[Chunk]:
    """Return the prompt for an answer: the paper's template, with the context as its prefix."""
    choices = _choices(prompt)
    intro, rest = filled(
        "qa",
        context=_HERE,
        question=prompt.text,
        choices=f"{choices}\n" if choices else "",
        type_specific_guideline=_guideline(prompt),
    ).split(_HERE, 1)
    return in_context(_preface(options) + intro, parts, "", rest)


def batch_sheet(options: Options, parts: Sequence[str], prompts: Sequence[Prompt]) -> list[Chunk]:
    """Return the prompt for several answers, numbered from 1."""
    asked = "\n\n".join(
        f"Question {number}: {question_text(each)}" for number, each in enumerate(prompts, start=1)
    )
    intro, rest = filled("batch", context=_HERE, questions=asked).split(_HERE, 1)
    return in_context(_preface(options) + intro, parts, "", rest)


def _preface(options: Options, *, acting: bool = False) -> str:
    """Return the optional texts, which stand before all else."""
    told = []
    if options.laws:
        told.append(filled("laws", laws=" ".join(LAWS)))
    if acting and options.explore:
        told.append(template("explore"))
    if acting and options.bonus:
        told.append(template("bonus"))
    return "".join(f"{text}\n\n" for text in told)


def question_text(prompt: Prompt) -> str:
    """Return a question with its choices, and in which form it is answered: no context around."""
    return f"{prompt.text}\n{_choices(prompt)}{_guideline(prompt)}"


def _choices(prompt: Prompt) -> str:
    listed = "".join(f"– {choice}\n" for choice in prompt.choices)
    return f"Choices:\n{listed}" if listed else ""


def _guideline(prompt: Prompt) -> str:
    guidelines = lines("guidelines")
    return guidelines.get(prompt.format, guidelines["default"])


def answers_schema(options: Options, prompts: Sequence[Prompt]) -> Schema | None:
    """Return the form of the reply to a sheet by a run's options, None where it has none.

    A prompt asks for the same form in words; small models keep to it by a schema alone. A schema
    lists the choices, abstaining always among them, so it gives nothing away that the prompt does
    not: neither the answer nor whether there is one. Texts have no end: inspect sends no pattern
    and no length to servers that speak OpenAI's protocol. Where a model's tokens are spent on its
    reason, the reply is cut, and read as far as it goes.
    """
    if not options.constrained:
        return None
    if options.batch > 1:  # of which question each answer is, the model says
        numbers = list(range(1, len(prompts) + 1))
        one = {"question": {"type": "integer", "enum": numbers}, "answer": TEXT, "reason": TEXT}
        return object_of({"answers": {"type": "array", "items": object_of(one)}})
    return object_of({"answer": _answer(prompts[0]), "reason": TEXT})


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

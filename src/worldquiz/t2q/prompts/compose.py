"""Prompts put together: pure text, in pieces (`llm.chunks`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.facts.episode import Turn
from worldquiz.facts.question import LAWS, Prompt
from worldquiz.facts.requirement import Moment
from worldquiz.llm.prompts import Chunk, in_context
from worldquiz.memory.base import heading, rendered
from worldquiz.t2q.prompts import filled, lines, template

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

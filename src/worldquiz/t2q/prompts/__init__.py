"""Prompts of Task2Quiz.

Templates are the paper's own, word for word (arXiv 2601.09503, appendix C).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from worldquiz.facts.episode import Turn
from worldquiz.facts.requirement import Moment
from worldquiz.llm import prompts
from worldquiz.memory.base import heading, rendered
from worldquiz.t2q.question import CATEGORIES, LAWS, Prompt
from worldquiz.t2q.settings import T2QSettings

template, filled = partial(prompts.template, __name__), prompts.filling(__name__)
KINDS = f"all that there were of {', '.join(CATEGORIES)}; or nothing"
"""Valid answers about kinds. The paper's guideline, which models are shown, omits "nothing"."""
FORM = "{ “answer”: “<your answer>”, “reason”: “<why>” }"
"""Form of an answer that the paper's template asks for."""
REASON_FIRST = "{ “reason”: “<why>”, “answer”: “<your answer>” }"
_HERE = "\0"  # where memory's text goes: before the question


def scene(
    given: T2QSettings,
    recalled: str,
    recent: Sequence[tuple[Moment, Turn]],
    now: tuple[Moment, Turn],
    *,
    whole: bool,
) -> str:
    """Return the prompt for a command.

    `recalled` is the text that memory recalls, `recent` the last turns of the task, shown verbatim.
    The objective is repeated unless memory shows all turns (`whole`) or `recent` has the first.
    """
    moment, turn = now
    seen = turn.observation
    told = "".join(rendered(*each) for each in recent)
    if turn.action is not None:
        told += f"{heading(moment, turn.action)}\n"
    if not whole and moment.step > len(recent):
        told = f"Task: {seen.objective}\n{told}"
    asked = filled("action", obs=seen.text, inventory=seen.inventory, score=str(seen.score))
    return _in_context(_preface(given, acting=True), recalled + told, asked)


def query(given: T2QSettings, recalled: str, prompt: Prompt) -> str:
    """Return the prompt for an answer: the paper's template, with the text that memory recalls.

    The template's words "initial state" are left out if a question is about another time.
    """
    choices = _choices(prompt)
    text = filled(
        "qa",
        context=_HERE,
        question=prompt.text,
        choices=f"{choices}\n" if choices else "",
        type_specific_guideline=_guideline(prompt),
    )
    if given.reason_first:
        text = text.replace(FORM, REASON_FIRST)
    if not prompt.of_start:
        text = text.replace(" initial state", "", 1)
    intro, rest = text.split(_HERE, 1)
    return _in_context(_preface(given) + intro, recalled, rest)


def _in_context(before: str, told: str, after: str) -> str:
    """Return a prompt that begins with the text common to all calls, so that it can be cached."""
    return f"{before}Context:\n{told}\n{after}" if told else before + after


def _preface(given: T2QSettings, *, acting: bool = False) -> str:
    """Return the optional texts at the beginning of a prompt."""
    told = []
    if given.laws:
        told.append(filled("laws", laws=" ".join(LAWS)))
    if acting and given.explore:
        told.append(template("explore"))
    if acting and given.bonus:
        told.append(template("bonus"))
    return "".join(f"{text}\n\n" for text in told)


def question_text(prompt: Prompt) -> str:
    """Return a question with its choices and the form of its answer, without a context."""
    form = f"Name {KINDS}." if prompt.format == "description" else _guideline(prompt)
    return f"{prompt.text}\n{_choices(prompt)}{form}"


def _choices(prompt: Prompt) -> str:
    listed = "".join(f"– {choice}\n" for choice in prompt.choices)
    return f"Choices:\n{listed}" if listed else ""


def guidelines() -> dict[str, str]:
    """Return the guideline for answers of each format; "default" is for all other formats."""
    lines = (line.partition(": ") for line in template("guidelines").splitlines())
    return {key: text for key, _, text in lines}


def _guideline(prompt: Prompt) -> str:
    return guidelines().get(prompt.format, guidelines()["default"])

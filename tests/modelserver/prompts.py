"""What a request is for, by its wording; and the questions of a quiz, read off a prompt.

Whatever is not recognised is `other`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.prompts import lines

_QUIZ = "You answer questions about TextWorld gameplay. Based on the provided context, answer the "
_SYSTEMS = (
    ("memory mem0 extract", "You are a Memory Extractor"),
    ("memory langmem", "You are a memory subroutine for an AI."),
    ("memory amem note", "You write the note card of what a player"),
    ("memory amem evolve", "You tend the box of note cards"),
    ("memory amem keywords", "You look something up in the box of note cards"),
    ("memory arigraph extract", "You write the knowledge graph of a player"),
    ("memory arigraph outdated", "You replace triplets in the knowledge graph"),
    ("memory arigraph items", "You name what to look up in the knowledge graph"),
    ("memory summary", "You keep the running summary of a player's game"),
)


def role_of(request: Any) -> str:
    """Return what a request is for: act, quiz, batch, a memory's request, or other."""
    beginning, last = request.messages[0].text[:400], request.messages[-1].text
    for role, sign in _SYSTEMS:
        if sign in beginning:
            return role
    if _QUIZ in last:
        return "quiz" if f"{_QUIZ}following question " in last else "batch"
    tail = last[last.rfind("\nReturn ONLY JSON: ") :]
    return "act" if '"command"' in tail else "other"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One or several questions, and the context to answer from."""

    context: str
    prompts: tuple[Prompt, ...]


def read_sheet(text: str) -> Sheet:
    """Return the questions that a prompt of a quiz asks."""
    body, _, rest = text[text.find(_QUIZ) :].rpartition("Answer should be json of the form:")
    body = body.partition(" initial state.\n\n")[2]
    told = body.rfind("\nQuestion 1: ")
    if told >= 0:
        context, parts = body[:told], re.split(r"^Question \d+: ", body[told:], flags=re.M)[1:]
        prompts = [_prompt(*part.strip().partition("\n")[::2]) for part in parts]
    else:
        body, _, listed = (
            body.partition("\nChoices:\n") if "\nChoices:\n" in body else (body, "", "")
        )
        context, _, question = body.rstrip("\n").rpartition("\n")
        guideline = rest.partition("Answer formatting guidelines: ")[2].partition("\n")[0]
        prompts = [_prompt(question, f"{listed}\n{guideline}")]
    return Sheet(context.partition("Context:\n")[2], tuple(prompts))


def _prompt(question: str, told: str) -> Prompt:
    """Return a question whose choices, and whose guideline at last, stand below it."""
    choices = [line.removeprefix("– ") for line in told.split("\n") if line.startswith("– ")]
    guideline = told.rstrip().rpartition("\n")[2].strip()
    forms = [name for name, text in lines("guidelines").items() if text == guideline]
    form = Format(forms[0]) if forms and forms[0] != "default" else Format.WHAT
    return Prompt(question, form, tuple(filter(None, choices)))

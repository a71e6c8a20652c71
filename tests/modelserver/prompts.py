"""What a request is for, by its wording; and the questions of a quiz, read off a prompt.

Whatever is not recognised is `other`.
"""

from __future__ import annotations

import re
from typing import Any, get_args

from worldquiz.t2q.prompts import guidelines
from worldquiz.t2q.question import Format, Prompt

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
    """Return what a request is for: act, quiz, a memory's request, or other."""
    beginning, last = request.messages[0].text[:400], request.messages[-1].text
    for role, sign in _SYSTEMS:
        if sign in beginning:
            return role
    if _QUIZ in last:
        return "quiz"
    tail = last[last.rfind("\nReturn ONLY JSON: ") :]
    return "act" if '"command"' in tail else "other"


def read_query(text: str) -> tuple[str, Prompt]:
    """Return the context of a prompt of a quiz, and the question that it asks."""
    body, _, rest = text[text.find(_QUIZ) :].rpartition("Answer should be json of the form:")
    body = re.split(r"TextWorld game(?: initial state)?\.\n\n", body, maxsplit=1)[1]
    listed = ""
    if "\nChoices:\n" in body:
        body, _, listed = body.partition("\nChoices:\n")
    context, _, question = body.rstrip("\n").rpartition("\n")
    choices = [line.removeprefix("– ") for line in listed.split("\n") if line.startswith("– ")]
    guideline = rest.partition("Answer formatting guidelines: ")[2].partition("\n")[0].strip()
    form: Format = next(
        (each for each in get_args(Format) if guidelines()[each] == guideline), "what"
    )
    asked = Prompt(question, form, tuple(filter(None, choices)))
    return context.partition("Context:\n")[2], asked

"""Recognising what a request is for by its wording, and taking its parts out again.

The texts looked for are those of worldquiz's own prompts and of the memory libraries that it runs.
Whatever is not recognised is `other`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from modelserver.protocol import Request
from worldquiz.facts.question import Format, Prompt
from worldquiz.t2q.prompts import lines

_QUIZ = "You answer questions about TextWorld gameplay. Based on the provided context, answer the "
_BEGINS = "following question"
_GUIDELINE = "Answer formatting guidelines: "
_CHOICES = "\nChoices:\n"
_NUMBERED = re.compile(r"^Question (?P<number>\d+): (?P<text>.+)$", re.MULTILINE)
_SCENE = re.compile(
    r"(?:\A|\n)Observation: (?P<text>.*)\nInventory: (?P<inventory>.*)\nScore: (?P<score>.*)\n"
    r"Return ONLY JSON: \{\"reason\"",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One or several questions, and the context to answer from."""

    context: str
    prompts: tuple[Prompt, ...]
    batch: bool = False
    confidence: bool = False  # a probability is asked for


@dataclass(frozen=True, slots=True)
class Scene:
    """A moment of a game in which a command is asked for."""

    context: str
    text: str
    inventory: str
    score: int


def read_scene(text: str) -> Scene | None:
    """Return the moment that a prompt shows, None if it asks for no command."""
    start = max(text.rfind("\nObservation: "), 0)
    match = _SCENE.match(text, start)
    if match is None:
        return None
    score = match["score"].strip()
    context = _context(text[:start])
    won = int(score) if score.lstrip("-").isdigit() else 0
    return Scene(context, match["text"], match["inventory"], won)


def read_sheet(text: str) -> Sheet | None:
    """Return the questions that a prompt asks, None if it asks none."""
    start = text.find(_QUIZ)
    if start < 0:
        return None
    body, _, rest = text[start:].rpartition("Answer should be json of the form:")
    batch = body.startswith("questions", len(_QUIZ + "following "))
    body = body.partition(" initial state.\n\n")[2]
    confidence = "“confidence”" in rest
    if batch:
        return _read_batch(body)
    guideline = rest.partition(_GUIDELINE)[2].partition("\n")[0]
    listed = ""
    if _CHOICES in body:
        body, _, listed = body.rpartition(_CHOICES)
    context, _, question = body.rstrip("\n").rpartition("\n")
    prompt = Prompt(question, _format(guideline), _choices(listed))
    return Sheet(_context(context), (prompt,), confidence=confidence)


def _read_batch(body: str) -> Sheet:
    first = body.rfind("Question 1: ")
    starts = [match.start() for match in _NUMBERED.finditer(body, first)]
    ends = [*starts[1:], len(body)]
    prompts = tuple(
        _read_numbered(body[start:end].strip()) for start, end in zip(starts, ends, strict=True)
    )
    return Sheet(_context(body[:first]), prompts, batch=True)


def _read_numbered(text: str) -> Prompt:
    question, *told = text.split("\n")
    choices = "\n".join(line for line in told if line.startswith("– "))
    return Prompt(question.partition(": ")[2], _format(told[-1] if told else ""), _choices(choices))


def _context(text: str) -> str:
    """Return what stands behind ``Context:``, nothing where there is none."""
    return text.partition("Context:\n")[2]


def _choices(listed: str) -> tuple[str, ...]:
    told = (line.removeprefix("– ") for line in listed.split("\n") if line.startswith("– "))
    return tuple(choice for choice in told if choice)


def _format(guideline: str) -> Format:
    """Return the format that a guideline is for; ``what`` where it is for none in particular."""
    for name, text in lines("guidelines").items():
        if text == guideline.strip() and name != "default":
            return Format(name)
    return Format.WHAT


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
_BEGINNING = 400  # characters within which a memory's request says what it is


def role_of(request: Request) -> str:
    """Return what a request is for: act, quiz, batch, a memory's request, or other."""
    beginning = request.messages[0].text[:_BEGINNING]
    for role, sign in _SYSTEMS:
        if sign in beginning:
            return role
    last = request.messages[-1].text
    if _QUIZ in last:
        sheet = last[last.find(_QUIZ) + len(_QUIZ) :]
        return "quiz" if sheet.startswith(_BEGINS + " ") else "batch"
    tail = last[last.rfind("\nReturn ONLY JSON: ") :]
    return "act" if '"command"' in tail else "other"

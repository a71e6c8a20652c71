"""Models that are asked MANGO's questions: one reads the walkthrough, one is lost.

They read prompts by the paper's template and by the release's.
"""

from __future__ import annotations

import re
from ast import literal_eval
from typing import NamedTuple

from modelserver.protocol import Request, Script, Text
from worldquiz.mango.mapper.mapper import Leg, Mapper, trajectory
from worldquiz.mango.maze.walkthrough import WalkStep

_STEP = re.compile(
    r"==>STEP NUM: (\d+)\n==>ACT: ([^\n]*)\n"
    r"==>OBSERVATION: ?(.*?)(?=\n={3,}\n|\n\n\n==>STEP|\n+The allowed act)",
    re.DOTALL,
)
_PLACES = re.compile(r"^The list of places are: (.*)$", re.MULTILINE)
_ACTIONS = re.compile(r"^The allowed actions? are: (.*)$", re.MULTILINE)
_WHERE = re.compile(r"^Starting from (.*), perform a list of actions \[(.*)\], where", re.MULTILINE)
_HOW = re.compile(r"^How can you go from (.*)\?$", re.MULTILINE)
_LOCATIONS = re.compile(r"^The list of locations are: (\[.*\])\.$", re.MULTILINE)
_THENCE = re.compile(
    r'^!!! Starting from place "(.*)", perform a list of action (\[.*\]), where', re.M
)
_PATH = re.compile(r'^!!! Can you find a path from "(.*)", and format the output', re.MULTILINE)


class Question(NamedTuple):
    """What a prompt asks; `actions` is None where a route is asked for."""

    source: str
    actions: list[str] | None
    target: str


def asked(prompt: str) -> Question:
    """Return a prompt's question. Raises `ValueError` where it asks nothing of MANGO's."""
    if found := _WHERE.search(prompt):
        return Question(found[1], found[2].split(", "), "")
    if found := _THENCE.search(prompt):
        return Question(found[1], literal_eval(found[2]), "")
    for form, between in ((_HOW, " to "), (_PATH, '" to "')):
        if found := form.search(prompt):
            return Question(*_ends(prompt, found[1], between))
    raise ValueError(f"no question of MANGO's: {prompt[-300:]}")


def _ends(prompt: str, text: str, between: str) -> tuple[str, None, str]:
    """Return the two places that a text names, both of which the prompt lists."""
    words = text.split(between)
    for cut in range(1, len(words)):
        source, target = between.join(words[:cut]), between.join(words[cut:])
        if _is_listed(prompt, source) and _is_listed(prompt, target):
            return source, None, target
    raise ValueError(f"no two places: {text}")


def listed(prompt: str) -> list[str]:
    """Return the places that a prompt lists; one with a comma is also a line of its text."""
    if found := _LOCATIONS.search(prompt):
        return list(literal_eval(found[1]))
    parts, names = re.split(r", (?![^(]*\))", _places(prompt)), []
    headings = {line.casefold().strip(" .:") for line in prompt.splitlines()}
    while parts:
        for count in (3, 2, 1):
            name = ", ".join(parts[:count])
            bare = name.partition("(")[0].strip()
            if count == 1 or {name, bare, bare.removeprefix("the ")} & headings:
                break
        names.append(name)
        del parts[:count]
    return names


def _actions(prompt: str) -> list[str]:
    found = _ACTIONS.search(prompt)
    if found is None:
        raise ValueError("the prompt lists no actions")
    text = found[1].removesuffix(".")
    return list(literal_eval(text)) if text.startswith("[") else text.split(", ")


def _places(prompt: str) -> str:
    found = _PLACES.search(prompt)
    if found is None:
        raise ValueError("the prompt lists no places")
    return found[1]


def _is_listed(prompt: str, name: str) -> bool:
    if found := _LOCATIONS.search(prompt):
        return name in literal_eval(found[1])
    return f", {name}, " in f", {_places(prompt)}, "


def reads_walkthroughs() -> Script:
    """Answer from the walkthrough in the prompt, by the map that its text draws."""

    def reply(request: Request) -> Text:
        legs = _legs(request.text)
        told = ", ".join(str(leg) for leg in trajectory(legs))
        return Text(f"[{told}]")

    return reply


def lost() -> Script:
    """Go nowhere, whatever is asked: the first place, by the first move."""

    def reply(request: Request) -> Text:
        places = listed(request.text)
        question = asked(request.text)
        leg = Leg(question.source, "dance", places[0])
        return Text(f"Let me think.\n{trajectory([leg])}")

    return reply


def _legs(prompt: str) -> list[Leg]:
    steps = [WalkStep(int(number), act, text) for number, act, text in _STEP.findall(prompt)]
    mapper = Mapper(steps, listed(prompt), _actions(prompt))
    question = asked(prompt)
    if question.actions is None:
        return mapper.route(question.source, question.target)
    return mapper.destination(question.source, question.actions)

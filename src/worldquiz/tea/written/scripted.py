"""Writers that are no models: a diverse one and a verbose one, for tables that anyone can repeat.

They read one request at a time, as a model does: the things that it lists, how many tasks it wants,
and a hash of it, picture included, to draw by. Nothing tells them what their tasks are for, nor
which way of generating tasks is asking. Their figures show what the measures do, and say nothing
about models.
"""

from __future__ import annotations

import json
import re
from random import Random
from typing import NamedTuple

_MARK = re.compile(r"^(\d+): (.+) \[\d+, \d+, \d+, \d+\]$", re.MULTILINE)
_WANTED = re.compile(r"^Write (\d+) tasks for the robot", re.MULTILINE)
NOT_ASKED = "I can only write tasks about pictures."

ALONE = (
    "Go to the {0}.",
    "Wipe the {0} with a damp cloth.",
    "Tell me what colour the {0} is.",
    "Check whether anything lies under the {0}.",
    "Take a photo of the {0} from the front.",
    "Walk once around the {0}.",
    "Find out what the {0} is made of.",
    "Turn the {0} so that it faces the door.",
    "Look behind the {0} for my keys.",
    "Estimate how tall the {0} is.",
    "Dust the top of the {0}.",
    "See if the {0} is broken.",
    "Wait beside the {0} until I come.",
    "Describe the {0} to somebody who cannot see.",
    "Move the {0} a hand's width to the left.",
    "Is the {0} clean enough for guests? Have a look.",
)
"""What one can want of one thing."""
TOGETHER = (
    "Bring the {0} to the {1}.",
    "Measure how far the {0} is from the {1}.",
    "Put the {0} next to the {1}.",
    "Compare the {0} with the {1}: which one is larger?",
    "Walk from the {0} to the {1} without touching anything.",
    "Check whether the {0} would fit under the {1}.",
    "Point at the {0}, then at the {1}.",
    "Clear the way between the {0} and the {1}.",
)
"""What one can want of two things."""
LONG = (
    "As a careful and helpful household robot, please first make sure that your way is free, then "
    "slowly and safely walk over to the {0}, stop in front of the {0}, take a close and careful "
    "look at the {0} from all sides, and when you are finished looking at it kindly report back to "
    "me in detail about everything that you have seen there.",
    "As a careful and helpful household robot, please make sure that your way is free, then safely "
    "and slowly walk over to the {0}, come to a stop in front of the {0}, look at the {0} closely "
    "and carefully from all sides, and once you are finished kindly report back to me in detail "
    "about everything that you have noticed there.",
)
"""What somebody says who has much to say about little."""


class Ask(NamedTuple):
    """Marks and number of tasks in a request."""

    marks: list[tuple[int, str]]
    wanted: int


def asked(text: str) -> Ask | None:
    """Return the content of a request, None if it asks for no tasks."""
    found = _WANTED.search(text)
    marks = [(int(number), label) for number, label in _MARK.findall(text)]
    return Ask(marks, int(found[1])) if found and marks else None


def diverse(text: str, seed: str) -> str:
    """Return the reply of one that says many things about as many things as it is shown."""
    ask, draw = asked(text), Random(seed)
    if ask is None:
        return NOT_ASKED
    return json.dumps({"tasks": [_varied(draw, ask, thing) for thing in _dealt(draw, ask)]})


def verbose(text: str, seed: str) -> str:
    """Return the reply of one that says much the same at length, about the first few things.

    It wraps its JSON in prose, and now and then speaks of a thing that has no mark.
    """
    ask, draw = asked(text), Random(seed)
    if ask is None:
        return NOT_ASKED
    told = []
    for _ in range(ask.wanted):
        number, label = draw.choice(ask.marks[:3])
        number = 99 if draw.random() < 0.05 else number
        told.append({"command": draw.choice(LONG).format(label), "object": number})
    return (
        "Certainly! Looking at the picture {with its marks}, I considered many options.\n\n"
        f"```json\n{json.dumps({'tasks': told}, indent=1)}\n```\n\n"
        "I hope that these tasks are useful. Would you like more of them?"
    )


def _dealt(draw: Random, ask: Ask) -> list[tuple[int, str]]:
    """Return as many things as tasks are wanted, all of them before any comes again."""
    things: list[tuple[int, str]] = []
    while len(things) < ask.wanted:
        things += draw.sample(ask.marks, len(ask.marks))
    return things[: ask.wanted]


def _varied(draw: Random, ask: Ask, thing: tuple[int, str]) -> dict[str, object]:
    others = [other for other in ask.marks if other[1] != thing[1]]
    if others and draw.random() < 0.4:
        other = draw.choice(others)
        text = draw.choice(TOGETHER).format(thing[1], other[1])
        return {"command": text, "object": thing[0], "other": other[0]}
    return {"command": draw.choice(ALONE).format(thing[1]), "object": thing[0], "other": None}


WRITERS = {"diverse": diverse, "verbose": verbose}
"""What replies to a request's words, and a seed that is a hash of all of it, by name."""

"""A model that writes tasks about marked pictures: many things about as many things as it sees."""

from __future__ import annotations

import json
import re
from random import Random

from modelserver.protocol import Request as Asked
from modelserver.protocol import Script, Text

_MARK = re.compile(r"^(\d+): (.+) \[\d+, \d+, \d+, \d+\]$", re.MULTILINE)
_WANTED = re.compile(r"^Write (\d+) tasks for the robot", re.MULTILINE)
ALONE = (
    "Go to the {0}.",
    "Wipe the {0} with a damp cloth.",
    "Tell me what colour the {0} is.",
    "Take a photo of the {0} from the front.",
    "Look behind the {0} for my keys.",
    "Estimate how tall the {0} is.",
)
TOGETHER = (
    "Bring the {0} to the {1}.",
    "Measure how far the {0} is from the {1}.",
    "Point at the {0}, then at the {1}.",
)


def diverse() -> Script:
    """Return a writer that knows a request's words, and a hash of it to draw by."""
    return lambda request: Text(_written(request))


def _written(request: Asked) -> str:
    wanted, marks = _WANTED.search(request.text), _MARK.findall(request.text)
    if wanted is None or not marks:
        return "I can only write tasks about pictures."
    draw, things = Random(request.digest), list[tuple[str, str]]()
    while len(things) < int(wanted[1]):
        things += draw.sample(marks, len(marks))
    told = []
    for number, label in things[: int(wanted[1])]:
        others = [other for other in marks if other[1] != label]
        if others and draw.random() < 0.4:
            second, name = draw.choice(others)
            words = draw.choice(TOGETHER).format(label, name)
            told.append({"command": words, "object": int(number), "other": int(second)})
        else:
            words = draw.choice(ALONE).format(label)
            told.append({"command": words, "object": int(number), "other": None})
    return json.dumps({"tasks": told})

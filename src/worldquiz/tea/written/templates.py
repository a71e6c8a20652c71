"""Rule-based commands in a model's place: "Go to the mug.", about marked things that are drawn.

They are written by the same loop, from the same marks, and read in the same way. What is drawn
follows from the view and the request's number, so equal requests get equal replies.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from worldquiz import rng
from worldquiz.scenes.view import View
from worldquiz.tea.kinds.kinds import LABEL, OBJECT, command, key
from worldquiz.tea.kinds.navigation import NAVIGATION
from worldquiz.tea.taskgraph import Word
from worldquiz.tea.written.marks import Mark

NAME = "templates"


def reply(view: View, marks: Sequence[Mark], number: int, batch: int) -> str:
    """Return commands about things drawn from the marks, none twice while there are others."""
    draw = rng.child(number, NAME, view.scene, view.id)
    drawn = draw.sample(list(marks), min(batch, len(marks)))
    drawn += draw.choices(list(marks), k=batch - len(drawn))
    told = [{"command": _worded(mark), "object": mark.number, "other": None} for mark in drawn]
    return json.dumps({"tasks": told})


def _worded(mark: Mark) -> str:
    return command(NAVIGATION.type, NAVIGATION.words, {key(OBJECT, LABEL): Word(mark.label)})

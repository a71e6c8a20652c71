"""Words around the pictures of a walk, the form of questions, and the parser of replies."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from math import atan, cos, degrees, radians, sin, tan
from typing import Any

from worldquiz.facts.answer_text import normal
from worldquiz.facts.question import ABSTAIN, prompt
from worldquiz.llm.json_replies import read_object, said
from worldquiz.llm.model import Message, user
from worldquiz.tea.data import picture
from worldquiz.tea.exam.show import part
from worldquiz.tea.recall.walked import Recall, RecallSheet, Walked
from worldquiz_scenes.view import View

NOT_SHOWN = "not shown"
"""The right reply to what the pictures do not show."""
_SAME = re.compile(r"(?:it )?(?:is |was )?not[\s_-](?:shown|seen)\b")
_NUMBER = re.compile(r"\d{1,6}")


def opening(flat: Walked) -> str:
    """Return the text before the pictures."""
    rooms = sorted(room.kind for room in flat.scene.rooms)
    count = f"{len(rooms)} rooms" if len(rooms) > 1 else "1 room"
    camera = flat.views[0].camera
    wide = 2 * degrees(atan(tan(radians(camera.fovy) / 2) * camera.width / camera.height))
    return (
        f"You walked through a flat that has {count}: {', '.join(rooms)}. The {len(flat.views)} "
        "pictures are what you saw, in that order. Each says where you stood, in metres: x is "
        "ahead of where picture 1 was taken, y to its left; and which way you looked, in degrees "
        f"to the left of that way. A picture shows {wide:.0f} degrees from "
        "left to right."
    )


def message(recall: Recall, id: str) -> Message:
    """Return a sheet as a model is sent it: the pictures with their captions, then questions.

    Pictures are the same for all sheets of an apartment, so that providers can cache them.
    """
    flat, sheet = recall.sheets[id]
    content: list[dict[str, Any]] = [{"type": "text", "text": opening(flat)}]
    for number, view in enumerate(flat.views, start=1):
        content.append({"type": "text", "text": caption(flat, number)})
        content.append(part(picture(recall.folders[sheet.scene], view)))
    return user([*content, {"type": "text", "text": questions(sheet)}])


def caption(flat: Walked, number: int) -> str:
    """Return the text before a picture, counted from 1."""
    x, y, turn = _from(flat.views[0], flat.views[number - 1])
    return f"Picture {number}: x {x:.2f}, y {y:.2f}, looking {turn:.0f}"


def questions(sheet: RecallSheet) -> str:
    """Return the text after the pictures."""
    asked = [prompt(item.question) for item in sheet.items]
    lines = [
        f"{number}. {each.text} ({'; '.join(each.choices or ('yes', 'no'))})"
        for number, each in enumerate(asked, start=1)
    ]
    return "\n".join(
        (
            "Answer these questions about the flat from what you saw. Where one speaks of the "
            "mug, say, the whole flat has that one mug and no other. Mirrors show what is "
            f'elsewhere. Where the pictures do not show the answer, answer "{NOT_SHOWN}": there '
            "every other answer is wrong.",
            *lines,
            'Reply with one JSON object and nothing else: {"answers": [{"question": 1, "answer": '
            '"..."}, ...]}, with one entry for each question, in order.',
        )
    )


def reply(answers: Sequence[str]) -> str:
    """Return the reply that gives some answers, in order."""
    told = [{"question": n, "answer": answer} for n, answer in enumerate(answers, start=1)]
    return json.dumps({"answers": told})


def read(sheet: RecallSheet, text: str) -> dict[str, str]:
    """Return the answers of a reply by the question's id; "" where there is none.

    An answer that says that it was not shown is read as an abstention, as in Task2Quiz.
    """
    found, _ = read_object(text, "answers")
    listed, answers = found.get("answers"), dict[str, str]()
    for place, each in enumerate(listed if isinstance(listed, list) else [], start=1):
        number = _NUMBER.search(said(each.get("question"))) if isinstance(each, dict) else None
        told = said(each.get("answer") if isinstance(each, dict) else each)
        answers[str(int(number[0])) if number else str(place)] = told
    given = [answers.get(str(number), "") for number in range(1, len(sheet.items) + 1)]
    return {
        item.question.id: ABSTAIN if _SAME.match(normal(text)) else text
        for item, text in zip(sheet.items, given, strict=True)
    }


def _from(first: View, view: View) -> tuple[float, float, float]:
    """Return where a view was taken as seen from the first: ahead, to the left, degrees left."""
    x, y, heading = first.agent
    east, north = view.agent[0] - x, view.agent[1] - y
    turn = (degrees(view.agent[2] - heading) + 180) % 360 - 180
    ahead = east * cos(heading) + north * sin(heading)
    left = north * cos(heading) - east * sin(heading)
    return round(ahead, 2) + 0.0, round(left, 2) + 0.0, round(turn) + 0.0

"""Walks that are shown, the questions that are asked after them, and the words of both.

A model is sent the pictures of a walk with their captions, then a sheet of questions, which it
answers by one JSON object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import atan, cos, degrees, radians, sin, tan
from pathlib import Path

from worldquiz.facts.answer_text import normal
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.question import ABSTAIN
from worldquiz.facts.replies import read_object, said
from worldquiz.tea.data import Folder, folders, picture
from worldquiz.tea.recall.questions import FlatQuestion, Standing, ask
from worldquiz.tea.recall.shown import Space, evidence, walk
from worldquiz.tea.settings import TeaRecallSettings
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

OWN_SHEET = ("count", "presence")
"""Kinds whose answers the questions of other kinds would give away."""
NOT_SHOWN = "not shown"
"""The right reply to what the pictures do not show."""
_SAME = re.compile(r"(?:it )?(?:is |was )?not[\s_-](?:shown|seen)\b")
_NUMBER = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class RecallSheet:
    """Questions that are asked at once."""

    id: str
    items: tuple[FlatQuestion, ...]

    def words(self) -> str:
        """Return the text after the pictures."""
        lines = [
            f"{number}. {item.question.text} ({'; '.join(item.question.choices)})"
            for number, item in enumerate(self.items, start=1)
        ]
        return "\n".join(
            (
                "Answer these questions about the flat from what you saw. Where one speaks of the "
                "mug, say, the whole flat has that one mug and no other. Mirrors show what is "
                f'elsewhere. Where the pictures do not show the answer, answer "{NOT_SHOWN}": '
                "there every other answer is wrong.",
                *lines,
                'Reply with one JSON object and nothing else: {"answers": [{"question": 1, '
                '"answer": "..."}, ...]}, with one entry for each question, in order.',
            )
        )

    def read(self, text: str) -> list[str]:
        """Return the answers of a reply, in order; "" where there is none.

        An answer that says that it was not shown is read as an abstention, as in Task2Quiz.
        """
        found, _ = read_object(text, "answers")
        listed, answers = found.get("answers"), dict[str, str]()
        for place, each in enumerate(listed if isinstance(listed, list) else [], start=1):
            number = _NUMBER.search(said(each.get("question"))) if isinstance(each, dict) else None
            told = said(each.get("answer") if isinstance(each, dict) else each)
            answers[str(int(number[0])) if number else str(place)] = told
        given = [answers.get(str(number), "") for number in range(1, len(self.items) + 1)]
        return [ABSTAIN if _SAME.match(normal(each)) else each for each in given]


def reply(answers: Sequence[str]) -> str:
    """Return the reply that gives some answers, in order."""
    told = [{"question": n, "answer": answer} for n, answer in enumerate(answers, start=1)]
    return json.dumps({"answers": told})


@dataclass(frozen=True)
class Walked:
    """An apartment whose walk is shown, and its quiz."""

    scene: Scene
    views: tuple[View, ...]  # the agent's own that are shown, in order
    items: tuple[FlatQuestion, ...]
    batch: int = TeaRecallSettings.batch  # questions of one sheet, at most
    folder: Folder | None = None  # where the pictures are

    @cached_property
    def space(self) -> Space:
        """Its rooms as points to be seen."""
        return Space(self.scene)

    @cached_property
    def evidence(self) -> Evidence:
        """Evidence of the walk."""
        return evidence(self.scene, self.views, self.space)

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        """Standing of each question, by id."""
        return {item.id: item.standing(self.evidence) for item in self.items}

    @cached_property
    def asked(self) -> tuple[FlatQuestion, ...]:
        """The questions that are asked: all but the unclear ones."""
        return tuple(item for item in self.items if self.standings[item.id] is not Standing.UNCLEAR)

    @cached_property
    def sheets(self) -> tuple[RecallSheet, ...]:
        """The questions as they are asked: kinds that give others away on sheets of their own."""
        groups: dict[str, list[FlatQuestion]] = {}
        for item in self.asked:
            groups.setdefault(item.kind if item.kind in OWN_SHEET else "", []).append(item)
        parts = [
            tuple(group[start : start + self.batch])
            for _, group in sorted(groups.items())
            for start in range(0, len(group), self.batch)
        ]
        return tuple(
            RecallSheet(f"{self.scene.id}/sheet-{number}", part)
            for number, part in enumerate(parts, start=1)
        )

    def opening(self) -> str:
        """Return the text before the pictures."""
        rooms = sorted(room.kind for room in self.scene.rooms)
        count = f"{len(rooms)} rooms" if len(rooms) > 1 else "1 room"
        camera = self.views[0].camera
        wide = 2 * degrees(atan(tan(radians(camera.fovy) / 2) * camera.width / camera.height))
        return (
            f"You walked through a flat that has {count}: {', '.join(rooms)}. The "
            f"{len(self.views)} pictures are what you saw, in that order. Each says where you "
            "stood, in metres: x is ahead of where picture 1 was taken, y to its left; and which "
            "way you looked, in degrees to the left of that way. A picture shows "
            f"{wide:.0f} degrees from left to right."
        )

    def captions(self) -> Iterator[str]:
        """Yield the text before each picture: where it was taken, as seen from the first."""
        x0, y0, heading = self.views[0].agent
        for number, view in enumerate(self.views, start=1):
            east, north = view.agent[0] - x0, view.agent[1] - y0
            x = round(east * cos(heading) + north * sin(heading), 2) + 0.0
            y = round(north * cos(heading) - east * sin(heading), 2) + 0.0
            turn = round((degrees(view.agent[2] - heading) + 180) % 360 - 180) + 0.0
            yield f"Picture {number}: x {x:.2f}, y {y:.2f}, looking {turn:.0f}"

    def picture(self, view: View) -> bytes:
        """Return a view's picture as PNG. Raises `RecordError` for one that is missing."""
        assert self.folder is not None
        return picture(self.folder, view)


@dataclass(frozen=True)
class Recall:
    """The quiz on all apartments of a folder of generated tasks."""

    data: Path
    settings: TeaRecallSettings

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def flats(self) -> dict[str, Walked]:
        """The apartments by name."""
        given = self.settings
        found = {}
        for name, folder in self.folders.items():
            items = ask(folder.scene, each=given.each, seed=given.seed)
            found[name] = Walked(folder.scene, self.shown(folder), items, given.batch, folder)
        return found

    @cached_property
    def pool(self) -> dict[str, tuple[FlatQuestion, ...]]:
        """All questions that could be asked of each apartment: priors are learned from them."""
        return {name: ask(folder.scene, each=None) for name, folder in self.folders.items()}

    def shown(self, folder: Folder) -> tuple[View, ...]:
        """Return the views that are shown, from the start of the walk."""
        return walk(folder.views)[: self.settings.views]

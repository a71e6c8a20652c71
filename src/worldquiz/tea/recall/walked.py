"""An apartment, the walk through it that is shown, and the standing of its quiz after that walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from worldquiz.errors import KnobError
from worldquiz.facts.evidence import Evidence
from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.tea.data import Folder, folders
from worldquiz.tea.recall.quiz.exam import EACH, Standing, ask, standing
from worldquiz.tea.recall.quiz.kinds import FlatQuestion, QuestionKind, kinds
from worldquiz.tea.recall.quiz.shown import evidence, walk
from worldquiz.tea.recall.quiz.space import Space
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

VIEWS, SHEET = 32, 60
"""Pictures of a walk that are shown, and questions of one call, at most."""


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Settings of the quiz. Equal values ask the same after the same walks."""

    views: int = VIEWS
    loop: int | None = None  # whose views are shown; None: from the start of the walk
    each: int = EACH  # questions of a kind and flat, at most
    sheet: int = SHEET
    seed: int = 0

    def __post_init__(self) -> None:
        least = {"views": self.views, "questions": self.each, "questions a call": self.sheet}
        for name, value in {**least, "loop": self.loop or 1}.items():
            if value < 1:
                raise KnobError(f"{value} {name}: give a number from 1")


@dataclass(frozen=True, slots=True)
class RecallSheet:
    """Questions that are asked at once."""

    id: str
    scene: str
    items: tuple[FlatQuestion, ...]


@dataclass(frozen=True)
class Walked:
    """An apartment whose walk is shown, and its quiz."""

    scene: Scene
    views: tuple[View, ...]  # the agent's own that are shown, in order
    items: tuple[FlatQuestion, ...]
    sheet: int = SHEET

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
        return {item.question.id: standing(item, self.evidence) for item in self.items}

    @cached_property
    def asked(self) -> tuple[FlatQuestion, ...]:
        """The questions that are asked: all but the unclear ones."""
        return tuple(
            item for item in self.items if self.standings[item.question.id] is not Standing.UNCLEAR
        )

    @cached_property
    def sheets(self) -> tuple[RecallSheet, ...]:
        """The questions as they are asked: kinds that give others away on sheets of their own."""
        groups: dict[str, list[FlatQuestion]] = {}
        for item in self.asked:
            groups.setdefault(item.kind if item.own_sheet else "", []).append(item)
        parts = [
            tuple(group[start : start + self.sheet])
            for _, group in sorted(groups.items())
            for start in range(0, len(group), self.sheet)
        ]
        return tuple(
            RecallSheet(f"{self.scene.id}/sheet-{number}", self.scene.id, part)
            for number, part in enumerate(parts, start=1)
        )


@dataclass(frozen=True)
class Recall:
    """The quiz on all apartments of a folder of generated tasks."""

    data: Path
    asked: RecallSettings
    own: tuple[object, ...] = ()  # kinds of question, of a user's own

    @cached_property
    def kinds(self) -> tuple[QuestionKind, ...]:
        """The kinds of question that are asked. Raises `CatalogError`."""
        return kinds(self.own)

    @cached_property
    def folders(self) -> dict[str, Folder]:
        """The scenes by name."""
        return {folder.path.name: folder for folder in folders(self.data)}

    @cached_property
    def flats(self) -> dict[str, Walked]:
        """The apartments by folder name. Raises `KnobError` for a loop that does not exist."""
        return {
            name: Walked(
                folder.scene,
                self.shown(folder),
                ask(folder.scene, self.kinds, each=self.asked.each, seed=self.asked.seed),
                self.asked.sheet,
            )
            for name, folder in self.folders.items()
        }

    @cached_property
    def pool(self) -> dict[str, tuple[FlatQuestion, ...]]:
        """All questions that could be asked of each apartment: priors are learned from them."""
        return {
            name: ask(folder.scene, self.kinds, each=None, seed=self.asked.seed)
            for name, folder in self.folders.items()
        }

    @cached_property
    def sheets(self) -> dict[str, tuple[Walked, RecallSheet]]:
        """All sheets by id, with the apartment that each is about."""
        return {sheet.id: (flat, sheet) for flat in self.flats.values() for sheet in flat.sheets}

    def shown(self, folder: Folder) -> tuple[View, ...]:
        """Return the views of the whole walk, or of a loop, that are shown.

        Raises `KnobError` for a loop there is not.
        """
        every, loop = walk(folder.views), self.asked.loop
        if loop is not None:
            told = read_json(self.data / MANIFEST).get("loops")
            if not isinstance(told, dict) or not {"loops", "bouts", "looks"} <= set(told):
                raise KnobError(f"{self.data}: its walks are not of loops; leave out --loop")
            if loop > int(told["loops"]):
                raise KnobError(f"loop {loop} of {self.data}: it has loops 1 to {told['loops']}")
            views = int(told["bouts"] * told["looks"])
            every = every[(loop - 1) * views : loop * views]
        return every[: self.asked.views]

"""The recall quiz: the pictures shown, the questions, the run and its rows.

Each question is shown after the pictures of a walk, with the position of each picture. A run's
folder holds ``manifest.json`` (which lists the questions that the walk left too unclear to ask),
``rows.jsonl`` (each question that was asked) and ``scores.json``.

Besides TEA-Test's baselines there is the `abstainer`, which always replies that the answer was not
shown. The baselines that guess (prior, blind, random) never do. The `guess` in a question's row is
the accuracy of guessing: of always giving the commonest answer to this kind of question in these
apartments, or 1 / choices if that is larger.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import atan, cos, degrees, radians, sin, tan
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.row import Row
from worldquiz.runs.items import Line, Shown
from worldquiz.runs.rows import ItemKey
from worldquiz.tea.data import Folder, picture
from worldquiz.tea.exam.exam import TeaRun
from worldquiz.tea.exam.sample import families, one_answer
from worldquiz.tea.exam.show import form_of_reply, reply
from worldquiz.tea.kinds.kinds import Instance, Word
from worldquiz.tea.recall.questions import FlatQuestion, Standing, ask
from worldquiz.tea.recall.shown import Space, evidence, walk
from worldquiz.tea.settings import TeaRecallSettings
from worldquiz_scenes.view import View

KIND = "tea-recall"
NOT_SHOWN = "not shown"
"""The right reply if the pictures do not show the answer."""


@dataclass(frozen=True)
class Walked:
    """An apartment with the views of its walk that are shown, and its questions."""

    folder: Folder
    views: tuple[View, ...]  # the agent's own views that are shown, in order
    items: tuple[FlatQuestion, ...]

    @cached_property
    def evidence(self) -> Evidence:
        """The facts that the walk showed, each with its step."""
        return evidence(Space(self.folder.scene, self.folder.path), self.views)

    @cached_property
    def standings(self) -> Mapping[str, Standing]:
        """For each question, by id, whether the walk showed its answer."""
        return {item.id: item.standing(self.evidence) for item in self.items}

    def opening(self) -> str:
        """Return the text before the pictures."""
        rooms = sorted(room.kind for room in self.folder.scene.rooms)
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
        """Yield the text before each picture: its position, relative to the first picture."""
        x0, y0, heading = self.views[0].agent
        for number, view in enumerate(self.views, start=1):
            east, north = view.agent[0] - x0, view.agent[1] - y0
            x = round(east * cos(heading) + north * sin(heading), 2) + 0.0
            y = round(north * cos(heading) - east * sin(heading), 2) + 0.0
            turn = round((degrees(view.agent[2] - heading) + 180) % 360 - 180) + 0.0
            yield f"Picture {number}: x {x:.2f}, y {y:.2f}, looking {turn:.0f}"


class Recall(TeaRun):
    """The recall quiz on all apartments of a folder of generated tasks."""

    kind, noun, walks = KIND, "questions", ()
    of, told = TeaRecallSettings, ("views", "each", "seed")

    @cached_property
    def flats(self) -> dict[str, Walked]:
        """The apartments by the ids of their scenes."""
        given: TeaRecallSettings = self.settings
        return {
            folder.scene.id: Walked(
                folder, walk(folder.views)[: given.views],
                ask(folder.scene, each=given.each, seed=given.seed),
            )
            for folder in self.folders.values()
        }  # fmt: skip

    @cached_property
    def questions(self) -> dict[str, FlatQuestion]:
        """The questions that are asked, by id: all but the unclear ones."""
        return {
            item.id: item
            for flat in self.flats.values()
            for item in flat.items
            if flat.standings[item.id] is not Standing.UNCLEAR
        }

    @cached_property
    def answered(self) -> tuple[Instance, ...]:
        """The questions as tasks, each with its true answer."""
        return tuple(item.task(item.answer, NOT_SHOWN) for item in self.questions.values())

    @cached_property
    def every(self) -> tuple[Instance, ...]:
        """All possible questions about the apartments, even those of no quiz, as tasks."""
        every = (ask(flat.folder.scene, each=None) for flat in self.flats.values())
        return tuple(item.task(item.answer) for items in every for item in items)

    @cached_property
    def chance(self) -> Mapping[str, float]:
        """The frequency (0..1) of the commonest answer to each kind of question."""
        return {kind: one_answer(some) for kind, some in families(self.every).items()}

    def require(self) -> None:
        """Check the answerer, and that there are questions and pictures."""
        super().require()
        if not self.questions:
            raise KnobError(f"{self.data}: these walks show too little for any question: raise "
                            "the number of views (--views)")  # fmt: skip

    @property
    def about(self) -> dict[str, Any]:
        """The digest of the data, the settings of the test, and the questions that are unclear."""
        unclear = {
            name: [id for id, told in flat.standings.items() if told is Standing.UNCLEAR]
            for name, flat in self.flats.items()
        }
        return {**super().about, "unclear": unclear}

    def shown(self, task: Instance) -> Shown:
        """Return the prompt of a question, and the pictures of the walk.

        All prompts about an apartment begin with the same pictures, which providers can cache.
        """
        flat = self.flats[task.scene]
        question = (
            f"{task.command} Answer from what you saw. Where a question speaks of the mug, say, "
            "the whole flat has that one mug and no other. Mirrors show what is elsewhere. Where "
            f'the pictures do not show the answer, answer "{NOT_SHOWN}": there every other answer '
            f"is wrong. {form_of_reply(task)}"
        )
        words = "\n".join((flat.opening(), *flat.captions(), question))
        return Shown(question=words, pictures=[picture(flat.folder, view) for view in flat.views])

    def baseline(self, keys: Sequence[ItemKey]) -> Iterator[tuple[ItemKey, Line]]:
        """Yield the answers of a baseline about one apartment."""
        flat = self.flats[keys[0][0]]
        for key in keys:
            item = self.questions[key[2]]
            match self.who:
                case "abstainer":
                    said = reply(Word(NOT_SHOWN))
                case "oracle" | "noisy":
                    standing = flat.standings[item.id]
                    right = item.answer if standing is Standing.ANSWERABLE else NOT_SHOWN
                    said = self._answers(item.task(right, NOT_SHOWN))
                case _:
                    said = self._answers(item.task(item.answer))
            yield key, {"reply": said}

    def graded(self, task: Instance, line: Line, who: str) -> Row:
        """Return the row of an answer to a question."""
        row = super().graded(task, line, who)
        item, flat = self.questions[row.item], self.flats[row.world]
        moment = flat.evidence.earliest(item.requires)
        return replace(
            row, choices=item.choices, shown=moment is not None,
            guess=max(1 / len(item.choices), self.chance[row.type]),
            episode=moment.episode if moment else None, step=moment.step if moment else None,
        )  # fmt: skip

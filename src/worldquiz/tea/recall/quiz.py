"""The quiz after a walk: what is shown, what is asked, the run that asks it, its rows and scores.

An answerer sees the pictures of a walk, each with where it was taken, and one question. A run's
folder holds ``manifest.json`` (which names the questions that the walk left too unclear to be
asked), ``rows.jsonl`` (each question that was asked) and ``scores.json``.

Beside TEA-Test's baselines there are two:

    reader      answers from what the views show, and from the questions' words
    abstainer   says of everything that it was not shown

Those that guess (prior, blind, random) never say that something was not shown. The guess of a
question is what a blind answerer gets right who knows which answer is the commonest of its kind in
these apartments: that share, or one of so many choices where it is larger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import atan, cos, degrees, radians, sin, tan
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.knowledge import FRACTIONS, SIGNED, counts, share
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.llm.model import Message, user
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import RunManifest, answered_by, note, read_manifest
from worldquiz.runs.life import live
from worldquiz.runs.rows import ItemKey, Rows, by_item, read_rows
from worldquiz.stats.intervals import intervals, ratios
from worldquiz.tea.answering import NOBODY, Baseline, Who
from worldquiz.tea.data import Folder, folders, picture
from worldquiz.tea.exam.exam import row_of, tasks_of
from worldquiz.tea.exam.run import ApartmentRun, about, baseline, key_of
from worldquiz.tea.exam.sample import families, one_answer
from worldquiz.tea.exam.show import form_of_reply, part, reply
from worldquiz.tea.recall.questions import FlatQuestion, Standing, ask
from worldquiz.tea.recall.reader import ViewReader
from worldquiz.tea.recall.shown import Space, evidence, walk
from worldquiz.tea.scoring.grade import family
from worldquiz.tea.settings import TeaRecallSettings
from worldquiz.tea.taskgraph import Instance, Word
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import View

KIND, NOUN = "tea-recall", "run of `worldquiz tea recall`"
NAMES = ("oracle", "reader", "noisy", "abstainer", "prior", "blind", "random")
NOT_SHOWN = "not shown"
"""The right answer to what the pictures do not show."""
ASKED = ("views", "each", "seed")
"""Settings that a manifest holds."""


@dataclass(frozen=True)
class Walked:
    """An apartment whose walk is shown, and its quiz."""

    scene: Scene
    views: tuple[View, ...]  # the agent's own that are shown, in order
    items: tuple[FlatQuestion, ...]
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

    def picture(self, view: View) -> bytes:
        """Return a view's picture as PNG. Raises `RecordError` for one that is missing."""
        assert self.folder is not None
        return picture(self.folder, view)

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


def question(task: Instance) -> str:
    """Return the text after the pictures."""
    return (
        f"{task.command} Answer from what you saw. Where a question speaks of the mug, say, the "
        "whole flat has that one mug and no other. Mirrors show what is elsewhere. Where the "
        f'pictures do not show the answer, answer "{NOT_SHOWN}": there every other answer is '
        f"wrong. {form_of_reply(task)}"
    )


class Recall(ApartmentRun):
    """The quiz on all apartments of a folder of generated tasks."""

    kind = KIND

    def __init__(self, data: Path, settings: TeaRecallSettings, who: Who = NOBODY) -> None:
        super().__init__(data, who)
        self.settings = settings

    @property
    def asked(self) -> Mapping[str, Any]:
        """Return what the manifest says of the questions."""
        return {"asked": {name: getattr(self.settings, name) for name in ASKED}}

    @cached_property
    def flats(self) -> dict[str, Walked]:
        """The apartments by the ids of their scenes."""
        given = self.settings
        return {
            folder.scene.id: Walked(
                folder.scene, walk(folder.views)[: given.views],
                ask(folder.scene, each=given.each, seed=given.seed), folder,
            )
            for folder in folders(self.data)
        }  # fmt: skip

    @cached_property
    def items(self) -> dict[str, FlatQuestion]:
        """The questions that are asked, by id: all but the unclear ones."""
        return {
            item.id: item
            for flat in self.flats.values()
            for item in flat.items
            if flat.standings[item.id] is not Standing.UNCLEAR
        }

    @cached_property
    def tasks(self) -> dict[ItemKey, Instance]:
        """The questions as tasks, each with its true answer, by the keys of their rows."""
        tasks = (item.task(item.answer, NOT_SHOWN) for item in self.items.values())
        return {key_of(task): task for task in tasks}

    @cached_property
    def pool(self) -> tuple[Instance, ...]:
        """All questions that can be asked about the apartments, as tasks."""
        every = (ask(flat.scene, each=None) for flat in self.flats.values())
        return tuple(item.task(item.answer) for items in every for item in items)

    @cached_property
    def commonest(self) -> Mapping[str, float]:
        """The share of the commonest answer to each kind of question."""
        return {kind: one_answer(some) for kind, some in families(self.pool).items()}

    def require(self) -> None:
        """Check who answers, that something can be asked, and that pictures are there."""
        super().require()
        if not self.items:
            raise KnobError(f"{self.data}: no question can be asked after these walks; show more "
                            "views")  # fmt: skip
        if not isinstance(self.who, Baseline):
            for flat in self.flats.values():
                flat.picture(flat.views[0])

    def begin(self, out: Path) -> None:
        """Note the place of the walks, how many views are shown, and what they leave unclear."""
        unclear = {
            name: [id for id, told in flat.standings.items() if told is Standing.UNCLEAR]
            for name, flat in self.flats.items()
        }
        views = sum(len(flat.views) for flat in self.flats.values())
        note(self.data, out, views=views, unclear=unclear)

    def shown(self, task: Instance) -> tuple[str, Sequence[bytes]]:
        """Return a question as it is shown: its words, and the pictures of the walk."""
        flat = self.flats[task.scene]
        words = "\n".join((flat.opening(), *flat.captions(), question(task)))
        return words, [flat.picture(view) for view in flat.views]

    def messages(self, task: Instance) -> list[Message]:
        """Return a question as a model is asked it: pictures with their captions, then words.

        All questions about an apartment begin alike, so that providers can cache the pictures.
        """
        return [user([*self._walk(task.scene), _text(question(task))])]

    @cached_property
    def _walk(self) -> Callable[[str], list[dict[str, Any]]]:
        """Gives the parts of messages that show a walk; it keeps those of the last apartments."""

        def parts(scene: str) -> list[dict[str, Any]]:
            flat = self.flats[scene]
            shown = zip(flat.captions(), flat.views, strict=True)
            views = ((_text(words), part(flat.picture(view))) for words, view in shown)
            return [_text(flat.opening()), *(each for pair in views for each in pair)]

        return lru_cache(maxsize=2)(parts)

    def guess(self, who: Baseline, tasks: Sequence[Instance]) -> Iterator[dict[str, Any]]:
        """Yield the answers of a baseline."""
        name, seed = who.name, self.settings.seed
        if name == "reader":
            readers = {scene: ViewReader(flat.scene, flat.views, flat.space)
                       for scene, flat in self.flats.items()}  # fmt: skip
        elif name != "abstainer":
            answer = baseline(name, self.pool, seed, who.error, self.items.keys())
        for task in tasks:
            item = self.items[task.id]
            match name:
                case "abstainer":
                    said = reply(Word(NOT_SHOWN))
                case "reader":
                    found = readers[task.scene].answer(item.text, item.choices)
                    said = reply(Word(found or NOT_SHOWN))
                case "oracle" | "noisy":
                    standing = self.flats[task.scene].standings[item.id]
                    right = item.answer if standing is Standing.ANSWERABLE else NOT_SHOWN
                    said = answer(item.task(right, NOT_SHOWN))
                case _:
                    said = answer(item.task(item.answer))
            yield {**about(task), "reply": said}

    def row(self, line: Mapping[str, Any]) -> Row:
        """Return the row of an answer to a question."""
        task = self.tasks[by_item(line)]
        item, flat = self.items[task.id], self.flats[task.scene]
        moment = flat.evidence.earliest(item.requires)
        row = row_of(task, line, answered_by(self.manifest), {})
        return replace(
            row, choices=item.choices, shown=moment is not None,
            guess=max(1 / len(item.choices), self.commonest[family(item.kind)]),
            episode=moment.episode if moment else None, step=moment.step if moment else None,
        )  # fmt: skip

    def score(self, out: Path, kept: Rows) -> dict[str, Any]:
        """Return the shares."""
        return rescored(out)


def run(
    data: Path, given: TeaRecallSettings, who: Who, out: Path, done: Done = silent
) -> dict[str, Any]:
    """Ask every question that was not asked before, and return the scores.

    Raises before `out` is touched `KnobError` for walks after which nothing can be asked,
    `CatalogError` for an unknown answerer or model and an object that is no answerer,
    `MissingExtra`; later `RecordError` where `out` holds anything else, `WorldError` where
    questions could not be asked.
    """
    return live(Recall(data, given, who), out, done, given)


def grader(run: Path, data: Path | None) -> Callable[[Row, Mapping[str, Any]], Row]:
    """Return what grades a row's reply again. Raises `RecordError` for other data."""
    given = TeaRecallSettings(**read_manifest(run, KIND, NOUN)["asked"])
    tasks = Recall(tasks_of(run, data), given).tasks
    return lambda row, line: row_of(tasks[by_item(line)], line, row.answerer, {})


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@dataclass(frozen=True, kw_only=True)
class RecallManifest(RunManifest):
    """Schema of a run's manifest."""

    asked: Mapping[str, int]
    views: int
    unclear: Mapping[str, Sequence[str]]  # by scene: the ids of questions that were not asked


def rescored(run: Path) -> dict[str, Any]:
    """Return Task2Quiz's shares with counts and intervals by scene, and the same of each kind.

    Raises `RecordError`.
    """
    manifest, every = read_manifest(run, KIND, NOUN, RecallManifest), tuple(read_rows(run))
    unclear = Counter(id.partition("/")[0] for ids in manifest["unclear"].values() for id in ids)
    flats: dict[str, list[Row]] = {scene: [] for scene in manifest["unclear"]}
    kinds: dict[str, list[Row]] = {kind: [] for kind in unclear}
    for row in every:
        flats.setdefault(row.world, []).append(row)
        kinds.setdefault(row.type, []).append(row)
    known = counts(every)
    parts = ratios([counts(some) for some in flats.values()], FRACTIONS, signed=SIGNED)
    found = intervals(parts, seed=manifest["asked"]["seed"])
    return {
        **_shares(known),
        "counts": {
            **known,
            "flats": len(flats),
            "views": manifest["views"],
            "unclear": unclear.total(),
            "ill_formed": sum(row.status is AnswerStatus.UNREADABLE for row in every),
        },
        "knowledge_ci": found["knowledge"],
        "ci": {name: list(bounds) if bounds else None for name, bounds in found.items()},
        "by_kind": {
            kind: {**_shares(told), "counts": told}
            for kind, some in sorted(kinds.items())
            for told in [{**counts(some), "unclear": unclear[kind]}]
        },
    }


def _shares(known: Mapping[str, float]) -> dict[str, float | None]:
    return {name: share(known[above], known[below]) for name, (above, below) in FRACTIONS.items()}

"""Runs of MANGO's questions and minigames: made, and scored from their rows.

An answerer answers the questions, or they are searched in maps that a model draws first
(``worldquiz mango map``). The latter run is one of questions like any other; beside its answers it
holds the rows of what the model read, which bear the usage.

A run of minigames is one about mazes, too; its rows are minigames.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from worldquiz.llm.model import used
from worldquiz.mango.answerers import Answerer, ModelAnswerer, searched
from worldquiz.mango.mapper import trajectory
from worldquiz.mango.maze import Maze
from worldquiz.mango.questions import AskingPlan, require_libraries
from worldquiz.mango.rows import (
    KIND,
    MINIGAMES,
    Book,
    Line,
    MazeItem,
    answerer_of,
    fingerprints,
    keep_mazes,
    questions_of,
    read_mazes,
    read_run_manifest,
    settings_of,
)
from worldquiz.mango.scores import document
from worldquiz.mango.settings import MinigameSettings
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import told_apart
from worldquiz.runs.losses import FAILED
from worldquiz.runs.rows import ItemKey, Rows, by_item, kept, read_rows
from worldquiz.version import own_version

Drawn = Callable[[Iterable[Line]], Iterable[tuple[MazeItem, Line]]]
"""Answers questions by what a model read: by the lines of its replies."""


@dataclass(frozen=True)
class MazeWork:
    """What is asked, who answers, and the function that scores a finished run."""

    kind: str
    mazes: Mapping[str, Maze]
    items: Sequence[MazeItem]
    answerer: Answerer
    settings: Mapping[str, Any]  # of what is asked, as the manifest tells them
    scored: Callable[[Path], dict[str, Any]]
    drawn: Drawn | None = None
    noun = "questions"

    @property
    def partial(self) -> bool:
        """Whether a part of the replies can be scored: a map needs all of its steps."""
        return self.drawn is None

    @property
    def manifest(self) -> dict[str, Any]:
        """The run's kind, answerer, settings and mazes."""
        return {
            "kind": self.kind,
            **self.answerer.record(),
            "versions": own_version(),
            **self.settings,
            "mazes": fingerprints(self.mazes),
        }

    @property
    def units(self) -> Sequence[ItemKey]:
        """The keys of all items, in order."""
        return [item.key for item in self.items]

    def require(self) -> None:
        """Raise what says that answers cannot be scored, or that the answerer cannot answer."""
        require_libraries()
        self.answerer.require()

    def preflight(self) -> None:
        """Check that a model can be asked."""
        if isinstance(self.answerer, ModelAnswerer):
            self.answerer.reach.preflight()

    def begin(self, out: Path) -> None:
        """Write the mazes, so that the run stands by itself."""
        keep_mazes(out, self.mazes)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        items, who = {item.key: item for item in self.items}, answerer_of(self.manifest)
        store = Rows if self.drawn is None else partial(MapRows, self.drawn, who)
        return store(out, done, lambda line: items[by_item(line)].row(line, who))

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the rest answered; questions of other shards are not asked."""
        wanted = set(left)
        items = [item for item in self.items if item.key in wanted or kept.has(item.key)]
        self.answerer.answer(items, kept)

    def score(self, out: Path, kept: Rows) -> dict[str, Any]:
        """Return the scores of the finished run."""
        return self.scored(out)


class MapRows(Rows):
    """Rows of what a model read; in the end, those of the questions that its maps answer too."""

    def __init__(self, drawn: Drawn, who: str, folder: Path, done: Done, graded: Any) -> None:
        super().__init__(folder, done, graded)
        self._drawn, self._who = drawn, who

    def settle(self, keys: Sequence[ItemKey]) -> Path:
        """Write the rows of the questions, then those of what was read."""
        read, asked = [self.lines[key] for key in keys], []
        for item, line in self._drawn(read):
            self.lines[item.key] = kept(item.row(line, self._who))
            asked.append(item.key)
        return super().settle([*asked, *keys])


def quiz_items(plan: AskingPlan) -> tuple[MazeItem, ...]:
    """Return the questions of a plan."""
    book = cache(lambda game: Book(plan.mazes[game]))

    def item(asked: Any) -> MazeItem:
        reading = plan.readings[asked.game]
        return MazeItem(
            (asked.game, str(asked.task), asked.id), asked, lambda: reading.prompt(asked),
            lambda line: book(asked.game).fields(
                asked, reading.steps, line, reading.question(asked)
            ),
            reading.form if plan.asked.constrained else None,
        )  # fmt: skip

    return tuple(map(item, plan.questions))


def quiz(plan: AskingPlan, answerer: Answerer) -> MazeWork:
    """Return the work of having a plan's questions answered."""
    return MazeWork(KIND, plan.mazes, quiz_items(plan), answerer, plan.record(), score_run)


def maps(plan: AskingPlan, shots: int, answerer: Answerer) -> MazeWork:
    """Return the work of having each maze's map drawn, and answering by it.

    Raises `KnobError` for a number of examples that there is not.
    """
    from worldquiz.mango import mapping

    courses = {name: mapping.Course(maze, plan.steps(name)) for name, maze in plan.mazes.items()}
    questions = quiz_items(plan)

    def drawn(read: Iterable[Line]) -> Iterable[tuple[MazeItem, Line]]:
        found = mapping.drawn_maps(courses, read)
        for item in questions:
            map_ = found[item.key[0]]
            if isinstance(map_, str):  # where a maze has no map, its questions failed as it did
                yield item, {"reply": "", "status": FAILED, "failure": map_}
            else:
                way = trajectory(searched(map_, item.asked))
                yield item, {"reply": json.dumps(way, ensure_ascii=False)}

    settings = {"shots": shots, **plan.record()}
    items = mapping.items(courses, shots)
    return MazeWork(KIND, plan.mazes, items, answerer, settings, score_run, drawn)


def minigames(mazes: Mapping[str, Maze], given: MinigameSettings, answerer: Answerer) -> MazeWork:
    """Return the work of having minigames played. Raises `KnobError` where there is none."""
    from worldquiz.mango.minigames import items

    every = items(mazes, given)
    return MazeWork(MINIGAMES, mazes, every, answerer, given.record(), score_minigames)


def score_run(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its rows, with the usage.

    Beside them: how right a model's triplets are, if it drew the maps. Raises `RecordError` if the
    run is not finished.
    """
    manifest, mazes = read_run_manifest(run), read_mazes(run)
    book = cache(lambda game: Book(mazes[game]))
    found = document(questions_of(run), book, mazes)
    rows = tuple(read_rows(run))
    if "shots" in manifest:
        from worldquiz.mango import mapping

        found["triplets"] = mapping.table(rows)
    usage = used({"usage": row.usage} for row in rows)
    return {"compat": "exact", "rf_easy": manifest["rf_easy"], **found, "usage": usage}


def score_minigames(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its rows, with the usage.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    from worldquiz.mango.minigames import answerable, table

    given = settings_of(MinigameSettings, read_run_manifest(run, MINIGAMES))
    mazes, rows = read_mazes(run, MINIGAMES), tuple(read_rows(run))
    there = {name: len(answerable(maze, given)) for name, maze in mazes.items()}
    return {**table(rows, there), "usage": used({"usage": row.usage} for row in rows)}


def check_run(run: Path) -> None:
    """Read all of a run. Raises `RecordError` where it may not be trusted."""
    questions_of(run)
    read_mazes(run)


def names(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Call each run by who answered, and by its folder as well where several have the same one."""
    return told_apart({run: answerer_of(manifest) for run, manifest in manifests.items()})

"""Runs of MANGO's questions and minigames: made, scored from their records, and compared.

A run's folder (`folder`) holds all that was asked about and what came of it, so nothing but the
folder is needed to score, compare or show it; `worldquiz mango score` reads its answers as well.

An answerer answers the questions, or they are searched in maps that a model draws first
(``worldquiz mango map``). The latter run is one of questions like any other; beside its answers it
holds the replies that the maps were drawn from. The usage of drawing a maze's map is recorded with
its first answer.

A run of minigames is one about mazes, too; its rows are minigames.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.facts.row import Row
from worldquiz.llm.model import used
from worldquiz.mango import mapping, minigames
from worldquiz.mango.answerers import Answerer, ModelAnswerer, searched
from worldquiz.mango.answers import (
    Key,
    Line,
    Replies,
    about,
    finished,
    key,
    line_of,
    read_answers,
    replied,
)
from worldquiz.mango.grade import Task
from worldquiz.mango.mapper import trajectory
from worldquiz.mango.mapping import Course, prompts, read_run, readings
from worldquiz.mango.maze import Maze
from worldquiz.mango.minigames import read_choice
from worldquiz.mango.paths import Route
from worldquiz.mango.published import Layout
from worldquiz.mango.questions import (
    AskingPlan,
    Prompts,
    planned,
    require_libraries,
)
from worldquiz.mango.rows import (
    KIND,
    MINIGAMES,
    answerer_of,
    courses_of,
    fingerprints,
    games_of,
    keep_mazes,
    marked_answers,
    minigame_rows,
    quiz_rows,
    read_mazes,
    read_run_manifest,
    settings_of,
)
from worldquiz.mango.scores import (
    Atlas,
    Marked,
    about_games,
    document,
)
from worldquiz.mango.settings import MinigameSettings, QuizSettings
from worldquiz.records import digest
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import MANIFEST, told_apart
from worldquiz.runs.losses import FAILED
from worldquiz.runs.rows import RowLines
from worldquiz.version import own_version


@dataclass(frozen=True)
class MazeWork:
    """Prompts, their answerer, and the rows of the replies."""

    kind: str
    mazes: Mapping[str, Maze]
    prompts: Prompts[Any]
    answerer: Answerer
    settings: Mapping[str, Any]  # of what is asked, as the manifest tells them
    rows: Callable[[Path, Mapping[Key, Line]], Iterable[Row]]  # of the replies
    partial: bool = (
        True  # whether a part of the replies can be scored: a map needs all of its steps
    )
    noun = "questions"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's kind, answerer, settings and mazes."""
        return {
            "kind": self.kind,
            **self.answerer.record(),
            "versions": own_version(),
            **self.settings,
            "mazes": fingerprints(self.mazes),
        }

    @cached_property
    def units(self) -> Sequence[Key]:
        """The keys of all prompts, in order."""
        return [key(self.prompts.about(item)) for item in self.prompts.items.values()]

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

    def kept(self, out: Path, done: Done) -> Replies:
        """Open the replies."""
        return RowLines(out, key, done, lambda lines: self.rows(out, lines), line_of)

    def produce(self, left: Sequence[Key], kept: Replies, out: Path) -> None:
        """Have the rest answered; questions of other shards are not asked."""
        wanted = set(left)
        items = {
            name: item
            for name, item in self.prompts.items.items()
            if (about := key(self.prompts.about(item))) in wanted or kept.has(about)
        }
        self.answerer.answer(replace(self.prompts, items=items), kept)


def quiz(plan: AskingPlan, answerer: Answerer) -> MazeWork:
    """Return the work of having a plan's questions answered."""
    return MazeWork(KIND, plan.mazes, plan.prompts, answerer, plan.record(), quiz_rows)


def maps(plan: AskingPlan, shots: int, answerer: Answerer) -> MazeWork:
    """Return the work of having each maze's map drawn, and answering by it.

    Raises `KnobError` for a number of examples that there is not.
    """
    about = {name: Course(maze, plan.steps(name)) for name, maze in plan.mazes.items()}
    every = readings(about, shots)

    def rows(out: Path, replies: Mapping[Key, Line]) -> Iterator[Row]:
        return quiz_rows(out, {**_answers(plan, about, replies), **replies})

    settings = {"shots": shots, **plan.record()}
    return MazeWork(
        KIND, plan.mazes, prompts(about, every, shots), answerer, settings, rows,
        partial=False,
    )  # fmt: skip


def _answers(
    plan: AskingPlan, about: Mapping[str, Course], replies: Mapping[Key, Line]
) -> dict[Key, Line]:
    """Return the answers that the maps give; where a maze has no map, they failed as its call did.

    They are computed anew each time: failed calls may have been tried again since.
    """
    maps_ = {name: each.drawn for name, each in read_run(about, replies).items()}
    failures: dict[str, str] = {}
    for line in replies.values():
        if line.get("status") == FAILED:
            failures.setdefault(line["game"], line["failure"])
    found: dict[Key, Line] = {}
    for question in plan.questions:
        line = replied(plan.prompts.about(question), "")
        if why := failures.get(question.game):
            line |= {"status": FAILED, "failure": why}
        else:
            way = trajectory(searched(maps_[question.game], question))
            line["reply"] = json.dumps(way, ensure_ascii=False)
        found[key(line)] = line
    return found


def rows_of(run: Path) -> Iterator[Row]:
    """Yield the rows of a finished run, graded again. Raises `RecordError` if it is none."""
    return quiz_rows(run, finished(run), whole=True)


def minigame_rows_of(run: Path) -> Iterator[Row]:
    """Do the same for a run of minigames."""
    return minigame_rows(run, finished(run))


def scored_answers(run: Path) -> tuple[tuple[Marked, ...], Atlas]:
    """Return the answers of a finished run that did not fail, and the mazes that they are about.

    Raises `RecordError` if the run is not finished.
    """
    lines = finished(run)
    every, atlas = marked_answers(run, read_run_manifest(run), lines)
    failed = {each for each, line in lines.items() if line.get("status") == FAILED}
    return tuple(each for each in every if key(about(each.question)) not in failed), atlas


def score_run(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Beside them: how right a model's triplets are, if it drew the maps. Raises `RecordError` if the
    run is not finished.
    """
    manifest, lines = read_run_manifest(run), finished(run)
    found = {"compat": "exact", "rf_easy": manifest["rf_easy"], **document(*scored_answers(run))}
    if "shots" in manifest:
        found["triplets"] = mapping.table(read_run(courses_of(run), lines))
    return {**found, "usage": used(lines.values())}


def plan_of(run: Path) -> AskingPlan:
    """Return the questions of a run. Raises `RecordError` where they cannot be told."""
    told = read_run_manifest(run)
    if told["per_maze"] is None:
        raise RecordError(f"{run}: was imported: give a run of `worldquiz mango run`")
    return planned(read_mazes(run), settings_of(QuizSettings, told))


def names(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Call each run by who answered, and by its folder as well where several have the same one."""
    return told_apart({run: answerer_of(manifest) for run, manifest in manifests.items()})


def minigame_work(
    mazes: Mapping[str, Maze], given: MinigameSettings, answerer: Answerer
) -> MazeWork:
    """Return the work of having minigames played. Raises `KnobError` where there is none."""
    every = minigames.plan(mazes, given)
    return MazeWork(
        MINIGAMES, mazes, minigames.prompts(mazes, every), answerer, given.record(),
        minigame_rows,
    )  # fmt: skip


def score_minigames(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    mazes, given, replies = read_mazes(run), games_of(run), finished(run)
    found = []
    for each in minigames.plan(mazes, given):
        line = replies.get(key(each.about()))
        if line is not None and line.get("status") != FAILED:
            found.append((each, read_choice(line["reply"], each.actions)))
    there = {name: len(minigames.answerable(maze, given)) for name, maze in mazes.items()}
    return {**minigames.table(found, there), "usage": used(replies.values())}


def compare_minigames(runs: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Return several players' scores by their names: the columns of Table 14.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    called = names({run: read_run_manifest(run, MINIGAMES) for run in runs})
    return {called[run]: score_minigames(run) for run in runs}


@dataclass(frozen=True, slots=True)
class ImportedAnswers:
    """Answerer whose answers are read from a file or folder."""

    name: str
    source: str  # the name of the file or folder
    replies: Mapping[Key, str | None]

    def record(self) -> Mapping[str, Any]:
        """Return its name, where its answers come from, and their digest."""
        told = digest(json.dumps([[*key, reply] for key, reply in self.replies.items()]))
        return {"answerer": self.name, "imported": {"from": self.source, "answers": told}}

    def require(self) -> None:
        """Need nothing beyond what scoring needs."""

    def answer(self, prompts: Prompts[Any], kept: Replies) -> None:
        """Keep the answers."""
        for line in map(prompts.about, prompts.items.values()):
            if kept.find(line) is None:
                kept.keep(replied(line, self.replies[key(line)]))


def import_work(
    source: Path,
    mazes: Path,
    *,
    name: str | None = None,
    layout: Layout | None = None,
    easy: Route = Route.SHORTEST,
    only: Sequence[str] = (),
) -> MazeWork:
    """Return the work of making a run of answers from elsewhere, scored like any other.

    They lie in a folder as MANGO's programs write it, or in a file of our lines (`answers`). `only`
    names the games whose answers are taken, all if empty. Raises `RecordError` for answers or mazes
    that cannot be read and for an answer to no question of them.
    """
    if (source / MANIFEST).is_file():
        raise RecordError(f"{source}: is a run already: `worldquiz score {source}` scores it")
    if source.is_file() and source.suffix != ".jsonl":
        raise RecordError(
            f"{source}: give a folder of MANGO's programs or a file that ends in .jsonl"
        )
    atlas = Atlas(mazes, layout, easy=easy)
    lines: list[dict[str, Any]] = []
    replies: dict[Key, str | None] = {}
    for answer in about_games(read_answers(source), only):
        question, last = atlas.question(answer), len(atlas.of(answer).maze.text) - 1
        lines.append({**about(question), "steps": min(answer.steps, last)})
        said = answer.reply
        text = said if said is None or isinstance(said, str) else json.dumps(said)
        replies[key(lines[-1])] = text
    read: dict[str, int] = {}
    for line in sorted(lines, key=lambda line: (line["game"], line["steps"])):
        read[line["game"]] = line["steps"]
    settings = {
        **QuizSettings(steps=max(read.values()), rf_easy=str(easy)).record(), "per_maze": None,
        "tasks": [task for task in map(str, Task) if any(line["task"] == task for line in lines)],
        "read": read, "questions": len(lines),
    }  # fmt: skip
    items = {f"{line['game']}-{line['task']}-{line['id'][:16]}": line for line in lines}
    prompts = Prompts[Any](items, lambda line: line, lambda line: "")
    who = ImportedAnswers(name or source.stem, source.name, replies)
    books = {game: atlas.book(game).maze for game in read}
    return MazeWork(KIND, books, prompts, who, settings, quiz_rows)

"""Mazes in Python: built, opened, asked about; and runs on them, scored from their rows.

    mazes = worldquiz.mango.build(mazes=6, seed=7, out="mazes")
    run = mazes.run("mapper", out="runs/mapper")
    run.scores["rf"]["all"]["success"]["macro"]; run.frame(); run.report("report.html")

An answerer of one's own has a method ``answer(prompt: str) -> str``, sync or async; it is given the
text that a model is sent.

A run asks for destinations and routes, for the next moves of minigames, and for parts of a map that
a model draws to be searched. Each of these is an item, and each answered item a row.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError, RecordError
from worldquiz.facts.row import Row
from worldquiz.llm.client import Reach
from worldquiz.mango.answerers import Answerer, ModelAnswerer, chosen_answerer
from worldquiz.mango.grade import Rule
from worldquiz.mango.maze import Maze
from worldquiz.mango.published import STEPS, Home, Layout, chosen, games, laid, read, write_both
from worldquiz.mango.questions import (
    MINIGAME,
    AskingPlan,
    kinds,
    planned,
    require_libraries,
)
from worldquiz.mango.rows import (
    KIND,
    Book,
    Line,
    MazeItem,
    answerer_of,
    fingerprint,
    keep_mazes,
    questions_of,
    read_mazes,
    read_run_manifest,
)
from worldquiz.mango.scores import counted, document
from worldquiz.mango.settings import Knobs, QuizSettings
from worldquiz.rng import child_seed
from worldquiz.runs.benchmark import check_no_data
from worldquiz.runs.executor import Done, blocking, silent
from worldquiz.runs.given import one_of
from worldquiz.runs.life import live
from worldquiz.runs.rows import ItemKey, Rows, by_item, read_rows, reply_line
from worldquiz.runs.run import Run
from worldquiz.runs.settings import declared
from worldquiz.stats.row_scores import headline, usage_total
from worldquiz.version import own_version


class MazeSet:
    """A folder of mazes with their walkthroughs, in MANGO's files; published, recorded or built."""

    def __init__(self, path: Path | str, layout: str | None = None) -> None:
        """Open a folder, its mazes in a layout: "steps70", "full", or the first that each has.

        Raises `RecordError` where there is no maze in it.
        """
        self.path = Path(path)
        self.layout = None if layout is None else one_of(Layout, layout, "layout")
        self._homes = games(self.path, *laid(self.layout))
        self.games = tuple(home.game for home in self._homes)

    @property
    def steps(self) -> int:
        """Default number of steps that are read: 70, or all of full maps."""
        if any(home.layout is Layout.STEPS70 for home in self._homes):
            return STEPS
        return max(read(home).steps for home in self._homes)

    def run(
        self,
        answerer: object | None = None,
        *,
        out: Path | str,
        settings: QuizSettings | None = None,
        progress: Done = silent,
        **changes: Any,
    ) -> Run:
        """Have MANGO's questions answered, and return the finished run.

        Give an `answerer` (its name, an object, or a class or function that makes one) or a
        `model`. Settings are the fields of `QuizSettings`, by name or as an object with `changes`;
        without `steps`, 70 are read, and all of full maps. `progress` is called with the id of each
        question that is answered. With `shard`, such as "2/5", only the mazes of that part are
        asked about. A run that was stopped goes on when it is given again. Raises `TypeError` for
        an unknown setting, `KnobError`, `CatalogError`, `MissingExtra` or `WorldError` before `out`
        is touched if the run cannot start, and `RecordError` where `out` holds anything else.
        """
        given = QuizSettings.of(settings, changes)
        return finish(self.work(answerer, given), Path(out), given, progress)

    async def arun(self, answerer: object | None = None, **options: Any) -> Run:
        """Do what `run` does without blocking the event loop."""
        return await asyncio.to_thread(self.run, answerer, **options)

    def plan(self, given: QuizSettings) -> AskingPlan:
        """Return the questions of a run."""
        steps = self.steps if given.steps is None else given.steps
        mazes = chosen(self.path, given.games, self.layout)
        return planned(mazes, replace(given, steps=steps))

    def work(self, answerer: object | None, given: QuizSettings) -> MazeWork:
        """Return the work of a run."""
        once = cache(lambda: self.plan(given))
        alone = given.shots is None and MINIGAME not in kinds(given.tasks)
        who = chosen_answerer(answerer, Reach.of(given), once if alone else None)
        plan = once()
        items = [*quiz_items(plan)]
        if given.shots is not None:
            from worldquiz.mango.mapping import Course, MapSearcher, parts

            if given.constrained or given.walkthrough != "full":
                raise KnobError("shots: maps are drawn from full texts, by free replies")
            courses = {name: Course(maze, plan.steps(name)) for name, maze in plan.mazes.items()}
            items += parts(courses, given.shots)
            who = MapSearcher(who, courses)
        if MINIGAME in kinds(given.tasks):
            from worldquiz.mango import minigames

            items += minigames.items(plan.mazes, plan.asked)
        return MazeWork(plan.mazes, items, who, plan.record())

    def __len__(self) -> int:
        return len(self.games)

    def __repr__(self) -> str:
        return f"MazeSet({str(self.path)!r}, mazes={len(self)})"


def build(
    *,
    mazes: int = 6,
    seed: int = 0,
    out: Path | str,
    knobs: Knobs | None = None,
    **changes: Any,
) -> MazeSet:
    """Generate mazes, each with a walkthrough that shows all of it; equal seeds, equal bytes.

    Parameters are the fields of `Knobs` (`size`, `branching`, `loops`, `one_way`, `confusable`,
    `non_compass`), by name or as an object with `changes`. Raises `KnobError`, and `RecordError`
    where the folder holds anything else than these.
    """
    from worldquiz.mango.generate import generate

    if mazes < 1:
        raise KnobError(f"mazes: {mazes} mazes; give 1 or more")
    given, folder = Knobs.of(knobs, changes), Path(out)
    made = {
        name: generate(given, child_seed(seed, "maze", number), name=name)
        for number, name in enumerate(f"maze-{number:02}" for number in range(mazes))
    }
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in made:
            raise RecordError(f"{out}: holds {path.name!r} already: choose another folder")
        try:
            there = read(Home(path.name, path / Layout.STEPS70, Layout.STEPS70))
        except RecordError:  # it was only half written
            continue
        if fingerprint(there) != fingerprint(made[path.name]):
            raise RecordError(
                f"{out}: holds another maze {path.name!r} already (other seed or settings): choose "
                "another folder"
            )
    for maze in made.values():
        write_both(maze, folder)
    return MazeSet(folder)


load = MazeSet
"""Opens a folder: ``worldquiz.mango.load(path)``."""


def finish(work: MazeWork, out: Path, given: QuizSettings, progress: Done = silent) -> Run:
    """Carry a run to its scores, also where an event loop runs already, and open it."""
    blocking(lambda: live(work, out, progress, given))
    return Run(out)


# ---- Runs ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MazeWork:
    """Items of a run, and their answerer."""

    mazes: Mapping[str, Maze]
    items: Sequence[MazeItem]
    answerer: Answerer
    settings: Mapping[str, Any]  # of what is asked, as the manifest tells them
    noun = "questions"

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's kind, answerer, settings and mazes."""
        return {
            "kind": KIND,
            **self.answerer.record(),
            "versions": own_version(),
            **self.settings,
            "mazes": {name: fingerprint(maze) for name, maze in self.mazes.items()},
        }

    @cached_property
    def units(self) -> Sequence[ItemKey]:
        """The keys of all items, in order."""
        return [item.key for item in self.items]

    def require(self) -> None:
        """Raise what says that answers cannot be scored, or that the answerer cannot answer."""
        require_libraries()
        self.answerer.require()

    def preflight(self) -> None:
        """Check that a model can be asked."""
        who = getattr(self.answerer, "reader", self.answerer)
        if isinstance(who, ModelAnswerer):
            who.reach.preflight()

    def begin(self, out: Path) -> None:
        """Write the mazes, so that the run stands by itself."""
        keep_mazes(out, self.mazes)

    def kept(self, out: Path, done: Done) -> Rows:
        """Open the rows."""
        items, who = {item.key: item for item in self.items}, answerer_of(self.manifest)
        return Rows(out, done, lambda line: items[by_item(line)].row(line, who))

    def produce(self, left: Sequence[ItemKey], kept: Rows, out: Path) -> None:
        """Have the rest answered; questions of other shards are not asked."""
        wanted = set(left)
        items = [item for item in self.items if item.key in wanted or kept.has(item.key)]
        for item in {item.key[:2]: item for item in items}.values():
            item.fields({"reply": ""})  # guessing rates are computed before a reply is waited for
        self.answerer.answer(items, kept)


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


def score_run(run: Path, rule: Rule = Rule.EXACT) -> dict[str, Any]:
    """Return the scores of a finished run from its rows, with the usage.

    Beside them: how right a model's triplets are, if it drew the maps, and Table 14 of minigames.
    By another rule, replies are graded again. Raises `RecordError` if the run is not finished.
    """
    manifest, mazes = read_run_manifest(run), read_mazes(run)
    book = cache(lambda game: Book(mazes[game], rule))
    asked = questions_of(run)
    if rule is not Rule.EXACT:
        lines = map(reply_line, asked)
        asked = tuple(
            book(row.world).again(row, line, row.answerer) if line else row
            for row, line in zip(asked, lines, strict=True)
        )
    rows = tuple(read_rows(run))
    found = document(asked, book, mazes) if asked else {}
    if "shots" in manifest:
        from worldquiz.mango import mapping

        found["triplets"] = mapping.table(rows)
    if played := [row for row in rows if row.type == MINIGAME]:
        from worldquiz.mango import minigames

        found |= headline([*counted(asked), *counted(played)])
        found["minigames"] = minigames.table(played, mazes, _settings_of(manifest))
    usage = usage_total([row.usage for row in rows if row.usage])
    return {"compat": str(rule), "rf_easy": manifest["rf_easy"], **found, "usage": usage}


def grader(run: Path, data: Path | None) -> Callable[[Row, Line], Row]:
    """Return what grades a row's reply again. Raises `RecordError` where maps give the answers."""
    check_no_data(run, data)
    manifest, mazes = read_run_manifest(run), read_mazes(run)
    if "shots" in manifest:
        raise RecordError(f"{run}: its answers were found on maps: give the run's command again")
    book = cache(lambda game: Book(mazes[game]))
    played: dict[ItemKey, MazeItem] = {}
    if MINIGAME in manifest["tasks"]:
        from worldquiz.mango import minigames

        played = {item.key: item for item in minigames.items(mazes, _settings_of(manifest))}

    def again(row: Row, line: Line) -> Row:
        if row.type == MINIGAME:
            return played[by_item(line)].row(line, row.answerer)
        return book(row.world).again(row, line, row.answerer)

    return again


def _settings_of(manifest: Mapping[str, Any]) -> QuizSettings:
    return QuizSettings(**{n: manifest[n] for n in declared(QuizSettings) if n in manifest})


def check_run(run: Path) -> None:
    """Read all of a run. Raises `RecordError` where it may not be trusted."""
    questions_of(run)
    read_mazes(run)

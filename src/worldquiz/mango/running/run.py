"""Runs of MANGO's questions and minigames: made, scored from their records, and compared.

A run's folder (`folder`) holds all that was asked about and what came of it, so nothing but the
folder is needed to score, compare or show it; `worldquiz mango score` reads its answers as well.

An answerer answers the questions, or they are searched in maps that a model draws first
(``worldquiz mango map``). The latter run is one of questions like any other; beside its answers it
holds the replies that the maps were drawn from. The usage of drawing a maze's map is recorded with
its first answer.

A run of minigames is one about mazes, too; its replies are in ``minigames.jsonl``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, reduce
from itertools import chain, repeat
from operator import add
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.records import Purpose, Usage, used
from worldquiz.llm.tokens import ESTIMATE
from worldquiz.mango.asking.ask import Asked, Budget, Sampling, Template, Text
from worldquiz.mango.asking.plan import AskingPlan, planned, require_libraries
from worldquiz.mango.asking.prompts import Prompts
from worldquiz.mango.games import mapping, minigames
from worldquiz.mango.games.mapping import REPLIES as TRIPLETS
from worldquiz.mango.games.mapping import Course, prompts, read_run, readings
from worldquiz.mango.games.minigames import Games, Minigame, Setting, read_choice
from worldquiz.mango.mapper.drawnmap import DrawnMap, trajectory
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.mazes.selection import wanted_games
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import Answerer, ModelAnswerer, searched
from worldquiz.mango.running.folder import (
    KIND,
    MAZES,
    MINIGAMES,
    answerer_of,
    fingerprints,
    keep_mazes,
    read_mazes,
    read_run_manifest,
)
from worldquiz.mango.running.replies import NOTHING, Key, Replies, key, replied
from worldquiz.mango.scoring.answers import about, read_answers
from worldquiz.mango.scoring.contest import Contest, Contestant, Marked
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.score import Atlas, Book, by_rule, document, mark, mark_baselines
from worldquiz.runs.executor import Done
from worldquiz.runs.folder import told_apart
from worldquiz.runs.journal import (
    ANSWERS,
    Lines,
    finished,
    finished_file,
    has_lines,
    write_lines,
)
from worldquiz.runs.losses import FAILED, read_losses
from worldquiz.runs.progress import is_so_far
from worldquiz.version import own_version

MINIGAME_REPLIES = "minigames.jsonl"
_UNFINISHED: Mapping[str, Any] = {"status": "unfinished"}
_FREE = Usage(Purpose.QUIZ, cost=0.0)
"""What answering takes once a map is drawn."""


@dataclass(frozen=True)
class MazeWork:
    """Prompts, their answerer, and the function that scores a finished run."""

    kind: str
    mazes: Mapping[str, Maze]
    prompts: Prompts[Any]
    answerer: Answerer
    settings: Mapping[str, Any]  # of what is asked, as the manifest tells them
    scored: Callable[[Path, Replies], dict[str, Any]]
    whole: str = ANSWERS  # the file of all replies
    noun = "questions"

    @property
    def partial(self) -> bool:
        """Tell whether a part of the replies can be scored: a map needs all of its steps."""
        return self.whole != TRIPLETS

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
        keep_mazes(out, self.mazes, kind=self.kind)

    def kept(self, out: Path, done: Done) -> Replies:
        """Open the replies."""
        return Lines(out, key, done, whole=self.whole)

    def produce(self, left: Sequence[Key], kept: Replies, out: Path) -> None:
        """Have the rest answered; questions of other shards are not asked."""
        wanted = set(left)
        items = {
            name: item
            for name, item in self.prompts.items.items()
            if (about := key(self.prompts.about(item))) in wanted or kept.has(about)
        }
        self.answerer.answer(replace(self.prompts, items=items), kept)

    def score(self, out: Path, kept: Replies) -> dict[str, Any]:
        """Return the scores of the finished run."""
        return self.scored(out, kept)


def quiz(plan: AskingPlan, answerer: Answerer) -> MazeWork:
    """Return the work of having a plan's questions answered."""
    return MazeWork(
        KIND, plan.mazes, plan.prompts, answerer, plan.record(), lambda out, _: score_run(out)
    )


def maps(plan: AskingPlan, shots: int, answerer: Answerer) -> MazeWork:
    """Return the work of having each maze's map drawn, and answering by it.

    Raises `KnobError` for a number of examples that there is not.
    """
    about = {name: Course(maze, plan.steps(name)) for name, maze in plan.mazes.items()}
    every = readings(about, shots)

    def scored(out: Path, replies: Replies) -> dict[str, Any]:
        _answer(plan, about, replies, out)
        return score_run(out)

    settings = {"shots": shots, **plan.record()}
    return MazeWork(
        KIND, plan.mazes, prompts(about, every, shots), answerer, settings, scored, TRIPLETS
    )


def _answer(plan: AskingPlan, about: Mapping[str, Course], replies: Replies, out: Path) -> None:
    """Write the answers that the maps give; where a maze has no map, they failed as its call did.

    They are computed anew each time: failed calls may have been tried again since.
    """
    maps_ = {name: each[0] for name, each in read_run(about, replies.lines).items()}
    every = {key(line): line for line in _lines(plan, maps_, replies)}
    asked = (key(plan.prompts.about(question)) for question in plan.questions)
    write_lines(out / ANSWERS, [every[each] for each in asked])


def _lines(
    plan: AskingPlan, maps_: Mapping[str, DrawnMap], replies: Replies
) -> Iterable[dict[str, Any]]:
    failures: dict[str, str] = {}
    spent: dict[str, list[Usage]] = {}
    for line in replies.lines.values():
        if line.get("status") == FAILED:
            failures.setdefault(line["game"], line["failure"])
        else:
            spent.setdefault(line["game"], []).append(Usage(Purpose.QUIZ, **line["usage"]))
    for name in plan.mazes:
        mine = [question for question in plan.questions if question.game == name]
        first = reduce(add, spent.get(name, [NOTHING]))
        for question, usage in zip(mine, (first, *repeat(_FREE, len(mine))), strict=False):
            about = plan.prompts.about(question)
            if name in failures:
                lost = {"status": FAILED, "failure": failures[name]}
                yield {**replied(about, "", usage), **lost}
                continue
            reply = json.dumps(trajectory(searched(maps_[name], question)), ensure_ascii=False)
            yield replied(about, reply, usage)


def score_run(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Beside them: how right a model's triplets are, if it drew the maps. Raises `RecordError` if the
    run is not finished.
    """
    manifest = read_run_manifest(run)
    every, atlas = marked_answers(run, manifest)
    marked = _not_failed(run, every)
    found = {"compat": "exact", "rf_easy": manifest["rf_easy"], **document(marked, atlas)}
    if "shots" in manifest:
        replies = finished(run, key, TRIPLETS)
        read = {name: each[1] for name, each in read_run(courses_of(run), replies).items()}
        return {**found, "triplets": mapping.table(read), "usage": used(replies.values())}
    found["usage"] = used(finished(run, key).values())
    return found


def marked_answers(run: Path, manifest: Mapping[str, Any]) -> tuple[tuple[Marked, ...], Atlas]:
    """Return a finished run's answers with their grades, and the mazes that they are about.

    Raises `RecordError` if the run is not finished.
    """
    path = finished_file(run)
    answers = read_answers(path)
    left = len(read_losses(run).unfinished)
    asked = manifest.get("questions", len(answers) + left) - left
    if len(answers) != asked and not is_so_far():
        raise RecordError(
            f"{path}: {len(answers)} answers of {asked}: the file is damaged: restore it, or "
            "delete it and give the run's command again"
        )
    atlas = Atlas(run / MAZES, Layout.STEPS70, easy=Route(manifest["rf_easy"]))
    return mark(answers, atlas), atlas


def _not_failed(run: Path, marked: Iterable[Marked]) -> tuple[Marked, ...]:
    """Leave out answers that failed: they are in no score."""
    lines = finished(run, key)
    return tuple(
        each for each in marked
        if lines[key(about(each.question))].get("status") != FAILED
    )  # fmt: skip


def courses_of(run: Path) -> dict[str, Course]:
    """Return the walkthroughs of a run's mazes as far as they were read, by name."""
    read = read_run_manifest(run)["read"]
    return {name: Course(maze, read[name]) for name, maze in read_mazes(run).items()}


def plan_of(run: Path) -> AskingPlan:
    """Return the questions of a run. Raises `RecordError` where they cannot be told."""
    told = read_run_manifest(run)
    if told["per_maze"] is None:
        raise RecordError(f"{run}: was imported: give a run of `worldquiz mango run`")
    budget = told.get("budget")
    asked = Asked(
        told["steps"],
        tuple(Task(each) for each in told["tasks"]),
        told["per_maze"],
        told["seed"],
        Route(told["rf_easy"]),
        Template(told["template"]),
        Text(told["walkthrough"]),
        Budget(**budget) if budget else None,
        Sampling(told.get("sampling", Sampling.LEVELS)),
        told.get("constrained", False),
    )
    return planned(read_mazes(run), asked)


def read_contest(runs: Sequence[Path], only: Sequence[str] = ()) -> Contest:
    """Return finished runs as a contest, in order; about some games only, all if none is named.

    Raises `RecordError` for a folder that is no finished run, and where two runs have different
    mazes of one name, `KnobError` for a game that no run is about.
    """
    manifests = {run: read_run_manifest(run) for run in runs}
    called, every = names(manifests), _mazes(manifests)
    wanted = wanted_games(", ".join(map(str, runs)), every, only)
    mazes = {name: maze for name, maze in every.items() if name in wanted}
    contestants = tuple(
        _contestant(run, called[run], manifest, wanted) for run, manifest in manifests.items()
    )
    return Contest(mazes, contestants, _baselines(mazes, contestants))


def _baselines(
    mazes: Mapping[str, Maze], contestants: Sequence[Contestant]
) -> tuple[Contestant, ...]:
    """Return the baselines as contestants, on every question that somebody was asked."""
    easy = Route(contestants[0].settings["rf_easy"])
    book = cache(lambda game: Book(mazes[game], easy))
    marked = mark_baselines(chain.from_iterable(each.marked for each in contestants), book)
    return tuple(
        Contestant(str(name), {}, mine, {}, by_rule(mine, book)) for name, mine in marked.items()
    )


def _mazes(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[str, Maze]:
    found: dict[str, Maze] = {}
    first: dict[str, Path] = {}
    for run, manifest in manifests.items():
        for name, maze in read_mazes(run).items():
            home = first.setdefault(name, run)
            if manifests[home]["mazes"][name] != manifest["mazes"][name]:
                raise RecordError(f"maze {name!r} of {run} is not that of {home}: compare others")
            found.setdefault(name, maze)
    return dict(sorted(found.items()))


def _contestant(
    run: Path, name: str, manifest: Mapping[str, Any], wanted: Collection[str]
) -> Contestant:
    every, atlas = marked_answers(run, manifest)
    mine = (each for each in every if each.question.game in wanted)
    marked = _not_failed(run, mine)
    usage = used(finished(run, key).values())
    return Contestant(name, manifest, marked, usage, by_rule(marked, atlas.book))


def names(manifests: Mapping[Path, Mapping[str, Any]]) -> dict[Path, str]:
    """Call each run by who answered, and by its folder as well where several have the same one."""
    return told_apart({run: answerer_of(manifest) for run, manifest in manifests.items()})


def minigame_work(mazes: Mapping[str, Maze], games: Games, answerer: Answerer) -> MazeWork:
    """Return the work of having minigames played. Raises `KnobError` where there is none."""
    every = minigames.plan(mazes, games)
    return MazeWork(
        MINIGAMES, mazes, minigames.prompts(mazes, every), answerer, games.record(),
        lambda _, kept: _minigame_scores(mazes, games, every, kept.lines), MINIGAME_REPLIES,
    )  # fmt: skip


def score_minigames(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    replies = finished_minigames(run)
    mazes, games = read_mazes(run, kind=MINIGAMES), games_of(run)
    return _minigame_scores(mazes, games, minigames.plan(mazes, games), replies)


def minigames_begun(run: Path) -> bool:
    """Tell whether a run of minigames that goes on has kept replies."""
    return has_lines(run, MINIGAME_REPLIES)


def finished_minigames(run: Path) -> dict[Key, dict[str, Any]]:
    """Return the replies of a finished run of minigames. Raises `RecordError` if it is none."""
    read_run_manifest(run, MINIGAMES)
    return finished(run, key, MINIGAME_REPLIES)


def games_of(run: Path) -> Games:
    """Return which minigames a run played."""
    told = read_run_manifest(run, MINIGAMES)
    return Games(
        told["steps"], tuple(map(Setting, told["settings"])), told["per_maze"],
        told["seed"], told["tokens"], told["tokenizer"] or ESTIMATE,
    )  # fmt: skip


def _minigame_scores(
    mazes: Mapping[str, Maze],
    games: Games,
    every: Sequence[Minigame],
    replies: Mapping[Key, Mapping[str, Any]],
) -> dict[str, Any]:
    lines = [(each, replies.get(key(each.about()), _UNFINISHED)) for each in every]
    found = [
        (each, read_choice(line["reply"], each.actions))
        for each, line in lines
        if line.get("status") not in (FAILED, _UNFINISHED["status"])
    ]
    there = {name: len(minigames.answerable(maze, games)) for name, maze in mazes.items()}
    return {**minigames.table(found, there), "usage": used(replies.values())}


def compare_minigames(runs: Sequence[Path]) -> dict[str, dict[str, Any]]:
    """Return several players' scores by their names: the columns of Table 14.

    Raises `RecordError` for a folder that is no finished run of minigames.
    """
    called = names({run: read_run_manifest(run, MINIGAMES) for run in runs})
    return {called[run]: score_minigames(run) for run in runs}

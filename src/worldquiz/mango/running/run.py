"""MANGO's questions answered, as ``worldquiz mango run`` has it done.

A run's folder (`folder`) holds all that was asked about and what came of it, so it is scored from
its own records; `worldquiz mango score` reads its answers as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.llm.records import used
from worldquiz.mango.asking.ask import Asked, Budget, Template, Text
from worldquiz.mango.asking.plan import Plan, planned, reading
from worldquiz.mango.games.mapping import REPLIES as TRIPLETS
from worldquiz.mango.games.mapping import Course, read_run
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.running.answerers import MAPPER, Answerer, drawn
from worldquiz.mango.running.folder import KIND, MAZES, read_mazes, read_run_manifest
from worldquiz.mango.running.replies import key
from worldquiz.mango.running.work import MazeWork
from worldquiz.mango.scoring import triplets
from worldquiz.mango.scoring.answers import read_answers
from worldquiz.mango.scoring.contest import Marked
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.mistakes import added, mistakes
from worldquiz.mango.scoring.score import Atlas, document, mark
from worldquiz.runs.journal import finished, finished_file


def quiz(plan: Plan, answerer: Answerer) -> MazeWork:
    """Return the work of having a plan's questions answered."""

    def task() -> Any:
        from worldquiz.mango.running.task import asking

        return asking(plan)

    return MazeWork(
        KIND, plan.mazes, plan.prompts, answerer, plan.record(), task,
        lambda out, _: score_run(out),
    )  # fmt: skip


def score_run(run: Path) -> dict[str, Any]:
    """Return the scores of a finished run from its records, with the usage.

    Beside them: why the map builder's answers are wrong, or how right a model's triplets are.
    Raises `RecordError` if the run is not finished.
    """
    manifest = read_run_manifest(run)
    marked, atlas = marked_answers(run, manifest)
    found = {"compat": "paper", "rf_easy": manifest["rf_easy"], **document(marked, atlas)}
    if "shots" in manifest:
        replies = finished(run, key, TRIPLETS)
        read = {name: each[1] for name, each in read_run(courses_of(run), replies).items()}
        return {**found, "triplets": triplets.table(read), "usage": used(replies.values())}
    found["usage"] = used(finished(run, key).values())
    if manifest.get("answerer") == MAPPER:
        found["mistakes"] = _mistakes(run, manifest, [each.question for each in marked])
    return found


def marked_answers(run: Path, manifest: Mapping[str, Any]) -> tuple[tuple[Marked, ...], Atlas]:
    """Return a finished run's answers with their grades, and the mazes that they are about.

    Raises `RecordError` if the run is not finished.
    """
    answers = finished_file(run)
    atlas = Atlas(run / MAZES, Layout.STEPS70, easy=Route(manifest["rf_easy"]))
    return mark(read_answers(answers), atlas), atlas


def courses_of(run: Path) -> dict[str, Course]:
    """Return the walkthroughs of a run's mazes as far as they were read, by name."""
    read = read_run_manifest(run)["read"]
    return {name: Course(maze, read[name]) for name, maze in read_mazes(run).items()}


def _mistakes(
    run: Path, manifest: Mapping[str, Any], questions: Sequence[Question]
) -> dict[str, Any]:
    """Return each maze's wrong answers of the map builder by cause, and those of all."""
    template, text = Template(manifest["template"]), Text(manifest["walkthrough"])
    found = {}
    for name, maze in read_mazes(run).items():
        steps = manifest["read"][name]
        mine = [question for question in questions if question.game == name]
        map_ = drawn(reading(maze, steps, template, text))
        found[name] = mistakes(maze, steps, map_, mine)
    return {"all": added(found.values()), "games": found}


def plan_of(run: Path) -> Plan:
    """Return what a run asked. Raises `RecordError` where that cannot be told."""
    told = read_run_manifest(run)
    if told["per_maze"] is None:
        raise RecordError(
            f"{run}: was made of a sheet that people filled in: give a run of `worldquiz mango run`"
        )
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
    )
    return planned(read_mazes(run), asked)

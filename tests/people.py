"""Quizzes for people to answer in tests: small runs of each benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import recalls
import synthetic
import tea_contest
from played import RunRecord
from worldquiz.human.quiz import Asked as Question
from worldquiz.human.quiz import Sitting, quiz_of
from worldquiz.mango.answerers import MAPPER, PlanAnswerer
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.questions import planned
from worldquiz.mango.run import quiz
from worldquiz.mango.settings import QuizSettings
from worldquiz.records import write_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.life import live
from worldquiz.runs.rows import write_rows
from worldquiz.runs.run import Run
from worldquiz.tea.exam.exam import row_of
from worldquiz.tea.exam.sample import chance

Answers = Callable[[Question], str | None] | Sequence[str | None]


def worlds(folder: Path, run: RunRecord | None = None) -> Path:
    """Write a run on two tiny text worlds with six questions each; return its folder."""
    return (run or synthetic.run("scout", "reader")).written(folder)


def mazes(folder: Path, *, per_maze: int = 2) -> Path:
    """Write a run of the map builder on one small maze; return its folder."""
    maze = generate(Knobs(7, loops=0.3), 4, name="cave")
    plan = planned({"cave": maze}, QuizSettings(steps=70, per_maze=per_maze))
    live(quiz(plan, PlanAnswerer(MAPPER, plan)), folder)
    return folder


def way(reply: Sequence[Mapping[str, str]], task: str, *, places: bool = True) -> str:
    """Return a model's answer to a question of MANGO as a person writes it."""
    if task == "df":
        return "; ".join([leg["node"] for leg in reply][0 if places else -1 :])
    return "; ".join(
        f"{leg['action']} > {leg['node']}" if places else leg["action"] for leg in reply
    )


def tasks(folder: Path) -> Path:
    """Write a run of TEA-Test's baseline ``noisy``, two tasks of each form; return its folder."""
    asked, walks = tea_contest.asked(2), tea_contest.walks(2)
    says = tea_contest.scripted("noisy", asked)
    lines: list[dict[str, Any]] = [{"reply": says(each)} for each in asked]
    lines += [asdict(tea_contest.trip(each.id, arrives=True)) for each in walks]
    settings = {"tasks": 12, "trips": 2, "seed": 0, "there": {}, "answerer": "noisy", "error": 0.2}
    told = {"kind": "tea-run", "data": "d16e57", "chance": chance(asked), **settings}
    write_json(folder / MANIFEST, told)
    both = zip((*asked, *walks), lines, strict=True)
    write_rows(folder, (row_of(task, line, "noisy", chance(asked)) for task, line in both))
    Run(folder).score()
    return folder


def views(folder: Path) -> Path:
    """Write a run of the baseline ``reader`` on views of a small flat; return its folder."""
    data = recalls.walked(folder.with_name(f"{folder.name}-data"))
    return recalls.asked(data, "reader", name=folder.name, each=8).path


def sat(run: Path, out: Path, said: Answers, name: str = "human") -> dict[str, Any]:
    """Answer a run's quiz, each question by a function or in turn; return what is printed."""
    out.mkdir()
    sitting = Sitting(quiz_of(run, name), out)
    for place, asked in enumerate(sitting.asked):
        answer = said(asked) if callable(said) else said[place % len(said)]
        sitting.answer(place, answer, 2.5)
    return sitting.finish()

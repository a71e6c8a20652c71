"""Quizzes for people to answer in tests: small runs of each benchmark."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import recalls
import synthetic
import worldquiz as wq
from played import RunRecord
from worldquiz.human.quiz import Asked as Question
from worldquiz.human.quiz import Quiz, Sitting, quiz_of

Answers = Callable[[Question], str | None] | Sequence[str | None]


def worlds(folder: Path, run: RunRecord | None = None) -> Path:
    """Write a run on two tiny text worlds with six questions each; return its folder."""
    return (run or synthetic.run("scout", "reader")).written(folder)


def mazes(folder: Path, *, per_maze: int = 2) -> Path:
    """Write a run of the map builder on one small maze; return its folder."""
    data = folder.with_name(f"mazes-of-{folder.name}")
    mazes = wq.mango.build(mazes=1, seed=4, size=7, loops=0.3, out=data)
    mazes.run("mapper", out=folder, choice="published", per_maze=per_maze)
    return folder


def way(reply: Sequence[Mapping[str, str]], task: str, *, places: bool = True) -> str:
    """Return a model's answer to a question of MANGO as a person writes it."""
    if task == "df":
        return "; ".join([leg["node"] for leg in reply][0 if places else -1 :])
    return "; ".join(
        f"{leg['action']} > {leg['node']}" if places else leg["action"] for leg in reply
    )


def tasks(folder: Path) -> Path:
    """Write a run of TEA-Test's baseline ``noisy``, some tasks and two walks; return its folder."""
    data = recalls.walked(folder.with_name(f"{folder.name}-data"), tasks=recalls.several(2))
    given: dict[str, Any] = {"tasks": 14, "walks": 0}
    run = wq.tea.load(data).run("noisy", out=folder, **given)
    stands = [
        {"away": 3.5, "seen": False, "mirrors": {"mirror-1": 3.8}, "shown": ["mirror-1"],
         "at": [1.2, 2.0, 0.0]},
        {"away": 2.0, "seen": True, "mirrors": {"mirror-1": 2.0}, "shown": [],
         "at": [2.4, 1.2, -0.5]},
        {"away": 0.0, "seen": True, "mirrors": {"mirror-1": 1.5}, "shown": [],
         "at": [3.7, 0.7, -0.5]},
    ]  # fmt: skip
    lines = (folder / "rows.jsonl").read_text().splitlines()
    walks = [json.dumps(recalls.walk_row(n, stands, answerer="noisy")) for n in range(2)]
    (folder / "rows.jsonl").write_text("".join(f"{line}\n" for line in (*lines, *walks)))
    (folder / "scores.json").unlink()
    run.score()
    return folder


def views(folder: Path) -> Path:
    """Write a run of the baseline ``oracle`` on views of a small flat; return its folder."""
    data = recalls.walked(folder.with_name(f"{folder.name}-data"))
    return recalls.asked(data, name=folder.name, each=8).path


def sat(run: Path | Quiz, out: Path, said: Answers, name: str = "human") -> dict[str, Any]:
    """Answer a run's quiz, each question by a function or in turn; return what is printed."""
    out.mkdir()
    sitting = Sitting(quiz_of(run, name) if isinstance(run, Path) else run, out)
    for place, asked in enumerate(sitting.asked):
        answer = said(asked) if callable(said) else said[place % len(said)]
        sitting.answer(place, answer, 2.5)
    return sitting.finish()

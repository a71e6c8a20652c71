"""Quizzes for people to answer in tests: small runs of each benchmark, and a sheet made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import recalls
import synthetic
import tea_contest
from played import RunRecord
from worldquiz.human.sheet import Item, Key, Line, QuizPart, Sheet, Shown, text_of
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.running.answerers import MAPPER, PlanAnswerer
from worldquiz.mango.running.run import quiz
from worldquiz.records import write_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.runs.life import live
from worldquiz.runs.rows import write_rows
from worldquiz.runs.run import Run
from worldquiz.tea.exam import walk
from worldquiz.tea.exam.sample import chance
from worldquiz.tea.recall.baselines import baseline
from worldquiz.tea.recall.run import about
from worldquiz.tea.rows import row_of


def worlds(folder: Path, run: RunRecord | None = None) -> Path:
    """Write a run on two tiny text worlds with six questions each; return its folder."""
    return (run or synthetic.run("scout", "reader")).written(folder)


def mazes(folder: Path, *, per_maze: int = 2) -> Path:
    """Write a run of the map builder on one small maze; return its folder."""
    maze = generate(Knobs(7, loops=0.3), 4, name="cave")
    plan = planned({"cave": maze}, Asked(per_maze=per_maze))
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
    lines: list[Line] = [{"reply": says(each)} for each in asked]
    lines += [walk.line(tea_contest.trip(each.id, arrives=True)) for each in walks]
    settings = {"tasks": 12, "trips": 2, "seed": 0, "there": {}, "answerer": "noisy", "error": 0.2}
    told = {"kind": "tea-run", "data": "d16e57", "chance": chance(asked), **settings}
    write_json(folder / MANIFEST, told)
    both = zip((*asked, *walks), lines, strict=True)
    write_rows(folder, (row_of(task, line, "noisy", chance(asked)) for task, line in both))
    Run(folder).score()
    return folder


def views(folder: Path) -> Path:
    """Write a run of the baseline ``reader`` on views of a small flat; return its folder."""
    quiz = recalls.recall(recalls.flat())
    told = {"kind": "tea-recall", "data": "d16e57", "asked": asdict(quiz.asked)}
    write_json(folder / MANIFEST, {**told, **about(quiz), "answerer": "reader"})
    write_rows(folder, recalls.answered(quiz, baseline("reader", quiz)))
    Run(folder).score()
    return folder


class Riddles(Sheet):
    """Three riddles in two parts, the first of which has something to be read."""

    title, passing, about = "Riddles", "I do not know", ("Guess.",)
    parts = (QuizPart("easy", True), QuizPart("hard"))
    items = (Item(("one",), 0), Item(("two",), 0), Item(("three",), 1))
    order = (("three",), ("one",), ("two",))

    def key(self, line: Mapping[str, Any]) -> Key:
        return (line["id"],)

    def begin(self, out: Path) -> None:
        out.mkdir(parents=True, exist_ok=True)

    def reading(self, part: int) -> str:
        return "A text."

    def shown(self, item: Item) -> Shown:
        return {"words": f"What is {item.key[0]}?", "form": "text", "hint": "a word"}

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        reply = "" if said is None else text_of(said)
        return {"id": item.key[0], "reply": reply, "said": said, "seconds": seconds}

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        return {"answered": sum(bool(line["reply"]) for line in lines.values())}

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        return [("answered", str(scores["answered"]))]

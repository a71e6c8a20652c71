"""Quizzes for people to answer in tests: small runs of each benchmark, and a sheet made by hand."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import synthetic
from worldquiz.human.sheet import Item, Key, Line, QuizPart, Sheet, Shown, text_of
from worldquiz.mango.asking.ask import Asked
from worldquiz.mango.asking.plan import planned
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.running.answerers import MapBuilder
from worldquiz.mango.running.run import quiz
from worldquiz.records import write_folder, write_json
from worldquiz.runs.folder import MANIFEST, world_folder
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.t2q.store import RunRecord, write_played


def worlds(folder: Path, run: RunRecord | None = None) -> Path:
    """Write a run on two tiny text worlds with six questions each; return its folder."""
    made = run or synthetic.run("scout", "reader")
    write_json(folder / MANIFEST, made.manifest)
    for played in made.worlds:
        target = world_folder(folder, played.bundle.spec.id)
        write_folder(target, partial(write_played, played=played))
    Run(folder).score()
    return folder


def mazes(folder: Path, *, per_maze: int = 2) -> Path:
    """Write a run of the map builder on one small maze; return its folder."""
    maze = generate(Knobs(7, loops=0.3), 4, name="cave")
    plan = planned({"cave": maze}, Asked(per_maze=per_maze))
    live(quiz(plan, MapBuilder(plan)), folder)
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

    def reading(self, part: int) -> Shown:
        return {"chapters": []}

    def shown(self, item: Item) -> Shown:
        return {"words": f"What is {item.key[0]}?", "form": "text", "hint": "a word"}

    def line(self, item: Item, said: Any, seconds: float) -> Line:
        reply = "" if said is None else text_of(said)
        return {"id": item.key[0], "reply": reply, "said": said, "seconds": seconds}

    def finish(self, out: Path, lines: Mapping[Key, Line]) -> dict[str, Any]:
        return {"answered": sum(bool(line["reply"]) for line in lines.values())}

    def headline(self, scores: Mapping[str, Any]) -> list[tuple[str, str]]:
        return [("answered", str(scores["answered"]))]

"""Prompts and prefixes against the released programs' and the paper's."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from mango_data import mango_data, published_table
from worldquiz.errors import KnobError
from worldquiz.llm.prompts import counter
from worldquiz.mango.grade import Question, Task
from worldquiz.mango.maze import simplified
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import Reading, Template, planned
from worldquiz.mango.settings import QuizSettings

OFFICIAL = {
    "905": "16f44a6686924c76", "balances": "8d7b4d6006586748", "detective": "392396fe81e7162c",
    "huntdark": "663b096f14141cfc", "library": "2c8c795fb6172696", "loose": "af46596be67a92bc",
    "lostpig": "65da7b0e0d65372c", "moonlit": "f1f909f078721f34", "night": "c0c7db3fa72d190e",
    "omniquest": "977a33b98844910a", "partyfoul": "9ca566bf549157b9", "pentari": "137a48294c7fd9f1",
    "reverb": "a2f275d194a15f22", "snacktime": "86af9bf2d1fd8b6e", "zenon": "220118f5499c2642",
    "zork1": "a38d6e0f72b19d84",
}  # fmt: skip
"""How the SHA-256 begins of what the released program (branch camera-ready, GPT) sends for the
first destination-finding and the first route-finding question of a game, 70 steps read."""
ENCODING = "tiktoken:cl100k_base"
ALLOWED = 3600
"""Tokens of a walkthrough that the released programs send by default, by that encoding."""


def first(path: Path, task: Task) -> Question:
    told: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[0])
    moves = tuple(each["action"] for each in told.get("path_details", ()))
    return Question(
        path.parent.parent.name, told["id"], task, told["src_node"], moves, told["dst_node"],
        None, None, None,
    )  # fmt: skip


@pytest.mark.parametrize("game", OFFICIAL)
def test_by_the_releases_template_every_letter_is_the_releases(game: str) -> None:
    """Only the order of the actions differs, which is the file's there."""
    folder = mango_data() / game / "steps70"
    maze = chosen(mango_data(), game)[game]
    reading, total = Reading(maze, 70, Template.RELEASE), hashlib.sha256()
    theirs = json.loads((folder / f"{game}.actions.json").read_text("utf-8"))
    for name, task in (("all2all", Task.DF), ("all_pairs", Task.RF)):
        prompt = reading.prompt(first(folder / f"{game}.{name}.jsonl", task))
        assert f"actions are: {sorted(maze.actions)}." in prompt
        total.update(prompt.replace(str(sorted(maze.actions)), str(theirs)).encode())
    assert total.hexdigest()[:16] == OFFICIAL[game]


def test_the_releases_limit_in_tokens_reads_the_steps_of_table_5() -> None:
    """Two games are read whole, whose last step the table leaves out; reverb has one more."""
    try:
        counter(ENCODING)
    except KnobError as error:
        pytest.skip(str(error))
    mazes = chosen(mango_data(), "")
    asked = QuizSettings(steps=70, tasks="rf", per_maze=1, tokens=ALLOWED, tokenizer=ENCODING)
    plan, table = planned(mazes, asked), published_table(5)
    more = {game: plan.steps(game) - table[game]["steps"] for game in mazes}
    assert {game: extra for game, extra in more.items() if extra} == {
        "905": 1, "snacktime": 1, "reverb": 1,
    }  # fmt: skip


def test_the_estimate_never_counts_fewer_tokens_than_gpts() -> None:
    try:
        count = counter(ENCODING)
    except KnobError as error:
        pytest.skip(str(error))
    for maze in chosen(mango_data(), "").values():
        text = Reading(maze, 70).bare(Task.DF)
        assert counter("chars/3")(text) >= count(text)


def test_a_simplified_walkthrough_is_where_the_annotators_were() -> None:
    """Places after each of the 896 steps up to 70 that the published full maps tell of."""
    told = 0
    for game, maze in chosen(mango_data(), "").items():
        walk = simplified(maze).walkthrough
        for step, place in annotated(mango_data() / game / "full" / f"{game}.valid_moves.csv"):
            if step <= min(70, maze.steps):
                assert walk[step].observation == place.lower(), (game, step)
                told += 1
    assert told == 896


def annotated(path: Path) -> list[tuple[int, str]]:
    """Return the place after each step, from the first one that is told of on."""
    lines = path.read_text("utf-8").splitlines()
    places: dict[int, str] = {}
    here = ""
    for row in csv.DictReader(lines):
        step = int(row["Step Num"])
        before, after = (row[f"Location {end}"].strip() for end in ("Before", "After"))
        if before:
            places.setdefault(step - 1, before)
        here = after or here
        if here:
            places[step] = here
    return sorted(places.items())

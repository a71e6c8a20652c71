"""Prompts and prefixes against the released programs' and the paper's."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from mango_data import mango_data, published_table
from worldquiz.errors import KnobError
from worldquiz.llm.prompts import counter
from worldquiz.mango.grade import Task
from worldquiz.mango.maze import simplified
from worldquiz.mango.published import chosen
from worldquiz.mango.questions import Reading, planned
from worldquiz.mango.settings import QuizSettings

ENCODING = "tiktoken:cl100k_base"
ALLOWED = 3600
"""Tokens of a walkthrough that the released programs send by default, by that encoding."""


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

"""What the reader makes of a memory's text: whole turns, missing turns, and neither.

That a map of some turns of a real game is never wrong about its start is a law
(`tests/property/test_reading_laws.py`); here are the readable cases.
"""

from __future__ import annotations

import json
from asyncio import run
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

import worldquiz as wq
from worldquiz.memory.base import entry
from worldquiz.runs.settings import declared
from worldquiz.t2q.question import Prompt
from worldquiz.t2q.quiz.ask import settled
from worldquiz.t2q.quiz.location import HOLDER, PLACE
from worldquiz.t2q.reader.context import WorldGraphMemory, _split, read_context
from worldquiz.t2q.reader.text import RoomView, read_replies, read_view
from worldquiz.t2q.settings import T2QSettings
from worldquiz.t2q.world.words import DISTRACTORS

ATTIC = """\
-= Attic =-
You are in the attic. You see a closed red box here.

There is a closed old gate leading north. You can go east from here.

On the floor you see a blue hat."""
STUDY = """\
-= Study =-
This is the study.

You can go west from here."""
HALL = "-= Hall =-\nYou are in the hall."
EMPTY_HANDED = "You are carrying nothing."


def turn(task: int, step: int, action: str, text: str, carried: str = EMPTY_HANDED) -> str:
    told = f" > {action}" if step else ""
    return f"[task {task}, step {step}]{told}\n{text}\nInventory: {carried}\n"


def carrying(names: str) -> str:
    return f"You are carrying: {names}."


START = turn(1, 0, "", f"Recover the tin key from the oak shelf.\n\n{ATTIC}")
EAST = turn(1, 1, "go east", STUDY)
OPEN = turn(1, 1, "open red box", "You open the red box, revealing a green apple.")


def where(context: str, thing: str) -> str | None:
    read, asked = read_context(context), PLACE.text.format(thing=thing)
    return settled(read.graph, Prompt(asked, "where"))


def test_turns_tell_what_they_told_the_player() -> None:
    assert where(START, "blue hat") == "attic"
    assert where(START, "tin key") == "oak shelf"
    assert where(START + OPEN, "green apple") == "red box"
    both = read_context(START + EAST).graph
    assert both.leads("attic", "east", "study") is True
    assert read_context(EAST + START + EAST).graph == both


def test_choices_of_ones_own_beside_known_words_change_no_answer() -> None:
    asked = Prompt(HOLDER.text.format(holder="red box"), "which", ("study", "attic"))
    assert settled(read_context(START).graph, asked) == "attic"


def test_the_memory_worldgraph_hands_over_a_map() -> None:
    memory = WorldGraphMemory()
    assert run(memory.recall("")) == ""
    turns = _split(START + OPEN + EAST.replace("step 1", "step 2"))[0]
    run(memory.add(entry(turns.items())))
    assert run(memory.recall("")).splitlines()[1:] == [
        "Exits of the attic: north through the old gate, not known where to; east to the study.",
        "Exits of the study: west to the attic.",
        "The study lies 1 east of the attic.",
        "In the attic: blue hat, red box, nothing else.",
        "In the red box: green apple, nothing else.",
        "In the study: nothing.",
        "In the oak shelf: tin key.",
        "The old gate was closed.",
        "The red box was closed and not locked.",
    ]


def test_prose_among_turns_is_no_exact_text() -> None:
    assert read_context(f"- {START}[3 earlier turns left out]\n").exact
    assert not read_context(f"The player likes hats.\n{START}").exact
    assert not read_context(START + START.replace("blue hat", "red hat")).exact
    cut = START.partition("Inventory:")[0]  # a turn cut short is none
    assert (where(cut, "blue hat"), read_context(cut).exact) == (None, False)


def test_what_missing_commands_could_have_changed_is_left_open() -> None:
    later = turn(1, 5, "look", ATTIC)
    assert where(later, "blue hat") is None
    locked = read_context(later + turn(1, 6, "open red box", "The red box is locked.")).graph
    assert (locked.opened("red box"), locked.locked("red box")) == (None, None)
    went = turn(1, 6, "go east", STUDY)
    assert read_context(later + went).graph.leads("attic", "east", "study") is True
    assert read_context(START + went).graph.leads("attic", "east", "study") is None
    again = turn(2, 0, "", f"Go to the study.\n\n{ATTIC}")
    assert where(later + again, "blue hat") == "attic"  # the next task starts afresh
    assert where(OPEN, "green apple") == "red box"  # a first look alone changes nothing
    assert where(OPEN.replace("step 1", "step 2"), "green apple") is None


@pytest.mark.parametrize("key", ["tin key", "the tin key", "tin"])
def test_a_key_that_was_tried_was_tried(key: str) -> None:
    carried = "You are carrying: a tin key and a hat."
    said = "That doesn't seem to fit the lock."
    tried = turn(1, 5, f"unlock red box with {key}", said, carried)
    assert read_context(tried).graph.matches("tin key", "red box") is False


@pytest.mark.parametrize(
    "text",
    [
        "[task 1, step 0]",
        "[task 0, step 1] > go east\nInventory: x",
        "Inventory: You are carrying: .",
        "[task 1, step 0]\n-=  =-\nInventory: You are carrying: a, and , and.\n",
        "[task 2, step 1] > \nYou take  from .\nInventory:",
        "[task 1, step 1] > unlock  with \nThat doesn't seem to fit the lock.\nInventory: ",
    ],
)
def test_nonsense_raises_nothing(text: str) -> None:
    read_context(text)


def test_a_distractor_states_nothing_about_a_room() -> None:
    assert declared(T2QSettings)["distractors"][1].most == len(DISTRACTORS)
    for sentence in DISTRACTORS:
        view = cast("RoomView", read_view(f"{HALL} {sentence}"))
        assert view.unread == [sentence]
        assert replace(view, unread=[]) == read_view(HALL)
        assert not list(read_replies(sentence))


@pytest.mark.parametrize("preset", ["easy", "infer", "change"])
def test_distractors_change_the_texts_of_rooms_only(preset: str, tmp_path: Path) -> None:
    suite = wq.t2q.build(preset, worlds=2, seed=7, out=tmp_path / "data")
    plain, longer = (
        suite.run(agent="random", answerer="worldgraph", distractors=n, out=tmp_path / str(n))
        for n in (0, 4)
    )
    for one, two in zip(plain.rows, longer.rows, strict=True):
        assert (one.item, one.gold, one.reply, one.shown) == (
            two.item, two.gold, two.reply, two.shown
        )  # fmt: skip
    added: dict[str, set[str]] = {}
    for before, after in zip(texts(plain), texts(longer), strict=True):
        found = {each for each in DISTRACTORS if each in after}
        assert len(found) == (4 if "-= " in before else 0)
        for each in found:
            after = after.replace(f" {each}", "")
        assert after == before
        assert added.setdefault(before, found) == found


def texts(run: wq.Run) -> Iterator[str]:
    """Yield the texts that a run's agent read, each with its world."""
    for line in map(json.loads, (run.path / "episodes.jsonl").read_text().splitlines()):
        for step in line["steps"]:
            yield f"{line['world']}: {step['observation']['text']}"

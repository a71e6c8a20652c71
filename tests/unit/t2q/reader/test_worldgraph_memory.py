"""The map as a memory."""

from __future__ import annotations

import asyncio

import pytest

from worldquiz.facts.episode import Observation, Turn
from worldquiz.facts.requirement import Moment
from worldquiz.memory.base import Entry, entry
from worldquiz.memory.checks import check_memory
from worldquiz.t2q.reader import Graph
from worldquiz.t2q.reader.context import read_context
from worldquiz.t2q.reader.memory import WorldGraphMemory
from worldquiz.t2q.reader.sentences import NOW, read

ATTIC = (
    "-= Attic =-\nYou are in the attic. You see a closed red box here.\n\n"
    "You can go east from here."
)
STUDY = "-= Study =-\nThis is the study.\n\nYou can go west from here."
FIRST, SECOND = "Make sure that the red box is open.", "Go to the study."
HANDS = "You are carrying: a green apple."


def seen(
    text: str,
    objective: str = FIRST,
    hands: str = "You are carrying nothing.",
    *,
    done: bool = False,
) -> Observation:
    return Observation(text, hands, int(done), done, objective)


def turn(task: int, step: int, action: str | None, observation: Observation) -> Entry:
    return entry([(Moment(task, step), Turn(action, observation))])


START = turn(0, 0, None, seen(f"{FIRST}\n\n{ATTIC}"))
OPENED = "You open the red box, revealing a green apple."
OPEN = turn(0, 1, "open red box", seen(OPENED))
TAKE = turn(0, 2, "take apple", seen("You take the green apple from the red box.", hands=HANDS))
DROP = turn(0, 3, "drop apple", seen("You drop the green apple on the ground."))


def recalled(query: str, *entries: Entry) -> str:
    async def run() -> str:
        memory = WorldGraphMemory()
        for told in entries:
            await memory.add(told)
        found = (await memory.recall(query)).text
        return found

    return asyncio.run(run())


def test_it_keeps_the_protocol() -> None:
    asyncio.run(check_memory(lambda world: WorldGraphMemory()))


def test_nothing_seen_is_nothing_recalled() -> None:
    assert recalled("Where is the key?") == ""


def test_it_hands_over_the_start_of_the_world() -> None:
    text = recalled("Where was the green apple at the start?", START, OPEN, TAKE, DROP)
    assert "The red box (container) was closed and not locked.\n" in text
    assert "In the red box (container): green apple (food); nothing else.\n" in text
    assert NOW not in text


def test_while_a_task_goes_on_it_tells_what_is_different_now() -> None:
    text = recalled("You drop the green apple on the ground.", START, OPEN, TAKE, DROP)
    assert [line for line in text.splitlines() if line.startswith(NOW)] == [
        "Now: before the last command of task 1 you were in the attic.",
        "Now: the red box was open.",
        "Now: the green apple was at the attic.",
    ]


def test_the_present_is_the_last_part_so_that_the_map_stays_a_prefix() -> None:
    async def run() -> tuple[str, ...]:
        memory = WorldGraphMemory()
        for told in (START, OPEN, TAKE):
            await memory.add(told)
        return (await memory.recall("You take it.")).parts

    map_, now = asyncio.run(run())
    assert NOW not in map_
    assert "carrying the green apple" in now


@pytest.mark.parametrize(
    "query",
    [
        f"{SECOND}\n\n{ATTIC}",
        f"{SECOND}\n{SECOND}\n\n{ATTIC}\nYou are carrying nothing.",
        "Was the red box open at the start?",
        "Which of these was open at the start? red box old gate",
        "Describe what was in the red box when the game began.",
        "Was the red box open at the start?\nWhich key fits the red box?",
    ],
)
def test_the_present_of_another_task_or_of_none_is_left_out(query: str) -> None:
    assert NOW not in recalled(query, START, OPEN)


@pytest.mark.parametrize("query", [STUDY, f"{FIRST}\n{STUDY}\nInventory", OPENED, "Which one?", ""])
def test_the_present_of_this_task_is_kept(query: str) -> None:
    assert NOW in recalled(query, START, OPEN)


def test_a_task_that_was_won_has_no_present() -> None:
    won = turn(0, 1, "open red box", seen(OPENED, done=True))
    assert NOW not in recalled(OPENED, START, won)


def test_what_it_says_is_read_exactly_and_the_present_ignored() -> None:
    text = recalled(OPENED, START, OPEN)
    assert read_context(text).exact
    assert read_context(text).graph.opened("red box") is False
    assert read(text) == read_context(text).graph != Graph()


def test_turns_it_was_not_given_make_it_careful() -> None:
    late = turn(0, 7, "look", seen(f"{ATTIC}\n\nThere is a blue hat on the floor."))
    assert "blue hat" not in recalled("", late)
    assert "In the attic: red box (container); perhaps more." in recalled("", late)

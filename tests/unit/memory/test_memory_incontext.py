"""The whole history: verbatim, growing at its end only, and shorter when it has to be."""

from __future__ import annotations

import asyncio

from remembering import told
from worldquiz.memory.base import Entry
from worldquiz.memory.baselines import InContext

TURNS = [told(step, f"Room {step}.", task=task) for task in (0, 1) for step in range(4)]


def filled(turns: list[Entry]) -> InContext:
    memory = InContext()
    for turn in turns:
        asyncio.run(memory.add(turn))
    return memory


def parts(memory: InContext) -> tuple[str, ...]:
    return asyncio.run(memory.recall("whatever")).parts


def test_the_earlier_tasks_are_one_part_and_the_current_one_another() -> None:
    earlier, current = parts(filled(TURNS))
    assert earlier == "".join(turn.text for turn in TURNS[:4])
    assert current.startswith("[task 2, step 0]\nRoom 0.\n")


def test_a_task_added_at_once_is_shown_like_its_turns() -> None:
    at_once = Entry(
        tuple(turn for told in TURNS[:4] for turn in told.turns),
        "".join(told.text for told in TURNS[:4]),
    )
    assert parts(filled([at_once])) == parts(filled(TURNS[:4]))


def test_a_full_window_leaves_out_the_oldest_quarter_and_says_so() -> None:
    memory = filled(TURNS)
    assert memory.shrink() == 2
    earlier, current = parts(memory)
    assert earlier.startswith("[2 earlier turns left out]\n[task 1, step 2]")
    assert current.startswith("[task 2, step 0]")

"""A told place is read as a name of a closed set: with any remark it is that place, or it is none.

Success stays the paper's likeness to what was told, whatever is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

import worldquiz as wq
from command import worldquiz
from mango_folder import write_maze, write_rows

MOVES = '[{{"prev_node": "a", "action": "go", "node": "{}"}}]'
RIGHT = (
    "{}", "the {}", "The {}.", "**{}**", "'{}'", "In the {}", "{} (seen in step 3)",
    "{} - where I was", "{}, I think", "{}. I came from the east.", "_{}_", "{}: the last room",
    "{} [step 2]", "at the {} (seen in step 3), I think. It is dark - where I was [step 2]",
)  # fmt: skip
UNREADABLE = (
    "not {}", "not the {}", "{} or {other}", "{}, or the {other}", "{}/{other}", "{}?",
    "{} and {other}", "{}, {other}", "{} is wrong", "next to the {}", "north of {}", "hardly {}",
    "{}, no: {other}", "outside ({})", "front of the {}", "away from {}", "{} gateway", "upper {}",
    "{}, no", "{} - not sure", "{} never, I think", "{} - {other}", "a place", "go", "",
)  # fmt: skip
ABSTAINED = ("unknown", "non-answerable", "I do not know")
WHOLE = (
    "It is not {}", "It cannot be {}", "The answer is not the following: {}", "For example: {}",
    "{}\nSorry, that is wrong.", "{} But I cannot tell.",
)  # fmt: skip
"""Replies around moves that take them back."""
KEPT = ("{}", "I can't go north from here, so:\n\n{}", "Not by the hall. {}", "{} I hope it helps!")


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> wq.mango.MazeSet:
    return wq.mango.build(mazes=1, seed=3, out=tmp_path_factory.mktemp("m") / "mazes", size=12)


@pytest.fixture(scope="module")
def keeper(mazes: wq.mango.MazeSet) -> wq.Run:
    return mazes.run("keeper", out=mazes.path.parent / "keeper", per_maze=60, choice="published")


def told(
    mazes: wq.mango.MazeSet, keeper: wq.Run, out: Path, styles: tuple[str, ...], task: str
) -> list[tuple[str, wq.Row]]:
    """Return each answer in one of some styles, with its style."""
    right = {row.prompt: row for row in keeper.rows if row.type == task}
    replies, of = {}, {}
    for (prompt, row), style in zip(right.items(), cycle(styles), strict=False):
        other = next(each.gold for each in right.values() if each.gold != row.gold)
        place = style.replace("{}", row.gold).replace("{other}", other)
        moves = row.reply if task == "rf" or styles in (WHOLE, KEPT) else None
        replies[prompt] = style.format(moves) if moves else MOVES.format(place)
        of[row.world, row.item] = style

    class Told:
        def answer(self, prompt: str) -> str:
            return next(reply for asked, reply in replies.items() if prompt.endswith(asked))

    run = mazes.run(Told(), label=str(styles), out=out, per_maze=60, choice="published", tasks=task)
    found = [(of[row.world, row.item], row) for row in run.rows]
    assert {style for style, _ in found} == set(styles)
    return found


def test_a_place_with_any_remark_is_that_place(
    mazes: wq.mango.MazeSet, keeper: wq.Run, tmp_path: Path
) -> None:
    for style, row in told(mazes, keeper, tmp_path / "run", RIGHT, "df"):
        assert (row.status, row.answer, row.correct) == ("answered", row.gold, 1.0), style
        assert (row.measures["success"] == 1) == (style == "{}")


@pytest.mark.parametrize(
    ("styles", "status"), [(UNREADABLE, "unreadable"), (ABSTAINED, "abstained")]
)
def test_several_places_a_denied_one_and_none_are_no_answer(
    mazes: wq.mango.MazeSet, keeper: wq.Run, tmp_path: Path, styles: tuple[str, ...], status: str
) -> None:
    for style, row in told(mazes, keeper, tmp_path / "run", styles, "df"):
        assert (row.status, row.answer, row.correct) == (status, None, None), style
        assert row.points == 0
        assert row.measures["success"] < 1


@pytest.mark.parametrize("task", ["df", "rf"])
def test_moves_that_are_denied_or_taken_back_are_no_answer(
    mazes: wq.mango.MazeSet, keeper: wq.Run, tmp_path: Path, task: str
) -> None:
    for style, row in told(mazes, keeper, tmp_path / "back", WHOLE, task):
        assert (row.status, row.correct) == ("unreadable", None), style
        assert row.measures["success"] == 1, "the paper reads the moves"
    for style, row in told(mazes, keeper, tmp_path / "kept", KEPT, task):
        assert row.correct == 1, style


LINES: dict[str, Callable[[list[str]], str]] = {
    "steps": lambda moves: "\n".join(f"Step {n}: {each}" for n, each in enumerate(moves, 1)),
    "numbers": lambda moves: "\n".join(f"{n}. {each}" for n, each in enumerate(moves, 1)),
    "bullets": lambda moves: "\n".join(f"- {each}" for each in moves),
    "a part first": lambda moves: f"First [{moves[0]}].\nAll: [{', '.join(moves)}]",
}
PARTED: dict[str, Callable[[list[str]], str]] = {
    "lists": lambda moves: "\n".join(f"[{each}]" for each in moves),
    "halves": lambda moves: f"[{', '.join(moves[:1])}] then [{', '.join(moves[1:])}]",
    "a part last": lambda moves: f"[{', '.join(moves)}]\nCheck of the last: [{moves[-1]}]",
}


@pytest.mark.parametrize("style", [*LINES, *PARTED])
def test_lists_that_differ_are_no_answer(
    mazes: wq.mango.MazeSet, keeper: wq.Run, tmp_path: Path, style: str
) -> None:
    """Moves line by line are one list."""
    routes = {row.prompt: json.loads(row.reply) for row in keeper.rows if row.type == "rf"}

    class Told:
        def answer(self, prompt: str) -> str:
            moves = next(moves for asked, moves in routes.items() if prompt.endswith(asked))
            return (LINES | PARTED)[style]([json.dumps(move) for move in moves])

    run = mazes.run(Told(), label=style, out=tmp_path / "run", per_maze=60, choice="published",
                    tasks="rf")  # fmt: skip
    for row in run.rows:
        alone = style in LINES or len(routes[row.prompt]) == 1
        assert row.status == ("answered" if alone else "unreadable"), row.reply
        assert row.correct == (1 if alone else None)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("hallway", "hallway"), ("the hallway - first of all", "hallway"),
        ("hallway (15th floor)", None), ("the room", None),
        ("The Hallway (15th floor, east).", "hallway (15th floor, east)"),
        ("bar (west side, seen twice)", None), ("the bar", None),
        ("s. main street (busy)", "s. main street"),
        ("At the Bob's [dark] house, 2nd [step 2]", "Bob's [dark] house, 2nd"),
        ("not Bob's [dark] house, 2nd", None), ("s. main street, Bob's [dark] house, 2nd", None),
    ],
)  # fmt: skip
def test_a_remark_that_may_be_part_of_another_name_makes_it_unreadable(
    tmp_path: Path, said: str, answer: str | None
) -> None:
    """Published names have brackets: "hallway (15th floor)" is none of these."""
    names = ("pub", "hallway", "hallway (15th floor, east)", "bar (west side)", "s. main street",
             "Bob's [dark] house, 2nd")  # fmt: skip
    moves = [(*pair, None) for pair in zip(names, "abcde", names[1:], range(1, 6), strict=False)]
    maze = write_maze(tmp_path / "maze", moves, acts="abcde")
    reply = json.dumps([{"prev_node": "pub", "action": "a", "node": said}])
    line = {"game": "toy", "task": "df", "source": "pub", "actions": ["a"], "reply": reply}
    answers = write_rows(tmp_path / "a.jsonl", line)
    worldquiz("mango", "import", answers, "--maze", maze, "--out", tmp_path / "run")
    [row] = wq.load(tmp_path / "run").rows
    assert row.answer == answer
    assert row.correct == (None if answer is None else float(answer == "hallway"))

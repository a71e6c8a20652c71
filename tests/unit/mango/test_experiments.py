"""Minigames of a small house and maps drawn by a model: what is asked, and what replies earn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from mango_folder import Move, write_maze

MOVES: tuple[Move, ...] = (
    ("hall", "up", "attic", 1, 3), ("attic", "down", "hall", 3, 1),
    ("hall", "north", "yard", 7, None), ("yard", "south", "hall", None, 7),
    ("yard", "jump", "pit", 8, None), ("yard", "leap", "pit", 11, None),
    ("pit", "south", "yard", 9, None),
)  # fmt: skip
ACTS = ("up", "look", "down", "up", "take egg", "down", "north", "jump", "south", "wait", "leap",
        "south")  # fmt: skip
TEXTS = ("Hall", "Attic", "Attic", "Hall", "Attic", "Attic", "Hall", "Yard", "Pit", "Yard", "Yard",
         "Pit", "Yard")  # fmt: skip


PLAY: dict[str, Any] = {"tasks": "minigame"}


class Answering:
    """Replies by a function of the prompt, and keeps the prompts."""

    prompts: list[str]
    reply: Callable[[str], str]

    def answer(self, prompt: str) -> str:
        Answering.prompts.append(prompt)
        return Answering.reply(prompt)


@pytest.fixture
def house(tmp_path: Path) -> wq.mango.MazeSet:
    folder = write_maze(tmp_path / "data", MOVES, name="house", acts=ACTS, texts=TEXTS)
    return wq.mango.load(folder)


def asked(
    mazes: wq.mango.MazeSet, out: Path, reply: Callable[[str], str] = str, **more: Any
) -> tuple[list[str], list[Any], Any]:
    """Return prompts, rows and scores of a run."""
    Answering.prompts, Answering.reply = [], staticmethod(reply)
    run = mazes.run(Answering, out=out, **more)
    scores = run.scores.get("minigames") or run.scores
    return Answering.prompts, list(run.rows), scores


def test_a_minigame_takes_a_move_of_the_map_drawn_so_far(
    house: wq.mango.MazeSet, tmp_path: Path
) -> None:
    """Places are first lines; "jump" is no direction, so nobody notices who comes back from it."""
    told, rows, scores = asked(house, tmp_path / "run", local_map=True, **PLAY)
    assert {(row.item, row.gold, row.step) for row in rows} == {
        ("4-map", "up", 3),  # the reverse of step 3
        ("6-map", "down", 3),
    }
    assert scores["games"]["house"]["map"]["asked"] == 2
    (text,) = (each for each in told if "STEP NUM: 3\n" in each and "STEP NUM: 4" not in each)
    walk, _, rest = text.partition("\n\n\n")
    assert walk.startswith("===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\n")
    (row,) = (row for row in rows if row.item == "4-map")
    assert row.guess == 1 / len(row.choices)
    assert " ".join(rest.split()) == (
        "Small local map info: if you want to go to Attic, you should go up. "
        "Consider what you should do next, and choose one appropriate action from the valid "
        f"actions list: [{', '.join(row.choices)}] "
        "Please just tell me the selected action without any extra words."
    )
    near = "map info: if you want to go to Init, you should go down; if you want to go to Hall, "
    assert near in told[-1]  # of the attic: the program takes the first move to start at "Init"
    fewer, _, _ = asked(house, tmp_path / "few", steps=5, local_map=False, **PLAY)
    assert len(fewer) == 1
    assert "Small local map" not in fewer[0]


def test_southwest_is_no_direction_and_a_prompt_before_a_title_is_none(tmp_path: Path) -> None:
    acts = ("southwest", "northeast", "southwest", "north", "south", "north")
    texts = ("Hall", "Den", "Hall", "Den", ">\nYard\nGrass.", ">\nDen", ">\n\nYard")
    ways = (
        ("hall", "southwest", "den", 1, 2), ("den", "northeast", "hall", 2, 1),
        ("den", "north", "yard", 4, 5), ("yard", "south", "den", 5, 4),
    )  # fmt: skip
    folder = write_maze(tmp_path / "d", ways, name="house", acts=acts, texts=texts)
    _, rows, _ = asked(wq.mango.load(folder), tmp_path / "run", local_map=False, **PLAY)
    assert {(row.item, row.gold) for row in rows} == {("6-plain", "north")}


def test_right_is_the_walkthroughs_action_and_no_other_to_the_same_place(tmp_path: Path) -> None:
    climbs = ("hall", "climb", "attic", None, 3)
    folder = write_maze(tmp_path / "d", (*MOVES, climbs), name="house", acts=ACTS, texts=TEXTS)
    mazes = wq.mango.load(folder)
    _, rows, _ = asked(mazes, tmp_path / "run", lambda prompt: "climb", steps=4, **PLAY)
    assert {(row.gold, row.correct) for row in rows} == {("up", 0.0)}
    assert all("climb" in row.choices for row in rows)


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        (" Down.\n", "down"),
        ("`down`", "down"),
        ("The troll blocks the path.\n\ndown", "down"),
        ("The troll blocks the south.\n\ndown", None),
        ("Action: down", "down"),
        ("Not `down`, I think; rather:\n- look", None),
        ("<think>up\nup</think>down", "down"),
        ('{"action": "take egg"}', "take egg"),
        ("", None),
        ("I would go down.", "down"),
        ("I would go down, or look.", None),
        ("`down` or `look`, it is hard to say.", None),
        ("down, look", None),
    ],
)
def test_a_reply_chooses_the_action_that_stands_by_itself(
    house: wq.mango.MazeSet, tmp_path: Path, reply: str, action: str | None
) -> None:
    _, rows, scores = asked(house, tmp_path / "run", lambda prompt: reply, local_map=False, **PLAY)
    (row,) = (row for row in rows if row.item == "6-plain")
    assert row.answer == action
    assert row.correct == (None if action is None else float(action == "down"))
    assert bool(scores["plain"]["ill_formed"]) == (action is None)
    assert scores["plain"]["asked"] == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({**PLAY, "steps": 2}, "no minigame in house: no move is made twice .* .at most 2"),
        ({"shots": 3}, "shots 3: must be 5 .a step at a time. or 0"),
        (
            {"shots": 5, "steps": 5, "choice": "published"},
            "'house': only 5 steps are read, and 5 of them",
        ),
    ],
)
def test_mistakes(
    house: wq.mango.MazeSet, options: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(wq.WorldquizError, match=complaint):
        house.run(Answering, out=tmp_path / "run", **options)


def test_a_map_is_worth_all_to_who_is_lost_without_one(
    house: wq.mango.MazeSet, tmp_path: Path
) -> None:
    def follows(prompt: str) -> str:
        """Say what the walkthrough does next, if the map tells of it; else give up."""
        action = ACTS[prompt.count("==>STEP NUM") - 1]
        return action if f"you should go {action}" in prompt else "I cannot tell."

    _, rows, scores = asked(house, tmp_path / "run", follows, **PLAY)
    assert (scores["map"]["share"], scores["map"]["ill_formed"]) == (1, 0)
    assert (scores["plain"]["share"], scores["plain"]["ill_formed"]) == (0, 2)
    assert len(rows) == 4


# Maps that a model draws


def named(prompt: str) -> str:
    """Name the place that a step's text names."""
    act, _, text = prompt.rpartition("==>ACT: ")[2].partition("\n")
    place = text.removeprefix("==>OBSERVATION: ").partition("\n")[0]
    return "None" if act in ("look", "take egg", "wait") else place.upper()


def test_who_errs_in_a_known_share_is_found_to(house: wq.mango.MazeSet, tmp_path: Path) -> None:
    def misread(prompt: str) -> str:
        return "Nowhere land" if prompt.endswith("Pit\n==>LOCATION:") else named(prompt)

    _, rows, scores = asked(house, tmp_path / "run", misread, shots=5)
    assert scores["triplets"]["micro"] == {"accuracy": 5 / 7, "right": 5, "asked": 7}
    assert scores["triplets"]["games"]["house"]["accuracy"] == 5 / 7
    assert scores["rf"]["all"]["success"]["macro"] < 1
    wrong = [row.gold for row in rows if row.type == "triplet" and not row.correct]
    assert wrong == ["pit", "pit"]


def test_the_prompt_of_a_step_and_the_map_of_its_replies(
    house: wq.mango.MazeSet, tmp_path: Path
) -> None:
    told, rows, scores = asked(house, tmp_path / "run", named, shots=5)
    assert told[0].startswith(
        "The following is an observation of a character in a game. Please determine the "
        "character's location based on the description. Here are some examples:\n\n"
        "Example 1:\n==>ACT: up\n==>OBSERVATION: Attic\n==>LOCATION: attic\n\n"
        "Example 2:\n==>ACT: look\n==>OBSERVATION: Attic\n==>LOCATION: None\n\n"
    )
    assert told[0].endswith(
        "If you can identify the character's location from the text, please just reply with that "
        "location; otherwise, reply with 'None':\n\n"
        "==>ACT: down\n==>OBSERVATION: Hall\n==>LOCATION:"
    )
    assert told[0].count("Example") == 5
    assert scores["triplets"]["micro"] == {"accuracy": 1.0, "right": 7, "asked": 7}
    assert {row.correct for row in rows} == {1.0}


def test_the_prompt_of_a_whole_walkthrough(house: wq.mango.MazeSet, tmp_path: Path) -> None:
    moves = [("hall", "up", "attic"), ("attic", "down", "hall"), ("hall", "up", "cellar")]
    keys = ("location_before", "action", "location_after")
    said = str([dict(zip(keys, move, strict=True)) for move in moves])
    (told,), rows, scores = asked(house, tmp_path / "run", lambda prompt: said, shots=0, steps=7)
    assert told.startswith("!! Here is a walkthrough of a textgame:\n===========\n==>STEP NUM: 0\n")
    assert "==>STEP NUM: 7\n" in told
    assert "==>STEP NUM: 8\n" not in told
    assert told.endswith(
        "!! Please identify the changes in the location of the character from this walkthrough. "
        "Output a list of dictionaries with keys 'location_before', 'action', and "
        "'location_after'. Start your response with '['."
    )
    assert scores["triplets"]["micro"] == {"accuracy": 0.4, "right": 2, "asked": 5}
    assert {row.correct for row in rows if row.type == "triplet"} == {0.4}

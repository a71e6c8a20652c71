"""Minigames of a small house: which there are, what they ask, what is right."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import KnobError
from worldquiz.facts.replies import Form
from worldquiz.mango.maze import Maze
from worldquiz.mango.minigames import (
    Minigame,
    Setting,
    answerable,
    minigames,
    plan,
    prompt,
    read_choice,
)
from worldquiz.mango.settings import MinigameSettings
from worldquiz.mango.walkthrough import WalkStep

ACTS = (
    "Init", "up", "look", "down", "up", "take egg", "down", "north", "jump", "south", "wait",
    "leap", "south",
)  # fmt: skip
PLACES = ("Hall", "Attic", "Attic", "Hall", "Attic", "Attic", "Hall", "Yard", "Pit", "Yard",
          "Yard", "Pit", "Yard")  # fmt: skip
HOUSE = replace(
    maze_of(
        edge("hall", "up", "attic", 1, 3),
        edge("attic", "down", "hall", 3, 1),
        edge("hall", "north", "yard", 7),
        edge("yard", "south", "hall", None, 7),
        edge("yard", "jump", "pit", 8),
        edge("yard", "leap", "pit", 11),
        edge("pit", "south", "yard", 9),
        name="house",
        steps=12,
    ),
    walkthrough=tuple(
        WalkStep(n, act, place) for n, (act, place) in enumerate(zip(ACTS, PLACES, strict=True))
    ),
)


def test_a_minigame_is_a_move_that_the_text_has_told_of() -> None:
    found = answerable(HOUSE, MinigameSettings(steps=12))
    assert {step: each.action for step, each in found.items()} == {
        3: "down",  # the reverse of step 1
        4: "up", 6: "down", 12: "south",
    }  # fmt: skip
    assert list(answerable(HOUSE, MinigameSettings(steps=5))) == [3, 4]


def test_an_action_that_may_lead_elsewhere_is_not() -> None:
    twisted = replace(HOUSE, edges=(*HOUSE.edges, edge("attic", "slide", "hall", 5),
                                    edge("attic", "slide", "yard", 5)))  # fmt: skip
    found = {each.step: each for each in minigames(twisted, MinigameSettings(steps=4))}
    assert found[3].right == {"down"}
    assert "slide" in found[3].actions


GAME = Minigame("house", 4, Setting.MAP, "hall", ("up", "look", "north"), frozenset(["up"]))


def test_the_prompt_is_the_papers() -> None:
    told = prompt(HOUSE, GAME)
    walk, _, rest = told.partition("\n\n\n")
    assert walk.startswith("===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\n")
    assert walk.endswith("==>STEP NUM: 3\n==>ACT: down\n==>OBSERVATION: Hall")
    assert " ".join(rest.split()) == (
        "Small local map info: if you want to go to attic, you should go up. "
        "Consider what you should do next, and choose one appropriate action from the valid "
        "actions list: [up, look, north] "
        "Please just tell me the selected action without any extra words."
    )


def test_the_map_tells_what_the_text_has_told_by_then_and_no_more() -> None:
    late = prompt(HOUSE, replace(GAME, step=8, place="yard"))
    assert "map info: if you want to go to hall, you should go south.\n" in late  # not of the pit
    later = prompt(HOUSE, replace(GAME, step=12, place="yard"))
    assert (
        "if you want to go to hall, you should go south; if you want to go to pit, you should go "
        "jump; if you want to go to pit, you should go leap.\n"
    ) in later


def bare(maze: Maze) -> Maze:
    return replace(maze, walkthrough=())


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (
            lambda: plan({"house": HOUSE}, MinigameSettings(steps=70, tokens=9)),
            "'house': step 0 alone has",
        ),
        (
            lambda: plan({"house": HOUSE}, MinigameSettings(steps=70, tokens=9, tokenizer="words")),
            "tokenizer 'words'",
        ),
        (
            lambda: plan({"house": HOUSE}, MinigameSettings(steps=2)),
            "no minigame in house: what is read .at most 2",
        ),
        (
            lambda: plan({"house": bare(HOUSE)}, MinigameSettings(steps=70)),
            "'house' has no walkthrough text here",
        ),
    ],
)
def test_mistakes(call: object, complaint: str) -> None:
    with pytest.raises(KnobError, match=complaint):
        call()  # type: ignore[operator]


ACTIONS = ("go up", "north", "take lamp", "up", "ask troll, hello", "say 'xyzzy'", "N.")


@pytest.mark.parametrize(
    ("reply", "action", "form"),
    [
        (" North.\n", "north", Form.CLEAN),
        ("`go  up`", "go up", Form.CLEAN),
        ("say 'xyzzy'", "say 'xyzzy'", Form.CLEAN),
        ("n", "N.", Form.CLEAN),
        ("The troll blocks the south.\n\nnorth", "north", Form.REPAIRED),
        ("Action: go up", "go up", Form.REPAIRED),
        ("Not `up`, I think; rather:\n- take lamp", "take lamp", Form.REPAIRED),
        ("<think>up\nup</think>north", "north", Form.REPAIRED),
        ('{"action": "take lamp"}', "take lamp", Form.REPAIRED),
        ("", None, Form.ILL_FORMED),
        ("I would pick the lamp up and go north.", None, Form.ILL_FORMED),
        ("`up` or `north`, it is hard to say.", None, Form.ILL_FORMED),
        ("up, north", None, Form.ILL_FORMED),
    ],
)
def test_a_reply_chooses_the_action_that_stands_by_itself(
    reply: str, action: str | None, form: Form
) -> None:
    assert read_choice(reply, ACTIONS) == (action, form)

"""Answers where the text settles them, silence elsewhere, in each wording of each question."""

from __future__ import annotations

import asyncio

import pytest

from worldquiz.facts.question import ABSTAIN, Format, Prompt
from worldquiz.t2q.reader import Graph, WorldGraph
from worldquiz.t2q.reader.questions import Ask, only, read_question, settled, spot_of

GRID = "Take every passage to be one step straight in its direction. "


def known() -> Graph:
    """Attic -north-> study -east-> cargo bay; a hat in a box, a rack with all kinds of things."""
    graph = Graph(kinds={"red box": "container", "old rack": "supporter", "gate": "door"})
    graph.exits = {
        "attic": {"north": None},
        "study": {"south": None, "east": "gate"},
        "cargo bay": {"west": "gate"},
    }
    graph.walk("attic", "north", "study")
    graph.walk("study", "east", "cargo bay")
    graph.list_spot("red box", frozenset({"hat"}))
    graph.list_spot("old rack", frozenset({"tin key", "egg", "mug"}))
    graph.list_spot("new bin", frozenset())
    graph.list_spot("attic", frozenset({"red box", "vase"}))
    graph.lids = {"red box": True, "gate": False, "big bin": False}
    graph.locks = {"gate": True, "trunk": False}
    graph.fits = {"tin key": "gate"}
    graph.unfit = {("old key", "safe")}
    return graph


def ask(text: str, *choices: str) -> str | None:
    return settled(known(), Prompt(text, Format.WHICH if choices else Format.WHAT, choices))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Where was the hat at the start?", "red box"),
        ("Where could the vase be found when the game began?", "attic"),
        ("What was the initial place of the red box?", "attic"),
        ("Where was the moon at the start?", None),
        ("Where was the gate at the start?", "study"),
        ("Was the gate in the cargo bay at the start?", "yes"),
        ("Was the gate in the attic at the start?", "no"),
        ("Was the hat in the red box at the start?", "yes"),
        ("Was the hat on the floor of the attic at the start?", "no"),
        ("When the game began, was the moon on the floor of the attic?", "no"),
        ("When the game began, was the moon on the floor of the study?", None),
        ("Was the red box anywhere but in the attic at the start?", "no"),
        ("When the game began, was the hat anywhere but on the old rack?", "yes"),
        ("Is the gate in the study?", "yes"),
        ("Is the attic one of the two rooms that the gate joins?", "no"),
        ("Is the attic without the gate?", "yes"),
        ("Does the gate join two rooms other than the cargo bay?", "no"),
        ("Is the moon in the vault?", None),
        ("What kinds of things were on the old rack at the start?", "object, food, key"),
        ("Describe what was in the new bin when the game began.", "nothing"),
        ("What kinds of things were in the trunk at the start?", None),
    ],
)
def test_location(text: str, reply: str | None) -> None:
    assert ask(text) == reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Does a passage lead straight from the attic to the study?", "yes"),
        ("Are the study and the attic joined by a direct passage?", "yes"),
        ("Are the attic and the cargo bay joined by a direct passage?", "no"),
        ("Is it true that no passage leads straight from the attic to the study?", "no"),
        ("Are the attic and the cargo bay without a direct passage between them?", "yes"),
        ("Does a passage lead straight from the vault to the sauna?", None),
        ("Name a room that a passage joins directly to the study.", "attic"),
        ("Which room is one passage away from the sauna? If there are several, name one.", None),
    ],
)
def test_connectivity(text: str, reply: str | None) -> None:
    assert ask(text) == reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Does the tin key fit the gate?", "yes"),
        ("Is the tin key the right key for the safe?", "no"),
        ("Is the old key the wrong key for the gate?", "yes"),
        ("Would the tin key fail to fit the gate?", "no"),
        ("Does the old key fit the safe?", "no"),
        ("Does the new key fit the safe?", None),
    ],
)
def test_match(text: str, reply: str | None) -> None:
    assert ask(text) == reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Was the gate locked at the start?", "yes"),
        ("When the game began, was the red box locked?", "no"),
        ("Was the trunk unlocked at the start?", "yes"),
        ("Was the big bin locked at the start?", None),
        ("Was the red box open at the start?", "yes"),
        ("When the game began, did the gate stand open?", "no"),
        ("Was the big bin closed at the start?", "yes"),
        ("When the game began, was the red box shut?", "no"),
        ("Was the trunk open at the start?", None),
    ],
)
def test_property(text: str, reply: str | None) -> None:
    assert ask(text) == reply


@pytest.mark.parametrize(
    ("text", "choices", "reply"),
    [
        ("Which of these was the place of the hat at the start?",
         ("on the floor of the study", "in the red box"), "in the red box"),
        ("In which of these places was the moon when the game began?",
         ("in the red box", "on the old rack", "on the floor of the vault"),
         "on the floor of the vault"),
        ("In which of these places was the moon when the game began?",
         ("in the red box", "in the trunk", "on the floor of the vault"), None),
        ("Which of these rooms does a passage join directly to the attic?",
         ("cargo bay", "study"), "study"),
        ("From the attic, which of these rooms is one passage away?", ("vault", "sauna"), None),
        ("Which key fits the gate?", ("old key", "tin key"), "tin key"),
        ("Which of these keys unlocks the safe?", ("old key", "tin key", "new key"), "new key"),
        ("Which of these keys unlocks the big bin?", ("old key", "new key"), None),
        ("Which of these was locked at the start?", ("red box", "gate"), "gate"),
        ("When the game began, which of these was not locked?", ("gate", "big bin"), "big bin"),
        ("Which of these was open at the start?", ("gate", "big bin", "trunk"), "trunk"),
        ("When the game began, which of these was closed?", ("trunk", "safe"), None),
    ],
)  # fmt: skip
def test_choices(text: str, choices: tuple[str, ...], reply: str | None) -> None:
    assert ask(text, *choices) == reply


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("In which direction does the cargo bay lie from the attic?", "north-east"),
        ("As seen from the study, where is the attic?", "south"),
        ("As seen from the study, where is the vault?", None),
    ],
)
def test_direction(text: str, reply: str | None) -> None:
    assert ask(GRID + text) == reply


def test_the_neighbour_that_was_learned_first_is_named_for_good() -> None:
    """Whatever its direction, and whether a later one is walked to or seen through its door."""
    graph = Graph(exits={"hall": {"north": "gate", "east": None, "south": None, "west": None}})
    prompt = Prompt("Name a room that a passage joins directly to the hall.", Format.WHERE)
    assert settled(graph, prompt) is None
    graph.walk("attic", "north", "hall")
    assert settled(graph, prompt) == "attic"
    graph.walk("hall", "west", "cellar")
    graph.exits["study"] = {"south": "gate"}
    graph.walk("hall", "east", "sauna")
    assert settled(graph, prompt) == "attic"


def test_a_neighbour_behind_a_door_is_named_where_none_was_walked_to() -> None:
    graph = Graph(exits={"hall": {"north": None, "east": "gate"}, "study": {"west": "gate"}})
    prompt = Prompt("Name a room that a passage joins directly to the hall.", Format.WHERE)
    assert settled(graph, prompt) == "study"


def test_unknown_wordings_are_not_guessed_at() -> None:
    assert read_question("Whither goest thou?") is None
    assert ask("Whither goest thou?") is None


def test_a_state_is_no_place() -> None:
    asked = read_question("Which of these was locked at the start?")
    assert asked is not None
    assert asked.ask is Ask.CHOOSE_STATE


@pytest.mark.parametrize(
    ("phrase", "spot"),
    [
        ("on the floor of the cargo bay", "cargo bay"),
        ("in the red box", "red box"),
        ("on the old rack", "old rack"),
        ("north", "north"),
    ],
)
def test_spots(phrase: str, spot: str) -> None:
    assert spot_of(phrase) == spot


@pytest.mark.parametrize(
    ("verdicts", "choice"),
    [
        ({"a": True, "b": None}, "a"),
        ({"a": False, "b": None}, "b"),
        ({"a": None, "b": None}, None),
        ({"a": True, "b": True}, None),
        ({"a": False, "b": False}, None),
    ],
)
def test_only(verdicts: dict[str, bool | None], choice: str | None) -> None:
    assert only(verdicts) == choice


def test_the_answerer_abstains_before_it_has_read_anything() -> None:
    prompt = Prompt("Where was the hat at the start?", Format.WHERE)
    assert asyncio.run(WorldGraph().answer(prompt)) == ABSTAIN

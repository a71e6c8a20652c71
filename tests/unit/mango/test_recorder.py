"""Mazes read off traces that are written by hand: each rule in one readable case."""

from __future__ import annotations

from pathlib import Path

from worldquiz.mango.maze import Sight
from worldquiz.mango.recorder.record import Recording, read_off
from worldquiz.mango.recorder.trace import GameTrace, ShownStep
from worldquiz.mango.recorder.words import Reverses


def seen(
    step: int,
    action: str,
    place: int,
    look: str | None = None,
    *,
    text: str | None = None,
    back: str | None = None,
    holder: int = 0,  # what the place is in, if anything
    lost: tuple[str, ...] = (),
    over: bool = False,
    late: bool = False,
) -> ShownStep:
    """Return a step; an arrival's text is what `look` prints unless told otherwise."""
    said = text if text is not None else look or "Taken."
    chain = tuple(number for number in (place, holder) if number)
    name = f"object {place}"
    return ShownStep(step, action, said, chain, name, over, look, back, lost, late)


def recorded(*steps: ShownStep, reverses: Reverses = Reverses.COMPASS) -> Recording:
    commands = tuple(step.action for step in steps[1:])
    return read_off(GameTrace(Path("toy.z5"), commands, False, steps), reverses=reverses)


def edges(recording: Recording) -> dict[str, tuple[Sight, Sight]]:
    return {
        f"{edge.source} {edge.action} {edge.target}": (edge.seen, edge.told)
        for edge in recording.maze.edges
    }


def kinds(recording: Recording) -> list[str]:
    return [doubt.kind for doubt in recording.doubts]


def test_a_move_and_its_checked_reverse() -> None:
    found = recorded(
        seen(0, "Init", 1, "Attic\nDusty."),
        seen(1, "take rope", 1),
        seen(2, "down", 2, "Hall\nBare.", back="up"),
        seen(3, "up", 1, "Attic\nDusty.", back="down"),
        seen(4, "down", 2, "Hall\nBare.", back="up"),
    )
    both = Sight(2, 3), Sight(3, 2)
    assert edges(found) == {
        "attic down hall": (both[0], both[0]),
        "hall up attic": (both[1], both[1]),
    }
    assert found.maze.places == ("attic", "hall")
    assert found.where == ("attic", "attic", "hall", "attic", "hall")
    assert found.doubts == ()


def test_a_dark_room_is_told_once_light_names_it() -> None:
    found = recorded(
        seen(0, "Init", 1, "Kitchen\nPots."),
        seen(1, "up", 2, "It is pitch black. A grue lurks.", back="down"),
        seen(2, "light lamp", 2, "Attic\nDusty.", text="The lamp is on.\n\nAttic\nDusty."),
    )
    assert edges(found) == {
        "kitchen up attic": (Sight(1), Sight(2)),
        "attic down kitchen": (Sight(None, 1), Sight(None, 2)),
    }


def test_rooms_of_one_object_are_told_apart_by_their_titles() -> None:
    found = recorded(
        seen(0, "Init", 1, "Den\nWarm."),
        seen(1, "east", 1, "Kitchen\nPots.", back="west"),
        seen(2, "south", 2, "Porch\nCold."),
        seen(3, "north", 1, "Den\nWarm."),
    )
    assert list(edges(found)) == [
        "den east kitchen",
        "kitchen south porch",
        "porch north den",
        "kitchen west den",
    ]
    assert "one object" in kinds(found)


def test_what_is_doubtful_is_listed() -> None:
    found = recorded(
        seen(0, "Init", 1, "Hall\nA bed."),
        seen(1, "north", 2, "Hall\nA rope.", lost=("south",)),
        seen(2, "pray", 3, None, text="A flash of light."),
        seen(3, "south", 2, "Hall\nA rope."),
        seen(4, "pray", 1, "Hall\nA bed."),
    )
    assert set(kinds(found)) == {
        "namesake", "no title", "unnamed", "untold", "ambiguous", "untried", "no direction",
    }  # fmt: skip
    assert "object 3" in {doubt.about for doubt in found.doubts if doubt.kind == "no title"}


def test_a_place_is_a_room_and_the_vehicle_in_it() -> None:
    found = recorded(
        seen(0, "Init", 5, "Garage, in the car\nOil.", holder=1),
        seen(1, "north", 5, "Street\nRain.", holder=2, back="south"),
        seen(2, "exit", 2, "Street\nRain."),
    )
    assert list(edges(found)) == [
        "garage, in the car north street (in the object 5)",
        "street (in the object 5) exit street",
        "street (in the object 5) south garage, in the car",
    ]


def test_a_game_that_ends_in_no_place_arrives_nowhere() -> None:
    end = seen(1, "north", 9, "Please answer", text="The End\nYou won!", over=True)
    found = recorded(seen(0, "Init", 1, "Hall\nBare."), end)
    assert (found.maze.edges, found.where) == ((), ("hall", None))
    assert kinds(found) == ["ended"]
    home = seen(1, "north", 9, "Home\nSweet.", over=True)
    assert list(edges(recorded(seen(0, "Init", 1, "Hall\nBare."), home))) == ["hall north home"]


def test_a_place_that_a_key_leads_to_is_reached_by_the_command_before() -> None:
    found = recorded(
        seen(0, "Init", 1, "Hall\nBare."),
        seen(1, "west", 2, "Pit\nDeep.", text="You slip...", late=True),
        seen(2, "look", 2, text="Pit\nDeep."),
    )
    assert edges(found) == {"hall west pit": (Sight(1), Sight(2))}
    assert kinds(found) == ["late"]


def test_a_confirmed_reverse_that_is_no_compass_move_is_a_doubt_or_an_edge() -> None:
    steps = (
        seen(0, "Init", 1, "Hall\nBare."), seen(1, "enter shed", 2, "Shed\nDim.", back="exit"),
    )  # fmt: skip
    found = recorded(*steps)
    assert list(edges(found)) == ["hall enter shed shed"]
    assert ("reverse", "shed --> exit --> hall") in {(d.kind, d.about) for d in found.doubts}
    more = recorded(*steps, reverses=Reverses.ANY)
    assert list(edges(more)) == ["hall enter shed shed", "shed exit hall"]
    assert "reverse" not in kinds(more)

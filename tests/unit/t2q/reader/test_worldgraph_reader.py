"""What the player has changed itself is never taken for the initial state."""

from __future__ import annotations

from worldquiz.facts.episode import Observation, Turn
from worldquiz.t2q.reader import Reader

ATTIC = (
    "-= Attic =-\nThis is the attic. You see a closed red box here. You see an old rack here. "
    "{rack}\n\nThere is a {gate} narrow gate leading north.{floor}"
)
STUDY = (
    "-= Study =-\nThis is the study.\n\nThere is an open narrow gate leading south. "
    "You can go east from here.{floor}"
)
FULL = "On the old rack you see a tin key."
BARE = "The old rack is empty."
FLOOR = "\n\nThere is a thin hat on the floor."


def attic(rack: str = FULL, gate: str = "closed", floor: str = FLOOR) -> str:
    text = ATTIC.format(rack=rack, gate=gate, floor=floor)
    return text.replace("a open", "an open")


def see(text: str, *carried: str, objective: str = "Look around.") -> Observation:
    names = [f"a {name}" for name in carried]
    listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
    inventory = f"You are carrying: {listed}." if names else "You are carrying nothing."
    return Observation(text, inventory, 0, False, objective)


def read(*turns: tuple[str | None, Observation]) -> Reader:
    return Reader.of([tuple(Turn(*turn) for turn in turns)])


START = (None, see(attic()))
TAKE_KEY = ("take tin key from old rack", see("You take the tin key from the old rack.", "tin key"))


def test_the_first_room_is_known_whole() -> None:
    graph = read(START).graph
    assert graph.contents == {
        "attic": {"thin hat", "red box", "old rack"},
        "old rack": {"tin key"},
    }
    assert graph.place["tin key"] == "old rack"
    assert graph.place["red box"] == "attic"
    assert graph.exits == {"attic": {"north": "narrow gate"}}
    assert graph.lids == {"red box": False, "narrow gate": False}
    assert graph.locks == {}
    assert graph.kinds == {
        "red box": "container",
        "old rack": "supporter",
        "narrow gate": "door",
    }


def test_what_was_taken_still_counts_where_it_was() -> None:
    reader = read(START, TAKE_KEY, ("look", see(attic(rack=BARE), "tin key")))
    assert reader.graph.contents["old rack"] == {"tin key"}
    assert reader.now.contents["old rack"] == []
    assert reader.now.carried == ["tin key"]


def test_what_was_put_down_is_not_where_it_was() -> None:
    floor = "\n\nThere is a tin key on the floor."
    reader = read(
        START,
        TAKE_KEY,
        ("open gate", see("You open narrow gate.", "tin key")),
        ("go north", see(STUDY.format(floor=""), "tin key")),
        ("drop tin key", see("You drop the tin key on the ground.")),
        ("look", see(STUDY.format(floor=floor))),
    )
    assert reader.graph.contents["study"] == set()
    assert reader.graph.place["tin key"] == "old rack"
    assert reader.now.contents["study"] == ["tin key"]


def test_a_thing_put_into_a_room_not_seen_before_is_no_part_of_it() -> None:
    box = "You open the red box, revealing a tin key and an egg."
    reader = read(
        START,
        TAKE_KEY,
        ("open box", see("You open the red box. It is empty.", "tin key")),
        ("put key in box", see("You put the tin key into the red box.")),
        ("close box", see("You close the red box.")),
        ("open box", see(box.replace(" and an egg", ""))),
    )
    assert reader.graph.contents["red box"] == set()
    assert reader.graph.lids["red box"] is False


def test_opening_tells_that_it_was_closed_and_unlocked() -> None:
    reader = read(START, ("open red box", see("You open the red box, revealing an egg.")))
    assert reader.graph.lids["red box"] is False
    assert reader.graph.locks["red box"] is False
    assert reader.graph.contents["red box"] == {"egg"}
    assert reader.now.lids["red box"] is True


def test_an_own_opening_does_not_change_the_start() -> None:
    reader = read(
        START,
        ("open gate", see("You open narrow gate.")),
        ("look", see(attic(gate="open"))),
    )
    assert reader.graph.lids["narrow gate"] is False
    assert reader.now.lids["narrow gate"] is True


def test_closing_tells_that_it_was_open() -> None:
    reader = read(
        (None, see(attic(gate="open"))),
        ("close gate", see("You close narrow gate.")),
        ("close gate", see("That's already closed.")),
    )
    assert reader.graph.lids["narrow gate"] is True
    assert reader.graph.locks["narrow gate"] is False
    assert reader.now.lids["narrow gate"] is False


def test_a_refused_opening_tells_of_the_lock() -> None:
    reader = read(START, ("open red box", see("The red box is locked.")))
    assert reader.graph.locks == {"red box": True}
    assert reader.graph.lids["red box"] is False


def test_a_closed_door_says_nothing_of_its_lock() -> None:
    reader = read(START, ("go north", see("You have to open the narrow gate first.")))
    assert reader.graph.locks == {}


def test_unlocking_tells_lock_and_match() -> None:
    reader = read(
        START,
        TAKE_KEY,
        ("unlock box with key", see("You unlock the red box.", "tin key")),
        ("unlock box with key", see("That's unlocked at the moment.", "tin key")),
        ("open box", see("You open the red box. It is empty.", "tin key")),
    )
    assert reader.graph.fits == {"tin key": "red box"}
    assert reader.graph.locks["red box"] is True
    assert reader.graph.lids["red box"] is False
    assert reader.now.locks["red box"] is False


def test_locking_tells_that_it_was_not_locked() -> None:
    reader = read(
        START,
        TAKE_KEY,
        ("lock box with key", see("You lock the red box.", "tin key")),
        ("lock box with key", see("That's locked at the moment.", "tin key")),
        ("open box", see("The red box is locked.", "tin key")),
    )
    assert reader.graph.fits == {"tin key": "red box"}
    assert reader.graph.locks["red box"] is False
    assert reader.now.locks["red box"] is True


def test_a_wrong_key_tells_what_the_game_checked_first() -> None:
    unfit = see("That doesn't seem to fit the lock.", "tin key")
    unlocking = read(START, TAKE_KEY, ("unlock box with key", unfit))
    locking = read(START, TAKE_KEY, ("lock box with key", unfit))
    assert unlocking.graph.unfit == locking.graph.unfit == {("tin key", "red box")}
    assert unlocking.graph.locks == {"red box": True}
    assert locking.graph.locks == {"red box": False}


def test_walking_tells_both_ways() -> None:
    reader = read(
        START,
        ("open gate", see("You open narrow gate.")),
        ("enter the narrow gate", see(STUDY.format(floor=""))),
    )
    assert reader.graph.ways == {"attic": {"north": "study"}, "study": {"south": "attic"}}


def test_looking_again_is_no_walk() -> None:
    assert read(START, ("look", see(attic()))).graph.ways == {}


def test_objectives_tell_where_things_were() -> None:
    told = see(attic(), objective="Find the odd lump in the red box, then eat it.")
    graph = read((None, told)).graph
    assert graph.place["odd lump"] == "red box"
    assert graph.category("odd lump") == "food"
    assert "red box" not in graph.contents


def test_an_objective_with_two_things_tells_both_places() -> None:
    objective = "Recover the odd lump from the red box and the coin from the floor of the cellar."
    graph = read((None, see(attic(), objective=objective))).graph
    assert graph.place["odd lump"] == "red box"
    assert graph.place["coin"] == "cellar"


def test_what_is_to_be_opened_was_shut() -> None:
    told = see(attic(), objective="Make sure that the far gate is open.")
    reader = read((None, told))
    assert reader.graph.opened("far gate") is False
    assert reader.graph.locked("far gate") is None
    assert "far gate" not in reader.in_sight()


def test_what_an_earlier_task_opened_is_shut_again_for_the_next() -> None:
    told = see(attic(), objective="Make sure that the red box is open.")
    opened = ("open red box", see("You open the red box, revealing an egg."))
    reader = Reader.of([(Turn(None, told), Turn(*opened)), (Turn(*START),)])
    assert reader.graph.lids["red box"] is False
    assert reader.now.lids["red box"] is False


def test_each_episode_starts_as_the_first() -> None:
    first = tuple(Turn(*turn) for turn in (START, TAKE_KEY))
    second = (
        Turn(*START),
        Turn("take hat", see("You pick up the thin hat from the ground.", "thin hat")),
    )
    reader = Reader.of([first, second])
    assert reader.now.origin == {"thin hat": "attic"}
    assert reader.now.contents["old rack"] == ["tin key"]
    assert reader.graph.contents["attic"] == {"thin hat", "red box", "old rack"}


def test_eating_and_tasting() -> None:
    reader = read(
        START,
        TAKE_KEY,
        ("eat tin key", see("That's plainly inedible.", "tin key")),
        ("eat odd lump", see("You eat the odd lump. Not bad.", "tin key")),
    )
    assert reader.graph.edible == {"tin key": False, "odd lump": True}


def test_examining_tells_lids_and_contents() -> None:
    reader = read(START, ("x box", see("The red box is open.\nIn the red box is an egg.")))
    assert reader.graph.contents["red box"] == {"egg"}


def test_what_can_be_named_here() -> None:
    reader = read(START, TAKE_KEY)
    assert sorted(reader.in_sight()) == [
        "narrow gate",
        "old rack",
        "red box",
        "thin hat",
        "tin key",
    ]
    assert reader.doors() == {"narrow gate": "north"}
    assert reader.spots() == ["attic", "old rack"]


def test_refusals_change_nothing() -> None:
    refused = ("take the moon", see("You can't see any such thing."))
    before, after = read(START).graph, read(START, refused).graph
    assert before == after

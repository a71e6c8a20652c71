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


def test_an_own_opening_does_not_change_the_start() -> None:
    reader = read(
        START,
        ("open gate", see("You open narrow gate.")),
        ("look", see(attic(gate="open"))),
    )
    assert reader.graph.lids["narrow gate"] is False
    assert reader.now.lids["narrow gate"] is True


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


def test_a_wrong_key_tells_what_the_game_checked_first() -> None:
    unfit = see("That doesn't seem to fit the lock.", "tin key")
    unlocking = read(START, TAKE_KEY, ("unlock box with key", unfit))
    locking = read(START, TAKE_KEY, ("lock box with key", unfit))
    assert unlocking.graph.unfit == locking.graph.unfit == {("tin key", "red box")}
    assert unlocking.graph.locks == {"red box": True}
    assert locking.graph.locks == {"red box": False}


def test_objectives_tell_where_things_were() -> None:
    told = see(attic(), objective="Find the odd lump in the red box, then eat it.")
    graph = read((None, told)).graph
    assert graph.place["odd lump"] == "red box"
    assert graph.category("odd lump") == "food"
    assert "red box" not in graph.contents


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

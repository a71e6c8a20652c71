"""The explorer, in a world small enough to follow by eye: every move is the nearest new thing."""

from __future__ import annotations

import asyncio

from worldquiz.facts.episode import Observation
from worldquiz.t2q.agents.explorer import Explorer


class House:
    """Attic (tin key, locked box) - north, a shut gate - study (brass key on a shelf).

    The brass key opens the box, the tin key fits nothing; a hat lies in the box.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> Observation:
        self.room, self.gate, self.box = "attic", "closed", "locked"
        self.keys = {"tin key": "attic", "brass key": "study"}
        return self.see(self.look())

    def see(self, text: str) -> Observation:
        held = [f"a {key}" for key, spot in sorted(self.keys.items()) if spot == "held"]
        carrying = (
            f"You are carrying: {' and '.join(held)}." if held else "You are carrying nothing."
        )
        return Observation(text, carrying, 0, False, "Go to the moon.")

    def look(self) -> str:
        lid = "an open" if self.gate == "open" else "a closed"
        floor = [key for key, spot in self.keys.items() if spot == self.room == "attic"]
        if self.room == "attic":
            box = "an open" if self.box == "open" else "a closed"
            text = f"You see {box} red box here."
            text += " The red box contains a hat." if self.box == "open" else ""
            way = "north"
        else:
            shelf = "lies a brass key" if self.keys["brass key"] == "study" else ""
            text = "You see an old shelf here. "
            text += f"On the old shelf {shelf}." if shelf else "The old shelf is empty."
            way = "south"
        lies = f"\n\nThere is a {floor[0]} on the floor." if floor else ""
        heading = f"-= {self.room.title()} =-\nThis is the {self.room}. {text}"
        return f"{heading}\n\nThere is {lid} gate leading {way}.{lies}"

    def step(self, command: str) -> Observation:
        return self.see(self.reply(command))

    def reply(self, command: str) -> str:
        match command.split():
            case ["open", "gate"]:
                self.gate = "open"
                return "You open gate."
            case ["open", "red", "box"] if self.box == "locked":
                return "The red box is locked."
            case ["open", "red", "box"]:
                self.box = "open"
                return "You open the red box, revealing a hat."
            case ["go", _] if self.gate == "open":
                self.room = "study" if self.room == "attic" else "attic"
                return self.look()
            case ["take", "tin", "key"]:
                self.keys["tin key"] = "held"
                return "You pick up the tin key from the ground."
            case ["take", "brass", "key", "from", "old", "shelf"]:
                self.keys["brass key"] = "held"
                return "You take the brass key from the old shelf."
            case ["unlock", "red", "box", "with", "brass", "key"]:
                self.box = "closed"
                return "You unlock the red box."
            case ["unlock", *_]:
                return "That doesn't seem to fit the lock."
        raise AssertionError(f"the explorer has no reason to {command!r}")


def explore(explorer: Explorer, house: House, limit: int = 50) -> list[str]:
    """Return the commands of one episode."""

    async def run() -> list[str]:
        observation = house.reset()
        await explorer.begin(observation)
        commands: list[str] = []
        while len(commands) < limit:
            command = await explorer.act(observation)
            if command is None:
                break
            commands.append(command)
            observation = house.step(command)
        return commands

    return asyncio.run(run())


WHOLE = [
    "take tin key",
    "open red box",
    "unlock red box with tin key",
    "open gate",
    "go north",
    "take brass key from old shelf",
    "go south",
    "unlock red box with brass key",
    "open red box",
]


def test_it_finds_out_all_and_then_gives_up() -> None:
    assert explore(Explorer(), House()) == WHOLE


def test_what_is_known_needs_no_second_visit() -> None:
    explorer, house = Explorer(), House()
    explore(explorer, house)
    assert explore(explorer, house) == []


def test_a_later_episode_goes_on_where_the_map_ends() -> None:
    explorer, house = Explorer(), House()
    assert explore(explorer, house, limit=8) == WHOLE[:8]
    assert explore(explorer, house) == [
        "take tin key",
        "open gate",
        "go north",
        "take brass key from old shelf",
        "go south",
        "unlock red box with brass key",
        "open red box",
    ]

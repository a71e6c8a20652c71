"""Your own benchmark: what does the reader of a trail know about the house that it led through?

A house is a grid of rooms with things in them. A trail is a walk through a part of the house,
written as text. An answerer reads the trail, then answers questions about the whole house. If the
trail did not show an answer, the right reply is "non-answerable".

    uv run python examples/own_benchmark.py

prints the scores of three baselines. In an installed package with the entry point
``rooms = "own_benchmark:BENCHMARK"`` in the group ``worldquiz.benchmarks``, it has these commands:

    worldquiz rooms build --out houses                  worldquiz show RUN
    worldquiz run houses --answerer reader --out RUN    worldquiz score RUN
    worldquiz run houses --model MODEL --out RUN        worldquiz compare RUN OTHER
    worldquiz human RUN                                 worldquiz report RUN... --out page.html
    worldquiz serve houses --agent-name NAME --out RUN  worldquiz export RUN... --out rows.parquet
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from worldquiz.exam.exam import Exam, Item, ItemGrade, abstainer, benchmark
from worldquiz.facts.answer_text import normal
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact, Predicate
from worldquiz.facts.requirement import Requirement, Seen, any_of
from worldquiz.facts.row import ABSTAIN
from worldquiz.rng import child

ROOMS = ("attic", "cellar", "kitchen", "library", "nursery", "parlour", "pantry", "stable", "study")
THINGS = ("anvil", "basket", "candle", "drum", "egg", "fiddle", "globe", "hat", "inkwell", "jug")
FORM = f'Reply with the answer alone, in one word. If the text does not tell it, reply "{ABSTAIN}".'
WIDE, MOVES = 3, 7
AT = Predicate("at", ("thing", "room"))
LEADS = Predicate("leads", ("room", "direction", "other room"))
OPPOSITE = {"north": "south", "east": "west", "south": "north", "west": "east"}


class House:
    """The truth about a house, which answerers do not see, and a trail through it."""

    def __init__(self, name: str, seed: int) -> None:
        """Draw a house; equal seeds give equal houses."""
        self.name, self.seed, self.draw = name, seed, child(seed, "house", name)
        self.rooms = self.draw.sample(ROOMS, len(ROOMS))  # row by row
        self.places = {thing: self.draw.choice(self.rooms) for thing in THINGS}
        self.ways: dict[tuple[str, str], str] = {}  # room, direction -> the room beyond
        for here, room in enumerate(self.rooms):
            for direction, there in (("east", here + 1), ("south", here + WIDE)):
                beside = there % WIDE if direction == "east" else there < len(self.rooms)
                if beside and self.draw.random() < 0.8:
                    self.ways[room, direction] = self.rooms[there]
                    self.ways[self.rooms[there], OPPOSITE[direction]] = room
        self.steps = tuple(self._walk())  # each step's text, and the facts that it discloses
        self.trail = "\n".join(text for text, _ in self.steps)

    def _walk(self) -> Iterator[tuple[str, tuple[Fact, ...]]]:
        room, told, facts = self.rooms[0], "", []
        for _ in range(MOVES + 1):
            things = [thing for thing, place in self.places.items() if place == room]
            exits = [direction for direction in OPPOSITE if (room, direction) in self.ways]
            facts += [AT(thing, room) for thing in things]
            told += f"You are in the {room}. You see: {', '.join(things) or 'nothing'}."
            yield f"{told} Ways lead {', '.join(exits) or 'nowhere'}.", tuple(facts)
            if not exits:
                return
            direction = self.draw.choice(exits)
            other = self.ways[room, direction]
            room, told, facts = other, f"You go {direction}. ", [LEADS(room, direction, other)]

    def questions(self) -> Iterator[Item]:
        """Ask where each thing is and where each way leads; the trail settles some of this."""
        evidence = Evidence.of_steps(facts for _, facts in self.steps)
        draw = child(self.seed, "questions", self.name)  # the same at every call

        def item(name: str, asks: str, gold: str, needs: Requirement, *lures: str) -> Item:
            choices = tuple(sorted((gold, *lures))) if lures else ()
            offered = f" Choose one of: {', '.join(choices)}." if choices else ""
            return Item(
                world=self.name, id=name, type="route" if lures else "location",
                format="choice" if lures else "room", prompt=f"{asks}{offered} {FORM}", gold=gold,
                choices=choices, moment=evidence.earliest(needs), guess=1 / len(choices or ROOMS),
            )  # fmt: skip

        for thing, room in sorted(self.places.items()):
            yield item(thing, f"Where is the {thing}?", room, Seen(AT(thing, room)))
        for (room, way), other in sorted(self.ways.items()):
            lures = draw.sample([each for each in self.rooms if each not in (room, other)], 3)
            asks = f"You are in the {room} and go {way}. Where do you arrive?"
            there, back = LEADS(room, way, other), LEADS(other, OPPOSITE[way], room)
            walked = any_of(Seen(there), Seen(back))
            yield item(f"{room}-{way}", asks, other, walked, *lures)


# ---- Answerers: they see the trail, a question and its choices, and nothing else ----------------


def guesser(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Guess from the question alone: a lower bound, like an answerer that always abstains."""
    return child(0, question).choice(choices or ROOMS)


def reader(trail: str, question: str, choices: tuple[str, ...]) -> str:
    """Look up the answer in the trail: the upper bound."""
    known: dict[str, str] = {}
    before = ""
    for line in trail.splitlines():
        room, things = re.findall(r"in the (\w+)\. You see: (.*?)\.", line)[0]
        known |= {f"Where is the {thing}": room for thing in things.split(", ")}
        if going := re.match(r"You go (\w+)\.", line):
            known[f"You are in the {before} and go {going[1]}. Where do you arrive"] = room
            back = OPPOSITE[going[1]]
            known[f"You are in the {room} and go {back}. Where do you arrive"] = before
        before = room
    return known.get(question.partition("?")[0], ABSTAIN)


# ---- A folder of houses: all that worldquiz needs -----------------------------------------------


class Houses(Exam):
    """A folder of houses, which are drawn again from its seed."""

    name, kind, noun = "rooms", "rooms", "folder of houses"
    baselines: ClassVar = {each.__name__: each for each in (abstainer, guesser, reader)}
    parameters: ClassVar = {"houses": 4, "seed": 7}

    def __init__(self, path: Path | str) -> None:
        """Open a folder made by `build`."""
        super().__init__(path)
        names = [f"house-{number:02}" for number in range(self.manifest["houses"])]
        self.houses = {name: House(name, self.manifest["seed"]) for name in names}

    def items(self) -> Iterator[Item]:
        """Return the questions, in order."""
        return (item for house in self.houses.values() for item in house.questions())

    def reading(self, world: str) -> str:
        """Return the trail."""
        return self.houses[world].trail

    def grade(self, item: Item, reply: str) -> ItemGrade:
        """Grade the name of a room."""
        said = normal(reply)
        return ItemGrade(said if said in (item.choices or ROOMS) else None, said == item.gold)


BENCHMARK = benchmark(
    "Rooms", "Rooms: read a trail through a house, then answer questions about the house.", Houses
)

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        houses = Houses.build(Path(folder) / "houses")
        for name in Houses.baselines:
            found = houses.run(name, out=Path(folder) / name).scores
            print(f"{name:10} knowledge {found['knowledge']:.2f} of {found['ceiling']:.2f}")

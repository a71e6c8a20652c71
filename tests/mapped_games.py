"""Small Z-machine games of known maps: their sources, in Inform 6, and what a player would walk.

A game is rooms by name, each in an object of the game's; rooms may share one, a title or both. Its
true map follows from the description alone (`Walker`), by rules that no program of the package
shares. The source holds the same rules in Inform: no library is needed, so it compiles in
milliseconds.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

WAYS = ("north", "south", "east", "west", "northeast", "southwest", "northwest", "southeast",
        "up", "down")  # fmt: skip
BACK = {way: WAYS[number ^ 1] for number, way in enumerate(WAYS)}
SHORT = {"north": "n", "south": "s", "east": "e", "west": "w", "up": "u", "down": "d",
         "northeast": "ne", "southwest": "sw", "northwest": "nw", "southeast": "se"}  # fmt: skip
DEATH = "death"
"""Where a deadly exit leads."""


@dataclass(frozen=True)
class Room:
    """A room; ``exits`` names where each way leads, ``death``, or ``ROOM DOOR`` through a door.

    ``ROOM death`` leads there and kills.
    """

    exits: Mapping[str, str]
    title: str = ""  # as printed; the room's name unless given
    text: str = "Nothing special."
    within: str = ""  # the object that it is; one of its own unless given
    dark: bool = False


@dataclass(frozen=True)
class Game:
    """A game, and commands that lead through it."""

    rooms: Mapping[str, Room]  # the first is where the game starts
    commands: str  # with blanks between; "enter-boat" is two words
    vehicles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # where each can go
    slams: bool = False  # doors close behind those who pass them
    lift: tuple[str, ...] = ()  # room, way, and where it leads after each press
    ends: str = "Would you like to RESTART, RESTORE a saved game or QUIT?"
    answers: str = "Please give one of the answers above."
    loses: Mapping[str, str] = field(default_factory=dict)  # words that kill, and what they print

    @property
    def typed(self) -> list[str]:
        """The commands."""
        return [word.replace("-", " ") for word in self.commands.split()]


Place = tuple[str, str]
"""A room, and the vehicle in it where the player sits; "" for none."""
Move = tuple[Place, str, Place]


@dataclass
class Walker:
    """A player in a game as it is described, without any program."""

    game: Game
    room: str = ""
    seat: str = ""
    dead: bool = False
    pressed: int = 0
    open: set[str] = field(default_factory=set)
    moored: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.room = self.room or next(iter(self.game.rooms))
        self.moored = self.moored or {name: at[0] for name, at in self.game.vehicles.items()}

    @property
    def place(self) -> Place | None:
        return None if self.dead else (self.room, self.seat)

    def copy(self) -> Walker:
        return Walker(self.game, self.room, self.seat, self.dead, self.pressed, set(self.open),
                      dict(self.moored))  # fmt: skip

    def do(self, command: str) -> None:
        """Follow one command; what means nothing changes nothing."""
        verb, _, thing = command.partition(" ")
        way = next((way for way in WAYS if verb in (way, SHORT[way])), None)
        if self.dead:
            return
        if verb in self.game.loses:
            self.dead = True
        elif verb == "enter" and not self.seat and self.moored[thing] == self.room:
            self.seat = thing
        elif verb == "exit":
            self.seat = ""
        elif verb == "open":
            self.open.add(thing)
        elif verb == "press" and self.game.lift and self.room == self.game.lift[0]:
            self.pressed += 1
        elif way is not None:
            self._go(way)

    def _go(self, way: str) -> None:
        target, _, door = self.game.rooms[self.room].exits.get(way, "").partition(" ")
        if self.game.lift[:2] == (self.room, way):
            target = self.game.lift[2:][self.pressed % len(self.game.lift[2:])]
        if not target or (door not in ("", DEATH) and door not in self.open):
            return
        if DEATH in (target, door):
            self.dead = True
            return
        if self.seat and target not in self.game.vehicles[self.seat]:
            return
        self.room = target
        if self.seat:
            self.moored[self.seat] = target
        if self.game.slams:
            self.open.discard(door)


def long(command: str) -> str:
    """Return a command with a direction written out."""
    return next((way for way in WAYS if command == SHORT[way]), command)


def truth(game: Game) -> tuple[list[Place | None], set[Move], set[Move]]:
    """Return the place after each step, the moves taken, and the compass reverses never taken."""
    walker = Walker(game)
    where: list[Place | None] = [walker.place]
    taken, back = set(), set()
    for command in game.typed:
        walker.do(command)
        before, after = where[-1], walker.place
        where.append(after)
        if before is None or after is None or before == after:
            continue
        taken.add((before, long(command), after))
        reverse = BACK.get(long(command))
        if reverse is not None:
            again = walker.copy()
            again.do(reverse)
            if again.place == before:
                back.add((after, reverse, before))
    return where, taken, back - taken


def compiler() -> Path:
    """Return TextWorld's Inform 6 compiler; skip where it is not installed."""
    textworld = pytest.importorskip("textworld")
    share = Path(textworld.__file__).parent / "thirdparty/inform7-6M62/share/inform7"
    program = share / "Compilers" / "inform6"
    if not program.is_file():
        pytest.skip("TextWorld's Inform 6 compiler is not installed")
    return program


def compiled(game: Game, path: Path) -> Path:
    """Write a game's story file (version 5)."""
    text = path.with_suffix(".inf")
    text.write_text(source(game))
    done = subprocess.run([compiler(), "-v5w~S", text, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    return path


def source(game: Game) -> str:
    """Return a game in Inform 6."""
    numbers = {name: number for number, name in enumerate(game.rooms)}
    vehicles = {name: number for number, name in enumerate(game.vehicles)}
    doors = dict.fromkeys(
        exit.split()[1] for room in game.rooms.values() for exit in room.exits.values()
        if " " in exit and not exit.endswith(DEATH)
    )  # fmt: skip
    objects = dict.fromkeys(room.within or name for name, room in game.rooms.items())
    return "\n".join([
        *(f'Object {_tag("o", name)} "{name}";' for name in objects),
        *(f'Object {_tag("v", name)} "{name}";' for name in vehicles),
        'Object player "yourself";',
        _words("objects", (_tag("o", room.within or name) for name, room in game.rooms.items())),
        _words("vehicles", (_tag("v", name) for name in vehicles)),
        _words("titles", (f'"{room.title or name.title()}"' for name, room in game.rooms.items())),
        _words("texts", (f'"{room.text}"' for room in game.rooms.values())),
        _words("darks", (str(int(room.dark)) for room in game.rooms.values())),
        _words("exits", _exits(game, numbers, list(doors))),
        _words("afloat", _afloat(game)),
        _words("moored", (str(numbers[at[0]]) for at in game.vehicles.values())),
        _words("open", ("0" for _ in doors)),
        _words("floors", (str(numbers[name]) for name in game.lift[2:])),
        f"Constant ROOMS {len(numbers)};",
        f"Constant LIFT {numbers[game.lift[0]] if game.lift else -1};",
        f"Constant LIFTWAY {WAYS.index(game.lift[1]) if game.lift else 0};",
        f"Constant STOPS {len(game.lift[2:])}; Constant SLAMS {int(game.slams)};",
        _CODE,
        _says("says_ends", game.ends), _says("says_answers", game.answers),
        _choice("way_of", {w: n for n, way in enumerate(WAYS) for w in (way, SHORT[way])}),
        _choice("vehicle_of", vehicles), _choice("door_of", {d: n for n, d in enumerate(doors)}),
        _losing(game.loses),
    ])  # fmt: skip


def _tag(kind: str, name: str) -> str:
    return f"{kind}_{name.replace(' ', '_')}"


def _words(name: str, values: Iterator[str] | Sequence[str]) -> str:
    """An array of words; two zeros end it, so that none is too short for Inform."""
    return f"Array {name} --> {' '.join([f'({value})' for value in values] + ['0', '0'])};"


def _exits(game: Game, numbers: Mapping[str, int], doors: list[str]) -> Iterator[str]:
    """Each room's ways: 0 for none, 1 for death, room + 2 otherwise, 100 for each door's number."""
    for room in game.rooms.values():
        for way in WAYS:
            target, _, door = room.exits.get(way, "").partition(" ")
            code = 1 if target == DEATH else numbers[target] + 2 if target else 0
            number = 0 if not door else 99 if door == DEATH else doors.index(door) + 1
            yield str(code + 100 * number)


def _afloat(game: Game) -> Iterator[str]:
    for at in game.vehicles.values():
        yield from (str(int(name in at)) for name in game.rooms)


def _says(name: str, text: str) -> str:
    return f'[ {name}; print "{text}"; ];'


def _choice(name: str, words: Mapping[str, int]) -> str:
    lines = " ".join(f"if (word == '{word}//') return {number};" for word, number in words.items())
    return f"[ {name} word; {lines} return -1; ];"


def _losing(words: Mapping[str, str]) -> str:
    lines = " ".join(
        f"if (word == '{word}//') {{ print \"{text}\"; rtrue; }}" for word, text in words.items()
    )
    return f"[ loses word; {lines} rfalse; ];"


_CODE = """
Global spot; Global last_spot; Global seat = -1; Global dead;
Global turns; Global floor; Global lamp;
Array buffer -> 123; Array parse -> 63;
[ is_dark; return darks-->spot && ~~lamp; ];
[ put;
  if (seat >= 0) { move vehicles-->seat to objects-->spot; move player to vehicles-->seat; rtrue; }
  move player to objects-->spot;
];
[ looks;
  if (is_dark()) { print "Darkness^It is pitch dark, and you can't see a thing.^"; rtrue; }
  print (string) titles-->spot; if (seat >= 0) print " (in the ", (name) vehicles-->seat, ")";
  print "^", (string) texts-->spot, "^";
];
[ dies; dead = 1; new_line; says_ends(); new_line; ];
[ goes way code door;
  code = exits-->(spot * 10 + way); door = code / 100; code = code % 100;
  if (spot == LIFT && way == LIFTWAY) code = floors-->floor + 2;
  if (code == 0) { print "You can't go that way.^"; rtrue; }
  if (door == 99) { spot = code - 2; put(); looks(); new_line; }
  if (door == 99 || code == 1) {
    print "You fall to your death.^^*** You have died ***^"; dies(); rtrue;
  }
  if (door && ~~(open-->(door - 1))) { print "The door is closed.^"; rtrue; }
  if (seat >= 0 && ~~(afloat-->(seat * ROOMS + code - 2))) { print "Not in this.^"; rtrue; }
  last_spot = spot; spot = code - 2;
  if (seat >= 0) moored-->seat = spot;
  put(); looks();
  if (door && SLAMS) { open-->(door - 1) = 0; print "The door falls shut behind you.^"; }
];
[ acts verb noun k;
  if (dead) { says_answers(); new_line; rtrue; }
  k = way_of(verb);
  if (k >= 0) { turns++; goes(k); rtrue; }
  if (loses(verb)) { new_line; dies(); rtrue; }
  switch (verb) {
    'look', 'l//': looks();
    'wait', 'z//': turns++; print "Time passes.^";
    'press': turns++; if (spot == LIFT) { floor = (floor + 1) % STOPS; print "It hums.^"; }
    'light': turns++; lamp = 1; put(); print "There is light.^^"; looks();
    'open': k = door_of(noun); if (k >= 0) { open-->k = 1; print "Opened.^"; }
    'enter': k = vehicle_of(noun); turns++;
      if (seat >= 0 || k < 0 || moored-->k ~= spot) { print "You can't.^"; rtrue; }
      seat = k; put(); print "You get into the ", (name) vehicles-->k, ".^^"; looks();
    'exit': turns++; if (seat < 0) { print "You are not in anything.^"; rtrue; }
      print "You get out of the ", (name) vehicles-->seat, ".^^"; seat = -1; put(); looks();
    default: print "I don't know that word.^";
  }
];
[ Main k;
  for (k = 0: vehicles-->k: k++) move vehicles-->k to objects-->(moored-->k);
  put(); print "A game.^^"; looks();
  while (1) {
    print "^>"; buffer->0 = 120; buffer->1 = 0; parse->0 = 15;
    @aread buffer parse -> k;
    if (parse->1) acts(parse-->1, parse-->3);
  }
];
"""

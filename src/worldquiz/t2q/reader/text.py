"""Parsing of the game's texts (rooms, replies, objectives) and of the player's commands.

Every form of sentence in the game is listed here once. A sentence of another form is kept in
`RoomView.unread` rather than guessed at, so that changes of the texts are noticed.

Some replies leave out a key or a direction, which are then read from the player's command. Simple
matching is enough for this, since the game refuses ambiguous names and things out of sight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

_WAY = r"(?P<way>north|east|south|west)"
_LID = r"(?P<lid>open|closed)"
_NAME = r"(?P<name>.+)"
_LIST = r"(?P<list>.+)"
_HEADING = re.compile(r"^-= (?P<room>.+) =-$", re.MULTILINE)
_CARRYING = re.compile(r"^You are carrying: (?P<list>.+)\.$")


@dataclass(slots=True)
class RoomView:
    """A room as its text describes it. Things that the text does not list are not there."""

    room: str
    exits: dict[str, str | None] = field(default_factory=dict)  # direction -> door, None if bare
    furniture: dict[str, str] = field(default_factory=dict)  # name -> container or supporter
    lids: dict[str, bool] = field(default_factory=dict)  # door or container -> stands open
    contents: dict[str, list[str]] = field(default_factory=dict)  # floor and holders in sight
    unread: list[str] = field(default_factory=list)  # sentences of no known form


_SENTENCES = tuple(
    (form, re.compile(pattern))
    for form, pattern in (
        ("opening", r"(?:You are in|You find yourself in|This is) the .+\."),
        ("exit", rf"There is an exit to the {_WAY}\."),
        ("exit", rf"You can go {_WAY} from here\."),
        ("exit", rf"An open passage leads {_WAY}\."),
        ("exit", rf"There is an? {_LID} {_NAME} leading {_WAY}\."),
        ("container", rf"(?:You see|There is) an? {_LID} {_NAME} here\."),
        ("container", rf"In the corner is an? {_LID} {_NAME}\."),
        ("supporter", rf"(?:You see|There is) an? {_NAME} here\."),
        ("supporter", rf"By the wall stands an? {_NAME}\."),
        ("floor", rf"On the floor you see {_LIST}\."),
        ("holds", rf"On the {_NAME} you (?:see|find) {_LIST}\."),
        ("holds", rf"In the {_NAME} you see {_LIST}\."),
        ("holds", rf"The {_NAME} contains {_LIST}\."),
        ("empty", rf"The {_NAME} is empty\."),
    )
)


def read_view(text: str) -> RoomView | None:
    """Return the room that a text describes, None if it describes none."""
    heading = _HEADING.search(text)
    if heading is None:
        return None
    room = heading["room"].lower()
    view = RoomView(room, contents={room: []})
    for sentence in text[heading.end() :].split(".")[:-1]:
        if words := sentence.split():
            _read_sentence(view, f"{' '.join(words)}.")
    return view


def _read_sentence(view: RoomView, sentence: str) -> None:
    matches = ((form, pattern.fullmatch(sentence)) for form, pattern in _SENTENCES)
    form, match = next((each for each in matches if each[1]), ("", None))
    if match is None:
        view.unread.append(sentence)
        return
    found = match.groupdict()
    name = found.get("name")
    if name and found.get("lid"):
        view.lids[name] = found["lid"] == "open"
    if form == "exit":
        view.exits[found["way"]] = name
    elif form == "floor":
        view.contents[view.room] = read_list(found["list"])
    elif name and form in ("container", "supporter"):
        view.furniture[name] = form
    elif name:
        view.contents[name] = read_list(found["list"]) if form == "holds" else []


def read_list(text: str) -> list[str]:
    """Return the names in "a red hat, an old book and a tin key"."""
    parts = re.split(r", and |, | and ", text)
    return [re.sub(r"^(?:an?|the|some) ", "", part) for part in parts]


def read_inventory(text: str) -> list[str]:
    """Return the names of the carried things."""
    match = _CARRYING.match(text.strip())
    return read_list(match["list"]) if match else []


class Reply(NamedTuple):
    """One statement of a reply; names that it leaves out are in the player's command."""

    said: str
    noun: str | None  # None where the reply says "that"
    second: str | None  # None where it is the floor
    listed: tuple[str, ...] | None  # all things there; None if the reply does not say


_N = r"the (?P<noun>.+?)"
_REPLIES = tuple(
    (said, re.compile(pattern))
    for said, pattern in (
        ("opened", rf"You open {_N}\. It is (?P<empty>empty)\."),
        ("opened", rf"You open {_N}, revealing {_LIST}\."),
        ("opened", rf"You open {_N}\."),
        ("closed", rf"You close {_N}\."),
        ("is open", r"(?:That's|It's) already open\."),
        ("is open", rf"First you would have to close {_N}\."),
        ("is open", r"The (?P<noun>.+) is open\."),
        ("is closed", r"(?:That's|It's) already closed\."),
        ("is closed", rf"You have to open {_N} first\."),
        ("is closed", r"The (?P<noun>.+) is closed\."),
        ("is locked", r"That's locked at the moment\."),
        ("is locked", r"The (?P<noun>.+) is locked\."),
        ("is unlocked", r"That's unlocked at the moment\."),
        ("unlocked", rf"You unlock {_N}\."),
        ("locked", rf"You lock {_N}\."),
        ("does not fit", r"That doesn't seem to fit the lock\."),
        ("took", rf"You pick up {_N} from the floor\."),
        ("took", rf"You take {_N} from the (?P<second>.+)\."),
        ("put", rf"You drop {_N} on the floor\."),
        ("put", rf"You put {_N} (?:on|into) the (?P<second>.+)\."),
        ("ate", rf"You eat {_N}\. Not bad\."),
        ("holds", rf"(?:In|On) the (?P<noun>.+) (?:is|are) {_LIST}\."),
    )
)


def read_replies(text: str) -> Iterator[Reply]:
    """Yield the statements in the lines of a reply; lines of unknown form are left out."""
    for line in text.splitlines():
        for said, pattern in _REPLIES:
            if match := pattern.fullmatch(line.strip()):
                found = match.groupdict()
                names = read_list(found["list"]) if "list" in found else []
                listed = tuple(names) if names or found.get("empty") else None
                yield Reply(said, found.get("noun"), found.get("second"), listed)
                break


MOVED = "After the first tasks, somebody moved some things. "
"""The beginning of the objectives after things were moved."""


class Told(NamedTuple):
    """Information in an objective about one thing at the start."""

    thing: str
    spot: str | None  # a room (its floor) or a holder; None where no place is named
    shut: bool = False  # it is to be opened, and no task is won at the start


_GOAL = re.compile(
    r"Recover (?P<both>.+)\.|Take (?P<one>.+), then (?:put|drop) it (?:on|in) the .+\."
    r"|Find (?P<food>.+), then eat it\.|Make sure that the (?P<shut>.+) is open\."
)
_PLACED = re.compile(r"the (?P<thing>.+?) (?:from|in|on) the (?:floor of the )?(?P<spot>.+)")


def read_objective(text: str) -> list[Told]:
    """Return the statements of an objective about the initial state."""
    match = _GOAL.fullmatch(text.strip())
    if match is None:
        return []
    if match["shut"]:
        return [Told(match["shut"], None, shut=True)]
    parts = match["both"].split(" and ") if match["both"] else [match["one"] or match["food"]]
    found = [_PLACED.fullmatch(part) for part in parts]
    return [Told(each["thing"], each["spot"]) for each in found if each]


_COMPASS = {"n": "north", "e": "east", "s": "south", "w": "west"}
_COMPASS |= {way: way for way in _COMPASS.values()}
_FILLER = {"the", "a", "an", "my", "some", "to", "through", "into"}
_GOING = {"go", "walk", "move", "head", "run", "travel", "enter", "pass"}
_LOCKING = re.compile(r"(?P<verb>unlock|lock) (?P<noun>.+?) (?:with|using) (?P<second>.+)")
_NAMED = re.compile(r"(?:open|close|shut|eat|consume|examine|x) (?P<noun>.+)")


class Wish(NamedTuple):
    """The parts of a player's command that the map uses: verb, direction and names."""

    verb: str = ""  # go, lock, unlock, or empty for any other
    way: str | None = None
    noun: str | None = None
    second: str | None = None


def read_action(action: str, in_sight: Iterable[str], doors: Mapping[str, str]) -> Wish:
    """Read a command that was given where things are `in_sight`, and doors (door -> direction)."""
    plain = _plain(action)
    words = plain.split()
    if words and (words[0] in _GOING or plain in _COMPASS):
        rest = [word for word in words if word not in _FILLER | _GOING]
        if len(rest) == 1 and rest[0] in _COMPASS:
            return Wish("go", _COMPASS[rest[0]])
        door = _resolve(" ".join(rest), sorted(doors))
        return Wish("go", doors[door] if door else None)
    names = sorted(in_sight)
    if match := _LOCKING.fullmatch(plain):
        noun, second = _resolve(match["noun"], names), _resolve(match["second"], names)
        return Wish(match["verb"], noun=noun, second=second)
    match = _NAMED.fullmatch(plain)
    return Wish(noun=_resolve(match["noun"], names)) if match else Wish()


def read_unsighted(action: str, carried: Iterable[str]) -> Wish:
    """Read a command given in an unknown room, where only the names of carried things are known.

    A carried key may be named in part; any other thing must be named in full.
    """
    wish, plain = read_action(action, carried, {}), _plain(action)
    match = _LOCKING.fullmatch(plain) or _NAMED.fullmatch(plain)
    return wish._replace(noun=match["noun"].removeprefix("the ") if match else None)


def _plain(action: str) -> str:
    return " ".join(action.strip().strip("\"'`>").lower().split()).rstrip(".! ")


def _resolve(words: str, names: list[str]) -> str | None:
    """Return the one name that the words give, in full or in part."""
    wanted = [word for word in words.split() if word not in _FILLER]
    if " ".join(wanted) in names:
        return " ".join(wanted)
    found = [name for name in names if wanted and set(wanted) <= set(name.split())]
    return found[0] if len(found) == 1 else None

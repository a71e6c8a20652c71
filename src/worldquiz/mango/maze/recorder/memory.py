"""A Z-machine game's story file, its objects as they lie in memory, and what tells rooms apart.

Jericho's own object calls end at a cap that is too low for several games, so parents and names are
read from memory here, for every version (Z-Machine Standards Document 1.1, sections 1, 3, 11, 12).
The interpreter ends the whole process on a damaged file, so a file is looked at before.

A maze may be one object whose rooms are numbers kept in memory, and its rooms may read alike. What
keeps them is found by a round trip: a move changes it, the move's reverse puts it back, and the
move again changes it to the same. What merely counts turns, or holds the last command, does not.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from worldquiz.errors import WorldError

_HEADER = 0x40
_VERSIONS = (1, 2, 3, 4, 5, 8)
_OBJECTS, _ABBREVIATIONS, _LENGTH, _CHECKSUM = 0x0A, 0x18, 0x1A, 0x1C
_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    " \n0123456789.,!?_#'\"/\\-:()",
)
_NAME_WORDS = 64
"""No object's name is longer than so many words of memory; a longer one is not a name."""

Ground = tuple[int, ...]
"""Addresses of memory, in order."""


def checked(path: Path, known: Container[str] = frozenset()) -> bytes:
    """Return a story file's bytes. Raises `WorldError` naming the file where it is none.

    A file whose MD5 is among the `known` ones is whole, whatever its header says.
    """
    try:
        story = path.read_bytes()
    except OSError as error:
        raise WorldError(f"{path}: cannot be read: {error.strerror or error}") from error
    if hashlib.md5(story, usedforsecurity=False).hexdigest() in known:
        return story
    if len(story) < _HEADER or story[0] not in _VERSIONS:
        raise WorldError(
            f"{path}: is no Z-machine game: wanted a story file of version "
            f"{', '.join(str(version) for version in _VERSIONS)}"
        )
    length, promised = _length(story), word(story, _CHECKSUM)
    if len(story) < length:
        raise WorldError(f"{path}: is cut short: {len(story)} bytes of {length}")
    if length and promised and sum(story[_HEADER:length]) % 0x10000 != promised:
        raise WorldError(f"{path}: is damaged: its checksum is not the {promised} that it says")
    if not _HEADER <= word(story, _OBJECTS) < len(story):
        raise WorldError(f"{path}: is damaged: its object table lies outside of the file")
    return story


def _length(story: bytes) -> int:
    """Return the length that a header states; 0 where it states none, as old games may."""
    unit = 2 if story[0] <= 3 else 4 if story[0] <= 5 else 8
    return unit * word(story, _LENGTH)


def word(memory: bytes, address: int) -> int:
    """Return the 16-bit word at an address."""
    return memory[address] << 8 | memory[address + 1]


class Objects:
    """The object table as it stands in some memory."""

    def __init__(self, ram: bytes, story: bytes) -> None:
        """Take a memory as it is now, and the story file for what lies beyond it.

        Entries end where the first property table begins: that is all that tells their number.
        """
        self._memory = bytes(ram) + story[len(ram) :]
        self._old = story[0] <= 3
        self._entry_size = 9 if self._old else 14
        self._first = word(self._memory, _OBJECTS) + 2 * (31 if self._old else 63)

    @cached_property
    def count(self) -> int:
        """How many objects there are."""
        lowest, number = len(self._memory), 0
        while self._entry(number + 1) + self._entry_size <= lowest and number < 0xFFFF:
            number += 1
            lowest = min(lowest, self._properties(number))
        return number

    def parent(self, number: int) -> int:
        """Return the number of the object that holds this one, 0 for none."""
        entry = self._entry(number)
        return self._memory[entry + 4] if self._old else word(self._memory, entry + 6)

    def parents(self) -> list[int]:
        """Return what holds each object, from the first one on."""
        return [self.parent(number) for number in range(1, self.count + 1)]

    def name(self, number: int) -> str:
        """Return an object's short name, which is never changed by a game; "" for none."""
        address = self._properties(number)
        length = self._memory[address]
        if not 0 < length <= _NAME_WORDS:
            return ""
        return _decoded(self._memory, address + 1, depth=0)

    def _entry(self, number: int) -> int:
        return self._first + self._entry_size * (number - 1)

    def _properties(self, number: int) -> int:
        return word(self._memory, self._entry(number) + self._entry_size - 2)


def _decoded(memory: bytes, address: int, *, depth: int) -> str:
    """Return the text that is packed at an address, abbreviations (one deep) written out."""
    characters: list[int] = []
    while address + 1 < len(memory):
        packed = word(memory, address)
        characters += [packed >> 10 & 31, packed >> 5 & 31, packed & 31]
        address += 2
        if packed & 0x8000:
            break
    text, place, alphabet = [], 0, 0
    while place < len(characters):
        code = characters[place]
        place += 1
        if code == 0:
            text.append(" ")
        elif code <= 3 and place < len(characters) and not depth:
            text.append(_abbreviation(memory, 32 * (code - 1) + characters[place]))
            place += 1
        elif code in (4, 5):
            alphabet = code - 3
            continue
        elif alphabet == 2 and code == 6 and place + 1 < len(characters):
            text.append(chr(characters[place] << 5 | characters[place + 1]))
            place += 2
        elif code >= 6:
            text.append(_ALPHABETS[alphabet][code - 6])
        alphabet = 0
    return "".join(text)


def _abbreviation(memory: bytes, number: int) -> str:
    table = word(memory, _ABBREVIATIONS)
    return _decoded(memory, 2 * word(memory, table + 2 * number), depth=1)


def kept(before: bytes, here: bytes, there: bytes, again: bytes, after: bytes) -> list[int]:
    """Return the addresses that a move changed, its reverse put back, and the move changed again.

    `before` and `after` are the memory around the move itself. The others are taken each after one
    and the same command that takes no turn: `here` after the move, `there` after its reverse,
    `again` after the move once more.
    """
    memories = zip(before, here, there, again, after, strict=True)
    return [
        address
        for address, (old, new, back, twice, now) in enumerate(memories)
        if old == back != new == twice == now
    ]


def grounds(rounds: Iterable[tuple[int, str, Sequence[int]]]) -> dict[int, Ground]:
    """Return, for each object, the addresses that tell its rooms apart.

    A round is an object, an axis (a direction, north and south being one) and what was kept there.
    What says where one is was kept by most moves along its axis, and by those along every axis if
    the rooms are numbered; what else happened to be put back was not. One round alone is no proof.
    """
    votes: dict[int, dict[str, list[Sequence[int]]]] = defaultdict(lambda: defaultdict(list))
    for place, axis, addresses in rounds:
        votes[place][axis].append(addresses)
    return {
        place: _ground(axes)
        for place, axes in votes.items()
        if sum(len(moves) for moves in axes.values()) > 1
    }


def _ground(axes: Mapping[str, Sequence[Sequence[int]]]) -> Ground:
    found = []
    for moves in axes.values():
        counts = Counter(address for addresses in moves for address in addresses)
        found.append({address for address, count in counts.items() if 2 * count > len(moves)})
    return tuple(sorted(set.intersection(*found) or set.union(*found)))

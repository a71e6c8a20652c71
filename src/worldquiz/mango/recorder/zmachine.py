"""Reader of Z-machine story files, and of the object table in a game's memory.

It follows Z-Machine Standards Document 1.1, sections 1, 3, 11 and 12. Jericho's own object calls
stop at a limit that is too low for several games. A damaged file makes the interpreter end the
whole process, so a file is checked before it is loaded.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container
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
"""Most words of memory in an object's name; a longer text is not a name."""


def checked(path: Path, known: Container[str] = frozenset()) -> bytes:
    """Return a story file's bytes. Raises `WorldError` naming the file if it is not a story file.

    A file whose MD5 is in `known` is accepted, whatever its header says.
    """
    try:
        story = path.read_bytes()
    except OSError as error:
        raise WorldError(f"{path}: cannot be read: {error.strerror or error}") from error
    if hashlib.md5(story, usedforsecurity=False).hexdigest() in known:
        return story
    if len(story) < _HEADER or story[0] not in _VERSIONS:
        raise WorldError(
            f"{path}: is not a Z-machine game: expected a story file of version "
            f"{', '.join(str(version) for version in _VERSIONS)}"
        )
    unit = 2 if story[0] <= 3 else 4 if story[0] <= 5 else 8
    length, promised = unit * _word(story, _LENGTH), _word(story, _CHECKSUM)  # 0 in some old games
    if len(story) < length:
        raise WorldError(f"{path}: is cut short: expected {length} bytes, found {len(story)}")
    if length and promised and sum(story[_HEADER:length]) % 0x10000 != promised:
        raise WorldError(f"{path}: is damaged: its checksum is not {promised}")
    if not _HEADER <= _word(story, _OBJECTS) < len(story):
        raise WorldError(f"{path}: is damaged: its object table lies outside the file")
    return story


def _word(memory: bytes, address: int) -> int:
    """Return the 16-bit word at an address."""
    return memory[address] << 8 | memory[address + 1]


class Objects:
    """The object table in a game's memory."""

    def __init__(self, ram: bytes, story: bytes) -> None:
        """Read the table: `ram` is the memory that can change, `story` the file with the rest.

        The number of objects is not stored: entries end where the first property table begins.
        """
        self._ram, self._story = ram, story
        self._old = story[0] <= 3
        self._entry_size = 9 if self._old else 14
        self._first = _word(ram, _OBJECTS) + 2 * (31 if self._old else 63)

    @cached_property
    def _memory(self) -> bytes:
        """The whole memory: the part that can change, followed by the rest of the story file."""
        return self._ram + self._story[len(self._ram) :]

    @cached_property
    def count(self) -> int:
        """Number of objects."""
        lowest, number = len(self._memory), 0
        while self._entry(number + 1) + self._entry_size <= lowest and number < 0xFFFF:
            number += 1
            lowest = min(lowest, self._properties(number))
        return number

    def parent(self, number: int) -> int:
        """Return the number of the object that holds this one, 0 for none."""
        entry = self._entry(number)
        return self._ram[entry + 4] if self._old else _word(self._ram, entry + 6)

    def name(self, number: int) -> str:
        """Return an object's short name, which games never change; "" for none."""
        address = self._properties(number)
        length = self._memory[address]
        if not 0 < length <= _NAME_WORDS:
            return ""
        return _decoded(self._memory, address + 1, depth=0)

    def _entry(self, number: int) -> int:
        return self._first + self._entry_size * (number - 1)

    def _properties(self, number: int) -> int:
        return _word(self._memory, self._entry(number) + self._entry_size - 2)


def _decoded(memory: bytes, address: int, *, depth: int) -> str:
    """Return the text encoded at an address, with abbreviations (one level deep) written out."""
    characters: list[int] = []
    while address + 1 < len(memory):
        packed = _word(memory, address)
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
            entry = _word(memory, _ABBREVIATIONS) + 2 * (32 * (code - 1) + characters[place])
            text.append(_decoded(memory, 2 * _word(memory, entry), depth=1))
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

"""Story files: what is one, and objects read from a memory built by hand, byte for byte."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from worldquiz.errors import WorldError
from worldquiz.mango.recorder.zmachine import Objects, checked


def packed(*codes: int) -> bytes:
    """Pack characters of five bits, three a word, the last word marked."""
    padded = [*codes, *[5] * (-len(codes) % 3)]
    words = [a << 10 | b << 5 | c for a, b, c in zip(*[iter(padded)] * 3, strict=True)]
    words[-1] |= 0x8000
    return b"".join(value.to_bytes(2, "big") for value in words)


HALL = packed(4, 13, 6, 17, 17)  # shift, H, a, l, l
OF = packed(20, 11, 0)  # "of ", as an abbreviation
DEN_OF_9 = packed(9, 10, 19, 0, 1, 0, 5, 17)  # d e n _ (abbreviation 0) shift 9
AT = packed(5, 6, 2, 0)  # a character by its number: 2 * 32 + 0 is "@"


def memory(version: int) -> bytes:
    """Three objects: the second in the first, the third in the second."""
    old = version <= 3
    entry, table = (9, 0x80) if old else (14, 0x80)
    first = table + 2 * (31 if old else 63)
    story = bytearray(0x400)
    story[0] = version
    story[0x0A:0x0C] = table.to_bytes(2, "big")
    story[0x18:0x1A] = (0x60).to_bytes(2, "big")
    story[0x60:0x62] = (0x70 // 2).to_bytes(2, "big")
    story[0x70 : 0x70 + len(OF)] = OF
    place = first + 3 * entry
    for number, name in enumerate((HALL, DEN_OF_9, AT), start=1):
        start = first + entry * (number - 1)
        if old:
            story[start + 4] = number - 1
        else:
            story[start + 6 : start + 8] = (number - 1).to_bytes(2, "big")
        story[start + entry - 2 : start + entry] = place.to_bytes(2, "big")
        story[place] = len(name) // 2
        story[place + 1 : place + 1 + len(name)] = name
        place += 2 + len(name)
    return bytes(story)


@pytest.mark.parametrize("version", [3, 5, 8])
def test_parents_and_names_are_read_in_every_version(version: int) -> None:
    story = memory(version)
    objects = Objects(story[:0x200], story)  # what can change holds every entry
    assert objects.count == 3
    assert [objects.parent(number) for number in (1, 2, 3)] == [0, 1, 2]
    assert [objects.name(number) for number in (1, 2, 3)] == ["Hall", "den of 9", "@"]


def test_what_the_game_changed_is_read_from_its_memory() -> None:
    story = memory(3)
    ram = bytearray(story)
    ram[0x80 + 62 + 9 * 2 + 4] = 1
    assert Objects(bytes(ram), story).parent(3) == 1


def test_an_object_without_a_name_has_an_empty_one() -> None:
    story = bytearray(memory(3))
    story[int.from_bytes(story[0x80 + 62 + 7 : 0x80 + 62 + 9], "big")] = 0
    assert Objects(bytes(story), bytes(story)).name(1) == ""


def test_a_file_that_jericho_knows_is_whole_whatever_its_header_says(tmp_path: Path) -> None:
    path = tmp_path / "odd.z3"
    story = bytearray(memory(3))
    story[0x1C:0x1E] = b"\x12\x34"
    story[0x1A:0x1C] = (len(story) // 2).to_bytes(2, "big")
    path.write_bytes(story)
    with pytest.raises(WorldError, match=r"odd\.z3: is damaged: its checksum"):
        checked(path)
    assert checked(path, {hashlib.md5(story).hexdigest()}) == bytes(story)


def test_an_old_game_without_length_and_checksum_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "old.z3"
    path.write_bytes(memory(3))
    assert checked(path) == memory(3)

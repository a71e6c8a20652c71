"""A journal: whatever happens to its file, every other whole line is read."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.runs.journal_file import JournalFile, framed, whole_lines

LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r")).map(str.encode)
LINES = st.lists(LINE, min_size=1, max_size=6)


@given(LINES)
def test_what_is_written_is_read(lines: list[bytes]) -> None:
    assert whole_lines(b"".join(map(framed, lines))) == (lines, 0)


@given(LINES, st.data())
def test_any_torn_end_costs_the_last_line_at_most(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(map(framed, lines))
    cut = data.draw(st.integers(0, len(whole)))
    ends = [len(b"".join(map(framed, lines[: number + 1]))) for number in range(len(lines))]
    found, _ = whole_lines(whole[:cut])
    assert found == [line for line, end in zip(lines, ends, strict=True) if end - 1 <= cut]


@given(LINES, st.data())
def test_any_damaged_byte_costs_its_own_line_at_most(
    lines: list[bytes], data: st.DataObject
) -> None:
    parts = list(map(framed, lines))
    struck = data.draw(st.integers(0, len(parts) - 1))
    place = data.draw(st.integers(0, len(parts[struck]) - 1))
    byte = data.draw(st.integers(0, 255))
    damaged = bytearray(parts[struck])
    damaged[place] = byte
    found, gaps = whole_lines(b"".join([*parts[:struck], bytes(damaged), *parts[struck + 1 :]]))
    others = [line for number, line in enumerate(lines) if number != struck]
    assert found in (lines, others)
    assert gaps == (found != lines)


@given(LINES, LINE)
def test_a_torn_line_with_others_glued_to_it_costs_itself(lines: list[bytes], torn: bytes) -> None:
    half = framed(torn + b"rest")[:-3]
    found, gaps = whole_lines(framed(b"first") + half + b"".join(map(framed, lines)))
    assert (found, gaps) == ([b"first", *lines], 1)


def test_a_damaged_file_is_healed_when_it_is_read(tmp_path: Path) -> None:
    journal = JournalFile(tmp_path / "journal")
    for line in (b"one", b"two", b"three"):
        journal.append(line, sync=line == b"two")
    data = journal.path.read_bytes()
    journal.path.write_bytes(data.replace(b"two", b"twx")[:-4])
    assert (journal.read(), journal.damaged) == ([b"one"], 1)
    journal.append(b"four")
    assert (journal.read(), journal.damaged) == ([b"one", b"four"], 0)

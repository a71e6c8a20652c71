"""The journal of a run: nothing is lost but a line cut short, also where a disk is full."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import people
import worldquiz as wq
from worldquiz.runs.rows import JournalFile

LINES = st.lists(st.text('aü\u2028{"').map(str.encode), min_size=1, max_size=6)


@given(lines=LINES, data=st.data())
def test_any_torn_end_costs_the_last_line_at_most(
    lines: list[bytes], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    journal = JournalFile(tmp_path_factory.mktemp("torn") / "journal")
    for line in lines:
        journal.append(line, sync=line == lines[0])
    whole = journal.path.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    journal.path.write_bytes(whole[:cut])
    left = whole[:cut].count(b"\n")
    assert journal.read() == lines[:left]
    journal.append(b"next")
    assert journal.read() == [*lines[:left], b"next"]


@pytest.mark.parametrize("line", ["no json", "[]", "{}", '{"game": ["cave"], "task": 1, "id": 2}'])
def test_a_line_that_is_none_is_named_with_the_way_out(tmp_path: Path, line: str) -> None:
    run = people.mazes(tmp_path / "run")
    (run / "rows.jsonl").unlink()
    (run / "scores.json").unlink()
    (run / ".rows.journal").write_text(line + "\n")
    with pytest.raises(wq.WorldquizError, match=r"\.rows\.journal:1"):
        people.mazes(run)


FULL = """
import resource, sys
from pathlib import Path
from worldquiz.runs.rows import JournalFile
journal, errors, kept = JournalFile(Path(sys.argv[1])), 0, []
resource.setrlimit(resource.RLIMIT_FSIZE, (64_000, -1))  # the disk is full
for i in range(400):
    try:
        journal.append(f"{i} {'x' * 200}".encode())
        kept.append(i)
    except OSError:
        errors += 1
        if errors == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))  # space comes back
assert [int(line.split()[0]) for line in journal.read()] == kept
print(errors, len(kept))
"""


def test_a_full_disk_costs_what_was_not_written_and_no_more(tmp_path: Path) -> None:
    """In a process of its own, since its limit on the size of files holds for good."""
    command = [sys.executable, "-c", FULL, str(tmp_path / "journal")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ended.stdout.split() == ["3", "397"]

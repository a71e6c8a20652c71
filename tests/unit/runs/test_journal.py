"""The journal: nothing is lost but a line cut short, and its end is a file in order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import WorldError
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import ANSWERS, JournalFile, Lines, by_id

JOURNAL = ".answers.journal"


def test_lines_are_kept_and_one_cut_short_is_dropped(tmp_path: Path) -> None:
    told: list[str] = []
    first = Lines(tmp_path, by_id, told.append)
    for id in ("b", "a"):
        first.keep({"id": id, "reply": id * 2})
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(b'{"id": "c", "re')
    again = Lines(tmp_path, by_id, silent)
    assert (told, sorted(again.lines)) == (["b", "a"], ["a", "b"])
    again.keep({"id": "c", "reply": "ü"})
    assert Lines(tmp_path, by_id, silent).lines["c"] == {"id": "c", "reply": "ü"}


def test_what_is_finished_is_in_order_and_stays(tmp_path: Path) -> None:
    kept = Lines(tmp_path, by_id, silent)
    for id in ("b", "a"):
        kept.keep({"id": id})
    kept.settle(["a", "b"])
    assert (tmp_path / ANSWERS).read_text() == '{"id": "a"}\n{"id": "b"}\n'
    assert not (tmp_path / JOURNAL).exists()
    again = Lines(tmp_path, by_id, silent)
    again.settle(["a", "b"])
    assert sorted(again.lines) == ["a", "b"]


@pytest.mark.parametrize("line", ["no json\n", "[]\n", '{"reply": "x"}\n'])
def test_what_is_no_line_is_left_out_and_counted(tmp_path: Path, line: str) -> None:
    (tmp_path / JOURNAL).write_text('{"id": "a"}\n' + line + '{"id": "b"}\n')
    kept = Lines(tmp_path, by_id, silent)
    assert (sorted(kept.lines), kept.damaged) == (["a", "b"], 1)
    kept.keep({"id": "c"})
    assert sorted(Lines(tmp_path, by_id, silent).lines) == ["a", "b", "c"]


def test_a_full_disk_costs_what_was_not_written_and_no_more(tmp_path: Path) -> None:
    """In a process of its own, since its limit on the size of files holds for good."""
    script = tmp_path / "full.py"
    script.write_text(FULL)
    ended = subprocess.run(
        [sys.executable, script, tmp_path], capture_output=True, text=True, check=True
    )
    errors, kept = ended.stdout.split()
    assert int(errors) == 3
    assert int(kept) == 397
    again = Lines(tmp_path, by_id, silent)
    assert (len(again.lines), again.damaged) == (397, 0)


FULL = """
import resource, sys
from pathlib import Path
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import Lines, by_id
lines, errors = Lines(Path(sys.argv[1]), by_id, silent), 0
resource.setrlimit(resource.RLIMIT_FSIZE, (64_000, -1))  # the disk is full
for i in range(400):
    try:
        lines.keep({"id": f"q{i}", "reply": "x" * 200})
    except OSError:
        errors += 1
        assert f"q{i}" not in lines.lines
        if errors == 3:
            resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))  # space comes back
print(errors, len(lines.lines))
"""


def test_units_that_failed_are_told_and_can_be_opened_again(tmp_path: Path) -> None:
    kept = Lines(tmp_path, by_id, silent)
    kept.keep({"id": "a", "reply": "x"})
    kept.lose({"id": "b"}, WorldError("no such room"))
    kept.fail("b")
    assert kept.failed() == {"b": "no such room"}
    kept.settle(["a", "b"])
    again = Lines(tmp_path, by_id, silent)
    again.reopen(failed=False)
    assert again.failed() == {"b": "no such room"}
    again.settle(["a", "b"])
    last = Lines(tmp_path, by_id, silent)
    last.reopen(failed=True)
    assert not (tmp_path / ANSWERS).exists()
    assert sorted(Lines(tmp_path, by_id, silent).lines) == ["a"]


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
    assert journal.damaged == (not whole[:cut].endswith(b"\n") and cut > 0)
    journal.append(b"next")
    assert journal.read() == [*lines[:left], b"next"]

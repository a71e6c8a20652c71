"""The journal: nothing is lost but a line cut short, and its end is a file in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.runs.executor import silent
from worldquiz.runs.journal import ANSWERS, Lines, by_id

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
def test_a_journal_that_is_none_is_told_by_line(tmp_path: Path, line: str) -> None:
    (tmp_path / JOURNAL).write_text('{"id": "a"}\n' + line)
    with pytest.raises(RecordError, match=":2: is no reply"):
        Lines(tmp_path, by_id, silent)

"""The journal: nothing is lost but a line cut short, and its end is a file in order."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.evals.tea.exam.journal import ANSWERS, JOURNAL, Journal


def test_lines_are_kept_and_one_cut_short_is_dropped(tmp_path: Path) -> None:
    told: list[str] = []
    first = Journal(tmp_path, told.append)
    for id in ("b", "a"):
        first.add({"id": id, "reply": id * 2})
    with (tmp_path / JOURNAL).open("ab") as stream:
        stream.write(b'{"id": "c", "re')
    again = Journal(tmp_path)
    assert (told, sorted(again.lines)) == (["b", "a"], ["a", "b"])
    again.add({"id": "c", "reply": "ü"})
    assert Journal(tmp_path).lines["c"] == {"id": "c", "reply": "ü"}


def test_what_is_finished_is_in_order_and_stays(tmp_path: Path) -> None:
    kept = Journal(tmp_path)
    for id in ("b", "a"):
        kept.add({"id": id})
    kept.finish(["a", "b"])
    assert (tmp_path / ANSWERS).read_text() == '{"id": "a"}\n{"id": "b"}\n'
    assert not (tmp_path / JOURNAL).exists()
    again = Journal(tmp_path)
    again.finish(["a", "b"])
    assert sorted(again.lines) == ["a", "b"]


@pytest.mark.parametrize("line", ["no json\n", "[]\n", '{"reply": "x"}\n'])
def test_a_journal_that_is_none_is_told_by_line(tmp_path: Path, line: str) -> None:
    (tmp_path / JOURNAL).write_text('{"id": "a"}\n' + line)
    with pytest.raises(RecordError, match=":2: is no reply"):
        Journal(tmp_path)

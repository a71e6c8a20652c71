"""An export's manifest: what differs from it is named, and never taken for whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from worldquiz.errors import RecordError
from worldquiz.tea.export import record
from worldquiz.tea.export.record import Drawn

DRAWN = Drawn("d" * 64, 3, every=False, tasks=5, walks=2, scenes=("flat-0",))
TABLE = "WorldQuizTEA_open_0123456789abcdef.tsv"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An export of one task."""
    out = tmp_path / "out"
    out.mkdir()
    rows = ("id\ttype\timage\tquestion\tanswer", "depth/x\tdepth\tAA==\tHow far?\t1.5")
    (out / TABLE).write_text("\n".join(rows))
    (out / "README.md").write_text("Read me.")
    told = {"rows": {"open": 1}, "by_type": {"depth": 1}}
    record.finish(out, record.wanted("vlmevalkit", DRAWN), told)
    return out


def test_what_was_written_is_whole(folder: Path) -> None:
    found = record.check(folder)
    assert found["drawn"]["seed"] == 3
    assert set(found["files"]) == {"README.md", TABLE}
    assert record.there(folder, record.wanted("vlmevalkit", DRAWN))


@pytest.mark.parametrize("harm", ["changed", "gone", "more"])
def test_a_file_that_changed_went_or_came_is_named(folder: Path, harm: str) -> None:
    path = folder / ("extra.txt" if harm == "more" else "README.md")
    path.unlink() if harm == "gone" else path.write_text("Something else.")
    with pytest.raises(RecordError, match=path.name):
        record.check(folder)


def test_other_counts_are_no_whole(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"rows": {"open": 2}}))
    with pytest.raises(RecordError, match="other numbers of tasks"):
        record.check(folder)


def test_another_export_is_told_apart_by_what_differs(folder: Path) -> None:
    other = record.wanted("parquet", DRAWN)
    with pytest.raises(RecordError, match=r"format was 'vlmevalkit', is now 'parquet'"):
        record.there(folder, other)
    assert record.key(other) != record.key(record.wanted("vlmevalkit", DRAWN))


def test_an_empty_folder_is_free_and_a_strange_one_is_not(tmp_path: Path) -> None:
    wanted = record.wanted("parquet", DRAWN)
    assert not record.there(tmp_path / "new", wanted)
    assert not record.there(tmp_path, wanted)
    (tmp_path / "letter.txt").write_text("Dear reader")
    with pytest.raises(RecordError, match="no export of tasks"):
        record.there(tmp_path, wanted)
    (tmp_path / "manifest.json").write_text('{"kind": "tea"}')
    with pytest.raises(RecordError, match="something else than an export"):
        record.there(tmp_path, wanted)


def test_an_unknown_format_is_guessed() -> None:
    with pytest.raises(RecordError, match="did you mean 'parquet'"):
        record.known("parqet")

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from conftest import no_file_beyond
from worldquiz.errors import RecordError
from worldquiz.facts.fact import Fact
from worldquiz.records import (
    SCHEMA_VERSION,
    Told,
    digest,
    read_bytes,
    read_json,
    read_records,
    write_bytes,
    write_folder,
    write_records,
    write_text,
)
from worldquiz.t2q.world.predicates import AT


@dataclass(frozen=True, slots=True)
class Note:
    """A record to try things on."""

    name: str
    facts: tuple[Fact, ...] = ()
    score: float | None = None


NOTES = [Note("first", (AT("apple", "attic"),), 0.5), Note("zweite ü\u2028\n"), Note("")]


def write(path: Path, notes: list[Note] = NOTES) -> Path:
    write_records(path, "note", Note, notes)
    return path


def read(path: Path) -> list[Note]:
    return read_records(path, "note", Note)


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    assert read(write(tmp_path / "notes.jsonl")) == NOTES


@pytest.mark.parametrize("kept", range(0, 160, 20))
def test_a_file_cut_anywhere_is_noticed(tmp_path: Path, kept: int) -> None:
    path = write(tmp_path / "notes.jsonl")
    whole = path.read_bytes()
    assert kept < len(whole)
    path.write_bytes(whole[:kept])
    with pytest.raises(RecordError, match=r"notes\.jsonl") as error:
        read(path)
    assert any(word in str(error.value) for word in ("cut short", "not text"))


@dataclass(frozen=True)
class Cat:
    kind: Literal["cat"]


@dataclass(frozen=True)
class Dog:
    kind: Literal["dog"]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            '{"kind":"cow"}',
            r":2: record: Input tag 'cow' .* tags: 'cat', 'dog': .*: restore the file",
        ),
        ('{"kin":"cat"}', r":2: record: Unable to extract tag using discriminator 'kind'"),
        ("7", r":2: record: Input should be "),
        ('{"kind":[', r":2: is not JSON"),
    ],
)
def test_a_record_of_no_known_kind_is_told_plainly(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "pets.jsonl"
    path.write_text(f'{{"records": 1, "schema": "worldquiz/pet", "version": 1}}\n{line}\n')
    with pytest.raises(RecordError, match=message):
        read_records(path, "pet", Pet)


def test_a_key_that_a_file_lacks_is_the_files_fault() -> None:
    told = Told({"asked": {"seed": 3}, ("toy", "df"): 1}, "m.json:7")
    assert told == {"asked": {"seed": 3}, ("toy", "df"): 1}
    assert told.get("gone") is None
    assert pickle.loads(pickle.dumps(told)).where == "m.json:7"
    with pytest.raises(RecordError, match=r"^m\.json:7: has no 'sed', so it is damaged: restore"):
        told["asked"]["sed"]
    with pytest.raises(RecordError, match="has no 'toy/rf'"):
        told["toy", "rf"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("", ":1: is not JSON"),
        ("{}", ":1: records: Field required"),
        ('{"records": "x", "schema": "worldquiz/note", "version": 1}', ":1: records: Input should"),
        (
            '{"records": 3, "schema": "worldquiz/task", "version": 1}',
            "holds worldquiz/task, version 1, expected worldquiz/note",
        ),
        ('{"records": 3, "version": 1}', ":1: schema: Field required"),
        ('{"records": 3, "schema": "worldquiz/note", "version": 99}', "version 99, expected"),
    ],
)
def test_a_strange_header_is_named(tmp_path: Path, header: str, message: str) -> None:
    path = write(tmp_path / "notes.jsonl")
    lines = path.read_text().split("\n")
    path.write_text("\n".join([header, *lines[1:]]), encoding="utf-8")
    with pytest.raises(RecordError, match=message):
        read(path)
    assert SCHEMA_VERSION == 1


@pytest.mark.parametrize("reader", [read, read_json, read_bytes], ids=["records", "json", "bytes"])
def test_what_is_not_there_is_named(tmp_path: Path, reader: Callable[[Path], object]) -> None:
    with pytest.raises(RecordError, match="gone: no such file"):
        reader(tmp_path / "gone")
    with pytest.raises(RecordError, match="cannot read: Is a directory"):
        reader(tmp_path)


def test_writing_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    write_text(tmp_path / "deep" / "er" / "a.txt", "x")
    write_text(tmp_path / "deep" / "er" / "a.txt", "y")
    assert [path.name for path in (tmp_path / "deep" / "er").iterdir()] == ["a.txt"]
    assert (tmp_path / "deep" / "er" / "a.txt").read_text() == "y"


def test_where_nothing_more_fits_the_old_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "notes.jsonl"
    write_text(path, "old")
    with (
        no_file_beyond(1000),
        pytest.raises(RecordError, match="File too large; the file is unchanged"),
    ):
        write_bytes(path, b"x" * 5000)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.jsonl"]


def test_digests_tell_splits_apart() -> None:
    assert digest("ab", "c") != digest("a", "bc")
    assert digest("ab") != digest("ab", "")
    assert digest("ü") == digest("ü".encode())


@pytest.mark.parametrize("made_by", ["open", "mkdir"])
def test_a_signal_just_after_something_was_made_leaves_nothing(
    made_by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = getattr(Path, made_by)

    def interrupted(self: Path, *arguments: Any, **options: Any) -> None:
        made = make(self, *arguments, **options)
        if self.name.startswith("."):
            if made is not None:
                made.close()
            raise KeyboardInterrupt

    monkeypatch.setattr(Path, made_by, interrupted)
    target = tmp_path / "target"
    with pytest.raises(KeyboardInterrupt):
        write_bytes(target, b"x") if made_by == "open" else write_folder(target, lambda aside: None)
    assert not list(tmp_path.iterdir())

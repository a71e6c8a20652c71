"""Limits on what files from elsewhere may say."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evil import NAMES
from worldquiz.errors import RecordError
from worldquiz.records import (
    LONGEST_NAME,
    beneath,
    loads,
    parsed,
    plain_name,
    plain_names,
    read_bytes,
    read_json,
)

EVIL = (*NAMES, "a" * (LONGEST_NAME + 1), "a\u2028b", "lpt9.x", 5, None, ["x"])


@pytest.mark.parametrize("name", EVIL, ids=ascii)
def test_a_name_that_leads_elsewhere_is_refused(name: object) -> None:
    for check in (plain_name, beneath, lambda each, place: plain_names([each], place)):
        if check is beneath and name == "a/b":
            continue
        with pytest.raises(RecordError, match=r"^m\.json: the name .* cannot be part of a path"):
            check(name, "m.json")


@given(st.text())
def test_what_passes_is_one_part_of_a_path_on_every_system(name: str) -> None:
    kept = None
    with suppress(RecordError):
        kept = plain_name(name, "m.json")
    if kept is not None:
        assert PurePosixPath("a", kept).parts == ("a", kept)
        assert PureWindowsPath("a", kept).parts == ("a", kept)
        assert os.fsencode(kept)


@pytest.mark.parametrize(("one", "two"), [("A", "a"), ("é", "e\u0301"), ("ﬁ", "fi"), ("ß", "SS")])
def test_names_that_are_one_file_elsewhere_are_refused(one: str, two: str) -> None:
    with pytest.raises(RecordError, match="mean the same file on some systems"):
        plain_names([one, two], "m.json")
    assert plain_names([one, one, "other"], "m.json") == (one, "other")


@given(st.one_of(st.text(), st.binary()))
def test_any_text_is_json_or_a_value_error(text: str | bytes) -> None:
    with suppress(ValueError):
        loads(text)


VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abé"), inner),
)  # fmt: skip


@given(VALUES)
def test_a_document_within_the_limits_is_read_as_it_is(value: Any) -> None:
    assert loads(json.dumps(value)) == json.loads(json.dumps(value))
    assert loads(json.dumps(value, ensure_ascii=False).encode()) == json.loads(json.dumps(value))


BEYOND = {
    "deep lists": "[" * 300 + "]" * 300,
    "deep objects": '{"a":' * 300 + "1" + "}" * 300,
    "endless lists": "[" * 100_000,
    "digits": "9" * 400,
    "5,000 digits": "1" * 5_000,
    "too large": "1e999",
    "NaN": "[NaN]",
    "infinite": "-Infinity",
    "half a character": '"\\ud800"',
    "half a character in capitals": '{"\\uDC00": 1}',
}


@pytest.mark.parametrize("text", BEYOND.values(), ids=BEYOND)
def test_json_beyond_the_limits_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError):
        loads(text)
    with pytest.raises(RecordError, match=r"^here:3: is not JSON"):
        parsed(text, "here:3")
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(RecordError, match=r"x\.json"):
        read_json(tmp_path / "x.json")


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordError, match="pipe: is not an ordinary file"):
        read_bytes(tmp_path / "pipe")
    with pytest.raises(RecordError, match="null"):
        read_bytes(tmp_path / "a\0b")


def test_a_document_of_countless_values_is_refused_before_it_is_read() -> None:
    with pytest.raises(ValueError, match="more than 10,000,000 values"):
        loads("[" + "[]," * 5_000_000 + "[]]")

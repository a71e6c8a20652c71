"""Working copies: the store wins, what cost money is kept, and no key leads elsewhere."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stores import memory, on_machine, stored, tree
from worldquiz import trust
from worldquiz.addresses import local
from worldquiz.errors import MissingExtra, RecordError
from worldquiz.runs.folder import claimed
from worldquiz.runs.journal_file import JournalFile, framed, whole_lines
from worldquiz.runs.lease import LENGTH
from worldquiz.runs.store import fetched, uploaded, writer
from worldquiz.runs.working_copy import WorkingCopy

ROOT, WHERE = "/bucket/runs/one", "memory://bucket/runs/one"
JOURNAL = ".answers.journal"


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Any]:
    with on_machine(tmp_path / "cache"):
        yield memory()


def write(name: str, text: str) -> None:
    path = local(WHERE) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# What machines do: finish a piece of work, or be killed before anything of it is uploaded.
ACTS = st.lists(
    st.tuples(
        st.sampled_from("AB"),
        st.sampled_from(["append", "world", "scores", "unscore"]),
        st.booleans(),  # killed
    ),
    max_size=8,
)


@settings(max_examples=25)
@given(ACTS)
def test_two_machines_in_turn_lose_nothing_paid_and_end_alike(
    acts: list[tuple[str, str, bool]],
) -> None:
    files = memory()
    paid: set[bytes] = set()
    with tempfile.TemporaryDirectory() as home:
        for number, (machine, act, killed) in enumerate(
            [*acts, ("A", "", False), ("B", "", False)]
        ):
            with on_machine(Path(home) / machine):
                if killed:
                    WorkingCopy(WHERE).fetch()
                    do(act, number, paid)
                    continue
                with claimed(local(WHERE)):
                    do(act, number, paid)
                assert stored(files, ROOT) == tree(local(WHERE))
        with on_machine(Path(home) / "A"):
            assert tree(fetched(WHERE)) == stored(files, ROOT)
    lines, gaps = whole_lines(stored(files, ROOT).get(JOURNAL, b""))
    assert (set(lines), gaps) == (paid, 0)


def do(act: str, number: int, paid: set[bytes]) -> None:
    """Change the copy of this machine."""
    folder = local(WHERE)
    folder.mkdir(parents=True, exist_ok=True)
    if act == "append":
        line = b'{"id": %d}' % number
        JournalFile(folder / JOURNAL).append(line)
        paid.add(line)
    elif act == "world":
        write(f"worlds/w{number}/quiz.jsonl", str(number))
    elif act == "scores":
        write("scores.json", str(number))
    elif act == "unscore":
        (folder / "scores.json").unlink(missing_ok=True)


def test_a_killed_copy_keeps_its_worlds_where_the_store_has_not_changed(
    files: Any, tmp_path: Path
) -> None:
    write("worlds/w1/quiz.jsonl", "kept")
    with claimed(local(WHERE)):
        assert (local(WHERE) / "worlds/w1/quiz.jsonl").read_text() == "kept"
    assert stored(files, ROOT) == {"worlds/w1/quiz.jsonl": b"kept"}


def test_files_that_are_not_finished_stay_here(files: Any) -> None:
    with claimed(local(WHERE)):
        write(".manifest.json.x1", "half")
        write("worlds/.w1.x2/quiz.jsonl", "half")
        write(".calls/w1.journal", "a call")
        write(JOURNAL, "a reply")
    assert stored(files, ROOT).keys() == {".calls/w1.journal", JOURNAL}


class Watched:
    """A store that notes in which order it is written."""

    def __init__(self, files: Any) -> None:
        self._files = files
        self.told: list[tuple[str, tuple[str, ...]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def put(self, here: list[str], there: list[str]) -> None:
        self.told.append(("put", tuple(name.removeprefix(f"{ROOT}/") for name in there)))
        self._files.put(here, there)

    def rm(self, there: list[str]) -> None:
        self.told.append(("rm", tuple(name.removeprefix(f"{ROOT}/") for name in there)))
        self._files.rm(there)


def test_the_manifest_and_the_scores_come_last_and_old_scores_go_first(files: Any) -> None:
    copy = WorkingCopy(WHERE, last=("manifest.json", "scores.json"))
    copy.files = watched = Watched(files)
    for name in ("scores.json", "manifest.json", "answers.jsonl", "worlds/w1/quiz.jsonl"):
        write(name, "1")
    copy.upload()
    kinds = [names for what, names in watched.told if what == "put"]
    assert set(kinds[0]) == {"answers.jsonl", "worlds/w1/quiz.jsonl"}
    assert kinds[1:] == [("manifest.json",), ("scores.json",)]

    watched.told.clear()
    write("scores.json", "22")
    copy.upload()
    assert watched.told == [("put", ("scores.json",))]  # computed again: nothing else changed

    watched.told.clear()
    (local(WHERE) / "answers.jsonl").unlink()
    write(JOURNAL, "paid")
    write("scores.json", "333")
    copy.upload()
    assert watched.told == [
        ("rm", ("scores.json",)), ("put", (JOURNAL,)), ("put", ("scores.json",)),
        ("rm", ("answers.jsonl",)),
    ]  # fmt: skip


def test_what_was_settled_elsewhere_ends_the_journal_here(files: Any, tmp_path: Path) -> None:
    with claimed(local(WHERE)):
        write(JOURNAL, framed(b"{}").decode())
    with on_machine(tmp_path / "B"), claimed(local(WHERE)):
        (local(WHERE) / JOURNAL).unlink()
        write("answers.jsonl", "{}")
    JournalFile(local(WHERE) / JOURNAL).append(b'{"late": 1}')
    assert tree(fetched(WHERE)) == {"answers.jsonl": b"{}"}


def test_a_copy_that_was_deleted_is_fetched_again(files: Any) -> None:
    import shutil

    with claimed(local(WHERE)):
        write("worlds/w1/quiz.jsonl", "kept")
        write("manifest.json", "{}")
    shutil.rmtree(local(WHERE))
    with claimed(local(WHERE)):
        assert tree(local(WHERE)).keys() == {"manifest.json", "worlds/w1/quiz.jsonl"}
    assert stored(files, ROOT).keys() == {"manifest.json", "worlds/w1/quiz.jsonl"}


def test_only_what_changed_is_fetched(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        files.pipe_file(f"{ROOT}/worlds/w{number}/quiz.jsonl", b"1")
    fetched(WHERE)
    files.pipe_file(f"{ROOT}/worlds/w1/quiz.jsonl", b"2")
    got: list[str] = []
    get = type(files).get

    def noted(self: Any, there: list[str], here: list[str]) -> None:
        got.extend(there)
        get(self, there, here)

    monkeypatch.setattr(type(files), "get", noted)
    assert (fetched(WHERE) / "worlds/w1/quiz.jsonl").read_text() == "2"
    assert got == [f"{ROOT}/worlds/w1/quiz.jsonl"]


def test_a_folder_that_this_machine_writes_is_not_fetched_over(files: Any) -> None:
    with claimed(local(WHERE)):
        write("manifest.json", "newer")
        files.pipe_file(f"{ROOT}/manifest.json", b"older")
        assert (fetched(WHERE) / "manifest.json").read_text() == "newer"
        assert writer(local(WHERE)) is not None
    assert writer(local(WHERE)) is None


def test_who_is_refused_the_claim_changes_nothing(files: Any, tmp_path: Path) -> None:
    with claimed(local(WHERE)):
        write("manifest.json", "theirs")
        with on_machine(tmp_path / "B"):
            write("manifest.json", "mine")
            with (
                pytest.raises(RecordError, match=f"^{WHERE}: another worldquiz is writing here"),
                claimed(local(WHERE)),
            ):
                pass
    assert stored(files, ROOT) == {"manifest.json": b"theirs"}


def test_a_writer_that_was_followed_is_stopped_and_uploads_nothing(
    files: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its claim ran out, as of a machine that slept, and another one took the folder."""
    import time

    monkeypatch.setenv(LENGTH, "0.6")

    def work() -> None:
        files.pipe_file(
            f"{ROOT}/.claims/00000002.json",
            b'{"copy": "b", "host": "h", "process": 1, "length": 60, "until": 9e10}',
        )
        write("manifest.json", "mine")
        for _ in range(600):
            time.sleep(0.05)

    with pytest.raises(KeyboardInterrupt), claimed(local(WHERE)):
        work()
    assert stored(files, ROOT) == {}
    said = capsys.readouterr().err
    assert "another worldquiz has claimed this folder meanwhile" in said
    assert "what is done is kept on this machine" in said


@pytest.mark.parametrize(
    "key",
    ["../x", "a/../../x", ".hidden", "a/.b/c.jsonl", "con", "a\\b", "a\nb",
     "x" * 300, "../x.journal", "..journal/x.journal", ".calls/../x.journal"],
)  # fmt: skip
def test_keys_that_lead_elsewhere_are_refused(key: str, files: Any, tmp_path: Path) -> None:
    files.store[f"{ROOT}/good.json"] = files.store[f"{ROOT}/{key}"] = _file(files, b"evil")
    with pytest.raises(RecordError, match="do not trust"):
        fetched(WHERE)
    assert not local(WHERE).exists()


def _file(files: Any, data: bytes) -> Any:
    files.pipe_file("/other/file", data)
    return files.store["/other/file"]


def test_too_many_and_too_large_files_are_refused(
    files: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        files.pipe_file(f"{ROOT}/{name}", b"12345")
    with monkeypatch.context() as patch:
        patch.setattr(trust, "MOST_FILES", 1)
        with pytest.raises(RecordError, match="more than 1 files"):
            fetched(WHERE)
    monkeypatch.setattr(trust, "MOST_BYTES", 4)
    with pytest.raises(RecordError, match="larger than 4 bytes"):
        fetched(WHERE)


@pytest.mark.parametrize(
    "where", ["memory://bucket/../x", "memory://bucket/.ssh", "memory://con/x"]
)
def test_addresses_of_no_plain_names_are_refused(where: str, files: Any) -> None:
    with pytest.raises(RecordError, match="would become part of a path"):
        fetched(where)


def test_a_store_that_nobody_knows_is_named(files: Any) -> None:
    with pytest.raises(RecordError, match="no store is known by 'nowhere'"):
        fetched("nowhere://bucket/x")


def test_a_library_that_is_missing_is_named(files: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(MissingExtra, match=r"fsspec .*worldquiz\[store\]"):
        fetched(WHERE)


def test_a_page_and_what_goes_beside_it_are_uploaded(files: Any) -> None:
    files.pipe_file("/bucket/pages/old.html", b"old")
    with uploaded("memory://bucket/pages/q.parquet") as target:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(b"rows")
        target.with_name("q.croissant.json").write_bytes(b"about")
        (target.parent / "inner").mkdir()
        (target.parent / "inner" / "other").write_bytes(b"not ours")
    assert stored(files, "/bucket/pages") == {
        "old.html": b"old", "q.croissant.json": b"about", "q.parquet": b"rows",
    }  # fmt: skip


def test_an_export_that_fails_uploads_nothing(files: Any) -> None:
    def fail(target: Path) -> None:
        target.mkdir(parents=True)
        (target / "a.csv").write_text("half")
        raise ValueError("half")

    with pytest.raises(ValueError, match="half"), uploaded("memory://bucket/table") as target:
        fail(target)
    assert stored(files, "/bucket/table") == {}


def test_local_paths_need_no_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with claimed(tmp_path / "run"), uploaded(tmp_path / "page.html") as page:
        assert page == tmp_path / "page.html"
    assert fetched(f"file://{tmp_path}/run") == tmp_path / "run"

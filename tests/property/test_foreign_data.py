"""Data from elsewhere: whatever it says, an error of ours, and nothing written outside.

Files are mutated by bytes and by JSON; digests in a folder's manifest are made right, as whoever
means harm would. Names that lead elsewhere are put in place of good ones.
"""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import evil
import foreign
import people
import synthetic
import worldquiz as wq
from command import tree, worldquiz
from deep import DEEP, some
from worldquiz.errors import WorldquizError
from worldquiz.records import digest

CASES = 400 if DEEP else 20
"""How many inputs each reader is given."""
FOLDERS: dict[str, Callable[[Path], object]] = {
    "suite": lambda path: wq.t2q.build("easy", worlds=1, seed=5, out=path),
    "mazes": lambda path: wq.mango.build(mazes=1, size=6, seed=1, out=path),
    "run of Task2Quiz": people.worlds,
    "run of a model": lambda path: people.worlds(path, synthetic.model_run()),
    "run of MANGO": people.mazes,
    "run of TEA": people.tasks,
    "run of recall": people.views,
}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return a folder of a kind, made when it is asked for; nobody may write into it."""
    home = tmp_path_factory.mktemp("whole")

    def made(kind: str) -> Path:
        if not (home / kind).exists():
            FOLDERS[kind](home / kind)
        return home / kind

    return made


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A deep folder to work in; whatever is written outside of it fails the test."""
    place = tmp_path / "a" / "b" / "c"
    (place / "tmp").mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(place / "tmp"))
    with evil.witness(place) as written:
        yield place
    assert written == []


def ends(*words: object, codes: tuple[int, ...] = (0, 1, 2, 3), about: object = "") -> None:
    """See that a command ends with one of these codes, and if not well, then with one line."""
    said = worldquiz(*words)
    lines = said.err.splitlines()
    assert said.code in codes, (words, said)
    assert said.code == 0 or (len(lines) == 1 and lines[0].isprintable()), (words, said)
    assert said.code == 0 or str(about) in lines[0], (words, said)


# Mutated files


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_changed_file_of_a_folder_ends_as_one_line(
    kind: str, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, other = (shutil.copytree(whole(kind), tmp_path / name) for name in ("run", "other"))
    verbs: tuple[tuple[object, ...], ...] = (("check", folder), ("show", folder))
    if "run" in kind:
        export = ("export", folder, "--out", tmp_path / "rows.parquet")
        verbs = (("check", folder), ("show", folder), ("score", folder), export,
                 ("compare", folder, other), ("report", folder, "--out", tmp_path / "page.html"),
        )  # fmt: skip
    files = tree(folder)
    for verb in verbs:
        ends(*verb, codes=(0,))
    told = [name for name in files if Path(name).suffix not in (".png", ".md", ".html")]
    for number in range(CASES):
        draw = Random(f"{kind} {number}")
        name = draw.choice(told)
        data = evil.mutated(draw, files[name])
        (folder / name).write_bytes(data)
        for manifest in {"manifest.json", "plan.json"} & files.keys() - {name}:
            text = files[manifest]
            for digested in (digest, lambda each: hashlib.sha256(each).hexdigest()):
                text = text.replace(digested(files[name]).encode(), digested(data).encode())
            (folder / manifest).write_bytes(text)
        for verb in verbs if number % 4 == 0 else verbs[:5]:  # a page takes a second
            ends(*verb, about=folder)
        for name, data in files.items():
            (folder / name).write_bytes(data)


@pytest.mark.parametrize("kind", ["glb", "sh3d"])
def test_a_changed_file_of_another_program_ends_as_one_line(kind: str, tmp_path: Path) -> None:
    file = foreign.glb(tmp_path / "a.glb") if kind == "glb" else foreign.HOME
    for number in range(max(4, CASES // 6)):
        draw, stream, data = Random(f"{kind} {number}"), io.BytesIO(), file.read_bytes()
        if kind == "sh3d" and number % 2:
            with zipfile.ZipFile(file) as old, zipfile.ZipFile(stream, "w") as new:
                for name in old.namelist():
                    new.writestr(name, evil.mutated(draw, old.read(name)))
            data = stream.getvalue()
        other = tmp_path / f"b{file.suffix}"
        other.write_bytes(evil.mutated(draw, data))
        ends("tea", "scene", "--import", other, "--out", tmp_path / "home")
        shutil.rmtree(tmp_path / "home", ignore_errors=True)


# Names that lead elsewhere


def renamed(folder: Path, old: str, new: str) -> None:
    """Put another name into every document of a folder and on its files, as its maker could."""
    for path in folder.rglob("*.json*"):
        path.write_text(path.read_text().replace(json.dumps(old), json.dumps(new)))
    for path in sorted(folder.rglob(f"*{old}*"), reverse=True):
        with suppress(OSError, ValueError):  # the name may be none for a file system
            target = path.with_name(path.name.replace(old, new))
            if target.resolve().is_relative_to(folder):
                path.rename(target)


FOLDER_NAMES = ("con", "x.", "a\nb", "\x1b[31m", "a\u202eb", " x", "x ")
"""Names that a folder can have here, and should not."""


@pytest.fixture
def made(whole: Callable[[str], Path]) -> dict[str, Path]:
    """Folders made before `room` watches what is written."""
    return {kind: whole(kind) for kind in ("suite", "mazes", "run of Task2Quiz")}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        *(("suite", name) for name in some(evil.NAMES, 6)),
        *(("run of Task2Quiz", name) for name in some(evil.NAMES, 6)),
        *(("mazes", name) for name in FOLDER_NAMES),
    ],
    ids=ascii,
)
def test_a_folder_cannot_name_a_world_elsewhere(
    kind: str, name: str, made: dict[str, Path], room: Path
) -> None:
    folder = shutil.copytree(made[kind], room / "s")
    renamed(folder, "maze-00" if kind == "mazes" else "easy-00", name)
    words = "--answerer mapper" if kind == "mazes" else "--answerer oracle --agent idle"
    verbs: tuple[tuple[object, ...], ...] = (("run", folder, *words.split()), ("show", folder))
    if "run" in kind:
        verbs = (("score", folder, "--regrade", "--data", made["suite"]),)
    for verb in (("check", folder), *verbs):
        out = ("--out", room / "out.parquet") if verb[0] in ("run", "export") else ()
        if (verb[0], kind) != ("show", "mazes"):
            ends(*verb, *out, codes=(2,))
    assert not (room / "out.parquet").exists()


@pytest.mark.parametrize("name", some([n for n in evil.NAMES if n], 6), ids=ascii)
def test_a_folder_of_tasks_cannot_name_a_scene_elsewhere(room: Path, name: str) -> None:
    manifest = {"kind": "tea", "scenes": {name: {"files": {}}}}
    (room / "manifest.json").write_text(json.dumps(manifest))
    ends("check", room, codes=(2,))
    ends("tea", "check", room, "--jobs", "1", codes=(2,))


def test_worlds_that_are_one_file_elsewhere_are_refused(
    whole: Callable[[str], Path], room: Path
) -> None:
    path = shutil.copytree(whole("suite"), room / "s") / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["worlds"].append({**manifest["worlds"][0], "id": "EASY-00"})
    path.write_text(json.dumps(manifest))
    with pytest.raises(WorldquizError, match="'easy-00' and 'EASY-00' mean the same file"):
        wq.load(room / "s")


# Any document

ANY: st.SearchStrategy[Any] = st.recursive(
    st.integers() | st.floats() | st.text() | st.sampled_from(evil.VALUES),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    "worlds", "world", "plan", "versions", "digest", "agent", "answerer", "scenes", "mazes",
    "steps", "seed", "model", "memory", "answers", "tasks", "rf_easy", "preset", "settings",
)  # fmt: skip
KINDS = ("suite", "run", "mango", "tea", "tea-run", "tea-recall", "tea-ratings")
MANIFESTS = st.sampled_from(KINDS).flatmap(
    lambda kind: st.fixed_dictionaries({"kind": st.just(kind)}, optional=dict.fromkeys(KEYS, ANY))
)
LAW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@LAW
@given(manifest=ANY | MANIFESTS)
def test_any_manifest_ends_as_an_error_of_ours(tmp_path: Path, manifest: Any) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    for reader in (wq.load, lambda path: wq.Run(path).rows):
        with suppress(WorldquizError):
            reader(tmp_path)
    ends("check", tmp_path)


def test_the_witness_sees_what_is_written(tmp_path: Path) -> None:
    with evil.witness(tmp_path / "in") as written:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "x").write_text("")
        (tmp_path / "out").mkdir()
        (tmp_path / "in" / "x").rename(tmp_path / "y")
        (tmp_path / "z").write_text("")
        (tmp_path / "z").read_text()
    assert written == [tmp_path / "out", tmp_path / "y", tmp_path / "z"]

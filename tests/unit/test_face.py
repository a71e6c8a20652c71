"""The face: errors, libraries that may be missing, catalogues, and imports that wait."""

from __future__ import annotations

import inspect
import json
import pickle
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from conftest import Install
from worldquiz import errors
from worldquiz.errors import CatalogError, MissingExtra, WorldquizError, did_you_mean
from worldquiz.plugins import Catalogue, Hook, imported, need

OURS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, WorldquizError)]  # fmt: skip


@pytest.mark.parametrize("error", OURS, ids=lambda error: error.__name__)
def test_every_error_stands_in_the_tree_is_no_misuse_and_passes_between_processes(
    error: type[WorldquizError],
) -> None:
    assert error.__name__ in str(errors.__doc__)
    assert error.__doc__
    assert not issubclass(error, TypeError | ValueError | OSError)
    raised = error("pyarrow", "t2q") if error is MissingExtra else error("no such thing")
    again = pickle.loads(pickle.dumps(raised))
    assert (type(again), str(again)) == (error, str(raised))


@pytest.mark.parametrize(
    ("name", "hint"), [("eazy", "; did you mean 'easy'?"), ("", "; known: easy, hard, medium")]
)
def test_a_near_miss_is_named_and_else_all_there_is(name: str, hint: str) -> None:
    assert did_you_mean(name, {"medium", "hard", "easy"}) == hint


def test_a_module_is_returned_with_what_lies_within_its_package() -> None:
    assert need("json", extra="tea") is json
    assert need("xml.etree.ElementTree", extra="tea").fromstring("<a/>").tag == "a"


@pytest.mark.parametrize(
    ("module", "library", "named"),
    [
        ("scipy.spatial", None, "scipy"),
        ("PIL.Image", "pillow", "pillow"),
        ("no_such_module", None, "no_such_module"),
    ],
)
def test_a_missing_library_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, module: str, library: str | None, named: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra) as caught:
        need(module, extra="tea", library=library)
    assert str(caught.value).startswith(f"{named} is not installed: pip install 'worldquiz[tea]'")


def test_every_extra_that_is_named_is_there() -> None:
    root = Path(__file__).parents[2]
    known = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert len(known) <= 11
    pages = [*(root / "src").rglob("*.py"), *(root / "docs").rglob("*.md"), root / "README.md"]
    named = re.compile(r"""extra="(\w+)"|MissingExtra\(\S+ "(\w+)"\)|worldquiz\[([\w,]+)\]""")
    for page in pages:
        for found in named.finditer(page.read_text()):
            extras = {name for group in found.groups() if group for name in group.split(",")}
            assert extras - {"EXTRA", "ignore", "forbid"} <= known.keys(), (page, found[0])


@pytest.mark.slow
@pytest.mark.parametrize("words", ["'tea', 'scene', '--out', 'x'", "'check', 'tasks'"])
def test_the_distribution_of_scenes_is_missed_in_one_line(tmp_path: Path, words: str) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "manifest.json").write_text('{"kind": "tea", "scenes": {}}')
    code = (
        "import sys; sys.modules['worldquiz_scenes'] = None; from worldquiz.cli import main; "
        f"sys.argv = ['worldquiz', {words}]; main()"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    said = "worldquiz: worldquiz-scenes is not installed: pip install 'worldquiz[tea]'\n"
    assert (done.returncode, done.stderr) == (2, said)


GROUP = "worldquiz.test-worlds"
WORLDS = Catalogue("world", GROUP, {"json": "json:loads", "path": "pathlib:Path"})


def test_a_name_stands_for_what_its_module_holds() -> None:
    assert WORLDS.load("path") is Path
    assert WORLDS.names() == ("json", "path")


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    catalogue = Catalogue("world", GROUP, {"broken": "no_such_module:thing"})
    assert catalogue.names() == ("broken",)


def test_an_installed_package_adds_names(install: Install) -> None:
    install(GROUP, maze="collections:OrderedDict")
    assert WORLDS.names() == ("json", "maze", "path")
    assert WORLDS.load("maze").__name__ == "OrderedDict"


def test_a_near_miss_is_named() -> None:
    with pytest.raises(CatalogError, match="no world 'jason'; did you mean 'json'"):
        WORLDS.load("jason")


@pytest.mark.parametrize("value", ["no_such_module:thing", "json:no_such_thing"])
def test_what_cannot_be_imported_is_named(install: Install, value: str) -> None:
    install(GROUP, broken=value)
    with pytest.raises(
        CatalogError, match=f"world 'broken' of the package .*: cannot import '{value}'"
    ):
        WORLDS.load("broken")


@pytest.mark.parametrize("packages", [{"one": "json"}, {"one": "new", "two": "new"}])
def test_a_name_that_means_two_things_raises_for_whoever_asks(
    install: Install, packages: dict[str, str]
) -> None:
    for package, name in packages.items():
        install(GROUP, package, **{name: f"{package}:thing"})
    with pytest.raises(CatalogError, match=r"means both .* and .* uninstall one of them"):
        WORLDS.load("path")


def test_a_hook_is_imported_when_it_is_called() -> None:
    assert Hook("posixpath:join")("a", "b") == "a/b"
    assert Hook("math:pi").resolved() > 3
    broken = Hook("no_such_module:thing")
    with pytest.raises(CatalogError, match="cannot import 'no_such_module:thing'"):
        broken("a")
    with pytest.raises(CatalogError, match="give its module, as in 'mine:Agent'"):
        imported("./mine.py:Agent", "an agent")
    with pytest.raises(CatalogError, match="cannot import 'math:no_such_name'"):
        Hook("math:no_such_name").resolved()

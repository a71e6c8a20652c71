from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import CatalogError
from worldquiz.plugins import Catalogue, Hook, imported

OURS = Catalogue("world", "worldquiz.test-worlds", {"json": "json:loads", "path": "pathlib:Path"})


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Install packages that hold nothing but entry points."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(package: str, **entries: str) -> None:
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (folder / "entry_points.txt").write_text("\n".join(["[worldquiz.test-worlds]", *lines, ""]))

    return install


def test_a_name_stands_for_what_its_module_holds() -> None:
    assert OURS.load("path") is Path
    assert OURS.names() == ("json", "path")


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    catalogue = Catalogue("world", "worldquiz.test-worlds", {"broken": "no_such_module:thing"})
    assert catalogue.names() == ("broken",)


def test_an_installed_package_adds_names(install) -> None:  # type: ignore[no-untyped-def]
    install("mazes", maze="collections:OrderedDict")
    assert OURS.names() == ("json", "maze", "path")
    assert OURS.load("maze").__name__ == "OrderedDict"


def test_a_near_miss_is_named() -> None:
    with pytest.raises(CatalogError, match="no world 'jason'; did you mean 'json'"):
        OURS.load("jason")


@pytest.mark.parametrize("value", ["no_such_module:thing", "json:no_such_thing"])
def test_what_cannot_be_imported_is_named(install, value: str) -> None:  # type: ignore[no-untyped-def]
    install("broken", broken=value)
    with pytest.raises(CatalogError, match=f"world 'broken' stands for '{value}', which cannot"):
        OURS.load("broken")


@pytest.mark.parametrize("packages", [{"one": "json"}, {"one": "new", "two": "new"}])
def test_a_name_that_means_two_things_raises_for_whoever_asks(  # type: ignore[no-untyped-def]
    install, packages: dict[str, str]
) -> None:
    for package, name in packages.items():
        install(package, **{name: f"{package}:thing"})
    with pytest.raises(CatalogError, match=r"means both .* and .* uninstall one of them"):
        OURS.load("path")


def test_a_hook_is_imported_when_it_is_called() -> None:
    assert Hook("posixpath:join")("a", "b") == "a/b"
    assert Hook("math:pi").resolved() > 3
    broken = Hook("no_such_module:thing")
    with pytest.raises(CatalogError, match="'no_such_module:thing', which cannot be imported"):
        broken("a")
    with pytest.raises(CatalogError, match="name the module, not its file: 'mine:Agent'"):
        imported("./mine.py:Agent", "an agent")
    with pytest.raises(CatalogError, match="'math:no_such_name', which cannot be imported"):
        Hook("math:no_such_name").resolved()

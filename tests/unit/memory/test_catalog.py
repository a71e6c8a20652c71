"""Memories by name: all are listed, near misses are named, and what is missing is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from conftest import Cli, Install
from remembering import recalled, services
from worldquiz.errors import CatalogError
from worldquiz.memory import memories, memory

NAMES = (
    "in-context", "none", "summary", "bm25", "embedding",
    "mem0", "langmem", "amem", "arigraph", "worldgraph",
)  # fmt: skip
GROUP = "worldquiz.memories"

TESTS = Path(__file__).parents[2]


@pytest.fixture
def listed(cli: Cli) -> Callable[[], dict[str, Any]]:
    """Return what the command says of each memory."""
    return lambda: {
        each["name"]: each for each in cli("t2q", "memories", "--json").json["memories"]
    }


def test_the_papers_methods_and_ours_are_there_with_versions(
    listed: Callable[[], dict[str, Any]],
) -> None:
    assert tuple(line.name for line in memories()) == tuple(listed()) == NAMES
    assert all(line["usable"] for line in listed().values())
    needs = {name: (line["model"], line["embedder"]) for name, line in listed().items()}
    assert (needs["amem"], needs["in-context"]) == ((True, True), (False, False))
    versions = {name: line["version"] for name, line in listed().items()}
    assert versions["amem"] == versions["none"] == f"worldquiz {wq.__version__}"
    assert versions["mem0"].startswith("mem0ai ")
    assert versions["bm25"].startswith("bm25s 0.")


@pytest.mark.parametrize("name", [line.name for line in memories() if line.embeds])
def test_what_embeds_needs_an_embedder(name: str) -> None:
    with pytest.raises(CatalogError, match="needs an embedder"):
        memory(name, services(embeds=False))


@pytest.mark.parametrize("library", ["mem0ai", "aiohttp"])
def test_a_missing_library_is_told_with_the_way_to_get_it(
    library: str, listed: Callable[[], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if name == library:
            raise metadata.PackageNotFoundError
        return metadata.version(name)

    monkeypatch.setattr("worldquiz.memory.catalog.installed", version)
    lacking = {name: line for name, line in listed().items() if not line["usable"]}
    wanted = {"mem0"} if library == "mem0ai" else {n for n, e in listed().items() if e["model"]}
    assert lacking.keys() == wanted
    assert lacking["mem0"]["install"] == "pip install 'worldquiz[memories]'"
    assert {line["missing"] for line in lacking.values()} == {library}


class Mine:
    """Remembers nothing.

    And says so."""

    async def add(self, entry: object) -> None: ...

    async def recall(self, query: str) -> str:
        return ""


class Hungry(Mine):
    """Wants an embedder and a model."""

    needs_model, needs_embedder, extra = True, True, "embed"


def test_another_packages_memories_are_listed_and_made(
    install: Install, listed: Callable[[], dict[str, Any]]
) -> None:
    install(
        GROUP,
        mine=f"{__name__}:Mine",
        hungry=f"{__name__}:Hungry",
        gone="no:where",
        odd="builtins:dict",
    )
    assert recalled(memory("mine", services(embeds=False))) == ""
    found = {line.name: line for line in memories()}
    assert found["mine"].summary == "Remembers nothing"
    assert (found["hungry"].calls_model, found["hungry"].embeds) == (True, True)
    assert found["gone"].summary == "cannot be imported"
    with pytest.raises(CatalogError, match="'odd': dict is not a Memory: missing method 'add'"):
        memory("odd", services())
    with pytest.raises(CatalogError, match=r"memory 'gone'.*: cannot import 'no:where'"):
        memory("gone", services())


def test_a_version_is_that_of_the_package(
    install: Install, listed: Callable[[], dict[str, Any]]
) -> None:
    install(GROUP, mine=f"{__name__}:Mine")
    assert listed()["mine"]["version"] == "mine 1.0"


@pytest.mark.slow
def test_looking_names_up_imports_no_library() -> None:
    heavy = "'mem0', 'langmem', 'inspect_ai', 'sentence_transformers', 'bm25s', 'numpy'"
    code = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r}); from command import worldquiz\n"
        "worldquiz('t2q', 'memories', '--json')\n"
        f"assert not {{{heavy}}} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""Memories by name: all can be looked up, near misses are named, and what is missing is said."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint

import pytest

from remembering import services
from worldquiz import __version__, plugins
from worldquiz.errors import CatalogError, MissingExtra
from worldquiz.memory import catalog
from worldquiz.memory.baselines import Nothing
from worldquiz.memory.catalog import entry, memories, memory, missing, version

Plug = Callable[..., None]
NAMES = (
    "in-context", "none", "summary", "bm25", "embedding",
    "mem0", "langmem", "amem", "arigraph", "worldgraph",
)  # fmt: skip


@pytest.fixture
def plug(monkeypatch: pytest.MonkeyPatch) -> Plug:
    """Return a function that puts entry points of other packages in place."""

    def set_points(**targets: str) -> None:
        points = [EntryPoint(name, target, catalog.GROUP) for name, target in targets.items()]
        monkeypatch.setattr(plugins, "entry_points", lambda group: points)

    return set_points


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that makes a library look as if it were not installed."""

    def remove(library: str) -> None:
        found = catalog._version
        monkeypatch.setattr(
            catalog, "_version", lambda name: None if name == library else found(name)
        )

    return remove


def test_the_papers_methods_and_ours_are_there() -> None:
    assert tuple(line.name for line in memories()) == NAMES


def test_a_near_miss_is_named() -> None:
    with pytest.raises(CatalogError, match="no memory 'men0'; did you mean 'mem0'"):
        memory("men0", services())
    with pytest.raises(CatalogError, match="did you mean 'in-context'"):
        entry("incontext")


@pytest.mark.parametrize("name", [line.name for line in memories() if line.embeds])
def test_what_embeds_needs_an_embedder(name: str) -> None:
    with pytest.raises(CatalogError, match=f"memory '{name}' embeds and was given no embedder"):
        memory(name, services(embeds=False))


def test_a_version_is_that_of_the_library_or_ours() -> None:
    assert version("amem") == version("none") == f"worldquiz {__version__}"
    assert version("mem0").startswith("mem0ai ")
    assert version("bm25").startswith("bm25s 0.")


def test_a_missing_library_is_told_with_the_way_to_get_it(absent: Callable[[str], None]) -> None:
    absent("mem0ai")
    assert missing(entry("mem0")) == "mem0ai"
    assert missing(entry("amem")) is None
    with pytest.raises(MissingExtra, match=r"worldquiz\[memories\]"):
        version("mem0")


def test_what_calls_a_model_needs_a_client(absent: Callable[[str], None]) -> None:
    absent("aiohttp")
    needing = {line.name for line in memories() if missing(line) == "aiohttp"}
    assert needing == {line.name for line in memories() if line.calls_model}


def test_another_packages_memory_is_listed_and_made(plug: Plug) -> None:
    plug(mine="worldquiz.memory.baselines:Nothing")
    assert memories()[-1] == entry("mine")
    assert isinstance(memory("mine", services(embeds=False)), Nothing)
    assert version("mine") == "unknown"
    assert missing(entry("mine")) is None


class Hungry:
    """Wants an embedder and a model.

    And says so."""

    needs_model, needs_embedder, extra = True, True, "embed"


def test_a_plug_in_declares_what_it_needs(plug: Plug) -> None:
    plug(hungry=f"{__name__}:Hungry")
    line = entry("hungry")
    assert (line.calls_model, line.embeds, line.extra) == (True, True, "embed")
    assert line.summary == "Wants an embedder and a model"
    with pytest.raises(CatalogError, match="'hungry' embeds and was given no embedder"):
        memory("hungry", services(embeds=False))


def test_one_that_cannot_be_imported_is_listed(plug: Plug) -> None:
    plug(gone="no:where")
    assert memories()[-1].summary == "cannot be imported"


def test_a_name_that_means_two_things_is_refused(plug: Plug) -> None:
    plug(mem0="worldquiz.memory.baselines:Nothing")
    with pytest.raises(CatalogError, match="memory 'mem0' means both"):
        memories()


def test_what_is_no_memory_is_refused(plug: Plug) -> None:
    plug(odd="builtins:id", gone="no:where")
    with pytest.raises(CatalogError, match="'odd': int is not a Memory: missing method 'add'"):
        memory("odd", services())
    with pytest.raises(CatalogError, match="'gone' stands for 'no:where', which cannot"):
        memory("gone", services())


@pytest.mark.slow
def test_looking_names_up_imports_no_library() -> None:
    heavy = "'mem0', 'langmem', 'inspect_ai', 'sentence_transformers', 'bm25s', 'numpy'"
    code = (
        "import sys; from worldquiz.memory.catalog import *\n"
        "from worldquiz.t2q.cli.suite import memories as shown; shown.callback(json=True)\n"
        f"assert not {{{heavy}}} & set(sys.modules), sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)

"""``worldquiz t2q memories``: what there is, what it needs, and how to get it."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Cli
from worldquiz.memory import catalog


def listed(cli: Cli) -> dict[str, dict[str, Any]]:
    return {line["name"]: line for line in cli("t2q", "memories", "--json").json["memories"]}


def test_each_memory_says_what_it_needs(cli: Cli) -> None:
    lines = listed(cli)
    assert lines["amem"]["model"]
    assert lines["amem"]["embedder"]
    assert not lines["in-context"]["model"]
    assert lines["bm25"]["extra"] == "memories"
    assert all(line["usable"] and line["version"] for line in lines.values())


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_version", lambda library: None)


@pytest.mark.usefixtures("nothing_installed")
def test_what_is_missing_is_said_with_the_way_to_get_it(cli: Cli) -> None:
    line = listed(cli)["mem0"]
    assert (line["usable"], line["version"], line["missing"]) == (False, None, "mem0ai")
    assert line["install"] == "pip install 'worldquiz[memories]'"

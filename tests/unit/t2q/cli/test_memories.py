"""``worldquiz t2q memories``: what there is, what it needs, and how to get it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from worldquiz.memory import catalog
from worldquiz.t2q.cli.catalogues import memories


def listed(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    memories(json=True)
    return {line["name"]: line for line in json.loads(capsys.readouterr().out)["memories"]}


def test_each_memory_says_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    lines = listed(capsys)
    assert lines["amem"]["model"]
    assert lines["amem"]["embedder"]
    assert not lines["in-context"]["model"]
    assert lines["bm25"]["extra"] == "retrieval"
    assert all(line["usable"] and line["version"] for line in lines.values())


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_version", lambda library: None)


@pytest.mark.usefixtures("nothing_installed")
def test_what_is_missing_is_said_with_the_way_to_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    line = listed(capsys)["mem0"]
    assert (line["usable"], line["version"], line["missing"]) == (False, None, "mem0ai")
    assert line["install"] == "pip install 'worldquiz[mem0]'"


@pytest.mark.usefixtures("nothing_installed")
def test_the_table_says_it_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    memories()
    shown = capsys.readouterr().out
    assert "pip install 'worldquiz[mem0]'" in shown
    assert "in-context" in shown
    assert "worldquiz[embed]" in shown

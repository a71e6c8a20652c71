"""Objects that a user passes: what a manifest says of their code."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from worldquiz.errors import AgentError
from worldquiz.runs.given import code_of, fresh

WALKER = "class Walker:\n    def act(self, seen):\n        return {word!r}\n"


@pytest.mark.parametrize(("word", "same"), [("north", True), ("south", False)])
def test_a_manifest_tells_code_by_its_source(
    word: str, same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for folder, way in (("one", "north"), ("two", word)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "walkers.py").write_text(WALKER.format(word=way))
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / folder)
            found.append(code_of(agent="walkers:Walker"))
            walker = sys.modules["walkers"].Walker
            assert code_of(agent=walker) == code_of(agent=walker()) == found[-1]
            del sys.modules["walkers"]
    assert (found[0] == found[1]) is same
    assert set(found[0]["code"]) == {"agent"}


@pytest.mark.parametrize("make", [os.system, int, lambda brief: 1 / 0])
def test_what_cannot_be_made_is_blamed(make: object) -> None:
    with pytest.raises(AgentError, match=r"agent .* failed when it was made: \w+Error: "):
        fresh(make, "agent", brief=object())

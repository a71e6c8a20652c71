"""Objects that a user passes: what a manifest says of their code, and who is blamed."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq

WALKER = "class Walker:\n    def answer(self, prompt):\n        return {word!r}\n"


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return wq.mango.build(mazes=1, size=5, seed=3, out=tmp_path_factory.mktemp("data") / "mazes")


@pytest.mark.parametrize(("word", "same"), [("north", True), ("south", False)])
def test_a_manifest_tells_code_by_its_source(
    word: str, same: bool, mazes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def code(answerer: object) -> dict[str, str]:
        out = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        return dict(mazes.run(answerer, per_maze=1, out=out).manifest["code"])

    found = []
    for folder, way in (("one", "north"), ("two", word)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "walkers.py").write_text(WALKER.format(word=way))
        with monkeypatch.context() as patch:
            patch.syspath_prepend(tmp_path / folder)
            found.append(code("walkers:Walker"))
            walker = sys.modules["walkers"].Walker
            assert code(walker) == code(walker()) == found[-1]
            del sys.modules["walkers"]
    assert (found[0] == found[1]) is same
    assert set(found[0]) == {"answerer"}


@pytest.mark.parametrize("make", [os.system, lambda: 1 / 0])
def test_what_cannot_be_made_is_blamed(make: object, mazes: Any, tmp_path: Path) -> None:
    with pytest.raises(wq.WorldquizError, match=r"answerer .* failed when it was made: \w+Error: "):
        mazes.run(make, per_maze=1, out=tmp_path / "run")

"""The demo's Task2Quiz part starts only where its report can be written."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.t2q.cli import demo


@pytest.mark.parametrize("library", ["matplotlib", "jinja2"])
def test_without_a_report_nothing_is_begun(
    library: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begun(*_: object, **__: object) -> None:
        raise AssertionError("a suite was built")

    monkeypatch.setattr(demo, "build", begun)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=r"pip install 'worldquiz\[t2q\]'"):
        list(demo.demo(tmp_path, 1))
    assert list(tmp_path.iterdir()) == []

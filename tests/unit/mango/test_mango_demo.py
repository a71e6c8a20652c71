"""The demo's MANGO part starts only where it can end."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.mango.cli import run as demo


@pytest.mark.parametrize(
    ("library", "extra"), [("rapidfuzz", "mango"), ("matplotlib", "t2q"), ("jinja2", "t2q")]
)
def test_without_a_library_nothing_is_left_behind(
    library: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    absent = lambda name, *more: None if name == library else found(name, *more)  # noqa: E731
    monkeypatch.setattr("worldquiz.mango.questions.find_spec", absent)
    monkeypatch.setitem(__import__("sys").modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library} is .* pip install 'worldquiz\[{extra}\]'"):
        list(demo.demo(tmp_path, 1))
    assert list(tmp_path.iterdir()) == []

"""What the demo's TEA part says where it cannot draw."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.tea.cli.run import demo
from worldquiz_scenes import gl


def test_without_opengl_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(gl.FOUND, raising=False)
    monkeypatch.delenv(gl.WANTED, raising=False)
    monkeypatch.setattr(gl, "works", lambda name: f"no lib{name}")
    document, *lines = demo(tmp_path, 1)
    assert "apt install libegl1" in document["tea"]["left_out"]
    assert len(lines) == 1
    assert lines[0].startswith("TEA is left out: no OpenGL draws here")


def test_without_the_extra_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object) -> None:
        raise MissingExtra("mujoco", "tea")

    monkeypatch.setattr("worldquiz_scenes.generate.suite", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'worldquiz\[tea\]'"):
        list(demo(tmp_path, 1))


def test_without_a_report_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingExtra, match=r"pip install 'worldquiz\[t2q\]'"):
        list(demo(tmp_path, 1))
    assert list(tmp_path.iterdir()) == []

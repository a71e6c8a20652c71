"""What the demo's TEA part says where it cannot draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra, WorldError
from worldquiz.tea.cli.run import demo
from worldquiz_scenes import gl


def test_without_opengl_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(gl.FOUND, raising=False)
    monkeypatch.delenv(gl.WANTED, raising=False)
    monkeypatch.setattr(gl, "works", lambda name: f"no lib{name}")
    with pytest.raises(WorldError, match=r"no OpenGL backend works here.*apt install libegl1"):
        list(demo(tmp_path, 1))


def test_without_the_extra_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object) -> None:
        raise MissingExtra("mujoco", "tea")

    monkeypatch.setattr("worldquiz_scenes.generate.suite", absent)
    with pytest.raises(MissingExtra, match=r"pip install 'worldquiz\[tea\]'"):
        list(demo(tmp_path, 1))

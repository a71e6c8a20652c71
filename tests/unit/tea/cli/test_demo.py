"""What the demo's TEA part says where it cannot draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldquiz.errors import MissingExtra
from worldquiz.scenes import gl
from worldquiz.tea.cli import demo


def test_without_opengl_one_line_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(gl.FOUND, raising=False)
    monkeypatch.delenv(gl.WANTED, raising=False)
    monkeypatch.setattr(gl, "works", lambda name: f"no lib{name}")
    found = demo.demonstrate(tmp_path, 1)
    assert "apt install libegl1" in found["left_out"]
    demo.show(found)
    said = capsys.readouterr().out
    assert said.startswith("TEA is left out: no OpenGL draws here")
    assert said.count("\n") == 1


def test_without_the_extra_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(*_: object) -> None:
        raise MissingExtra("mujoco", "scene")

    monkeypatch.setattr("worldquiz.scenes.generate.suite", absent)
    found = demo.demonstrate(tmp_path, 1)
    assert found == {"left_out": "mujoco is not installed: pip install 'worldquiz[scene]'"}

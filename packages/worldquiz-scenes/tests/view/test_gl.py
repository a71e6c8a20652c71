"""Which OpenGL is found, and what is said where there is none. Each case has its own process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from scenes import environment
from worldquiz_scenes import gl

DRAW = """
from scenes import studio
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.sight import look
from worldquiz_scenes.render import Canvas
with Canvas(build(studio())) as canvas:
    print(look(canvas, ego(1.2, 2.0, 0.0)).rgb.shape)
"""
CAST = """
from scenes import studio
from worldquiz_scenes.build import build
from worldquiz_scenes.cameras import ego
from worldquiz_scenes.sight import look
from worldquiz_scenes.render import Caster
images = look(Caster(build(studio())), ego(1.2, 2.0, 0.0))
print(images.rgb, (images.instances >= 0).any(), (images.reflected >= 0).any())
"""


def ran(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in environment().items() if key not in (gl.WANTED, gl.FOUND)}
    return subprocess.run(
        [sys.executable, "-c", code], env={**clean, **env}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["", "egl", "nonsense", "glfw"])
def test_pictures_are_drawn_whatever_the_variable_says(wanted: str) -> None:
    done = ran(DRAW, **({gl.WANTED: wanted} if wanted else {}))
    assert done.stdout.strip() == "(480, 640, 3)", done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", gl.BACKENDS)
def test_what_another_process_left_in_the_environment_does_not_matter(name: str) -> None:
    if reason := gl.works(name):
        pytest.skip(f"no {name} here: {reason}")
    other = next(each for each in gl.BACKENDS if each != name)
    done = ran(DRAW, **{gl.WANTED: name, gl.PLATFORM: other})
    assert done.stdout.strip() == "(480, 640, 3)", done.stderr


@pytest.mark.slow
def test_pictures_can_be_switched_off_and_the_error_says_how_to_go_on() -> None:
    done = ran(DRAW, **{gl.WANTED: "disable"})
    assert done.returncode == 1
    assert "NoPictures: MUJOCO_GL=disable turns pictures off: unset it, or use rays" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("wanted", ["disable", "osmesa", "nonsense"])
def test_rays_need_no_opengl(wanted: str) -> None:
    assert ran(CAST, **{gl.WANTED: wanted}).stdout.strip() == "None True True"


def test_no_backend_names_the_packages_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(gl.FOUND, raising=False)
    monkeypatch.delenv(gl.WANTED, raising=False)
    monkeypatch.setattr(gl, "works", lambda name: f"no lib{name}")
    with pytest.raises(
        gl.NoPictures, match=r"egl: no libegl; osmesa: no libosmesa.*libegl1 .*rays"
    ):
        gl.backend()

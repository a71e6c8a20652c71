"""Finds an OpenGL backend that works on this machine, by trials in a separate process.

The environment variable `MUJOCO_GL` names the backend to try first, `egl` or `osmesa`, or is
`disable`. By default, EGL is tried before OSMesa. Without OpenGL, rays still give depth and
instances, but no colours. `WORLDQUIZ_GL` passes the result on to child processes.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from functools import cache
from typing import Any

from worldquiz_scenes.errors import SceneError

WANTED, FOUND, PLATFORM = "MUJOCO_GL", "WORLDQUIZ_GL", "PYOPENGL_PLATFORM"
BACKENDS = ("egl", "osmesa")  # backends that draw without a display, best first
OFF = ("disable", "disabled", "off", "false", "0")
PACKAGES = "apt install libegl1 libgl1-mesa-dri (for EGL) or libosmesa6 (for OSMesa)"
WAIT = 60.0  # most seconds of a try
PROBE = """
import importlib, sys
import mujoco
context = importlib.import_module(f"mujoco.{sys.argv[1]}").GLContext(16, 16)
context.make_current()
drawn = mujoco.MjrContext(mujoco.MjModel.from_xml_string("<mujoco/>"), 100)
drawn.free()
context.free()
print("drawn")
"""


class NoPictures(SceneError):
    """No OpenGL backend works on this machine."""


def engine() -> Any:
    """Return the module `mujoco`.

    If `MUJOCO_GL` names a broken or unknown backend, the module is imported without OpenGL.
    """
    if "mujoco" not in sys.modules:
        wanted = os.environ.get(WANTED, "")
        name = wanted.lower()
        if name in BACKENDS:
            os.environ[PLATFORM] = name  # MuJoCo refuses another process's value
        if name and name not in OFF and (name not in BACKENDS or works(name)):
            os.environ[WANTED] = OFF[0]
            importlib.import_module("mujoco")
            os.environ[WANTED] = wanted
    return importlib.import_module("mujoco")


@cache
def works(backend: str) -> str:
    """Try a backend in a process of its own; return "" if it draws, else the reason why not."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", PROBE, backend],
            env={**os.environ, WANTED: backend, PLATFORM: backend},
            capture_output=True,
            text=True,
            timeout=WAIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {WAIT:.0f} s"
    if done.returncode == 0 and "drawn" in done.stdout:
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"the process ended with {done.returncode}"


def backend() -> str:
    """Return the OpenGL backend that works here. Raises `NoPictures`, with a fix, if none does."""
    found, wanted = os.environ.get(FOUND, ""), os.environ.get(WANTED, "").lower()
    if found in BACKENDS:
        return found
    rays = "or use rays, which give depth and instances"
    if wanted in OFF:
        raise NoPictures(f"{WANTED}={wanted} turns pictures off: unset it, {rays}")
    for name in sorted(BACKENDS, key=lambda name: name != wanted):
        if not works(name):
            os.environ[FOUND] = name
            return name
    reasons = "; ".join(f"{name}: {works(name)}" for name in BACKENDS)
    raise NoPictures(f"no OpenGL backend works here ({reasons}): {PACKAGES}, {rays}")


class _Drawing:
    """Flags: this process has drawn (`here`), or was forked from one that had (`before`)."""

    here = before = False


def _forked() -> None:
    _Drawing.here, _Drawing.before = False, _Drawing.here or _Drawing.before


os.register_at_fork(after_in_child=_forked)


def context(width: int, height: int) -> Any:
    """Return an OpenGL context to draw in. Raises `NoPictures` if there is none.

    It also raises `NoPictures` in a process forked from one that has drawn, where drawing hangs.
    """
    if _Drawing.before:
        raise NoPictures(
            "this process cannot draw: it was forked from one that has drawn; start it with spawn "
            "(in Gymnasium, vector_kwargs={'context': 'spawn'})"
        )
    name = backend()
    _Drawing.here = True
    engine()
    os.environ[PLATFORM] = name
    return importlib.import_module(f"mujoco.{name}").GLContext(width, height)

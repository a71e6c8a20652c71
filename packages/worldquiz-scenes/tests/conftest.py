"""Scenes that several tests look at, made once. Helpers of their own are in `tests/`."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import settings

from worldquiz_scenes.config import PRESETS
from worldquiz_scenes.generate import generate
from worldquiz_scenes.scene import Scene

settings.register_profile("scenes", deadline=None, max_examples=50)  # a busy machine is no failure
settings.load_profile("scenes")


@cache
def _flat(preset: str, seed: int) -> Scene:
    pytest.importorskip("mujoco")
    return generate(PRESETS[preset].knobs, seed, f"{preset}-{seed}")


@pytest.fixture(scope="session")
def tiny() -> Scene:
    return _flat("tiny", 0)


@pytest.fixture(scope="session")
def flat() -> Scene:
    return _flat("paper", 1)

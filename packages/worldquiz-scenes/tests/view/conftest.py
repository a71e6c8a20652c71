"""Built scenes and the canvases that draw them, one each for all tests here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scenes import gallery, studio
from worldquiz_scenes.build import Built, build
from worldquiz_scenes.render import Canvas


@pytest.fixture(scope="session")
def studio_canvas() -> Iterator[Canvas]:
    with Canvas(build(studio()), plain=True) as canvas:
        yield canvas


@pytest.fixture(scope="session")
def gallery_built() -> Built:
    return build(gallery())

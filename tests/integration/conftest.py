"""Data that many integration tests read, made once; nobody may write into them."""

from __future__ import annotations

from pathlib import Path

import pytest

import worldquiz as wq
from conftest import Shared
from worldquiz.t2q import T2QSuite


@pytest.fixture(scope="session")
def lone(shared: Shared) -> Path:
    """A suite of one easy world."""
    return shared("lone", lambda out: wq.t2q.build("easy", worlds=1, seed=11, out=out))


@pytest.fixture(scope="session")
def easy(suite: T2QSuite) -> Path:
    """A suite of two easy worlds."""
    return suite.path


@pytest.fixture(scope="session")
def mazes(shared: Shared) -> Path:
    """A maze of eight places."""
    return shared("mazes", lambda out: wq.mango.build(mazes=1, size=8, seed=1, out=out))


@pytest.fixture(scope="session")
def flats(shared: Shared) -> Path:
    """Two small apartments with the tasks of two loops."""
    loops = wq.tea.Loops(loops=2, bouts=1, looks=2)
    return shared(
        "flats",
        lambda out: wq.tea.build("tiny", seed=8, scenes=2, loops=loops, size=(320, 240), out=out),
    )

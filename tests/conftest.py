"""Shared fixtures: worlds drawn by level and seed, to be played in Python or compiled once."""

from __future__ import annotations

import fcntl
import hashlib
import os
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import worldquiz as wq
from command import Said, worldquiz
from worldquiz.cli import shell
from worldquiz.records import write_bytes
from worldquiz.t2q import T2QSuite, WorldSpec, games
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate

settings.register_profile(
    "worldquiz",
    deadline=None,  # a busy machine is no failure
    max_examples=50,  # a law that needs more says so
)
settings.load_profile("worldquiz")

SLOW = {"conformance", "integration", "fidelity", "golden"}
"""Folders whose tests play games, start processes, servers or a browser: not part of `quick`."""

SpecOf = Callable[[str, int], WorldSpec]
GameOf = Callable[[WorldSpec], Path]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of a slow folder."""
    tests = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(tests) and item.path.relative_to(tests).parts[0] in SLOW:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """Begin each test with Python's own answer to ctrl-C and other signals that stop a command.

    A command run in this process leaves them ignored, and so does a shell for what it runs in the
    background; a process that a test stops so would inherit that, and never end.
    """
    _answer_signals()
    dropped = sys.unraisablehook
    yield
    sys.unraisablehook = dropped
    _answer_signals()


def _answer_signals() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    shell._stopped_by.clear()


def of_all_workers(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of a session have in common."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


Shared = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Shared:
    """Return data by name, made by whichever process needs them first; nobody writes into them."""
    home = of_all_workers(tmp_path_factory)

    def found(name: str, make: Callable[[Path], object]) -> Path:
        with (home / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not (home / name).exists():
                make(home / "half made" / name)
                (home / "half made" / name).rename(home / name)
        return home / name

    return found


Inform = Callable[[str, str], bytes]


@pytest.fixture(scope="session", autouse=True)
def inform(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inform]:
    """Return a compiler of Inform texts with their names, and have the package use it too.

    It compiles equal Inform texts once in a session, whichever of its processes needs them first.
    """
    folder = of_all_workers(tmp_path_factory)
    compiled = games.compiled

    def kept(text: str, what: str) -> bytes:
        game = folder / f"{hashlib.sha256(text.encode()).hexdigest()}.z8"
        if not game.exists():
            write_bytes(game, compiled(text, what))
        return game.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "compiled", kept)
        yield kept


@pytest.fixture(scope="session")
def spec_of() -> SpecOf:
    """Return the world of a level and seed."""

    @cache
    def make(level: str, seed: int) -> WorldSpec:
        return generate(PRESETS[level], seed, id=f"{level}-{seed}", level=level)

    return make


@pytest.fixture(scope="session")
def game_of(tmp_path_factory: pytest.TempPathFactory) -> GameOf:
    """Return the compiled game of a world."""
    root = tmp_path_factory.mktemp("games")

    def make(spec: WorldSpec) -> Path:
        folder = root / spec.id
        if not folder.exists():
            from compiled_game import compile_world

            folder.mkdir()
            compile_world(spec, folder)
        return folder / "game.z8"

    return make


@pytest.fixture(scope="session")
def suite(shared: Shared) -> T2QSuite:
    """Return a finished suite of two easy worlds; nobody may write into it."""
    build = lambda out: wq.t2q.build("easy", seed=5, worlds=2, out=out)  # noqa: E731
    return wq.t2q.load(shared("suite", build))


@pytest.fixture(scope="session")
def bundles(shared: Shared) -> dict[str, list[Any]]:
    """Return 24 worlds of each preset, with their tasks and questions."""
    found = {}
    for level in PRESETS:
        make = partial(wq.t2q.build, level, worlds=24, seed=9)
        many = wq.t2q.load(shared(f"many-{level}", lambda out, make=make: make(out=out)))  # type: ignore[misc]
        found[level] = [many.bundle(world) for world in many.worlds]
    return found


Cli = Callable[..., Said]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return the command line, run in this process."""
    monkeypatch.setenv("COLUMNS", "200")
    return worldquiz


Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that installs a package with entry points of a group, beside others.

    It returns the folder of packages, into which modules may be written.
    """
    site = tmp_path / "site"

    def installed(group: str, package: str = "mine", **entries: str) -> Path:
        told = site / f"{package}-1.0.dist-info"
        told.mkdir(parents=True)
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in entries.items()]
        (told / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]))
        monkeypatch.syspath_prepend(site)
        return site

    return installed


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size`: what a full disk looks like from inside."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

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
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from command import Said, worldquiz
from worldquiz.cli import shell
from worldquiz.records import write_bytes
from worldquiz.t2q import T2QSuite, load
from worldquiz.t2q.builder import build
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.textworld import inform
from worldquiz.t2q.textworld.inform import game_files
from worldquiz.t2q.textworld.play import TextWorld
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb, WorldSpec

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
WorldOf = Callable[[str, int], Game]


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


@pytest.fixture(scope="session", autouse=True)
def compile_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile equal Inform texts once in a session, whichever of its processes needs them first."""
    folder = of_all_workers(tmp_path_factory)
    compiled = inform.compiled

    def kept(text: str, what: str) -> bytes:
        game = folder / f"{hashlib.sha256(text.encode()).hexdigest()}.z8"
        if not game.exists():
            write_bytes(game, compiled(text, what))
        return game.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inform, "compiled", kept)
        yield


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
            folder.mkdir()
            for suffix, data in game_files(spec).items():
                (folder / f"game.{suffix}").write_bytes(data)
        return folder / "game.z8"

    return make


@pytest.fixture(scope="session")
def world_of(spec_of: SpecOf) -> WorldOf:
    """Return the playable world of a level and seed."""
    return lambda level, seed: Game(spec_of(level, seed))


@pytest.fixture(params=["python", "textworld"])
def in_each_engine(
    request: pytest.FixtureRequest, world_of: WorldOf, spec_of: SpecOf, game_of: GameOf
) -> WorldOf:
    """Return the playable world of a level and seed, in one engine after the other."""

    def compiled(level: str, seed: int) -> TextWorld:
        return TextWorld(spec_of(level, seed), game_of(spec_of(level, seed)))

    return world_of if request.param == "python" else compiled


@pytest.fixture(scope="session")
def no_goal() -> Task:
    """A task that is never won, to play a world freely."""
    from worldquiz.facts.fact import EATEN

    return Task(
        id="free",
        verb=Verb.EAT,
        target="moon",
        goal=(EATEN("moon"),),
        objective="Look around.",
        discloses=(),
        covers=(),
        walkthrough=Solution((), Proof.SHORTEST),
    )


@pytest.fixture(scope="session")
def suite(shared: Shared) -> T2QSuite:
    """Return a finished suite of two easy worlds; nobody may write into it."""
    return load(shared("suite", lambda out: build(Plan("easy", seed=5, worlds=2), out)))


@pytest.fixture(scope="session")
def suite_with_games(shared: Shared) -> T2QSuite:
    """Return `suite` with a game of each world; nobody may write into it."""
    return load(shared("games", lambda out: build(Plan("easy", 5, 2, games=True), out)))


Cli = Callable[..., Said]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return the command line, run in this process."""
    monkeypatch.setenv("COLUMNS", "200")
    return worldquiz


@contextmanager
def no_file_beyond(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size`: what a full disk looks like from inside."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)

"""Check that a suite agrees with its manifest, for ``worldquiz check``; no game is run."""

from __future__ import annotations

from pathlib import Path

from worldquiz.errors import RecordError, WorldError
from worldquiz.runs.folder import MANIFEST
from worldquiz.t2q.store import Bundle
from worldquiz.t2q.suites import open_suite
from worldquiz.zmachine import checked


def check_suite(path: Path) -> None:
    """Read all of a suite. Raises `RecordError` where it is not what its manifest says.

    Games cannot be told by their bytes, which hold a date; each is seen to be a story file. A suite
    whose worlds are opened by code that it names is refused: that code would run.
    """
    suite = open_suite(path)
    for world in suite.worlds:
        bundle, opener = suite.bundle(world), suite.opener(world)
        if ":" in opener:
            raise RecordError(
                f"{path / MANIFEST}: world {world!r} is opened by the code {opener!r}, which runs "
                "with the suite: look at that code, and trust its maker"
            )
        game = suite.folder(world) / "game.z8"
        if game.is_file():
            _check_game(game)
        _check_ids(bundle, suite.folder(world))


def _check_game(game: Path) -> None:
    try:
        checked(game)
    except WorldError as error:
        raise RecordError(str(error)) from error


def _check_ids(bundle: Bundle, folder: Path) -> None:
    """Raise `RecordError` where two tasks or two questions have one id."""
    for file, ids in (("tasks", bundle.tasks), ("quiz", bundle.questions)):
        found = [each.id for each in ids]
        if len(set(found)) < len(found):
            raise RecordError(f"{folder / file}.jsonl: two records have one id: it is damaged")

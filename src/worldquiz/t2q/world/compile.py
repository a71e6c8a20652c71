"""Inform source to Z-machine game, by the compilers that TextWorld bundles."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from worldquiz.errors import MissingExtra, WorldError
from worldquiz.records import write_bytes, write_text
from worldquiz.t2q.world.inform import source
from worldquiz.t2q.world.spec import WorldSpec

SCRATCH = 16 * 2**20
"""Bytes that compiling one world needs beside the result."""


def compile_world(spec: WorldSpec, folder: Path) -> str:
    """Write ``game.ni`` and ``game.z8`` of a world into a folder; return the Inform text.

    The `.z8` header holds the date of compilation: compare games by their Inform text. Raises
    `WorldError` where the world exceeds the Z-machine's 512 KB (about 60 rooms).
    """
    text, _ = source(spec)
    write_bytes(folder / "game.z8", compiled(text, f"world {spec.id!r}"))
    write_text(folder / "game.ni", text)
    return text


def require() -> None:
    """Raise `MissingExtra` without the compilers."""
    try:
        import textworld.generator.inform7  # noqa: F401
    except ImportError as error:
        raise MissingExtra("textworld", "textworld") from error


def compiled(text: str, what: str) -> bytes:
    """Return the Z-machine program of an Inform text; `what` names it in errors."""
    require()
    from textworld.generator.inform7 import CouldNotCompileGameError, compile_inform7_game

    with tempfile.TemporaryDirectory(prefix="worldquiz-") as scratch:
        target = Path(scratch) / "game.z8"
        try:
            compile_inform7_game(text, str(target))
        except CouldNotCompileGameError as error:
            raise WorldError(f"{what} does not compile: {_reason(scratch)}") from error
        return target.read_bytes()


def _reason(scratch: str) -> str:
    """Say why a text of ours did not compile: the compilers themselves do not."""
    free = shutil.disk_usage(scratch).free
    if free < SCRATCH:
        return (
            f"only {free // 2**20} MB are left where temporary files go ({Path(scratch).parent}), "
            f"of {SCRATCH // 2**20} needed; set TMPDIR to a folder with more"
        )
    return (
        "more than about 60 rooms or 96 objects exceed the Z-machine's 512 KB; lower the knobs, or "
        "build with --no-compile"
    )

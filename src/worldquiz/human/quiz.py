"""The quiz that a run asked, for a person to answer."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from worldquiz.errors import KnobError, RecordError
from worldquiz.human.sheet import Sheet
from worldquiz.runs.benchmark import benchmarks, kind_of_run

_NAME = re.compile(r"\w(?:[\w .-]{0,62}\w)?")


def named(name: str) -> str:
    """Return a person's name as it is kept. Raises `KnobError` for one that names no file."""
    told = unicodedata.normalize("NFC", name.strip())
    if not _NAME.fullmatch(told):
        raise KnobError(
            f"--name {name!r}: give up to 64 letters, digits, spaces, dots and hyphens, the first "
            "and the last a letter or digit"
        )
    return told


def folder_of(run: Path, name: str) -> Path:
    """Return where a person's run goes by default: beside the run, ``RUN-NAME``."""
    here = run.resolve()
    return here.with_name(f"{here.name}-{name}")


def quiz_of(run: Path, name: str, data: Path | None = None) -> Sheet:
    """Return the quiz that a run asked, for a person of some name.

    `data` is the folder that the run is about, where the run needs it and it was moved. Raises
    `RecordError` for a folder that is no run, or one that has nothing for people.
    """
    _, kind = kind_of_run(run)
    if kind.sheet is not None:
        return kind.sheet(run, name, data)
    if kind.exam is None:
        others = _commands_with_quiz()
        raise RecordError(f"{run}: a {kind.noun} has no quiz for people: give a run of {others}")
    from worldquiz.human.rows_sheet import RowsSheet

    return RowsSheet(run, name, data)


def _commands_with_quiz() -> str:
    """Return the commands whose runs have a quiz for people."""
    kinds = [kind for each in benchmarks().values() for kind in each.runs]
    commands = dict.fromkeys(f"`{kind.command}`" for kind in kinds if kind.sheet or kind.exam)
    return " or ".join(commands) or "another benchmark"

"""Which quiz a run asked, for a person to answer."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from worldquiz.errors import KnobError, RecordError
from worldquiz.human.sheet import Sheet
from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST
from worldquiz.t2q.store import read_run

HUMAN = "human"
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
    """Return the quiz that a run asked; `data` is the folder of tasks of a run of TEA.

    Raises `RecordError` for a folder that is no run, or one that asks nothing of people.
    """
    path = run / MANIFEST
    if not path.is_file():
        raise RecordError(f"{run}: no {MANIFEST}: this is no run of worldquiz")
    manifest = read_json(path)
    kind = manifest.get("kind") if isinstance(manifest, dict) else None
    if data is not None and kind != "tea-run":
        raise RecordError(f"{run}: holds all that is asked about: leave out --data")
    match kind:
        case "run":
            from worldquiz.t2q.human import WorldsSheet

            return WorldsSheet(read_run(run), name)
        case "mango":
            from worldquiz.mango.human import Mazes
            from worldquiz.mango.running.run import plan_of

            return Mazes(plan_of(run), name)
        case "tea-run":
            from worldquiz.tea.human import Tasks, exam_of

            return Tasks(exam_of(run, data), manifest, name)
    raise RecordError(
        f"{path}: asks nothing of people: give a run of `worldquiz t2q run`, `worldquiz mango run` "
        "or `worldquiz tea run`"
    )

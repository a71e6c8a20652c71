"""What was replied and walked so far, kept as it comes.

Each line goes to the end of a journal; one that a killed process left half written is dropped when
the journal is read again. When everything is there, ``answers.jsonl`` is written whole, in order,
and the journal goes. So a killed run asks nothing twice and ends with an undisturbed one's bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.evals._jobs import Done, silent
from worldquiz.model.io import read_bytes, write_text

ANSWERS, JOURNAL = "answers.jsonl", ".answers.journal"


class Journal:
    """Lines by the id of their task. One process at a time writes it."""

    def __init__(self, folder: Path, done: Done = silent) -> None:
        """Read what is there. Raises `RecordError` for a journal that is none.

        `done` is told of each line that is added.
        """
        self._done = done
        self._path, self._whole = folder / JOURNAL, folder / ANSWERS
        self.lines: dict[str, dict[str, Any]] = {}
        path = self._whole if self._whole.is_file() else self._path
        if path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        kept = 0
        for number, text in enumerate(read_bytes(path).splitlines(keepends=True), start=1):
            if not text.endswith(b"\n"):
                break
            try:
                line = json.loads(text)
                self.lines[line["id"]] = line
            except (ValueError, KeyError, TypeError) as error:
                raise RecordError(
                    f"{path}:{number}: is no reply; delete the file's rest"
                ) from error
            kept += len(text)
        if path == self._path:
            with path.open("r+b") as stream:
                stream.truncate(kept)

    def add(self, line: Mapping[str, Any]) -> None:
        """Keep a line; it holds the id of its task."""
        self.lines[line["id"]] = dict(line)
        with self._path.open("ab") as stream:
            stream.write(_text(line).encode())
        self._done(line["id"])

    def finish(self, ids: Sequence[str]) -> None:
        """Write all lines in the order of their tasks, and do away with the journal."""
        if not self._whole.is_file():
            write_text(self._whole, "".join(_text(self.lines[id]) for id in ids))
        self._path.unlink(missing_ok=True)


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"

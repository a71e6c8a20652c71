"""Lines of a run kept as they come, so that a killed run asks nothing twice.

Each line goes to the end of a journal; one that a killed process left half written is dropped when
the journal is read again. When all are there, the run's file is written whole, in order, and the
journal goes. So a killed run ends with the bytes of an undisturbed one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz.errors import RecordError
from worldquiz.records import Told, check, read_bytes, write_text
from worldquiz.runs.answer_lines import AnswerLine
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.shard import check_whole

ANSWERS = "answers.jsonl"
K = TypeVar("K", bound=Hashable)


class Lines(Generic[K]):
    """Lines so far, by their keys. One process at a time writes them."""

    def __init__(
        self,
        folder: Path,
        key: Callable[[Mapping[str, Any]], K],
        done: Done,
        *,
        whole: str = ANSWERS,
        of: Any = AnswerLine,
    ) -> None:
        """Read what is there. Raises `RecordError` for a journal that is none.

        `key` tells lines apart; `done` is told the id of each line that is kept; `whole` is the
        file of a finished run; `of` is what lines must be, a dataclass.
        """
        self.done = done
        self._key = key
        self._path = folder / f".{whole.removesuffix('.jsonl')}.journal"
        self._whole = folder / whole
        self._of = of
        self.lines: dict[K, dict[str, Any]] = Told({}, self._whole)
        path = self._whole if self._whole.is_file() else self._path
        if path.is_file():
            self._read(path)

    def _read(self, path: Path) -> None:
        kept = 0
        for number, text in enumerate(read_bytes(path).splitlines(keepends=True), start=1):
            if path == self._path and not text.endswith(b"\n"):
                break
            where = f"{path}:{number}"
            try:
                check(text, self._of, where)
                line = Told(json.loads(text), where)
                self.lines[self._key(line)] = line
            except RecordError as error:
                if path == self._whole:
                    raise
                raise RecordError(f"{where}: is no reply; delete the file's rest") from error
            kept += len(text)
        if path == self._path:
            with path.open("r+b") as stream:
                stream.truncate(kept)

    def has(self, key: K) -> bool:
        """Tell whether a line is kept."""
        return key in self.lines

    def find(self, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the line about the same thing as `about`, None where none is kept."""
        return self.lines.get(self._key(about))

    def keep(self, line: Mapping[str, Any]) -> None:
        """Keep a line; it holds the id of what it is about."""
        self.lines[self._key(line)] = dict(line)
        with self._path.open("ab") as stream:
            stream.write(_text(line).encode())
        self.done(line["id"])

    def settle(self, keys: Sequence[K]) -> Path:
        """Write the lines of some keys in their order, and do away with the journal."""
        if not self._whole.is_file():
            write_text(self._whole, "".join(_text(self.lines[key]) for key in keys))
        self._path.unlink(missing_ok=True)
        return self._whole


def by_id(line: Mapping[str, Any]) -> str:
    """Return the id of what a line is about."""
    return str(line["id"])


def finished(
    folder: Path,
    key: Callable[[Mapping[str, Any]], K],
    whole: str = ANSWERS,
    of: Any = AnswerLine,
) -> dict[K, dict[str, Any]]:
    """Return the lines of a finished run by their keys, which must all be there.

    Raises `RecordError` if the run is not finished, for a line that is not what it should be, and
    where a line or a key of a line is asked for that is not there.
    """
    finished_file(folder, whole)
    return Lines(folder, key, silent, whole=whole, of=of).lines


def finished_file(folder: Path, whole: str = ANSWERS) -> Path:
    """Return a file that only a finished run has. Raises `RecordError` where it is not there."""
    check_whole(folder)
    path = folder / whole
    if not path.is_file():
        raise RecordError(
            f"{folder}: has no {whole} yet: give the run's command again to finish it"
        )
    return path


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n"

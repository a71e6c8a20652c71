"""Lines of a run kept as they come, so that a killed run asks nothing twice.

Each line goes to the end of a journal (`journal_file`); a line that a killed process or a full disk
left half written is left out when the journal is read again. When all are there, the run's file is
written whole, in order, and the journal goes. So a killed run ends with the bytes of an undisturbed
one. Lines that cost money or a person's time are on the disk when `keep` returns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from worldquiz.errors import RecordError
from worldquiz.records import Told, check, read_bytes, write_text
from worldquiz.runs.answer_lines import AnswerLine
from worldquiz.runs.executor import Done
from worldquiz.runs.journal_file import JournalFile, whole_lines
from worldquiz.runs.losses import FAILED, read_losses, reason_of, unit_name
from worldquiz.runs.progress import copy_so_far, is_so_far
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
        """Read the lines kept so far; broken journal lines are left out, and counted as `damaged`.

        `key` tells lines apart; `done` is told the id of each line that is kept; `whole` is the
        file of a finished run; `of` is the dataclass that lines must fit.
        """
        self.done = done
        self._key = key
        self._file = JournalFile(folder / journal_name(whole))
        self._whole = folder / whole
        self._of = of
        self.losses: dict[K, BaseException] = {}  # why units could not be finished, so far
        self._about: dict[K, dict[str, Any]] = {}  # what the lines of lost units say beside
        self.lines: dict[K, dict[str, Any]] = Told({}, self._whole)
        if self._whole.is_file():
            for number, text in enumerate(read_bytes(self._whole).splitlines(), start=1):
                self._take_settled(text, f"{self._whole}:{number}")
        else:
            self._replay()

    def _replay(self) -> None:
        for number, text in enumerate(self._file.read(), start=1):
            try:
                self._take(text, f"{self._file.path}:{number}")
            except RecordError:
                self._file.damaged += 1

    def _take_settled(self, text: bytes, where: str) -> None:
        self._take(text, where)

    def _take(self, text: bytes, where: str) -> None:
        check(text, self._of, where)
        self._put(Told(json.loads(text), where), where)

    def _put(self, line: dict[str, Any], where: str) -> None:
        try:
            self.lines[self._key(line)] = line
        except TypeError as error:  # a list or an object where a name belongs
            raise RecordError(f"{where}: does not say by a text what it is about") from error

    @property
    def folder(self) -> Path:
        """The run's folder."""
        return self._whole.parent

    @property
    def damaged(self) -> int:
        """Number of places in the journal that could not be read."""
        return self._file.damaged

    def has(self, key: K) -> bool:
        """Tell whether a line is kept."""
        return key in self.lines

    def find(self, about: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the line about the same thing as `about`, None where none is kept."""
        return self.lines.get(self._key(about))

    def keep(self, line: Mapping[str, Any]) -> None:
        """Keep a line; it holds the id of what it is about.

        Raises `OSError` where it cannot be written: then nothing is kept.
        """
        self._file.append(_text(line).encode(), sync=_dear(line))
        self.lines[self._key(line)] = dict(line)
        self.done(unit_name(self._key(line)))

    def lose(self, about: Mapping[str, Any], error: BaseException) -> None:
        """Note why a unit could not be finished; `about` says what its line is about."""
        key = self._key(about)
        self.losses[key], self._about[key] = error, dict(about)

    def fail(self, key: K) -> None:
        """Keep that a lost unit failed, and why."""
        told = {"reply": "", "status": FAILED, "failure": reason_of(self.losses.pop(key))}
        self.keep({**self._about[key], **told})

    def failed(self) -> dict[str, str]:
        """Return why units failed, by their names."""
        return {
            unit_name(key): str(line.get("failure"))
            for key, line in self.lines.items()
            if line.get("status") == FAILED
        }

    def reopen(self, *, failed: bool) -> None:
        """Go on with a run that was settled: its lines are kept in a journal again.

        With `failed` those of failed units are left out, so that they are tried again.
        """
        left = [key for key, line in self.lines.items() if failed and line.get("status") == FAILED]
        for key in left:
            del self.lines[key]
        self._file.write([_text(line).encode() for line in self.lines.values()])
        self._whole.unlink(missing_ok=True)

    def settle(self, keys: Sequence[K]) -> Path:
        """Write the lines of some keys in their order, and do away with the journal."""
        if not self._whole.is_file():
            write_lines(self._whole, (self.lines[key] for key in keys))
        self._file.path.unlink(missing_ok=True)
        return self._whole


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """Write a run's file of lines, whole or not at all."""
    write_text(path, "".join(f"{_text(line)}\n" for line in lines))


def journal_name(whole: str) -> str:
    """Return the name of the journal of a run's file."""
    return f".{whole.removesuffix('.jsonl')}.journal"


def by_id(line: Mapping[str, Any]) -> str:
    """Return a line's id."""
    return str(line["id"])


def finished_file(folder: Path, whole: str = ANSWERS) -> Path:
    """Return a file that only a finished run has. Raises `RecordError` where it is not there.

    Where runs are read as far as they are (`progress.so_far`), it is a copy of what is kept so far.
    """
    check_whole(folder)
    path = folder / whole
    if not path.is_file():
        if copy := copy_so_far(folder, whole, journal_name(whole)):
            return copy
        raise RecordError(
            f"{folder}: has no {whole} yet: give the run's command again to finish it"
        )
    return path


def has_lines(folder: Path, whole: str = ANSWERS) -> bool:
    """Tell whether a run that goes on has kept any line yet."""
    journal = folder / journal_name(whole)
    return journal.is_file() and bool(whole_lines(read_bytes(journal))[0])


def unreached(
    folder: Path, keys: Iterable[Hashable], lines: Mapping[Any, object]
) -> frozenset[str]:
    """Return the names of units that a run has not reached, by what it lacks or is at."""
    at = (key for key in keys if key not in lines) if is_so_far() else ()
    return frozenset((*read_losses(folder).unfinished, *map(unit_name, at)))


def _text(line: Mapping[str, Any]) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=False)


def _dear(line: Mapping[str, Any]) -> bool:
    """Tell whether a line cost something: a model's call, or a person's time."""
    return bool((line.get("usage") or {}).get("calls")) or line.get("seconds") is not None

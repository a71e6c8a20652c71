"""Replies of a model to MANGO's questions, kept as they come.

A run's folder is begun with its manifest. Each reply goes to the end of a journal; a line that a
killed process left half written is dropped when the journal is read again. When every question has
its reply, ``answers.jsonl`` is written whole, in the order of the questions, and the journal goes.
So a killed run asks nothing twice and ends with the bytes of an undisturbed one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.evals.mango.answers import about
from worldquiz.metrics.mango.grade import Question
from worldquiz.model.io import read_bytes, write_text
from worldquiz.model.llm import Usage

ANSWERS, JOURNAL = "answers.jsonl", ".answers.journal"

Key = tuple[str, str, str]
Done = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Said:
    """One reply."""

    question: Question
    steps: int  # of the walkthrough that were read
    reply: str
    status: str | None  # "overflow" or "filtered" where the provider gave no answer
    usage: Usage

    def line(self) -> dict[str, Any]:
        """Return it as a line of answers."""
        told = asdict(self.usage)
        return {
            **about(self.question), "steps": self.steps, "reply": self.reply,
            "status": self.status,
            "usage": {name: told[name] for name in ("calls", "input", "cached", "output", "cost")},
        }  # fmt: skip


def key(line: Mapping[str, Any]) -> Key:
    """Return which question a line answers."""
    return line["game"], line["task"], line["id"]


class Journal:
    """Replies so far. One process at a time writes it."""

    def __init__(self, folder: Path, done: Done) -> None:
        """Read what is there. Raises `RecordError` for a journal that is none.

        `done` is told of each reply that is added.
        """
        self._done = done
        self._path, self._whole = folder / JOURNAL, folder / ANSWERS
        self.lines: dict[Key, dict[str, Any]] = {}
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
                self.lines[key(line)] = line
            except (ValueError, KeyError, TypeError) as error:
                raise RecordError(
                    f"{path}:{number}: is no reply; delete the file's rest"
                ) from error
            kept += len(text)
        if path == self._path:
            with path.open("r+b") as stream:
                stream.truncate(kept)

    def has(self, question: Question) -> bool:
        """Tell whether a question was answered before."""
        return key(about(question)) in self.lines

    def add(self, said: Said) -> None:
        """Keep a reply."""
        line = said.line()
        self.lines[key(line)] = line
        text = json.dumps(line, sort_keys=True, ensure_ascii=False)
        with self._path.open("ab") as stream:
            stream.write(text.encode() + b"\n")
        self._done(said.question.id)

    def finish(self, questions: Sequence[Question]) -> Path:
        """Write all answers in the order of their questions, and do away with the journal."""
        lines = [self.lines[key(about(question))] for question in questions]
        texts = (json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines)
        write_text(self._whole, "".join(texts))
        self._path.unlink(missing_ok=True)
        return self._whole

"""Graded questions as one flat table, for data frames: one row a question of each run.

Records stay in JSONL; this is a view of them. ``score`` is null where there is no grade, and then
``unscored`` says why; ``episode`` and ``step`` are null where nothing made the question answerable;
``status``, ``confidence`` and ``cause`` are null where no model answered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import worldquiz
from worldquiz.errors import MissingExtra
from worldquiz.export.columns import Columns, schema
from worldquiz.export.croissant import About, File, Table, croissant
from worldquiz.facts.question import Graded, Question, Result, Unscored, Which, gold
from worldquiz.records import SCHEMA_VERSION, write_bytes, write_json
from worldquiz.t2q.diagnosis import diagnose
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.store import Run

SCHEMA = "worldquiz/questions"
COLUMNS: Columns = {
    "run": "string",
    "agent": "string",
    "quiz": "string",
    "world": "string",
    "level": "string",
    "question": "string",
    "type": "string",
    "format": "string",
    "text": "string",
    "choices": ["string"],
    "gold": "string",
    "reply": "string",
    "abstained": "bool",
    "answerable": "bool",
    "episode": "int",
    "step": "int",
    "score": "double",
    "unscored": "string",
    "status": "string",
    "confidence": "double",
    "cause": "string",
}
TOLD = {
    "run": "the run's folder",
    "agent": "who played, a model by its name",
    "quiz": "who answered, a model by its memory",
    "gold": "true of the world, whether or not it was shown",
    "episode": "where the question became answerable, from 0",
    "step": "where in the episode; 0 is the observation at reset",
    "score": "0..1; null where there is no grade",
    "unscored": "why there is no score",
    "status": "how a model's reply could be read",
    "confidence": "0..1, as a model stated it",
    "cause": "why a model's answer is right or wrong",
}


def questions_table(runs: Sequence[Run]) -> Any:
    """Return a `pyarrow.Table` of every graded question, in the order of the runs.

    The schema's version is in the table's metadata. Raises `MissingExtra` without pyarrow.
    """
    pyarrow = _pyarrow()
    kinds = schema(COLUMNS).with_metadata({"schema": SCHEMA, "version": str(SCHEMA_VERSION)})
    rows = [row for run in runs for row in _rows(run)]
    return pyarrow.Table.from_pylist(rows, schema=kinds)


def write(runs: Sequence[Run], path: Path) -> Path:
    """Write the table as a parquet file, whole or not at all, and return its path.

    Croissant metadata go beside it. Raises `MissingExtra` without pyarrow, `RecordError` where the
    files cannot be written.
    """
    table = questions_table(runs)
    from pyarrow import parquet

    sink = _pyarrow().BufferOutputStream()
    parquet.write_table(table, sink, compression="zstd")
    data = sink.getvalue().to_pybytes()
    write_bytes(path, data)
    write_json(beside(path), described(path.name, data))
    return path


def beside(path: Path) -> Path:
    """Return where a table's metadata are."""
    return path.with_suffix(".croissant.json")


def described(name: str, data: bytes) -> dict[str, Any]:
    """Return what Croissant's readers are told of a table in a file."""
    about = About(
        "Questions of worldquiz",
        "Questions about worlds, each with the answer that an agent gave and its grade.",
        "https://pypi.org/project/worldquiz/",
        worldquiz.__version__,
    )
    table = Table("questions", name, COLUMNS, TOLD, "One row a question of each run.", key="")
    file = File(name, len(data), hashlib.sha256(data).hexdigest())
    return croissant(about, [table], [file])


def _rows(run: Run) -> Iterator[dict[str, Any]]:
    for played in run.worlds:
        graded = results(played)
        found = diagnose(played, graded)
        causes = found.causes if found else (None,) * len(graded)
        replies = {reply.question: reply for reply in played.trace.replies}
        for question, result, cause in zip(played.bundle.questions, graded, causes, strict=True):
            reply = replies.get(question.id)
            yield {
                "run": run.path.name,
                "agent": run.player,
                "quiz": run.taker,
                **_row(question, result),
                "status": str(reply.status) if reply else None,
                "confidence": reply.confidence if reply else None,
                "cause": str(cause) if cause else None,
            }


def _row(question: Question, result: Result) -> dict[str, Any]:
    moment, score = result.answerable, result.score
    return {
        "world": result.world,
        "level": result.level,
        "question": result.question,
        "type": str(result.type),
        "format": str(result.format),
        "text": question.text,
        "choices": list(question.choices) if isinstance(question, Which) else [],
        "gold": gold(question),
        "reply": result.reply,
        "abstained": result.abstained,
        "answerable": moment is not None,
        "episode": moment.episode if moment else None,
        "step": moment.step if moment else None,
        "score": score.value if isinstance(score, Graded) else None,
        "unscored": score.reason if isinstance(score, Unscored) else None,
    }


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow

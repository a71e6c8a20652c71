"""Answers to MANGO's questions: lines of replies of a run that goes on, and answers on disk.

Answers lie on disk in three layouts.

*A run*: its folder, or its ``rows.jsonl``.

*Ours*: JSONL, one answer a line: ``{"game", "id", "task": "df", "source", "actions", "reply"}`` or
``{"game", "id", "task": "rf", "source", "target", "reply"}``, and ``"steps"`` where less than the
whole walkthrough was read. The id may be left out where places and moves name one question alone.
``reply`` is the model's text, a list of moves, or null for none;
further fields are ignored.

*The release's*: a folder of ``GAME/result_sample_id_ID.json``, as its programs write them.

Nothing is dropped: what cannot be read is an error that names file and line. For comparison with
the release, whose evaluator goes on, a damaged file of its layout can be kept as `Damaged`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from worldquiz.errors import RecordError
from worldquiz.facts.row import AnswerStatus
from worldquiz.llm.model import Purpose, Usage, kept_usage
from worldquiz.mango.grade import Answer, Damaged, Question, Task
from worldquiz.records import check, fault, parsed, read_text
from worldquiz.runs.executor import silent
from worldquiz.runs.rows import ROWS, Lines, RowLine, RowLines, finished_file

Key = tuple[str, str, str]
Line = Mapping[str, Any]
Replies = Lines[Key]
NOTHING = Usage(Purpose.QUIZ)
"""What a reply takes that no model gave."""
_GIVEN = (AnswerStatus.ANSWERED, AnswerStatus.ABSTAINED, AnswerStatus.UNREADABLE)


def key(line: Line) -> Key:
    """Return which question, minigame or step a line replies to."""
    return line["game"], line["task"], line["id"]


def replied(about: Line, reply: str | None, usage: Usage = NOTHING) -> dict[str, Any]:
    """Return a line: what it is about, the reply, and what the reply took."""
    return {**about, "reply": reply, "status": None, "usage": kept_usage(usage)}


def line_of(row: Line) -> dict[str, Any]:
    """Return the line that a row was made of; its measures tell what was asked."""
    status = AnswerStatus(row["status"])
    more = {"seconds": row["seconds"]} if row.get("seconds") is not None else {}
    if status is AnswerStatus.FAILED:
        more["failure"] = row.get("unscored")
    return {
        "game": row["world"], "task": row["type"], "id": row["item"], **row.get("measures", {}),
        "reply": None if status is AnswerStatus.ABSTAINED else row["reply"],
        "status": None if status in _GIVEN else str(status),
        "usage": row.get("usage") or kept_usage(NOTHING), **more,
    }  # fmt: skip


def finished(run: Path) -> dict[Key, dict[str, Any]]:
    """Return the replies of a finished run. Raises `RecordError` if it is not finished."""
    path = finished_file(run, ROWS)
    if path.parent != run:  # a copy of what a run that goes on has kept so far
        return Lines(path.parent, key, silent, whole=ROWS).lines
    return RowLines(run, key, silent, lambda lines: (), line_of).lines


WHOLE = 10**9
"""As many steps as any walkthrough has: the answer's file does not say how many were read."""
_TASKS = {"desti_finding": Task.DF, "route_finding": Task.RF}
_CONFIG = "exp_config.json"
"""The release's settings, which it writes beside its answers (and then counts as an answer)."""

Reply = str | list[Any] | None


@dataclass(frozen=True)
class AnswerLine:
    """A line of our own layout."""

    game: str
    task: Task
    source: str
    reply: Reply
    id: str = ""
    actions: tuple[str, ...] | None = None
    target: str | None = None
    steps: Annotated[int, Field(ge=0)] | None = None  # of the walkthrough that were read


@dataclass(frozen=True)
class Sample:
    """A file of the release's layout."""

    sample_id: str
    game_name: str
    src_node: str
    dst_node: str
    model_cutoff_num: int
    min_step_total_answerable: int
    answerable: Any
    response: Any
    task: str | None = None
    action_list: tuple[str, ...] | None = None


_LINE, _SAMPLE = TypeAdapter(AnswerLine), TypeAdapter(Sample)


def read_answers(path: Path) -> list[Answer]:
    """Return the answers in a file of ours or a folder of the release's.

    Raises `RecordError` naming file and line: nothing there, a line that is no answer, a file that
    lacks a field, a question answered twice.
    """
    if (path / ROWS).is_file():
        path = path / ROWS
    if not path.is_dir():
        return once(answer_of(told, where) for where, told in _lines(path))
    found = [_official(file) for file in _files(path) if file.name != _CONFIG]
    if not found:
        raise RecordError(f"{path}: holds no answers beside {_CONFIG}")
    return once(found)


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the lines of a file of ours, each with its place; those of rows as lines of answers."""
    for where, told in records(path):
        if not isinstance(told, dict) or "measures" not in told:
            yield where, told
        elif told.get("type") in tuple(Task):
            check(json.dumps(told), RowLine, where)
            yield where, line_of(told)


def read_as_released(path: Path) -> list[Answer | Damaged]:
    """Return what the release's evaluator would find: damaged files of its layout stay in."""
    if not path.is_dir():
        return list(read_answers(path))
    found: list[Answer | Damaged] = []
    for file in _files(path):
        try:
            found.append(_official(file))
        except RecordError as error:
            found.append(Damaged(file.parent.name, _task_of(file, None), str(error)))
    once(each for each in found if isinstance(each, Answer))
    return found


def about(asked: Question | Answer) -> dict[str, Any]:
    """Return what a line of our layout says of its question."""
    df = asked.task is Task.DF
    wanted = {"actions": list(asked.actions)} if df else {"target": asked.target}
    return {
        "game": asked.game, "id": asked.id, "task": str(asked.task), "source": asked.source,
        **wanted,
    }  # fmt: skip


def records(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the objects of a JSONL file, each with its place. Raises `RecordError`."""
    lines = read_text(path).lstrip("\ufeff").split("\n")
    if not any(line.strip() for line in lines):
        raise RecordError(f"{path}: holds no answers")
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield f"{path}:{number}", parsed(line, f"{path}:{number}")


def answer_of(told: Any, where: str) -> Answer:
    """Return the answer in an object of our layout. Raises `RecordError`."""
    row: AnswerLine = _checked(_LINE, told, where)
    wanted, given = ("actions", row.actions) if row.task is Task.DF else ("target", row.target)
    if not given:
        raise RecordError(f"{where}: {wanted}: an answer of task {row.task} needs it")
    steps = WHOLE if row.steps is None else row.steps
    return Answer(
        row.game, row.id, row.task, row.source, row.actions or (), row.target or "",
        row.reply, steps, None, where,
    )  # fmt: skip


def _official(file: Path) -> Answer:
    sample: Sample = _checked(_SAMPLE, parsed(read_text(file), file), str(file))
    task = _task_of(file, sample.task)
    if task is Task.DF and not sample.action_list:
        raise RecordError(f"{file}: action_list: an answer of destination finding needs it")
    actions = sample.action_list or () if task is Task.DF else ()
    return Answer(
        sample.game_name, sample.sample_id, task, sample.src_node, actions, sample.dst_node,
        sample.response, sample.model_cutoff_num, sample.min_step_total_answerable, str(file),
    )  # fmt: skip


def _checked(adapter: TypeAdapter[Any], value: Any, where: str) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        raise RecordError(f"{where}: {fault(error)}") from error


def _task_of(file: Path, said: str | None) -> Task:
    """Return the task of a file, which it says itself or the name of a folder above it does."""
    for name in (said or "", *(part.name for part in file.parents)):
        for word, task in _TASKS.items():
            if word in name:
                return task
    raise RecordError(
        f"{file}: task {said!r}, and no folder above it is named after one; "
        f"known: {', '.join(_TASKS)}"
    )


def _files(folder: Path) -> Sequence[Path]:
    files = sorted(path for path in folder.rglob("*.json") if path.is_file())
    if not files:
        raise RecordError(f"{folder}: no answers here: wanted GAME/result_sample_id_ID.json")
    return files


def once(answers: Iterable[Answer]) -> list[Answer]:
    """Return answers of which no two are to one question. Raises `RecordError`."""
    found: dict[tuple[object, ...], Answer] = {}
    for answer in answers:
        told = (answer.id,) if answer.id else (answer.source, answer.actions, answer.target)
        key = (answer.game, answer.task, *told)
        if key in found:
            ids = "" if answer.id else ", and give ids where questions have equal words"
            raise RecordError(
                f"{answer.where}: question {answer.id!r} of {answer.game!r} is answered already "
                f"in {found[key].where}; score each model by itself{ids}"
            )
        found[key] = answer
    return list(found.values())

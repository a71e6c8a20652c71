"""Eval logs of inspect as runs: reported, exported and scored again like any other.

A sample carries its world's records as one piece of text (`pack`).
"""

from __future__ import annotations

import base64
import json
import tempfile
import zlib
from collections.abc import Sequence, Set
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz import trust
from worldquiz.errors import RecordError
from worldquiz.llm.eval_log import reading, reason
from worldquiz.llm.extra import require
from worldquiz.memory.catalog import memories
from worldquiz.memory.setup import MEMORY_ROLE
from worldquiz.records import Told, check
from worldquiz.t2q.store import (
    Played,
    RunRecord,
    WorldsManifest,
    named,
    read_played,
    read_run,
    write_played,
)

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

RECORDS = "worldquiz"
"""Where a sample's metadata keeps its packed records."""
SUFFIXES = (".eval", ".json")
_RETRY = "resume it with `inspect eval-retry`"
_RAISE = "evaluate it again with a higher limit, since `inspect eval-retry` keeps limits"
_REACHING = {"attempt_timeout", "max_connections", "max_retries"}
"""Settings that say how a model is reached, not what it is asked."""
_OF_OURS = {"embedder", "features", "memory", "options", "wiring"}
"""What a manifest says of the task's own solver alone."""
_UNREAD = {"attachments", "events", "messages", "store"}
"""Parts of a sample that need not be read, which are nearly all of it."""


def pack(played: Played) -> str:
    """Return a world of a run as text: its files, compressed. Equal worlds, equal texts."""
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as name:
        folder = Path(name)
        write_played(folder, played)
        files = {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}
    data = json.dumps(files, sort_keys=True, ensure_ascii=False).encode()
    return base64.b64encode(zlib.compress(data, 9)).decode()


def unpack(text: Any, place: str) -> Played:
    """Return what `pack` packed. Raises `RecordError`, naming `place`, for anything else."""
    if not isinstance(text, str):
        raise RecordError(f"{place}: it holds no records of a world: it was not finished")
    try:
        files = trust.loads(
            trust.inflated(base64.b64decode(text, validate=True), f"{place}: its records")
        )
    except ValueError as error:
        raise RecordError(f"{place}: its records cannot be unpacked: {error}") from error
    if not isinstance(files, dict) or not all(isinstance(each, str) for each in files.values()):
        raise RecordError(f"{place}: its records are no files")
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as name:
        folder = Path(name)
        for file in trust.plain_names(files, place):
            (folder / file).write_text(files[file], encoding="utf-8")
        try:
            return read_played(folder)
        except RecordError as error:
            raise RecordError(str(error).replace(str(folder), place)) from error


def read_runs(path: Path) -> list[RunRecord]:
    """Return the run of a folder, or the runs of an eval log: one for each epoch.

    Raises `RecordError` where there is neither, or where a world is missing.
    """
    if path.suffix in SUFFIXES and path.is_file():
        return read_log(path)
    return [read_run(path)]


def read_log(path: Path) -> list[RunRecord]:
    """Return the runs of an eval log of ``worldquiz/t2q``, one for each epoch.

    Raises `RecordError` if it is of another task or some of its worlds were not finished.
    """
    require()
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    with reading(path):
        log = read_eval_log(path, header_only=True)
        summaries = read_eval_log_sample_summaries(path)
    manifest = _manifest(log, path)
    planned = {str(id) for id in log.eval.dataset.sample_ids or manifest["worlds"]}
    asked = [world for world in manifest["worlds"] if world in planned]
    begun = {(str(each.id), each.epoch) for each in summaries if each.completed}
    epochs = log.eval.config.epochs or 1
    return [
        _run(path, manifest, asked, begun, epoch, last=epochs) for epoch in range(1, epochs + 1)
    ]


def _manifest(log: EvalLog, path: Path) -> dict[str, Any]:
    """Return a log's header as a run's manifest."""
    told = (log.eval.metadata or {}).get(RECORDS)
    if not isinstance(told, dict):
        raise RecordError(f"{path}: a log of {log.eval.task!r}, wanted worldquiz/t2q")
    check(json.dumps(told), WorldsManifest, path)
    told = Told(told, path)
    trust.plain_names(told["worlds"], path)
    reached = {
        "model": log.eval.model,
        "generate": log.plan.config.model_dump(exclude_none=True, exclude=_REACHING),
    }
    if solver := _other_solver(log):
        memory = told["memory"]
        versions = {name: each for name, each in told["versions"].items() if name != memory}
        same = {name: value for name, value in told.items() if name not in _OF_OURS}
        return {**same, **reached, "versions": versions, "solver": solver}
    roles = log.eval.model_roles or {}
    role = roles.get(MEMORY_ROLE)
    one = role[0] if isinstance(role, list) else role
    calls = {memory.name: memory.calls_model for memory in memories()}.get(told["memory"], True)
    memory_model = (one.model if one else log.eval.model) if calls else None
    return {**told, **reached, "memory_model": memory_model}


def _other_solver(log: EvalLog) -> str | None:
    """Return the solver that took the place of the task's own, None where none did."""
    steps = [step.solver for step in log.plan.steps]
    if "worldquiz/sitting" in steps:
        return None
    return " + ".join(step for step in steps if step != "worldquiz/seated") or None


def _run(
    path: Path,
    manifest: dict[str, Any],
    worlds: Sequence[str],
    begun: Set[tuple[str, int]],
    epoch: int,
    *,
    last: int,
) -> RunRecord:
    """Return the run of one epoch, which is all the worlds that were asked for or none."""
    from inspect_ai.log import read_eval_log_sample

    found = []
    for world in worlds:
        if (world, epoch) not in begun:
            raise RecordError(f"{path}: {_unfinished(world, None)}")
        with reading(path):
            sample = read_eval_log_sample(path, world, epoch, exclude_fields=_UNREAD)
        if RECORDS not in sample.metadata:
            raise RecordError(f"{path}: {_unfinished(world, sample)}")
        played = unpack(sample.metadata[RECORDS], f"{path}: sample {world}")
        found.append(named(played, world, path))
    told = manifest | {"worlds": list(worlds)} | ({"epoch": epoch} if last > 1 else {})
    return RunRecord(path, told, tuple(found))


def _unfinished(world: str, sample: EvalSample | None) -> str:
    """Say why a world was not finished, and what to do."""
    if sample and sample.limit:
        why, way = f"the {sample.limit.type} limit of {sample.limit.limit:g} stopped it", _RAISE
    elif sample and sample.error:
        why, way = reason(sample.error), _RETRY
    else:
        why, way = "the evaluation was stopped", _RETRY
    return f"world {world} was not finished ({why}): {way}"

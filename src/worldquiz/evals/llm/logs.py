"""Eval logs of inspect as runs: reported, exported and scored again like any other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.evals.llm.pack import RECORDS, unpack
from worldquiz.evals.llm.sitting import MEMORY_ROLE
from worldquiz.evals.llm.trial import require
from worldquiz.model.store import Run, read_run

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSampleSummary

SUFFIXES = (".eval", ".json")
_UNREAD = {"attachments", "events", "messages", "store"}
"""Parts of a sample that need not be read, which are nearly all of it."""


def read_runs(path: Path) -> list[Run]:
    """Return the run of a folder, or the runs of an eval log: one for each epoch.

    Raises `RecordError` where there is neither, or where a world is missing.
    """
    if path.suffix in SUFFIXES and path.is_file():
        return read_log(path)
    return [read_run(path)]


def read_log(path: Path) -> list[Run]:
    """Return the runs of an eval log of ``worldquiz/t2q``, one for each epoch.

    Raises `RecordError` if it is of another task or some of its worlds were not finished.
    """
    require()
    from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

    try:
        log = read_eval_log(path, header_only=True)
        summaries = read_eval_log_sample_summaries(path)
    except (ValueError, OSError, KeyError) as error:
        raise RecordError(f"{path}: no eval log: {error}") from error
    manifest = _manifest(log, path)
    runs = [
        _run(path, manifest, epoch, summaries, last=log.eval.config.epochs or 1)
        for epoch in sorted({summary.epoch for summary in summaries})
    ]
    if not runs:
        raise RecordError(f"{path}: no world was finished: resume it with `inspect eval-retry`")
    return runs


def _manifest(log: EvalLog, path: Path) -> dict[str, Any]:
    """Return a log's header as a run's manifest."""
    told = (log.eval.metadata or {}).get(RECORDS)
    if not isinstance(told, dict):
        raise RecordError(f"{path}: a log of {log.eval.task!r}, wanted worldquiz/t2q")
    roles = log.eval.model_roles or {}
    role = roles.get(MEMORY_ROLE)
    one = role[0] if isinstance(role, list) else role
    return {
        **told,
        "model": log.eval.model,
        "memory_model": one.model if one else log.eval.model,
        "generate": log.plan.config.model_dump(exclude_none=True),
    }


def _run(
    path: Path,
    manifest: dict[str, Any],
    epoch: int,
    summaries: list[EvalSampleSummary],
    *,
    last: int,
) -> Run:
    from inspect_ai.log import read_eval_log_sample

    ids = [str(each.id) for each in summaries if each.epoch == epoch and each.completed]
    worlds = [world for world in manifest["worlds"] if world in ids]
    found = []
    for world in worlds:
        sample = read_eval_log_sample(path, world, epoch, exclude_fields=_UNREAD)
        if RECORDS not in sample.metadata:
            reason = sample.error.message if sample.error else "it was stopped"
            raise RecordError(
                f"{path}: world {world} was not finished ({reason.strip().splitlines()[0]}): "
                "resume it with `inspect eval-retry`"
            )
        found.append(unpack(sample.metadata[RECORDS], f"{path}: sample {world}"))
    told = manifest | {"worlds": worlds} | ({"epoch": epoch} if last > 1 else {})
    return Run(path, told, tuple(found))

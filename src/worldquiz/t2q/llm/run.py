"""Run a model over a suite, world by world, as ``worldquiz t2q run --model`` does.

The work is inspect's (`task`), its eval logs are in ``RUN/logs``. Worlds are written into the run's
folder as they are finished, so a killed run resumes without repeating a call of a finished world:
its records are read, scored with the others, and stand in the last log again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import WorldError
from worldquiz.llm.client import check_settings, model_of, reason
from worldquiz.llm.price import Price, tell
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.folder import MANIFEST, begin, claimed, unfinished
from worldquiz.t2q.llm.sitting import MEMORY_ROLE
from worldquiz.t2q.llm.trial import Subject
from worldquiz.t2q.run import finish
from worldquiz.t2q.store import Run
from worldquiz.t2q.suite import Suite

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

LOGS = "logs"


@dataclass(frozen=True, slots=True)
class Call:
    """How the model is reached and asked; none of it but `generate` is part of what is measured."""

    model: str
    base_url: str | None = None
    memory_model: str | None = None  # by which memories call; the same model if absent
    generate: Mapping[str, Any] = field(default_factory=dict)  # inspect's GenerateConfig
    connections: int | None = None  # at once; as many as worlds if absent
    price: Price | None = None  # of the model; that of another memory model stays unknown
    retries: int = 5  # of a call that failed, before its world is given up


def run(suite: Suite, subject: Subject, call: Call, out: Path, *, done: Done = silent) -> Run:
    """Run a subject on a suite's worlds, or finish one that was begun, and write its scores.

    A killed run that is resumed ends with the records of an undisturbed one. Raises
    `CatalogError` for a model, memory or player that nobody has, `WorldError` for worlds that
    could not be finished, `RecordError` where `out` holds anything else.
    """
    suite.require_games()
    check_settings(call.generate)
    model = model_of(call.model, call.base_url)
    memory_model = model_of(call.memory_model or call.model, call.base_url)
    record = subject.record(suite) | subject.asked(str(model), str(memory_model), call.generate)
    if call.price:
        tell(str(model), call.price)
        record["price"] = asdict(call.price)
    with claimed(out):
        begin(out, MANIFEST, record)
        if left := unfinished(out, suite.worlds, done):
            _play(suite, subject, call, out, len(left), done)
        return finish(out)


def _play(suite: Suite, subject: Subject, call: Call, out: Path, left: int, done: Done) -> None:
    """Have inspect play what is left. Raises `WorldError` where some of it fails."""
    from inspect_ai import eval as evaluate

    from worldquiz.t2q.llm.task import t2q, telling

    at_once = call.connections or left
    with telling(done):
        logs = evaluate(
            t2q(str(suite.path.resolve()), records=str(out.resolve()), **subject.arguments()),
            model=model_of(call.model, call.base_url),
            model_roles={MEMORY_ROLE: model_of(call.memory_model or call.model, call.base_url)},
            log_dir=str(out / LOGS),
            display="none",
            log_realtime=False,
            log_model_api=False,
            max_samples=left,
            max_connections=at_once,
            max_retries=call.retries,
            **call.generate,
        )
    _check(logs, out, unfinished(out, suite.worlds, lambda world: None))


def _check(logs: Sequence[EvalLog], out: Path, left: Sequence[str]) -> None:
    """Raise what ended the evaluation, if it did not end well."""
    if not left:
        return
    if logs and logs[0].status == "cancelled":
        raise KeyboardInterrupt
    errors = {
        str(sample.id): sample.error for log in logs for sample in log.samples or () if sample.error
    }
    error = errors.get(left[0]) or next((log.error for log in logs if log.error), None)
    raise WorldError(
        f"{len(left)} worlds could not be finished; {left[0]}: {reason(error)}; "
        f"what is finished is kept: give the same command again to go on (logs: {out / LOGS})"
    )

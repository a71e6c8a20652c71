"""How a model is reached, and an evaluation of questions that keep their replies as they come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.evals.llm.logs import reason
from worldquiz.evals.llm.price import Price
from worldquiz.evals.llm.trial import model_of

AT_ONCE = 20
LOGS = "logs"


@dataclass(frozen=True, slots=True)
class Reach:
    """How the model is reached; of it only `generate` bears on what is measured."""

    model: str
    base_url: str | None = None
    generate: Mapping[str, Any] = field(default_factory=dict)
    connections: int = AT_ONCE
    price: Price | None = None
    retries: int = 5


def evaluate(task: Any, reach: Reach, out: Path, *, noun: str = "questions", **more: Any) -> None:
    """Have inspect ask a task's samples, with its logs in a run's folder.

    `more` goes to inspect. Raises `WorldError` where some of the `noun` could not be asked.
    """
    from inspect_ai import eval as evaluated

    logs = evaluated(
        task,
        model=model_of(reach.model, reach.base_url),
        log_dir=str(out / LOGS),
        display="none",
        log_realtime=False,
        log_model_api=False,
        max_samples=reach.connections,
        max_connections=reach.connections,
        max_retries=reach.retries,
        **more,
        **reach.generate,
    )
    _check(logs, out, noun)


def _check(logs: Any, out: Path, noun: str) -> None:
    """Raise what ended the evaluation, if it did not end well."""
    if logs and logs[0].status == "cancelled":
        raise KeyboardInterrupt
    errors = [sample.error for log in logs for sample in log.samples or () if sample.error]
    errors += [log.error for log in logs if log.error]
    if errors:
        raise WorldError(
            f"{len(errors)} {noun} could not be asked: {reason(errors[0])}; what was replied is "
            f"kept: give the same command again to go on (logs: {out / LOGS})"
        )

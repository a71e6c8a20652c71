"""How a model is reached, and an evaluation of questions that keep their replies as they come."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import CatalogError, KnobError, RecordError, WorldError
from worldquiz.llm.at_once import Turns, turns
from worldquiz.llm.extra import require
from worldquiz.llm.limits import Limits, Meter, meter
from worldquiz.llm.preflight import check_model
from worldquiz.llm.price import Price, known_price, tell
from worldquiz.llm.records import Usage
from worldquiz.runs.folder import ENDPOINT, own_name
from worldquiz.runs.given import check_unused
from worldquiz.runs.notices import KEPT

if TYPE_CHECKING:
    from inspect_ai.log import EvalError
    from inspect_ai.model import Model

AT_ONCE, RETRIES = 20, 5
TIMEOUT = 600
"""Seconds that a model has to reply to one attempt of a call."""
FEW = 4
"""Questions of a quiz asked at once of a server that may be small: one of the user's own."""
_OWN = (
    "hf", "llama-cpp-python", "mockllm", "nnterp", "ollama", "openai-api", "sglang",
    "transformer_lens", "vllm",
)  # fmt: skip
"""Providers of inspect that run on the user's machines, or may."""
_OWN_RETRIES = 0
"""Retries of the client's library, beneath those that inspect makes and counts."""
NO_LIMITS = Limits()
LOGS = "logs"


@dataclass(frozen=True, slots=True)
class Reach:
    """How the model is reached; of it only `generate` bears on what is measured."""

    model: str
    base_url: str | None = None
    generate: Mapping[str, Any] = field(default_factory=dict)
    connections: int = AT_ONCE
    price: Price | None = None
    retries: int = RETRIES
    limits: Limits = NO_LIMITS
    timeout: int = TIMEOUT  # seconds of one attempt
    questions_at_once: int | None = None  # of one quiz; None: by the provider
    processes: int = 1  # that play one run: limits are shared out among them

    @classmethod
    def of(
        cls,
        model: str | None,
        base_url: str | None = None,
        generate: Mapping[str, Any] | None = None,
        connections: int = AT_ONCE,
        price: Price | str | None = None,
        retries: int = RETRIES,
        limits: Limits = NO_LIMITS,
        timeout: int = TIMEOUT,
        questions_at_once: int | None = None,
    ) -> Reach | None:
        """Return how a model is reached, None where no model is named.

        Raises `KnobError` for a price that is none, and for what no model is there to take.
        """
        if model is None:
            check_unused(
                "a model", base_url=base_url, generate=generate, price=price,
                connections=connections != AT_ONCE, retries=retries != RETRIES,
                limits=limits != NO_LIMITS, timeout=timeout != TIMEOUT,
                questions_at_once=questions_at_once,
            )  # fmt: skip
            return None
        prices = Price.read(price) if isinstance(price, str) else price
        settings = generate or {}
        return cls(
            model, base_url, settings, connections, prices, retries, limits, timeout,
            questions_at_once,
        )  # fmt: skip

    def require(self) -> None:
        """Check all that a run with this model needs, before its folder is touched.

        Raises `MissingExtra`, `KnobError` for settings that inspect does not have, `CatalogError`
        for a provider that nobody has or a key that is not set.
        """
        check_settings(self.generate)
        model = model_of(self.model, self.base_url)
        if self.price:
            tell(str(model), self.price)
        elif self.limits.cost is not None and known_price(str(model)) is None:
            raise KnobError(
                f"--max-cost: no price is known of {str(model)!r}: give --price, or --max-tokens"
            )

    def preflight(self, *others: str | None) -> None:
        """Check that the model can be asked, and `others` at the same place that are named.

        Raises `WorldError` for a server that nobody can reach, `CatalogError` for a key that is
        refused or an unknown model.
        """
        for name in dict.fromkeys(filter(None, (self.model, *others))):
            check_model(model_of(name, self.base_url), own_name(name), self.base_url, _key())

    def shared(self, processes: int) -> Reach:
        """Return what each of some processes has: its share of connections and limits."""
        return replace(self, connections=self.connections // processes, processes=processes)

    @property
    def settings(self) -> dict[str, Any]:
        """Return inspect's settings of every call."""
        return {**self.generate, "attempt_timeout": self.timeout}

    @property
    def asks(self) -> int:
        """How many questions of a quiz are asked at once: no more than there are connections."""
        return min(self.connections, self.questions_at_once or at_once(self.model, self.base_url))

    def record(self) -> dict[str, Any]:
        """Return what a manifest says of the model."""
        told: dict[str, Any] = {
            "model": str(model_of(self.model, self.base_url)),
            "generate": json.loads(json.dumps(dict(self.generate))),
        }
        return told | ({"price": list(asdict(self.price).values())} if self.price else {})


def evaluate(
    task: Any,
    reach: Reach,
    out: Path,
    *,
    noun: str = "questions",
    spent: Iterable[Usage] = (),
    **more: Any,
) -> None:
    """Have inspect ask a task's samples, with its logs in a run's folder.

    `spent` is what the run took before: its limits count that too.
    `more` goes to inspect. What could not be asked is for the task's solver to note. Raises
    `WorldError` where the `noun` could not be asked at all, `RecordError` where no log can be
    written.
    """
    from inspect_ai import eval as evaluated
    from inspect_ai._util.error import PrerequisiteError

    from worldquiz.llm.closing import closing

    model = model_of(reach.model, reach.base_url)
    roles = more.get("model_roles", {}).values()
    limited = Meter(reach.limits, spent, processes=reach.processes)
    with _quiet(), closing(model, *roles), _metered(limited, reach.connections):
        try:
            logs = evaluated(
                task,
                model=model,
                log_dir=str(out / LOGS),
                display="none",
                log_realtime=False,
                log_model_api=False,
                max_samples=reach.connections,
                max_connections=reach.connections,
                max_retries=reach.retries,
                **more,
                **reach.settings,
            )
        except PrerequisiteError as error:
            raise RecordError(f"{out}: {_plain(error)}; {KEPT}") from error
    _check(logs, out, noun)


def only(mine: Sequence[str], every: Sized) -> list[str] | None:
    """Return the samples that a shard has, as inspect is told; None for all of them."""
    return None if len(mine) == len(every) else list(mine)


@contextmanager
def _metered(one: Meter, connections: int) -> Iterator[None]:
    """Have all calls counted, and given their turns."""
    token, order = meter.set(one), turns.set(Turns(connections))
    try:
        yield
    finally:
        turns.reset(order)
        meter.reset(token)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence what inspect prints: its own ``display="none"`` holds for a process's first task."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before


def _check(logs: Any, out: Path, noun: str) -> None:
    """Raise what ended the evaluation, if it did not end well."""
    if logs and logs[0].status == "cancelled":
        raise KeyboardInterrupt
    failed = any(sample.error for log in logs for sample in log.samples or ())
    whole = [log.error for log in logs if log.error]
    kept = f"{KEPT} (logs: {out / LOGS})"
    if whole and not failed:
        raise WorldError(f"the {noun} could not be asked: {reason(whole[0])}; {kept}")


def model_of(
    name: str, base_url: str | None = None, generate: Mapping[str, Any] | None = None
) -> Model:
    """Return inspect's model of a name, or one behind an OpenAI-compatible base URL.

    With a base URL, `name` is what the server calls it; the key is taken from ``OPENAI_API_KEY`` if
    it is set. `generate` holds inspect's settings of generation by their names. Raises
    `CatalogError` for a name that inspect does not know or cannot set up.
    """
    require()
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model

    told: dict[str, Any] = {"config": GenerateConfig(**(generate or {}))}
    try:
        if base_url is None:
            return get_model(name, **told)
        full = name if name.startswith("openai-api/") else f"{ENDPOINT}/{name}"
        told |= {"base_url": base_url, "api_key": _key(), "max_retries": _OWN_RETRIES}
        return get_model(full, **told)
    except (ValueError, PrerequisiteError) as error:
        raise CatalogError(f"model {name!r}: {_plain(error)}") from error


def _plain(error: Exception) -> str:
    """Return what inspect says in one line, without its marks."""
    return " ".join(re.sub(r"\[/?[a-z]+\]|^ERROR: ", "", str(error)).split())


def _key() -> str:
    """Return the key that servers at a base URL are given."""
    return os.environ.get("OPENAI_API_KEY") or "none"


def at_once(model: str, base_url: str | None = None) -> int:
    """Return how many questions of a quiz a model is asked at once, if nobody says that.

    A hosted provider takes as many as there are connections.
    """
    own = base_url is not None or model.partition("/")[0] in _OWN
    return FEW if own else AT_ONCE


def check_settings(generate: Mapping[str, Any]) -> None:
    """Raise `KnobError` for settings of generation that inspect does not have."""
    require()
    from inspect_ai.model import GenerateConfig
    from pydantic import ValidationError

    own = {
        "attempt_timeout": "--timeout",
        "max_connections": "--connections",
        "max_retries": "--retries",
    }
    for name in own.keys() & generate.keys():
        raise KnobError(f"--generate {name}: give it by {own[name]}")
    try:
        GenerateConfig(**generate)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = "".join(f"{part}: " for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise KnobError(f"--generate {place or 'names: '}{told}") from error


def reason(error: EvalError | None) -> str:
    """Return in one line what went wrong; behind a `RetryError` that is the error retried."""
    if error is None:
        return "no reason on record"
    named = re.findall(r"^[\w.]+(?:Error|Exception|Timeout)\b.*", error.traceback, re.MULTILINE)
    told = [line for line in named if "RetryError" not in line]
    return str((told or [error.message])[-1]).strip()

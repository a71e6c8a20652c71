"""Connection to a model: its name, address and limits, and the loop in which a run asks it.

A name of a provider that speaks OpenAI's protocol is asked over HTTP (``openai/gpt-5.1``, or any
name with a base URL); all other providers are inspect's (``anthropic/...``, ``google/...``), and
``inspect:NAME`` has inspect reach any model that it knows.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from worldquiz.errors import CatalogError, KnobError, did_you_mean
from worldquiz.extras import need
from worldquiz.llm.at_once import Turns, turns
from worldquiz.llm.extra import require
from worldquiz.llm.limits import Limits, Meter, meter, seconds
from worldquiz.llm.model import Http, Model
from worldquiz.llm.price import Price
from worldquiz.llm.records import Usage
from worldquiz.runs.settings import RunSettings

K = TypeVar("K")
AT_ONCE, RETRIES = 20, 5
TIMEOUT = 600
"""Seconds that a model has to reply to one attempt of a call."""
FEW = 4
"""Questions of a quiz asked at once of a server that may be small: one of the user's own."""
SERVERS = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
}
"""Providers that speak OpenAI's protocol, and where, unless ``PROVIDER_BASE_URL`` says it.

``openai-api/PROVIDER/NAME`` is any other one that the environment names so.
"""
_KEYLESS = ("ollama",)
_OWN = (
    "hf", "llama-cpp-python", "mockllm", "nnterp", "ollama", "openai-api", "sglang",
    "transformer_lens", "vllm",
)  # fmt: skip
"""Providers that run on the user's machines, or may."""
INSPECT = "inspect:"
SETTINGS = (
    "extra_body", "frequency_penalty", "logit_bias", "max_completion_tokens", "max_tokens", "min_p",
    "presence_penalty", "reasoning_effort", "repetition_penalty", "seed", "stop", "temperature",
    "top_k", "top_p", "verbosity",
)  # fmt: skip
"""Settings of a request, by the names of OpenAI's protocol and of servers that follow it."""
_ELSEWHERE = {"attempt_timeout": "--timeout", "max_connections": "--connections",
              "max_retries": "--retries"}  # fmt: skip
NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Reach:
    """Connection to the model; of its settings only `generate` bears on what is measured."""

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
    def of(cls, given: RunSettings) -> Reach | None:
        """Return how a run's model is reached, None where no model is named.

        Raises `KnobError` for a price or a time that is none.
        """
        if given.model is None:
            return None
        return cls(
            given.model, given.base_url, given.generate or {}, given.connections,
            _price(given.price), given.retries,
            Limits(given.max_cost, given.max_tokens, seconds(given.max_time)), given.timeout,
            given.questions_at_once,
        )  # fmt: skip

    def require(self) -> None:
        """Check all that a run with this model needs, before its folder is touched.

        Raises `MissingExtra`, `KnobError` for an unknown setting, `CatalogError` for a provider
        that nobody has or a key that is not set.
        """
        model = self.made()
        if self.limits.cost is None or self.price:
            return
        if not isinstance(model, Http):
            from worldquiz.llm.inspect_model import known_price

            if known_price(str(model)) is not None:
                return
        raise KnobError(
            f"--max-cost: no price is known of {self.model!r}: give --price, or --max-tokens"
        )

    def made(
        self,
        name: str | None = None,
        *,
        without: str | None = None,
        retries: int | None = None,
        timeout: float | None = None,
        **settings: Any,
    ) -> Model:
        """Return the model, or one of another name at the same place.

        It has the run's settings but one that is left out, and `settings` beside. Raises as
        `require` does.
        """
        chosen = {key: value for key, value in self.generate.items() if key != without} | settings
        seconds, times = timeout or self.timeout, self.retries if retries is None else retries
        name = name or self.model
        server = server_of(name, self.base_url)
        if server is None:
            return _of_inspect(name, chosen, times, seconds, self.price)
        need("aiohttp", extra="llm", library="aiohttp")
        check_settings(chosen)
        return Http(*server, chosen, timeout=seconds, retries=times, price=self.price, label=name)

    def preflight(self, *others: str | None) -> None:
        """Check that the model can be asked, and `others` at the same place that are named.

        Raises `WorldError` for a server that nobody can reach, `CatalogError` for a key that is
        refused or an unknown model.
        """
        from worldquiz.llm.preflight import PATIENCE, check_model

        for name in dict.fromkeys(filter(None, (self.model, *others))):
            model = self.made(name, retries=0, timeout=PATIENCE, max_tokens=1)
            check_model(model, name, self.base_url)

    def shared(self, processes: int) -> Reach:
        """Return what each of some processes has: its share of connections and limits."""
        return replace(self, connections=self.connections // processes, processes=processes)

    @property
    def asks(self) -> int:
        """Number of a quiz's questions asked at once: no more than there are connections."""
        return min(self.connections, self.questions_at_once or at_once(self.model, self.base_url))

    def record(self) -> dict[str, Any]:
        """Return what a manifest says of the model."""
        told: dict[str, Any] = {
            "model": self.model.removeprefix(INSPECT),
            "generate": json.loads(json.dumps(dict(self.generate))),
        }
        return told | ({"price": list(asdict(self.price).values())} if self.price else {})


def _price(told: Any) -> Price | None:
    """Return a price that was given as one, as a text, or as three numbers. Raises `KnobError`."""
    if told is None or isinstance(told, Price):
        return told
    return Price.read(told if isinstance(told, str) else ",".join(map(str, told)))


def each_asked(
    work: Callable[[K], Awaitable[None]],
    keys: Iterable[K],
    reach: Reach,
    models: Sequence[Model],
    spent: Iterable[Usage] = (),
) -> None:
    """Do some work for each key, as many at once as there are connections, within the limits.

    `work` notes what fails; `models` are closed at the end; `spent` is what the run took before.
    """

    async def all_of_them() -> None:
        free = asyncio.Semaphore(reach.connections)

        async def one(key: K) -> None:
            async with free:
                await work(key)

        asyncio.get_running_loop().set_exception_handler(_quiet_if_stopped)
        try:
            await asyncio.gather(*map(one, keys))
        finally:
            for model in models:
                await model.close()

    limited = Meter(reach.limits, spent, processes=reach.processes)
    token, order = meter.set(limited), turns.set(Turns(reach.connections))
    try:
        asyncio.run(all_of_them())
    finally:
        turns.reset(order)
        meter.reset(token)


def _quiet_if_stopped(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Say nothing of tasks that ctrl-C ended: the command says that it was stopped."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)


def server_of(name: str, base_url: str | None) -> tuple[str, str, str] | None:
    """Return a model's name at its server, where that is, and the key; None: inspect reaches it.

    Raises `CatalogError` where the environment lacks what the provider needs, `KnobError` for an
    address that is none.
    """
    if base_url is not None:
        return name, address(base_url), key_of("OPENAI_API_KEY")
    provider, _, rest = name.partition("/")
    if provider == "openai-api":
        provider, _, rest = rest.partition("/")
    elif provider not in SERVERS:
        return None
    prefix = provider.upper().replace("-", "_")
    url = os.environ.get(f"{prefix}_BASE_URL") or SERVERS.get(provider)
    if not rest or url is None:
        raise CatalogError(f"model {name!r}: give PROVIDER/NAME and set {prefix}_BASE_URL")
    if f"{prefix}_API_KEY" not in os.environ and provider not in _KEYLESS:
        raise CatalogError(f"model {name!r}: no key: set {prefix}_API_KEY")
    return rest, address(url), key_of(f"{prefix}_API_KEY")


def address(url: str) -> str:
    """Return the address of a server. Raises `KnobError`, which shows no password."""
    try:
        told = urlsplit(url)
        valid = told.scheme in ("http", "https") and bool(told.hostname) and told.port != 0
    except ValueError:
        valid = False
    if valid and told.username is None and not told.query:
        return url
    shown = url if valid and told.username is None else url.rpartition("@")[2]
    raise KnobError(
        f"base URL {shown!r}: give http:// or https://, a host and a path, as "
        "http://localhost:8000/v1, without user, password or query"
    )


def key_of(variable: str) -> str:
    """Return the key of an environment variable, "none" without one.

    Raises `CatalogError` that names the variable of a key that cannot be sent.
    """
    key = os.environ.get(variable)
    if key and not key.isprintable():
        raise CatalogError(f"{variable}: the key holds a character that cannot be sent")
    return key or "none"


def _of_inspect(
    name: str, settings: Mapping[str, Any], retries: int, timeout: float, price: Price | None
) -> Model:
    """Return a model that inspect reaches. Raises `CatalogError`, `KnobError`, `MissingExtra`."""
    require()
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model
    from pydantic import ValidationError

    from worldquiz.llm.inspect_model import Inspect

    _check_elsewhere(settings)
    try:
        config = GenerateConfig(**settings, max_retries=retries, attempt_timeout=int(timeout))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = "".join(f"{part}: " for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise KnobError(f"--generate {place or 'names: '}{told}") from error
    try:
        return Inspect(get_model(name.removeprefix(INSPECT), config=config, memoize=False), price)
    except (ValueError, PrerequisiteError) as error:
        raise CatalogError(f"model {name!r}: {' '.join(str(error).split())}") from error


def at_once(model: str, base_url: str | None = None) -> int:
    """Return how many questions of a quiz a model is asked at once, if nobody says that.

    A hosted provider takes as many as there are connections.
    """
    own = base_url is not None or model.removeprefix(INSPECT).partition("/")[0] in _OWN
    return FEW if own else AT_ONCE


def check_settings(generate: Mapping[str, Any]) -> None:
    """Raise `KnobError` for a setting that OpenAI's protocol does not have."""
    _check_elsewhere(generate)
    for name, value in generate.items():
        if name not in SETTINGS:
            raise KnobError(
                f"--generate {name}: no such setting{did_you_mean(name, SETTINGS)}; what else a "
                "server takes goes into extra_body"
            )
        if not _fits(name, value):
            raise KnobError(f"--generate {name}={value!r}: is not of its type")


def _fits(name: str, value: object) -> bool:
    """Tell whether a setting has a value of its type that can be written down."""
    try:
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        return False
    match name:
        case "reasoning_effort" | "verbosity":
            return isinstance(value, str)
        case "stop":
            texts = value if isinstance(value, list) else [value]
            return all(isinstance(text, str) for text in texts)
        case "extra_body":
            return isinstance(value, dict) and not _OURS & value.keys()
        case "logit_bias":
            return isinstance(value, dict)
    return isinstance(value, int | float) and not isinstance(value, bool)


_OURS = frozenset(("model", "messages", "stream", "n"))
"""Parts of a request that the run decides."""


def _check_elsewhere(generate: Mapping[str, Any]) -> None:
    for name in _ELSEWHERE.keys() & generate.keys():
        raise KnobError(f"--generate {name}: give it by {_ELSEWHERE[name]}")

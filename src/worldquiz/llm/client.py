"""Connection to a model: its name, address and limits.

Models of providers that use OpenAI's protocol are called over HTTP (``openai/gpt-5.1``, or any name
with a base URL). All others are called through the library inspect (``anthropic/...``,
``google/...``), which can also be chosen for any model: ``inspect:NAME``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from worldquiz.errors import CatalogError, KnobError, did_you_mean
from worldquiz.llm.model import Model
from worldquiz.plugins import need
from worldquiz.runs.settings import RunSettings

SERVERS = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "ollama": "http://localhost:11434/v1",
}
"""Providers that speak OpenAI's protocol, with URLs that ``PROVIDER_BASE_URL`` overrides."""
_KEYLESS = ("ollama",)
INSPECT = "inspect:"
SETTINGS = frozenset((
    "extra_body", "frequency_penalty", "logit_bias", "max_completion_tokens", "max_tokens", "min_p",
    "presence_penalty", "reasoning_effort", "repetition_penalty", "seed", "stop", "temperature",
    "top_k", "top_p", "verbosity",
))  # fmt: skip
"""Settings of a request, by the names of OpenAI's protocol and of servers that follow it."""
_NO_NUMBERS = ("extra_body", "logit_bias", "reasoning_effort", "stop", "verbosity")


@dataclass(frozen=True, slots=True)
class Reach:
    """Connection to the model in a run's settings; only `generate` affects its replies."""

    given: RunSettings  # with a model's name

    @property
    def model(self) -> str:
        """The model's name, as it was given."""
        return str(self.given.model)

    def require(self) -> None:
        """Check that the model can be called, before the run's folder is changed.

        Raises `MissingExtra`, `KnobError` for an unknown setting, `CatalogError` for an unknown
        provider or a missing key.
        """
        self.made()

    def made(self, name: str | None = None, *, without: str | None = None) -> Model:
        """Return the model of the settings, or the model `name` at the same server.

        Its calls use the settings `generate`, except that named `without`. Raises as `require`.
        """
        from worldquiz.llm.http import Http

        given = self.given
        chosen = {k: value for k, value in (given.generate or {}).items() if k != without}
        try:
            json.dumps(chosen, allow_nan=False, ensure_ascii=False).encode()
            dict(chosen.get("extra_body", {}))
        except (TypeError, ValueError) as error:
            raise KnobError(f"--generate: a value cannot be sent as JSON: {error}") from error
        name = name or self.model
        server = server_of(name, given.base_url)
        if server is None:
            return _of_inspect(name, chosen, given.retries, given.timeout)
        for setting, value in chosen.items():
            if setting not in SETTINGS:
                raise KnobError(
                    f"--generate {setting}: no such setting{did_you_mean(setting, SETTINGS)}; put "
                    "settings that only your server has into extra_body"
                )
            if setting not in _NO_NUMBERS and type(value) not in (int, float):
                raise KnobError(f"--generate {setting}={value!r}: expected a number")
        need("aiohttp", extra="llm", library="aiohttp")
        return Http(*server, chosen, timeout=given.timeout, retries=given.retries, label=name)

    def record(self) -> dict[str, Any]:
        """Return the manifest's entries about the model."""
        return {
            "model": self.model.removeprefix(INSPECT),
            "generate": json.loads(json.dumps(dict(self.given.generate or {}))),
        }


def server_of(name: str, base_url: str | None) -> tuple[str, str, str] | None:
    """Return a model's name at its server, the server's URL and the key, or None for inspect.

    Raises `CatalogError` for a name without a provider, or if the provider's key is not in the
    environment; `KnobError` for an invalid URL.
    """
    if base_url is not None:
        return name, address(base_url), key_of("OPENAI_API_KEY")
    provider, _, rest = name.partition("/")
    if not rest and not name.startswith(INSPECT):
        known = ", ".join(f"{each}/{name}" for each in SERVERS)
        raise CatalogError(
            f"model {name!r}: the name has no known provider; use {known}, anthropic/NAME, "
            "google/NAME or another of inspect's providers, or --base-url URL for any other server"
        )
    if provider not in SERVERS:
        return None
    prefix = provider.upper()
    url = os.environ.get(f"{prefix}_BASE_URL") or SERVERS[provider]
    if f"{prefix}_API_KEY" not in os.environ and provider not in _KEYLESS:
        raise CatalogError(f"model {name!r}: no API key: set {prefix}_API_KEY")
    return rest, address(url), key_of(f"{prefix}_API_KEY")


def address(url: str) -> str:
    """Return a server's URL if it is valid. Raises `KnobError`, which never contains a password."""
    try:
        told = urlsplit(url)
        valid = told.scheme in ("http", "https") and bool(told.hostname) and told.port != 0
    except ValueError:
        valid = False
    if valid and told.username is None and not told.query:
        return url
    shown = url if valid and told.username is None else url.rpartition("@")[2]
    raise KnobError(
        f"base URL {shown!r}: expected http:// or https://, a host and a path, such as "
        "http://localhost:8000/v1, without user, password or query"
    )


def key_of(variable: str) -> str:
    """Return the API key in an environment variable, or "none" if the variable is empty or not set.

    Raises `CatalogError`, which names the variable, for a key that cannot be sent.
    """
    key = os.environ.get(variable)
    if key and not key.isprintable():
        raise CatalogError(f"{variable}: the API key contains a non-printable character")
    return key or "none"


def _of_inspect(name: str, settings: Mapping[str, Any], retries: int, timeout: int) -> Model:
    """Return a model of the library inspect. Raises `CatalogError`, `KnobError`, `MissingExtra`."""
    need("inspect_ai", extra="inspect", library="inspect-ai")
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.model import GenerateConfig, get_model
    from pydantic import ValidationError

    from worldquiz.llm.inspect_model import Inspect

    try:
        limits = {"max_retries": retries, "attempt_timeout": timeout}
        config = GenerateConfig(**{**limits, **settings})
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
        place = "".join(f"{part}: " for part in first["loc"])
        told = first["msg"].removeprefix("Value error, ")
        raise KnobError(f"--generate {place or 'names: '}{told}") from error
    try:
        return Inspect(get_model(name.removeprefix(INSPECT), config=config, memoize=False))
    except (ValueError, PrerequisiteError) as error:
        raise CatalogError(f"model {name!r}: {' '.join(str(error).split())}") from error

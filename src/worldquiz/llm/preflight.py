"""A look at a model before its run: is its server there, is the key taken, is the model known?

A server of the user's own is asked for its list of models, which costs nothing. Where that does not
settle it, and at hosted providers, one token is asked for. Only what no call of the run could pass
is an error: nobody listens, the key is refused, the model is unknown. A provider that is busy or
slow, or refuses for another reason, is left to the run with its retries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from worldquiz.errors import CatalogError, WorldError, did_you_mean
from worldquiz.runs.losses import chain, reason_of

if TYPE_CHECKING:
    from inspect_ai.model import Model

CONNECT = 1.0
"""Seconds that a server has to accept a connection."""
PATIENCE = 10.0
"""Seconds that it has to answer."""
_IN_PROCESS = ("hf", "llama-cpp-python", "mockllm", "nnterp", "sglang", "transformer_lens", "vllm")
"""Providers of inspect that load the model or start a server when they are first asked."""
_REFUSED, _UNKNOWN = (401, 403), (404,)


def check_model(model: Model, name: str, base_url: str | None, key: str) -> None:
    """Check that a model can be asked; `name` is how the user calls it.

    Raises `WorldError` for a server that nobody can reach, `CatalogError` for a key that is refused
    and for an unknown model.
    """
    listed = models_of(base_url, key) if base_url is not None else []
    if name in listed or str(model).partition("/")[0] in _IN_PROCESS:
        return
    try:
        asyncio.run(_one_token(model))
    except Exception as error:  # whatever a provider's library raises
        _explain(error, name, base_url, listed)


def models_of(base_url: str, key: str) -> Sequence[str]:
    """Return the models that an OpenAI-compatible server lists, none where it does not say.

    Raises `WorldError` where no server answers; any answer will do.
    """
    import httpx

    url = f"{base_url.rstrip('/')}/models"
    try:
        with httpx.Client(timeout=httpx.Timeout(PATIENCE, connect=CONNECT)) as client:
            told = client.get(url, headers={"Authorization": f"Bearer {key}"})
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise no_server(base_url, error) from error
    try:
        return [str(each["id"]) for each in told.json()["data"]]
    except (ValueError, KeyError, TypeError):
        return []


def no_server(place: str, error: BaseException) -> WorldError:
    """Return the error that says that nobody answers at a place."""
    why = str(error) or type(error).__name__
    return WorldError(f"{place}: no server answers ({why}): start it, or correct --base-url")


async def _one_token(model: Model) -> None:
    """Ask for one token, without inspect's retries. Raises what the provider's library raises."""
    from anyio import move_on_after
    from inspect_ai.model import ChatMessageUser, GenerateConfig

    config = model.config.merge(GenerateConfig(max_tokens=1, max_retries=0))
    async with model:  # its connections end with this event loop
        with move_on_after(PATIENCE):
            said: Any = await model.api.generate(
                [ChatMessageUser(content="Hi")], tools=[], tool_choice="none", config=config
            )
            first = said[0] if isinstance(said, tuple) else said
            if isinstance(first, Exception):
                raise first


def _explain(error: Exception, name: str, base_url: str | None, listed: Sequence[str]) -> None:
    """Raise what an error says of the model, if it says anything."""
    for each in chain(error):
        code = getattr(each, "status_code", None)
        if code in _REFUSED:
            raise CatalogError(
                f"model {name!r}: the key is refused ({reason_of(error)}): set another one"
            ) from error
        if code in _UNKNOWN:
            place = f" at {base_url}" if base_url else ""
            raise CatalogError(
                f"model {name!r}: not known{place} ({reason_of(error)})"
                f"{did_you_mean(name, listed)}; correct --model"
                f"{' or --base-url' if base_url else ''}"
            ) from error
        if isinstance(each, ConnectionRefusedError) or type(each).__name__ == "ConnectError":
            raise no_server(f"model {name!r}", each) from error

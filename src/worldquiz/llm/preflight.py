"""A look at a model before its run: is its server there, is the key taken, is the model known?

A server is asked for its list of models, which costs nothing. Where that does not settle it, one
token is asked for. Only what no call of the run could pass is an error: nobody listens, the key is
refused, the model is unknown. A provider that is busy or slow, or refuses for another reason, is
left to the run with its retries.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from worldquiz.errors import CatalogError, WorldError, did_you_mean
from worldquiz.llm.model import Http, Model, NoServer, user
from worldquiz.runs.losses import chain, reason_of

PATIENCE = 10.0
"""Seconds that a server has to answer."""
_IN_PROCESS = ("hf", "llama-cpp-python", "mockllm", "nnterp", "sglang", "transformer_lens", "vllm")
"""Providers of inspect that load the model or start a server when they are first asked."""
_REFUSED, _UNKNOWN = (401, 403), (404,)


def check_model(model: Model, name: str, base_url: str | None) -> None:
    """Check that a model, made for one token and no retries, can be asked under its name.

    Raises `WorldError` for a server that nobody can reach, `CatalogError` for a key that is refused
    and for an unknown model.
    """
    if isinstance(model, Http) or str(model).partition("/")[0] not in _IN_PROCESS:
        asyncio.run(_look(model, name, base_url))


async def _look(model: Model, name: str, base_url: str | None) -> None:
    listed: Sequence[str] = ()
    try:
        if isinstance(model, Http):
            listed = await model.listed()
            if model.name in listed:
                return
        async with asyncio.timeout(PATIENCE):
            await model.generate([user("Hi")])
    except TimeoutError:
        return
    except Exception as error:  # whatever a provider's library raises
        _explain(error, name, base_url, listed)
    finally:
        await model.close()


def _explain(error: Exception, name: str, base_url: str | None, listed: Sequence[str]) -> None:
    """Raise what an error says of the model, if it says anything."""
    place = f"model {name!r}{f' at {base_url}' if base_url else ''}"
    for each in chain(error):
        code = getattr(each, "status_code", None)
        if code in _REFUSED:
            raise CatalogError(
                f"{place}: the key is refused ({reason_of(error)}): set another one"
            ) from error
        if code in _UNKNOWN:
            raise CatalogError(
                f"{place}: not known ({reason_of(error)}){did_you_mean(name, listed)}; correct "
                f"--model{' or --base-url' if base_url else ''}"
            ) from error
        if isinstance(each, NoServer | ConnectionRefusedError):
            raise WorldError(
                f"{place}: no server answers ({reason_of(error)}): start it, or correct --base-url"
            ) from error

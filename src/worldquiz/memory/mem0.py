"""The library mem0: a model extracts facts from text, and a vector store finds them.

Works with mem0 2.x, in which an addition is one model call. Every entry is passed as a user's
message, the only kind that mem0 extracts from. A call that fails for good raises its error, even if
mem0 would continue; mem0 itself handles a reply that it cannot read.

mem0 ranks memories by meaning. It can also rank by keyword and by named entity, with models that it
downloads. Here both are off on every machine, as they are after ``pip install mem0ai``.

Each world has its own vector store and history, in memory. mem0 is synchronous, so each world has a
thread for it. Its model calls run in the event loop with the caller's context, so that the run
counts and limits them. Nothing else is called: no telemetry, no notices, and no language models
that mem0 would fetch on its own.

mem0 writes today's date into its prompts; `DATE` replaces it, to make prompts reproducible.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from worldquiz.errors import WorldquizError
from worldquiz.llm.model import Message
from worldquiz.memory.base import Entry, Services
from worldquiz.memory.calls import MISREAD, Calls, recalled
from worldquiz.plugins import need

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal


T = TypeVar("T")

DATE = "2025-01-01"  # what mem0's prompts give as today

_DAY = r"\d{4}-\d{2}-\d{2}"
_DATES = re.compile(  # at the end of the user's message
    rf"(## Observation Date\n){_DAY}(\n\n## Current Date\n){_DAY}(?=\n\n# Output:\Z)"
)
_QUIET = {"MEM0_TELEMETRY": "False", "ORT_DISABLE_TELEMETRY": "1"}
"""Switches off telemetry: mem0's own, and onnxruntime's, which qdrant imports with fastembed."""
_importing = threading.Lock()


class Mem0:
    """Mem0 (arXiv 2504.19413): facts that a model extracts from the turns."""

    needs_model, needs_embedder, library, extra = True, True, "mem0ai", "memories"

    def __init__(self, services: Services) -> None:
        """Raises `MissingExtra` without mem0, `WorldquizError` if mem0's telemetry is on."""
        self._k = services.k
        self._run = re.sub(r"\s+", "-", services.world)  # mem0's ids have no spaces
        self._calls = _Calls(services)
        self._memory = _memory(self._calls)

    async def add(self, entry: Entry) -> None:
        """Let mem0 extract what it finds worth keeping.

        Raises the error of a failed model call, which mem0 itself may ignore.
        """
        said = [{"role": "user", "content": entry.text}]
        try:
            await self._calls.serve(partial(self._memory.add, said, run_id=self._run))
        except MISREAD:
            if self._calls.failure is not None:
                raise

    async def recall(self, query: str) -> str:
        """Return the memories that mem0 ranks first."""
        if not query.strip():
            return ""
        search = partial(self._memory.search, query, filters={"run_id": self._run}, top_k=self._k)
        found = (await self._calls.serve(search))["results"]
        return recalled((float(piece["score"]), str(piece["memory"])) for piece in found)

    def close(self) -> None:
        """Free the stores."""
        self._memory.close()
        self._memory.vector_store.client.close()


class _Calls(Calls):
    """All that mem0 may call: the world's model and embedder, under the names that mem0 uses.

    mem0 calls them from its worker thread, or from a thread that its worker thread started.
    """

    def __init__(self, services: Services) -> None:
        from anyio import CapacityLimiter

        super().__init__(services)
        self._thread = CapacityLimiter(1)  # its own: waiting worlds must not use up the shared one
        self._portal: BlockingPortal | None = None
        self._context: Context | None = None

    async def serve(self, work: Callable[[], T]) -> T:
        """Run mem0's blocking work in a thread; its model calls run in this event loop."""
        from anyio import to_thread
        from anyio.from_thread import BlockingPortal
        from anyio.lowlevel import checkpoint_if_cancelled

        done: list[T] = []
        mem0s: Exception | None = None
        self.failure = None
        async with BlockingPortal() as portal:
            self._portal, self._context = portal, copy_context()
            try:
                done.append(await to_thread.run_sync(work, limiter=self._thread))
            except Exception as error:  # raised below: here it would come out in a group
                mem0s = error
        await checkpoint_if_cancelled()  # cancellation is not a failure
        if failure := self.failure or mem0s:
            raise failure
        return done[0]

    def generate_response(self, messages: Sequence[dict[str, str]], **_: Any) -> str:
        """Return the model's reply."""
        if self._portal is None or self._context is None:
            raise RuntimeError("mem0 called its model outside add() and recall()")
        with self.noted():
            return self._context.copy().run(self._portal.call, self._reply, messages)

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """Return a text's vector."""
        return self.vectors([text])[0]

    def embed_batch(self, texts: Sequence[str], memory_action: str = "add") -> list[list[float]]:
        """Return one vector per text."""
        return self.vectors(texts)

    async def _reply(self, messages: Sequence[dict[str, str]]) -> str:
        sent: list[Message] = [
            {**each, "content": _DATES.sub(rf"\g<1>{DATE}\g<2>{DATE}", each["content"])}
            for each in messages
        ]
        return (await self.model.generate(sent)).text


def _memory(calls: _Calls) -> Any:
    """Return mem0's own memory object, with our model, embedder and in-memory stores.

    mem0 cannot be created without OpenAI clients; these are closed unused.
    """
    library = _library()  # first: it keeps what comes next quiet
    from qdrant_client import QdrantClient

    class Store(QdrantClient):
        """Store that skips indexes: qdrant has none in memory, and warns when asked for one."""

        def create_payload_index(self, *_: Any, **__: Any) -> Any:
            """Make no index."""
            return None

    unused = {"provider": "openai", "config": {"api_key": "unused"}}
    store = {
        "collection_name": "memories",
        "embedding_model_dims": calls.dimensions,
        "client": Store(":memory:"),
    }
    vectors = {"provider": "qdrant", "config": store}
    stores = {"vector_store": vectors, "history_db_path": ":memory:"}
    memory = library.Memory.from_config({"llm": unused, "embedder": unused, **stores})
    memory.llm.client.close()
    memory.embedding_model.client.close()
    memory.llm = memory.embedding_model = calls
    for each in (memory.vector_store, memory.entity_store):
        each._bm25_encoder = False  # do not look for one
    return memory


def _library() -> Any:
    """Return mem0, imported so that it sends no telemetry, and writes no log and no files."""
    with _importing:
        if sys.modules.get("mem0") is None:
            _import_quietly()
        if importlib.import_module("mem0.memory.telemetry").MEM0_TELEMETRY:
            raise WorldquizError(
                "mem0 was imported with its telemetry on: set MEM0_TELEMETRY=False, then restart"
            )
        models = importlib.import_module("mem0.utils.spacy_models")
        models.__dict__.update(_load_failed_full=True, _load_failed_lemma=True)  # do not fetch them
    return sys.modules["mem0"]


def _import_quietly() -> None:
    """Import mem0, but undo its side effects: a file in MEM0_DIR and changed warning filters."""
    before = os.environ.get("MEM0_DIR")
    os.environ.update(_QUIET)
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        os.environ["MEM0_DIR"] = folder
        try:
            need("mem0", extra="memories", library="mem0ai")
        finally:
            if before is None:
                del os.environ["MEM0_DIR"]
            else:
                os.environ["MEM0_DIR"] = before
    logger = logging.getLogger("mem0")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False

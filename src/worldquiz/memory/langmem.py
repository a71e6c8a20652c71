"""The library LangMem: a model writes and patches memories, and a vector store finds them.

LangMem calls a chat model of LangChain. Ours passes every call, with its tools, to the world's
model, so that the call is counted. Nothing else is called: LangSmith's tracing is off, whatever the
environment says. LangMem runs on asyncio only.

Each world has its own store, in memory. LangMem names memories and sessions by random UUIDs and
puts these into its prompts. To make prompts reproducible, the store numbers memories in the order
of arrival, and every session is called "1" in prompts.

A call that fails for good raises its error, although LangMem would continue. A reply that LangMem
cannot read adds nothing. LangMem is set up as in its guide: each memory is one text, and the model
has no tool to delete memories.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Awaitable, Iterable, Sequence
from functools import cache
from typing import Any, TypeVar

from worldquiz.memory.base import Entry, Services
from worldquiz.memory.calls import MISREAD, Calls, recalled
from worldquiz.plugins import need

T = TypeVar("T")

_LOOKS = 4  # LangMem shows its model stored memories only if it may look at this many
_MOVED = r"Importing \w+ from langgraph\.\w+ is deprecated"
_SESSION = re.compile(r"(?<=session_)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=>)")


class LangMem:
    """LangMem: memories that the model writes and patches."""

    needs_model, needs_embedder, library, extra = True, True, "langmem", "memories"

    def __init__(self, services: Services) -> None:
        """Raises `MissingExtra` without LangMem."""
        with warnings.catch_warnings():  # it imports from LangGraph's old modules
            warnings.filterwarnings("ignore", _MOVED, DeprecationWarning)
            library = need("langmem", extra="memories")
        self._k = services.k
        self._calls = Calls(services)
        self._manager = library.create_memory_store_manager(
            _chat_model()(calls=self._calls),
            namespace=("memories", re.sub(r"[.{}]", "-", services.world)),
            store=_store(self._calls),
            query_limit=max(self._k, _LOOKS),
        )

    async def add(self, entry: Entry) -> None:
        """Let LangMem write down what it finds worth keeping, and correct what it wrote before.

        Raises the error of a failed model call, which LangMem itself may ignore.
        """
        said = [{"role": "user", "content": entry.text}]
        self._calls.failure = None
        try:
            await _untraced(self._manager.ainvoke({"messages": said}))
        except MISREAD:
            if self._calls.failure is None:
                return
        if self._calls.failure is not None:
            raise self._calls.failure

    async def recall(self, query: str) -> str:
        """Return the memories nearest to the query."""
        if not query.strip():
            return ""
        found = await _untraced(self._manager.asearch(query=query, limit=self._k))
        return recalled((piece.score or 0.0, str(piece.value.content)) for piece in found)


async def _untraced(work: Awaitable[T]) -> T:
    """Await LangMem's work with LangSmith's tracing off."""
    from langsmith import tracing_context

    with tracing_context(enabled=False):
        return await work


@cache
def _chat_model() -> Any:
    """Return the chat model's class, importing LangChain at the first call."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, convert_to_openai_messages
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.utils.function_calling import convert_to_openai_tool

    class ChatModel(BaseChatModel):
        """A chat model of LangChain that passes each call on to the world's model (`calls`)."""

        calls: Any

        @property
        def _llm_type(self) -> str:
            return "worldquiz"

        def bind_tools(self, tools: Any, *, tool_choice: Any = None, **more: Any) -> Any:
            """Return the model with tools, described in the form of OpenAI's protocol."""
            described = [convert_to_openai_tool(tool) for tool in tools]
            return self.bind(tools=described, tool_choice=tool_choice, **more)

        def _generate(self, *_: Any, **__: Any) -> ChatResult:
            raise RuntimeError("LangMem called its model outside the event loop")

        async def _agenerate(self, messages: Any, *_: Any, **bound: Any) -> ChatResult:
            said = convert_to_openai_messages(messages, text_format="string")
            choice = bound.get("tool_choice")
            with self.calls.noted():
                reply = await self.calls.model.generate(
                    [{**each, "content": _SESSION.sub("1", each["content"])} for each in said],
                    tools=[tool["function"] for tool in bound.get("tools") or ()],
                    tool_choice="required" if choice == "any" else choice,
                )
            read = [call for call in reply.tool_calls if call.arguments is not None]
            bad = [call for call in reply.tool_calls if call.arguments is None]
            message = AIMessage(
                content=reply.text,
                tool_calls=[{"name": each.name, "args": each.arguments, "id": each.id}
                            for each in read],
                invalid_tool_calls=[{"name": each.name, "args": each.text, "id": each.id,
                                     "error": "no JSON object"} for each in bad],
            )  # fmt: skip
            return ChatResult(generations=[ChatGeneration(message=message)])

    return ChatModel


def _store(calls: Calls) -> Any:
    """Return an empty store that numbers memories, and ignores anything else put into it.

    LangMem itself would also store a patch of a memory that does not exist.
    """
    from anyio import CapacityLimiter, to_thread
    from langgraph.store.base import GetOp, Op, PutOp
    from langgraph.store.memory import InMemoryStore

    thread = CapacityLimiter(1)  # one call at a time and in order

    async def vectors(texts: Sequence[str]) -> list[list[float]]:
        return await to_thread.run_sync(calls.vectors, texts, limiter=thread)

    class Store(InMemoryStore):
        """A store whose key for each memory is its number in the order of arrival."""

        __slots__ = ("_known",)

        def __init__(self) -> None:
            super().__init__(index={"dims": calls.dimensions, "embed": vectors})
            self._known: set[str] = set()

        async def abatch(self, ops: Iterable[Op]) -> list[Any]:
            """Carry out the store's operations; the keys of new memories are their numbers."""
            return await super().abatch([self._numbered(op) for op in ops])

        def _numbered(self, op: Op) -> Op:
            if not isinstance(op, PutOp) or op.value is None:
                return op
            if op.value["kind"] != "Memory":
                return GetOp(op.namespace, op.key)  # changes nothing
            if op.key in self._known:
                return op
            key = f"{len(self._known):06}"
            self._known.add(key)
            return op._replace(key=key)

    return Store()

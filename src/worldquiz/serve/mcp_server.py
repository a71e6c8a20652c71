"""The Model Context Protocol, by its official SDK: over stdio for one agent, over HTTP for many.

Over HTTP the server is bound to 127.0.0.1, and its address has a token. Web pages cannot use it,
since requests with a foreign Host or Origin are refused. The last part of the address is the
agent's seat, the name under which it connects and can come back. It does not depend on the
protocol's sessions, which newer versions lack.

    http://127.0.0.1:8765/TOKEN/mcp/SEAT

The protocol runs in its own thread, which answers handshakes at once, since reading the data may
take longer than clients wait. Calls are carried out one after another on the main thread (`Door`),
as OpenGL requires.
"""

from __future__ import annotations

import asyncio
import base64
import queue
import re
import secrets
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError
from worldquiz.human.server import HOST, bound
from worldquiz.plugins import need
from worldquiz.serve.seats import NEXT, Seats, Served
from worldquiz.serve.session import LOOK, ToolError, ToolReply
from worldquiz.version import __version__

if TYPE_CHECKING:
    from mcp.server import Server
    from starlette.applications import Starlette

ONLY = "stdio"
"""The seat of the one agent at stdin."""
LARGEST = 2**20
"""Most bytes of a request over HTTP."""
LINGER = 1.0
"""Seconds without a call after which a finished HTTP server ends."""
PATIENCE = 5.0
"""Seconds for closing the connections of an HTTP server."""

Told = tuple[str, str, Mapping[str, Any]]
"""A call: the seat, the tool, its arguments."""
Carried = Callable[[str, str, Mapping[str, Any]], Awaitable[ToolReply]]


class Door:
    """Queue of agents' calls; it accepts calls even before `serve` begins to carry them out."""

    def __init__(self, linger: float | None) -> None:
        """Open a queue. After the last world, `serve` waits `linger` seconds for a further call."""
        self._waiting: queue.SimpleQueue[tuple[Future[ToolReply], Told] | None]
        self._waiting = queue.SimpleQueue()
        self._linger = linger

    async def call(self, seat: str, tool: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Queue a call and wait for its reply. Raises `ToolError`."""
        reply: Future[ToolReply] = Future()
        self._waiting.put((reply, (seat, tool, arguments)))
        return await asyncio.wrap_future(reply)

    def close(self) -> None:
        """End `serve` after the calls that are already waiting."""
        self._waiting.put(None)

    def serve(self, seats: Seats) -> None:
        """Carry out calls on this thread until the queue is closed or ctrl-C is pressed."""
        with suppress(KeyboardInterrupt, queue.Empty):
            while call := self._waiting.get(timeout=None if seats.left else self._linger):
                reply, told = call
                if reply.set_running_or_notify_cancel():  # its client still waits
                    try:
                        reply.set_result(seats.call(*told))
                    except Exception as error:  # a `ToolError`; anything else is our mistake
                        reply.set_exception(error)


def protocol(served: Served, call: Carried, seat_of: Callable[[Any], str]) -> Server[Any]:
    """Return a server with the tools of `served`; `seat_of` returns a request's seat."""
    import mcp_types as types
    from mcp.server import Server

    async def list_tools(context: Any, asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=each.name,
                    description=each.about,
                    input_schema=each.schema(),
                    annotations=types.ToolAnnotations(
                        read_only_hint=each == LOOK, destructive_hint=False, open_world_hint=False
                    ),
                )
                for each in (LOOK, *served.tools, NEXT)
            ]
        )

    async def call_tool(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            reply = await call(seat_of(context), asked.name, asked.arguments or {})
        except ToolError as error:
            text = types.TextContent(text=str(error))
            return types.CallToolResult(content=[text], is_error=True)
        pictures = (base64.b64encode(each).decode() for each in reply.pictures)
        return types.CallToolResult(
            content=[
                types.TextContent(text=reply.text),
                *(types.ImageContent(data=each, mime_type="image/png") for each in pictures),
            ],
            _meta={"worldquiz/finished": True} if reply.last else None,
        )

    return Server(
        "worldquiz",
        version=__version__,
        instructions=f"{served.instructions} Begin with `{LOOK.name}`. "
        f"Call `{NEXT.name}` to go on to another one, once this one is finished.",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


@contextmanager
def stdio(served: Served) -> Iterator[Door]:
    """Serve the agent that started this process; yield the queue of its calls.

    The queue (`Door`) is closed when the agent closes stdin.
    """
    door = Door(None)

    async def talk() -> None:
        from mcp.server.stdio import stdio_server

        server = protocol(served, door.call, lambda context: ONLY)
        try:
            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
        finally:
            door.close()

    # A read from stdin cannot be cancelled, so on ctrl-C the thread ends with the process.
    threading.Thread(target=lambda: asyncio.run(talk()), daemon=True).start()
    yield door


@contextmanager
def http(
    served: Served, port: int, token: str | None, announce: Callable[[str], None]
) -> Iterator[Door]:
    """Serve agents on this machine; yield the queue of their calls.

    `announce` gets the address, to which each agent adds its seat. Without a `token`, a random one
    is used. Raises `KnobError` for an unusable port or token, `MissingExtra` without uvicorn.
    """
    if token is not None and not re.fullmatch(r"[A-Za-z0-9_-]+", token):
        raise KnobError("--token: use only letters, digits, - and _: it becomes part of an address")
    uvicorn = need("uvicorn", extra="agents")
    with bound(port, "--http") as here:
        door, secret = Door(LINGER), token or secrets.token_urlsafe(16)
        config = uvicorn.Config(
            app(served, door, here.getsockname()[1], secret), log_level="critical",
            access_log=False, timeout_graceful_shutdown=2, server_header=False,
        )  # fmt: skip
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=[[here]], daemon=True)
        thread.start()
        try:
            announce(f"http://{HOST}:{here.getsockname()[1]}/{secret}/mcp")
            yield door
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


def app(served: Served, door: Door, port: int, token: str) -> Starlette:
    """Return the web application that serves agents."""
    from mcp.server.transport_security import TransportSecuritySettings

    homes = [f"{name}:{port}" for name in (HOST, "localhost")]
    seat_of = lambda context: str(context.request.path_params["seat"])  # noqa: E731
    return protocol(served, door.call, seat_of).streamable_http_app(
        streamable_http_path=f"/{token}/mcp/{{seat}}",
        json_response=True,
        stateless_http=True,
        max_request_body_size=LARGEST,
        transport_security=TransportSecuritySettings(
            allowed_hosts=homes, allowed_origins=[f"http://{home}" for home in homes]
        ),
    )

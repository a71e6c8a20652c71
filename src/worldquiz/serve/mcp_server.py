"""The Model Context Protocol, by its official SDK: over stdio for one agent, over HTTP for many.

Over HTTP the server is bound to 127.0.0.1, and its address holds a token. Web pages cannot use it:
a request whose Host or Origin is not ours is refused. The last part of the address is the agent's
seat, so an agent finds its place again, whatever version of the protocol it speaks: newer ones have
no sessions.

    http://127.0.0.1:8765/TOKEN/mcp/SEAT

Handshakes are answered at once, by a thread of the protocol's own: reading what is served may take
longer than clients wait. Calls are carried out one after the other on the main thread (`Door`),
which OpenGL wants.
"""

from __future__ import annotations

import asyncio
import base64
import queue
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager, suppress
from io import FileIO
from typing import TYPE_CHECKING, Any

from worldquiz.human.server import HOST, bound
from worldquiz.plugins import need
from worldquiz.serve.seats import NEXT, Seats, tools_of
from worldquiz.serve.served import Served
from worldquiz.serve.session import LOOK, ToolError, ToolReply
from worldquiz.version import __version__

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

ONLY = "stdio"
"""The seat of the one agent at stdin."""
LARGEST = 2**20
"""Bytes of a request over HTTP."""
LONGEST_SEAT = 80
LINGER = 1.0
"""Seconds without a call after which a server of many ends, once all is finished."""
PATIENCE = 5.0
"""Seconds for the protocol's thread to end."""

Told = tuple[str, str, Mapping[str, Any]]
"""A call: the seat, the tool, its arguments."""
Carried = Callable[[str, str, Mapping[str, Any]], Awaitable[ToolReply]]
"""Carries out a call."""


class Door:
    """Queue of calls that wait, from before anything is served, until they are carried out."""

    def __init__(self, linger: float | None) -> None:
        """Open it until it is closed, and at most so many seconds longer than there is work."""
        self._waiting: queue.SimpleQueue[tuple[Future[ToolReply], Told] | None]
        self._waiting = queue.SimpleQueue()
        self._linger = linger
        self.opened = False

    async def call(self, seat: str, tool: str, arguments: Mapping[str, Any]) -> ToolReply:
        """Wait until a call is carried out. Raises `ToolError`."""
        reply: Future[ToolReply] = Future()
        self._waiting.put((reply, (seat, tool, arguments)))
        return await asyncio.wrap_future(reply)

    def close(self) -> None:
        """End `serve`, wherever it is."""
        self._waiting.put(None)

    def serve(self, seats: Seats) -> None:
        """Carry out calls on this thread, until the door is closed or ctrl-C is pressed."""
        self.opened = True
        with suppress(KeyboardInterrupt, queue.Empty):
            while call := self._waiting.get(timeout=None if seats.left else self._linger):
                reply, told = call
                if reply.set_running_or_notify_cancel():  # its client still waits
                    try:
                        reply.set_result(seats.call(*told))
                    except Exception as error:  # a `ToolError`; all else is a mistake of ours
                        reply.set_exception(error)


def protocol(served: Served, call: Carried, seat_of: Callable[[Any], str]) -> Server[Any]:
    """Return a server with the tools of what is served; `seat_of` tells a request's seat."""
    need("mcp", extra="agents")
    import mcp_types as types
    from mcp.server import Server

    async def list_tools(context: Any, asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=each.name, description=each.about, input_schema=each.schema())
                for each in tools_of(served)
            ]
        )

    async def call_tool(context: Any, asked: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            reply = await call(seat_of(context), asked.name, asked.arguments or {})
        except ToolError as error:
            text = types.TextContent(text=str(error))
            return types.CallToolResult(content=[text], is_error=True)
        return types.CallToolResult(content=[*_content(reply)])

    def _content(reply: ToolReply) -> list[types.ContentBlock]:
        pictures = (base64.b64encode(each).decode() for each in reply.pictures)
        return [
            types.TextContent(text=reply.text),
            *(types.ImageContent(data=each, mime_type="image/png") for each in pictures),
        ]

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
    """Greet the agent that started this process; yield where its calls wait.

    The door is closed when the agent closes stdin.
    """
    need("mcp", extra="agents")
    door, loop = Door(None), asyncio.new_event_loop()
    talk = loop.create_task(_stdio(served, door))

    def run() -> None:
        with suppress(asyncio.CancelledError):
            loop.run_until_complete(talk)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield door
    finally:
        loop.call_soon_threadsafe(talk.cancel)
        thread.join(PATIENCE)
        if not thread.is_alive():
            loop.close()


async def _stdio(served: Served, door: Door) -> None:
    from mcp.server.stdio import stdio_server

    server = protocol(served, door.call, lambda context: ONLY)
    lines: Any = _stdin_lines()
    try:
        async with stdio_server(stdin=lines) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())
    finally:
        door.close()


async def _stdin_lines() -> AsyncIterator[str]:
    """Yield the lines of stdin, read by a thread that holds up no end of this process.

    The SDK's own thread does: a read from stdin cannot be called off.
    """
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[bytes | None]()

    def put(line: bytes | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(lines.put_nowait, line)

    def read() -> None:
        with suppress(OSError):  # no stdin
            for line in FileIO(0, closefd=False):  # no buffer, whose lock would hold up the end
                put(line)
        put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await lines.get()) is not None:
        yield line.decode("utf-8", "replace")


@contextmanager
def http(
    served: Served, port: int, token: str | None, announce: Callable[[str], None]
) -> Iterator[Door]:
    """Greet agents on this machine; yield where their calls wait.

    `announce` is told the address, to which each agent adds its seat. A `token` of None is drawn.
    Raises `KnobError` for a port that is not to be had, `MissingExtra`.
    """
    need("mcp", extra="agents")
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
    """Return the web application that serves agents at a port."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.applications import Starlette
    from starlette.routing import Route

    homes = [f"{name}:{port}" for name in (HOST, "localhost")]
    manager = StreamableHTTPSessionManager(
        protocol(served, door.call, lambda context: str(context.request.path_params["seat"])),
        json_response=True,
        stateless=True,
        security_settings=TransportSecuritySettings(
            allowed_hosts=homes, allowed_origins=[f"http://{home}" for home in homes]
        ),
        max_request_body_size=LARGEST,
    )

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    return Starlette(
        routes=[Route("/{token}/mcp/{seat}", Gate(manager, token))],
        exception_handlers={404: _elsewhere},
        lifespan=running,
    )


class Gate:
    """Lets those in who know the token, each to a seat of its own."""

    def __init__(self, manager: StreamableHTTPSessionManager, token: str) -> None:
        self._manager, self._token = manager, token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        from starlette.responses import JSONResponse

        told: Mapping[str, str] = scope["path_params"]
        seat = told["seat"]
        if not secrets.compare_digest(told["token"].encode("utf-8", "replace"), self._token):
            await JSONResponse({"wrong": "unknown address"}, 403)(scope, receive, send)
        elif not seat.isprintable() or len(seat) > LONGEST_SEAT:
            wrong = f"the address ends in a name of 1 to {LONGEST_SEAT} letters"
            await JSONResponse({"wrong": wrong}, 404)(scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)


async def _elsewhere(request: Any, error: Exception) -> Any:
    from starlette.responses import JSONResponse

    wrong = "the address is /TOKEN/mcp/SEAT, with a name of your own for SEAT"
    return JSONResponse({"wrong": wrong}, 404)

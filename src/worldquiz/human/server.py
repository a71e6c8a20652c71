"""The page's server: for one person, on this machine only.

It is bound to 127.0.0.1, and its address holds a token drawn at random. Other web pages cannot use
it: a request whose Host is not ours is refused (a name of theirs that leads here), and so is one
that changes anything and does not come from our own page (Origin, Sec-Fetch-Site) as JSON. The page
may load nothing from elsewhere, and nothing of it is kept by the browser.
"""

from __future__ import annotations

import json
import re
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError, user_errors
from worldquiz.human.sitting import Sitting
from worldquiz.plugins import need

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
LARGEST = 65_536
"""Bytes of a request."""
PAGE = {
    "": ("page.html", "text/html"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
    "page.css": ("page.css", "text/css"),
    "page.js": ("page.js", "text/javascript"),
    "dom.js": ("dom.js", "text/javascript"),
    "answers.js": ("answers.js", "text/javascript"),
}
"""What the page is made of, by its address beneath the token."""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


NOTHING, MISSING = "there is no such thing", 404


class Refused(Exception):
    """A request that does not come from our own page."""


STATUS = {Refused: 403, IndexError: MISSING, ValueError: 422}


@dataclass
class Desk:
    """HTTP server of one quiz session."""

    sitting: Sitting
    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    close: Callable[[], None] = lambda: None  # called once all is handed in

    @property
    def address(self) -> str:
        """Address to open in a browser."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    def check(self, request: Request) -> None:
        """Raise `Refused` for a request that is not our page's."""
        hosts = {f"{name}:{self.port}" for name in (HOST, "localhost")}
        host = request.headers.get("host", "")
        if host not in hosts:
            raise Refused("unknown host")
        if not secrets.compare_digest(request.path_params["token"].encode(), self.token.encode()):
            raise Refused("unknown address")
        if request.method == "GET":
            return
        if request.headers.get("origin") != f"http://{host}":
            raise Refused("unknown origin")
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            raise Refused("from another site")
        kind = request.headers.get("content-type", "")
        if kind.partition(";")[0].strip() != "application/json":
            raise Refused("no JSON")

    def answer(self, told: dict[str, Any]) -> dict[str, Any]:
        """Keep an answer. Raises `IndexError`, `ValueError`."""
        place = told.get("place")
        if isinstance(place, bool) or not isinstance(place, int):
            raise ValueError("place: give a number")
        self.sitting.answer(place, told.get("said"), told.get("seconds", 0))
        return {}

    def finish(self, told: dict[str, Any]) -> dict[str, Any]:
        """Hand all in, and return the scores to be shown. Raises `ValueError`."""
        self.sitting.finish()
        self.close()
        return {"headline": self.sitting.headline()}


def app(desk: Desk) -> Starlette:
    """Return a desk as a web application. Raises `MissingExtra`."""
    need("starlette", extra="agents")
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def elsewhere(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else MISSING
        return JSONResponse({"wrong": NOTHING}, status, headers=HEADERS)

    async def done(request: Request, act: Callable[..., Any]) -> Response:
        desk.check(request)
        if request.method == "POST":
            return JSONResponse(act(await _body(request)))
        told = {name: text for name, text in request.path_params.items() if name != "token"}
        if "file" in told:
            text, kind = act(**told)
            return Response(text, media_type=kind)
        found = act(*map(_number, told.values()))
        if isinstance(found, bytes):
            return Response(found, media_type="image/png")
        return JSONResponse(found)

    def route(path: str, act: Callable[..., Any], method: str = "GET") -> Route:
        """Return a route that refuses what is not our page's, and says in JSON what is wrong."""

        async def answer(request: Request) -> Response:
            try:
                response = await done(request, act)
            except (Refused, IndexError, ValueError) as error:
                status = STATUS[next(kind for kind in STATUS if isinstance(error, kind))]
                words = NOTHING if status == MISSING else str(error)
                response = JSONResponse({"wrong": words}, status)
            except user_errors(OSError) as error:
                response = JSONResponse({"wrong": str(error)}, 500)
            response.headers.update(HEADERS)
            return response

        return Route(f"/{{token}}/{path}", answer, methods=[method])

    sitting = desk.sitting
    return Starlette(
        routes=[
            route("do/answer", desk.answer, "POST"),
            route("do/finish", desk.finish, "POST"),
            route("get/state", sitting.state),
            route("get/item/{place}", sitting.shown),
            route("get/part/{part}", sitting.reading),
            route("get/picture/{place}/{number}", sitting.picture),
            route("{file:path}", _page),
        ],
        exception_handlers={404: elsewhere, 405: elsewhere},
    )


def _number(text: str) -> int:
    """Return a number in an address. Raises `IndexError` for what is none."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise IndexError(text)
    return int(text)


async def _body(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request. Raises `ValueError`."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            raise ValueError(f"more than {LARGEST} bytes")
    try:
        told = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ValueError("this is no JSON") from error
    if not isinstance(told, dict):
        raise ValueError("this is no JSON object")
    return told


def _page(file: str) -> tuple[str, str]:
    """Return a file of the page and its type. Raises `IndexError`."""
    if file not in PAGE:
        raise IndexError(file)
    name, kind = PAGE[file]
    return source(name), kind


def source(name: str) -> str:
    """Return a file of the page."""
    folder = resources.files("worldquiz.human") / "page"
    return (folder / name).read_text(encoding="utf-8")


def bound(port: int, option: str = "--port") -> socket.socket:
    """Return a socket on this machine; port 0 takes any. Raises `KnobError` for a taken one."""
    here = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        here.bind((HOST, port))
        here.listen()  # so that who opens the address at once waits, and is not refused
    except (OSError, OverflowError) as error:
        here.close()
        reason = getattr(error, "strerror", None) or error
        raise KnobError(
            f"{option} {port}: {reason}; give another, or 0 for any free one"
        ) from error
    return here


def serve(sitting: Sitting, port: int, announce: Callable[[str], None]) -> None:
    """Serve a sitting until all is handed in; `announce` is told the address.

    Raises `KnobError` for a port that is not to be had, `MissingExtra`.
    """
    uvicorn = need("uvicorn", extra="agents")
    with bound(port) as here:
        desk = Desk(sitting, here.getsockname()[1])
        config = uvicorn.Config(
            app(desk), log_level="critical", lifespan="off", access_log=False,
            timeout_graceful_shutdown=2, server_header=False,
        )  # fmt: skip
        server = uvicorn.Server(config)

        def close() -> None:
            server.should_exit = True

        desk.close = close
        announce(desk.address)
        server.run(sockets=[here])

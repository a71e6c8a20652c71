"""The page's server: for one person, on this machine only.

It is bound to 127.0.0.1, and its address holds a token drawn at random. Other web pages cannot use
it: a request whose Host is not ours is refused (a name of theirs that leads here), and so is one
that changes anything and does not come from our own page (Origin, Sec-Fetch-Site) as JSON. The page
may load nothing from elsewhere, and nothing of it is kept by the browser.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any

from worldquiz.errors import KnobError, user_errors
from worldquiz.extras import need
from worldquiz.human.sitting import Sitting

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HOST = "127.0.0.1"
LARGEST = 65_536
"""Bytes of a request."""
_DIGITS = 9
"""Digits of a number in an address, at most."""
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


class Refused(Exception):
    """A request that does not come from our own page."""


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
        if request.method == "POST":
            self._check_change(request, host)

    def _check_change(self, request: Request, host: str) -> None:
        told = request.headers
        if told.get("origin") != f"http://{host}":
            raise Refused("unknown origin")
        if told.get("sec-fetch-site", "same-origin") != "same-origin":
            raise Refused("from another site")
        if told.get("content-type", "").partition(";")[0].strip() != "application/json":
            raise Refused("no JSON")

    def get(self, what: str, place: int, number: int) -> Any:
        """Return what the page asks for. Raises `IndexError`."""
        match what:
            case "state":
                return self.sitting.state()
            case "item":
                return self.sitting.shown(place)
            case "part":
                return self.sitting.reading(place)
            case "picture":
                return self.sitting.sheet.picture(self.sitting.item(place), number)
        raise IndexError(what)

    def post(self, what: str, told: dict[str, Any]) -> Any:
        """Do what the page asks for. Raises `IndexError`, `ValueError`."""
        sitting, said, seconds = self.sitting, told.get("said"), told.get("seconds", 0)
        place = told.get("place", -1)
        if isinstance(place, bool) or not isinstance(place, int):
            raise ValueError("place: give a number")
        match what:
            case "time":
                sitting.spend(str(told.get("where")), place, seconds)
            case "answer":
                sitting.answer(place, said, seconds)
            case "finish":
                sitting.finish()
                self.close()
                return {"headline": sitting.headline()}
            case _:
                raise IndexError(what)
        return {}


def app(desk: Desk) -> Starlette:
    """Return a desk as a web application. Raises `MissingExtra`."""
    need("starlette", extra="agents")
    from starlette.applications import Starlette
    from starlette.routing import Route

    get, post = _answered(desk, _get), _answered(desk, _post)
    return Starlette(
        routes=[
            Route("/{token}/do/{what}", post, methods=["POST"]),
            Route("/{token}/get/{what}", get, methods=["GET"]),
            Route("/{token}/get/{what}/{place}", get, methods=["GET"]),
            Route("/{token}/get/{what}/{place}/{number}", get, methods=["GET"]),
            Route("/{token}/{file:path}", _answered(desk, _file), methods=["GET"]),
        ],
        exception_handlers={404: _elsewhere, 405: _elsewhere},
    )


async def _elsewhere(request: Request, error: Exception) -> Response:
    """Answer what no route is for, with the headers that every answer has."""
    from starlette.exceptions import HTTPException
    from starlette.responses import JSONResponse

    status = error.status_code if isinstance(error, HTTPException) else 404
    return JSONResponse({"wrong": "there is no such thing"}, status, headers=HEADERS)


Handler = Callable[[Desk, "Request"], Awaitable["Response"]]


def _answered(desk: Desk, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
    """Return a handler that refuses what is not our page's, and says in JSON what is wrong."""
    from starlette.responses import JSONResponse

    async def answer(request: Request) -> Response:
        try:
            desk.check(request)
            response = await handler(desk, request)
        except Refused as error:
            response = JSONResponse({"wrong": str(error)}, 403)
        except IndexError:
            response = JSONResponse({"wrong": "there is no such thing"}, 404)
        except ValueError as error:
            response = JSONResponse({"wrong": str(error)}, 422)
        except user_errors(OSError) as error:
            response = JSONResponse({"wrong": str(error)}, 500)
        response.headers.update(HEADERS)
        return response

    return answer


async def _file(desk: Desk, request: Request) -> Response:
    from starlette.responses import Response

    name = request.path_params["file"]
    if name not in PAGE:
        raise IndexError(name)
    file, kind = PAGE[name]
    return Response(source(file), media_type=kind)


async def _get(desk: Desk, request: Request) -> Response:
    from starlette.responses import JSONResponse, Response

    told = request.path_params
    found = desk.get(told["what"], *(_number(told.get(name)) for name in ("place", "number")))
    if isinstance(found, bytes):
        return Response(found, media_type="image/png")
    return JSONResponse(found)


def _number(text: str | None) -> int:
    """Return a number in an address, -1 if there is none. Raises `IndexError` for what is none."""
    if text is None:
        return -1
    if len(text) > _DIGITS or not (text.isascii() and text.isdigit()):
        raise IndexError(text)
    return int(text)


async def _post(desk: Desk, request: Request) -> Response:
    from starlette.responses import JSONResponse

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
    return JSONResponse(desk.post(request.path_params["what"], told))


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

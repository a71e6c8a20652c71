"""The quiz page's server: for one person, on this machine only.

It is bound to 127.0.0.1, and its address has a random token that no other web page knows. The page
cannot load anything from elsewhere, and the browser does not store it.
"""

from __future__ import annotations

import re
import secrets
import socket
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Any
from urllib.parse import parse_qsl

from worldquiz.errors import KnobError, user_errors
from worldquiz.human import pages
from worldquiz.human.quiz import Sitting

HOST = "127.0.0.1"
LARGEST = 2**18
"""Most bytes of a request."""
LINGER = 1.0
"""Seconds for the last page to load its style."""
FILES = {"icon.svg": "image/svg+xml", "page.css": "text/css", "page.js": "text/javascript"}
"""Files that the page loads, by their addresses below the token."""
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}


class Desk(ThreadingHTTPServer):
    """HTTP server of one quiz session."""

    daemon_threads, block_on_close = True, False

    def __init__(self, sitting: Sitting, here: socket.socket) -> None:
        """Serve at a bound socket."""
        super().__init__(here.getsockname(), _Answers, bind_and_activate=False)
        self.socket.close()
        self.socket, self.port = here, here.getsockname()[1]
        self.sitting, self.token = sitting, secrets.token_urlsafe(16)
        self.one_at_a_time = threading.Lock()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a browser that has disconnected; report other errors."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    @property
    def address(self) -> str:
        """Address to open in a browser."""
        return f"http://{HOST}:{self.port}/{self.token}/"


class _Answers(BaseHTTPRequestHandler):
    server: Desk
    timeout = 60  # seconds until a silent connection is closed
    server_version, sys_version = "worldquiz", ""

    def do_GET(self) -> None:
        """Send a page, or a file that a page loads."""
        self._answered(self._got)

    def do_POST(self) -> None:
        """Keep a posted answer, or hand in the quiz."""
        self._answered(self._done)

    def _answered(self, act: Callable[[str, int, int], None]) -> None:
        size = self.headers.get("Content-Length", "0")
        self.body = self.rfile.read(min(int(size), LARGEST + 1) if size.isdecimal() else 0)
        try:
            _, token, path = f"{self.path}/".encode("utf-8", "replace").split(b"/", 2)
            known = secrets.compare_digest(token, self.server.token.encode())
            told = path.decode().removesuffix("/")
            found = re.fullmatch(r"([a-z.]*)(?:-(\d{1,9}))?(?:-(\d{1,9}))?", told)
            if not known or found is None:
                raise LookupError(told)
            with self.server.one_at_a_time:
                act(found[1], int(found[2] or 0), int(found[3] or 0))
        except LookupError:
            self._send("text/plain", "there is no such page", 404)
        except user_errors(ValueError, OSError) as error:
            self._send("text/plain", str(error), 422 if isinstance(error, ValueError) else 500)
        if self.server.sitting.summary is not None:
            threading.Timer(LINGER, self.server.shutdown).start()

    def _got(self, name: str, place: int, number: int) -> None:
        sitting = self.server.sitting
        if name in FILES:
            self._send(FILES[name], source(name))
        elif name == "picture":
            self._send("image/png", sitting.quiz.picture(sitting.asked[place], number))
        elif name == "question":
            self._send("text/html", pages.question(sitting, place))
        else:
            known = {"": pages.welcome, "review": pages.review}
            self._send("text/html", known[name](sitting))

    def _done(self, name: str, place: int, number: int) -> None:
        sitting = self.server.sitting
        if len(self.body) > LARGEST:
            raise ValueError(f"the request has more than {LARGEST} bytes")
        if name == "finish":
            sitting.finish()
            return self._send("text/html", pages.thanks(sitting))
        if name != "question":
            raise LookupError(name)
        form = dict(parse_qsl(self.body.decode(), keep_blank_values=True, max_num_fields=9))
        again = sitting.asked[place].key in sitting.lines
        said = None if "pass" in form else form.get("said", "")
        try:
            sitting.answer(place, said, float(form.get("seconds", 0)))
        except ValueError as error:
            return self._send("text/html", pages.question(sitting, place, str(error), said))
        self.send_response(303)
        self.send_header("Location", pages.onward(sitting, place, again=again))
        self.end_headers()

    def _send(self, kind: str, told: str | bytes, status: int = 200) -> None:
        data = told.encode() if isinstance(told, str) else told
        self.send_response(status)
        self.send_header(
            "Content-Type", f"{kind}; charset=utf-8" if isinstance(told, str) else kind
        )
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def end_headers(self) -> None:
        """Send our headers with every response."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def source(name: str) -> str:
    """Return the text of a file that the page loads."""
    return (resources.files("worldquiz.human") / "page" / name).read_text(encoding="utf-8")


def bound(port: int, option: str = "--port") -> socket.socket:
    """Return a bound socket; port 0 means any free port. Raises `KnobError` for a used port."""
    here = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    here.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        here.bind((HOST, port))
        here.listen()  # an early browser then waits and is not refused
    except (OSError, OverflowError) as error:
        here.close()
        reason = getattr(error, "strerror", None) or error
        raise KnobError(
            f"{option} {port}: {reason}; choose another port, or 0 for any free one"
        ) from error
    return here


def serve(sitting: Sitting, here: socket.socket, announce: Callable[[str], None]) -> None:
    """Serve a quiz at a bound socket until it is handed in; `announce` gets the address."""
    with Desk(sitting, here) as desk:
        announce(desk.address)
        desk.serve_forever(poll_interval=0.1)

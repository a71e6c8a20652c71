"""A real browser for tests: headless Chromium over its debugging pipe, by the standard library."""

from __future__ import annotations

import fcntl
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_TIMEOUT = 60  # seconds for any one answer
_WIRE = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4);"
    "os.execv(sys.argv[3], sys.argv[3:])"
)
"""Chromium reads descriptor 3 and writes descriptor 4."""
_KEYS = {
    "Enter": 13, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowRight": 39, "ArrowUp": 38,
    "ArrowDown": 40, "/": 191, "j": 74, "k": 75,
}  # fmt: skip


def find() -> str | None:
    """Return the path of an installed Chromium, None if there is none."""
    return next((path for name in _NAMES if (path := shutil.which(name))), None)


@contextmanager
def browser(binary: str) -> Iterator[Browser]:
    """Start a browser with one empty tab and end it afterwards."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        commands, replies = _pipe(), _pipe()
        process = subprocess.Popen(
            [sys.executable, "-c", _WIRE, str(commands[0]), str(replies[1]), binary,
             "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--disable-quic",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"],
            pass_fds=(commands[0], replies[1]),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(commands[0])
        os.close(replies[1])
        try:
            yield Browser(commands[1], replies[0])
        finally:
            os.close(commands[1])  # a browser ends when its pipe does
            os.close(replies[0])
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _pipe() -> tuple[int, int]:
    """Open a pipe whose descriptors are far from those that Chromium wants."""
    low = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in low]
    for end in low:
        os.close(end)
    return high[0], high[1]


class Browser:
    """One tab. What it reported since the last `open` is in `events`."""

    def __init__(self, commands: int, replies: int) -> None:
        self._commands, self._replies = commands, replies
        self._number, self._buffer = 0, b""
        self._session: str | None = None
        self.events: list[dict[str, Any]] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **params: Any) -> Any:
        """Send one command of the DevTools protocol and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            if not select.select([self._replies], [], [], _TIMEOUT)[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._replies, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self._buffer += data
        message, self._buffer = self._buffer.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(message)
        return answer

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a page afresh and wait until it is."""
        self.send("Page.navigate", url="about:blank")
        self.events.clear()
        self.send("Page.navigate", url=page.as_uri() + fragment)
        while not any(event["method"] == "Page.loadEventFired" for event in self._of_tab()):
            self.events.append(self._read())

    def _of_tab(self) -> Iterator[dict[str, Any]]:
        """Yield this tab's events; one of the empty page before may still come in."""
        seen = False
        for event in self.events:
            seen = seen or (event["method"] == "Page.frameNavigated" and (
                event["params"]["frame"]["url"] != "about:blank"
            ))  # fmt: skip
            if seen:
                yield event

    def run(self, expression: str) -> Any:
        """Evaluate a JavaScript expression in the page, or await it, and return its value."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"]["description"])
        return answer["result"].get("value")

    def barriers(self) -> list[str]:
        """Return what axe-core finds serious or critical: rule, help and the elements at fault."""
        self.run(resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
        found = self.run("axe.run({resultTypes: ['violations']})")
        return [
            f"{rule['id']}: {rule['help']}: {[node['target'] for node in rule['nodes']]}"
            for rule in found["violations"] if rule["impact"] in ("serious", "critical")
        ]  # fmt: skip

    def complaints(self) -> list[str]:
        """Return everything that the page logged or threw, as text."""
        loud = ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in loud]

    def requests(self) -> list[str]:
        """Return every address that was asked for."""
        sent = (e for e in self.events if e["method"] == "Network.requestWillBeSent")
        return [event["params"]["request"]["url"] for event in sent]

    def click(self, selector: str) -> None:
        """Click the middle of an element with the mouse."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "e.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Press and release a key."""
        text = "\r" if key == "Enter" else key if len(key) == 1 else ""
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, text=text,
                windowsVirtualKeyCode=_KEYS[key],
            )  # fmt: skip

    def look(self, *, width: int = 1400, height: int = 1000, scheme: str = "light") -> None:
        """Set the window's size and the preferred colour scheme; nothing glides."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=False,
        )  # fmt: skip
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.send("Emulation.setEmulatedMedia", features=features)

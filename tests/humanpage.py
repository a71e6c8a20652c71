"""The page for people, served by the command in a process of its own and driven in a browser.

Screenshots are kept where the environment names a folder for them:

    WORLDQUIZ_SHOTS=docs/images pytest tests/integration/test_human_page.py
"""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from browser import Browser

SHOTS = os.environ.get("WORLDQUIZ_SHOTS")
SHIFT, CTRL = 8, 2
_CODES = {"Enter": 13, "Escape": 27, "Backspace": 8, "Tab": 9}
_PATIENCE = 600  # seconds: ends what hangs, and fails no busy machine


class Served:
    """The command, once its page can be opened."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.process = process
        line = next((line for line in process.stderr if line.startswith("Open ")), "")
        assert line, "the page was not served"
        self.address = line.split()[1]

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def told(self) -> Any:
        """Return what it prints in the end."""
        out, err = self.process.communicate()
        assert self.process.returncode == 0, err
        return json.loads(out)


@contextmanager
def serving(*arguments: object, command: Sequence[str] = ("human",)) -> Iterator[Served]:
    """Serve a run's quiz, or another command's page, until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "worldquiz", *command, "--no-browser", "--json",
         *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        try:
            yield Served(process)
        finally:
            process.kill()


class Page:
    """The page as a person uses it."""

    def __init__(self, tab: Browser, address: str) -> None:
        self.tab = tab
        tab.send("Page.navigate", url="about:blank")
        tab.events.clear()
        tab.send("Page.navigate", url=address)
        self.until("document.readyState === 'complete' && document.querySelector('main h1')")

    def ask(self, expression: str) -> Any:
        return self.tab.run(expression)

    def has(self, selector: str) -> bool:
        return bool(self.ask(f"document.querySelector('{selector}') !== null"))

    def until(self, expression: str) -> None:
        """Wait until something is so."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            try:
                if self.ask(f"Boolean({expression})"):
                    return
            except RuntimeError:  # between two documents
                pass
            time.sleep(0.02)
        raise TimeoutError(f"{expression}; the page says: {self.text[:600]}")

    @property
    def text(self) -> str:
        return str(self.ask("document.body.innerText"))

    @property
    def heading(self) -> str:
        return str(self.ask("document.querySelector('main h1').textContent"))

    @property
    def place(self) -> str:
        """Which question is shown."""
        return str(self.ask("document.querySelector('.where')?.textContent ?? ''"))

    def press(self, key: str, modifiers: int = 0) -> None:
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        for kind in ("keyDown" if text else "rawKeyDown", "keyUp"):
            self.tab.send(
                "Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=modifiers,
                text=text if kind == "keyDown" else "",
                windowsVirtualKeyCode=_CODES.get(key) or ord(key),
            )  # fmt: skip

    def write(self, text: str) -> None:
        self.until("document.activeElement?.matches('#answer')")
        self.tab.send("Input.insertText", text=text)

    def on(self, modifiers: int = 0, key: str = "Enter") -> None:
        """Press a key, and wait for what comes next."""
        before = json.dumps([self.heading, self.place])
        self.press(key, modifiers)
        self.until(
            "document.readyState === 'complete' && "
            "JSON.stringify([document.querySelector('main h1')?.textContent, "
            "document.querySelector('.where')?.textContent ?? '']) !== "
            f"JSON.stringify({before})"
        )

    def drag(self, *spots: tuple[float, float]) -> None:
        """Drag over the picture, from spot to spot in shares of its sides."""
        x, y, wide, high = self.ask(
            "(() => { const r = document.querySelector('.layer').getBoundingClientRect();"
            "return [r.x, r.y, r.width, r.height]; })()"
        )
        kinds = ["mousePressed", *["mouseMoved"] * (len(spots) - 1), "mouseReleased"]
        for kind, (right, down) in zip(kinds, [*spots, spots[-1]], strict=True):
            self.tab.send(
                "Input.dispatchMouseEvent", type=kind, x=x + right * wide, y=y + down * high,
                button="left", buttons=1, clickCount=1,
            )  # fmt: skip

    def shot(self, name: str) -> None:
        """Keep a picture of the page, where pictures are wanted."""
        if SHOTS:
            data = self.tab.send("Page.captureScreenshot", format="png")["data"]
            (Path(SHOTS) / f"human-{name}.png").write_bytes(base64.b64decode(data))

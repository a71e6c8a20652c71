"""Pages read as a browser reads them, for tests."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import worldquiz as wq
from scored import keep

VOID = {"meta", "link", "img", "br", "hr", "input"}


class Reader(HTMLParser):
    """Reads a page as a browser would, and refuses tags that do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.words: list[str] = []
        self._id: str | None = None
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self._id = dict(attrs).get("id") or "code"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open
        assert self.open.pop() == tag
        self._id = None

    def handle_data(self, data: str) -> None:
        if self._id:
            self.scripts[self._id] = self.scripts.get(self._id, "") + data
        else:
            self.words.append(data)

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", " ".join(self.words))


def written(
    home: Path,
    rows: Mapping[str, Sequence[wq.Row]],
    *,
    noun: str = "rooms run",
    manifest: Mapping[str, Any] | None = None,
    **more: Any,
) -> list[wq.Run]:
    """Write runs of a benchmark that has nothing but rows; `more` are fields of its `RunKind`."""
    kind = wq.RunKind(kind=noun, noun=noun, **more)
    own = wq.Benchmark(name="rooms", title="Rooms", summary="Rooms.", runs=(kind,))
    told = {"kind": noun, **(manifest or {})}
    return [wq.Run(keep(home / name, told, some), own) for name, some in rows.items()]

"""Parts of every page: templates, our own script by its hash, and text made safe.

A page asks for no network (its content security policy forbids it), runs no script but its own
(allowed by hash, so that no name or reply can smuggle one in), and holds no date.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from importlib import resources
from typing import Any

from worldquiz.extras import need
from worldquiz.report.labels import decimal
from worldquiz.version import __version__

losses: ContextVar[tuple[str, ...]] = ContextVar("losses", default=())
"""What the page that is being written says first: questions that failed or are unfinished."""

_live: ContextVar[int] = ContextVar("live", default=0)


@contextmanager
def reloading(seconds: int) -> Iterator[None]:
    """Write pages that read themselves again after so many seconds."""
    token = _live.set(seconds)
    try:
        yield
    finally:
        _live.reset(token)


def require() -> None:
    """Raise `MissingExtra` unless a page can be written."""
    for library in ("jinja2", "matplotlib"):
        need(library, extra="t2q")


def page(
    name: str,
    values: Mapping[str, Any],
    *,
    package: str,
    scripts: tuple[str, ...],
    styles: tuple[str, ...],
) -> str:
    """Return a page of a template, with the sources of its scripts and styles in it.

    Files are looked for in the folder ``templates`` of `package`, then in that of this room.
    Raises `MissingExtra` without jinja2.
    """
    return "".join(parts(name, values, package=package, scripts=scripts, styles=styles))


def parts(
    name: str,
    values: Mapping[str, Any],
    *,
    package: str,
    scripts: tuple[str, ...],
    styles: tuple[str, ...],
) -> Iterator[str]:
    """Yield what `page` returns piece by piece; a value that is a generator is drawn from as late.

    So a page is written that would not fit into memory.
    """
    read = partial(source, package)
    script = "".join(map(read, (*scripts, "live.js") if _live.get() else scripts))
    return _template(name, read).generate(  # type: ignore[no-any-return]
        **values,
        losses=losses.get(),
        live=_live.get(),
        version=__version__,
        script=markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=markup("".join(map(read, styles))),
    )


def source(package: str, name: str) -> str:
    """Return a file of a package's templates, or of those that all pages share."""
    own = resources.files(package) / "templates" / name
    shared = resources.files("worldquiz.report") / "templates" / name
    return (own if own.is_file() else shared).read_text(encoding="utf-8")


def safe(value: object) -> Any:
    """Return JSON for a script element of the page."""
    return markup(embed(value))


class Texts:
    """Numbers texts in the order in which they first occur."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def __call__(self, text: str) -> int:
        """Return the number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    def paragraphs(self, text: str) -> list[int]:
        """Return the numbers of a text's paragraphs."""
        parts = (part.strip("\n") for part in text.split("\n\n"))
        return [self(part) for part in parts if part.strip()]

    @property
    def table(self) -> list[str]:
        """All texts, by number."""
        return list(self._numbers)


def embed(value: object) -> str:
    """Return JSON that may stand inside a script element: no text in it can close the element."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def markup(text: str) -> Any:
    """Mark text as HTML: our own templates and drawings, and JSON that `embed` made safe."""
    return need("markupsafe", extra="t2q", library="jinja2").Markup(text)


def many(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _template(name: str, read: Callable[[str], str]) -> Any:
    jinja2 = need("jinja2", extra="t2q")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(read),
    )  # fmt: skip
    environment.globals.update(
        dollars=_dollars, percent=_percent, plain=_plain, probability=_probability,
        many=many, signed=_signed, two=decimal,
    )  # fmt: skip
    return environment.get_template(name)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _plain(value: float) -> str:
    return f"{value:.10g}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _probability(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _dollars(value: float | None) -> str:
    return "?" if value is None else f"{value:,.2f}" if value >= 1 else f"{value:.4f}"

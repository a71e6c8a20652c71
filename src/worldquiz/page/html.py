"""Parts of a page: the template, our own script by its hash, and text made safe.

A page asks for no network (its content security policy forbids it), runs no script but its own
(allowed by hash, so that no name or reply can smuggle one in), and holds no date.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from worldquiz.page.labels import decimal
from worldquiz.plugins import need
from worldquiz.version import __version__


def require() -> None:
    """Raise `MissingExtra` unless a page can be written."""
    for library in ("jinja2", "matplotlib"):
        need(library, extra="t2q")


def parts(name: str, values: Mapping[str, Any], *, scripts: Sequence[str]) -> Iterator[str]:
    """Yield a page of a template piece by piece, with the sources of its scripts and style in it.

    A value that is a generator is drawn from as late, so a page is written that would not fit into
    memory. Raises `MissingExtra` without jinja2.
    """
    jinja2 = need("jinja2", extra="t2q")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(source),
    )  # fmt: skip
    environment.globals.update(many=many, two=decimal)
    script = "".join(map(source, scripts))
    return environment.get_template(name).generate(  # type: ignore[no-any-return]
        **values,
        version=__version__,
        script=markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=markup(source("page.css")),
    )


def source(name: str) -> str:
    """Return a file of the templates."""
    return resources.files("worldquiz.page").joinpath("templates", name).read_text("utf-8")


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

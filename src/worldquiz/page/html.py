"""Building blocks of a page: template, script, escaped text, drawings of worlds.

A page makes no network requests (its content security policy forbids them), runs only its own
script (allowed by hash, so names and replies cannot smuggle one in), and contains no date.

A drawing is one SVG with numbered parts, and the agent's steps, each with the parts that it first
showed. An element with ``data-part="N"`` looks unseen until the page's slider reaches the step that
showed part N; with several numbers, until any of these parts was shown. One with the class ``only``
is hidden until a question about it is chosen. Colours are the page's variables: ``var(--ink)``,
``var(--soft)``, ``var(--line)``, ``var(--accent)``, ``var(--mark)``.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any

from worldquiz.plugins import need
from worldquiz.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnPicture:
    """A picture that was shown."""

    uri: str  # "data:image/jpeg;base64,..."
    width: int  # in the pixels in which `lines` counts
    height: int
    lines: str = ""  # SVG over the picture


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnStep:
    """One step of an agent in a world, or one thing that an answerer was shown."""

    episode: int = 0
    step: int  # as a row counts it
    text: str  # the command and its result
    shows: tuple[int, ...] = ()  # parts that no earlier step showed
    at: tuple[float, float] | None = None  # the agent's position then, in units of the SVG
    picture: DrawnPicture | None = None  # shown at this step


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A world as one run saw it."""

    svg: str  # one element with a view box
    steps: tuple[DrawnStep, ...] = ()  # empty if nobody acted: all parts are shown
    about: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """By question id: the parts that the question is about."""
    pictures: Mapping[str, tuple[DrawnPicture, ...]] = field(default_factory=dict)
    """By question id: its pictures."""
    legend: str = ""  # what lines and colours mean, in a sentence


def require() -> None:
    """Raise `MissingExtra` unless jinja2, which pages need, is installed."""
    need("jinja2", extra="t2q")


def parts(name: str, values: Mapping[str, Any], *, scripts: Sequence[str]) -> Iterator[str]:
    """Yield a page piece by piece, from a template with its scripts and style inserted.

    Values may be generators, so a page need not fit into memory. Raises `MissingExtra` without
    jinja2.
    """
    jinja2 = need("jinja2", extra="t2q")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(source),
    )  # fmt: skip
    environment.globals.update(many=many)
    script = "".join(map(source, scripts))
    return environment.get_template(name).generate(  # type: ignore[no-any-return]
        **values,
        version=__version__,
        script=markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=markup(source("page.css")),
    )


def source(name: str) -> str:
    """Return the text of a file in the folder ``templates``."""
    return resources.files("worldquiz.page").joinpath("templates", name).read_text("utf-8")


def safe(value: object) -> Any:
    """Return JSON for a script element, escaped so that its texts cannot close the element."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return markup(text.replace("<", "\\u003c"))


def markup(text: str) -> Any:
    """Mark text as HTML that is not to be escaped: our templates and drawings, JSON from `safe`."""
    return need("markupsafe", extra="t2q", library="jinja2").Markup(text)


def many(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

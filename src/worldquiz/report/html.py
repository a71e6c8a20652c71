"""What every page is made with: templates, our own script by its hash, and text made safe.

A page asks for no network (its content security policy forbids it), runs no script but its own
(allowed by hash, so that no name or reply can smuggle one in), and holds no date.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import worldquiz
from worldquiz.errors import MissingExtra
from worldquiz.report.payload import embed


def page(name: str, values: Mapping[str, Any], *, scripts: tuple[str, ...], styles: tuple[str, ...]
         ) -> str:  # fmt: skip
    """Return a page of a template, with the sources of its scripts and styles in it.

    Raises `MissingExtra` without jinja2.
    """
    script = "".join(map(source, scripts))
    html: str = _template(name).render(
        **values,
        version=worldquiz.__version__,
        script=markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        style=markup("".join(map(source, styles))),
    )
    return html


def source(name: str) -> str:
    """Return a file of the templates' folder."""
    folder = resources.files("worldquiz.report") / "templates"
    return (folder / name).read_text(encoding="utf-8")


def safe(value: object) -> Any:
    """Return JSON for a script element of the page."""
    return markup(embed(value))


def markup(text: str) -> Any:
    """Mark text as HTML: our own templates and drawings, and JSON that `embed` made safe."""
    try:
        from markupsafe import Markup
    except ImportError as error:
        raise MissingExtra("jinja2", "report") from error

    return Markup(text)


def many(count: int, noun: str) -> str:
    """Return a count with its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _template(name: str) -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtra("jinja2", "report") from error
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(source),
    )  # fmt: skip
    environment.globals.update(
        dollars=_dollars, percent=_percent, plain=_plain, probability=_probability,
        signed=_signed, two=_two,
    )  # fmt: skip
    return environment.get_template(name)


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _plain(value: float) -> str:
    return f"{value:.10g}"


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "−")


def _two(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _probability(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _dollars(value: float | None) -> str:
    return "?" if value is None else f"{value:,.2f}" if value >= 1 else f"{value:.4f}"

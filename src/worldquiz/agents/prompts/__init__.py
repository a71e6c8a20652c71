"""Prompt templates, one a file: the papers' own, word for word, and those of our memories.

A template's ``{fields}`` are filled by name and nothing else is touched, since JSON is full of
braces. ``action`` and ``qa`` are appendix C of arXiv 2601.09503; what the paper's printed version
lost (line breaks) is chosen by us, as are all optional texts.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_FIELD = re.compile(r"\{([a-z_]+)\}")


@cache
def template(name: str) -> str:
    """Return a template without its final line break. Raises `FileNotFoundError`."""
    return (files(__package__) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def filled(name: str, **values: str) -> str:
    """Return a template with its fields filled in.

    Raises `KeyError` for a field without a value; a value's own braces stay as they are.
    """
    return _FIELD.sub(lambda field: values[field[1]], template(name))


@cache
def lines(name: str) -> dict[str, str]:
    """Return a template that is a list of ``key: text`` lines as a mapping."""
    pairs = (line.partition(": ") for line in template(name).splitlines())
    return {key: text for key, _, text in pairs}

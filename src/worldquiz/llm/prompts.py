"""Prompt templates, one a file ``NAME.md`` in a package of prompts.

A template's ``{fields}`` are filled by name and nothing else is touched, since JSON is full of
braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FIELD = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of one package."""

    package: str  # "worldquiz.t2q.prompts"

    def text(self, name: str) -> str:
        """Return a template without its final line break. Raises `FileNotFoundError`."""
        return _read(self.package, name)

    def filled(self, name: str, **values: str) -> str:
        """Return a template with its fields filled in.

        Raises `KeyError` for a field without a value; a value's own braces stay as they are.
        """
        return _FIELD.sub(lambda field: values[field[1]], self.text(name))

    def lines(self, name: str) -> dict[str, str]:
        """Return a template that is a list of ``key: text`` lines as a mapping."""
        pairs = (line.partition(": ") for line in self.text(name).splitlines())
        return {key: text for key, _, text in pairs}


@cache
def _read(package: str, name: str) -> str:
    return (files(package) / f"{name}.md").read_text(encoding="utf-8").rstrip("\n")

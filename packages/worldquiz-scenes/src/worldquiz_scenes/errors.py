"""Errors that a user's input can cause: each names the thing, the value, the place and the way out.

Misuse of the Python interface raises `TypeError` or `ValueError` instead.
"""

from __future__ import annotations

from collections.abc import Iterable


class SceneError(Exception):
    """A scene cannot be built, drawn or walked in. Root of the other errors: catch this for all."""


class ParameterError(SceneError):
    """A parameter, preset or option has a value that no scene can meet."""


class FileError(SceneError):
    """A file is missing, damaged, of another schema, or cannot be written."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'paper'?"`` for a near miss, else the list of what exists."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names)}"

"""Errors that a user's input can cause. Each says what is wrong, where, and how to fix it.

Misuse of the Python interface raises `TypeError` or `ValueError` instead.
"""

from __future__ import annotations

from collections.abc import Iterable


class SceneError(Exception):
    """A scene cannot be built, drawn or walked in. Base class of all errors of this package."""


class ParameterError(SceneError):
    """A parameter, preset or option has an invalid value, or one that no scene can have."""


class FileError(SceneError):
    """A file is missing, damaged, of another schema, or cannot be written."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'paper'?"`` for a near miss, else the list of known names."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names)}"

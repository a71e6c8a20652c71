"""Every error that worldquiz raises on purpose.

    WorldquizError
    ├── KnobError         a parameter, preset or option has an invalid value
    ├── RecordError       a file is missing, cut short or of another schema
    ├── WorldError        a world cannot be built, compiled or played
    │   └── Stopped       a run ended early; the same command continues it
    ├── PlanError         no walkthrough reaches a goal
    ├── AgentError        a user's own agent, answerer or memory failed
    ├── ReplyTypeError    one of these returned something other than text, which stops the run
    ├── CatalogError      a name of a world, agent or memory is unknown or a duplicate
    └── MissingExtra      an optional library is not installed

A message says what is wrong, where, and how to fix it. Misuse in Python raises built-in errors.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class WorldquizError(Exception):
    """Base class of these errors. Catch it to handle every error that a user's input can cause."""


def user_errors(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the error classes that are reported in one line: worldquiz's, those of
    worldquiz-scenes, and `more`."""
    scenes = sys.modules.get("worldquiz_scenes.errors")
    return (WorldquizError, *more, *([scenes.SceneError] if scenes else []))


class KnobError(WorldquizError):
    """A parameter, preset or option has an invalid value, or a value that fits no world."""


class RecordError(WorldquizError):
    """A record on disk is missing, cut short, of another schema, or contradicts its manifest."""


class WorldError(WorldquizError):
    """A world cannot be built, compiled or played."""


class Stopped(WorldError):
    """A run ended early. Its finished part has scores, and the same command continues it."""


class PlanError(WorldquizError):
    """No sequence of commands reaches a goal."""


class AgentError(WorldquizError):
    """A user's own agent, answerer or memory raised an error or returned an invalid value."""

    trace: str = ""  # where in the user's code it raised, as Python prints it


class ReplyTypeError(WorldquizError):
    """A user's own agent, answerer or memory returned something other than text."""


class CatalogError(WorldquizError):
    """A catalogue has no entry with that name, or two entries, or an invalid one."""


class MissingExtra(WorldquizError):
    """An optional library is needed but not installed; the message says how to install it."""

    def __init__(self, library: str, extra: str | None) -> None:
        wanted = f"worldquiz[{extra}]" if extra else library
        also = "; the extras mango and tea include it too" if extra == "t2q" else ""
        super().__init__(f"{library} is not installed: pip install '{wanted}'{also}")
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str | None]]:
        """Make the error picklable, so that it can pass between processes."""
        return MissingExtra, (self.library, self.extra)


@contextmanager
def needing_scenes() -> Iterator[None]:
    """Raise `MissingExtra` if an import fails because worldquiz-scenes is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "worldquiz_scenes":
            raise
        raise MissingExtra("worldquiz-scenes", "tea") from error


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'easy'?"`` for a near miss, else the list of known names."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; known: {', '.join(names) or 'none'}"


def check_share(name: str, share: float | None, error: type[Exception] = KnobError) -> None:
    """Raise an error for a number outside 0..1."""
    if share is not None and not 0 <= share <= 1:
        raise error(f"{name}: {share} is not between 0 and 1")


AGAIN = "run the same command again to continue"
KEPT = f"finished work is kept: {AGAIN}"


def notice(text: str) -> None:
    """Print a line to stderr."""
    sys.stderr.write(f"worldquiz: {text}\n")

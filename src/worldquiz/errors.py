"""Every error that worldquiz raises on purpose.

    WorldquizError ├── KnobError         a parameter, preset or option that cannot be met ├──
    RecordError       a file on disk that is missing, cut short or of another schema ├── WorldError
    a world that cannot be built, compiled or played │   └── Stopped       a run ended early:
    finished units have scores, the same command continues ├── PlanError         no walkthrough
    reaches a goal ├── AgentError        an agent or answerer of the user's own failed ├──
    ReplyTypeError    it returned what is no text: this stops the run at once ├── CatalogError
    an unknown or doubled name of a world, agent or memory └── MissingExtra      a library that an
    optional part needs is not installed

A message names the thing, the value, the place and the way out. The command line prints it without
a traceback; misuse of the Python interface raises `TypeError` or `ValueError` instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager


class WorldquizError(Exception):
    """Base class of these errors: catch it to catch everything that a user's input can cause."""


def user_errors(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Return the classes of errors reported in one line: ours, those of scenes, and `more`."""
    scenes = sys.modules.get("worldquiz_scenes.errors")
    return (WorldquizError, *more, *([scenes.SceneError] if scenes else []))


class KnobError(WorldquizError):
    """A parameter, preset or option has a value that no world can meet."""


class RecordError(WorldquizError):
    """A record on disk is missing, cut short, of another schema, or contradicts its manifest."""


class WorldError(WorldquizError):
    """A world cannot be built, compiled or played."""


class Stopped(WorldError):
    """A run ended before all was done; finished units have scores, the same command continues."""


class PlanError(WorldquizError):
    """No sequence of commands reaches a goal."""


class AgentError(WorldquizError):
    """An agent, answerer or memory of the user's own raised, or returned what it may not."""

    trace: str = ""  # where in the user's code it raised, as Python prints it


class ReplyTypeError(WorldquizError):
    """An agent or answerer of the user's own returned something other than text."""


class CatalogError(WorldquizError):
    """A catalogue has no entry of that name, or two, or one that lacks what it must have."""


class MissingExtra(WorldquizError):
    """An optional library is needed and absent; the message says how to install it."""

    def __init__(self, library: str, extra: str | None) -> None:
        wanted = f"worldquiz[{extra}]" if extra else library
        also = "; the extras mango and tea include it too" if extra == "t2q" else ""
        super().__init__(f"{library} is not installed: pip install '{wanted}'{also}")
        self.library = library
        self.extra = extra

    def __reduce__(self) -> tuple[type[MissingExtra], tuple[str, str | None]]:
        """Make it picklable: it may pass between processes."""
        return MissingExtra, (self.library, self.extra)


@contextmanager
def needing_scenes() -> Iterator[None]:
    """Raise `MissingExtra` where an import fails for want of worldquiz-scenes."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "worldquiz_scenes":
            raise
        raise MissingExtra("worldquiz-scenes", "tea") from error


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'easy'?"`` for a near miss, else the list of what exists."""
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

"""The command line, run in this process: what a command prints, without the time to start one."""

from __future__ import annotations

import json
import re
import signal
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner, Result

from worldquiz.cli import main

STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_NEIGHBOUR = re.compile(r"\..+\.[a-z0-9_]{8}")
_UNEQUAL = (".z8", ".eval")
"""A compiled game's header holds the day it was made, inspect's logs hold times."""


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as one JSON document."""
        assert self.out.startswith(("{", "[")), f"no JSON: {self.out[:500]!r} {self.err}"
        return json.loads(self.out)


def worldquiz(*arguments: object) -> Said:
    """Run a command to its end, whatever its exit code."""
    code = 0
    handlers = {number: signal.getsignal(number) for number in STOPS}
    dropped = sys.unraisablehook
    given = patch.object(sys, "argv", ["worldquiz", *map(str, arguments)])
    with redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err, given:
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.unraisablehook = dropped
            for number, handler in handlers.items():
                signal.signal(number, handler)
    return Said(code, out.getvalue(), err.getvalue())


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file beneath a folder, hidden ones too.

    Left out are games, inspect's logs, and the hidden neighbour into which a killed command was
    writing: it lies under no name that anybody reads.
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.suffix not in _UNEQUAL
        and not any(map(_NEIGHBOUR.fullmatch, path.relative_to(folder).parts))
    }


def inspect(*arguments: object, env: Mapping[str, str]) -> Result:
    """Run a command of inspect's own, which leaves neither its connections nor its display."""
    from inspect_ai._cli.main import inspect as group

    words = [str(each) for each in arguments]
    _close_models_at_the_end()
    with patch("inspect_ai._display.core.active._active_display", None):
        return CliRunner().invoke(group, words, env=env, auto_envvar_prefix="INSPECT")


@cache
def _close_models_at_the_end() -> None:
    """Have inspect close the connections of its models in the event loop that they belong to."""
    from inspect_ai.hooks import Hooks, RunEnd, hooks
    from inspect_ai.model import _model

    @hooks("close_models", "closes the connections of models")
    class _Closing(Hooks):
        async def on_run_end(self, data: RunEnd) -> None:
            for model in _model._models.values():
                async with model:
                    pass

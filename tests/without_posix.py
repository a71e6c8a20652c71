"""Task2Quiz from a suite to its report; run as a script, without what only POSIX systems have.

The package's modules are refused what Windows lacks, here and in worker processes. Python's own
modules and other libraries are not: on Windows they are others.
"""

from __future__ import annotations

import builtins
import os
import re
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MODULES = {"fcntl", "grp", "pwd", "readline", "resource", "termios", "tty"}
LACKED = {
    "os": r"fork(pty)?|register_at_fork|[gs]ete?[ug]id|[gs]et(pgid|pgrp|sid|groups|priority)|killpg"
    r"|sched_.*|nice|mkfifo|mknod|[fl]?chown|fch(mod|dir)|f?statvfs|uname|sysconf|getloadavg"
    r"|p(read|write)v?|readv|writev|sendfile|pipe2|openpty|posix_.*|wait([34]|id)|memfd_create"
    r"|O_(DIRECTORY|NOFOLLOW|CLOEXEC|NONBLOCK|D?SYNC|NOCTTY|PATH|TMPFILE)",
    "signal": r"SIG(?!(ABRT|FPE|ILL|INT|SEGV|TERM)$)[A-Z]\w*|alarm|[gs]etitimer|pause|pthread_.*"
    r"|sig(wait|timedwait|pending)\w*",
}


class Lacking:
    """A module without some of its names."""

    def __init__(self, module: Any, names: str) -> None:
        self._module, self._names = module, names

    def __getattr__(self, name: str) -> Any:
        if re.fullmatch(self._names, name):
            raise AttributeError(f"there is no {name} on Windows")
        return getattr(self._module, name)


def hide() -> None:
    """Refuse the package, from now on, what Windows lacks."""
    imported = builtins.__import__
    seen = {"os": Lacking(os, LACKED["os"]), "signal": Lacking(signal, LACKED["signal"])}

    def hiding(
        name: str, globals: Mapping[str, Any] | None = None, *rest: Any, **named: Any
    ) -> Any:
        if str((globals or {}).get("__name__")).startswith("worldquiz"):
            if name in MODULES:
                raise ModuleNotFoundError(f"there is no {name} on Windows")
            if name in seen:
                return seen[name]
        return imported(name, globals, *rest, **named)

    builtins.__import__ = hiding


def road(folder: Path, jobs: int) -> None:
    """Build, run, check, score and report in Python and by commands; keep what they print."""
    import worldquiz as wq
    from command import worldquiz

    suite, run = folder / "suite", folder / "run"
    who = ("--agent", "explorer", "--answerer", "worldgraph")
    wq.t2q.build("easy", worlds=2, seed=7, out=suite, jobs=jobs)
    printed = []
    commands: tuple[tuple[object, ...], ...] = (
        ("--help",), ("mango", "--help"), ("tea", "--help"), ("t2q", "check", suite),
        ("t2q", "run", suite, *who, "--out", run, "--jobs", jobs), ("score", run),
        ("show", run), ("check", run), ("report", run, "--out", folder / "p.html"),
    )  # fmt: skip
    for words in commands:
        said = worldquiz(*words)
        assert said.code == 0, said.err
        printed.append(said.out.replace(str(folder), ""))
    done = wq.load(run)
    printed += [repr(done.rows), repr(done.scores)]
    (folder / "printed").write_text("\n".join(printed))


if __name__ in {"__main__", "__mp_main__"}:
    hide()
if __name__ == "__main__":
    road(Path(sys.argv[1]), jobs=2)
    print(*sys.modules)

"""Faults of the file system, injected at the n-th change that a command makes beneath a folder.

`file_faults.c` stands before the C library (LD_PRELOAD), so it sees what Python and C libraries do.
A command runs in a fork of a warm process: a fault costs what the command costs, and no start of
Python. Afterwards four laws are judged. The command ended with an exit code of ours and one plain
line, or by the kill; the same command without a fault ends well; then the folder has the bytes of
one that nothing disturbed; and a model was asked again at most the calls that were under way.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from command import worldquiz
from modelserver import Running, Script, serving
from modelserver.models import reads_walkthroughs

LIBRARY = "WORLDQUIZ_FAULTS"
"""The variable that tells where the library was built."""
CODES = (0, 1, 2, 3, 130)
"""Exit codes of ours; 3 says that a run is unfinished, 130 that somebody stopped it."""
KILLED = -signal.SIGKILL
AT_ONCE = 4
"""Calls of a model under way at a time, at most."""
NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
PATIENCE = 300  # seconds: ends what hangs, and fails no busy machine


@dataclass(frozen=True)
class Fault:
    """What happens at the n-th change."""

    name: str
    errno: int = 0
    lasts: bool = False  # whether all later changes fail too
    kills: bool = False


FAULTS = (
    Fault("kill", kills=True),
    Fault("disk full", errno.ENOSPC, lasts=True),
    Fault("ENOSPC once", errno.ENOSPC),
    Fault("EIO", errno.EIO),
    Fault("EINTR", errno.EINTR),
)
CALM = Fault("none")
_NEIGHBOUR = re.compile(r"\..+\.[a-z0-9_]{8}")


@dataclass(frozen=True)
class Writer:
    """A command that writes; `{out}` in its words stands for its folder or file."""

    name: str
    words: Sequence[object]
    script: Script | None = None  # of the model that it asks

    def command(self, folder: Path, server: Running | None) -> list[str]:
        """Return the words with their place filled in, and the address of the model."""
        words = [str(word).replace("{out}", str(folder / "out")) for word in self.words]
        told = ["--base-url", server.base_url, "--connections", str(AT_ONCE)] if server else []
        return [*words, *told]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, or less than 0 for the signal; what it said; changes."""

    code: int
    err: str
    made: int


def built(folder: Path) -> Path:
    """Compile the library."""
    library = folder / "faults.so"
    source = Path(__file__).with_name("file_faults.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def preloaded() -> None:
    """Begin this program again with the library before all others, unless that was done."""
    if LIBRARY not in os.environ:
        library = built(Path(tempfile.mkdtemp(prefix="faults-")))
        told = {LIBRARY: str(library), "LD_PRELOAD": str(library)}
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **told})


class Trials:
    """A writer with its folder, and what it writes when nothing disturbs it."""

    def __init__(self, writer: Writer, folder: Path, server: Running | None) -> None:
        """Run it undisturbed. Raises `AssertionError` where it fails or changes nothing."""
        self.writer, self.folder, self.server = writer, folder, server
        self._library = ctypes.CDLL(os.environ[LIBRARY])
        self._library.faults_made.restype = ctypes.c_long
        self._begin()
        worldquiz(*writer.command(folder, server))  # loads all that a fork needs
        self._begin()
        before = self._asked()
        ended = self._run()
        if ended.code or not ended.made:
            raise AssertionError(f"{writer.name}: {ended}")
        self.made, self.calls, self.calm = ended.made, self._asked() - before, tree(folder)

    def _begin(self) -> None:
        """Empty the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def _asked(self) -> int:
        return int(self.server.stats()["arrived"]) if self.server else 0

    def _run(self, number: int = 0, fault: Fault = CALM) -> Ended:
        """Run the command in a fork of this process, with a fault at the n-th change."""
        said = self.folder.parent / f"{self.folder.name}.err"
        child = os.fork()
        if not child:
            self._end(said, number, fault)
        _, status = os.waitpid(child, 0)
        err = said.read_text() if said.is_file() else ""
        said.unlink(missing_ok=True)
        return Ended(os.waitstatus_to_exitcode(status), err, self._library.faults_made())

    def _end(self, said: Path, number: int, fault: Fault) -> None:
        """Run the command, and end this process as it ends."""
        os.environ.pop("LD_PRELOAD", None)
        signal.alarm(PATIENCE)
        root, at = os.fsencode(f"{self.folder}/"), ctypes.c_long(number)
        code = 70
        try:
            self._library.faults_arm(root, at, fault.errno, fault.lasts, fault.kills)
            ended = worldquiz(*self.writer.command(self.folder, self.server))
            code = ended.code
            said.write_text(ended.err)
        except BaseException as error:
            said.write_text(f"Traceback: {type(error).__name__}: {error}")
        finally:
            os._exit(code)

    def strike(self, number: int, fault: Fault) -> str:
        """Run the command with a fault, and again without; return the law that broke, or ""."""
        self._begin()
        before = self._asked()
        broken = self._first(self._run(number, fault), fault) or self._again()
        again = max(0, self._asked() - before - self.calls)
        if not broken and again > (0 if fault.errno == errno.EINTR else AT_ONCE):
            broken = f"asked {again} calls again"
        return broken

    def _first(self, ended: Ended, fault: Fault) -> str:
        """Return what is wrong with how the command bore a fault."""
        if ended.code != KILLED or not fault.kills:
            if ended.code not in CODES or "Traceback" in ended.err:
                return f"ended with {ended.code}: {ended.err[-300:]}"
            lines = ended.err.strip().splitlines()
            if ended.code and len(lines) != 1:
                return f"said: {ended.err[-300:]!r}"
        if fault.errno == errno.EINTR and ended.code:
            return f"was interrupted: {ended.err[-300:]}"
        ends = b"\n" if ended.code == 3 else b""  # what is done is written whole, line by line
        torn = [
            name for name, data in tree(self.folder).items()
            if _half(name, data, self.calm) and not (ends and data.endswith(ends))
        ]  # fmt: skip
        return f"left half a file: {torn}" if torn else ""

    def _again(self) -> str:
        """Return what is wrong with what the same command makes of what was left."""
        again = self._run()
        if again.code:
            return f"was not resumed: {again.err[-300:]}"
        left = tree(self.folder)
        names = {*left, *self.calm}
        differing = sorted(name for name in names if left.get(name) != self.calm.get(name))
        return f"differs: {differing[:5]}" if differing else ""


def tree(folder: Path) -> dict[str, bytes]:
    """Return every file beneath a folder, hidden ones too.

    Left out are inspect's logs, and the hidden neighbour into which a killed command was writing:
    it lies under no name that anybody reads.
    """
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and "logs" not in path.relative_to(folder).parts
        and not any(map(_NEIGHBOUR.fullmatch, path.relative_to(folder).parts))
    }


def _half(name: str, data: bytes, calm: dict[str, bytes]) -> bool:
    """Tell whether a file of the finished folder is the beginning of what it is to be."""
    hidden = any(part.startswith(".") for part in Path(name).parts)
    whole = calm.get(name, data)
    return not hidden and len(data) < len(whole) and whole.startswith(data)


@contextmanager
def trials(writer: Writer, folder: Path) -> Iterator[Trials]:
    """Yield a writer that was run undisturbed, while its model can be asked."""
    with ExitStack() as held:
        server = None
        if writer.script is not None:
            server = held.enter_context(serving(writer.script, minimum=NEVER))
        yield Trials(writer, folder, server)


def small(data: Path) -> Iterator[tuple[Writer, int]]:
    """Yield a small writer of each benchmark and a run of a model, with the points to be tried."""
    mazes = ("mango", "build", "--mazes", 1, "--size", 5, "--seed", 1, "--out")
    worldquiz(*mazes, data / "mazes")
    out = "{out}"
    build = ("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 3, "--jobs", 1)
    yield Writer("t2q build", (*build, "--out", out)), 5
    yield Writer("mango build", (*mazes, out)), 10
    yield Writer("tea scene", ("tea", "scene", "--preset", "tiny", "--seed", 5, "--out", out)), 4
    run = ("mango", "run", data / "mazes", "--per-maze", 2, "--model", "m", "--out", out)
    yield Writer("mango run", run, script=reads_walkthroughs()), 4


def main(folder: Path) -> None:
    """Print each law that the small writers break, and how many faults were tried."""
    preloaded()
    for writer, tried in small(folder / "data"):
        with trials(writer, folder / "work") as here:
            for place in range(tried):
                number = 1 + place * here.made // tried
                fault = FAULTS[place % len(FAULTS)]
                if broken := here.strike(number, fault):
                    print(f"{writer.name}, {number}, {fault.name}: {broken}")
            print(f"{writer.name}: {tried} faults at {here.made} changes, {here.calls} calls")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

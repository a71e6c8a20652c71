"""Faults of the file system, injected at the n-th change that a command makes beneath a folder.

`file_faults.c` stands before the C library (LD_PRELOAD), so it sees what Python and C libraries do.
A command runs in a fork of a warm process: a fault costs what the command costs, and no start of
Python. Afterwards three laws are judged. The command ended with an exit code of ours and one plain
line, or by the kill; the same command without a fault ends well; and then the folder has the bytes
of one that nothing disturbed.
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
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from command import worldquiz

LIBRARY = "WORLDQUIZ_FAULTS"
"""The variable that tells where the library was built."""
CODES = (0, 1, 2, 3)
"""Exit codes of ours; 3 says that a run is unfinished."""
KILLED = -signal.SIGKILL


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
    words: Sequence[str]
    warm: bool = True  # whether what it loads is loaded before; not what cannot be forked (OpenGL)

    def command(self, folder: Path) -> list[str]:
        """Return the words with their place filled in."""
        return [word.replace("{out}", str(folder / "out")) for word in self.words]


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


def run(writer: Writer, folder: Path, number: int = 0, fault: Fault = CALM) -> Ended:
    """Run a command in a fork of this process, with a fault at the n-th change."""
    library = ctypes.CDLL(os.environ[LIBRARY])
    said = folder.parent / f"{folder.name}.err"
    child = os.fork()
    if not child:
        os.environ.pop("LD_PRELOAD", None)
        code = 70
        try:
            library.faults_arm(
                os.fsencode(f"{folder}/"),
                ctypes.c_long(number),
                fault.errno,
                fault.lasts,
                fault.kills,
            )
            ended = worldquiz(*writer.command(folder))
            code = ended.code
            said.write_text(ended.err)
        except BaseException as error:
            said.write_text(f"Traceback: {type(error).__name__}: {error}")
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    library.faults_made.restype = ctypes.c_long
    err = said.read_text() if said.is_file() else ""
    said.unlink(missing_ok=True)
    return Ended(os.waitstatus_to_exitcode(status), err, library.faults_made())


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
        and not _NEIGHBOUR.fullmatch(path.name)
    }


def problem(writer: Writer, folder: Path, number: int, fault: Fault, calm: dict[str, bytes]) -> str:
    """Return which law one fault breaks, "" where all hold."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    first = run(writer, folder, number, fault)
    if first.code != KILLED or not fault.kills:
        if first.code not in CODES or "Traceback" in first.err:
            return f"ended with {first.code}: {first.err[-300:]}"
        if first.code and len(first.err.strip().splitlines()) != 1:
            return f"said: {first.err[-300:]!r}"
    if fault.errno == errno.EINTR and first.code:
        return f"was interrupted: {first.err[-300:]}"
    torn = [name for name, data in tree(folder).items() if _half(name, data, calm)]
    if torn:
        return f"left half a file: {torn}"
    again = run(writer, folder)
    if again.code:
        return f"was not resumed: {again.err[-300:]}"
    left = tree(folder)
    names = {*left, *calm}
    differing = sorted(name for name in names if left.get(name) != calm.get(name))
    return f"differs: {differing[:5]}" if differing else ""


def _half(name: str, data: bytes, calm: dict[str, bytes]) -> bool:
    """Tell whether a file of the finished folder is the beginning of what it is to be."""
    hidden = any(part.startswith(".") for part in Path(name).parts)
    whole = calm.get(name, data)
    return not hidden and len(data) < len(whole) and whole.startswith(data)


def points(
    writer: Writer,
    folder: Path,
    faults: Sequence[Fault] = FAULTS,
    chosen: Callable[[int], Sequence[int]] = lambda made: range(1, made + 1),
) -> Iterator[tuple[int, Fault, str]]:
    """Yield each point of a writer with each fault, and which law it breaks."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if writer.warm:
        worldquiz(*writer.command(folder))
        shutil.rmtree(folder)
        folder.mkdir()
    ended = run(writer, folder)
    if ended.code or not ended.made:
        raise AssertionError(f"{writer.name}: {ended}")
    calm = tree(folder)
    for number in chosen(ended.made):
        for fault in faults:
            yield number, fault, problem(writer, folder, number, fault, calm)


def main(folder: Path, step: int) -> None:
    """Print each law that `mango generate` breaks, with a fault at every so many changes."""
    preloaded()
    words = ("mango", "generate", "--mazes", "1", "--size", "5", "--seed", "1", "--out", "{out}")
    tried = 0
    for number, fault, what in points(
        Writer("mango generate", words), folder / "work", chosen=lambda made: range(1, made, step)
    ):
        tried += 1
        if what:
            print(f"change {number}, {fault.name}: {what}")
    print(f"{tried} faults")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

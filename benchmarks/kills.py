"""Do commands that are killed at random moments go on to the bytes of undisturbed ones?

    uv run python benchmarks/kills.py [--kills 12] [--seed 1] [--only WORDS]

Each command is a process of its own. It runs once undisturbed, which takes so long. Then, as often
as `--kills` says, it is killed (SIGKILL to its whole process group) at a moment drawn evenly from
that time, given again, killed again with one chance in two, and at last runs to its end. All files
must then be those of the undisturbed run. Left out are files that hold times (the logs of inspect,
the header of games), and hidden neighbours of files that were being written. A model is the tests'
server; it must get no more calls than undisturbed, beside those that were under way at a kill.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from file_faults import tree
from modelserver import Running, Script, perfect, serving
from modelserver.walks import reads_walkthroughs
from process import ended, start

NEVER = 10**9  # tokens from which on prompts are cached: what is cached depends on who asked before
LATENCY = 0.05  # seconds
AT_ONCE = 4
"""Calls under way at a time, at most."""
TINY = (
    "--preset", "tiny", "--scenes", "1", "--loops", "1", "--trajectories", "1", "--looks", "2",
    "--mirrors", "0", "--size", "64x64",
)  # fmt: skip


@dataclass(frozen=True)
class Command:
    """A command; `out` follows its words."""

    name: str
    words: Sequence[object]
    script: Script | None = None  # of the model that it asks
    ending: str = ""  # of what it writes, where that is a file


@dataclass
class Tally:
    """What came of a command's kills."""

    seconds: float
    kills: int = 0  # that struck before the command was done
    equal: int = 0
    trials: int = 0
    twice: int = 0  # calls that were made again, at most, in one trial


def commands(data: Path) -> Iterator[Command]:
    """Yield what is killed, and make what it reads."""
    suite, mazes, tasks, run = (data / name for name in ("suite", "mazes", "tasks", "run"))
    games = data / "games"
    ended("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 3, "--games", "--out", suite)
    ended("mango", "generate", "--mazes", 1, "--size", 8, "--seed", 1, "--out", mazes)
    ended("tea", "generate", *TINY, "--seed", 5, "--out", tasks)
    ended("t2q", "run", suite, "--agent", "explorer", "--answerer", "worldgraph", "--out", run)
    recorded(suite, games)
    build = ("t2q", "build", "--preset", "easy", "--worlds", 2, "--seed", 4)
    yield Command("t2q build", (*build, "--out"))
    yield Command("t2q build --games", (*build, "--games", "--out"))
    scripted = ("--agent", "random", "--answerer", "worldgraph", "--out")
    yield Command("t2q run", ("t2q", "run", suite, *scripted))
    asked = ("--model", "m", "--base-url")
    yield Command("t2q run, model", ("t2q", "run", suite, "--max-steps", 2, *asked), perfect())
    maze_run = ("mango", "run", mazes, "--per-maze", 10, *asked)
    yield Command("mango run, model", maze_run, reads_walkthroughs())
    yield Command("mango record", ("mango", "record", "--roms", games, "--out"))
    yield Command("tea generate", ("tea", "generate", *TINY, "--seed", 6, "--out"))
    exam = ("tea", "run", tasks, "--tasks", 20, "--walks", 1, *asked)
    yield Command("tea run, model", exam, perfect())
    yield Command("export", ("export", run, "--out"), ending=".parquet")
    yield Command("report", ("report", run, "--out"), ending=".html")


def recorded(suite: Path, games: Path) -> None:
    """Make games with a walkthrough beside them, as MANGO's recorder reads them."""
    from worldquiz.t2q.suites import open_suite

    games.mkdir()
    opened = open_suite(suite)
    for world in opened.worlds:
        shutil.copy(opened.folder(world) / "game.z8", games / f"{world}.z8")
        acts = opened.bundle(world).tasks[0].walkthrough.commands
        lines = [f"{number}: {act}\n" for number, act in enumerate(acts, start=1)]
        (games / f"{world}.walkthrough_acts").write_text("".join(lines))


def words(command: Command, out: Path, server: Running | None) -> list[object]:
    """Return a command with its place, and the address of its model."""
    told = [] if server is None else [server.base_url, "--connections", AT_ONCE, "--out"]
    return [*command.words, *told, Path(f"{out}{command.ending}")]


def killed(seconds: float, command: Sequence[object]) -> bool:
    """Kill a command after so many seconds; tell whether it was still running."""
    process = start(*command)
    try:
        process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return True
    return False


def tried(command: Command, folder: Path, kills: int, draw: Random) -> Tally:
    """Kill a command as often as asked; return what came of it."""
    with ExitStack() as held:
        server = None
        if command.script is not None:
            server = held.enter_context(serving(command.script, minimum=NEVER, latency=LATENCY))
        begun = time.monotonic()
        (folder / "calm").mkdir(parents=True)
        ended(*words(command, folder / "calm" / "out", server))
        tally = Tally(time.monotonic() - begun)
        calm, calls = tree(folder / "calm"), len(server.calls) if server else 0
        for number in range(kills):
            here = folder / str(number)
            here.mkdir()
            before, struck = len(server.calls) if server else 0, 0
            line = words(command, here / "out", server)
            struck += killed(draw.uniform(0, tally.seconds), line)
            if draw.random() < 0.5:
                struck += killed(draw.uniform(0, tally.seconds), line)
            ended(*line)
            found = {k: v for k, v in tree(here).items() if not k.endswith(".z8")}
            wanted = {k: v for k, v in calm.items() if not k.endswith(".z8")}
            twice = (len(server.calls) if server else 0) - before - calls
            tally.trials += 1
            tally.kills += struck
            tally.twice = max(tally.twice, twice)
            tally.equal += found == wanted and twice <= AT_ONCE * struck
            shutil.rmtree(here)
        return tally


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    console, draw, bad = Console(), Random(asked.seed), 0
    table = Table("command", "seconds", "trials", "kills", "equal bytes", "calls made again")
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        data = Path(name, "data")
        data.mkdir()
        for command in commands(data):
            if asked.only not in command.name:
                continue
            found = tried(command, Path(name, command.name), asked.kills, draw)
            bad += found.trials - found.equal
            again = str(found.twice) if command.script else ""
            row = (command.name, f"{found.seconds:.1f}", str(found.trials), str(found.kills),
                   str(found.equal), again)  # fmt: skip
            console.print(*row, sep=" | ", markup=False)
            table.add_row(*row)
    console.print(table)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()

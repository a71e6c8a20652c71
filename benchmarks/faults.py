"""Does each command survive a fault of the file system at each change that it makes?

    uv run python benchmarks/faults.py [--only PATTERN] [--most 200] [--asked 12] [--drawn 3]

Each writer runs once undisturbed, which counts its changes (open, write, fsync, rename, mkdir,
unlink). Then it runs with one fault at one change: killed there, the disk full from there on, and
ENOSPC, EIO or EINTR once. `tests/file_faults.py` judges. `--most` changes of a writer are drawn
where it makes more, `--asked` of one that asks a model or plays games, and `--drawn` of one that
draws pictures or compiles games. A model is the tests' server, which counts what it is asked again.
A person is a thread that answers on the page. The exit code is 1 where a law is broken.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from kills import TINY, recorded

import file_faults
from file_faults import FAULTS, Found, Writer
from modelserver import constant, diverse, perfect, serving
from modelserver.walks import reads_walkthroughs
from process import ended

BUILD = ("t2q", "build", "--preset", "easy", "--worlds", 1, "--seed", 3, "--jobs", 1)
COMPILE, PLAY = ("t2q build --games",), ("mango worlds", "mango record")
"""Writers that compile games, and that play them: each takes processes of its own."""
ASKED = ("--model", "m")
YES = constant('{"answer": "yes", "reason": ""}')
TRIES = 3
"""Times that a person sends an answer which the page does not take."""


class Data:
    """What the writers read, made when it is asked for."""

    def __init__(self, room: Path) -> None:
        self._room = room
        room.mkdir()

    def _made(self, name: str, *words: object) -> Path:
        out = self._room / name
        ended(*words, "--out", out)  # elsewhere: what draws pictures cannot be forked
        return out

    @cached_property
    def suite(self) -> Path:
        """A suite of one world with its game."""
        return self._made("suite", *BUILD, "--games")

    @cached_property
    def games(self) -> Path:
        """The suite's game with a walkthrough beside it."""
        recorded(self.suite, self._room / "games")
        return self._room / "games"

    @cached_property
    def mazes(self) -> Path:
        """Two small mazes."""
        return self._made("mazes", "mango", "generate", "--mazes", 2, "--size", 5, "--seed", 1)

    @cached_property
    def tasks(self) -> Path:
        """TEA's tasks in a tiny flat, with pictures."""
        return self._made("tasks", "tea", "generate", *TINY, "--seed", 5, "--jobs", 1)

    @cached_property
    def run(self) -> Path:
        """A run on the mazes."""
        return self._made("run", *_answers(self.mazes))

    @cached_property
    def model_run(self) -> Path:
        """A run of a model on the suite."""
        with serving(YES, minimum=file_faults.NEVER) as server:
            words = _words("--agent explorer --max-steps 2 --memory summary --base-url")
            return self._made(
                "model-run", "t2q", "run", self.suite, *ASKED, *words, server.base_url
            )

    @cached_property
    def shards(self) -> Sequence[Path]:
        """Two halves of a run on the mazes."""
        words = _answers(self.mazes)
        return [self._made(f"shard{part}", *words, "--shard", f"{part}/2") for part in (1, 2)]

    @cached_property
    def stopped(self) -> Path:
        """A build of which a world is missing."""
        out = self._made("stopped", *BUILD[:4], "--worlds", 2, "--seed", 3)
        (out / "manifest.json").unlink()
        shutil.rmtree(out / "worlds" / "easy-01")
        return out

    @cached_property
    def written(self) -> Path:
        """Tasks that a script wrote."""
        return self._made("written", *_writes(self.tasks), "--scripted", "diverse")


def _answers(mazes: Path) -> Sequence[object]:
    return ("mango", "run", mazes, "--answerer", "mapper", "--per-maze", 2)


def _writes(tasks: Path) -> Sequence[object]:
    return ("tea", "write", tasks, *_words("--tasks 5 --around 2 --seed 2 --chosen 2 --jobs 1"))


def _words(text: str) -> Sequence[str]:
    return text.split()


OUT = ("--out", "{out}")


def writers(data: Data) -> Iterator[tuple[str, Any]]:
    """Yield the names of the writers, and what makes each."""
    yield from t2q(data)
    yield from mango(data)
    yield from tea(data)
    yield from shared(data)


def t2q(data: Data) -> Iterator[tuple[str, Any]]:
    """Yield the writers of Task2Quiz."""
    yield "t2q build", lambda: {"words": (*BUILD, *OUT)}
    yield "t2q build --games", lambda: {"words": (*BUILD, "--games", *OUT)}
    yield "build", lambda: {"words": ("build", "{out}"), "given": data.stopped}
    scripted = _words("--agent random --answerer worldgraph --jobs 1 --max-steps 3")
    yield "t2q run", lambda: {"words": ("t2q", "run", data.suite, *scripted, *OUT)}
    yield (
        "t2q run, model",
        lambda: {
            "words": ("t2q", "run", data.suite, "--max-steps", 1, "--batch", 20, *ASKED, *OUT),
            "script": perfect(),
        },
    )
    yield "t2q attribute, model", lambda: {
        "words": ("t2q", "attribute", "{out}"), "given": data.model_run, "script": YES,
        "talks": True,
    }  # fmt: skip


def mango(data: Data) -> Iterator[tuple[str, Any]]:
    """Yield the writers of MANGO."""
    made = _words("mango generate --mazes 2 --size 5 --seed 1")
    yield "mango generate", lambda: {"words": (*made, *OUT)}
    yield (
        "mango record",
        lambda: {"words": ("mango", "record", "--roms", data.games, "--jobs", 1, *OUT)},
    )
    yield "mango worlds", lambda: {"words": ("mango", "worlds", data.suite, *OUT)}
    for form in ("store", "jsonl"):
        yield (
            f"mango questions ({form})",
            lambda form=form: {"words": ("mango", "questions", data.mazes, "--format", form, *OUT)},
        )
    yield "mango run", lambda: {"words": (*_answers(data.mazes), *OUT)}
    for verb, script in (
        ("run", reads_walkthroughs()),
        ("map", constant("{}")),
        ("minigames", constant('{"action": "north"}')),
    ):
        yield f"mango {verb}, model", lambda verb=verb, script=script: {
            "words": ("mango", verb, data.mazes, "--per-maze", 2, *ASKED, *OUT), "script": script
        }  # fmt: skip
    yield (
        "mango import",
        lambda: {
            "words": ("mango", "import", data.run / "answers.jsonl", "--maze", data.mazes, *OUT)
        },
    )
    yield "mango tables", lambda: {"words": ("mango", "tables", data.run, *OUT)}
    yield "mango curve", lambda: {"words": ("mango", "curve", data.run, "--out", "{out}.svg")}


def tea(data: Data) -> Iterator[tuple[str, Any]]:
    """Yield the writers of TEA."""
    yield "tea generate", lambda: {
        "words": ("tea", "generate", *TINY, "--seed", 5, "--jobs", 1, *OUT), "warm": False
    }  # fmt: skip
    yield "tea scene", lambda: {"words": (*_words("tea scene --preset tiny --seed 5"), *OUT)}
    yield "tea draw", lambda: {
        "words": ("tea", "draw", data.tasks, "--quality", "plain", "--jobs", 1, *OUT), "warm": False
    }  # fmt: skip
    yield "tea write", lambda: {
        "words": (*_writes(data.tasks), "--scripted", "diverse", *OUT), "warm": False
    }  # fmt: skip
    yield "tea write, model", lambda: {
        "words": (*_writes(data.tasks), *ASKED, *OUT), "script": diverse(), "warm": False
    }  # fmt: skip
    yield "tea tables", lambda: {"words": ("tea", "tables", data.written, "--jobs", 1, *OUT)}
    some = ("--tasks", 5, "--walks", 1, "--jobs", 1)
    for form in ("parquet", "vlmevalkit"):
        yield (
            f"tea export ({form})",
            lambda form=form: {"words": ("tea", "export", data.tasks, "--to", form, *some, *OUT)},
        )
    exam = ("tea", "run", "--tasks", 5, "--walks", 1)
    yield (
        "tea run",
        lambda: {
            "words": (*exam, data.tasks, "--answerer", "noisy", *OUT),
            "warm": False,
        },
    )
    yield "tea run, model", lambda: {
        "words": (*exam, data.tasks, *ASKED, *OUT), "script": perfect(), "warm": False
    }  # fmt: skip
    recall = ("tea", "recall", "--each", 1, "--views", 4)
    yield "tea recall", lambda: {"words": (*recall, data.tasks, "--answerer", "reader", *OUT)}
    yield (
        "tea recall, model",
        lambda: {"words": (*recall, data.tasks, *ASKED, *OUT), "script": constant("[]")},
    )
    yield (
        "tea sheet",
        lambda: {"words": ("tea", "sheet", data.tasks, "--tasks", 2, "--out", "{out}.png")},
    )
    yield "tea rate", lambda: {
        "words": ("tea", "rate", data.tasks, "--tasks", 20, "--walks", 1, *OUT),
        "beside": person, "talks": True,
    }  # fmt: skip


def shared(data: Data) -> Iterator[tuple[str, Any]]:
    """Yield the writers that work on any folder."""
    yield "export", lambda: {"words": ("export", data.run, "--out", "{out}.parquet")}
    yield "report", lambda: {"words": ("report", data.run, "--out", "{out}.html")}
    yield "merge", lambda: {"words": ("merge", *data.shards, *OUT)}
    yield "score", lambda: {"words": ("score", "{out}"), "given": data.run}
    yield "human", lambda: {"words": ("human", data.run, *OUT), "beside": person, "talks": True}


@contextmanager
def person() -> Iterator[None]:
    """Have somebody answer on the page that a command opens, or stop the command after a while."""

    def opened(address: str) -> None:
        threading.Thread(target=_sits, args=(address,), daemon=True).start()

    with patch("webbrowser.open", opened):
        yield


def _sits(address: str) -> None:
    base = address.rstrip("/")
    number = -1
    try:
        answered = _sent(f"{base}/get/state")["answered"]
        for number, done in enumerate(answered):
            if not done:
                _sent(f"{base}/do/answer", {"place": number, "said": None, "seconds": 0})
        _sent(f"{base}/do/finish", {"place": -1})
    except OSError:
        os.kill(os.getpid(), signal.SIGINT)


def _sent(url: str, told: object = None) -> Any:
    """Send a request as the page does, three times if need be. Raises `OSError`."""
    data = None if told is None else json.dumps(told).encode()
    origin = "/".join(url.split("/")[:3])
    head = {"Origin": origin, "Content-Type": "application/json"}
    for _ in range(TRIES):
        request = urllib.request.Request(url, data, head)
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(request) as reply:
            return json.load(reply)
        time.sleep(0.01)
    raise OSError(f"{url}: refused")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--asked", type=int, default=12)
    parser.add_argument("--drawn", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    file_faults.preloaded()
    console, bad = Console(), 0
    table = Table("writer", "drawn", "of", "faults", "survived", "calls again", "seconds")
    with tempfile.TemporaryDirectory(prefix="faults-") as name:
        room = Path(name)
        data = Data(room / "data")
        for what, make in writers(data):
            if not re.search(given.only, what):
                continue
            writer = Writer(what, **make())
            most = given.asked if writer.script or what in PLAY else given.most
            if not writer.warm or what in COMPILE:
                most = given.drawn
            row, broken = tried(writer, room / "work", most, Random(f"{given.seed} {what}"))
            bad += len(broken)
            for found in broken:
                console.print(f"{what}, change {found.number}, {found.fault.name}: {found.broken}",
                              markup=False, soft_wrap=True)  # fmt: skip
            console.print(" | ".join(row), markup=False, soft_wrap=True)
            table.add_row(*row)
    console.print(table)
    sys.exit(1 if bad else 0)


def tried(
    writer: Writer, folder: Path, most: int, draw: Random
) -> tuple[Sequence[str], Sequence[Found]]:
    """Try a writer; return its row of the table, and what broke a law."""
    begun = time.monotonic()
    with file_faults.trials(writer, folder) as here:
        numbers = sorted(draw.sample(range(1, here.made + 1), min(here.made, most)))
        every = [here.strike(number, fault) for number in numbers for fault in FAULTS]
    broken = [found for found in every if found.broken]
    again = max(found.again for found in every)
    calls = f"{again} of {here.calls}" if writer.script else ""
    row = (writer.name, len(numbers), here.made, len(every), len(every) - len(broken), calls,
           round(time.monotonic() - begun))  # fmt: skip
    return tuple(map(str, row)), broken


if __name__ == "__main__":
    main()

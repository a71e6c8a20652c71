"""Does any text, any JSON value or any file make a reader fail by more than an error of ours?

    uv run python benchmarks/fuzz.py [--minutes 60] [--seed 1] [--only WORDS] [--keep FILE]

Readers (`tests/fuzz_readers.py`) take turns of equal time. Each input is random or a mutated one of
the reader's corpus (`tests/fuzz_inputs.py`); one that ends in a way not met before joins that
corpus. Two laws are judged: nothing is raised but `WorldquizError`, and an input takes at most
50 ms of processor time for each 10 KB that are read, and 50 ms more. A process of its own reads, so
that one which crashes is a finding too. The exit code is 1 where there are findings.
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import multiprocessing
import re
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fuzz_readers import Reader, readers
from worldquiz.errors import WorldquizError

PER_10_KB = 0.05
"""Seconds of processor time."""
TURN = 2.0
"""Seconds of a reader's turn."""
MOST_CPU = 20
"""Seconds of processor time after which a case is given up."""
GROWN = 200
"""Inputs that may join a file's corpus."""
_VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+|\S*/\S*")


class TooSlow(BaseException):
    """A case that does not end."""


@dataclass
class Tally:
    """What became of one reader's cases."""

    cases: int = 0
    refused: int = 0  # ended as an error of ours
    slowest: float = 0.0  # as a share of what a case of its size may take
    grown: int = 0
    findings: dict[str, dict[str, Any]] = field(default_factory=dict)  # the first of each kind


class Trial:
    """One reader's cases so far."""

    def __init__(self, reader: Reader, seed: int, first: int) -> None:
        self.reader = Reader(
            reader.name,
            {place: list(corpus) for place, corpus in reader.corpus.items()},
            reader.read,
            reader.size,
        )
        self.seed, self.number, self.tally = seed, first, Tally()
        self.met: Counter[str] = Counter()

    def turn(self, seconds: float, keep: Path) -> None:
        """Read inputs for some seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.number += 1
            draw = Random(f"{self.reader.name} {self.seed} {self.number}")
            place, data = self.reader.draw(draw)
            (keep / "current").write_bytes(data)
            self.case(place, data)

    def case(self, place: str, data: bytes) -> None:
        """Read one input, and judge."""
        end, taken = self.ending(place, data)
        allowed = PER_10_KB * (1 + (len(data) + self.reader.size()) / 10_000)
        if taken > allowed:  # once more: another process may have emptied the caches
            taken = min(taken, *(self.ending(place, data)[1] for _ in range(3)))
        tally = self.tally
        tally.cases += 1
        tally.slowest = max(tally.slowest, taken / allowed)
        if taken > allowed:
            self.find(f"slow: {taken:.2f} s for {len(data):,} bytes", place, data, "slow")
        if isinstance(end, WorldquizError):
            tally.refused += 1
        elif isinstance(end, BaseException):
            self.find(self.told(end), place, data)
        self.grow(place, data, end)

    def ending(self, place: str, data: bytes) -> tuple[object, float]:
        """Return what a reader returns or raises, and the processor time that it took."""
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_CPU)
        begun = time.process_time()
        end: object
        try:
            end = self.reader.read(place, data)
        except (Exception, TooSlow) as error:
            end = error
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return end, time.process_time() - begun

    def grow(self, place: str, data: bytes, end: object) -> None:
        """Take an input into the corpus that ends in a way not met before."""
        said = _VALUES.sub("", str(end)[:300])[:90] if isinstance(end, str | BaseException) else ""
        way = f"{place} {type(end).__name__} {said}"
        corpus: Any = self.reader.corpus[place]
        self.met[way] += 1
        if self.met[way] == 1 and len(data) < 200_000 and self.tally.grown < GROWN:
            corpus.append(data)
            self.tally.grown += 1

    def find(self, what: str, place: str, data: bytes, kind: str = "") -> None:
        """Keep the first input of each kind of finding."""
        found = self.tally.findings.setdefault(
            kind or what, {"what": what, "times": 0, "case": self.number, "file": place}
        )
        found["times"] += 1
        found.setdefault("data", data[:20_000].decode("latin-1"))

    def told(self, error: BaseException) -> str:
        """Say what was raised, and by which line of ours."""
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "worldquiz" in Path(frame.filename).parts]
        at = f" at {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
        return f"{type(error).__name__}{at}: {_VALUES.sub('*', str(error))[:100]}"


def work(room: Path, given: argparse.Namespace, until: float, shift: int) -> None:
    """Read until the time is over; what is found is written after each round of turns."""
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGVTALRM, _stop)
    found = readers(room / f"room-{shift}", games=not given.only)
    chosen = [each for each in found if not given.only or given.only in each.name]
    trials = [Trial(reader, given.seed, shift * 10**9) for reader in chosen]
    gc.freeze()
    while time.time() < until:
        for trial in trials:
            (room / "reader").write_text(trial.reader.name)
            trial.turn(min(TURN, max(0.0, until - time.time())), room)
        told = {trial.reader.name: asdict(trial.tally) for trial in trials}
        (room / f"tally-{shift}.part").write_text(json.dumps(told))
        (room / f"tally-{shift}.part").rename(room / f"tally-{shift}.json")


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooSlow(f"more than {MOST_CPU} s")


def measure(room: Path, given: argparse.Namespace) -> dict[str, Any]:
    """Let processes read, one after the other, until the time is over; return what was found."""
    until, shift, crashed = time.time() + 60 * given.minutes, 0, []
    while time.time() < until:
        process = multiprocessing.get_context("spawn").Process(
            target=work, args=(room, given, until, shift)
        )
        process.start()
        process.join()
        if process.exitcode:
            crashed.append({
                "reader": (room / "reader").read_text(), "exit code": process.exitcode,
                "data": (room / "current").read_bytes()[:20_000].decode("latin-1"),
            })  # fmt: skip
        shift += 1
    tallies = [json.loads(path.read_text()) for path in sorted(room.glob("tally-*.json"))]
    return {"readers": summed(tallies), "crashes": crashed}


def summed(tallies: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the sums of what several processes found."""
    found: dict[str, Any] = {}
    for each in tallies:
        for name, tally in each.items():
            one = found.setdefault(name, asdict(Tally()))
            for key in ("cases", "refused", "grown"):
                one[key] += tally[key]
            one["slowest"] = max(one["slowest"], tally["slowest"])
            one["findings"] |= tally["findings"]
    return found


def show(found: dict[str, Any], console: Console) -> None:
    """Print the table, and each kind of finding once."""
    table = Table("reader", "cases", "refused", "slowest, of its limit", "findings")
    for name, tally in found["readers"].items():
        table.add_row(
            name, f"{tally['cases']:,}", f"{tally['refused']:,}", f"{tally['slowest']:.0%}",
            str(len(tally["findings"])),
        )  # fmt: skip
    console.print(table)
    console.print(f"{sum(each['cases'] for each in found['readers'].values()):,} cases")
    for name, tally in found["readers"].items():
        for each in tally["findings"].values():
            console.print(f"{name}: {each['what']} ({each['times']} times, {each['file']})",
                          markup=False)  # fmt: skip
    for crash in found["crashes"]:
        console.print(f"{crash['reader']}: ended by {crash['exit code']}", markup=False)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="readers whose names hold these words")
    parser.add_argument("--keep", type=Path, help="a JSON file of all findings, with their inputs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measure(Path(name), given)
    if given.keep:
        given.keep.write_text(json.dumps(found, indent=2))
    show(found, Console())
    bad = [each for tally in found["readers"].values() for each in tally["findings"]]
    sys.exit(1 if bad or found["crashes"] else 0)


if __name__ == "__main__":
    main()

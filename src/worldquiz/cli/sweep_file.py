"""The file of ``worldquiz sweep``: which runs it stands for, by their names.

    folder = "suite"                  # what all run on; paths are relative to the file
    out = "runs"                      # one folder for each run goes in here

    [options]                         # options of `worldquiz run FOLDER` for every run
    max_steps = 50

    [[grid]]                          # every combination of these values is a run
    model = ["openai/gpt-5.1", "openai/gpt-5-mini"]
    memory = ["in-context", "mem0"]
    seed = [0, 1, 2]

    [[grid]]
    agent = "explorer"
    answerer = ["worldgraph", "constant"]

A run is named by the values of its grid: ``memory=mem0,model=openai-gpt-5.1,seed=2``. So the order
of keys and tables changes no name, and equal names are a mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from worldquiz import trust
from worldquiz.addresses import address, shown
from worldquiz.errors import KnobError, did_you_mean
from worldquiz.records import read_text
from worldquiz.runs.store import fetched

KEYS = ("folder", "out", "options", "grid")
OWN = frozenset({"out", "json", "help", "shard"})
"""Options of ``worldquiz run`` that a sweep gives itself."""
_UNFIT = re.compile(r"[^\w.+-]+")


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run of a sweep: where it stands in the file, its name, its options."""

    place: str  # "sweep.toml: [[grid]] 1", for errors
    name: str
    options: Mapping[str, Any]

    def words(self, known: Collection[str]) -> list[str]:
        """Return the options that a command has, as its command line takes them."""
        return [
            word
            for name, value in sorted(self.options.items())
            if f"--{name}" in known
            for word in _words(f"--{name}", value)
        ]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """What a file asks for."""

    folder: Path
    out: Path
    runs: tuple[PlannedRun, ...]


def read_sweep(path: Path, known: Collection[str] | None = None) -> SweepPlan:
    """Read a file. `known` are the options that a run has, each as ``--name``.

    Raises `RecordError` for a file that cannot be read, and `KnobError` that names file, table, key
    and value for one that asks for what there is not.
    """
    told = _read(path)
    folder, out = (_place(path, _text(path, told, key)) for key in ("folder", "out"))
    if out.resolve().is_relative_to(folder.resolve()):
        raise KnobError(f"{path}: out {told['out']!r}: lies in the folder of data: name another")
    common = _options(f"{path}: [options]", told.get("options", {}), known)
    grids = told.get("grid", [{}])
    if not isinstance(grids, list) or not grids:
        raise KnobError(f"{path}: grid {grids!r}: write each grid as a table, below [[grid]]")
    runs: dict[str, PlannedRun] = {}
    for number, grid in enumerate(grids, start=1):
        place = f"{path}: [[grid]] {number}"
        for one in _combined(place, _options(place, grid, known)):
            name = _name(one)
            if name in runs:
                raise KnobError(f"{place}: {name!r} is asked for in {runs[name].place} already")
            runs[name] = PlannedRun(place, name, {**common, **one})
    return SweepPlan(folder, out, tuple(runs.values()))


def _place(path: Path, told: str) -> Path:
    """Return where a folder lies that a file names: by an address, or from the file's own place."""
    return fetched(told if address(told) else shown(str(path.parent / told)))


def _read(path: Path) -> dict[str, Any]:
    try:
        told = trust.toml(read_text(path))
    except ValueError as error:
        raise KnobError(f"{path}: is no TOML: {error}") from error
    for key, value in told.items():
        if key not in KEYS:
            raise KnobError(f"{path}: no key {key!r} (value {value!r}){did_you_mean(key, KEYS)}")
    return told


def _text(path: Path, told: Mapping[str, Any], key: str) -> str:
    value = told.get(key)
    if not isinstance(value, str) or not value:
        raise KnobError(f'{path}: {key} {value!r}: give a folder, as in {key} = "..."')
    return value


def _options(place: str, table: object, known: Collection[str] | None) -> dict[str, Any]:
    """Return a table's options by the names of the command line. Raises `KnobError`."""
    if not isinstance(table, Mapping):
        raise KnobError(f"{place}: {table!r} is no table of options")
    found = {}
    for key, value in table.items():
        name = key.replace("_", "-")
        offered = [one.removeprefix("--") for one in known or ()]
        if name in OWN or (known is not None and name not in offered):
            close = " in a sweep" if name in OWN else did_you_mean(name, _free(offered))
            raise KnobError(f"{place}: no option {key!r} (value {value!r}){close}")
        found[name] = value
    return found


def _free(offered: Iterable[str]) -> list[str]:
    """Return the options that a sweep does not give itself."""
    return [one for one in offered if one not in OWN]


def _combined(place: str, grid: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every combination of a grid's values."""
    columns = []
    for key, value in sorted(grid.items()):
        values = value if isinstance(value, list) else [value]
        if not values:
            raise KnobError(f"{place}: {key} []: give at least one value")
        columns.append([(key, one) for one in values])
    for combination in product(*columns):
        yield dict(combination)


def _name(options: Mapping[str, Any]) -> str:
    """Return a folder's name for some options."""
    parts = (f"{key}={_UNFIT.sub('-', _shown(value))}" for key, value in options.items())
    return ",".join(parts) or "run"


def _shown(value: Any) -> str:
    """Return a value as a command line takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return "+".join(map(_shown, value)) if isinstance(value, list) else str(value)


def _words(option: str, value: Any) -> list[str]:
    """Return an option with its value: repeated for a list, alone or absent for a switch."""
    if isinstance(value, bool):
        return [option] if value else []
    values = value if isinstance(value, list) else [value]
    return [word for one in values for word in (option, _shown(one))]

"""Registration of benchmarks: a package's entry point names one `Benchmark` object.

    [project.entry-points."worldquiz.benchmarks"]
    mine = "my_package:BENCHMARK"

Commands such as ``worldquiz show``, and functions such as `worldquiz.load`, work on any folder:
they read its kind from its manifest, and use the benchmark that has this kind. Task2Quiz, MANGO and
TEA register in the same way as any other package. A benchmark's module must import fast, so it
refers to other modules by `plugins.Hook`, or its functions import what they need.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import CatalogError, RecordError, notice
from worldquiz.plugins import Catalogue

if TYPE_CHECKING:
    import click

    from worldquiz.facts.row import Row
    from worldquiz.page.html import Drawing

PLAN = "plan.json"
"""File that a build writes first, so that a stopped build can be continued."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataKind:
    """A kind of data folder: worlds, mazes or scenes, with the questions about them."""

    kind: str  # as its manifest says
    noun: str  # "suite"
    open: Callable[[Path], Any]
    """Opens a folder. Raises `RecordError`. The result has a method `run`. With a method
    ``served(name, settings)``, which returns a `serve.seats.Served`, it can be served to agents."""
    holds: Callable[[Path], bool] | None = None
    """Recognizes a path that has no manifest."""
    check: Callable[[Path], object] | None = None
    """Reads a finished folder completely and compares it with its manifest (``worldquiz check``).

    Raises `RecordError` if the folder cannot be trusted. Default: `open`.
    """
    build: Callable[[Path], Any] | None = None
    """Finishes a build whose shards were merged, as the folder's ``plan.json`` says."""
    tables: Callable[[Path], Iterable[Any]] | None = None
    """Returns the tables and lines that ``worldquiz show`` prints; the folder's repr by default.

    A benchmark's own command ``show`` takes precedence.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RunKind:
    """A kind of run, with optional functions for runs that need more than ``rows.jsonl``."""

    kind: str  # as its manifest says
    noun: str  # "Task2Quiz run"
    check: Callable[[Path], object] | None = None
    """Reads all files of a finished run except its rows, for ``worldquiz check``."""
    score: Callable[[Path], dict[str, Any]] | None = None
    """Computes the content of ``scores.json`` from a run's records."""
    exam: Callable[[Path, Path | None], Any] | None = None
    """Reopens a run's questions as an `exam.asking.ItemsRun`, to grade its replies again. Called
    with the run's folder and, if the data were moved, their folder."""
    grader: Callable[[Path, Path | None], Callable[[Row, Mapping[str, Any]], Row]] | None = None
    """Returns a function that grades a row's reply again. For kinds without `exam`; called with the
    same arguments.
    """
    tables: Callable[[Path], Iterable[Any]] | None = None
    """The paper's own tables of a run, which ``worldquiz show`` prints below its scores."""
    drawings: Callable[[Path, Path | None], Callable[[str], Drawing | None]] | None = None
    """Returns a function that draws a world by name, or None if the data are missing. Called with
    the same arguments as `exam`.
    """
    paper: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """The paper's own scores on a page: each name with the dotted keys of its value and its
    interval (may be "") in the run's scores. A terminal shows the first two."""
    about: str = ""
    """A sentence that explains the first two scores of `paper`."""
    bounds: Callable[[], Mapping[str, str]] = dict
    """Agents and answerers that are baselines: "lower-bound", "upper-bound" or "reference"."""
    sheet: Callable[[Path, str, Path | None], Any] | None = None
    """Returns a person's quiz (`human.quiz`), from the run, a name and the data's new folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """Registration of one benchmark: its names, kinds of folders and commands."""

    name: str  # "t2q": its commands are ``worldquiz t2q ...``
    title: str  # "Task2Quiz"
    summary: str  # a sentence for the command line's help
    world: str = "world"  # what a reader calls one of its worlds: "maze"
    data: tuple[DataKind, ...] = ()
    runs: tuple[RunKind, ...] = ()
    commands: Callable[[], click.Group] | None = None
    """Its own commands. ``run``, ``show`` and ``check`` also serve as verbs."""
    demo: Callable[[Path, int], Iterable[tuple[str, Sequence[Any]]]] | None = None
    """Its part of ``worldquiz demo``, called with a folder and a number of processes.

    Makes runs on small data, and yields sentences, each with the runs that it describes.
    """

    @property
    def kinds(self) -> tuple[DataKind | RunKind, ...]:
        """Every kind of folder that the benchmark writes."""
        return (*self.data, *self.runs)


Kind = DataKind | RunKind
CATALOGUE = Catalogue("benchmark", "worldquiz.benchmarks", {})
_notice_once = cache(notice)


def benchmarks() -> dict[str, Benchmark]:
    """Return all installed benchmarks by name.

    A benchmark that cannot be imported is left out, and a notice is printed.
    """
    return {name: each for name in CATALOGUE.names() if (each := _loaded(name))}


def _loaded(name: str) -> Benchmark | None:
    """Return a benchmark, or None and print one notice if its package cannot be imported."""
    try:
        found = CATALOGUE.load(name)
    except Exception as error:  # whatever another package raises
        _notice_once(f"the benchmark {name!r} is left out: {error}")
        return None
    if not isinstance(found, Benchmark):
        kind = f"{CATALOGUE.owner(name)}: is a {type(found).__name__}"
        raise CatalogError(f"benchmark {name!r}{kind}, not a Benchmark: uninstall that package")
    return found


def _in_turn() -> Iterator[Benchmark]:
    """Yield installed benchmarks, imported ones first, since the others may not be needed."""
    places = CATALOGUE.places()
    names = sorted(places, key=lambda n: places[n].split(":")[0] not in sys.modules)
    yield from filter(None, map(_loaded, names))


def kind_of(
    path: Path, of: Benchmark | None = None, *, stopped: bool = False
) -> tuple[Benchmark, Kind]:
    """Return the benchmark that wrote a folder, and the folder's kind.

    If `of` is given, only this benchmark is considered; it need not be installed. With `stopped`,
    the kind is read from the plan of an unfinished build. Raises `RecordError` if no kind fits.
    """
    from worldquiz.runs.folder import MANIFEST, check_whole

    file = path / (PLAN if stopped else MANIFEST)
    stated, known = stated_kind(path, file.name), []
    for each in [of] if of else _in_turn():
        for kind in each.kinds:
            known.append(kind.kind)
            recognizes = getattr(kind, "holds", None) if stated is None else None
            if kind.kind == stated or (recognizes and recognizes(path)):
                return each, kind
    if stated is not None or (stopped and file.is_file()):
        raise RecordError(
            f"{file}: no installed benchmark has the kind {stated!r}; known: "
            f"{', '.join(sorted(known))}"
        )
    if not path.exists():
        raise RecordError(f"{path}: there is no such folder")
    if (path / PLAN).is_file():
        check_whole(path)
        raise RecordError(f"{path}: the build was stopped: run its command again to continue")
    if not path.is_dir():
        raise RecordError(f"{path}: is not a folder")
    raise RecordError(f"{path}: has no {MANIFEST}, so it is neither data nor a run")


def kind_of_run(path: Path, of: Benchmark | None = None) -> tuple[Benchmark, RunKind]:
    """Return a run's benchmark and kind. Raises `RecordError` for a folder of data."""
    benchmark, kind = kind_of(path, of)
    if isinstance(kind, RunKind):
        return benchmark, kind
    raise RecordError(f"{path}: is a {kind.noun}, not a run: make one with `worldquiz run {path}`")


def kind_of_data(path: Path) -> tuple[Benchmark, DataKind]:
    """Return a data folder's benchmark and kind. Raises `RecordError` for a run."""
    benchmark, kind = kind_of(path)
    if isinstance(kind, DataKind):
        return benchmark, kind
    raise RecordError(f"{path}: is a {kind.noun}, not data: use the data folder of the run")


def stated_kind(path: Path, name: str = "manifest.json") -> str | None:
    """Return the kind in a folder's manifest or plan (the file `name`), None if it is missing.

    Raises `RecordError` for a manifest without a kind.
    """
    from worldquiz.records import read_json

    if not (path / name).is_file():
        return None
    told = read_json(path / name)
    kind: object = told.get("kind") if isinstance(told, Mapping) else None
    if isinstance(kind, str):
        return kind
    if name == PLAN:
        return None
    raise RecordError(f"{path / name}: has no 'kind', so it is damaged: restore it")

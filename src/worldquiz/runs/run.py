"""A finished run in Python: its scores, its rows as a data frame, its report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.export.rows import Library, frame, write
from worldquiz.facts.row import Row
from worldquiz.records import read_json, write_json
from worldquiz.report import labels
from worldquiz.report.findings import Share, named_scores
from worldquiz.report.labels import decimal
from worldquiz.runs.benchmark import KEPT_ROWS, Benchmark, RunKind, check_no_data, kind_of_run
from worldquiz.runs.folder import MANIFEST, SCORES, claimed
from worldquiz.runs.losses import FILE, lines, with_losses
from worldquiz.runs.progress import EVERY, is_so_far, progress_of
from worldquiz.runs.rows import write_rows
from worldquiz.runs.shard import check_whole
from worldquiz.stats.row_scores import scores


class Run:
    """A finished run of any benchmark, read from its folder.

    >>> run = worldquiz.load("runs/mine")                       # doctest: +SKIP
    >>> run.frame().groupby("type").score.mean()                # doctest: +SKIP
    """

    benchmark: Benchmark
    """The benchmark that it is of."""
    kind: RunKind
    """What kind of run it is."""

    def __init__(self, path: Path | str, of: Benchmark | None = None) -> None:
        """Open a run; `of` is its benchmark, where that is not installed.

        Raises `RecordError` where there is no run.
        """
        self.path = Path(path)
        self.benchmark, self.kind = kind_of_run(self.path, of)

    @property
    def name(self) -> str:
        """The folder's name, by which tables and frames call the run."""
        return self.path.name

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's settings: agent, answerer, questions."""
        return dict(read_json(self.path / MANIFEST))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Every question that was asked, in order. Raises `RecordError` if it is not finished."""
        return tuple(self.each_row())

    def each_row(self) -> Iterator[Row]:
        """Yield the rows one after the other: those of a run of any size, in little memory."""
        return iter(self.__dict__.get("rows") or (row for row in self._every() if row.asked))

    @property
    def tasks(self) -> tuple[Row, ...]:
        """Every task that was played, in order; empty where none was. Raises `RecordError`."""
        return tuple(row for row in self._every() if not row.asked)

    def _every(self) -> Iterable[Row]:
        check_whole(self.path)
        return self.kind.rows(self.path)

    @cached_property
    def scores(self) -> dict[str, Any]:
        """The run's scores, as ``scores.json`` holds them; each kind of run has its own keys."""
        path = self.path / SCORES
        found = read_json(path) if path.is_file() else self.computed()
        if not isinstance(found, dict):
            raise RecordError(
                f"{path}: holds no scores: it is damaged: `worldquiz score {self.path}` writes it "
                "anew"
            )
        return Scores(found, self)

    @property
    def losses(self) -> list[str]:
        """Sentences about questions that failed or are unfinished; empty where none are."""
        return lines(self.scores) if (self.path / FILE).is_file() else []

    def score(self) -> dict[str, Any]:
        """Score the run again from its records, and write ``scores.json`` anew.

        Raises `RecordError` if the run is not finished, or another process writes into it.
        """
        with claimed(self.path):
            self.keep(self.computed())
        return self.scores

    def keep(self, found: dict[str, Any]) -> None:
        """Write down scores that were just computed, and rows that are made of other records."""
        if self.kind.rows != KEPT_ROWS:
            write_rows(self.path, self.kind.rows(self.path))
        write_json(self.path / SCORES, found)
        as_read = json.loads(json.dumps(found))  # tables keep the order, a file has no tuples
        self.__dict__["scores"] = Scores(as_read, self)

    def computed(self, document: Callable[[], dict[str, Any]] | None = None) -> dict[str, Any]:
        """Compute the scores anew, and write nothing; `document` has their kind's part.

        Raises `RecordError` if the run is not finished.
        """
        check_whole(self.path)
        found = (document or self._document)()
        return with_losses(found, self.path, lambda: self.rows)

    def _document(self) -> dict[str, Any]:
        return self.kind.score(self.path) if self.kind.score else scores(self.rows)

    def frame(self, library: Library = "pandas") -> Any:
        """Return one row a question as a data frame of pandas or polars, or an Arrow table."""
        return frame(self.each_row(), library)

    def report(self, out: Path | str = "report.html", *, beside: Run | Iterable[Run] = ()) -> Path:
        """Write one self-contained page about the run, and others of its kind `beside` it."""
        others = [beside] if isinstance(beside, Run) else beside
        return report([self, *others], Path(out))

    def export(self, out: Path | str) -> Path:
        """Write the rows as a Parquet file, with Croissant metadata beside it."""
        target = Path(out)
        write(self.each_row(), target)
        return target

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.kind.noun})"

    def _repr_html_(self) -> str:
        """Show the scores in a notebook, as a table by type of question."""
        from html import escape

        found = scores(self.rows, resamples=0)
        cells = {"all": found, **found["by_type"]}
        body = "".join(
            f"<tr><td>{escape(name)}</td><td>{decimal(cell['score'])}</td>"
            f"<td>{cell['counts']['scored']}</td></tr>"
            for name, cell in cells.items()
        )
        head = "<tr><th>type</th><th>mean score</th><th>questions</th></tr>"
        return f"<p>{escape(repr(self))}</p><table>{head}{body}</table>"


class Scores(dict[str, Any]):
    """The scores of a run by their names; a wrong name is told which ones there are."""

    def __init__(self, document: Mapping[str, Any], run: Run) -> None:
        super().__init__(document)
        self._about = f"{run.kind.noun} {run.name!r}"

    def __missing__(self, key: object) -> Any:
        raise KeyError(f"{self._about} has no score {key!r}; known: {', '.join(sorted(self))}")


def report(runs: Sequence[Run], out: Path, *, data: Path | None = None) -> Path:
    """Write one page about some runs of any benchmarks; each kind of run is compared for itself.

    `data` is where the data that they are about lie, if they were moved. Raises `RecordError` and
    `MissingExtra`.
    """
    from worldquiz.report.page import build, page_run

    if data and not any(run.kind.place for run in runs):
        check_no_data(runs[0].path, data)
    names = [run.name for run in runs]
    shown = [
        page_run(
            run.name if names.count(run.name) == 1 else str(run.path),
            run.rows,
            run.kind.bounds(),
            kind=run.kind.noun,
            paper=_paper(run),
            made=labels.settings(run.manifest),
            drawing=run.kind.drawings(run.path, data) if run.kind.drawings else None,
        )
        for run in runs
    ]
    return build(shown, out, losses=_losses(runs), live=EVERY if is_so_far() else 0)


def _losses(runs: Sequence[Run]) -> Iterable[str]:
    """Yield what is said of failed and unfinished questions of runs."""
    for run in runs:
        if is_so_far() and not (found := progress_of(run.path)).finished:
            yield f"{run.name}: {found.words()}"
        yield from (f"{run.name}: {line}" for line in run.losses)


def _paper(run: Run) -> dict[str, Share | None]:
    """Return the paper's own scores of a run, none where it has no scores yet."""
    try:
        return named_scores(run.scores, run.kind.paper) if run.kind.paper else {}
    except RecordError:
        return {}

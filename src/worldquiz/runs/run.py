"""Finished runs: scores, rows, data frames and reports, and the comparison of two runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.facts.knowledge import lost_points
from worldquiz.facts.replies import READER
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.records import check, plain_name, read_json, write_json
from worldquiz.runs.benchmark import (
    Benchmark,
    DataKind,
    RunKind,
    kind_of,
    kind_of_run,
)
from worldquiz.runs.folder import (
    MANIFEST,
    SCORES,
    UNFINISHED,
    RunManifest,
    Unfinished,
    check_whole,
    claimed,
    data_of,
    read_manifest,
)
from worldquiz.runs.items import RunItem
from worldquiz.runs.losses import lines, losses_of, unit_name
from worldquiz.runs.rows import (
    ROWS,
    ItemKey,
    by_item,
    finished_file,
    read_rows,
    reply_line,
    rows_in,
    write_rows,
)

if TYPE_CHECKING:
    from worldquiz.page.findings import PageRun

GRADED = ("answer", "status", "correct")
"""Fields of a row that the reply reader sets, besides its measures."""
RECORDS = "records"
"""Key of a run's scores for the number of lines in each of the run's files."""


class Run:
    """A finished run of any benchmark, read from its folder.

    >>> run = worldquiz.load("runs/mine")                       # doctest: +SKIP
    >>> run.headline["knowledge"], run.headline["false_answers"]    # doctest: +SKIP
    >>> sums = run.frame().groupby("type")[["points", "worth"]].sum()    # doctest: +SKIP
    >>> sums.points / sums.worth                                # doctest: +SKIP
    """

    benchmark: Benchmark
    """The benchmark that made the run."""
    kind: RunKind
    """The kind of the run."""

    def __init__(self, path: Path | str, of: Benchmark | None = None) -> None:
        """Open a run. If its benchmark is not installed, pass it as `of`.

        Raises `RecordError` if there is no run at `path`.
        """
        self.path = Path(path)
        self.benchmark, self.kind = kind_of_run(self.path, of)

    @property
    def name(self) -> str:
        """The run's label, or its folder's name if it has no label."""
        return str(self.manifest.get("label") or self.path.name)

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """The run's settings: agent, answerer, questions."""
        return dict(read_manifest(self.path, self.kind.kind, self.kind.noun, RunManifest))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The row of every question, in order. Raises `RecordError` if the run is not finished."""
        return tuple(self.each_row())

    def each_row(self) -> Iterator[Row]:
        """Yield the rows one by one, so that a run of any size needs little memory."""
        return iter(self.__dict__.get("rows") or (row for row in self._every() if row.asked))

    @property
    def tasks(self) -> tuple[Row, ...]:
        """The row of every task that an agent played, in order, if any. Raises `RecordError`."""
        return tuple(row for row in self._every() if not row.asked)

    def _every(self) -> Iterable[Row]:
        self._check_records()
        return read_rows(self.path)

    def _check_records(self) -> None:
        """Raise `RecordError` for a shard, or if a file has lost or gained lines since scoring."""
        check_whole(self.path)
        scored = self.path / SCORES
        found = read_json(scored) if scored.is_file() else None
        known = found.get(RECORDS) if isinstance(found, dict) else None
        for name, count in known.items() if isinstance(known, dict) else ():
            path = finished_file(self.path, plain_name(name, scored))
            if (there := _lines(path)) == count:
                continue
            if name == ROWS:
                any(False for _ in rows_in(path))  # raises an error for a duplicate line
            raise RecordError(
                f"{path}: has {there} lines, expected {count}, so it is damaged: restore the file, "
                "or run the command again in a new folder"
            )

    @cached_property
    def scores(self) -> dict[str, Any]:
        """The run's scores, as ``scores.json`` holds them; each kind of run has its own keys."""
        path = self.path / SCORES
        found = read_json(path) if path.is_file() else self.computed()
        if not isinstance(found, dict):
            raise RecordError(
                f"{path}: holds no scores, so it is damaged: write it again with "
                f"`worldquiz score {self.path}`"
            )
        return dict(found)

    @property
    def losses(self) -> list[str]:
        """Sentences about questions that failed, are unfinished, or have no readable answer."""
        found, read_by = lines(self.scores), self.manifest.get("reader", READER)
        if read_by != READER:
            found.append(
                f"replies were graded by reader version {read_by}; the current one is {READER}: "
                f"`worldquiz score {self.path} --regrade` grades them again"
            )
        return found

    def score(self) -> dict[str, Any]:
        """Score the run again from its records, and rewrite ``scores.json``.

        Raises `RecordError` if the run is not finished, or if another process is writing to it.
        """
        with claimed(self.path):
            self.keep(self.computed())
        return self.scores

    def regrade(self, data: Path | str | None = None) -> dict[str, Any]:
        """Grade the replies again with the current reader, and rewrite rows and scores.

        `data` is the folder of the run's data, if it was moved. Raises `RecordError` if the run is
        not finished, its data are missing, or its answers cannot be graded again.
        """
        with claimed(self.path):
            again = self._grader(Path(data) if data else None)
            rows = []
            for row in self._every():
                found = again(row, line) if (line := reply_line(row)) else row
                graded = {name: getattr(found, name) for name in GRADED}
                rows.append(replace(row, **graded, measures={**row.measures, **found.measures}))
            write_rows(self.path, rows)
            write_json(self.path / MANIFEST, {**self.manifest, "reader": READER})
            for stale in ("rows", "manifest"):
                self.__dict__.pop(stale, None)
            self.keep(self.computed())
        return self.scores

    def _grader(self, data: Path | None) -> Callable[[Row, Mapping[str, Any]], Row]:
        """Return a function that grades a row's reply again; rows of walks are left as they are."""
        if self.kind.grader is not None:
            return self.kind.grader(self.path, data)
        if self.kind.exam is None:
            raise RecordError(f"{self.path}: a {self.kind.noun} holds no replies to grade")
        items: Mapping[ItemKey, RunItem] = self.kind.exam(self.path, data).items

        def again(row: Row, line: Mapping[str, Any]) -> Row:
            item = items.get(by_item(line))
            if item is None:
                raise RecordError(
                    f"{self.path}: question {unit_name(by_item(line))!r} is not in the run's data, "
                    "which were rebuilt differently after the run"
                )
            return row if item.walked else item.row(line, row.answerer)

        return again

    def keep(self, found: dict[str, Any]) -> None:
        """Write scores that were just computed."""
        write_json(self.path / SCORES, found)
        as_read = json.loads(json.dumps(found))  # in the order of tables; no tuples, as in a file
        self.__dict__["scores"] = as_read

    def computed(self) -> dict[str, Any]:
        """Compute the scores without writing them. Raises `RecordError` if the run is not finished.

        They also have ``lost``, the lost points by cause (`facts.knowledge.lost_points`), if any
        question counts, and entries for failed and unfinished units.
        """
        from worldquiz.stats.row_scores import scores

        self._check_records()
        found = self.kind.score(self.path) if self.kind.score else scores(self.rows)
        rows = [replace(row, prompt="", gold="", reply="") for row in self._every()]  # light ones
        lost = lost_points(row for row in rows if row.asked)
        rest = read_json(self.path / MANIFEST).get(UNFINISHED)
        if rest:
            check(json.dumps(rest), Unfinished, self.path / MANIFEST)
        return {
            **found,
            **losses_of(rows),
            **({UNFINISHED: rest} if rest else {}),
            **({"lost": lost} if lost else {}),
            RECORDS: {each.name: _lines(each) for each in sorted(self.path.glob("*.jsonl"))},
        }

    def check_scores(self) -> None:
        """Raise `RecordError` if ``scores.json`` does not match the run's other files."""
        scored, found = (
            json.loads(json.dumps(each), parse_float=lambda number: round(float(number), 6))
            for each in (self.scores, self.computed())
        )
        if scored != found:
            raise RecordError(
                f"{self.path / SCORES}: does not match the run's other files: write it again with "
                f"`worldquiz score {self.path}`, or if another file is damaged, run the command "
                "again in a new folder"
            )

    @cached_property
    def headline(self) -> dict[str, Any]:
        """Knowledge, its ceiling and false answers, each with its interval (`facts.knowledge`).

        ``counted`` and ``failed`` are the numbers of questions that count and that failed.
        """
        from worldquiz.stats.row_scores import headline

        failed = sum(row.status is AnswerStatus.FAILED for row in self.rows)
        return {**headline(self.rows), "failed": failed}

    def frame(self) -> Any:
        """Return a pandas data frame with one row per question."""
        from worldquiz.export.rows import frame

        return frame(self.each_row())

    def report(self, out: Path | str = "report.html", *, beside: Run | Iterable[Run] = ()) -> Path:
        """Write one self-contained page about the run and, if given, other runs `beside` it."""
        return report([self, *([beside] if isinstance(beside, Run) else beside)], out)

    def export(self, out: Path | str) -> Path:
        """Write the rows as a Parquet file."""
        from worldquiz.export.rows import write

        write(self.each_row(), Path(out))
        return Path(out)

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r}, {self.kind.noun})"

    def _repr_html_(self) -> str:
        """Return the headline scores as HTML, for notebooks."""
        from worldquiz.page.labels import decimal

        rows = ""
        for name in ("knowledge", "ceiling", "false_answers"):
            bounds = ", ".join(map(decimal, self.headline[f"{name}_ci"] or ()))
            cells = (name, decimal(self.headline[name]), bounds and f"[{bounds}]")
            rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        return f"<p>{escape(repr(self))}</p><table>{rows}</table>"


def load(path: Path | str) -> Any:
    """Open a run's folder as a `Run`, or a data folder as a suite, mazes or scenes.

    Data have a method `run`. Raises `RecordError` if the folder is missing, or of an unknown kind.
    """
    folder = Path(path)
    _, kind = kind_of(folder)
    return kind.open(folder) if isinstance(kind, DataKind) else Run(folder)


def compare(left: Run | Path | str, right: Run | Path | str) -> dict[str, Any]:
    """Return the differences between two runs on the questions that both have, overall and by type.

    Each comparison is ``{"left", "right", "questions", "worlds", "difference", "ci", "p",
    "note"}``. The difference is the left run's knowledge minus the right run's. Its 95 % interval
    and p-value are clustered by world; if they are None, ``note`` says why. The key "grade" holds
    the same comparisons of the mean grade, and "failed" the failed questions, which are not
    compared. The key "score" is "knowledge", or "grade" if no guessing rate is known. Worlds whose
    data have different digests are left out. Raises `RecordError` if the runs share no question.
    """
    from worldquiz.stats import row_scores

    one, other = _opened(left), _opened(right)
    shared = row_scores.both_asked(data_of(one.manifest), data_of(other.manifest))
    ours, theirs = ((row for row in run.each_row() if shared(row.world)) for run in (one, other))
    try:
        found = row_scores.compare(ours, theirs, noun=one.benchmark.world)
    except row_scores.NothingShared as error:
        raise RecordError(f"{one.path} and {other.path}: {error}") from error
    sides = {"left": one, "right": other}
    lost = {side: run.scores["failed"] for side, run in sides.items() if "failed" in run.scores}
    return found | ({"failed": lost} if lost else {})


def report(
    runs: Run | Path | str | Iterable[Run | Path | str],
    out: Path | str = "report.html",
    *,
    data: Path | str | None = None,
) -> Path:
    """Write one self-contained page about one or more runs, and return its path.

    `data` is the folder of the runs' data, if it was moved. Raises `RecordError`, `MissingExtra`.
    """
    from worldquiz.page.labels import settings
    from worldquiz.page.page import build

    found = list(map(_opened, [runs] if isinstance(runs, Run | Path | str) else runs))
    place = Path(data) if data else None
    with scores_used(found):
        shown = [
            replace(
                each,
                made=settings(run.manifest),
                drawing=run.kind.drawings(run.path, place) if run.kind.drawings else None,
            )
            for run, each in zip(found, page_runs(found), strict=True)
        ]
        losses = [f"{each.name}: {line}" for run, each in zip(found, shown, strict=True)
                  for line in run.losses]  # fmt: skip
        return build(shown, Path(out), losses=losses)


def page_runs(runs: Sequence[Run]) -> list[PageRun]:
    """Return runs in the form that pages and tables use."""
    from worldquiz.page.findings import named_scores, page_run

    names = called(runs)
    return [
        page_run(
            names[run.path],
            run.rows,
            run.kind.bounds(),
            kind=run.kind.noun,
            world=run.benchmark.world,
            paper=named_scores(run.scores, run.kind.paper) if run.kind.paper else {},
            about=run.kind.about,
            data=data_of(run.manifest),
        )
        for run in runs
    ]


@contextmanager
def scores_used(runs: Iterable[Run]) -> Iterator[None]:
    """Raise `RecordError` if the block fails on the scores of a run because they are damaged."""
    try:
        yield
    except (TypeError, ValueError, LookupError, AttributeError):
        for run in runs:
            run.check_scores()
        raise


def called(runs: Iterable[Run]) -> dict[Path, str]:
    """Return each run's name in reports: its label, or its folder and the settings that differ."""
    from worldquiz.page.labels import told_apart

    return told_apart({run.path: run.manifest for run in runs})


def _opened(run: Run | Path | str) -> Run:
    return run if isinstance(run, Run) else Run(run)


def _lines(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(2**20), b""))

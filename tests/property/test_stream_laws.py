"""Many worlds in little memory: what is read one at a time gives what was held as a whole."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

import people
import synthetic
from worldquiz.cli.runs import tables_of
from worldquiz.errors import RecordError
from worldquiz.export import rows as tables
from worldquiz.runs.run import Run
from worldquiz.stats import intervals as stats
from worldquiz.stats.row_scores import compare
from worldquiz.t2q import scoring
from worldquiz.t2q.pipeline import sat, scores
from worldquiz.t2q.rows import rows
from worldquiz.t2q.scoring import models
from worldquiz.t2q.store import RunRecord, bundle_digest, read_bundle, read_run

replies = st.tuples(*[st.sampled_from((*synthetic.REPLIES, synthetic.NASTY, ""))] * 6)
runs = st.builds(
    lambda agent, worlds, said: synthetic.run(agent, "reader", worlds=worlds, replies=said),
    st.sampled_from(("scout", "idle")), st.integers(1, 4), replies,
)  # fmt: skip
models_runs = st.builds(
    lambda worlds, said: synthetic.model_run(worlds=worlds, replies=said),
    st.integers(1, 3), replies,
)  # fmt: skip


@settings(max_examples=12)
@given(made=runs | models_runs)
def test_a_run_on_disk_scores_as_the_run_in_memory(
    made: RunRecord, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = people.worlds(tmp_path_factory.mktemp("streamed") / made.path.name, made)
    found = read_run(folder)
    assert found.worlds == made.worlds
    assert scores(found) == scores(made)
    assert list(Run(folder).each_row()) == list(rows(replace(made, path=folder)))


@pytest.mark.parametrize("made", [synthetic.run(worlds=3), synthetic.model_run()])
def test_tables_of_scores_are_those_of_the_records(made: RunRecord, tmp_path: Path) -> None:
    found = [Run(people.worlds(tmp_path / str(n), made)) for n in (1, 2)]
    scored = {str(run.path): run.score() for run in found}

    def shown(tables: Iterable[Any]) -> str:
        console = Console(width=200, record=True, file=StringIO())
        console.print(*tables)
        return console.export_text()

    assert shown(tables_of(found, scored)) == shown(tables_of(found))


@given(made=models_runs)
def test_no_number_of_a_models_run_is_made_of_texts(made: RunRecord) -> None:
    thin = [sat(played) for played in made.worlds]
    whole = [
        replace(one, trace=played.trace) for one, played in zip(thin, made.worlds, strict=True)
    ]
    assert models.document(thin) == models.document(whole)
    kept = [text for one in thin for text in (move.raw for move in one.trace.moves)]
    kept += [text for one in thin for reply in one.trace.replies for text in (reply.raw,)]
    kept += [context.text for one in thin for context in one.trace.contexts]
    assert set(kept) <= {""}


def test_equal_bundles_have_equal_digests_and_others_have_others() -> None:
    one, other = (synthetic.played("easy-00", "easy", agent).bundle for agent in ("scout", "idle"))
    assert bundle_digest(one) == bundle_digest(other)
    assert bundle_digest(one) != bundle_digest(synthetic.played("easy-01", "easy", "idle").bundle)
    assert bundle_digest(one) != bundle_digest(replace(one, questions=one.questions[:-1]))


def test_scoring_holds_numbers_and_no_worlds(tmp_path: Path) -> None:
    """A world of a model's run takes over 40 kB in memory; what is kept of it, a tenth of that."""
    long = ("You see a lot here. " * 2_000,) * 6
    few, many = (
        people.worlds(tmp_path / str(n), synthetic.model_run(worlds=n, texts=long)) for n in (5, 35)
    )
    scores(read_run(few))  # what is cached once

    def peak(folder: Path) -> int:
        tracemalloc.start()
        scoring.scores(map(sat, read_run(folder).worlds), resamples=0)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert (peak(many) - peak(few)) / 30 < 10_000


@pytest.mark.parametrize("group", [1, 7, 12, 100])
def test_row_groups_hold_all_rows_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int
) -> None:
    from pyarrow import parquet

    asked = list(rows(synthetic.run(worlds=2)))
    monkeypatch.setattr(tables, "GROUP", group)
    monkeypatch.setattr(tables, "_AT_ONCE", 5)
    assert tables.write(iter(asked), tmp_path / "rows.parquet") == len(asked) == 12
    found = parquet.read_table(tmp_path / "rows.parquet")
    assert found.to_pylist() == tables.arrow(asked).to_pylist()
    assert found.schema.metadata[b"schema"] == b"worldquiz/questions"


def test_no_rows_are_a_table_of_none(tmp_path: Path) -> None:
    from pyarrow import parquet

    assert tables.write([], tmp_path / "rows.parquet") == 0
    assert parquet.read_table(tmp_path / "rows.parquet").column_names == list(tables.COLUMNS)


@pytest.mark.parametrize("worlds", [4, 40])
@pytest.mark.parametrize("block", [1, 64])
def test_draws_do_not_depend_on_how_many_are_worked_on_at_a_time(
    monkeypatch: pytest.MonkeyPatch, worlds: int, block: int
) -> None:
    above = tuple(float(n * 7 % 5) for n in range(worlds))
    left = stats.Ratio(above, (5.0,) * worlds)
    right = stats.Ratio(above[::-1], (5.0,) * worlds)

    def found() -> object:
        stats._weights.cache_clear()
        stats._exchanges.cache_clear()
        pair = stats.differences({"x": (left, right)}, resamples=300)
        return stats.intervals({"x": left}, resamples=300), pair

    expected = found()
    monkeypatch.setattr(stats, "_BLOCK", block)
    assert found() == expected


def test_two_runs_are_compared_from_rows_that_come_once() -> None:
    left, right = (list(rows(synthetic.run(*who))) for who in (("scout", "x"), ("idle", "x")))
    assert compare(iter(left), iter(right)) == compare(left, right)


def test_equal_files_of_worlds_are_read_once_and_changed_ones_anew(tmp_path: Path) -> None:
    made = synthetic.run(worlds=1)
    one, other = (
        people.worlds(tmp_path / n, made) / "worlds" / "easy-00" for n in ("one", "other")
    )
    found = read_bundle(one)
    assert found == made.worlds[0].bundle
    assert read_bundle(other) is found
    quiz = other / "quiz.jsonl"
    quiz.write_text(quiz.read_text().replace("apple", "orange"))
    assert read_bundle(other) != found
    quiz.write_text(quiz.read_text()[:-10])
    with pytest.raises(RecordError, match="other"):
        read_bundle(other)
    assert read_bundle(one) == found

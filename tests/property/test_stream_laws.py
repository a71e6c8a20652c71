"""Many worlds in little memory: what is read one at a time gives what was held as a whole."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import people
import synthetic
from played import RunRecord
from worldquiz.errors import RecordError
from worldquiz.export import rows as tables
from worldquiz.runs.run import Run
from worldquiz.stats import intervals as stats
from worldquiz.t2q.store import read_bundle

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
    assert Run(folder).scores == json.loads(json.dumps(made.scores))
    assert [replace(row, run="") for row in Run(folder).each_row()] == [
        row for row in made.rows if row.asked
    ]


@pytest.mark.parametrize("group", [1, 7, 12, 100])
def test_row_groups_hold_all_rows_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: int
) -> None:
    from pyarrow import parquet

    asked = synthetic.run(worlds=2).rows
    monkeypatch.setattr(tables, "GROUP", group)
    monkeypatch.setattr(tables, "_AT_ONCE", 5)
    assert tables.write(iter(asked), tmp_path / "rows.parquet") == len(asked) == 16
    found = parquet.read_table(tmp_path / "rows.parquet")
    assert found.to_pylist() == tables.arrow(asked).to_pylist()
    assert found.schema.metadata[b"schema"] == b"worldquiz/questions"


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


def test_equal_files_of_worlds_are_read_once_and_changed_ones_anew(tmp_path: Path) -> None:
    made = synthetic.run(worlds=1)
    one, other = (
        people.worlds(tmp_path / n, made).with_name(f"{n}-suite") / "worlds" / "easy-00"
        for n in ("one", "other")
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

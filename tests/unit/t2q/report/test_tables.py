"""Cells, roles and places; tables as a terminal prints them."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console
from rich.table import Table

import synthetic
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.report.tables import (
    HEADINGS,
    Cell,
    Row,
    blocks,
    cell,
    levels_table,
    name_of,
    podium,
    role,
    scores_table,
    types_table,
)
from worldquiz.t2q.scoring import KEYS, scores, sitting


def row(agent: str = "scout", answerer: str = "reader", **changed: Any) -> Row:
    run = synthetic.run("idle" if agent == "idle" else "scout", answerer)
    found = scores(sitting(played, results(played)) for played in run.worlds)
    return Row(agent, answerer, {**found, **changed})


def printed(table: Table, width: int = 80) -> list[str]:
    console = Console(width=width, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get().splitlines()


def test_a_share_never_stands_without_its_count() -> None:
    assert str(Cell(5 / 6, 5, 6, (0.5, 1))) == "0.83 (5 of 6)"


def test_an_undefined_share_is_a_dash_with_its_empty_count() -> None:
    assert str(Cell(None, 0, 0, None)) == "– (0 of 0)"


def test_large_and_partial_counts_are_written_out() -> None:
    assert Cell(0.5, 1234567.5, 2469135, None).count == "1234567.5 of 2469135"


def test_a_cell_takes_share_count_and_interval_of_its_block() -> None:
    found = row().scores
    assert cell(found, "eus") == Cell(8 / 12, 8, 12, (0.159382, 0.954745))
    assert cell(found, "eus").bounds == "[0.16, 0.95]"
    assert str(cell(found["by_type"]["match"], "accuracy_answerable")) == "– (0 of 0)"
    assert str(cell(found["by_level"]["easy"], "tsr")) == "0.50 (1 of 2)"


def test_every_share_has_a_heading() -> None:
    assert set(HEADINGS) == set(KEYS)


@pytest.mark.parametrize("entry", [*catalog.agents(), *catalog.answerers()], ids=lambda e: e.name)
def test_roles_are_those_of_the_catalogue(entry: catalog.AgentEntry) -> None:
    assert role(entry.name) == str(entry.role)


@pytest.mark.parametrize(
    ("agent", "answerer", "expected"),
    [
        ("scout", "reader", Role.AGENT),
        ("explorer", "reader", Role.AGENT),
        ("idle", "reader", Role.AGENT),
        ("scout", "worldgraph", Role.AGENT),
        ("explorer", "oracle", Role.UPPER),
        ("idle", "abstainer", Role.LOWER),
        ("random", "worldgraph", Role.REFERENCE),
        ("explorer", "constant", Role.REFERENCE),
        ("walkthrough", "oracle", Role.REFERENCE),
    ],
)
def test_a_run_is_a_baseline_where_its_agent_and_its_answerer_both_are(
    agent: str, answerer: str, expected: Role
) -> None:
    assert Row(agent, answerer, {}).role is expected


def test_agent_and_answerer_have_signs_of_their_own() -> None:
    assert name_of(Row("random", "worldgraph", {})) == "▼random\n+ ▲worldgraph"
    assert name_of(Row("scout", "reader", {})) == "scout\n+ reader"


def test_best_and_second_leave_out_baselines() -> None:
    rows = [
        row(eus=0.5),
        row("idle", "reader", eus=0.9),
        row(eus=0.7),
        row("scout", "oracle", eus=1.0),
        row(eus=0.4),
    ]
    assert podium(rows, "eus") == {2: "best", 0: "second"}


def test_less_overclaiming_is_better() -> None:
    assert podium([row(overclaim=0.1), row(overclaim=0.3)], "overclaim") == {0: "best", 1: "second"}


def test_ties_share_their_place_and_undefined_shares_have_none() -> None:
    rows = [row(known=0.6), row(known=0.6), row(known=None), row(known=0.2)]
    assert podium(rows, "known") == {0: "best", 1: "best", 3: "second"}


def test_who_competes_alone_wins_nothing() -> None:
    assert podium([row(), row("idle", "abstainer")], "eus") == {}


def test_task_success_is_the_agents_own_so_a_reference_agent_does_not_compete() -> None:
    rows = [row("walkthrough", tsr=1.0), row(tsr=0.5), row(tsr=0.3)]
    assert podium(rows, "tsr") == {1: "best", 2: "second"}
    assert 0 in podium([row("walkthrough", eus=0.9), row(eus=0.5)], "eus")


def test_the_scores_table_fits_80_columns_with_all_counts() -> None:
    lines = printed(scores_table([row(), row("idle", "abstainer")]))
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "…" not in text
    for count in ("2/4", "8/12", "4/12", "6/12", "4/6", "4/4", "2/6"):
        assert count in text
    assert "▼idle" in text


@pytest.mark.parametrize("width", [80, 100])
def test_the_headline_is_never_broken_even_by_long_counts(width: int) -> None:
    found = row()
    counts = {name: value * 300 for name, value in found.scores["counts"].items()}
    lines = printed(scores_table([row(counts=counts)]), width)
    assert any("knowledge" in line.split() for line in lines)
    assert any("1200/" in line.split() for line in lines)  # of 4 x 300 counted questions


def test_intervals_are_shown_on_request() -> None:
    assert "0.16..0.95" in "\n".join(printed(scores_table([row()], intervals=True), 140))
    assert "0.16..0.95" not in "\n".join(printed(scores_table([row()]), 120))


def test_types_and_levels_have_a_column_each() -> None:
    lines = "\n".join(printed(types_table([row()]), 120))
    assert all(name in lines for name in ("location", "connectivity", "match", "knowledge"))
    lines = "\n".join(printed(levels_table([row()], "eus"), 120))
    assert all(name in lines for name in ("easy", "hard", "EUS", "4/6"))


def test_a_level_that_a_run_did_not_play_stays_empty() -> None:
    other = row(by_level={"medium": row().scores["by_level"]["easy"]})
    assert blocks([row(), other], "by_level") == ["easy", "hard", "medium"]
    assert printed(levels_table([row(), other]), 120)


def test_names_are_no_markup() -> None:
    assert "[bold]x" in "\n".join(printed(scores_table([row("[bold]x")]), 120))

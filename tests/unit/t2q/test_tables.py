"""Terminal tables of scores: a share never stands without its count, and roles of runs."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

import synthetic
from conftest import Cli
from worldquiz.page.terminal import Screen
from worldquiz.t2q.agents import catalog
from worldquiz.t2q.agents.catalog import Role
from worldquiz.t2q.scoring import KEYS
from worldquiz.t2q.tables import HEADINGS, bounds, role, share, tables_of


def printed(width: int = 200) -> str:
    screen = Screen(width=width, record=True, file=StringIO())
    runs = (synthetic.run("scout", "reader"), synthetic.model_run())
    screen.print(*tables_of([(run.name, run.scores) for run in runs]))
    return screen.export_text()


def test_every_share_stands_with_its_count() -> None:
    assert set(HEADINGS) == set(KEYS)
    found = synthetic.run("scout", "reader").scores
    assert share(found, "eus") == "0.67 (8 of 12)"
    assert share(found["by_type"]["match"], "accuracy_answerable") == "– (0 of 0)"
    assert share(found["by_level"]["easy"], "tsr") == "0.50 (1 of 2)"


def test_table_2_and_what_models_used_are_printed_and_fit_a_narrow_terminal() -> None:
    text = printed()
    assert "Table 2: TSR, and EUS by type of question" in text
    assert "scout + reader" in text
    assert "maker/m1 + in-context" in text
    assert ["maker/m1", "+", "in-context", "all", "22", "16,000", "320", "1.50"] in [
        line.split() for line in text.splitlines()
    ]
    assert max(map(len, printed(80).splitlines())) <= 80


def test_table_2_marks_the_best_and_the_second_best_of_what_is_measured() -> None:
    right = ("iron chest", "yes", "attic", "north", "brass key", "yes")
    runs = {
        "m + in-context": synthetic.run("scout", "reader"),
        "m + mem0": synthetic.run("scout", "reader", replies=("south",) * 6),
        "m + amem": synthetic.run("scout", "reader", replies=right),
        "idle + in-context": synthetic.run("scout", "reader"),
    }
    tables = {each.title: each for each in tables_of([(n, r.scores) for n, r in runs.items()])}
    totals = [
        str(cell) for cell in tables["Table 2: TSR, and EUS by type of question"].columns[-1].cells
    ]
    assert totals[0].startswith("[bold]0.67 (8 of 12)")
    assert totals[1].startswith("0.00")
    assert totals[2].startswith("[underline]0.50")
    assert totals[3].startswith("0.67")


def test_runs_of_one_agent_and_answerer_are_told_apart_by_their_folders(
    tmp_path: Path, cli: Cli
) -> None:
    for name in ("step", "task"):
        synthetic.run("random", "constant").written(tmp_path / name)
    said = cli("score", tmp_path / "step", tmp_path / "task").out
    assert "random + constant (step)" in said
    assert "random + constant (task)" in said
    assert "random + constant (" not in cli("score", tmp_path / "step").out


def test_success_and_understanding_by_level_are_printed_as_in_figure_4() -> None:
    text = printed()
    assert "Figure 4: TSR by level" in text
    assert "Figure 4: EUS by level" in text


@pytest.mark.parametrize("entry", [*catalog.agents(), *catalog.answerers()], ids=lambda e: e.name)
def test_roles_are_those_of_the_catalogue(entry: catalog.AgentEntry) -> None:
    assert role(entry.name) is entry.role
    assert bounds().get(entry.name) == (None if entry.role is Role.AGENT else str(entry.role))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("scout", "worldgraph"), Role.AGENT),
        (("explorer", "oracle"), Role.UPPER),
        (("idle", "abstainer"), Role.LOWER),
        (("random", "worldgraph"), Role.REFERENCE),
    ],
)
def test_two_baselines_of_different_roles_are_a_reference(
    names: tuple[str, str], expected: Role
) -> None:
    assert role(*names) is expected

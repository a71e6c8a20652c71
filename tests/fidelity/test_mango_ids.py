"""The released 70-step question files, line by line: ids, labels, lengths and pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import worldquiz as wq
from mango_data import mango_data
from worldquiz.mango.maze import Edge
from worldquiz.mango.published import Home, Layout, games, read
from worldquiz.mango.stats import write_jsonl


def lines(path: Path) -> list[str]:
    """Return each line as sorted JSON, in order of it."""
    return sorted(
        json.dumps(json.loads(line), sort_keys=True) for line in path.read_text().splitlines()
    )


def test_every_line_of_the_release_and_no_other(tmp_path: Path) -> None:
    found = games(mango_data(), Layout.STEPS70)
    for home in found:
        write_jsonl(read(home), tmp_path)
        for kind in ("all2all", "all_pairs"):
            name = f"{home.game}.{kind}.jsonl"
            assert lines(tmp_path / name) == lines(home.folder / name), name
    assert len(found) == 16


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    """A run that asks every question of the release."""
    out = tmp_path_factory.mktemp("every") / "run"
    return wq.mango.load(mango_data()).run("go", out=out, per_maze=10**6, rf_easy="any")


def test_every_published_question_is_asked_with_its_labels(every: wq.Run) -> None:
    asked = {(row.world, row.type, row.item): row for row in every.rows}
    for task, name in (("df", "all2all"), ("rf", "all_pairs")):
        for path in sorted(mango_data().glob(f"*/steps70/*.{name}.jsonl")):
            for line in map(json.loads, path.read_text("utf-8").splitlines()):
                row = asked.pop((path.parts[-3], task, line["id"]), None)
                if line["min_step_total_answerable"] > 70:
                    assert row is None
                    continue
                assert row is not None, line
                assert row.step == line["min_step_total_answerable"]
                easy = line["min_step_forward_answerable"] <= 70
                assert row.level == ("easy" if easy else "hard")
                assert row.measures["source"] == line["src_node"]
    assert not asked


def test_without_a_map_nobody_knows_anything_of_the_published_mazes(every: wq.Run) -> None:
    found = {name: told["knowledge"] for name, told in every.scores["baselines"].items()}
    assert found["go"] == every.scores["knowledge"] < -0.2
    assert found["source"] < -0.2
    assert found["frequent"] < 0
    assert found["walk"] < 0.03  # 0 is expected


def named(edge: Edge) -> tuple[str, str, str]:
    return edge.source, edge.action, edge.target


UP_FROM_THE_CRYPT = ("egyptian room", "up", "temple")
UP_THE_TRAP_DOOR = ("cellar", "up", "living room")


def test_the_release_is_the_prefix_of_the_full_map_but_for_two_reverses_of_zork() -> None:
    """The 70-step Zork comes from another list of imputed moves than the full map.

    The full list imputes the reverse of every move at the step that takes it. The one behind the
    release lacks the way up that step 70 would give, and dates the way up from the cellar to the
    second visit: at the first, step 25, the text says that the trap door is barred behind you. So
    70 steps of the full map have 35 edges and the release has 34.
    """
    root = mango_data()
    whole = {home.game: read(home) for home in games(root, Layout.FULL)}
    for home in games(root, Layout.STEPS70):
        cut = {named(edge): edge for edge in whole[home.game].prefix(70).edges}
        released = {named(edge): edge for edge in read(home).edges}
        apart = {key for key in cut | released if cut.get(key) != released.get(key)}
        assert apart == ({UP_FROM_THE_CRYPT, UP_THE_TRAP_DOOR} if home.game == "zork1" else set())
        if home.game == "zork1":
            assert (len(cut), len(released)) == (35, 34)
            assert UP_FROM_THE_CRYPT not in released
            assert cut[UP_FROM_THE_CRYPT].seen.backward == 70
            assert cut[UP_THE_TRAP_DOOR].seen.backward == 25
            assert released[UP_THE_TRAP_DOOR].seen.backward == 62
            assert "barring it" in step_text(home, 25)


def step_text(home: Home, number: int) -> str:
    return read(home).walkthrough[number].observation

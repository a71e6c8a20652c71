"""The released 70-step question files, line by line: ids, labels, lengths and pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import worldquiz as wq
from command import worldquiz
from mango_data import mango_data


def lines(path: Path) -> list[str]:
    """Return each line as sorted JSON, in order of it."""
    return sorted(
        json.dumps(json.loads(line), sort_keys=True) for line in path.read_text().splitlines()
    )


def test_every_line_of_the_release_and_no_other(tmp_path: Path) -> None:
    words = ("mango", "questions", mango_data(), "--layout", "steps70", "--out", tmp_path)
    assert worldquiz(*words).code == 0
    released = sorted(mango_data().glob("*/steps70/*.all*.jsonl"))
    for path in released:
        assert lines(tmp_path / path.name) == lines(path), path.name
    assert len(released) == 2 * 16


def asked_all(answerer: str, out: Path) -> wq.Run:
    """Return a run of a baseline that asks every question of the release."""
    return wq.mango.load(mango_data()).run(
        answerer, out=out, per_maze=10**6, choice="published", rf_easy="any"
    )


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> wq.Run:
    return asked_all("go", tmp_path_factory.mktemp("every") / "run")


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


def test_without_a_map_nobody_knows_anything_of_the_published_mazes(
    every: wq.Run, tmp_path: Path
) -> None:
    names = ("frequent", "walk", "sheet")
    found = {name: asked_all(name, tmp_path / name).scores["knowledge"] for name in names}
    assert every.scores["knowledge"] < 0  # no place is called "go": no answer to df
    assert found["sheet"] > 0.3  # whoever keeps all published questions knows much of the map
    assert found["frequent"] < 0
    assert found["walk"] < 0.03  # 0 is expected


UP_FROM_THE_CRYPT = ("egyptian room", "up", "temple")
UP_THE_TRAP_DOOR = ("cellar", "up", "living room")
Moves = dict[tuple[str, str, str], dict[str, int]]


def edges(game: str, layout: str) -> Moves:
    """Return the moves that 70 steps tell of, with what they show of each."""
    path = mango_data() / game / layout / f"{game}.edges.json"
    found: Moves = {}
    for edge in json.loads(path.read_text("utf-8")):
        key = (edge.pop("src_node"), edge.pop("action"), edge.pop("dst_node"))
        if edge["edge_min_step_answerable"] <= 70:
            found[key] = {name: 9999 if step > 70 else step for name, step in edge.items()}
    return found


def test_the_release_is_the_prefix_of_the_full_map_but_for_two_reverses_of_zork() -> None:
    """The 70-step Zork comes from another list of imputed moves than the full map.

    The full list imputes the reverse of every move at the step that takes it. The one behind the
    release lacks the way up that step 70 would give, and dates the way up from the cellar to the
    second visit: at the first, step 25, the text says that the trap door is barred behind you. So
    70 steps of the full map have 35 edges and the release has 34.
    """
    for game in sorted(path.parent.name for path in mango_data().glob("*/steps70")):
        cut, released = edges(game, "full"), edges(game, "steps70")
        apart = {key for key in cut | released if cut.get(key) != released.get(key)}
        assert apart == ({UP_FROM_THE_CRYPT, UP_THE_TRAP_DOOR} if game == "zork1" else set())
    assert (len(cut), len(released)) == (35, 34)
    assert UP_FROM_THE_CRYPT not in released
    assert cut[UP_FROM_THE_CRYPT]["seen_in_reversed"] == 70
    assert cut[UP_THE_TRAP_DOOR]["seen_in_reversed"] == 25
    assert released[UP_THE_TRAP_DOOR]["seen_in_reversed"] == 62

"""Laws of mazes of one's own: the labels are those of generated mazes, and no lie gets in."""

from __future__ import annotations

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import worldquiz as wq

Row = tuple[str, str, str]
SEEDS = st.integers(0, 2**20)
few = settings(max_examples=25, deadline=None)


def files(folder: Path) -> dict[str, Any]:
    """Return a maze's files: places and moves in order of name, the walkthrough as it is."""
    found: dict[str, Any] = {}
    for name in ("edges", "locations"):
        (path,) = folder.glob(f"*/steps70/*.{name}.json")
        found[name] = sorted(json.loads(path.read_text()), key=str)
    (path,) = folder.glob("*/steps70/*.walkthrough")
    return {**found, "walkthrough": path.read_text()}


def generated(seed: int, folder: Path, **knobs: Any) -> tuple[dict[str, Any], list[Row]]:
    """Return the files and the moves of a generated maze, in no order."""
    wq.mango.build(mazes=1, seed=seed, size=2 + seed % 9, loops=0.5, out=folder, **knobs)
    told = files(folder)
    rows = [(each["src_node"], each["action"], each["dst_node"]) for each in told["edges"]]
    random.Random(seed).shuffle(rows)
    return told, rows


def walk(text: str) -> list[tuple[str, str]]:
    """Return the actions and the places of a generated walkthrough."""
    parts = [part.split("\n") for part in text.split("==>ACT: ")[1:]]
    return [(lines[0], lines[1].removeprefix("==>OBSERVATION: ").lower()) for lines in parts]


@few
@given(SEEDS, st.floats(0, 1), st.booleans())
def test_a_generated_maze_is_the_same_again_from_its_moves(
    seed: int, one_way: float, told: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted, rows = generated(seed, folder / "made", one_way=one_way)
        steps = walk(wanted["walkthrough"])
        acts = [act for act, _ in steps[1:]] if told else None
        rows.sort(key=lambda row: row[0] != steps[0][1])  # it begins where the first move does
        own = wq.mango.maze(rows, acts, name="own")
        wq.mango.build(mazes=own, out=folder / "own")
        assert files(folder / "own") == wanted


@few
@given(SEEDS, st.data())
def test_a_walkthrough_that_the_map_contradicts_is_refused_with_its_step(
    seed: int, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as name:
        told, rows = generated(seed, Path(name) / "made")
    steps = [list(step) for step in walk(told["walkthrough"])]
    steps[0][0] = ""
    assert len(wq.mango.maze(rows, steps).walkthrough) == len(steps)
    number = data.draw(st.integers(1, len(steps) - 1))
    move, true = steps[number]
    said = data.draw(st.sampled_from([*sorted({row[0] for row in rows} - {true}), "nowhere"]))
    steps[number][1] = said
    with pytest.raises(wq.WorldquizError) as refused:
        wq.mango.maze(rows, steps)
    assert str(refused.value) == (
        f"maze: step {number}, {move!r} from {steps[number - 1][1]!r}: leads to "
        f"{said!r} in the walkthrough, but to {true!r} on the map"
    )


@few
@given(SEEDS)
def test_every_form_of_a_list_of_moves_is_the_same_maze(seed: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, rows = generated(seed, folder / "made", non_compass=1.0)
        graph: Any = networkx.MultiDiGraph()
        for source, action, target in rows:
            graph.add_edge(source, target, move=action)
        keyed = [dict(zip(("from", "move", "to"), row, strict=True)) for row in rows]
        lines = ["to,from, move\n", *(f'{row[2]},{row[0]}, "{row[1]}"\n' for row in rows)]
        (folder / "own.csv").write_text("".join(lines))
        (folder / "list").mkdir()
        (folder / "list" / "own.json").write_text(json.dumps(rows))
        (folder / "own.json").write_text(json.dumps(keyed))
        networkx.write_graphml(graph, folder / "own.graphml")
        some: list[Any] = [wq.mango.maze(form, name="own") for form in (rows, keyed, graph)]
        some += [folder / "own.csv", folder / "list" / "own.json", folder / "own.json"]
        found = []
        for number, form in enumerate(some):
            wq.mango.build(mazes=form, out=folder / str(number))
            found.append(files(folder / str(number)))
        assert all(each == found[0] for each in found)
        wq.mango.build(mazes=folder / "own.graphml", out=folder / "graphml")
        assert files(folder / "graphml")["locations"] == found[0]["locations"]

"""Scores of runs: means, pairs and tables say what a count over the run's rows says."""

from __future__ import annotations

import csv
import json
from itertools import product
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Any

import pytest

import worldquiz as wq
from command import worldquiz

SLICES = list(product(("df", "rf"), ("all", "easy", "hard")))


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> wq.mango.MazeSet:
    folder = tmp_path_factory.mktemp("scores") / "mazes"
    return wq.mango.build(mazes=5, seed=4, out=folder, size=9, loops=0.4, one_way=0.2)


def lines(run: wq.Run) -> list[dict[str, Any]]:
    """Return a run's answers as lines of answers."""
    names = {"game": "world", "task": "type", "id": "item", "reply": "reply"}
    told = [{key: getattr(row, name) for key, name in names.items()} for row in run.rows]
    return [{**row.measures, **line} for row, line in zip(run.rows, told, strict=True)]


def imported(run: wq.Run, mazes: wq.mango.MazeSet, out: Path, knows: Any) -> wq.Run:
    """Return a run with those replies of another that a rule keeps; the others are nonsense."""
    out.parent.mkdir(parents=True, exist_ok=True)
    told = lines(run)
    for line in told:
        line["reply"] = line["reply"] if knows(line) else "I do not know."
    answers = out.with_suffix(".jsonl")
    answers.write_text("".join(json.dumps(line) + "\n" for line in told))
    home, name = mazes.path, out.name
    said = worldquiz("mango", "import", answers, "--maze", home, "--name", name, "--out", out)
    assert said.code == 0, said.err
    run = wq.load(out)
    assert isinstance(run, wq.Run)
    return run


@pytest.fixture(scope="module")
def runs(mazes: wq.mango.MazeSet, tmp_path_factory: pytest.TempPathFactory) -> dict[str, wq.Run]:
    folder = tmp_path_factory.mktemp("runs")
    found = {
        name: mazes.run(name, out=folder / name, per_maze=12, choice="published")
        for name in ("keeper", "walk")
    }
    found["short"] = imported(
        found["keeper"], mazes, folder / "short",
        lambda line: (len(line.get("actions", ())) or line["reply"].count("action")) < 3,
    )  # fmt: skip
    return found


def of(run: wq.Run, task: str, level: str = "all") -> list[Any]:
    return [row for row in run.rows if row.type == task and level in ("all", row.level)]


def macro(rows: list[Any]) -> float:
    worlds = sorted({row.world for row in rows})
    return fmean(
        fmean(row.measures["success"] for row in rows if row.world == each) for each in worlds
    )


@pytest.mark.parametrize("name", ["keeper", "walk", "short"])
@pytest.mark.parametrize(("task", "level"), SLICES)
def test_every_maze_weighs_the_same_in_macro_every_question_in_micro(
    runs: dict[str, wq.Run], name: str, task: str, level: str
) -> None:
    cell, rows = runs[name].scores[task][level], of(runs[name], task, level)
    assert (cell["asked"], cell["mazes"]) == (len(rows), len({row.world for row in rows}))
    assert cell["success"]["macro"] == pytest.approx(macro(rows))
    assert cell["success"]["micro"] == pytest.approx(fmean(row.measures["success"] for row in rows))
    counted = [row for row in rows if row.worth is not None]
    points, worth = (sum(getattr(row, name) for row in counted) for name in ("points", "worth"))
    assert cell["counted"] == len(counted)
    assert cell["knowledge"] == pytest.approx(points / worth)
    assert cell["success"]["interval"] is None  # of so few mazes


def test_who_is_told_the_map_knows_all_and_a_random_walk_little(runs: dict[str, wq.Run]) -> None:
    told = runs["keeper"].scores
    assert (told["knowledge"], told["rf"]["all"]["success"]["macro"]) == (1, 1)
    assert all(told[t][level]["reasoning"]["micro"] == 1 for t, level in SLICES)
    assert runs["walk"].scores["knowledge"] < 0.3


def test_ill_formed_answers_stay_in_the_denominator(runs: dict[str, wq.Run]) -> None:
    cell = runs["short"].scores["df"]["all"]
    assert 0 < cell["ill_formed"] < cell["asked"]
    assert cell["success"]["micro"] == (cell["asked"] - cell["ill_formed"]) / cell["asked"]


def table(folder: Path, name: str, **wanted: str) -> list[dict[str, str]]:
    with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


@pytest.fixture(scope="module")
def tables(runs: dict[str, wq.Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tables") / "out"
    said = worldquiz("mango", "tables", *(run.path for run in runs.values()), "--out", out)
    assert said.code == 0, said.err
    return out


def test_tables_hold_the_scores(runs: dict[str, wq.Run], tables: Path) -> None:
    assert {path.stem for path in tables.iterdir()} == {
        "table_1", "table_4", "table_9", "table_10",
    }  # fmt: skip
    for (name, run), task in product(runs.items(), ("df", "rf")):
        (unread,) = table(tables, "table_4", contestant=name, task=task)
        cell = run.scores[task]["all"]
        assert float(unread["ill_formed_a_maze"]) == pytest.approx(cell["ill_formed"] / 5)


@pytest.mark.parametrize(("task", "level"), SLICES)
def test_a_pair_is_compared_on_what_both_were_asked(
    runs: dict[str, wq.Run], tables: Path, task: str, level: str
) -> None:
    left, right = (of(runs[name], task, level) for name in ("keeper", "short"))
    both = {(row.world, row.item) for row in left} & {(r.world, r.item) for r in right}
    (row,) = table(tables, "table_1", left="keeper", right="short", task=task, level=level)
    assert int(row["asked"]) == len(both)
    sides = [macro([r for r in side if (r.world, r.item) in both]) for side in (left, right)]
    assert [float(row["left_mean"]), float(row["right_mean"])] == pytest.approx(sides, rel=1e-5)
    assert float(row["difference"]) == pytest.approx(sides[0] - sides[1], rel=1e-5)


def taken(path: Path) -> int:
    """Return how many moves of a maze the text tells of as taken."""
    edges = json.loads(path.read_text("utf-8"))
    return sum(edge["seen_in_forward_answerable"] <= 70 for edge in edges)


def test_table_10_is_the_line_through_the_mazes(
    mazes: wq.mango.MazeSet, runs: dict[str, wq.Run], tables: Path
) -> None:
    files = sorted(mazes.path.glob("*/steps70/*.edges.json"))
    x = [float(taken(path)) for path in files]
    for task in ("df", "rf"):
        (each,) = table(tables, "table_10", contestant="short", task=task, level="all",
                        score="success", predictor="explicit_edges")  # fmt: skip
        rows = of(runs["short"], task)
        games = {path.parts[-3]: [row for row in rows if row.world == path.parts[-3]]
                 for path in files}  # fmt: skip
        y = [fmean(row.measures["success"] for row in some) for some in games.values()]
        beta, slope = float(each["beta"]), float(each["slope"])
        assert beta == pytest.approx(correlation(x, y) * stdev(y), rel=1e-4)
        assert slope == pytest.approx(beta / stdev(x), rel=1e-4)
        assert float(each["p"]) <= float(each["p_holm"])
    sure = table(tables, "table_10", contestant="keeper", task="df", level="all", score="success")
    assert all(each["refused"] for each in sure)
    assert "the rate is 1.00 in all 5 mazes" in {each["refused"] for each in sure}


def test_a_maze_read_to_two_steps_is_refused(
    mazes: wq.mango.MazeSet, runs: dict[str, wq.Run], tmp_path: Path
) -> None:
    told = lines(runs["walk"])
    told[0]["steps"] = 2
    (tmp_path / "mixed.jsonl").write_text("".join(json.dumps(line) + "\n" for line in told))
    words = ("--maze", mazes.path, "--out", tmp_path / "r")
    worldquiz("mango", "import", tmp_path / "mixed.jsonl", *words)
    said = worldquiz("mango", "tables", tmp_path / "r", "--out", tmp_path / "t")
    assert said.code
    assert "one maze was read to several lengths" in said.err

"""The paper's tables of real runs: every number stands in the data, with what it counts."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from worldquiz.errors import KnobError, RecordError
from worldquiz.mango.asking.ask import Asked, questions
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.maze import Maze
from worldquiz.mango.running.folder import begin_run
from worldquiz.mango.running.replies import replied
from worldquiz.mango.running.run import read_contest
from worldquiz.mango.scoring.answers import about
from worldquiz.mango.scoring.baselines import Baseline
from worldquiz.mango.scoring.contest import pair, table
from worldquiz.mango.scoring.grade import Question, Task
from worldquiz.mango.scoring.people import RATERS, UNKNOWN, written
from worldquiz.mango.scoring.regression import regress
from worldquiz.mango.scoring.tables import Table, tables, write_tables
from worldquiz.records import write_text
from worldquiz.runs.folder import claimed
from worldquiz.runs.journal import ANSWERS

MAZES = {
    name: generate(Knobs(size=5 + seed, loops=0.1), seed, name=name)
    for seed, name in enumerate(("one", "two", "a|b", "four"))
}


def answered(folder: Path, name: str, knows: Any, *, raters: tuple[str, ...] = ("ann",)) -> Path:
    """Return a run of people who know what a rule says they know.

    Two people share the questions; four questions of each task are answered by both.
    """
    asked, out = Asked(1000, per_maze=6, seed=1), folder / name
    every = [q for maze in sorted(MAZES) for q in questions(MAZES[maze], asked, MAZES[maze].steps)]
    first = [(q, raters[place % len(raters)]) for place, q in enumerate(every)]
    again = [(q, raters[1 - raters.index(who)]) for q, who in first if len(raters) > 1]
    again = [pair for task in Task for pair in [p for p in again if p[0].task is task][:4]]
    replies = {q.id: solved(MAZES[q.game], q) if knows(q) else UNKNOWN for q in every}
    manifest = {
        "model": name, "generate": {}, "versions": {}, **asked.record(), "per_maze": None,
    }  # fmt: skip
    with claimed(out):
        begin_run(out, manifest, MAZES)
        lines = [
            replied({**about(q), "steps": 1000}, written(replies[q.id], q.task).reply)
            for q in every
        ]  # fmt: skip
        write_text(out / ANSWERS, jsonl(lines))
        rated = [
            {**about(q), "answer": replies[q.id], "rater": who, "minutes": 10, "steps": 1000}
            for q, who in [*first, *again]
        ]
        write_text(out / RATERS, jsonl(rated))
    return out


def knows_short_ways(asked: Question) -> bool:
    return len(", ".join(asked.actions)) < 12


def jsonl(lines: list[dict[str, Any]]) -> str:
    return "".join(json.dumps(line) + "\n" for line in lines)


def solved(maze: Maze, asked: Question) -> str:
    """Return right moves (no trajectory), found by search; or the place where moves end."""
    queue: list[tuple[str, tuple[str, ...]]] = [(asked.source, ())]
    for place, taken in queue:
        if asked.task is Task.DF and taken == asked.actions:
            return place
        if asked.task is Task.RF and place == asked.target and taken:
            return ", ".join(taken)
        queue += [
            (e.target, (*taken, e.action))
            for e in maze.edges
            if e.source == place and len(taken) < 9
            and (asked.task is Task.RF or e.action == asked.actions[len(taken)])
        ]  # fmt: skip
    raise AssertionError(asked)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        answered(folder, "all", lambda q: True),
        answered(
            folder,
            "short",
            lambda q: q.task is Task.RF or len(", ".join(q.actions)) < 12,
            raters=("ann", "bob"),
        ),
    ]


@pytest.fixture(scope="module")
def found(runs: list[Path]) -> dict[str, Table]:
    return {each.name: each for each in tables(runs)}


def rows(made: Table) -> list[dict[str, Any]]:
    return [dict(zip(made.header, row, strict=True)) for row in made.rows]


def one(made: Table, **wanted: object) -> dict[str, Any]:
    (row,) = [row for row in rows(made) if all(row[name] == wanted[name] for name in wanted)]
    return row


def test_all_tables_that_these_runs_fill(found: dict[str, Table]) -> None:
    assert list(found) == [
        "means", "games", "table_4", "table_1", "table_9", "table_10", "table_2", "table_13",
    ]  # fmt: skip


def test_means_are_those_of_the_scores(found: dict[str, Table], runs: list[Path]) -> None:
    contest = read_contest(runs)
    for each in contest.contestants:
        told = table(each.scored)
        for task in ("df", "rf"):
            for level in ("all", "easy", "hard"):
                for score in ("success", "reasoning", "weighted"):
                    row = one(
                        found["means"], contestant=each.name, task=task, level=level, score=score
                    )
                    cell = told[task][level]
                    assert (row["asked"], row["mean"]) == (cell["asked"], cell[score]["macro"])
                    low, high = cell[score]["interval"] or (None, None)
                    assert (row["low"], row["high"]) == (low, high)


def test_who_knows_all_earns_all_and_no_reasoning(found: dict[str, Table]) -> None:
    row = one(found["table_2"], contestant="all", task="df", level="all")
    assert (row["asked"], row["success"], row["reasoning"]) == (24, 1, 0)
    assert "| all | DF | all (24) | 1.0000 | 0.0000 |" in found["table_2"].shown


def test_pairs_are_those_of_the_metric(found: dict[str, Table], runs: list[Path]) -> None:
    left, right = (each.scored for each in read_contest(runs).contestants)
    told = pair(left, right)
    for name, score in (("table_1", "success"), ("table_9", "reasoning")):
        for task in ("df", "rf"):
            for level in ("all", "easy", "hard"):
                row = one(found[name], task=task, level=level, left="all", right="short")
                cell = told[task][level]
                assert row["asked"] == cell["asked"]
                assert row["left_mean"] == cell[score]["left"]
                assert row["right_mean"] == cell[score]["right"]


def test_pairs_are_shown_as_row_and_column(found: dict[str, Table]) -> None:
    """Lower left: easy, and the row's own mean comes first."""
    easy = one(found["table_1"], task="df", level="easy")
    hard = one(found["table_1"], task="df", level="hard")
    shown = found["table_1"].shown.splitlines()
    assert (
        f"| all | * | {hard['left_mean']:.2f} \\| {hard['right_mean']:.2f} ({hard['asked']}) |"
        in (line.replace("\\*", "*") for line in shown)
    )
    assert (
        f"| short | {easy['right_mean']:.2f} \\| {easy['left_mean']:.2f} ({easy['asked']}) | * |"
        in (line.replace("\\*", "*") for line in shown)
    )


def test_each_maze_has_a_row_and_odd_names_do_no_harm(found: dict[str, Table]) -> None:
    row = one(found["games"], contestant="short", game="a|b", task="rf", level="all")
    assert (row["asked"], row["success"]) == (6, 1)
    assert "| short | a\\|b | rf | all | 6 |" in found["games"].shown
    widths = {
        line.replace("\\|", "").count("|")
        for line in found["games"].shown.splitlines()
        if line.startswith("|")
    }
    assert len(widths) == 1


def test_table_10_has_every_line_and_every_refusal(
    found: dict[str, Table], runs: list[Path]
) -> None:
    fits = regress(read_contest(runs))["contestants"]["short"]["df"]["easy"]["success"]
    for fit in fits:
        name = fit.get("predictor", fit.get("what"))
        row = one(found["table_10"], contestant="short", task="df", level="easy",
                  score="success", predictor=name)  # fmt: skip
        if fit["kind"] == "line":
            assert (row["beta"], row["p"], row["mazes"]) == (fit["beta"], fit["p"], fit["mazes"])
        else:
            assert (row["beta"], row["refused"]) == (None, fit["why"])
    refused = one(found["table_10"], contestant="all", task="rf", level="easy",
                  score="success", predictor="locations")  # fmt: skip
    assert refused["refused"] == "the rate is 1.00 in all 4 mazes"
    assert "short, DF: β" in found["table_10"].shown
    assert "# alike locations" not in found["table_10"].shown  # ours is in the data alone


def test_people_agree(found: dict[str, Table], runs: list[Path]) -> None:
    (alone,) = [each for each in tables(runs[1:]) if each.name == "table_13"]
    row = one(alone, task="df", level="all")
    assert (row["questions"], row["success"], row["minutes"], row["timed"]) == (4, 0, 10, 28)
    both = one(found["table_13"], task="df", level="all")
    assert (both["questions"], both["timed"]) == (24, 28 + 24)
    assert both["success"] > 0


def test_what_could_not_be_read_is_counted_a_maze(found: dict[str, Table]) -> None:
    row = one(found["table_4"], contestant="short", task="df")
    lost = 24 * (1 - one(found["table_2"], contestant="short", task="df", level="all")["success"])
    assert row["ill_formed"] == round(lost)
    assert row["ill_formed_a_maze"] == row["ill_formed"] / 4
    assert (row["asked"], row["mazes"], row["asked_a_maze"]) == (24, 4, 6)


def test_files_are_csv_and_markdown_and_the_same_again(runs: list[Path], tmp_path: Path) -> None:
    files = write_tables(runs[:1], tmp_path / "a")
    assert {path.suffix for path in files} == {".csv", ".md"}
    assert "table_1" not in {path.stem for path in files}  # nobody to compare with
    again = write_tables(runs[:1], tmp_path / "b")
    assert [path.read_bytes() for path in files] == [path.read_bytes() for path in again]
    with (tmp_path / "a" / "means.csv").open(newline="", encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream))
    assert len(lines) == 2 * 3 * 4 * (1 + len(Baseline))
    assert lines[0]["mean"] == "1"
    assert {line["contestant"] for line in lines} == {"all", *Baseline}


def test_tables_of_others_go_along_but_for_the_same_name(runs: list[Path], tmp_path: Path) -> None:
    other = Table("table_14", ("game",), (("zork1",),), "### Minigames\n")
    files = write_tables(runs[:1], tmp_path, more=[other])
    assert (tmp_path / "table_14.csv").read_text("utf-8") == "game\nzork1\n"
    assert tmp_path / "table_14.md" in files
    with pytest.raises(KnobError, match="two have the same name"):
        write_tables(runs[:1], tmp_path, more=[other, other])


def test_the_command_names_its_files(cli: Cli, runs: list[Path], tmp_path: Path) -> None:
    files = cli("mango", "tables", *runs, "--out", tmp_path / "t", "--json").json["files"]
    assert len(files) == 17
    assert all(Path(path).is_file() for path in files)


def test_what_is_no_run_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="this is no MANGO run of worldquiz"):
        list(tables([tmp_path]))

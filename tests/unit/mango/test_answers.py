"""Answers from elsewhere: read by ``mango import``, matched with their questions, scored by rules.

The released evaluator's faults are shown once each, as its users would see them.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Cli
from mango_folder import df_row, rf_row, told, write_maze, write_official, write_rows

ROUTE = (("hall", "north", "kitchen"), ("kitchen", "up", "attic"))
ROWS = (df_row(0, 2), rf_row("hall", "attic", *ROUTE))
MARS = told(("NOWHERE", "dance", "MARS"))
Score = Callable[..., Any]


@pytest.fixture
def mazes(tmp_path: Path) -> Path:
    return write_maze(tmp_path / "mazes")


@pytest.fixture
def said(cli: Cli, mazes: Path, tmp_path: Path) -> Score:
    """Import answers in a file of ours, or a path, and score them by a rule."""

    def of(*rows: Any, compat: str = "") -> Any:
        path = rows[0] if isinstance(rows[0], Path) else write_rows(tmp_path / "a.jsonl", *rows)
        out = tmp_path / f"run{len(list(tmp_path.glob('run*')))}"
        easy = ("--rf-easy", "any") if compat == "release" else ()
        found = cli("mango", "import", path, "--maze", mazes, "--out", out, "--json", *easy)
        if found.code or not compat:
            return found
        return cli("mango", "score", out, "--compat", compat, "--json")

    return of


def released(tmp_path: Path, said: Score, *rows: dict[str, Any], **more: Any) -> Any:
    root = write_official(tmp_path / "them", *rows, **more)
    found = said(root, compat="release")
    assert found.code == 0, found.err
    return found.json


def test_answers_are_scored_with_counts(cli: Cli, said: Score, tmp_path: Path) -> None:
    found = said(df_row(0), df_row(1, reply="no idea"), rf_row("hall", "attic", *ROUTE)).json
    assert (found["compat"], found["rf_easy"]) == ("exact", "shortest")
    assert found["df"]["all"]["success"]["macro"] == 0.5
    assert found["df"]["all"]["ill_formed"] == 1  # in the denominator
    assert found["games"]["toy"]["rf"]["all"]["success"] == 1
    text = cli("mango", "score", tmp_path / "run0", "--compat", "paper").out
    assert text.startswith("DF success 1.00, RF success 1.00\nill-structured answers: 1 left out")


def test_by_the_paper_a_move_counts_as_the_closest_one(said: Score) -> None:
    near = rf_row("hall", "attic", ("hall", "nort", "kitchen"), ("kitchen", "upp", "attic"))
    assert said(near).json["rf"]["all"]["success"]["micro"] == 0
    found = said(near, compat="paper").json
    assert (found["compat"], found["rf"]["all"]["success"]["micro"]) == ("paper", 1)


@pytest.mark.parametrize(("name", "counted"), [("gpt-4", True), ("rwkv", False)])
def test_by_the_paper_ill_structured_answers_count_for_gpts_alone(
    cli: Cli, said: Score, mazes: Path, tmp_path: Path, name: str, counted: bool
) -> None:
    answers = write_rows(tmp_path / f"{name}.jsonl", df_row(0), df_row(1, reply="[{'?'}]"))
    out = tmp_path / "run"
    assert cli("mango", "import", answers, "--maze", mazes, "--out", out).code == 0
    found = cli("mango", "score", out, "--compat", "paper", "--json").json
    assert found["ill_structured"] == {"df": 1, "rf": 0, "counted": counted}
    cell = found["df"]["all"]
    assert (cell["asked"], cell["success"]["macro"]) == ((2, 0.5) if counted else (1, 1))
    text = cli("mango", "score", out, "--compat", "paper").out
    assert text.startswith(f"DF success {cell['success']['macro']:.2f}")
    assert ("ill-structured answers: 1 left out (the model's name" in text) is not counted


@pytest.mark.parametrize("choice", ["paired", "published"])
def test_a_run_of_other_questions_is_not_scored_as_the_papers_unsaid(
    cli: Cli, said: Score, mazes: Path, tmp_path: Path, choice: str
) -> None:
    asks = ("--answerer", "keeper", "--choice", choice, "--per-maze", "4", "--out", tmp_path / "r")
    assert cli("mango", "run", mazes, *asks).code == 0
    told = cli("mango", "score", tmp_path / "r", "--compat", "paper").err
    assert ("run --choice published" in told) == (choice == "paired")
    assert "--choice" not in said(df_row(0), compat="paper").err  # answers from elsewhere


@pytest.mark.parametrize(("compat", "asked", "means"), [("exact", 2, 0.5), ("paper", 1, 1)])
def test_tables_by_the_paper(
    cli: Cli, mazes: Path, tmp_path: Path, compat: str, asked: int, means: float
) -> None:
    for name in ("gpt-4", "rwkv"):
        near = df_row(0, reply=told(("hall", "travel north", "kitchen")))
        answers = write_rows(tmp_path / f"{name}.jsonl", near, df_row(1, reply="[{'?'}]"))
        assert cli("mango", "import", answers, "--maze", mazes, "--out", tmp_path / name).code == 0
    runs = [tmp_path / name for name in ("gpt-4", "rwkv")]
    words = ("--compat", "paper") if compat == "paper" else ()
    assert cli("mango", "tables", *runs, "--out", tmp_path / "t", *words).code == 0

    def cells(number: int) -> list[dict[str, str]]:
        text = (tmp_path / "t" / f"table_{number}.csv").read_text("utf-8")
        return list(csv.DictReader(text.splitlines()))

    assert [(each["asked"], each["ill_formed"]) for each in cells(4)] == [("2", "1")] * 2
    for number, mean in ((1, means), (9, means if compat == "paper" else 0)):
        row = cells(number)[0]
        assert (row["task"], row["level"], row["asked"]) == ("df", "all", str(asked))
        assert float(row["left_mean"]) == float(row["right_mean"]) == mean


def test_the_steps_that_were_read_decide_what_is_easy(said: Score) -> None:
    down = df_row(3)  # only ever seen from the other side, at step 3
    assert said(down).json["df"]["hard"]["asked"] == 1
    assert said(df_row(0)).json["df"]["easy"]["asked"] == 1
    early = said(down | {"steps": 2}).json
    assert early["df"]["all"]["asked"] == 0
    assert early["games"]["toy"]["df"]["unanswerable"] == 1


def test_the_releases_files_are_the_same_answers(said: Score, tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", *ROWS)
    (root / "model_desti_finding_x" / "toy" / "exp_config.json").write_text("{}")
    ours, theirs = said(*(row | {"steps": 6} for row in ROWS)).json, said(root).json
    assert theirs == ours
    assert ours["df"]["all"]["asked"] == ours["rf"]["all"]["asked"] == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("", "contains no answers"),
        ("\n\n", "contains no answers"),
        ('{"game": "toy"}\n', "a.jsonl:1: task: Field required"),
        ('{"game":', "a.jsonl:1: is not JSON"),
        ("7\n", "a.jsonl:1: record: Input should be"),
        ("[" * 100_000, "a.jsonl:1: is not JSON"),
        ('{"id": ' + "9" * 5_000 + "}", "a.jsonl:1: is not JSON"),
        (df_row(0) | {"id": "0" * 64}, "a.jsonl:1: maze 'toy' has no question from 'hall' by"),
        (df_row(0) | {"actions": ["south"]}, "has no question from 'hall' by"),
        (df_row(0) | {"actions": ["north"] * 1_000}, "has no question"),
        (rf_row("hall", "moon", *ROUTE), "has no place 'moon'; known: attic"),
        (rf_row("atic", "hall", *ROUTE), "no place 'atic'; did you mean 'attic'"),
        (df_row(0) | {"game": "toi"}, "no maze 'toi'; did you mean 'toy'"),
    ],
)
def test_an_answer_to_nothing_is_named(said: Score, row: Any, message: str, tmp_path: Path) -> None:
    text = row if isinstance(row, str) else json.dumps(row)
    (tmp_path / "a.jsonl").write_text(text, "utf-8")
    found = said(tmp_path / "a.jsonl")
    assert found.code == 2
    assert message in found.err


def test_what_holds_no_answers_is_named(cli: Cli, said: Score, mazes: Path, tmp_path: Path) -> None:
    assert said(df_row(0)).code == 0
    assert "is already a run: use `worldquiz score" in said(tmp_path / "run0").err
    (tmp_path / "answers.txt").write_text("x")
    assert "or a .jsonl file" in said(tmp_path / "answers.txt").err
    assert "nowhere: no such file" in said(tmp_path / "nowhere").err
    alone = cli("mango", "import", tmp_path / "a.jsonl", "--out", tmp_path / "run9")
    assert "Missing option '--maze'" in alone.err
    assert [path.name for path in tmp_path.glob("run*")] == ["run0"]


def test_no_answer_counts_twice(said: Score) -> None:
    found = said(ROWS[0], ROWS[1], ROWS[0])
    assert found.code == 2
    assert "a.jsonl:3: question" in found.err
    assert "is answered twice" in found.err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"src_node": None}, "source: Field required"),
        ({"action_list": None}, "an answer to task df needs 'actions'"),
        ({"model_cutoff_num": "all"}, "steps: "),
    ],
)
def test_a_damaged_file_of_the_release_is_an_error(
    said: Score, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    root = write_official(tmp_path / "them", ROWS[0])
    file = next(root.rglob("*.json"))
    whole = json.loads(file.read_text())
    file.write_text(json.dumps(whole | change))
    assert message in said(root).err
    file.write_text(json.dumps(whole | {"task": "sightseeing"}))  # the folder says it
    assert said(root).json["df"]["all"]["asked"] == 1


def test_a_file_that_contradicts_its_question_is_an_error(said: Score, tmp_path: Path) -> None:
    root = write_official(tmp_path / "them", df_row(0) | {"end": "garden"})
    assert "has no question from 'hall' by" in said(root).err


def test_the_release_never_looks_at_a_destination(cli: Cli, said: Score, tmp_path: Path) -> None:
    found = released(tmp_path, said, df_row(0, 2, reply=str(MARS)), df_row(0))["df"]["toy"]["all"]
    assert (found["loose_score"], found["strict_score"], found["reasoning_score"]) == (2, 2, 1)
    assert found["path_len"] == 3
    text = cli("mango", "score", tmp_path / "run0", "--compat", "release").out
    assert text == "DF loose 1.00, DF strict 1.00, DF reasoning 0.50\n"


@pytest.mark.parametrize(
    ("source", "target", "moves", "loose", "ties"),
    [
        ("hall", "attic", ROUTE, 1, 0),
        ("hall", "attic", (("hall", "nort", ""), ("", "upp", "")), 1, 0),  # the nearest of all
        ("hall", "attic", (("hall", "down", ""),), 0, 0),  # which may lead nowhere
        ("kitchen", "hall", (("kitchen", "xyz", ""),), None, 1),  # by the order of a hash table
    ],
)
def test_the_release_matches_any_action_of_the_maze(
    said: Score, tmp_path: Path, source: str, target: str, moves: Any, loose: float | None,
    ties: int,
) -> None:  # fmt: skip
    found = released(tmp_path, said, rf_row(source, target, *moves))
    assert found["rf_easy"] == "any"
    cell = found["rf"]["toy"]["all"]
    assert cell["ties"] == ties
    assert loose is None or cell["loose_score"] == loose


def test_unreadable_answers_leave_the_releases_denominator(said: Score, tmp_path: Path) -> None:
    rows = (ROWS[1], rf_row("kitchen", "attic") | {"reply": "no idea"})
    found = released(tmp_path, said, *rows)["rf"]["toy"]
    assert found["all"]["loose_score_average"] == 1
    assert found["all"]["parsing_error"] == found["easy"]["total_task"] == 1
    early = write_official(tmp_path / "early", ROWS[1], steps=0)
    assert said(early, compat="release").json["rf"]["toy"]["all"]["step_num_error"] == 1

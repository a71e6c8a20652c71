"""Sheets are written, filled in by people, and become runs like any other contestant's."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from worldquiz.errors import KnobError, RecordError
from worldquiz.mango.maze.generate import Knobs, generate
from worldquiz.mango.maze.mango import Layout
from worldquiz.mango.maze.maze import Edge, Maze, Sight, WalkStep
from worldquiz.mango.paths.pairs import Route
from worldquiz.mango.people.human import import_human, read_human, read_people
from worldquiz.mango.people.sheet import COLUMNS, Wanted, sheet
from worldquiz.mango.scoring.answers import read_answers
from worldquiz.mango.scoring.grade import Task
from worldquiz.mango.scoring.read_contest import read_contest
from worldquiz.mango.scoring.score import Atlas, mark

MAZES = {name: generate(Knobs(size=7), seed, name=name) for seed, name in enumerate(("one", "two"))}


def told(step: int | None) -> Sight:
    return Sight(step)


def toy(*edges: tuple[str, str, str, int | None]) -> Maze:
    """Return a maze with a walkthrough of 6 steps; each move is seen and told at a step."""
    made = tuple(Edge(s, a, t, told(step), told(step)) for s, a, t, step in edges)
    places = dict.fromkeys(place for e in made for place in (e.source, e.target))
    walk = tuple(WalkStep(n, "wait" if n else "Init", f"text {n}") for n in range(7))
    return Maze("toy", tuple(places), made, walk, 6)


TOY = toy(
    ("hall", "north", "kitchen", 1),
    ("kitchen", "south", "hall", 2),
    ("kitchen", "up", "attic", 3),
    ("kitchen", "jump", "cellar", 4),
    ("kitchen", "jump", "garden", 5),
)
HEAD = "game,task,source,actions,target,answer,rater,minutes"
WHERE = 'toy,df,hall,"north, up",,hall -> north -> kitchen -> up -> attic,ann,15'
HOW = 'toy,rf,hall,,attic,"north, up",ann,30'

Import = Callable[..., Any]


@pytest.fixture
def imported(tmp_path: Path) -> Import:
    def of(*lines: str, out: str = "run", **more: Any) -> Any:
        path = tmp_path / "answers.csv"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        return import_human(path, {"toy": TOY}, tmp_path / out, resamples=0, **more)

    return of


def test_answers_become_a_run_that_scores(imported: Import, tmp_path: Path) -> None:
    found = imported(HEAD, WHERE, HOW)
    (scores,) = found["scores"].values()
    assert (scores["df"]["all"]["success"]["micro"], scores["df"]["all"]["reasoning"]["micro"]) == (
        1,
        1,
    )
    assert (scores["rf"]["all"]["success"]["micro"], scores["rf"]["all"]["reasoning"]["micro"]) == (
        1,
        0,
    )
    assert (found["answers"], found["bare"], found["unknown"], found["blank"]) == (2, 1, 0, 0)
    assert found["minutes"] == {
        "df": {"mean": 15, "answers": 1}, "rf": {"mean": 30, "answers": 1},
    }  # fmt: skip
    run = tmp_path / "run"
    marked = mark(
        read_answers(run / "answers.jsonl"),
        Atlas(run / "mazes", Layout.STEPS70, easy=Route.SHORTEST),
    )
    assert [each.grade.success for each in marked] == [1, 1]


def test_the_run_is_a_contestant_beside_others(imported: Import, tmp_path: Path) -> None:
    imported(HEAD, WHERE, out="one")
    imported(HEAD, HOW, out="two", name="people of tomorrow")
    contest = read_contest([tmp_path / "one", tmp_path / "two"])
    assert [each.name for each in contest.contestants] == ["human", "people of tomorrow"]
    assert [each.marked[0].grade.success for each in contest.contestants] == [1, 1]
    assert contest.mazes["toy"].walkthrough == TOY.walkthrough


def test_the_same_import_again_changes_nothing(imported: Import, tmp_path: Path) -> None:
    def kept() -> dict[str, bytes]:
        return {
            str(path.relative_to(tmp_path)): path.read_bytes()
            for path in sorted((tmp_path / "run").rglob("*")) if path.is_file()
        }  # fmt: skip

    imported(HEAD, WHERE)
    first = kept()
    imported(HEAD, WHERE)
    assert kept() == first
    with pytest.raises(RecordError, match="was begun by another command"):
        imported(HEAD, WHERE, HOW)


def test_names_match_whatever_their_case_and_blanks(imported: Import) -> None:
    found = imported(HEAD, 'toy,DF,  Hall ,"NORTH ,  up",,ATTIC,,')
    assert found["scores"]["human"]["df"]["all"]["success"]["micro"] == 1


def test_blank_answers_are_counted_and_question_marks_earn_nothing(imported: Import) -> None:
    found = imported(HEAD, WHERE, "toy,rf,hall,,attic,?,ann,", "toy,rf,hall,,kitchen, ,ann,")
    assert (found["answers"], found["unknown"], found["blank"]) == (2, 1, 1)
    cell = found["scores"]["human"]["rf"]["all"]
    assert (cell["asked"], cell["ill_formed"], cell["success"]["micro"]) == (1, 1, 0)


def test_of_two_answers_the_first_counts_and_both_are_compared(
    imported: Import, tmp_path: Path
) -> None:
    other = WHERE.replace("attic,ann", "attics,bob")
    found = imported(HEAD, other, WHERE)
    assert found["raters"] == ["ann", "bob"]
    assert found["scores"]["human"]["df"]["all"]["asked"] == 1
    assert found["scores"]["human"]["df"]["all"]["success"]["micro"] == pytest.approx(5 / 6)
    cell = found["agreement"]["df"]["all"]
    assert (cell["questions"], cell["reasoning"]) == (1, 1)
    assert cell["success"] == pytest.approx(1 / 36)
    again = read_people([tmp_path / "run"])
    assert again == {name: found[name] for name in ("agreement", "minutes")}


def test_each_rater_may_have_a_run(imported: Import, tmp_path: Path) -> None:
    found = imported(HEAD, WHERE, WHERE.replace("ann", "bob").replace("15", "5"), by_rater=True)
    assert set(found["runs"]) == {"human (ann)", "human (bob)"}
    contest = read_contest([tmp_path / "run" / "ann", tmp_path / "run" / "bob"])
    assert [each.name for each in contest.contestants] == ["human (ann)", "human (bob)"]
    assert found["agreement"]["df"]["all"] == {"questions": 1, "success": 0, "reasoning": 0}
    both = read_people([tmp_path / "run" / "ann", tmp_path / "run" / "bob"])
    assert both == {name: found[name] for name in ("agreement", "minutes")}
    assert found["minutes"]["df"]["mean"] == 10


@pytest.mark.parametrize("rater", ["", "../ann", "a/b", ".hidden"])
def test_a_rater_whose_name_is_no_folder_has_no_run(imported: Import, rater: str) -> None:
    with pytest.raises(RecordError, match=r"answers\.csv:2: rater .*: a run for each rater needs"):
        imported(HEAD, WHERE.replace("ann", rater), by_rater=True)


def test_a_run_that_is_no_persons_has_no_people(tmp_path: Path) -> None:
    assert read_people([tmp_path]) is None


def test_steps_of_a_line_come_before_those_of_the_command(imported: Import) -> None:
    head = f"{HEAD},steps"
    assert imported(head, f"{WHERE},3", steps=1)["answers"] == 1
    with pytest.raises(RecordError, match=r"csv:2: 2 steps of 'toy' show no route from 'hall' by"):
        imported(head, f"{WHERE},", steps=2)


def test_an_id_tells_questions_of_equal_words_apart(tmp_path: Path) -> None:
    """Jumping leads to two places, so there are two questions of the same words."""
    ids = set()
    for choice in (0, 1):
        path = tmp_path / f"{choice}.jsonl"
        line: dict[str, Any] = {"game": "toy", "task": "df", "source": "hall",
                                "actions": ["north", "jump"], "answer": "garden"}  # fmt: skip
        path.write_text(json.dumps(line), "utf-8")
        (given,), _ = read_human(path, {"toy": TOY})
        ids.add(given.question.id)
        assert given.question.target == "cellar"  # the first one by name, where no id is given
    path.write_text(json.dumps(line | {"id": min(ids)}), "utf-8")
    assert read_human(path, {"toy": TOY})[0][0].question.id == min(ids)
    path.write_text(json.dumps(line | {"id": "f00"}), "utf-8")
    with pytest.raises(RecordError, match=r"1\.jsonl:1: the question from 'hall' .* not id 'f00'"):
        read_human(path, {"toy": TOY})


def test_jsonl_has_the_same_fields(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    moves = [{"prev_node": "hall", "action": "north", "node": "kitchen"}]
    path.write_text(
        "\n" + json.dumps({"game": "toy", "task": "rf", "source": "hall", "target": "kitchen",
                           "answer": moves, "minutes": 2.5, "rater": None}) + "\n\n", "utf-8",
    )  # fmt: skip
    (given,), blank = read_human(path, {"toy": TOY})
    assert (given.minutes, given.rater, given.bare, blank) == (2.5, "", False, 0)
    assert json.loads(given.reply or "") == moves
    assert given.where == f"{path}:2"


BAD: list[tuple[str, str]] = [
    ("toyy,df,hall,north,,attic,,", r"csv:2: no maze 'toyy'; did you mean 'toy'\?"),
    ("toy,dff,hall,north,,attic,,", r"csv:2: task 'dff': give df or rf"),
    ("toy,df,hal,north,,attic,,", r"csv:2: .* show no place 'hal'; did you mean 'hall'\?"),
    ("toy,df,hall,,,attic,,", r"csv:2: actions: a question of task df needs them"),
    ("toy,rf,hall,,,north,,", r"csv:2: target: a question of task rf needs one"),
    ("toy,rf,hall,,atic,north,,", r"csv:2: .* show no place 'atic'; did you mean 'attic'\?"),
    ("toy,rf,attic,,hall,north,,", r"csv:2: .* show no route from 'attic' to 'hall'"),
    ("toy,df,hall,dance,,attic,,", r"csv:2: .* no route from 'hall' by \['dance'\]"),
    ('toy,df,hall,"north, south",,hall,,', r"csv:2: .* no route from 'hall' by"),  # no simple path
    ("toy,df,hall,[1],,attic,,", r"csv:2: actions '\[1\]': give them with commas"),
    ("toy,df,hall,north,,hall -> up,,", r"csv:2: a trajectory goes 'place -> move -> place'"),
    ("toy,df,hall,north,,attic,,soon", r"csv:2: minutes 'soon': give a number"),
    ("toy,df,hall,north,,attic,,-3", r"csv:2: minutes '-3': give a number from 0"),
    ("toy,df,hall,north,,attic,,nan", r"csv:2: minutes 'nan': give a number from 0"),
    ("toy,df,hall,north,,attic", r"csv:2: 6 columns, and the first line has 8"),
    ('toy,df,hall,north,,"attic,,', r"csv:2: is no CSV"),
]


@pytest.mark.parametrize(("line", "why"), BAD)
def test_a_bad_line_is_named(imported: Import, tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        imported(HEAD, line)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", r"a\.csv:1: lacks the columns game, task, source, answer"),
        ("game;task;source;answer\n", r"a\.csv:1: no column 'game;task;source;answer' is known"),
        ("game,task,source,answer,minuts\n", r"no column 'minuts' is known; did you mean 'min"),
        ("game,task,source,answer,game\n", r"a\.csv:1: a column is there twice"),
        ("game,task,source,answer\n", r"a\.csv: holds no answer; 0 lines are blank"),
        ("game,task,source,answer\ntoy,df,hall,\n", r"a\.csv: holds no answer; 1 lines are blank"),
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, text: str, why: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=why):
        read_human(path, {"toy": TOY})


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.csv", b"game\xff", r"a\.csv: is no text in UTF-8 \(byte 4\): save it as CSV in UTF-8"),
        ("a.xlsx", b"PK", r"a\.xlsx: answers of people are a \.csv or a \.jsonl file"),
        ("a.jsonl", b"\n{", r"a\.jsonl:2: is no JSON"),
        ("a.jsonl", b"[1]", r"a\.jsonl:1: '\[1\]' is no object"),
        ("a.jsonl", b'{"game": "toy"}', r"a\.jsonl:1: lacks the columns task, source, answer"),
    ],
)
def test_other_files_are_named(tmp_path: Path, name: str, data: bytes, why: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RecordError, match=why):
        read_human(tmp_path / name, {"toy": TOY})


def test_what_a_spreadsheet_adds_does_no_harm(tmp_path: Path) -> None:
    """A byte order mark, Windows line ends, empty lines, and an answer of two lines."""
    path = tmp_path / "a.csv"
    path.write_bytes(
        b'\xef\xbb\xbfgame,task,source,target,answer\r\n,,,,\r\ntoy,rf,hall,attic,"north\nup"\r\n'
        b"toy,rf,hall,kitchen,north\r\n"
    )
    given, _ = read_human(path, {"toy": TOY})
    assert [each.where for each in given] == [f"{path}:3", f"{path}:5"]


def test_nobody_answers_a_question_twice(imported: Import) -> None:
    with pytest.raises(RecordError, match=r"csv:3: rater 'ann' has answered .* already in .*csv:2"):
        imported(HEAD, WHERE, WHERE)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_a_sheet_is_what_is_read_when_filled_in(tmp_path: Path) -> None:
    """Every question of a sheet is found again, and a right answer to it earns all."""
    path = tmp_path / "sheet.csv"
    told = sheet(MAZES, path, Wanted(per_maze=5, seed=3, steps=1000))
    lines = rows(path)
    assert len(lines) == told["rows"] == told["questions"] == 20
    for line in lines:
        line["answer"] = _solved(MAZES[line["game"]], line)
    with path.open("w", newline="", encoding="utf-8") as stream:
        table = csv.DictWriter(stream, COLUMNS)
        table.writeheader()
        table.writerows(lines)
    given, _ = read_human(path, MAZES)
    assert [each.question.id for each in given] == [line["id"] for line in lines]
    found = import_human(path, MAZES, tmp_path / "run", resamples=0)
    for task in ("df", "rf"):
        cell = found["scores"]["human"][task]["all"]
        assert (cell["asked"], cell["success"]["micro"], cell["reasoning"]["micro"]) == (10, 1, 1)


def _solved(maze: Maze, line: dict[str, str]) -> str:
    """Find a trajectory by search, for its actions or to its target."""
    actions = line["actions"].split(", ") if line["actions"] else None
    queue: list[tuple[str, ...]] = [(line["source"],)]
    for walk in queue:
        taken = len(walk) // 2
        if taken == len(actions) if actions else walk[-1] == line["target"]:
            return " -> ".join(walk)
        queue += [
            (*walk, edge.action, edge.target)
            for edge in maze.edges
            if edge.source == walk[-1]
            and (edge.action == actions[taken] if actions else edge.target not in walk)
        ]
    raise AssertionError(line)


def test_a_sheet_comes_with_what_is_to_be_read(tmp_path: Path) -> None:
    told = sheet({"toy": TOY}, tmp_path / "s.csv", Wanted(steps=3))
    text = (tmp_path / "s-walkthroughs" / "toy.txt").read_text("utf-8")
    assert told["walkthroughs"] == str(tmp_path / "s-walkthroughs")
    assert "The list of places are: attic, hall, kitchen." in text
    assert "text 3" in text
    assert "text 4" not in text
    assert "garden" not in text


def test_equal_seeds_give_equal_sheets(tmp_path: Path) -> None:
    def made(seed: int, name: str) -> str:
        sheet(MAZES, tmp_path / name, Wanted(3, seed, 1000, ("ann", "bob", "cem"), 2))
        return (tmp_path / name).read_text("utf-8")

    assert made(1, "a.csv") == made(1, "b.csv")
    assert made(1, "a.csv") != made(2, "c.csv")


def test_raters_share_the_questions_and_some_get_a_second_one(tmp_path: Path) -> None:
    path = tmp_path / "s.csv"
    sheet(MAZES, path, Wanted(4, 1, 1000, ("ann", "bob"), 3))
    lines = rows(path)
    first, again = lines[:16], lines[16:]
    assert sorted(line["rater"] for line in first) == ["ann"] * 8 + ["bob"] * 8
    assert [line["task"] for line in again] == ["df"] * 3 + ["rf"] * 3
    who = {line["id"]: line["rater"] for line in first}
    assert len(who) == 16
    assert all(who[line["id"]] != line["rater"] for line in again)


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"twice": 1}, "--twice 1: needs two raters; name them with --rater"),
        ({"twice": 1, "raters": ("ann", "ann")}, "needs two raters"),
        ({"twice": -1, "raters": ("ann", "bob")}, "--twice -1: give a number from 0"),
    ],
)
def test_impossible_sheets(wanted: dict[str, Any], why: str) -> None:
    with pytest.raises(KnobError, match=why):
        Wanted(**wanted)


def test_a_map_without_text_has_no_sheet(tmp_path: Path) -> None:
    bare = Maze("toy", TOY.places, TOY.edges, (), 6)
    with pytest.raises(KnobError, match="maze 'toy' has no walkthrough text here"):
        sheet({"toy": bare}, tmp_path / "s.csv", Wanted())
    assert not list(tmp_path.iterdir())


def test_tasks_are_both_on_a_sheet(tmp_path: Path) -> None:
    sheet(MAZES, tmp_path / "s.csv", Wanted(steps=1000))
    assert {line["task"] for line in rows(tmp_path / "s.csv")} == {str(task) for task in Task}

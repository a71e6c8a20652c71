"""VLMEvalKit's tables: what its custom data sets ask of a table holds of ours."""

from __future__ import annotations

import ast
import base64
import csv
import sys
from pathlib import Path

import pytest

from exports import every, png, shown, task
from worldquiz.errors import RecordError
from worldquiz.tea.export import vlmevalkit
from worldquiz.tea.export.source import ExportedTask, truth
from worldquiz.tea.export.vlmevalkit import CHOICE, OPEN, AnswerOptions, Places, group
from worldquiz.tea.taskgraph import Word

ANSWERED = [each for each in every() if each.type != "navigation"]
YES = AnswerOptions(("no", "yes"), 1)
RED, GREEN = png((200, 0, 0)), png((0, 200, 0))


def rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def written(
    folder: Path, parts: list[list[ExportedTask]], options: dict[str, AnswerOptions]
) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    first, second = 1, 1
    for number, part in enumerate(parts):
        vlmevalkit.write_rows(folder, number, part, Places(first, second, options))
        first += len(part)
        second += sum(each.task.id in options for each in part)
    one, two = vlmevalkit.gather(folder, len(parts), "abcdef0123")
    assert sorted(path.name for path in folder.iterdir()) == sorted((one, two))
    return rows(folder / one), rows(folder / two)


def test_the_open_table_has_what_is_asked(tmp_path: Path) -> None:
    found, none = written(tmp_path, [[shown(each) for each in ANSWERED]], {})
    assert none == []
    assert tuple(found[0]) == OPEN
    for row, each in zip(found, ANSWERED, strict=True):
        assert row["question"] == f"{each.command} Reply with JSON."
        assert row["answer"] == truth(each)
        assert (row["id"], row["type"], row["split"]) == (each.id, each.type, "test")


def test_a_choice_has_its_options_and_the_letter_of_the_right_one(tmp_path: Path) -> None:
    yes = task("in-view", Word("yes"))
    _, found = written(tmp_path, [[shown(yes)]], {yes.id: YES})
    assert tuple(found[0]) == CHOICE
    assert [found[0][letter] for letter in "ABC"] == ["no", "yes", ""]
    assert found[0]["answer"] == "B"
    assert found[0]["question"] == "What is it? Picture 1 is small."
    assert (found[0]["category"], found[0]["l2-category"]) == ("in-view", "perspective")


def test_groups_and_families_never_share_a_name() -> None:
    # VLMEvalKit's score table has one column a name, so the one would hide the other.
    tasks = every()
    families = {each.type for each in tasks}
    assert not families & {group(each) for each in tasks}


def test_indices_go_on_over_parts_and_a_picture_is_referred_to_within_one(tmp_path: Path) -> None:
    one, two, three, four = (task("depth", ANSWERED[1].truth, number=n) for n in range(4))
    parts = [[shown(one, RED), shown(two, RED)], [shown(three, RED), shown(four, GREEN)]]
    found, _ = written(tmp_path, parts, {})
    assert [row["index"] for row in found] == ["1", "2", "3", "4"]
    assert found[1]["image"] == "1"
    assert base64.b64decode(found[0]["image"]) == base64.b64decode(found[2]["image"]) == RED
    assert base64.b64decode(found[3]["image"]) == GREEN
    assert len(found[0]["image"]) > 64  # shorter ones are taken for an index


def test_several_pictures_are_a_list_as_python_writes_it(tmp_path: Path) -> None:
    found, _ = written(tmp_path, [[shown(ANSWERED[0], RED, GREEN)]], {})
    told = ast.literal_eval(found[0]["image"])
    assert [base64.b64decode(each) for each in told] == [RED, GREEN]


def test_an_option_that_pandas_reads_as_nothing_is_refused(tmp_path: Path) -> None:
    odd = task("classification", Word("N/A"))
    with pytest.raises(RecordError, match=r"cannot hold the option 'N/A'"):
        written(tmp_path, [[shown(odd)]], {odd.id: AnswerOptions(("N/A", "mug"), 0)})


def test_more_options_than_letters_are_refused(tmp_path: Path) -> None:
    odd = task("relation", Word("on"))
    many = AnswerOptions(tuple(f"option {n}" for n in range(9)), 0)
    with pytest.raises(RecordError, match=r"has 9 options; a table has room for 8"):
        written(tmp_path, [[shown(odd)]], {odd.id: many})

"""Question files that lie beside a maze: what contradicts it is refused, by file and line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mango_data import edge, maze_of
from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, read
from worldquiz.mango.maze.walkthrough import WalkStep
from worldquiz.mango.maze.write import write
from worldquiz.mango.mazes.maps import stats
from worldquiz.mango.paths.official import check_questions, write_jsonl

ODD = 'e] "f" \\g'
MAZE = replace(
    maze_of(edge("hall", "up", ODD, 1, 2), edge(ODD, "down", "hall", 2, 1),
            edge("hall", "dig", "well", 3), name="toy", steps=4),
    walkthrough=tuple(WalkStep(n, "go", "Hall") for n in range(5)),
)  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = write(MAZE, tmp_path)
    write_jsonl(MAZE, found.folder)
    return found


def test_what_follows_from_the_edges_is_accepted(home: Home, tmp_path: Path) -> None:
    check_questions(home, read(home))
    assert stats(tmp_path)["toy"]["locs"] == 3


def test_a_maze_that_nobody_published_has_no_question_files(tmp_path: Path) -> None:
    check_questions(write(MAZE, tmp_path), MAZE)


@pytest.mark.parametrize("name", ["all2all", "all_pairs"])
def test_one_without_the_other(home: Home, name: str) -> None:
    (home.folder / f"toy.{name}.jsonl").unlink()
    with pytest.raises(RecordError, match=rf"toy\.{name}\.jsonl: is missing, and its companion"):
        check_questions(home, read(home))


def path(line: dict[str, Any]) -> Any:
    return line["path_details"][0]


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("all2all", lambda x: x.update(min_step_total=7),
         r"all2all\.jsonl:2: min_step_total is 7, by the edges it is \d"),
        ("all2all", lambda x: x.update(min_step_forward_answerable=9999), "by the edges it is"),
        ("all2all", lambda x: x.update(id="0"), "2: id is '0', by the edges it is '"),
        ("all2all", lambda x: x.update(dst_node="barn"), "dst_node is 'barn', by the edges"),
        ("all2all", lambda x: x.update(diff_shortest=3), "diff_shortest is 3"),
        ("all2all", lambda x: path(x).update(node="barn"), r"--> 'barn' is no edge"),
        ("all2all", lambda x: path(x).update(seen_in_forward=7),
         r"2: seen_in_forward of .* is 7, in the edges it is \d"),
        ("all2all", lambda x: path(x).pop("node"), "2: lacks or misuses 'node'"),
        ("all2all", lambda x: x.update(path_details=[]), "path_details is no path"),
        ("all2all", lambda x: x.update(path_details=[3]), "lacks or misuses"),
        ("all_pairs", lambda x: x.update(num_paths=5), r"2: num_paths is 5, by the edges it is \d"),
        ("all_pairs", lambda x: x.update(src_node="barn"), "src_node 'barn' is not among the pl"),
        ("all_pairs", lambda x: x.pop("dst_node"), "2: lacks or misuses 'dst_node'"),
        ("all_pairs", lambda x: x.update(min_step_total=False), "min_step_total is False"),
    ],
)  # fmt: skip
def test_a_line_that_contradicts_the_edges(
    home: Home, name: str, change: Callable[[dict[str, Any]], object], complaint: str
) -> None:
    file = home.folder / f"toy.{name}.jsonl"
    lines = file.read_text().splitlines()
    line = json.loads(lines[1])
    change(line)
    file.write_text("\n".join([lines[0], json.dumps(line), *lines[2:]]))
    with pytest.raises(RecordError, match=complaint):
        check_questions(home, read(home))


@pytest.mark.parametrize("name", ["all2all", "all_pairs"])
def test_a_file_that_is_cut_off(home: Home, name: str) -> None:
    file = home.folder / f"toy.{name}.jsonl"
    text = file.read_text()
    file.write_text(text[:-20])
    last = len(text.splitlines())
    with pytest.raises(RecordError, match=rf"{name}\.jsonl:{last}: is no JSON .*cut short"):
        check_questions(home, read(home))
    file.write_text("".join(text.splitlines(keepends=True)[:-1]))
    with pytest.raises(RecordError, match=rf"holds {last - 1} questions, the edges have {last}"):
        check_questions(home, read(home))
    file.write_text(text + text.splitlines()[0])
    with pytest.raises(RecordError, match=rf":{last + 1}: stands there already in line 1"):
        check_questions(home, read(home))
    file.write_text("[3]\n" + text)
    with pytest.raises(RecordError, match=r":1: is no object"):
        check_questions(home, read(home))


def test_the_commands_check_them(home: Home, tmp_path: Path) -> None:
    (home.folder / "toy.all_pairs.jsonl").write_text("")
    with pytest.raises(RecordError, match="holds 0 questions, the edges have 6"):
        stats(tmp_path)

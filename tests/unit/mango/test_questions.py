"""What is asked: how much of each maze is read, by steps and by tokens, letter by letter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from mango_data import word_tokenizer
from mango_folder import Move, write_maze

HOUSE: tuple[Move, ...] = (
    ("hall", "north", "kitchen", 1, None), ("kitchen", "down", "Bob's cellar", 2, None),
)  # fmt: skip


class Collecting:
    """Keeps the prompts that it is given."""

    prompts: list[str]

    def answer(self, prompt: str) -> str:
        Collecting.prompts.append(prompt)
        return "[]"


def prompts(mazes: wq.mango.MazeSet, out: Path, **asked: Any) -> tuple[list[str], dict[str, int]]:
    """Return the prompts of a run in order, and how many steps of each maze it read."""
    Collecting.prompts = []
    run = mazes.run(Collecting, out=out, choice="published", **asked)
    return Collecting.prompts, dict(run.manifest["read"])


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> wq.mango.MazeSet:
    out = tmp_path_factory.mktemp("questions") / "mazes"
    return wq.mango.build(mazes=2, seed=9, size=25, loops=0.4, non_compass=0.3, out=out)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"hf:{word_tokenizer(tmp_path_factory.mktemp('t') / 'tokenizer.json')}"


def test_a_prompt_is_the_papers(tmp_path: Path) -> None:
    write_maze(
        tmp_path / "mazes", HOUSE, acts=("north", "down"), texts=("Hall", "Kitchen", "Cellar")
    )
    house = wq.mango.load(tmp_path / "mazes")
    told, _ = prompts(house, tmp_path / "one", steps=1, tasks="df")
    assert told == [
        "===========\n==>STEP NUM: 0\n==>ACT: Init\n==>OBSERVATION: Hall\n\n"
        "===========\n==>STEP NUM: 1\n==>ACT: north\n==>OBSERVATION: Kitchen\n\n\n"
        "The allowed actions are: north\n"
        "The list of places are: hall, kitchen\n"
        "Starting from hall, perform a list of actions [north], where are you now?\n"
        "Describe the trajectory in a Python list of Python dictionaries with keys 'prev_node', "
        "'node' and 'action'.\n"
        "Start your response with '['."
    ]
    told, _ = prompts(house, tmp_path / "two", tasks="rf")
    lists = "actions are: down, north\nThe list of places are: Bob's cellar, hall, kitchen\n"
    (text,) = (each for each in told if "from hall to Bob's cellar" in each)
    assert lists in text
    assert "\nHow can you go from hall to Bob's cellar?\n" in text
    told, _ = prompts(house, tmp_path / "three", walkthrough="simplified")
    assert "==>ACT: down\n==>OBSERVATION: Bob's cellar\n" in told[0]


def test_a_limit_in_tokens_reads_as_much_as_fits_and_no_more(
    mazes: wq.mango.MazeSet, tmp_path: Path
) -> None:
    told, read = prompts(mazes, tmp_path / "run", per_maze=2, tokens=900, tokenizer="chars/1")
    for number, (name, steps) in enumerate(read.items()):
        (text,) = {each.partition("\n\nThe allowed")[0] for each in told[number * 4 :][:4]}
        walk = (mazes.path / name / "steps70" / f"{name}.walkthrough").read_text("utf-8")
        more = walk.split("===========\n")[1 : steps + 3]
        size = sum(len("===========\n") + len(each) for each in more)
        assert len(text) <= 900 < size
        assert text.count("==>STEP NUM") == steps + 1


def test_the_tighter_limit_binds(mazes: wq.mango.MazeSet, words: str, tmp_path: Path) -> None:
    limits: dict[str, Any] = {"tokens": 300, "tokenizer": words, "per_maze": 1}
    assert min(prompts(mazes, tmp_path / "one", **limits)[1].values()) > 3
    assert set(prompts(mazes, tmp_path / "few", steps=3, **limits)[1].values()) == {3}


@pytest.mark.parametrize(
    ("asked", "complaint"),
    [
        ({"steps": 0}, r"can be answered from the steps read \(maze-00 0, maze-01 0\): read more"),
        ({"tokens": 5}, "'maze-00': step 0 alone has .* tokens, more than --tokens 5"),
        ({"tokens": 9, "tokenizer": "nope"}, "tokenizer 'nope': no such tokenizer"),
        ({"tasks": "df,fr"}, "no task 'fr'"),
    ],
)
def test_what_cannot_be_asked_is_named(
    mazes: wq.mango.MazeSet, asked: dict[str, Any], complaint: str, tmp_path: Path
) -> None:
    with pytest.raises(wq.WorldquizError, match=complaint):
        mazes.run("go", out=tmp_path / "run", **asked)
    assert not (tmp_path / "run").exists()

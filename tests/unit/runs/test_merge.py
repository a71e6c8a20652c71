"""Shards of a run: dealt out, and joined again to the run that one command makes."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import worldquiz as wq
from command import tree, worldquiz


class Fickle:
    """Answers nothing, and fails at some questions."""

    name = "fickle"

    def __init__(self, fails: Callable[[str], bool] = lambda prompt: False) -> None:
        self.fails = fails

    def answer(self, prompt: str) -> str:
        if self.fails(prompt):
            raise ValueError("no answer")
        return "\u2028?"


@pytest.fixture(scope="module")
def mazes(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return wq.mango.build(mazes=5, size=5, seed=3, out=tmp_path_factory.mktemp("data") / "mazes")


def run(mazes: Any, out: Path, shard: str | None = None, **more: Any) -> Path:
    more = {"per_maze": 2, "answerer": Fickle(), **more}
    mazes.run(out=out, shard=shard, **more)
    return out


def shards(mazes: Any, of: int, home: Path, **more: Any) -> list[Path]:
    return [run(mazes, home / f"part-{n}", f"{n}/{of}", **more) for n in range(1, of + 1)]


@pytest.mark.parametrize("of", [1, 2, 4])
def test_shards_in_any_order_join_to_the_bytes_of_the_whole(
    mazes: Any, of: int, tmp_path: Path
) -> None:
    """What failed in a shard has failed in the whole."""
    fickle: dict[str, Any] = {"answerer": Fickle(lambda prompt: len(prompt) % 3 == 0)}
    whole = run(mazes, tmp_path / "whole", **fickle)
    assert 0 < wq.Run(whole).scores["failed"]["units"] < 20
    parts = shards(mazes, of, tmp_path, **fickle)
    lines = [(part / "rows.jsonl").read_bytes().splitlines() for part in parts]
    worlds = [{json.loads(line)["world"] for line in some} for some in lines]
    assert sum(map(len, worlds)) == 5
    assert max(map(len, worlds)) - min(map(len, worlds)) <= 1
    for _ in range(2):  # again: nothing changes
        random.Random(of).shuffle(parts)
        wq.merge(parts, tmp_path / "merged")
        assert tree(tmp_path / "merged") == tree(whole)


def test_a_shard_tries_again_what_failed(mazes: Any, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    gate.touch()
    shut: dict[str, Any] = {"answerer": Fickle(lambda prompt: gate.exists() and "2" in prompt)}
    part = run(mazes, tmp_path / "part", "1/2", **shut)
    failed = (part / "rows.jsonl").read_text().count('"failed"')
    gate.unlink()
    run(mazes, part, "1/2", **shut)
    assert 0 < failed == (part / "rows.jsonl").read_text().count('"failed"')
    run(mazes, part, "1/2", retry_failed=True, **shut)
    assert '"failed"' not in (part / "rows.jsonl").read_text()


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "1/0", "2/5/7", "-1/2", " 1/2", "１/2"])
def test_what_is_no_shard_is_told(mazes: Any, text: str, tmp_path: Path) -> None:
    with pytest.raises(wq.WorldquizError, match=r"expected I/N"):
        run(mazes, tmp_path / "run", text)
    with pytest.raises(wq.WorldquizError, match="cannot divide 5 worlds into 6 shards"):
        run(mazes, tmp_path / "run", "1/6")
    assert not (tmp_path / "run").exists()


def test_a_folder_goes_on_only_as_what_it_was_begun(mazes: Any, tmp_path: Path) -> None:
    run(mazes, tmp_path / "whole")
    run(mazes, tmp_path / "part", "1/2")
    for folder, shard in (("whole", "1/2"), ("part", "2/2"), ("part", "1/3"), ("part", None)):
        with pytest.raises(wq.WorldquizError, match="shard"):
            run(mazes, tmp_path / folder, shard)


def test_a_lone_shard_has_no_scores(mazes: Any, tmp_path: Path) -> None:
    alone = wq.Run(run(mazes, tmp_path / "part", "1/2"))
    for ask in (lambda: alone.scores, lambda: alone.rows, alone.score):
        with pytest.raises(wq.WorldquizError, match="is one shard of several: join all of them"):
            ask()
    assert not (alone.path / "scores.json").exists()


def test_shards_that_make_no_whole_are_told_by_name(mazes: Any, tmp_path: Path) -> None:
    def refused(why: str, *parts: Path) -> None:
        with pytest.raises(wq.WorldquizError, match=why):
            wq.merge(parts, tmp_path / "out")

    one, two, three = shards(mazes, 3, tmp_path)
    refused("shard 2/3 is missing: questions maze-01/df/", one, three)
    copy = Path(shutil.copytree(two, tmp_path / "copy"))
    refused(r"shard 2/3 is given twice: .*part-2 and .*copy", one, two, copy, three)
    other = run(mazes, tmp_path / "b" / "part-2", "2/3", answerer="frequent")
    refused(r"not shards of the same command: .* differs in answerer", one, other, three)
    refused("not divided in the same", one, run(mazes, tmp_path / "c", "2/3", per_maze=8), three)
    assert not (tmp_path / "out").exists()
    begun = tmp_path / "suites"
    for shard in ("1/2", "2/2"):
        build = (
            "t2q",
            "build",
            "--preset",
            "easy",
            "--worlds",
            2,
            "--seed",
            1,
            "--shard",
            shard,
            "--out",
        )
        assert worldquiz(*build, begun / shard[0]).code == 0
    shutil.rmtree(next((begun / "2" / "worlds").iterdir()))
    with pytest.raises(wq.WorldquizError, match=r"suites/2: shard 2/2 is not finished"):
        wq.merge([begun / "1", begun / "2"], tmp_path / "out")
    rows = (two / "rows.jsonl").read_bytes().splitlines(keepends=True)
    (two / "rows.jsonl").write_bytes(b"".join(rows[1:]))
    refused(r"part-2/rows.jsonl: has no row about 'maze-01/df/", one, two, three)
    (two / "rows.jsonl").unlink()
    refused(r"part-2: shard 2/3 is not finished", one, two, three)

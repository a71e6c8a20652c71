"""Shards of a life that is as small as can be: dealt out, and joined again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from worldquiz.errors import KnobError, RecordError, WorldError
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.runs import benchmark
from worldquiz.runs.benchmark import Benchmark, RunKind
from worldquiz.runs.executor import Done, silent
from worldquiz.runs.journal import Lines, by_id
from worldquiz.runs.life import live
from worldquiz.runs.run import Run
from worldquiz.runs.shard import Part, merge


class Sums:
    """Questions about worlds; each reply is the question's own name."""

    noun = "questions"

    def __init__(self, units: Sequence[str], seed: int = 0, failing: Collection[str] = ()) -> None:
        self.units, self.failing = units, failing
        self.manifest = {"kind": "toy-lines", "seed": seed, "units": list(units)}

    def require(self) -> None:
        """Need nothing."""

    def begin(self, out: Path) -> None:
        (out / "asked.txt").write_text("\n".join(self.units))

    def kept(self, out: Path, done: Done) -> Lines[str]:
        return Lines(out, by_id, done)

    def produce(self, left: Sequence[str], kept: Lines[str], out: Path) -> None:
        for unit in reversed(left):
            if unit in self.failing:
                kept.lose({"id": unit}, WorldError(f"no {unit}"))
            else:
                kept.keep({"id": unit, "reply": f"{unit}\u2028!"})

    def score(self, out: Path, kept: Lines[str]) -> dict[str, Any]:
        return scored(out)


def scored(run: Path) -> dict[str, Any]:
    return {"replies": [line["reply"] for line in Lines(run, by_id, silent).lines.values()]}


def rows(run: Path) -> list[Row]:
    return [
        Row(
            run=run.name, benchmark="toy", answerer="me", world="w", item=id, type="t",
            format="text", prompt=id, gold=id, reply=line["reply"], shown=True, correct=1.0,
            status=AnswerStatus.ANSWERED,
        )
        for id, line in Lines(run, by_id, silent).lines.items()
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = RunKind(kind="toy-lines", noun="toy run", command="toy run", rows=rows, score=scored)
    mine = Benchmark(name="toy", title="Toy", summary="Toys.", runs=(lines,))
    monkeypatch.setattr(benchmark, "_in_turn", lambda: [mine])


def tree(folder: Path) -> dict[str, bytes]:
    found = sorted(folder.rglob("*"))
    return {str(p.relative_to(folder)): p.read_bytes() for p in found if p.is_file()}


def shards(work: Any, of: int, home: Path) -> list[Path]:
    """Make every shard of a work."""
    about = lambda unit: unit.partition("-")[0]  # noqa: E731
    for index in range(1, of + 1):
        live(work, home / f"part-{index}", silent, f"{index}/{of}", about)
    return [home / f"part-{index}" for index in range(1, of + 1)]


UNITS = ("b-2", "a-1", "b-1", "c-1", "a-2")


@given(st.lists(st.sampled_from("abcdefg"), min_size=1), st.data())
def test_shards_do_every_unit_once_and_keep_a_world_together(
    worlds: list[str], data: st.DataObject
) -> None:
    units = [f"{world}/{place}" for place, world in enumerate(worlds)]
    of = data.draw(st.integers(1, len({*worlds})))
    parts = [Part.of(f"{i}/{of}", units, "units", about=lambda u: u[0]) for i in range(1, of + 1)]
    assert sorted(chain.from_iterable(part.units for part in parts)) == sorted(units)
    homes = [{unit[0] for unit in part.units} for part in parts]
    assert sum(map(len, homes)) == len({*worlds})
    assert max(map(len, homes)) - min(map(len, homes)) <= 1


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "1/0", "2/5/7", "-1/2", " 1/2", "１/2"])
def test_what_is_no_shard_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(KnobError, match=r"give it as I/N"):
        live(Sums(UNITS), tmp_path / "run", shard=text)


def test_a_folder_goes_on_only_as_what_it_was_begun(tmp_path: Path) -> None:
    live(Sums(UNITS), tmp_path / "whole")
    live(Sums(UNITS), tmp_path / "part", shard="1/2")
    for folder, shard in (("whole", "1/2"), ("part", "2/2"), ("part", "1/3"), ("part", None)):
        with pytest.raises(RecordError, match="shard"):
            live(Sums(UNITS), tmp_path / folder, shard=shard)


@settings(max_examples=25)
@given(
    st.permutations(UNITS), st.integers(1, 3),
    st.sets(st.sampled_from(UNITS), max_size=len(UNITS) - 1), st.randoms(),
)  # fmt: skip
def test_shards_in_any_order_join_to_the_bytes_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory,
    units: list[str],
    of: int,
    failing: set[str],
    random: Any,
) -> None:
    """What failed in a shard has failed in the whole."""
    home = tmp_path_factory.mktemp("shards")
    work = Sums(units, failing=failing)
    live(work, home / "whole")
    parts = shards(work, of, home)
    random.shuffle(parts)
    merge(parts, home / "merged")
    assert tree(home / "merged") == tree(home / "whole")
    merge(parts, home / "merged")  # again: nothing changes
    assert tree(home / "merged") == tree(home / "whole")
    shutil.rmtree(home)


def test_a_lone_shard_has_no_scores(tmp_path: Path) -> None:
    first, _ = shards(Sums(UNITS), 2, tmp_path)
    run = Run(first)
    for ask in (lambda: run.scores, lambda: run.rows, run.score):
        with pytest.raises(RecordError, match="is a shard of a whole: `worldquiz merge`"):
            ask()
    assert not (first / "scores.json").exists()


def test_missing_and_doubled_shards_are_told_by_name(tmp_path: Path) -> None:
    one, two, three = shards(Sums(UNITS), 3, tmp_path)
    with pytest.raises(RecordError, match="shard 2/3 is missing: questions a-1, a-2"):
        merge([one, three], tmp_path / "out")
    copy = Path(shutil.copytree(two, tmp_path / "copy"))
    with pytest.raises(RecordError, match=r"shard 2/3 is given twice: .*part-2 and .*copy"):
        merge([one, two, copy, three], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_shards_of_different_wholes_are_refused(tmp_path: Path) -> None:
    one, _ = shards(Sums(UNITS), 2, tmp_path / "a")
    _, two = shards(Sums(UNITS, seed=1), 2, tmp_path / "b")
    with pytest.raises(RecordError, match=r"different wholes: .* differ in seed \(0 and 1\)"):
        merge([one, two], tmp_path / "out")
    _, other = shards(Sums([*UNITS, "d-1"]), 2, tmp_path / "c")
    with pytest.raises(RecordError, match="are not dealt out alike"):
        merge([one, other], tmp_path / "out")


def test_an_unfinished_shard_is_refused(tmp_path: Path) -> None:
    parts = shards(Sums(UNITS), 2, tmp_path)
    told = json.loads((parts[1] / "shard.json").read_text())
    told["kept"] = None
    (parts[1] / "shard.json").write_text(json.dumps(told))
    with pytest.raises(RecordError, match="part-2: shard 2/2 is not finished"):
        merge(parts, tmp_path / "out")

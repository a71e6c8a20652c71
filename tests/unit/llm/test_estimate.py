"""What a run takes is what its prompts amount to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from worldquiz.errors import RecordError
from worldquiz.llm.estimate import CHARACTERS, estimate
from worldquiz.llm.price import Price
from worldquiz.plugins import Catalogue
from worldquiz.records import write_json
from worldquiz.runs import benchmark
from worldquiz.runs.benchmark import Benchmark, DataKind, RunKind

PROMPTS = ["a" * 400, "b" * 4000, "c"]
PROMPTED = DataKind(kind="prompted", noun="list", open=Path, prompts=lambda folder: PROMPTS)
SILENT = DataKind(kind="silent", noun="list", open=Path)
RUN = RunKind(kind="some-run", noun="run", command="x", rows=lambda path: ())
BENCHMARK = Benchmark(name="b", title="B", summary="B.", data=(PROMPTED, SILENT), runs=(RUN,))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    known = Catalogue("benchmark", "none", {"b": f"{__name__}:BENCHMARK"})
    monkeypatch.setattr(benchmark, "CATALOGUE", known)
    write_json(tmp_path / "manifest.json", {"kind": "prompted"})
    return tmp_path


def test_calls_tokens_and_cost_are_those_of_the_prompts(folder: Path) -> None:
    found = estimate(folder, "openai/none", Price(2, 1, 10), reply=100)
    assert (found["calls"], found["input"], found["output"]) == (3, round(4401 / CHARACTERS), 300)
    assert found["cost"] == pytest.approx((1100 * 2 + 300 * 10) / 1e6)
    assert found["note"] is None


def test_an_unknown_price_says_what_to_give(folder: Path) -> None:
    found = estimate(folder, "openai/none")
    assert found["cost"] is None
    assert found["note"] == ("no price is known for openai/none: give --price INPUT,CACHED,OUTPUT")
    assert found["input"] > 0


@given(st.lists(st.text(max_size=50)))
def test_more_prompts_never_cost_less(more: list[str]) -> None:
    def cost(prompts: list[str]) -> float:
        kind = DataKind(kind="k", noun="n", open=Path, prompts=lambda folder: prompts)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("worldquiz.llm.estimate.kind_of_data", lambda path: (None, kind))
            return float(estimate("x", "m", Price(1, 1, 1))["cost"])

    assert cost(more) <= cost([*more, "further"])


@pytest.mark.parametrize(
    ("kind", "words"), [("silent", "not known beforehand"), ("some-run", "it was run on")]
)
def test_what_cannot_be_estimated_says_so(folder: Path, kind: str, words: str) -> None:
    write_json(folder / "manifest.json", {"kind": kind})
    with pytest.raises(RecordError, match=words):
        estimate(folder, "openai/none", Price(1, 1, 1))

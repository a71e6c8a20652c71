"""What a page shows of language models, and only of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import synthetic
from worldquiz.t2q.report.entries import entries, pairs, settings
from worldquiz.t2q.report.page import render
from worldquiz.t2q.store import RunRecord

OTHER = ("maker/m2", "worldgraph")
RUNS = [
    synthetic.model_run(),
    synthetic.model_run(*OTHER, confidences=()),
    synthetic.run("idle", "abstainer"),
]


@pytest.fixture(scope="module")
def html() -> str:
    return render(RUNS)


def section(html: str, name: str) -> str:
    found = re.search(rf'<section id="{name}">(.*?)</section>', html, re.DOTALL)
    assert found, name
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1]))


def sections(html: str) -> list[str]:
    return re.findall(r'<section id="(\w+)"', html)


@pytest.mark.usefixtures("undrawn")
def test_a_page_without_models_has_nothing_of_it() -> None:
    page = render([synthetic.run(), synthetic.run("idle", "abstainer")])
    assert not {"paper", "causes", "calls", "confidence"} & set(sections(page))
    for anchor in ("#paper", "#causes", "#calls", "#confidence"):
        assert f'href="{anchor}"' not in page


def test_the_parts_stand_before_the_plots_and_are_linked(html: str) -> None:
    order = sections(html)
    assert order[order.index("sources") :] == [
        "sources", "paper", "causes", "calls", "confidence", "plots", "questions", "worlds",
    ]  # fmt: skip
    for name in ("paper", "causes", "calls", "confidence"):
        assert f'<a href="#{name}">' in html


def test_runs_are_called_by_their_model_and_memory(html: str) -> None:
    assert "maker/m1 + in-context" in section(html, "calls")


def test_table_2_has_models_first_then_what_to_compare_with(html: str) -> None:
    text = section(html, "paper")
    assert text.index("maker/m1") < text.index("maker/m2") < text.index("idle")
    assert "Model Method Task Score" in text
    assert "Loc. Conn. Dir. Match Prop. Tot. knowledge known coverage false answers" in text
    assert "50.00 2 of 4 50.00 2 of 4 100.00 2 of 2" in text.replace("(best) ", "")


def test_the_papers_figures_are_drawn(html: str) -> None:
    for number in (4, 5, 6, 8):
        assert f"Figure {number}" in section(html, "paper")
    assert html.count("<figure><svg") == 4 + 1 + 1 + 3 + 1


def test_every_cause_is_counted(html: str) -> None:
    text = section(html, "causes")
    assert "false answer wrong: never shown, answered all the same" in text
    assert re.search(r"maker/m1 \+ in-context .*2 17 %.* of 12", text)


def test_usage_shows_each_purpose_that_had_calls(html: str) -> None:
    text = section(html, "calls")
    assert "all 22 16,000 90 % 320 1.50 acting 10 4,000 75 % 200 1.00" in text
    assert "answering 12 12,000 95 % 120 0.5000" in text
    assert "remembering" not in text


def test_replies_and_commands_are_counted(html: str) -> None:
    text = section(html, "calls")
    assert "acting 8 0 0 0 2 0 0 answering 8 4 0 0 0 0 0" in text
    assert "10 2 2 4 2 of 4 6" in text


def test_confidence_is_of_the_runs_that_gave_any(html: str) -> None:
    text = section(html, "confidence")
    assert "maker/m1" in text
    assert "maker/m2" not in text
    assert "10 2 0.850 0.600" in text


def test_a_memory_named_like_a_baseline_is_measured_like_any_other(html: str) -> None:
    rows = re.findall(
        r'<tr class="([\w-]+)"><th scope="row"[^>]*>(.*?)</th>', section_html(html, "scores")
    )
    assert [kind for kind, _ in rows] == ["agent", "agent", "lower-bound"]
    assert "upper-bound" not in rows[1][1]


def section_html(html: str, name: str) -> str:
    found = re.search(rf'<section id="{name}">(.*?)</section>', html, re.DOTALL)
    assert found
    return found[1]


def test_p_values_stand_beside_differences(html: str) -> None:
    text = section(html, "scores")
    assert "p 1.000, Holm 1.000" in text
    assert "every exchange up to 12 worlds, else 10,000 drawn" in text


def test_names_of_models_cannot_break_out() -> None:
    page = render([synthetic.model_run(synthetic.NASTY, synthetic.NASTY, worlds=1)])
    assert "<img" not in page.replace("\\u003c", "")


@pytest.mark.usefixtures("undrawn")
def test_same_runs_same_bytes() -> None:
    assert render(RUNS) == render(RUNS)


# Settings


def test_nested_settings_stand_each_by_itself() -> None:
    told = settings(synthetic.model_run(features={"spacy": False}, generate={"temperature": 0.0}))
    assert {key: told[key] for key in told if ":" in key} == {
        "features: spacy": "no", "generate: temperature": "0.0", "options: confidence": "yes",
        "wiring: granularity": "step", "wiring: k": "10", "wiring: query": "short",
        "wiring: recent": "4", "versions: worldquiz": "0.1.0",
    }  # fmt: skip
    assert not {"model", "memory", "embedder"} & set(told)


def test_the_version_of_a_runs_own_memory_is_one_setting_whichever_memory_it_is() -> None:
    versions = {"worldquiz": "0.1.0", "mem0": "mem0ai 2.2.1"}
    told = settings(synthetic.model_run(memory="mem0", versions=versions))
    assert told["memory version"] == "mem0ai 2.2.1"
    assert "versions: mem0" not in told


def test_a_memory_that_the_name_does_not_tell_is_a_setting() -> None:
    mixed = synthetic.model_run()
    scripted = RunRecord(mixed.path, {**mixed.manifest, "answerer": "worldgraph"}, mixed.worlds)
    assert (scripted.name, settings(scripted)["memory"]) == ("maker/m1 + worldgraph", "in-context")


# Pairs


def shown(*runs: RunRecord) -> Iterator[tuple[float, float | None]]:
    for pair in pairs(entries(runs)):
        found = pair.found["known"]
        assert found
        yield found.found.p, found.adjusted


def test_holm_takes_all_pairs_of_a_share_for_one_family() -> None:
    one, idle = synthetic.run(worlds=6), synthetic.run("idle", "abstainer", worlds=6)
    raw, adjusted = zip(*shown(one, idle, synthetic.model_run(worlds=6)), strict=True)
    assert raw == (2 / 2**6, 1, 2 / 2**6)
    assert adjusted == (3 * 2 / 2**6, 1, 3 * 2 / 2**6)

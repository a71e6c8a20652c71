"""The demo: its parts run and find what the README says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import worldquiz as wq
from command import tree
from conftest import Cli
from worldquiz.t2q.builder import Plan
from worldquiz.t2q.cli import demo as t2q_demo
from worldquiz.tea.cli import run as tea_demo

README = Path(__file__).parents[2] / "README.md"


def test_the_demo(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every part as the command runs it, of fewer worlds, views and questions."""
    monkeypatch.setattr(t2q_demo, "PLAN", Plan("easy", seed=7, worlds=1))
    monkeypatch.setattr(t2q_demo, "EXPLORE", Plan("explore", seed=7, worlds=1))
    asked = replace(tea_demo.ASKED, tasks=10, walks=1)
    small = {"FLAT": ("tiny", (2, 1, 1)), "ASKED": asked, "ANSWERERS": ("random", "oracle")}
    for name, value in small.items():
        monkeypatch.setattr(tea_demo, name, value)
    done = cli("demo", "--out", tmp_path, "--jobs", 1, "--json")
    assert done.code == 0, done.err
    document = done.json
    t2q, mango, tea = (document[name] for name in ("t2q", "mango", "tea"))
    runs, page = t2q["runs"], tmp_path / "t2q" / "report.html"
    won = runs["explore/walkthrough-worldgraph"]
    assert (won["tsr"], won["coverage"] < 0.9) == (1, True)
    assert runs["easy/idle-abstainer"]["knowledge"] == 0
    assert runs["easy/idle-abstainer"]["eus"] > 0.5
    assert runs["easy/walkthrough-worldgraph"]["tsr"] == 1
    assert runs["easy/explorer-oracle"]["knowledge"] == 1
    assert t2q["report"] == str(page)
    assert "worldgraph" in page.read_text()
    means = {name: found["rf"]["all"]["success"]["macro"] for name, found in mango["runs"].items()}
    assert means["mapper"] > means["go"] == 0
    assert "mapper" in Path(mango["report"]).read_text()
    if "OpenGL" not in tea.get("left_out", ""):
        means = {name: found["all"]["mean"] for name, found in tea["runs"].items()}
        assert means["oracle"] == 1 > means["random"]
        assert "oracle" in Path(tea["report"]).read_text()
    before = tree(tmp_path)
    again = cli("demo", "--out", tmp_path, "--jobs", 1)
    assert (again.code, tree(tmp_path)) == (0, before)
    for words in ("idle", f"report: {page}"):
        assert words in again.out


def test_the_readme_tells_what_the_demo_finds(tmp_path: Path) -> None:
    plan = t2q_demo.PLAN
    assert ("random", "worldgraph") in t2q_demo.PAIRS
    suite = wq.t2q.build(plan.preset, worlds=plan.worlds, seed=plan.seed, out=tmp_path / "suite")
    run = suite.run(agent="random", answerer="worldgraph", out=tmp_path / "run")
    told = "wins {won} of {tasks} tasks, yet sees the answers to {answerable} of "
    assert told.format(**run.scores["counts"]) in README.read_text()

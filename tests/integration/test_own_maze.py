"""A maze of one's own from a CSV file to its report and to a person, by the command line alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import people
from browser import browser, find
from command import worldquiz
from humanpage import Page, serving

CHROMIUM = find()
MOVES = """from,move,to
hall,north,kitchen
kitchen,south,hall
kitchen,climb up ladder,attic
attic,climb down ladder,kitchen
attic,jump,yard
yard,west,hall
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium")
def test_a_csv_file_becomes_a_maze_a_run_a_report_and_a_page_for_people(tmp_path: Path) -> None:
    (tmp_path / "house.csv").write_text(MOVES)
    mazes, run = tmp_path / "mazes", tmp_path / "run"
    built = worldquiz("mango", "build", "--from", tmp_path / "house.csv", "--out", mazes, "--json")
    assert built.json["mazes"]["house"] == {"places": 4, "edges": 6, "imputed": 2, "steps": 4}
    ran = worldquiz("run", mazes, "--answerer", "keeper", "--per-maze", 2, "--out", run, "--json")
    assert worldquiz("score", run, "--json").json == ran.json
    assert ran.json["knowledge"] == 1.0
    report = tmp_path / "report.html"
    assert worldquiz("report", run, "--out", report).code == 0
    assert all(name in report.read_text() for name in ("kitchen", "climb up ladder", "house"))
    rows = [json.loads(line) for line in (run / "rows.jsonl").read_text().splitlines()]
    assert CHROMIUM is not None
    with browser(CHROMIUM) as tab, serving(run, "--name", "Anna") as served:
        page = Page(tab, served.address)
        page.on()
        assert "You are in the attic. From here you can go: climb down ladder, jump." in page.text
        for row in rows:
            cannot = row["reply"] == "cannot be made"
            page.write(
                row["reply"] if cannot else people.way(json.loads(row["reply"]), row["type"])
            )
            page.on()
        page.on()
        told = served.told()
        assert tab.complaints() == []
    assert told["scores"]["knowledge"] == 1.0
    assert worldquiz("check", mazes).code == worldquiz("check", run).code == 0

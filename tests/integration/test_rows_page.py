"""The page of any runs' rows in a real browser: filters, links, sorting, phone width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from browser import Browser, browser, find
from worldquiz.facts.row import AnswerStatus, Row
from worldquiz.report.rows_page import build

CHROMIUM = find()
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH")


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with browser(CHROMIUM) as one:
        yield one


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs on 240 questions: one is right, one is wrong on every third, one abstains."""
    runs = {name: [row(name, place) for place in range(240)] for name in ("mute", "good", "poor")}
    return build(runs, tmp_path_factory.mktemp("page") / "report.html", resamples=200)


def row(run: str, place: int) -> Row:
    right = {"good": 1.0, "poor": float(place % 3 > 0), "mute": 0.0}[run]
    status = AnswerStatus.ABSTAINED if run == "mute" else AnswerStatus.ANSWERED
    return Row(
        run=run, benchmark="rooms", answerer=run, world=f"world {place % 7}", item=f"q/{place}",
        type=("even", "odd")[place % 2], format="room", prompt=f"Where is thing {place}?",
        gold="attic", reply="<b>attic</b>" if right else "x" * 400, shown=True, status=status,
        correct=right,
    )  # fmt: skip


def choose(tab: Browser, name: str, value: str) -> str:
    """Set a filter, and return what the page says of the count."""
    return str(tab.run(
        f"(() => {{ const e = document.querySelector('[name={name}]'); e.value = '{value}';"
        "e.dispatchEvent(new Event('input', {bubbles: true}));"
        "return document.querySelector('#count').textContent; })()"
    ))  # fmt: skip


def test_the_first_screen_says_what_came_out(tab: Browser, report: Path) -> None:
    tab.look()
    tab.open(report)
    first = tab.run("document.querySelector('.finding').textContent")
    assert first.startswith("B good scores more than C poor of the same worlds: +0.33 [")
    top = tab.run("document.querySelector('.finding').getBoundingClientRect().bottom")
    assert top < 400
    assert tab.complaints() == []
    assert tab.requests() in ([report.as_uri()], [report.as_uri(), "data:,"])


def test_filters_and_search_narrow_the_questions(tab: Browser, report: Path) -> None:
    tab.open(report)
    assert tab.run("document.querySelectorAll('#table tbody tr').length") == 100
    tab.click("#more")
    assert tab.run("document.querySelectorAll('#table tbody tr').length") == 200
    assert choose(tab, "type", "even") == "100 of 120 questions shown"
    assert choose(tab, "words", "THING 23") == "5 of 5 questions shown"
    assert choose(tab, "which", "all-wrong") == "No question is like this"
    assert choose(tab, "words", "") == "No question is like this"
    assert choose(tab, "which", "differ") == "100 of 120 questions shown"
    assert choose(tab, "status", "abstained") == "100 of 120 questions shown"


def test_a_link_leads_to_its_question_whatever_is_hidden(tab: Browser, report: Path) -> None:
    tab.open(report, "#world=world+1&question=33")
    assert tab.run("document.querySelector('tr.hit .ask').firstChild.data") == (
        "Where is thing 225?"
    )
    assert tab.run("document.querySelector('tr.hit').getBoundingClientRect().top < innerHeight")
    choose(tab, "type", "even")
    assert tab.run("document.querySelector('tr.hit')") is None
    tab.run("location.hash = '#world=world+1&question=1'")
    assert tab.run("new Promise(done => setTimeout(() => done(1)))") is not None
    tab.open(report, tab.run("document.querySelector('#table tbody a').getAttribute('href')"))
    assert tab.run("document.querySelectorAll('tr.hit').length") == 1


def test_a_heading_sorts_its_table_both_ways(tab: Browser, report: Path) -> None:
    tab.open(report)
    order = "[...document.querySelectorAll('.scores tbody .name')].map(e => e.textContent).join()"
    heading = ".scores thead th:nth-child({}) button"
    tab.click(heading.format(2))
    assert tab.run(order) == "good,poor,mute"
    tab.click(heading.format(2))
    assert tab.run(order) == "mute,poor,good"
    tab.click(heading.format(1))
    assert tab.run(order) == "good,mute,poor"
    assert tab.run("document.querySelector('.scores th[aria-sort]').ariaSort") == "ascending"
    tab.click(heading.format(2))
    link = tab.run("location.hash")
    assert "sort=0.1.down" in link
    choose(tab, "type", "even")  # a filter keeps the order in the link, and the other way round
    tab.open(report, tab.run("location.hash"))
    assert tab.run(order) == "good,poor,mute"
    assert tab.run("document.querySelector('[name=type]').value") == "even"
    for strange in ("9.9.up", "0.x", "0.0.sideways", ",,"):
        tab.open(report, f"#sort={strange}")
        assert tab.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_without_scrolling_sideways(
    tab: Browser, report: Path, scheme: str
) -> None:
    tab.look(width=390, height=844, scheme=scheme)
    tab.open(report)
    assert tab.run("document.documentElement.scrollWidth <= innerWidth")
    wide = "[...document.querySelectorAll('#table td')].filter(e => e.scrollWidth > e.clientWidth)"
    assert tab.run(f"{wide}.length") == 0
    tab.look()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_shares_of_what_was_known_stand_first_and_have_no_barrier(
    tab: Browser, tmp_path: Path, scheme: str
) -> None:
    some = [replace(row("good", place), shown=place % 4 > 0) for place in range(40)]
    tab.look(scheme=scheme)
    tab.open(build({"good": some}, tmp_path / "shut.html", resamples=200))
    assert tab.run("document.querySelector('h2').textContent") == "What was known"
    cells = "[...document.querySelector('.scores').querySelectorAll('td b')].map(e => +e.innerText)"
    assert tab.run(cells) == [0.75, 0.75, 1]
    assert tab.barriers() == []
    tab.look()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(tab: Browser, report: Path, scheme: str) -> None:
    tab.look(scheme=scheme)
    tab.open(report)
    assert tab.barriers() == []

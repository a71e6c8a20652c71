"""Pages in a real browser: quiet, usable by keyboard, readable on a phone, in light and in dark."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import people
import synthetic
from browser import Browser, browser, find
from pages import written
from worldquiz import AnswerStatus, Row, Run, report

CHROMIUM = find()
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium to test the page"
)


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with browser(CHROMIUM) as one:
        yield one


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs on 240 questions without drawings: one right, one wrong on a third, one mute."""
    home = tmp_path_factory.mktemp("page")
    rows = {name: [row(name, n) for n in range(240)] for name in ("mute", "good", "poor")}
    return report(written(home, rows, bounds=lambda: {"mute": "lower-bound"}), home / "report.html")


def row(run: str, place: int) -> Row:
    right = {"good": 1.0, "poor": float(place % 3 > 0), "mute": 0.0}[run]
    status = AnswerStatus.ABSTAINED if run == "mute" else AnswerStatus.ANSWERED
    return Row(
        run=run, benchmark="rooms", answerer=run, world=f"world {place % 7}", item=f"q/{place}",
        type=("even", "odd")[place % 2], format="room", prompt=f"Where is thing {place}?",
        gold="attic", reply="<b>attic</b>" if right else "x" * 400, shown=True, status=status,
        correct=right,
    )  # fmt: skip


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of all three benchmarks with drawings; one of them has hostile replies."""
    home = tmp_path_factory.mktemp("worlds")
    runs = [
        people.worlds(home / "scout"),
        people.worlds(home / "idle", synthetic.run("idle", "abstainer")),
        people.worlds(home / "nasty", synthetic.run(replies=synthetic.HOSTILE)),
        people.mazes(home / "mazes"),
        people.views(home / "views"),
    ]
    (home / "views-data").rename(home / "away")
    return report([Run(path) for path in runs], home / "report.html")


def choose(tab: Browser, name: str, value: str) -> str:
    """Set a filter, and return what the page says of the count."""
    return str(tab.run(
        f"(() => {{ const e = document.querySelector('[name={name}]'); e.value = '{value}';"
        "e.dispatchEvent(new Event('input', {bubbles: true}));"
        "return document.querySelector('#count').textContent; })()"
    ))  # fmt: skip


def text(tab: Browser, selector: str) -> str:
    return str(tab.run(f"document.querySelector('{selector}').textContent"))


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1400, "dark")])
def test_pages_are_quiet_have_no_barrier_and_never_scroll_sideways(
    tab: Browser, page: Path, worlds: Path, scheme: str, width: int
) -> None:
    tab.look(width=width, height=844, scheme=scheme)
    for each, fragment in ((page, ""), (worlds, "#world=t2q/easy-00&question=3")):
        tab.open(each, fragment)
        assert tab.complaints() == []
        sent = [url for url in tab.requests() if not url.startswith("data:")]
        assert sent == [each.as_uri()]
        assert tab.run("document.documentElement.scrollWidth <= innerWidth")
        assert tab.barriers() == []
    tab.look()


def test_the_first_screen_says_what_came_out_and_folds_baselines(tab: Browser, page: Path) -> None:
    tab.look()
    tab.open(page)
    assert text(tab, ".finding").startswith("good has the highest mean grade, 1.00 [")
    assert tab.run("document.querySelector('.finding').getBoundingClientRect().bottom") < 400
    shown = "document.querySelector('.bounds').checkVisibility()"
    assert tab.run(shown) is False
    tab.click(".fold")
    assert tab.run(shown) is True


def test_filters_and_search_narrow_the_questions(tab: Browser, page: Path) -> None:
    tab.open(page)
    assert tab.run("document.querySelectorAll('#asked > li').length") == 100
    tab.click("#more")
    assert tab.run("document.querySelectorAll('#asked > li').length") == 200
    assert choose(tab, "type", "even") == "100 of 120 questions shown"
    assert choose(tab, "words", "THING 23") == "5 of 5 questions shown"
    assert choose(tab, "which", "all-wrong") == "No question matches"
    assert choose(tab, "words", "") == "No question matches"
    assert choose(tab, "which", "differ") == "100 of 120 questions shown"
    assert choose(tab, "status", "abstained") == "100 of 120 questions shown"
    tab.open(page, tab.run("location.hash"))
    assert text(tab, "#count") == "100 of 120 questions shown"


def test_a_link_leads_to_its_question_whatever_is_hidden(tab: Browser, page: Path) -> None:
    tab.open(page, "#world=world+1&question=33&type=even")
    assert text(tab, "li.hit .ask") == "Where is thing 225?"
    assert tab.run("document.querySelector('li.hit').getBoundingClientRect().top < innerHeight")
    for strange in ("#world=nowhere&question=9", "#run=Z&step=x&which=9"):
        tab.open(page, strange)
        assert tab.complaints() == []
    tab.open(page, tab.run("document.querySelector('#asked a').getAttribute('href')"))
    assert tab.run("document.querySelectorAll('li.hit').length") == 1


def test_a_heading_sorts_its_table_both_ways(tab: Browser, page: Path) -> None:
    tab.open(page)
    order = "[...document.querySelectorAll('.measured .name')].map(e => e.textContent).join()"
    heading = ".runs thead th:nth-child({}) button"
    for place, wanted in ((2, "good,poor"), (2, "poor,good"), (1, "good,poor")):
        tab.click(heading.format(place))
        assert tab.run(order) == wanted
    assert tab.run("document.querySelector('.runs th[aria-sort]').ariaSort") == "ascending"


def test_a_question_shows_its_world_at_the_step_that_first_answers_it(
    tab: Browser, worlds: Path
) -> None:
    seen = "document.querySelectorAll('#drawing .room:not(.unseen)').length"
    tab.open(worlds, "#world=t2q/easy-00&question=3&run=A")
    assert text(tab, "#told").startswith("Task 1, step 2")
    assert "There is a closed iron chest." in text(tab, "#text")
    assert tab.run(seen) == 2
    assert tab.run("document.querySelector('#drawing .room.about > text').textContent") == "hall"
    tab.run("document.querySelector('#step').focus()")
    tab.press("ArrowLeft")
    assert text(tab, "#told").startswith("Task 1, step 1")
    assert tab.run(seen) == 1
    assert "step=1" in tab.run("location.hash")
    tab.open(worlds, tab.run("location.hash"))
    assert text(tab, "#told").startswith("Task 1, step 1")
    tab.click("#who button:nth-child(2)")  # who never moved
    assert tab.run(seen) == 1
    assert tab.complaints() == []


def test_a_maze_is_drawn_and_an_apartment_without_its_data_says_so(
    tab: Browser, worlds: Path
) -> None:
    tab.open(worlds, "#world=mango/maze-00&question=1")
    assert tab.run("document.querySelectorAll('#drawing .maze .line').length") > 0
    assert tab.run("document.querySelectorAll('#drawing .about').length") > 0
    assert text(tab, "#told").startswith("Step ")
    flat = tab.run("[...document.querySelectorAll('#place option')].at(-1).text")
    tab.open(worlds, f"#world={flat}")
    assert flat.startswith("tea/")
    assert "pass their folder with --data" in text(tab, "#legend")
    assert tab.run("document.querySelector('#drawing').checkVisibility()") is False
    assert tab.complaints() == []


def test_keys_walk_through_the_questions(tab: Browser, worlds: Path) -> None:
    tab.open(worlds)
    tab.click("#asked li:nth-child(2) a")
    at = "document.activeElement.dataset.at"
    for key, wanted in (("j", "0.2"), ("j", "0.3"), ("k", "0.2")):
        tab.press(key)
        assert tab.run(at) == wanted
        assert tab.run("document.querySelector('li.hit').dataset.at") == wanted
    assert "question=3" in tab.run("location.hash")
    tab.run("document.querySelector('[name=words]').focus()")
    tab.press("j")
    assert tab.run("document.activeElement.value") == "j"


def test_a_hostile_reply_is_text_and_no_other_script_can_run(tab: Browser, worlds: Path) -> None:
    tab.open(worlds)
    assert synthetic.NASTY in text(tab, "#asked")
    assert tab.run("document.querySelectorAll('#asked img').length") == 0
    tab.run(
        "document.body.append(Object.assign(document.createElement('script'),"
        "{textContent: 'window.smuggled = 1'}))"
    )
    assert tab.run("window.smuggled") is None


def test_without_scripts_the_table_stands(tab: Browser, page: Path) -> None:
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(page)
        tree = tab.send("DOM.getDocument", depth=-1)["root"]
        seen = tab.send("DOM.querySelectorAll", nodeId=tree["nodeId"], selector=".runs tbody tr")
        assert len(seen["nodeIds"]) == 3
    finally:
        tab.send("Emulation.setScriptExecutionDisabled", value=False)


def test_unanswerable_questions_say_so(tab: Browser, tmp_path: Path) -> None:
    some = [replace(row("good", place), shown=place % 4 > 0) for place in range(8)]
    tab.open(report(written(tmp_path, {"good": some}), tmp_path / "shut.html"))
    assert "was not shown" in text(tab, "#asked li:first-child")
    assert choose(tab, "which", "not-answerable") == "2 of 2 questions shown"

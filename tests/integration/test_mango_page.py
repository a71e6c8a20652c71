"""The page of a contest in a real browser: maps, steps and answers, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mango_page
from browser import Browser, browser, find
from worldquiz.mango.report.page import build
from worldquiz.mango.report.payload import maze_block

CHROMIUM = find()
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium to test the page"
)
CONTEST = mango_page.contest(steps=20, per_maze=10)
BLOCK = maze_block(CONTEST, "cave")
QUESTIONS: list[dict[str, Any]] = BLOCK["questions"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(CONTEST, tmp_path_factory.mktemp("report") / "page.html")


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with browser(CHROMIUM) as one:
        yield one


@pytest.fixture
def page(tab: Browser, report: Path) -> Browser:
    tab.look()
    tab.open(report)
    return tab


def count(page: Browser, selector: str) -> int:
    found: int = page.run(f"document.querySelectorAll({selector!r}).length")
    return found


def texts(page: Browser, selector: str) -> list[str]:
    found: list[str] = page.run(
        f"[...document.querySelectorAll({selector!r})].map((e) => e.textContent)"
    )
    return found


def choose(page: Browser, name: str, value: str) -> None:
    page.run(
        f"(() => {{ const s = document.getElementById('{name}'); s.value = '{value}';"
        "s.dispatchEvent(new Event(s.type === 'range' ? 'input' : 'change')); })()"
    )


def pick(page: Browser, number: int) -> None:
    page.click(f".question[data-question='{number}'] .ask")


def told_by(step: int) -> dict[str, int]:
    """Count the moves as the maze says them."""
    edges = CONTEST.mazes["cave"].edges
    taken = sum(e.told.until(step).forward is not None for e in edges)
    known = sum(e.told.until(step).first is not None for e in edges)
    return {"taken": taken, "imputed": known - taken}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Browser, report: Path, scheme: str) -> None:
    page.look(scheme=scheme)
    page.open(report)
    assert page.barriers() == []


def test_the_page_is_quiet_and_fetches_nothing_else(page: Browser, report: Path) -> None:
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith("data:")] == [report.as_uri()]


def test_the_map_draws_every_place_and_move(page: Browser) -> None:
    maze = CONTEST.mazes["cave"]
    assert count(page, "#map .place") == len(maze.places)
    numbers: list[str] = page.run(
        "[...document.querySelectorAll('#map [data-e]')].flatMap((e) => e.dataset.e.split(' '))"
    )
    assert {int(number) for number in numbers} == set(range(len(maze.edges)))


def test_taken_imputed_and_unseen_moves_look_different_not_only_in_colour(page: Browser) -> None:
    choose(page, "upto", "9")
    looks = [
        page.run(
            f"(() => {{ const s = getComputedStyle(document.querySelector('#map .{state} .line'));"
            "return [s.stroke, s.strokeDasharray]; })()"
        )
        for state in ("taken", "imputed", "unseen")
    ]
    assert len({look[0] for look in looks}) == len({look[1] for look in looks}) == 3


@pytest.mark.parametrize("step", [0, 1, 7, 20])
def test_the_slider_shows_the_maze_as_of_a_step(page: Browser, step: int) -> None:
    choose(page, "upto", str(step))
    known = sum(first is not None and first <= step for first in BLOCK["first"])
    said = page.run("document.getElementById('told').textContent")
    expected = told_by(step)
    assert said.startswith(f"{known} of {len(BLOCK['places'])} places")
    assert said.endswith(f" {expected['taken']} taken and {expected['imputed']} imputed.")
    assert count(page, "#map .place.told") == known
    assert page.run("document.getElementById('step').textContent") == str(step)


def test_the_latest_moves_stand_out_where_a_step_was_chosen(page: Browser) -> None:
    assert count(page, "#map .now") == 0
    choose(page, "upto", "1")
    assert count(page, "#map .now") > 0


@pytest.mark.parametrize("task", ["df", "rf"])
def test_a_question_stands_beside_the_steps_that_answer_it(page: Browser, task: str) -> None:
    number = next(n for n, each in enumerate(QUESTIONS) if each["task"] == task and n > 0)
    route = [BLOCK["edges"][edge] for edge in QUESTIONS[number]["routes"]["20"]]
    pick(page, number)
    assert len(texts(page, "#steps .leg")) == len(route)
    for (source, action, target, *_), leg in zip(route, texts(page, "#steps .leg"), strict=True):
        names = BLOCK["places"]
        assert f"{names[source]} —{action}→ {names[target]}" in leg
    shown: list[list[str]] = page.run(
        "[...document.querySelectorAll('#steps .step')].map((e) => [e.dataset.step, e.className])"
    )
    wanted = [
        [str(edge[3]), "step forward"]
        if edge[5] is not None and edge[5] <= 20
        else [str(edge[4]), "step reverse"]
        for edge in route
    ]
    assert shown == wanted
    walk = CONTEST.mazes["cave"].walkthrough
    for (step, _), text in zip(shown, texts(page, "#steps .step"), strict=True):
        assert f"> {walk[int(step)].action}" in text
        assert walk[int(step)].observation.splitlines()[0] in text


def test_a_question_lights_up_its_route_and_ends_on_the_map(page: Browser) -> None:
    number = len(QUESTIONS) - 1
    question = QUESTIONS[number]
    pick(page, number)
    lit: list[str] = page.run(
        "[...document.querySelectorAll('#map .route, #map .route [data-e]')]"
        ".flatMap((e) => (e.dataset.e || '').split(' '))"
    )
    assert {str(edge) for edge in question["routes"]["20"]} <= set(lit)
    ends = [page.run(f"document.querySelector('#map .{end}').dataset.p") for end in ("from", "to")]
    assert [BLOCK["places"][int(end)] for end in ends] == [
        question["source"], question["correct"][0]
    ]  # fmt: skip
    told = [place for place, answer in question["answers"].items() if answer["route"]]
    colours: list[str] = page.run(
        "[...document.querySelectorAll('#map path.trace')].map((e) => e.style.stroke)"
    )
    assert {f"var(--run-{place})" for place in told} == set(colours)


def test_by_one_contestant_only_its_answers_and_routes_are_shown(page: Browser) -> None:
    choose(page, "contestant", "1")
    assert set(texts(page, "#asked .given .tag")) == {"B"}
    pick(page, 0)
    colours: list[str] = page.run(
        "[...document.querySelectorAll('#map path.trace')].map((e) => e.style.stroke)"
    )
    assert set(colours) <= {"var(--run-1)"}


def verdict(answer: dict[str, Any]) -> str:
    if answer["form"] == "ill-formed":
        return "ill-formed"
    success = answer["score"][0]
    return "right" if success == 1 else "partly" if success else "wrong"


def test_filters_count_what_they_keep(page: Browser) -> None:
    for place in ("0", "1"):
        choose(page, "contestant", place)
        answers = [each["answers"][place] for each in QUESTIONS]
        kinds = [verdict(answer) for answer in answers]
        expected = {
            "": len(kinds), "right": kinds.count("right"), "partly": kinds.count("partly"),
            "wrong": kinds.count("wrong") + kinds.count("ill-formed"),
            "ill-formed": kinds.count("ill-formed"),
        }  # fmt: skip
        for value, kept in expected.items():
            choose(page, "verdict", value)
            assert count(page, ".question") == kept
            said = page.run("document.getElementById('tally').textContent")
            assert said == f"{kept} of {len(QUESTIONS)} questions"
        choose(page, "verdict", "")
    choose(page, "contestant", "")
    choose(page, "task", "rf")
    assert count(page, ".question") == sum(each["task"] == "rf" for each in QUESTIONS)
    choose(page, "level", "hard")
    assert count(page, ".question") == sum(
        each["task"] == "rf" and each["answers"]["0"]["level"] == "hard" for each in QUESTIONS
    )


def test_the_whole_walkthrough_that_was_read_is_at_hand(page: Browser) -> None:
    assert count(page, "#steps .step") == 21
    assert page.run("document.getElementById('only').disabled") is True
    pick(page, 0)
    page.click("#whole")
    assert count(page, "#steps .step") == 21
    marked = page.run(
        "[...document.querySelectorAll('#steps .forward, #steps .reverse')]"
        ".map((e) => e.dataset.step)"
    )
    wanted = {
        str(edge[3] if edge[5] is not None and edge[5] <= 20 else edge[4])
        for edge in (BLOCK["edges"][n] for n in QUESTIONS[0]["routes"]["20"])
    }
    assert set(marked) == wanted


def test_a_step_shows_the_map_as_it_was_then(page: Browser) -> None:
    page.click("#steps [data-step='5'] .command")
    assert page.run("document.getElementById('upto').value") == "5"
    assert page.run("document.activeElement.dataset.step") == "5"
    choose(page, "upto", "17")
    shown = (
        "(() => { const s = document.querySelector('#steps .hit').getBoundingClientRect(),"
        "p = document.getElementById('steps').getBoundingClientRect();"
        "return s.top >= p.top - 1 && s.bottom <= p.bottom; })()"
    )
    assert page.run(shown)  # the text follows the slider, inside its pane
    assert page.run("document.querySelector('#steps .hit').dataset.step") == "17"
    edges = "[...document.querySelectorAll('.pane')].map((e) => e.getBoundingClientRect().top)"
    assert len(set(page.run(edges))) == 1


def test_an_address_leads_to_a_question_and_a_step(tab: Browser, report: Path) -> None:
    tab.look()
    tab.open(report, "#world=cave&question=3&step=6")
    assert tab.run("document.querySelector('.question.hit').dataset.question") == "2"
    assert tab.run("document.querySelector('#steps .hit').dataset.step") == "6"
    assert tab.run("document.getElementById('upto').value") == "6"


def test_a_move_told_in_a_box_leads_to_its_place(tab: Browser, tmp_path: Path) -> None:
    maze = mango_page.maze("deep", 1, size=24, loops=0.5, non_compass=0.4)
    tab.look()
    tab.open(build(mango_page.contest([maze], steps=99), tmp_path / "page.html"))
    number = tab.run("document.querySelector('.place > text.move').dataset.e")
    tab.click(f".place > text.move[data-e='{number}']")
    flashed = tab.run("document.querySelector('.flash').dataset.p")
    assert maze.places[int(flashed)] == maze.edges[int(number)].target


def test_all_of_it_works_by_keyboard(page: Browser) -> None:
    page.run("document.querySelector('.question .ask').focus()")
    page.press("Enter")
    assert page.run("document.querySelector('.question.hit').dataset.question") == "0"
    page.press("ArrowDown")
    assert page.run("document.querySelector('.question.hit').dataset.question") == "1"
    assert page.run("document.activeElement.closest('.question').dataset.question") == "0"
    page.run("document.querySelector('#views [aria-selected=true]').focus()")
    page.press("ArrowRight")
    assert page.run("document.activeElement.id") == "whole"
    assert count(page, "#steps .step") == 21
    page.run("document.getElementById('upto').focus()")
    page.press("ArrowLeft")
    assert page.run("document.getElementById('step').textContent") == "19"


def test_an_address_leads_to_a_maze_and_question(tab: Browser, report: Path) -> None:
    tab.open(report, "#world=keep&question=3")
    assert tab.run("document.getElementById('maze').selectedOptions[0].text") == "keep"
    assert tab.run("document.querySelector('.question.hit').dataset.question") == "2"
    tab.click("#previous")
    assert "world=cave" in tab.run("location.hash")
    assert tab.complaints() == []


@pytest.mark.parametrize("fragment", ["#world=nowhere", "#world=cave&question=999", "#world=cave"])
def test_an_address_of_nothing_shows_something(tab: Browser, report: Path, fragment: str) -> None:
    tab.open(report, fragment)
    assert tab.complaints() == []
    assert count(tab, "#map .place") == len(BLOCK["places"])


def test_hostile_replies_and_names_are_text(tab: Browser, tmp_path: Path) -> None:
    maze = mango_page.maze(mango_page.NASTY)
    nasty = mango_page.contest([maze], bad=mango_page.nasty, worse=mango_page.careless)
    tab.look()
    tab.open(build(nasty, tmp_path / "page.html"))
    assert tab.complaints() == []
    assert count(tab, "img") == 0
    assert any(mango_page.NASTY in text for text in texts(tab, ".given"))
    tab.run("document.querySelectorAll('.ask').forEach((e) => e.click())")
    assert tab.complaints() == []
    assert not [event for event in tab.events if "javascriptDialog" in event["method"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_told_stands_out_from_what_is_not(tab: Browser, report: Path, scheme: str) -> None:
    tab.look(scheme=scheme)
    tab.open(report)
    choose(tab, "upto", "3")
    fills = [
        tab.run(f"getComputedStyle(document.querySelector('.place.{name} > text')).fill")
        for name in ("told", "untold")
    ]
    assert fills[0] != fills[1]


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_page_itself_never_scrolls_sideways(tab: Browser, report: Path, width: int) -> None:
    tab.look(width=width)
    tab.open(report)
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_words_stay_within_their_boxes(page: Browser) -> None:
    wide: list[str] = page.run(
        "[...document.querySelectorAll('.place')].filter((e) => {"
        "const box = e.querySelector('rect').getBBox();"
        "return [...e.querySelectorAll('text')].some((t) => t.getBBox().width > box.width); })"
        ".map((e) => e.textContent)"
    )
    assert wide == []


def test_without_scripts_the_tables_stand(tab: Browser, report: Path) -> None:
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(report)
        tree = tab.send("DOM.getDocument", depth=-1)["root"]
        rows = tab.send("DOM.querySelectorAll", nodeId=tree["nodeId"], selector="table.pairs tr")
        assert rows["nodeIds"]
        note = tab.send("DOM.querySelector", nodeId=tree["nodeId"], selector="noscript p")
        assert note["nodeId"]
    finally:
        tab.send("Emulation.setScriptExecutionDisabled", value=False)

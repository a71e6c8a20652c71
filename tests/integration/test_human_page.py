"""The page for people in a real browser: a quiz of each benchmark, from the first key to its score.

Answers are the right ones, so whatever the page loses on the way costs points.
"""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

import people
import worldquiz as wq
from browser import Browser, browser, find
from command import worldquiz
from humanpage import CTRL, SHIFT, Page, serving
from worldquiz.human.quiz import Sitting, quiz_of
from worldquiz.tea.exam.exam import TeaRun, key_of
from worldquiz.tea.human import QUESTIONS, Tasks
from worldquiz.tea.kinds.kinds import Box2, Box3, Count, Instance, Metres, Truth, Word

CHROMIUM = find()
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium to test the page"
)
T2Q = [None, None, "1", "north", None, "1"]
"""The keys of the right answers to each world's questions; None: not shown."""


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    assert CHROMIUM is not None
    with browser(CHROMIUM) as one:
        one.look(width=1280, height=860)
        yield one


def reported(*runs: Path) -> str:
    """Return the report of some runs."""
    page = runs[0].parent / "report.html"
    assert worldquiz("report", *runs, "--out", page).code == 0
    return page.read_text("utf-8")


def test_t2q_by_keys_with_back_and_a_killed_server(tab: Browser, tmp_path: Path) -> None:
    run, out = people.worlds(tmp_path / "run"), tmp_path / "run-Anna"
    with serving(run, "--name", "Anna") as served:
        page = Page(tab, served.address)
        assert page.heading == "12 questions for you"
        assert tab.barriers() == []
        page.on()
        assert "go north" in page.text
        assert tab.barriers() == []
        page.on(CTRL)
        page.press("1")  # a slip
        page.on()
        page.on(SHIFT)
        assert page.place == "easy-00 · 2 of 6"
        page.on(key="0")
        page.press("Enter")
        page.until("document.querySelector('#note')")
        assert "choose an answer first" in page.text
        served.kill()
    with serving(run, "--name", "Anna") as served:
        page = Page(tab, served.address)
        assert page.heading == "Welcome back: 2 of 12 questions are answered"
        page.on()
        for said in (T2Q * 2)[2:]:
            answer(page, said)
        assert page.heading == "All questions are answered"
        page.on()
        assert page.heading == "Thank you"
        told = served.told()
    assert page.tab.complaints() == []
    assert (told["answers"], told["passed"], told["changed"]) == (12, 6, 1)
    assert told["scores"]["eus"] == 1.0
    assert 0 < told["seconds"] < 600
    assert {row.answerer for row in wq.Run(out).rows} == {"human (Anna)"}


def answer(page: Page, said: str | None) -> None:
    """Answer a question of T2Q."""
    typed = page.has("#answer")
    if said is None:
        page.on(CTRL) if typed else page.on(key="0")
        return
    page.write(said) if typed else page.press(said)
    page.on()


def test_mango_in_words_across_a_reload(tab: Browser, tmp_path: Path) -> None:
    run = people.mazes(tmp_path / "run")
    ways = [people.way(json.loads(row.reply), row.type) for row in wq.load(run).rows]
    with serving(run) as served:
        page = Page(tab, served.address)
        page.on()
        for number, way in enumerate(ways):
            page.write(way)
            if number == 2:
                page.shot("mango")
            page.on()
            if number == 1:
                page = Page(tab, served.address)
                assert page.heading == "Welcome back: 2 of 4 questions are answered"
                page.on()
        page.on()
        told = served.told()
    assert page.tab.complaints() == []
    for task in ("df", "rf"):
        cell = told["scores"][task]["all"]
        assert (cell["success"]["micro"], cell["reasoning"]["micro"]) == (1.0, 1.0)


@pytest.fixture(scope="module")
def scenes(flats: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of tasks, and a run of the oracle beside it."""
    folder = tmp_path_factory.mktemp("tea")
    (folder / "data").symlink_to(flats)
    wq.tea.load(folder / "data").run("oracle", tasks=14, walks=1, seed=1, out=folder / "run")
    return folder


def test_tea_by_keys_and_drags_across_a_killed_server(tab: Browser, scenes: Path) -> None:
    run, out = scenes / "run", scenes / "run-human"
    exam = TeaRun.of_run(run, None)
    assert exam.walks
    by_key = {key_of(task): task for task in exam.answered}
    with TemporaryDirectory() as aside:
        tasks = [by_key[each.key] for each in Sitting(quiz_of(run, "human"), Path(aside)).asked]
    assert {type(task.truth) for task in exam.answered} >= {Word, Metres, Box2, Box3}
    shots = {Box2: "tea-box", Box3: "tea-space"}
    with serving(run) as served:
        page = Page(tab, served.address)
        page.on()
        for task in tasks[:-1]:
            perceive(page, exam, task)
            if name := shots.pop(type(task.truth), None):
                page.shot(name)
            page.on()
        served.kill()
    with serving(run) as served:
        page = Page(tab, served.address)
        assert (
            page.heading == f"Welcome back: {len(tasks) - 1} of {len(tasks)} questions are answered"
        )
        page.on()
        page.tab.look(width=390, height=844, scheme="dark")
        assert page.ask("document.documentElement.scrollWidth <= innerWidth")
        page.tab.look(width=1280, height=860)
        perceive(page, exam, tasks[-1])
        page.on()
        page.on()
        assert page.heading == "Thank you"
        told = served.told()
    assert page.tab.complaints() == []
    scores = told["scores"]
    assert scores["navigation"]["trips"] == 0
    assert {cell["mean"] for name, cell in scores["types"].items() if "local" not in name} == {1.0}
    assert all(cell["mean"] > 0.9 for cell in scores["types"].values())
    assert not list(out.glob(".*"))
    assert "human" in reported(run, out)


def test_two_people_rate_the_same_tasks(tab: Browser, scenes: Path) -> None:
    data, first = scenes / "data", scenes / "data-ratings-Ada"
    test = (data, "--name", "Ada", "--share", 0.01, "--out", first)
    with serving(*test, command=("tea", "rate")) as served:
        page = Page(tab, served.address)
        page.on()
        assert tab.barriers() == []
        page.press("1")
        page.on()
        served.kill()
    with serving(*test, command=("tea", "rate")) as served:
        page = Page(tab, served.address)
        assert "Welcome back" in page.heading
        page.on()
        judge(page, "2")
        told = served.told()
    assert tab.complaints() == []
    cells = told["scores"]["by_type"]
    tasks = len((first / "rows.jsonl").read_text("utf-8").splitlines()) // len(QUESTIONS)
    assert {name: cells[name]["counts"]["graded"] for name in QUESTIONS} == dict.fromkeys(
        QUESTIONS, tasks
    )
    assert sum(cell["grade"] * tasks for cell in cells.values()) == 1.0
    with serving(first, "--name", "Bo", "--out", scenes / "Bo") as served:
        page = Page(tab, served.address)
        page.on()
        judge(page, "1")
        told = served.told()
    assert told["scores"]["by_type"]["helpful"]["grade"] == 1.0
    compared = worldquiz("compare", first, scenes / "Bo", "--json").json
    assert compared["questions"] == tasks * len(QUESTIONS)


def judge(page: Page, key: str) -> None:
    """Answer all that is left by a key, and hand in."""
    while page.place:
        page.press(key)
        page.on()
    page.on()
    assert page.heading == "Thank you"


def perceive(page: Page, exam: TeaRun, task: Instance) -> None:
    """Give the true answer to a task."""
    camera = exam.folders[task.scene].view[task.view].camera
    match task.truth:
        case Word(value) if page.has(".option"):
            choices = page.ask("[...document.querySelectorAll('.option input')].map(e => e.value)")
            page.press(str(choices.index(value) + 1))
        case Word(value):
            page.write(value)
        case Count(value) | Metres(value):
            page.write(str(value).replace(".", ","))
        case Box2((x0, y0, x1, y1)):
            wide, high = camera.width, camera.height
            page.drag((x0 / wide, y0 / high), (0.5, 0.5), (x1 / wide, y1 / high))
        case Box3(centre, size):
            page.write(" ".join(map(str, (*centre, *size))))
            assert page.ask("document.querySelector('.drawn').getAttribute('d').length") > 50


def falsified(truth: Truth) -> Truth:
    """Return another truth of the same kind."""
    match truth:
        case Word(value):
            return Word("yes" if value == "no" else "no")
        case Count(value):
            return Count(value + 1)
        case Metres(value):
            return Metres(value * 2)
        case Box2():
            return Box2((1, 2, 3, 4))
        case Box3():
            return Box3((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    return truth


def test_what_is_shown_of_a_scene_depends_on_no_truth(scenes: Path) -> None:
    """Nor on the names that a program gave what it asks about."""
    exam = TeaRun.of_run(scenes / "run", None)
    tasks = [task for task in exam.answered if not task.type.startswith("classification")]
    false = [replace(task, truth=falsified(task.truth), bind={}) for task in tasks]
    told = []
    for some in (tasks, false):
        mine = TeaRun.of_run(scenes / "run", None)
        vars(mine).update(answered=tuple(some), walks=())
        told.append([asdict(each) for each in Tasks(mine, {}, "human").asked])
    assert told[0] == told[1]


def test_another_site_cannot_answer_and_ctrl_c_says_how_to_go_on(tmp_path: Path) -> None:
    run = people.worlds(tmp_path / "run")
    with serving(run) as served:
        strange = f"{served.address.rstrip('/')}x/question-0"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(strange, b"said=mars&seconds=1")
        with urllib.request.urlopen(served.address) as told:
            assert b"12 questions for you" in told.read()
        served.process.send_signal(signal.SIGINT)
        _, said = served.process.communicate()
        assert served.process.returncode == 130
        assert "run the same command again" in said

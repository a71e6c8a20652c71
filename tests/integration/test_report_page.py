"""The report in a real browser: drawn, quiet, usable by keyboard, readable in light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import synthetic
from browser import Browser, browser, find
from worldquiz.t2q.report.page import build

CHROMIUM = find()
pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on PATH: apt-get install chromium to test the page"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = [synthetic.run("scout", "reader"), synthetic.run("idle", "abstainer")]
    return build(runs, tmp_path_factory.mktemp("report") / "report.html")


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


def names(page: Browser, selector: str) -> list[str]:
    found: list[str] = page.run(
        f"[...document.querySelectorAll('{selector}')].map((e) => e.dataset.name)"
    )
    return found


def hit(page: Browser) -> list[object]:
    """Return the task on show and the step that is highlighted and focused."""
    found: list[object] = page.run(
        "[document.querySelector('#tasks [aria-selected=true]').dataset.task,"
        " document.querySelector('.step.hit')?.dataset.step,"
        " document.activeElement === document.querySelector('.step.hit')]"
    )
    return found


def question(page: Browser, name: str) -> str:
    """Return a selector of a question's item."""
    number = page.run(
        "[...document.querySelectorAll('.question')].find((e) => e.textContent.startsWith("
        f"'{name}')).dataset.question"
    )
    return f".question[data-question='{number}']"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(page: Browser, report: Path, scheme: str) -> None:
    page.look(scheme=scheme)
    page.open(report)
    assert page.barriers() == []


def test_the_page_is_quiet_and_fetches_nothing_else(page: Browser, report: Path) -> None:
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith("data:")] == [report.as_uri()]


def test_the_map_shows_what_each_run_saw(page: Browser) -> None:
    assert sorted(names(page, ".map .room")) == ["attic", "cellar", "hall"]
    assert sorted(names(page, ".map .room.seen")) == ["attic", "hall"]
    assert sorted(names(page, ".map .thing.seen")) == ["brass key", "iron chest", "pine table"]
    page.click("#runs [data-run='1']")
    assert names(page, ".map .room.seen") == ["hall"]
    assert "1 of 3 rooms entered" in page.run("document.getElementById('sight').textContent")


def test_the_unseen_looks_other_than_the_seen(page: Browser) -> None:
    style = "getComputedStyle(document.querySelector('.map [data-name=\"{}\"] rect'))"
    dashes = [page.run(f"{style.format(room)}.strokeDasharray") for room in ("hall", "cellar")]
    assert dashes[0] == "none"
    assert dashes[1] != "none"


@pytest.mark.parametrize(
    ("name", "task", "step"),
    [("connectivity-001", "0", "2"), ("direction-001", "0", "2"), ("property-001", "1", "1")],
)
def test_a_question_leads_to_the_step_that_first_answers_it(
    page: Browser, name: str, task: str, step: str
) -> None:
    page.click(f"{question(page, name)} .link")
    assert hit(page) == [task, step, True]
    assert page.run(f"document.querySelector(\"{question(page, name)}\").matches('.hit')")
    inside = page.run(
        "(() => { const s = document.querySelector('.step.hit').getBoundingClientRect(),"
        "p = document.getElementById('steps').getBoundingClientRect();"
        "return s.top >= p.top - 1 && s.top < p.bottom && p.top < innerHeight; })()"
    )
    assert inside


def test_a_question_that_nothing_answers_says_so_and_leads_nowhere(page: Browser) -> None:
    selector = question(page, "location-001")
    assert page.run(f'document.querySelector("{selector} .link")') is None
    text = page.run(f'document.querySelector("{selector}").textContent')
    assert "never shown" in text
    assert "rightly abstained" in text
    assert "iron chest" in text


def test_a_step_leads_back_to_the_questions_that_it_answers(page: Browser) -> None:
    page.click(".step[data-step='2'] .link")
    found = page.run("document.querySelector('.question.hit').textContent")
    assert found.startswith("connectivity-001")
    assert names(page, ".map .about") == ["hall"]


def test_the_player_is_where_the_step_is(page: Browser) -> None:
    places = []
    for step in (0, 2):
        page.click(f".step[data-step='{step}'] .command")
        places.append(page.run("Number(document.querySelector('.you').getAttribute('cy'))"))
    assert places[1] < places[0]  # the attic is north of the hall


def test_a_thing_on_the_map_leads_to_the_step_that_showed_it(page: Browser) -> None:
    page.click(".map .thing[data-name='iron chest'] text")
    assert hit(page) == ["0", "2", True]


def test_all_of_it_works_by_keyboard(page: Browser) -> None:
    page.run("document.querySelector('#runs [aria-selected=true]').focus()")
    page.press("ArrowRight")
    assert page.run("document.activeElement.dataset.run") == "1"
    assert names(page, ".map .room.seen") == ["hall"]
    page.press("ArrowLeft")
    page.run("document.querySelector('#tasks [aria-selected=true]').focus()")
    page.press("ArrowRight")
    assert hit(page)[0] == "1"
    page.run("document.querySelector('.map .room[data-name=attic]').focus()")
    page.press("Enter")
    assert hit(page) == ["0", "2", True]
    page.press("ArrowUp")
    assert hit(page) == ["0", "1", True]
    page.run(f'document.querySelector("{question(page, "property-001")} .link").focus()')
    page.press("Enter")
    assert hit(page) == ["1", "1", True]


def test_only_what_was_seen_is_a_stop_for_the_keyboard(page: Browser) -> None:
    stops = names(page, ".map [tabindex]")
    assert "attic" in stops
    assert "cellar" not in stops


def test_filters_count_what_they_keep(page: Browser) -> None:
    kept = {}
    for value in ("", "answerable", "blind", "right", "wrong", "abstained"):
        page.run(
            f"(() => {{ const s = document.getElementById('verdict'); s.value = '{value}';"
            "s.dispatchEvent(new Event('change')); })()"
        )
        kept[value] = page.run("document.querySelectorAll('.question').length")
        assert page.run("document.getElementById('tally').textContent") == (
            f"{kept[value]} of 6 questions"
        )
    assert kept == {"": 6, "answerable": 3, "blind": 3, "right": 4, "wrong": 2, "abstained": 2}


def test_an_address_leads_to_a_world_run_and_step(tab: Browser, report: Path) -> None:
    tab.open(report, "#world=hard-01&run=A&task=2&step=1")
    assert tab.run("document.getElementById('world').selectedOptions[0].text") == "hard-01"
    assert hit(tab) == ["1", "1", True]
    tab.click("#previous")
    assert "world=easy-00" in tab.run("location.hash")
    assert tab.complaints() == []


@pytest.mark.parametrize("fragment", ["#world=nowhere", "#world=easy-00&run=Z&task=99&step=99"])
def test_an_address_of_nothing_shows_something(tab: Browser, report: Path, fragment: str) -> None:
    tab.open(report, fragment)
    assert tab.complaints() == []
    assert tab.run("document.querySelectorAll('.map .room').length") == 3


def test_a_hostile_reply_is_text(tab: Browser, tmp_path: Path) -> None:
    tab.open(build([synthetic.run(replies=synthetic.HOSTILE)], tmp_path / "report.html"))
    text = tab.run(f'document.querySelector("{question(tab, "direction-001")}").textContent')
    assert synthetic.NASTY in text
    assert tab.run("document.querySelectorAll('img').length") == 0
    assert not [event for event in tab.events if "javascriptDialog" in event["method"]]


def test_no_other_script_can_run(page: Browser) -> None:
    page.run(
        "document.body.append(Object.assign(document.createElement('script'),"
        "{textContent: 'window.smuggled = 1'}))"
    )
    assert page.run("window.smuggled") is None


def upto(page: Browser, command: int) -> str:
    """Move the slider, and return what the page says of that moment."""
    page.run(
        f"(() => {{ const e = document.getElementById('upto'); e.value = '{command}';"
        "e.dispatchEvent(new Event('input')); })()"
    )
    return str(page.run("document.getElementById('then').textContent"))


def test_the_slider_shows_the_map_and_the_knowledge_of_then(page: Browser) -> None:
    assert page.run("document.getElementById('upto').value") == "3"
    first = upto(page, 0)
    assert first.startswith(
        "After 0 of 3 commands: 0 of 6 questions answerable (dashed), knowledge"
    )
    assert names(page, ".map .room.seen") == ["hall"]
    second = upto(page, 2)
    assert second.startswith("After 2 of 3 commands (task 1, step 2): 2 of 6 questions answerable")
    assert sorted(names(page, ".map .room.seen")) == ["attic", "hall"]
    assert hit(page)[:2] == ["0", "2"]
    assert "step=2" in page.run("location.hash")
    assert page.run("document.getElementById('sight').checkVisibility()") is False
    assert upto(page, 3).startswith("After 3 of 3 commands: 3 of 6 questions")
    assert hit(page)[:2] == ["1", "1"]
    upto(page, 1)
    page.click("#end")
    assert page.run("document.getElementById('upto').value") == "3"
    assert page.run("document.getElementById('sight').checkVisibility()") is True
    label = "document.getElementById('upto').getAttribute('aria-valuetext')"
    assert page.run(label).startswith("After 3 of 3 commands: 3 of 6 questions")
    assert page.complaints() == []


def test_the_curve_only_rises_in_coverage_and_ends_at_the_score(page: Browser) -> None:
    drawn = page.run("document.querySelector('#curve .coverage').getAttribute('d')")
    heights = [float(each) for each in re.findall(r"(?:M0 |V)([\d.]+)", drawn)]
    assert len(heights) == 4
    assert heights == sorted(heights, reverse=True)


def test_a_question_stands_beside_the_text_and_the_map_of_its_moment(page: Browser) -> None:
    page.run(f'document.querySelector("{question(page, "property-001")}").focus()')
    assert hit(page)[:2] == ["1", "1"]
    assert page.run("document.getElementById('upto').value") == "3"
    assert page.run("document.getElementById('here').textContent").endswith("task 2, step 1.")
    assert page.run("getComputedStyle(document.querySelector('.you')).display") == "block"
    assert "&step=1&question=" in page.run("location.hash")
    page.run(f'document.querySelector("{question(page, "location-001")}").focus()')
    assert page.run("document.querySelector('.step.hit')") is None  # nothing settles it
    assert page.run("document.getElementById('here').textContent") == (
        "As known at the end of the run."
    )
    edges = "[...document.querySelectorAll('.pane')].map((e) => e.getBoundingClientRect().{})"
    assert len(set(page.run(edges.format("top")))) == 1
    page.look(width=420)
    assert len(set(page.run(edges.format("left")))) == 1


def test_a_map_takes_the_whole_width_and_the_address_says_so(page: Browser, report: Path) -> None:
    width = "document.querySelector('.mapped').getBoundingClientRect().width"
    narrow = page.run(width)
    page.click("button.spread")
    assert page.run(width) > 2 * narrow
    page.open(report, page.run("location.hash"))
    assert page.run(width) > 2 * narrow
    page.click("button.spread")
    assert page.run(width) == narrow
    assert "wide" not in page.run("location.hash")


def test_a_task_begins_where_the_map_stands(page: Browser) -> None:
    page.click("#tasks [data-task='1']")
    assert hit(page)[:2] == ["1", "0"]
    assert page.run("document.getElementById('upto').value") == "2"


def listed(page: Browser, **filters: str) -> list[str]:
    """Set filters of the list of all questions, and return the questions that it shows."""
    for name, value in filters.items():
        page.run(
            f"(() => {{ const e = document.querySelector('#filters [name={name}]');"
            f"e.value = '{value}'; e.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
        )
    found: list[str] = page.run(
        "[...document.querySelectorAll('#table tbody tr')].map((e) => e.dataset.at)"
    )
    return found


def test_the_list_of_all_questions_is_filtered_over_worlds_and_runs(page: Browser) -> None:
    assert len(listed(page)) == 12
    assert listed(page, which="wrong:0") == ["0.1", "0.3", "1.1", "1.3"]
    assert len(listed(page, which="wrong:1")) == 0
    assert listed(page, which="differ", level="hard") == ["1.1", "1.3"]
    assert listed(page, words="SOUTH") == ["1.3"]
    assert "which=differ&level=hard&words=SOUTH" in page.run("location.hash")
    assert page.run("document.getElementById('count').textContent") == "1 of 1 questions shown"


def test_an_address_brings_the_filters_back(tab: Browser, report: Path) -> None:
    tab.open(report, "#which=wrong%3A0&type=direction&level=nowhere")
    assert listed(tab) == ["0.3", "1.3"]
    assert tab.run("document.querySelector('#filters [name=type]').value") == "direction"


def test_a_question_of_the_list_is_shown_in_its_world_with_the_filters_kept(page: Browser) -> None:
    listed(page, which="wrong:0")
    page.click("#table tr[data-at='1.3'] a")
    assert page.run("document.getElementById('world').selectedOptions[0].text") == "hard-01"
    assert page.run("document.querySelector('.question.hit').dataset.question") == "3"
    address = page.run("location.hash")
    assert "world=hard-01&question=4" in address
    assert "which=wrong%3A0" in address
    assert len(listed(page)) == 4


def test_keys_walk_through_questions_and_lead_to_the_search(page: Browser) -> None:
    at = "document.activeElement.closest('tr')?.dataset.at"
    for key, wanted in (("j", "0.0"), ("j", "0.1"), ("ArrowDown", "0.2"), ("k", "0.1")):
        page.press(key)
        assert page.run(at) == wanted
    page.press("/")
    assert page.run("document.activeElement.name") == "words"
    page.press("j")
    assert page.run("document.activeElement.value") == "j"
    page.press("Escape")
    assert page.run("document.activeElement.name") is None
    listed(page, words="")
    page.run("document.querySelector('#asked .question').focus()")
    page.press("j")
    assert page.run("document.activeElement.dataset.question") == "1"
    assert names(page, ".map .about") != []
    page.run("document.querySelector('[name=keys]').click()")
    page.press("/")
    assert page.run("document.activeElement.name") != "words"


def test_the_first_screen_has_findings_the_plot_and_its_table(page: Browser) -> None:
    bottom = "document.querySelector('.first > figure svg').getBoundingClientRect().bottom"
    assert page.run(bottom) < 1000
    title = "document.querySelector('.first svg title').textContent"
    assert page.run(title) == "Doing against knowing"
    page.click(".runs thead th:nth-child(2) button")
    order = "[...document.querySelectorAll('.runs tbody .tag')].map((e) => e.textContent).join('')"
    assert page.run(order) in ("AB", "BA")
    assert page.run("document.querySelector('.runs th[aria-sort]').ariaSort") == "descending"


CONTRAST = """
(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const part = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
      const share = byte / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const style = getComputedStyle(document.documentElement);
  const of = (name) => light(style.getPropertyValue(name).trim());
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const found = {};
  for (const name of ["--ink", "--soft", "--accent", "--good", "--bad",
                      ...Array.from({ length: 8 }, (_, n) => "--run-" + n)]) {
    for (const under of ["--paper", "--card"]) {
      found[name + " on " + under] = ratio(of(name), of(under));
    }
  }
  found["--ink on --mark"] = ratio(of("--ink"), of("--mark"));
  return found;
})()
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_dark(tab: Browser, report: Path, scheme: str) -> None:
    tab.look(scheme=scheme)
    tab.open(report)
    weak = {pair: ratio for pair, ratio in tab.run(CONTRAST).items() if ratio < 4.5}
    assert weak == {}


def test_light_and_dark_differ(tab: Browser, report: Path) -> None:
    tab.open(report)
    paper = "getComputedStyle(document.body).backgroundColor"
    papers = []
    for scheme in ("light", "dark"):
        tab.look(scheme=scheme)
        papers.append(tab.run(paper))
    assert papers[0] != papers[1]


@pytest.mark.parametrize("width", [360, 800, 1400])
def test_the_page_itself_never_scrolls_sideways(tab: Browser, report: Path, width: int) -> None:
    tab.look(width=width)
    tab.open(report)
    assert tab.run("document.documentElement.scrollWidth") <= width


def test_the_scores_fit_a_screen_of_1200_and_types_show_knowledge_alone(
    tab: Browser, report: Path
) -> None:
    tab.look(width=1200)
    tab.open(report)
    box = "document.querySelector('#scores .scroll')"
    assert tab.run(f"{box}.scrollWidth <= {box}.clientWidth")
    for part in ("types", "levels"):
        shown = f"document.querySelector('#{part} table').caption.textContent"
        assert tab.run(shown).startswith("Knowledge by")
        assert tab.run(f"document.querySelector('#{part} details').open") is False
    tab.look()


def test_paper_shows_whole_transcripts_and_no_buttons(page: Browser) -> None:
    page.look(media="print")
    assert page.run("getComputedStyle(document.querySelector('nav')).display") == "none"
    overflow = page.run("getComputedStyle(document.getElementById('steps')).overflowY")
    assert overflow == "visible"


def test_without_scripts_the_tables_stand(tab: Browser, report: Path) -> None:
    tab.send("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.open(report)
        tree = tab.send("DOM.getDocument", depth=-1)["root"]
        seen = tab.send("DOM.querySelectorAll", nodeId=tree["nodeId"], selector="table.main tr")
        assert len(seen["nodeIds"]) == 3
        note = tab.send("DOM.querySelector", nodeId=tree["nodeId"], selector="noscript p")
        assert note["nodeId"]
    finally:
        tab.send("Emulation.setScriptExecutionDisabled", value=False)


# Runs with language models


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    runs = [
        synthetic.model_run("qwen3-32b-instruct", "in-context"),
        synthetic.model_run("qwen3-32b-instruct", "mem0", confidences=()),
        synthetic.run("idle", "abstainer"),
    ]
    return build(runs, tmp_path_factory.mktemp("models") / "report.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_about_models_is_quiet_and_nothing_of_it_is_out_of_sight(
    tab: Browser, models: Path, scheme: str
) -> None:
    tab.look(width=1300, scheme=scheme)
    tab.open(models)
    assert tab.complaints() == []
    assert tab.requests() == [models.as_uri()]
    wide = "main section:not(.wide) .scroll, main figure"
    assert tab.run(
        f"[...document.querySelectorAll('{wide}')].filter((e) => e.scrollWidth > e.clientWidth + 1)"
        ".map((e) => e.getAttribute('aria-label'))"
    ) in ([], ["Shares by type of question"])  # whose five intervals may need scrolling


def test_every_cause_has_a_colour_of_its_own_in_light_and_in_dark(
    tab: Browser, models: Path
) -> None:
    for scheme in ("light", "dark"):
        tab.look(scheme=scheme)
        tab.open(models)
        colours = tab.run(
            "[...document.querySelectorAll('#causes .dot')].map("
            "(e) => getComputedStyle(e).backgroundColor)"
        )
        assert len(set(colours)) == 7 + 1  # the last is for what is open

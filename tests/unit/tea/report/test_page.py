"""The page of TEA-Test: tables, walks and tasks, from records alone and safe for any reply."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tea_contest
from pages import Reader
from worldquiz.tea.report import examples
from worldquiz.tea.report.page import build, render
from worldquiz.tea.report.plan import ending, outline, picked
from worldquiz.tea.report.tables import (
    HUMAN,
    RANGES,
    TABLE_3,
    TABLE_4,
    entries,
    human,
    models,
    pairs,
)
from worldquiz.tea.scoring.contest import Contest, Role


@pytest.fixture(scope="module")
def contest() -> Contest:
    return tea_contest.contest(more={tea_contest.NASTY: tea_contest.nasty})


@pytest.fixture(scope="module")
def html(contest: Contest) -> str:
    return render(contest)


@pytest.fixture(scope="module")
def page(html: str) -> Reader:
    return Reader(html)


def test_tags_match_and_names_and_replies_are_only_text(page: Reader, html: str) -> None:
    assert not page.open
    assert "<img src=x" not in html  # in the list of all tasks it is JSON, with no bracket
    assert "<b onclick" not in html
    assert not [attrs for _, attrs in page.tags if "onerror" in attrs or "onclick" in attrs]


def test_takers_stand_in_groups_and_the_ceiling_is_one_everywhere(
    contest: Contest, page: Reader
) -> None:
    shown = entries(contest)
    assert [entry.role for entry in shown] == sorted(
        (entry.role for entry in shown), key=[*Role].index
    )
    assert {cell.mean for cell in shown[-1].types.values()} == {1.0}
    assert [entry.tag for entry in shown] == ["A", "B", "C", "D", "E"]
    for words in ("lower-bound baselines", "measured", "upper-bound baseline", "chance"):
        assert words in page.text


def test_ill_formed_replies_are_counted_in_the_table(contest: Contest, page: Reader) -> None:
    entry = next(e for e in entries(contest) if e.name == tea_contest.NASTY)
    assert entry.types["depth"].ill_formed == entry.types["depth"].asked == 8
    assert entry.types["depth"].mean == 0
    assert "8 ill-formed" in page.text


def test_what_was_not_asked_and_what_is_uncertain_is_said(page: Reader) -> None:
    assert "Not asked: mirror-counting" in page.text
    assert "With 1 scene, intervals are over tasks" in page.text


def test_walks_are_drawn_with_rooms_mirror_goal_and_ways(html: str, contest: Contest) -> None:
    assert html.count('class="plan"') == len(contest.walks) == 3
    assert html.count("<symbol") == 1
    assert html.count('class="ring"') == 3 + 1  # and the key
    assert html.count('class="walk there"') == 2 * 3
    assert html.count('class="walk short"') == 3 * 3
    assert 'class="mirror"' in html
    assert "there in 2 moves" in html
    assert "gave up 2.0 m short, after 1 move" in html


def test_tasks_are_shown_with_pictures_boxes_truth_and_answers(html: str, page: Reader) -> None:
    shown = [attrs for tag, attrs in page.tags if tag == "article"]
    assert len(shown) == 6 * examples.EACH
    sources = [attrs["src"] or "" for tag, attrs in page.tags if tag == "img"]
    assert len(sources) >= len(shown)
    assert all(source.startswith("data:image/jpeg;base64,") for source in sources)
    assert '<g class="given yellow">' in html
    assert '<g class="truth"><rect' in html
    assert '<g class="truth"><path' in html  # a box in space, as the camera would see it
    assert "the yellow box" in page.text


def test_without_pictures_the_page_says_so_and_the_scores_are_the_same(contest: Contest) -> None:
    few = only(contest, "in-view")
    bare = replace(few, look=None, scenes={})
    text, told = Reader(render(bare)).text, Reader(render(few)).text
    assert "The folder of tasks was not found" in text
    assert "0 of them with pictures" in text
    assert "Walks from above" not in text
    scores = [
        each[each.index("Table 3: scores") : each.index("How to read")] for each in (text, told)
    ]
    assert scores[0] == scores[1]


def test_pictures_keep_within_their_room(contest: Contest) -> None:
    found = examples.examples(contest, entries(contest), most=3000)
    told, pictured = examples.count(found)
    assert 0 < pictured < told
    size = sum(len(uri) for some in found.values() for e in some for uri in (e.view, *e.cuts))
    assert size < 3000 + 30 * told


def test_the_same_contest_gives_the_same_bytes(contest: Contest, html: str) -> None:
    assert render(contest) == html


def only(contest: Contest, type: str) -> Contest:
    """Return a contest without walks, about one type of task."""
    tasks = {id: task for id, task in contest.tasks.items() if task.type == type}
    takers = tuple(
        replace(each, trips={}, answers={id: each.answers[id] for id in tasks})
        for each in contest.contestants
    )
    return replace(contest, tasks=tasks, walks={}, contestants=takers)


def test_a_page_of_tasks_only_or_of_walks_only(contest: Contest) -> None:
    answered = only(contest, "in-view")
    assert "Table 4" not in Reader(render(answered)).text
    walked = replace(contest, tasks={}, chance={}, there={}, contestants=tuple(
        replace(each, answers={}) for each in contest.contestants
    ))  # fmt: skip
    text = Reader(render(walked)).text
    assert "Table 4" in text
    assert "Table 3: scores" not in text


def test_a_page_about_one_taker(contest: Contest) -> None:
    few = only(contest, "in-view")
    alone = replace(few, contestants=few.contestants[3:4])
    assert "What noisy perceives" in Reader(render(alone)).text


def test_a_page_of_nobody_is_refused(contest: Contest, tmp_path: object) -> None:
    with pytest.raises(ValueError, match="at least one"):
        build(replace(contest, contestants=()), tmp_path)  # type: ignore[arg-type]


def test_pairs_leave_out_the_ceiling_and_floors_among_themselves(contest: Contest) -> None:
    found = {(pair.left.name, pair.right.name) for pair in pairs(entries(contest))}
    assert ("random", "prior") not in found
    assert ("random", "noisy") in found
    assert not any("oracle" in pair for pair in found)


def test_the_papers_ranges_are_its_greatest_less_its_least_value() -> None:
    assert set(RANGES) == set(TABLE_3)
    for name, row in TABLE_3.items():
        assert RANGES[name] == pytest.approx(max(row) - min(row), abs=1e-9)
        assert human(name) == row[HUMAN]
    assert models("in-view") == (0.1880, 0.4957)
    assert models("depth") is None
    assert human("depth") is None
    assert TABLE_4["o1"][0] == 0.12


def test_an_outline_goes_round_a_turned_box() -> None:
    import scenes

    points = outline(scenes.table("table-1", 0.0, 0.0, turn=0.7))
    assert len(points) == 4
    area = sum(x * y2 - x2 * y for (x, y), (x2, y2) in zip(points, points[1:] + points[:1],
                                                           strict=True)) / 2  # fmt: skip
    assert area == pytest.approx(1.2 * 0.7, abs=1e-3)


def test_walks_that_end_most_differently_come_first_each_scene_in_turn() -> None:
    there, short = (tea_contest.trip("t", arrives=arrives) for arrives in (True, False))
    walks = {"a": "s1", "b": "s1", "c": "s2", "d": "s3"}
    trips = {"a": [there, there], "b": [there, short], "c": [there, there]}
    assert picked(walks, trips, 3) == ["b", "c", "a"]
    assert ending(there) == "there in 2 moves"

"""Laws of the quiz on what was seen, whatever was seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from recalls import answered, flat, look, recall, scored
from views import sighting
from worldquiz.facts.question import ABSTAIN
from worldquiz.tea.recall.answerers import baseline
from worldquiz.tea.recall.questions import FlatQuestion, Standing, ask
from worldquiz.tea.recall.quiz import Walked
from worldquiz.tea.recall.shown import Space, evidence
from worldquiz_scenes.view import Reflection, View

RANK = (Standing.NOT_SHOWN, Standing.UNCLEAR, Standing.ANSWERABLE)
SCENE, SPACE = flat(), Space(flat())
THINGS = st.sampled_from([each.id for each in SCENE.things])
SEEN = st.builds(
    lambda thing, pixels, visible: sighting(thing, pixels, visible=visible),
    THINGS, st.integers(1, 2000), st.sampled_from([0.1, 0.5, 1.0]),
)  # fmt: skip
MIRRORED = st.builds(
    lambda thing, pixels: Reflection(thing, "mirror-1", pixels, 1.0, (0, 0, 9, 9)),
    THINGS, st.integers(1, 800),
)  # fmt: skip


@cache
def quiz() -> tuple[FlatQuestion, ...]:
    return ask(SCENE, each=5)


@st.composite
def walks(draw: st.DrawFn) -> list[View]:
    """Draw a walk: places in rooms, and anything that could be seen from them."""
    views = []
    for number in range(draw(st.integers(0, 5))):
        seen = draw(st.lists(SEEN, max_size=8, unique_by=lambda each: each.thing))
        mirrored = draw(st.lists(MIRRORED, max_size=2, unique_by=lambda each: each.thing))
        x, y = draw(st.floats(0.3, 13.7)), draw(st.floats(0.3, 3.7))
        heading = draw(st.floats(-3, 3))
        views.append(look(number, x, y, heading, *seen, reflections=tuple(mirrored)))
    return views


@settings(max_examples=15, deadline=None)
@given(walks())
def test_more_views_never_lower_a_standing_and_hints_come_no_later(views: list[View]) -> None:
    before = dict.fromkeys((item.id for item in quiz()), Standing.NOT_SHOWN)
    for count in range(len(views) + 1):
        found = evidence(SCENE, views[:count], SPACE)
        now = {item.id: item.standing(found) for item in quiz()}
        assert all(RANK.index(now[id]) >= RANK.index(before[id]) for id in now)
        before = now
    for item in quiz():
        settled, hinted = found.earliest(item.question.requires), found.earliest(item.hints)
        assert settled is None or (hinted is not None and hinted <= settled)


@settings(max_examples=15, deadline=None)
@given(walks(), st.data())
def test_abstaining_knows_nothing_and_the_truth_is_worth_coverage(
    views: list[View], data: st.DataObject
) -> None:
    made = recall(SCENE, views=tuple(views), items=quiz())

    def told(say: Callable[[Walked, FlatQuestion], str]) -> dict[str, Any]:
        return scored(made, answered(made, say))

    nothing, everything = told(lambda *_: ABSTAIN), told(baseline("oracle", made))
    assert nothing["counts"]["correct_answerable"] == 0
    assert everything["counts"]["correct"] == everything["counts"]["questions"]
    assert everything["known"] == everything["coverage"]
    draw = data.draw(st.randoms(use_true_random=False))
    some = told(lambda *_: draw.choice(["red", "kitchen", "2", ABSTAIN]))["counts"]
    assert some["correct_answerable"] <= everything["counts"]["correct_answerable"]
    assert some["overclaimed"] + some["abstained_rightly"] == some["non_answerable"]

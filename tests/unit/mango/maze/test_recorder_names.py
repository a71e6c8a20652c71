"""Names for places: the law that all differ, and how namesakes are told apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from worldquiz.mango.maze.recorder.places import Features, PlaceMark, named

WORDS = st.sampled_from(["Hall", "hall", "Hall (1)", "hall (exit north)", "Cave", "cave (2)"])
SIGHTS = st.builds(
    Features,
    WORDS,
    st.lists(st.sampled_from(["east", "north", "up"]), unique=True).map(lambda e: tuple(sorted(e))),
    st.lists(st.sampled_from(["It is dark.", "A rope.", "A bed."]), max_size=2).map(tuple),
)


@given(st.lists(SIGHTS, max_size=9))
def test_no_two_places_have_one_name(sights: list[Features]) -> None:
    names = [name.name for name in named(sights)]
    assert len(set(names)) == len(sights)
    for name, sight in zip(names, sights, strict=True):
        assert name.startswith(sight.title.lower())


def test_a_title_of_its_own_is_the_name() -> None:
    (name,) = named([Features("West of House", ("north",), ())])
    assert (name.name, name.mark) == ("west of house", PlaceMark.NONE)


def test_namesakes_differ_by_exits_first() -> None:
    names = named([Features("Hall", ("east", "up"), ()), Features("Hall", ("east",), ())])
    assert [name.name for name in names] == ["hall (exits east, up)", "hall (exit east)"]
    assert {name.mark for name in names} == {PlaceMark.EXITS}


def test_then_by_a_sentence_that_only_one_has() -> None:
    hall = ("A hall.", "Stairs lead up.")
    names = named(
        [Features("Hall", ("up",), hall), Features("Hall", ("up",), ("A hall.", "A bed."))]
    )
    assert [name.name for name in names] == ["hall (stairs lead up)", "hall (a bed)"]


def test_then_by_number_in_the_order_of_visits() -> None:
    names = named([Features("Maze", ("up",), ())] * 2)
    assert [name.name for name in names] == ["maze (1)", "maze (2)"]
    assert {name.mark for name in names} == {PlaceMark.NUMBER}

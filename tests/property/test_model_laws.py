"""The laws of facts, requirements and evidence, and that records come back as they were."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from worldquiz.facts.episode import Episode, Observation, Outcome, Step
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact, parse
from worldquiz.facts.requirement import (
    START,
    All,
    AnyOf,
    Moment,
    Reachable,
    Requirement,
    Seen,
    all_of,
    any_of,
    earliest,
)
from worldquiz.records import dumps
from worldquiz.t2q.compass import DIRECTIONS, OPPOSITE
from worldquiz.t2q.question import MIX, Format, Question
from worldquiz.t2q.quiz.connectivity import walked
from worldquiz.t2q.world import predicates as vocabulary
from worldquiz.t2q.world.predicates import LEADS, PREDICATES
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb

ROOMS = ("attic", "cellar", "kitchen", "old study")
NAMES = st.sampled_from((*ROOMS, "apple", "red key", "iron door"))
FREE_NAMES = st.text(st.characters(exclude_characters=",()\n", codec="utf-8")).filter(
    lambda name: name and name == name.strip() and not name[0].isspace()
)


def facts(names: st.SearchStrategy[str] = NAMES) -> st.SearchStrategy[Fact]:
    return st.sampled_from(sorted(PREDICATES)).flatmap(
        lambda name: st.tuples(*[names] * len(PREDICATES[name].roles)).map(
            lambda args: PREDICATES[name](*args)
        )
    )


FACTS = facts()
FEW = st.sampled_from([
    *(LEADS(one, "east", other) for one, other in permutations(ROOMS, 2)),
    *map(vocabulary.OPEN, ROOMS), vocabulary.DOOR_AT("attic", "kitchen", "cellar"),
])  # fmt: skip
"""Facts so few that many of those required are seen."""
MOMENTS = st.builds(Moment, st.integers(0, 3), st.integers(0, 9))
SEEN = st.dictionaries(FEW, MOMENTS, max_size=12)
REQUIREMENTS: st.SearchStrategy[Requirement] = st.recursive(
    st.builds(Seen, FEW) | st.builds(Reachable, st.sampled_from(ROOMS), st.sampled_from(ROOMS)),
    lambda inner: (
        st.builds(All, st.lists(inner, max_size=3).map(tuple))
        | st.builds(AnyOf, st.lists(inner, max_size=3).map(tuple))
    ),
    max_leaves=8,
)


# Facts


@given(facts(FREE_NAMES))
def test_a_fact_reads_back_from_its_text(fact: Fact) -> None:
    assert parse(str(fact)) == fact


@given(facts(FREE_NAMES), facts(FREE_NAMES))
def test_two_facts_never_look_alike(one: Fact, other: Fact) -> None:
    assert (str(one) == str(other)) == (one == other)


PARTS = st.sampled_from([*PREDICATES, "(", ")", ", ", ",", " ", "attic", "red key", "north"])


@given(st.text() | st.lists(PARTS, max_size=8).map("".join) | FACTS.map(str))
def test_any_text_is_a_fact_or_is_refused(text: str) -> None:
    try:
        fact = parse(text)
    except ValueError:
        return
    assert str(fact) == text


@given(st.text())
def test_a_name_reads_back_or_is_refused(name: str) -> None:
    try:
        fact = vocabulary.AT(name, "attic")
    except ValueError:
        return
    assert parse(str(fact)) == fact


# Requirements


@given(SEEN, FEW)
def test_a_fact_is_met_at_its_first_sight(seen: dict[Fact, Moment], other: Fact) -> None:
    found = {fact: earliest(Seen(fact), seen) for fact in (*seen, other)}
    assert found == {other: None, **seen}


@given(REQUIREMENTS, SEEN, FEW, MOMENTS)
def test_seeing_more_never_makes_a_requirement_false_or_later(
    requirement: Requirement, seen: dict[Fact, Moment], fact: Fact, moment: Moment
) -> None:
    before = earliest(requirement, seen)
    after = earliest(requirement, {**seen, fact: min(moment, seen.get(fact, moment))})
    assert before is None or (after is not None and after <= before)


@given(REQUIREMENTS, SEEN)
def test_a_requirement_is_met_by_what_was_seen_until_its_moment(
    requirement: Requirement, seen: dict[Fact, Moment]
) -> None:
    moment = earliest(requirement, seen)
    if moment is not None:
        until = {fact: when for fact, when in seen.items() if when <= moment}
        before = {fact: when for fact, when in seen.items() if when < moment}
        assert earliest(requirement, until) == moment
        assert moment == START or earliest(requirement, before) is None


@given(REQUIREMENTS, SEEN)
def test_the_order_in_which_facts_are_listed_does_not_matter(
    requirement: Requirement, seen: dict[Fact, Moment]
) -> None:
    backwards = dict(reversed(list(seen.items())))
    assert earliest(requirement, seen) == earliest(requirement, backwards)


@given(st.lists(REQUIREMENTS, max_size=4), SEEN)
def test_all_is_the_last_of_its_parts_and_any_the_first(
    parts: list[Requirement], seen: dict[Fact, Moment]
) -> None:
    moments = [earliest(part, seen) for part in parts]
    met = [moment for moment in moments if moment is not None]
    assert earliest(any_of(*parts), seen) == min(met, default=None)
    expected = max(met, default=START) if len(met) == len(parts) else None
    assert earliest(all_of(*parts), seen) == expected
    assert len(parts) != 1 or [all_of(*parts)] == [any_of(*parts)] == parts


@given(st.sampled_from(ROOMS), st.sampled_from(DIRECTIONS), st.sampled_from(ROOMS), SEEN)
def test_a_passage_is_walked_from_either_end(
    room: str, way: str, other: str, seen: dict[Fact, Moment]
) -> None:
    there, back = walked(room, way, other), walked(other, OPPOSITE[way], room)
    assert earliest(there, seen) == earliest(back, seen)


@pytest.mark.parametrize(
    ("fact", "moment"),
    [
        (LEADS("a", "east", "b"), START), (LEADS("b", "west", "a"), START),
        (LEADS("a", "west", "b"), None), (LEADS("b", "east", "a"), None),
        (LEADS("a", "east", "c"), None), (vocabulary.OPEN("a"), None),
    ],
)  # fmt: skip
def test_either_end_of_a_passage_tells_of_it_and_another_passage_nothing(
    fact: Fact, moment: Moment | None
) -> None:
    assert earliest(walked("a", "east", "b"), {fact: START}) == moment


def _reach(pairs: Iterable[tuple[str, str]], source: str) -> set[str]:
    found, edges = {source}, list(pairs)
    while new := {b for a, b in edges if a in found} | {a for a, b in edges if b in found}:
        if new <= found:
            return found
        found |= new
    return found


@given(SEEN, *[st.sampled_from(ROOMS)] * 2)
def test_rooms_are_reachable_once_walked_passages_join_them(
    seen: dict[Fact, Moment], source: str, target: str
) -> None:
    moment = earliest(Reachable(source, target), seen)
    times = [START, *sorted(set(seen.values()))]
    joined = [
        when
        for when in times
        for known in [[fact for fact, at in seen.items() if at <= when]]
        if target in _reach(((a, b) for a, _, b in LEADS.of(known)), source)
    ]
    assert moment == (START if source == target else next(iter(joined), None))


# Evidence


OBSERVATION = Observation("text", "nothing", 0, False, "Go.")


def episode(revealed: list[list[Fact]]) -> Episode:
    steps = tuple(
        Step(index, None if index == 0 else "look", None, OBSERVATION, tuple(facts), (), ())
        for index, facts in enumerate(revealed)
    )
    return Episode("w", "t", "a", 0, Outcome.GAVE_UP, steps)


EPISODES = st.lists(
    st.lists(st.lists(FEW, max_size=4), min_size=1, max_size=4).map(episode), max_size=3
)


@given(EPISODES, st.frozensets(FEW, max_size=12))
def test_evidence_is_of_the_initial_state_and_at_the_first_sight(
    episodes: list[Episode], initial: frozenset[Fact]
) -> None:
    evidence = Evidence.of(episodes, initial)
    for fact, moment in evidence.first_seen.items():
        assert fact in initial
        assert fact in episodes[moment.episode].steps[moment.step].revealed
    for number, one in enumerate(episodes):
        for step in one.steps:
            for fact in initial.intersection(step.revealed):
                assert evidence.first_seen[fact] <= Moment(number, step.index)


# Records


TEXT = st.text(st.characters(codec="utf-8"))
ABOUT = st.lists(TEXT, max_size=2).map(tuple)
TYPES = st.sampled_from(list(MIX))
FORMATS = st.sampled_from(get_args(Format))
QUESTIONS = st.builds(Question, TEXT, TYPES, TEXT, REQUIREMENTS, ABOUT, FORMATS, ABOUT, ABOUT)
STEPS = st.builds(
    Step,
    st.integers(0, 99),
    st.none() | TEXT,
    st.none() | TEXT,
    st.builds(Observation, TEXT, TEXT, st.integers(0, 1), st.booleans(), TEXT),
    *[st.lists(FACTS, max_size=3).map(tuple)] * 3,
)
RECORDS: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (Requirement, REQUIREMENTS),
    (Question, QUESTIONS),
    (Fact, FACTS),
    (
        Episode,
        st.builds(Episode, TEXT, TEXT, TEXT, st.integers(), st.sampled_from(list(Outcome)),
                  st.lists(STEPS, max_size=3).map(tuple)),
    ),
    (
        Task,
        st.builds(Task, TEXT, st.sampled_from(list(Verb)), TEXT, st.lists(FACTS).map(tuple), TEXT,
                  st.lists(FACTS).map(tuple), ABOUT,
                  st.builds(Solution, ABOUT, st.sampled_from(list(Proof)))),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "records"), RECORDS, ids=[str(kind)[:40] for kind, _ in RECORDS])
@settings(max_examples=50)
@given(data=st.data())
def test_a_record_comes_back_as_it_was(
    kind: Any, records: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    record = data.draw(records)
    line = dumps(record, kind)
    assert "\n" not in line
    again = TypeAdapter(kind).validate_json(line)
    assert again == record
    assert type(again) is type(record)
    assert dumps(again, kind) == line


def test_a_requirement_without_its_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind"):
        TypeAdapter(Requirement).validate_json('{"parts":[]}')

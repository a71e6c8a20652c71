"""Laws of the quiz: what holds of the questions of every world."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SpecOf
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import DOOR_AT, LEADS, MATCH, Fact
from worldquiz.facts.grade import grade
from worldquiz.facts.question import (
    ABSTAIN,
    Format,
    Question,
    Type,
    Where,
    Which,
    YesNo,
    gold,
    prompt,
)
from worldquiz.facts.requirement import START, Moment
from worldquiz.records import dumps
from worldquiz.t2q.quiz.ask import LIMIT, ask
from worldquiz.t2q.quiz.question_builder import CHOICES
from worldquiz.t2q.tasks.targets import task_set
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Verb

worlds = st.builds(
    lambda level, seed: generate(PRESETS[level], seed, id=f"{level}-{seed}", level=level),
    st.sampled_from(sorted(PRESETS)),
    st.integers(0, 10**9),
)
some = settings(max_examples=25, deadline=None)


@some
@given(worlds)
def test_all_that_is_true_makes_all_answerable_and_nothing_makes_nothing(spec: WorldSpec) -> None:
    everything = Evidence(dict.fromkeys(spec.initial, START))
    for question in ask(spec):
        assert everything.earliest(question.requires) == START, question
        assert Evidence({}).earliest(question.requires) is None, question


@some
@given(worlds, st.data())
def test_seeing_more_never_makes_a_question_unanswerable(
    spec: WorldSpec, data: st.DataObject
) -> None:
    facts = sorted(spec.initial)
    seen = data.draw(st.lists(st.sampled_from(facts), max_size=60))
    first = {fact: Moment(0, step) for step, fact in reversed(list(enumerate(seen)))}
    less = Evidence({fact: at for fact, at in first.items() if at.step < len(seen) // 2})
    more = Evidence(first)
    for question in ask(spec):
        early = less.earliest(question.requires)
        assert early is None or more.earliest(question.requires) == early


@some
@given(worlds)
def test_the_number_of_questions_follows_from_the_rules(spec: WorldSpec) -> None:
    """docs/reference/question-rules.md derives the mix from these counts."""
    questions = ask(spec)
    things = spec.of_kind("door", "container", "supporter", "object", "food", "key")
    places = spec.of_kind("room", "container", "supporter")
    passages = len(spec.passages)
    assert len(questions) <= LIMIT
    if len(questions) < LIMIT:
        located = [each for each in questions if each.type is Type.LOCATION]
        described = sum(each.kind == "description" for each in located)
        assert len(located) - described == len(things)
        assert described in (len(places) // 2, (len(places) + 1) // 2)
        behind = sum(
            each.type is Type.CONNECTIVITY and not isinstance(each, YesNo) for each in questions
        )
        lies = sum("one step" in each.text for each in questions)
        ordered_pairs = len(spec.rooms) * (len(spec.rooms) - 1)
        assert lies == min(passages, ordered_pairs)
        assert behind == len(spec.rooms)


@some
@given(worlds)
def test_of_each_sort_as_much_is_true_as_false(spec: WorldSpec) -> None:
    """Within a type, and within what is asked of locks and of lids, by one or two at most."""
    true: Counter[str] = Counter()
    questions = ask(spec)
    for question in questions:
        if isinstance(question, YesNo):
            true[sort_of(question)] += 1 if holds(question) else -1
    slack = 2 if len(questions) < LIMIT else LIMIT
    assert all(abs(more) <= slack for more in true.values()), true


def sort_of(question: YesNo) -> str:
    """Tell a question's type; of properties, whether it is about a lock or about a lid."""
    about_a_lock = question.type is Type.PROPERTY and "locked" in question.text
    return f"{question.type}{' lock' * about_a_lock}"


def holds(question: YesNo) -> bool:
    """Tell whether what a question is about is so, whichever way it is put."""
    return question.answer != any(word in question.text.lower() for word in NEGATIVE)


NEGATIVE = (
    "anywhere but", "no passage", "without", "other than", "wrong", "fail to", "unlocked",
    "not locked", "closed", "shut",
)  # fmt: skip


@some
@given(worlds)
def test_no_two_questions_are_about_one_pair_of_rooms(spec: WorldSpec) -> None:
    """Save where a room lies, which is asked of pairs whether joined or not."""
    rooms = set(spec.of_kind("room"))
    pairs = [
        frozenset(question.about)
        for question in ask(spec)
        if len(question.about) == 2 and set(question.about) <= rooms
        and "one step" not in question.text
    ]  # fmt: skip
    assert len(set(pairs)) == len(pairs)


@some
@given(worlds)
def test_choices_are_four_everywhere(spec: WorldSpec) -> None:
    assert all(len(q.choices) == CHOICES for q in ask(spec) if isinstance(q, Which))


def test_objectives_name_every_key_or_none_of_its_kind(spec_of: SpecOf) -> None:
    """A key that fits nothing is named in the task list as any other key is."""
    for level in PRESETS:
        spec = spec_of(level, 11)
        text = " ".join(task.objective for task in task_set(spec, prove=False).tasks)
        assert all(f"the {key}" in text for key in spec.of_kind("key"))


def test_a_task_list_that_wants_a_door_opened_tells_of_no_question(spec_of: SpecOf) -> None:
    told = asked = 0
    for seed in range(12):
        spec = spec_of("hard", seed)
        tasks = task_set(spec, prove=False).tasks
        opened = {task.goal[0].args[0] for task in tasks if task.verb is Verb.OPEN}
        told += len(opened)
        asked += sum(
            not opened.isdisjoint(question.about)
            for question in ask(spec, tasks)
            if question.type is Type.PROPERTY
        )
    assert told
    assert not asked


@some
@given(worlds)
def test_questions_are_well_formed(spec: WorldSpec) -> None:
    questions = ask(spec)
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        text = question.text
        assert text[0].isupper(), text
        assert text.endswith(("?", ".")), text
        assert "{" not in text, text
        if isinstance(question, Which):
            assert len(set(question.choices)) == len(question.choices)
            assert question.choices.count(question.answer) == 1
        shown = prompt(question)
        assert shown.format == Format(question.kind)
        assert not {"answer", "answers", "requires"} & set(dir(shown))


@some
@given(worlds)
def test_the_gold_answer_is_right_only_when_the_question_is_answerable(spec: WorldSpec) -> None:
    for question in ask(spec):
        right = gold(question)
        assert grade(question, answerable=True, reply=right).value == 1
        assert grade(question, answerable=False, reply=right).value == 0
        assert grade(question, answerable=True, reply=ABSTAIN).value == 0
        assert grade(question, answerable=False, reply=ABSTAIN).value == 1
        assert grade(question, answerable=True, reply="the moon").value == 0


@pytest.mark.slow
@some
@given(worlds)
def test_equal_worlds_get_equal_quizzes(spec: WorldSpec) -> None:
    again = generate(PRESETS[spec.level], spec.seed, id=spec.id, level=spec.level)
    one = [dumps(question, Question) for question in ask(spec)]
    assert one == [dumps(question, Question) for question in ask(again)]


def read_truth(question: YesNo, spec: WorldSpec) -> bool:
    """Answer a yes/no question from the facts by reading its words: shares no code with asking."""
    text = question.text.lower()
    facts = spec.initial
    if question.type is Type.PROPERTY:
        (thing,) = question.about
        words = {
            "not locked": "unlocked", "unlocked": "unlocked", "locked": "locked",
            "stand open": "open", "open": "open", "closed": "shut", "shut": "shut",
        }  # fmt: skip
        state = next(state for word, state in words.items() if word in text.replace(thing, ""))
        return Fact(state, (thing,)) in facts
    if question.type is Type.MATCH:
        key, lock = question.about
        fits = MATCH(key, lock) in facts
        return not fits if "wrong" in text or "fail" in text else fits
    if question.type is Type.CONNECTIVITY:
        one, two = question.about
        joined = any({a, b} == {one, two} for a, _, b in LEADS.of(facts))
        return not joined if "no passage" in text or "without" in text else joined
    if question.type is Type.LOCATION:
        spot, thing = question.about
        there = any(Fact(relation, (thing, spot)) in facts for relation in ("at", "in", "on"))
        return not there if "anywhere but" in text else there
    return read_direction(question, spec)


def read_direction(question: YesNo, spec: WorldSpec) -> bool:
    text = question.text.lower()
    other, room = question.about
    if "one step" in text:
        cells = {r.name: (r.x, r.y) for r in spec.rooms}
        (x0, y0), (x1, y1) = cells[room], cells[other]
        parts = ["north"] * (y1 > y0) + ["south"] * (y1 < y0)
        parts += ["east"] * (x1 > x0) + ["west"] * (x1 < x0)
        asked = text.replace(room, "").replace(other, "")
        named = max((w for w in WORDS if w in asked), key=len)
        return (named == "-".join(parts)) != ("other than" in text)
    way = next(w for w in ("north", "east", "south", "west") if w in text.replace(room, ""))
    leads = Fact("leads", (room, way, other)) in spec.initial
    return leads != ("other than" in text)


WORDS = [
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
]  # fmt: skip


@some
@given(worlds)
def test_yes_and_no_are_true_when_read_off_the_words(spec: WorldSpec) -> None:
    for question in ask(spec):
        if isinstance(question, YesNo):
            assert question.answer == read_truth(question, spec), question


def test_yes_is_right_as_often_as_no(spec_of: SpecOf) -> None:
    for level in PRESETS:
        yes: Counter[tuple[Type, bool]] = Counter()
        for seed in range(40):
            for question in ask(spec_of(level, seed)):
                if isinstance(question, YesNo):
                    yes[question.type, question.answer] += 1
        for type in Type:
            share = yes[type, True] / (yes[type, True] + yes[type, False])
            assert 0.42 < share < 0.58, (level, type, share)


def test_where_accepts_the_holder_and_the_room_around_it(spec_of: SpecOf) -> None:
    spec = spec_of("hard", 4)
    nested = [q for q in ask(spec) if isinstance(q, Where) and len(q.answers) == 2]
    assert nested
    for question in nested:
        holder, room = question.answers
        if question.about[0] in spec.of_kind("door"):
            assert {holder, room} == {
                at for door, at, _ in DOOR_AT.of(spec.facts) if door == question.about[0]
            }
        else:
            assert Fact("at", (holder, room)) in spec.initial
        for reply in (holder, f"The {room}.", f"in the {holder}", room.upper()):
            assert grade(question, answerable=True, reply=reply).value == 1


@pytest.mark.parametrize("level", sorted(PRESETS))
def test_no_question_is_asked_twice_in_the_same_words(level: str, spec_of: SpecOf) -> None:
    doubled = total = 0
    for seed in range(20):
        shown = [prompt(question) for question in ask(spec_of(level, seed))]
        total += len(shown)
        doubled += len(shown) - len(set(shown))
    assert doubled / total < 0.01, f"{doubled} of {total}"

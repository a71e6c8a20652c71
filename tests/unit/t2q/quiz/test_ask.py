"""Laws of the quiz: what holds of the questions of every world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SpecOf
from guessing import unplayed
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import DOOR_AT, LEADS, LISTED, MATCH, Fact
from worldquiz.facts.grade import grade
from worldquiz.facts.question import (
    ABSTAIN,
    Description,
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
from worldquiz.records import digest, dumps
from worldquiz.t2q.builder import worlds as built
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.quiz.answerability import Checkpoints, checkpoint
from worldquiz.t2q.quiz.ask import LIMIT, RULES, ask
from worldquiz.t2q.quiz.question_builder import CHOICES, Sheet
from worldquiz.t2q.reader.questions import spot_of
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.tasks.targets import tasks as tasks_of
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.generate import generate
from worldquiz.t2q.world.spec import HOLDERS, Verb, WorldSpec

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
        assert described == min(len(places) // 2, len(set(places) - named_places(spec, located)))
        direction = sum(each.type is Type.DIRECTION for each in questions)
        pairs = (len(spec.rooms) - 1) * (len(spec.rooms) - 2) // 2  # of all rooms but the first
        assert direction == min(2 * passages, pairs)
        asked = [each for each in questions if each.type is Type.CONNECTIVITY]
        openly = [each.about[0] for each in asked if isinstance(each, Where)]
        others = {room for each in asked if not isinstance(each, Where) for room in named(each)}
        assert sorted([*openly, *others]) == sorted(spec.of_kind("room"))


def named(question: Question) -> tuple[str, ...]:
    """Return what a question is about, and what it offers to choose from."""
    return (*question.about, *(question.choices if isinstance(question, Which) else ()))


def named_places(spec: WorldSpec, located: Iterable[Question]) -> set[str]:
    """Return the places that questions about things other than doors name or offer."""
    named = set[str]()
    for each in located:
        if isinstance(each, Which):
            named.update(map(spot_of, each.choices))
        elif isinstance(each, YesNo) and spec.kinds[each.about[1]] != "door":
            named.add(each.about[0])
    return named


@some
@given(worlds)
def test_no_question_names_an_exit(spec: WorldSpec) -> None:
    """An exit that one question names tells another where rooms lie."""
    ways = {"north", "east", "south", "west"}
    for question in ask(spec):
        words = question.text.rstrip("?").split()
        assert "exit" not in words
        assert "leave" not in words
        assert ways.isdisjoint(words) or "one step straight" in question.text


@some
@given(worlds)
def test_who_is_asked_for_a_neighbour_openly_stands_in_no_claim_about_passages(
    spec: WorldSpec,
) -> None:
    asked = [each for each in ask(spec) if each.type is Type.CONNECTIVITY]
    openly = {each.about[0] for each in asked if isinstance(each, Where)}
    claimed = {room for each in asked if not isinstance(each, Where) for room in named(each)}
    assert openly.isdisjoint(claimed)


@some
@given(worlds)
def test_no_room_stands_to_choose_and_in_a_claim_about_a_passage(spec: WorldSpec) -> None:
    """No passage joins one side of a choice to the other, so its sides tell what is joined."""
    asked = [each for each in ask(spec) if each.type is Type.CONNECTIVITY]
    chosen = {room for each in asked if isinstance(each, Which) for room in named(each)}
    assert chosen.isdisjoint(
        room for each in asked if isinstance(each, YesNo) for room in each.about
    )


@some
@given(worlds)
def test_no_question_names_a_direction_or_where_the_first_room_lies(spec: WorldSpec) -> None:
    """Directions add up, and the exits of the first room are known from the start."""
    for question in ask(spec):
        if question.type is Type.DIRECTION:
            assert question.kind == "what"
            assert spec.start not in question.about
            assert not any(word in question.text for word in ("north", "south", "east", "west"))


def test_of_what_the_start_leaves_open_as_much_is_true_as_false() -> None:
    """The first screen may show that a key is not where a question says, but seldom that it is."""
    plans = [Plan(level, 8, 6) for level in PRESETS]
    made = [bundle(spec) for plan in plans for spec in built(plan).values()]
    counted = 0
    for one in made:
        start = Evidence.of(unplayed(one), one.spec.initial)
        left = [each for each in one.questions if start.earliest(each.requires) is None]
        of_world = balance(left, lambda question: [sort_of(question)])
        assert len(one.questions) == LIMIT or not any(of_world.values()), (one.spec.id, of_world)
        counted += sum(isinstance(each, YesNo) for each in left)
    assert counted > 300


@some
@given(worlds)
def test_a_place_that_stands_to_choose_is_not_described(spec: WorldSpec) -> None:
    located = [each for each in ask(spec) if each.type is Type.LOCATION]
    described = {each.about[0] for each in located if isinstance(each, Description)}
    assert described.isdisjoint(named_places(spec, located))


@some
@given(worlds)
def test_of_each_sort_as_much_is_true_as_false(spec: WorldSpec) -> None:
    """Within a type, and within what is asked of locks and of lids, unless only some are drawn."""
    questions = ask(spec)
    true = balance(questions, lambda question: [sort_of(question)])
    assert len(questions) == LIMIT or not any(true.values()), true


@some
@given(worlds)
def test_of_each_room_and_key_as_much_is_true_as_false(spec: WorldSpec) -> None:
    """Rooms: of the claims about passages. Keys: of what they fit."""
    questions = ask(spec)
    claims = [each for each in questions if each.type in (Type.CONNECTIVITY, Type.MATCH)]

    def named(question: YesNo) -> list[str]:
        places = spec.of_kind("room", "key")
        return [f"{question.type}: {name}" for name in question.about if name in places]

    true = balance(claims, named)
    assert len(questions) == LIMIT or not any(true.values()), true


def balance(questions: Iterable[Question], names: Callable[[YesNo], Iterable[str]]) -> Counter[str]:
    """Return by name how many more questions are about something true than about the false."""
    true: Counter[str] = Counter()
    for question in questions:
        if isinstance(question, YesNo):
            for name in names(question):
                true[name] += 1 if holds(question) else -1
    return true


def sort_of(question: YesNo) -> str:
    """Tell a question's type; of properties, whether it is about a lock or about a lid."""
    about_a_lock = question.type is Type.PROPERTY and "locked" in question.text
    return f"{question.type}{' lock' * about_a_lock}"


def holds(question: YesNo) -> bool:
    """Tell whether what a question is about is so, whichever way it is put."""
    words = question.text.lower()
    for name in question.about:
        words = words.replace(name, "")  # a shutter is not shut
    return question.answer != any(word in words for word in NEGATIVE)


NEGATIVE = (
    "anywhere but", "no passage", "without", "other than", "wrong", "fail to", "unlocked",
    "not locked", "closed", "shut",
)  # fmt: skip


@some
@given(worlds)
def test_no_two_questions_name_one_pair_of_rooms(spec: WorldSpec) -> None:
    """Save where a room lies: where pairs run out, that is asked of others too."""
    rooms = set(spec.of_kind("room"))
    named: list[frozenset[str]] = []
    lies: set[frozenset[str]] = set()
    for question in ask(spec):
        pair = frozenset(question.about)
        if len(question.about) != 2 or not pair <= rooms:
            continue
        if "one step" in question.text:
            assert pair not in lies, question
            lies.add(pair)
        else:
            named.append(pair)
    assert len(set(named)) == len(named)


@some
@given(worlds)
def test_of_a_door_no_rooms_are_offered_to_choose_from(spec: WorldSpec) -> None:
    """The rooms among which a door is sought would be rooms that it does not join."""
    doors = spec.of_kind("door")
    located = [each for each in ask(spec) if each.type is Type.LOCATION]
    assert {each.kind for each in located if each.about[-1] in doors} <= {"where", "yes_no"}


@some
@given(worlds)
def test_choices_are_four_everywhere(spec: WorldSpec) -> None:
    assert all(len(q.choices) == CHOICES for q in ask(spec) if isinstance(q, Which))


def test_objectives_name_every_key_or_none_of_its_kind(spec_of: SpecOf) -> None:
    """A key that fits nothing is named in the task list as any other key is."""
    for level in PRESETS:
        spec = spec_of(level, 11)
        text = " ".join(task.objective for task in tasks_of(spec))
        assert all(f"the {key}" in text for key in spec.of_kind("key"))


def test_what_the_task_list_opens_or_fills_stands_in_no_question_about_a_lock(
    spec_of: SpecOf,
) -> None:
    told = asked = 0
    for seed in range(12):
        spec = spec_of("hard", seed)
        tasks = tasks_of(spec)
        opened = {task.goal[0].args[0] for task in tasks if task.verb is Verb.OPEN}
        filled = {task.goal[0].args[1] for task in tasks if task.verb is Verb.PUT}
        named = opened | filled.intersection(spec.of_kind("container"))
        told += len(opened) * len(filled)
        asked += sum(
            not named.isdisjoint(question.about)
            for question in ask(spec, tasks)
            if question.type in (Type.PROPERTY, Type.MATCH) and isinstance(question, YesNo)
        )
    assert told
    assert not asked


def test_what_an_objective_names_is_not_described(spec_of: SpecOf) -> None:
    """Of 362 holders of 100 worlds of the preset explore that one named, all were empty."""
    named, described = set[str](), set[str]()
    for level, seed in product(PRESETS, range(5, 13)):
        spec = spec_of(level, seed)
        tasks = tasks_of(spec)
        text = " ".join(task.objective for task in tasks)
        places = spec.of_kind("room", *HOLDERS)
        named |= {f"{spec.id} {place}" for place in places if place in text}
        asked = [each for each in ask(spec, tasks) if isinstance(each, Description)]
        described |= {f"{spec.id} {each.about[0]}" for each in asked}
    assert named
    assert described
    assert not named & described


def test_no_task_puts_a_key_into_a_container(spec_of: SpecOf) -> None:
    """It would mostly be the container that the key unlocks."""
    put = [
        (spec.kinds[thing], spec.kinds[holder])
        for seed in range(12)
        for spec in (spec_of("easy", seed),)
        for task in tasks_of(spec)
        if task.verb is Verb.PUT
        for thing, holder in (task.goal[0].args,)
    ]
    assert put
    assert ("key", "container") not in put


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
        there = there or spot in {room for door, room, _ in DOOR_AT.of(facts) if door == thing}
        denied = any(word in text for word in ("anywhere but", "without", "other than"))
        return there is not denied
    raise AssertionError(question)


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
        for type in set(Type) - {Type.DIRECTION}:
            asked = yes[type, True] + yes[type, False]
            assert asked > 20
            assert abs(yes[type, True] / asked - 0.5) < 1.6 / sqrt(asked), (level, type)


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


def test_rules_that_make_another_quiz_have_another_number(spec_of: SpecOf) -> None:
    """If this fails, add one to `RULES`: a stopped build must not go on under other rules."""
    lines = []
    for level, seed in product(PRESETS, range(5, 13)):
        spec = spec_of(level, seed)
        tasks = tasks_of(spec)
        lines += [task.objective for task in tasks]
        lines += [dumps(question, Question) for question in ask(spec, tasks)]
    assert (RULES, digest(*lines)[:16]) == (5, "9c3a2a8c05e3995c")


@some
@given(worlds)
def test_the_papers_checkpoint_is_to_have_reached_the_place(spec: WorldSpec) -> None:
    """ "The apple is in the kitchen" is answerable once the agent was there, by the paper."""
    everywhere = Evidence({LISTED(room): START for room in spec.of_kind("room")})
    for question in ask(spec):
        reached = checkpoint(spec, question, Checkpoints.PAPER)
        assert checkpoint(spec, question, Checkpoints.LAWS) == question.requires
        assert everywhere.earliest(reached) == START
        assert Evidence({}).earliest(reached) is None
        thing = question.about[0] if question.about else ""
        if isinstance(question, Where) and thing in spec.place:
            there = LISTED(spec.room_of(thing))
            others = {room: at for room, at in everywhere.first_seen.items() if room != there}
            assert Evidence({there: START}).earliest(reached) == START
            assert Evidence(others).earliest(reached) is None


def test_four_rooms_have_choices_where_four_passages_lie_apart(spec_of: SpecOf) -> None:
    """That takes eight rooms or more; whether there are four, depends on the map."""
    asked: dict[int, set[int]] = {}
    for seed in range(30):
        spec = spec_of("medium", seed)
        found = [each for each in ask(spec) if each.type is Type.CONNECTIVITY]
        count = sum(isinstance(each, Which) for each in found)
        asked.setdefault(len(spec.rooms), set()).add(count)
    assert {rooms: max(counts) for rooms, counts in asked.items()} == {
        6: 0, 7: 0, 8: CHOICES, 9: CHOICES, 10: CHOICES
    }  # fmt: skip


def test_of_four_rooms_to_choose_from_one_is_next(spec_of: SpecOf) -> None:
    asked = 0
    for seed in range(10):
        spec = spec_of("hard", seed)
        for question in ask(spec):
            if question.type is Type.CONNECTIVITY and isinstance(question, Which):
                asked += 1
                near = set(spec.ways[question.about[0]].values())
                assert near.intersection(question.choices) == {question.answer}
    assert asked


def test_who_is_asked_by_yes_or_no_is_asked_about_one_answer(spec_of: SpecOf) -> None:
    sheet = Sheet(spec_of("easy", 1))
    sheet.turn(Type.LOCATION)
    answers = {f"thing {n}": f"spot {n % 5}" for n in range(40)}
    dealt = list(sheet.dealt(answers, "where"))
    assert sorted(key for _, key, _ in dealt) == sorted(answers)
    assert {kind: len(named) for kind, _, named in dealt} == {
        "where": 0, "yes": 1, "no": 1, "which": CHOICES
    }  # fmt: skip
    for kind, key, named in dealt:
        assert (answers[key] in named) is (kind in ("yes", "which"))

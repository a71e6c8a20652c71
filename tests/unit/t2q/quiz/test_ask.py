"""Laws of the quiz: what holds of the questions of every world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from math import sqrt

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import SpecOf
from guessing import unplayed
from guessing import worlds as built
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import LISTED
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
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.quiz.answerability import Checkpoints, checkpoint
from worldquiz.t2q.quiz.ask import LIMIT, ask
from worldquiz.t2q.reader.questions import spot_of
from worldquiz.t2q.suites import RULES, Plan
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
def test_no_room_stands_to_choose_and_in_a_claim_about_a_passage(spec: WorldSpec) -> None:
    """No passage joins one side of a choice to the other, so its sides tell what is joined."""
    asked = [each for each in ask(spec) if each.type is Type.CONNECTIVITY]
    chosen = {room for each in asked if isinstance(each, Which) for room in named(each)}
    assert chosen.isdisjoint(
        room for each in asked if isinstance(each, YesNo) for room in each.about
    )


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
        assert grade(question, answerable=True, reply=right) == 1
        assert grade(question, answerable=False, reply=right) == 0
        assert grade(question, answerable=True, reply=ABSTAIN) == 0
        assert grade(question, answerable=False, reply=ABSTAIN) == 1
        assert grade(question, answerable=True, reply="the moon") == 0


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

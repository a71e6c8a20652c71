"""Laws of the quiz: what holds of the questions of every world."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from math import atan2, degrees
from random import Random
from typing import Any

import pytest

from conftest import SpecOf
from games import played
from guessing import fresh
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.requirement import START, Moment
from worldquiz.facts.row import ABSTAIN, AnswerStatus
from worldquiz.t2q.builder import RULES
from worldquiz.t2q.compass import COMPASS
from worldquiz.t2q.grade import read
from worldquiz.t2q.question import BEFORE, CATEGORIES, MIX, TWO_TIMES, Question, prompt
from worldquiz.t2q.quiz import change
from worldquiz.t2q.quiz.ask import FAMILIES, LIMIT, WORDINGS, infer, put, understood, words
from worldquiz.t2q.quiz.family import Draft, Family, Wording, pattern
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.rollout import visited
from worldquiz.t2q.tables import TABLE_1
from worldquiz.t2q.world.predicates import LISTED

Bundles = dict[str, list[Any]]


@pytest.fixture(scope="module")
def every(bundles: Bundles) -> list[Any]:
    return [bundle for some in bundles.values() for bundle in some]


def asks(question: Question) -> str:
    asked = understood(prompt(question))
    assert asked is not None
    return asked.wording


def test_a_question_is_read_by_one_wording_of_its_own_family_however_it_is_put(
    every: list[Any],
) -> None:
    """In each of its wordings it asks the same, about the same, and the gold answer is right."""
    for bundle in every[::6]:
        for question in bundle.questions:
            texts = set[str]()
            for number in range(6):
                told = put(question, number)
                found = [
                    (family.type, wording.name)
                    for family in FAMILIES
                    for wording in family.wordings
                    if any(pattern(text).fullmatch(told.text) for text in words()[wording.name])
                ]
                family = "change" if question.type in TWO_TIMES else question.type
                assert found == [(family, asks(question))]
                assert understood(prompt(told)) == understood(prompt(question))
                assert read(told, told.gold, bundle.spec.kinds).right, told
                texts.add(told.text)
            assert len(texts) == 6


def test_a_family_that_forgets_something_cannot_be_made_and_is_told_what_is_missing() -> None:
    make: Any = Wording
    with pytest.raises(TypeError, match="'guess'"):
        make("moves", "How many moves are there?", Graph.where)
    make = Family
    with pytest.raises(TypeError, match="'wordings'"):
        make("moves", FAMILIES[0].rule)


@pytest.mark.parametrize("choices", [("a",), ("a", "a", "b"), ("b", "c")])
def test_the_right_choice_is_one_of_different_choices(
    every: list[Any], choices: tuple[str, ...]
) -> None:
    draft = Draft(every[0].spec, (), "change", infer)
    with pytest.raises(ValueError, match="'a' must be one of different choices"):
        draft.ask("which", WORDINGS["last_place"], "a", choices=choices, thing="lamp")


def test_all_that_is_true_makes_all_answerable_and_nothing_makes_nothing(every: list[Any]) -> None:
    for bundle in every:
        everything = Evidence(dict.fromkeys(bundle.truth, START))
        for question in bundle.questions:
            assert everything.earliest(question.requires, infer) == START, question
            assert Evidence({}).earliest(question.requires, infer) is None, question


def test_seeing_more_never_makes_a_question_unanswerable(every: list[Any]) -> None:
    for number, bundle in enumerate(every):
        seen = Random(number).choices(sorted(bundle.truth), k=60)
        first = {fact: Moment(0, step) for step, fact in reversed(list(enumerate(seen)))}
        less = Evidence({fact: at for fact, at in first.items() if at.step < 30})
        more = Evidence(first)
        for question in bundle.questions:
            early = less.earliest(question.requires, infer)
            assert early is None or more.earliest(question.requires, infer) == early


@pytest.mark.parametrize(("level", "worlds"), [("easy", 60), ("medium", 20), ("hard", 8)])
def test_a_level_has_the_papers_number_of_questions_and_its_mix(level: str, worlds: int) -> None:
    """Table 1 within 15 %, each type's share within 25 %, both relative."""
    quizzes = [bundle.questions for bundle in fresh(level, 31, worlds)]
    types = Counter(question.type for quiz in quizzes for question in quiz)
    assert types.total() / worlds == pytest.approx(TABLE_1[level]["questions"], rel=0.15)
    assert max(map(len, quizzes)) <= LIMIT
    for type, count in MIX.items():
        share = types[type] / types.total()
        assert share == pytest.approx(count / sum(MIX.values()), rel=0.25), type


@pytest.mark.parametrize("level", ["medium", "hard", "explore"])
def test_a_direction_is_the_nearest_of_eight_and_north_east_is_further_north_and_east(
    level: str,
) -> None:
    asked = 0
    for bundle in fresh(level, 55, 6):
        cells = {room.name: (room.x, room.y) for room in bundle.spec.rooms}
        for question in bundle.questions:
            if asks(question) == "lies":
                (x0, y0), (x1, y1) = (cells[name] for name in question.about)
                nearest = COMPASS[round(degrees(atan2(x1 - x0, y1 - y0)) / 45) % 8]
                signs = (
                    "north" * (y1 > y0) + "south" * (y1 < y0),
                    "east" * (x1 > x0) + "west" * (x1 < x0),
                )
                assert question.gold == nearest == "-".join(filter(None, signs))
                assert "eight directions" in question.text
                asked += 1
    assert asked > 50


def test_what_the_start_settles_is_asked_only_where_nothing_else_is_left(every: list[Any]) -> None:
    """So no group with choices, pair of passages or key hangs on what the first screen shows."""
    for bundle in every:
        draft = Draft(bundle.spec, bundle.tasks, "", infer)
        for question in bundle.questions:
            if draft.settled(question.requires):
                assert asks(question) not in {"fits", "key_of", "neighbour"}


def test_choices_are_shared_by_four_questions_and_each_is_right_once(bundles: Bundles) -> None:
    for bundle in bundles["hard"] + bundles["explore"]:
        asked = [each for each in bundle.questions if each.format == "which"]
        assert len(asked) in (0, 4)
        for question in asked:
            assert sorted(question.choices) == sorted(each.gold for each in asked)


def test_of_each_room_and_lock_as_much_is_true_as_false(every: list[Any]) -> None:
    """Rooms of worlds that are not tiny: of the passages. Keys that fit anything: of what they fit.

    A key that fits nothing is named with two locks, too, that another key is named with.
    """
    for bundle in every:
        spec, count = bundle.spec, Counter[str]()
        for question in bundle.questions:
            ask, sign = asks(question), 1 if question.gold == "yes" else -1
            if ask == "joined" and len(spec.rooms) > 5:
                count.update(dict.fromkeys(question.about, sign))
            if ask == "fits" and question.about[0] in spec.lock_of:
                count[question.about[0]] += sign
        assert not any(count.values())


def test_a_question_which_key_fits_gives_no_other_question_away(every: list[Any]) -> None:
    """It says that something was locked. A holder that a task names is empty, and not described."""
    for bundle in every:
        of = {ask: [q for q in bundle.questions if asks(q) == ask] for ask in WORDINGS}
        locked = {question.about[0] for question in of["key_of"]}
        others = [q for ask in ("fits", "locked", "open") for q in of[ask]]
        assert locked.isdisjoint(name for question in others for name in question.about)
        named = {name for task in bundle.tasks for fact in task.goal for name in fact.args}
        assert named.isdisjoint(q.about[0] for q in of["categories"])


def test_questions_are_well_formed_and_say_what_they_want(every: list[Any]) -> None:
    for bundle in every:
        assert len({question.id for question in bundle.questions}) == len(bundle.questions)
        assert len({prompt(question) for question in bundle.questions}) == len(bundle.questions)
        for question in bundle.questions:
            assert question.text[0].isupper()
            assert question.text.endswith(("?", "."))
            assert "{" not in question.text
            if question.format == "description":
                assert all(kind in question.text for kind in CATEGORIES)
            shown = prompt(question)
            assert shown.format == question.format
            assert not {"gold", "answers", "requires"} & set(dir(shown))


def test_the_gold_answer_is_right_only_when_the_question_is_answerable(every: list[Any]) -> None:
    for question in (question for bundle in every[::4] for question in bundle.questions):
        right = question.gold
        assert read(question, right)[:2] == (AnswerStatus.ANSWERED, True)
        assert read(question, ABSTAIN)[:2] == (AnswerStatus.ABSTAINED, False)
        assert not read(question, "the moon").right


def test_yes_is_never_far_from_half_of_match_and_of_passages(bundles: Bundles) -> None:
    for some in bundles.values():
        yes: Counter[tuple[str, str]] = Counter()
        for question in (question for bundle in some for question in bundle.questions):
            if question.format == "yes_no":
                yes[question.type, question.gold] += 1
        for type in {type for type, _ in yes}:
            assert 0.2 < yes[type, "yes"] / (yes[type, "yes"] + yes[type, "no"]) < 0.65


def test_rules_that_make_another_quiz_have_another_number(bundles: Bundles) -> None:
    """If this fails, add one to `RULES`: a stopped build must not go on under other rules."""
    lines: dict[bool, list[str]] = {True: [], False: []}
    for level, some in bundles.items():
        lines[level == "change"] += [task.objective for bundle in some for task in bundle.tasks]
    for level, some in bundles.items():
        asked = (question for bundle in some for question in bundle.questions)
        lines[level == "change"] += [f"{q.id} {q.text} {q.gold}" for q in asked]
    found = {sha256("\n".join(some).encode()).hexdigest()[:16] for some in lines.values()}
    assert (RULES, found) == (9, {"a2a359d9cb9c93bd", "3ffc68c883fb97df"})


def test_the_papers_checkpoint_is_to_have_reached_the_place(every: list[Any]) -> None:
    """ "The apple is in the kitchen" is answerable once the agent was there, by the paper."""
    for bundle in every:
        spec = bundle.spec
        everywhere = Evidence({LISTED(room): START for room in spec.of_kind("room")})
        for question in bundle.questions:
            reached = visited(spec, question)
            assert everywhere.earliest(reached) == START
            assert Evidence({}).earliest(reached) is None
            thing = question.about[0]
            if question.format == "where" and thing in spec.place:
                there = LISTED(spec.room_of(thing))
                others = {room: at for room, at in everywhere.first_seen.items() if room != there}
                assert Evidence({there: START}).earliest(reached) == START
                assert Evidence(others).earliest(reached) is None


def test_a_choice_is_settled_by_its_reading_or_by_elimination(spec_of: SpecOf) -> None:
    """The requirement that a family gets if it gives none, beside the one that `change` gives."""
    moments = []
    for seed in range(920, 924):
        play = played(spec_of("change", seed), "random", steps=200, tasks=9)
        draft = Draft(play.bundle.spec, play.bundle.tasks, "change", infer)
        before = zip(play.bundle.tasks, play.episodes, strict=False)
        steps = [step for task, episode in before if not task.later for step in episode.steps]
        shown = Evidence.of_steps(step.revealed for step in steps)
        for each in play.bundle.questions:
            if each.type == BEFORE:
                known = draft.ask(
                    "which", change.FIRST, each.gold, choices=each.choices, thing=each.about[0]
                )
                moments.append(shown.earliest(each.requires))
                assert moments[-1] == shown.earliest(known.requires, infer)
    assert len({*moments}) > 9

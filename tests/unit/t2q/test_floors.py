"""What can be had without knowing: guessers earn nothing in worlds that no table has seen."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from math import sqrt

import pytest

from guessing import guessed, unplayed
from worldquiz.facts.knowledge_score import TOO_EASY
from worldquiz.facts.question import (
    ABSTAIN,
    Answer,
    Format,
    Graded,
    Prompt,
    Result,
    Type,
    What,
)
from worldquiz.t2q.agents import wording
from worldquiz.t2q.agents.base import AnswersQuiz
from worldquiz.t2q.agents.paper import Paper, candidates, kind_of, named
from worldquiz.t2q.agents.scripted import Constant
from worldquiz.t2q.agents.sheet import SheetReader
from worldquiz.t2q.agents.wording import Wording, features
from worldquiz.t2q.builder import worlds
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.quiz.exam import results
from worldquiz.t2q.rows import rows_of
from worldquiz.t2q.scoring import scores, sitting
from worldquiz.t2q.scoring.blind import chance, guessing_rates, paper_of, table
from worldquiz.t2q.store import Bundle, Played
from worldquiz.t2q.suites import Plan
from worldquiz.t2q.world.config import PRESETS
from worldquiz.t2q.world.spec import MOVABLE

GUESSERS: dict[str, type[AnswersQuiz]] = {
    "constant": Constant, "sheet": SheetReader, "wording": Wording,
}  # fmt: skip
Cell = tuple[str, str]


@cache
def fresh(level: str) -> tuple[Bundle, ...]:
    """Worlds of a seed that no table was made of."""
    return tuple(bundle(spec) for spec in worlds(Plan(level, 424242, 8)).values())


@cache
def taken(level: str, name: str) -> tuple[tuple[Result, ...], ...]:
    if name == "wording":  # it reads first screens, which unplayed worlds lack
        return tuple(map(worded, fresh(level)))
    return tuple(guessed(each, GUESSERS[name]) for each in fresh(level))


def worded(bundle: Bundle) -> tuple[Result, ...]:
    """Grade the best guesses by the wording as if an agent had seen all."""
    paper, answers = paper_of(bundle), []
    for question, asked in zip(bundle.questions, paper.prompts, strict=True):
        guess = wording.guess(paper, asked)
        assert guess is not None
        answers.append(Answer(question.id, guess.reply))
    return results(Played(bundle, unplayed(bundle), tuple(answers)), all_seen=True)


def cells(name: str) -> Iterator[tuple[Cell, list[float]]]:
    """Yield the grades of the questions that the start leaves open, by type and format."""
    found: dict[Cell, list[float]] = defaultdict(list)
    for result in (one for level in PRESETS for quiz in taken(level, name) for one in quiz):
        if not result.at_start:
            assert isinstance(result.score, Graded)
            found[str(result.type), str(result.format)].append(result.score.value)
    yield from found.items()


def slack(share: float, asked: int) -> float:
    """Two and a half standard errors: what chance does to an average of so many questions."""
    return 2.5 * sqrt(share * (1 - share) / asked)


@pytest.mark.parametrize("level", PRESETS)
@pytest.mark.parametrize("name", GUESSERS)
def test_guessing_earns_nothing(level: str, name: str) -> None:
    sat = [
        sitting(each.spec.id, rows_of(Played(each, unplayed(each), ()), "idle", name, quiz))
        for each, quiz in zip(fresh(level), taken(level, name), strict=True)
    ]
    low, _ = scores(sat)["knowledge_ci"]
    assert low <= 0


@pytest.mark.parametrize("name", GUESSERS)
def test_a_guesser_never_abstains(name: str) -> None:
    quizzes = [quiz for level in PRESETS for quiz in taken(level, name)]
    assert not any(one.abstained or one.reply in ("", ABSTAIN) for quiz in quizzes for one in quiz)


def test_the_sheet_gives_no_more_than_chance_away() -> None:
    chances = {Format.YES_NO: 0.5, Format.WHICH: 0.25}
    for (type, form), grades in cells("sheet"):
        if form in chances:
            most = chances[Format(form)] + 0.05
            assert sum(grades) / len(grades) <= most + slack(most, len(grades)), (type, form)


@cache
def small() -> tuple[Bundle, ...]:
    """Easy worlds, in which elimination tells most."""
    return tuple(bundle(spec) for spec in worlds(Plan("easy", 515151, 60)).values())


def test_what_is_elsewhere_is_left_to_be_hidden_and_no_untold_place_is_empty() -> None:
    for one in small():
        paper, spec = paper_of(one), one.spec
        things = [name for kind in MOVABLE for name in paper.names[kind]]
        left = {name for kind in MOVABLE for name in paper.hidden.get(kind, ())}
        assert {name for name in things if spec.room_of(name) != spec.start} <= left
        assert paper.loose == len(left)
        assert all(spec.content[name] for name in paper.untold)


def test_rooms_next_to_the_first_one_lie_from_each_other_as_its_exits_say() -> None:
    told = [
        {*question.answers} <= paper_of(one).turns
        for one in small()
        if paper_of(one).turns
        for question in one.questions
        if isinstance(question, What) and question.type is Type.DIRECTION
    ]
    assert len(told) > 10
    assert all(told)


def test_the_rates_know_of_elimination() -> None:
    """What is left as the only thing, kind or direction is no news to a guesser."""
    last, kind, turn = list[float](), list[float](), list[float]()
    for one in small():
        paper = paper_of(one)
        for asked, rate in zip(paper.prompts, guessing_rates(one), strict=True):
            things = [name for each in MOVABLE for name in paper.hidden.get(each, ())]
            kinds = [each for each in MOVABLE if each in paper.hidden]
            if asked.format is Format.WHERE and {*things} & {*named(asked.text)}:
                last += [rate] if len(things) == len(paper.untold) == 1 else []
            if asked.format is Format.DESCRIPTION and paper.untold & {*named(asked.text)}:
                kind += [rate] if len(kinds) == 1 else []
            if asked.format is Format.WHAT and len(paper.turns) == 2:
                turn += [rate]
    assert min(last) > TOO_EASY
    assert sum(kind) / len(kind) > TOO_EASY
    assert sum(turn) / len(turn) > 0.45


def test_the_table_says_how_often_the_wording_is_right() -> None:
    """It is of five times as many easy worlds and twice as many medium ones as of the others."""
    found: dict[Cell, list[tuple[float, int]]] = defaultdict(list)
    for level, weight in {"easy": 5, "medium": 2, "hard": 1, "explore": 1}.items():
        for one in (one for quiz in taken(level, "wording") for one in quiz if not one.at_start):
            assert isinstance(one.score, Graded)
            found[str(one.type), str(one.format)].append((one.score.value, weight))
    told = wording.table()["cells"]
    for (type, form), grades in found.items():
        if form in told.get(type, {}):
            share, total = told[type][form]["accuracy"], sum(weight for _, weight in grades)
            off = abs(sum(grade * weight for grade, weight in grades) / total - share)
            alike = total**2 / sum(weight**2 for _, weight in grades)
            assert off <= 0.05 + slack(share, round(alike)), (type, form)


def test_the_tables_are_of_one_run() -> None:
    """Otherwise make both anew: benchmarks/blind_table.py at c30a00b3, with --write."""
    rates = json.loads(files("worldquiz.t2q.scoring").joinpath("blind.json").read_text())
    weights = wording.table()
    assert weights["rules"] == rates["rules"]
    assert weights["version"] == rates["version"] == table().version
    assert rates["worlds"] >= 1000


def test_no_guesser_beats_the_rate_of_its_cell() -> None:
    rates = json.loads(files("worldquiz.t2q.scoring").joinpath("blind.json").read_text())
    for forms in rates["cells"].values():
        for found in forms.values():
            assert found["accuracy"] == max(found["guessers"].values())


def test_the_weights_are_small() -> None:
    text = files("worldquiz.t2q.agents").joinpath("wording.json").read_bytes()
    assert len(text) < 175_000


def test_a_name_has_its_places_in_the_task_list() -> None:
    """Tasks that cover much come first, so their order tells what they cover."""
    paper = Paper((), ("Take the red pear.", "Go to the attic.", "Open the oak box.", "Go on."))
    ranks = [paper.rank(name) for name in ("red pear", "attic", "oak box", "tin key")]
    assert ranks == ["0 early", "1 early", "2 late", ""]


def test_the_sheet_says_how_many_questions_of_each_sort_it_has() -> None:
    for one in small()[:9]:
        assert sum(paper_of(one).sorts.values()) == len(one.questions)


def test_kinds_are_read_off_names() -> None:
    told = "Was the red chest 2 in the pump room?"
    assert [(name, kind_of(name)) for name in named(told)] == [
        ("red chest 2", "container"), ("pump room", "room"),
    ]  # fmt: skip


def test_what_is_alike_has_the_same_features() -> None:
    ways = ("north", "south")
    rows = []
    for room in ("attic", "cellar"):
        asked = Prompt(f"Where does the {ways[0]} exit of the {room} lead?", Format.WHERE)
        paper = Paper((asked, Prompt("So?", Format.WHICH, ("the study", "the vault"))))
        rows.append(list(features(paper, asked, candidates(paper, asked, ()))))
    plain = [[each.replace("cellar", "attic") for each in row] for row in rows[1]]
    assert plain == rows[0]
    assert len(rows[0]) == 2


def sheet(*prompts: Prompt) -> list[str]:
    async def take() -> list[str]:
        reader = SheetReader()
        await reader.study([])
        await reader.preview(prompts)
        return [await reader.answer(each) for each in prompts]

    return asyncio.run(take())


def test_of_two_things_in_one_place_one_was_there() -> None:
    ask = "Was the {} key on the old table at the start?"
    told = sheet(*(Prompt(ask.format(key), Format.YES_NO) for key in ("tin", "zinc")))
    assert sorted(told) == ["no", "yes"]


def test_questions_with_the_same_choices_have_different_answers() -> None:
    spots = tuple(f"in the {room}" for room in ("attic", "cellar", "study", "vault"))
    ask = "Which of these was the place of the {} chest at the start?"
    told = sheet(*(Prompt(ask.format(c), Format.WHICH, spots) for c in ("red", "old", "big")))
    assert len(set(told)) == 3


def test_one_question_takes_for_granted_what_another_asks() -> None:
    told = sheet(
        Prompt("Which key fits the red gate?", Format.WHICH, ("tin key", "zinc key")),
        Prompt("Was the red gate unlocked at the start?", Format.YES_NO),
    )
    assert told[1] == "no"


def test_what_is_open_does_not_hang_on_the_text_of_the_first_screen() -> None:
    """Guessers read objectives only, so a world that was not compiled will do."""
    for quiz in taken("easy", "constant"):
        assert {one.type for one in quiz} <= set(Type)
        assert 0 < sum(one.at_start for one in quiz) < len(quiz)


def test_chance_is_told_where_there_is_a_choice() -> None:
    asked = [question for one in fresh("medium") for question in one.questions]
    assert {chance(each) for each in asked} == {None, 0.25, 0.5}

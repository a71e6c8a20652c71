"""Forms of replies: every right answer fits, abstaining too, and nothing is given away."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from worldquiz.facts import grade
from worldquiz.facts.question import ABSTAIN, CATEGORIES, Format, Prompt, gold, prompt
from worldquiz.llm.prompts import command_form
from worldquiz.t2q.builder import drawn
from worldquiz.t2q.pipeline import bundle
from worldquiz.t2q.prompts.compose import Options, answers_schema
from worldquiz.t2q.suites import Plan

CONSTRAINED = Options(constrained=True)


def fits(schema: Any, value: object) -> bool:
    return bool(Draft7Validator(schema).is_valid(value))


def test_right_answers_fit_their_forms_and_are_read_as_right() -> None:
    plan = Plan("medium", seed=0, worlds=1)
    questions = bundle(drawn(plan, plan.slots[0])).questions
    assert {question.kind for question in questions} == set(Format)
    for question in questions:
        form = answers_schema(CONSTRAINED, [prompt(question)])
        for said in (gold(question), ABSTAIN):
            assert fits(form, {"answer": said, "reason": ""}), (question.text, said)
        assert grade.grade(question, answerable=True, reply=gold(question)) == 1
        assert not fits(form, {"answer": gold(question)})
        assert not fits(form, {"answer": gold(question), "reason": "", "sure": True})


def test_closed_questions_list_their_answers_and_open_ones_do_not() -> None:
    def answers(asked: Prompt) -> list[str] | None:
        found: list[str] | None = (answers_schema(CONSTRAINED, [asked]) or {})["properties"][
            "answer"
        ].get("enum")
        return found

    assert answers(Prompt("Is it?", Format.YES_NO)) == ["yes", "no", ABSTAIN]
    assert answers(Prompt("Which?", Format.WHICH, ("a", "b"))) == ["a", "b", ABSTAIN]
    kinds = answers(Prompt("Describe it.", Format.DESCRIPTION)) or []
    assert len(kinds) == 2 ** len(CATEGORIES)
    assert {"key", "container, food"} <= set(kinds)
    assert answers(Prompt("Where is it?", Format.WHERE)) is None


def test_options_decide_on_the_form() -> None:
    asked = [Prompt("Is it?", Format.YES_NO), Prompt("Where?", Format.WHERE)]
    assert answers_schema(Options(), asked) is None
    one = answers_schema(Options(constrained=True), asked[:1])
    assert fits(one, {"answer": "no", "reason": "x"})
    both = answers_schema(Options(constrained=True, batch=2), asked)
    said = [{"question": 1, "answer": "no", "reason": ""}]
    assert fits(both, {"answers": said})
    assert not fits(both, {"answers": [said[0] | {"question": 3}]})
    assert fits(command_form(), {"reason": "", "command": "go north"})
    assert Options(constrained=True).record() == {"constrained": True}

"""A world's quiz: its facts turned into questions by fixed rules (section 2.3).

The rules are the same at every level. A small world is asked all that they give; of a large world's
questions `LIMIT` are drawn. Questions of all types stand in one order drawn by seed.
docs/reference/question-rules.md lists the rules and says what a reader of the sheet can gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from worldquiz import rng
from worldquiz.facts.question import Question, Type
from worldquiz.t2q.quiz import passages, things
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task

LIMIT = 96
"""How many questions a world is asked at most: the paper's hard worlds have 94.7 (Table 1)."""

RULES = 5
"""Which rules of tasks and questions these are: one more when they make another quiz of a world."""

_RULES = {
    Type.LOCATION: things.ask_location,
    Type.CONNECTIVITY: passages.ask_connectivity,
    Type.DIRECTION: passages.ask_direction,
    Type.MATCH: things.ask_match,
    Type.PROPERTY: things.ask_property,
}


def ask(spec: WorldSpec, tasks: Sequence[Task] = ()) -> tuple[Question, ...]:
    """Return the questions about a world's initial state; equal worlds, equal questions.

    Where the tasks are given, no question is asked whose answer their texts make likelier.
    """
    sheet = Sheet(spec, tasks)
    for type, rule in _RULES.items():
        sheet.turn(type)
        rule(sheet)
    order = rng.child(spec.seed, "quiz", "order")
    drawn = order.sample(sheet.questions, min(LIMIT, len(sheet.questions)))
    return tuple(replace(each, id=f"{each.type}-{n:03}") for n, each in enumerate(drawn, start=1))

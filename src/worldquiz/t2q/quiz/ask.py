"""A world's quiz: its facts turned into questions by fixed rules (section 2.3).

Each fact is asked from one side; a world with `both_sides` set is asked from the other side too
("where is the apple?", "what is on the table?"). No question is drawn and dropped: the rules decide
the number, and docs/reference/question-rules.md derives it.
"""

from __future__ import annotations

from worldquiz.facts.question import Question, Type
from worldquiz.t2q.quiz import passages, things
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.world.spec import WorldSpec

_RULES = {
    Type.LOCATION: things.ask_location,
    Type.CONNECTIVITY: passages.ask_connectivity,
    Type.DIRECTION: passages.ask_direction,
    Type.MATCH: things.ask_match,
    Type.PROPERTY: things.ask_property,
}


def ask(spec: WorldSpec) -> tuple[Question, ...]:
    """Return the questions about a world's initial state; equal specs, equal questions."""
    questions: list[Question] = []
    for type, rule in _RULES.items():
        sheet = Sheet(spec, type)
        rule(sheet, both_sides=spec.both_sides)
        questions.extend(sheet.questions)
    return tuple(questions)

"""Change: where things were at the start, and where they were after somebody moved some.

Things of one kind in different rooms are paired at random as partners (`WorldSpec.partners`).
Before the last tasks, a coin toss decides for each pair whether its things swap places. Questions
ask where one thing of a pair was at each time, with the places of both as choices. They would read
the same if the partners' places were exchanged, so the question sheet gives nothing away. An
answerer that knows only the start is right about half of the later places. If it names the first
place of a thing that was moved, that is a *stale belief* (`t2q.scores`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from worldquiz.facts.requirement import Seen, any_of
from worldquiz.t2q.question import AFTER, BEFORE, Question
from worldquiz.t2q.quiz.family import Draft, Family, Group, Wording
from worldquiz.t2q.reader.graph import was_there
from worldquiz.t2q.world.predicates import LISTED
from worldquiz.t2q.world.spec import CHANGE


def rule(draft: Draft) -> Iterator[Group]:
    """Ask where one thing of each pair was at both times; leave out pairs that objectives name."""
    for pair in draft.shuffled(draft.spec.partners):
        if draft.goals.isdisjoint(pair):
            thing, other = draft.shuffled(pair)
            yield [_asked(draft, how, thing, other) for how in (FIRST, LAST)]


def _asked(draft: Draft, how: Wording, thing: str, partner: str) -> Question:
    spec = draft.spec if how is FIRST else draft.spec.later
    spots = spot, other = [spec.place[each].args[1] for each in (thing, partner)]
    facts = (spec.place[thing], LISTED(other))  # where it was seen, or not found
    known = facts if how is FIRST else map(draft.spec.dated, facts)
    choices, needed = tuple(draft.shuffled(spots)), any_of(*map(Seen, known))
    asked = draft.ask("which", how, spot, choices=choices, requires=needed, thing=thing)
    return replace(asked, type=BEFORE if how is FIRST else AFTER)


FIRST = Wording(
    "first_place",
    "Where was the {thing} at the start, before somebody moved things? One of the two places is "
    "right; a room means its floor.",
    lambda graph, spot, thing: was_there(graph.place, graph.contents, spot, thing),
    None,
)
LAST = Wording(
    "last_place",
    "Where was the {thing} when the last task began, after somebody had moved things? One of the "
    "two places is right; a room means its floor.",
    lambda graph, spot, thing: was_there(graph.later_place, graph.later_contents, spot, thing),
    None,
)
FAMILY = Family("change", rule, (FIRST, LAST), preset=CHANGE)

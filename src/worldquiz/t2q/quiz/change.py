"""Change: where things were at the start, and where they were once somebody had moved some.

Two things of one kind that lie in different rooms are partners, paired by chance
(`WorldSpec.partners`). Before the last tasks, each pair changes places or does not, by the toss of
a coin. One of a pair is asked about at both times, with the places of both to choose from. So a
sheet stays the same when partners exchange their names, at the start or later, and no question
helps with another. Whoever only knows how it was at the start is right about half of how it is
later: to name the first place of a thing that was moved is a *stale belief* (`t2q.scores`).
"""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.requirement import Seen, any_of
from worldquiz.t2q.question import Question, Which
from worldquiz.t2q.quiz.family import Draft, Family, Group, Wording
from worldquiz.t2q.reader.graph import was_there
from worldquiz.t2q.world.predicates import LISTED
from worldquiz.t2q.world.spec import CHANGE


def rule(draft: Draft) -> Iterator[Group]:
    """Ask of one thing of each pair that no objective names, at both times."""
    for pair in draft.shuffled(draft.spec.partners):
        if draft.goals.isdisjoint(pair):
            thing, other = draft.shuffled(pair)
            yield [_asked(draft, how, thing, other) for how in (FIRST, LAST)]


def _asked(draft: Draft, how: Wording, thing: str, partner: str) -> Question:
    spec = draft.spec if how is FIRST else draft.spec.later
    place, spots = spec.place[thing], [spec.place[each].args[1] for each in (thing, partner)]
    spot, other = spots
    facts = (place, LISTED(other))  # where it was seen, or not found
    known = facts if how is FIRST else map(draft.spec.dated, facts)
    choices = tuple(draft.shuffled(spots))
    return draft.ask(Which, how, choices, spot, requires=any_of(*map(Seen, known)), thing=thing)


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

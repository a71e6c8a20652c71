"""The evidence of a question: which views of a walk show what settles it, and how well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import All, AnyOf, Reachable, Requirement, Seen
from worldquiz.scenes.view import View
from worldquiz.tea.recall.quiz.kinds import Item

_OF_THINGS = ("clear", "together")


@dataclass(frozen=True, slots=True)
class Piece:
    """What the first view that showed a fact shows of it."""

    fact: str  # "clear(mug-1)"
    view: str  # its id
    thing: str | None = None  # None: it is about a room or a doorway
    pixels: int | None = None  # that show the thing
    visible: float | None = None  # share of the thing that nothing covers or cuts off; 0..1


def proof(item: Item, found: Evidence, views: Sequence[View]) -> tuple[Piece, ...]:
    """Return what a walk has shown of all that a question needs, by view.

    Of a question that is answerable it is enough.
    """
    facts = sorted(set(_facts(item.question.requires)))
    met = [(found.first_seen[fact], fact) for fact in facts if fact in found.first_seen]
    return tuple(_piece(fact, views[moment.step - 1]) for moment, fact in sorted(met))


def _facts(requirement: Requirement) -> Iterator[Fact]:
    match requirement:
        case Seen(fact):
            yield fact
        case All(parts) | AnyOf(parts):
            for part in parts:
                yield from _facts(part)
        case Reachable():
            return
        case _:
            assert_never(requirement)


def _piece(fact: Fact, view: View) -> Piece:
    if fact.predicate not in _OF_THINGS:
        return Piece(str(fact), view.id)
    seen = view.seen[fact.args[0]]
    return Piece(str(fact), view.id, seen.thing, seen.pixels, seen.visible)

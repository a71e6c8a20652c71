"""Property: whether doors and containers were locked, and whether they were open."""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.requirement import Requirement, Seen, any_of
from worldquiz.t2q.question import MIX
from worldquiz.t2q.quiz.family import Draft, Family, Group, Wording
from worldquiz.t2q.quiz.match import lock_state, locks_of
from worldquiz.t2q.quiz.sheet import Sheet
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import LOCKABLE, WorldSpec


def rule(draft: Draft) -> Iterator[Group]:
    """Ask which of the pairs of `match` were locked, and which doors and containers were open."""
    spec, (four, pairs) = draft.spec, locks_of(draft)
    sides = (
        (LOCKED, f.LOCKED, lock_state, sorted({each for pair in pairs for each in pair})),
        (OPEN, f.OPEN, lid_state, [each for each in spec.of_kind(*LOCKABLE) if each not in four]),
    )
    yield from draft.shuffled(
        [draft.ask("yes_no", how, fact(one) in spec.initial, requires=known(spec, one), lock=one)]
        for how, fact, known, things in sides
        for one in things
    )


def lid_state(spec: WorldSpec, thing: str) -> Requirement:
    """Return the evidence required to know whether a thing was open (law 5)."""
    if f.OPEN(thing) in spec.initial:
        return Seen(f.OPEN(thing))
    shut = Seen(f.SHUT(thing))
    return any_of(shut, Seen(f.LOCKED(thing))) if f.LOCKED(thing) in spec.initial else shut


def _guess_locked(sheet: Sheet, lock: str) -> float:
    return sheet.locks[lock][0]


def _guess_open(sheet: Sheet, lock: str) -> float:
    return sheet.locks[lock][1]


LOCKED = Wording(
    "locked", "Was the {lock} locked at the start?", Graph.locked, _guess_locked, by_kind=True
)
OPEN = Wording("open", "Was the {lock} open at the start?", Graph.opened, _guess_open, by_kind=True)
FAMILY = Family("property", rule, (LOCKED, OPEN), share=MIX["property"])

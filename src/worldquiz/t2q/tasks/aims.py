"""From a goal to the rooms in which it is reached and what must be paid there."""

from __future__ import annotations

from collections.abc import Iterator

from worldquiz.facts.fact import CARRIED, EATEN, IN, ON, OPEN, PLAYER_AT, UNLOCKED, Fact
from worldquiz.t2q.tasks.bounds import Musts
from worldquiz.t2q.tasks.closure import Closure
from worldquiz.t2q.tasks.layout import FREE, TARGETS, Charge, Find, Layout
from worldquiz.t2q.tasks.routes import Aim, Site
from worldquiz.t2q.world.spec import LOCKABLE

GOALS = (PLAYER_AT, CARRIED, OPEN, UNLOCKED, ON, IN, EATEN)
"""Predicates that a plan can aim at."""

_HOLDER = {ON.name: "supporter", IN.name: "container"}


def aim_at(goals: tuple[Fact, ...], layout: Layout, closure: Closure, musts: Musts) -> Aim | None:
    """Return one goal, or two things to have in hand, in planner's terms; None if out of reach."""
    finds, least = dict(closure.finds), 0
    targets = [_target(goal, layout, spare) for goal, spare in zip(goals, TARGETS, strict=False)]
    for find in targets:
        if find is not None and find.bit in TARGETS:
            found = closure.found(find)
            if found is None:
                return None
            finds[find.bit] = found
            least |= musts.at(find.room, find.charges, find.bit)
    sites, ways, common = [], [], ~0
    demands = _sites(goals[0], layout, targets[0]) if len(goals) == 1 else _both(targets)
    for room, demanded in demands:
        charges = closure.payable(demanded)
        way = closure.arrival(room, charges, finds)
        if way is not None:
            sites.append(Site(room, charges))
            ways.append((way, room))
            common &= musts.at(room, charges)
    return Aim(goals[0], tuple(sites), finds, common | least, min(ways)) if sites else None


def _both(targets: list[Find | None]) -> Iterator[Site]:
    """Yield where the second of two things can be taken: with either, the other already in hand."""
    finds = [find for find in targets if find is not None]
    if len(finds) == len(targets):
        one, other = (find.charges for find in finds)
        charges = tuple(sorted({first | second for first in one for second in other}))
        yield from (Site(room, charges) for room in sorted({find.room for find in finds}))


def _target(goal: Fact, layout: Layout, spare: Charge) -> Find | None:
    """Return how the thing that a goal wants in hand is taken, if it does and is not held."""
    thing = goal.args[0]
    wanted = _wants_in_hand(goal) and thing not in layout.held
    return layout.find(thing, spare) if wanted else None


def _wants_in_hand(goal: Fact) -> bool:
    return goal.predicate in (CARRIED.name, EATEN.name, ON.name, IN.name)


def _sites(goal: Fact, layout: Layout, find: Find | None) -> Iterator[Site]:
    """Yield where a goal can be reached and what must be paid there, reachable or not."""
    thing = goal.args[0]
    room, in_hand = (find.room, find.charges) if find else (layout.start, FREE)
    if find is None and _wants_in_hand(goal) and thing not in layout.held:
        return
    match goal.predicate:
        case PLAYER_AT.name if thing in layout.number:
            yield Site(layout.number[thing], FREE)
        case OPEN.name | UNLOCKED.name if layout.kinds[thing] in LOCKABLE:
            spare = layout.opens.get(thing, 0) if goal.predicate == UNLOCKED.name else 0
            charges = tuple(charge & ~spare for charge in layout.opening(thing))
            yield from (Site(place, charges) for place in layout.before(thing))
        case CARRIED.name:
            yield Site(room, in_hand)
        case EATEN.name if layout.kinds[thing] == "food":
            yield Site(room, in_hand)
        case ON.name | IN.name if layout.kinds[goal.args[1]] == _HOLDER[goal.predicate]:
            holder = goal.args[1]
            lid = layout.opening(holder) if goal.predicate == IN.name else FREE
            charges = tuple(sorted({have | open for have in in_hand for open in lid}))
            yield from (Site(place, charges) for place in layout.before(holder))

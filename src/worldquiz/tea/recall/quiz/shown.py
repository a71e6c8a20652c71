"""Evidence of an agent's views in an apartment: facts, with the view that showed each first.

For every question two moments matter: when the views settle it, and when they first hint at its
answer. So each matter has a firm fact and a faint one, the firm one never before the faint one:

    clear(thing)            it was shown clearly             glimpsed(thing)    at all, or mirrored
    together(thing, other)  one view showed both clearly     (both glimpsed)
    surveyed(room)          9 of 10 of its points were seen  glanced(room)      3 of 4
    recognised(room)        what tells its kind was clear    noticed(room)      anything of it
    joined(room, other)     most of their doorway was seen,  peeked(room, other) a part of it
                            or walked through

The moments are those of one episode; step n is the n-th view of the walk, from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Seen
from worldquiz.tea.kinds.kinds import Look
from worldquiz.tea.recall.quiz.space import Space, pair, shares
from worldquiz.tea.recall.quiz.words import TELLING
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import BODY, EGO, Show, View, reflected

SURVEYED, GLANCED = 0.9, 0.75
"""Shares of a room's points that must be seen for it to be surveyed, or glanced at."""
MOST = 0.5
"""Share of a doorway's points that must be seen for it to be plain where it leads."""


def clear(thing: str) -> Seen:
    """A view showed it clearly."""
    return Seen(Fact("clear", (thing,)))


def glimpsed(thing: str) -> Seen:
    """A view showed it, if not clearly, or a mirror in it did."""
    return Seen(Fact("glimpsed", (thing,)))


def together(thing: str, other: str) -> Seen:
    """One view showed both clearly; kept of a thing and its support."""
    return Seen(Fact("together", (thing, other)))


def surveyed(room: str) -> Seen:
    """Nearly all of it was seen: a thing not shown is not there."""
    return Seen(Fact("surveyed", (room,)))


def glanced(room: str) -> Seen:
    """So much of it was seen that one might think one knows it."""
    return Seen(Fact("glanced", (room,)))


def recognised(room: str) -> Seen:
    """Labels that tell its kind were shown clearly."""
    return Seen(Fact("recognised", (room,)))


def noticed(room: str) -> Seen:
    """Anything of it was shown, or the agent stood in it."""
    return Seen(Fact("noticed", (room,)))


def joined(room: str, other: str) -> Seen:
    """Their doorway was seen, or walked through."""
    return Seen(Fact("joined", pair(room, other)))


def peeked(room: str, other: str) -> Seen:
    """A part of their doorway was seen."""
    return Seen(Fact("peeked", pair(room, other)))


def telling(scene: Scene) -> dict[str, tuple[frozenset[str], ...]]:
    """Return the sets of labels that tell each room's kind, of those that it holds.

    A set that a room of another kind also holds tells nothing.
    """
    holds = {
        room.name: {thing.label for thing in scene.things if thing.room == room.name}
        for room in scene.rooms
    }
    found = {}
    for room in scene.rooms:
        others = [holds[each.name] for each in scene.rooms if each.kind != room.kind]
        sets = [frozenset(labels) for labels in TELLING.get(room.kind, ())]
        found[room.name] = tuple(
            labels
            for labels in sets
            if labels <= holds[room.name] and not any(labels <= other for other in others)
        )
    return found


def walk(views: Iterable[View]) -> tuple[View, ...]:
    """Return the agent's own views in the order in which they were taken."""
    own = [view for view in views if view.camera.name == EGO]
    return tuple(sorted(own, key=lambda view: (view.time, view.id)))


def evidence(scene: Scene, views: Sequence[View], space: Space | None = None) -> Evidence:
    """Return the first view of a walk that showed each fact; raises `MissingExtra` without numpy.

    Longer walks show all that shorter ones did, at the same steps. `space` saves making it again.
    """
    space = space or Space(scene)
    told, labels = telling(scene), dict[str, set[str]]()
    steps: list[list[Fact]] = [[]]
    surveys = shares(space, (view.camera for view in views))
    before: View | None = None
    for view, seen in zip(views, surveys, strict=True):
        look = Look(scene, view)
        for thing, _ in look.clear:
            labels.setdefault(thing.room, set()).add(thing.label)
        new = [*_things(look), *_rooms(seen), *_doors(space, view, before)]
        new += [
            recognised(room)
            for room, sets in told.items()
            if any(each <= labels.get(room, set()) for each in sets)
        ]
        steps.append([each.fact for each in new])
        before = view
    return Evidence.of_steps(steps)


def until(shown: Evidence, step: int) -> Evidence:
    """Return the evidence of a walk's first `step` views."""
    return Evidence({fact: at for fact, at in shown.first_seen.items() if at.step <= step})


def _things(look: Look) -> Iterator[Seen]:
    clearly = {thing.id: thing for thing, _ in look.clear}
    for name, thing in sorted(clearly.items()):
        yield clear(name)
        if thing.support in clearly:
            yield together(name, thing.support)
    yield noticed(look.view.room)
    mirrored = (
        look.scene.thing[each.thing]
        for each in look.view.reflections
        if each.thing != BODY and reflected(look.view, each) is not Show.HIDDEN
    )
    for thing in (*look.noticed, *mirrored):
        yield glimpsed(thing.id)
        yield noticed(thing.room)


def _rooms(seen: dict[str, float]) -> Iterator[Seen]:
    for room, share in seen.items():
        if share >= GLANCED:
            yield glanced(room)
        if share >= SURVEYED:
            yield surveyed(room)


def _doors(space: Space, view: View, before: View | None) -> Iterator[Seen]:
    for rooms, points in space.doors.items():
        seen = float(space.seen(view.camera, points).mean())
        if seen or _through(space, rooms, view, before):
            yield peeked(*rooms)
        if seen >= MOST or _through(space, rooms, view, before):
            yield joined(*rooms)


def _through(space: Space, rooms: tuple[str, str], view: View, before: View | None) -> bool:
    """Tell whether the agent has just walked straight from one of two rooms into the other."""
    if before is None or pair(before.room, view.room) != rooms:
        return False
    return space.straight(before.agent, view.agent)

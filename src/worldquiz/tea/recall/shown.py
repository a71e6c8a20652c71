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

from collections.abc import Callable, Iterable, Iterator, Sequence

from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import Fact
from worldquiz.facts.requirement import Seen
from worldquiz.tea.kinds.kinds import Look
from worldquiz.tea.recall.space import Space, pair, shares
from worldquiz_scenes.scene import Scene
from worldquiz_scenes.view import BODY, EGO, Show, View, reflected

TELLING: dict[str, tuple[tuple[str, ...], ...]] = {
    "bathroom": (("bathtub",), ("toilet",), ("washbasin",)),
    "bedroom": (("bed",), ("wardrobe",)),
    "hall": (("shoe rack",), ("coat rack",), ("umbrella stand",)),
    "kitchen": (("fridge",), ("kitchen counter",), ("sink",), ("stove",)),
    "living room": (("coffee table",), ("sofa",), ("tv",), ("tv stand",)),
    "study": (("bookshelf", "desk"), ("bookshelf", "office chair")),
}
"""Labels that together tell a room's kind."""
SURVEYED, GLANCED = 0.9, 0.75
"""Shares of a room's points that must be seen for it to be surveyed, or glanced at."""
MOST = 0.5
"""Share of a doorway's points that must be seen for it to be plain where it leads."""


def _fact(name: str, *, ordered: bool = False) -> Callable[..., Seen]:
    """Return the requirement that a fact was shown, of ids and names: ``clear("mug-1")``."""

    def seen(*of: str) -> Seen:
        return Seen(Fact(name, tuple(sorted(of)) if ordered else of))

    return seen


clear, glimpsed, together = map(_fact, ("clear", "glimpsed", "together"))
surveyed, glanced, recognised = map(_fact, ("surveyed", "glanced", "recognised"))
noticed, joined = _fact("noticed"), _fact("joined", ordered=True)
peeked = _fact("peeked", ordered=True)


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

"""What quiz questions ask of a tiny world, read off their words, and which answers are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, product

from tiny_worlds import BACK, BOX, LATENT, TABLE, VOID, Map, Possible, doors_in, offsets
from worldquiz.t2q.question import Question


def settled(question: Question, possible: Possible) -> bool:
    """Tell whether one answer is right in all worlds that are possible."""
    common: frozenset[str] | None = None
    for right in rights(question, possible):
        if right is not None:
            common = right if common is None else common & right
            if not common:
                return False
    assert common is not None
    return True


def rights(question: Question, possible: Possible) -> Iterator[frozenset[str] | None]:
    """Yield the right answers in each possible world, None where the question makes no sense.

    No answer is right where worlds that differ in hidden rooms only have several.
    """
    parts, right = read(question, possible.kinds)
    spot = question.about[0] if question.format == "description" else None
    for world in product(*(possible.parts(part, spot) for part in parts)):
        found = right(*world)
        if isinstance(found, bool):
            found = frozenset({"yes" if found else "no"})
        if found and question.format == "which":
            chosen = [choice for choice in question.choices if choice.split()[-1] in found]
            found = frozenset(chosen) if len(chosen) == 1 else None
        yield found


Right = Callable[..., bool | frozenset[str] | None]


def read(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    """Return the parts that a question is about, and its right answers given these."""
    reader = {
        "location": _location, "connectivity": _connectivity, "direction": _direction,
        "match": _match, "property": _property,
    }[question.type]  # fmt: skip
    return reader(question, kinds)


def _location(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    if question.format == "description":
        things = {**kinds, **{name: kind for kind, name in LATENT.items()}}
        there = [frozenset({kind}) for kind in things.values()]
        return list(things), lambda *at: _joined_words(*compress(there, at))
    (thing,) = question.about
    if "joins" in question.text:
        return [
            "map"
        ], lambda map: frozenset(r for r, _ in map if thing in doors_in(map, r)) or None
    if question.format == "which" or "In which room" in question.text:
        return [thing], lambda at: frozenset({at})
    return [thing, BOX, TABLE], lambda at, box, table: frozenset(
        {at, {BOX: box, TABLE: table}.get(at, at)}
    )


def _joined_words(*kinds: frozenset[str]) -> frozenset[str]:
    return frozenset({", ".join(sorted(frozenset().union(*kinds)))})


def _connectivity(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    room, *others = question.about
    if others:
        return ["map"], lambda map: any(map.get((room, way), ("",))[0] in others for way in BACK)
    return ["map"], lambda map: frozenset(
        map[room, way][0] for way in BACK if map.get((room, way), (VOID,))[0] != VOID
    )


def _direction(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    room, other = question.about
    return ["map"], lambda map: compass(map, room, other)


def _match(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    *keys, lock = question.about
    if keys:
        return ["locks"], lambda locks: locks.fits.get(keys[0]) == lock
    return [
        "locks"
    ], lambda locks: frozenset(key for key, fitted in locks.fits.items() if fitted == lock) or None


def _property(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    (thing,) = question.about
    state = next(word for word in ("locked", "open") if f" {word} " in question.text)
    return ["locks"], lambda locks: locks.state[thing] == state


def compass(map: Map, room: str, other: str) -> frozenset[str] | None:
    """Return in which direction a room lies, none if in any, None where the question has none."""
    cells = offsets(map, room)
    if cells is None or cells.get(other) == (0, 0):
        return None
    if other not in cells:
        both = _leads_out(map, cells) and _leads_out(map, offsets(map, other) or ())
        return frozenset() if both else None
    east, north = cells[other]
    parts = "north" * (north > 0) + "south" * (north < 0), "east" * (east > 0) + "west" * (east < 0)
    return frozenset({"-".join(part for part in parts if part)})


def _leads_out(map: Map, rooms: Iterable[str]) -> bool:
    return any(map.get((room, way), ("",))[0] == VOID for room in rooms for way in BACK)

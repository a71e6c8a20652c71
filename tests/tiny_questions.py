"""What quiz questions ask of a tiny world, read off their words, and which answers are right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import compress, product

from tiny_worlds import BACK, BOX, DOOR, LATENT, TABLE, VOID, Map, Possible, doors_in, offsets
from worldquiz.facts.question import Description, Question, Type, Which, YesNo


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
    spot = question.about[0] if isinstance(question, Description) else None
    for world in product(*(possible.parts(part, spot) for part in parts)):
        found = right(*world)
        assert not isinstance(found, bool)
        if found and isinstance(question, Which):
            chosen = [choice for choice in question.choices if choice.split()[-1] in found]
            found = frozenset(chosen) if len(chosen) == 1 else None
        yield found


Right = Callable[..., bool | frozenset[str] | None]


def read(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    """Return the parts that a question is about, and its right answers given these."""
    reader = {
        Type.LOCATION: _location, Type.CONNECTIVITY: _connectivity, Type.DIRECTION: _direction,
        Type.MATCH: _match, Type.PROPERTY: _property,
    }[question.type]  # fmt: skip
    parts, right = reader(question, kinds)
    if not isinstance(question, YesNo):
        return parts, right
    denied = any(word in question.text for word in _DENIALS)

    def word(*world: object) -> frozenset[str] | None:
        found = right(*world)
        if isinstance(found, bool):
            return frozenset({"yes" if found != denied else "no"})
        return found and frozenset({"yes" if (_way(question) in found) != denied else "no"})

    return parts, word


_DENIALS = ("anywhere but", "no passage", "without a", "other than", "wrong key", "fail to")


def _location(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    if isinstance(question, Description):
        things = {**kinds, **{name: kind for kind, name in LATENT.items()}}
        there = [frozenset({kind}) for kind in things.values()]
        return list(things), lambda *at: _joined_words(*compress(there, at))
    if isinstance(question, YesNo):
        spot, thing = question.about
        return [thing], lambda at: at == spot
    (thing,) = question.about
    if thing == DOOR:
        return ["map"], lambda map: frozenset(r for r, _ in map if DOOR in doors_in(map, r)) or None
    if isinstance(question, Which):
        return [thing], lambda at: frozenset({at})
    return [thing, BOX, TABLE], lambda at, box, table: frozenset(
        {at, {BOX: box, TABLE: table}.get(at, at)}
    )


def _joined_words(*kinds: frozenset[str]) -> frozenset[str]:
    return frozenset({", ".join(sorted(frozenset().union(*kinds)))})


def _connectivity(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    if isinstance(question, YesNo):
        other, room = question.about
        return ["map"], lambda map: any(map.get((room, way), ("",))[0] == other for way in BACK)
    (room,) = question.about
    return ["map"], lambda map: frozenset(
        map[room, way][0] for way in BACK if map.get((room, way), (VOID,))[0] != VOID
    )


def _direction(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    other, room = question.about
    return ["map"], lambda map: compass(map, room, other)


def _way(question: Question) -> str:
    """Return the direction that a question names, "" if none."""
    found = [a + b for a, b in product(("north", "south", ""), ("-east", "-west", ""))]
    words = question.text.lower().replace("?", "").split()
    return next((way.strip("-") for way in found if way.strip("-") in words), "")


def _match(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    if isinstance(question, YesNo):
        key, lock = question.about
        return ["locks"], lambda locks: locks.fits.get(key) == lock
    (lock,) = question.about
    return [
        "locks"
    ], lambda locks: frozenset(key for key, fitted in locks.fits.items() if fitted == lock) or None


_STATES = (
    ("not locked", {"open", "closed"}), ("unlocked", {"open", "closed"}), ("locked", {"locked"}),
    ("open", {"open"}), ("closed", {"closed", "locked"}), ("shut", {"closed", "locked"}),
)  # fmt: skip


def _property(question: Question, kinds: Mapping[str, str]) -> tuple[Sequence[str], Right]:
    (thing,) = question.about
    meant = next(states for word, states in _STATES if word in question.text)
    return ["locks"], lambda locks: locks.state[thing] in meant


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

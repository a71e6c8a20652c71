"""Location: where things, holders and doors were, and what kinds of things were in a place.

Questions about places offer no choices, since these would show which places hold something.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from worldquiz.facts.requirement import Seen, any_of
from worldquiz.t2q.question import CATEGORIES, MIX
from worldquiz.t2q.quiz.family import Draft, Family, Group, Wording
from worldquiz.t2q.quiz.sheet import FEW, Guess, Sheet, kind_of
from worldquiz.t2q.reader.graph import Graph, category
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import HOLDERS, MOVABLE


def rule(draft: Draft) -> Iterator[Group]:
    """Ask where each thing was, and what kinds of things each container and supporter held.

    If a task's goal names one of these, its content is not asked about, since it is mostly empty.
    """
    spec, asked = draft.spec, []
    for thing in spec.of_kind(*MOVABLE):
        spots = tuple(dict.fromkeys((spec.place[thing].args[1], spec.room_of(thing))))
        known = Seen(spec.place[thing])
        asked.append(draft.ask("where", PLACE, spots, requires=known, thing=thing))
    for holder in spec.of_kind(*HOLDERS):
        room, known = spec.room_of(holder), Seen(spec.place[holder])
        asked.append(draft.ask("where", HOLDER, room, requires=known, holder=holder))
    for door in spec.of_kind("door"):
        rooms = tuple(room for room, _ in spec.ends(door))
        either = any_of(*(Seen(f.DOOR_AT(door, room, way)) for room, way in spec.ends(door)))
        asked.append(draft.ask("where", DOOR, rooms, requires=either, door=door))
    for spot in (each for each in spec.of_kind(*HOLDERS) if each not in draft.goals):
        there = {spec.kinds[thing] for thing in spec.content.get(spot, ())}
        word = "on" if spec.kinds[spot] == "supporter" else "in"
        asked.append(draft.ask(
            "description", KINDS, _listed(there), requires=Seen(f.LISTED(spot)), preposition=word,
            spot=spot,
        ))  # fmt: skip
    yield from ([question] for question in draft.shuffled(asked))


def _kinds(graph: Graph, spot: str) -> str | None:
    things = graph.contents.get(spot)
    if things is None:
        return None
    return _listed({graph.kinds.get(thing, category(thing)) for thing in things})


def _listed(kinds: Collection[str]) -> str:
    return ", ".join(each for each in CATEGORIES if each in kinds) or "nothing"


_DROPPED = {True: (0.3, 0.4, 0.8, 0.6), False: (0.9, 0.9, 0.7, 0.65)}
"""Odds that a key lies where it is to be dropped, by the quarter of the task list with its task.

True is for a key that a question names with a lock: it most likely fits one."""


def _guess_place(sheet: Sheet, thing: str) -> Guess | None:
    """Guess a container or supporter of unknown content, or a room if there are fewer rooms."""
    lies = kind_of(thing) == "key"  # open to see, rather than shut in; or on a floor
    if lies and thing in sheet.dropped:
        room, number = sheet.dropped[thing]
        quarter = min(3, 4 * (number - 1) // len(sheet.objectives))
        return Guess(room, _DROPPED[thing in sheet.tried][quarter])
    if lies and thing in sheet.tried and len(sheet.near) == 1 and sheet.dealt:
        return Guess(next(iter(sheet.near)), 0.45 if len(sheet.ways) == 1 else 0.35)
    tops = [each for each in sheet.names["supporter"] if each not in sheet.first.place]
    pair, number = sheet.fetched.get(thing, ((), 0))
    if sheet.dealt and tops and pair:  # what lies open, beside another thing
        top = max(tops, key=sheet.told)  # and is put on what lies near
        if number <= 4 and {*pair} & sheet.first.place.keys():
            return Guess(top, 0.05)
        return Guess(top, 0.35 if sheet.told(top) else 0.45 if number > 6 else 0.25)
    spots, open_ = sheet.spots, lies or bool(pair)
    dealt = max(len(spots), len(sheet.hidden) if lies else 0)
    if spots and dealt <= len(sheet.far):
        best = max(spots, key=lambda spot: (kind_of(spot) == "supporter") is open_)
        alone = any(text == f"Recover the {thing}." for text in sheet.objectives)
        sure = 0.6 if lies and sheet.dealt else 0.9 if alone or pair else 1
        return Guess(best, sure / dealt)
    return Guess(sheet.far[0], 1 / len(sheet.far)) if sheet.far else None


def _guess_holder(sheet: Sheet, holder: str) -> Guess | None:
    rooms = [room for room in sheet.far if not sheet.told(room)]
    return Guess(rooms[0], 1 / len(rooms)) if rooms else _guess_door(sheet)


def _guess_door(sheet: Sheet, door: str = "") -> Guess | None:
    """Guess a room of a door that the first screen does not show.

    The best guess is a room in which the task before or after the door's task drops something; then
    a room that questions about passages name; then any room but the first.
    """
    told = [n for n, text in enumerate(sheet.objectives, start=1) if door and door in text]
    for room, number in sheet.dropped.values():
        if sheet.dealt and room != sheet.start and {number - 1, number + 1} & {*told}:
            return Guess(room, 0.35)
    rooms = sorted(sheet.paired) or sheet.far
    if not rooms:
        return None
    likely = 2.8 if sheet.told(rooms[-1]) and len(sheet.far) < FEW else 2
    return Guess(rooms[-1], min(1, likely / len(sheet.far)))


def _guess_kinds(sheet: Sheet, spot: str) -> Guess:
    """Guess the commonest kind of the portable things that are not shown, or "nothing"."""
    if sheet.told(spot):
        return Guess("nothing", 1)
    hidden, kinds = len(sheet.hidden), Counter(map(kind_of, sheet.hidden))
    holds = min(1, hidden / max(1, len(sheet.spots)))
    lies = kind_of(spot) == "supporter"
    kind = max(MOVABLE, key=lambda kind: (kinds[kind], (kind == "key") is lies, kind))
    share = holds * kinds[kind] / max(1, hidden)
    return Guess(kind, share) if share >= 1 - holds else Guess("nothing", 1 - holds)


PLACE = Wording(
    "place",
    "Where was the {thing} at the start? Name what it was in or on, or the room that it was in.",
    Graph.where,
    _guess_place,
    by_kind=True,
)
HOLDER = Wording(
    "holder", "In which room was the {holder} at the start?", Graph.where, _guess_holder
)
DOOR = Wording("door", "Name one of the two rooms that the {door} joins.", Graph.where, _guess_door)
KINDS = Wording(
    "categories",
    "What kinds of things were {preposition} the {spot} at the start? Name each kind that was "
    "there of container, supporter, food, key, and object for all else; or nothing.",
    _kinds,
    _guess_kinds,
    by_kind=True,
)
FAMILY = Family("location", rule, (PLACE, HOLDER, DOOR, KINDS), share=MIX["location"])

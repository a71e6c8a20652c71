"""The kinds of question about an apartment that somebody has walked.

Neither the words nor common sense give an answer away: no question asks for a banana's colour or
for the bathtub's room, and none has mostly one answer if a walk can show another.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from math import atan2, degrees, dist

from worldquiz.facts.question import Type
from worldquiz.facts.requirement import AnyOf, all_of
from worldquiz.tea.recall.quiz.kinds import Apartment, FoundQuestion, QuestionKind, apart, place
from worldquiz.tea.recall.quiz.shown import (
    clear,
    glanced,
    glimpsed,
    joined,
    peeked,
    recognised,
    surveyed,
    together,
)
from worldquiz.tea.recall.quiz.words import AT_HOME, BELONGING, HOUSEHOLD, ONE_COLOUR, PATTERNED
from worldquiz_scenes.scene import Pattern, Thing

MOST = 4
NUMBERS = (*(str(number) for number in range(MOST)), f"{MOST} or more")
APART = 0.35
"""Distance of two colours' red, green and blue, each 0..1."""
RATIO, GAP = 1.6, 0.8
"""How many times as far, and how many metres farther, what is not nearer must be."""
AWAY = 1.0
"""Metres from where one stands to what one faces, and to what is asked about."""
SECTORS = {"ahead": (-20, 20), "left": (50, 130), "right": (-130, -50)}
"""Degrees to the left of where one looks; behind is beyond 160 either way."""
WAYS = (*SECTORS, "behind")
BEHIND = 160
TRIES = 600
"""Triples of things that are looked at, drawn."""


def _rooms(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield in which room a thing is.

    Settled by a clear view of it, once its room can be told.
    """
    if len(flat.kinds) < 2:
        return
    for thing in flat.lone:
        room = flat.scene.room[thing.room]
        if room.name not in flat.plain or thing.label in AT_HOME:
            continue
        others = [surveyed(each.name) for each in flat.scene.rooms if each.kind != room.kind]
        yield FoundQuestion(
            f"In which room is the {thing.label}?",
            room.kind,
            all_of(clear(thing.id), recognised(room.name)),
            AnyOf((glimpsed(thing.id), all_of(*others))),
            (thing.id,),
            flat.choices(room.kind, flat.kinds, "room", thing.id),
        )


def _supports(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield questions for the support of a thing. Settled by one view that shows both clearly."""
    things = {thing.id: thing for thing in flat.scene.things if thing.has_label}
    bear = {things[each.support].label for each in flat.scene.things if each.support in things}
    for thing in flat.lone:
        if thing.support not in things or thing.label in BELONGING:
            continue
        right = things[thing.support].label
        wrong = bear - {thing.label}
        if len(wrong) < 2:
            continue
        yield FoundQuestion(
            f"What does the {thing.label} stand, lie or lean on?",
            right,
            together(thing.id, thing.support),
            glimpsed(thing.id),
            (thing.id, thing.support),
            flat.choices(right, wrong, "support", thing.id),
        )


def _counts(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield how many things of a label a room holds. Settled once nearly all of it was seen.

    Noughts are asked of labels that other rooms hold.
    """
    for room in flat.rooms:
        for label, things in flat.by_label.items():
            here = [thing for thing in things if thing.room == room.name]
            if len(things) == 1 or any(thing.mirror for thing in things):
                continue
            known = (clear(thing.id) for thing in here)
            yield FoundQuestion(
                f'How many things that one would call "{label}" does the {room.kind} hold?',
                NUMBERS[min(len(here), MOST)],
                all_of(surveyed(room.name), recognised(room.name), *known),
                glanced(room.name),
                (room.name, label),
                NUMBERS,
            )


def _few(found: FoundQuestion) -> str:
    """Return the group that a question is drawn from.

    A walk settles counts of 0 first. They share a group with counts of 1, or 0 would be the answer
    of most questions that can be answered.
    """
    return "1" if found.answer == "0" else str(found.answer)


def _presence(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield questions which of two things is in the apartment; the other is nowhere in it.

    Settled by a clear view of the one. It is asked of pairs, since a walk soon shows that something
    is there and hardly ever that it is not: for a plain yes or no, always yes would be right. No
    label is named twice, so no question gives away another's answer.
    """
    groups: dict[bool, list[str]] = {True: [], False: []}
    for label in HOUSEHOLD:
        groups[label in flat.by_label].append(label)
    there, absent = (
        flat.draw("presence", str(here)).sample(group, len(group)) for here, group in groups.items()
    )
    whole = all_of(*(glanced(room.name) for room in flat.scene.rooms))
    for label, other in zip(there, absent, strict=False):
        things = [thing.id for thing in flat.by_label[label]]
        first, second = sorted((label, other))
        yield FoundQuestion(
            f"Which is somewhere in the flat: something that one would call "
            f'"{first}", or something that one would call "{second}"?',
            label,
            AnyOf(tuple(map(clear, things))),
            AnyOf((*map(glimpsed, things), whole)),
            (label, other),
            (first, second),
        )


def _doorways(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield into which room a doorway leads straight from another.

    Settled by a view of the doorway, or by walking through it, once both rooms can be told. It is
    asked with rooms that have no such doorway beside the right one: whether two rooms are joined,
    asked for a plain yes or no, is mostly yes where a walk can tell.
    """
    for room, other in permutations(flat.rooms, 2):
        near = flat.neighbours(room.name)
        wrong = [each.kind for each in flat.rooms if each.name not in (room.name, *near)]
        if other.name not in near or len(wrong) < 2:
            continue
        told = (recognised(room.name), recognised(other.name))
        yield FoundQuestion(
            f"Into which of these rooms does a doorway lead straight from the {room.kind}?",
            other.kind,
            all_of(joined(room.name, other.name), *told),
            peeked(room.name, other.name),
            (room.name, other.name),
            flat.choices(other.kind, wrong, "doorway", room.name, other.name),
        )


def _colours(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield which colour has most of a thing, offering colours that anybody tells from it."""
    plain = [each for each in flat.scene.things if each.paint.pattern is Pattern.PLAIN]
    values = {thing.paint.colour: thing.paint.rgb for thing in reversed(plain)}
    for thing in flat.lone:
        paint = thing.paint
        if paint.pattern is not Pattern.PLAIN or thing.label in ONE_COLOUR or thing.mirror:
            continue
        wrong = [name for name, rgb in values.items() if dist(rgb, paint.rgb) >= APART]
        if len(wrong) >= 2:
            words = f"Which colour has most of the {thing.label}?"
            choices = flat.choices(paint.colour, wrong, words)
            yield _of_things(words, paint.colour, (thing,), choices)


def _patterns(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield which pattern a thing has."""
    for thing in flat.lone:
        if thing.label in PATTERNED:
            words = f"Which pattern does the {thing.label} have?"
            right = str(thing.paint.pattern)
            choices = flat.choices(right, map(str, Pattern), words)
            yield _of_things(words, right, (thing,), choices)


def side(stand: Thing, face: Thing, other: Thing) -> str | None:
    """Return on which side a thing lies for who stands at one and faces another, None in between.

    All on the plan, by the middles of the things.
    """
    turn = degrees(_bearing(stand, other) - _bearing(stand, face))
    turn = (turn + 180) % 360 - 180
    if abs(turn) >= BEHIND:
        return "behind"
    return next((name for name, (low, high) in SECTORS.items() if low <= turn <= high), None)


def _bearing(start: Thing, end: Thing) -> float:
    return atan2(end.position[1] - start.position[1], end.position[0] - start.position[0])


def _triples(flat: Apartment, name: str) -> Iterator[tuple[Thing, Thing, Thing]]:
    """Yield some triples of different things that labels denote."""
    draw = flat.draw(name)
    things = flat.lone
    if len(things) ** 3 <= TRIES:
        yield from permutations(things, 3)
        return
    for first, second, third in {
        tuple(draw.sample(range(len(things)), 3)): 0 for _ in range(TRIES)
    }:
        yield things[first], things[second], things[third]


def _sides(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield questions for a thing's side, seen by a person who stands at one and faces another.

    Answerers are told where each picture was taken, so they can put two pictures on one plan.
    """
    for stand, face, other in _triples(flat, "side"):
        answer = side(stand, face, other)
        if answer is None or min(apart(stand, face), apart(stand, other)) < AWAY:
            continue
        yield _of_things(
            f"You stand at the {stand.label} and face the {face.label}. "
            f"Where is the {other.label}?",
            answer, (stand, face, other), WAYS,
        )  # fmt: skip


def _nearer(flat: Apartment) -> Iterator[FoundQuestion]:
    """Yield which of two things is nearer to a third, on the plan."""
    for stand, one, two in _triples(flat, "nearer"):
        near, far = sorted((one, two), key=lambda each: apart(stand, each))
        short, long = apart(stand, near), apart(stand, far)
        if one.label < two.label and long >= RATIO * short and long - short >= GAP:
            yield _of_things(
                f"Which is nearer to the {stand.label}?",
                near.label, (stand, one, two), (one.label, two.label),
            )  # fmt: skip


def _of_things(
    text: str, answer: str, things: tuple[Thing, ...], choices: tuple[str, ...]
) -> FoundQuestion:
    """Return a question that clear views of some things settle, in any pictures."""
    ids = tuple(thing.id for thing in things)
    return FoundQuestion(
        text, answer, all_of(*map(clear, ids)), all_of(*map(glimpsed, ids)), ids, choices
    )


COLOUR = QuestionKind("colour", Type.PROPERTY, _colours)
COUNT = QuestionKind("count", Type.LOCATION, _counts, own_sheet=True, spread=_few)
DOORWAY = QuestionKind("doorway", Type.CONNECTIVITY, _doorways)
NEARER = QuestionKind("nearer", Type.DIRECTION, _nearer, spread=place)
PATTERN = QuestionKind("pattern", Type.PROPERTY, _patterns)
PRESENCE = QuestionKind("presence", Type.LOCATION, _presence, own_sheet=True, spread=place)
ROOM = QuestionKind("room", Type.LOCATION, _rooms)
SIDE = QuestionKind("side", Type.DIRECTION, _sides)
SUPPORT = QuestionKind("support", Type.LOCATION, _supports)

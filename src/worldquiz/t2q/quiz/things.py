"""Things: where they were, which key fits which lock, what was locked and what stood open.

Location is asked from the thing's side and from the holder's side. A property is latent (section
3.1): only trying a lock shows it. A key's fit shows when it turns.
"""

from __future__ import annotations

from worldquiz.facts.fact import DOOR_AT, LISTED, Fact
from worldquiz.facts.question import CATEGORIES
from worldquiz.facts.requirement import Seen, any_of
from worldquiz.t2q.quiz.answerability import (
    absent,
    away,
    chosen,
    fits,
    lid_state,
    lock_state,
    placed,
    unfit,
)
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, WorldSpec

WHERE = (
    "Where was the {thing} at the start?",
    "Where could the {thing} be found when the game began?",
    "What was the initial place of the {thing}?",
)
WHICH = (
    "Which of these was the place of the {thing} at the start?",
    "In which of these places was the {thing} when the game began?",
)
IS = ("Was the {thing} {phrase} at the start?", "When the game began, was the {thing} {phrase}?")
IS_NOT = (
    "Was the {thing} anywhere but {phrase} at the start?",
    "When the game began, was the {thing} anywhere but {phrase}?",
)
CATEGORY = (
    "What kinds of things were {preposition} the {holder} at the start?",
    "Describe what was {preposition} the {holder} when the game began.",
)
HELD = (
    "Which of these was {preposition} the {holder} at the start?",
    "Which of these could be found {preposition} the {holder} when the game began?",
)

KEY = ("Which key fits the {lock}?", "Which of these keys unlocks the {lock}?")
LOCK = ("What does the {key} unlock?", "Which lock does the {key} fit?")
FITS = ("Does the {key} fit the {lock}?", "Is the {key} the right key for the {lock}?")
UNFIT = ("Is the {key} the wrong key for the {lock}?", "Would the {key} fail to fit the {lock}?")

LOCKED = ("Was the {thing} locked at the start?", "When the game began, was the {thing} locked?")
UNLOCKED = (
    "Was the {thing} unlocked at the start?",
    "When the game began, was the {thing} without a turned lock?",
)
OPEN = ("Was the {thing} open at the start?", "When the game began, did the {thing} stand open?")
CLOSED = ("Was the {thing} closed at the start?", "When the game began, was the {thing} shut?")
WHICH_IS = (
    "Which of these was {state} at the start?",
    "When the game began, which of these was {state}?",
)


def ask_location(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask once about each object and, from the other side, once about each holder in use."""
    spec = sheet.spec
    kinds = ("where", "yes", "which", "where", "no", "which")
    for thing, kind in sheet.deal(spec.of_kind(*HOLDERS, *MOVABLE), kinds):
        _thing(sheet, thing, kind)
    for door, kind in sheet.deal(spec.of_kind("door"), ("where", "which")):
        _door(sheet, door, kind)
    if both_sides:
        full = [holder for holder in spec.of_kind(*HOLDERS) if spec.content[holder]]
        for holder, kind in sheet.deal(full, ("description", "which")):
            _holder(sheet, holder, kind)


def _door(sheet: Sheet, door: str, kind: str) -> None:
    """Ask where a door is: it is in either of the rooms that it joins."""
    spec = sheet.spec
    ends = {room: DOOR_AT(door, room, way) for room, way in spec.ends(door)}
    others = [room for room in spec.of_kind("room") if room not in ends]
    if kind == "which" and others:
        right, wrong = sheet.sample(sorted(ends), 1)[0], sheet.sample(others)
        settled = chosen(Seen(ends[right]), *(away(spec, door, room) for room in wrong))
        sheet.which(f"in the {right}", [f"in the {w}" for w in wrong], WHICH, settled, thing=door)
    else:
        known = any_of(*(Seen(end) for end in ends.values()))
        sheet.where(tuple(ends), WHERE, known, thing=door)


def _phrase(spec: WorldSpec, spot: str) -> str:
    """Return a spot as part of a sentence: "in the red chest", "on the table", "in the attic"."""
    return f"on the {spot}" if spec.kinds[spot] == "supporter" else f"in the {spot}"


def _spot_phrase(spec: WorldSpec, thing: str, spot: str) -> str:
    """Rooms are named as floors for what lies about, plainly for what stands in them."""
    if spec.kinds[spot] == "room" and spec.kinds[thing] not in HOLDERS:
        return f"on the floor of the {spot}"
    return _phrase(spec, spot)


def _thing(sheet: Sheet, thing: str, kind: str) -> None:
    spec = sheet.spec
    spot = spec.place[thing].args[1]
    fixed = spec.kinds[thing] in HOLDERS
    kinds = ("room",) if fixed else ("room", *HOLDERS)
    others = [other for other in spec.of_kind(*kinds) if other != spot]
    match kind:
        case "where":
            answers = dict.fromkeys((spot, spec.room_of(thing)))
            sheet.where(tuple(answers), WHERE, placed(spec, thing), thing=thing)
        case "which":
            wrong = sheet.sample(others)
            phrases = {other: _spot_phrase(spec, thing, other) for other in (spot, *wrong)}
            settled = chosen(placed(spec, thing), *(absent(spec, thing, w) for w in wrong))
            sheet.which(phrases[spot], [phrases[w] for w in wrong], WHICH, settled, thing=thing)
        case _:
            asked = spot if kind == "yes" else sheet.sample(others, 1)[0]
            settled = placed(spec, thing) if kind == "yes" else absent(spec, thing, asked)
            words = _spot_phrase(spec, thing, asked)
            sheet.yes_no(kind == "yes", IS, IS_NOT, settled, thing=thing, spot=asked, phrase=words)


def _holder(sheet: Sheet, holder: str, kind: str) -> None:
    spec = sheet.spec
    content = spec.content[holder]
    words = {"holder": holder, "preposition": _phrase(spec, holder).partition(" ")[0]}
    if kind == "which":
        right = sheet.sample(content, 1)[0]
        wrong = sheet.sample(
            [t for t, fact in spec.place.items() if fact.predicate != "at" and t not in content]
        )
        settled = chosen(placed(spec, right), *(absent(spec, w, holder) for w in wrong))
        if wrong:
            sheet.which(right, wrong, HELD, settled, **words)
            return
    found = {spec.kinds[thing] for thing in content}
    categories = [category for category in CATEGORIES if category in found]
    sheet.description(categories, CATEGORY, Seen(LISTED(holder)), **words)


def ask_match(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask once about each key and, from the other side, once about each lock."""
    spec = sheet.spec
    spare = [key for key in spec.of_kind("key") if key not in spec.lock_of]
    for key, kind in sheet.deal(sorted(spec.lock_of), ("what", "yes", "which", "yes")):
        if kind == "which":
            _which_key(sheet, spec.lock_of[key])
        elif kind == "what":
            sheet.what((spec.lock_of[key],), LOCK, fits(key, spec.lock_of[key]), key=key)
        else:
            lock = spec.lock_of[key]
            sheet.yes_no(True, FITS, UNFIT, fits(key, lock), key=key, lock=lock)
    for key in spare:
        lock = sheet.sample(sorted(spec.key_of) or spec.of_kind(*LOCKABLE), 1)[0]
        sheet.yes_no(False, FITS, UNFIT, unfit(spec, key, lock), key=key, lock=lock)
    if both_sides:
        for lock, kind in sheet.deal(sorted(spec.key_of), ("which", "no")):
            _lock(sheet, lock, kind)


def _lock(sheet: Sheet, lock: str, kind: str) -> None:
    spec = sheet.spec
    others = [key for key in spec.of_kind("key") if key != spec.key_of[lock]]
    if kind == "no" and others:
        key = sheet.sample(others, 1)[0]
        sheet.yes_no(False, FITS, UNFIT, unfit(spec, key, lock), key=key, lock=lock)
    else:
        _which_key(sheet, lock)


def _which_key(sheet: Sheet, lock: str) -> None:
    spec = sheet.spec
    right = spec.key_of[lock]
    wrong = sheet.sample([key for key in spec.of_kind("key") if key != right])
    if not wrong:
        sheet.what((lock,), LOCK, fits(right, lock), key=right)
        return
    settled = chosen(fits(right, lock), *(unfit(spec, key, lock) for key in wrong))
    sheet.which(right, wrong, KEY, settled, lock=lock)


def ask_property(sheet: Sheet, *, both_sides: bool) -> None:
    """Ask of each door and container whether it was locked and, from the other side, open."""
    spec = sheet.spec
    sides = [("locked", "unlocked")] + [("open", "shut")] * both_sides
    for yes, no in sides:
        for thing, kind in sheet.deal(spec.of_kind(*LOCKABLE), ("yes_no", "which")):
            _state(sheet, thing, kind, yes, no)


def _state(sheet: Sheet, thing: str, kind: str, yes: str, no: str) -> None:
    spec = sheet.spec
    known = lock_state if yes == "locked" else lid_state
    truth = Fact(yes, (thing,)) in spec.initial
    others = [t for t in spec.of_kind(*LOCKABLE) if (Fact(yes, (t,)) in spec.initial) != truth]
    if kind == "which" and others:
        wrong = sheet.sample(others)
        settled = chosen(known(spec, thing), *(known(spec, w) for w in wrong))
        state = {"locked": "locked", "unlocked": "not locked", "open": "open", "shut": "closed"}
        named = state[yes if truth else no]
        sheet.which(thing, wrong, WHICH_IS, settled, state=named)
    else:
        positive, negative = (LOCKED, UNLOCKED) if yes == "locked" else (OPEN, CLOSED)
        sheet.yes_no(truth, positive, negative, known(spec, thing), thing=thing)

"""Match and property: which key fits which lock; what was locked, what stood open.

A property is latent (section 3.1): only trying a lock shows it. A key's fit shows when it turns.
"""

from __future__ import annotations

from worldquiz.facts.fact import Fact
from worldquiz.t2q.quiz.answerability import chosen, fits, lid_state, lock_state, unfit
from worldquiz.t2q.quiz.question_builder import Sheet
from worldquiz.t2q.world.spec import LOCKABLE

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

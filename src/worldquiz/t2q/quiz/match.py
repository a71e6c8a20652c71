"""Match: which key fits which lock.

Some questions offer four keys, each of which fits one of four locks. Any other key is asked about
with two doors or containers; before the first command, nothing shows which of them is locked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from worldquiz import rng
from worldquiz.facts.requirement import Requirement, Seen, all_of, any_of
from worldquiz.t2q.question import MIX, Question
from worldquiz.t2q.quiz.family import CHOICES, Draft, Family, Group, Wording
from worldquiz.t2q.quiz.sheet import Sheet
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.world import predicates as f
from worldquiz.t2q.world.spec import LOCKABLE, WorldSpec


class Locks(NamedTuple):
    """Doors and containers that questions on locks are about, drawn by the world's seed."""

    four: Sequence[str]  # which of four keys fits each of these? four, or none
    pairs: Sequence[tuple[str, str]]  # something locked, and another thing of unknown state


def locks_of(draft: Draft) -> Locks:
    """Draw the locks that are asked about.

    "Which key fits?" reveals that its lock was locked, so no other question is about the four.
    Locks that a task's goal names are drawn first, since one can guess that they were locked. Other
    questions leave out such locks: one that is not among the four would be known to be unlocked.
    """
    spec = draft.spec
    draw = rng.child(spec.seed, "quiz", "locks")
    locks = draw.sample(sorted(spec.key_of), len(spec.key_of))
    others = [each for each in spec.of_kind(*LOCKABLE) if each not in spec.key_of]
    others = [each for each in others if not draft.settled(lock_state(spec, each))]
    draw.shuffle(others)
    locks.sort(key=lambda lock: lock not in draft.goals)
    four = locks[:CHOICES] if len(locks) > CHOICES + 1 else []
    locks = locks[len(four) :]
    if four:
        locks, others = ([each for each in some if each not in draft.goals]
                         for some in (locks, others))  # fmt: skip
    others += locks[len(others) - 1 :]
    return Locks(four, [(lock, o) for lock, o in zip(locks, others, strict=False) if lock != o])


def rule(draft: Draft) -> Iterator[Group]:
    """Ask which of four keys fits a lock, and whether other keys fit each lock of a pair.

    In a pair, one lock was locked and has a key, and the other was not locked or has another key.
    Keys that fit nothing are asked about last, with such pairs.
    """
    spec, (four, pairs) = draft.spec, locks_of(draft)
    if four:
        yield [_which(draft, lock, [spec.key_of[each] for each in four]) for lock in four]
    for pair in pairs:
        yield [_fits(draft, spec.key_of[pair[0]], lock) for lock in pair]
    spare = draft.shuffled(key for key in spec.of_kind("key") if key not in spec.lock_of)
    for key, pair in zip(spare, pairs, strict=False):
        yield [_fits(draft, key, lock) for lock in pair]


def _which(draft: Draft, lock: str, keys: Sequence[str]) -> Question:
    """Ask which of the keys fits, in an order drawn by seed; elimination may answer this too."""
    spec, right = draft.spec, draft.spec.key_of[lock]
    others = (_known(spec, key, lock) for key in keys if key != right)
    known = any_of(_known(spec, right, lock), all_of(*others))
    choices = tuple(draft.shuffled(keys))
    return draft.ask("which", KEY_OF, right, choices=choices, requires=known, lock=lock)


def _fits(draft: Draft, key: str, lock: str) -> Question:
    truth, known = draft.spec.lock_of.get(key) == lock, _known(draft.spec, key, lock)
    return draft.ask("yes_no", FITS, truth, requires=known, key=key, lock=lock)


def _known(spec: WorldSpec, key: str, lock: str) -> Requirement:
    """Return the evidence required to know whether a key fits: a try, or law 4 or 6."""
    if spec.lock_of.get(key) == lock:
        return Seen(f.MATCH(key, lock))
    ways: list[Requirement] = [Seen(f.NO_MATCH(key, lock))]
    if f.LOCKED(lock) not in spec.initial:
        ways.append(lock_state(spec, lock))
    if key in spec.lock_of:
        ways.append(Seen(f.MATCH(key, spec.lock_of[key])))
    if lock in spec.key_of:
        ways.append(Seen(f.MATCH(spec.key_of[lock], lock)))
    return any_of(*ways)


def lock_state(spec: WorldSpec, thing: str) -> Requirement:
    """Return the evidence required to know whether a thing was locked (law 5)."""
    if f.LOCKED(thing) in spec.initial:
        return Seen(f.LOCKED(thing))
    if f.OPEN(thing) in spec.initial:
        return any_of(Seen(f.UNLOCKED(thing)), Seen(f.OPEN(thing)))
    return Seen(f.UNLOCKED(thing))


def _guess(sheet: Sheet, key: str, lock: str) -> float:
    odds = {each: sheet.locks[each][0] for each in sheet.keys[key]}
    spare = min(sheet.keys[lock], key=lambda each: sheet.dropped.get(each, ("", 99))[1])
    real = {
        each: (10 if each in sheet.first.place else 1)
        * (0.3 if each == spare and each in sheet.dropped else 1)  # an early task's
        for each in sheet.keys[lock]
    }
    share = odds[lock] / (sum(odds.values()) or 1)
    return share * real[key] / sum(real.values())


KEY_OF = Wording("key_of", "Which of these keys fits the {lock}?", Graph.matches, None)
FITS = Wording(
    "fits",
    "Does the {key} fit the {lock}? A key fits one lock at most, and only what was locked at the "
    "start.",
    Graph.matches,
    _guess,
)
FAMILY = Family("match", rule, (KEY_OF, FITS), share=MIX["match"])

"""A reader of walkthroughs without a model: it draws the map from the text, then searches it.

MANGO calls this road "not promising" (arXiv 2403.19913, section 3.2 and appendix C.4), having had
models draw the map. Here rules draw it: what a text says of places, where the walk can have been,
and that a direction leads back by its opposite unless the walkthrough shows where that leads. It
knows what a model is told: the walkthrough, and the names of the places and of the actions.

Where the walk was at each step is told by the account that contradicts itself least. A heading that
names one place settles it. Where it names several, or none, each account so far goes on with every
place that the text allows, and pays for what is unlikely: that a move leads elsewhere than before,
or than its opposite says; that a text lacks the words of the place's mark; that one place is
described twice in different words. The cheapest accounts are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import NamedTuple

from worldquiz.mango.mapper.drawnmap import Leg, SearchedMap, trajectory
from worldquiz.mango.mapper.mapper_names import Names, PlaceReading
from worldquiz.mango.maze.walkthrough import BACK, WalkStep

__all__ = ["Leg", "Mapper", "trajectory"]

Allowed = frozenset[str] | None
_IDLE = frozenset(("wait", "z", "look", "l"))
KEPT = 48
"""How many accounts are followed."""
FULL = 8
"""Words from which on a text describes a place."""
ALIKE = 0.6
"""Share of words that two texts about one place have in common."""

# What an account pays; nothing hangs on the exact figures.
BROKEN = 3.0  # a move leads elsewhere than it did before
TURNED = 1.0  # or than its opposite says
LOOP = 2.0  # a direction leads nowhere, though the text shows a place
NEW = 0.2  # a move that was not known
MARK = 2.0  # all words of a place's mark are missing, and another's are there
FAINT = 4.0  # all words of a place's name are missing
STAYED = 1.5  # nobody moved, though the text has another place's name
LOST = 1.0  # nobody knows where
CHANGED = 1.0  # a place is described in other words than before
ALIKE_AGAIN = -0.5  # or in the same
TWIN = 0.7  # a new place is described in the words of another
FIRST = -0.5  # a place is seen for the first time: each is seen at some time


class Trust(IntEnum):
    """Evidence for the names of a move's two places."""

    SURE = 0  # headings of one place each
    SHARED = 1  # such a heading before, after it one that several places share
    GUESS = 2  # sentences, or what the map makes likely


class ReadMove(NamedTuple):
    """A move that the walkthrough shows."""

    leg: Leg
    trust: Trust


class Mapper(SearchedMap):
    """A map drawn from a walkthrough; `exits` is what it holds."""

    def __init__(
        self,
        walkthrough: Iterable[WalkStep],
        places: Iterable[str],
        actions: Iterable[str] | None = None,
    ) -> None:
        """Read a walkthrough whose places, and the actions that move somebody, have these names.

        Without `actions` any action may be a move.
        """
        super().__init__(str)
        names = Names(places)
        allowed = None if actions is None else frozenset(actions)
        self._places = names.places
        moves = walked(walkthrough, names, allowed)
        self._take(moves, Trust.SURE, allowed)
        self._take(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.SURE, allowed)
        self._take(moves, Trust.GUESS, allowed)
        self._impute(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.GUESS, allowed)

    @cached_property
    def exits(self) -> dict[str, dict[str, str]]:
        """The map's moves: by place and action, the place that the action leads to."""
        return {
            place: {action: leg.target for action, (leg, _) in self._exits.get(place, {}).items()}
            for place in self._places
        }

    def _take(self, moves: Iterable[ReadMove], trust: Trust, allowed: Allowed) -> None:
        """Draw moves that were taken, the later ones over the earlier, but not over better ones."""
        fresh = [leg for leg, how in moves if how is trust and not self.drawn(*leg[:2])]
        for leg in fresh:
            odd = allowed is not None and leg.action not in allowed
            self.draw(leg, (int(odd or trust is not Trust.SURE), 0))

    def _impute(self, moves: Iterable[ReadMove], trust: Trust, allowed: Allowed) -> None:
        """Draw what leads back, unless the map shows where that leads."""
        for leg, how in moves:
            back = BACK.get(leg.action)
            if how is not trust or back is None or (allowed is not None and back not in allowed):
                continue
            taken = self.drawn(leg.source, leg.action)
            if taken is not None and self.drawn(leg.target, back) is None:
                self.draw(Leg(leg.target, back, leg.source), (taken[1][0], 1))


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a walk so far."""

    cost: float = 0.0
    here: str | None = None  # None: nobody knows
    sure: bool = False  # whether the text named it
    moves: tuple[ReadMove, ...] = ()
    taken: dict[tuple[str, str], str] = field(default_factory=dict)
    backs: dict[tuple[str, str], str] = field(default_factory=dict)
    texts: dict[str, frozenset[str]] = field(default_factory=dict)

    def known(self, action: str) -> str | None:
        """Return the place that an action leads to from here, by moves taken, else by opposites."""
        if self.here is None:
            return None
        key = (self.here, action)
        return self.taken.get(key) or self.backs.get(key)


def walked(
    walkthrough: Iterable[WalkStep], names: Names, allowed: Allowed = None
) -> tuple[ReadMove, ...]:
    """Return the moves of the cheapest account of a walk. Ties go to the first name.

    Only the allowed actions, if they are given, move somebody.
    """
    accounts = [Account()]
    for step in walkthrough:
        reading = names.read(step.observation)
        moving = _moves(step, allowed)
        further = [
            _go(account, step.action, place, cost, reading, moving)
            for account in accounts
            for place, cost in _places(account, step, reading, moving)
        ]
        accounts = _cheapest(further)
    return accounts[0].moves


def _moves(step: WalkStep, allowed: Allowed) -> bool:
    """Tell whether a step may lead elsewhere though no heading says so."""
    named = allowed is not None and step.action in allowed and step.action not in _IDLE
    return step.number == 0 or step.action in BACK or named


def _cheapest(accounts: Sequence[Account]) -> list[Account]:
    """Return the cheapest accounts, of those with the same map only one."""
    kept: dict[tuple[object, ...], Account] = {}
    for account in sorted(accounts, key=lambda one: one.cost):
        key = (account.here, *sorted(account.taken.items()))
        kept.setdefault(key, account)
        if len(kept) == KEPT:
            break
    return list(kept.values())


def _places(
    account: Account, step: WalkStep, reading: PlaceReading, moving: bool
) -> list[tuple[str | None, float]]:
    """Return where a step may have led, each with what its text costs."""
    fits = sorted(reading.fits.items())
    if reading.heading is not None:
        if len(fits) == 1:
            return [(fits[0][0], 0.0)]
        best = max(fit for _, fit in fits) if len(reading.text) >= FULL // 2 else 0.0
        return [(place, MARK * max(best - fit, 0.0)) for place, fit in fits]
    there = account.known(step.action)
    found: list[tuple[str | None, float]] = [(account.here, 0.0)]
    if not moving:
        return found
    if fits:
        found = [(account.here, STAYED), *((place, FAINT * (1 - fit)) for place, fit in fits)]
    elif reading.title:
        found = [(account.here, STAYED), (None, LOST)]
        if there is not None:
            found.append((there, 0.0))
    return found


def _go(
    account: Account,
    action: str,
    place: str | None,
    cost: float,
    reading: PlaceReading,
    moving: bool,
) -> Account:
    """Return an account one step on."""
    cost += account.cost
    here = account.here
    stays = place == here
    if place is None or (stays and reading.heading is None):
        return replace(account, cost=cost, here=place, sure=account.sure and stays and not moving)
    cost += _described(account, place, reading)
    texts = account.texts
    if place not in texts or len(reading.text) >= FULL > len(texts[place]):
        texts = {**texts, place: reading.text}
    if here is None or stays:
        if stays and action in BACK and not reading.sure:
            cost += LOOP
        return replace(account, cost=cost, here=place, sure=reading.sure, texts=texts)
    cost += _moved(account, here, action, place)
    move = ReadMove(Leg(here, action, place), _trust(account, reading))
    backs = account.backs
    if back := BACK.get(action):
        backs = {(place, back): here, **backs}
    return Account(
        cost, place, reading.sure, (*account.moves, move),
        {**account.taken, (here, action): place}, backs, texts,
    )  # fmt: skip


def _trust(account: Account, reading: PlaceReading) -> Trust:
    if not account.sure or reading.heading is None:
        return Trust.GUESS
    return Trust.SURE if reading.sure else Trust.SHARED


def _moved(account: Account, here: str, action: str, place: str) -> float:
    """Return what a move costs by what is known of the map."""
    known = account.taken.get((here, action))
    if known is not None:
        return 0.0 if known == place else BROKEN
    cost = NEW
    hint = account.backs.get((here, action))
    if hint is not None:
        cost += -NEW if hint == place else TURNED
    back = BACK.get(action)
    if back is None:
        return cost
    other = account.taken.get((place, back))
    if other is not None and other != here:
        cost += TURNED
    return cost


def _described(account: Account, place: str, reading: PlaceReading) -> float:
    """Return what a text costs by what was said of the place, and of the others, before."""
    if place not in account.texts:
        twin = len(reading.text) >= FULL and any(
            _alike(account.texts.get(other), reading.text) for other in reading.fits
        )
        return FIRST + (TWIN if twin else 0.0)
    before = account.texts[place]
    if len(reading.text) < FULL or len(before) < FULL:
        return 0.0
    return ALIKE_AGAIN if _alike(before, reading.text) else CHANGED


def _alike(one: frozenset[str] | None, other: frozenset[str]) -> bool:
    return one is not None and len(one & other) >= ALIKE * len(one | other)

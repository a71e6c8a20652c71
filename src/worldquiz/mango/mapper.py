"""A map builder without a model: rules draw a map from a walkthrough, and a search on it answers.

MANGO calls this approach "not promising" (arXiv 2403.19913, section 3.2 and appendix C.4), since
models could not draw the map. Here rules draw it. They use the text about each place and the places
where the walk can have been, and assume that the opposite direction leads back unless the
walkthrough shows otherwise. The search makes no mistakes, so an answer is right where the map is.
Like a model, the map builder gets the walkthrough and the names of places and actions.

A *heading* is a line that is a place's name, perhaps in brackets, or that begins with the name
before a comma or bracket (``Kitchen, on the chair``). MANGO distinguishes places of the same name
by a *mark*, as in ``hall (3rd floor)``. The heading ``Hall`` fits all of them, and the words of the
marks decide which place the rest of the text fits best. Without a heading, the text itself may
contain the words of a name: *You are in the flower garden*.

Several *accounts* of the walk (where it was at each step) are followed, and the one that
contradicts itself least is used. A heading that names one place only decides the place. Otherwise
each account continues with every place that the text allows, at a cost for each unlikely event: a
move leads to another place than before, or than its opposite implies; a text lacks the words of the
place's mark; one place is described twice in different words. The cheapest accounts are kept.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from enum import IntEnum
from math import fsum

from worldquiz.mango.walkthrough import BACK, Move, WalkStep, heading, plain

Doubt = tuple[int, int]
"""Doubts about a move or a route, as two counts: moves whose places the text did not clearly name,
or whose action is not a known move; and moves that the walk never took."""
NONE: Doubt = (0, 0)


class SearchedMap:
    """A map that is drawn move by move, and searched for routes; names are compared by `plain`."""

    def __init__(self) -> None:
        """Begin an empty map."""
        self._exits: dict[str, dict[str, tuple[Move, Doubt]]] = {}

    def draw(self, leg: Move, doubt: Doubt = NONE) -> None:
        """Draw a move, replacing any move by the same action from the same place."""
        exits = self._exits.setdefault(plain(leg.source), {})
        exits[plain(leg.action)] = leg, doubt

    def drawn(self, source: str, action: str) -> tuple[Move, Doubt] | None:
        """Return the move that an action makes from a place, with its `Doubt`; None if unknown."""
        return self._exits.get(plain(source), {}).get(plain(action))

    def destination(self, source: str, actions: Sequence[str]) -> list[Move]:
        """Return the moves that actions make from a place, up to the first unknown move."""
        legs: list[Move] = []
        here = source
        for action in actions:
            if (known := self.drawn(here, action)) is None:
                break
            legs.append(known[0])
            here = legs[-1].target
        return legs

    def route(self, source: str, target: str) -> list[Move]:
        """Return the least doubtful route on the map, empty if there is no route.

        Among equally doubtful routes a shortest one is chosen; ties are broken by action.
        """
        queue: list[tuple[Doubt, int, list[str], str, list[Move]]]
        queue, end = [(NONE, 0, [], plain(source), [])], plain(target)
        done: set[str] = set()
        while queue:
            (unsure, imputed), length, actions, here, legs = heapq.heappop(queue)
            if here == end:
                return legs
            if here in done:
                continue
            done.add(here)
            for action, (leg, more) in self._exits.get(here, {}).items():
                doubt, there = (unsure + more[0], imputed + more[1]), plain(leg.target)
                further = (doubt, length + 1, [*actions, action], there, [*legs, leg])
                heapq.heappush(queue, further)
        return []


class DrawnMap(SearchedMap):
    """A map drawn from moves that a model or a text states."""

    def __init__(self, legs: Iterable[Move]) -> None:
        """Draw moves in order; a later move replaces one by the same action from the same place."""
        super().__init__()
        moves = [leg for leg in legs if plain(leg.source) != plain(leg.target)]
        for leg in moves:
            self.draw(leg)
        for leg in moves:
            back = BACK.get(plain(leg.action))
            if back is not None and self.drawn(leg.target, back) is None:
                self.draw(Move(leg.target, back, leg.source))


_WORD = re.compile(r"[a-z0-9]+")
_MARK = re.compile(r"[(（]")
_SMALL = frozenset(
    ("a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "its", "of", "off",
     "on", "or", "the", "to", "you", "your")
)  # fmt: skip
_NUMBERS = {
    "first": "1st", "second": "2nd", "third": "3rd", "fourth": "4th", "fifth": "5th",
}  # fmt: skip
STEM = 5
"""Words count as equal if this many first letters are: *building* and *buildings* are equal, *pass*
and *passage* are not."""
ENOUGH = 0.6
"""Share of a name's words, by weight, that a text without a heading must have."""
_DARK = frozenset(("dark", "pitch"))


@dataclass(frozen=True, slots=True)
class PlaceReading:
    """Places that an observation names or fits."""

    heading: str | None  # its last line that names a place, plain; None without such a line
    fits: dict[str, float]  # by place: how well the text fits it, 0..1
    text: frozenset[str]  # the words after the heading
    sure: bool  # whether its heading fits one place only
    title: bool  # whether it seems to describe a place: it has a heading, or says that it is dark


class Names:
    """The names of a maze's places."""

    def __init__(self, places: Iterable[str]) -> None:
        self.places = tuple(places)
        shared: dict[str, tuple[str, ...]] = {}
        whole: dict[str, tuple[str, ...]] = {}
        for place in self.places:
            bare = heading(_MARK.split(place)[0])
            shared[bare] = (*shared.get(bare, ()), place)
            whole[heading(place)] = (*whole.get(heading(place), ()), place)
        self.headed = {name: some for name, some in (shared | whole).items() if name}
        self._sure = {name for name, some in self.headed.items()
                      if {*some, *shared.get(name, ())} == {some[0]}}  # fmt: skip
        self._words = {place: words(place) for place in self.places}
        every = [word for some in self._words.values() for word in some]
        self._weight = {word: 1 / every.count(word) for word in every}

    def read(self, observation: str) -> PlaceReading:
        """Return the places that an observation names or fits."""
        lines = observation.strip().splitlines()
        headings = [(at, name) for at, line in enumerate(lines) if (name := self._heading(line))]
        bare = lines[0].strip(" <>()[]*") if lines else ""  # a heading is short, not a sentence
        title = bool(bare) and bare[0].isupper() and len(bare.split()) <= 6 and bare[-1].isalnum()
        if not headings:
            text = words(" ".join(lines))
            fits = {place: self._fit(place, text, frozenset()) for place in self.places}
            near = {place: fit for place, fit in fits.items() if fit >= ENOUGH}
            return PlaceReading(None, near, text, sure=False, title=title or bool(text & _DARK))
        at, name = headings[-1]
        text = words(" ".join(lines[at + 1 :]))
        said = words(name)
        fits = {place: self._fit(place, text, said) for place in self.headed[name]}
        return PlaceReading(name, fits, text, sure=name in self._sure, title=True)

    def _heading(self, line: str) -> str | None:
        """Return the place name that a line consists of or begins with, None if there is none."""
        marks = (",", "(", " - ", "  ") if not line.rstrip().endswith((".", "!", "?", '"')) else ()
        begun = (line.partition(mark)[0] for mark in marks if mark in line.strip())
        for part in (line, *begun):  # without a full stop, before a comma or bracket
            if heading(part) in self.headed:
                return heading(part)
        return None

    def _fit(self, place: str, text: frozenset[str], said: frozenset[str]) -> float:
        """Return the share of a place's words that a text has, leaving out the words in `said`."""
        own = self._words[place] - said
        if not own:
            return 0.5
        there = fsum(self._weight[word] for word in own if word in text)
        return there / fsum(self._weight[word] for word in own)


def words(text: str) -> frozenset[str]:
    """Return the stems of a text's words, without function words."""
    found = (_NUMBERS.get(word, word) for word in _WORD.findall(text.casefold()))
    return frozenset(word[:STEM] for word in found if word not in _SMALL)


_IDLE = frozenset(("wait", "z", "look", "l"))
KEPT = 48
"""Number of accounts that are followed."""
FULL = 8
"""Fewest words of a text that describes a place."""
ALIKE = 0.6
"""Share of words that two texts about one place have in common."""

# Costs of an account; the exact figures do not matter.
BROKEN = 3.0  # a move leads to another place than before
TURNED = 1.0  # a move leads to another place than its opposite implies
MARK = 2.0  # all words of a place's mark are missing, and another mark's words are there
FAINT = 4.0  # all words of a place's name are missing
STAYED = 1.5  # nobody moved, though the text has another place's name
CHANGED = 1.0  # a place is described in other words than before
FIRST = -0.5  # a place is seen for the first time, as every place is at some step


class Trust(IntEnum):
    """Certainty that the two places of a move are named rightly."""

    SURE = 0  # two headings, each the name of one place
    SHARED = 1  # the second heading is shared by several places
    GUESS = 2  # from sentences, or from what the map makes likely


ReadMove = tuple[Move, Trust]
"""A move that the walkthrough shows."""


class Mapper(SearchedMap):
    """A map drawn from a walkthrough."""

    def __init__(
        self, walkthrough: Iterable[WalkStep], places: Iterable[str], actions: Iterable[str]
    ) -> None:
        """Read a walkthrough, given the names of its places and of the actions that are moves."""
        super().__init__()
        allowed = frozenset(actions)
        moves = walked(walkthrough, Names(places), allowed)
        self._take(moves, Trust.SURE, allowed)
        self._take(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.SURE, allowed)
        self._take(moves, Trust.GUESS, allowed)
        self._impute(moves, Trust.SHARED, allowed)
        self._impute(moves, Trust.GUESS, allowed)

    def _take(self, moves: Iterable[ReadMove], trust: Trust, allowed: Set[str]) -> None:
        """Draw the moves of this trust; they replace earlier ones, but none of higher trust."""
        fresh = [leg for leg, how in moves if how is trust and not self.drawn(*leg[:2])]
        for leg in fresh:
            self.draw(leg, (int(leg.action not in allowed or trust is not Trust.SURE), 0))

    def _impute(self, moves: Iterable[ReadMove], trust: Trust, allowed: Set[str]) -> None:
        """Draw the reverses of moves of this trust, if the map shows no such moves yet."""
        for leg, how in moves:
            back, taken = BACK.get(leg.action), self.drawn(leg.source, leg.action)
            if how is not trust or back is None or taken is None:
                continue
            if back in allowed and self.drawn(leg.target, back) is None:
                self.draw(Move(leg.target, back, leg.source), (taken[1][0], 1))


Leads = dict[tuple[str | None, str], str]
"""The place that an action leads to from a place."""


@dataclass(frozen=True, slots=True)
class Account:
    """One account of a walk so far: where it was, and which moves it made."""

    cost: float = 0.0
    here: str | None = None  # None: unknown
    sure: bool = False  # whether the text named it
    moves: tuple[ReadMove, ...] = ()
    taken: Leads = field(default_factory=dict)  # where moves led
    backs: Leads = field(default_factory=dict)  # where their opposites should lead
    texts: dict[str, frozenset[str]] = field(default_factory=dict)


def walked(
    walkthrough: Iterable[WalkStep], names: Names, allowed: Set[str]
) -> tuple[ReadMove, ...]:
    """Return the moves of the cheapest account of a walk. Ties go to the first name.

    Without a heading in its text, a step is a move only by an allowed action or a direction.
    """
    accounts = [Account()]
    for step in walkthrough:
        reading = names.read(step.observation)
        named = step.action in allowed and step.action not in _IDLE
        moving = step.number == 0 or step.action in BACK or named  # even without a heading
        further = [
            _go(account, step.action, place, cost, reading, moving)
            for account in accounts
            for place, cost in _places(account, step, reading, moving)
        ]
        kept: dict[tuple[object, ...], Account] = {}  # one account for each place and map
        for account in sorted(further, key=lambda one: one.cost):
            kept.setdefault((account.here, *sorted(account.taken.items())), account)
            if len(kept) == KEPT:
                break
        accounts = list(kept.values())
    return accounts[0].moves


def _places(
    account: Account, step: WalkStep, reading: PlaceReading, moving: bool
) -> list[tuple[str | None, float]]:
    """Return the places where a step may have led, each with a cost if its text fits badly."""
    fits = sorted(reading.fits.items())
    if reading.heading is not None:
        if len(fits) == 1:
            return [(fits[0][0], 0.0)]
        best = max(fit for _, fit in fits) if len(reading.text) >= FULL // 2 else 0.0
        return [(place, MARK * max(best - fit, 0.0)) for place, fit in fits]
    way = (account.here, step.action)
    there = account.taken.get(way) or account.backs.get(way)
    found: list[tuple[str | None, float]] = [(account.here, 0.0)]
    if not moving:
        return found
    if fits:
        found = [(account.here, STAYED), *((place, FAINT * (1 - fit)) for place, fit in fits)]
    elif reading.title:
        found = [(account.here, STAYED), (None, 0.0)]
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
    """Return an account continued by one step."""
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
        return replace(account, cost=cost, here=place, sure=reading.sure, texts=texts)
    cost += _moved(account, here, action, place)
    shared = Trust.SURE if reading.sure else Trust.SHARED
    trust = shared if account.sure and reading.heading is not None else Trust.GUESS
    backs = account.backs
    if back := BACK.get(action):
        backs = {(place, back): here, **backs}
    return Account(
        cost, place, reading.sure, (*account.moves, (Move(here, action, place), trust)),
        {**account.taken, (here, action): place}, backs, texts,
    )  # fmt: skip


def _moved(account: Account, here: str, action: str, place: str) -> float:
    """Return the cost of a move, which is 0 unless earlier moves of the account contradict it."""
    known = account.taken.get((here, action))
    if known is not None:
        return 0.0 if known == place else BROKEN
    hint = account.backs.get((here, action))
    other = account.taken.get((place, BACK[action])) if action in BACK else None
    return TURNED * ((hint not in (None, place)) + (other not in (None, here)))


def _described(account: Account, place: str, reading: PlaceReading) -> float:
    """Return the cost of a text, given earlier texts about the place."""
    if place not in account.texts:
        return FIRST
    before, now = account.texts[place], reading.text
    alike = len(before & now) >= ALIKE * len(before | now)
    return 0.0 if alike or len(now) < FULL or len(before) < FULL else CHANGED

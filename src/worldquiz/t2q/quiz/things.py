"""The sheet on which one world's questions are written, and the rules on things.

A question may be read by somebody who saw nothing of the world but all of the sheet. Four rules
keep the sheet from answering itself:

- wrong answers are the right answers of others (`dealt`): four things that were in four places are
  asked about with these places as choices;
- as many yes/no questions of a sort are about something true as about something false, and either
  is affirmed and denied by turns (`yes_no`), so the wording does not tell;
- no pair of rooms is asked about twice, so what one question takes for granted answers no other,
  and each room and each key stands in as many true claims as false ones;
- what the first screen and the task list settle is asked apart from what they leave open
  (`settled`): else the start would settle more claims that are false than true ones.

Of things it is asked where they were, which key fits which lock, what was locked and what stood
open. Location is asked from the thing's side and from the holder's side. A property is latent
(section 3.1): only trying a lock shows it. A key's fit shows when it turns.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

from worldquiz import rng
from worldquiz.facts import fact as facts
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import DOOR_AT, LISTED
from worldquiz.facts.question import (
    CATEGORIES,
    Description,
    Question,
    Type,
    What,
    Where,
    Which,
    YesNo,
)
from worldquiz.facts.requirement import Requirement, Seen, any_of
from worldquiz.t2q import wordings as forms
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
from worldquiz.t2q.wordings import Wording
from worldquiz.t2q.world.game import first_screen
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, Task, WorldSpec

CHOICES = 4
"""How many choices a `which` question has, in every world; where there are fewer, none is asked."""
DRAWS = 200
"""How often a group is drawn before a question is put in another format."""
SIZES = (2, 1, CHOICES, 1, 2, 1)
"""How many are asked about together, by turns: by yes or no, openly, among four."""
K = TypeVar("K", bound=Hashable)
_ENTITY_ROLES = ("thing", "spot", "room", "other", "key", "lock", "holder")
SELDOM = 0.65
"""How often a locked container is paired with an open door, in worlds that have no better pair."""
SORTS = (HOLDERS, *((kind,) for kind in MOVABLE))
"""Things that lie in the same sorts of places: keys are often on floors, food never."""


class Sheet:
    """Collects the questions of one world, type by type."""

    def __init__(self, spec: WorldSpec, tasks: Iterable[Task] = ()) -> None:
        self.spec = spec
        tasks = tuple(tasks)
        self.goals = frozenset(fact for task in tasks for fact in task.goal)
        """What the task list says is not so at the start."""
        told = [fact for task in tasks for fact in task.discloses]
        self._start = Evidence.of_steps([[*first_screen(spec), *told]])
        self.questions: list[Question] = []

    def settled(self, requirement: Requirement) -> bool:
        """Tell whether the first screen and the task list are enough to know something."""
        return self._start.earliest(requirement) is not None

    def by_start(
        self, items: Iterable[str], known: Callable[[str], Requirement]
    ) -> tuple[list[str], list[str]]:
        """Return the items that the start settles, and those that it leaves open."""
        parts: tuple[list[str], list[str]] = ([], [])
        for item in items:
            parts[not self.settled(known(item))].append(item)
        return parts

    def turn(self, type: Type) -> None:
        """Begin the questions of a type, with a random stream of their own."""
        self.type = type
        self.rng = rng.child(self.spec.seed, "quiz", type)
        self._straight = {truth: self.rng.random() < 0.5 for truth in (True, False)}

    def yes_no(self, truth: bool, wording: Wording, requires: Requirement, **names: str) -> None:
        """Ask whether something is so, affirmed or denied by turns among what has this truth."""
        straight = self._straight[truth]
        self._straight[truth] = not straight
        forms = wording.forms if straight else wording.denials
        self._add(YesNo, (truth is straight,), forms, requires, names)

    def which(
        self,
        right: str,
        choices: Sequence[str],
        wording: Wording,
        requires: Requirement,
        **names: str,
    ) -> None:
        """Offer choices, one of which is right, in an order drawn by seed."""
        offered = tuple(self.shuffled(choices))
        self._add(Which, (offered, right), wording.forms, requires, names)

    def openly(
        self,
        kind: type[Where | What | Description],
        answers: Sequence[str],
        wording: Wording,
        requires: Requirement,
        **names: str,
    ) -> None:
        """Ask for a place, a name, a direction or categories, with nothing to choose from.

        Any answer is right of a place or name; of categories all are wanted.
        """
        self._add(kind, (tuple(answers),), wording.forms, requires, names)

    def _add(
        self,
        kind: Callable[..., Question],
        answer: tuple[object, ...],
        forms: Sequence[str],
        requires: Requirement,
        names: Mapping[str, str],
    ) -> None:
        """Ask a question in one of several wordings, filled in and with a capital first letter.

        It is about the entities that it names, in the order of their roles. `ask` gives it its id,
        once its place in the quiz is known.
        """
        words = self.rng.choice(forms).format(**names)
        text = words[0].upper() + words[1:]
        about = tuple(name for role, name in sorted(names.items()) if role in _ENTITY_ROLES)
        self.questions.append(kind("", self.type, text, *answer, requires, about))

    def shuffled(self, items: Iterable[K]) -> list[K]:
        """Return items, which come in a fixed order, in one drawn by seed."""
        order = list(items)
        self.rng.shuffle(order)
        return order

    def dealt(self, answers: Mapping[str, str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Yield each key once: the format, the key, and the answers that its question names.

        Four keys with four answers are asked by ``which`` among these four; of two keys with two
        answers, one is asked about its own answer (``yes``) and the other about the same (``no``).
        So an answerer that knows only the names of the answers is right by chance, whatever else is
        asked. The other keys are asked openly (``where``), and no answer is named.
        """
        left = self.shuffled(answers)
        turn = self.rng.randrange(len(SIZES))
        while left:
            size = SIZES[turn % len(SIZES)]
            turn += 1
            group = self._different(left, answers, size) or left[:1]
            left = [key for key in left if key not in group]
            named = tuple(answers[key] for key in group)
            if len(group) == 1:
                yield "where", group[0], ()
            elif len(group) == 2:
                yield "yes", group[0], named[:1]
                yield "no", group[1], named[:1]
            else:
                yield from (("which", key, named) for key in group)

    def _different(self, keys: Sequence[str], answers: Mapping[str, str], size: int) -> list[str]:
        """Return some keys whose answers all differ, each such set as likely; none if not found."""
        for _ in range(DRAWS if len(keys) >= size else 0):
            drawn = self.rng.sample(keys, size)
            if len({answers[key] for key in drawn}) == size:
                return drawn
        return []


def ask_location(sheet: Sheet) -> None:
    """Ask once about each thing, and about places that nothing else names, at most half of all.

    A place that stands to choose for a key most likely holds one. A place that an objective names
    is most likely empty: a task that is about a thing in there would cover it.
    """
    spec, told = sheet.spec, set[str]()
    for kinds in SORTS:
        spots = {thing: spec.place[thing].args[1] for thing in spec.of_kind(*kinds)}
        for part in sheet.by_start(spots, lambda thing: placed(spec, thing)):
            for format, thing, named in sheet.dealt({each: spots[each] for each in part}):
                _thing(sheet, thing, format, named)
                told.update(named)
    told.update(name for goal in sheet.goals for name in goal.args)
    _doors(sheet)
    places = spec.of_kind("room", *HOLDERS)
    untold = sheet.shuffled(place for place in places if place not in told)
    for spot in untold[: len(places) // 2]:
        _description(sheet, spot)


def _thing(sheet: Sheet, thing: str, format: str, named: Sequence[str]) -> None:
    """Ask where a thing was: openly, or naming places where things of its sort were."""
    spec = sheet.spec
    spot = spec.place[thing].args[1]
    phrases = [_spot_phrase(spec, thing, each) for each in named]
    match format:
        case "yes" | "no":
            truth = format == "yes"
            settled = placed(spec, thing) if truth else absent(spec, thing, named[0])
            names = {"thing": thing, "spot": named[0], "phrase": phrases[0]}
            sheet.yes_no(truth, forms.IS, settled, **names)
        case "which":
            others = (absent(spec, thing, each) for each in named if each != spot)
            right = _spot_phrase(spec, thing, spot)
            sheet.which(
                right, phrases, forms.WHICH, chosen(placed(spec, thing), *others), thing=thing
            )
        case _:
            answers = dict.fromkeys((spot, spec.room_of(thing)))
            sheet.openly(Where, tuple(answers), forms.WHERE, placed(spec, thing), thing=thing)


def _doors(sheet: Sheet) -> None:
    """Ask of doors by turns: of two by yes or no, naming a room of the one; of one openly.

    No choices are offered: of the rooms that they named, no two would be joined by the door. The
    doors of the first room are asked about apart from the others.
    """
    every = sheet.shuffled(sheet.spec.of_kind("door"))
    asked_openly = sheet.rng.random() < 0.5
    for doors in sheet.by_start(every, lambda door: _either_end(sheet.spec, door)):
        while doors:
            door = doors.pop()
            if asked_openly or not doors:
                ends = tuple(room for room, _ in sheet.spec.ends(door))
                sheet.openly(Where, ends, forms.WHERE, _either_end(sheet.spec, door), thing=door)
            else:  # of another door it is asked whether it is in a room that only this one is in
                spec, other = sheet.spec, doors.pop()
                elsewhere = {room for room, _ in spec.ends(other)}
                left = [end for end in spec.ends(door) if end[0] not in elsewhere]
                room, way = sheet.rng.choice(left)
                there, away_from = Seen(DOOR_AT(door, room, way)), away(spec, other, room)
                sheet.yes_no(True, forms.IN_ROOM, there, thing=door, spot=room)
                sheet.yes_no(False, forms.IN_ROOM, away_from, thing=other, spot=room)
            asked_openly = not asked_openly


def _either_end(spec: WorldSpec, door: str) -> Requirement:
    """It is known where a door is."""
    return any_of(*(Seen(DOOR_AT(door, room, way)) for room, way in spec.ends(door)))


def _spot_phrase(spec: WorldSpec, thing: str, spot: str) -> str:
    """Return a spot as part of a sentence: "in the red chest", "on the table", "in the attic".

    Rooms are named as floors for what lies about, plainly for what stands in them.
    """
    if spec.kinds[spot] == "room" and spec.kinds[thing] not in HOLDERS:
        return f"on the floor of the {spot}"
    return f"{_preposition(spec, spot)} the {spot}"


def _preposition(spec: WorldSpec, holder: str) -> str:
    return "on" if spec.kinds[holder] == "supporter" else "in"


def _description(sheet: Sheet, spot: str) -> None:
    """Ask what kinds of things were directly in a room, or in or on a holder."""
    spec = sheet.spec
    found = {spec.kinds[thing] for thing in spec.content.get(spot, ())}
    categories = [category for category in CATEGORIES if category in found]
    if spec.kinds[spot] == "room":
        sheet.openly(Description, categories, forms.ROOM_CATEGORY, Seen(LISTED(spot)), holder=spot)
    else:
        words = {"holder": spot, "preposition": _preposition(spec, spot)}
        sheet.openly(Description, categories, forms.CATEGORY, Seen(LISTED(spot)), **words)


def ask_match(sheet: Sheet) -> None:
    """Ask which of four keys fits the locks of these keys; of other keys, whether they fit a lock.

    Keys that fit nothing stand among the choices. Each key that a yes/no question names is asked
    about twice, with the lock that it fits and with something that was not locked. So being named
    says nothing about a key or a lock.
    """
    spec = sheet.spec
    four = _four_keys(spec, _told(sheet))
    for right in (key for key in four if key in spec.lock_of):
        lock = spec.lock_of[right]
        others = (unfit(spec, key, lock) for key in four if key != right)
        sheet.which(right, four, forms.KEY, chosen(fits(right, lock), *others), lock=lock)
    for lock, other in _paired(sheet).of_locked:
        key = spec.key_of[lock]
        sheet.yes_no(True, forms.FITS, fits(key, lock), key=key, lock=lock)
        sheet.yes_no(False, forms.FITS, unfit(spec, key, other), key=key, lock=other)


def _four_keys(spec: WorldSpec, told: Container[str]) -> list[str]:
    """Return the keys among which to choose, four or none.

    Keys of what the task list names come first: no other question names that.
    """
    keys = list(spec.of_kind("key"))
    rng.child(spec.seed, "quiz", "keys").shuffle(keys)
    keys.sort(key=lambda key: spec.lock_of.get(key) not in told)
    return keys[:CHOICES] if len(keys) >= CHOICES else []


def _told(sheet: Sheet) -> set[str]:
    """Return what the task list wants opened, or something put into.

    A thing to be opened was closed, and likely locked; a container to put things in was likely not.
    """
    opened = {fact.args[0] for fact in sheet.goals if fact.predicate == facts.OPEN.name}
    return opened | {fact.args[1] for fact in sheet.goals if fact.predicate == facts.IN.name}


class _Paired(NamedTuple):
    """Doors and containers in pairs: one that was in a state, and one that was not."""

    of_locked: list[tuple[str, str]]  # one locked, one open, or else closed but not locked
    of_open: list[tuple[str, str]]  # of the others: one open, one closed but not locked


def _paired(sheet: Sheet) -> _Paired:
    """Pair what was locked with what was not, in an order drawn by seed; each stands once.

    A door meets a door and a container a container, for containers are locked more often.
    In small worlds without such a pair a door meets a container; where it was the container that
    was locked, only with a chance of `SELDOM`, so that either kind was locked as often.
    Things are left out that the task list names, that a choice among keys names, or that the first
    screen shows: an open one there would be known not to be locked.
    """
    spec, told = sheet.spec, _told(sheet)
    named = {spec.lock_of.get(key) for key in _four_keys(spec, told)}
    draw = rng.child(spec.seed, "quiz", "states")
    things = [t for t in spec.of_kind(*LOCKABLE) if t not in told and t not in named]
    things = [thing for thing in things if not sheet.settled(lid_state(spec, thing))]
    draw.shuffle(things)
    locked = [thing for thing in things if facts.LOCKED(thing) in spec.initial]
    opened = [thing for thing in things if facts.OPEN(thing) in spec.initial]
    closed = [thing for thing in things if thing not in (*locked, *opened)]
    kind = spec.kinds

    def meet(ones: list[str], others: list[str], alike: bool = True) -> Iterator[tuple[str, str]]:
        for one in tuple(ones):
            for other in others[:]:
                if (kind[one] == kind[other]) is alike:
                    ones.remove(one)
                    others.remove(other)
                    yield one, other
                    break

    of_locked = [*meet(locked, opened), *meet(locked, closed)]
    if not of_locked:
        mixed = meet(locked, opened, alike=False)
        of_locked = [pair for pair in mixed if kind[pair[0]] == "door" or draw.random() < SELDOM]
    return _Paired(of_locked, list(meet(opened, closed)))


def ask_property(sheet: Sheet) -> None:
    """Ask whether doors and containers were locked and whether they were open.

    As many that were locked as that were not are asked about, each in both respects if the other
    was open; and of the others, as many that were open as that were closed.
    """
    pairs, initial = _paired(sheet), sheet.spec.initial
    both = [pair for pair in pairs.of_locked if facts.OPEN(pair[1]) in initial]
    lock_only = [pair for pair in pairs.of_locked if pair not in both]
    if len(both) > CHOICES:
        locked, opened = (list(side) for side in zip(*both[:CHOICES], strict=True))
        _which_state(sheet, locked[0], opened[1:], ("locked", "closed"))
        _which_state(sheet, opened[0], locked[1:], ("open", "not locked"))
        both = both[CHOICES:]
    for thing in chain(*both, *lock_only):
        truth, known = facts.LOCKED(thing) in initial, lock_state(sheet.spec, thing)
        sheet.yes_no(truth, forms.LOCKED, known, thing=thing)
    for thing in chain(*both, *pairs.of_open):
        truth, known = facts.OPEN(thing) in initial, lid_state(sheet.spec, thing)
        sheet.yes_no(truth, forms.OPEN, known, thing=thing)


def _which_state(sheet: Sheet, one: str, three: Sequence[str], states: tuple[str, str]) -> None:
    """Ask which of four was in a state that the other three were not in."""
    state = sheet.rng.choice(states)
    known = lock_state if state in ("locked", "not locked") else lid_state
    spec = sheet.spec
    settled = chosen(known(spec, one), *(known(spec, thing) for thing in three))
    sheet.which(one, (one, *three), forms.WHICH_IS, settled, state=state)

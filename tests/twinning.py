"""Twin worlds: the proof that a question was not settled by what a player saw.

A twin of a played world keeps the six laws, is solvable (unless it is of the last sort), has the
same tasks and lies in none of them, prints the same to the same commands, byte for byte, and
answers the question otherwise. Whoever holds the transcript cannot tell the two apart, so
no reasoning could have found the answer.

Twins are searched at random: a few small edits of what the player did not see, kept if nothing that
was revealed becomes false and the question, read by its words, gets another answer. What was
revealed only guides the search. The proof is the game itself, played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from edits import EDITS, Edit, Kit
from sketch import Sketch
from worldquiz import rng as streams
from worldquiz.facts.episode import Episode
from worldquiz.facts.evidence import Evidence
from worldquiz.facts.fact import (
    DIRECTIONS,
    DOOR_AT,
    LEADS,
    LISTED,
    LOCKED,
    MATCH,
    OPPOSITE,
    PLACE,
    Fact,
    State,
)
from worldquiz.facts.question import CATEGORIES, Prompt, Question, Which, prompt
from worldquiz.t2q.reader.questions import UnderstoodQuestion, read_question, spot_of
from worldquiz.t2q.tasks.planner import Planner
from worldquiz.t2q.wordings import Ask
from worldquiz.t2q.world.game import Game
from worldquiz.t2q.world.spec import LOCKABLE, Task, WorldSpec

TRIES = 1500
"""Twins drawn of each sort before the next sort is tried."""
REPLAYS = 6
"""Twins played per question before it is given up."""


class Sort(StrEnum):
    """How much of a stretch a twin is, the least first."""

    PLAIN = "plain"  # the same rooms and things, on a grid
    BENT = "bent"  # the same rooms and things, but passages bend: no law puts them on a grid
    LARGER = "larger"  # with rooms or things more than the world has
    CUT_OFF = "cut off"  # with a part to which no key or passage leads: no law says there is none


@dataclass(frozen=True, slots=True)
class Twin:
    """A world that a player could not tell from the one it played."""

    spec: WorldSpec
    sort: Sort
    answers: frozenset[str]  # every right reply to the question in it


def solvable(spec: WorldSpec) -> bool:
    """Tell whether every room is reached and every lock opens."""
    planner = Planner(spec)
    locked = {thing for thing in planner.locked if thing not in planner.key}
    return not locked and {room.name for room in spec.rooms} == set(planner.rooms)


class Laws:
    """The six laws that every quiz states, and what a world is besides, checked on its facts."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec, self._facts = spec, spec.initial
        self._leads = {(room, way): other for room, way, other in LEADS.of(spec.facts)}
        self._doors = list(DOOR_AT.of(spec.facts))

    def broken(self) -> list[str]:
        """Return which laws do not hold, by number."""
        checks = (self._places, self._passages, self._hung, self._keys, self._lids, self._locks)
        return [f"law {number}" for number, holds in enumerate(checks, start=1) if not holds()]

    def _places(self) -> bool:
        placed = sorted(fact.args[0] for fact in self._spec.facts if fact.predicate in PLACE)
        return placed == sorted(n for n, k in self._spec.kinds.items() if k not in ("room", "door"))

    def _passages(self) -> bool:
        leads = list(LEADS.of(self._spec.facts))
        back = all(LEADS(other, OPPOSITE[way], room) in self._facts for room, way, other in leads)
        pairs = {frozenset((room, other)) for room, _, other in leads}
        return back and len(self._leads) == len(leads) == 2 * len(pairs)

    def _hung(self) -> bool:
        ends: dict[str, list[tuple[str, str]]] = {d: [] for d in self._spec.of_kind("door")}
        for door, room, way in self._doors:
            ends[door].append((room, way))
        exits = [(room, way) for _, room, way in self._doors]
        return len(set(exits)) == len(exits) and all(
            len(two) == 2
            and self._leads.get(two[0]) == two[1][0]
            and OPPOSITE[two[0][1]] == two[1][1]
            for two in ends.values()
        )

    def _keys(self) -> bool:
        matches = list(MATCH.of(self._spec.facts))
        return all(len(set(side)) == len(side) for side in zip(*matches, strict=True))

    def _lids(self) -> bool:
        return all(
            (Fact("open", (t,)) in self._facts) != (Fact("shut", (t,)) in self._facts)
            and (Fact("locked", (t,)) in self._facts) != (Fact("unlocked", (t,)) in self._facts)
            and not {Fact("open", (t,)), Fact("locked", (t,))} <= self._facts
            for t in self._spec.of_kind(*LOCKABLE)
        )

    def _locks(self) -> bool:
        return all(LOCKED(lock) in self._facts for _, lock in MATCH.of(self._spec.facts))


class Truth:
    """Answers questions from a world's facts by their words: shares no code with asking."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec, self._facts = spec, spec.initial
        self._place = {f.args[0]: f.args[1] for f in spec.facts if f.predicate in PLACE}

    def answers(self, asked: Prompt) -> frozenset[str]:
        """Return every right reply; none where what the question takes for granted is not so."""
        question = read_question(asked.text)
        assert question is not None, asked.text
        if asked.choices:
            right = [c for c in asked.choices if self._holds(question, c)]
            return frozenset(right if len(right) == 1 else ())
        if question.ask in _OPEN:
            return frozenset(_OPEN[question.ask](self, question))
        return frozenset({"no" if self._holds(question) is question.negated else "yes"})

    def _holds(self, q: UnderstoodQuestion, choice: str = "") -> bool:
        match q.ask:
            case Ask.WAS_AT | Ask.CHOOSE_PLACE:
                return self._at(q["thing"], spot_of(choice) if choice else q["spot"])
            case Ask.JOINED | Ask.NEIGHBOUR:
                other = choice or q["other"]
                return any(LEADS(q["room"], way, other) in self._facts for way in DIRECTIONS)
            case Ask.FITS | Ask.KEY_OF:
                return MATCH(choice or q["key"], q["lock"]) in self._facts
            case _:
                return self._is(choice or q["thing"], q["state"])

    def _at(self, thing: str, spot: str) -> bool:
        return self._place.get(thing) == spot or any(
            DOOR_AT(thing, spot, way) in self._facts for way in DIRECTIONS
        )

    def _is(self, thing: str, state: str) -> bool:
        word = {"closed": "shut", "not locked": "unlocked"}
        return Fact(word.get(state, state), (thing,)) in self._facts

    def _compass(self, room: str, other: str) -> str:
        cells = {r.name: (r.x, r.y) for r in self._spec.rooms}
        (x0, y0), (x1, y1) = cells[room], cells[other]
        parts = ["north"] * (y1 > y0) + ["south"] * (y1 < y0)
        return "-".join(parts + ["east"] * (x1 > x0) + ["west"] * (x1 < x0))

    def _spots(self, q: UnderstoodQuestion) -> Iterator[str]:
        thing = q["thing"]
        yield from (room for door, room, _ in DOOR_AT.of(self._facts) if door == thing)
        while thing in self._place:
            thing = self._place[thing]
            yield thing

    def _categories(self, q: UnderstoodQuestion) -> Iterator[str]:
        found = {self._spec.kinds[t] for t, spot in self._place.items() if spot == q["holder"]}
        yield ", ".join(c for c in CATEGORIES if c in found) or "nothing"

    def _neighbours(self, q: UnderstoodQuestion) -> Iterator[str]:
        yield from (other for room, _, other in LEADS.of(self._facts) if room == q["room"])

    def _direction(self, q: UnderstoodQuestion) -> Iterator[str]:
        yield self._compass(q["room"], q["other"])


_OPEN: dict[Ask, Callable[[Truth, UnderstoodQuestion], Iterable[str]]] = {
    Ask.PLACE: Truth._spots,
    Ask.CATEGORIES: Truth._categories,
    Ask.NEIGHBOUR: Truth._neighbours,
    Ask.LIES: Truth._direction,
}


class Search:
    """Looks for twins of one world as one player saw it."""

    def __init__(self, spec: WorldSpec, tasks: Sequence[Task], episodes: Sequence[Episode]) -> None:
        self.spec = spec
        played = [episode.task for episode in episodes]
        told = (fact for task in tasks if task.id in played for fact in task.discloses)
        self.seen: State = frozenset({*Evidence.of(episodes, spec.initial).first_seen, *told})
        self._start = next(room for room in spec.rooms if room.name == spec.start)
        self._listed = [spot for (spot,) in LISTED.of(sorted(self.seen))]
        self._view = self._shown(spec)

    def twins(self, question: Question, *, tries: int = TRIES) -> Iterator[Twin]:
        """Yield worlds that should look the same and answer the question otherwise."""
        shown = prompt(question)
        here = Truth(self.spec).answers(shown)
        found: set[tuple[Fact, ...]] = set()
        for sort in Sort:
            rng = streams.child(self.spec.seed, "twin", question.id, sort)
            larger = sort in (Sort.LARGER, Sort.CUT_OFF)
            kit = Kit(rng, self._start, self.seen, _focus(question, here), larger=larger)
            for _ in range(tries):
                spec = self._drawn(kit, EDITS[question.type], bent=sort is not Sort.PLAIN)
                if spec is None or spec.facts in found or not self._fits(spec, sort):
                    continue
                answers = Truth(spec).answers(shown)
                if answers and not answers & here:
                    found.add(spec.facts)
                    yield Twin(spec, sort, answers)

    def _drawn(self, kit: Kit, edits: Sequence[Edit], *, bent: bool) -> WorldSpec | None:
        """Return the world after a few edits, None where they come to nothing."""
        sketch = Sketch.of(self.spec)
        if not sum(kit.rng.choice(edits)(sketch, kit) for _ in range(kit.rng.randint(1, 5))):
            return None
        return sketch.spec(self.spec, bent=bent)

    def _fits(self, spec: WorldSpec, sort: Sort) -> bool:
        """Tell whether all that was shown holds in a world too, and whether it is one of ours."""
        return (
            self.seen <= spec.initial
            and self._shown(spec) == self._view
            and not Laws(spec).broken()
            and (sort is Sort.CUT_OFF or solvable(spec))
        )

    def _shown(self, spec: WorldSpec) -> frozenset[Fact]:
        """Return what the listed spots hold and the doors of rooms seen: all, and no more."""
        placed = (fact for fact in spec.facts if fact.predicate in (*PLACE, DOOR_AT.name))
        return frozenset(fact for fact in placed if fact.args[1] in self._listed)


def _focus(question: Question, answers: frozenset[str]) -> list[str]:
    """Return the names that a question is about: what its edits should touch."""
    choices = question.choices if isinstance(question, Which) else ()
    return sorted({*question.about, *answers, *(spot_of(choice) for choice in choices)})


def difference(spec: WorldSpec, tasks: Sequence[Task], episodes: Sequence[Episode]) -> str | None:
    """Play the same commands and return where an observation first differs, None if none does."""
    world, by_id = Game(spec), {task.id: task for task in tasks}
    for episode in episodes:
        for step in episode.steps:
            again = (
                world.reset(by_id[episode.task]) if step.action is None else world.step(step.action)
            )
            if again.observation != step.observation:
                return (
                    f"{episode.task} step {step.index} {step.action!r}: "
                    f"{step.observation} became {again.observation}"
                )
    return None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of looking for a twin."""

    twin: Twin | None
    refuted: tuple[str, ...]  # how twins drawn before it gave themselves away


def prove(
    search: Search,
    question: Question,
    tasks: Sequence[Task],
    episodes: Sequence[Episode],
) -> Verdict:
    """Look for a twin and play it."""
    refuted: list[str] = []
    for twin in search.twins(question):
        found = difference(twin.spec, tasks, episodes)
        if found is None:
            return Verdict(twin, tuple(refuted))
        refuted.append(found)
        if len(refuted) == REPLAYS:
            break
    return Verdict(None, tuple(refuted))

"""A world as a planning problem in PDDL, for planners that know nothing of worlds.

Typed STRIPS with unit costs: a shortest plan has as many actions as a shortest walkthrough has
commands. Closing, locking and dropping are left out, as they never shorten a plan: that is in the
planners' favour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from worldquiz.facts.fact import AT, DOOR_AT, KIND, LEADS, Fact, State
from worldquiz.t2q.world.spec import HOLDERS, MOVABLE

DOMAIN = """
(define (domain world)
  (:requirements :strips :typing)
  (:types room fixture movable - object key food - movable)
  (:predicates
    (player ?r - room) (way ?a ?b - room) (doorway ?d - fixture ?a ?b - room)
    (stands ?f - fixture ?r - room) (fits ?k - key ?f - fixture)
    (floor ?x - movable ?r - room) (inside ?x - movable ?f - fixture) (held ?x - movable)
    (gone ?x - food) (holder ?f - fixture)
    (isopen ?f - fixture) (isshut ?f - fixture) (locked ?f - fixture) (unlocked ?f - fixture))
  (:action walk :parameters (?a ?b - room)
    :precondition (and (player ?a) (way ?a ?b)) :effect (and (not (player ?a)) (player ?b)))
  (:action pass :parameters (?d - fixture ?a ?b - room)
    :precondition (and (player ?a) (doorway ?d ?a ?b) (isopen ?d))
    :effect (and (not (player ?a)) (player ?b)))
  (:action open :parameters (?f - fixture ?r - room)
    :precondition (and (player ?r) (stands ?f ?r) (isshut ?f) (unlocked ?f))
    :effect (and (not (isshut ?f)) (isopen ?f)))
  (:action unlock :parameters (?f - fixture ?k - key ?r - room)
    :precondition (and (player ?r) (stands ?f ?r) (locked ?f) (fits ?k ?f) (held ?k))
    :effect (and (not (locked ?f)) (unlocked ?f)))
  (:action take :parameters (?x - movable ?r - room)
    :precondition (and (player ?r) (floor ?x ?r)) :effect (and (not (floor ?x ?r)) (held ?x)))
  (:action takefrom :parameters (?x - movable ?f - fixture ?r - room)
    :precondition (and (player ?r) (stands ?f ?r) (isopen ?f) (inside ?x ?f))
    :effect (and (not (inside ?x ?f)) (held ?x)))
  (:action put :parameters (?x - movable ?f - fixture ?r - room)
    :precondition (and (player ?r) (stands ?f ?r) (holder ?f) (isopen ?f) (held ?x))
    :effect (and (not (held ?x)) (inside ?x ?f)))
  (:action eat :parameters (?x - food)
    :precondition (held ?x) :effect (and (not (held ?x)) (gone ?x))))
"""

_TYPES = {"room": "room", "key": "key", "food": "food", "object": "movable"}
_SAME = {
    "player_at": "player",
    "carried": "held",
    "in": "inside",
    "on": "inside",
    "open": "isopen",
    "shut": "isshut",
    "locked": "locked",
    "unlocked": "unlocked",
    "match": "fits",
    "eaten": "gone",
}
"""Facts and goals that are the same in PDDL under another name."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A world's objects and initial state in PDDL; a goal completes it."""

    ids: dict[str, str]  # name -> PDDL object
    objects: str
    init: str

    def goal(self, fact: Fact) -> tuple[str, tuple[str, ...]]:
        """Return a goal's predicate and objects."""
        return _SAME[fact.predicate], tuple(self.ids[name] for name in fact.args)

    def text(self, fact: Fact) -> str:
        """Return the whole problem with this goal."""
        goal = _atom(*self.goal(fact))
        return (
            f"(define (problem here) (:domain world)\n (:objects {self.objects})\n"
            f" (:init {self.init})\n (:goal (and {goal})))\n"
        )


def problem(state: State) -> Problem:
    """Return a state as a problem that lacks a goal."""
    kinds = {name: kind for name, kind in sorted(KIND.of(state))}
    ids = {name: f"{kind}{number}" for number, (name, kind) in enumerate(kinds.items())}
    objects = " ".join(
        f"{ids[name]} - {_TYPES.get(kind, 'fixture')}" for name, kind in kinds.items()
    )
    atoms = sorted(
        _atom(predicate, tuple(ids[name] for name in names))
        for predicate, *names in _atoms(state, kinds)
    )
    return Problem(ids, objects, "\n  ".join(atoms))


def _atoms(state: State, kinds: dict[str, str]) -> Iterator[tuple[str, ...]]:
    for fact in state:
        if fact.predicate in _SAME:
            yield _SAME[fact.predicate], *fact.args
        elif fact.predicate == AT.name:
            yield "floor" if kinds[fact.args[0]] in MOVABLE else "stands", *fact.args
    doors = {(room, way): door for door, room, way in DOOR_AT.of(state)}
    for room, way, other in LEADS.of(state):
        door = doors.get((room, way))
        yield ("way", room, other) if door is None else ("doorway", door, room, other)
    for door, room, _ in DOOR_AT.of(state):
        yield "stands", door, room
    for name in (name for name, kind in kinds.items() if kind in HOLDERS):
        yield "holder", name
    for name in (name for name, kind in kinds.items() if kind == "supporter"):
        yield "isopen", name


def _atom(predicate: str, names: tuple[str, ...]) -> str:
    return f"({' '.join((predicate, *names))})"

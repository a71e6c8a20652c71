"""Inform source of a world: TextWorld's GameMaker, our room texts, and the two leaks closed.

TextWorld's stock texts let a question be answered without the interaction that Task2Quiz demands
(arXiv 2601.09503, section 3.1: a lock shows only when it is tried). Two leaks are closed here:

* opening a locked thing named its key, even a key never seen; it now says only that it is locked;
* some containers' room text said "locked" or "unlocked"; the texts below say open or closed.

Every other rule is TextWorld's own. The game has no quest: goals are judged on the true state, so
one game serves all tasks of its world.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from worldquiz import rng
from worldquiz.errors import MissingExtra, WorldError
from worldquiz.facts.fact import DIRECTIONS, DOOR_AT, EXIT, LEADS, MATCH
from worldquiz.t2q.world.spec import WorldSpec

MAP_COMMAND = "wq-objects"
"""A command of our own that prints ``number name`` for each object; players cannot give it."""

_TYPES = {"container": "c", "supporter": "s", "object": "o", "food": "f", "key": "k"}
_NAMED_KEY = 'say "You have to unlock the [locked {kind}] with the [X] first.";'
_WELDED = 'say "The [locked {kind}] is welded shut.";'
_PLAIN = 'say "The [locked {kind}] is locked.";'
_BANNER = re.compile(r"Rule for printing the banner text:\n.*?\n\n", re.DOTALL)
_RULES = f"""
Report opening an empty container (called the box):
\tsay "You open the [box]. It is empty." instead.

Definition: a container is empty if the number of things in it is 0.

To say number of (item - object): (- print {{item}}; -).

Listing the objects is an action out of world.
Carry out listing the objects:
\trepeat with R running through rooms:
\t\tsay "[number of R] [internal name of R][line break]";
\trepeat with T running through things:
\t\tsay "[number of T] [printed name of T][line break]".
Understand "{MAP_COMMAND}" as listing the objects.
"""
_NO_BANNER = "\nRule for printing the banner text: do nothing.\n"


def source(spec: WorldSpec) -> tuple[str, Any]:
    """Return a world's Inform 7 source and TextWorld's game object; neither has a quest.

    Equal specs give equal text. Raises `MissingExtra` without TextWorld.
    """
    try:
        from textworld.generator.inform7 import generate_inform7_source
    except ImportError as error:
        raise MissingExtra("textworld", "textworld") from error
    maker, _ = make(spec)
    game = maker.build(validate=False)
    _sort(game.world)
    return patched(generate_inform7_source(game)), game


def _sort(world: Any) -> None:
    """Let entities be declared in the order of their names, in which lists in the game name them.

    TextWorld's own order follows from all facts of a world, so that a list in the first room could
    hint at what a key fits or at what lies elsewhere.
    """

    def number(entity: Any) -> tuple[str, int]:
        digits = entity.id.rpartition("_")[2]
        return entity.type, int(digits) if digits.isdecimal() else -1  # the player has no number

    # TextWorld offers no public way to set these orders
    for group in (world._rooms, world._objects, *world._entities_per_type.values()):
        group.sort(key=number)


def make(spec: WorldSpec) -> tuple[Any, dict[str, Any]]:
    """Return a GameMaker with the world in it, and its entities by name."""
    from textworld import GameMaker, GameOptions

    options = GameOptions()
    options.seeds = 0  # texts are ours; unset seeds would draw random ones
    options.kb = _knowledge()
    maker = GameMaker(options)
    entities = {room.name: maker.new_room(room.name) for room in spec.rooms}
    maker.set_player(entities[spec.start])
    state = spec.initial
    for name in spec.of_kind(*_TYPES):
        entities[name] = maker.new(_TYPES[spec.kinds[name]], name)
    for place in sorted(fact for fact in state if fact.predicate in ("at", "in", "on")):
        thing, spot = place.args
        entities[spot].add(entities[thing])
    _connect(maker, spec, entities)
    for name in spec.of_kind("container", "door"):
        entities[name].add_property(_property(state, name))
    for key, lock in sorted(MATCH.of(state)):
        maker.add_fact("match", entities[key], entities[lock])
    _describe(spec, entities)
    return maker, entities


@cache
def _knowledge() -> Any:
    """Return TextWorld's rules, which take longer to load than a world to write."""
    from textworld.generator.data import KnowledgeBase

    return KnowledgeBase.load()


def patched(text: str, *, banner: bool = False) -> str:
    """Return Inform source with the leaks closed and our rules added.

    The banner states a game's one objective; a game that serves all tasks has none. Raises
    `WorldError` if a text to be replaced is not there: another TextWorld than we know.
    """
    for kind in ("door", "container"):
        for leak in (_NAMED_KEY, _WELDED):
            old = leak.format(kind=kind)
            if old not in text:
                raise WorldError(f"TextWorld's source lacks {old!r}: use textworld==1.7.0")
            text = text.replace(old, _PLAIN.format(kind=kind))
    if banner:
        return text + _RULES
    text, found = _BANNER.subn("", text)
    if not found:
        raise WorldError("TextWorld's source has no banner rule: use textworld==1.7.0")
    return text + _RULES + _NO_BANNER


def _connect(maker: Any, spec: WorldSpec, entities: dict[str, Any]) -> None:
    doors = {(room, way): door for door, room, way in DOOR_AT.of(spec.facts)}
    done: set[frozenset[str]] = set()
    for room, way, other in sorted(LEADS.of(spec.facts)):
        if frozenset((room, other)) in done:
            continue
        done.add(frozenset((room, other)))
        back = next(w for r, w, o in sorted(LEADS.of(spec.facts)) if (r, o) == (other, room))
        path = maker.connect(getattr(entities[room], way), getattr(entities[other], back))
        if (room, way) in doors:
            door = doors[room, way]
            entities[door] = maker.new_door(path, door)


def _property(state: Any, name: str) -> str:
    facts = {fact.predicate for fact in state if fact.args == (name,)}
    return "open" if "open" in facts else "locked" if "locked" in facts else "closed"


def _describe(spec: WorldSpec, entities: dict[str, Any]) -> None:
    """Give every entity and room a text of ours; wording varies by seed, content never."""
    ids = {name: entity.id for name, entity in entities.items()}
    for name, kind in spec.kinds.items():
        infos = entities[name].infos
        if kind == "room":
            infos.desc = _room_text(spec, name, ids)
        elif kind in ("door", "container"):
            infos.desc = f"The {name} is [if {ids[name]} is open]open[otherwise]closed[end if]."
        elif kind == "supporter":
            infos.desc = f"The {name} looks steady."
        else:
            infos.desc = f"You see nothing special about the {name}."


def _worded(spec: WorldSpec, subject: str, *forms: str) -> str:
    """Return one of the forms, drawn by seed for this subject alone: no text shifts another."""
    return rng.child(spec.seed, "wording", subject).choice(forms)


def _room_text(spec: WorldSpec, room: str, ids: dict[str, str]) -> str:
    opening = _worded(
        spec, room, "You are in the {}.", "You find yourself in the {}.", "This is the {}."
    )
    parts = [opening.format(room)]
    fixed = [fact.args[0] for fact in spec.facts if fact.predicate == "at" and fact.args[1] == room]
    for kind, text in (("supporter", _supporter_text), ("container", _container_text)):
        parts += [text(spec, name, ids[name]) for name in fixed if spec.kinds[name] == kind]
    doors = {way: door for door, at, way in DOOR_AT.of(spec.facts) if at == room}
    exits = {way for at, way in EXIT.of(spec.initial) if at == room}
    ways = []
    for way in (way for way in DIRECTIONS if way in exits):
        if way in doors:
            ways.append(_door_text(doors[way], ids[doors[way]], way))
        else:
            form = _worded(
                spec,
                f"{room} {way}",
                "There is an exit to the {}.",
                "You can go {} from here.",
                "An open passage leads {}.",
            )
            ways.append(form.format(way))
    return " ".join(parts) + "\n\n" + " ".join(ways)


def _supporter_text(spec: WorldSpec, name: str, id: str) -> str:
    form = _worded(spec, name, "You see {} here.", "There is {} here.", "By the wall stands {}.")
    filled = _worded(spec, f"on {name}", "On the {} you see", "On the {} lies")
    listed = f"{filled.format(name)} [a list of things on the {id}]."
    things = f"[if there is something on the {id}]{listed}"
    return f"{form.format(article(name))} {things}[otherwise]The {name} is empty.[end if]"


def _container_text(spec: WorldSpec, name: str, id: str) -> str:
    form = _worded(spec, name, "You see {} here.", "There is {} here.", "In the corner is {}.")
    adjective = f"[if {id} is open]an open[otherwise]a closed[end if] {name}"
    filled = _worded(spec, f"in {name}", "In the {} you see", "The {} contains")
    return (
        f"{form.format(adjective)}[if {id} is open and there is something in the {id}]"
        f" {filled.format(name)} [a list of things in the {id}].[end if]"
        f"[if {id} is open and the number of things in the {id} is 0]"
        f" The {name} is empty.[end if]"
    )


def _door_text(name: str, id: str, way: str) -> str:
    return f"There is [if {id} is open]an open[otherwise]a closed[end if] {name} leading {way}."


def article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"

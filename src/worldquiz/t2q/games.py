"""Tasks as TextWorld games: Inform source, compiled for the Z-machine.

This is the paper's packaging (arXiv 2601.09503, appendix B): a world with n tasks becomes n games
of the same structure, each with the task's goal as its only quest. The pair ``TASK.z8`` and
``TASK.json`` is what `textworld.start`, ``tw-play`` and TextWorld's Gym environments load. Within
worldquiz nothing needs them; tests compare our own game (`world.game`) with them, text for text.

The source comes from TextWorld's GameMaker, with our own room texts and two leaks closed.
TextWorld's stock texts give away answers for which Task2Quiz demands interaction (section 3.1: the
state of a lock shows only when it is tried):

* opening a locked thing named its key, even one never seen; the game now says only "is locked";
* some containers' room text said "locked" or "unlocked"; our texts say open or closed.

A few more texts are changed: doors get their article ("You open the gate."), and things are seen,
picked up and dropped on "the floor". Every other rule is TextWorld's own.
"""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.plugins import need
from worldquiz.t2q.world.predicates import LOCKED, MATCH, OPEN
from worldquiz.t2q.world.spec import Task, WorldSpec
from worldquiz.t2q.world.words import Content, Lid, Texts

_TYPES = {"container": "c", "supporter": "s", "object": "o", "food": "f", "key": "k"}
_LOCKED = 'say "The [locked {}] is locked.";'
_OURS = {
    old.format(kind): _LOCKED.format(kind)
    for kind in ("door", "container")
    for old in (
        'say "You have to unlock the [locked {}] with the [X] first.";',
        'say "The [locked {}] is welded shut.";',
    )
} | {
    'say "There is [L with indefinite articles] on the floor.";':
        'say "On the floor you see [L with indefinite articles].";',
    'say "You pick up [the noun] from the ground." instead.':
        'say "You pick up [the noun] from the floor." instead.',
    'say "You drop [the noun] on the ground." instead.':
        'say "You drop [the noun] on the floor." instead.',
}  # fmt: skip
"""TextWorld's sentences, each with the one that replaces it."""
_RULES = """
Report opening an empty container (called the box):
\tsay "You open the [box]. It is empty." instead.

Definition: a container is empty if the number of things in it is 0.

When play begins:
\trepeat with D running through doors:
\t\tnow D is improper-named.
"""


def game_files(spec: WorldSpec, task: Task) -> dict[str, bytes]:
    """Return a game's files by suffix: ni (Inform 7), z8, and TextWorld's description in json.

    A `.z8` file holds the date of compilation, so compare games by their Inform text. Raises
    `MissingExtra` without TextWorld, and `WorldError` where the world exceeds the Z-machine's
    512 KB (about 60 rooms).
    """
    games = need("textworld.generator.game", extra="textworld")
    maker, entities = make(spec.at(task))
    conditions = []
    for predicate, args in task.goal:
        names = [entities[name] for name in args]
        match predicate:
            case "player_at":
                conditions.append(maker.new_fact("at", maker.player, *names))
            case "carried":
                conditions.append(maker.new_fact("in", *names, maker.inventory))
            case _:
                conditions.append(maker.new_fact(predicate, *names))
    won = games.Event(conditions=conditions)
    maker.quests = [games.Quest(win_events=[won], desc=task.objective)]
    game = maker.build(validate=False)
    game.objective = task.objective
    game.metadata["walkthrough"] = list(task.walkthrough.commands)
    text, told = source(game), game.serialize()
    told["grammar"]["names_to_exclude"].sort(key=str)  # TextWorld keeps them in a set
    return {
        "ni": text.encode(),
        "z8": compiled(text, f"task {task.id!r} of world {spec.id!r}"),
        "json": json.dumps(told, sort_keys=True).encode(),
    }


def make(spec: WorldSpec) -> tuple[Any, dict[str, Any]]:
    """Return a GameMaker with the world in it, and its entities by name."""
    textworld = need("textworld", extra="textworld")
    options = textworld.GameOptions()
    options.seeds = 0  # texts are ours; unset seeds would draw random ones
    options.grammar.theme = "basic"  # none of its words is used; it is the fastest to load
    options.kb = _knowledge()
    maker = textworld.GameMaker(options)
    entities = {room.name: maker.new_room(room.name) for room in spec.rooms}
    maker.set_player(entities[spec.start])
    for name in spec.of_kind(*_TYPES):
        entities[name] = maker.new(_TYPES[spec.kinds[name]], name)
    for place in sorted(spec.place.values()):
        thing, spot = place.args
        entities[spot].add(entities[thing])
    for room, way, other, door in spec.passages:
        back = next(w for w, there in spec.ways[other].items() if there == room)
        path = maker.connect(getattr(entities[room], way), getattr(entities[other], back))
        if door is not None:
            entities[door] = maker.new_door(path, door)
    state = spec.initial
    for name in spec.of_kind("container", "door"):
        lid = "locked" if LOCKED(name) in state else "open" if OPEN(name) in state else "closed"
        entities[name].add_property(lid)
    for key, lock in sorted(MATCH.of(state)):
        maker.add_fact("match", entities[key], entities[lock])
    texts, ids = Texts(spec), {name: entity.id for name, entity in entities.items()}
    for name in spec.kinds:
        entities[name].infos.desc = "".join(_inform(spec, ids, piece) for piece in texts.of(name))
    return maker, entities


@cache
def _knowledge() -> Any:
    """Return TextWorld's rules, cached because loading them takes longer than writing a world."""
    return need("textworld.generator.data", extra="textworld").KnowledgeBase.load()


def _inform(spec: WorldSpec, ids: dict[str, str], piece: str | Lid | Content) -> str:
    """Return a piece of text in Inform's notation."""
    if isinstance(piece, str):
        return piece
    if isinstance(piece, Lid):
        return f"[if {ids[piece.thing]} is open]{piece.open}[otherwise]{piece.closed}[end if]"
    id, empty = ids[piece.holder], piece.empty
    if spec.kinds[piece.holder] == "supporter":
        listed = f"{piece.before}[a list of things on the {id}]{piece.after}"
        return f"[if there is something on the {id}]{listed}[otherwise]{empty}[end if]"
    listed = f"{piece.before}[a list of things in the {id}]{piece.after}"
    return (
        f"[if {id} is open and there is something in the {id}]{listed}[end if]"
        f"[if {id} is open and the number of things in the {id} is 0]{empty}[end if]"
    )


def source(game: Any) -> str:
    """Return a game's Inform 7 source, with some of TextWorld's texts replaced by ours.

    Raises `WorldError` if a text to be replaced is missing, as in other versions of TextWorld.
    """
    compilers = need("textworld.generator.inform7", extra="textworld")
    text = str(compilers.generate_inform7_source(game))
    for old, new in _OURS.items():
        if old not in text:
            raise WorldError(f"TextWorld's source does not have {old!r}: use textworld==1.7.0")
        text = text.replace(old, new)
    return text + _RULES


def compiled(text: str, what: str) -> bytes:
    """Return the Z-machine program compiled from an Inform text; `what` names it in errors."""
    compilers = need("textworld.generator.inform7", extra="textworld")
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as scratch:
        target = Path(scratch) / "game.z8"
        try:
            compilers.compile_inform7_game(text, str(target))
        except compilers.CouldNotCompileGameError as error:
            raise WorldError(
                f"{what} does not compile. Either {Path(scratch).parent} has no space left for "
                "temporary files (set TMPDIR), or the world exceeds the Z-machine's 512 KB, about "
                "60 rooms or 96 objects (lower the parameters, or build without games)"
            ) from error
        return target.read_bytes()

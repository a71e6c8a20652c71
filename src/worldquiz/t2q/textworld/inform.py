"""Inform source of a world, and the Z-machine games compiled of it by TextWorld's compilers.

The source is TextWorld's GameMaker, our room texts, and the two leaks closed. TextWorld's stock
texts let a question be answered without the interaction that Task2Quiz demands (arXiv 2601.09503,
section 3.1: a lock shows only when it is tried):

* opening a locked thing named its key, even a key never seen; it now says only that it is locked;
* some containers' room text said "locked" or "unlocked"; the texts below say open or closed.

Every other rule is TextWorld's own. The game has no quest: goals are judged on the true state, so
one game serves all tasks of its world.

`task_game` makes the paper's packaging (appendix B) for anybody's TextWorld: a world with n tasks
becomes n games of the same structure, each with the task's goal as its only quest. The pair
``TASK.z8`` and ``TASK.json`` is what `textworld.start`, ``tw-play`` and TextWorld's Gym
environments load. Within worldquiz nothing needs them.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import WorldError
from worldquiz.extras import need
from worldquiz.facts.fact import MATCH, Fact
from worldquiz.records import write_bytes, write_text
from worldquiz.t2q.world.spec import WorldSpec
from worldquiz.t2q.world.task import Task
from worldquiz.t2q.world.texts import Content, Lid, Texts

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
    compilers = require()
    maker, _ = make(spec)
    game = maker.build(validate=False)
    _sort(game.world)
    return patched(compilers.generate_inform7_source(game)), game


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
    options.grammar.theme = "basic"  # no word of it is used: the one that is read soonest
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
    for room, way, other, door in spec.passages:
        back = next(w for w, there in spec.ways[other].items() if there == room)
        path = maker.connect(getattr(entities[room], way), getattr(entities[other], back))
        if door is not None:
            entities[door] = maker.new_door(path, door)


def _property(state: Any, name: str) -> str:
    facts = {fact.predicate for fact in state if fact.args == (name,)}
    return "open" if "open" in facts else "locked" if "locked" in facts else "closed"


def _describe(spec: WorldSpec, entities: dict[str, Any]) -> None:
    """Give every entity and room its text."""
    texts, ids = Texts(spec), {name: entity.id for name, entity in entities.items()}
    for name in spec.kinds:
        entities[name].infos.desc = "".join(_inform(spec, ids, piece) for piece in texts.of(name))


def _inform(spec: WorldSpec, ids: dict[str, str], piece: str | Lid | Content) -> str:
    """Say a piece of a text in Inform's terms."""
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


SCRATCH = 16 * 2**20
"""Bytes that compiling one world needs beside the result."""


def compile_world(spec: WorldSpec, folder: Path) -> str:
    """Write ``game.ni`` and ``game.z8`` of a world into a folder; return the Inform text.

    The `.z8` header holds the date of compilation: compare games by their Inform text. Raises
    `WorldError` where the world exceeds the Z-machine's 512 KB (about 60 rooms).
    """
    text, _ = source(spec)
    write_bytes(folder / "game.z8", compiled(text, f"world {spec.id!r}"))
    write_text(folder / "game.ni", text)
    return text


def require() -> Any:
    """Return TextWorld's writer and compilers of Inform. Raises `MissingExtra` without them."""
    return need("textworld.generator.inform7", extra="textworld")


def compiled(text: str, what: str) -> bytes:
    """Return the Z-machine program of an Inform text; `what` names it in errors."""
    compilers = require()
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as scratch:
        target = Path(scratch) / "game.z8"
        try:
            compilers.compile_inform7_game(text, str(target))
        except compilers.CouldNotCompileGameError as error:
            raise WorldError(f"{what} does not compile: {_reason(scratch)}") from error
        return target.read_bytes()


def _reason(scratch: str) -> str:
    """Say why a text of ours did not compile: the compilers themselves do not."""
    free = shutil.disk_usage(scratch).free
    if free < SCRATCH:
        return (
            f"only {free // 2**20} MB are left where temporary files go ({Path(scratch).parent}), "
            f"of {SCRATCH // 2**20} needed; set TMPDIR to a folder with more"
        )
    return (
        "more than about 60 rooms or 96 objects exceed the Z-machine's 512 KB; lower the "
        "parameters, or build without --games"
    )


class TaskGame(NamedTuple):
    """One task's game: its Inform text, the program, and TextWorld's description of it."""

    inform: str
    z8: bytes
    json: str


def task_source(spec: WorldSpec, task: Task) -> tuple[str, Any]:
    """Return the Inform source and TextWorld's game object of one task; equal tasks, equal text."""
    compilers, games = require(), need("textworld.generator.game", extra="textworld")
    maker, entities = make(spec)
    conditions = [_proposition(maker, entities, fact) for fact in task.goal]
    won = games.Event(conditions=conditions)
    maker.quests = [games.Quest(win_events=[won], desc=task.objective)]
    game = maker.build(validate=False)
    game.objective = task.objective
    game.metadata["walkthrough"] = list(task.walkthrough.commands)
    return patched(compilers.generate_inform7_source(game), banner=True), game


def task_game(spec: WorldSpec, task: Task) -> TaskGame:
    """Compile one task's game. Raises `WorldError` where it exceeds the Z-machine."""
    text, game = task_source(spec, task)
    told = game.serialize()
    told["grammar"]["names_to_exclude"].sort(key=str)  # TextWorld keeps them in a set
    description = json.dumps(told, sort_keys=True)
    return TaskGame(text, compiled(text, f"task {task.id!r} of world {spec.id!r}"), description)


def _proposition(maker: Any, entities: dict[str, Any], fact: Fact) -> Any:
    """Say a goal fact in TextWorld's terms."""
    names = [entities[name] for name in fact.args]
    match fact.predicate:
        case "player_at":
            return maker.new_fact("at", maker.player, *names)
        case "carried":
            return maker.new_fact("in", *names, maker.inventory)
        case predicate:
            return maker.new_fact(predicate, *names)

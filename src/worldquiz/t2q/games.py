"""Games for the Z-machine, compiled by TextWorld of worlds: for other tools, and for the recorder.

The source is TextWorld's GameMaker, our room texts, and the two leaks closed. TextWorld's stock
texts let a question be answered without the interaction that Task2Quiz demands (arXiv 2601.09503,
section 3.1: a lock shows only when it is tried):

* opening a locked thing named its key, even a key never seen; it now says only that it is locked;
* some containers' room text said "locked" or "unlocked"; the texts below say open or closed.

Every other rule is TextWorld's own. The game has no quest: goals are judged on the true state, so
one game serves all tasks of its world.

With a task, it is the paper's packaging (appendix B) for anybody's TextWorld: a world with n tasks
becomes n games of the same structure, each with the task's goal as its only quest. The pair
``TASK.z8`` and ``TASK.json`` is what `textworld.start`, ``tw-play`` and TextWorld's Gym
environments load. Within worldquiz, `worldquiz mango worlds` records mazes from games, and tests
compare our own game (`world.game`) with them, text for text.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from worldquiz.errors import WorldError
from worldquiz.facts.fact import EATEN, LOCKED, MATCH, OPEN, Fact
from worldquiz.plugins import need
from worldquiz.runs.benchmark import GameWalk
from worldquiz.t2q.world.situation import Content, Lid, Texts
from worldquiz.t2q.world.spec import Proof, Solution, Task, Verb, WorldSpec

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


def source(spec: WorldSpec, task: Task | None = None) -> tuple[str, Any]:
    """Return the Inform 7 source and TextWorld's game object of a world, or of one task in it.

    Equal arguments give equal text. Raises `MissingExtra` without TextWorld.
    """
    compilers = need("textworld.generator.inform7", extra="textworld")
    games = need("textworld.generator.game", extra="textworld")
    maker, entities = make(spec)
    if task is not None:
        won = games.Event(conditions=[_proposition(maker, entities, f) for f in task.goal])
        maker.quests = [games.Quest(win_events=[won], desc=task.objective)]
    game = maker.build(validate=False)
    if task is None:
        _sort(game.world)
    else:
        game.objective = task.objective
        game.metadata["walkthrough"] = list(task.walkthrough.commands)
    return patched(compilers.generate_inform7_source(game), banner=task is not None), game


def game_files(spec: WorldSpec, task: Task | None = None) -> dict[str, bytes]:
    """Return a game's files by suffix: ni, z8 and, for a task, TextWorld's description in json.

    The `.z8` header holds the date of compilation: compare games by their Inform text. Raises
    `WorldError` where the world exceeds the Z-machine's 512 KB (about 60 rooms).
    """
    text, game = source(spec, task)
    what = f"world {spec.id!r}" if task is None else f"task {task.id!r} of world {spec.id!r}"
    files = {"ni": text.encode(), "z8": compiled(text, what)}
    if task is not None:
        told = game.serialize()
        told["grammar"]["names_to_exclude"].sort(key=str)  # TextWorld keeps them in a set
        files["json"] = json.dumps(told, sort_keys=True).encode()
    return files


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
    for room, way, other, door in spec.passages:
        back = next(w for w, there in spec.ways[other].items() if there == room)
        path = maker.connect(getattr(entities[room], way), getattr(entities[other], back))
        if door is not None:
            entities[door] = maker.new_door(path, door)
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


def compiled(text: str, what: str) -> bytes:
    """Return the Z-machine program of an Inform text; `what` names it in errors."""
    compilers = need("textworld.generator.inform7", extra="textworld")
    with tempfile.TemporaryDirectory(prefix="worldquiz-") as scratch:
        target = Path(scratch) / "game.z8"
        try:
            compilers.compile_inform7_game(text, str(target))
        except compilers.CouldNotCompileGameError as error:
            raise WorldError(
                f"{what} does not compile: either no room is left where temporary files go "
                f"({Path(scratch).parent}; set TMPDIR), or more than about 60 rooms or 96 objects "
                "exceed the Z-machine's 512 KB: lower the parameters, or build without --games"
            ) from error
        return target.read_bytes()


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


STEPS_A_ROOM = 60
"""Commands that the explorer may spend for each room; it stops by itself long before."""


def walks(path: Path, worlds: Sequence[str]) -> Iterator[GameWalk]:
    """Yield a walk through each game of a suite, or of some of its worlds.

    Raises `WorldError` for a suite without games for the Z-machine.
    """
    from worldquiz.t2q.suites import open_suite

    suite = open_suite(path)
    for world in worlds or suite.worlds:
        spec, game = suite.bundle(world).spec, suite.folder(world) / "game.z8"
        if not game.is_file():
            raise WorldError(f"{game}: no such game: build the suite with --games")
        yield GameWalk(world, game, walk(spec))


def walk(spec: WorldSpec) -> tuple[str, ...]:
    """Return commands by which an explorer walks through all of a world that can be reached."""
    from worldquiz.t2q.agents.explorer import Explorer
    from worldquiz.t2q.rollout import play
    from worldquiz.t2q.world.config import PerTask
    from worldquiz.t2q.world.game import Game

    never = (EATEN("moon"),)  # the explorer ignores its task anyway
    nowhere = Task("explore", Verb.EAT, "moon", never, "", (), (), Solution((), Proof.SHORTEST))
    limit = PerTask(STEPS_A_ROOM * len(spec.rooms))
    (episode,) = play(Game(spec), Explorer(), [nowhere], seed=0, name="explorer", budget=limit)
    actions = [step.action for step in episode.steps if step.action is not None]
    return tuple(action.removeprefix("go ") for action in actions)

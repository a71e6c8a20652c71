"""Our rules against TextWorld's own logic: the same commands can be given in every state met."""

from __future__ import annotations

import random
from typing import Any

import pytest

from text_rules import apply
from worldquiz.facts.fact import Fact, State
from worldquiz.t2q.world.spec import HOLDERS, LOCKABLE, MOVABLE, WorldSpec

textworld = pytest.importorskip("textworld")

STEPS = 25
WAYS = ("north", "east", "south", "west")


def every_command(spec: WorldSpec) -> list[str]:
    """Return all that could be said in a world, sensible or not."""
    movables, holders = spec.of_kind(*MOVABLE), spec.of_kind(*HOLDERS)
    locks, keys = spec.of_kind(*LOCKABLE), spec.of_kind("key")
    said = [f"go {way}" for way in WAYS]
    said += [f"{verb} {lock}" for verb in ("open", "close") for lock in locks]
    said += [
        f"{verb} {lock} with {key}" for verb in ("unlock", "lock") for lock in locks for key in keys
    ]
    said += [f"{verb} {thing}" for verb in ("take", "drop", "eat") for thing in movables]
    for thing in movables:
        for holder in holders:
            word = "put {} on {}" if spec.kinds[holder] == "supporter" else "insert {} into {}"
            said += [f"take {thing} from {holder}", word.format(thing, holder)]
    return said


def ours(spec: WorldSpec, state: State) -> set[str]:
    done = set()
    for command in every_command(spec):
        try:
            apply(state, command)
        except ValueError:
            continue
        done.add(command)
    return done


def theirs(game: Any, state: Any, names: dict[str, str]) -> dict[str, Any]:
    """Return TextWorld's applicable actions by our wording."""
    constants = game.kb.types.constants_mapping
    return {
        command: action
        for action in state.all_applicable_actions(game.kb.rules.values(), constants)
        if (command := worded(action, names))
    }


def worded(action: Any, names: dict[str, str]) -> str | None:
    verb, _, rest = action.name.partition("/")
    things = [names[v.name] for v in action.variables if v.name in names and v.type != "r"]
    match verb:
        case "go":
            return f"go {rest}"
        case "open" | "close" | "eat" | "drop":
            return f"{verb} {things[0]}"
        case "unlock" | "lock":
            lock = next(names[v.name] for v in action.variables if v.type in ("c", "d"))
            key = next(names[v.name] for v in action.variables if v.type == "k")
            return f"{verb} {lock} with {key}"
        case "take" | "put" | "insert":
            holder = next((names[v.name] for v in action.variables if v.type in ("c", "s")), None)
            thing = next(name for name in things if name != holder)
            if holder is None:
                return f"take {thing}"
            return {"take": f"take {thing} from {holder}", "put": f"put {thing} on {holder}"}.get(
                verb, f"insert {thing} into {holder}"
            )
    return None


@pytest.mark.slow
@pytest.mark.parametrize(("level", "seed"), [("easy", 1), ("easy", 2), ("medium", 3)])
def test_the_same_commands_can_be_given(level: str, seed: int, spec_of: Any) -> None:
    from worldquiz.t2q.textworld.inform import make

    spec: WorldSpec = spec_of(level, seed)
    maker, entities = make(spec)
    game = maker.build(validate=False)
    names = {entity.id: name for name, entity in entities.items()}
    state, other = spec.initial, game.world.state.copy()
    draw = random.Random(seed)
    for _ in range(STEPS):
        actions = theirs(game, other, names)
        assert ours(spec, state) == set(actions)
        command = draw.choice(sorted(actions))
        state = apply(state, command)
        other.apply(actions[command])
        assert open_things(state) == {names[f.names[0]] for f in other.facts if f.name == "open"}


def open_things(state: State) -> set[str]:
    return {fact.args[0] for fact in state if isinstance(fact, Fact) and fact.predicate == "open"}

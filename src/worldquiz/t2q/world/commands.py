"""From what an agent writes to what the game may receive.

The whitelist holds TextWorld's own actions and nothing else: no ``print_state`` (it dumps the
world), no ``tw-*``, ``restart``, ``quit``, ``save``, ``undo``, not several commands at once, no
word that makes the parser ask back (it would swallow the next command). What is let through
is rewritten to one canonical form, so that `reveal` knows what was asked. The rest gets a plain
refusal and costs a step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from worldquiz.facts.fact import DIRECTIONS


@dataclass(frozen=True, slots=True)
class Command:
    """An action in canonical form."""

    verb: str
    noun: str = ""  # a direction after ``go``, else an entity
    second: str = ""

    def __str__(self) -> str:
        link = _LINKS.get(self.verb, "")
        if self.verb == "take" and self.second:
            link = "from"
        return " ".join(part for part in (self.verb, self.noun, link, self.second) if part)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why nothing was done, in the game's voice."""

    text: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What can be named where the player stands."""

    here: frozenset[str]  # entities in sight or carried
    holder: dict[str, str]  # thing in sight -> container or supporter that it is in or on
    containers: frozenset[str]
    ways: dict[str, str]  # door in sight -> direction


HELP = (
    "look, inventory, go DIRECTION, examine THING, open THING, close THING, unlock THING with KEY, "
    "lock THING with KEY, take THING, take THING from PLACE, put THING on PLACE, "
    "insert THING into PLACE, drop THING, eat THING"
)
NOT_UNDERSTOOD = f"That is not a command that this game understands. It understands: {HELP}."
ONE_AT_A_TIME = "One command at a time, please."
NOT_SEEN = "You can't see any such thing."

_LINKS = {"unlock": "with", "lock": "with", "put": "on", "insert": "into"}
_SHORT = {
    "l": "look", "look around": "look", "i": "inventory", "inv": "inventory",
    "check inventory": "inventory", "take inventory": "inventory",
    **{letter: f"go {way}" for way in DIRECTIONS for letter in (way[0], way)},
}  # fmt: skip
_VERBS = (
    (r"(?:go|walk|move|head|run|travel)(?: to)?(?: the)?", "go"),
    (r"(?:enter|go through|walk through|pass through|go into)", "enter"),
    (r"(?:examine|x|inspect|look at|look in|look inside|look on|read|check)", "examine"),
    (r"(?:unlock)", "unlock"),
    (r"(?:lock)", "lock"),
    (r"(?:open)", "open"),
    (r"(?:close|shut)", "close"),
    (r"(?:take|get|pick up|grab|remove|collect|fetch)", "take"),
    (r"(?:put down|drop|discard)", "drop"),
    (r"(?:put|place|insert|set|lay)", "put"),
    (r"(?:eat|consume)", "eat"),
)
_SPLIT = {
    "unlock": r" (?:with|using) ",
    "lock": r" (?:with|using) ",
    "take": r" (?:from|off|out of) ",
    "put": r" (?:onto|on|into|inside|in) ",
}
_ARTICLE = re.compile(r"^(?:the|a|an|my|some) ")
_MANY = re.compile(r"[.;\n]|\band\b|\bthen\b|,|\ball\b|\beverything\b|\beach\b")


def understand(text: str, scope: Scope) -> Command | Refusal:
    """Return the command that a text means where the player stands, or why there is none."""
    bare = text.strip().strip("\"'`>").lower().strip().rstrip(".!")
    if _MANY.search(bare):
        return Refusal(ONE_AT_A_TIME)
    plain = re.sub(r"\s+", " ", bare)
    plain = _SHORT.get(plain, plain)
    if plain in ("look", "inventory"):
        return Command(plain)
    for pattern, verb in _VERBS:
        match = re.fullmatch(rf"{pattern} (.+)", plain)
        if match:
            return _object_of(verb, match[1], scope)
    return Refusal(NOT_UNDERSTOOD)


def _object_of(verb: str, rest: str, scope: Scope) -> Command | Refusal:
    if verb == "go" and rest in DIRECTIONS:
        return Command("go", rest)
    if verb in ("go", "enter"):
        door = _resolve(rest.removeprefix("through "), scope, among=scope.ways)
        return door if isinstance(door, Refusal) else Command("go", scope.ways[door])
    if verb == "take" and rest.endswith(" up"):
        rest = rest.removesuffix(" up")
    parts = re.split(_SPLIT[verb], rest, maxsplit=1) if verb in _SPLIT else [rest]
    nouns = [_resolve(part, scope, among=scope.here) for part in parts]
    for noun in nouns:
        if isinstance(noun, Refusal):
            return noun
    return _assemble(verb, [str(noun) for noun in nouns], scope)


def _assemble(verb: str, nouns: list[str], scope: Scope) -> Command | Refusal:
    match verb, nouns:
        case "take", [thing]:
            return Command("take", thing, scope.holder.get(thing, ""))
        case "put", [thing, place]:
            return Command("insert" if place in scope.containers else "put", thing, place)
        case (("put" | "unlock" | "lock"), [thing]):
            link = {"put": "on or into what", "unlock": "with what", "lock": "with what"}[verb]
            return Refusal(f"Say {link}, as in: {_EXAMPLE[verb]}.")
        case _, [thing]:
            return Command(verb, thing)
        case _, [thing, other]:
            return Command(verb, thing, other)
    return Refusal(NOT_UNDERSTOOD)


_EXAMPLE = {
    "put": "put THING on PLACE",
    "unlock": "unlock THING with KEY",
    "lock": "lock THING with KEY",
}


def _resolve(words: str, scope: Scope, *, among: Iterable[str]) -> str | Refusal:
    """Return the one entity in sight that the words name, in full or in part."""
    name = _ARTICLE.sub("", words.strip())
    known = sorted(among)
    if name in known:
        return name
    wanted = name.split()
    found = [other for other in known if wanted and set(wanted) <= set(other.split())]
    if len(found) == 1:
        return found[0]
    if found:
        return Refusal(f"Which do you mean: {' or '.join(f'the {other}' for other in found)}?")
    return Refusal(NOT_SEEN)

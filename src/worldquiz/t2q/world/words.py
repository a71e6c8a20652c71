"""Words of the game: what a player may write, and the texts of rooms and things.

*Commands.* The whitelist holds only TextWorld's own actions: no ``print_state`` (it would dump the
world), no ``tw-*``, ``restart``, ``quit``, ``save`` or ``undo``, not several commands at once, and
no word that makes the parser ask back (it would swallow the next command). An accepted command is
rewritten to one canonical form for `game`. Any other command is refused in the game's words, and
costs a step.

*Descriptions.* `Texts` describes rooms and things. The wording varies by seed; the information
never does. Both the game in Python and its Inform source are written from these texts. A text
depends on the state in two ways only: whether a `Lid` is open, and what is in or on a holder
(`Content`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from worldquiz import rng
from worldquiz.t2q.compass import DIRECTIONS
from worldquiz.t2q.world.spec import WorldSpec


class Command(NamedTuple):
    """An action in canonical form."""

    verb: str
    noun: str = ""  # a direction after ``go``, else an entity
    second: str = ""

    def __str__(self) -> str:
        verb, noun, second = self
        if second:
            return f"{verb} {noun} {_LINKS[verb]} {second}"
        return f"{verb} {noun}" if noun else verb


@dataclass(frozen=True, slots=True)
class Refusal:
    """Message, in the game's words, that says why a command was refused."""

    text: str


class Scope(NamedTuple):
    """Entities that the player sees or carries, the only ones that a command may name."""

    here: frozenset[str]  # entities in sight or carried
    holder: Mapping[str, str]  # thing in sight -> container or supporter that it is in or on
    lids: Mapping[str, bool]  # door or container in sight -> whether it is open
    ways: Mapping[str, str]  # door in sight -> direction
    exits: tuple[str, ...] = ()  # directions
    supporters: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()


HELP = (
    "look, inventory, go DIRECTION, examine THING, open THING, close THING, unlock THING with KEY, "
    "lock THING with KEY, take THING, take THING from PLACE, put THING on PLACE, "
    "insert THING into PLACE, drop THING, eat THING"
)
NOT_UNDERSTOOD = f"That is not a command that this game understands. It understands: {HELP}."
ONE_AT_A_TIME = "One command at a time, please."
NOT_SEEN = "You can't see any such thing."

TURNS = ("unlock", "lock")
_LINKS = {"unlock": "with", "lock": "with", "take": "from", "put": "on", "insert": "into"}
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
_FORMS = re.compile("(?:" + "|".join(f"(?P<{verb}>{form})" for form, verb in _VERBS) + ") .+")
_SPLIT = {
    "unlock": r" (?:with|using) ",
    "lock": r" (?:with|using) ",
    "take": r" (?:from|off|out of) ",
    "put": r" (?:onto|on|into|inside|in) ",
}
_ARTICLE = re.compile(r"^(?:the|a|an|my|some) ")
_MANY = re.compile(r"[.;\n]|\band\b|\bthen\b|,|\ball\b|\beverything\b|\beach\b")


def understand(text: str, scope: Scope) -> Command | Refusal:
    """Return the command that a text means in the player's room, or a refusal."""
    told = _parsed(text)
    if not isinstance(told, list):
        return told
    verb, *parts = told
    if verb in ("go", "enter"):
        door = _resolve(parts[0].removeprefix("through "), scope.ways)
        return door if isinstance(door, Refusal) else Command("go", scope.ways[door])
    nouns = []
    for part in parts:
        noun = _resolve(part, scope.here)
        if isinstance(noun, Refusal):
            return noun
        nouns.append(noun)
    return _assemble(verb, nouns, scope)


def _parsed(text: str) -> Command | Refusal | list[str]:
    """Return a command or refusal if the text alone decides, else its verb and other words."""
    bare = text.strip().strip("\"'`>").lower().strip().rstrip(".!")
    if _MANY.search(bare):
        return Refusal(ONE_AT_A_TIME)
    plain = re.sub(r"\s+", " ", bare)
    plain = _SHORT.get(plain, plain)
    if plain in ("look", "inventory"):
        return Command(plain)
    match = _FORMS.fullmatch(plain)
    if match is None:
        return Refusal(NOT_UNDERSTOOD)
    verb = str(match.lastgroup)
    rest = plain[match.end(verb) + 1 :]
    if verb == "go" and rest in DIRECTIONS:
        return Command("go", rest)
    if verb == "take" and rest.endswith(" up"):
        rest = rest.removesuffix(" up")
    return [verb, *(re.split(_SPLIT[verb], rest, maxsplit=1) if verb in _SPLIT else [rest])]


def _assemble(verb: str, nouns: list[str], scope: Scope) -> Command | Refusal:
    match verb, nouns:
        case "take", [thing]:
            return Command("take", thing, scope.holder.get(thing, ""))
        case "take", [thing, place] if scope.holder.get(thing) != place:
            return Refusal(NOT_SEEN)  # Inform's parser would answer from what the player knows
        case "put", [thing, place]:
            is_container = place in scope.lids and place not in scope.ways
            return Command("insert" if is_container else "put", thing, place)
        case (("put" | "unlock" | "lock"), [thing]):
            return Refusal(_HALF[verb])
        case _, [thing]:
            return Command(verb, thing)
        case _, [thing, other]:
            return Command(verb, thing, other)
    return Refusal(NOT_UNDERSTOOD)


_HALF = {
    "put": "Say on or into what, as in: put THING on PLACE.",
    "unlock": "Say with what, as in: unlock THING with KEY.",
    "lock": "Say with what, as in: lock THING with KEY.",
}
"""The game's replies to commands without their second half."""


def _resolve(words: str, among: Collection[str]) -> str | Refusal:
    """Return the only entity that the words name, in full or in part, else a refusal."""
    name = words if words in among else _ARTICLE.sub("", words.strip())
    if name in among:
        return name
    wanted = name.split()
    found = [other for other in sorted(among) if wanted and set(wanted) <= set(other.split())]
    if len(found) == 1:
        return found[0]
    if found:
        return Refusal(f"Which do you mean: {' or '.join(f'the {other}' for other in found)}?")
    return Refusal(NOT_SEEN)


def admissible(scope: Scope) -> tuple[str, ...]:
    """Return the commands that make sense given what is in sight or carried, and nothing else.

    Each carried thing is offered as a key and as food, since the text does not show its kind.
    """
    lids, holder, carried = scope.lids, scope.holder, scope.carried
    boxes = [thing for thing, is_open in lids.items() if is_open and thing not in scope.ways]
    shut = [thing for thing, is_open in lids.items() if not is_open]
    loose = sorted(scope.here.difference(lids, scope.supporters, carried))
    return (
        "look",
        "inventory",
        *[f"go {way}" for way in scope.exits],
        *[f"examine {thing}" for thing in sorted(scope.here)],
        *[f"{'close' if is_open else 'open'} {thing}" for thing, is_open in lids.items()],
        *[f"{turn} {lid} with {key}" for turn in TURNS for lid in shut for key in carried],
        *[f"take {thing} from {holder[thing]}" if thing in holder else f"take {thing}"
          for thing in loose],
        *[f"{verb} {thing}" for verb in ("drop", "eat") for thing in carried],
        *[f"put {thing} on {spot}" for spot in scope.supporters for thing in carried],
        *[f"insert {thing} into {box}" for box in boxes for thing in carried],
    )  # fmt: skip


DISTRACTORS = (
    "A calendar on the wall is three years old.",
    "A draught smells faintly of apples.",
    "A map of some other house hangs on the wall: its attic lies east of its cellar.",
    "A picture on the wall shows a kitchen with an open chest and a closed door leading north.",
    "A rhyme about a brass key and a golden gate goes through your head.",
    "A spider watches you from its web.",
    "Dust dances in the light.",
    "Far away, a bell rings twice.",
    "Once there must have been a mirror on the wall, since the wallpaper is lighter there.",
    "Someone has scratched an arrow into the plaster that points to nothing.",
    "The wallpaper has a pattern of red lamps and blue candles.",
    "You remember a pantry in another house, and a locked trunk full of cookies.",
    "You wonder whether a small hat would suit you better than a big hat.",
    "Your steps sound louder than you expected.",
)
"""Sentences that say nothing about a world, although some use its words."""
_DESCRIBED = re.compile(r"-= (.+) =-\n.+")


def distracted(text: str, seed: int, count: int) -> str:
    """Return a text in which the description of a room has `count` distractors, always the same."""

    def longer(found: re.Match[str]) -> str:
        some = rng.child(seed, "distractors", found[1]).sample(DISTRACTORS, count)
        return " ".join((found[0], *some))

    return _DESCRIBED.sub(longer, text) if count else text


class Lid(NamedTuple):
    """Text about a door or container, in one version for open and one for closed."""

    thing: str
    open: str = "an open"
    closed: str = "a closed"


class Content(NamedTuple):
    """Text about the things in or on a supporter or an open container; "" for a closed one."""

    holder: str
    before: str  # the list of what is there
    after: str
    empty: str


Text = tuple[str | Lid | Content, ...]
"""A text as a list of pieces."""


class Texts:
    """The texts of one world, each written when it is first asked for."""

    def __init__(self, spec: WorldSpec) -> None:
        self._spec = spec
        self._written: dict[str, Text] = {}

    def of(self, name: str) -> Text:
        """Return the description of a room (its furniture, then its exits) or thing."""
        if name not in self._written:
            self._written[name] = tuple(self._of(name))
        return self._written[name]

    def _of(self, thing: str) -> Iterable[str | Lid | Content]:
        match self._spec.kinds[thing]:
            case "room":
                return *self._furniture(thing), "\n\n", *self._exits(thing)
            case "door" | "container":
                return f"The {thing} is ", Lid(thing, "open", "closed"), "."
            case "supporter":
                return (f"The {thing} looks steady.",)
        return (f"You see nothing special about the {thing}.",)

    def _furniture(self, room: str) -> Iterator[str | Lid | Content]:
        yield self._worded(
            room, "You are in the {}.", "You find yourself in the {}.", "This is the {}."
        ).format(room)
        kinds, here = self._spec.kinds, self._spec.content.get(room, [])
        for name in (name for name in here if kinds[name] == "supporter"):
            by_wall = "By the wall stands {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", by_wall)
            filled = self._worded(f"on {name}", "On the {} you see", "On the {} you find")
            yield f" {form.format(article(name))}"
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")
        for name in (name for name in here if kinds[name] == "container"):
            corner = "In the corner is {}."
            form = self._worded(name, "You see {} here.", "There is {} here.", corner)
            filled = self._worded(f"in {name}", "In the {} you see", "The {} contains")
            before, after = form.split("{}")
            yield from (f" {before}", Lid(name), f" {name}{after}")
            yield Content(name, f" {filled.format(name)} ", ".", f" The {name} is empty.")

    def _exits(self, room: str) -> Iterator[str | Lid]:
        exits, space = self._spec.exits[room], ""
        for way in (way for way in DIRECTIONS if way in exits):
            if door := exits[way]:
                yield from (f"{space}There is ", Lid(door), f" {door} leading {way}.")
            else:
                yield space + self._worded(
                    f"{room} {way}",
                    "There is an exit to the {}.",
                    "You can go {} from here.",
                    "An open passage leads {}.",
                ).format(way)
            space = " "

    def _worded(self, subject: str, *forms: str) -> str:
        """Return one of the wordings, drawn for this subject independently of other texts."""
        return rng.child(self._spec.seed, "wording", subject).choice(forms)


def article(name: str) -> str:
    """Return a name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"

"""Recording of mazes from games, a step that MANGO's authors did by hand.

A place is a room, or a vehicle in a room, where the player is. A step is a move if it changes the
place, or if it is a direction that leads to a room with another title. A move has a reverse if a
command led back when tried. Names come from the titles that the game prints.

Every place has its own name. Places that share a title are distinguished by the exits that were
seen, or else by a number, as MANGO's annotators did by hand (appendix A.2).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz.errors import RecordError, WorldError
from worldquiz.mango.mazes import Maze, Stay, walked
from worldquiz.mango.published import write
from worldquiz.mango.recorder.trace import ShownStep, trace
from worldquiz.mango.recorder.words import arrival, dark, direction, label, printed, seat, title
from worldquiz.mango.walkthrough import COMPASS, WalkStep
from worldquiz.runs.executor import Done, each, silent

Chain = tuple[int, ...]
"""The object where the player is, and the objects around it."""


class Spot(NamedTuple):
    """Identity of a place: its room and vehicle, and its title if an object is several places."""

    chain: Chain
    title: str = ""  # "" if the object is one place


@dataclass(frozen=True, slots=True)
class Visit:
    """One stay in one place."""

    chain: Chain
    look: str  # the text of `look`, "" if it was not tried
    came: int  # the step of arrival
    left: int  # the last step of the stay
    within: bool = False  # whether it was reached from another place in the same object

    @property
    def title(self) -> str | None:
        """The title that `look` printed, None without a title."""
        return title(self.look)

    @property
    def label(self) -> str | None:
        """The title, or else the opening sentence."""
        return label(self.look)


def visits(shown: Sequence[ShownStep]) -> list[Visit]:
    """Return the visits to places in a trace, in order.

    Steps at which no object holds the player are left out, and so is a last step into an object
    that no text describes as a place.
    """
    found: list[Visit] = []
    now: Visit | None = None
    top = _top(shown)
    for seen in shown:
        chain = seen.chain[:-1] if seen.chain[1:] and seen.chain[-1] in top else seen.chain
        if not chain or (nowhere(seen) and (now is None or chain != now.chain)):
            now = None
            continue
        arrived = Visit(chain, seen.look or "", seen.step, seen.step)
        if now is None or chain != now.chain:
            found.append(arrived)
        elif _moved(now, arrived, seen):
            found.append(replace(arrived, within=True))
        else:  # the visit lasts longer; a room that was dark is named once it is light
            lit = arrived.title is not None and (now.title is None or dark(now.title))
            found[-1] = replace(now, left=arrived.left, look=arrived.look if lit else now.look)
        now = found[-1]
    return found


def _top(shown: Sequence[ShownStep]) -> Set[int]:
    """Return the objects that hold rooms but are not rooms; most games by Infocom have one."""
    chains = {seen.chain for seen in shown if seen.chain}
    places = {chain[0] for chain in chains}
    held: dict[int, set[int]] = defaultdict(set)
    for chain in chains:
        if len(chain) > 1 and chain[-2] in places:
            held[chain[-1]].add(chain[-2])
    return {number for number, rooms in held.items() if number not in places and len(rooms) > 1}


def nowhere(seen: ShownStep) -> bool:
    """Return whether a step ends the game at a place that its text does not describe."""
    tag = label(seen.look or "")
    return seen.over and (tag is None or not printed(tag, seen.text))


def _moved(now: Visit, new: Visit, seen: ShownStep) -> bool:
    """Return whether a direction led to another room of the same object, as the heading shows.

    A change of light, or the same heading again, is not a move.
    """
    if now.label is None or new.label is None or dark(now.label) or dark(new.label):
        return False
    shown = direction(seen.action) is not None and arrival(new.look, seen.text)
    return shown and now.label != new.label


def spots(found: Sequence[Visit]) -> list[Spot]:
    """Return the place of each visit.

    An object is one place, unless a move within it was seen. Then each of its titles is a place; a
    title of another object means that object's place.
    """
    split = {visit.chain for visit in found if visit.within}
    whole = {chain: name for chain, name in titles(found).items() if chain not in split}
    owners = {name.lower(): chain for chain, name in sorted(whole.items(), reverse=True)}
    places = []
    for visit in found:
        name = visit.label or ""
        if visit.chain not in split:
            places.append(Spot(visit.chain))
        elif name.lower() in owners:
            places.append(Spot(owners[name.lower()]))
        else:
            places.append(Spot(visit.chain, name))
    return places


def titles(found: Iterable[Visit]) -> dict[Chain, str]:
    """Return the most frequent title of each room and vehicle that has any."""
    votes: dict[Chain, Counter[str]] = defaultdict(Counter)
    for visit in found:
        if visit.title is not None:
            votes[visit.chain][visit.title] += 1
    return {
        chain: max(names, key=lambda name: (not dark(name), names[name]))
        for chain, names in votes.items()
    }


def named(places: Mapping[Spot, tuple[str, Sequence[str]]]) -> dict[Spot, str]:
    """Return a unique lower-case name for each place, made from its title and its exits."""
    groups: dict[str, list[Spot]] = defaultdict(list)
    for spot, (shared, _) in places.items():
        groups[shared.lower()].append(spot)
    found = {group[0]: shared for shared, group in groups.items() if len(group) == 1}
    taken = set(found.values())
    words = {0: "no exit seen", 1: "exit "}
    for shared, group in groups.items():
        if len(group) > 1:
            exits = (places[spot][1] for spot in group)
            names = [
                f"{shared} ({words.get(len(some), 'exits ')}{', '.join(some)})" for some in exits
            ]
            if len({*names} - taken) < len(group):
                free = (name for n in count(1) if (name := f"{shared} ({n})") not in taken)
                names = [next(free) for _ in group]
            found |= zip(group, names, strict=True)
            taken.update(names)
    return found


def record(game: Path, *, any_reverse: bool = False) -> Maze:
    """Play a game by the commands beside it and return its maze, named after the game.

    As in MANGO's published maps, only compass moves have reverses; with `any_reverse`, other moves
    do, too, such as exit for enter (the paper, appendix A.3). Raises `WorldError` naming the game
    if no command is a move, and like `trace`.
    """
    played = trace(game)
    stays = list(_stays(played, any_reverse=any_reverse))
    edges = walked(stays)
    if not edges:
        raise WorldError(
            f"{game}: no command leads from one place to another: check that the commands are for "
            "this game (its story file is not damaged)"
        )
    ends = {place for edge in edges for place in (edge.source, edge.target)}
    places = tuple(name for name in dict.fromkeys(stay.place for stay in stays) if name in ends)
    walkthrough = tuple(WalkStep(seen.step, seen.action, seen.text) for seen in played)
    return Maze(game.stem, places, edges, walkthrough, walkthrough[-1].number)


def _stays(played: Sequence[ShownStep], *, any_reverse: bool) -> Iterator[Stay]:
    """Yield the stays of a walk, with the names of their places."""
    before, source = None, ""
    for visit, place in _named_visits(played):
        seated = before is not None and before.chain[-1] == visit.chain[-1]
        action = back = None
        if before is not None:
            seen = played[visit.came]
            if visit.came == before.left + 1 and place != source:
                action = seen.action
            counts = any_reverse or {seen.action, seen.back} <= COMPASS.keys()
            back = seen.back if counts and _leads_back(before, visit, seen) else None
        yield Stay(place, visit.came, action, back, _told(played, visit, place, seated=seated))
        before, source = visit, place


def _named_visits(played: Sequence[ShownStep]) -> list[tuple[Visit, str]]:
    every = visits(played)
    found = list(zip(every, spots(every), strict=True))
    known = titles(every)
    own = {seen.chain[0]: seen.name for seen in played if seen.chain}
    exits: dict[Spot, set[str]] = defaultdict(set)
    for (before, source), (after, target) in pairwise(found):
        if after.came == before.left + 1:
            seen = played[after.came]
            exits[source].add(seen.action)
            if _leads_back(before, after, seen):
                exits[target].add(str(seen.back))
    called = {
        spot: (spot.title or _name(spot.chain, known, own), sorted(exits[spot]))
        for spot in dict.fromkeys(spot for _, spot in found)
    }
    names = named(called)
    return [(visit, names[spot]) for visit, spot in found]


def _name(chain: Chain, known: Mapping[Chain, str], own: Mapping[int, str]) -> str:
    """Return the name of a room, or of a vehicle in a room: ``beach (in the boat)``."""
    first, *around = chain
    thing = own.get(first) or f"place {first}"
    if not around:
        return known.get(chain) or thing
    room = known.get(chain) or _name(tuple(around), known, own)
    return room if seat(room) else f"{room} (in the {thing})"


def _leads_back(before: Visit, after: Visit, seen: ShownStep) -> bool:
    """Return whether a move has a reverse; entering or leaving a vehicle in a place has none."""
    seated = after.chain[1:] == before.chain or before.chain[1:] == after.chain
    return seen.back is not None and not seated


def _told(played: Sequence[ShownStep], visit: Visit, name: str, *, seated: bool) -> int | None:
    """Return the step of a visit at which the text first names the place, None if it never does.

    If the player has just boarded a vehicle (`seated`), the vehicle's name is enough.
    """
    names = {words for words in (name, visit.label) if words and not dark(words)}
    said = names | {thing for thing in map(seat, names) if thing and seated}
    for seen in played[visit.came : visit.left + 1]:
        if any(printed(words, seen.text) for words in said):
            return seen.step
    return None


def record_all(
    stories: Sequence[Path],
    out: Path,
    *,
    jobs: int = 1,
    any_reverse: bool = False,
    done: Done = silent,
) -> dict[str, dict[str, Any]]:
    """Record games into a folder, in MANGO's formats; return the result of each, by name.

    ``{"games": {GAME: its size}, "failed": {GAME: why}}``. If a game cannot be recorded, the other
    games still are.
    """
    found: dict[str, dict[str, Any]] = {"games": {}, "failed": {}}
    work = partial(_made, out, any_reverse)
    for story, made in each(work, stories, jobs=jobs):
        found["failed" if isinstance(made, str) else "games"][story.stem] = made
        done(story.stem)
    return {name: dict(sorted(games.items())) for name, games in found.items()}


def _made(out: Path, any_reverse: bool, story: Path) -> dict[str, Any] | str:
    """Record one game; return its size, or the reason for failure."""
    try:
        maze = record(story, any_reverse=any_reverse)
        write(maze, out)
    except (RecordError, WorldError) as error:
        return str(error)
    return maze.size

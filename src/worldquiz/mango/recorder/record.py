"""Mazes recorded from games: the step that MANGO's authors did by hand, done by machine.

A place is a room and the vehicle in it where the player is; a move is a step that changes them (or
a direction that leads to another room within the same object, told by its title); a move's reverse
counts if the game, at that very step, led back. Names come from the titles that the game prints.
Anything that this does not settle is listed as a doubt, never guessed in silence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from worldquiz.errors import WorldError
from worldquiz.mango.maze import Edge, Maze, Sight
from worldquiz.mango.recorder.places import (
    Chain,
    Spot,
    Visit,
    named,
    nowhere,
    spots,
    titles,
    visits,
)
from worldquiz.mango.recorder.trace import PATIENCE, GameTrace, ShownStep, trace
from worldquiz.mango.recorder.words import Reverses, dark, direction, printed, seat
from worldquiz.mango.walkthrough import WalkStep


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One step that led from place to place."""

    step: int
    source: str
    action: str
    target: str
    told: int | None  # the step by which the text had named both places
    back: str | None  # the reverse, if the game led back by it


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that the recorder was not sure of. Its kinds:

    Of places: ``namesake`` (shares its title), ``no title`` (named by its object), ``one object``
    (one of several places that are one object), ``unnamed`` (the text never names it). Of moves:
    ``untold`` (not named at that time), ``no direction`` (none was typed), ``ambiguous`` (one
    action, several places), ``reverse`` (it leads back, but is no compass move and left out: see
    `Reverses`), ``late`` (the game paused, and came to the place once a key was pressed). Of steps:
    ``ended`` (the game ended in what is no place), ``untried`` (crashed or hung in a fork),
    ``unplayed``.
    """

    kind: str
    about: str  # a place or a move
    why: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A maze, and what is doubtful about it."""

    maze: Maze
    doubts: tuple[Doubt, ...]
    where: tuple[str | None, ...]  # the place after each step, 0 first
    trace: GameTrace  # what it was read off


def record(
    game: Path,
    commands: Sequence[str] | None = None,
    *,
    name: str | None = None,
    reverses: Reverses = Reverses.COMPASS,
    patience: float = PATIENCE,
) -> Recording:
    """Play a game and return its maze, called `name` or else like the game.

    Without `commands` it is played by the walkthrough that Jericho has of it. Raises `WorldError`
    naming the game where it cannot be played through (see `trace`), or where nobody ever moves.
    """
    played = trace(game, commands, patience=patience)
    found = read_off(played, name=name, reverses=reverses)
    if not found.maze.edges:
        raise WorldError(
            f"{game}: no command of {len(played.commands)} leads from one place to another: the "
            "commands are of another game, or the file is damaged, though its checksum is right"
        )
    return found


def read_off(
    played: GameTrace, *, name: str | None = None, reverses: Reverses = Reverses.COMPASS
) -> Recording:
    """Return the maze that a trace shows, called `name` or else like its game. Plays nothing."""
    found = _stays(played)
    every = tuple(_moves(played, found))
    moves = tuple(
        move if move.back is None or reverses.allow(move.action, move.back)
        else replace(move, back=None)
        for move in every
    )  # fmt: skip
    walkthrough = tuple(WalkStep(seen.step, seen.action, seen.text) for seen in played.seen)
    edges = _edges(moves)
    ends = {place for edge in edges for place in (edge.source, edge.target)}
    maze = Maze(
        name or played.game.stem,
        tuple(place for place in dict.fromkeys(stay.name for stay in found) if place in ends),
        edges,
        walkthrough,
        walkthrough[-1].number,
    )
    doubts = (*_doubtful_places(found), *_doubtful_moves(maze, every), *_doubtful_steps(played))
    return Recording(maze, doubts, _where(played, found), played)


class _Stay(NamedTuple):
    """A visit, and the place that it was to."""

    visit: Visit
    spot: Spot
    name: str
    namesake: bool  # other places have its title
    told: int | None  # the step at which the text names the place, None if it never does


def _stays(played: GameTrace) -> list[_Stay]:
    every = visits(played)
    found = list(zip(every, spots(every), strict=True))
    known = titles(every)
    own = {seen.place: seen.name for seen in played.seen}
    exits: dict[Spot, set[str]] = defaultdict(set)
    for (before, source), (after, target) in pairwise(found):
        if after.follows(before):
            seen = played.seen[after.came]
            exits[source].add(seen.action)
            if _leads_back(before, after, seen):
                exits[target].add(str(seen.back))
    called = {
        spot: (spot.title or _name(spot.chain, known, own), sorted(exits[spot]))
        for spot in dict.fromkeys(spot for _, spot in found)
    }
    names, room, stays = named(called), None, []
    for visit, spot in found:
        name, seated = names[spot], room == visit.chain[-1]
        told = _told(played, visit, name, seated=seated)
        stays.append(_Stay(visit, spot, name, name != called[spot][0].lower(), told))
        room = visit.chain[-1]
    return stays


def _name(chain: Chain, known: Mapping[Chain, str], own: Mapping[int, str]) -> str:
    """Return what a room is called, or a vehicle in a room: ``beach (in the boat)``."""
    first, *around = chain
    thing = own.get(first) or f"place {first}"
    if not around:
        return known.get(chain) or thing
    room = known.get(chain) or _name(tuple(around), known, own)
    return room if seat(room) else f"{room} (in the {thing})"


def _leads_back(before: Visit, after: Visit, seen: ShownStep) -> bool:
    """Tell whether a move has a reverse. Getting into or off a thing within a place has none."""
    seated = after.chain[1:] == before.chain or before.chain[1:] == after.chain
    return seen.back is not None and not seated


def _moves(played: GameTrace, stays: Sequence[_Stay]) -> Iterator[RecordedMove]:
    first: dict[str, int] = {}
    for stay in stays:
        if stay.told is not None:
            first.setdefault(stay.name, stay.told)
    for (before, _, source, *_), (after, _, target, _, told) in pairwise(stays):
        if not after.follows(before) or source == target:
            continue
        seen = played.seen[after.came]
        since = max(told, first[source]) if told is not None and source in first else None
        back = seen.back if _leads_back(before, after, seen) else None
        yield RecordedMove(after.came, source, seen.action, target, since, back)


def _told(played: GameTrace, visit: Visit, name: str, *, seated: bool) -> int | None:
    """Return the step of a stay at which the text names the place, None if it never does.

    Of a vehicle in the room where one was before (`seated`), the vehicle's name is enough.
    """
    names = {words for words in (name, visit.label) if words and not dark(words)}
    said = names | {thing for thing in map(seat, names) if thing and seated}
    for seen in played.seen[visit.came : visit.left + 1]:
        if any(printed(words, seen.text) for words in said):
            return seen.step
    return None


def _edges(moves: Sequence[RecordedMove]) -> tuple[Edge, ...]:
    """Return the edges, those that were taken first, each in the order of first sight."""
    taken: dict[tuple[str, str, str], list[RecordedMove]] = {}
    undone: dict[tuple[str, str, str], list[RecordedMove]] = {}
    for move in moves:
        taken.setdefault((move.source, move.action, move.target), []).append(move)
        if move.back is not None:
            undone.setdefault((move.target, move.back, move.source), []).append(move)
    edges = []
    for key in {**taken, **undone}:
        both = taken.get(key, []), undone.get(key, [])
        seen = (min((move.step for move in some), default=None) for some in both)
        told = ([move.told for move in some if move.told is not None] for some in both)
        edges.append(Edge(*key, Sight(*seen), Sight(*(min(some, default=None) for some in told))))
    return tuple(edges)


def _where(played: GameTrace, stays: Sequence[_Stay]) -> tuple[str | None, ...]:
    found: list[str | None] = [None] * len(played.seen)
    for visit, _, name, *_ in stays:
        found[visit.came : visit.left + 1] = [name] * (visit.left + 1 - visit.came)
    return tuple(found)


def _doubtful_places(stays: Sequence[_Stay]) -> Iterator[Doubt]:
    titled = {stay.spot for stay in stays if stay.visit.title}
    told = {stay.name for stay in stays if stay.told is not None}
    for spot, stay in {stay.spot: stay for stay in stays}.items():
        if spot not in titled:
            yield Doubt("no title", stay.name, "named by its object: no title is printed here")
        if stay.namesake:
            yield Doubt("namesake", stay.name, "shares its title with another place")
        if stay.name not in told:
            yield Doubt("unnamed", stay.name, "the walkthrough's text never names it")
    for visit, _, name, *_ in stays:
        if visit.within:
            why = f"step {visit.came}: another title, but the same object {visit.chain[0]}"
            yield Doubt("one object", name, why)


def _doubtful_moves(maze: Maze, moves: Sequence[RecordedMove]) -> Iterator[Doubt]:
    ways = Counter((edge.source, edge.action) for edge in maze.edges)
    for (source, action), count in ways.items():
        if count > 1:
            yield Doubt("ambiguous", f"{source} --> {action}", f"leads to {count} places")
    edges = {edge.key for edge in maze.edges}
    undone = {(m.target, m.back, m.source): m.step for m in reversed(moves) if m.back is not None}
    for (source, back, target), step in undone.items():
        if (source, back, target) not in edges:
            about = f"{source} --> {back} --> {target}"
            yield Doubt("reverse", about, f"step {step}: left out, for it is no compass move")
    for move in moves:
        about, at = f"{move.source} --> {move.action} --> {move.target}", f"step {move.step}"
        if move.told is None:
            yield Doubt("untold", about, f"{at}: the text of this stay does not name the place")
        if direction(move.action) is None:
            yield Doubt("no direction", about, f"{at}: no direction was typed")


def _doubtful_steps(played: GameTrace) -> Iterator[Doubt]:
    for before, seen in pairwise((played.seen[0], *played.seen)):
        step = f"step {seen.step}"
        if nowhere(seen) and seen.chain != before.chain:
            yield Doubt("ended", step, f"{seen.action!r} ends the game, and no place is described")
        if seen.late:
            why = f"{seen.action!r} leads here once a key is pressed; the next command is lost"
            yield Doubt("late", step, why)
        for action in seen.lost:
            yield Doubt("untried", step, f"{action!r} crashes or hangs here")
    if played.unplayed:
        why = f"the game ends here, {played.unplayed} commands before its walkthrough does"
        yield Doubt("unplayed", f"step {played.seen[-1].step}", why)

"""Mazes recorded from games: the step that MANGO's authors did by hand, done by machine.

A place is an object that holds the player; a move is a step that changes it (or a direction that
leads to another room within the same object, told by its title or by the memory that keeps it); a
move's reverse counts if the game, at that very step, led back. Names come from the titles that the
game prints. What could not be settled so is listed as a doubt, never guessed in silence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from worldquiz.errors import WorldError
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.maze.recorder.places import (
    Features,
    Mark,
    Name,
    Spot,
    Visit,
    named,
    nowhere,
    spots,
    titles,
    visits,
)
from worldquiz.mango.maze.recorder.trace import PATIENCE, Seen, Trace, trace
from worldquiz.mango.maze.recorder.words import (
    NEUTRAL,
    Reverses,
    dark,
    direction,
    label,
    printed,
    seat,
    sentences,
    typed,
)
from worldquiz.mango.maze.walkthrough import WalkStep


@dataclass(frozen=True, slots=True)
class Move:
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
    (one of several places that are one object), ``dark`` (one stay in a darkness whose exits
    contradict those of other stays), ``unnamed`` (the text never names it). Of moves: ``untold``
    (not named at that time), ``no direction`` (none was typed), ``ambiguous`` (one action, several
    places), ``reverse`` (it leads back, but is no compass move and left out: see `Reverses`),
    ``late`` (the game paused, and came to the place once a key was pressed). Of steps:
    ``ended`` (the game ended in what is no place), ``untried`` (crashed or hung in a fork),
    ``unplayed``.
    """

    kind: str
    about: str  # a place or a move
    why: str


@dataclass(frozen=True, slots=True)
class Recording:
    """A maze, each step of the walkthrough that moved, and what is doubtful about it."""

    maze: Maze
    moves: tuple[Move, ...]
    doubts: tuple[Doubt, ...]
    codes: Mapping[str, tuple[str, ...]]  # each place's objects, as the game numbers them
    where: tuple[str | None, ...]  # the place after each step, 0 first
    trace: Trace  # what it was read off


def record(
    game: Path,
    commands: Sequence[str] | None = None,
    *,
    reverses: Reverses = Reverses.COMPASS,
    patience: float = PATIENCE,
) -> Recording:
    """Play a game and return its maze.

    Without `commands` it is played by the walkthrough that Jericho has of it. Raises `WorldError`
    naming the game where it cannot be played through (see `trace`).
    """
    return read_off(trace(game, commands, patience=patience), reverses=reverses)


def replayed(recording: Recording, edge: Edge, *, patience: float = PATIENCE) -> bool:
    """Tell whether a move leads where it is said to, in a run of its own without any fork.

    The game is started afresh, played up to the step that showed the move, and given its action.
    """
    played, step = recording.trace, edge.seen.first
    if step is None:
        return False
    taken = edge.seen.forward == step
    before, after = (step - 1, step) if taken else (step, step - 1)
    if (recording.where[before], recording.where[after]) != (edge.source, edge.target):
        return False
    if taken and played.seen[step].action != edge.action:
        return False
    origin, wanted = played.seen[before], played.seen[after]
    command, waiting = played.commands[step - 1], [NEUTRAL] if played.seen[step].late else []
    typing = [command, *waiting] if taken else [*waiting, typed(edge.action, command)]
    commands = [*played.commands[:before], *typing, "look"]
    try:
        again = trace(played.game, commands, probe=False, patience=patience, watch=played.grounds)
    except WorldError:
        return False
    arrived = again.seen[-2]
    if arrived.place != wanted.place:
        return False
    if wanted.cell:
        return arrived.cell == wanted.cell
    return origin.place != wanted.place or label(again.seen[-1].text) != label(origin.look or "")


def read_off(
    played: Trace, *, name: str | None = None, reverses: Reverses = Reverses.COMPASS
) -> Recording:
    """Return the maze that a trace shows, called `name` or else like its game. Plays nothing."""
    stays = visits(played)
    places = spots(stays)
    sights = _sights(played, stays, places)
    names = dict(zip(sights, named(list(sights.values())), strict=True))
    called = [names[place].name for place in places]
    every = tuple(_moves(played, stays, called))
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
        tuple(name for name in dict.fromkeys(called) if name in ends),
        edges,
        walkthrough,
        walkthrough[-1].number,
    )
    doubts = tuple(_doubts(played, stays, places, names, maze, every))
    where = _where(played, stays, called)
    return Recording(maze, moves, doubts, _codes(stays, called), where, played)


def _sights(played: Trace, stays: Sequence[Visit], places: Sequence[Spot]) -> dict[Spot, Features]:
    """Return what is known of each place, in the order of first visits."""
    known, own = titles(stays), {seen.place: seen.name for seen in played.seen}
    exits: dict[Spot, set[str]] = defaultdict(set)
    for index, (before, after) in enumerate(pairwise(stays)):
        if after.came == before.left + 1:
            seen = played.seen[after.came]
            exits[places[index]].add(seen.action)
            if _leads_back(before, after, seen):
                exits[places[index + 1]].add(str(seen.back))
    looks: dict[Spot, str] = {}
    for visit, place in zip(stays, places, strict=True):
        if not looks.get(place) and not dark(visit.title or ""):
            looks[place] = visit.look
    return {
        place: Features(
            place.title or known.get(place.place) or own[place.place] or f"place {place.place}",
            tuple(sorted(exits[place])),
            sentences(looks.get(place, "")),
        )
        for place in dict.fromkeys(places)
    }


def _leads_back(before: Visit, after: Visit, seen: Seen) -> bool:
    """Tell whether a move has a reverse. Getting into or off a thing within a place has none."""
    seated = after.holder == before.place or before.at_last == after.place
    return seen.back is not None and not seated


def _moves(played: Trace, stays: Sequence[Visit], called: Sequence[str]) -> Iterator[Move]:
    told = [_told(played, visit, name) for visit, name in zip(stays, called, strict=True)]
    first: dict[str, int] = {}
    for name, step in zip(called, told, strict=True):
        if step is not None:
            first[name] = min(step, first.get(name, step))
    for index, (before, after) in enumerate(pairwise(stays)):
        source, target, known = called[index], called[index + 1], told[index + 1]
        if after.came != before.left + 1 or source == target:
            continue
        seen = played.seen[after.came]
        since = max(known, first[source]) if known is not None and source in first else None
        back = seen.back if _leads_back(before, after, seen) else None
        yield Move(after.came, source, seen.action, target, since, back)


def _told(played: Trace, visit: Visit, name: str) -> int | None:
    """Return the step of a stay at which the text names the place, None if it never does."""
    names = {words for words in (name, visit.label) if words and not dark(words)}
    said = names | {thing for thing in map(seat, names) if thing}
    for seen in played.seen[visit.came : visit.left + 1]:
        if any(printed(words, seen.text) for words in said):
            return seen.step
    return None


def _edges(moves: Sequence[Move]) -> tuple[Edge, ...]:
    """Return the edges, those that were taken first, each in the order of first sight."""
    taken: dict[tuple[str, str, str], list[Move]] = {}
    undone: dict[tuple[str, str, str], list[Move]] = {}
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


def _codes(stays: Sequence[Visit], called: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for visit, name in zip(stays, called, strict=True):
        found.setdefault(name, {})[f"{(visit.title or name).lower()} (obj{visit.place})"] = None
    return {name: tuple(codes) for name, codes in found.items()}


def _where(played: Trace, stays: Sequence[Visit], called: Sequence[str]) -> tuple[str | None, ...]:
    found: list[str | None] = [None] * len(played.seen)
    for visit, name in zip(stays, called, strict=True):
        found[visit.came : visit.left + 1] = [name] * (visit.left + 1 - visit.came)
    return tuple(found)


def _doubts(
    played: Trace,
    stays: Sequence[Visit],
    places: Sequence[Spot],
    names: Mapping[Spot, Name],
    maze: Maze,
    moves: Sequence[Move],
) -> Iterator[Doubt]:
    yield from _doubtful_names(played, stays, places, names)
    yield from _doubtful_moves(maze, moves)
    for before, seen in pairwise((played.seen[0], *played.seen)):
        step = f"step {seen.step}"
        if nowhere(seen) and seen.place != before.place:
            yield Doubt("ended", step, f"{seen.action!r} ends the game, and no place is described")
        if seen.late:
            why = f"{seen.action!r} leads here once a key is pressed; the next command is lost"
            yield Doubt("late", step, why)
        for action in seen.lost:
            yield Doubt("untried", step, f"{action!r} crashes or hangs here")
    if played.unplayed:
        yield Doubt(
            "unplayed",
            f"step {played.seen[-1].step}",
            f"the game ends here, {played.unplayed} commands before its walkthrough does",
        )


def _doubtful_names(
    played: Trace, stays: Sequence[Visit], places: Sequence[Spot], names: Mapping[Spot, Name]
) -> Iterator[Doubt]:
    titled = {place for visit, place in zip(stays, places, strict=True) if visit.title}
    for place, name in names.items():
        if place not in titled:
            yield Doubt("no title", name.name, "named by its object: no title is printed here")
        if name.mark is not Mark.NONE:
            yield Doubt("namesake", name.name, f"shares its title; told apart by {name.mark}")
    for visit, place in zip(stays, places, strict=True):
        if visit.within:
            other = "other memory" if place.cell else "another title"
            why = f"step {visit.came}: {other}, but the same object {visit.place}"
            yield Doubt("one object", names[place].name, why)
        if place.stay:
            yield Doubt("dark", names[place].name, f"step {visit.came}: other exits at other stays")
    told = {
        names[place].name
        for visit, place in zip(stays, places, strict=True)
        if _told(played, visit, names[place].name) is not None
    }
    for known in dict.fromkeys(name.name for name in names.values()):
        if known not in told:
            yield Doubt("unnamed", known, "the walkthrough's text never names it")


def _doubtful_moves(maze: Maze, moves: Sequence[Move]) -> Iterator[Doubt]:
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
        if move.told is None:
            yield Doubt(
                "untold",
                f"{move.source} --> {move.action} --> {move.target}",
                f"step {move.step}: the text of this stay does not say what place it is",
            )
        if direction(move.action) is None:
            yield Doubt(
                "no direction",
                f"{move.source} --> {move.action} --> {move.target}",
                f"step {move.step}: the place changed, but no direction was typed",
            )

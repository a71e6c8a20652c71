"""A recorded maze beside the published one of the same walkthrough.

They call places differently, so names are aligned first: each recorded place is the published one
that the walkthrough's moves most often say it is, or else the one that its stays lie in. Two
recorded places that the published map calls by one name count as that one; a move between such two
is in no map of it and is counted apart. Precision says how much of what was recorded is published,
recall the reverse.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from itertools import pairwise
from operator import add
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, counted
from worldquiz.mango.maze.maze import Edge, Maze
from worldquiz.mango.maze.recorder.record import Recording
from worldquiz.mango.maze.recorder.words import spelled
from worldquiz.mango.mazes.maps import RELEASED
from worldquiz.records import read_text

_MOVE = re.compile(r"^(.+?) --> (.*?) --> (.+), step (\d+), answerable \d+$")

Key = tuple[str, str, str]
"""An edge: source, action, target."""


@dataclass(frozen=True, slots=True)
class Share:
    """How much of what was recorded is right, and how much of what is published was found."""

    right: int = 0
    recorded: int = 0
    found: int = 0
    published: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(*map(add, astuple(self), astuple(other)))

    @property
    def precision(self) -> float | None:
        """Right of recorded; None where nothing was recorded."""
        return self.right / self.recorded if self.recorded else None

    @property
    def recall(self) -> float | None:
        """Found of published; None where nothing is published."""
        return self.found / self.published if self.published else None

    def record(self) -> dict[str, Any]:
        """Return the two figures with their counts."""
        return {"precision": self.precision, "recall": self.recall, **asdict(self)}


KINDS = ("nodes", "forward", "imputed", "edges")


@dataclass(frozen=True, slots=True)
class Missing:
    """A recorded move that the published map lacks."""

    edge: Edge
    replayed: bool  # it led there once more, from a state that was reached at its published place


@dataclass(frozen=True, slots=True)
class Comparison:
    """A recorded maze beside a published one."""

    shares: Mapping[str, Share]  # by `KINDS`
    names: Mapping[str, str]  # published name of each recorded place that has one
    missing: tuple[Missing, ...]  # moves that the published map lacks
    lost: tuple[Key, ...]  # published edges that were not recorded
    merged: tuple[Missing, ...]  # moves between places that the published map holds for one

    @property
    def confirmed(self) -> Share:
        """All edges, where a move that the published map lacks counts as right if replayed."""
        share = self.shares["edges"]
        extra = {_key(move.edge, self.names) for move in self.missing if move.replayed}
        return replace(share, right=share.right + len(extra))

    @property
    def unmerged(self) -> Share:
        """All edges, where one between places that the published map holds for one counts wrong."""
        share = self.shares["edges"]
        return replace(share, recorded=share.recorded + len(self.merged))

    @property
    def figures(self) -> dict[str, Share]:
        """All shares, under the names that reports give them."""
        return {**self.shares, "edges_confirmed": self.confirmed, "edges_unmerged": self.unmerged}

    def record(self) -> dict[str, Any]:
        """Return it as a report of the game tells it."""
        return {
            **{name: share.record() for name, share in self.figures.items()},
            "names": dict(self.names),
            **more(self),
            "missed_by_recorder": [list(key) for key in self.lost],
        }


def walk(home: Home) -> list[tuple[int, Key]] | None:
    """Return every move of a published walkthrough with its step, where its map tells them all."""
    path = home.file("map.human")
    if not path.is_file():
        return None
    found = []
    for line, text in enumerate(read_text(path).splitlines(), start=1):
        match = _MOVE.match(text)
        if match is None:
            raise RecordError(f"{path}:{line}: {text!r}, wanted 'A --> north --> B, step 1, …'")
        key = match[1].lower(), match[2].lower(), match[3].lower()
        found.append((counted(match[4], path), key))
    return found


def compared(
    recording: Recording,
    published: Maze,
    moves: Sequence[tuple[int, Key]] | None,
    again: Callable[[Edge], bool],
) -> Comparison:
    """Compare a recording with a published maze; `again` replays a move.

    Without `moves`, they are those of the published walkthrough as far as the published edges tell.
    """
    ends = list(_first_moves(published)) if moves is None else moves
    stays = list(_stayed(_walked(published) if moves is None else moves))
    names = aligned(recording.where, stays) | aligned(recording.where, _ends(ends))
    known = _known((*stays, *_ends(ends)))
    kept = _until(recording.maze, _covered(published))
    merged = [edge for edge in kept if _merged(edge, names)]
    recorded = {edge: _key(edge, names) for edge in kept if edge not in merged}
    theirs = {edge.key: edge for edge in published.edges}
    ours = set(recorded.values())
    shares = {
        "nodes": _nodes(kept, published, names),
        "forward": _share(recorded, theirs, lambda edge: not edge.imputed),
        "imputed": _share(recorded, theirs, lambda edge: edge.imputed),
        "edges": _share(recorded, theirs, lambda edge: True),
    }
    missing = tuple(
        Missing(edge, _there(edge, key, known) and again(edge))
        for edge, key in recorded.items()
        if key not in theirs
    )
    lost = tuple(key for key in theirs if key not in ours)
    within = tuple(Missing(edge, again(edge)) for edge in merged)
    return Comparison(shares, names, missing, lost, within)


def aligned(where: Sequence[str | None], stays: Iterable[tuple[int, str]]) -> dict[str, str]:
    """Return the published name of each recorded place: that of most steps, then of the first.

    A stay is a step and the published place after it.
    """
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for step, name in stays:
        place = where[step] if step < len(where) else None
        if place is not None:
            votes[place][name] += 1
    return {place: max(count, key=lambda name: count[name]) for place, count in votes.items()}


def _first_moves(maze: Maze) -> Iterator[tuple[int, Key]]:
    for edge in maze.edges:
        if edge.seen.forward is not None:
            yield edge.seen.forward, edge.key


def _walked(maze: Maze) -> list[tuple[int, Key]]:
    """Return the moves of a walkthrough over its own map, whose edges tell only their first steps.

    A later step is a move if its action is an edge, and the only one, from where the walk is.
    """
    first = dict(_first_moves(maze))
    known: dict[tuple[str, str], set[str]] = defaultdict(set)
    at, moves = "", []
    for step in maze.walkthrough[1 : _covered(maze) + 1]:
        action = spelled(step.action)
        targets = known[at, action]
        if step.number in first:
            move = first[step.number]
        elif len(targets) == 1:
            move = (at, action, min(targets))
        else:
            continue
        known[move[0], move[1]].add(move[2])
        moves.append((step.number, move))
        at = move[2]
    return moves


def _ends(moves: Iterable[tuple[int, Key]]) -> Iterator[tuple[int, str]]:
    """Yield where a published walkthrough is right before and after each move."""
    for step, (source, _, target) in moves:
        yield from ((step - 1, source), (step, target))


def _stayed(moves: Sequence[tuple[int, Key]]) -> Iterator[tuple[int, str]]:
    """Yield where a published walkthrough is between moves that agree on it."""
    for (came, (_, _, place)), (left, (source, _, _)) in pairwise(moves):
        if place == source:
            yield from ((step, place) for step in range(came, left))


def _known(stays: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the published place after each step that it does not contradict itself about."""
    names: dict[int, set[str]] = defaultdict(set)
    for step, name in stays:
        names[step].add(name)
    return {step: min(places) for step, places in names.items() if len(places) == 1}


def _there(edge: Edge, key: Key, known: Mapping[int, str]) -> bool:
    """Tell whether the published walkthrough is at both ends of a move when that is shown.

    A move is replayed from the state at its start, and its end compared with the state there.
    Names that were aligned by a majority of steps may be wrong of these two.
    """
    step = edge.seen.first
    if step is None:
        return False
    ends = (step - 1, step) if edge.seen.forward == step else (step, step - 1)
    return (known.get(ends[0]), known.get(ends[1])) == (key[0], key[2])


def _covered(published: Maze) -> int:
    """Return how many steps a published map tells of: 70 in the 70-step set, else all of them."""
    last = max((edge.seen.first or 0 for edge in published.edges), default=0)
    whole = last > RELEASED or not published.walkthrough
    return published.steps if whole else min(published.steps, RELEASED)


def _until(maze: Maze, steps: int) -> list[Edge]:
    """Return the edges as the first steps show them, whether or not the text names their ends."""
    cut = [replace(edge, seen=edge.seen.until(steps)) for edge in maze.edges]
    return [edge for edge in cut if edge.seen.first is not None]


def _merged(edge: Edge, names: Mapping[str, str]) -> bool:
    ends = names.get(edge.source), names.get(edge.target)
    return edge.source != edge.target and ends[0] is not None and ends[0] == ends[1]


def _key(edge: Edge, names: Mapping[str, str]) -> Key:
    """Return an edge in published names; a place without one keeps its own, marked as such."""
    source, target = (
        names.get(place, f"{place} (recorded only)") for place in (edge.source, edge.target)
    )
    return source, edge.action, target


def _nodes(edges: Sequence[Edge], published: Maze, names: Mapping[str, str]) -> Share:
    recorded = {place for edge in edges for place in (edge.source, edge.target)}
    known = set(published.places)
    right = {place for place in recorded if names.get(place) in known}
    found = {names[place] for place in right}
    return Share(len(right), len(recorded), len(found), len(known))


def _share(
    recorded: Mapping[Edge, Key], theirs: Mapping[Key, Edge], wanted: Callable[[Edge], bool]
) -> Share:
    """Compare one sort of edges: of ours against all of theirs, and of theirs against all ours."""
    mine = {key for edge, key in recorded.items() if wanted(edge)}
    wants = {key for key, edge in theirs.items() if wanted(edge)}
    return Share(
        len(mine & theirs.keys()), len(mine), len(wants & set(recorded.values())), len(wants)
    )


def more(comparison: Comparison) -> dict[str, list[dict[str, Any]]]:
    """Return the moves that the published map lacks: those it misses, and those within one place.

    The first are in published names, the others in the recorded ones.
    """
    return {
        "missed_by_published": [
            _missing(move, _key(move.edge, comparison.names)) for move in comparison.missing
        ],
        "merged_by_published": [_missing(move, move.edge.key) for move in comparison.merged],
    }


def _missing(missing: Missing, key: Key) -> dict[str, Any]:
    source, action, target = key
    edge = missing.edge
    return {
        "source": source, "action": action, "target": target, "step": edge.seen.first,
        "imputed": edge.imputed, "replayed": missing.replayed,
    }  # fmt: skip

"""Custom mazes: a list of moves (from, move, to), and a walkthrough along them.

Each row of the walkthrough is a move, perhaps with the place where it ends and the text that a
reader sees; a first row without a move names the starting place. Without a walkthrough, one is made
that shows every move. A missing text is replaced by the place's name and its exits.

A walkthrough that contradicts the map is an error. A step shows the move that it takes, and also
the reverse move if its action is the same with directions reversed ("go south" for "go north").
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError, WorldError, did_you_mean
from worldquiz.mango.generate import described, walk
from worldquiz.mango.mazes import Edge, Maze, Sight, Stay, walked
from worldquiz.mango.recorder.words import printed, spelled
from worldquiz.mango.walkthrough import BACK, Move, WalkStep, plain
from worldquiz.plugins import need
from worldquiz.records import check, read_text

EDGE, STEP = ("from", "move", "to"), ("move", "place", "text")
"""Columns of moves, and of steps."""
_Moves = dict[tuple[str, str], Move]
"""Moves by their place and plain action."""


def maze(edges: Any, walkthrough: Iterable[Any] | None = None, *, name: str = "maze") -> Maze:
    """Return a custom maze, for ``worldquiz.mango.build(mazes=[it], out="mazes")``.

    `edges` are rows (from, move, to), or a directed networkx graph whose edges have a ``move``.
    `walkthrough` has rows (move, place, text), or moves alone; it starts at the first edge's
    source, unless a first row without a move names a place. Raises `WorldError` for contradictions.
    """
    moves = _moves(name, _edges_of(name, edges) if hasattr(edges, "is_directed") else edges)
    rows = [
        _row(f"{name}: row {number} of the walkthrough", row, STEP, 0)
        for number, row in enumerate(walkthrough or (), start=1)
    ]
    if not rows or rows[0][0]:
        rows.insert(0, ["", "", ""])
    places = [*dict.fromkeys(end for move in moves.values() for end in move[::2])]
    here = rows[0][1] or places[0]
    if here not in places:
        raise WorldError(f"{name}: start {here!r}: no such place{did_you_mean(here, places)}")
    if walkthrough is None:
        rows += [[action, "", ""] for action in _made(moves, [*dict.fromkeys([here, *places])])]
    steps, stays = list[WalkStep](), [Stay(here, 0, None, None, None)]
    for step, move in _followed(name, moves, here, rows):
        steps.append(step)
        if move is not None:
            back = _back(moves, move)
            stays.append(Stay(move.target, step.number, move.action, back and back.action, None))
        if stays[-1].told is None and printed(stays[-1].place, step.observation):
            stays[-1] = stays[-1]._replace(told=step.number)
    shown = walked(stays)
    unseen = sorted(set(moves.values()).difference(edge.key for edge in shown))
    if unseen and walkthrough is None:
        raise WorldError(
            f"{name}: no walk from {here!r} shows every move: the move {unseen[0].action!r} from "
            f"{unseen[0].source!r} is left out; correct the map, or give a walkthrough"
        )
    if all(edge.told.first is None for edge in shown):
        raise WorldError(f"{name}: the walkthrough never moves from one named place to another")
    every = (*shown, *(Edge(*move, Sight(), Sight()) for move in unseen))
    return Maze(name, tuple(places), every, tuple(steps), len(steps) - 1)


def read_maze(path: Path) -> Maze:
    """Return the maze in a file of moves (.csv, .json or .graphml); it is named after the file.

    NAME.walkthrough.csv beside it is its walkthrough. Raises `RecordError` or `WorldError`.
    """
    text, beside = read_text(path), path.with_suffix(".walkthrough.csv")
    if path.suffix == ".csv":
        edges = _table(text)
    elif path.suffix == ".json":
        edges = check(text, list[Any], path)
    elif path.suffix == ".graphml":
        networkx = need("networkx", extra=None)
        try:
            edges = networkx.parse_graphml(text)
        except (SyntaxError, ValueError, KeyError, networkx.NetworkXException) as error:
            raise RecordError(f"{path}: is not GraphML: {error}") from error
    else:
        raise RecordError(f"{path}: expected a .csv, .json or .graphml file")
    walkthrough = _table(read_text(beside)) if beside.is_file() else None
    return replace(maze(edges, walkthrough, name=str(path)), name=path.stem)


def _table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines(True), skipinitialspace=True))


def _edges_of(name: str, graph: Any) -> list[Sequence[object]]:
    """Return the edges of a networkx graph."""
    if not graph.is_directed():
        raise WorldError(f"{name}: the graph is not directed: pass a DiGraph or a MultiDiGraph")
    for place in graph:
        if not graph.degree(place):
            raise WorldError(f"{name}: place {place!r} is isolated: no move leads to or from it")
    return [(source, about.get("move"), target) for source, target, about in graph.edges(data=True)]


def _row(place: str, given: object, columns: Sequence[str], needed: int) -> list[str]:
    """Return a row's values; the first `needed` must be non-empty lines. A string is one value."""
    values = (given,) if isinstance(given, str) else given
    if not isinstance(values, Mapping | Sequence):
        raise WorldError(f"{place}: {given!r} is not a row with columns {', '.join(columns)}")
    told = values if isinstance(values, Mapping) else dict(zip(columns, values, strict=False))
    found = ["" if told.get(column) is None else str(told[column]) for column in columns]
    for column, value in zip(columns[: needed or 1], found, strict=False):
        if column not in told:
            known = f"no {column!r}: expected the columns {', '.join(columns)}"
            raise WorldError(f"{place}: {known}: {given!r:.90}")
        if needed and (not value.strip() or "\n" in value):
            raise WorldError(f"{place}: {column!r} must be one line of text: {given!r:.90}")
    return found


def _moves(name: str, edges: Iterable[Any]) -> _Moves:
    found, known, numbers = _Moves(), dict[str, str](), dict[Move, int]()
    for number, given in enumerate(edges, start=1):
        place = f"{name}: edge {number}"
        move = Move(*_row(place, given, EDGE, 3))
        for end in move[::2]:
            if (other := known.setdefault(plain(end), end)) != end:
                raise WorldError(f"{place}: use one spelling for {end!r} and {other!r}")
        first = found.setdefault((move.source, plain(move.action)), move)
        if numbers.setdefault(first, number) != number:
            raise WorldError(
                f"{place}: {move.action!r} from {move.source!r} leads to {move.target!r} here, but "
                f"to {first.target!r} in edge {numbers[first]}: remove one"
            )
    if not found:
        raise WorldError(f"{name}: contains no moves: expected rows with columns {', '.join(EDGE)}")
    return found


def _back(moves: _Moves, move: Move) -> Move | None:
    """Return the reverse move, with directions in its action reversed; None if the map lacks it."""
    words = " ".join(BACK.get(word, word) for word in plain(move.action).split())
    back = moves.get((move.target, words))
    return back if back and back.target == move.source and words != plain(move.action) else None


def _made(moves: _Moves, places: Sequence[str]) -> list[str]:
    """Return the actions of a walk that starts at the first place and shows every move it can.

    Moves from which no route leads back to the first place come last.
    """
    number, home, more = {place: n for n, place in enumerate(places)}, set[str](), {places[0]}
    while more:
        home |= more
        more = {move.source for move in moves.values() if move.target in home} - home
    passages = sorted(
        {tuple(sorted({move, _back(moves, move) or move})) for move in moves.values()}
    )
    passages.sort(key=lambda passage: passage[0].target not in home)
    ways = [tuple((number[a], action, number[b]) for a, action, b in each) for each in passages]
    first = sum(passage[0].target in home for passage in passages)
    return [action for _, action, _ in walk(ways, len(places), first)]


def _followed(
    name: str, moves: _Moves, here: str, rows: Iterable[Sequence[str]]
) -> Iterator[tuple[WalkStep, Move | None]]:
    """Yield each step of a walkthrough with the move that it makes on the map."""
    known, leading = {action for _, action in moves}, dict[str, list[str]]()
    for move in moves.values():
        leading.setdefault(move.source, []).append(move.action)
    for number, (said, place, text) in enumerate(rows):
        action = said.strip() if plain(said) in known else spelled(said)
        made = moves.get((here, plain(action)))
        there = made.target if made else here
        if plain(place) != plain(there) if place else plain(action) in known and not made:
            raise WorldError(
                f"{name}: step {number}, {said!r} from {here!r}: leads to "
                f"{repr(place) if place else 'another place'} in the walkthrough, but to "
                f"{repr(there) if made else 'no place'} on the map"
            )
        here = there
        observation = text.strip() or described(here, leading.get(here, ()))
        yield WalkStep(number, action if number else "Init", observation), made

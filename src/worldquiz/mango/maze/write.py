"""Mazes written as MANGO publishes them, so that they can go back into its own programs.

    GAME/steps70   X.edges.json X.locations.json X.actions.json X.walkthrough
    GAME/full      X.edges.json X.nodes.json X.moves X.walkthrough_acts X.map.human X.map.reversed
                   and, of a recording, X.map.machine X.anno2code.json X.code2anno.json
                   X.valid_moves.csv

A written maze reads back as the same maze (`mango.read`); the full layout keeps no observations. A
maze that could not be read back so is refused before any file is written. Each file appears whole
or not at all, ``X.edges.json`` last: a folder is a game only once that is there.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from worldquiz import trust
from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.maze.recorder.record import RecordedMove, Recording
from worldquiz.mango.maze.walkthrough import RULE, WalkStep, published
from worldquiz.records import write_text

_BLOCK = re.compile(r"^={3,}\n==>STEP NUM", re.MULTILINE)


def write(maze: Maze, folder: Path, layout: Layout = Layout.STEPS70) -> Home:
    """Write a maze into a folder of its own, ``folder/<name>/<layout>``, and return where it lies.

    Raises `RecordError` where the maze cannot be written as such files.
    """
    if layout is Layout.STEPS70:
        return _write(maze, folder, layout, _steps70(maze))
    return _write(maze, folder, layout, _full(maze, _first_moves(maze)))


def write_recording(recording: Recording, folder: Path) -> tuple[Home, Home]:
    """Write a recording in both layouts, with all that the full one has to tell of it."""
    maze, moves = recording.maze, recording.moves
    full = _full(maze, moves) | _codes(recording) | {"valid_moves.csv": _valid_moves(maze, moves)}
    return (
        _write(maze, folder, Layout.STEPS70, _steps70(maze)),
        _write(maze, folder, Layout.FULL, full),
    )


def _write(maze: Maze, folder: Path, layout: Layout, files: Mapping[str, str]) -> Home:
    _check(maze)
    home = Home(maze.name, folder / maze.name / layout, layout)
    for name in sorted(files, key=lambda name: (name == "edges.json", name)):
        path = home.file(name)
        try:
            write_text(path, files[name])
        except UnicodeEncodeError as error:
            raise RecordError(f"{path}: cannot write: {error.reason}") from error
    return home


def _check(maze: Maze) -> None:
    """Raise `RecordError` where a maze would not read back as it is."""
    trust.plain_name(maze.name, "maze")
    numbers = [step.number for step in maze.walkthrough]
    if numbers != list(range(maze.steps + 1)):
        raise RecordError(
            f"maze {maze.name!r}: its walkthrough must have the steps 0 to {maze.steps}; a map "
            "alone cannot be written"
        )
    for step in maze.walkthrough:
        _check_step(maze, step)
    known = set(maze.places)
    for edge in maze.edges:
        for place in (edge.source, edge.target):
            if place not in known:
                raise RecordError(f"maze {maze.name!r}: {place!r} is not among its places")
        if max(edge.seen.first or 0, edge.told.first or 0) > maze.steps:
            raise RecordError(
                f"maze {maze.name!r}: {edge} is shown after step {maze.steps}, its last"
            )


def _check_step(maze: Maze, step: WalkStep) -> None:
    text, action = step.observation, step.action
    fault = None
    if text != text.strip("\n") or "\r" in text:
        fault = "its text begins or ends with a blank line, or holds a carriage return"
    elif _BLOCK.search(text):
        fault = "its text holds a line that begins a step"
    elif action != action.strip() or len(f"{action}.".splitlines()) > 1:
        fault = f"its action {action!r} is no single line without spaces at its ends"
    if fault:
        raise RecordError(f"maze {maze.name!r}: step {step.number}: {fault}")


def _steps70(maze: Maze) -> dict[str, str]:
    return {
        "edges.json": _edges(maze),
        "locations.json": _json(list(maze.places)),
        "actions.json": _json(list(maze.actions)),
        "walkthrough": f"{published(maze.walkthrough)}\n{RULE}\n",
    }


def _full(maze: Maze, moves: Sequence[RecordedMove]) -> dict[str, str]:
    return {
        "edges.json": _edges(maze),
        "nodes.json": _json(list(maze.places)),
        "moves": "".join(f"{action}\n" for action in sorted(maze.actions)),
        "walkthrough_acts": "".join(f"{s.number}: {s.action}\n" for s in maze.walkthrough[1:]),
        "map.human": "".join(
            f"{_line(move, move.source, move.action, move.target)}\n" for move in moves
        ),
        "map.reversed": "".join(
            f"{_line(move, move.target, move.back, move.source)}, desc: None\n"
            for move in moves
            if move.back is not None
        ),
    }


def _first_moves(maze: Maze) -> list[RecordedMove]:
    """Return the first move along each edge, with its reverse if that was shown then."""
    backs = {
        (edge.target, edge.source, edge.seen.backward): edge.action
        for edge in maze.edges
        if edge.seen.backward is not None
    }
    found = [
        RecordedMove(
            edge.seen.forward, edge.source, edge.action, edge.target, edge.told.forward,
            backs.get((edge.source, edge.target, edge.seen.forward)),
        )
        for edge in maze.edges
        if edge.seen.forward is not None
    ]  # fmt: skip
    return sorted(found, key=lambda move: move.step)


def _line(move: RecordedMove, source: str, action: str | None, target: str) -> str:
    """Return how the maps in text tell of a move, or of its reverse."""
    told = NEVER if move.told is None else move.told
    return f"{source} --> {action} --> {target}, step {move.step}, answerable {told}"


def _codes(recording: Recording) -> dict[str, str]:
    codes = {place: list(codes) for place, codes in recording.codes.items()}
    of: dict[str, list[str]] = {}
    for place, several in codes.items():
        for code in several:
            of.setdefault(code, []).append(place)
    names = {
        code: places[0] if len(places) == 1 else {p: _ends(p, recording.moves) for p in places}
        for code, places in of.items()
    }
    machine = "".join(
        f"{codes[move.source][0]} --> {move.action} --> {codes[move.target][0]}, step {move.step}\n"
        for move in recording.moves
    )
    return {"anno2code.json": _json(codes), "code2anno.json": _json(names), "map.machine": machine}


def _ends(place: str, moves: Sequence[RecordedMove]) -> list[tuple[int, str]]:
    """Return the steps that came to a place or left it: they tell which place its code is then."""
    found = [(move.step, "src") for move in moves if move.source == place]
    return sorted(found + [(move.step, "dst") for move in moves if move.target == place])


def _valid_moves(maze: Maze, moves: Sequence[RecordedMove]) -> str:
    by_step = {move.step: move for move in moves}
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(["Step Num", "Location Before", "Location After", "taken_action"])
    for step in maze.walkthrough[1:]:
        move = by_step.get(step.number)
        ends = ("", "") if move is None else (move.source, move.target)
        table.writerow([step.number, *ends, step.action])
    return stream.getvalue()


def _edges(maze: Maze) -> str:
    return _json([_entry(edge) for edge in maze.edges])


def _entry(edge: Edge) -> dict[str, Any]:
    named = {"src_node": edge.source, "dst_node": edge.target, "action": edge.action}
    return named | edge.published()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4) + "\n"

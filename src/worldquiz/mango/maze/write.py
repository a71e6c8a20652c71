"""Mazes written as MANGO publishes them, so that they can go back into its own programs.

    GAME/steps70   X.edges.json X.locations.json X.actions.json X.walkthrough
    GAME/full      X.edges.json X.nodes.json X.moves X.walkthrough_acts X.map.human X.map.reversed

A written maze reads back as the same maze (`mango.read`); the full layout keeps no observations. A
maze that could not be read back so is refused before any file is written. Each file appears whole
or not at all, ``X.edges.json`` last: a folder is a game only once that is there.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from worldquiz import records
from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.maze.walkthrough import RULE, WalkStep, published
from worldquiz.records import write_text

_BLOCK = re.compile(r"^={3,}\n==>STEP NUM", re.MULTILINE)


def write_both(maze: Maze, folder: Path) -> tuple[Home, Home]:
    """Write a maze in both layouts."""
    return write(maze, folder, Layout.STEPS70), write(maze, folder, Layout.FULL)


def write(maze: Maze, folder: Path, layout: Layout = Layout.STEPS70) -> Home:
    """Write a maze into a folder of its own, ``folder/<name>/<layout>``, and return where it lies.

    Raises `RecordError` where the maze cannot be written as such files.
    """
    _check(maze)
    home = Home(maze.name, folder / maze.name / layout, layout)
    files = _steps70(maze) if layout is Layout.STEPS70 else _full(maze)
    for name in sorted(files, key=lambda name: (name == "edges.json", name)):
        path = home.file(name)
        try:
            write_text(path, files[name])
        except UnicodeEncodeError as error:
            raise RecordError(f"{path}: cannot write: {error.reason}") from error
    return home


def _check(maze: Maze) -> None:
    """Raise `RecordError` where a maze would not read back as it is."""
    records.plain_name(maze.name, "maze")
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


def _full(maze: Maze) -> dict[str, str]:
    """Return the files of a full map; its maps in text have each move that was first taken."""
    backs = {
        (edge.target, edge.source, edge.seen.backward or 0): edge.action for edge in maze.edges
    }
    taken = [edge for edge in maze.edges if edge.seen.forward is not None]
    human, back = [], []
    for edge in sorted(taken, key=lambda edge: edge.seen.forward or 0):
        human.append(_line(edge, edge.source, edge.action, edge.target))
        undone = backs.get((edge.source, edge.target, edge.seen.forward or 0))
        if undone is not None:
            back.append(f"{_line(edge, edge.target, undone, edge.source)}, desc: None")
    return {
        "edges.json": _edges(maze),
        "nodes.json": _json(list(maze.places)),
        "moves": "".join(f"{action}\n" for action in sorted(maze.actions)),
        "walkthrough_acts": "".join(f"{s.number}: {s.action}\n" for s in maze.walkthrough[1:]),
        "map.human": "".join(f"{line}\n" for line in human),
        "map.reversed": "".join(f"{line}\n" for line in back),
    }


def _line(edge: Edge, source: str, action: str, target: str) -> str:
    """Return how the maps in text tell of a move, or of its reverse."""
    told = NEVER if edge.told.forward is None else edge.told.forward
    return f"{source} --> {action} --> {target}, step {edge.seen.forward}, answerable {told}"


def _edges(maze: Maze) -> str:
    return _json([
        {"src_node": edge.source, "dst_node": edge.target, "action": edge.action,
         **edge.published()}
        for edge in maze.edges
    ])  # fmt: skip


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4) + "\n"

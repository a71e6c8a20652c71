"""MANGO's published mazes, in both of its layouts.

    GAME/steps70   X.edges.json X.locations.json X.actions.json X.walkthrough
                   X.all2all.jsonl X.all_pairs.jsonl
    GAME/full      X.edges.json X.nodes.json X.moves X.walkthrough_acts, and the maps; the text is
                   X.walkthrough, here or in the other layout
    GAME           either layout, recognized by its files (as in the unpacked archives on Hugging
                   Face, and in the folder ``data`` of the official repository)

Question files (.jsonl), maps and X.moves are neither read nor written. A folder that lacks any of
the other files is incomplete and left out (`unfinished` names the file). Nothing is repaired: an
edge that contradicts the other files is an error that names file and entry.

A maze that is written and read again is the same maze, but the full layout does not keep
observations. A maze that does not fit these files is an error before any file is written. Each file
is written whole or not at all, ``X.edges.json`` last.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from worldquiz import records
from worldquiz.errors import KnobError, RecordError, did_you_mean
from worldquiz.mango.mazes import NEVER, Edge, Maze, Sight
from worldquiz.mango.walkthrough import AGAIN, RULE, WalkStep, plain, published
from worldquiz.records import read_text, write_text

_STEP = re.compile(
    r"={3,}\n==>STEP NUM: (\d+)\n==>ACT: ([^\n]*)\n"
    r"==>OBSERVATION: ?(.*?)(?=\n={3,}\n==>STEP NUM|\n={3,}\s*\Z|\Z)",
    re.DOTALL,
)
STEPS = 70
"""Steps of the published 70-step set; the default number of steps that are read."""


class Layout(StrEnum):
    """Layout of a game's folder."""

    STEPS70 = "steps70"
    FULL = "full"


_FILES = {
    Layout.STEPS70: ("edges.json", "locations.json", "actions.json", "walkthrough"),
    Layout.FULL: ("edges.json", "nodes.json", "walkthrough_acts"),
}


def laid(layout: str | None) -> tuple[Layout, ...]:
    """Return the layouts to read: the given layout, or all if it is None."""
    return (Layout(layout),) if layout else tuple(Layout)


class Home(NamedTuple):
    """Location of a game's files in one layout."""

    game: str
    folder: Path
    layout: Layout

    def file(self, name: str) -> Path:
        """Return the path of one of its files, such as ``edges.json``."""
        return self.folder / f"{self.game}.{name}"


def games(folder: Path, *layouts: Layout, only: str | Sequence[str] = ()) -> list[Home]:
    """Return the games in a folder of published data, sorted by name.

    `layouts` (default: all) are tried in order; a game has the first that is complete. `only` names
    the games wanted (default: all). A game is a folder ``GAME/<layout>`` or ``GAME``; `folder` may
    also be one game's. Raises `RecordError` if there is no game, `KnobError` for an unknown name.
    """
    wanted = layouts or tuple(Layout)
    found, lacking = _sorted_out(folder, wanted)
    if not found:
        if lacking:
            raise RecordError(f"{min(lacking.values())}: is missing")
        layout = " or ".join(wanted)
        raise RecordError(f"{folder}: contains no game; expected GAME.edges.json (layout {layout})")
    known, names = records.plain_names([home.game for home in found], folder), split_names(only)
    for name in sorted({*names}.difference(known)):
        raise KnobError(f"{folder}: no game {name!r}{did_you_mean(name, known)}")
    return sorted(home for home in found if home.game in (names or known))


def unfinished(folder: Path, *layouts: Layout) -> dict[str, Path]:
    """Return a missing file of each game that is complete in none of the layouts, by game name."""
    return _sorted_out(folder, layouts or tuple(Layout))[1]


def holds(folder: Path) -> bool:
    """Return whether a folder holds mazes in MANGO's formats, judging by file names alone."""
    return folder.is_dir() and bool(_sorted_out(folder, tuple(Layout))[0])


def _sorted_out(folder: Path, wanted: Sequence[Layout]) -> tuple[list[Home], dict[str, Path]]:
    """Return the games that have a complete layout, and one missing file of each other game."""
    if not folder.is_dir():
        raise RecordError(f"{folder}: no such folder of mazes")
    whole, lacking = [], dict[str, Path]()
    for game in (*sorted(path for path in folder.iterdir() if path.is_dir()), folder):
        missing = {}
        for home in (Home(game.name, place, layout)
                     for layout in wanted for place in (game / layout, game)):  # fmt: skip
            paths = map(home.file, _FILES[home.layout])
            missing[home] = [path for path in paths if not path.is_file()]
        if found := [home for home, paths in missing.items() if not paths]:
            whole.append(found[0])
            continue
        begun = [paths for home, paths in missing.items() if len(paths) < len(_FILES[home.layout])]
        if begun:
            lacking[game.name] = min(begun, key=len)[0]
    return whole, lacking


def check_folder(folder: Path) -> None:
    """Read every maze of a folder.

    Raises `RecordError` if a maze is damaged or incomplete, or contradicts its walkthrough.
    """
    for home in games(folder):
        read(home)
    for name, missing in unfinished(folder).items():
        raise RecordError(f"{missing}: is missing, so maze {name!r} is incomplete")


def _walkthrough_faults(maze: Maze) -> Iterator[str]:
    """Yield contradictions between an edge's steps and the actions of the walkthrough."""
    if not maze.walkthrough:  # only the map is at hand
        return
    actions = {(edge.source, edge.target, plain(edge.action)) for edge in maze.edges}
    repeating, acts = {*AGAIN} - {action for *_, action in actions}, {0: ""}
    for step in maze.walkthrough[1:]:
        act = plain(step.action)
        acts[step.number] = acts[step.number - 1] if act in repeating else act
    for number, edge in enumerate(maze.edges, start=1):
        ahead, back = edge.seen.forward, edge.seen.backward
        said = f"edge {number}: by the map, {edge} is"
        if ahead is not None and acts.get(ahead) != plain(edge.action):
            yield f"{said} taken at step {ahead}, but the walkthrough has {acts.get(ahead)!r}"
        if back is not None and (edge.target, edge.source, acts.get(back)) not in actions:
            yield f"{said} undone at step {back}, but the walkthrough has {acts.get(back)!r}"


def read(home: Home) -> Maze:
    """Return a game's maze. Raises `RecordError` naming file, entry and fault."""
    edges = _edges(home.file("edges.json"))
    if home.layout is Layout.STEPS70:
        places = _list(home.file("locations.json"), str)
        actions = _list(home.file("actions.json"), str)
        path = home.file("walkthrough")
        walkthrough = tuple(_walkthrough(read_text(path), path))
        steps = walkthrough[-1].number
    else:
        places = _list(home.file("nodes.json"), str)
        path = home.file("walkthrough_acts")
        acts = [line.strip() for line in read_text(path).split("\n") if line.strip()]
        actions, steps = None, len(acts)
        if acts and not acts[-1].startswith(f"{steps}:"):
            raise RecordError(f"{path}: ends with {acts[-1]!r}; expected '{steps}: ACTION'")
        walkthrough = ()  # if there is no text with so many steps
        for folder in (home.folder.parent / Layout.STEPS70, home.folder):
            if (path := folder / f"{home.game}.walkthrough").is_file():
                found = tuple(_walkthrough(read_text(path), path))
                walkthrough = found if found[-1].number == steps else walkthrough
    maze = Maze(home.game, tuple(places), tuple(edges), walkthrough, steps)
    _agree(home, maze, maze.actions if actions is None else actions)
    return maze


@dataclass(frozen=True)
class _Entry:
    """An edge as stored in MANGO's files: its places, its action, and the steps that show it."""

    src_node: str
    dst_node: str
    action: str
    seen_in_forward: int
    seen_in_reversed: int
    edge_min_step: int
    seen_in_forward_answerable: int
    seen_in_reversed_answerable: int
    edge_min_step_answerable: int


def _edges(path: Path) -> list[Edge]:
    found: dict[tuple[str, str, str], Edge] = {}
    for number, entry in enumerate(_list(path, _Entry), start=1):
        place = f"{path}: edge {number}"
        seen, told = (_sight(entry, suffix, place) for suffix in ("", "_answerable"))
        edge = Edge(entry["src_node"], entry["action"], entry["dst_node"], seen, told)
        if edge.key in found:
            first = list(found).index(edge.key) + 1
            raise RecordError(f"{place}: {edge} is already listed as edge {first}")
        found[edge.key] = edge
    return list(found.values())


def _sight(entry: dict[str, Any], suffix: str, place: str) -> Sight:
    names = (f"{name}{suffix}" for name in ("seen_in_forward", "seen_in_reversed", "edge_min_step"))
    forward, backward, first = (entry[name] for name in names)
    if min(forward, backward) != first or first < 1:
        raise RecordError(
            f"{place}: edge_min_step{suffix} is {first}, but must be the smaller of forward "
            f"({forward}) and reversed ({backward}), and at least 1"
        )
    return Sight(*(None if step == NEVER else step for step in (forward, backward)))


def _agree(home: Home, maze: Maze, actions: Iterable[str]) -> None:
    """Raise `RecordError` if a game's files contradict each other."""
    path = home.file("edges.json")
    known, moves = set(maze.places), set(actions)
    for number, edge in enumerate(maze.edges, start=1):
        for place in (edge.source, edge.target):
            if place not in known:
                raise RecordError(f"{path}: edge {number}: {place!r} is not in the list of places")
        if edge.action not in moves:
            raise RecordError(
                f"{path}: edge {number}: {edge.action!r} is not in the list of actions"
            )
        if edge.last > maze.steps:
            raise RecordError(
                f"{path}: edge {number}: {edge} is shown at step {edge.last}, "
                f"but the walkthrough has only {maze.steps} steps"
            )
    for fault in _walkthrough_faults(maze):
        raise RecordError(f"{path}: {fault}")


def _walkthrough(text: str, path: Path) -> Iterator[WalkStep]:
    """Yield the steps in a file's text. Raises `RecordError`."""
    wanted = 0
    for match in _STEP.finditer(text):
        if match[1] != str(wanted):
            line = text.count("\n", 0, match.start()) + 2
            raise RecordError(f"{path}:{line}: expected step {wanted}, found step {match[1]:.9}")
        yield WalkStep(wanted, match[2].strip(), match[3].strip("\n"))
        wanted += 1
    if not wanted:
        raise RecordError(f"{path}: contains no steps; expected blocks that begin '==>STEP NUM: 0'")


def _list(path: Path, kind: type) -> list[Any]:
    """Return a list of items of a type. Raises `RecordError` with file and entry (from 0)."""
    found: list[Any] = records.check(read_text(path), list[kind], path)  # type: ignore[valid-type]
    return found


def write(maze: Maze, folder: Path) -> Home:
    """Write a maze in both layouts, ``folder/<name>/<layout>``; return the `Home` of steps70.

    Raises `RecordError` if these files cannot represent the maze.
    """
    records.plain_name(maze.name, "maze")
    home, full = (Home(maze.name, folder / maze.name / layout, layout) for layout in Layout)
    _agree(home, maze, maze.actions)
    walkthrough = f"{published(maze.walkthrough)}\n{RULE}\n"
    back = tuple(_walkthrough(walkthrough, home.file("walkthrough")))
    if back != maze.walkthrough or len(back) != maze.steps + 1:
        raise RecordError(
            f"maze {maze.name!r}: its walkthrough does not fit MANGO's file format: a text begins "
            "or ends with a blank line or contains the first line of a step, or a step is missing"
        )
    acts = (f"{step.number}: {step.action}\n" for step in maze.walkthrough[1:])
    edges = _json(
        [
            {"src_node": e.source, "dst_node": e.target, "action": e.action, **e.published()}
            for e in maze.edges
        ]
    )
    files = {
        (home, "locations.json"): _json(maze.places),
        (home, "actions.json"): _json(maze.actions),
        (home, "walkthrough"): walkthrough,
        (home, "edges.json"): edges,
        (full, "nodes.json"): _json(maze.places),
        (full, "walkthrough_acts"): "".join(acts),
        (full, "edges.json"): edges,
    }
    for (each, name), text in files.items():
        write_text(each.file(name), text)
    return home


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=4) + "\n"


def chosen(folder: Path, only: str | Sequence[str], layout: str | None = None) -> dict[str, Maze]:
    """Return the mazes of a folder, or the named ones, sorted by name.

    By default, a game is read in its 70-step layout if it has one. Raises like `games` and `read`.
    """
    return {home.game: read(home) for home in games(folder, *laid(layout), only=only)}


def split_names(text: str | Sequence[str]) -> list[str]:
    """Split names at commas; inspect's command line passes a list instead of a string."""
    parts = text.split(",") if isinstance(text, str) else map(str, text)
    return [part.strip() for part in parts if part.strip()]

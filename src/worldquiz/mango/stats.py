"""Published mazes as MANGO's tables count them, and their questions on disk.

The tables (arXiv 2403.19913, Tables 3, 5 and 6) count by the steps at which the *game shows* a move
(not by those at which the text has told of it), and leave the walkthrough's last step out: Table 3
reads all but that one, Tables 5 and 6 a prefix of at most so many. A path counts from the step on
that shows its last edge, one way or the other; it is easy if all its moves were taken. Pairs are
counted by any route, which Table 3 fits and whole walkthroughs therefore get, or by the shortest
one, which Tables 5 and 6 fit and prefixes get.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, permutations
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.mango.maze import Maze
from worldquiz.mango.paths import ABSENT, Label, Net, Route, count, mean, pairs, write_jsonl
from worldquiz.mango.published import Home, Layout, games, named, read

RELEASED = 70
"""How many steps the published 70-step set reads."""


def stats(
    folder: Path,
    layout: Layout | None = None,
    steps: int | None = None,
    rf_easy: Route | None = None,
    only: Sequence[str] = (),
) -> dict[str, dict[str, Any]]:
    """Return a row of the paper's tables for each game in a folder of published data.

    `avg_len_path` is null where there is no path. Without `layout` the full map is preferred;
    without `rf_easy` a prefix is counted as Tables 5 and 6 do, all else as Table 3 does. Raises
    `RecordError` where the data are not as published, `KnobError` for steps that they do not have.
    """
    found = {}
    for home in _homes(folder, layout, steps, only):
        maze = _read(home, steps)
        limit = RELEASED if steps is None and _released(home, maze) else steps
        easy = rf_easy or (Route.ANY if limit is None else Route.SHORTEST)
        found[home.game] = row(maze, limit, easy)
    return found


def _homes(
    folder: Path, layout: Layout | None, steps: int | None, only: Sequence[str]
) -> list[Home]:
    """Return the games of a folder, or those named, in a layout or in the fullest that each has.

    Raises `KnobError` for a number of steps below 1, and for a name that the folder has not.
    """
    if steps is not None and not 1 <= steps < ABSENT:
        raise KnobError(f"--steps {steps}: give a number from 1")
    fullest = [layout] if layout else [Layout.FULL, Layout.STEPS70]
    return named(folder, games(folder, *fullest), only)


def row(maze: Maze, steps: int | None, rf_easy: Route) -> dict[str, Any]:
    """Return one row: a maze as so many steps show it, or all of its walkthrough."""
    last = max(maze.steps - 1, 0)
    limit = last if steps is None else min(steps, last)
    shown = shown_by(maze, limit)
    net = Net.of(shown)
    paths, routes = count(net, limit=limit, by=Label.FORWARD), pairs(net, rf_easy)
    ends = permutations(range(len(net.places)), 2)
    labels = [routes.labels[Label.FORWARD][a][b] for a, b in ends if routes.shortest[a][b]]
    easy = sum(label <= limit for label in labels)
    length = mean([sum(column) for column in zip(*paths.lengths, strict=True)])
    return {
        "locs": len(shown.places), "edges": len(shown.edges),
        "avg_len_path": None if length is None else round(length, 2),
        "steps": maze.steps if steps is None else limit,
        "df_easy": paths.easy, "df_hard": paths.hard,
        "rf_easy": easy, "rf_hard": len(labels) - easy,
    }  # fmt: skip


def shown_by(maze: Maze, step: int) -> Maze:
    """Return the part of a maze that the game has shown by a step, told of or not."""
    return maze.of(edge for edge in maze.edges if 0 < (edge.seen.first or 0) <= step)


def questions(
    folder: Path,
    out: Path,
    layout: Layout | None = None,
    steps: int | None = None,
    only: Sequence[str] = (),
) -> dict[str, dict[str, Any]]:
    """Write all questions of each game of a folder, and return what was written.

    In MANGO's own files, ``GAME.all2all.jsonl`` and ``GAME.all_pairs.jsonl``. With `steps`, those
    that a prefix answers. Raises as `stats` does.
    """
    found: dict[str, dict[str, Any]] = {}
    for home in _homes(folder, layout, steps, only):
        maze = _read(home, steps)
        if steps is not None:
            maze = maze.prefix(steps)
        paths = count(Net.of(maze))
        files = write_jsonl(maze, out)
        found[home.game] = {
            "paths": paths.easy + paths.hard,
            "pairs": sum(map(bool, chain.from_iterable(paths.pairs))),
            "files": [str(path) for path in files],
            "bytes": sum(path.stat().st_size for path in files),
        }
    return found


def _read(home: Home, steps: int | None) -> Maze:
    """Read a maze that has so many steps."""
    maze = read(home)
    if (steps or 0) > RELEASED and _released(home, maze):
        raise KnobError(
            f"--steps {steps}: the {home.layout} layout of {home.game} ends at step {RELEASED}; "
            f"take --layout {Layout.FULL}"
        )
    return maze


def _released(home: Home, maze: Maze) -> bool:
    """Tell whether a map ends with the steps of the 70-step set, whose walkthroughs are whole."""
    return home.layout is Layout.STEPS70 and all(edge.last <= RELEASED for edge in maze.edges)

"""Counts of published mazes as in MANGO's tables, and their questions in MANGO's own files.

The tables (arXiv 2403.19913, Tables 3, 5 and 6) count a move from the step at which the *game
shows* it, whether or not the text has named its places. The walkthrough's last step is left out:
Table 3 reads all steps before it, Tables 5 and 6 at most a prefix. A path counts once all its edges
are shown, in either direction; it is easy if all its moves were taken. A pair of places is easy if
any route between them is (for whole walkthroughs, which agrees with Table 3), or if a shortest
route is (for prefixes, which agrees with Tables 5 and 6).

MANGO's question files are written from a maze: ``X.all2all.jsonl`` has a line for each simple path,
``X.all_pairs.jsonl`` a line for each pair of places. The published question files follow from
``X.edges.json``, so they are never read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import chain, permutations
from pathlib import Path
from typing import Any

from worldquiz.errors import KnobError
from worldquiz.mango.mazes import NEVER, Maze
from worldquiz.mango.paths import (
    ABSENT,
    Label,
    Net,
    Route,
    count,
    labels,
    pair_id,
    path_id,
    paths,
    reached,
    tally_mean,
)
from worldquiz.mango.published import STEPS, Home, Layout, games, laid, read
from worldquiz.mango.walkthrough import told_as
from worldquiz.records import whole_file


def stats(
    folder: Path, layout: str | None, steps: int | None, only: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the table row of each game in a folder of published mazes, or of those in `only`.

    `avg_len_path` is None where there is no path. Raises `RecordError` for data in another format
    than the published, `KnobError` for steps or games that the folder does not have.
    """
    found = {}
    for home in _fullest(folder, layout, only):
        maze = read(home)
        released = home.layout is Layout.STEPS70 and all(e.last <= STEPS for e in maze.edges)
        if released and (steps or 0) > STEPS:
            raise KnobError(
                f"--steps {steps}: the {home.layout} layout of {home.game} ends at step "
                f"{STEPS}; use --layout {Layout.FULL}"
            )
        found[maze.name] = row(maze, STEPS if steps is None and released else steps)
    return found


def _fullest(folder: Path, layout: str | None, only: Sequence[str]) -> list[Home]:
    """Return the games of a folder in the given layout, or else in the full one if they have it."""
    return games(folder, *(laid(layout) if layout else (Layout.FULL, Layout.STEPS70)), only=only)


def row(maze: Maze, steps: int | None) -> dict[str, Any]:
    """Return a maze's table row, counted over the given number of steps, or over all (None)."""
    last, routes = max(maze.steps - 1, 0), Route.ANY if steps is None else Route.SHORTEST
    limit = last if steps is None else min(steps, last)
    shown = maze.of(edge for edge in maze.edges if 0 < (edge.seen.first or 0) <= limit)
    net = Net(shown)
    paths = count(net, limit=limit, by=Label.FORWARD)
    labels = [
        label
        for source in range(len(net.places))
        for target, (_, label) in reached(net, source, Label.FORWARD, routes).items()
        if target != source
    ]
    easy = sum(label <= limit for label in labels)
    length = tally_mean([sum(column) for column in zip(*paths.lengths, strict=True)])
    return {
        "locs": len(shown.places), "edges": len(shown.edges),
        "avg_len_path": None if length is None else round(length, 2),
        "steps": maze.steps if steps is None else limit,
        "df_easy": sum(paths.lengths[0]), "df_hard": sum(paths.hard_lengths),
        "rf_easy": easy, "rf_hard": len(labels) - easy,
    }  # fmt: skip


def questions(
    folder: Path, out: Path, layout: str | None, only: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Write all questions about each game of a folder; return counts and sizes by game.

    The files are MANGO's own, ``GAME.all2all.jsonl`` and ``GAME.all_pairs.jsonl``. Raises like
    `stats`.
    """
    return {home.game: write_jsonl(read(home), out) for home in _fullest(folder, layout, only)}


_LABELS = {
    Label.FORWARD: "min_step_forward",
    Label.FIRST: "min_step_total",
    Label.TOLD_FORWARD: "min_step_forward_answerable",
    Label.TOLD_FIRST: "min_step_total_answerable",
}
Line = dict[str, Any]


def write_jsonl(maze: Maze, folder: Path) -> dict[str, Any]:
    """Write a maze's two question files, each whole or not at all; return counts and sizes.

    Raises `RecordError` if a file cannot be written.
    """
    net = Net(maze)
    counts = count(net).pairs
    every = {"all2all": _paths(net), "all_pairs": _pairs(net, counts)}
    files = [folder / f"{maze.name}.{name}.jsonl" for name in every]
    for path, lines in zip(files, every.values(), strict=True):
        with whole_file(path) as stream:
            stream.writelines(json.dumps(line).encode() + b"\n" for line in lines)
    return {
        "paths": sum(map(sum, counts)),
        "pairs": sum(map(bool, chain.from_iterable(counts))),
        "files": [str(path) for path in files],
        "bytes": sum(path.stat().st_size for path in files),
    }


def _paths(net: Net) -> Iterator[Line]:
    for way in paths(net):
        start, end = way[0].source, way[-1].target
        shortest = net.shortest(net.number[start])[net.number[end]]
        steps = [[NEVER if step is None else step for step in labels(edge)] for edge in way]
        yield {
            "src_node": start, "dst_node": end, "diff_shortest": len(way) - shortest,
            "path_details": [{**told_as(*edge.key), **edge.published()} for edge in way],
            "step_count": len(way), "id": path_id(way),
            **{name: max(each[label] for each in steps) for label, name in _LABELS.items()},
        }  # fmt: skip


def _pairs(net: Net, counts: list[list[int]]) -> Iterator[Line]:
    routes = cache(partial(reached, net, route=Route.ANY))
    for source, target in permutations(range(len(net.places)), 2):
        start, end = net.places[source], net.places[target]
        steps = {
            name: routes(source, by).get(target, (0, ABSENT))[1] for by, name in _LABELS.items()
        }
        yield {
            "src_node": start, "dst_node": end, "num_paths": counts[source][target],
            "id": pair_id(start, end),
            **{name: NEVER if step == ABSENT else step for name, step in steps.items()},
        }  # fmt: skip

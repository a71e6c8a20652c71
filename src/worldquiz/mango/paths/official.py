"""MANGO's own question files, and the ids in them, written from a maze.

``X.all2all.jsonl`` has a line for each simple path, ``X.all_pairs.jsonl`` one for each pair of
places. A path's line spells it out, and its id is the SHA-256 of its JSON. Published files follow
from ``X.edges.json``, so they are never read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, count, labels, paths
from worldquiz.records import whole_file

_LABELS = {
    Label.FORWARD: "min_step_forward",
    Label.FIRST: "min_step_total",
    Label.TOLD_FORWARD: "min_step_forward_answerable",
    Label.TOLD_FIRST: "min_step_total_answerable",
}
Line = dict[str, Any]


def _step(edge: Edge) -> dict[str, str]:
    """Return what of an edge goes into an id."""
    return {"prev_node": edge.source, "node": edge.target, "action": edge.action}


def path_id(path: Iterable[Edge]) -> str:
    """Return the official id of a path."""
    return _sha256([_step(edge) for edge in path])


def pair_id(source: str, target: str) -> str:
    """Return the official id of a pair of places."""
    return _sha256({"src_node": source, "dst_node": target})


def _sha256(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def write_jsonl(maze: Maze, folder: Path) -> tuple[Path, Path]:
    """Write a maze's two question files, each whole or not at all, and return their paths.

    Raises `RecordError` where a file cannot be written.
    """
    net = Net.of(maze)
    routes, counts = pairs(net, Route.ANY), count(net).pairs
    every = {"all2all": _paths(net, routes), "all_pairs": _pairs(net, routes, counts)}
    first, second = (folder / f"{maze.name}.{name}.jsonl" for name in every)
    for path, lines in zip((first, second), every.values(), strict=True):
        with whole_file(path) as stream:
            stream.writelines(json.dumps(line).encode() + b"\n" for line in lines)
    return first, second


def _paths(net: Net, routes: Pairs) -> Iterator[Line]:
    for way in paths(net):
        start, end = way[0].source, way[-1].target
        shortest = routes.shortest[net.number[start]][net.number[end]] or 0
        steps = [[NEVER if step is None else step for step in labels(edge)] for edge in way]
        yield {
            "src_node": start, "dst_node": end, "diff_shortest": len(way) - shortest,
            "path_details": [{**_step(edge), **edge.published()} for edge in way],
            "step_count": len(way), "id": path_id(way),
            **{name: max(each[label] for each in steps) for label, name in _LABELS.items()},
        }  # fmt: skip


def _pairs(net: Net, routes: Pairs, counts: list[list[int]]) -> Iterator[Line]:
    for source, target in permutations(range(len(net.places)), 2):
        start, end = net.places[source], net.places[target]
        steps = {name: routes.labels[label][source][target] for label, name in _LABELS.items()}
        yield {
            "src_node": start, "dst_node": end, "num_paths": counts[source][target],
            "id": pair_id(start, end),
            **{name: NEVER if step == ABSENT else step for name, step in steps.items()},
        }  # fmt: skip

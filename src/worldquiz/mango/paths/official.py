"""MANGO's own question files: the ids in them, written from a maze, and checked against one.

``X.all2all.jsonl`` has a line for each simple path, ``X.all_pairs.jsonl`` one for each pair of
places. A path's line spells it out, and its id is the SHA-256 of its JSON.

Published files follow from ``X.edges.json``, so they are never needed; but where they lie beside
it, they are checked line by line: an unknown edge, a label that contradicts the edges, a wrong id,
a line that is cut off or stands there twice, a question that is missing. A maze that nobody
published has neither.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

from worldquiz.errors import RecordError
from worldquiz.mango.maze.mango import Home, Layout
from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, count, labels, paths
from worldquiz.records import parsed, read_bytes, whole_file

PATHS, PAIRS = "all2all.jsonl", "all_pairs.jsonl"
_LABELS = {
    Label.FORWARD: "min_step_forward",
    Label.FIRST: "min_step_total",
    Label.TOLD_FORWARD: "min_step_forward_answerable",
    Label.TOLD_FIRST: "min_step_total_answerable",
}
Line = dict[str, Any]


def step(edge: Edge) -> dict[str, str]:
    """Return what of an edge goes into an id."""
    return {"prev_node": edge.source, "node": edge.target, "action": edge.action}


def path_id(path: Iterable[Edge]) -> str:
    """Return the official id of a path."""
    return _sha256([step(edge) for edge in path])


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
    path_file, pair_file = (folder / f"{maze.name}.{name}" for name in (PATHS, PAIRS))
    with whole_file(path_file) as stream:
        stream.writelines(_dumps(_path(net, routes, way)) for way in paths(net))
    with whole_file(pair_file) as stream:
        ends = permutations(range(len(net.places)), 2)
        stream.writelines(_dumps(_pair(net, routes, counts, *pair)) for pair in ends)
    return path_file, pair_file


def _path(net: Net, routes: Pairs, way: Sequence[Edge]) -> Line:
    """Return what the line of a path holds."""
    start, end = way[0].source, way[-1].target
    shortest = routes.shortest[net.number[start]][net.number[end]] or 0
    return {
        "src_node": start, "dst_node": end, "diff_shortest": len(way) - shortest,
        "path_details": [{**step(edge), **edge.published()} for edge in way],
        "step_count": len(way), "id": path_id(way),
        **{name: _latest(way, label) for label, name in _LABELS.items()},
    }  # fmt: skip


def _pair(
    net: Net, routes: Pairs, counts: Sequence[Sequence[int]], source: int, target: int
) -> Line:
    """Return what the line of a pair holds."""
    start, end = net.places[source], net.places[target]
    steps = {name: routes.labels[label][source][target] for label, name in _LABELS.items()}
    return {
        "src_node": start, "dst_node": end, "num_paths": counts[source][target],
        "id": pair_id(start, end),
        **{name: NEVER if step == ABSENT else step for name, step in steps.items()},
    }  # fmt: skip


def _dumps(line: Line) -> bytes:
    return json.dumps(line).encode() + b"\n"


def check_questions(home: Home, maze: Maze) -> None:
    """Check a game's question files, if there are any.

    Raises `RecordError` naming file and line: one of the two is missing, or they contradict the
    maze.
    """
    files = [home.file(name) for name in (PATHS, PAIRS)]
    if home.layout is not Layout.STEPS70 or not any(path.is_file() for path in files):
        return
    for path in files:
        if not path.is_file():
            raise RecordError(f"{path}: is missing, and its companion is there: restore it")
    net = Net.of(maze)
    routes, found = pairs(net, Route.ANY), count(net)
    _check(files[0], _path_checker(net, routes), found.total)
    pairs_ = len(net.places) * (len(net.places) - 1)
    _check(files[1], _pair_checker(net, routes, found.pairs), pairs_)


def _check(path: Path, check: Callable[[Line], Mapping[str, object]], wanted: int) -> None:
    """Compare each line with what it should hold, and their number."""
    first: dict[object, int] = {}
    for number, line in _lines(path):
        where = f"{path}:{number}"
        try:
            should = check(line)
        except (KeyError, TypeError) as error:
            raise RecordError(f"{where}: lacks or misuses {error}") from error
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from error
        for name, value in should.items():
            if line.get(name) != value:
                raise RecordError(
                    f"{where}: {name} is {line.get(name)!r}, by the edges it is {value!r}"
                )
        if line["id"] in first:
            raise RecordError(f"{where}: stands there already in line {first[line['id']]}")
        first[line["id"]] = number
    if len(first) != wanted:
        raise RecordError(f"{path}: holds {len(first)} questions, the edges have {wanted}: cut off")


def _lines(path: Path) -> Iterator[tuple[int, Line]]:
    for number, text in enumerate(read_bytes(path).splitlines(), start=1):
        line = parsed(text, f"{path}:{number}")
        if not isinstance(line, dict):
            raise RecordError(f"{path}:{number}: is no object")
        yield number, line


def _path_checker(net: Net, routes: Pairs) -> Callable[[Line], Mapping[str, object]]:
    edges = {edge.key: edge for edge in net.edges}

    def check(line: Line) -> Mapping[str, object]:
        way = [_edge(edges, step) for step in line["path_details"]]
        if not way or any(a.target != b.source for a, b in pairwise(way)):
            raise ValueError("path_details is no path")
        return {**_path(net, routes, way), "path_details": line["path_details"]}

    return check


def _pair_checker(
    net: Net, routes: Pairs, counts: Sequence[Sequence[int]]
) -> Callable[[Line], Mapping[str, object]]:
    def check(line: Line) -> Mapping[str, object]:
        for name in ("src_node", "dst_node"):
            if line[name] not in net.number:
                raise ValueError(f"{name} {line[name]!r} is not among the places")
        ends = (net.number[line[name]] for name in ("src_node", "dst_node"))
        return _pair(net, routes, counts, *ends)

    return check


def _edge(edges: Mapping[tuple[str, str, str], Edge], step: Line) -> Edge:
    edge = edges.get((step["prev_node"], step["action"], step["node"]))
    if edge is None:
        raise ValueError(
            f"{step['prev_node']!r} --> {step['action']!r} --> {step['node']!r} is no edge"
        )
    for name, value in edge.published().items():
        if step.get(name) != value:
            raise ValueError(f"{name} of {edge} is {step.get(name)!r}, in the edges it is {value}")
    return edge


def _latest(way: Sequence[Edge], label: Label) -> int:
    return max(NEVER if (step := labels(edge)[label]) is None else step for edge in way)

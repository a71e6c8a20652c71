"""MANGO's own question files, streamed: ``X.all2all.jsonl`` and ``X.all_pairs.jsonl``.

A line spells out its whole path, and its id is the SHA-256 of the path's JSON. Two paths that begin
alike share that beginning, as bytes and as the state of the hash: a child adds its last edge only.
Only the paths from one place are in memory at a time.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from worldquiz.mango.maze.maze import NEVER, Edge, Maze
from worldquiz.mango.paths.ids import pair_id, step
from worldquiz.mango.paths.pairs import Pairs, Route, pairs
from worldquiz.mango.paths.path_tree import ABSENT, Label, Net, Paths, count, paths_from
from worldquiz.records import whole_file

CHUNK = 1 << 22
"""How many bytes are written at once."""

_LABELS = (
    b'"min_step_forward": %d, "min_step_total": %d, '
    b'"min_step_forward_answerable": %d, "min_step_total_answerable": %d}\n'
)
_TAIL = b'], "step_count": %d, "id": "%b", ' + _LABELS
_PAIR = b'{"src_node": %b, "dst_node": %b, "num_paths": %d, "id": "%b", ' + _LABELS


def write_jsonl(maze: Maze, folder: Path) -> tuple[Path, Path]:
    """Write a maze's two question files, each whole or not at all, and return their paths.

    Raises `RecordError` where a file cannot be written.
    """
    net = Net.of(maze)
    routes = pairs(net, Route.ANY)
    counts = count(net).pairs
    found = (folder / f"{maze.name}.all2all.jsonl", folder / f"{maze.name}.all_pairs.jsonl")
    with whole_file(found[0]) as stream:
        for place, total in zip(net.places, counts.sum(axis=1).tolist(), strict=True):
            for chunk in _chunks(_parts(paths_from(net, place, total), routes)):
                stream.write(chunk)
    with whole_file(found[1]) as stream:
        stream.writelines(pair_lines(net, routes, counts.tolist()))
    return found


def path_lines(paths: Paths, routes: Pairs) -> Iterator[bytes]:
    """Yield the lines of ``all2all.jsonl`` for the paths from one place."""
    return map(b"".join, _parts(paths, routes))


def _parts(paths: Paths, routes: Pairs) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Yield each line in four parts: what it begins with, its parent's edges, its last, the rest.

    Edges and hash states are kept for the paths that go on.
    """
    net = paths.net
    details = [b", " + _dumps(_detail(edge)) for edge in net.edges]
    steps = [b", " + _dumps(step(edge), sort_keys=True) for edge in net.edges]
    heads = _heads(net, paths.source)
    shortest = [away or 0 for away in routes.shortest[paths.source]]
    room = len(net.places) + 1
    bodies, states = [b""] * room, [hashlib.sha256(b"[")] * room
    lengths = paths.lengths.tolist()
    rows = zip(
        paths.last.tolist(), paths.targets.tolist(), lengths, [*lengths, 0][1:],
        *_official(paths.labels).tolist(), strict=True,
    )  # fmt: skip
    for edge, target, length, following, *labels in rows:
        cut = 2 if length == 1 else 0
        above, detail = bodies[length - 1], details[edge][cut:]
        state = states[length - 1].copy()
        state.update(steps[edge][cut:])
        if following > length:
            bodies[length], states[length] = above + detail, state
            state = state.copy()
        state.update(b"]")
        tail = _TAIL % (length, state.hexdigest().encode(), *labels)
        yield heads[target] % (length - shortest[target]), above, detail, tail


def pair_lines(net: Net, routes: Pairs, counts: list[list[int]]) -> Iterator[bytes]:
    """Yield the lines of ``all_pairs.jsonl``: every pair, also those without a route."""
    names = [_dumps(place) for place in net.places]
    for source, start in enumerate(net.places):
        for target, end in enumerate(net.places):
            if source != target:
                labels = (routes.labels[kind][source][target] for kind in Label)
                yield _PAIR % (
                    names[source],
                    names[target],
                    counts[source][target],
                    pair_id(start, end).encode(),
                    *(NEVER if at == ABSENT else at for at in labels),
                )


def _chunks(lines: Iterable[tuple[bytes, ...]]) -> Iterator[bytes]:
    """Yield lines joined into pieces that are worth a call to the system."""
    piece: list[bytes] = []
    size = 0
    for parts in lines:
        piece += parts
        size += sum(map(len, parts))
        if size >= CHUNK:
            yield b"".join(piece)
            piece, size = [], 0
    yield b"".join(piece)


def _official(labels: Any) -> Any:
    found = labels.copy()
    found[found == ABSENT] = NEVER
    return found


def _heads(net: Net, source: int) -> list[bytes]:
    """Return how a line begins, by its target, with room for the length to spare."""
    names = [_dumps(place).replace(b"%", b"%%") for place in net.places]
    head = b'{"src_node": %b, "dst_node": %b, "diff_shortest": %%d, "path_details": ['
    return [head % (names[source], name) for name in names]


def _detail(edge: Edge) -> dict[str, Any]:
    return {**step(edge), **edge.published()}


def _dumps(value: object, *, sort_keys: bool = False) -> bytes:
    return json.dumps(value, sort_keys=sort_keys).encode()

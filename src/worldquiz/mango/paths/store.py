"""Simple paths on disk: a parquet file of two columns, and the maze they belong to in its header.

``back`` is how many rows up a path's parent stands (a path of one edge: as far as the row before
the first), ``edge`` its last edge, by the header's list. The paths from one place stand together,
and a row group ends where a place's paths end, so those from one place are read without the rest.
Parents are near in such an order, which is why a path takes a fraction of a byte. Ids are not
stored unless asked for: they follow from the edges, and being hashes they cannot be packed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from worldquiz.errors import RecordError
from worldquiz.extras import later
from worldquiz.mango.maze.maze import Edge, Maze, Sight
from worldquiz.mango.paths.official import ID_BYTES, path_ids
from worldquiz.mango.paths.path_tree import Net, Paths, count, edge_kind, paths_from
from worldquiz.mango.paths.search import Array
from worldquiz.records import parsed, whole_file

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as arrow
    from pyarrow import parquet
else:
    np = later("numpy", extra="mango")
    arrow = later("pyarrow", extra="mango")
    parquet = later("pyarrow.parquet", extra="mango")

SCHEMA, VERSION = "worldquiz/paths", 1
GROUP = 1 << 18
"""How many rows a row group holds at least, but for the last."""
_PACKED = {"back": "zstd", "edge": "zstd", "id": "none"}


def store(maze: Maze, path: Path, *, ids: bool = False) -> Path:
    """Write the simple paths of a maze as one file, whole or not at all, and return its path.

    With `ids` the official id of each path is a third column of 32 bytes. Raises `RecordError`
    where the file cannot be written, `MissingExtra` without pyarrow.
    """
    net = Net.of(maze)
    counts: list[int] = count(net).pairs.sum(axis=1).tolist()
    groups = _groups(counts)
    columns = [("back", arrow.int32()), ("edge", arrow.type_for_alias(edge_kind(net)))]
    if ids:
        columns.append(("id", arrow.binary(ID_BYTES)))
    schema = arrow.schema(columns, metadata={"worldquiz": json.dumps(_header(net, counts, groups))})
    with (
        whole_file(path) as stream,
        parquet.ParquetWriter(
            stream,
            schema,
            compression=_PACKED,
            use_dictionary=["edge"],
            write_statistics=False,
        ) as writer,
    ):
        start = 0
        for end in groups:
            group = [paths_from(net, net.places[n], counts[n]) for n in range(start, end)]
            writer.write_table(_table(group, schema), row_group_size=2**31)
            start = end
    return path


@dataclass(frozen=True)
class Store:
    """The simple paths of a maze, read as they are wanted."""

    path: Path
    net: Net
    counts: tuple[int, ...]  # of the paths from each place
    groups: tuple[int, ...]  # the place after the last of each row group

    def __len__(self) -> int:
        return sum(self.counts)

    def paths_from(self, place: str) -> Paths:
        """Return the simple paths from a place. Raises `RecordError` where the file is damaged."""
        source = self.net.number[place]
        table, start = self._group(source, ["back", "edge"])
        block = slice(start, start + self.counts[source])
        back, edge = (table.column(name).to_numpy()[block] for name in ("back", "edge"))
        rows = np.arange(len(back), dtype="int32")
        parent = rows - back
        if ((back < 1) | (parent < -1) | (edge < 0) | (edge >= len(self.net.edges))).any():
            raise RecordError(
                f"{self.path}: a path from {place!r} has no such parent or edge: the file is "
                "damaged: write it again"
            )
        return Paths(self.net, source, parent, edge)

    def ids_from(self, place: str) -> Array:
        """Return the official ids of the paths from a place, a row of 32 bytes each.

        They are read where they are stored, else computed.
        """
        source = self.net.number[place]
        if not self._has_ids:
            return _ids(self.net, [self.paths_from(place)])
        table, start = self._group(source, ["id"])
        return _rows(table.column("id").slice(start, self.counts[source]).to_pylist())

    def __iter__(self) -> Iterator[Paths]:
        """Yield the paths from each place."""
        return (self.paths_from(place) for place in self.net.places)

    @cached_property
    def _has_ids(self) -> bool:
        return "id" in parquet.read_schema(self.path).names

    def _group(self, source: int, columns: list[str]) -> tuple[Any, int]:
        """Return the row group of a place's paths, and the row that they begin at."""
        group = next(number for number, end in enumerate(self.groups) if source < end)
        start = self.groups[group - 1] if group else 0
        try:
            with parquet.ParquetFile(self.path) as file:
                table = file.read_row_group(group, columns=columns)
        except (OSError, arrow.ArrowInvalid) as error:
            raise RecordError(f"{self.path}: cannot read: {error}; write it again") from error
        return table, sum(self.counts[start:source])


def open_store(path: Path, maze: Maze | None = None) -> Store:
    """Open what `store` wrote; only its header is read.

    Raises `RecordError` where it is missing, damaged, of another schema, or of another maze than
    the one given.
    """
    try:
        found = parquet.read_metadata(path)
    except (OSError, arrow.ArrowInvalid) as error:
        raise RecordError(f"{path}: is no file of paths: {error}") from error
    header = _read_header(path, (found.metadata or {}).get(b"worldquiz"))
    net = _net(header)
    opened = Store(path, net, tuple(header["counts"]), tuple(header["groups"]))
    if net.digest != header["digest"] or len(opened) != found.num_rows:
        raise RecordError(f"{path}: the header contradicts the rows: damaged: write it again")
    if maze is not None and Net.of(maze).digest != net.digest:
        raise RecordError(
            f"{path}: holds the paths of another maze than {maze.name!r} (or of another prefix of "
            "it): write it again"
        )
    return opened


def _groups(counts: Sequence[int]) -> list[int]:
    """Return the end of each row group, as the place after its last."""
    ends, size = [], 0
    for place, found in enumerate(counts, start=1):
        size += found
        if size >= GROUP or place == len(counts):
            ends.append(place)
            size = 0
    return ends


def _table(group: Sequence[Paths], schema: Any) -> Any:
    back = [np.arange(len(paths), dtype="int32") - paths.parent for paths in group]
    columns = [np.concatenate(back), np.concatenate([paths.last for paths in group])]
    if "id" in schema.names:
        data = _ids(group[0].net, group)
        kind = arrow.binary(ID_BYTES)
        columns.append(arrow.Array.from_buffers(kind, len(data), [None, arrow.py_buffer(data)]))
    return arrow.table(columns, schema=schema)


def _ids(net: Net, group: Sequence[Paths]) -> Array:
    """Return the ids of the paths from some places, a row of 32 bytes each."""
    found = [path_ids(net.edges, paths.parent.tolist(), paths.last.tolist()) for paths in group]
    return _rows(found)


def _rows(ids: Iterable[bytes]) -> Array:
    return np.frombuffer(b"".join(ids), "uint8").reshape(-1, ID_BYTES)


def _header(net: Net, counts: Sequence[int], groups: Sequence[int]) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "maze": net.name,
        "digest": net.digest,
        "places": net.places,
        "edges": [[*e.key, *astuple(e.seen), *astuple(e.told)] for e in net.edges],
        "counts": counts,
        "groups": groups,
    }


def _read_header(path: Path, text: bytes | None) -> dict[str, Any]:
    if text is None:
        raise RecordError(f"{path}: is a parquet file, but not one of paths: no header")
    header: dict[str, Any] = parsed(text, path)
    if (header.get("schema"), header.get("version")) != (SCHEMA, VERSION):
        raise RecordError(
            f"{path}: holds {header.get('schema')} version {header.get('version')}, wanted "
            f"{SCHEMA} version {VERSION}: write it again"
        )
    return header


def _net(header: dict[str, Any]) -> Net:
    edges = tuple(
        Edge(source, action, target, Sight(*steps[:2]), Sight(*steps[2:]))
        for source, action, target, *steps in header["edges"]
    )
    return Net(header["maze"], tuple(header["places"]), edges)

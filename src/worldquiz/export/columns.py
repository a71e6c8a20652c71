"""Tables by their columns, said once: Arrow's schema, Hugging Face's features, Croissant's fields.

A kind is the name of a plain type, a list of one kind, or a mapping of names to kinds:

    {"id": "string", "image": "image", "things": [{"label": "string", "position": ["double"]}]}

An image is a record of its bytes and no path, as `datasets` embeds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from worldquiz.extras import need

Kind: TypeAlias = "str | list[Kind] | Mapping[str, Kind]"
Columns: TypeAlias = Mapping[str, Kind]
IMAGE = "image"
_HUGGING = {"string": "string", "int": "int32", "double": "float64", "bool": "bool"}
_CROISSANT = {
    "string": "sc:Text", "int": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean",
    IMAGE: "sc:ImageObject",
}  # fmt: skip


def schema(columns: Columns) -> Any:
    """Return the columns as a `pyarrow.Schema` that tells `datasets` their features."""
    pa = pyarrow()
    info = {"info": {"features": features(columns)}}
    fields = [pa.field(name, _arrow(kind)) for name, kind in columns.items()]
    return pa.schema(fields, metadata={"huggingface": json.dumps(info)})


def _arrow(kind: Kind) -> Any:
    pa = pyarrow()
    if isinstance(kind, list):
        return pa.list_(_arrow(kind[0]))
    if isinstance(kind, Mapping):
        return pa.struct([pa.field(name, _arrow(each)) for name, each in kind.items()])
    if kind == IMAGE:
        return pa.struct([pa.field("bytes", pa.binary()), pa.field("path", pa.string())])
    plain = {"string": pa.string(), "int": pa.int32(), "double": pa.float64(), "bool": pa.bool_()}
    return plain[kind]


def features(columns: Columns) -> dict[str, Any]:
    """Return the columns as `datasets.Features` writes them in JSON."""
    return {name: _feature(kind) for name, kind in columns.items()}


def _feature(kind: Kind) -> Any:
    if isinstance(kind, list):
        return [_feature(kind[0])]
    if isinstance(kind, Mapping):
        return features(kind)
    return {"_type": "Image"} if kind == IMAGE else {"dtype": _HUGGING[kind], "_type": "Value"}


def fields(
    record_set: str, file_set: str, columns: Columns, described: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the columns as fields of a Croissant record set that reads a set of Parquet files."""
    return [
        _field(f"{record_set}/{name}", file_set, name, kind, described.get(name))
        for name, kind in columns.items()
    ]


def _field(
    id: str, file_set: str, column: str, kind: Kind, description: str | None, inner: str = ""
) -> dict[str, Any]:
    found: dict[str, Any] = {"@type": "cr:Field", "@id": id, "name": id.partition("/")[2]}
    if description:
        found["description"] = description
    while isinstance(kind, list):
        found |= {"isArray": True, "arrayShape": "-1" + ",-1" * ("arrayShape" in found)}
        kind = kind[0]
    if isinstance(kind, Mapping):
        found["subField"] = [
            _field(f"{id}/{name}", file_set, column, each, None, name)
            for name, each in kind.items()
        ]
        return found
    source: dict[str, Any] = {"fileSet": {"@id": file_set}, "extract": {"column": column}}
    if inner or kind == IMAGE:
        source["transform"] = {"jsonPath": inner or "bytes"}
    return {**found, "dataType": _CROISSANT[kind], "source": source}


def pyarrow() -> Any:
    """Return the library that writes Parquet. Raises `MissingExtra`."""
    return need("pyarrow", extra="t2q")

"""Croissant metadata of a folder of Parquet files, by which ML tools load it.

Croissant 1.1 (https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html): every file with
its SHA-256 and size, one set of files a table, and one record set a table whose fields say which
column they come from. Pictures are read from the bytes of their column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from worldquiz.export.columns import Columns, fields

PARQUET = "application/x-parquet"
VERSION = "http://mlcommons.org/croissant/1.1"
CONTEXT: Mapping[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}


@dataclass(frozen=True, slots=True)
class ParquetTable:
    """One set of Parquet files of equal columns."""

    name: str
    includes: str  # a pattern of their names
    columns: Columns
    told: Mapping[str, str]  # what columns mean
    description: str
    key: str = "id"  # the column that no two rows share; empty where there is none


@dataclass(frozen=True, slots=True)
class File:
    """One file."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class About:
    """Name, description, licence and citation of a data set."""

    name: str
    description: str
    url: str
    version: str
    licence: str = ""  # its address, or a file's name; empty where its owner says
    cite: str = ""


def croissant(
    about: About, tables: Iterable[ParquetTable], files: Iterable[File]
) -> dict[str, Any]:
    """Return the metadata as a JSON document."""
    every = list(tables)
    objects = [
        {
            "@type": "cr:FileObject",
            "@id": file.name,
            "name": file.name,
            "contentUrl": file.name,
            "contentSize": f"{file.bytes} B",
            "encodingFormat": PARQUET,
            "sha256": file.sha256,
        }
        for file in files
    ]
    sets = [
        {
            "@type": "cr:FileSet",
            "@id": f"{table.name}-files",
            "name": f"{table.name}-files",
            "encodingFormat": PARQUET,
            "includes": table.includes,
        }
        for table in every
    ]
    return {
        "@context": dict(CONTEXT),
        "@type": "sc:Dataset",
        "conformsTo": VERSION,
        "name": about.name,
        "description": about.description,
        "url": about.url,
        "version": about.version,
        **({"license": about.licence} if about.licence else {}),
        **({"citeAs": about.cite} if about.cite else {}),
        "distribution": [*objects, *sets],
        "recordSet": [_records(table) for table in every],
    }


def _records(table: ParquetTable) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        **({"key": {"@id": f"{table.name}/{table.key}"}} if table.key else {}),
        "field": fields(table.name, f"{table.name}-files", table.columns, table.told),
    }

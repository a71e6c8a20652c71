"""A table's columns, said once: Arrow, Hugging Face and Croissant hear the same."""

from __future__ import annotations

import json

import pytest

from worldquiz.export.columns import Columns, features, fields, schema
from worldquiz.tea.export.tasks import COLUMNS

SMALL: Columns = {
    "id": "string",
    "image": "image",
    "sizes": ["double"],
    "things": [{"label": "string", "at": ["double"]}],
}


def test_features_are_those_of_the_schema() -> None:
    pa = pytest.importorskip("pyarrow")
    datasets = pytest.importorskip("datasets")
    for columns in (SMALL, COLUMNS):
        made = schema(columns)
        told = json.loads(made.metadata[b"huggingface"])["info"]["features"]
        assert told == features(columns)
        read = datasets.Features.from_dict(told)
        assert read.arrow_schema.types == made.types
        assert read.arrow_schema.names == made.names
    assert schema(SMALL).field("image").type == pa.struct(
        [pa.field("bytes", pa.binary()), pa.field("path", pa.string())]
    )


def test_a_field_says_which_column_it_comes_from() -> None:
    id, image, sizes, things = fields("tasks", "files", SMALL, {"id": "unique"})
    assert id["description"] == "unique"
    assert id["source"] == {"fileSet": {"@id": "files"}, "extract": {"column": "id"}}
    assert image["dataType"] == "sc:ImageObject"
    assert image["source"]["transform"] == {"jsonPath": "bytes"}
    assert sizes["isArray"]
    assert sizes["arrayShape"] == "-1"
    assert [each["@id"] for each in things["subField"]] == ["tasks/things/label", "tasks/things/at"]
    assert things["subField"][0]["source"]["transform"] == {"jsonPath": "label"}

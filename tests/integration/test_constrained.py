"""Replies held to a schema: it reaches the server with each call, and stands in the manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator  # type: ignore[import-untyped]

import worldquiz as wq
from command import Said, worldquiz
from modelserver import Reply, Request, Script, Text, perfect, serving
from modelserver.models import reads_walkthroughs
from modelserver.prompts import role_of

FEW = {"lone": ("--max-steps", 3), "mazes": ("--per-maze", 3)}


def run(data: Path, script: Script, out: Path, *more: object) -> tuple[Said, list[Request]]:
    """Run a model; return what was said, and the requests. Each reply is of the form asked for."""
    asked: list[Request] = []

    def held(request: Request) -> Reply:
        asked.append(request)
        reply = script(request)
        if request.schema and isinstance(reply, Text):
            reply = reply if reply.text[0] in "[{" else Text(json.dumps(reply.text))
            told = json.loads(reply.text if reply.text[0] == "{" else reply.text.replace("'", '"'))
            assert Draft7Validator(request.schema).is_valid(told), (request.schema, told)
        return reply

    with serving(held) as server:
        said = worldquiz("run", data, "--model", "m", "--base-url", server.base_url, "--json",
                         *FEW[data.name], "--out", out, *more)  # fmt: skip
    assert said.code == 0, said.err
    return said, asked


def manifest(run: Path) -> Any:
    return json.loads((run / "manifest.json").read_text())


def test_a_model_is_held_to_the_form_of_each_reply(lone: Path, tmp_path: Path) -> None:
    said, asked = run(lone, perfect(), tmp_path / "run", "--constrained")
    free, freely = run(lone, perfect(), tmp_path / "free")
    assert {role_of(request) for request in asked} == {"act", "quiz"}
    assert all(request.schema["required"][0] in ("reason", "answer") for request in asked)
    assert not any(request.schema for request in freely)
    assert manifest(tmp_path / "run")["options"] == {"constrained": True}
    assert manifest(tmp_path / "free")["options"] == {}
    assert said.json["eus"] == free.json["eus"] == 1  # it plays at random


def test_a_reader_of_mazes_is_held_to_the_listed_places(mazes: Path, tmp_path: Path) -> None:
    _, asked = run(mazes, reads_walkthroughs(), tmp_path / "run", "--constrained")
    forms = {json.dumps(request.schema) for request in asked}
    lists, routes = sorted(map(json.loads, forms), key=len)
    assert lists == {"anyOf": [routes, {"const": "cannot be made"}]}
    step = routes["items"]["properties"]
    assert len(step["node"]["enum"]) == 8
    assert "north" in step["action"]["enum"]
    assert manifest(tmp_path / "run")["constrained"] is True


def test_the_simplest_reply_of_a_form_is_read(lone: Path, tmp_path: Path) -> None:
    """A model that knows nothing but the form: replies are read where the form holds to names."""

    def blind(request: Request) -> Reply:
        fields = request.schema["properties"]
        least = {"boolean": False, "number": 0, "integer": 0}
        told = {
            name: fields[name].get("enum", [least.get(fields[name].get("type"), "x")])[0]
            for name in request.schema["required"]
        }
        return Text(json.dumps(told))

    said, _ = run(lone, blind, tmp_path / "run", "--constrained")
    unread = [row for row in wq.load(tmp_path / "run").rows if row.status == "unreadable"]
    assert {row.format for row in unread} == {"where", "what"}  # "x" is no place
    assert said.json["counts"]["unread"] == len(unread)

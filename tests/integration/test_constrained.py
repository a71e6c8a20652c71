"""Replies held to a schema: it reaches the server with each call, and stands in the manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator  # type: ignore[import-untyped]

from conftest import Cli
from modelserver import Reply, Request, Text, perfect, serving
from modelserver.models import reads_walkthroughs
from modelserver.prompts import role_of
from serving import many_rooms
from worldquiz.mango.generate import Knobs, generate
from worldquiz.mango.published import write
from worldquiz.records import read_json
from worldquiz.runs.folder import MANIFEST


class Held:
    """Says what another model says, and notes the forms that it was held to."""

    def __init__(self, script: Any) -> None:
        self.script, self.forms = script, list[tuple[str, Any]]()

    def __call__(self, request: Request) -> Reply:
        self.forms.append((role_of(request), dict(request.schema)))
        reply: Reply = self.script(request)
        if request.schema and isinstance(reply, Text):
            told = (
                json.loads(reply.text)
                if reply.text[0] == "{"
                else json.loads(reply.text.replace("'", '"'))
            )
            assert Draft7Validator(request.schema).is_valid(told), (request.schema, told)
        return reply


def test_a_model_is_held_to_the_form_of_each_reply(cli: Cli, tmp_path: Path) -> None:
    suite, model = many_rooms(tmp_path / "suite", 1), Held(perfect())
    with serving(model) as server:
        said = cli("run", suite.path, "--model", "m", "--base-url", server.base_url, "--max-steps",
                   3, "--constrained", "--out", tmp_path / "run", "--json")  # fmt: skip
        assert said.code == 0, said.err
        free = cli("run", suite.path, "--model", "m", "--base-url", server.base_url, "--max-steps",
                   3, "--out", tmp_path / "free", "--json")  # fmt: skip
    forms = model.forms[: len(model.forms) // 2]
    assert {role for role, _ in forms} == {"act", "quiz"}
    assert all(form["required"][0] in ("reason", "answer") for _, form in forms)
    assert not any(form for _, form in model.forms[len(forms) :])
    assert read_json(tmp_path / "run" / MANIFEST)["options"] == {"constrained": True}
    assert read_json(tmp_path / "free" / MANIFEST)["options"] == {}
    assert said.json["counts"] == free.json["counts"]


def test_a_reader_of_mazes_is_held_to_the_listed_places(cli: Cli, tmp_path: Path) -> None:
    write(generate(Knobs(8), 1, name="small"), tmp_path / "mazes")
    model = Held(reads_walkthroughs())
    with serving(model) as server:
        said = cli("run", tmp_path / "mazes", "--model", "m", "--base-url", server.base_url,
                   "--per-maze", 3, "--constrained", "--out", tmp_path / "run")  # fmt: skip
    assert said.code == 0, said.err
    (form,) = {json.dumps(form) for _, form in model.forms}
    step = json.loads(form)["items"]["properties"]
    assert len(step["node"]["enum"]) == 8
    assert "north" in step["action"]["enum"]
    assert read_json(tmp_path / "run" / MANIFEST)["constrained"] is True


def test_the_simplest_reply_of_a_form_is_read(cli: Cli, tmp_path: Path) -> None:
    """A model that knows nothing but the form: all its replies are read, none is unreadable."""
    suite = many_rooms(tmp_path / "suite", 1)

    def blind(request: Request) -> Reply:
        fields = request.schema["properties"]
        least = {"boolean": False, "number": 0, "integer": 0}
        told = {
            name: fields[name].get("enum", [least.get(fields[name].get("type"), "x")])[0]
            for name in request.schema["required"]
        }
        return Text(json.dumps(told))

    with serving(blind) as server:
        said = cli("run", suite.path, "--model", "m", "--base-url", server.base_url, "--max-steps",
                   1, "--constrained", "--out", tmp_path / "run", "--json")  # fmt: skip
    assert said.code == 0, said.err
    assert said.json["counts"]["unread"] == 0

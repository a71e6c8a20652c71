"""Models to test with: each reads its prompt and does one thing, always.

They know worldquiz's prompts, and the requests of its memories, and answer anything else with the
simplest reply of the right shape. Faults are laid over them by `faults`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any

from modelserver.history import Follower
from modelserver.memories import Librarian
from modelserver.player import command
from modelserver.prompts import Scene, Sheet, read_scene, read_sheet, role_of
from modelserver.protocol import Reply, Request, Script, Text, Use, Uses
from worldquiz.facts.fact import DIRECTIONS
from worldquiz.facts.question import ABSTAIN, CATEGORIES, Format, Prompt
from worldquiz.t2q.reader.context import read_context
from worldquiz.t2q.reader.graph import Graph
from worldquiz.t2q.reader.questions import settled

Answer = Callable[[str, Prompt], str]  # from a context and a question
Play = Callable[[Scene, str], str]  # from a moment and a key to draw by


class Model:
    """A model made of a way to answer and a way to play; as a memory's model it is honest."""

    def __init__(self, answer: Answer, play: Play, librarian: Librarian | None = None) -> None:
        self._answer, self._play = answer, play
        self._librarian = librarian or Librarian()

    def __call__(self, request: Request) -> Reply:
        """Return the reply to a request."""
        text = request.messages[-1].text
        match role_of(request):
            case "act":
                scene = read_scene(text)
                if scene is not None:
                    return Text(_move(self._play(scene, request.digest)))
            case "quiz" | "batch":
                sheet = read_sheet(text)
                if sheet is not None:
                    return Text(self._filled(sheet))
            case role if role.startswith("memory "):
                return self._librarian(role, request)
        return plain(request)

    def _filled(self, sheet: Sheet) -> str:
        answers = [self._answer(sheet.context, prompt) for prompt in sheet.prompts]
        if sheet.batch:
            told = [
                {"question": number, "answer": answer, "reason": "the context"}
                for number, answer in enumerate(answers, start=1)
            ]
            return _json(answers=told)
        sure = {"confidence": 0.9 if answers[0] != ABSTAIN else 0.6} if sheet.confidence else {}
        return _json(answer=answers[0], reason="the context", **sure)


def perfect(*, lossy: float = 0.0, seed: int = 0) -> Script:
    """Return the perfect reader: right where its context settles the answer, else it abstains.

    `lossy` is the share of turns that it drops when it is asked to remember them.
    """
    return Model(_settle, _player(), Librarian(lossy, seed))


def liar(*, lossy: float = 0.0, seed: int = 0) -> Script:
    """Return one that never says what its context settles, nor abstains; it plays well.

    Where the context settles nothing it claims something all the same.
    """
    return Model(_lie, _player(), Librarian(lossy, seed))


def abstainer() -> Script:
    """Return one that answers no question; it plays well."""
    return Model(lambda context, prompt: ABSTAIN, _player())


def loops(action: str = "look") -> Script:
    """Return one that gives the same command again and again; it answers well."""
    return Model(_settle, lambda scene, key: action)


def constant(text: str) -> Script:
    """Return one that says the same whatever it is asked."""
    return lambda request: Text(text)


def plain(request: Request) -> Reply:
    """Return the simplest reply of the shape that is asked for."""
    if request.must_call:
        named = [tool for tool in request.tools if tool.name == request.tool_choice]
        tool = (named or list(request.tools))[0]
        return Uses((Use(tool.name, instance(tool.parameters)),))
    if request.shape == "json_schema":
        return Text(_json(**instance(request.schema)))
    return Text("{}" if request.shape == "json_object" else "ok")


def instance(schema: Mapping[str, Any]) -> Any:
    """Return the simplest value that a JSON schema allows, references left out."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return instance(schema[several][0])
    match schema.get("type"):
        case "object":
            needed = schema.get("required", ())
            return {name: instance(schema["properties"][name]) for name in needed}
        case "array":
            return [instance(schema["items"]) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "string":
            return "x" * schema.get("minLength", 1)
    return None


def _settle(context: str, prompt: Prompt) -> str:
    return settled(_read(context), prompt) or ABSTAIN


def _read(context: str) -> Graph:
    """Return the map that a context tells, of triplets what no command changes."""
    graph = read_context(context).graph
    _, known, told = context.partition("Known:\n")
    triplets = [line.split(", ") for line in told.partition("Seen:\n")[0].splitlines() if known]
    lines = [(one[0], one[1], one[2]) for one in triplets if len(one) == 3]
    if not lines:
        return graph
    graph = deepcopy(graph)
    kinds = {thing: kind for thing, relation, kind in lines if relation == "is a"}
    for thing, relation, other in lines:
        way = relation.removeprefix("is ").removesuffix(" of")
        if way in DIRECTIONS:
            graph.walk(other, way, thing)
        elif relation == "is at" and thing in kinds:  # furniture, which stays where it is
            graph.kinds.setdefault(thing, kinds[thing])
            graph.place.setdefault(thing, other)
    return graph


def _lie(context: str, prompt: Prompt) -> str:
    """Return an answer in the right form that is not the one that the context settles."""
    truth = settled(_read(context), prompt)
    match prompt.format:
        case Format.YES_NO:
            return "no" if truth == "yes" else "yes"
        case Format.WHICH:
            return next(choice for choice in prompt.choices if choice != truth)
        case Format.DESCRIPTION:
            told = set((truth or "").split(", "))
            return next((name for name in CATEGORIES if {name} != told), CATEGORIES[0])
    return "moon"


def _player() -> Play:
    follower = Follower()
    return lambda scene, key: command(follower.present(scene), key)


def _move(action: str) -> str:
    return _json(reason="it is the next thing to do", command=action)


def _json(**told: object) -> str:
    return json.dumps(told, ensure_ascii=False)
